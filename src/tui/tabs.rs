//! The panes that share a place: what their tabs say, and where in the frame.

use unicode_width::UnicodeWidthStr;

use super::{
    layout::{Areas, Name},
    pane::PlacedPane,
};

/// What stands for each tab in a frame of this width, the front one in brackets. Where there is no room for all names,
/// the last ones but for the front one's are left out, and their numbers stay.
pub fn texts(panes: &[PlacedPane], areas: &Areas, width: u16) -> Vec<(Name, String)> {
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
pub fn at(panes: &[PlacedPane], areas: &Areas, pane: Name, column: u16) -> Option<Name> {
    if !areas.tabs.contains(&pane) {
        return None;
    }
    let width = areas.of(pane).map_or(0, |area| area.width);
    let mut end = 1;
    let mut tabs = texts(panes, areas, width).into_iter();
    let reached = tabs.find(|(_, text)| {
        end += text.width();
        (column as usize) < end
    });
    reached.map(|(tab, _)| tab)
}
