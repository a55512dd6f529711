//! The explained source of every bound agrees with the events.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use crate::common::{
    cases::cases,
    roots::{root, selective},
    running::settings,
};
use plyscope::engine::{
    chess::Chess,
    explain::{BoundSource, End, SetBy, Windows},
    game::{Game, Result, Score, Window},
    morris::Morris,
    search::{Event, EventKind, Limits, Plan, Search, Stop, Watcher},
    searcher::{RunLimits, Searcher},
};
use proptest::{prelude::*, sample::select};

/// Checks the source of both bounds at every event.
struct Tracker<'a, G: Game> {
    windows: (&'a G, plyscope::engine::search::Algorithm),
    /// The windows of the stack's nodes when they were entered.
    entered: Vec<Window>,
    /// The sources of β at cutoffs.
    cutoffs: BTreeSet<String>,
}

/// The bound of the node at `ply` that follows from a source.
pub fn reproduced<G: Game>(game: &G, source: &BoundSource, ply: usize) -> Score {
    (source.ply as usize..ply).fold(source.value, |value, _| value.child(game))
}

impl<G: Game> Tracker<'_, G> {
    fn check(&self, search: &Search<G>, ply: usize, end: End) -> BoundSource {
        let (game, algorithm) = self.windows;
        let source = Windows { game, search, algorithm }.source(ply, end);
        let (frames, from) = (search.frames(), source.ply as usize);
        let bound = |at: usize| if (ply - at).is_multiple_of(2) { end } else { other(end) };
        assert_eq!(reproduced(game, &source, ply), end.of(frames[ply].window), "{source:?}");
        for (at, frame) in frames.iter().enumerate().take(ply + 1).skip(from + 1) {
            let [now, then] = [frame.window, self.entered[at]].map(|window| bound(at).of(window));
            assert_eq!(now, then, "an entry changed it at ply {at}: {source:?}");
        }
        let node = &frames[from];
        let best = node.best_move().map(|mv| game.move_text(&node.position, mv));
        let fits = match &source.by {
            SetBy::Entry => from == 0 || node.window != self.entered[from],
            SetBy::Move { mv } => {
                from < ply
                    && bound(from) == End::Alpha
                    && best.as_ref() == Some(mv)
                    && node.best == source.value
            }
            SetBy::StandPat => {
                from < ply && best.is_none() && node.depth == 0 && node.best == source.value
            }
            SetBy::ZeroWindow => from < ply && bound(from) == End::Beta && node.is_scout(algorithm),
            SetBy::NullWindow => from < ply && bound(from) == End::Alpha && node.has_null_move,
            SetBy::Search => from == 0 && bound(0).of(search.full_window()) == source.value,
            SetBy::Aspiration | SetBy::Pass => from == 0,
            SetBy::Hand | SetBy::Program | SetBy::Wider => false,
        };
        assert!(fits, "ply {ply} {end:?}: {source:?}");
        source
    }
}

const fn other(end: End) -> End {
    match end {
        End::Alpha => End::Beta,
        End::Beta => End::Alpha,
    }
}

impl<G: Game> Watcher<Search<G>> for Tracker<'_, G> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let (ply, top) = (event.ply as usize, search.frames().last().unwrap());
        if matches!(event.kind, EventKind::Iteration | EventKind::Pass | EventKind::Descend) {
            self.entered.truncate(ply);
            self.entered.push(top.window);
        }
        let source = self.check(search, ply, End::Beta);
        self.check(search, ply, End::Alpha);
        if event.kind == EventKind::Cutoff {
            self.cutoffs.insert(format!("{:?}", source.by).split(' ').next().unwrap().to_owned());
        }
        false
    }
}

/// Runs searches on one cache and checks every window. Returns the sources of β at cutoffs.
fn tracked<G: Game + Default>(
    root: &str,
    pairs: &[(&str, &str)],
    budget: u64,
) -> Result<BTreeSet<String>> {
    let (game, never) = (G::default(), AtomicBool::new(false));
    let settings = settings(pairs.iter().copied());
    let position = game.parse_position(root)?;
    let mut searcher = Searcher::new(&game, &settings, &game.default_weights())?;
    let mut cutoffs = BTreeSet::new();
    for depth in [2, 3, 4] {
        for best in [false, true] {
            let plan = |window| {
                if best {
                    Plan::Best(Limits { last: depth + 1, ..settings.limits() })
                } else {
                    Plan::Value { depth, window }
                }
            };
            let root = (&position, &G::History::default());
            let (mut search, evaluator) = searcher.search(root, plan, Some(budget))?;
            let mode = searcher.mode();
            let context =
                plyscope::engine::search::Context { game: &game, evaluator: &evaluator, mode };
            let windows = (&game, mode.algorithm);
            let mut tracker = Tracker { windows, entered: Vec::new(), cutoffs: BTreeSet::new() };
            let stop = search.drive(
                &context,
                &mut searcher.table,
                &mut tracker,
                &RunLimits::new(&never, None),
            );
            assert!(stop.is_own() && stop != Stop::Interrupt);
            cutoffs.extend(tracker.cutoffs);
        }
    }
    Ok(cutoffs)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn the_source_of_every_bound_reproduces_it(
        root in root(),
        policy in select(vec!["none", "exact", "interval", "bound"]),
        (algorithm, fidelity) in (select(vec!["minimax", "alphabeta", "pvs", "mtdf"]), select(vec!["sound", "seed"])),
        (quiescence, aspiration) in (select(vec!["off", "on"]), select(vec!["off", "0.05"])),
        selective in select(selective()),
    ) {
        let pairs = [
            ("memo", policy), ("algorithm", algorithm), ("fidelity", fidelity), ("quiescence", quiescence),
            ("aspiration", aspiration), ("budget", "off"),
        ];
        let pairs: Vec<_> = pairs.iter().chain(selective).copied().collect();
        let known = if root.contains('/') && root.split('/').count() == 8 {
            tracked::<Chess>(&root, &pairs, 500)
        } else {
            tracked::<Morris>(&root, &pairs, 500)
        };
        prop_assume!(known.is_ok());
    }
}

#[test]
fn cutoffs_have_every_source_in_both_games() {
    let settings: [(&str, &[_]); 6] = [
        ("Move", &[("memo", "none")]),
        ("Entry", &[("memo", "interval"), ("order", "captures")]),
        ("StandPat", &[("quiescence", "on")]),
        ("ZeroWindow", &[("algorithm", "pvs"), ("memo", "bound")]),
        ("Pass", &[("algorithm", "mtdf"), ("memo", "bound")]),
        ("Aspiration", &[("aspiration", "0.01"), ("root", "best"), ("memo", "bound")]),
    ];
    for (source, pairs) in settings {
        let chess = tracked::<Chess>("6k1/5pp1/7p/3n4/8/2R5/5PPP/6K1 w - - 0 1", pairs, 20_000);
        let morris = tracked::<Morris>("......../.w.b.w.b/........ w 7 7", pairs, 20_000);
        assert_eq!(morris.is_err(), source == "StandPat", "morris has no quiescence search");
        for seen in [chess.unwrap()].into_iter().chain(morris) {
            assert!(seen.contains(source), "{source}: {seen:?}");
        }
    }
}
