//! The defects of the seeds that a search can meet: `seed` fidelity has each, `sound` is repaired.

use std::cell::Cell;

use crate::common::running::{engine, finish, search, settings};
use plyscope::engine::{
    Engine,
    game::{Key, MoveText, Rules, Score, Window},
    morris::{self, Morris, Position},
    search::{Context, Limits, Plan, Stop},
    session::{
        cache::CacheCleaned,
        search::{Run, Value},
    },
    table::{Interval, Probe, SearchTable, Slot},
};

fn value(engine: &mut Engine, depth: u8) -> Value {
    engine.session_mut().value(depth, None, None).unwrap()
}

fn number(value: &Value) -> f64 {
    value.value.unwrap().get()
}

fn run(engine: &mut Engine) -> Run {
    engine.session_mut().run(&[]).unwrap()
}

/// The same position with the colours, the hands and the side to move exchanged.
fn swap_colours(state: &str) -> String {
    state.parse::<Position>().unwrap().swap_colours().to_string()
}

/// A table that counts the lookups of move ordering and those that find an entry.
#[derive(Default)]
struct Counting {
    table: Interval<morris::Key>,
    lookups: Cell<u64>,
    found: Cell<u64>,
}

impl<K: Key> SearchTable<K> for Counting
where
    Interval<morris::Key>: SearchTable<K>,
{
    fn probe(&self, slot: Slot<K>, depth: u8, window: Window) -> Probe {
        self.table.probe(slot, depth, window)
    }

    fn store(&mut self, slot: Slot<K>, depth: u8, window: Window, value: Score) {
        self.table.store(slot, depth, window, value);
    }

    fn stored_value(&self, slot: Slot<K>, depth: u8) -> Option<Score> {
        let found = self.table.stored_value(slot, depth);
        self.lookups.set(self.lookups.get() + 1);
        self.found.set(self.found.get() + u64::from(found.is_some()));
        found
    }
}

/// Nodes to a depth, lookups of move ordering, and lookups that found an entry.
fn ordering(state: &str, fidelity: &str, order: &str, depth: u8) -> [u64; 3] {
    let settings = settings([("fidelity", fidelity), ("order", order)]);
    let morris = Morris::default();
    let root = state.parse().unwrap();
    let evaluator = morris.evaluator(&morris.default_weights(), &root).unwrap();
    let context = Context { game: &morris, evaluator: &evaluator, mode: settings.mode() };
    let limits = Limits { last: depth, ..settings.limits() };
    let mut search = search(&context, Plan::Best(limits), &root, None);
    let mut table = Counting::default();
    finish(&context, &mut table, &mut search);
    [search.counters.nodes, table.lookups.get(), table.found.get()]
}

#[test]
fn d1_the_seeds_order_finds_no_entries_where_the_right_key_saves_a_quarter() {
    let start = Position::START.to_string();
    for state in ["b..w.w../.b.....w/bw..bw.. b 4 5", &start] {
        let [seed, lookups, found] = ordering(state, "seed", "seed", 4);
        assert!(lookups > 1_000 && found == 0, "{state}: {found} of {lookups}");
        let [right, lookups, found] = ordering(state, "seed", "memo", 4);
        assert!(found > 500, "{state}: {found} of {lookups}");
        assert!(right < seed, "{state}: {right} and {seed} states");
    }
    let middle = "b..w.w../.b.....w/bw..bw.. b 4 5";
    for fidelity in ["seed", "sound"] {
        let [unordered, ..] = ordering(middle, fidelity, "none", 5);
        let [ordered, ..] = ordering(middle, fidelity, "memo", 5);
        assert!(ordered * 4 < unordered * 3, "{fidelity}: {ordered} of {unordered} states");
    }
}

const SIGNED: &str = "ww.wb.../b.b.w.bw/........ w 0 0";

