//! A search paused at any event, saved, and loaded into a new engine continues unchanged.

use proptest::{prelude::*, sample::select};

use crate::common::{
    cases::cases,
    folder::in_memory,
    morris,
    roots::{root, selective},
    running::{engine, events, outcome},
};
use plyscope::engine::{Engine, recording::Resume, session::Aliases};

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_paused_search_survives_a_session(
        root in root(),
        weights in morris::weights(),
        (fidelity, keys, policy) in (select(vec!["sound", "seed"]), select(vec!["plain", "colour"]), select(vec!["none", "exact", "interval", "bound", "rote"])),
        (algorithm, symmetry, order) in (select(vec!["minimax", "alphabeta", "auto"]), select(vec!["on", "off"]), select(vec!["auto", "none", "memo", "seed", "static"])),
        (double_mill, flying) in (select(vec!["one", "two"]), select(vec!["on", "off"])),
        (before, budget) in (0..800_u64, 1..400_u64),
        (max_size, replace, uses) in (select(vec!["1000000", "20", "150", "6KiB"]), select(vec!["auto", "depth", "use", "clean"]), select(vec!["on", "off"])),
        selective in select(selective()),
        verify in select(vec!["on", "off", "off"]),
        (quiescence, history) in (select(vec!["on", "off"]), select(vec!["auto", "exact", "count", "ignore", "skip"])),
        twice in any::<bool>(),
    ) {
        let folder = in_memory();
        let path = folder.path().join("paused.ron");
        let chess = root.contains('k');
        let mut engine = engine(&root, &[]);
        let session = engine.session_mut();
        if chess {
            session.set_settings(&[("quiescence", quiescence), ("history", history)]).unwrap();
        } else {
            session.set_rules(&[("double_mill", double_mill), ("flying", flying)]).unwrap();
            let weights: Vec<_> = weights.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
            let weights: Vec<_> = weights.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            session.set_weights(&weights).unwrap();
        }
        let budget = budget.to_string();
        session.set_settings(&[
            ("fidelity", fidelity), ("keys", keys), ("memo", policy), ("algorithm", algorithm),
            ("symmetry", symmetry), ("order", order), ("budget", &budget), ("max_size", max_size),
            ("replace", replace), ("uses", uses), ("verify", verify),
        ]).unwrap();
        // Incompatible settings are refused, and change nothing.
        for setting in selective {
            let _ = session.set_settings(&[*setting]);
        }
        if twice {
            // With a cache filled by an earlier search.
            session.run(&[]).unwrap();
            session.drop_search();
        }
        session.resume(Resume::Step(before)).unwrap();
        engine.session().save_session(&path, &Aliases::new(), true).unwrap();
        let mut loaded = Engine::default();
        loaded.load_session(&path).unwrap();
        prop_assert_eq!(outcome(&loaded), outcome(&engine));
        prop_assert_eq!(events(&mut loaded), events(&mut engine));
        prop_assert_eq!(outcome(&loaded), outcome(&engine));
    }
}
