//! Games in PGN: trees of moves, the places of games in a file, and the formulas of reviews.

use plyscope::{
    engine::{
        chess::Chess,
        game::{
            Game, Score, Side,
            pgn::{self, GameIndex, GameSplitter},
            review::{Judgement, game_accuracy, move_accuracy, shown_percent, win_percent},
        },
        morris::Morris,
    },
    text::style::Scale,
};

const FILE: &str = "\u{feff}% escape\n[Event \"a [b] \\\"c\\\"\"]\n\n1. e4 {1-0 [x] (} e5 (1... c5 ; 0-1 (\n2. c3 1-0) * {after}\n\n\
    [Event \"open\"]\n\n1. d4 {no end\n\n[Event \"next\"]\n\n1. c4 1/2-1/2 1. g3 *\n";

#[test]
fn games_are_found_in_pieces_as_in_the_whole() {
    let whole = GameIndex::of(FILE.as_bytes()).spans;
    assert_eq!(whole.len(), 4);
    assert_eq!(whole.iter().map(|span| span.line).collect::<Vec<_>>(), [1, 7, 11, 13]);
    assert_eq!((whole[0].start, whole[3].end), (0, FILE.len() as u64));
    assert!(whole.windows(2).all(|pair| pair[0].end == pair[1].start));
    for size in 1..9 {
        let mut splitter = GameSplitter::default();
        FILE.as_bytes().chunks(size).for_each(|piece| splitter.feed(piece));
        assert_eq!(splitter.finish().spans, whole, "{size}");
    }
}

fn rewritten<G: Game>(rules: &G, text: &str) -> String {
    let game = pgn::read(rules, text).unwrap().unwrap();
    let moves = pgn::write_moves(rules, &game);
    let again = pgn::read(rules, &moves).unwrap().unwrap();
    assert!(again.has_moves_of(&game), "{moves}");
    moves.trim_end().replace('\n', " ")
}

#[test]
fn comments_annotations_and_variations_are_kept() {
    let chess = Chess::default();
    for (text, wanted) in [
        ("1.e4!? e5 2.Nf3", "1. e4 $5 e5 2. Nf3 *"),
        (
            "{first} 1. e4 ( {why} 1. d4 d5 (1... Nf6 $14) ) 1... e5 *",
            "{first} 1. e4 ({why} 1. d4 d5 (1... Nf6 $14)) 1... e5 *",
        ),
        // A null move cannot be played: the variation stays as a comment.
        ("1. e4 e5 (1... -- 2. d4) 2. Nf3 1-0", "1. e4 e5 {(1... -- 2. d4)} 2. Nf3 1-0"),
        ("1. e4 += e5 □ 2. d4 +- *", "1. e4 $14 e5 $7 2. d4 $18 *"),
        ("1. e4 ; to the end }\n1... e5 *", "1. e4 ; to the end } 1... e5 *"),
    ] {
        assert_eq!(rewritten(&chess, text), wanted);
    }
    let morris = Morris::default();
    let text = "1. 5 14 (1... 22 {by number}) 2. 2 $1 11 3. 8x14 0-1";
    assert_eq!(rewritten(&morris, text), "1. d6 f4 (1... a1 {by number}) 2. d7 $1 b4 3. d5xf4 0-1");
    let deep = format!("1. e4 {}", "(1. e4 ".repeat(500));
    assert!(pgn::read(&chess, &deep).unwrap_err().message.contains("variations are nested"));
}

#[test]
fn winning_chances_and_accuracy_are_those_of_lichess() {
    let scale = Scale::Centipawns { mate: Some(99_999.0), threshold: 90_000.0, greatest: 99_999.0 };
    let chances = |value: f64| win_percent(scale, Score::new(value).unwrap());
    let is_close = |one: f64, other: f64| (one - other).abs() < 0.05;
    assert!(is_close(chances(0.0), 50.0) && is_close(chances(100.0), 59.1));
    assert!(is_close(chances(-300.0), 24.9) && is_close(chances(99_990.0), 97.5));
    // People expect a mate, however far, to be certain.
    let shown = |value: f64| shown_percent(scale, Score::new(value).unwrap());
    assert_eq!([-99_990.0, -300.0, 99_999.0].map(shown), [0.0, chances(-300.0), 100.0]);
    assert!(is_close(move_accuracy(0.0), 100.0));
    assert!(is_close(move_accuracy(10.0), 64.6), "{}", move_accuracy(10.0));
    assert_eq!(Judgement::of(4.9), None);
    let named = [5.0, 10.0, 15.0].map(Judgement::of);
    assert_eq!(named, Judgement::ALL.map(Some));
    let [white, black] = game_accuracy(Side::White, &[50.0, 50.0, 50.0, 10.0], &[0.0, 0.0, 40.0]);
    assert!(white.unwrap() < 60.0 && black == Some(100.0), "{white:?} {black:?}");
    assert_eq!(game_accuracy(Side::Black, &[50.0], &[]), [None, None]);
}
