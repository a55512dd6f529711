//! The layout: places and sizes of the panes.

use std::collections::BTreeMap;

use ratatui::layout::{
    Constraint::{Fill, Length},
    Direction, Layout, Margin, Rect,
};

/// The name of a pane, which identifies the pane, also in the configuration.
pub type Name = &'static str;

/// The least screen size in columns and rows; on a smaller screen, only a message is drawn.
pub const MIN_SIZE: (u16, u16) = (40, 12);
/// The least screen size, in columns and rows, at which all panes of an arrangement are visible at once.
pub const FULL_SIZE: (u16, u16) = (140, 36);
/// The size of the part of a larger screen that is drawn, in columns and rows, because every cell takes memory.
pub const MAX_SIZE: (u16, u16) = (1000, 400);
const TIMELINE_ROWS: u16 = 18;
/// The least height of a large screen, in rows, at which the stack pane shows the counters.
pub const HIGH: u16 = 50;
/// On a screen of few columns, the rows that the focused pane takes before the others that are shown.
const FRONT_ROWS: u16 = 17;
/// The rows that every pane shown gets if it needs them.
const LEAST_ROWS: u16 = 8;
/// The least screen heights, in rows, at which messages have a row of their own, and at which the closed command pane has one.
const MESSAGE_ROWS: u16 = 16;
const PROMPT_ROWS: u16 = 30;
/// The least width, in columns, at which all keys of the key bar have room in one row.
const KEYS_WIDTH: u16 = 190;
/// Below this screen width, the board is above the panes if larger there than beside them. `NARROW`: a pane's width beside it.
const BESIDE_WIDTH: u16 = 76;
const NARROW: u16 = 24;
/// The least height of a screen, in rows, on which narrow panes beside a larger board have room for their text.
const HIGH_ROWS: u16 = 44;
/// The width of the board's frame, the evaluation bar and the gap together, in columns.
const AROUND: u16 = 4;
/// The least width beside the board, in columns, at which stack and tree are complete side by side.
const STACK_AND_TREE: u16 = 115;
/// The least width beside the board, in columns, at which a low screen has two columns of panes.
const TWO_COLUMNS: u16 = 84;
/// The width, in columns, of a board pane that has no room for a board.
const BOARD_WIDTH: u16 = 36;
/// The rows that an open command pane leaves free for the board and its frame.
const BOARD_ROWS: u16 = 17;
/// The height of a pane's frame in rows, and also that of the text below a board.
const FRAME_ROWS: u16 = 2;
/// The least height of a pane with its frame, in rows.
const PANE_ROWS: u16 = 5;
/// The least width of the open command pane beside the board, and the least height of a pane above it or above a sheet. Below the
/// second width, it is as wide as the screen, without a frame, if it has a row of its own when closed.
const COMMAND_WIDTH: u16 = 40;
const WIDE_COMMAND: u16 = 60;
/// The height in rows of a pane without a frame, at most.
pub(super) const FRAMELESS: u16 = 2;
pub(super) const REST_ROWS: u16 = 5;

/// The place of a pane on a large screen. On a small screen, most panes share one place as tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneSlot {
    Board,
    /// The slot beside the board while a game is played.
    Game,
    Top,
    /// The slot beside `Top`.
    Tree,
    /// The slot of a trace's findings, above both columns of panes.
    Findings,
    /// The slot of a pane that covers the first panes of both columns when it is in front.
    Cover,
    Middle,
    /// The slot below `Tree`; empty in traces.
    Value,
    Strip,
    /// The slot that is hidden if there is nothing to list, also among the tabs.
    Stops,
    /// The slot that is hidden on small screens.
    Corner,
    Bottom,
}

impl PaneSlot {
    pub const fn is_tab(self) -> bool {
        !matches!(self, Self::Board | Self::Corner | Self::Bottom)
    }
}

/// An arrangement determines which panes are visible, and how large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// The arrangement for playing: a large board, and the game.
    #[default]
    Play,
    /// The arrangement for debugging: the panes of a search.
    Debug,
    /// The arrangement for traces: the panes that work with traces of other programs.
    Trace,
}

