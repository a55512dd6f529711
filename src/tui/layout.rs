//! Where the panes are.

use ratatui::layout::{Constraint, Direction, Layout, Rect};

/// What a pane is called in the configuration; its identity.
pub type Name = &'static str;

/// Below this there is no room for anything but a word about it.
pub const LEAST: (u16, u16) = (40, 12);
/// From this width and height on all panes are seen at once.
pub const WIDE: (u16, u16) = (140, 36);
/// Of a larger screen only a corner is drawn: no window is as large, and every cell costs memory.
const LARGEST: (u16, u16) = (1000, 400);
/// Below this width the board is a tab as well.
const TWO_COLUMNS: u16 = 76;
/// What a board needs, with its frame.
const BOARD: (u16, u16) = (36, 16);

/// The part of the screen that a pane has where there is room for all; elsewhere most panes share a place as tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneSlot {
    /// On the left, also on a small screen.
    Board,
    /// Beside the board.
    Top,
    /// In place of those beside the board, once it is asked for.
    Cover,
    /// In the middle, with this width.
    Middle(Constraint),
    /// Below the last pane in the middle; nowhere on a small screen.
    Corner,
    /// At the bottom, also on a small screen.
    Bottom,
}

impl PaneSlot {
    /// Whether it is a tab on a screen that has no room for all.
    pub const fn is_tab(self) -> bool {
        matches!(self, Self::Top | Self::Cover | Self::Middle(_))
    }
}

/// The screen divided up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The line at the top.
    pub header: Rect,
    /// The line at the bottom.
    pub footer: Rect,
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

/// The part of a screen of so many columns and rows that is drawn.
pub fn drawn((columns, rows): (u16, u16)) -> (u16, u16) {
    (columns.min(LARGEST.0), rows.min(LARGEST.1))
}

/// A pane without its frame.
pub fn inner(area: Rect) -> Rect {
    area.inner(ratatui::layout::Margin::new(1, 1))
}

/// Divides the screen among panes: `tab` is the tab in front, `alone` the pane that has all the room.
pub fn areas(
    (columns, rows): (u16, u16),
    panes: &[(Name, PaneSlot)],
    tab: Name,
    alone: Option<Name>,
) -> Areas {
    let [header, middle, footer] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
            .areas(Rect::new(0, 0, columns, rows));
    let (panes, tabs) = match alone {
        Some(pane) => (vec![(pane, middle)], Vec::new()),
        None if columns >= WIDE.0 && rows >= WIDE.1 => (large(middle, panes, tab), Vec::new()),
        None => small(middle, panes, tab),
    };
    Areas { header, footer, panes, tabs }
}

/// The panes that have one of these places.
fn having(panes: &[(Name, PaneSlot)], is: impl Fn(PaneSlot) -> bool) -> Vec<Name> {
    let named = panes.iter().filter(|(_, place)| is(*place));
    named.map(|(name, _)| *name).collect()
}

/// Panes side by side or one below the other, each with its width or height.
fn divide(direction: Direction, area: Rect, panes: &[(Name, Constraint)]) -> Vec<(Name, Rect)> {
    let areas = Layout::new(direction, panes.iter().map(|(_, length)| *length)).split(area);
    panes.iter().map(|(name, _)| *name).zip(areas.iter().copied()).collect()
}

/// Three rows: the board and what is beside it or covers that, the middle with its corner, the bottom.
fn large(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> Vec<(Name, Rect)> {
    let command = 8 + middle.height.saturating_sub(40) / 4;
    let [top, centre, bottom] = Layout::vertical([
        Constraint::Length(BOARD.1.max(middle.height.saturating_sub(command) / 2)),
        Constraint::Fill(1),
        Constraint::Length(command),
    ])
    .areas(middle);
    let cover = panes.contains(&(tab, PaneSlot::Cover)).then(|| vec![tab]);
    let beside = cover.unwrap_or_else(|| having(panes, |place| place == PaneSlot::Top));
    let boards = having(panes, |place| place == PaneSlot::Board);
    let mut row: Vec<_> =
        boards.into_iter().map(|name| (name, Constraint::Length(BOARD.0))).collect();
    row.extend(beside.into_iter().map(|name| (name, Constraint::Fill(1))));
    let mut areas = divide(Direction::Horizontal, top, &row);
    let columns: Vec<_> = panes
        .iter()
        .filter_map(|(name, place)| match place {
            PaneSlot::Middle(width) => Some((*name, *width)),
            _ => None,
        })
        .collect();
    let mut middles = divide(Direction::Horizontal, centre, &columns);
    if let Some((last, area)) = middles.pop() {
        let corners = having(panes, |place| place == PaneSlot::Corner);
        let mut column = vec![(last, Constraint::Fill(1))];
        column.extend(corners.into_iter().map(|name| (name, Constraint::Length(8))));
        middles.extend(divide(Direction::Vertical, area, &column));
    }
    areas.append(&mut middles);
    let bottoms = having(panes, |place| place == PaneSlot::Bottom);
    areas.extend(bottoms.into_iter().map(|name| (name, bottom)));
    areas
}

/// The board beside one tab, or one tab alone; the bottom. What is seen, and the tabs.
fn small(middle: Rect, panes: &[(Name, PaneSlot)], tab: Name) -> (Vec<(Name, Rect)>, Vec<Name>) {
    let rest = middle.height.saturating_sub(BOARD.1);
    let command = rest.clamp(5.min(middle.height / 2), 12);
    let [top, bottom] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(command)]).areas(middle);
    let boards = having(panes, |place| place == PaneSlot::Board);
    let mut tabs = having(panes, PaneSlot::is_tab);
    let mut row = vec![(tab, Constraint::Fill(1))];
    if middle.width >= TWO_COLUMNS {
        let boards = boards.into_iter().map(|name| (name, Constraint::Length(BOARD.0)));
        row.splice(0..0, boards);
    } else {
        tabs.splice(0..0, boards);
    }
    let mut areas = divide(Direction::Horizontal, top, &row);
    let bottoms = having(panes, |place| place == PaneSlot::Bottom);
    areas.extend(bottoms.into_iter().map(|name| (name, bottom)));
    (areas, tabs)
}
