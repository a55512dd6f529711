//! The cache pane: a table of entries with a cursor, an order and a filter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{
    prelude::*,
    widgets::{Paragraph, Wrap},
};

use crate::{
    command::CACHE_ORDERS,
    engine::session::{
        cache::{CacheEdit, CacheList, EntryReport},
        reply::{Reply, Window},
    },
    text::{
        number::{bound, count, score, short},
        or_empty,
    },
    tui::{
        data::BoardOf,
        keymap::CachePaneAction,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, cut, line,
            own, rule, run, shown, types, wrapped,
        },
        text_field,
    },
};

/// Half the number of entries in a page; entries are looked up page by page.
const HALF: usize = 500;
/// The least width of the pane, in columns, at which values are shown in full.
const WIDE: u16 = 56;
/// The widths of keys and values in a wide pane; then of values in a narrow pane, where keys are as wide as the longest key.
const KEYS: usize = 17;
const VALUES: usize = 9;
const SHORT_VALUES: usize = 7;

#[derive(Debug, Default)]
pub struct CachePane {
    /// The cursor, whose row is the index among the entries that match the filter.
    cursor: ListCursor,
    /// Whether the board must follow the cursor once its entry is known: after a move of the cursor or a removal.
    moved: bool,
    /// The key of an entry that another pane has shown: the cursor goes to it once the list has it.
    sought: Option<String>,
    order: usize,
    filter: String,
    typed: Option<String>,
    /// The removed entries that have not been restored, the last one removed at the end.
    removed: Vec<EntryReport>,
}

