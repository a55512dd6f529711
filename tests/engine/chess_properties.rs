//! Sound chess searches compared with plain negamax, on caches shared by positions, depths and histories.

// `Chess` is small, but every game is passed by reference.
#![allow(clippy::trivially_copy_pass_by_ref)]

use std::collections::BTreeMap;

use crate::common::{
    cases::cases,
    chess::{ROOTS, after, chess, random_game},
    reference::{check_line, compare, negamax, negamax_with_quiescence},
    running::{finish, new_table, settings, with_table},
};
use plyscope::engine::{
    chess::{Chess, Evaluator, Key, PlayedLine, Position},
    game::{Game, Notation, Rules, Score, SearchRules, pgn},
    search::{Context, EventKind, Limits, Plan, Search},
    settings::Settings,
    table::{AnyTable, NoTable},
};
use proptest::prelude::*;

/// The depth of seed 003's quiescence search in plies.
const MAX_QUIESCENCE_DEPTH: u8 = 4;

/// A game and the settings it is searched with.
struct Setup {
    game: Chess,
    settings: Settings,
}

impl Setup {
    fn new(pairs: &[(&'static str, &'static str)]) -> Self {
        let settings = settings(pairs.iter().copied());
        Self { game: chess(settings.configure()), settings }
    }

    fn with_repetition(mut self, times: &str) -> Self {
        self.game.set_rule("repetition", times).unwrap();
        self
    }

    fn truth(&self, position: &Position, line: &PlayedLine, depth: u8) -> Score {
        let evaluator = self.evaluator(position);
        let mut line = line.clone();
        if self.settings.quiescence {
            let plies = (depth, MAX_QUIESCENCE_DEPTH);
            negamax_with_quiescence(&self.game, &evaluator, position, &mut line, plies)
        } else {
            negamax(&self.game, &evaluator, position, &mut line, depth)
        }
    }

    fn context<'a>(&'a self, evaluator: &'a Evaluator) -> Context<'a, Chess> {
        Context { game: &self.game, evaluator, mode: self.settings.mode() }
    }

    fn evaluator(&self, root: &Position) -> Evaluator {
        let weights = self.game.default_weights();
        self.game.evaluator(&weights, root).unwrap()
    }

    fn value(
        &self,
        table: &mut AnyTable<Key>,
        position: &Position,
        line: &PlayedLine,
        depth: u8,
    ) -> Score {
        let evaluator = self.evaluator(position);
        let context = self.context(&evaluator);
        let window = self.game.full_window(&evaluator);
        let plan = Plan::Value { depth, window };
        let mut search = Search::new(&context, plan, position.clone(), line.clone(), None);
        with_table!(table, table => finish(&context, table, &mut search));
        search.value().unwrap()
    }
}

fn all_searches() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for policy in ["none", "exact", "interval", "bound"] {
        for order in
            ["none", "memo", "static", "captures", "captures+killers+history", "memo+static"]
        {
            all.push(vec![("memo", policy), ("order", order)]);
        }
        all.push(vec![("memo", policy), ("algorithm", "minimax")]);
        all.push(vec![("memo", policy), ("quiescence", "on")]);
        all.push(vec![("memo", policy), ("algorithm", "alphabeta"), ("fail", "soft")]);
        all.push(vec![("memo", policy), ("algorithm", "pvs"), ("fail", "hard")]);
        all.push(vec![("memo", policy), ("algorithm", "pvs"), ("quiescence", "on")]);
        all.push(vec![("memo", policy), ("algorithm", "mtdf")]);
        all.push(vec![("memo", policy), ("order", "usual"), ("leaves", "on")]);
    }
    all
}

proptest! {
    #![proptest_config(cases(6))]

    /// Several positions, each with its own history, and several depths share one cache.
    #[test]
    fn sound_searches_on_a_shared_cache_find_the_values_of_plain_negamax(
        root in 0..ROOTS.len(),
        games in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..24), 1..4),
        times in prop::sample::select(vec!["five", "three"]),
    ) {
        // The true value does not depend on policy and move order.
        let mut truths = BTreeMap::new();
        for pairs in all_searches() {
            let setup = Setup::new(&pairs).with_repetition(times);
            let quiescence = setup.settings.quiescence;
            let mut table = new_table::<Chess>(&setup.settings);
            for (place, choices) in games.iter().enumerate() {
                let (position, line) = random_game(&setup.game, root, choices);
                let crowded = position.board().occupied().len() > 10;
                let deepest = if crowded || quiescence { 1 } else { 3 };
                for depth in [deepest, 0, deepest + 1] {
                    let found = setup.value(&mut table, &position, &line, depth);
                    let truth = truths.entry((quiescence, place, depth)).or_insert_with(|| setup.truth(&position, &line, depth));
                    prop_assert_eq!(found, *truth, "{:?} {} depth {}", pairs, position, depth);
                }
            }
        }
    }

}