#[test]
fn d2_a_position_and_its_colour_swap_share_a_value_with_the_wrong_sign() {
    let seed = &[("fidelity", "seed"), ("keys", "colour")][..];
    for settings in [seed, &[("fidelity", "sound")], &[("fidelity", "seed"), ("keys", "plain")]] {
        let wrong = settings == seed;
        for (first, second) in
            [(SIGNED.to_owned(), swap_colours(SIGNED)), (swap_colours(SIGNED), SIGNED.to_owned())]
        {
            let mut engine = engine(&first, settings);
            let own = number(&value(&mut engine, 1));
            assert!((own - 1.0 / 7.0).abs() < 1e-15, "{first} {settings:?}: {own}");
            engine.session_mut().set_position(&second).unwrap();
            let read = value(&mut engine, 1);
            let expected = if wrong { -own } else { own };
            assert_eq!(number(&read).to_bits(), expected.to_bits(), "{second} {settings:?}");
            // With plain keys the two positions have entries of their own, which is right as well.
            assert_eq!(read.nodes == 0, settings.get(1) != Some(&("keys", "plain")));
        }
    }
}

#[test]
fn d2_the_switch_alone_turns_the_sign() {
    let mut engine = engine(SIGNED, &[("fidelity", "seed"), ("keys", "colour"), ("sign", "sound")]);
    value(&mut engine, 1);
    engine.session_mut().set_position(&swap_colours(SIGNED)).unwrap();
    assert!(number(&value(&mut engine, 1)) > 0.0);
}

#[test]
fn d3_a_learned_zero_counts_as_unknown() {
    let state = "www...bb/.b..w.../........ w 0 0";
    for (fidelity, zero_is_worth) in [("seed", 5.0 / 42.0), ("sound", 0.0)] {
        let mut engine = engine(state, &[("memo", "rote"), ("fidelity", fidelity)]);
        let heuristic = number(&value(&mut engine, 0));
        assert!((heuristic - 5.0 / 42.0).abs() < 1e-15, "{heuristic}");
        for zero in ["0", "-0.0"] {
            engine.session_mut().cache_set("here", &[("value", zero)]).unwrap();
            let found = number(&value(&mut engine, 0));
            assert!((found - zero_is_worth).abs() < 1e-15, "{fidelity}: {found}");
        }
        engine.session_mut().cache_set("here", &[("value", "0.5")]).unwrap();
        assert_eq!(number(&value(&mut engine, 0)), 0.5);
    }
}

/// A cache with these numbers of entries at each depth.
fn filled(fidelity: &str, counts: &[(u8, usize)]) -> Engine {
    let mut engine = engine(
        &Position::START.to_string(),
        &[("memo", "interval"), ("fidelity", fidelity), ("symmetry", "off")],
    );
    for &(depth, count) in counts {
        for index in 0..count {
            let key = format!("98{:012x}:{depth}", 1_u64 << index);
            engine.session_mut().cache_set(&key, &[("value", "0.25")]).unwrap();
        }
    }
    engine
}

fn clean(engine: &mut Engine, max_size: usize) -> [usize; 2] {
    let CacheCleaned { removed, entries, .. } = engine.session_mut().cache_clean(Some(max_size));
    [removed, entries]
}

#[test]
fn d4_cleaning_drops_depths_0_and_1_together_and_may_drop_everything() {
    let counts = [(0, 3), (1, 4), (2, 2)];
    assert_eq!(clean(&mut filled("seed", &counts), 6), [7, 2]);
    assert_eq!(clean(&mut filled("sound", &counts), 6), [3, 6]);
    assert_eq!(clean(&mut filled("seed", &[(0, 2), (1, 3)]), 3), [5, 0]);
    assert_eq!(clean(&mut filled("sound", &[(0, 2), (1, 3)]), 3), [2, 3]);
    for fidelity in ["seed", "sound"] {
        assert_eq!(clean(&mut filled(fidelity, &counts), 9), [0, 9], "it fits");
    }
}

