//! Texts of chess: boards, moves, games, keys and the terms of the evaluation.

use plyscope::engine::{
    chess::{Chess, Key, Move, PlayedLine, Position},
    game::{
        Board, Fault, Game, GameOptions, Key as _, KeyScheme, LastMove, Packed, Rules, SearchRules,
        Side, TaggedGame, pgn,
    },
};

use crate::common::chess::chess;

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

fn parse(position: &Position, text: &str) -> Result<Move, Fault> {
    Chess::default().parse_move(position, &PlayedLine::default(), text)
}

fn name(position: &Position, mv: Move) -> String {
    Chess::default().san(position, mv).unwrap()
}

fn pack(position: &Position) -> Packed {
    Chess::default().pack(position, KeyScheme::Plain).unwrap()
}

fn plan(fen: &str, last: Option<&str>) -> Board {
    let last = last.map(|text| text.parse().unwrap());
    Chess::default().board(&position(fen), &PlayedLine::default(), last).unwrap()
}

#[test]
fn every_square_is_where_its_name_says() {
    let plan = plan("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None);
    for point in &plan.points {
        let (file, rank) = (&plan.files[point.x as usize], &plan.ranks[point.y as usize]);
        assert_eq!(point.name, format!("{file}{rank}"));
    }
    assert_eq!((plan.points.len(), plan.moves.len(), plan.check), (64, 20, None));
    assert_eq!((plan.points[4].piece, plan.points[4].stone), (Some('K'), Some(Side::White)));
}

#[test]
fn check_last_move_and_promotions_are_marked() {
    let plan = plan("3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1", Some("d7d8"));
    assert_eq!(plan.check.map(|at| plan.points[at].name.as_str()), Some("d1"));
    let of = |name: &str| plan.points.iter().find(|point| point.name == name).unwrap();
    assert_eq!((of("d8").last, of("d7").last), (Some(LastMove::To), Some(LastMove::From)));
    let pieces: Vec<_> = plan.moves.iter().filter_map(|mv| mv.promotion).collect();
    assert_eq!(pieces, ['B', 'N', 'Q', 'R']);
}

/// The UCI and SAN text of a move, both read and written.
fn both(fen: &str, uci: &str, san: &str) {
    let position = position(fen);
    let mv: Move = uci.parse().unwrap();
    assert_eq!(parse(&position, uci).unwrap(), mv, "{fen} {uci}");
    assert_eq!(name(&position, mv), san, "{fen}");
    assert_eq!(parse(&position, san).unwrap(), mv, "{fen}");
}

#[test]
fn moves_are_written_and_read() {
    both("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4");
    both("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5");
    both("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6");
    both("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O");
    both("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O");
    both("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
    both("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N");
    both("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q");
    both("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#");
}

/// A piece's letter may be small; `b` is a pawn of that file first.
#[test]
fn small_letters_of_pieces_are_read() {
    let bishop_or_pawn = "4k3/8/8/8/8/2n1p3/1P6/B1B3NK w - - 0 1";
    for (text, uci) in [("nf3", "g1f3"), ("bxc3", "b2c3"), ("bxe3", "c1e3"), ("kg2", "h1g2")] {
        let mv = parse(&position(bishop_or_pawn), text);
        assert_eq!(mv.map(|mv| mv.to_string()), Ok(uci.to_owned()), "{text}");
    }
    assert!(parse(&position(bishop_or_pawn), "qd1").is_err());
}

#[test]
fn moves_of_two_pieces_to_one_square_are_disambiguated() {
    both("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "b1d2", "Nbd2");
    both("4k3/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4");
    both("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1");
    // The knight on c3 is pinned, so the other one needs no file.
    both("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2");
}

#[test]
fn readers_accept_other_spellings() {
    let promoting = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["e8=Q", "e8Q", "e8(Q)", "e7-e8=Q", "e8=Q!?"] {
        assert_eq!(parse(&promoting, text).unwrap().to_string(), "e7e8q", "{text}");
    }
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(parse(&start, "Ng1-f3").unwrap().to_string(), "g1f3");
}

#[test]
fn castling_is_written_only_as_castling() {
    let both_sides = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for text in ["0-0", "o-o+", "O-O!?"] {
        assert_eq!(parse(&both_sides, text).unwrap().to_string(), "e1g1");
    }
    for text in ["Kg1", "Kh1", "Kxh1", "Kc1", "e1h1"] {
        assert!(parse(&both_sides, text).is_err(), "{text}");
    }
}

#[test]
fn unreadable_texts_are_refused_with_the_reason() {
    let fault = |fen: &str, text: &str| {
        let fault = parse(&position(fen), text).unwrap_err();
        (fault.message, fault.hint.unwrap())
    };
    let (message, hint) = fault("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "Nd2");
    assert_eq!(message, "Nd2 can be more than one move");
    assert_eq!(hint, "write Nbd2 or Nfd2");
    let (message, hint) = fault("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8");
    assert!(message.contains("does not name the promotion piece") && hint.contains("e8=Q"));
    assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5").0.contains("no white pawn"));
    assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "O-O").0.contains("cannot castle"));
    assert!(fault("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "é9").0.contains("is not a move"));
}

fn words(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn first(text: &str) -> (Position, Vec<Move>) {
    let game = pgn::read(&Chess::default(), text).unwrap().unwrap();
    (game.start.clone(), game.line())
}

#[test]
fn games_with_everything_in_them_are_read() {
    let text = "[Event \"A \\ test\"]\n[Result \"1-0\"]\n\n; a line\n1. e4 {best (by) test} e5 2.Nf3!? $6 (2. f4 exf4 (2... d5) {gambit (}) 2... Nc6\n% escape\n3.Bb5 a6 4. O-O 1-0 5. rest";
    let (start, moves) = first(text);
    assert_eq!(start, Chess::default().start());
    assert_eq!(words(&moves), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1");
}

#[test]
fn written_games_read_back() {
    let chess = Chess::default();
    let start: Position = "r3k2r/P7/8/3pP3/8/8/8/R3K2R b KQkq - 4 9".parse().unwrap();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in ["d4", "axb1=Q", "O-O", "b8=N"] {
        let Ok(mv) = parse(&position, text) else {
            continue;
        };
        moves.push(mv);
        position = position.after(mv);
    }
    let tags = [("White", "one \\ \"two\""), ("Termination", "rules")];
    let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let text = pgn::write(&chess, &TaggedGame::plain(start.clone(), &moves, tags));
    assert!(text.contains("[FEN \"r3k2r/P7/8/3pP3/8/8/8/R3K2R b KQkq - 4 9\"]"), "{text}");
    assert!(text.contains("9... d4 10. O-O"), "{text}");
    assert_eq!(first(&text), (start, moves));
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn faults_name_their_place() {
    let place = |text: &str| {
        let fault = pgn::read(&Chess::default(), text).unwrap_err();
        (fault.message, fault.at.unwrap())
    };
    assert_eq!(place("1. e4 e5 2. Ke3").1, 12..15);
    assert!(place("1. e4 {no end").0.contains("comment"));
    assert!(place("1. e4 (1. d4").0.contains("variation"));
    assert!(place("[Event").0.contains("tag"));
    let (message, at) = place("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]");
    assert!(message.contains("White has 0 kings"), "{message}");
    assert_eq!(at, 6..21);
}

#[test]
fn positions_come_back() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 130 77",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 5",
        "8/K1k4P/8/8/8/8/8/8 w - - 3 1",
    ] {
        let position = position(fen);
        let packed = pack(&position);
        assert_eq!(Chess::default().unpack(&packed), Some(position.clone()), "{fen}");
        assert!(packed.is_known());
    }
    assert_eq!(Chess::default().unpack(&Packed::UNKNOWN), None);
}

#[test]
fn clock_and_move_number_do_not_distinguish_positions() {
    let [one, other, black] = ["w - - 0 1", "w - - 9 40", "b - - 0 1"].map(|rest| {
        let fen = format!("8/K1k4P/8/8/8/8/8/8 {rest}");
        pack(&position(&fen))
    });
    assert!(!one.contradicts(&other) && one != other);
    assert!(one.contradicts(&black));
    assert!(!one.contradicts(&Packed::UNKNOWN));
}

/// Chess with the queen's table as seed 004 reads it.
fn mirrored() -> Chess {
    chess(GameOptions { mirrored_queen: true, ..GameOptions::default() })
}

fn value(game: Chess, fen: &str) -> f64 {
    let position = position(fen);
    assert_eq!(*position.balance(), position.counted());
    let evaluator = game.evaluator(&game.default_weights(), &position).unwrap();
    game.evaluate(&evaluator, &position).get()
}

#[test]
fn a_mirrored_board_has_the_same_value_for_the_other_side() {
    let one = "r1b4r/7p/5p1n/p2k1P2/P1p3P1/b2nR3/1P1PP3/1NBQ2K1 w - - 2 25";
    let other = "1nbq2k1/1p1pp3/B2Nr3/p1P3p1/P2K1p2/5P1N/7P/R1B4R b - - 2 25";
    for game in [Chess::default(), mirrored()] {
        assert_eq!(value(game, one), value(game, other));
    }
}

#[test]
fn terms_add_up_to_the_value() {
    let position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let terms = mirrored().terms(&mirrored().default_weights(), &position);
    let sum: f64 = terms.iter().map(|term| term.balance().get()).sum();
    assert_eq!(sum, 105.0);
    assert_eq!(terms.len(), 14);
}

#[test]
fn weights_that_look_like_mates_are_refused() {
    let game = Chess::default();
    let mut weights = game.default_weights();
    weights.set("queen", 6000.0).unwrap();
    let fault = game.evaluator(&weights, &game.start()).unwrap_err();
    assert!(fault.message.contains("mate values"), "{fault}");
}

#[test]
fn keys_read_back_as_they_are_written() {
    let game = Chess::default();
    for key in [
        Key::new(0, 0, None),
        Key::new(0x0123_4567_89AB_CDEF, 4, Some(99)),
        Key::new(u64::MAX, u32::MAX, None),
        Key::new(7, 0, Some(1234)),
    ] {
        assert_eq!(game.parse_key(&game.format_key(key)).unwrap(), key);
        let mut bytes = Vec::new();
        key.write(&mut bytes);
        assert_eq!((bytes.len(), Key::read(&bytes).unwrap()), (Key::BYTES, key));
    }
    for wrong in ["", "12", "0123456789abcdeg", "0123456789abcdef.x1", "0123456789abcdef.p"] {
        assert!(game.parse_key(wrong).is_err(), "{wrong}");
    }
    assert!(Key::read(&[0; 13]).is_err());
}
