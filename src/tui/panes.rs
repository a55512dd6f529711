//! The table of panes, from which focus, tabs, layout, keys, help and queries are made.

mod board;
mod cache;
mod chart;
mod command;
mod counters;
mod eval;
mod findings;
mod game;
mod log;
mod stack;
mod stops;
mod tree;

pub use findings::summary as findings_summary;

use super::{
    keymap::{Action, Binding, Keymap},
    layout::{Name, PaneSlot},
    pane::{Pane, PlacedPane},
    state::ScreenState,
};
use crate::{command::KeyHelp, config::Config};

/// The name of the pane with the findings of a trace.
pub const FINDINGS: Name = "findings";

/// All panes, in the order in which Tab visits them.
#[rustfmt::skip] // one pane a line: it is read as a table
pub fn all() -> Vec<PlacedPane> {
    vec![
        of::<board::BoardPane>("board", "1", "the board", PaneSlot::Board),
        of::<game::GamePane>("game", "0", "the game", PaneSlot::Game),
        of::<findings::FindingsPane>(FINDINGS, "F", "the findings in the open trace", PaneSlot::Findings),
        of::<stack::StackPane>("stack", "2", "the search stack", PaneSlot::Top),
        of::<tree::TreePane>("tree", "3", "the search tree", PaneSlot::Tree),
        of::<cache::CachePane>("cache", "4", "the cache", PaneSlot::Middle),
        of::<log::LogPane>("log", "5", "the log", PaneSlot::Strip),
        of::<stops::StopsPane>("stops", "!", "breakpoints, marks and timelines", PaneSlot::Stops),
        of::<eval::EvalPane>("eval", "6", "the evaluation", PaneSlot::Value),
        of::<chart::ChartPane>("chart", "9", "the chart of the search, or the last comparison or tournament", PaneSlot::Cover),
        of::<command::CommandPane>("command", ":", "the command pane", PaneSlot::Bottom),
        of::<counters::CountersPane>("counters", "8", "the counters", PaneSlot::Corner),
    ]
}

fn of<P: Pane + Default + 'static>(
    name: Name,
    keys: &'static str,
    about: &'static str,
    place: PaneSlot,
) -> PlacedPane {
    PlacedPane { name, keys, about, place, pane: Box::<P>::default() }
}

/// All keys, with the configuration applied, for `help`.
pub fn key_help(config: &Config) -> Vec<KeyHelp> {
    let keymap = keymap().configured(config).unwrap_or_else(|_| keymap());
    keys_of(&all(), &keymap)
}

/// The keys that the panes handle themselves and those of a key map, for `help`.
pub fn keys_of(panes: &[PlacedPane], keymap: &Keymap) -> Vec<KeyHelp> {
    let state = ScreenState::default();
    let fixed = panes.iter().flat_map(|PlacedPane { name, pane, .. }| {
        pane.fixed_keys(&state).iter().map(|[keys, _, help]| KeyHelp {
            keys: keys.split(' ').map(str::to_lowercase).collect(),
            action: String::new(),
            pane: Some(*name),
            command: None,
            help: (*help).to_owned(),
        })
    });
    keymap.help().chain(fixed).collect()
}

/// The key map without configuration.
pub fn keymap() -> Keymap {
    let rows = all().into_iter().flat_map(|PlacedPane { name, keys, about, pane, .. }| {
        let goes = Binding::new(name, keys, Action::Go(name), &format!("goes to {about}"));
        let own = pane.bindings().into_iter().map(move |row| Binding { pane: Some(name), ..row });
        std::iter::once(goes).chain(own)
    });
    Keymap::new(rows)
}
