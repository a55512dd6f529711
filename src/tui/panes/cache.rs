//! The cache as a table: its cursor, its order and which entries it shows.

use ratatui::{
    Frame,
    layout::{Position, Rect},
    text::Line,
    widgets::{Paragraph, Wrap},
};

use crate::{
    command::CACHE_ORDERS,
    engine::reply::{CacheEdit, CacheList, EntryReport, Reply, Score},
    text::{
        Style,
        number::{count, score, short},
    },
    tui::{
        data::BoardOf,
        keymap::{Binding, own, run, types},
        layout::{Areas, PaneSlot},
        log::LogLine,
        pane::{Pane, STYLE, Tag, cut, line, shown},
        state::{Overlay, ScreenState},
    },
};

static TAG: Tag =
    Tag { name: "cache", keys: "4", about: "the cache table", place: PaneSlot::Middle };

/// From so many columns on nothing is abbreviated.
const WIDE: u16 = 56;

/// The table.
#[derive(Debug, Default)]
pub struct CachePane {
    /// The line under the cursor, of all lines that match.
    cursor: usize,
    /// Another entry may be under the cursor now: the board is to follow.
    moved: bool,
    order: usize,
    filter: String,
    /// What has been removed and not been brought back, the latest last.
    removed: Vec<EntryReport>,
}

impl CachePane {
    fn order(&self) -> &'static str {
        CACHE_ORDERS[self.order % CACHE_ORDERS.len()]
    }

    /// The command that lists entries around the cursor, fewer while a search changes them. Small steps of the cursor
    /// leave it as it is.
    fn statement(&self, searching: bool) -> String {
        let rows = if searching { 100 } else { 1000 };
        let half = (rows / 2).max(1);
        let offset = (self.cursor / half).saturating_sub(1) * half;
        let order = self.order();
        let list = format!("cache list --limit {rows} --offset {offset} --sort {order}");
        if self.filter.is_empty() {
            return list;
        }
        // What is quoted in a filter are positions, which hold neither kind of quote.
        let quote = if self.filter.contains('"') { '\'' } else { '"' };
        format!("{list} --where {quote}{}{quote}", self.filter)
    }

    /// Begins at the first entry, in another order or of other entries.
    fn restart(&mut self) {
        self.cursor = 0;
        self.moved = true;
    }

    /// Puts the cursor on a line; the board follows.
    fn select(&mut self, state: &mut ScreenState, line: usize) {
        self.cursor = line.min(matching(state).saturating_sub(1));
        // One that has not come yet is looked at when it has.
        let key = self.selected(state);
        self.moved = key.is_none();
        state.shown = BoardOf::Entry(key.unwrap_or_default());
    }
}

/// How many lines the table has.
fn matching(state: &ScreenState) -> usize {
    state.data.get::<CacheList>().map_or(0, |list| list.matching)
}

/// The first entry seen, so that the one under the cursor is.
fn first(cursor: usize, height: usize) -> usize {
    (cursor + 1).saturating_sub(height)
}