impl Arrangement {
    /// The panes beside the board from the top, as a table of one or two columns.
    const fn rows(self) -> &'static [&'static [PaneSlot]] {
        use PaneSlot::{Corner, Findings, Game, Middle, Stops, Strip, Top, Tree, Value};
        match self {
            Self::Play => &[&[Game], &[Value], &[Strip]],
            Self::Debug => &[&[Top, Tree], &[Middle, Value], &[Strip, Corner], &[Stops]],
            Self::Trace => &[&[Findings], &[Top, Tree], &[Middle, Corner], &[Strip, Stops]],
        }
    }

    /// Whether panes of this slot are in the first row, which a high chart covers.
    pub fn begins_with(self, slot: PaneSlot) -> bool {
        self.rows()[0].contains(&slot)
    }

    /// Whether the arrangement has a place for panes of this slot.
    pub fn shows(self, slot: PaneSlot) -> bool {
        let others = [PaneSlot::Board, PaneSlot::Bottom];
        let covers = slot == PaneSlot::Cover && self != Self::Trace;
        others.contains(&slot) || covers || self.rows().iter().any(|row| row.contains(&slot))
    }

    /// The greatest width of the board in columns, on a screen of this size.
    fn board_columns(self, (columns, rows): (u16, u16), is_large: bool) -> u16 {
        let share = if rows >= HIGH_ROWS && !is_large { 60 } else { 54 };
        let (least, most) = (columns * 38 / 100, columns * share / 100);
        if is_large && !matches!(self, Self::Play) {
            columns.saturating_sub(STACK_AND_TREE).clamp(least, most)
        } else if columns < BESIDE_WIDTH {
            // On a small screen, the board takes precedence over the panes.
            most.max(columns.saturating_sub(NARROW))
        } else {
            most
        }
    }
}

/// What is at the bottom of the screen, above messages and key bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BottomSlot {
    /// The closed command pane, a single line.
    Closed,
    /// The open command pane. It covers panes beside the board if these are wide enough, so that nothing moves.
    Open,
    /// The open command pane in place of all others.
    Zoomed,
    /// A text of this many rows below all panes, in place of command pane and messages.
    Text(u16),
}

/// All that the layout depends on.
#[derive(Debug)]
pub struct Plan<'a> {
    pub size: (u16, u16),
    pub arrangement: Arrangement,
    pub panes: &'a [(Name, PaneSlot)],
    /// The pane that is in front of the other tabs.
    pub tab: Name,
    /// The focused pane; while a line is typed, the one before.
    pub focus: Name,
    /// The zoomed pane, which fills the screen, if there is one.
    pub alone: Option<Name>,
    /// Whether the time line is shown.
    pub recorded: bool,
    pub bottom: BottomSlot,
    /// The possible sizes of the board in columns and rows, the largest first.
    pub boards: Vec<(u16, u16)>,
    /// The number of rows that each pane can fill.
    pub needs: &'a BTreeMap<Name, u16>,
    /// The panes that take the width of both columns while they are in front.
    pub wide: &'a [Name],
    /// The number of rows that the user has added to each pane; negative if removed.
    pub grown: &'a BTreeMap<Name, i16>,
}

