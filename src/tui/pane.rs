//! What a pane is. A new one is a file with a [`Pane`] in it and a line in [`panes`](super::panes).

use std::fmt::Debug;

use crossterm::event::KeyEvent;
use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::engine::{progress::Live, session::reply::Reply};

pub use crate::tui::{
    data::Query,
    keymap::{Binding, KeyPlace, PaneAction, own, run, types},
    layout::{Areas, Name, PaneSlot},
    lines::{Scroll, balanced, cut, line, shown, wrapped},
    state::ScreenState,
};

/// A pane with what is fixed about it.
#[derive(Debug)]
pub struct PlacedPane {
    /// Its name in the configuration and, with a capital, in its frame.
    pub name: Name,
    /// The keys that lead to it; the last one is the digit in its frame.
    pub keys: &'static str,
    /// What the help calls it.
    pub about: &'static str,
    pub place: PaneSlot,
    pub pane: Box<dyn Pane>,
}

impl PlacedPane {
    /// The digit in its frame.
    pub fn number(&self) -> &'static str {
        self.keys.split(' ').next_back().unwrap_or_default()
    }

    /// Its name in its frame.
    pub fn heading(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    }

    /// What of the key map works in it.
    pub fn key_place(&self) -> KeyPlace {
        let Self { name, pane, .. } = self;
        KeyPlace { pane: name, typing: pane.is_typed_in(), scrolls: pane.scrolls() }
    }
}

/// A part of the screen, with what only it knows.
pub trait Pane: Debug {
    /// The statements whose answers it shows, to be looked up while it is seen.
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        Vec::new()
    }

    /// What its frame says besides its name.
    fn title(&self, _: &ScreenState) -> String {
        String::new()
    }

    /// What its frame says at the bottom, above it too where that is long.
    fn words(&self, _: &ScreenState) -> Option<String> {
        None
    }

    /// What it shows where that is lines in as many columns.
    fn lines(&self, _: &ScreenState, _columns: u16) -> Vec<Line<'static>> {
        Vec::new()
    }

    /// How far its lines are scrolled, where they can be.
    fn scrolled(&self) -> Option<&Scroll> {
        None
    }

    /// Draws it, without its frame: its lines, from the first that is seen on.
    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if let Some(scroll) = self.scrolled() {
            scroll.draw(frame, self.lines(state, room.width), room);
        }
    }

    /// Scrolls by lines, or moves what is selected.
    fn scroll(&mut self, _: &mut ScreenState, by: isize) {
        if let Some(scroll) = self.scrolled() {
            scroll.by(by);
        }
    }

    /// The actions that work in it alone.
    fn bindings(&self) -> Vec<Binding> {
        Vec::new()
    }

    /// Runs one of the actions of its bindings that are no commands.
    fn act(&mut self, _: &mut ScreenState, _: PaneAction) {}

    /// Takes a key that is no action; false where it means nothing.
    fn key(&mut self, _: &mut ScreenState, _: KeyEvent) -> bool {
        false
    }

    /// Whether text is typed in it, so that keys which write something are no actions.
    fn is_typed_in(&self) -> bool {
        false
    }

    /// Whether there are lines in it to move along.
    fn scrolls(&self) -> bool {
        self.scrolled().is_some()
    }

    /// Whether it has nothing to show yet and would only cover others.
    fn is_idle(&self) -> bool {
        false
    }

    /// What stands for `{}` in the command lines of its actions.
    fn selected(&self, _: &ScreenState) -> Option<String> {
        None
    }

    /// Takes a click at a place of the screen.
    fn click(&mut self, _: &mut ScreenState, _room: Rect, _at: Position) {}

    /// The keys that are no actions, and what they do, for footer and help.
    fn own_keys(&self, _: &ScreenState) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The actions that the footer names, the most important first, each by its name or by the word behind the colon.
    fn footer(&self, _: &ScreenState) -> &'static str {
        "help next-pane:pane command step over out back continue back-continue:back break-here:break run zoom quit"
    }

    /// Hears what a command has answered, if it has not failed; true where it has something new to show.
    fn hear(&mut self, _: Option<&dyn Reply>) -> bool {
        false
    }

    /// Takes what a command under way has told of games; true where a pane comes to the front to show it.
    fn watch(&mut self, _: &mut ScreenState, _news: &Live) -> bool {
        false
    }

    /// The command under way has come back.
    fn rest(&mut self, _: &mut ScreenState) {}

    /// Everything has been looked up.
    fn looked_up(&mut self, _: &mut ScreenState) {}
}

/// What stands for each tab in a frame of this width, the front one in brackets. Where there is no room for all names,
/// the last ones but for the front one's are left out, and their numbers stay.
pub fn tab_texts(panes: &[PlacedPane], areas: &Areas, width: u16) -> Vec<(Name, String)> {
    let room = width.saturating_sub(2) as usize;
    let list: Vec<_> = panes.iter().filter(|pane| areas.tabs.contains(&pane.name)).collect();
    let texts = |named: usize| -> Vec<(Name, String)> {
        let texts = list.iter().enumerate().map(|(place, pane)| {
            let (number, title) = (pane.number(), pane.heading());
            let text = match (areas.of(pane.name).is_some(), place < named) {
                (true, _) => format!("[{number} {title}]"),
                (false, true) => format!(" {number} {title} "),
                (false, false) => format!(" {number} "),
            };
            (pane.name, text)
        });
        texts.collect()
    };
    let fits = |texts: &Vec<(Name, String)>| {
        texts.iter().map(|(_, text)| text.width()).sum::<usize>() <= room
    };
    let found = (0..=list.len()).rev().map(texts).find(fits);
    found.unwrap_or_else(|| texts(0))
}

/// The tab whose text is at a column of a pane's frame.
pub fn tab_at(panes: &[PlacedPane], areas: &Areas, pane: Name, column: u16) -> Option<Name> {
    if !areas.tabs.contains(&pane) {
        return None;
    }
    let width = areas.of(pane).map_or(0, |area| area.width);
    let mut end = 1;
    let mut tabs = tab_texts(panes, areas, width).into_iter();
    let reached = tabs.find(|(_, text)| {
        end += text.width();
        (column as usize) < end
    });
    reached.map(|(tab, _)| tab)
}
