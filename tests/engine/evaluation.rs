//! The evaluation of both games is the sum of its terms, and symmetric for White and Black.

use plyscope::engine::{
    chess::Chess,
    game::{Game, GameOptions, Rules, SearchRules, Weights},
    morris::Morris,
};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::common::{cases::cases, chess, chess::chess, morris, running::settings};

const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The evaluation for White, and the sum of its terms.
fn of_white<G: Game>(game: &G, weights: &Weights, position: &G::Position) -> [f64; 2] {
    let evaluator = game.evaluator(weights, position).unwrap();
    let value = game.evaluate(&evaluator, position).get();
    let sign = if game.side(position).letter() == 'w' { 1.0 } else { -1.0 };
    let terms = game.terms(weights, position);
    let balance = |term: &plyscope::engine::game::Term| term.weight * (term.white - term.black);
    [sign * value, terms.iter().map(balance).sum()]
}

/// Each term's value for each side.
fn shares<G: Game>(game: &G, position: &G::Position) -> Vec<[f64; 2]> {
    let terms = game.terms(&game.default_weights(), position);
    terms.iter().map(|term| [term.white, term.black]).collect()
}

/// The position with colours and sides of the board exchanged.
fn other_side(position: &plyscope::engine::chess::Position) -> plyscope::engine::chess::Position {
    let text = position.to_string();
    let fields: Vec<_> = text.split(' ').collect();
    let other_case = |letter: char| {
        if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        }
    };
    let ranks: Vec<String> =
        fields[0].rsplit('/').map(|rank| rank.chars().map(other_case).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let mut rights: Vec<char> = fields[2].chars().map(other_case).collect();
    rights.sort_unstable();
    let rights: String = rights.into_iter().collect();
    let passed = fields[3].replace('3', "?").replace('6', "3").replace('?', "6");
    let board = ranks.join("/");
    format!("{board} {side} {rights} {passed} {} {}", fields[4], fields[5]).parse().unwrap()
}

/// Chess as searches of a fidelity evaluate it.
fn evaluated() -> impl Strategy<Value = Chess> {
    let fidelity = select(vec!["seed", "sound"]);
    fidelity.prop_map(|fidelity| {
        let configure: GameOptions =
            settings([("algorithm", "minimax"), ("fidelity", fidelity)]).configure();
        chess(configure)
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_terms_of_chess_add_up_to_the_evaluation_for_either_side(
        game in evaluated(),
        position in chess::position(),
        numbers in vec(0..1_000_i32, 14),
    ) {
        let names = game.default_weights();
        let names = names.iter().map(|(name, _)| name);
        let weights = Weights::new(names.zip(numbers).map(|(name, of)| {
            (name, f64::from(if PIECES.contains(&name) { of } else { of % 3 }))
        }));
        let other = other_side(&position);
        let [value, sum] = of_white(&game, &weights, &position);
        prop_assert_eq!(value, sum);
        prop_assert_eq!(of_white(&game, &weights, &other), [-value, -value]);
        let swapped: Vec<_> = shares(&game, &other).into_iter().map(|[w, b]| [b, w]).collect();
        prop_assert_eq!(shares(&game, &position), swapped);
    }

    #[test]
    fn the_terms_of_morris_add_up_to_the_evaluation_for_either_side(
        position in morris::position(),
        weights in morris::bounded_weights(),
    ) {
        let game = Morris::default();
        let [stones, stash, mills, possible] = morris::NAMES.map(|name| weights.get(name));
        let greatest = 9.0 * stones.max(stash) + 4.0 * mills + 8.0 * possible + 1.0;
        let other = position.swap_colours();
        let [value, sum] = of_white(&game, &weights, &position);
        prop_assert!((value - sum / greatest).abs() < 1e-12, "{value} {sum} {greatest}");
        prop_assert_eq!(of_white(&game, &weights, &other)[0], -value);
        let swapped: Vec<_> = shares(&game, &other).into_iter().map(|[w, b]| [b, w]).collect();
        prop_assert_eq!(shares(&game, &position), swapped);
        let evaluator = game.evaluator(&weights, &position).unwrap();
        for symmetric in game.orbit(&position) {
            prop_assert_eq!(game.evaluate(&evaluator, &symmetric), game.evaluate(&evaluator, &position));
        }
    }
}

/// PeSTO's values of positions in which few tables are needed, from White's side.
#[test]
fn the_tapered_evaluation_is_that_of_published_tables() {
    let game = Chess::default();
    let names = game.default_weights();
    let weights = names.iter().map(|(name, _)| (name, f64::from(u8::from(name == "tapered"))));
    let weights = Weights::new(weights);
    for (state, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.0),
        // Phase 24: a pawn on e4 (82 + 17) instead of e2 (82 - 15).
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 32.0),
        // Phase 0: the kings are worth the same, a pawn on e4 94 - 7.
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", 87.0),
        // Phase 4: a queen on d1, (4 (1025 + 10) + 20 (936 - 43)) / 24.
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 916.0),
    ] {
        let position = state.parse().unwrap();
        assert_eq!(of_white(&game, &weights, &position)[0], expected, "{state}");
    }
}

/// Terms of White's, computed by hand, in positions where they can be counted.
#[test]
fn activity_counts_squares_files_pawns_and_attacks() {
    let game = Chess::default();
    let weights = game.default_weights();
    for (state, term, expected) in [
        // Phase 0: a passed pawn on the fourth rank is worth 20, an isolated pawn -12.
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "passed", 20.0),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "structure", -12.0),
        // A pawn beside the file ahead stops it; one behind does not.
        ("4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1", "passed", 0.0),
        ("4k3/8/8/8/4P3/3p4/8/4K3 w - - 0 1", "passed", 20.0),
        // The rear one of doubled pawns is doubled and not passed, the other passed; both are isolated.
        ("4k3/8/8/4P3/4P3/8/8/4K3 w - - 0 1", "structure", -42.0),
        ("4k3/8/8/4P3/4P3/8/8/4K3 w - - 0 1", "passed", 35.0),
        // Phase 4, two rooks on open files: (4 (25 + 25) + 20 (10 + 10)) / 24.
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "files", 25.0),
        // 10 and 9 squares in place of 7: (4 * 5 * 2 + 20 * 5 * 4) / 24.
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "mobility", 18.0),
        // Phase 2: (2 * 25 + 22 * 40) / 24.
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "pair", 38.0),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "pair", 0.0),
        // Phase 2: a knight on f7 and h7, a bishop on h7: (2 * 20 + 20) 50 % * 2 / 24.
        ("6k1/5ppp/8/6N1/8/3B4/8/6K1 w - - 0 1", "attack", 2.0),
        ("6k1/5ppp/8/6N1/8/8/8/6K1 w - - 0 1", "attack", 0.0),
    ] {
        let terms = game.terms(&weights, &state.parse().unwrap());
        let value = terms.iter().find(|it| it.name == term).map(|it| it.white);
        assert_eq!(value, Some(expected), "{term} in {state}");
    }
}
