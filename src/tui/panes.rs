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
        std::iter::once(goes).chain(pane.bindings())
    });
    Keymap::new(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{command, config::Config, tui::keys::KeyPress};

    #[test]
    fn every_key_is_unique_in_its_pane_and_every_command_exists() {
        for pane in all() {
            let mut seen = Vec::new();
            for (row, keys) in keymap().rows(pane.tag().name, false) {
                for key in keys {
                    let place = (key, row.pane);
                    assert!(!seen.contains(&place), "{}", row.name);
                    seen.push(place);
                }
                if let Some(line) = row.line() {
                    let words: Vec<_> = line.split_whitespace().collect();
                    assert!(command::table().exact(&words).is_some(), "{line}");
                }
            }
        }
    }

    #[test]
    fn a_pane_goes_before_the_rest() {
        let map = keymap();
        let action = |key: &str, pane, typing| {
            let action = map.action(key.parse().unwrap(), pane, typing);
            action.map(|row| row.name.clone())
        };
        assert_eq!(action("up", "stack", false).unwrap(), "frame-up");
        assert_eq!(action("up", "log", false).unwrap(), "up");
        assert_eq!(action("f11", "command", true).unwrap(), "step");
        assert_eq!(action("up", "command", true), None);
        assert_eq!(action("s", "command", true), None);
    }

    fn configured(keys: &[(&str, &str)]) -> Result<Keymap, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.ron");
        let rows = keys.iter().map(|(name, key)| format!("\"{name}\": [\"{key}\"],"));
        let rows = rows.collect::<Vec<_>>().join("\n");
        std::fs::write(&file, format!("(keys: {{\n{rows}}})")).unwrap();
        let config: Config = crate::config::load(Some(&file)).unwrap();
        keymap().configured(&config)
    }

    #[test]
    fn actions_can_exchange_their_keys() {
        let map = configured(&[("over", "s"), ("step", "o")]).unwrap();
        let action = |key: &str| map.action(key.parse::<KeyPress>().unwrap(), "board", false);
        assert_eq!(action("s").unwrap().name, "over");
        assert_eq!(action("o").unwrap().name, "step");
        assert!(action("f11").is_none(), "the usual keys are released");
    }

    #[test]
    fn a_wrong_key_is_an_error_with_its_place() {
        for (name, key, what) in [
            ("setp", "n", "c.ron:2:1: no action is called `setp`; did you mean `step`?"),
            ("step", "pgup", "c.ron:2:10: `pgup` is no key"),
            ("step", "o", "c.ron:2:10: the key o is taken by the action `over`"),
        ] {
            let said = configured(&[(name, key)]).unwrap_err();
            assert!(said.contains(what), "{said}");
        }
    }
}
