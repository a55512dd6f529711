//! Nine Men's Morris compared with data of other programs (`tests/data`).

use std::{collections::BTreeSet, fs};

use crate::common::facts::facts;
use plyscope::engine::{
    game::{Game, KeyScheme, Rules, Score, SearchRules, Side, Weights},
    morris::{DoubleMill, Key, Morris, Move, Point, PointSet, Position, Setup},
};
use serde_json::Value;

fn data(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text).collect()
}

fn position(value: &Value) -> Position {
    text(value).parse().unwrap()
}

fn moves(morris: Morris, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    morris.generate_moves(position, &mut moves);
    moves
}

/// The texts of all successors; no two moves lead to the same one.
fn successors(morris: Morris, position: &Position) -> BTreeSet<String> {
    let moves = moves(morris, position);
    assert!(moves.is_sorted(), "the documented order: {moves:?}");
    let states: BTreeSet<_> =
        moves.iter().map(|&mv| morris.apply(position, mv).to_string()).collect();
    assert_eq!(states.len(), moves.len(), "one move a successor at {position}");
    states
}

#[test]
fn successors_and_utility_equal_the_seeds() {
    let morris = Morris::default();
    for case in facts("morris-successors.jsonl", 162) {
        let position = position(&case["state"]);
        let listed = successors(morris, &position);
        let expected: BTreeSet<_> =
            texts(&case["successors"]).iter().map(|s| (*s).to_owned()).collect();
        assert_eq!(listed, expected, "{case}");
        assert_eq!(morris.count_moves(&position), listed.len() as u64, "{case}");
        let utility = case.get("utility").and_then(Value::as_f64).and_then(Score::new);
        assert_eq!(morris.terminal(&position, &()), utility, "{case}");
        assert_eq!(case["finished"].as_bool(), Some(utility.is_some()), "{case}");
        let mut expanded = Vec::new();
        assert_eq!(morris.expand(&position, &(), &mut expanded), utility);
        assert_eq!(expanded.is_empty(), utility.is_some());
    }
}

#[test]
fn boards_equal_those_of_another_engine() {
    let morris = Morris::default();
    for case in facts("morris-legal-independent.jsonl", 80) {
        let position = position(&case["state"]);
        let finished = morris.terminal(&position, &()).is_some();
        assert_eq!(Some(finished), case["terminal"].as_bool(), "{case}");
        let phase = match text(&case["phase"]) {
            "place" => "placing",
            "move" => "moving",
            "fly" => "flying",
            other => panic!("phase {other}"),
        };
        assert_eq!(morris.status(&position, &()).phase, phase, "{case}");
        // The other engine lists no moves after the end of the game.
        let boards: BTreeSet<_> = successors(morris, &position)
            .iter()
            .filter(|_| !finished)
            .map(|state| state[..26].replace('/', ""))
            .collect();
        let expected = texts(&case["boards"]);
        let expected: BTreeSet<_> = expected.iter().map(|b| (*b).to_owned()).collect();
        assert_eq!(boards, expected, "{case}");
    }
}

/// The numbers after `"value":` on a line, parsed by the standard library: `serde_json` rounds some doubles wrongly
/// unless its feature `float_roundtrip` is on.
fn exact_values(line: &str) -> impl Iterator<Item = f64> {
    let behind = line.split("\"value\":").skip(1);
    behind.map(|rest| rest[..rest.find('}').unwrap()].parse().unwrap())
}

#[test]
fn the_heuristic_equals_the_seeds_bit_for_bit() {
    let morris = Morris::default();
    let text = data("morris-heuristic.jsonl");
    assert_eq!(text.lines().count(), 129);
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let position = position(&case["state"]);
        let pairs = case["values"].as_array().unwrap();
        for (pair, expected) in pairs.iter().zip(exact_values(line)) {
            let numbers: Vec<_> =
                pair["weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
            let names = ["stones", "stash", "mills", "possible_mills"];
            let weights = Weights::new(names.into_iter().zip(numbers));
            let evaluator = morris.evaluator(&weights, &position).unwrap();
            let value = morris.evaluate(&evaluator, &position).get();
            assert_eq!(value.to_bits(), expected.to_bits(), "{position} {pair}: {value}");
        }
    }
}

#[test]
fn orbits_equal_the_seeds() {
    let morris = Morris::default();
    for case in facts("morris-symmetry.jsonl", 75) {
        let position = position(&case["state"]);
        let orbit = morris.orbit(&position);
        assert_eq!(orbit[0], position);
        let mut listed: Vec<_> = orbit.iter().map(Position::to_string).collect();
        listed.sort();
        assert_eq!(listed, texts(&case["orbit"]));
        let key = morris.key(&position, KeyScheme::Canonical);
        let least = orbit.iter().map(|image| morris.key(image, KeyScheme::Colour)).min();
        assert_eq!(Some(key), least);
    }
}