proptest! {
    #![proptest_config(cases(40))]

    /// Incremental state equals state computed from scratch, and notations read back, wherever a game leads.
    #[test]
    fn a_positions_incremental_state_stays_consistent(
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let game = Chess::default();
        let (position, line) = random_game(&game, root, &choices);
        prop_assert_eq!(*position.balance(), position.counted());
        let read: Position = position.to_string().parse().unwrap();
        prop_assert_eq!(&read, &position);
        prop_assert_eq!(read.hash(), position.hash());
        let mut moves = Vec::new();
        game.list_moves(&position, &line, &mut moves);
        let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
        prop_assert!(texts.is_sorted(), "{:?}", texts);
        for mv in moves {
            let san = game.san(&position, mv).unwrap();
            prop_assert_eq!(game.parse_move(&position, &line, &san).unwrap(), mv);
            prop_assert_eq!(game.parse_move(&position, &line, &mv.to_string()).unwrap(), mv);
        }
    }

    /// No text makes a parser panic.
    #[test]
    fn readers_refuse_with_a_reason(text in "\\PC{0,60}", fen in "[1-8pnbrqkPNBRQK/]{0,40} [wb] [KQkq-]{1,4} [a-h][1-8] [0-9]{1,3} [0-9]{1,2}") {
        let game = Chess::default();
        let start = game.start();
        let _ = game.parse_position(&text);
        let _ = game.parse_position(&fen);
        let _ = game.parse_move(&start, &PlayedLine::default(), &text);
        let _ = game.parse_key(&text);
        let _ = pgn::read_all(&game, &text);
        let _ = pgn::lost_content(&game, &text, "");
    }
}

/// Positions with kings and few other pieces.
fn few_pieces() -> impl Strategy<Value = Position> {
    let squares = Just((0..64).collect::<Vec<usize>>()).prop_shuffle();
    let letters = prop::sample::select(b"NnBBBbbbP".to_vec());
    (squares, prop::collection::vec(letters, 0..5)).prop_filter_map(
        "no position",
        |(squares, letters)| {
            let mut board = [['1'; 8]; 8];
            for (letter, square) in b"Kk".iter().chain(&letters).zip(squares) {
                board[square / 8][square % 8] = char::from(*letter);
            }
            let ranks = board.map(|rank| rank.iter().collect::<String>());
            format!("{} w - - 0 1", ranks.join("/")).parse().ok()
        },
    )
}

proptest! {
    #![proptest_config(cases(600))]

    /// Nobody can mate with bare kings, one knight, or bishops on squares of one colour.
    #[test]
    fn too_little_material_is_a_draw(position in few_pieces()) {
        let game = Chess::default();
        let board: Vec<char> = position.to_string().split(' ').next().unwrap().chars()
            .flat_map(|letter| match letter.to_digit(10) {
                Some(empty) => vec![' '; empty as usize],
                None if letter == '/' => Vec::new(),
                None => vec![letter],
            })
            .collect();
        let others: Vec<_> = (0..64).filter(|&at| !" kK".contains(board[at])).collect();
        let of = |at: usize| board[at].to_ascii_lowercase();
        let colour = |at: usize| (at / 8 + at % 8) % 2;
        let draw = match others.as_slice() {
            [one] => of(*one) != 'p',
            all => all.iter().all(|&at| of(at) == 'b' && colour(at) == colour(all[0])),
        };
        prop_assert_eq!(position.insufficient_material(), draw, "{}", position);
        let mut moves = Vec::new();
        game.list_moves(&position, &PlayedLine::default(), &mut moves);
        if !moves.is_empty() {
            let value = game.terminal(&position, &PlayedLine::default());
            prop_assert_eq!(value, draw.then_some(Score::ZERO), "{}", position);
            let termination = game.termination(&position, &PlayedLine::default());
            prop_assert_eq!(termination == "too little material", draw);
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_principal_variation_leads_to_the_value(
        root in 2..ROOTS.len(),
        choices in prop::collection::vec(any::<u8>(), 0..24),
    ) {
        let setup = Setup::new(&[("memo", "none"), ("order", "captures")]);
        let (position, line) = random_game(&setup.game, root, &choices);
        let evaluator = setup.evaluator(&position);
        let context = setup.context(&evaluator);
        let window = setup.game.full_window(&evaluator);
        let plan = Plan::Value { depth: 7, window };
        let mut search = Search::new(&context, plan, position, line, Some(100_000));
        finish(&context, &mut NoTable::default(), &mut search);
        prop_assume!(search.value().is_some());
        check_line(&context, &search);
    }
}

/// All settings of a search.
fn any_settings() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let any_of = |name, values: &[&'static str]| {
        prop::sample::select(values.to_vec()).prop_map(move |value| (name, value))
    };
    (
        any_of("fidelity", &["seed", "sound"]),
        any_of("algorithm", &["minimax", "alphabeta", "alphabeta", "pvs", "pvs", "mtdf"]),
        any_of("memo", &["none", "exact", "interval", "bound", "rote"]),
        any_of(
            "order",
            &[
                "auto",
                "memo",
                "seed",
                "static",
                "captures",
                "memo+static",
                "captures+killers+history",
                "best+captures",
                "etc+best+captures+killers+static",
                "usual",
            ],
        ),
        any_of("reuse", &["auto", "exact", "deeper"]),
        any_of("history", &["auto", "exact", "count", "ignore", "skip"]),
        any_of("ends", &["auto", "seed", "sound"]),
        any_of("quiescence", &["on", "off"]),
        any_of("max_size", &["1000000", "15"]),
        any_of("replace", &["auto", "depth", "use", "clean"]),
        (
            any_of("null", &["off", "off", "1", "2"]),
            any_of("lmr", &["off", "off", "1", "2"]),
            any_of("futility", &["off", "off", "50", "1e9"]),
            any_of("extend", &["off", "off", "on"]),
            any_of("see", &["off", "on"]),
        ),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j, (k, l, m, n, see))| {
            let mut all = vec![a, b, c, d, e, f, g, h, i, j, see];
            // Late move reductions and futility compare with a window, which minimax does not have.
            all.extend([k, l, m, n].into_iter().filter(|_| b.1 != "minimax"));
            all
        })
}