impl Plan<'_> {
    const fn is_large(&self) -> bool {
        self.size.0 >= FULL_SIZE.0 && self.size.1 >= FULL_SIZE.1
    }

    /// The largest board for this number of rows, and whether the panes are beside or below it. The file letters are on its frame.
    fn board(&self, rows: u16) -> Option<((u16, u16), Direction)> {
        let fitting = |columns: u16, rows: u16| {
            let fits = |(wide, high): &&(u16, u16)| wide + AROUND <= columns && *high < rows;
            self.boards.iter().find(fits).copied()
        };
        let most = self.arrangement.board_columns(self.size, self.is_large());
        let beside = fitting(most, rows);
        let above = fitting(self.size.0, rows.saturating_sub(PANE_ROWS));
        let above = above.filter(|_| self.size.0 < BESIDE_WIDTH && above > beside);
        let above = above.map(|size| (size, Direction::Vertical));
        above.or_else(|| beside.map(|size| (size, Direction::Horizontal)))
    }

    /// The area of the board, and that of the panes beside or below it.
    fn columns(&self, whole: Rect) -> [Rect; 2] {
        let (length, direction) = match self.board(whole.height) {
            Some(((wide, _), Direction::Horizontal)) => (wide + AROUND, Direction::Horizontal),
            Some(((_, high), Direction::Vertical)) => (high + FRAME_ROWS, Direction::Vertical),
            None => (BOARD_WIDTH.min(self.size.0 / 2), Direction::Horizontal),
        };
        Layout::new(direction, [Length(length), Fill(1)]).areas(whole)
    }

    /// The number of rows that a pane can fill.
    fn need(&self, pane: Name) -> u16 {
        self.needs.get(pane).copied().unwrap_or(PANE_ROWS)
    }

    /// Whether the stops pane is shown: it has rows to list, or the user has chosen it.
    fn lists_stops(&self, pane: Name) -> bool {
        pane == self.tab || self.need(pane) > FRAME_ROWS
    }

    /// The height of the bottom pane, of `rows` rows; `closed`: that of the closed command pane.
    fn bottom_rows(&self, rows: u16, closed: u16) -> u16 {
        match self.bottom {
            BottomSlot::Closed => closed,
            BottomSlot::Zoomed => rows,
            BottomSlot::Text(text) => text.min(rows / 2),
            BottomSlot::Open if self.is_large() => 7 + rows.saturating_sub(38) / 4,
            BottomSlot::Open => {
                (rows / 4).min(rows.saturating_sub(BOARD_ROWS)).clamp(4.min(rows / 2), 12)
            }
        }
    }

    /// The pane in a slot, if there is one, with the area that it gets.
    fn placed(&self, slot: PaneSlot, area: Rect) -> Option<(Name, Rect)> {
        let holder = self.panes.iter().find(|(_, place)| *place == slot);
        holder.map(|(name, _)| (*name, area))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    pub header: Rect,
    pub timeline: Rect,
    /// The row of messages; empty on a screen with few rows.
    pub messages: Rect,
    /// The key bar of one or two rows.
    pub footer: Rect,
    /// The areas above the bottom pane: `upper` includes the board, `side` does not.
    pub upper: Rect,
    pub side: Rect,
    pub panes: Vec<(Name, Rect)>,
    /// The panes that are tabs; empty on a large screen.
    pub tabs: Vec<Name>,
}

impl Areas {
    pub fn of(&self, pane: Name) -> Option<Rect> {
        self.panes.iter().find(|(seen, _)| *seen == pane).map(|(_, area)| *area)
    }

    pub fn at(&self, column: u16, row: u16) -> Option<(Name, Rect)> {
        let holds = |area: &Rect| area.contains((column, row).into());
        self.panes.iter().find(|(_, area)| holds(area)).copied()
    }
}

/// The area of a pane within its frame.
pub fn inner(area: Rect) -> Rect {
    if area.height <= FRAMELESS { area } else { area.inner(Margin::new(1, 1)) }
}

