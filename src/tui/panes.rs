//! The panes. This table is the only list of them: focus, tabs, places, keys, help and what is looked up come from it.

mod arena;
mod board;
mod cache;
mod chart;
mod command;
mod counters;
mod eval;
mod log;
mod stack;
mod tree;

use super::{
    keymap::{Binding, Does, Keymap},
    pane::Pane,
};

/// All panes, in the order in which they are gone through.
pub fn all() -> Vec<Box<dyn Pane>> {
    vec![
        Box::<board::BoardPane>::default(),
        Box::<stack::StackPane>::default(),
        Box::<tree::TreePane>::default(),
        Box::<cache::CachePane>::default(),
        Box::<log::LogPane>::default(),
        Box::<eval::EvalPane>::default(),
        Box::<chart::ChartPane>::default(),
        Box::<arena::ArenaPane>::default(),
        Box::<command::CommandPane>::default(),
        Box::<counters::CountersPane>::default(),
    ]
}

/// The usual keys: those that lead to the panes, the panes' own, and those that work everywhere.
pub fn keymap() -> Keymap {
    let rows = all().into_iter().flat_map(|pane| {
        let tag = pane.tag();
        let help = format!("goes to {}", tag.about);
        let goes = Binding::new(tag.name, tag.keys, Does::Go(tag.name), &help);
        let own = pane.bindings().into_iter().map(|row| Binding { pane: Some(tag.name), ..row });
        std::iter::once(goes).chain(own)
    });
    Keymap::new(rows)
}
