//! Layout: where the panes are.

use ratatui::layout::{
    Constraint::{Fill, Length},
    Layout, Margin, Rect,
};

/// A pane's name, as in the configuration; it identifies the pane.
pub type Name = &'static str;

/// Columns and rows below which nothing is drawn but a message.
pub const MIN_SIZE: (u16, u16) = (40, 12);
/// Columns and rows from which all panes are visible at once.
pub const FULL_SIZE: (u16, u16) = (140, 36);
/// A larger screen is drawn in part only: every cell costs memory.
pub const MAX_SIZE: (u16, u16) = (1000, 400);
/// Rows from which the time line is shown.
const TIMELINE_ROWS: u16 = 24;
/// Columns below which the board is a tab too.
const TWO_COLUMN_WIDTH: u16 = 76;
/// Least rows of the strip: those of the counters, with frame.
const STRIP_ROWS: u16 = 8;
/// Columns and rows of a board, with frame.
const BOARD_SIZE: (u16, u16) = (36, 17);

/// A pane's place on a large screen. On a small one most panes share a place as tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneSlot {
    /// Left, on small screens too.
    Board,
    /// Beside the board.
    Top,
    /// Over `Top`, once it is wanted.
    Cover,
    /// Below `Top`.
    Middle,
    /// Below `Middle`.
    Strip,
    /// Beside `Strip`; hidden on small screens.
    Corner,
    /// Bottom, on small screens too.
    Bottom,
}

impl PaneSlot {
    /// Whether the pane is a tab on a small screen.
    pub const fn is_tab(self) -> bool {
        matches!(self, Self::Top | Self::Cover | Self::Middle | Self::Strip)
    }
}

/// The parts of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    pub header: Rect,
    pub timeline: Rect,
    pub footer: Rect,
    /// Everything above the bottom pane, and that without the board.
    pub upper: Rect,
    pub side: Rect,
    /// The visible panes.
    pub panes: Vec<(Name, Rect)>,
    /// The panes that are tabs; none on a large screen.
    pub tabs: Vec<Name>,
}

impl Areas {
    /// The area of a pane, if it is visible.
    pub fn of(&self, pane: Name) -> Option<Rect> {
        let (_, area) = self.panes.iter().find(|(seen, _)| *seen == pane)?;
        Some(*area)
    }

    /// The pane at a cell.
    pub fn at(&self, column: u16, row: u16) -> Option<(Name, Rect)> {
        let holds = |area: &Rect| area.contains((column, row).into());
        self.panes.iter().find(|(_, area)| holds(area)).copied()
    }
}

pub fn inner(area: Rect) -> Rect {
    area.inner(Margin::new(1, 1))
}

/// Divides the screen: `tab` is in front, `alone` fills the screen, `recorded` adds a time line.
pub fn areas(
    (columns, rows): (u16, u16),
    panes: &[(Name, PaneSlot)],
    tab: Name,
    alone: Option<Name>,
    recorded: bool,
) -> Areas {
    let line = u16::from(recorded && rows >= TIMELINE_ROWS);
    let [header, timeline, middle, footer] =
        Layout::vertical([Length(1), Length(line), Fill(1), Length(1)])
            .areas(Rect::new(0, 0, columns, rows));
    let mut areas = match alone {
        Some(pane) => {
            Areas { upper: middle, side: middle, panes: vec![(pane, middle)], ..Areas::default() }
        }
        None if columns >= FULL_SIZE.0 && rows >= FULL_SIZE.1 => large(middle, panes, tab),
        None => small(middle, panes, tab),
    };
    (areas.header, areas.timeline, areas.footer) = (header, timeline, footer);
    areas
}

fn share(panes: &[(Name, PaneSlot)], slot: PaneSlot, area: Rect) -> Vec<(Name, Rect)> {
    let names = panes.iter().filter(|(_, place)| *place == slot).map(|(name, _)| *name);
    let shares = Layout::horizontal(names.clone().map(|_| Fill(1))).split(area);
    names.zip(shares.iter().copied()).collect()
}

/// The board has the left third. Beside it are three rows: top (or cover), middle, strip with corner. The bottom pane
/// is as wide as the screen.
fn large(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> Areas {
    let command = 7 + middle.height.saturating_sub(38) / 4;
    let [upper, bottom] = Layout::vertical([Fill(1), Length(command)]).areas(middle);
    let [left, right] =
        Layout::horizontal([Length(middle.width.div_ceil(3)), Fill(1)]).areas(upper);
    let strip = (right.height / 5).max(STRIP_ROWS);
    let [top, centre, below] = Layout::vertical([Fill(1), Fill(1), Length(strip)]).areas(right);
    let [strip, corner] = Layout::horizontal([Fill(4), Fill(3)]).areas(below);
    let is_covered = panes.contains(&(tab, PaneSlot::Cover));
    let first = if is_covered { PaneSlot::Cover } else { PaneSlot::Top };
    let places = [
        (PaneSlot::Board, left),
        (first, top),
        (PaneSlot::Middle, centre),
        (PaneSlot::Strip, strip),
        (PaneSlot::Corner, corner),
        (PaneSlot::Bottom, bottom),
    ];
    let seen = places.into_iter().flat_map(|(slot, area)| share(panes, slot, area));
    Areas { upper, side: right, panes: seen.collect(), ..Areas::default() }
}

fn small(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> Areas {
    let rest = middle.height.saturating_sub(BOARD_SIZE.1);
    let command = (middle.height / 4).min(rest).clamp(4.min(middle.height / 2), 12);
    let [top, bottom] = Layout::vertical([Fill(1), Length(command)]).areas(middle);
    let has_two_columns = middle.width >= TWO_COLUMN_WIDTH;
    let width = if has_two_columns { (middle.width * 45 / 100).clamp(BOARD_SIZE.0, 64) } else { 0 };
    let [left, side] = Layout::horizontal([Length(width), Fill(1)]).areas(top);
    let is_tab = |place: PaneSlot| place.is_tab() || !has_two_columns && place == PaneSlot::Board;
    let tabs = panes.iter().filter(|(_, place)| is_tab(*place)).map(|(name, _)| *name).collect();
    let mut seen = vec![(tab, side)];
    seen.extend(share(panes, PaneSlot::Bottom, bottom));
    if has_two_columns {
        seen.extend(share(panes, PaneSlot::Board, left));
    }
    Areas { upper: top, side, panes: seen, tabs, ..Areas::default() }
}
