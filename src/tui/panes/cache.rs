//! The cache pane: a table of entries with a cursor, an order and a filter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::prelude::*;

use super::findings;

use crate::{
    command::CACHE_ORDERS,
    engine::session::{
        cache::{CacheEdit, CacheList, EntryReport},
        reply::{Reply, Score, Window},
        search::{Run, StopReport},
        stop_details::ChangeReport,
        timelines::{Provenance, after},
    },
    text::{
        noted,
        number::{self, bound, count, score, short},
        or_empty,
        style::style,
        words,
    },
    tui::{
        data::{BoardOf, REPLAYED},
        keymap::CachePaneAction,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, cut,
            draw_head, line, own, rule, run, shown, types, wrapped, wrapped_in,
        },
        text_field,
    },
};

/// Half the number of entries in a page; entries are looked up page by page.
const HALF: usize = 500;
/// The least width of the pane, in columns, at which values are shown in full.
const WIDE: usize = 56;
/// The least width of the pane, in columns, at which a depth is shown.
const NARROW: usize = 24;
/// The widths of values with their bounds in a wide and in a narrow pane, and the least width of a key, in columns.
const VALUES: usize = 11;
const SHORT_VALUES: usize = 8;
const LEAST: usize = 4;
/// The headings of columns that are cut where there is too little room for them, each with its least width.
const CUT: [(&str, usize); 2] = [("line", 10), ("position", 40)];
/// The least width of the column of lines where there is room for it, in columns.
const LINE: usize = 12;
/// The greatest number of entries for which the pane asks for rows, because every list can be scrolled.
const LISTED: usize = 12;

#[derive(Debug, Default)]
pub struct CachePane {
    /// The cursor, whose row is the index among the entries that match the filter.
    cursor: ListCursor,
    /// Whether the board must follow the cursor once its entry is known: after a move of the cursor or a removal.
    moved: bool,
    /// The key of an entry to which the cursor goes once the list has it.
    sought: Option<String>,
    /// The key of an entry that the page looked up last did not have, so that the page around the entry is looked up.
    around: Option<String>,
    /// The row of the cursor and the key of its entry, as last seen. When the table changes, the cursor stays on the entry,
    /// or in the first row.
    seen: (usize, Option<String>),
    /// The current event, to notice changes.
    event: Option<u64>,
    order: usize,
    filter: String,
    /// The filter before the last one, which is kept if the last one has a fault.
    before: String,
    typed: Option<String>,
    /// The key of the entry at whose watchpoint the search has stopped.
    watched: Option<String>,
    /// Entries as they were before they were removed or edited, the latest at the end, each with the event after which that was
    /// done; without those restored.
    changed: Vec<(EntryReport, Option<u64>)>,
    /// The key of the entry that is being restored.
    restoring: Option<String>,
}

impl CachePane {
    /// Whether Esc clears the filter, because it has nothing else to close.
    fn clears_filter(&self, state: &ScreenState) -> bool {
        let is_free = state.sheet.is_none() && !state.zoomed && self.typed.is_none();
        is_free && !self.filter.is_empty() && !matches!(state.shown, BoardOf::Entry(_))
    }

    /// Whether the last change can be taken back: it was made at the current event, so that no value of another event is stored.
    fn can_restore(&self) -> bool {
        self.changed.last().is_some_and(|(_, event)| *event == self.event)
    }

