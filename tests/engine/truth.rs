//! Endgame tables in the search and beside it.

use std::{fs, path::Path, sync::atomic::Ordering::Relaxed};

use plyscope::engine::{
    Engine,
    cachefile::unmonitored,
    debugger::Action,
    game::{
        Game, History as _, NodePlace, Rules, Score, SearchRules, Side, TrueValue, TrueValues,
        Window,
    },
    morris::{Morris, Point, PointSet, Position, Setup},
    recording::{Backward, Resume},
    search::{Context, EventKind, Plan},
    session::{
        Aliases,
        audit::AuditScope,
        event::EventReport,
        truth::{TruthSample, Tuning},
    },
    settings::Settings,
    table::Bound,
    tables::{Mistakes, OpenTables, mistakes, position_at, sample, statistics},
};
use proptest::{prelude::*, sample::subsequence};

use crate::{
    common::{
        cases::cases,
        reference::compare,
        running::{events, finish, new_table, search, settings, with_table},
    },
    search_properties::{Words, sound},
    tables::{SHARED, shared},
};

/// Morris with the tables up to four stones a side, as the settings configure it.
fn game(settings: &Settings) -> Morris {
    let (mut game, store) = shared();
    let (tables, faults) = OpenTables::open(&store);
    assert!(faults.is_empty());
    game.use_tables(tables.map(|tables| tables as &'static dyn TrueValues));
    game.configure(settings.configure());
    game
}

/// Positions without stones in hand, of three to five stones a side: most in the tables, others just above them.
fn ending() -> impl Strategy<Value = Position> {
    let points: Vec<usize> = (0..Point::COUNT).collect();
    (subsequence(points, 6..=10), any::<u64>(), any::<bool>()).prop_filter_map(
        "three stones a side",
        |(points, mut order, black)| {
            let mut stones = [PointSet::EMPTY; 2];
            for point in points {
                let side = (order & 1) as usize;
                order >>= 1;
                stones[side] = PointSet::from_bits(stones[side].bits() | 1 << point);
            }
            let side = if black { Side::Black } else { Side::White };
            let known = stones.iter().all(|set| (3..=5).contains(&set.bits().count_ones()));
            Setup { stones, hand: [0; 2], side }.position().ok().filter(|_| known)
        },
    )
}

/// Plain negamax, in which a true value replaces searching.
fn negamax<G: Game>(
    game: &G,
    evaluator: &G::Evaluator,
    position: &G::Position,
    (history, depth): (&mut G::History, u8),
) -> Score {
    if let Some(value) = game.known_value(position) {
        return value;
    }
    if let Some(value) = game.terminal(position, history) {
        return game.score_terminal(value, NodePlace { ply: 0, depth });
    }
    if depth == 0 {
        return game.evaluate(evaluator, position);
    }
    let mut moves = Vec::new();
    game.expand(position, history, &mut moves);
    history.push(position);
    let value = |mv| {
        let below = (&mut *history, depth - 1);
        negamax(game, evaluator, &game.apply(position, mv), below).parent(game)
    };
    let best = moves.into_iter().map(value).reduce(Score::max).unwrap();
    history.pop();
    best
}

/// Compares a search with plain negamax, with an empty table and with entries that replace searching, and with its recursive
/// reference.
pub fn compare_with_negamax<G: Game>(game: &G, settings: &Settings, root: &G::Position, depth: u8) {
    let evaluator = game.evaluator(&game.default_weights(), root).unwrap();
    let context = Context { game, evaluator: &evaluator, mode: settings.mode() };
    let mut table = new_table::<G>(settings);
    for depth in [depth, depth, depth.saturating_sub(1)] {
        let truth = negamax(game, &evaluator, root, (&mut G::History::default(), depth));
        let plan = Plan::Value { depth, window: Window::INFINITE };
        let mut search = search(&context, plan, root, None);
        with_table!(&mut table, table => finish(&context, table, &mut search));
        assert_eq!(search.value(), Some(truth));
    }
    let plan = Plan::Value { depth, window: game.full_window(&evaluator) };
    let table = new_table::<G>(settings);
    let history = G::History::default();
    compare(&context, plan, (root, &history), None, &mut [table.clone(), table]);
}

pub fn with_leaf(words: Words) -> Settings {
    settings(words.into_iter().chain([("tables", "leaf")]))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn with_tables_a_search_finds_the_values_of_plain_negamax_with_them(
        (root, words, depth) in (ending(), sound(), 0..=2_u8)
    ) {
        let settings = with_leaf(words);
        compare_with_negamax(&game(&settings), &settings, &root, depth);
    }
}

fn engine(state: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    let session = engine.session_mut();
    session.tables_use(Some(SHARED.path()), false).unwrap();
    session.set_settings(settings).unwrap();
    session.set_position(state).unwrap();
    engine
}

fn truth(state: &str) -> TrueValue {
    game(&Settings::default()).truth(&state.parse().unwrap()).unwrap()
}

/// The longest win and the longest loss of three stones a side.
fn longest() -> [String; 2] {
    let (game, store) = shared();
    let subspace = "3-3".parse().unwrap();
    let census = store.header(subspace).unwrap().census;
    [census.longest_win, census.longest_loss].map(|longest| {
        position_at(&game, &store, subspace, longest.unwrap().index).unwrap().to_string()
    })
}

#[test]
fn won_endings_are_won_and_lost_ones_lost_by_the_shortest_way() {
    for state in longest() {
        for tables in ["leaf", "root"] {
            let mut engine = engine(&state, &[("tables", tables), ("depth", "2")]);
            let mut left = truth(&state).plies.unwrap();
            assert!(left > 20);
            while left > 0 {
                let session = engine.session_mut();
                let found = session.run(&[]).unwrap();
                session.play(&found.best[0].to_string()).unwrap();
                left -= 1;
                let here = session.position().state;
                assert_eq!(truth(&here).plies, Some(left), "{tables} after {here}");
            }
        }
    }
}

#[test]
fn a_true_value_is_shown_with_its_distance() {
    let [won, lost] = longest();
    for (state, won) in [(won, true), (lost, false)] {
        let plies = truth(&state).plies.unwrap();
        let mut engine = engine(&state, &[("tables", "leaf"), ("depth", "1")]);
        let value = engine.session_mut().run(&[]).unwrap().value.unwrap();
        let expected = engine.session().scale().end(value.get());
        let word = if won { "win" } else { "loss" };
        assert_eq!(expected, Some(format!("{word} in {plies}")));
    }
}

#[test]
fn stack_and_tree_show_where_a_value_came_from() {
    let mut engine = engine(".w..bb../...wb.../.....w.. w 0 0", &[("tables", "leaf")]);
    let seen = events(&mut engine);
    let known: Vec<_> = seen.iter().filter(|event| event.kind == EventKind::Tables).collect();
    assert!(!known.is_empty());
    let game = game(&with_leaf(Vec::new()));
    for event in known {
        let position: Position = event.state.parse().unwrap();
        assert_eq!(event.value, game.known_value(&position));
    }
}

#[test]
fn a_recording_with_tables_goes_back_exactly() {
    let mut engine =
        engine(".w..bb../w..wb.../.....w.. w 0 0", &[("tables", "leaf"), ("depth", "2")]);
    let forwards: Vec<EventReport> = events(&mut engine);
    let count = forwards.len();
    for back in [1, 2, 7, count / 2] {
        let session = engine.session_mut();
        let now = session.resume(Resume::Goto((count - 1 - back) as u64)).unwrap();
        assert_eq!(json(&now.event), json(&forwards.get(count - 1 - back)));
        let before = session.resume(Resume::Back(Backward::Step(1))).unwrap();
        assert_eq!(json(&before.event), json(&forwards.get(count - 2 - back)));
    }
}

fn json(event: &impl serde::Serialize) -> String {
    serde_json::to_string(event).unwrap()
}

#[test]
fn a_session_with_tables_opens_only_with_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    for file in fs::read_dir(SHARED.path()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), tables.join(file.file_name())).unwrap();
    }
    let mut engine = Engine::default();
    let session = engine.session_mut();
    session.tables_use(Some(&tables), false).unwrap();
    session.set_settings(&[("tables", "leaf"), ("depth", "3")]).unwrap();
    session.set_position(".w..bb../w..wb.../.....w.. w 0 0").unwrap();
    session.resume(Resume::Step(200)).unwrap();
    let (at, path) = (json(&session.stack().unwrap()), folder.path().join("saved.ron"));
    session.save_session(&path, &Aliases::new(), false).unwrap();
    let mut rest = events(&mut engine);
    rest.truncate(50);

    let mut same = Engine::default();
    same.load_session(&path).unwrap();
    assert_eq!(json(&same.session().stack().unwrap()), at);
    let mut again = events(&mut same);
    again.truncate(50);
    assert_eq!(json(&again), json(&rest));

    fs::remove_dir_all(&tables).unwrap();
    let mut other = Engine::default();
    let (_, report) = other.load_session(&path).unwrap();
    let last = report.lost.unwrap();
    assert!(last.starts_with("without searches and cache, and with tables=off"), "{last}");
    let session = other.session();
    assert!(session.stack().is_err());
    let setting = session.settings(true).settings.into_iter().find(|(name, _)| name == "tables");
    assert_eq!(setting.unwrap().1, "off");
    assert_eq!(session.position().state, ".w..bb../w..wb.../.....w.. w 0 0");
}

