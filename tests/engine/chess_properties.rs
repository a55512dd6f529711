//! Sound chess searches against plain negamax, on caches shared by positions, depths and histories.

// Clippy knows tests by their attribute and not the functions they share.
// The game is small today and passed as every game is.
#![allow(clippy::trivially_copy_pass_by_ref)]

use crate::common::{
    cases::cases,
    chess::{after, chess},
    reference::{negamax, restless},
    running::{finish, memo, settings, with_memo},
};
use plyscope::engine::{
    chess::{Chess, Line, Position},
    game::{Game, History, Score},
    search::{Context, Deepening, Plan, QUIESCENCE_PLIES},
    settings::Settings,
};
use proptest::prelude::*;

/// Where random games begin: much material, little, mates near, clocks that run out, promotions.
const ROOTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5pp1/7p/8/8/2R5/5PPP/6K1 w - - 96 80",
    "k7/7K/8/8/6r1/8/8/5r2 b - - 97 60",
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1",
    "6k1/5pp1/8/8/8/8/5PPP/N4BK1 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 93 90",
];

/// A position reached by moves of chance, with what led there. Moves there and back are frequent, so that positions recur.
fn walk(game: &Chess, root: usize, choices: &[u8]) -> (Position, Line) {
    let (mut position, mut line) = after(game, ROOTS[root % ROOTS.len()], &[]);
    let mut played = Vec::new();
    for &choice in choices {
        let mut moves = Vec::new();
        if game.expand(&position, &line, &mut moves).is_some() {
            break;
        }
        let back = played.len().checked_sub(2).map(|at| played[at]);
        let back = back.map(
            |mv: plyscope::engine::chess::Move| plyscope::engine::chess::Move {
                from: mv.to,
                to: mv.from,
                promotion: None,
            },
        );
        let returning = back.filter(|mv| choice % 4 != 0 && moves.contains(mv));
        let mv = returning.unwrap_or(moves[usize::from(choice) % moves.len()]);
        played.push(mv);
        line.push(&position);
        position = game.apply(&position, mv);
    }
    (position, line)
}

/// A game, its heuristic and the settings it is searched with.
struct Table {
    game: Chess,
    settings: Settings,
}

impl Table {
    fn new(pairs: &[(&'static str, &'static str)]) -> Self {
        let settings = settings(pairs.iter().copied());
        Self {
            game: chess(settings.conduct()),
            settings,
        }
    }

    fn with_repetition(mut self, times: &str) -> Self {
        self.game.set_rule("repetition", times).unwrap();
        self
    }

    fn truth(&self, position: &Position, line: &Line, depth: u8) -> Score {
        let evaluator = self
            .game
            .evaluator(&self.game.default_weights(), position)
            .unwrap();
        let mut line = line.clone();
        if self.settings.quiescence {
            restless(
                &self.game,
                &evaluator,
                position,
                &mut line,
                (depth, QUIESCENCE_PLIES),
            )
        } else {
            negamax(&self.game, &evaluator, position, &mut line, depth)
        }
    }

    fn value<M: plyscope::engine::memo::Memo<plyscope::engine::chess::Key>>(
        &self,
        memo: &mut M,
        position: &Position,
        line: &Line,
        depth: u8,
    ) -> Score {
        let evaluator = self
            .game
            .evaluator(&self.game.default_weights(), position)
            .unwrap();
        let context = Context {
            game: &self.game,
            evaluator: &evaluator,
            mode: self.settings.mode(),
        };
        let window = self.game.full_window(&evaluator);
        let plan = Plan::Value { depth, window };
        let mut search = Deepening::new(&context, plan, position.clone(), line.clone(), None);
        finish(&context, memo, &mut search);
        search.value().unwrap()
    }
}

fn everywhere() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for memo in ["none", "exact", "interval", "bound"] {
        for order in ["none", "memo", "static", "captures"] {
            all.push(vec![("memo", memo), ("order", order)]);
        }
        all.push(vec![("memo", memo), ("algorithm", "minimax")]);
        all.push(vec![("memo", memo), ("quiescence", "on")]);
    }
    all
}

