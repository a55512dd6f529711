//! Where the panes are.

use ratatui::layout::{Constraint, Layout, Rect};

use super::app::Pane;

/// Below this there is no room for anything but a word about it.
pub const LEAST: (u16, u16) = (40, 12);

/// Of a larger screen only a corner is drawn: no window is as large, and every cell costs memory.
const LARGEST: (u16, u16) = (1000, 400);

/// Side panes are tabs below this width or height.
const WIDE: (u16, u16) = (140, 36);
/// Below this width the board is a tab as well.
const TWO_COLUMNS: u16 = 76;
/// What a board needs, with its frame.
const BOARD: (u16, u16) = (36, 16);

/// The panes that share a place as tabs.
pub const TABS: [Pane; 7] = [
    Pane::Stack,
    Pane::Tree,
    Pane::Cache,
    Pane::Log,
    Pane::Eval,
    Pane::Chart,
    Pane::Arena,
];

/// Tabs that take the place of stack and tree on a large screen.
pub const COVERING: [Pane; 2] = [Pane::Chart, Pane::Arena];

/// The screen divided up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The line at the top.
    pub header: Rect,
    /// The line at the bottom.
    pub footer: Rect,
    /// The panes that are seen.
    pub panes: Vec<(Pane, Rect)>,
    /// Whether some panes are tabs, and whether the board is one of them.
    pub tabs: Option<bool>,
}

impl Areas {
    /// Where a pane is, if it is seen.
    pub fn of(&self, pane: Pane) -> Option<Rect> {
        self.panes
            .iter()
            .find(|(seen, _)| *seen == pane)
            .map(|(_, area)| *area)
    }

    /// The pane at a place.
    pub fn at(&self, column: u16, row: u16) -> Option<(Pane, Rect)> {
        let holds = |area: &Rect| area.contains((column, row).into());
        self.panes.iter().find(|(_, area)| holds(area)).copied()
    }
}

/// The part of a screen of so many columns and rows that is drawn.
pub fn drawn((columns, rows): (u16, u16)) -> (u16, u16) {
    (columns.min(LARGEST.0), rows.min(LARGEST.1))
}

/// Divides the screen: `tab` is the tab in front, `alone` the pane that has all the room.
pub fn areas(screen: Rect, tab: Pane, alone: Option<Pane>) -> Areas {
    let [header, middle, footer] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(screen);
    let mut areas = Areas {
        header,
        footer,
        ..Areas::default()
    };
    if let Some(pane) = alone {
        areas.panes.push((pane, middle));
    } else if screen.width >= WIDE.0 && screen.height >= WIDE.1 {
        areas.panes = large(middle, tab);
    } else {
        small(middle, tab, &mut areas);
    }
    areas
}

/// Board, stack and tree, or what covers them; cache, log, evaluation and counters; the command pane.
fn large(middle: Rect, tab: Pane) -> Vec<(Pane, Rect)> {
    let command = 8 + middle.height.saturating_sub(40) / 4;
    let [top, centre, bottom] = Layout::vertical([
        Constraint::Length(BOARD.1.max(middle.height.saturating_sub(command) / 2)),
        Constraint::Fill(1),
        Constraint::Length(command),
    ])
    .areas(middle);
    let [board, stack, tree] = Layout::horizontal([
        Constraint::Length(BOARD.0),
        Constraint::Fill(1),
        Constraint::Fill(1),
    ])
    .areas(top);
    let [cache, log, right] = Layout::horizontal([
        Constraint::Length(46),
        Constraint::Fill(3),
        Constraint::Fill(2),
    ])
    .areas(centre);
    let [eval, counters] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(8)]).areas(right);
    let mut panes = vec![(Pane::Board, board)];
    if COVERING.contains(&tab) {
        panes.push((tab, stack.union(tree)));
    } else {
        panes.extend([(Pane::Stack, stack), (Pane::Tree, tree)]);
    }
    panes.extend([
        (Pane::Cache, cache),
        (Pane::Log, log),
        (Pane::Eval, eval),
        (Pane::Counters, counters),
        (Pane::Command, bottom),
    ]);
    panes
}

/// The board beside one tab, or one tab alone; the command pane.
fn small(middle: Rect, tab: Pane, areas: &mut Areas) {
    let rest = middle.height.saturating_sub(BOARD.1);
    let command = rest.clamp(5.min(middle.height / 2), 12);
    let [top, bottom] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(command)]).areas(middle);
    if middle.width >= TWO_COLUMNS {
        let [board, side] =
            Layout::horizontal([Constraint::Length(BOARD.0), Constraint::Fill(1)]).areas(top);
        areas.panes = vec![(Pane::Board, board), (tab, side)];
        areas.tabs = Some(false);
    } else {
        areas.panes = vec![(tab, top)];
        areas.tabs = Some(true);
    }
    areas.panes.push((Pane::Command, bottom));
}