impl Pane for CachePane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn wants(&self, state: &ScreenState) -> Vec<String> {
        vec![self.statement(state.searching)]
    }

    fn title(&self, state: &ScreenState) -> String {
        let Some(list) = state.data.get::<CacheList>() else {
            return String::new();
        };
        let (matching, total) = (count(list.matching as u64), count(list.total as u64));
        let title = format!("{matching} of {total} in {} order {}", self.order(), self.filter);
        title.trim_end().to_owned()
    }

    /// The entries. In a tab, where the frame has no room for the title, that stands below.
    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let list = state.data.get::<CacheList>();
        let Some(list) = list.filter(|list| !list.entries.is_empty()) else {
            let text = match state.data.fault(&self.statement(state.searching)) {
                Some(fault) => fault,
                None if self.filter.is_empty() => "The cache is empty.",
                None => "No entry passes the filter.",
            };
            let text = Paragraph::new(shown(text)).wrap(Wrap { trim: true });
            return frame.render_widget(text, room);
        };
        let wide = room.width >= WIDE;
        let height = (room.height as usize).saturating_sub(2);
        let from = first(self.cursor, height).saturating_sub(list.offset);
        let head = if wide {
            format!("  {:<17} {:>8} {:<6} window", "key", "value", "bound")
        } else {
            format!(" {:<17} {:>7} window", "key", "value")
        };
        let mut lines = vec![line(head, room.width).style(state.look.head)];
        let entries = list.entries.iter().enumerate().skip(from).take(height);
        lines.extend(entries.map(|(place, entry)| {
            let chosen = list.offset + place == self.cursor;
            let text = cut(&row(entry, chosen, wide), room.width as usize);
            if chosen { Line::styled(text, state.look.selected) } else { Line::raw(text) }
        }));
        lines.push(line(self.title(state), room.width).style(state.look.quiet));
        frame.render_widget(Paragraph::new(shown(lines)), room);
    }

    fn scrolls(&self) -> bool {
        true
    }

    fn hear(&mut self, reply: Option<&dyn Reply>) -> bool {
        match reply.and_then(|reply| reply.downcast_ref::<CacheEdit>()) {
            Some(CacheEdit { entry: None, previous: Some(removed), .. }) => {
                self.removed.push(removed.clone());
            }
            Some(CacheEdit { entry: Some(there), .. }) => {
                self.removed.retain(|entry| entry.key != there.key);
            }
            _ => {}
        }
        false
    }

    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        self.select(state, self.cursor.saturating_add_signed(by));
    }

    fn click(&mut self, state: &mut ScreenState, room: Rect, at: Position) {
        let rows = (room.height as usize).saturating_sub(2);
        let Some(line) = (at.y as usize).checked_sub(room.y as usize + 1) else {
            return;
        };
        let line = first(self.cursor, rows) + line;
        if line < matching(state) {
            self.select(state, line);
        }
    }

    fn bindings(&self) -> Vec<Binding> {
        [
            run("entry-show", "enter", "cache get {}", "shows the selected entry on the board"),
            types("entry-edit", "e", "cache set {} value=", "edits the selected entry"),
            run("entry-remove", "d delete", "cache remove {}", "removes the selected entry"),
            own("entry-restore", "U", "brings the entry back that was removed last"),
            own("entry-break", "B", "a breakpoint at the selected entry's position, or none again"),
            run(
                "entry-watch",
                "W",
                "watch {}",
                "stops the search where it writes the selected entry",
            ),
            own("entry-sort", "t", "the next order"),
            own("entry-filter", "/", "shows only some: depth>=2 and value<0 …"),
        ]
        .map(|row| row.of(TAG.name))
        .into()
    }

    fn act(&mut self, state: &mut ScreenState, action: &str) {
        if action == "entry-sort" {
            self.order = (self.order + 1) % CACHE_ORDERS.len();
            return self.restart();
        }
        if action == "entry-break" {
            return match self.selected(state) {
                Some(key) => state.toggle_breakpoint(&key),
                None => state.say(LogLine::Note, "no entry is selected"),
            };
        }
        if action == "entry-restore" {
            return match self.removed.last() {
                Some(entry) => state.run(writing(entry)),
                None => state.say(LogLine::Note, "no entry has been removed"),
            };
        }
        state.overlay = Some(Overlay::Question {
            pane: TAG.name,
            title: "Entries to show",
            help: &[
                "depth>=2 and value<0 and stones=9, key=99 …",
                "Enter shows those only, Esc changes nothing",
            ],
            text: self.filter.clone(),
        });
    }

    /// What is wrong with a filter is seen when the entries are asked for.
    fn answer(&mut self, _: &mut ScreenState, text: &str) {
        text.trim().clone_into(&mut self.filter);
        self.restart();
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        let list = state.data.get::<CacheList>()?;
        let entry = list.entries.get(self.cursor.checked_sub(list.offset)?)?;
        Some(entry.key.clone())
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "help next-pane:pane entry-show:show entry-edit:edit entry-remove:remove \
         entry-restore:restore entry-sort:sort entry-filter:filter quit"
    }

    fn looked_up(&mut self, state: &mut ScreenState) {
        if std::mem::take(&mut self.moved)
            && matches!(state.shown, BoardOf::Entry(_))
            && let Some(key) = self.selected(state)
        {
            state.shown = BoardOf::Entry(key);
        }
    }
}

/// The command that writes an entry as it was.
fn writing(entry: &EntryReport) -> String {
    let end = |name: &str, end: Option<Score>| end.map(|end| format!(" {name}={}", end.get()));
    let ends = [end("alpha", entry.alpha), end("beta", entry.beta)].into_iter().flatten();
    // A window tells the bound, and a key may tell the depth: then they are no fields.
    let bound = entry.bound.filter(|_| entry.alpha.is_none());
    let bound = bound.map(|bound| format!(" bound={bound}"));
    let depth = entry.depth.filter(|_| !entry.key.contains(':'));
    let depth = depth.map(|depth| format!(" depth={depth}"));
    let fields: String = ends.chain(bound).chain(depth).collect();
    format!("cache set {} value={}{fields}", entry.key, entry.value.get())
}

/// Where there is little room a sign tells the bound, and the window does without blanks.
fn row(entry: &EntryReport, chosen: bool, wide: bool) -> String {
    let mark = if chosen { "▸" } else { " " };
    let window = |number: fn(Score, Style) -> String, comma: &str| {
        let end = |end: Option<Score>| end.map_or("—".to_owned(), |end| number(end, STYLE));
        match (entry.alpha, entry.beta) {
            // Without a window it is the depth that says how far the value reaches.
            (None, None) if entry.key.contains(':') => String::new(),
            (None, None) => entry.depth.map_or(String::new(), |depth| format!("depth {depth}")),
            (alpha, beta) => format!("[{}{comma}{}]", end(alpha), end(beta)),
        }
    };
    let key = &entry.key;
    if wide {
        let (value, window) = (score(entry.value, STYLE), window(score, ", "));
        let bound = entry.bound.unwrap_or("—");
        return format!("{mark} {key:<17} {value:>8} {bound:<6} {window}");
    }
    let sign = match entry.bound {
        Some("lower") => "≥",
        Some("upper") => "≤",
        _ => " ",
    };
    let value = format!("{sign}{}", short(entry.value, 6, STYLE));
    format!("{mark}{key:<17} {value:>7} {}", window(|value, style| short(value, 6, style), ","))
}