    fn order(&self) -> &'static str {
        CACHE_ORDERS[self.order % CACHE_ORDERS.len()]
    }

    /// The order in words.
    fn in_order(&self) -> &'static str {
        match self.order() {
            "key" => "by key",
            "depth" => "by depth, deepest first",
            "value" => "by value, highest first",
            "uses" => "by uses, most first",
            _ => "by first store",
        }
    }

    /// The query for the page of entries around the cursor. Small moves of the cursor stay within the page.
    fn query(&self) -> Query {
        let offset = (self.cursor.row() / HALF).saturating_sub(1) * HALF;
        let (rows, order) = (2 * HALF, self.order());
        let around = or_empty(self.around.as_ref().map(|key| format!(" --around {key}")));
        let list = format!("--limit {rows} --offset {offset} --sort {order}{around}");
        if self.filter.is_empty() {
            return Query::CacheList(list);
        }
        // A filter quotes nothing but positions, which contain neither kind of quote.
        let quote = if self.filter.contains('"') { '\'' } else { '"' };
        Query::CacheList(format!("{list} --where {quote}{}{quote}", self.filter))
    }

    /// The selected entry and, once it is looked up, its writer: as much as fits in half of the pane or below a short list.
    fn details(&self, state: &ScreenState, list: &CacheList, room: Rect) -> Vec<Line<'static>> {
        let Some(entry) = self.selected_entry(state) else { return Vec::new() };
        let columns = usize::from(room.width);
        let is_same = |found: &EntryReport| found.key == entry.key && found.value == entry.value;
        let looked_up = state.data.looked_up();
        let looked_up = looked_up.filter(|edit| edit.entry.as_ref().is_some_and(is_same));
        let listed = state.data.writers.get(&entry.key).map(|(writer, _)| {
            let before = or_empty(entry.edited.then_some("edited by hand; before that "));
            format!("{before}written by event {}  {}", count(writer.event), after(&writer.line))
        });
        let is_long = state.recording().is_some_and(|(_, now)| now.events > REPLAYED);
        let unknown = || {
            if entry.edited {
                return "edited by hand".to_owned();
            }
            let key = state.key("entry-writer");
            let looks = is_long.then(|| format!("{key} looks for the event that wrote it"));
            let unknown =
                "not written by this search: kept from an earlier one, loaded, or set by hand";
            looks.unwrap_or_else(|| unknown.to_owned())
        };
        let is_known = looked_up.is_some() || state.data.finds_writers();
        let unknown = (is_known && !state.data.lacks_writers()).then(unknown);
        let written = looked_up.and_then(CacheEdit::written).or(listed).or(unknown);
        let height = usize::from(room.height);
        let spare = height.saturating_sub(1 + list.matching).max(height / 2);
        let mut lines = vec![rule(&format!("entry {}", entry.key), columns, &state.look)];
        let placed = state.data.writers.get(&entry.key).map_or(entry, |(_, placed)| placed);
        let side = or_empty(placed.side.map(|side| format!("; {side} to move")));
        for text in std::iter::once(entry.details() + &side).chain(written) {
            let room = spare.saturating_sub(lines.len());
            let text = wrapped_in(&text.replace('\n', "  "), columns, room);
            lines.extend(text.into_iter().map(Line::raw));
        }
        // The list keeps its height, whatever there is to say of the entry.
        let rows = if lines.len() > 1 { lines.len().max(spare.min(5)) } else { 0 };
        lines.resize(rows, Line::default());
        lines
    }

    fn selected_entry<'a>(&self, state: &'a ScreenState) -> Option<&'a EntryReport> {
        let list = state.data.get::<CacheList>()?;
        let at = self.cursor.at(&Places::All(list.matching))?;
        list.entries.get(at.checked_sub(list.offset)?)
    }

    /// The key of the entry that is watched or on the board, if the filter hides the entry.
    fn hidden<'a>(&'a self, state: &'a ScreenState) -> Option<&'a String> {
        let list = state.data.get::<CacheList>()?;
        let is_whole = list.matching == list.entries.len();
        let is_listed = |key: &str| list.entries.iter().any(|entry| entry.key == key);
        let shown = match &state.shown {
            BoardOf::Entry(key) => Some(key),
            _ => None,
        };
        self.watched.as_ref().or(shown).filter(|key| is_whole && !is_listed(key))
    }

    /// Takes back the last change, at its event only.
    fn restore(&mut self, state: &mut ScreenState) {
        let Some((entry, event)) = self.changed.last() else {
            return state.say("no entry is left to restore");
        };
        if !self.can_restore() {
            let key = state.key("entry-restore");
            let older = || "is older than this search: `cache set` writes an entry".to_owned();
            let place = |event| {
                format!("was made at event {}: `goto {event}`, then {key} restores", count(event))
            };
            return state.say(format!("the last change {}", event.map_or_else(older, place)));
        }
        let list = state.data.get::<CacheList>();
        let is_alike =
            |now: &EntryReport| now.key == entry.key && score(now.value) == score(entry.value);
        let is_alike = list.is_some_and(|list| list.entries.iter().any(is_alike));
        let write = if is_alike { all_digits } else { exact };
        let line = format!("cache set {}{}", entry.key, assigned(entry, write));
        self.restoring = Some(entry.key.clone());
        state.run(line);
    }

    fn restart(&mut self) {
        self.cursor.select(0);
        self.moved = true;
    }
}