#[test]
fn other_tables_drop_the_search_and_the_cache_that_used_the_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine =
        engine(".w..bb../w..wb.../.....w.. w 0 0", &[("tables", "leaf"), ("depth", "2")]);
    let session = engine.session_mut();
    session.resume(Resume::Step(50)).unwrap();
    let notes = session.tables_use(Some(folder.path()), false).unwrap().notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(session.stack().is_err());
    let fault = session.set_settings(&[("tables", "off"), ("tables", "leaf")]).unwrap_err();
    assert!(fault.message.contains("no endgame tables"), "{}", fault.message);
}

#[test]
fn tables_hold_for_their_rules_only() {
    let state = ".w..bb../w...b.../.....w.. w 0 0";
    let mut engine = engine(state, &[]);
    let position: Position = state.parse().unwrap();
    let mut game = game(&Settings::default());
    assert!(game.truth(&position).is_some());
    game.set_rule("flying", "off").unwrap();
    assert_eq!(game.truth(&position), None);
    game.set_rule("flying", "on").unwrap();
    assert!(game.truth(&position).is_some());
    // After placing no move closes two mills.
    game.set_rule("double_mill", "one").unwrap();
    assert!(game.truth(&position).is_some());
    let fault = engine.session_mut().set_settings(&[("tables", "leaf"), ("fidelity", "seed")]);
    assert!(fault.is_err());
    let session = engine.session_mut();
    session.set_weights(&[("mills", "-1")]).unwrap();
    let fault = session.set_settings(&[("tables", "leaf")]).unwrap_err();
    assert!(fault.message.contains("negative weights"), "{}", fault.message);
}

