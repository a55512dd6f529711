//! Explanations, quiz and exports agree with the search.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::common::{
    cases::cases,
    chess::chess,
    plain::PLAIN,
    reference::negamax,
    roots::{ROOTS, root},
    running::engine,
};
use serde_json::Value;

use plyscope::{
    command::Shell,
    engine::{
        game::{Game, Score, Window},
        morris::Morris,
        recording::Resume,
        session::{
            explain::{NodeExplained, NodeOutcome, Reasons, TreeExplained, Verdict},
            quiz::QuizReport,
            reply::{EventKind, MoveText, PlainReply, Reply},
            search::Where,
        },
        settings::Settings,
    },
    view,
};

const STATE: &str = ROOTS[0];
const PLENTY: u64 = 5_000_000;

/// The value of plain negamax for a position of either game, and the same from the parent's view.
fn plain_values(state: &str, depth: u8) -> [Score; 2] {
    fn of<G: Game>(game: &G, state: &str, depth: u8) -> [Score; 2] {
        let position = game.parse_position(state).unwrap();
        let evaluator = game.evaluator(&game.default_weights(), &position);
        let history = &mut G::History::default();
        let value = negamax(game, &evaluator.unwrap(), &position, history, depth);
        [value, value.parent(game)]
    }
    if state.contains('k') {
        of(&chess(Settings::default().configure()), state, depth)
    } else {
        of(&Morris::default(), state, depth)
    }
}

fn plain_value(state: &str, depth: u8) -> f64 {
    plain_values(state, depth)[0].get()
}

/// Every value of an explained line is the one of plain negamax: exact, or a bound that holds.
fn check_reasons(reasons: &Reasons) -> Result<(), TestCaseError> {
    for ply in &reasons.plies {
        prop_assert_eq!(ply.claim.value.get(), plain_value(&ply.state, ply.depth), "{:?}", ply);
        let mut engine = engine(&ply.state, &[]);
        for report in &ply.moves {
            let child = engine.session_mut().play(report.mv.plain()).unwrap().state;
            engine.session_mut().undo(1).unwrap();
            let [_, truth] = plain_values(&child, ply.depth - 1);
            prop_assert!(report.claim.allows(truth), "{report:?}: {truth}");
        }
    }
    Ok(())
}

/// Text fits the width of a terminal.
fn readable(report: &dyn Reply) {
    for line in view::text(report).lines() {
        assert!(line.chars().count() <= 80 && line.trim_end() == line, "{line:?}");
    }
}

#[test]
fn a_value_a_move_and_an_entry_are_explained() {
    let mut engine = engine(STATE, &[]);
    assert!(engine.session().explain_value(PLENTY).is_err(), "no search yet");
    engine.session_mut().run(&[("depth", "4")]).unwrap();
    let value = engine.session().explain_value(PLENTY).unwrap();
    assert_eq!(
        (value.value.get(), value.best.as_slice()),
        (plain_value(STATE, 4), &["d3".into()][..])
    );
    assert_eq!(value.reasons.plain_value, Some(value.value));
    assert_eq!((value.reasons.plies.len(), value.reasons.line.len()), (3, 4));
    assert_eq!(value.reasons.end.as_ref().unwrap().by, "heuristic");
    readable(&value);
    let choice = engine.session().explain_move("a7", PLENTY).unwrap();
    assert!(!choice.is_best && choice.value < choice.best_value);
    assert_eq!(choice.reasons.plies[0].best.as_ref().map(MoveText::plain), Some("d3xa7"));
    readable(&choice);
    assert!(engine.session().explain_move("a1", PLENTY).is_err());
    let short = engine.session().explain_move("a7", 10).unwrap();
    assert!(short.reasons.end.is_none() && short.reasons.notes[0].contains("--budget"));
}

/// The explained reply to a move is the best one: it leads to the move's value.
#[test]
fn replies_lead_to_the_values_of_their_moves() {
    for state in ROOTS {
        let mut engine = engine(state, &[("memo", "none")]);
        engine.session_mut().run(&[("depth", "3")]).unwrap();
        let value = engine.session().explain_value(PLENTY).unwrap();
        assert!(value.moves.len() > 5);
        for report in &value.moves {
            let response = &report.pv[1];
            engine.session_mut().play(report.mv.plain()).unwrap();
            engine.session_mut().play(response.plain()).unwrap();
            let after = engine.session_mut().value(1, None, None).unwrap();
            assert_eq!(after.value, report.value, "{} {response}", report.mv);
            engine.session_mut().undo(1).unwrap();
            engine.session_mut().undo(1).unwrap();
        }
    }
}