/// Divides the screen among header, time line, panes, messages and key bar.
pub fn areas(plan: &Plan<'_>) -> Areas {
    let (columns, rows) = plan.size;
    let line = u16::from(plan.recorded && rows >= TIMELINE_ROWS);
    let upper = rows.saturating_sub(1 + line);
    // The second row of keys goes to a board that is larger with it, and on a small screen to the open command pane.
    let may_have = rows >= PROMPT_ROWS || plan.bottom == BottomSlot::Closed && rows >= MESSAGE_ROWS;
    let is_spare =
        rows >= FULL_SIZE.1 || may_have && plan.board(upper - 3) == plan.board(upper - 2);
    let keys = if is_spare && columns < KEYS_WIDTH { 2 } else { 1 };
    // On a screen with few rows, the board takes the row of messages if it fits only with that row.
    let rest = upper.saturating_sub(keys);
    let words =
        rows >= MESSAGE_ROWS || plan.board(rest).is_none() || plan.board(rest - 1).is_some();
    let words = u16::from(words && !matches!(plan.bottom, BottomSlot::Text(_)));
    let [header, timeline, middle, messages, footer] =
        Layout::vertical([Length(1), Length(line), Fill(1), Length(words), Length(keys)])
            .areas(Rect::new(0, 0, columns, rows));
    let mut areas = match plan.alone {
        _ if plan.bottom == BottomSlot::Zoomed => {
            let panes = plan.placed(PaneSlot::Bottom, middle).into_iter().collect();
            Areas { upper: middle, side: middle, panes, ..Areas::default() }
        }
        Some(pane) => alone(plan, pane, middle),
        None => divided(plan, middle),
    };
    (areas.header, areas.timeline, areas.messages, areas.footer) =
        (header, timeline, messages, footer);
    // Without a row of its own, the closed command pane is seen while there is no message.
    let prompt = plan.placed(PaneSlot::Bottom, messages).filter(|_| words > 0);
    areas.panes.extend(prompt.filter(|(name, _)| areas.of(name).is_none()));
    areas
}

/// A pane that fills the screen, but for the open command pane. On a large screen, the list of cache entries leaves room for the
/// board, which shows the selected one.
fn alone(plan: &Plan<'_>, pane: Name, middle: Rect) -> Areas {
    let rows = plan.bottom_rows(middle.height, 0);
    let [upper, bottom] = Layout::vertical([Fill(1), Length(rows)]).areas(middle);
    let has_board = plan.is_large() && plan.panes.contains(&(pane, PaneSlot::Middle));
    let [left, side] = if has_board { plan.columns(upper) } else { [Rect::ZERO, upper] };
    let others = [(PaneSlot::Board, left), (PaneSlot::Bottom, bottom)];
    let others = others.into_iter().filter(|(_, area)| !area.is_empty());
    let others = others.filter_map(|(slot, area)| plan.placed(slot, area));
    let panes = [(pane, side)].into_iter().chain(others).collect();
    Areas { upper, side, panes, ..Areas::default() }
}

/// Places the board at the left, the panes beside it, and the bottom pane below both or over some of the panes.
fn divided(plan: &Plan<'_>, middle: Rect) -> Areas {
    // The closed bottom pane leaves its line to a board that is larger with that line; on a screen with few rows, to keys.
    let least = if plan.bottom == BottomSlot::Closed { PROMPT_ROWS } else { MESSAGE_ROWS };
    let line = plan.size.1 >= least
        && plan.board(middle.height) == plan.board(middle.height.saturating_sub(1));
    let closed = Rect { height: middle.height.saturating_sub(u16::from(line)), ..middle };
    let [left, beside] = plan.columns(closed);
    let is_open = plan.bottom == BottomSlot::Open;
    let is_frameless = is_open && line && !plan.is_large() && beside.width < WIDE_COMMAND;
    let rows = if is_frameless { FRAMELESS } else { plan.bottom_rows(middle.height, line.into()) };
    let [upper, mut bottom] = Layout::vertical([Fill(1), Length(rows)]).areas(middle);
    // A narrower command pane beside the board is better than none of the board above a wide one.
    let hides = plan.board(upper.height).is_none() && plan.board(closed.height).is_some();
    let least = if hides { COMMAND_WIDTH * 2 / 3 } else { COMMAND_WIDTH };
    let has_room = beside.width >= least && beside.y <= bottom.y;
    let covers = is_open && has_room;
    let stays = covers || is_frameless;
    let [left, mut side] = if stays { [left, beside] } else { plan.columns(upper) };
    let is_above = left.width == middle.width;
    let [left, below] = if is_above { [left, Rect::ZERO] } else { under_board(plan, left) };
    let mut areas =
        if plan.is_large() { large(plan, side, below) } else { small(plan, side, below) };
    if is_frameless {
        // The command pane covers the lower borders of the other panes; a sheet ends above the command pane.
        side.height = bottom.y.saturating_sub(side.y);
    } else if side.bottom() > bottom.y {
        bottom = covering(&mut areas.panes, &mut side, bottom);
    }
    if rows > 0 {
        areas.panes.extend(plan.placed(PaneSlot::Bottom, bottom));
    }
    areas.panes.extend(plan.placed(PaneSlot::Board, left));
    if !below.is_empty() {
        areas.panes.extend(plan.placed(PaneSlot::Strip, below));
    }
    Areas { upper, side, ..areas }
}