impl Pane for CachePane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        vec![self.query()]
    }

    fn title(&self, state: &ScreenState) -> String {
        let list = state.data.get::<CacheList>().filter(|list| list.total > 0);
        if let Some(run) = state.data.get::<Run>().filter(|_| state.searching) {
            let before = or_empty(list.map(|_| "; older list"));
            return format!("{} now{before}", count(run.cache.entries as u64));
        }
        let Some(list) = list else { return String::new() };
        let [matching, total] = [list.matching, list.total].map(|number| count(number as u64));
        let number = if self.filter.is_empty() { total } else { format!("{matching} of {total}") };
        let looks = or_empty(state.data.lacks_writers().then_some("; looking for the writers"));
        format!("{number} {}{looks}", self.in_order())
    }

    fn rows_needed(&self, state: &ScreenState, _: u16) -> usize {
        state.data.get::<CacheList>().map_or(0, |list| list.matching.min(LISTED) + 5)
    }

    /// The filter is drawn below the entries, after the title if the frame has tabs instead of a title.
    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, areas: &Areas, room: Rect) {
        let title = or_empty((!areas.tabs.is_empty()).then(|| self.title(state)));
        let notes = state.data.get::<CacheList>().map_or(&[][..], |list| &list.notes);
        let below = match &self.typed {
            Some(text) => format!("show only: {text}_"),
            // A low pane keeps the selected entry in sight.
            None if room.height < 3 => String::new(),
            None if self.filter.is_empty() => title,
            None => {
                let hidden = self.hidden(state).map(|key| format!("; this hides {key}"));
                let shown = noted(format!("{title} where {}", self.filter), notes);
                format!("{shown}{}", or_empty(hidden)).trim_start().to_owned()
            }
        };
        let below = wrapped_in(&below, room.width.into(), usize::from(room.height / 3).max(1));
        let below: Vec<_> = below.into_iter().filter(|line| !line.is_empty()).collect();
        let rows = Constraint::Length(below.len() as u16);
        let [room, foot] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        let style = if notes.is_empty() { state.look.quiet } else { state.look.title };
        frame.render_widget(shown(Text::from(below.join("\n")).style(style)), foot);
        let list = state.data.get::<CacheList>();
        let Some(list) = list.filter(|list| !list.entries.is_empty()) else {
            let at_start = state.at_start().map(|how| format!("The cache is empty {how}."));
            let text = match state.data.fault(&self.query()) {
                Some(fault) => fault,
                None if state.searching => "Entries are listed when the search stops.",
                None if state.stale => "The cache is being read.",
                None if self.filter.is_empty() => match &at_start {
                    Some(how) => how,
                    None => "The cache is empty.",
                },
                None => "No entry passes the filter; `/` changes it.",
            };
            let lines = wrapped(text, room.width.into()).into_iter().map(Line::raw);
            return self.cursor.scroll.draw(frame, lines, room);
        };
        let is_found = state.data.finds_writers() && !state.data.lacks_writers();
        let entries = list.entries.iter().map(|entry| {
            let node = state.data.writers.get(&entry.key);
            Listed { entry, node, is_earlier: is_found && node.is_none() }
        });
        let entries: Vec<_> = entries.collect();
        let columns = columns(&entries, room.width, state.data.finds_writers());
        let below = self.details(state, list, room);
        let rows = Constraint::Length(below.len() as u16);
        let [room, rest] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        frame.render_widget(shown(below), rest);
        let head = row(&columns, " ", |(head, ..)| (*head).to_owned());
        let room = draw_head(frame, line(head, room.width).style(state.look.head), room);
        let at = self.at(state);
        self.cursor.draw_lines(frame, room, list.matching, at..at + 1, |place| {
            let style = if place == at { state.look.selected } else { state.look.text };
            let entry = place.checked_sub(list.offset).and_then(|nth| entries.get(nth));
            let mark = if place == at { "▸" } else { " " };
            let text = entry.map(|entry| row(&columns, mark, |(.., cell)| cell(entry)));
            (Line::styled(cut(&text.unwrap_or_default(), room.width.into()), style), Some(place))
        });
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::All(state.data.get::<CacheList>().map_or(0, |list| list.matching))
    }

    fn on_cursor(&mut self, state: &mut ScreenState, _: usize) {
        // The board of an entry that has not been looked up yet is shown later, by `on_data`.
        let key = self.selected(state);
        self.moved = key.is_none();
        state.shown = BoardOf::Entry(key.unwrap_or_default());
    }

    /// In place of a node of the tree pane, the board shows the selected entry.
    fn on_focus(&mut self, state: &mut ScreenState) {
        if matches!(state.shown, BoardOf::Node(_)) {
            self.on_cursor(state, self.cursor.row());
        }
    }

    fn is_typed_in(&self) -> bool {
        self.typed.is_some()
    }

    /// Handles keys while a filter is typed, and the one that clears it. A fault in the filter is found by the look-up.
    fn key(&mut self, state: &mut ScreenState, event: KeyEvent) -> bool {
        if event.code == KeyCode::Esc && self.clears_filter(state) {
            self.sought = self.selected(state);
            self.filter.clear();
            self.restart();
            state.say("all entries are shown again");
            return true;
        }
        let Some(mut text) = self.typed.take() else { return false };
        match event.code {
            KeyCode::Esc => {}
            KeyCode::Up => self.typed = Some(self.filter.clone()),
            KeyCode::Enter => {
                self.sought = self.selected(state);
                self.before = std::mem::replace(&mut self.filter, text.trim().to_owned());
                self.restart();
            }
            _ => {
                let is_typed = text_field::edit(&mut text, event);
                self.typed = Some(text);
                return is_typed;
            }
        }
        true
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        match reply.and_then(|reply| reply.downcast_ref::<CacheEdit>()) {
            Some(CacheEdit { entry: None, previous: Some(removed), .. }) => {
                self.changed.push((removed.clone(), self.event));
                self.moved = true;
            }
            Some(CacheEdit { entry: Some(there), previous, .. }) => {
                self.sought = Some(there.key.clone());
                if self.restoring.take().is_some_and(|key| key == there.key) {
                    self.changed.pop();
                } else {
                    let before = previous.clone().filter(|before| before != there);
                    self.changed.extend(before.map(|before| (before, self.event)));
                }
                return true;
            }
            _ => {}
        }
        if let Some(stop) = reply.and_then(|reply| reply.downcast_ref::<StopReport>()) {
            let change = stop.seen.watch.as_ref().map(|watch| &watch.change);
            self.watched = match change {
                Some(ChangeReport::Entry { entry: Some(there), .. }) => Some(there.key.clone()),
                _ => None,
            };
            self.sought = self.watched.clone().or(self.sought.take());
        }
        false
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            run("entry-show", "enter", "cache get {}", "shows the selected entry on the board"),
            types("entry-edit", "e", "cache set {}", "edits the selected entry"),
            run("entry-remove", "d delete", "cache remove {}", "removes the selected entry"),
            own(CachePaneAction::EntryRestore, "U", "restores the entry removed or edited last"),
            run("entry-watch", "W", "watch {}", "stops the search where it writes the entry"),
            run("entry-why", "w", "explain entry {}", "explains the selected entry"),
            run("entry-writer", "g", "last {}", "goes back to the event that wrote the selected entry"),
            own(CachePaneAction::EntrySort, "t", "switches to the next sort order"),
            own(CachePaneAction::EntryFilter, "/", "filters the entries: depth>=2 and value<0 …"),
        ]
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let PaneAction::Cache(action) = action else { return };
        match action {
            CachePaneAction::EntrySort => {
                let list = state.data.get::<CacheList>();
                let counts = list.is_some_and(|it| it.entries.iter().any(|it| it.uses.is_some()));
                self.order = (self.order + 1) % CACHE_ORDERS.len();
                if self.order() == "uses" && !counts {
                    // If the cache counts no uses, the order by uses is that of the table.
                    self.order = (self.order + 1) % CACHE_ORDERS.len();
                }
                self.sought = self.selected(state);
                self.restart();
                state.say(format!("entries {}", self.in_order()));
            }
            CachePaneAction::EntryRestore => self.restore(state),
            CachePaneAction::EntryFilter => {
                self.typed = Some(String::new());
                let value = if style().scale.is_in_pawns() { "-0.5" } else { "0" };
                state.say(format!("conditions: depth>=2 and value<{value}, key=99"));
            }
        }
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        Some(self.selected_entry(state)?.key.clone())
    }

    /// The beginning of the line for a new value. Also shows the entry on the board, so that the edit can be compared with the
    /// position, and in a message what is stored.
    fn editable(&self, state: &mut ScreenState) -> Option<String> {
        let entry = self.selected_entry(state)?;
        let (key, fields) = (entry.key.clone(), assigned(entry, score));
        state.shown = BoardOf::Entry(key.clone());
        state.say(format!("stored:{fields}; Ctrl-W makes room for other fields"));
        Some(format!("{key} value="))
    }

    fn fixed_keys(&self, state: &ScreenState) -> &'static [[&'static str; 3]] {
        if self.typed.is_some() {
            &[
                ["Enter", "filter", "filters"],
                ["Up", "edit last", "brings the present filter back to edit it"],
                ["Esc", "back", "leaves the filter as it was"],
            ]
        } else if self.clears_filter(state) {
            &[["Esc", "all entries", "shows the entries that the filter hides"]]
        } else {
            &[]
        }
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        if self.selected_entry(state).is_none() {
            return "entry-filter:filter";
        }
        // What can be restored comes first, until it is.
        if self.can_restore() {
            "entry-show:show entry-restore:restore entry-why:why entry-edit:edit entry-remove:remove \
             entry-filter:filter entry-writer:writer entry-watch:watch entry-sort:sort"
        } else {
            "entry-show:show entry-why:why entry-edit:edit entry-remove:remove entry-filter:filter \
             entry-writer:writer entry-watch:watch entry-sort:sort"
        }
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        if let Some(fault) = state.data.fault(&self.query()).map(str::to_owned)
            && self.before != self.filter
        {
            // The list keeps its former filter, and the text can be corrected.
            state.blame(fault);
            self.typed = Some(std::mem::replace(&mut self.filter, self.before.clone()));
            return;
        }
        // A filter that has worked stays if it has a fault later, as in another game.
        self.before.clone_from(&self.filter);
        if self.around.is_some() && state.data.is_due(&self.query()) {
            // The page around the entry has not been looked up yet.
            return;
        }
        let event = state.data.event().map(|event| event.index);
        if std::mem::replace(&mut self.event, event) != event
            && let Some(finding) = findings::here(state)
        {
            self.sought.clone_from(&finding.key);
        }
        let was_around = self.around.take();
        // In the first row, the cursor stays there, unless the board has its entry.
        let shown = Some(&state.shown).zip(self.seen.1.clone());
        let is_shown = shown.is_some_and(|(shown, key)| *shown == BoardOf::Entry(key));
        if self.cursor.row() == self.seen.0 && (self.seen.0 > 0 || is_shown) {
            self.sought = self.sought.take().or(self.seen.1.take());
        }
        if let Some(list) = state.data.get::<CacheList>()
            && let Some(key) = was_around.clone().or(self.sought.take())
        {
            match list.entries.iter().position(|entry| entry.key == key) {
                Some(place) => self.cursor.select(list.offset + place),
                None => self.around = Some(key).filter(|_| was_around.is_none()),
            }
        }
        self.seen = (self.cursor.row(), self.selected(state));
        if self.around.is_none()
            && std::mem::take(&mut self.moved)
            && matches!(state.shown, BoardOf::Entry(_))
        {
            state.shown = self.selected(state).map_or(BoardOf::Position, BoardOf::Entry);
        }
    }
}

