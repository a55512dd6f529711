//! Every report as text, as snapshots and checked against the rules for all text.

use crate::plain::PLAIN;
use insta::assert_snapshot;
use plyscope::{
    command::Shell,
    engine::{
        Engine,
        cachefile::LoadOptions,
        debugger::Action,
        recording::Resume,
        search::EventKind,
        session::{
            AnySession,
            bench::{Bench, BenchCase},
            cache::{CacheEdit, CacheList, EntryReport, Sort},
            comparing::{Comparison, Vary},
            plot::Plot,
            position::Perft,
            reply::{PlainReply, Reply, Score, Window, boxed},
            search::{Run, StopReport, Value},
        },
    },
    text::ascii,
    view,
};

const PLACING: &str = "w.b...../.w....../....b... w 7 7";
const MOVING: &str = "wb.w.bw./.b.w..b./w..b.w.. w 0 0";
/// A position in which weights matter.
const UNEQUAL: &str = "w.wb..b./b.w.wb../.b.w.b.. w 3 3";
const FLYING: &str = "w...b..w/..b...../...w..b. b 0 0";
const LOST: &str = "wbwbwbwb/......../........ w 0 0";

fn break_at(session: &mut dyn AnySession, conditions: &[(&str, &str)], temporary: bool) {
    let action = if temporary { Action::Once } else { Action::Stop };
    session.break_at(conditions, None, action).unwrap();
}

fn engine(state: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    engine.session_mut().set_settings(settings).unwrap();
    engine.session_mut().set_position(state).unwrap();
    engine
}

fn on<T>(state: &str, settings: &[(&str, &str)], work: impl FnOnce(&mut dyn AnySession) -> T) -> T {
    work(engine(state, &[&PLAIN, settings].concat()).session_mut())
}

/// Replaces measured times by constants.
fn with_constant_times(mut reply: Box<dyn Reply>) -> Box<dyn Reply> {
    const MS: f64 = 12.345;
    if let Some(perft) = reply.downcast_mut::<Perft>() {
        perft.ms = Some(MS);
    } else if let Some(value) = reply.downcast_mut::<Value>() {
        value.ms = Some(MS);
    } else if let Some(run) = reply.downcast_mut::<Run>() {
        run.ms = Some(MS);
    } else if let Some(stop) = reply.downcast_mut::<StopReport>() {
        stop.result.iter_mut().for_each(|run| run.ms = Some(MS));
    } else if let Some(bench) = reply.downcast_mut::<Bench>() {
        bench.ms = Some(1234.5);
        bench.cases.iter_mut().for_each(|case| case.ms = Some(MS));
    }
    reply
}

/// The text of a reply, checked against the rules for all text.
#[track_caller]
fn shown(reply: impl Reply) -> String {
    let report = with_constant_times(boxed(reply));
    let text = view::text(&*report);
    assert!(!text.ends_with('\n'), "a newline at the end: {text}");
    for line in text.lines() {
        assert_eq!(line, line.trim_end(), "a space at the end");
        assert!(line.chars().count() <= 80, "too long: {line}");
    }
    let has_ascii = |sign: char| {
        sign.is_ascii() || sign.is_alphanumeric() || sign == '\u{FE0E}' || ascii(sign) != "?"
    };
    assert!(text.chars().all(has_ascii), "nothing stands for a sign: {text}");
    text
}