/// The board's part of its column on a high screen, and the rows below the board if a pane has room there.
fn under_board(plan: &Plan<'_>, column: Rect) -> [Rect; 2] {
    let board = plan.board(column.height).filter(|_| plan.size.1 >= FULL_SIZE.1);
    let used = board.map_or(column.height, |((_, high), _)| high + 2 * FRAME_ROWS);
    let used = if used + PANE_ROWS <= column.height { used } else { column.height };
    Layout::vertical([Length(used), Fill(1)]).areas(column)
}

/// Moves the bottom pane beside the board, over the panes there. Panes of which only a few rows would remain are left out;
/// higher panes end where the bottom pane begins.
fn covering(panes: &mut Vec<(Name, Rect)>, side: &mut Rect, bottom: Rect) -> Rect {
    let begins = panes.iter().map(|(_, area)| area.y);
    let is_low = |y: &u16| *y <= bottom.y && bottom.y < *y + REST_ROWS;
    let top = begins.filter(is_low).min().unwrap_or(bottom.y);
    panes.retain(|(_, area)| area.y < top);
    for area in panes.iter_mut().map(|(_, area)| area).chain([&mut *side]) {
        area.height = area.height.min(top - area.y);
    }
    Rect { y: top, height: bottom.bottom() - top, x: side.x, width: side.width }
}

/// Places the panes beside the board in one or two columns, and above them the findings or the wide pane in front.
fn large(plan: &Plan<'_>, side: Rect, below: Rect) -> Areas {
    let is_shown = |(_, slot): &&(Name, PaneSlot)| plan.arrangement.shows(*slot);
    let in_front = plan.panes.iter().filter(is_shown).find(|(name, _)| *name == plan.tab);
    let in_front = in_front.filter(|(name, _)| plan.wide.contains(name));
    // A low chart leaves room for the panes that a high chart covers.
    let covers = in_front.is_some_and(|(name, slot)| {
        *slot == PaneSlot::Cover && plan.need(name) > side.height * 2 / 5
    });
    let findings = plan.panes.iter().filter(is_shown).find(|(_, slot)| *slot == PaneSlot::Findings);
    let wide: Vec<_> = in_front.or(findings).into_iter().map(|(name, _)| *name).collect();
    // On a tall screen with an icicle, the cache is below both columns and as wide as both, because its rows are long.
    let is_high = plan.size.1 >= HIGH && in_front.is_some_and(|(_, slot)| *slot == PaneSlot::Tree);
    let lowest = plan.panes.iter().find(|(_, slot)| is_high && *slot == PaneSlot::Middle);
    let lowest: Vec<_> = lowest.into_iter().map(|(name, _)| *name).collect();
    let mut columns = [0, 1].map(|at| column(plan, at, covers, below)).to_vec();
    for panes in &mut columns {
        panes.retain(|pane| !wide.contains(pane) && !lowest.contains(pane));
    }
    columns.retain(|panes| !panes.is_empty());
    let need = |panes: &Vec<Name>| panes.iter().map(|name| plan.need(name)).sum();
    // Rows that no pane needs go to a high chart or an icicle, or else to the columns.
    let (most, rest) = match in_front {
        Some(_) if covers => (side.height * 2 / 3, 0),
        Some((name, slot)) if *slot != PaneSlot::Cover => {
            // An icicle has fewer rows while the command pane is open or another pane has the focus.
            let is_first = plan.focus == *name && plan.bottom != BottomSlot::Open;
            (if is_first { side.height / 2 } else { side.height / 3 }, 0)
        }
        _ => (side.height * 9 / 20, wide.len()),
    };
    let needs: Vec<u16> = wide.iter().map(|name| plan.need(name).min(most)).collect();
    let high = columns.iter().map(need).max().unwrap_or(0);
    let last = lowest.iter().map(|name| plan.need(name)).collect();
    let needs = [needs, vec![high], last].concat();
    let mut heights = shared(&needs, side.height, (0, most), rest);
    let last = heights.len() - 1;
    for (name, at) in wide.iter().map(|name| (name, 0)).chain(lowest.iter().map(|it| (it, last))) {
        grow(&mut heights, at, plan.grown.get(name).copied().unwrap_or(0));
    }
    let rows = Layout::vertical(heights.into_iter().map(Length)).split(side);
    let shares = Layout::horizontal(columns.iter().map(|_| Fill(1))).split(rows[wide.len()]);
    let placed = columns.iter().zip(shares.iter());
    let placed = placed.flat_map(|(panes, area)| stacked(plan, panes, *area, area.height * 2 / 3));
    let wide = wide.iter().copied().zip(rows.to_vec());
    let lowest = lowest.iter().map(|name| (*name, rows[last]));
    Areas { panes: wide.chain(placed).chain(lowest).collect(), ..Areas::default() }
}