/// The fields of an entry as arguments of `cache set`, each with a blank before it; `write` formats the values.
fn assigned(entry: &EntryReport, write: fn(Score) -> String) -> String {
    let window = |Window { alpha, beta }| format!(" alpha={} beta={}", write(alpha), write(beta));
    // If the key contains the depth, the memo policy implies the bound.
    let has_depth = !entry.key.contains(':');
    let (bound, depth) = (entry.bound.filter(|_| has_depth), entry.depth.filter(|_| has_depth));
    let fields = [
        Some(format!(" value={}", write(entry.value))),
        entry.window.map(window),
        bound.map(|bound| format!(" bound={bound}")),
        depth.map(|depth| format!(" depth={depth}")),
        entry.best.first().map(|best| format!(" best={best}")),
    ];
    fields.into_iter().flatten().collect()
}

/// A value with all its digits, as people write it if that is read as the same value. Several values can look like the same end of
/// the game.
fn exact(value: Score) -> String {
    let text = number::exact(value);
    let is_number = text.parse::<f64>().is_ok();
    if is_number && text.parse() == Ok(value) { text } else { all_digits(value) }
}

/// A value with all its digits and an exponent, which is read as written. Without an exponent, a number is in pawns, and one that
/// equals the value shown stands for the entry's own value.
fn all_digits(value: Score) -> String {
    format!("{:e}", value.get())
}

