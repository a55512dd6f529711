//! Probe and store of each memo policy, exactly as the seeds define them.

use crate::common::cases::cases;
use plyscope::engine::{
    game::{Keyed, Score, Window},
    table::{
        Bound, Bounded, Entries, Exact, Interval, Probe, Reuse, Rote, SearchTable, Slot,
        ZeroIsMissing,
    },
};
use proptest::{prelude::*, sample::select};

fn score() -> impl Strategy<Value = Score> {
    let round =
        select(vec![-1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, f64::INFINITY, f64::NEG_INFINITY]);
    prop_oneof![2 => round, 1 => -1.0..1.0].prop_map(|value| Score::new(value).unwrap())
}

fn window() -> impl Strategy<Value = Window> {
    (score(), score())
        .prop_filter_map("empty", |(one, other)| Window::new(one.min(other), one.max(other)))
}

fn finite() -> impl Strategy<Value = Score> {
    score().prop_filter("a value is finite", |score| score.get().is_finite())
}

const fn slot(negated: bool) -> Slot<u8> {
    Slot { key: 1, negated }
}

fn turned(value: Score, turn: bool) -> Score {
    if turn { -value } else { value }
}

fn turned_window(window: Window, turn: bool) -> Window {
    if turn { window.negate() } else { window }
}

const fn search(window: Window, found: bool) -> Probe {
    Probe::Search { window, found }
}

const DEPTH: u8 = 3;

proptest! {
    #![proptest_config(cases(3000))]

    /// Hit iff a <= alpha and beta <= b; else the search runs under (min(alpha, a), max(beta, b)).
    #[test]
    fn the_interval_policy_probes_and_stores_as_its_seed((stored, searched, value, black, blacks_turn) in (window(), window(), finite(), any::<bool>(), any::<bool>())) {
        let mut table = Interval::default();
        prop_assert_eq!(table.probe(slot(black), DEPTH, searched), search(searched, false));
        table.store(slot(black), DEPTH, stored, value);
        let turn = black != blacks_turn;
        let Window { alpha: a, beta: b } = turned_window(stored, turn);
        let Window { alpha, beta } = searched;
        let expected = if a <= alpha && beta <= b {
            Probe::Hit(turned(value, turn))
        } else {
            let alpha = if a < alpha { a } else { alpha };
            let beta = if b > beta { b } else { beta };
            search(Window { alpha, beta }, true)
        };
        prop_assert_eq!(table.probe(slot(blacks_turn), DEPTH, searched), expected);
        prop_assert_eq!(table.stored_value(slot(blacks_turn), DEPTH), Some(turned(value, turn)));
        for other in [DEPTH - 1, DEPTH + 1] {
            prop_assert_eq!(table.probe(slot(black), other, searched), search(searched, false));
            prop_assert_eq!(table.stored_value(slot(black), other), None);
        }
        let entry = Entries::get(&table, Keyed { key: 1, depth: DEPTH }).unwrap();
        prop_assert_eq!((entry.value, entry.window), (turned(value, black), Some(turned_window(stored, black))));
    }

    /// Only values strictly inside their window are stored; they are used for any window.
    #[test]
    fn the_exact_policy_probes_and_stores_as_its_seed((stored, searched, value, black, blacks_turn) in (window(), window(), finite(), any::<bool>(), any::<bool>())) {
        let mut table = Exact::default();
        table.store(slot(black), DEPTH, stored, value);
        let inside = stored.alpha < value && value < stored.beta;
        let expected = if inside { Probe::Hit(turned(value, black != blacks_turn)) } else { search(searched, false) };
        prop_assert_eq!(table.probe(slot(blacks_turn), DEPTH, searched), expected);
        prop_assert_eq!(table.len(), usize::from(inside));
        prop_assert_eq!(table.probe(slot(black), DEPTH + 1, searched), search(searched, false));
    }

    /// "=" is returned; "<=" is returned at or below alpha, else lowers beta; ">=" is returned at or above beta, else
    /// raises alpha.
    #[test]
    fn the_bound_policy_probes_and_stores_as_its_seed(
        (stored, searched, value, black, blacks_turn) in (window(), window(), finite(), any::<bool>(), any::<bool>()),
        (depth, reuse) in (DEPTH - 1..=DEPTH + 1, select(vec![Reuse::Exact, Reuse::Deeper]))
    ) {
        let mut table = Bounded::<u8>::default();
        table.reuse = reuse;
        table.store(slot(black), depth, stored, value);
        let flag = if value <= stored.alpha {
            Bound::Upper
        } else if value < stored.beta {
            Bound::Exact
        } else {
            Bound::Lower
        };
        let turn = black != blacks_turn;
        let value = turned(value, turn);
        let flag = match flag {
            Bound::Upper if turn => Bound::Lower,
            Bound::Lower if turn => Bound::Upper,
            flag => flag,
        };
        let serves = depth == DEPTH || (reuse == Reuse::Deeper && depth > DEPTH);
        let Window { alpha, beta } = searched;
        let expected = match flag {
            _ if !serves => search(searched, true),
            Bound::Exact => Probe::Hit(value),
            Bound::Upper if value <= alpha => Probe::Hit(value),
            Bound::Lower if beta <= value => Probe::Hit(value),
            Bound::Upper => search(Window { alpha, beta: if value < beta { value } else { beta } }, true),
            Bound::Lower => search(Window { alpha: if value > alpha { value } else { alpha }, beta }, true),
        };
        prop_assert_eq!(table.probe(slot(blacks_turn), DEPTH, searched), expected);
        prop_assert_eq!(table.stored_value(slot(blacks_turn), DEPTH), serves.then_some(value));

        // A later value replaces an earlier one of any depth.
        table.store(slot(black), 0, Window::INFINITE, Score::ONE);
        prop_assert_eq!(table.len(), 1);
        prop_assert_eq!(table.probe(slot(black), 0, searched), Probe::Hit(Score::ONE));
    }

    /// Inner nodes are searched; a leaf gets its learned value, unless that is 0 and `zero=seed` takes 0 for unknown.
    #[test]
    fn the_rote_policy_probes_and_stores_as_its_seed((searched, value, black, zero_is_missing) in (window(), finite(), any::<bool>(), any::<bool>())) {
        let mut table = Rote::with(ZeroIsMissing(zero_is_missing));
        prop_assert_eq!(table.leaf_value(slot(black)), None);
        table.store(slot(black), DEPTH, searched, value);
        let unknown = zero_is_missing && value == Score::ZERO;
        prop_assert_eq!(table.leaf_value(slot(black)), (!unknown).then_some(value));
        prop_assert_eq!(table.leaf_value(slot(!black)), (!unknown).then_some(-value));
        prop_assert_eq!(table.probe(slot(black), 0, searched), search(searched, false));
        prop_assert_eq!(table.stored_value(slot(black), DEPTH), None);
    }
}