/// Seed 000 cleans its cache between decisions: within a search it may grow.
#[test]
fn d4_cleaning_waits_for_the_decision() {
    use plyscope::engine::recording::Resume;
    let state = "b..w.w../.b.....w/bw..bw.. b 4 5";
    let limits = [("depth", "4"), ("budget", "off")];
    let with = |fidelity: &str, max_size: &str, replace: &str| {
        let settings = [("fidelity", fidelity), ("max_size", max_size), ("replace", replace)];
        engine(state, &settings)
    };
    let entries = |engine: &Engine| engine.session().cache_stats().cache.entries;
    let mut free = with("seed", "off", "auto");
    let unbounded = free.session_mut().run(&limits).unwrap();
    for (fidelity, replace, waits) in [
        ("seed", "auto", true),
        ("seed", "clean", true),
        ("seed", "depth", false),
        ("sound", "clean", false),
    ] {
        let mut engine = with(fidelity, "500", replace);
        let session = engine.session_mut();
        session.set_settings(&limits).unwrap();
        let mut most = 0;
        while !session.resume(Resume::Step(997)).unwrap().done {
            most = most.max(session.cache_stats().cache.entries);
        }
        assert_eq!(most > 500, waits, "{fidelity} {replace}: {most}");
        assert!(entries(&engine) <= 500, "{fidelity} {replace}");
        let run = engine.session().result().unwrap();
        let cleaned = run.notes.iter().any(|note| {
            note.starts_with("Increased min_limit to 1 and deleted ")
                && note.contains(" entries. Cache is now ")
        });
        assert_eq!(cleaned, waits, "{:?}", run.notes);
        if waits {
            let same = |run: &Run| (run.value, run.nodes, run.best.clone(), run.cache.hits);
            assert_eq!(same(&run), same(&unbounded), "nothing gave way on the way");
            assert_eq!(engine.session().cache_stats().max_size, Some(500));
            // Going back before the end restores the cleaned entries; going forwards cleans again.
            let end = run.events;
            engine.session_mut().resume(Resume::Goto(end - 2)).unwrap();
            assert!(entries(&engine) > 500);
            engine.session_mut().resume(Resume::Continue).unwrap();
            assert!(entries(&engine) <= 500);
        }
    }
}

#[test]
fn d5_depth_0_gives_the_heuristic_even_where_the_game_is_over() {
    let state = "www...bb/......../........ w 0 0";
    let values = |words: &[(&str, &str)]| {
        let mut engine = engine(state, words);
        [0, 1].map(|depth| number(&value(&mut engine, depth)))
    };
    let [leaf, deeper] = values(&[("fidelity", "seed")]);
    assert!((leaf - 5.0 / 42.0).abs() < 1e-15, "{leaf}");
    assert_eq!(deeper, 1.0);
    assert_eq!(values(&[("fidelity", "sound")]), [1.0, 1.0]);
    assert_eq!(values(&[("fidelity", "seed"), ("algorithm", "minimax")]), [1.0, 1.0]);
    assert_eq!(values(&[("fidelity", "seed"), ("leaf", "sound")]), [1.0, 1.0]);
}

#[test]
fn d6_a_finished_position_has_no_best_move_and_ends_the_search_at_once() {
    let lacking = "www...bb/......../........ w 0 0";
    let blocked = "wbwb..../b..b..../........ w 0 0";
    let over =
        [lacking.to_owned(), swap_colours(lacking), blocked.to_owned(), swap_colours(blocked)];
    for (state, fidelity) in over.iter().flat_map(|state| [(state, "seed"), (state, "sound")]) {
        let run = run(&mut engine(state, &[("fidelity", fidelity)]));
        assert_eq!((run.best.len(), run.nodes, run.depth), (0, 0, 0), "{state} {fidelity}");
        assert_eq!(run.stopped, Some(Stop::Exhausted));
        assert!(
            run.value.is_some_and(|value| value.get().abs() == 1.0),
            "{state}: {:?}",
            run.value
        );
        assert!(run.notes[0].contains("the game is over"), "{:?}", run.notes);
    }
}

#[test]
fn d6_a_search_that_can_find_nothing_new_ends() {
    let win = "w.....w./...b.wbb/bbb.bb.b b 0 0";
    let settings = [("budget", "off"), ("depth", "off")];
    let run = run(&mut engine(win, &settings));
    assert_eq!((run.stopped, run.depth, run.value), (Some(Stop::Exhausted), 1, Some(Score::ONE)));
}

