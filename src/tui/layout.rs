//! Where the panes are.

use ratatui::layout::{
    Constraint::{Fill, Length},
    Layout, Margin, Rect,
};

/// What a pane is called in the configuration; its identity.
pub type Name = &'static str;

/// Below this there is no room for anything but a word about it.
pub const LEAST: (u16, u16) = (40, 12);
/// From this width and height on all panes are seen at once.
pub const WIDE: (u16, u16) = (140, 36);
/// Of a larger screen only a corner is drawn: no window is as large, and every cell costs memory.
pub const LARGEST: (u16, u16) = (1000, 400);
/// From so many rows on there is a time line.
const TIMELINE: u16 = 24;
/// Below this width the board is a tab as well.
const TWO_COLUMNS: u16 = 76;
/// Rows of the strip at least: what the pane in its corner has to say, with its frame.
const STRIP: u16 = 8;
/// What a board needs, with its frame.
const BOARD: (u16, u16) = (36, 17);

/// The part of the screen that a pane has where there is room for all; elsewhere most panes share a place as tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneSlot {
    /// On the left, also on a small screen.
    Board,
    /// Beside the board.
    Top,
    /// In place of those beside the board, once it is asked for.
    Cover,
    /// Below those.
    Middle,
    /// Below the middle.
    Strip,
    /// Beside that; nowhere on a small screen.
    Corner,
    /// At the bottom, also on a small screen.
    Bottom,
}

impl PaneSlot {
    /// Whether it is a tab on a screen that has no room for all.
    pub const fn is_tab(self) -> bool {
        matches!(self, Self::Top | Self::Cover | Self::Middle | Self::Strip)
    }
}

/// The screen divided up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The line at the top.
    pub header: Rect,
    /// The line below, where there is one.
    pub timeline: Rect,
    /// The line at the bottom.
    pub footer: Rect,
    /// All above the bottom, and what of that is not the board's.
    pub upper: Rect,
    pub side: Rect,
    /// The panes that are seen.
    pub panes: Vec<(Name, Rect)>,
    /// The panes that share a place as tabs, where some do.
    pub tabs: Vec<Name>,
}

impl Areas {
    /// Where a pane is, if it is seen.
    pub fn of(&self, pane: Name) -> Option<Rect> {
        let (_, area) = self.panes.iter().find(|(seen, _)| *seen == pane)?;
        Some(*area)
    }

    /// The pane at a place.
    pub fn at(&self, column: u16, row: u16) -> Option<(Name, Rect)> {
        let holds = |area: &Rect| area.contains((column, row).into());
        self.panes.iter().find(|(_, area)| holds(area)).copied()
    }
}

/// A pane without its frame.
pub fn inner(area: Rect) -> Rect {
    area.inner(Margin::new(1, 1))
}

/// Divides the screen: `tab` is the one in front, `alone` has all the room, `recorded` asks for a time line.
pub fn areas(
    (columns, rows): (u16, u16),
    panes: &[(Name, PaneSlot)],
    (tab, alone): (Name, Option<Name>),
    recorded: bool,
) -> Areas {
    let line = u16::from(recorded && rows >= TIMELINE);
    let [header, timeline, middle, footer] =
        Layout::vertical([Length(1), Length(line), Fill(1), Length(1)])
            .areas(Rect::new(0, 0, columns, rows));
    let mut areas = match alone {
        Some(pane) => {
            Areas { upper: middle, side: middle, panes: vec![(pane, middle)], ..Areas::default() }
        }
        None if columns >= WIDE.0 && rows >= WIDE.1 => large(middle, panes, tab),
        None => small(middle, panes, tab),
    };
    (areas.header, areas.timeline, areas.footer) = (header, timeline, footer);
    areas
}

/// The panes at a place side by side, with equal shares.
fn share(panes: &[(Name, PaneSlot)], slot: PaneSlot, area: Rect) -> Vec<(Name, Rect)> {
    let names = panes.iter().filter(|(_, place)| *place == slot).map(|(name, _)| *name);
    let shares = Layout::horizontal(names.clone().map(|_| Fill(1))).split(area);
    names.zip(shares.iter().copied()).collect()
}

/// The board at the left takes a third of the width. Beside it are three rows: the top or what covers it, the middle, and
/// the strip with its corner. The bottom goes from side to side.
fn large(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> Areas {
    let command = 7 + middle.height.saturating_sub(38) / 4;
    let [upper, bottom] = Layout::vertical([Fill(1), Length(command)]).areas(middle);
    let [left, right] =
        Layout::horizontal([Length(middle.width.div_ceil(3)), Fill(1)]).areas(upper);
    let strip = (right.height / 5).max(STRIP);
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

/// The board beside one tab, or one tab alone; the bottom.
fn small(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> Areas {
    let rest = middle.height.saturating_sub(BOARD.1);
    let command = (middle.height / 4).min(rest).clamp(4.min(middle.height / 2), 12);
    let [top, bottom] = Layout::vertical([Fill(1), Length(command)]).areas(middle);
    let has_two_columns = middle.width >= TWO_COLUMNS;
    let width = if has_two_columns { (middle.width * 45 / 100).clamp(BOARD.0, 64) } else { 0 };
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