#[test]
fn a_probe_returns_widens_or_finds_another_depth() {
    let mut engine = engine(STATE, &PLAIN);
    engine.session_mut().run(&[("depth", "4")]).unwrap();
    engine.session_mut().play("a7").unwrap();
    let entry = engine.session_mut().explain_entry("here:3", PLENTY).unwrap();
    assert_eq!((entry.verdict, entry.serves), (Verdict::Right, "equal"));
    let probe = entry.probe.as_ref().unwrap();
    assert_eq!((probe.outcome, probe.value), ("answer", Some(entry.entry.value)));
    readable(&entry);
    engine
        .session_mut()
        .cache_set("here:3", &[("value", "0.5"), ("alpha", "0.4"), ("beta", "0.6")])
        .unwrap();
    let entry = engine.session_mut().explain_entry("here:3", PLENTY).unwrap();
    let Verdict::Wrong(flaw) = entry.verdict else { panic!("{entry:?}") };
    assert_eq!(flaw.true_value.get(), plain_value(&entry.entry.state.clone().unwrap(), 3));
    assert_eq!(entry.probe.unwrap().outcome, "search");
    assert!(engine.session_mut().explain_entry("here:9", PLENTY).is_err());
}

/// A number of a reply; infinite ones are texts.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// Runs a command that must not fail.
fn json(shell: &mut Shell, line: &str) -> (Value, String) {
    let reply = shell.look_up(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    let text: Vec<_> = view::text(&*reply).split_whitespace().map(str::to_owned).collect();
    (serde_json::to_value(&*reply).unwrap(), text.join(" "))
}

/// Whether an explained entry replaces a search by the condition stated, and that condition in words.
fn stated(report: &Value) -> (bool, String) {
    let (entry, probe) = (&report["entry"], &report["probe"]);
    let [alpha, beta, value] =
        [&probe["alpha"], &probe["beta"], &entry["value"]].map(|it| number(it).unwrap());
    let window = number(&entry["alpha"]).zip(number(&entry["beta"]));
    let (fits_window, words) = match (window, entry["bound"].as_str()) {
        (Some((low, high)), _) => (low <= alpha && beta <= high, "with a window within that one"),
        (None, Some("lower")) => (value >= beta, "with a window whose β is"),
        (None, Some("upper")) => (value <= alpha, "with a window whose α is"),
        _ => (true, "whatever the window"),
    };
    let [depth, stored] = [&probe["depth"], &entry["depth"]].map(Value::as_u64);
    let (fits_depth, what) = match report["serves"].as_str().unwrap() {
        "leaf" => (depth == Some(0), "the heuristic at a leaf".to_owned()),
        "equal" => (depth == stored, format!("a search to exactly depth {}", stored.unwrap())),
        "deeper" => (
            depth <= stored,
            format!("a search to depth {} or less (`reuse=deeper`)", stored.unwrap()),
        ),
        _ => return (false, "It replaces nothing".to_owned()),
    };
    (fits_depth && fits_window, format!("It replaces {what}, {words}"))
}

/// The stated condition, in JSON and in words, is the one under which probes return the entry, for every policy.
#[test]
fn an_entry_replaces_a_search_under_the_stated_condition() {
    let policies = [
        "memo=exact",
        "memo=interval algorithm=pvs",
        "memo=bound algorithm=pvs reuse=exact",
        "memo=bound algorithm=pvs reuse=deeper",
        "memo=bound fidelity=seed",
        "memo=bound leaves=on",
        "memo=rote",
    ];
    let mut outcomes = BTreeSet::new();
    for (root, policy) in ROOTS.into_iter().flat_map(|root| policies.map(|policy| (root, policy))) {
        let mut shell = Shell::default();
        let mut run = |line: &str| {
            let replies = shell.run_line(line);
            assert!(replies.iter().all(Result::is_ok), "{line}: {replies:?}");
        };
        run(if root.contains('k') { "game chess" } else { "game morris" });
        run(&format!("position set \"{root}\"; search set {policy}"));
        if policy == "memo=rote" {
            run("cache set here value=0.25");
        }
        run("search run --depth 4");
        for event in [150, 151, 152, 400] {
            shell.look_up(&format!("goto {event}")).unwrap();
            let (list, _) = json(&mut shell, "cache list --limit 1000");
            let entries = list["entries"].as_array().unwrap().iter().step_by(7);
            let keys: Vec<_> = entries.map(|entry| entry["key"].as_str().unwrap()).collect();
            for ply in 0..json(&mut shell, "where").0["frames"].as_array().unwrap().len() {
                json(&mut shell, &format!("frame {ply}"));
                for key in &keys {
                    let (report, text) =
                        json(&mut shell, &format!("explain entry {key} --budget 1"));
                    let (replaces, words) = stated(&report);
                    let outcome = report["probe"]["outcome"].as_str().unwrap();
                    // Nodes of the quiescence search and, with `leaves=off`, leaves are not probed.
                    let is_probed = outcome != "unasked" || report["serves"] == "leaf";
                    assert_eq!(outcome == "answer", replaces && is_probed, "{policy} {report}");
                    assert!(text.contains(&words), "{words}: {text}");
                    let depth = report["probe"]["depth"].as_u64();
                    assert!(is_probed || depth == Some(0), "{policy} {report}");
                    outcomes.insert((policy, outcome.to_owned()));
                }
            }
        }
    }
    for policy in policies {
        let found = |outcome: &str| outcomes.contains(&(policy, outcome.to_owned()));
        assert!(found("answer"), "{policy} {outcomes:?}");
        assert!(["search", "miss", "unasked"].into_iter().any(found), "{policy} {outcomes:?}");
    }
}

/// An entry whose key does not give its position is checked at the position of the node that wrote it.
#[test]
fn entries_are_checked_at_the_position_of_their_writer() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let lines = format!("game {game}; search set depth=3 memo=bound; search run");
        assert!(shell.run_line(&lines).iter().all(Result::is_ok));
        let (list, _) = json(&mut shell, "cache list --sort depth --limit 3");
        for entry in list["entries"].as_array().unwrap() {
            let key = entry["key"].as_str().unwrap();
            let (report, text) = json(&mut shell, &format!("explain entry {key}"));
            assert_eq!(report["verdict"], "right", "{game}: {report}");
            let (written, _) =
                json(&mut shell, &format!("position board {}", report["entry"]["state"]));
            assert_eq!(written["state"], report["entry"]["state"], "{game}");
            assert!(text.contains("the plain search agrees"), "{text}");
            assert!(report["nodes"].as_u64() > Some(0), "{game}: {report}");
        }
    }
    let mut shell = Shell::default();
    let lines = "game chess; search set depth=2 memo=bound record=off; search run";
    assert!(shell.run_line(lines).iter().all(Result::is_ok));
    let (list, _) = json(&mut shell, "cache list --limit 1");
    let key = list["entries"][0]["key"].as_str().unwrap();
    let (_, text) = json(&mut shell, &format!("explain entry {key}"));
    assert!(text.contains("It was not checked") && !text.contains("plain search of"), "{text}");
}