#[test]
fn positions_as_text() {
    let mut engine = engine(PLACING, &[]);
    let session = engine.session_mut();
    assert_snapshot!(shown(session.position()), @"
    7 ●───────────·───────────○   White to place (7 in hand, Black 7)
      │           │           │   w.b...../.w....../....b... w 7 7
    6 │   ·───────●───────·   │   key 77000201100004
      │   │       │       │   │   undo 1  redo 0
    5 │   │   ·───·───·   │   │
      │   │   │       │   │   │
    4 ·───·───·       ·───·───·
      │   │   │       │   │   │
    3 │   │   ·───·───○   │   │
      │   │       │       │   │
    2 │   ·───────·───────·   │
      │           │           │
    1 ·───────────·───────────·
      a   b   c   d   e   f   g
      ● White, 7 in hand   ○ Black, 7 in hand
    ");
    session.resume(Resume::Step(5)).unwrap();
    let played = session.play("a1").unwrap();
    assert_snapshot!(shown(played), @"
    7 ●───────────·───────────○   Black to place (7 in hand, White 6)
      │           │           │   w.b...w./.w....../....b... b 6 7
    6 │   ·───────●───────·   │   key 76100004000241
      │   │       │       │   │   last move a1
    5 │   │   ·───·───·   │   │   undo 2  redo 0
      │   │   │       │   │   │
    4 ·───·───·       ·───·───·
      │   │   │       │   │   │
    3 │   │   ·───·───○   │   │
      │   │       │       │   │
    2 │   ·───────·───────·   │
      │           │           │
    1 ●───────────·───────────·
      a   b   c   d   e   f   g
      ● White, 6 in hand   ○ Black, 7 in hand
    note: the search under way was dropped: the position changed; `timeline use 1`
          brings it back
    ");
    let lost = on(LOST, &[], |session| session.position());
    assert_snapshot!(shown(lost), @"
    7 ●───────────○───────────●   White cannot move, so Black has won
      │           │           │   game over: Black wins
    6 │   ·───────·───────·   │   wbwbwbwb/......../........ w 0 0
      │   │       │       │   │   key 000000550000aa
    5 │   │   ·───·───·   │   │   undo 1  redo 0
      │   │   │       │   │   │
    4 ○───·───·       ·───·───○
      │   │   │       │   │   │
    3 │   │   ·───·───·   │   │
      │   │       │       │   │
    2 │   ·───────·───────·   │
      │           │           │
    1 ●───────────○───────────●
      a   b   c   d   e   f   g
      ● White, 0 in hand   ○ Black, 0 in hand
    ");
}

#[test]
fn moves_symmetries_and_perft_as_text() {
    on(PLACING, &[], |session| {
        assert_snapshot!(shown(session.moves()), @"
        20 moves
        a1  a4  b2  b4  b6  c3  c4  c5  d1  d2  d3  d5  d7  e4  e5  f2  f4  f6  g1  g4
        ");
        assert_snapshot!(shown(session.symmetries()), @"
        16 positions equal by symmetry, this one included
        ......b./...w..../..w.b... w 7 7  ..b.w.../...w..../b....... w 7 7
        ......b./.w....../b.w..... w 7 7  ..w.b.../...w..../......b. w 7 7
        ....b.../.......w/w.....b. w 7 7  b......./.....w../....w.b. w 7 7
        ....b.../.w....../w.b..... w 7 7  b......./...w..../..b.w... w 7 7
        ....b.w./.....w../..b..... w 7 7  b.....w./.......w/..b..... w 7 7
        ....w.b./.....w../b....... w 7 7  b.w...../.w....../......b. w 7 7
        ..b...../.......w/b.....w. w 7 7  w.....b./.......w/....b... w 7 7
        ..b...../.....w../....b.w. w 7 7  w.b...../.w....../....b... w 7 7
        ");
        assert_snapshot!(shown(session.perft(3).unwrap()), @"
        a1 378   b4 342   c4 342   d2 342   d7 378   f2 342   g1 342
        a4 378   b6 378   c5 342   d3 342   e4 342   f4 342   g4 342
        b2 342   c3 342   d1 342   d5 378   e5 342   f6 378
        depth 3  leaves 7,056  12.3 ms  572 k leaves/s
        ");
        assert_snapshot!(shown(session.perft(0).unwrap()), @"depth 0  leaves 1  12.3 ms  81.0 leaves/s");
    });
    on(LOST, &[], |session| {
        assert_snapshot!(shown(session.moves()), @"game over: utility -1 for the side to move");
        assert_snapshot!(shown(session.perft(2).unwrap()), @"depth 2  leaves 0  12.3 ms");
    });
    on(FLYING, &[], |session| {
        assert_snapshot!(shown(session.moves()), @"
        54 moves
        c3-a1  c3-c5  c3-d6  c3-f4  f6-b4  f6-d2  f6-e3  f6-g7  g1-c4  g1-d5  g1-f2
        c3-b2  c3-d1  c3-d7  c3-g4  f6-b6  f6-d3  f6-e5  g1-a1  g1-c5  g1-d6  g1-f4
        c3-b4  c3-d2  c3-e3  c3-g7  f6-c4  f6-d5  f6-f2  g1-b2  g1-d1  g1-d7  g1-g4
        c3-b6  c3-d3  c3-e5  f6-a1  f6-c5  f6-d6  f6-f4  g1-b4  g1-d2  g1-e3  g1-g7
        c3-c4  c3-d5  c3-f2  f6-b2  f6-d1  f6-d7  f6-g4  g1-b6  g1-d3  g1-e5
        ");
    });
}

#[test]
fn evaluations_rules_and_settings_as_text() {
    on(MOVING, &[], |session| {
        assert_snapshot!(shown(session.eval(None).unwrap()), @"
        term            white  black  weight  for White
        stones              6      5       1         +1
        stash               0      0       1          0
        mills               0      0       4          0
        possible_mills      1      1       2          0
        mobility           10      9       0          0
        sum                                          +1
        value +1 / 42 = +0.024 for White, the side to move
        ");
        session.set_weights(&[("mills", "0.1"), ("stash", "0.7")]).unwrap();
        assert_snapshot!(shown(session.eval(None).unwrap()), @"
        term            white  black  weight  for White
        stones              6      5     1           +1
        stash               0      0     0.7          0
        mills               0      0     0.1          0
        possible_mills      1      1     2            0
        mobility           10      9     0            0
        sum                                          +1
        value +1 / 26.4 = +0.038 for White, the side to move
        ");
        assert_snapshot!(shown(session.rules()), @"
        rule         value  choices
        double_mill  two    two, one
        flying       on     on, off
        double_mill: stones that two mills closed at once take: two as in the seeds,
                     one as in tournaments; a mill that finds too few to take is not
                     legal
        flying: whether a side with three stones and none in hand may jump to any
                empty point
        ");
        session.value(2, None, None).unwrap();
        let settings = session.set_settings(&[("depth", "5"), ("memo", "bound")]).unwrap();
        assert_snapshot!(shown(settings), @"
        depth=5  memo=bound
        note: the cache was emptied (52 entries): the memo policy changed
        ");
    });
}

#[test]
fn weights_as_text() {
    on(UNEQUAL, &[], |session| {
        assert_snapshot!(shown(session.weights()), @"weights stones=1 stash=1 mills=4 possible_mills=2 mobility=0");
        session.run(&[]).unwrap();
        let changed = session.set_weights(&[("mills", "0.5")]).unwrap();
        assert_snapshot!(shown(changed), @"
        weights stones=1 stash=1 mills=0.5 possible_mills=2 mobility=0
        note: timeline 2 branches off 1 after event 143,103
        note: the cache was emptied (20,166 entries): its values were computed with
              other weights
        ");
        session.define_weights("greedy", &[("mills", "12")]).unwrap();
        session.define_weights("hoarder", &[("stash", "2.25")]).unwrap();
        assert_snapshot!(shown(session.weight_sets()), @"
        set      stones  stash  mills  possible_mills  mobility
        default       1   1       4                 2         0
        play         10  10       0                 2         1
        greedy        1   1      12                 2         0
        hoarder       1   2.25    0.5               2         0
        ");
        let weighed = |sets: &[&str], depth| {
            let what = Comparison::Weights { sets, vary: Vary::Nothing, workers: None };
            let mut report = session.compare(what, None, Some(depth), 5).unwrap();
            report.forget_times();
            report
        };
        assert_snapshot!(shown(weighed(&["default", "greedy"], 3)), @"
        w.wb..b./b.w.wb../.b.w.b.. w 3 3  depth 3

        set      stones  stash  mills  possible_mills  mobility
        default       1      1      4               2         0
        greedy        1      1     12               2         0

        set            same  common  apart  cost  static  searched  nodes
        base default                              +0.024    +0.143  1,512
        greedy        100 %   100 %  0.046     0  +0.014    +0.189  1,511
        same: positions with the base's best moves; common: with one of them at least;
        apart: mean distance of the searched values; cost: how much the choice loses,
        by the base's own search, on average; static and searched: mean values for the
        side to move

        best default  d7xd2 d7xd3 d1
        best greedy   d7xd2 d7xd3 d1

        all sets choose the same moves
        ");
        let sets = ["default", "greedy", "hoarder", "stones=0,possible_mills=9", "current"];
        assert_snapshot!("comparison_of_many", shown(weighed(&sets, 2)));
        assert_snapshot!(shown(weighed(&["default", "default"], 1)), @"
        w.wb..b./b.w.wb../.b.w.b.. w 3 3  depth 1

        set      stones  stash  mills  possible_mills  mobility
        default       1      1      4               2         0
        default       1      1      4               2         0

        set            same  common  apart  cost  static  searched  nodes
        base default                              +0.024    +0.143     23
        default       100 %   100 %      0     0  +0.024    +0.143     23
        same: positions with the base's best moves; common: with one of them at least;
        apart: mean distance of the searched values; cost: how much the choice loses,
        by the base's own search, on average; static and searched: mean values for the
        side to move

        best default  d7xd2 d7xd3 f4xg4 f4xd2 f4xd3
        best default  d7xd2 d7xd3 f4xg4 f4xd2 f4xd3

        all sets choose the same moves
        ");
    });
}

#[test]
fn values_as_text() {
    on(PLACING, &[], |session| {
        assert_snapshot!(shown(session.value(3, None, None).unwrap()), @"
        value +0.048  exact  depth 3  window -1 to +1  nodes 820
        pv d7 d5 a1
        cache hits 113 (12.1 %)  invalid 128 (14 changed the window)  misses 692
              stores 820  entries 692
        time 12.3 ms  66.4 k nodes/s
        ");
        let window = [0.5, 0.75].map(Score::new);
        let value = session.value(2, window[0], window[1]).unwrap();
        assert_snapshot!(shown(value), @"
        value +0.5  upper bound  depth 2  window +0.5 to +0.75  nodes 41
        cache hits 0 (0 %)  invalid 0  misses 41  stores 41  entries 733
        time 12.3 ms  3.32 k nodes/s
        ");
        let value = session.value(0, Some(Score::NEG_INFINITY), Some(Score::INFINITY)).unwrap();
        assert_snapshot!(shown(value), @"
        value 0  exact  depth 0  window −∞ to +∞  nodes 1
        cache hits 0 (0 %)  invalid 0  misses 1  stores 1  entries 734
        time 12.3 ms  81.0 nodes/s
        ");
    });
    let value = on(MOVING, &[("memo", "none")], |session| session.value(2, None, None).unwrap());
    assert_snapshot!(shown(value), @"
    value +0.024  exact  depth 2  window -1 to +1  nodes 52
    pv g4-g1 d1-d2
    time 12.3 ms  4.21 k nodes/s
    ");
}

/// The line that says how a search ended has its parts apart, and the reason in words.
#[test]
fn the_end_of_a_search_is_a_line() {
    for (game, found) in [("morris", "best a7 and 23 equal, 0 for"), ("chess", "best ")] {
        let mut shell = Shell::default();
        let lines = [format!("game {game}"), "search run --depth 2".to_owned()];
        let [_, run] = lines.map(|line| shell.look_up(&line).unwrap().line());
        assert!(run.starts_with(&format!("done: {found}")), "{run}");
        assert!(
            run.contains(" for White, depth 2, ") && run.ends_with(" (depth complete)"),
            "{run}"
        );
        let run = shell.look_up("search run --budget 5").unwrap().line();
        assert!(run.contains(", depth 0, 5 nodes") && run.contains(" (node budget)"), "{run}");
    }
}

#[test]
fn runs_as_text() {
    let run = |state: &str, settings: &[(&str, &str)]| {
        on(state, settings, |session| session.run(&[]).unwrap())
    };
    assert_snapshot!(shown(run(PLACING, &[])), @"
    depth 4  value 0 for White  equal best a1 b6 f6 d5
      nodes 25,000  (node budget)
    pv a1 a4 d7 g4
      move   value  line
    ▸ a1     0      a4 d7 g4
    ▸ b6     0      f6 d7 g4
    ▸ f6     0      b6 d7 g4
    ▸ d5     0      d7 a1 g4
      d7    -0.048  d5 a1 e5
      g4    -0.048  e4 e5 d3
      g1    -0.048  d1 d7 d3
      a4    -0.048  a1 d7 g1
      f4    -0.048  g4 g1 e5
      e5    -0.048  g4 g1 f4
      e4    -0.048  g4 g1 d3
      d1    -0.095  e4 e5 g4
      … 8 more of the same value
    cache hits 5,378 (17.7 %)  invalid 2,177 (667 changed the window)
          misses 22,819  stores 24,996  entries 22,819
    time 12.3 ms  2.03 M nodes/s  141,134 events
    ");
    assert_snapshot!(shown(run("......../......../........ w 9 9", &[("depth", "2")])), @"
    depth 2  value 0 for White
      equal best a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 … 12 more
      nodes 54  (depth complete)
    pv a7 d7
      move  value  line
    ▸ a7        0  d7
    ▸ d7        0  a7
    ▸ g7        0  d7
    ▸ g4        0  g7
    ▸ g1        0  g4
    ▸ d1        0  g1
    ▸ a1        0  d1
    ▸ a4        0  a7
    ▸ b6        0  a7
    ▸ d6        0  a7
    ▸ f6        0  g7
    ▸ f4        0  g7
      … 12 more of the same value
    cache hits 86 (61.4 %)  invalid 0  misses 54  stores 54  entries 54
    time 12.3 ms  4.37 k nodes/s  531 events
    ");
    assert_snapshot!(shown(run(PLACING, &[("budget", "5")])), @"
    depth 0  value +0.048 for White  equal best d7 a1  nodes 5  (node budget)
    pv d7
      move   value
    ▸ d7    +0.048
    ▸ a1    +0.048
      g4     0
      g1     0
      d1     0
      a4     —
      b6     —
      f6     —
      f4     —
      f2     —
      d2     —
      b2     —
      … 8 more not looked at
    cache hits 0 (0 %)  invalid 0  misses 5  stores 5  entries 5
    time 12.3 ms  405 nodes/s  29 events
    note: no iteration is complete: the best of the moves so far
    ");
    let seed = [("budget", "5"), ("fidelity", "seed")];
    assert_snapshot!(shown(run(PLACING, &seed)), @"
    depth 0  value 0 for White
      equal best d7 g4 g1 d1 a1 a4 b6 f6 f4 f2 d2 b2 … 8 more
      nodes 5  (node budget)
      move  value
    ▸ d7        —
    ▸ g4        —
    ▸ g1        —
    ▸ d1        —
    ▸ a1        —
    ▸ a4        —
    ▸ b6        —
    ▸ f6        —
    ▸ f4        —
    ▸ f2        —
    ▸ d2        —
    ▸ b2        —
      … 8 more not looked at
    cache hits 0 (0 %)  invalid 0  misses 3  stores 3  entries 48
    time 12.3 ms  405 nodes/s  22 events
    note: no iteration is complete, so all moves tie at 0 (defect D7)
    ");
    assert_snapshot!(shown(run(LOST, &[])), @"
    depth 0  value -1 for White  nodes 0  (no deeper search needed)
    time 12.3 ms  1 event
    note: the game is over: there is no move to choose
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "most are those of the snapshots")]
fn stepping_as_text() {
    on(PLACING, &[("depth", "3")], |session| {
        assert_snapshot!(shown(session.resume(Resume::Step(1)).unwrap()), @"
        event 0: iteration  ply 0 depth 1  α -1 β +1
          w.b...../.w....../....b... w 7 7
          Every move of White is searched 1 ply deep now.
          1 event (step)
        ");
        assert_snapshot!(shown(session.stack().unwrap()), @"
         ply  depth  side   move       α   β  best  by  cache
        ▸  0      1  White  — 0/20    -1  +1     —  —   —
        iteration 1  nodes 0  scores are for the side to move at each ply
        event 0: iteration  ply 0 depth 1  α -1 β +1
        ");
        assert_snapshot!(shown(session.resume(Resume::Step(200)).unwrap()), @"
        event 200: store  ply 1 depth 1  after d7  α 0 β +1  value 0
          wwb...../.w....../....b... b 6 7
          The cache now has 0 for Black from depth 1.
          200 events (step)
        ");
        assert_snapshot!(shown(session.resume(Resume::Until(EventKind::Raise)).unwrap()), @"
        event 201: raise  ply 0 depth 2  from d7  α 0 β +1  value 0
          w.b...../.w....../....b... w 7 7
          d7 is worth 0 to White, better than before: α rises from -1 to 0.
          1 event (until)
        ");
        assert_snapshot!(shown(session.resume(Resume::Goto(700)).unwrap()), @"
        event 700: store  ply 1 depth 1  after a4  α 0 β +1  value 0
          w.b....w/.w....../....b... b 6 7
          The cache now has 0 for Black from depth 1.
          499 events (goto)
        ");
        assert_snapshot!(shown(session.stack().unwrap()), @"
         ply  depth  side   move      α   β  best  by  cache
           0      2  White  a4 6/20   0  +1     0  d7  —
        ▸  1      1  Black  c4 19/19  0  +1     0  g4  miss
        pv d7 g4
        iteration 2  nodes 140  scores are for the side to move at each ply
        event 700: store  ply 1 depth 1  after a4  α 0 β +1  value 0
        ");
        let frame = session.frame(Some(1)).unwrap();
        assert_snapshot!(shown(frame), @"
        7 ●───────────·───────────○   ply 1  depth 1  Black to move
          │           │           │   w.b....w/.w....../....b... b 6 7
        6 │   ·───────●───────·   │   key    76010004000830:1
          │   │       │       │   │   cache  miss
        5 │   │   ·───·───·   │   │   α      0  from g4, ply 1
          │   │   │       │   │   │   β      +1  from the search
        4 ●───·───·       ·───·───·   best   0 by g4
          │   │   │       │   │   │   move   c4
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 6 in hand   ○ Black, 7 in hand
        moves 19/19: d7 g4 g1 d1 a1 b6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 d3 c3 [c4]
        ");
        assert_snapshot!(shown(session.stack().unwrap()), @"
         ply  depth  side   move      α   β  best  by  cache
           0      2  White  a4 6/20   0  +1     0  d7  —
        ▸  1      1  Black  c4 19/19  0  +1     0  g4  miss
        pv d7 g4
        iteration 2  nodes 140  scores are for the side to move at each ply
        event 700: store  ply 1 depth 1  after a4  α 0 β +1  value 0
        ");
        let frame = session.frame(Some(0)).unwrap();
        assert_snapshot!(shown(frame), @"
        7 ●───────────·───────────○   ply 0  depth 2  White to move
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   key    77000201100004:2
          │   │       │       │   │   cache  —
        5 │   │   ·───·───·   │   │   α      0  from d7, ply 0
          │   │   │       │   │   │   β      +1  from the search
        4 ·───·───·       ·───·───·   best   0 by d7
          │   │   │       │   │   │   move   a4
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        moves 6/20: d7 g4 g1 d1 a1 [a4] b6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 d3 c3 c4
        ");
        break_at(session, &[("kind", "cutoff"), ("ply", "2")], false);
        assert_snapshot!(shown(session.resume(Resume::Continue).unwrap()), @"
        event 2,278: cutoff  ply 2 depth 1  from d5xg7  α +0.048 β +0.167
        value +0.167
          wwb.b.../.w....../....b... w 6 6
          d5xg7 is worth +0.167 to White, which reaches β +0.167: Black already has
          that with g4 and does not come here, and the other 7 moves are not searched.
          breakpoint 1, after 1,578 events
        ");
        session.remove_breakpoint(None).unwrap();
        assert_snapshot!("stop_done", shown(session.resume(Resume::Continue).unwrap()));
        assert_snapshot!(shown(session.stack().unwrap()), @"
         ply  depth  side   move           α   β    best  by  cache
        ▸  0      3  White  c4 20/20  +0.048  +1  +0.048  d7  —
        pv d7 d5 a1
        iteration 3  nodes 1,894  scores are for the side to move at each ply
        event 9,692: finish  ply 0 depth 3  α +0.048 β +1  value +0.048
        ");
    });
}

#[test]
fn a_frame_with_many_moves_as_text() {
    on(FLYING, &[("depth", "2")], |session| {
        session.resume(Resume::Goto(5000)).unwrap();
        let frame = session.frame(Some(0)).unwrap();
        assert_snapshot!("frame_of_many_moves", shown(frame));
    });
}

#[test]
fn long_positions_and_strange_numbers() {
    let entry = |value| EntryReport {
        truth: None,
        uses: None,
        edited: false,
        key: "463b96181691fc9c:12".into(),
        state: Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".into()),
        side: None,
        depth: Some(12),
        value: Score::new(value).unwrap(),
        window: Window::new(Score::NEG_INFINITY, Score::new(1e-12).unwrap()),
        bound: Some("upper"),
        best: Vec::new(),
    };
    let entries = [0.1, -1e300, 1234.5, f64::INFINITY].map(entry).to_vec();
    let edit = CacheEdit {
        key: entries[1].key.clone(),
        entry: Some(entries[1].clone()),
        previous: Some(entries[0].clone()),
        board: Some("r n b\n. . .".into()),
        notes: vec![],
        other_keys: vec![],
        writer: None,
    };
    let list = CacheList { offset: 0, entries, matching: 4, total: 5, notes: Vec::new() };
    assert_snapshot!(shown(list), @"
    key                      value  α      β position
    463b96181691fc9c:12 ≤     +0.1 −∞ +0.000 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP…
    463b96181691fc9c:12 ≤ -1e300   −∞ +0.000 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP…
    463b96181691fc9c:12 ≤  +1234.5 −∞ +0.000 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP…
    463b96181691fc9c:12 ≤     +∞   −∞ +0.000 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP…
    4 of 4 that match, 5 in all
    ");
    assert_snapshot!(shown(edit), @"
    r n b   key    463b96181691fc9c:12  changed
    . . .   rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
    value  -1e300
      was  +0.1
    alpha  −∞
    beta   +1e-12
    bound  upper
    depth  12
    ");
}

#[test]
fn stepping_to_the_end_of_the_budget_as_text() {
    on(PLACING, &[("budget", "300")], |session| {
        let report = session.resume(Resume::Continue).unwrap();
        assert_snapshot!("stop_budget", shown(report));
    });
}

#[test]
fn breakpoints_as_text() {
    on(PLACING, &[], |session| {
        assert_snapshot!(shown(session.breakpoints()), @"no breakpoints");
        break_at(session, &[("ply", "2"), ("kind", "cutoff")], false);
        break_at(session, &[("position", "here")], true);
        session.run(&[]).unwrap();
        assert_snapshot!(shown(session.enable_breakpoint(1, false).unwrap()), @r#"
        #  hits       command
        1     1  off  break ply=2 kind=cutoff
        2     0  on   tbreak position="w.b...../.w....../....b... w 7 7"
        "#);
    });
}

#[test]
fn the_whole_cache_as_text() {
    on(PLACING, &[], |session| {
        let all = |session: &dyn AnySession| session.cache_list(&[], Sort::Value, 0..6).unwrap();
        assert_snapshot!(shown(all(session)), @"the cache is empty");
        assert_snapshot!(shown(session.cache_stats()), @"
        memo interval  0 entries  0 bytes
        max_size 1,000,000  keys canonical
          weights stones=1 stash=1 mills=4 possible_mills=2 mobility=0
        last search: hits 0  invalid 0  misses 0  stores 0
        ");
        session.run(&[]).unwrap();
        let mut stats = session.cache_stats();
        (stats.bytes, stats.bytes_per_entry) = (1_234_567, Some(61.73));
        assert_snapshot!(shown(stats), @"
        memo interval  22,819 entries  1.23 MB  (61.7 bytes an entry)
        max_size 1,000,000  keys canonical
          weights stones=1 stash=1 mills=4 possible_mills=2 mobility=0
        last search: hits 5,378 (17.7 %)  invalid 2,177 (667 changed the window)
                     misses 22,819  stores 24,996
        depth  entries   share              bound  entries   share
            0   18,443  80.8 %  ▪▪▪▪▪▪▪▪▪   exact    1,586   7.0 %  ▪
            1    3,356  14.7 %  ▪▪          lower   18,947  83.0 %  ▪▪▪▪▪▪▪▪▪
            2      840   3.7 %  ▪           upper    2,286  10.0 %  ▪▪
            3      172   0.8 %  ▪
            4        8  <0.1 %  ▪
        ");
        assert_snapshot!(shown(all(session)), @"
        key                   value   α       β  position
        55020203100030:1  ≥  +0.238  -1  +0.048  ww..bb../.w....../.w..b... w 5 5
        55020203100060:1  ≥  +0.238  -1  +0.048  ww...bb./.w....../.w..b... w 5 5
        55020203102020:1  ≥  +0.238  -1  +0.048  ww...b../.w...b../.w..b... w 5 5
        55020203100028:1  ≥  +0.238  -1  +0.048  ww.b.b../.w....../.w..b... w 5 5
        550202031000a0:1  ≥  +0.238  -1  +0.048  ww...b.b/.w....../.w..b... w 5 5
        55020203100120:1  ≥  +0.238  -1  +0.048  ww...b../bw....../.w..b... w 5 5
        6 of 22,819 entries
        ");
        let filter = ["depth=9"];
        let none = session.cache_list(&filter, Sort::Key, 0..6).unwrap();
        assert_snapshot!(shown(none), @"no entries match, 22,819 in all");
        assert_snapshot!(shown(session.cache_clean(Some(2000))), @"
          18443 entries of depth 0 removed, 4376 left
          2376 entries of depth 1 removed, 2000 left
        20,819 entries removed, 2,000 left
        note: timeline 2 branches off 1 after event 141,133
        ");
        assert_snapshot!(shown(session.cache_clear()), @"2,000 entries removed, 0 left");
    });
}

#[test]
fn cache_lists_of_other_policies_as_text() {
    let list = |policy: &str| {
        on(MOVING, &[("memo", policy), ("depth", "2")], |session| {
            session.run(&[]).unwrap();
            session.cache_list(&[], Sort::Table, 0..4).unwrap()
        })
    };
    assert_snapshot!(shown(list("exact")), @"
    key                   value  position
    00024888900262:0  =  -0.024  .b.w.bbw/.b.w..w./.w..b..b w 0 0
    00024888900254:0  =  -0.024  ..bwb.bw/.b.w..w./.w..b..b w 0 0
    00024888900251:0  =  -0.024  b..wb.bw/.b.w..w./.w..b..b w 0 0
    00024888900232:0  =  -0.024  .b.wbb.w/.b.w..w./.w..b..b w 0 0
    4 of 49 entries
    ");
    assert_snapshot!(shown(list("bound")), @"
    key             depth      value  position
    00024888900262      1  =  +0.024  .b.w.bbw/.b.w..w./.w..b..b w 0 0
    00024888900254      1  =  +0.024  ..bwb.bw/.b.w..w./.w..b..b w 0 0
    00024888900251      1  =  -0.024  b..wb.bw/.b.w..w./.w..b..b w 0 0
    00024888900232      1  =  +0.024  .b.wbb.w/.b.w..w./.w..b..b w 0 0
    4 of 118 entries
    ");
    assert_snapshot!(shown(list("rote")), @"
    key              value  position
    00092025208488  +0.024  w.wb.w.b/..b..w.b/w..w.b.. w 0 0
    1 of 1 entry
    ");
}

#[test]
fn cache_entries_as_text() {
    on(PLACING, &[("symmetry", "off")], |session| {
        session.value(3, None, None).unwrap();
        assert_snapshot!(shown(session.cache_get("here:3").unwrap()), @"
        7 ●───────────·───────────○   key    77000201100004:3
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   value  +0.047619047619047616
          │   │       │       │   │   alpha  -1
        5 │   │   ·───·───·   │   │   beta   +1
          │   │   │       │   │   │   bound  exact
        4 ·───·───·       ·───·───·   depth  3
          │   │   │       │   │   │
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        ");
        assert_snapshot!(shown(session.cache_get("here:2").unwrap()), @"
        77000201100004:2  absent
        stored for this position: 77000201100004:3
        ");
        let fields = [("value", "0.25"), ("alpha", "0.1"), ("beta", "inf")];
        assert_snapshot!(shown(session.cache_set("here:3", &fields).unwrap()), @"
        7 ●───────────·───────────○   key    77000201100004:3  changed
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   value  +0.25
          │   │       │       │   │     was  +0.047619047619047616
        5 │   │   ·───·───·   │   │   alpha  +0.1
          │   │   │       │   │   │     was  -1
        4 ·───·───·       ·───·───·   beta   +∞
          │   │   │       │   │   │     was  +1
        3 │   │   ·───·───○   │   │   bound  exact
          │   │       │       │   │   depth  3
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        ");
        assert_snapshot!(shown(session.cache_set("here:3", &fields).unwrap()), @"
        7 ●───────────·───────────○   key    77000201100004:3  unchanged
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   value  +0.25
          │   │       │       │   │   alpha  +0.1
        5 │   │   ·───·───·   │   │   beta   +∞
          │   │   │       │   │   │   bound  exact
        4 ·───·───·       ·───·───·   depth  3
          │   │   │       │   │   │
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        ");
        let narrow = [("value", "0.5"), ("alpha", "1"), ("beta", "0")];
        assert_snapshot!(shown(session.cache_set("here:7", &narrow).unwrap()), @"
        7 ●───────────·───────────○   key    77000201100004:7
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   value  +0.5
          │   │       │       │   │   alpha  +1
        5 │   │   ·───·───·   │   │   beta   0
          │   │   │       │   │   │   bound  upper
        4 ·───·───·       ·───·───·   depth  7
          │   │   │       │   │   │
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        note: alpha is not below beta, so the entry never replaces a search and only
              widens its window
        ");
        assert_snapshot!(shown(session.cache_remove("here:3").unwrap()), @"
        7 ●───────────·───────────○   key    77000201100004:3  removed
          │           │           │   w.b...../.w....../....b... w 7 7
        6 │   ·───────●───────·   │   value  +0.25
          │   │       │       │   │   alpha  +0.1
        5 │   │   ·───·───·   │   │   beta   +∞
          │   │   │       │   │   │   bound  exact
        4 ·───·───·       ·───·───·   depth  3
          │   │   │       │   │   │
        3 │   │   ·───·───○   │   │
          │   │       │       │   │
        2 │   ·───────·───────·   │
          │           │           │
        1 ·───────────·───────────·
          a   b   c   d   e   f   g
          ● White, 7 in hand   ○ Black, 7 in hand
        ");
    });
}

#[test]
fn keys_as_text() {
    on(MOVING, &[], |session| {
        assert_snapshot!(shown(session.key(None).unwrap()), @"
        7 ●───────────○───────────·   key        00210849084222
          │           │           │   canonical  00092025208488
        6 │   ·───────○───────·   │   wb.w.bw./.b.w..b./w..b.w.. w 0 0
          │   │       │       │   │
        5 │   │   ●───·───·   │   │
          │   │   │       │   │   │
        4 ·───·───·       ○───●───●
          │   │   │       │   │   │
        3 │   │   ·───●───·   │   │
          │   │       │       │   │
        2 │   ○───────·───────·   │
          │           │           │
        1 ●───────────○───────────·
          a   b   c   d   e   f   g
          ● White, 0 in hand   ○ Black, 0 in hand
        ");
        let canonical = session.key(None).unwrap().canonical;
        let key = session.key(Some(&canonical)).unwrap();
        assert_snapshot!(shown(key), @"
        7 ●───────────·───────────●   key        00092025208488
          │           │           │   canonical  the same
        6 │   ·───────·───────○   │   w.wb.w.b/..b..w.b/w..w.b.. w 0 0
          │   │       │       │   │
        5 │   │   ●───·───·   │   │
          │   │   │       │   │   │
        4 ○───○───·       ●───·───○
          │   │   │       │   │   │
        3 │   │   ·───○───·   │   │
          │   │       │       │   │
        2 │   ·───────●───────·   │
          │           │           │
        1 ·───────────●───────────·
          a   b   c   d   e   f   g
          ● White, 0 in hand   ○ Black, 0 in hand
        ");
    });
}

#[test]
fn files_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    on(PLACING, &[], |session| {
        session.value(3, None, None).unwrap();
        let mut saved = session.cache_save(&at("a.plyc"), None, None).unwrap();
        "caché.plyc".clone_into(&mut saved.file);
        saved.saved.merged = 3;
        assert_snapshot!(shown(saved), @"
        saved 692 entries to caché.plyc
          format native  convention relative  22.5 kB  3 duplicates merged
          692 in the cache now
        ");
        let mut loaded = session.cache_load(&at("a.plyc"), LoadOptions::default()).unwrap();
        "a.plyc".clone_into(&mut loaded.file);
        assert_snapshot!(shown(loaded), @"
        loaded 692 entries from a.plyc
          format native  convention relative  22.5 kB  692 in the cache now
        ");
        let mut saved = session.save_session(&at("s.ron"), &[].into(), true).unwrap();
        "s.ron".clone_into(&mut saved.file);
        assert_snapshot!(shown(saved), @"
        session saved to s.ron
          position w.b...../.w....../....b... w 7 7
          1 position to undo
          692 cache entries
        ");
    });
}

#[test]
fn the_benchmark_as_text() {
    let [placing, moving] = [PLACING, MOVING].map(|state| format!("morris {state}"));
    let chess = "chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = vec![
        BenchCase::new(&placing, "minimax none depth 3", 12_345, 1.0),
        BenchCase::new(&placing, "alphabeta interval nosym depth 5", 1_234_567, 1.0),
        BenchCase::new(&placing, "best sound", 25_000, 1.0),
        BenchCase::new(&moving, "minimax none depth 3", 345, 1.0),
        BenchCase::new(&moving, "minimax exact depth 3", 299, 1.0),
        BenchCase::new(chess, "best seed", 1, 1.0),
    ];
    let nodes = cases.iter().map(|case| case.nodes).sum();
    let mut bench = Bench { nodes, cases, ms: None };
    bench.forget_times();
    assert_snapshot!(shown(bench.clone()), @"
    case                                    nodes     time
    morris w.b...../.w....../....b... w 7 7
      minimax none depth 3                 12,345  12.3 ms
      alphabeta interval nosym depth 5  1,234,567  12.3 ms
      best sound                           25,000  12.3 ms
    morris wb.w.bw./.b.w..b./w..b.w.. w 0 0
      minimax none depth 3                    345  12.3 ms
      minimax exact depth 3                   299  12.3 ms
    chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      best seed                                 1  12.3 ms
    nodes 1272557  1.23 s  1.03 M nodes/s
    ");
    let mut timed = with_constant_times(boxed(bench.clone()));
    timed.forget_times();
    assert_eq!(view::text(&*timed), view::text(&bench));
    assert!(!view::text(&*timed).contains(" ms"));
    assert!(!serde_json::to_string(&timed).unwrap().contains("\"ms\""));
}

#[test]
fn a_text_is_one_sentence() {
    let message = |text: &str| PlainReply::new(text, serde_json::json!({"message": text}));
    assert_snapshot!(shown(message("the search was dropped: 3 → 2")), @"the search was dropped: 3 → 2");
    assert_eq!(view::text(&message("")), "");
}

#[test]
fn extents_of_charts_are_never_empty() {
    let plot = Plot::new("t", "x", "y");
    assert!(plot.is_empty());
    assert_eq!(plot.extent(0), [0.0, 1.0]);
    let one = plot.clone().with_series("a", [(3.0, 4.0), (f64::NAN, 1.0), (5.0, f64::INFINITY)]);
    assert_eq!(one.series[0].points, [[3.0, 4.0]]);
    assert_eq!(one.extent(1), [2.0, 6.0]);
    let two = plot.with_series("a", [(0.0, -1.0), (2.0, 5.0)]);
    assert_eq!((two.extent(0), two.extent(1)), ([0.0, 2.0], [-1.0, 5.0]));
}

#[test]
fn only_a_game_that_divides_its_sum_names_a_divisor() {
    let mut shell = Shell::default();
    let mut value = |line: &str| {
        let last = shell.run_line(line).pop().unwrap().unwrap();
        last.reply.line()
    };
    assert_eq!(
        value(&format!("game morris; position set '{MOVING}'; eval")),
        "value +1 / 42 = +0.024 for White, the side to move"
    );
    // With the king's table of the search's root, as in the seeds, the terms do not add up to the value.
    let endgame = "4k3/8/8/8/3Q4/8/4P3/4K3 w - - 0 1";
    for king in ["seed", "sound"] {
        let line = format!("game chess; search set king={king}; eval '{endgame}'");
        assert!(!value(&line).contains('/'), "{king}");
    }
}

#[test]
fn the_one_line_form_of_a_reply_is_its_most_important_line() {
    let mut shell = Shell::default();
    for (statement, wanted) in [
        ("perft 2", "depth 2  leaves 552"),
        ("rules show", "double_mill=two flying=on"),
        ("eval", "value 0 for White, the side to move"),
        ("key", "key 99000000000000"),
        ("weights list", "weight sets default"),
        ("delete all", "no breakpoints"),
        ("undisplay all", "nothing is displayed"),
        (
            "search run --depth 2; explain value",
            "White is to move, and 24 moves were searched 2 plies",
        ),
        ("search drop; step 5; where", "event 4: descend"),
        ("back continue", "the recording begins here, 5 events back"),
        ("goto 3; timeline", "2 timelines, 0 marks, on 2 at event 3"),
        ("search compare --depth 1", "every search finds 0"),
    ] {
        let response = shell.run_line(statement).pop().unwrap().unwrap();
        let line = view::line(&*response.reply);
        assert!(line.starts_with(wanted), "{statement}: {line}");
    }
}
