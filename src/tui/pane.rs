//! The [`Pane`] trait. A new pane is a file with an implementation, and a row in the table of [`panes`](super::panes).

use std::fmt::Debug;

use crossterm::event::KeyEvent;
use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::engine::{progress::Live, session::reply::Reply};

pub use crate::tui::{
    data::Query,
    keymap::{Binding, KeyPlace, PaneAction, own, run, types},
    layout::{Areas, Name, PaneSlot},
    lines::{Scroll, cut, cut_words, draw_head, line, rule, shown, wrapped, wrapped_in},
    list::{ListCursor, ListRow, Places},
    state::ScreenState,
};

/// A question in front of a pane.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The name of the question, for the frame and for the left of the last row.
    pub name: &'static str,
    /// The keys of the possible answers, each with its meaning.
    pub keys: &'static [(&'static str, &'static str)],
}

/// A pane and its row in the table of panes.
#[derive(Debug)]
pub struct PlacedPane {
    /// The name of the pane in the configuration; with a capital letter, the title of the frame.
    pub name: Name,
    /// The keys that focus the pane; the last one is the digit in its frame.
    pub keys: &'static str,
    /// The name of the pane in the help.
    pub about: &'static str,
    pub place: PaneSlot,
    pub pane: Box<dyn Pane>,
}

impl PlacedPane {
    pub fn number(&self) -> &'static str {
        self.keys.split(' ').next_back().unwrap_or_default()
    }

    pub fn heading(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    }

    pub fn key_place(&self) -> KeyPlace {
        let Self { name, pane, .. } = self;
        let letters = pane.letters();
        let (typing, scrolls) = (pane.is_typed_in(), pane.scrolls());
        KeyPlace { pane: name, typing, scrolls, letters, trace: false }
    }
}

/// A part of the screen, with its private state.
pub trait Pane: Debug {
    /// The queries whose replies the pane shows. They are looked up while the pane is visible.
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        Vec::new()
    }

    /// The title of the frame, after the pane's name.
    fn title(&self, _: &ScreenState) -> String {
        String::new()
    }

    /// The content of the pane in lines, if it consists of lines.
    fn lines(&self, _: &ScreenState, _columns: u16) -> Vec<Line<'static>> {
        Vec::new()
    }

    /// The cursor, if the pane is a list; else `None`.
    fn cursor(&self) -> Option<&ListCursor> {
        None
    }

    /// The rows on which the cursor can stand.
    fn places(&self, _: &ScreenState) -> Places {
        Places::All(0)
    }

    /// The row that the cursor is on; 0 if there is none.
    fn at(&self, state: &ScreenState) -> usize {
        self.cursor().and_then(|cursor| cursor.at(&self.places(state))).unwrap_or(0)
    }

    /// Called after a key or click has moved the cursor to a row.
    fn on_cursor(&mut self, _: &mut ScreenState, _row: usize) {}

    /// The scroll position; `None` if the content cannot be scrolled.
    fn scrolled(&self) -> Option<&Scroll> {
        self.cursor().map(|cursor| &cursor.scroll)
    }

    /// The number of rows that the pane can fill at this width.
    fn rows_needed(&self, state: &ScreenState, columns: u16) -> usize {
        self.lines(state, columns).len()
    }

    /// The question that takes all keys of the pane, if there is one.
    fn question(&self, _: &ScreenState) -> Option<Question> {
        None
    }

    /// The text in the row of messages while there is no message, if any.
    fn says(&self, _: &ScreenState) -> Option<String> {
        None
    }

    /// Draws the content of the pane, without its frame.
    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if let Some(scroll) = self.scrolled() {
            scroll.draw(frame, self.lines(state, room.width), room);
        }
    }

    /// Moves the cursor by a number of rows; in a pane without a cursor, scrolls by as many lines.
    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        match (self.cursor(), self.scrolled()) {
            (Some(cursor), _) => {
                if let Some(row) = cursor.by(&self.places(state), by) {
                    self.on_cursor(state, row);
                }
            }
            (None, Some(scroll)) => scroll.by(by),
            (None, None) => {}
        }
    }

    fn bindings(&self) -> Vec<Binding> {
        Vec::new()
    }

    /// Runs an action of the pane that is not a command.
    fn act(&mut self, _: &mut ScreenState, _: PaneAction) {}

    /// Handles a key. Returns `false` if the pane does not use the key; then actions are tried.
    fn key(&mut self, _: &mut ScreenState, _: KeyEvent) -> bool {
        false
    }

    /// Whether text is being typed in the pane, so that keys that write a character are not actions.
    fn is_typed_in(&self) -> bool {
        false
    }

    /// The characters that the pane handles before any action.
    fn letters(&self) -> &'static str {
        ""
    }

    /// Whether there are lines to scroll or to move along.
    fn scrolls(&self) -> bool {
        self.scrolled().is_some()
    }

    /// Whether the pane takes the width of both columns of panes while it is in front.
    fn is_wide(&self) -> bool {
        false
    }

    /// Whether the pane has nothing to show yet, so that Tab skips it.
    fn is_idle(&self) -> bool {
        false
    }

    /// The text that replaces `{}` in the command lines of the pane's actions.
    fn selected(&self, _: &ScreenState) -> Option<String> {
        None
    }

    /// The command line that goes to the event of the selected row; `None` if the row has no event.
    fn event_line(&self, _: &ScreenState) -> Option<String> {
        None
    }

    /// The text that replaces `{}` in the command lines that the user completes.
    fn editable(&self, state: &mut ScreenState) -> Option<String> {
        self.selected(state)
    }

    /// Moves the cursor to the clicked row. Returns whether the cursor was on that row before: then the click acts like Enter.
    fn click(&mut self, state: &mut ScreenState, _room: Rect, at: Position) -> bool {
        let Some((cursor, row)) = self.cursor().and_then(|it| Some((it, it.row_at(at)?))) else {
            return false;
        };
        let was_here = cursor.at(&self.places(state)) == Some(row);
        if !was_here {
            cursor.select(row);
            self.on_cursor(state, row);
        }
        was_here
    }

    /// Handles a movement of the mouse while its button is held down since a click in the pane, or the button's release.
    fn drag(&mut self, _: &mut ScreenState, _room: Rect, _at: Position, _released: bool) {}

    /// Keys of the pane that are not in the key map, the most important first, each with its label in the key bar and its help.
    fn fixed_keys(&self, _: &ScreenState) -> &'static [[&'static str; 3]] {
        &[]
    }

    /// The actions in the key bar, the most important first: `name` or `name:label`. Actions that every pane has are added.
    fn footer(&self, _: &ScreenState) -> &'static str {
        ""
    }

    /// Handles a reply; `None` if the command failed. Returns whether the pane has something new to show.
    fn on_reply(&mut self, _: Option<&dyn Reply>) -> bool {
        false
    }

    /// Handles the progress of a match or tournament. Returns whether the pane should come to the front.
    fn on_progress(&mut self, _: &mut ScreenState, _news: &Live) -> bool {
        false
    }

    /// Called when the pane gets the focus from another pane.
    fn on_focus(&mut self, _: &mut ScreenState) {}

    /// Called when the pane loses the focus to another pane.
    fn on_leave(&mut self) {}

    /// Called after the running command has returned.
    fn on_return(&mut self, _: &mut ScreenState) {}

    /// Called after all queries have been answered.
    fn on_data(&mut self, _: &mut ScreenState) {}
}