/// The right answer to the open question, found from its report by one who knows the game.
pub fn answer<G: Game>(game: &G, report: &QuizReport) -> String {
    let question = report.question.as_ref().unwrap();
    let (alpha, beta) = (question.window.alpha, question.window.beta);
    let value = question.found.map(|found| found.parent(game));
    match question.ask {
        "window" => {
            let below = Window { alpha, beta }.child(game);
            format!("{} {}", below.alpha, below.beta)
        }
        "value" => value.unwrap().to_string(),
        _ => {
            let cut = value.unwrap().max(alpha) >= beta;
            if cut { "yes" } else { "no" }.to_owned()
        }
    }
}

#[test]
fn a_quiz_can_be_answered_and_changes_no_search() {
    quiz_through(&Morris::default(), STATE);
    quiz_through(&chess(Settings::default().configure()), ROOTS[1]);
}

/// Answers every question of a search's quiz, one of three wrongly.
fn quiz_through<G: Game>(game: &G, state: &str) {
    let mut engine = engine(state, &[("depth", "3")]);
    let mut kinds_of_questions = BTreeSet::new();
    let mut rounds = 0_u64;
    loop {
        let report = engine.session_mut().quiz_next().unwrap();
        readable(&report);
        if report.over {
            break;
        }
        kinds_of_questions.insert(report.question.as_ref().unwrap().ask);
        let right = !rounds.is_multiple_of(3);
        let text = if right {
            answer(game, &report)
        } else if report.question.as_ref().unwrap().ask == "cutoff" {
            if answer(game, &report) == "yes" { "no" } else { "yes" }.to_owned()
        } else if report.question.as_ref().unwrap().ask == "window" {
            "7 8".to_owned()
        } else {
            "7".to_owned()
        };
        let response = engine.session_mut().quiz_answer(Some(&text)).unwrap();
        let verdict = response.verdict.as_ref().unwrap();
        assert_eq!(verdict.right, right, "{verdict:?} {text}");
        let step = response.step.as_ref().unwrap().event.as_ref().unwrap();
        assert_eq!(step.index, verdict.question.event);
        readable(&response);
        rounds += 1;
    }
    assert_eq!(kinds_of_questions.len(), 3, "{kinds_of_questions:?}");
    let score = engine.session_mut().quiz_switch(false);
    assert_eq!((score.asked, score.right), (rounds, rounds - rounds.div_ceil(3)));
    let run = engine.session().result().unwrap();
    let mut plain = self::engine(state, &[("depth", "3")]);
    let wanted = plain.session_mut().run(&[]).unwrap();
    assert_eq!(
        (run.value, run.best, run.nodes, run.events),
        (wanted.value, wanted.best, wanted.nodes, wanted.events)
    );
    // A search that is over begins again, also if its budget is used up.
    for budget in ["off", "40"] {
        let mut engine = self::engine(state, &[("depth", "3"), ("budget", budget)]);
        let end = engine.session_mut().run(&[]).unwrap().events;
        let question = engine.session_mut().quiz_next().unwrap().question.unwrap();
        assert!(question.event < end, "{question:?}");
    }
}

