//! Defects of the chess seeds, and that `sound` is repaired.

use crate::common::running::engine;
use plyscope::engine::{Engine, session::reply::MoveText};

fn value(engine: &mut Engine, depth: u8) -> f64 {
    engine.session_mut().value(depth, None, None).unwrap().value.unwrap().get()
}

const D13: &str = "8/K1k4P/8/8/8/8/8/8 w - - 0 1";

#[test]
fn d13_deeper_entries_change_values() {
    let seed = |policy| [("fidelity", "seed"), ("memo", policy)];
    assert_eq!(value(&mut engine(D13, &seed("none")), 5), 855.0);
    assert_eq!(value(&mut engine(D13, &seed("bound")), 5), 865.0);
    let exact = [("fidelity", "seed"), ("memo", "bound"), ("reuse", "exact")];
    assert_eq!(value(&mut engine(D13, &exact), 5), 855.0);
}

const D16: &str = "4k3/8/3p4/4p3/8/8/8/4QK2 w - - 0 1";

#[test]
fn d16_the_seeds_entries_do_not_say_whether_leaves_were_quiet() {
    let mut seed = engine(D16, &[("fidelity", "seed"), ("memo", "bound")]);
    assert_eq!(value(&mut seed, 1), 805.0);
    seed.session_mut().set_settings(&[("quiescence", "on")]).unwrap();
    assert_eq!(value(&mut seed, 1), 805.0, "the old entry answers");
    let mut sound = engine(D16, &[("memo", "bound")]);
    assert_eq!(value(&mut sound, 1), 805.0);
    sound.session_mut().set_settings(&[("quiescence", "on")]).unwrap();
    assert_eq!(value(&mut sound, 1), 705.0);
}

const BEFORE: &str = "6k1/5pp1/8/8/8/8/5PPP/N4BK1 w - - 0 1";

/// A game in which the knight has been on b3 four times, with Black to move, before it comes to a1 for the first time.
fn shuffle(engine: &mut Engine, seen: fn(&str) -> String) {
    let session = engine.session_mut();
    let first = "6k1/5pp1/8/8/8/1N6/5PPP/5BK1 b - - 0 1";
    session.set_position(&seen(first)).unwrap();
    let there_and_back = ["g8f8", "b3c1", "f8g8", "c1b3"].repeat(3);
    for mv in there_and_back.into_iter().chain(["g8f8", "b3a1", "f8g8"]) {
        session.play(&seen(mv)).unwrap();
    }
}

/// The value from the cache after the shuffle, and the value of a search with an empty one.
fn old_and_fresh(history: &str) -> [(f64, Vec<MoveText>); 2] {
    let pairs =
        [("fidelity", "seed"), ("algorithm", "minimax"), ("memo", "exact"), ("history", history)];
    let mut engine = engine(BEFORE, &pairs);
    let limits = [("depth", "2"), ("deepening", "off"), ("budget", "off")];
    let mut found = || {
        let run = engine.session_mut().run(&limits).unwrap();
        (run.value.unwrap().get(), run.best)
    };
    let _ = found();
    shuffle(&mut engine, str::to_owned);
    let mut found = || {
        let run = engine.session_mut().run(&limits).unwrap();
        (run.value.unwrap().get(), run.best)
    };
    let old = found();
    engine.session_mut().cache_clear();
    let run = engine.session_mut().run(&limits).unwrap();
    [old, (run.value.unwrap().get(), run.best)]
}

#[test]
fn d21_values_from_before_a_repetition_are_wrong_after_it() {
    // The root's own value, as seed 004 searches it.
    let value_with = |history: &str| {
        let pairs = [
            ("fidelity", "seed"),
            ("algorithm", "minimax"),
            ("memo", "exact"),
            ("history", history),
        ];
        let mut engine = engine(BEFORE, &pairs);
        assert_eq!(value(&mut engine, 2), 750.0);
        shuffle(&mut engine, str::to_owned);
        let old = value(&mut engine, 2);
        engine.session_mut().cache_clear();
        (old, value(&mut engine, 2))
    };
    for wrong in ["count", "ignore", "skip"] {
        assert_eq!(value_with(wrong), (750.0, 745.0), "{wrong}");
    }
    assert_eq!(value_with("exact"), (745.0, 745.0));
    let [old, fresh] = old_and_fresh("exact");
    assert_eq!(old, fresh);
    assert_eq!(fresh.0, 745.0);
    assert_eq!(fresh.1, ["a1c2"]);
}

/// The position or move with the files mirrored (a for h): moves are generated in another order.
fn mirrored(text: &str) -> String {
    let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
    if rest.is_empty() {
        let turn = |letter: char| match letter {
            'a'..='h' => char::from(b'a' + b'h' - letter as u8),
            digit => digit,
        };
        return text.chars().map(turn).collect();
    }
    let ranks = board.split('/').map(|rank| rank.chars().rev().collect());
    format!("{} {rest}", ranks.collect::<Vec<String>>().join("/"))
}

/// The reverse: a draw by repetition must not be stored for a game without one. The drawing move would be the best
/// otherwise; it comes first or, in the mirror, last.
#[test]
fn d17_draws_by_repetition_leak_into_other_games() {
    let value_with = |history: &str, seen: fn(&str) -> String| {
        let pairs = [("memo", "exact"), ("algorithm", "minimax"), ("history", history)];
        let mut engine = engine(&seen(BEFORE), &pairs);
        shuffle(&mut engine, seen);
        let drawn = value(&mut engine, 2);
        engine.session_mut().set_position(&seen(BEFORE)).unwrap();
        let remembered = value(&mut engine, 2);
        engine.session_mut().cache_clear();
        (drawn, remembered == value(&mut engine, 2))
    };
    for seen in [str::to_owned, mirrored] {
        for wrong in ["ignore", "count"] {
            assert!(
                !value_with(wrong, seen).1,
                "{wrong}: the draw is taken for the value of the position"
            );
        }
        for right in ["exact", "skip"] {
            assert_eq!(value_with(right, seen), (745.0, true), "{right}");
        }
    }
}

#[test]
fn d22_the_root_of_seed_004_decides_on_the_kings_table() {
    let fen = "3qk2r/8/8/8/8/8/8/3Q2K1 w - - 0 1";
    let seed = [("algorithm", "minimax"), ("memo", "none"), ("king", "seed")];
    let sound = [("algorithm", "minimax"), ("memo", "none"), ("king", "sound")];
    assert_ne!(value(&mut engine(fen, &seed), 1), value(&mut engine(fen, &sound), 1));
}