/// The keys and names of the tabs, the front one in brackets. Without enough room, empty panes are left out, then the tabs farthest
/// from the front one, for which `…` stands.
pub fn tab_texts(panes: &[PlacedPane], areas: &Areas, width: u16) -> Vec<(Name, [String; 2])> {
    let room = width.saturating_sub(2) as usize;
    let is_front = |pane: &PlacedPane| areas.of(pane.name).is_some();
    let text = |pane: &&PlacedPane| {
        let (key, name) = (pane.number(), pane.heading());
        let [before, after] = if is_front(pane) { ["[", "]"] } else { [" ", ""] };
        (pane.name, [format!("{before}{key}"), format!(" {name}{after}")])
    };
    let wide = |tabs: &[(Name, [String; 2])]| -> usize {
        tabs.iter().flat_map(|(_, text)| text).map(|text| text.width()).sum()
    };
    let all = panes.iter().filter(|pane| areas.tabs.contains(&pane.name));
    let mut tabs: Vec<_> = all.clone().map(|pane| text(&pane)).collect();
    if wide(&tabs) > room {
        let some = all.filter(|pane| is_front(pane) || !pane.pane.is_idle());
        tabs = some.map(|pane| text(&pane)).collect();
    }
    let front = tabs.iter().position(|(pane, _)| areas.of(pane).is_some()).unwrap_or(0);
    let (mut first, mut end) = (0, tabs.len());
    let fits = |first: usize, end: usize| {
        let marks = usize::from(first > 0) + if end < tabs.len() { 2 } else { 0 };
        wide(&tabs[first..end]) + marks <= room
    };
    while end - first > 1 && !fits(first, end) {
        if front - first > end - 1 - front { first += 1 } else { end -= 1 }
    }
    let [is_cut, is_begun] = [end < tabs.len(), first > 0];
    tabs.truncate(end);
    tabs.drain(..first);
    if let Some((_, [key, _])) = tabs.first_mut().filter(|_| is_begun) {
        key.insert(0, '…');
    }
    if let Some((_, [_, name])) = tabs.last_mut().filter(|_| is_cut) {
        name.push_str(" …");
    }
    tabs
}

pub fn tab_at(panes: &[PlacedPane], areas: &Areas, pane: Name, column: u16) -> Option<Name> {
    if !areas.tabs.contains(&pane) {
        return None;
    }
    let width = areas.of(pane).map_or(0, |area| area.width);
    let mut end = 1;
    let mut tabs = tab_texts(panes, areas, width).into_iter();
    let reached = tabs.find(|(_, [key, name])| {
        end += key.width() + name.width();
        (column as usize) < end
    });
    reached.map(|(tab, _)| tab)
}