#[test]
fn single_steps_have_questions_only_while_the_quiz_is_on() {
    let mut shell = Shell::default();
    let mut say = |line: &str| {
        let outcome = shell.run_line(line).pop().unwrap();
        serde_json::to_value(&*outcome.unwrap().reply).unwrap()
    };
    say("step");
    // At the root of the first iteration, every window is open: nothing is asked.
    say("until iteration");
    say("quiz on");
    let step = (0..9).map(|_| say("step")).find(|step| step["question"].is_object()).unwrap();
    assert_eq!(step["question"]["ask"], "window");
    assert_eq!(say("step")["question"], step["question"], "it stays open");
    let response = say("quiz answer -1 1");
    assert_eq!((&response["verdict"]["right"], &response["right"]), (&true.into(), &1.into()));
    assert_eq!(response["step"]["event"]["kind"], "descend");
    say("quiz off");
    assert!(say("step")["event"].is_object());
}

#[test]
fn trees_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Shell::default();
    let mut run = |line: String| shell.run_line(&line).pop().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    run("search run --depth 3 --budget 3000".to_owned()).unwrap();
    for name in ["tree.txt", "tree.dot"] {
        let report = run(format!("export tree '{}'", file(name))).unwrap().reply;
        let items =
            report.downcast_ref().and_then(|done: &PlainReply| done.fields["items"].as_u64());
        assert!(items > Some(20), "{report:?}");
        readable(&*report);
    }
    let dot = std::fs::read_to_string(file("tree.dot")).unwrap();
    assert!(dot.starts_with("digraph") && dot.contains("cut off") && dot.contains("peripheries=2"));
    let outline = std::fs::read_to_string(file("tree.txt")).unwrap();
    assert!(outline.contains("\n  * ") && outline.contains("cut off"));
    assert!(run("export tree tree.png".to_owned()).is_err());
}