#[test]
fn d7_without_a_complete_iteration_all_moves_tie_at_0() {
    let state = "b..w.w../.b.....w/bw..bw.. b 4 5";
    let seed = run(&mut engine(state, &[("fidelity", "seed"), ("budget", "10")]));
    assert_eq!((seed.value, seed.nodes, seed.depth), (Some(Score::ZERO), 10, 0));
    assert_eq!(seed.best.len(), seed.moves.len());
    assert_eq!(seed.stopped, Some(Stop::Budget));

    let sound = run(&mut engine(state, &[("budget", "10")]));
    assert_eq!((sound.nodes, sound.depth), (10, 0));
    let known: Vec<_> = sound.moves.iter().filter_map(|mv| mv.value).collect();
    assert_eq!(known.len(), 10, "every one of the ten states is a move's value");
    assert_eq!(sound.value, known.iter().copied().reduce(Score::max));
    let best = sound.moves.iter().filter(|mv| mv.value == sound.value);
    assert_eq!(sound.best, best.map(|mv| mv.mv.clone()).collect::<Vec<_>>());
}

#[test]
fn d7_repeating_a_call_goes_deeper() {
    for fidelity in ["seed", "sound"] {
        let mut engine =
            engine(&Position::START.to_string(), &[("fidelity", fidelity), ("budget", "3000")]);
        let runs: Vec<_> = (0..4).map(|_| run(&mut engine)).collect();
        assert!(
            runs[3].depth > runs[0].depth,
            "{fidelity}: {:?}",
            runs.iter().map(|run| run.depth).collect::<Vec<_>>()
        );
        assert!(runs.iter().all(|run| run.nodes <= 3000));
    }
}

#[test]
fn d8_wins_are_not_ranked_by_their_length() {
    let state = "w.....w./...b.wbb/bbb.bb.b b 0 0";
    let best = |words: &[(&str, &str)]| run(&mut engine(state, words)).best;
    let wins_at_once = |moves: &[MoveText]| {
        let win = |mv: &&MoveText| {
            let mut engine = engine(state, &[]);
            engine.session_mut().play(mv.plain()).unwrap().winner.as_deref() == Some("b")
        };
        moves.iter().filter(win).count()
    };
    let seed = best(&[("fidelity", "seed"), ("depth", "4")]);
    let sound = best(&[("depth", "4")]);
    assert_eq!((seed.len(), wins_at_once(&seed)), (13, 9));
    assert_eq!((sound.len(), wins_at_once(&sound)), (9, 9));
    let mended = best(&[("fidelity", "seed"), ("depth", "4"), ("ties", "sound")]);
    assert!(mended.len() <= seed.len(), "{mended:?}");
}

/// The plies to the other side's forced win after a move.
fn lost_in(state: &str, mv: &str) -> Option<u8> {
    let mut engine = engine(state, &[("memo", "none")]);
    engine.session_mut().play(mv).unwrap();
    (0..4).find(|&depth| number(&value(&mut engine, depth)) == 1.0)
}

#[test]
fn d8_of_equal_losses_the_longest_is_chosen() {
    for state in [
        "b.....w./b.bb.b.b/..w.wb.. w 0 0",
        "..b..bb./....w.../.w...... w 1 0",
        "w....bww/.w..w.ww/b....w.b b 0 0",
    ] {
        let found = |ties| run(&mut engine(state, &[("depth", "4"), ("ties", ties)]));
        let (seed, sound) = (found("seed"), found("sound"));
        assert_eq!(sound.value, Some(-Score::ONE), "{state}");
        assert_eq!(seed.best.len(), seed.moves.len(), "{state}: all lose");
        let length = |mv: &MoveText| lost_in(state, mv.plain()).unwrap();
        let longest = seed.best.iter().map(length).max().unwrap();
        let (kept, others): (Vec<_>, _) =
            seed.best.iter().cloned().partition(|mv| length(mv) == longest);
        assert_eq!(sound.best, kept, "{state}");
        assert!(others.iter().any(|mv| length(mv) < longest), "{state}");
    }
}