#[test]
fn columns_and_conditions_show_the_true_value() {
    let state = ".w..bb../...wb.../.....w.. w 0 0";
    let mut engine = engine(state, &[("depth", "3")]);
    let session = engine.session_mut();
    assert_eq!(session.position().truth, Some(truth(state)));
    for listed in session.moves().moves {
        assert_eq!(listed.truth, Some(truth(&listed.state).parent()), "{}", listed.mv);
    }
    let condition = Some("truth != sign(value) and distance > 3");
    session.break_at(&[], condition, Action::Stop).unwrap();
    let run = session.run(&[]).unwrap();
    assert!(run.breakpoint.is_some());
    let stack = session.stack().unwrap();
    let event = stack.event.unwrap();
    let here = truth(&event.state);
    assert!(here.contradicts(event.value.unwrap(), Bound::Exact) && here.plies > Some(3));
    for frame in &stack.frames {
        let beside = frame.truth.unwrap();
        assert_eq!(beside.value, truth(&frame.state));
        let contradicts =
            frame.best.is_some_and(|best| beside.value.contradicts(best, Bound::Exact));
        assert_eq!(beside.contradicts, contradicts);
    }
    session.remove_breakpoint(None).unwrap();
    session.resume(Resume::Continue).unwrap();
    let audit = session.audit_truth(AuditScope::all(1000)).unwrap();
    assert!(audit.known > 0 && audit.wrong_static > 0);
    for judged in &audit.contradicted {
        assert_eq!(judged.truth, truth(&judged.state));
        let is_wrong = judged.truth.contradicts(judged.static_value, Bound::Exact);
        assert_eq!(judged.is_static_wrong, is_wrong, "{}", judged.state);
    }
}

#[test]
fn zugzwangs_are_those_of_a_comparison_of_both_sides() {
    let (_, store) = shared();
    let listed = |most| {
        let subspace = "3-3".parse().unwrap();
        unmonitored(|watch| statistics(&store, subspace, most, 2, watch)).unwrap()
    };
    let (all, few) = (listed(usize::MAX), listed(3));
    assert_eq!(few.listed, all.listed[..3]);
    assert_eq!((few.zugzwangs, few.both_lose), (all.zugzwangs, all.both_lose));
    let counts = store.header("3-3".parse().unwrap()).unwrap().census.positions;
    let wins: u64 = all.by_plies.iter().map(|[wins, _]| wins).sum();
    let losses: u64 = all.by_plies.iter().map(|[_, losses]| losses).sum();
    assert_eq!([wins, losses], [counts.wins, counts.losses]);
    assert!(all.zugzwangs > 0 && all.both_lose <= all.zugzwangs);
    for found in &all.listed {
        assert!(found.moving.sign() < found.waiting.sign());
    }
}