#[test]
fn a_tree_has_every_node_that_was_visited() {
    for state in ROOTS {
        let mut engine = engine(state, &[("deepening", "off"), ("depth", "3"), ("memo", "none")]);
        let run = engine.session_mut().run(&[]).unwrap();
        let tree = engine.session_mut().tree(3, 100_000).unwrap();
        let searched =
            tree.nodes.iter().filter(|node| node.kind != NodeOutcome::NotSearched).count() as u64;
        assert_eq!(
            (searched, tree.omitted),
            (run.nodes + 1, 0),
            "the root is not counted as a visit"
        );
        assert_eq!(tree.nodes[0].value, run.value);
        let best = tree.nodes.iter().find(|node| node.ply == 1 && node.best).unwrap();
        assert_eq!(best.moves[0], run.best[0]);
        let few = engine.session_mut().tree(3, 40).unwrap();
        assert_eq!(few.nodes.len(), 40);
        assert!(few.omitted > 0);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn explanations_are_true(state in root(), depth in 1..=3_u8, policy in prop::sample::select(vec!["interval", "bound", "exact"])) {
        let mut engine = engine(&state, &[("memo", policy)]);
        // Boards with many pieces have thousands of positions after three plies.
        let depth = depth.min(if state.contains('k') { 2 } else { 3 }).to_string();
        let run = engine.session_mut().run(&[("depth", &depth), ("budget", "20000")]).unwrap();
        prop_assume!(run.depth > 0 && !run.moves.is_empty());
        let value = engine.session().explain_value(PLENTY).unwrap();
        prop_assert_eq!(value.reasons.plain_value, Some(value.value));
        check_reasons(&value.reasons)?;
        let last = &value.moves.last().unwrap().mv;
        let choice = engine.session().explain_move(last.plain(), PLENTY).unwrap();
        prop_assert_eq!(choice.reasons.plain_value, Some(choice.value));
        check_reasons(&choice.reasons)?;
    }
}

/// A shell with a search after this number of events.
fn stepped(settings: &str, events: u64) -> Shell {
    let mut shell = Shell::default();
    let game = if settings.contains("null") { "chess" } else { "morris" };
    for line in [&format!("game {game}; search set depth=4 {settings}"), &format!("step {events}")]
    {
        shell.run_line(line).into_iter().for_each(|outcome| drop(outcome.unwrap()));
    }
    shell
}

/// The tree with every node opened, and the lines to these nodes.
fn opened(shell: &mut Shell) -> TreeExplained {
    let tree: TreeExplained = shell.look_up_as("explain tree").unwrap();
    let inner = (1..tree.nodes.len()).filter(|node| tree.nodes[*node].kind == NodeOutcome::Inner);
    let lines: Vec<_> = inner.map(|node| plyscope::text::words(&tree.line(node))).collect();
    shell.look_up_as(&format!("explain tree {}", lines.join(", "))).unwrap()
}

/// The latest value returned from the end of each line in the current iteration, from stepping through the search from
/// its beginning.
fn last_values(shell: &mut Shell, last: u64) -> BTreeMap<Vec<MoveText>, Score> {
    let session = shell.session_mut();
    session.go_to_named("start").unwrap();
    let (mut values, mut line) = (BTreeMap::new(), Vec::new());
    for _ in 0..=last {
        let event = session.resume(Resume::Step(1)).unwrap().event.unwrap();
        if matches!(event.kind, EventKind::Iteration | EventKind::Pass) {
            values.clear();
        }
        if event.kind.came_back() || event.kind == EventKind::Descend && event.ply > 0 {
            let above = event.ply - u32::from(event.kind == EventKind::Descend);
            line.truncate(above as usize);
            line.extend(event.mv);
            values.extend(event.value.map(|value| (line.clone(), value)));
        }
    }
    values
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_has_the_values_of_the_events_and_counts_every_node_once(
        settings in prop::sample::select(vec![
            "algorithm=alphabeta memo=interval",
            "algorithm=pvs memo=bound",
            "algorithm=mtdf memo=bound",
            "algorithm=minimax memo=none",
            "algorithm=pvs memo=bound null=2 lmr=1 futility=100 extend=on quiescence=on",
            "algorithm=alphabeta memo=none null=2 aspiration=20",
        ]),
        events in 1_u64..6_000,
        back in 0_u64..3_000,
    ) {
        let mut shell = stepped(settings, events);
        opened(&mut shell);
        // A replayed iteration must not be shown as the current one.
        let line = format!("back {}; step {}", back.min(events - 1).max(1), back / 2 + 1);
        shell.run_line(&line).into_iter().for_each(|outcome| drop(outcome.unwrap()));
        let tree = opened(&mut shell);
        prop_assert_eq!(tree.replayed, tree.events);
        let events = last_values(&mut shell, tree.events - 1);
        for (place, node) in tree.nodes.iter().enumerate() {
            let below: Vec<_> = tree.children(place).map(|child| &tree.nodes[child]).collect();
            let in_children: u64 = below.iter().map(|child| child.nodes).sum();
            if !below.is_empty() {
                let own = node.nodes - node.earlier - in_children;
                prop_assert_eq!(own, u64::from(place > 0));
            }
            if node.kind == NodeOutcome::Inner && place > 0 {
                prop_assert_eq!(events.get(&tree.line(place)).copied(), node.value);
            }
            if !node.is_searched() {
                prop_assert_eq!((node.nodes, node.value), (0, None));
                prop_assert_eq!(node.moves.len(), node.states.len());
            }
        }
        // The number of children is the one in the stack.
        let stack: Where = shell.look_up_as("where").unwrap();
        for (ply, frame) in stack.frames.iter().enumerate() {
            let line: Vec<_> = stack.frames[..ply].iter().filter_map(|at| at.mv.clone()).collect();
            let is_under_way = |place: &usize| tree.line(*place) == line;
            let mut nodes = (0..tree.nodes.len()).filter(|place| tree.nodes[*place].is_searched());
            let place = nodes.find(is_under_way).unwrap();
            let moves: usize = tree.children(place).map(|child| tree.nodes[child].moves.len()).sum();
            prop_assert_eq!(moves, frame.moves.len());
        }
    }
}

/// The bound of a value in its node's window.
fn bound_of(node: &NodeExplained, value: Score) -> &'static str {
    let exact = matches!(node.kind, NodeOutcome::Leaf | NodeOutcome::Terminal);
    match node.window {
        _ if exact => "exact",
        window if value <= window.alpha => "upper",
        window if value >= window.beta => "lower",
        _ => "exact",
    }
}