/// A search for a value and, if every root move gets the full window, one for the best moves on the same cache,
/// compared with the recursion. Returns the kinds of events.
fn beside_the_recursion(
    pairs: &[(&'static str, &'static str)],
    (root, choices): (usize, &[u8]),
    budget: u64,
) -> Vec<EventKind> {
    let setup = Setup::new(pairs).with_repetition("three");
    let (position, line) = random_game(&setup.game, root, choices);
    let evaluator = setup.evaluator(&position);
    let context = setup.context(&evaluator);
    let window = setup.game.full_window(&evaluator);
    let limits = Limits { last: 3, ..setup.settings.limits() };
    let mut tables = [(); 2].map(|()| new_table::<Chess>(&setup.settings));
    let mut events = Vec::new();
    let best = context.mode.exact_root_moves.then_some(Plan::Best(limits));
    // Late move reductions begin at depth 3, and not at the root.
    let depth = if context.mode.selective.is_some() { 4 } else { 2 };
    for plan in [Plan::Value { depth, window }].into_iter().chain(best) {
        let at = (&position, &line);
        events.extend(compare(&context, plan, at, Some(budget), &mut tables));
    }
    events.into_iter().map(|event| event.kind).collect()
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn searches_equal_the_recursion_event_by_event(
        pairs in any_settings(),
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<u8>(), 0..24),
        budget in 1..800_u64,
    ) {
        beside_the_recursion(&pairs, (root, &choices), budget);
    }
}

#[test]
fn hash_moves_are_stored_with_the_nodes_history() {
    let pairs = [
        ("fidelity", "seed"),
        ("memo", "bound"),
        ("order", "best+captures"),
        ("history", "exact"),
        ("quiescence", "on"),
    ];
    beside_the_recursion(&pairs, (2, &[41]), 176);
}

/// The compared searches have every kind of event that chess has.
#[test]
fn every_kind_of_event_is_compared_with_the_recursion() {
    let settings: [&[_]; 6] = [
        &[("memo", "interval"), ("quiescence", "on"), ("max_size", "15")],
        &[("memo", "bound"), ("history", "skip")],
        &[("memo", "bound"), ("reuse", "deeper")],
        &[("memo", "bound"), ("algorithm", "pvs")],
        &[("memo", "bound"), ("algorithm", "mtdf")],
        &[("null", "1"), ("lmr", "1"), ("futility", "50"), ("extend", "on")],
    ];
    // The rook mates, or moves back and forth until the position has repeated.
    let shuffle = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    let mut seen = Vec::new();
    for pairs in settings {
        for root in 0..ROOTS.len() {
            for choices in [&shuffle[..0], &shuffle] {
                seen.extend(beside_the_recursion(pairs, (root, choices), 2_000));
            }
        }
    }
    // Of traces, and of games with endgame tables.
    let others = [EventKind::Static, EventKind::Leave, EventKind::Note, EventKind::Tables];
    for &kind in EventKind::ALL {
        assert!(seen.contains(&kind) != others.contains(&kind), "{kind:?}");
    }
}