#[test]
fn a_search_with_tables_makes_no_mistake_and_a_shallow_one_does() {
    let (_, store) = shared();
    let subspace = "3-3".parse().unwrap();
    let positions = |game: &Morris| {
        sample(game, &store, subspace, 300, 7, |value| value.sign() >= 0.0).unwrap()
    };
    let judged = |words: Words| {
        let settings = settings(words.into_iter().chain([("depth", "1"), ("budget", "off")]));
        let game = game(&settings);
        let weights = game.default_weights();
        let found =
            unmonitored(|watch| mistakes(&game, &settings, &weights, &positions(&game), 2, watch));
        let mut sum = Mistakes::default();
        for found in found.unwrap() {
            sum += found;
        }
        sum
    };
    let perfect = judged(vec![("tables", "leaf")]);
    assert_eq!((perfect.positions(), perfect.all()), (300, 0.0));
    assert!(judged(Vec::new()).all() > 0.0);
}

fn tuning(file: &Path, depth: u8, rounds: u32) -> Tuning<'_> {
    let subspace = Some("3-3".parse().unwrap());
    let sample = TruthSample { depth, sample: 20, seed: 1, subspace };
    Tuning { name: "better", from: "poor", file, rounds, sample }
}

#[test]
fn a_search_for_weights_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.ron", "parts.ron"].map(|name| folder.path().join(name));
    let mut engine = engine(".w..bb../w..wb.../.....w.. w 0 0", &[]);
    let interrupt = engine.interrupt();
    let session = engine.session_mut();
    session.define_weights("poor", &[("mills", "0"), ("possible_mills", "0")]).unwrap();
    let expected = session.tune_by_truth(tuning(&whole, 1, 2)).unwrap();
    assert!(expected.rounds == 2 && expected.after < expected.before, "{expected:?}");

    let first = session.tune_by_truth(tuning(&parts, 1, 1)).unwrap();
    assert!(first.rounds == 1 && !first.done && first.judged < expected.judged, "{first:?}");
    let saved = fs::read_to_string(&parts).unwrap();
    interrupt.store(true, Relaxed);
    let stopped = session.tune_by_truth(tuning(&parts, 1, 2)).unwrap();
    assert!(stopped.interrupted && stopped.judged == first.judged, "{stopped:?}");
    assert_eq!(fs::read_to_string(&parts).unwrap(), saved);
    interrupt.store(false, Relaxed);
    let fault = session.tune_by_truth(tuning(&parts, 2, 2)).unwrap_err();
    assert!(fault.message.ends_with("is of other tables or options"), "{}", fault.message);

    let found = session.tune_by_truth(tuning(&parts, 1, 2)).unwrap();
    assert_eq!((found.judged, json(&found.weights)), (expected.judged, json(&expected.weights)));
    let files = [&whole, &parts].map(|file| fs::read_to_string(file).unwrap());
    assert_eq!(files[0], files[1]);
}

/// `explain value` names the first move of its line with which a side gives a win or a draw away, and no other.
#[test]
fn an_explanation_names_the_move_that_leaves_the_true_path() {
    let (_, store) = shared();
    let game = game(&Settings::default());
    let positions = sample(&game, &store, "3-3".parse().unwrap(), 40, 3, |_| true).unwrap();
    let mut seen = [false; 2];
    for root in positions {
        let mut engine = engine(&root.to_string(), &[("depth", "2")]);
        engine.session_mut().run(&[]).unwrap();
        let reasons = engine.session().explain_value(100_000).unwrap().reasons;
        let mut here = root;
        let mut expected = None;
        for name in &reasons.line {
            let mv = game.read_move(&here, &(), name.plain()).unwrap();
            let next = game.apply(&here, mv);
            let [before, after] = [&here, &next].map(|position| game.truth(position));
            let given = before.zip(after.map(TrueValue::parent));
            expected = expected.or(given.filter(|(before, after)| before.sign() != after.sign()).map(
                |(before, after)| {
                    format!("the line leaves the true path with {name}: a {before} before, a {after} after it, for the side that moves")
                },
            ));
            here = next;
        }
        let mut notes = reasons.notes.into_iter();
        assert_eq!(notes.find(|note| note.contains("true path")), expected, "{here}");
        seen[usize::from(expected.is_some())] = true;
    }
    assert_eq!(seen, [true; 2]);
}