#[test]
fn d9_a_cache_used_with_other_weights_gives_wrong_values() {
    let state = "b..w.w../.b.....w/bw..bw.. b 4 5";
    let other = [("stones", "2.5"), ("mills", "1")];
    let right = {
        let mut engine = engine(state, &[]);
        engine.session_mut().set_weights(&other).unwrap();
        number(&value(&mut engine, 2))
    };
    for (stale, is_right) in [("seed", false), ("sound", true)] {
        let mut engine = engine(state, &[("stale", stale)]);
        value(&mut engine, 2);
        let notes = engine.session_mut().set_weights(&other).unwrap().notes;
        assert_eq!(notes.iter().any(|note| note.contains("the cache was emptied")), is_right);
        let found = number(&value(&mut engine, 2));
        assert_eq!(found == right, is_right, "{found} against {right}");
        assert!(engine.session().cache_stats().cache.entries > 0);
    }
}

#[test]
fn d9_a_cache_used_with_other_rules_gives_wrong_values() {
    let state = "ww.ww.../bbb...../.b.b.... w 3 3";
    let mut engine = engine(state, &[]);
    let two = number(&value(&mut engine, 1));
    let notes = engine.session_mut().set_rules(&[("double_mill", "one")]).unwrap().notes;
    assert!(notes[0].contains("the cache was emptied"), "{notes:?}");
    assert_eq!(engine.session().cache_stats().cache.entries, 0);
    let one = number(&value(&mut engine, 1));
    assert!(one <= two, "{one} and {two}");
}

#[test]
fn entries_that_deeper_ones_served_go_when_only_equal_depths_may_serve() {
    let state = "b..w.w../.b.....w/bw..bw.. b 4 5";
    let mut engine = engine(state, &[("memo", "bound"), ("reuse", "deeper")]);
    value(&mut engine, 4);
    let set = |engine: &mut Engine, reuse| {
        engine.session_mut().set_settings(&[("reuse", reuse)]).unwrap().notes
    };
    let notes = set(&mut engine, "exact");
    assert!(notes.iter().any(|note| note.contains("the cache was emptied")), "{notes:?}");
    value(&mut engine, 4);
    let entries = engine.session().cache_stats().cache.entries;
    assert_eq!(set(&mut engine, "deeper"), Vec::<String>::new(), "exact values serve either way");
    assert_eq!(engine.session().cache_stats().cache.entries, entries);
}

#[test]
fn a_search_under_way_is_dropped_when_what_it_computes_changes() {
    let changes = [
        ("memo=bound", "algorithm=minimax"),
        ("memo=bound", "reuse=deeper"),
        ("memo=rote", "zero=seed"),
        ("memo=interval", "fidelity=seed"),
        ("memo=interval", "symmetry=off"),
        ("memo=interval", "order=none"),
        ("memo=interval", "leaf=seed"),
        ("memo=interval", "count=seed"),
        ("memo=interval", "ties=seed"),
        ("memo=interval", "depth=3"),
        ("memo=interval", "deepening=off"),
        ("memo=interval", "max_size=10"),
    ];
    let unchanging = ["budget=40000", "seed=7", "clean=seed", "stale=seed", "keys=colour"];
    let unchanging = unchanging.map(|change| ("memo=interval", change));
    let pair = |text: &'static str| text.split_once('=').unwrap();
    for (dropped, (before, change)) in changes
        .map(|change| (true, change))
        .into_iter()
        .chain(unchanging.map(|change| (false, change)))
    {
        let mut engine = engine(SIGNED, &[pair(before)]);
        engine.session_mut().resume(plyscope::engine::recording::Resume::Step(20)).unwrap();
        let notes = engine.session_mut().set_settings(&[pair(change)]).unwrap().notes;
        assert_eq!(
            notes.iter().any(|note| note.contains("the search under way was dropped")),
            dropped,
            "{change}: {notes:?}"
        );
        assert_eq!(engine.session().result().is_err(), dropped, "{change}");
    }
}