impl CachePane {
    fn order(&self) -> &'static str {
        CACHE_ORDERS[self.order % CACHE_ORDERS.len()]
    }

    /// The query for the page of entries around the cursor. Small moves of the cursor stay within the page.
    fn query(&self) -> Query {
        let offset = (self.cursor.row() / HALF).saturating_sub(1) * HALF;
        let (rows, order) = (2 * HALF, self.order());
        let list = format!("--limit {rows} --offset {offset} --sort {order}");
        if self.filter.is_empty() {
            return Query::CacheList(list);
        }
        // A filter quotes nothing but positions, which contain neither kind of quote.
        let quote = if self.filter.contains('"') { '\'' } else { '"' };
        Query::CacheList(format!("{list} --where {quote}{}{quote}", self.filter))
    }

    /// The selected entry and its writer, if half of the pane has room for them.
    fn details(&self, state: &ScreenState, room: Rect) -> Vec<Line<'static>> {
        let Some(entry) = self.selected_entry(state) else { return Vec::new() };
        let looked_up = state.data.entry.as_ref().filter(|edit| edit.key == entry.key);
        let Some(written) = looked_up.and_then(CacheEdit::written) else { return Vec::new() };
        let facts = [entry.details(), written];
        let facts: Vec<_> =
            facts.iter().flat_map(|text| wrapped(text, room.width.into())).collect();
        if facts.len() + 1 > usize::from(room.height / 2) {
            return Vec::new();
        }
        let rule = rule("entry", room.width.into(), &state.look);
        std::iter::once(rule).chain(facts.into_iter().map(Line::raw)).collect()
    }

    fn selected_entry<'a>(&self, state: &'a ScreenState) -> Option<&'a EntryReport> {
        let list = state.data.get::<CacheList>()?;
        let at = self.cursor.at(&Places::All(list.matching))?;
        list.entries.get(at.checked_sub(list.offset)?)
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
        let list = state.data.get::<CacheList>();
        let Some(list) = list.filter(|list| list.total > 0) else { return String::new() };
        let (matching, total) = (count(list.matching as u64), count(list.total as u64));
        let title = format!("{matching} of {total} in {} order {}", self.order(), self.filter);
        title.trim_end().to_owned()
    }

    /// Below the entries is the filter being typed; otherwise the title, if the frame may be too narrow for it.
    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, areas: &Areas, room: Rect) {
        let is_cut = !areas.tabs.is_empty() || !self.filter.is_empty();
        let below = match &self.typed {
            Some(text) => format!("show only: {text}_"),
            None if is_cut => self.title(state),
            None => String::new(),
        };
        let rows = Constraint::Length((!below.is_empty()).into());
        let [room, foot] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        frame.render_widget(shown(line(below, foot.width).style(state.look.quiet)), foot);
        let list = state.data.get::<CacheList>();
        let Some(list) = list.filter(|list| !list.entries.is_empty()) else {
            let text = match state.data.fault(&self.query()) {
                Some(fault) => fault,
                None if state.searching => {
                    "A search is filling the cache: entries are listed when it stops."
                }
                None if self.filter.is_empty() => "The cache is empty.",
                None => "No entry passes the filter.",
            };
            let text = Paragraph::new(shown(text)).wrap(Wrap { trim: true });
            return frame.render_widget(text, room);
        };
        let columns = Columns::new(list, room.width);
        let below = self.details(state, room);
        let rows = Constraint::Length(below.len() as u16);
        let [room, rest] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        frame.render_widget(shown(below), rest);
        let heads = Constraint::Length(1);
        let [above, room] = Layout::vertical([heads, Constraint::Fill(1)]).areas(room);
        frame.render_widget(shown(line(columns.head(), above.width).style(state.look.head)), above);
        let at = self.cursor.at(&self.places(state)).unwrap_or(0);
        self.cursor.draw_lines(frame, room, list.matching, at..at + 1, |place| {
            let style = if place == at { state.look.selected } else { state.look.text };
            let entry = place.checked_sub(list.offset).and_then(|nth| list.entries.get(nth));
            let text = entry.map(|entry| columns.row(entry, place == at));
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

    fn is_typed_in(&self) -> bool {
        self.typed.is_some()
    }

    /// Handles keys while a filter is typed. Errors in the filter are reported by the look-up.
    fn key(&mut self, _: &mut ScreenState, event: KeyEvent) -> bool {
        let Some(mut text) = self.typed.take() else { return false };
        match event.code {
            KeyCode::Esc => {}
            KeyCode::Enter => {
                text.trim().clone_into(&mut self.filter);
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
                self.removed.push(removed.clone());
                self.moved = true;
            }
            Some(CacheEdit { entry: Some(there), .. }) => {
                self.sought = Some(there.key.clone());
                self.removed.retain(|entry| entry.key != there.key);
                return true;
            }
            _ => {}
        }
        false
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            run("entry-show", "enter", "cache get {}", "shows the selected entry on the board"),
            types("entry-edit", "e", "cache set {} value=", "edits the selected entry"),
            run("entry-remove", "d delete", "cache remove {}", "removes the selected entry"),
            own(CachePaneAction::EntryRestore, "U", "restores the entry removed last"),
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
                self.order = (self.order + 1) % CACHE_ORDERS.len();
                self.restart();
                state.say(format!("sorted by {}", self.order()));
            }
            CachePaneAction::EntryRestore => match self.removed.last() {
                Some(entry) => state.run(writing(entry)),
                None => state.say("no entry has been removed"),
            },
            CachePaneAction::EntryFilter => {
                self.typed = Some(self.filter.clone());
                state.say("conditions: depth>=2 and value<0, stones=9, key=99");
            }
        }
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        Some(self.selected_entry(state)?.key.clone())
    }

    fn fixed_keys(&self, _: &ScreenState) -> &'static [(&'static str, &'static str)] {
        if self.typed.is_some() {
            &[("Enter", "filters"), ("Esc", "leaves the filter as it was")]
        } else {
            &[]
        }
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "entry-show:show entry-why:why entry-writer:writer entry-sort:sort entry-filter:filter \
         entry-edit:edit entry-remove:remove entry-restore:restore"
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        if let Some(list) = state.data.get::<CacheList>()
            && let Some(key) = self.sought.take()
            && let Some(place) = list.entries.iter().position(|entry| entry.key == key)
        {
            self.cursor.select(list.offset + place);
        }
        if std::mem::take(&mut self.moved)
            && matches!(state.shown, BoardOf::Entry(_))
            && let Some(key) = self.selected(state)
        {
            state.shown = BoardOf::Entry(key);
        }
    }
}