/// A listed entry and, if known, the node that wrote it, with the entry as it is in the node's position.
#[derive(Clone, Copy)]
struct Listed<'a> {
    entry: &'a EntryReport,
    node: Option<&'a (Provenance, EntryReport)>,
    /// Whether the entry was in the cache before this search, of which no node wrote it.
    is_earlier: bool,
}

impl Listed<'_> {
    /// The entry, with its position if that is known.
    fn placed(&self) -> &EntryReport {
        self.node.map_or(self.entry, |(_, entry)| entry)
    }

    /// The node that wrote the entry as it is now.
    fn writer(&self) -> Option<&Provenance> {
        self.node.filter(|_| !self.entry.edited).map(|(writer, _)| writer)
    }

    /// The depth, unless the entry has a window, or a key that contains the depth.
    fn depth(&self) -> Option<u8> {
        let is_shown = self.entry.window.is_none() && !self.entry.key.contains(':');
        self.entry.depth.filter(|_| is_shown)
    }
}

/// The event that wrote the entry, `by hand`, or `earlier` if this search did not write it; empty if unknown.
fn event(it: &Listed<'_>) -> String {
    let edited = it.entry.edited.then(|| "by hand".to_owned());
    let event = edited.or_else(|| it.writer().map(|writer| count(writer.event)));
    or_empty(event.or_else(|| it.is_earlier.then(|| "earlier".to_owned())))
}

