//! Tables with `verify=on`: a game with hashes of a few bits, in which everything collides.

use std::sync::Arc;

use proptest::prelude::*;

use crate::common::{cases::cases, morris::position, plain::PLAIN};
use plyscope::engine::{
    game::{
        Fault, Feature, Game, GameStatus, KeyScheme, Notation, Packed, Rules, Score, SearchRules,
        Side, Term, Weights, Window,
    },
    morris::{Evaluator, Morris, Move, Position},
    session::{AnySession, Session, audit::AuditScope, cache::Sort},
};

/// Morris with keys of this number of bits.
#[derive(Clone, Copy, Debug)]
struct Weak {
    bits: u32,
}

impl Weak {
    const RULES: Morris = Morris {
        double_mill: plyscope::engine::morris::DoubleMill::Two,
        flying: plyscope::engine::morris::Flying::On,
        tables: plyscope::engine::morris::Tables::NONE,
    };
}

impl Rules for Weak {
    const NAME: &'static str = "weak";

    type Position = Position;
    type History = ();
    type Move = Move;
    type Key = u16;
    type Evaluator = Evaluator;

    fn side(&self, position: &Position) -> Side {
        position.side()
    }

    fn expand(&self, position: &Position, (): &(), moves: &mut Vec<Move>) -> Option<Score> {
        Self::RULES.expand(position, &(), moves)
    }

    fn apply(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn evaluator(&self, weights: &Weights, root: &Position) -> Result<Evaluator, Fault> {
        Self::RULES.evaluator(weights, root)
    }

    fn evaluate(&self, evaluator: &Evaluator, position: &Position) -> Score {
        Self::RULES.evaluate(evaluator, position)
    }

    fn full_window(&self, evaluator: &Evaluator) -> Window {
        Self::RULES.full_window(evaluator)
    }

    fn key(&self, position: &Position, scheme: KeyScheme) -> u16 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        ("1", Self::RULES.key(position, scheme)).hash(&mut hasher);
        (hasher.finish() & ((1 << self.bits) - 1)) as u16
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn default_weights(&self) -> Weights {
        Self::RULES.default_weights()
    }
}

impl SearchRules for Weak {
    const PACKS_POSITIONS: bool = true;

    fn pack(&self, position: &Position, scheme: KeyScheme) -> Option<Packed> {
        Self::RULES.pack(position, scheme)
    }
}

impl Notation for Weak {
    fn parse_position(&self, text: &str) -> Result<Position, Fault> {
        text.parse()
    }

    fn format_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }
}

impl Game for Weak {
    fn unpack(&self, packed: &Packed) -> Option<Position> {
        Self::RULES.unpack(packed)
    }

    fn parse_move(&self, position: &Position, (): &(), text: &str) -> Result<Move, Fault> {
        Self::RULES.parse_move(position, &(), text)
    }

    fn features() -> &'static [Feature<Position>] {
        Morris::features()
    }

    fn status(&self, position: &Position, (): &()) -> GameStatus {
        Self::RULES.status(position, &())
    }

    fn terms(&self, weights: &Weights, position: &Position) -> Vec<Term> {
        Self::RULES.terms(weights, position)
    }

    fn draw(&self, position: &Position) -> String {
        Self::RULES.draw(position)
    }
}

fn session(bits: u32, state: &str, settings: &[(&str, &str)]) -> Box<dyn AnySession> {
    let mut session: Box<dyn AnySession> = Box::new(Session::new(Weak { bits }, Arc::default()));
    session.set_settings(settings).unwrap();
    session.set_position(state).unwrap();
    session
}

fn value(session: &mut dyn AnySession, depth: u8) -> Score {
    session.value(depth, None, None).unwrap().value.unwrap()
}

const MIDDLE: &str = "b..w.w../.b.....w/bw..bw.. b 4 5";
const POLICIES: [&str; 3] = ["exact", "interval", "bound"];

#[test]
fn collisions_are_counted_and_never_answer() {
    let truth = value(&mut *session(16, MIDDLE, &[("memo", "none")]), 3);
    for policy in POLICIES {
        for bits in [0, 3, 8, 12] {
            let settings = [&PLAIN[..], &[("memo", policy), ("verify", "on")]].concat();
            let mut verified = session(bits, MIDDLE, &settings);
            assert_eq!(value(&mut *verified, 3), truth, "{policy}, {bits} bits");
            let stats = verified.cache_stats();
            assert!(stats.collisions > Some(0), "{policy}, {bits} bits");
            let report = verified.audit(AuditScope::all(20)).unwrap();
            assert!(report.checked > 0 && report.unchecked.is_empty());
            assert_eq!(report.wrong, 0, "{policy}, {bits} bits: {:?}", report.flaws);
        }
        let wrong = (1..9).filter(|&bits| {
            let mut trusting = session(bits, MIDDLE, &[&PLAIN[..], &[("memo", policy)]].concat());
            let found = value(&mut *trusting, 3);
            assert_eq!(trusting.cache_stats().collisions, None);
            found != truth
        });
        assert!(wrong.count() > 3, "{policy}: such hashes cannot be trusted");
    }
}