fn writing(entry: &EntryReport) -> String {
    let window = |Window { alpha, beta }| format!(" alpha={} beta={}", alpha.get(), beta.get());
    // Fields are left out if the window implies them (bound) or the key contains them (depth).
    let bound = entry.bound.filter(|_| entry.window.is_none());
    let depth = entry.depth.filter(|_| !entry.key.contains(':'));
    let fields = [
        entry.window.map(window),
        bound.map(|bound| format!(" bound={bound}")),
        depth.map(|depth| format!(" depth={depth}")),
        entry.best.first().map(|best| format!(" best={best}")),
    ];
    let fields: String = fields.into_iter().flatten().collect();
    format!("cache set {} value={}{fields}", entry.key, entry.value.get())
}

/// The columns of a list; those that no entry fills are left out.
struct Columns {
    /// The widths of the columns of keys and of values, in characters.
    widths: [usize; 2],
    has_best: bool,
    has_uses: bool,
    is_known: bool,
    /// The heading of the last column, which may be cut off at the edge.
    reach: &'static str,
}

impl Columns {
    fn new(list: &CacheList, width: u16) -> Self {
        let any = |has: fn(&EntryReport) -> bool| list.entries.iter().any(has);
        let wide = width >= WIDE;
        let longest = list.entries.iter().map(|entry| entry.key.len()).max().unwrap_or(0);
        Self {
            widths: if wide { [KEYS.max(longest), VALUES] } else { [longest, SHORT_VALUES] },
            has_best: wide && any(|entry| !entry.best.is_empty()),
            has_uses: any(|entry| entry.uses.is_some()),
            is_known: any(|entry| entry.truth.is_some()),
            reach: match (
                any(|entry| entry.window.is_some()),
                any(|entry| !entry.key.contains(':')),
            ) {
                (true, _) => "window",
                (false, true) => "depth",
                (false, false) => "",
            },
        }
    }

    fn head(&self) -> String {
        let [keys, values] = self.widths;
        let best = or_empty(self.has_best.then_some("best     "));
        let uses = or_empty(self.has_uses.then_some(" uses "));
        let truth = or_empty(self.is_known.then_some("truth        "));
        format!(" {:<keys$} {:>values$} {best}{uses}{truth}{}", "key", "value", self.reach)
    }

    fn row(&self, entry: &EntryReport, chosen: bool) -> String {
        let [keys, values] = self.widths;
        let mark = if chosen { "▸" } else { " " };
        let write = |value| if values == VALUES { score(value) } else { short(value, 6) };
        let window = match entry.window {
            // An entry without a window shows its depth, unless the key contains the depth.
            None if entry.key.contains(':') => String::new(),
            None => entry.depth.map_or(String::new(), |depth| depth.to_string()),
            Some(Window { alpha, beta }) => format!("[{},{}]", write(alpha), write(beta)),
        };
        let sign = entry.bound.map_or("", |name| if name == "exact" { "=" } else { bound(name) });
        let value = format!("{sign}{}", write(entry.value));
        let best = entry.best.first().map_or_else(String::new, ToString::to_string);
        let best = or_empty(self.has_best.then(|| format!("{:<8} ", cut(&best, 8))));
        let uses = or_empty(self.has_uses.then(|| format!("{:>5} ", entry.uses.unwrap_or(0))));
        let truth = or_empty(self.is_known.then(|| format!("{:<12} ", or_empty(entry.truth))));
        format!("{mark}{:<keys$} {value:>values$} {best}{uses}{truth}{window}", entry.key)
    }
}