/// The moves from the root to the node that wrote the entry.
fn moves(it: &Listed<'_>) -> String {
    or_empty(it.writer().map(|writer| match writer.line.as_slice() {
        [] => "root".to_owned(),
        line => words(line),
    }))
}

fn best(it: &Listed<'_>) -> String {
    or_empty(it.placed().best.first())
}

fn position(it: &Listed<'_>) -> String {
    or_empty(it.placed().state.as_ref())
}

/// A column of the list: heading, width, and the cell of an entry.
type Column = (&'static str, usize, Box<dyn Fn(&Listed<'_>) -> String>);

fn column(
    head: &'static str,
    width: usize,
    cell: impl Fn(&Listed<'_>) -> String + 'static,
) -> Column {
    (head, width, Box::new(cell))
}

fn value(value: Score, columns: usize) -> String {
    if columns == SHORT_VALUES { short(value, 6) } else { score(value) }
}

/// The length of the longest of these texts of the entries, in characters.
fn longest(entries: &[Listed<'_>], text: fn(&Listed<'_>) -> String) -> usize {
    entries.iter().map(|it| text(it).chars().count()).max().unwrap_or(0)
}

/// The columns that have a value in at least one entry, as far as there is room. If `has_writers`, the columns about writers are always
/// there, so that no column moves while writers are looked up or a filter changes.
fn columns(entries: &[Listed<'_>], room: u16, has_writers: bool) -> Vec<Column> {
    let mut room = usize::from(room);
    let (values, head) =
        if room < WIDE { (SHORT_VALUES, "   value") } else { (VALUES, "      value") };
    // Value and depth take precedence over the end of the key, unless that is the depth.
    let has_depth = room >= NARROW && entries.iter().all(|it| !it.entry.key.contains(':'));
    // The column of the writers says which entries were edited.
    let marks = if !has_writers && entries.iter().any(|it| it.entry.edited) { 2 } else { 0 };
    let others = values + marks + if has_depth { 8 } else { 2 };
    let keys =
        longest(entries, |it| it.entry.key.clone()).min(room.saturating_sub(others)).max(LEAST);
    // Of a window that does not fit, the beginning is shown.
    let windows = (2 * values - 1).min(room.saturating_sub(keys + values + marks + 4));
    let events = longest(entries, event).max(7);
    let all = [
        column("", 1, move |it| or_empty((it.entry.edited && !has_writers).then_some("*"))),
        column("key", keys, |it| it.entry.key.clone()),
        column(head, values, move |it| {
            let sign = it.entry.bound.map_or("", |it| if it == "exact" { "=" } else { bound(it) });
            format!("{:>values$}", format!("{sign} {}", value(it.entry.value, values)))
        }),
        column("depth", 5, |it| or_empty(it.depth().map(|depth| format!("{depth:>5}")))),
        column("window", windows, move |it| {
            let window = it.entry.window.map(|window| [window.alpha, window.beta]);
            let window = window.map(|window| window.map(|bound| value(bound, values)).join(","));
            or_empty(window.map(|window| format!("[{window}]")))
        }),
        column("truth", 12, |it| or_empty(it.placed().truth)),
        column("best", longest(entries, best).max(4), best),
        column(" uses", 5, |it| or_empty(it.entry.uses.map(|uses| format!("{uses:>5}")))),
        column("written", events, move |it| {
            let event = event(it);
            if event.is_empty() { event } else { format!("{event:>events$}") }
        }),
        column("side", 5, |it| or_empty(it.placed().side)),
        column("line", longest(entries, moves).max(LINE), moves),
        column("position", longest(entries, position), position),
    ];
    let shown = all.into_iter().filter_map(|(head, width, cell)| {
        let is_cut =
            |(name, least): &(&str, usize)| *name == head && (*least..=width).contains(&room);
        let width = if CUT.iter().any(is_cut) { room - 1 } else { width };
        let is_filled = has_writers && ["written", "side", "line"].contains(&head)
            || entries.iter().any(|it| !cell(it).is_empty());
        let is_shown = width < room && is_filled;
        room -= if is_shown { width + 1 } else { 0 };
        is_shown.then_some((head, width, cell))
    });
    shown.collect()
}

/// A line of the list: a mark, and the cells in their columns.
fn row(columns: &[Column], mark: &str, text: impl Fn(&Column) -> String) -> String {
    let cells =
        columns.iter().map(|column| format!("{:<1$}", cut(&text(column), column.1), column.1));
    format!("{mark}{}", cells.collect::<Vec<_>>().join(" "))
}