#[test]
fn listed_entries_show_the_positions_they_were_written_for() {
    let mut verified = session(12, MIDDLE, &[("memo", "bound"), ("verify", "on")]);
    value(&mut *verified, 2);
    let list = verified.cache_list(&[], Sort::Table, 0..usize::MAX).unwrap();
    for entry in &list.entries {
        let state = entry.state.as_ref().expect("a position");
        let position: Position = state.parse().unwrap();
        let key = Weak { bits: 12 }.key(&position, KeyScheme::Canonical);
        assert_eq!(entry.key, format!("{key:04x}"));
        assert_eq!(verified.cache_get(&entry.key).unwrap().entry.unwrap().state, entry.state);
    }
    let filter = ["stones >= 0"];
    let found = verified.cache_list(&filter, Sort::Table, 0..0).unwrap();
    assert_eq!(found.matching, list.total);
    // An edited entry keeps its position.
    let (key, state) = (&list.entries[0].key, &list.entries[0].state);
    verified.cache_set(key, &[("value", "0.5")]).unwrap();
    assert_eq!(&verified.cache_get(key).unwrap().entry.unwrap().state, state);
}

#[test]
fn a_session_goes_on_with_the_same_collisions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.ron");
    let settings = [("memo", "bound"), ("verify", "on"), ("record", "off")];
    let mut straight = session(6, MIDDLE, &settings);
    value(&mut *straight, 3);
    straight.save_session(&path, &<_>::default(), true).unwrap();
    let mut resumed = session(6, MIDDLE, &[]);
    let opened = plyscope::engine::cachefile::Document::read(&path).unwrap();
    resumed.restore(opened, &path).unwrap();
    for depth in [2, 4] {
        let [one, other] = [&mut straight, &mut resumed].map(|session| {
            let found = session.value(depth, None, None).unwrap();
            let stats = serde_json::to_value(session.cache_stats()).unwrap();
            (found.value, found.nodes, stats)
        });
        assert_eq!(one, other, "depth {depth}");
    }
}

#[test]
fn switching_verify_off_forgets_positions_and_on_trusts_the_entries() {
    let mut session = session(12, MIDDLE, &[("memo", "interval"), ("verify", "on")]);
    value(&mut *session, 2);
    let states = |session: &dyn AnySession| {
        let list = session.cache_list(&[], Sort::Table, 0..usize::MAX);
        let entries = list.unwrap().entries;
        entries.iter().filter(|entry| entry.state.is_some()).count()
    };
    assert_eq!(states(&*session), session.cache_stats().cache.entries);
    session.set_settings(&[("verify", "off")]).unwrap();
    session.set_settings(&[("verify", "on")]).unwrap();
    assert_eq!(states(&*session), 0);
    let report = session.audit(AuditScope::all(20)).unwrap();
    assert_eq!((report.checked, report.unchecked.len()), (0, 1));
}

proptest! {
    #![proptest_config(cases(24))]

    /// Going back and forwards again has the same collisions at the same events.
    #[test]
    fn going_back_takes_positions_back_too(root in position(), bits in 2..10_u32, most in 20..200_usize) {
        use plyscope::engine::recording::Resume;
        let most = most.to_string();
        let settings = [("memo", "bound"), ("verify", "on"), ("depth", "3"), ("max_size", most.as_str())];
        let mut session = session(bits, &root.to_string(), &settings);
        if session.position().finished {
            return Ok(());
        }
        let last = session.resume(Resume::Goto(u64::MAX)).unwrap().event.unwrap().index;
        let mut look = |part: u64| {
            session.resume(Resume::Goto(last * part / 6)).unwrap();
            let stats = session.cache_stats();
            let counts = (stats.cache, stats.evictions);
            let list = session.cache_list(&[], Sort::Table, 0..usize::MAX).unwrap();
            (counts, stats.collisions, serde_json::to_value(list).unwrap())
        };
        let there = [0, 1, 2, 3, 4, 5].map(&mut look);
        for part in [4, 1, 2, 5, 0, 3, 2] {
            prop_assert_eq!(&look(part), &there[part as usize], "part {}", part);
        }
    }
}