/// The panes of a column of the arrangement. The pane of the slot [`PaneSlot::Strip`] is under the board if there is room `below`.
fn column(plan: &Plan<'_>, at: usize, covers: bool, below: Rect) -> Vec<Name> {
    // A high stack pane has room for the counters.
    let joins = plan.size.1 >= HIGH && plan.arrangement == Arrangement::Debug && !covers;
    let is_shown = |(name, slot): &&(Name, PaneSlot)| match slot {
        PaneSlot::Findings => false,
        _ if covers && plan.arrangement.begins_with(*slot) => false,
        PaneSlot::Strip => below.is_empty(),
        // Counters that the stack pane shows have a pane only if the user has chosen it.
        PaneSlot::Corner => !joins || *name == plan.tab,
        PaneSlot::Stops => plan.lists_stops(name),
        _ => true,
    };
    let slots = plan.arrangement.rows().iter().filter_map(|row| row.get(at));
    let panes = slots.filter_map(|slot| plan.panes.iter().find(|(_, place)| place == slot));
    panes.filter(is_shown).map(|(name, _)| *name).collect()
}

/// Places panes one below the other as [`shared`] divides the height: up to `most` rows for the first pane, or on a small screen the
/// focused pane; rows that no pane needs for the cache, whose list is long.
fn stacked(plan: &Plan<'_>, panes: &[Name], side: Rect, most: u16) -> Vec<(Name, Rect)> {
    let focused = panes.iter().position(|name| *name == plan.focus && !plan.is_large());
    let needs: Vec<_> = panes.iter().map(|name| plan.need(name)).collect();
    let is_long = |name: &Name| plan.panes.contains(&(*name, PaneSlot::Middle));
    let rest = panes.iter().position(is_long).unwrap_or(0);
    let mut heights = shared(&needs, side.height, (focused.unwrap_or(0), most), rest);
    for (at, name) in panes.iter().enumerate() {
        grow(&mut heights, at, plan.grown.get(name).copied().unwrap_or(0));
    }
    let areas = Layout::vertical(heights.into_iter().map(Length)).split(side);
    panes.iter().copied().zip(areas.to_vec()).collect()
}

/// Divides rows among panes that need as many as `needs` says: first a few for each, then up to `most` for the pane `first`, then
/// evenly for all. Rows that no pane needs go to the pane `rest`.
fn shared(needs: &[u16], mut rows: u16, (first, most): (usize, u16), rest: usize) -> Vec<u16> {
    let mut heights = vec![0; needs.len()];
    let mut raise = |goal: &dyn Fn(usize) -> u16| {
        while rows > 0 {
            let wanting = (0..needs.len()).filter(|at| heights[*at] < goal(*at));
            let Some(least) = wanting.min_by_key(|at| heights[*at]) else { break };
            heights[least] += 1;
            rows -= 1;
        }
    };
    let need = |at: usize| needs[at].max(PANE_ROWS);
    raise(&|at| need(at).min(LEAST_ROWS));
    raise(&|at| if at == first { need(at).min(most) } else { 0 });
    raise(&need);
    if let Some(height) = heights.get_mut(rest) {
        *height += rows;
    }
    heights
}