/// A value that a move returns is a bound where the tree has a bound, and the text of the event says so.
#[test]
fn a_returned_value_has_the_bound_that_the_tree_has() {
    for settings in [
        "algorithm=alphabeta memo=none",
        "algorithm=pvs memo=bound",
        "algorithm=pvs memo=none null=2 quiescence=on see=on",
    ] {
        let mut shell = stepped(settings, 3_000);
        let mut bounds = BTreeSet::new();
        let mut checked = 0;
        while checked < 200 || bounds.len() < 2 {
            let stop = shell.session_mut().resume(Resume::Step(1)).unwrap();
            let event = stop.event.clone().unwrap();
            if !matches!(event.kind, EventKind::Return | EventKind::Cutoff) {
                continue;
            }
            checked += 1;
            assert!(checked < 5_000, "{settings}: {bounds:?}");
            let stack: Where = shell.look_up_as("where").unwrap();
            let line: Vec<_> = stack.frames.iter().filter_map(|frame| frame.mv.clone()).collect();
            let tree: TreeExplained = shell.look_up_as("explain tree").unwrap();
            let is_child =
                |place: &usize| tree.nodes[*place].is_searched() && tree.line(*place) == line;
            let child = &tree.nodes[(0..tree.nodes.len()).rfind(is_child).unwrap()];
            assert_eq!(
                event.bound,
                child.bound.filter(|bound| *bound != "exact"),
                "{settings}: {event:?} {child:?}"
            );
            if let Some(bound) = event.bound {
                let sign = if bound == "upper" { "value ≤ " } else { "value ≥ " };
                assert!(stop.text().contains(sign), "{settings}: {}", stop.text());
            }
            bounds.extend(event.bound);
        }
    }
}

/// The tree's value or bound of each node is true by plain negamax, and its bound is the one of the window.
#[test]
fn a_tree_has_values_and_bounds_that_plain_negamax_allows() {
    for (root, depth) in
        [(ROOTS[0], 3), (ROOTS[1], 3), ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3)]
    {
        for (algorithm, policy) in
            [("alphabeta", "interval"), ("pvs", "bound"), ("mtdf", "bound"), ("alphabeta", "exact")]
        {
            let depth = depth.to_string();
            let settings = [("algorithm", algorithm), ("memo", policy), ("depth", depth.as_str())];
            let mut engine = engine(root, &settings);
            engine.session_mut().run(&[]).unwrap();
            let tree = engine.session_mut().tree(3, 100_000).unwrap();
            let mut fates = BTreeMap::new();
            for node in tree.nodes.iter().skip(1).filter(|node| node.is_searched()) {
                let [own, _] = plain_values(&node.states[0], node.depth);
                // Pictures have values for the side to move.
                let value = node.value.unwrap();
                let bound = bound_of(node, value);
                assert_eq!(node.bound, Some(bound), "{settings:?} {node:?}");
                let holds = match bound {
                    "exact" => own == value,
                    "lower" => own >= value,
                    _ => own <= value,
                };
                assert!(holds, "{settings:?} {node:?}: {own}");
                *fates.entry((<&str>::from(node.kind), bound)).or_insert(0) += 1;
            }
            assert!(fates.contains_key(&("inner", "lower")), "{settings:?}: {fates:?}");
        }
    }
}