#[test]
fn keys_equal_the_seeds() {
    let morris = Morris::default();
    for case in facts("morris-keys.jsonl", 394) {
        let position = position(&case["state"]);
        let key = morris.key(&position, KeyScheme::Colour);
        assert_eq!(key.to_string(), text(&case["key"]));
        assert_eq!(Key::from_seed_bytes(key.seed_bytes()), Ok(key));
        let as_white = match position.side() {
            Side::White => position,
            Side::Black => position.swap_colours(),
        };
        assert_eq!(morris.decode(key), Some(as_white));
    }
}

#[test]
fn recorded_games_are_legal() {
    let morris = Morris::default();
    for game in facts("morris-games.jsonl", 17) {
        let log = texts(&game["log"]);
        for (ply, pair) in log.windows(2).enumerate() {
            let before: Position = pair[0].parse().unwrap();
            let after: Position = pair[1].parse().unwrap();
            assert_eq!(morris.terminal(&before, &()), None, "{} ply {ply}", game["file"]);
            let legal =
                moves(morris, &before).into_iter().any(|mv| morris.apply(&before, mv) == after);
            assert!(legal, "{} ply {ply}: {before} to {after}", game["file"]);
        }
        let last: Position = log[log.len() - 1].parse().unwrap();
        let winner = morris.status(&last, &()).winner.map_or(' ', Side::letter);
        assert_eq!(winner.to_string(), text(&game["winner"]), "{}", game["file"]);
    }
}

fn counts(value: &Value, limit: u64) -> Vec<u64> {
    let counts = value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap());
    counts.take_while(|&n| n <= limit).collect()
}

fn perft_agrees(morris: Morris, position: &Position, expected: &[u64]) {
    let depths = 1..=expected.len() as u32;
    let counted: Vec<_> = depths.map(|depth| morris.perft(position, &mut (), depth)).collect();
    assert_eq!(counted, expected, "{position} under {morris:?}");
}

#[test]
fn perft_from_the_start() {
    let suite: Value = serde_json::from_str(&data("perft.json")).unwrap();
    let seeds = counts(&suite["initial"]["seeds_compound"], 100_000_000);
    assert_eq!(seeds.len(), 6);
    perft_agrees(Morris::default(), &Position::START, &seeds);
}

#[test]
#[ignore = "36 billion leaves: half a minute in release"]
fn perft_from_the_start_deep() {
    let suite: Value = serde_json::from_str(&data("perft.json")).unwrap();
    let seeds = counts(&suite["initial"]["seeds_compound"], 40_000_000_000);
    assert_eq!(seeds.len(), 8);
    perft_agrees(Morris::default(), &Position::START, &seeds);
}

#[test]
fn perft_of_the_suite() {
    let suite: Value = serde_json::from_str(&data("perft.json")).unwrap();
    let single = Morris { double_mill: DoubleMill::One, ..Morris::default() };
    for case in suite["suite"].as_array().unwrap() {
        let board = text(&case["board"]);
        let state = format!(
            "{}/{}/{} {} {} {}",
            &board[..8],
            &board[8..16],
            &board[16..],
            text(&case["side"]),
            case["hand_w"],
            case["hand_b"]
        );
        let position = state.parse().unwrap();
        let limit = 50_000_000;
        perft_agrees(Morris::default(), &position, &counts(&case["seeds_compound"], limit));
        perft_agrees(single, &position, &counts(&case["openspiel_compound"], limit));
    }
}

/// The sixteen lines, from their definition.
fn lines() -> impl Iterator<Item = [Point; 3]> {
    let at = |ring: usize, cell: usize| Point::new(8 * ring + cell % 8).unwrap();
    let along = (0..3)
        .flat_map(move |ring| [0, 2, 4, 6].map(|cell| [0, 1, 2].map(|step| at(ring, cell + step))));
    along.chain([1, 3, 5, 7].map(|cell| [0, 1, 2].map(|ring| at(ring, cell))))
}

#[test]
fn mills_and_what_would_close_one_agree_with_the_lines() {
    let mut seed = 1u32;
    for _ in 0..5000 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let stones = PointSet::from_bits(seed >> 8 & seed << 3 | seed >> 5 & seed >> 9);
        let stones: PointSet = stones.into_iter().take(9).collect();
        let setup = Setup { stones: [stones, PointSet::EMPTY], hand: [0, 9], side: Side::White };
        let position = setup.position().unwrap();
        for point in Point::all() {
            let filled = lines().any(|line| {
                line.contains(&point) && line.iter().all(|&p| p == point || stones.contains(p))
            });
            let (own, set) = (stones.contains(point), position.in_mills(Side::White));
            assert_eq!(set.contains(point), own && filled, "{point} among {stones}");
        }
        let counted = Morris::default().terms(&Morris::default().default_weights(), &position);
        let mills = lines().filter(|line| line.iter().all(|&p| stones.contains(p))).count();
        assert_eq!(counted[2].white, mills as f64, "{stones}");
    }
}

#[test]
fn neighbours_are_one_step_along_a_line() {
    for point in Point::all() {
        let stepped: PointSet = lines()
            .flat_map(|[a, b, c]| [(a, b), (b, a), (b, c), (c, b)])
            .filter(|&(from, _)| from == point)
            .map(|(_, to)| to)
            .collect();
        assert_eq!(point.neighbours(), stepped, "{point}");
    }
}