proptest! {
    #![proptest_config(cases(24))]

    /// Several positions, each after its own past, and several depths share one cache.
    #[test]
    fn sound_searches_on_a_shared_cache_find_the_values_of_plain_negamax(
        root in 0..ROOTS.len(),
        walks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..24), 1..4),
        times in prop::sample::select(vec!["five", "three"]),
    ) {
        for pairs in everywhere() {
            let table = Table::new(&pairs).with_repetition(times);
            let quiet = !table.settings.quiescence;
            let mut memo = memo::<Chess>(&table.settings);
            for choices in &walks {
                let (position, line) = walk(&table.game, root, choices);
                let crowded = position.board().occupied().len() > 10;
                let deepest = if crowded || !quiet { 1 } else { 3 };
                for depth in [deepest, 0, deepest + 1] {
                    let found = with_memo!(&mut memo, memo => table.value(memo, &position, &line, depth));
                    let truth = table.truth(&position, &line, depth);
                    prop_assert_eq!(found, truth, "{:?} {} depth {}", pairs, position, depth);
                }
            }
        }
    }

    /// What is kept up move by move equals what is counted afresh, and notations read back, wherever a game leads.
    #[test]
    fn positions_stay_true_to_themselves(
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let game = Chess::default();
        let (position, line) = walk(&game, root, &choices);
        prop_assert_eq!(*position.balance(), position.counted());
        let read: Position = position.to_string().parse().unwrap();
        prop_assert_eq!(&read, &position);
        prop_assert_eq!(read.hash(), position.hash());
        let mut moves = Vec::new();
        game.list_moves(&position, &line, &mut moves);
        let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
        prop_assert!(texts.is_sorted(), "{:?}", texts);
        for mv in moves {
            let san = game.name_move(&position, mv).unwrap();
            prop_assert_eq!(game.parse_move(&position, &line, &san).unwrap(), mv);
            prop_assert_eq!(game.parse_move(&position, &line, &mv.to_string()).unwrap(), mv);
        }
    }

    /// No text makes a reader panic.
    #[test]
    fn readers_refuse_politely(text in "\\PC{0,60}", fen in "[1-8pnbrqkPNBRQK/]{0,40} [wb] [KQkq-]{1,4} [a-h][1-8] [0-9]{1,3} [0-9]{1,2}") {
        let game = Chess::default();
        let start = game.start();
        let _ = game.parse_position(&text);
        let _ = game.parse_position(&fen);
        let _ = game.parse_move(&start, &Line::default(), &text);
        let _ = game.parse_key(&text);
        let _ = game.import(&text, usize::MAX);
        let _ = game.lost(&text, "");
    }
}

/// Every node of perft trees: terms, hashes and texts are those of a position set up afresh.
#[test]
fn at_every_perft_node_what_is_kept_up_equals_what_is_counted() {
    fn visit(game: &Chess, position: &Position, depth: u32) -> u64 {
        assert_eq!(*position.balance(), position.counted(), "{position}");
        let read: Position = position.to_string().parse().unwrap();
        assert_eq!(read.hash(), position.hash(), "{position}");
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        game.list_moves(position, &Line::default(), &mut moves);
        let below = moves
            .iter()
            .map(|mv| visit(game, &game.apply(position, *mv), depth - 1));
        below.sum()
    }
    let game = Chess::default();
    for (fen, depth, leaves) in [
        (ROOTS[0], 3, 8_902),
        (ROOTS[1], 3, 97_862),
        (ROOTS[2], 4, 43_238),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            3,
            9_467,
        ),
    ] {
        assert_eq!(visit(&game, &fen.parse().unwrap(), depth), leaves, "{fen}");
    }
}

/// A mate is as far away as it is, whichever depth the entry that tells of it has.
#[test]
fn deeper_entries_keep_the_distance_to_mate_right() {
    let table = Table::new(&[("memo", "bound"), ("reuse", "deeper")]);
    let (position, line) = after(&table.game, "k7/7K/8/8/6r1/8/8/5r2 b - - 0 1", &[]);
    let mut memo = memo::<Chess>(&table.settings);
    for depth in [4, 3, 2, 1] {
        let value = with_memo!(&mut memo, memo => table.value(memo, &position, &line, depth));
        assert_eq!(value.get(), 99_998.0, "mate in one at depth {depth}");
    }
    let (before, line) = after(&table.game, "k7/7K/8/8/6r1/8/8/4r3 w - - 0 1", &[]);
    let lost = with_memo!(&mut memo, memo => table.value(memo, &before, &line, 4));
    assert!(lost.get() > -99_998.0 || table.truth(&before, &line, 4) == lost);
}

/// The published hash of the start: files hold keys, so it must not change with the rules crate.
#[test]
fn hashes_are_those_that_files_hold() {
    assert_eq!(Chess::default().start().hash(), 0x33ab_452b_8705_6e0f);
}

/// The king may step onto the square that the pawn passed, which is no en-passant capture.
#[test]
fn a_king_beside_the_passed_square_captures_nothing_en_passant() {
    let game = Chess::default();
    let (position, _) = after(
        &game,
        "8/2p5/3p4/KP2r3/3R1p1k/8/4P1P1/8 w - - 0 2",
        &["g2g4"],
    );
    let read: Position = position.to_string().parse().unwrap();
    assert_eq!(read, position);
}