#[test]
fn a_move_that_was_not_searched_says_why() {
    let mut shell = stepped("algorithm=alphabeta memo=bound", 2_000);
    shell.run_line("until cutoff").pop().unwrap().unwrap();
    let stack: Where = shell.look_up_as("where").unwrap();
    let (frame, above) = (stack.frames.last().unwrap(), &stack.frames[..stack.frames.len() - 1]);
    let line: Vec<_> =
        above.iter().filter_map(|frame| frame.mv.as_ref().map(MoveText::plain)).collect();
    let spared = frame.moves.last().unwrap();
    let tree: TreeExplained =
        shell.look_up_as(&format!("explain tree {} {spared}", line.join(" "))).unwrap();
    let place = (0..tree.nodes.len())
        .find(|place| {
            tree.nodes[*place].is(spared) && tree.nodes[*place].kind == NodeOutcome::NotSearched
        })
        .unwrap();
    let note = tree.note(place, false);
    let by = frame.best_move.as_ref().unwrap();
    assert!(note.starts_with(&format!("not searched: after {by} = ")), "{note}");
    assert!(note.contains(" ≥ β "), "{note}");
}

#[test]
fn a_tree_by_share_begins_at_any_node_of_the_stack() {
    for settings in ["memo=none", "null=2 memo=none"] {
        let mut shell = stepped(settings, 30_000);
        let whole: TreeExplained = shell.look_up_as("explain tree").unwrap();
        let stack: Where = shell.look_up_as("where").unwrap();
        let is_on_stack = |node: &usize| {
            let states = &whole.nodes[*node].states;
            stack.frames.iter().skip(1).any(|frame| *states == [frame.state.clone()])
        };
        let on_stack: Vec<_> = (0..whole.nodes.len()).filter(is_on_stack).collect();
        assert!(on_stack.len() > 2, "{settings}: {stack:?}");
        for node in on_stack {
            let line = plyscope::text::words(&whole.line(node));
            let ask = format!("explain tree {line} --share 1");
            let tree: TreeExplained = shell.look_up_as(&ask).unwrap();
            let is_first = |node: &usize| plyscope::text::words(&tree.line(*node)) == line;
            let first = (0..tree.nodes.len()).find(is_first).unwrap();
            let (of, known) = (&tree.nodes[first], &whole.nodes[node]);
            assert_eq!((of.nodes, of.window), (known.nodes, known.window), "{settings} {ask}");
        }
    }
}

#[test]
fn a_tree_by_share_has_the_nodes_in_which_the_search_spent_most() {
    for settings in ["", "null=2 memo=bound"] {
        let mut shell = stepped(settings, 30_000);
        let few: TreeExplained = shell.look_up_as("explain tree").unwrap();
        for (share, line) in [(5, None), (40, None), (20, few.nodes.iter().find(|it| it.ply == 1))]
        {
            let line = line.map_or_else(String::new, |node| node.moves[0].plain().to_owned());
            let ask = format!("explain tree {line} --share {share}");
            let tree: TreeExplained = shell.look_up_as(&ask).unwrap();
            let first = |node: &usize| {
                tree.line(*node).iter().map(MoveText::plain).eq(line.split_whitespace())
            };
            let whole = &tree.nodes[(0..tree.nodes.len()).find(first).unwrap()];
            let stack: Where = shell.look_up_as("where").unwrap();
            let on_stack = |node: &NodeExplained| {
                stack.frames.iter().any(|frame| node.states == [frame.state.clone()])
            };
            for node in &tree.nodes {
                let Some(parent) = node.parent.map(|parent| &tree.nodes[parent]) else { continue };
                let is_large = 100 * parent.nodes >= share * whole.nodes;
                let is_open = is_large
                    || on_stack(parent)
                    || parent.is(&whole.moves.first().cloned().unwrap_or_default());
                assert!(is_open, "{ask}: {parent:?}");
            }
            // No large node without its children.
            for (place, node) in tree.nodes.iter().enumerate().filter(|_| line.is_empty()) {
                let is_closed = tree.children(place).next().is_none();
                let is_inner = node.kind == NodeOutcome::Inner && node.depth > 0;
                assert!(
                    !(is_inner && is_closed && 100 * node.nodes >= share * whole.nodes),
                    "{ask}: {node:?}"
                );
            }
        }
        let tree: TreeExplained = shell.look_up_as("explain tree --share 1").unwrap();
        assert!(tree.nodes.len() > few.nodes.len(), "{settings}");
        // Step by step it is the same tree.
        shell.run_line("back 500").pop().unwrap().unwrap();
        let _: TreeExplained = shell.look_up_as("explain tree --share 1").unwrap();
        shell.run_line("step 500").pop().unwrap().unwrap();
        let again: TreeExplained = shell.look_up_as("explain tree --share 1").unwrap();
        assert_eq!(format!("{:?}", again.nodes), format!("{:?}", tree.nodes), "{settings}");
    }
}