/// At every node of perft trees, terms, hash and text equal those of the position set up from its text.
#[test]
fn incremental_state_equals_recomputed_state_at_every_perft_node() {
    fn visit(game: &Chess, position: &Position, depth: u32) -> u64 {
        assert_eq!(*position.balance(), position.counted(), "{position}");
        let read: Position = position.to_string().parse().unwrap();
        assert_eq!(read.hash(), position.hash(), "{position}");
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        game.list_moves(position, &PlayedLine::default(), &mut moves);
        let below = moves.iter().map(|mv| visit(game, &game.apply(position, *mv), depth - 1));
        below.sum()
    }
    let game = Chess::default();
    for (fen, depth, leaves) in [
        (ROOTS[0], 3, 8_902),
        (ROOTS[1], 2, 2_039),
        (ROOTS[2], 3, 2_812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
    ] {
        assert_eq!(visit(&game, &fen.parse().unwrap(), depth), leaves, "{fen}");
    }
}

/// The distance to mate is right for entries of any depth.
#[test]
fn deeper_entries_keep_the_distance_to_mate_right() {
    let setup = Setup::new(&[("memo", "bound"), ("reuse", "deeper")]);
    let (position, line) = after(&setup.game, "k7/7K/8/8/6r1/8/8/5r2 b - - 0 1", &[]);
    let mut table = new_table::<Chess>(&setup.settings);
    for depth in [4, 3, 2, 1] {
        let value = setup.value(&mut table, &position, &line, depth);
        assert_eq!(value.get(), 99_998.0, "mate in one at depth {depth}");
    }
    let (before, line) = after(&setup.game, "k7/7K/8/8/6r1/8/8/4r3 w - - 0 1", &[]);
    let lost = setup.value(&mut table, &before, &line, 4);
    assert!(lost.get() > -99_998.0 || setup.truth(&before, &line, 4) == lost);
}

/// A search that reaches the hundredth ply without a capture or pawn move finds the draw, although the cache has the
/// value of the same position with plies to spare.
#[test]
fn the_fifty_move_rule_is_not_hidden_by_entries_of_younger_positions() {
    for memory in ["none", "exact", "interval", "bound"] {
        let setup = Setup::new(&[("memo", memory)]);
        let mut table = new_table::<Chess>(&setup.settings);
        for depth in 1..=4_u8 {
            let mut found = |clock: u8| {
                let fen = format!("6k1/8/8/8/8/2R5/8/6K1 w - - {clock} 80");
                let (position, line) = after(&setup.game, &fen, &[]);
                setup.value(&mut table, &position, &line, depth).get()
            };
            let values = [0, 99 - depth, 100 - depth].map(&mut found);
            assert!(values[0] > 400.0 && values[1] == values[0], "{memory} {depth}: {values:?}");
            assert_eq!(values[2], 0.0, "{memory} {depth}");
        }
    }
}

/// Captures on one square go on for more than four plies, and each further ply changes the value.
#[test]
fn a_quiescence_search_ends_after_four_plies() {
    let setup = Setup::new(&[("memo", "none"), ("quiescence", "on")]);
    let fen = "3r2k1/3r4/2n2b2/3p4/2P5/2N2B2/3R4/3R2K1 w - - 0 1";
    let (position, mut line) = after(&setup.game, fen, &[]);
    let evaluator = setup.evaluator(&position);
    let mut truth =
        |plies| negamax_with_quiescence(&setup.game, &evaluator, &position, &mut line, (0, plies));
    let [shorter, right, longer] =
        [MAX_QUIESCENCE_DEPTH - 1, MAX_QUIESCENCE_DEPTH, MAX_QUIESCENCE_DEPTH + 1].map(&mut truth);
    assert!(shorter != right && right != longer, "{fen}: {shorter} {right} {longer}");
    let found =
        setup.value(&mut new_table::<Chess>(&setup.settings), &position, &PlayedLine::default(), 0);
    assert_eq!(found, right, "{fen}");
}

/// The hash of the start. Files hold keys, so it must not change with a new version of the rules crate.
#[test]
fn hashes_are_those_that_files_hold() {
    assert_eq!(Chess::default().start().hash(), 0x33ab_452b_8705_6e0f);
}

/// A king move onto the square passed by the pawn is no en-passant capture.
#[test]
fn a_king_beside_the_passed_square_captures_nothing_en_passant() {
    let game = Chess::default();
    let (position, _) = after(&game, "8/2p5/3p4/KP2r3/3R1p1k/8/4P1P1/8 w - - 0 2", &["g2g4"]);
    let read: Position = position.to_string().parse().unwrap();
    assert_eq!(read, position);
}