/// Moves `by` rows to the pane `at` from the highest other panes, or, if negative, from it to the lowest. All keep a few rows.
fn grow(heights: &mut [u16], at: usize, by: i16) {
    for _ in 0..by.unsigned_abs() {
        let others = (0..heights.len()).filter(|other| *other != at);
        let height = |other: &usize| heights[*other];
        let other = if by > 0 { others.max_by_key(height) } else { others.min_by_key(height) };
        let (from, to) = if by > 0 { (other.unwrap_or(at), at) } else { (at, other.unwrap_or(at)) };
        let moved = u16::from(heights[from] > PANE_ROWS);
        heights[from] -= moved;
        heights[to] += moved;
    }
}

/// The tabs, which share a place; the first panes of the arrangement are below them if rows are free.
fn small(plan: &Plan<'_>, side: Rect, below: Rect) -> Areas {
    let is_offered = |(name, slot): &&(Name, PaneSlot)| {
        let is_foreign = *slot == PaneSlot::Findings || plan.arrangement == Arrangement::Trace;
        let is_below = *slot == PaneSlot::Strip && !below.is_empty();
        let is_listed = *slot != PaneSlot::Stops || plan.lists_stops(name);
        // The counters, which the stack pane shows, are a tab only if the user has chosen them.
        let is_tab = slot.is_tab() || *slot == PaneSlot::Corner && *name == plan.tab;
        is_tab && (plan.arrangement.shows(*slot) || !is_foreign) && !is_below && is_listed
    };
    let mut tabs: Vec<_> = plan.panes.iter().filter(is_offered).collect();
    let front = tabs.iter().find(|(name, _)| *name == plan.tab);
    let front = front.or_else(|| tabs.iter().find(|(_, slot)| plan.arrangement.shows(*slot)));
    let slots = plan.arrangement.rows().concat();
    let in_slot = |slot| tabs.iter().filter(move |(_, place)| *place == slot);
    let others = slots.into_iter().flat_map(in_slot).filter(|tab| front != Some(tab));
    // Further panes are shown where those above leave rows free; on a low screen, only below the arrangement's first pane, and on
    // one of middle height, below others that need few rows.
    let is_shared = plan.size.1 >= FULL_SIZE.1
        || front.is_some_and(|(_, slot)| plan.arrangement.begins_with(*slot));
    let most = if is_shared { FRONT_ROWS } else { u16::MAX };
    let used = front.map_or(0, |(name, _)| plan.need(name).min(most));
    let more = side.height.saturating_sub(used) / LEAST_ROWS;
    let more = if is_shared || plan.size.1 >= PROMPT_ROWS { more.min(2) } else { 0 };
    let beside = if side.width < TWO_COLUMNS { 0 } else { (side.height / LEAST_ROWS).clamp(1, 3) };
    let shown: Vec<_> = front.into_iter().chain(others).map(|(name, _)| *name).collect();
    let (left, others) = shown.split_at(shown.len().min(1 + usize::from(more)));
    let right = &others[..others.len().min(beside.into())];
    tabs.retain(|(name, _)| !left.iter().skip(1).chain(right).any(|shown| shown == name));
    let tabs = tabs.iter().map(|(name, _)| *name).collect();
    let columns = [left, right].into_iter().filter(|panes| !panes.is_empty());
    let shares = Layout::horizontal(columns.clone().map(|_| Fill(1))).split(side);
    let first = FRONT_ROWS.max(side.height / 2);
    let placed = columns.zip(shares.iter());
    let panes = placed.flat_map(|(panes, area)| stacked(plan, panes, *area, first)).collect();
    Areas { panes, tabs, ..Areas::default() }
}