#[test]
fn an_interrupted_replay_continues_with_the_same_question() {
    let mut shell = stepped("", 30_000);
    let whole: TreeExplained = shell.look_up_as("explain tree").unwrap();
    shell.run_line("back 1").pop().unwrap().unwrap();
    let mut replayed = 0;
    let parts = loop {
        let part: TreeExplained = shell.look_up_as("explain tree --time 1").unwrap();
        assert!(part.replayed > replayed, "each question brings it on");
        replayed = part.replayed;
        if replayed == part.events {
            break part;
        }
    };
    assert_eq!((parts.events, parts.depth), (whole.events - 1, whole.depth));
}

/// After steps back, also of many events, the tree is that of a replay from the beginning, but only the last part is replayed.
#[test]
fn a_tree_goes_back_without_a_replay_from_the_beginning() {
    for game in ["morris", "chess"] {
        let stepped = |events: u64| {
            let mut shell = Shell::default();
            let line = format!("game {game}; search set depth=8 budget=off; step {events}");
            shell.run_line(&line).into_iter().for_each(|outcome| drop(outcome.unwrap()));
            shell
        };
        let mut shell = stepped(200_000);
        for (line, ask) in [("back 1", "explain tree"), ("back 40000", "explain tree --share 1")] {
            let _: TreeExplained = shell.look_up_as(ask).unwrap();
            shell.run_line(line).pop().unwrap().unwrap();
            let part: TreeExplained = shell.look_up_as(&format!("{ask} --time 1")).unwrap();
            assert!(part.replayed > 90_000, "{game}, {line}: {} events", part.replayed);
            let tree: TreeExplained = shell.look_up_as(ask).unwrap();
            let whole: TreeExplained = stepped(tree.events).look_up_as(ask).unwrap();
            assert_eq!(format!("{:?}", tree.nodes), format!("{:?}", whole.nodes), "{game}");
        }
    }
}

/// Whether a word is a chess move in coordinates.
fn is_coordinate(word: &str) -> bool {
    let [a, b, c, d, rest @ ..] = word.as_bytes() else { return false };
    let square =
        |file: &u8, rank: &u8| (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank);
    square(a, b) && square(c, d) && rest.len() <= 1
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_stop_says_what_happened_in_the_words_of_people(
        state in prop::sample::select(ROOTS.to_vec()),
        settings in prop::sample::select(vec![
            "algorithm=alphabeta memo=bound max_size=60",
            "algorithm=pvs memo=bound null=2 lmr=1 futility=100 extend=on quiescence=on aspiration=20",
            "algorithm=mtdf memo=bound quiescence=on",
            "algorithm=minimax memo=exact",
        ]),
        skipped in 0_u64..4_000,
    ) {
        let mut shell = Shell::default();
        let game = if state.contains('k') { "chess" } else { "morris" };
        for line in [format!("game {game}"), format!("position set \"{state}\""), format!("search set depth=4 {settings}")] {
            // The other game lacks some of the settings.
            drop(shell.run_line(&line));
        }
        drop(shell.run_line(&format!("step {}", skipped + 1)));
        for _ in 0..200 {
            let Ok(stop) = shell.session_mut().resume(Resume::Step(1)) else { break };
            let text = stop.text();
            let (event, why) = (stop.event.unwrap(), stop.why.unwrap());
            prop_assert!(why.ends_with('.'), "{why}");
            prop_assert!(!text.contains("9999"), "{text}");
            if game == "chess" {
                let mut words = why.split([' ', '.', ',', ':']);
                prop_assert!(!words.any(is_coordinate), "{why}");
            }
            if event.kind == EventKind::Cutoff && why.contains("already has that") {
                // A node above, where the other side moves, is worth no less to it.
                let worth = -event.value.unwrap();
                let stack = shell.session().stack().unwrap();
                let others = stack.frames.iter().rev().skip(1).step_by(2);
                let mut best = others.filter_map(|frame| frame.best);
                prop_assert!(best.any(|best| best >= worth), "{why}");
            }
            if event.kind == EventKind::Raise && why.contains("α rises") {
                let alpha = plyscope::text::number::alpha(event.window.alpha);
                prop_assert!(why.ends_with(&format!("to {alpha}.")), "{why}");
            }
            if stop.done {
                break;
            }
        }
        let explained = shell.run_line("explain").remove(0).unwrap();
        prop_assert!(!explained.reply.text().contains("9999"));
    }
}
