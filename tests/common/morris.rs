//! Random rules, weights and positions of morris.

use plyscope::engine::{
    game::{Game, Rules, SearchRules, Weights},
    morris::{DoubleMill, Flying, Morris, Point, Position},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Every combination of rules, most often the seeds'.
pub fn rules() -> impl Strategy<Value = Morris> {
    let double_mill = select(vec![DoubleMill::Two, DoubleMill::One]);
    let flying = prop_oneof![4 => Just(Flying::On), 1 => Just(Flying::Off)];
    (double_mill, flying).prop_map(|(double_mill, flying)| Morris {
        double_mill,
        flying,
        ..Morris::default()
    })
}

/// Weights accepted by the evaluator: whole, fractional, some negative.
pub fn weights() -> impl Strategy<Value = Weights> {
    let whole = vec((0..=10_i32).prop_map(f64::from), 4);
    let fractional = vec(0.0..10.0, 4);
    let any_sign = vec(-5.0..5.0, 4);
    let default = Just(vec![1.0, 1.0, 4.0, 2.0]);
    let numbers = prop_oneof![3 => default, 3 => whole, 2 => fractional, 1 => any_sign];
    numbers.prop_filter_map("the divisor must not be zero", |numbers| {
        let weights = Weights::new(NAMES.into_iter().zip(numbers));
        let accepted = Morris::default().evaluator(&weights, &Position::START);
        accepted.is_ok().then_some(weights)
    })
}

/// As [`weights`], but not negative, so that all values lie between -1 and 1.
pub fn bounded_weights() -> impl Strategy<Value = Weights> {
    weights().prop_filter("a negative weight has no bounds", |weights| {
        weights.iter().all(|(_, weight)| weight >= 0.0)
    })
}

pub const NAMES: [&str; 4] = ["stones", "stash", "mills", "possible_mills"];

/// Positions of every kind.
pub fn position() -> impl Strategy<Value = Position> {
    prop_oneof![
        4 => played(),
        2 => placing(),
        2 => moving(),
        1 => flying(),
        2 => double_mill(),
        2 => near_the_end(),
    ]
}

/// Positions reached by random games.
pub fn played() -> impl Strategy<Value = Position> {
    vec(any::<u16>(), 0..90).prop_map(|choices| {
        let morris = Morris::default();
        let mut position = Position::START;
        for choice in choices {
            let mut moves = Vec::new();
            if morris.expand(&position, &(), &mut moves).is_some() {
                break;
            }
            position = morris.apply(&position, moves[usize::from(choice) % moves.len()]);
        }
        position
    })
}

/// Stones on shuffled points, the first `white` of them white, the next `black` black.
fn setup(
    white: impl Strategy<Value = usize>,
    black: impl Strategy<Value = usize>,
    hands: impl Strategy<Value = [usize; 2]>,
) -> impl Strategy<Value = Position> {
    let points: Vec<_> = (0..24).collect();
    let points = Just(points).prop_shuffle();
    (points, white, black, hands, any::<bool>()).prop_map(
        |(points, white, black, hands, whites_turn)| {
            let mut board = ['.'; 24];
            for &point in &points[..white] {
                board[point] = 'w';
            }
            for &point in &points[white..white + black] {
                board[point] = 'b';
            }
            let [in_white, in_black] = hands;
            build(board, whites_turn, [in_white.min(9 - white), in_black.min(9 - black)])
        },
    )
}

fn build(board: [char; 24], whites_turn: bool, [white, black]: [usize; 2]) -> Position {
    let rings: Vec<String> = board.chunks(8).map(|ring| ring.iter().collect()).collect();
    let side = if whites_turn { 'w' } else { 'b' };
    let text = format!("{} {side} {white} {black}", rings.join("/"));
    text.parse().expect("a playable position")
}

fn placing() -> impl Strategy<Value = Position> {
    let hands = [1..=9_usize, 1..=9];
    setup(0..=8_usize, 0..=8_usize, hands)
}

fn moving() -> impl Strategy<Value = Position> {
    setup(3..=9_usize, 3..=9_usize, Just([0, 0]))
}

/// Boards so full that each side has few moves.
pub fn crowded() -> impl Strategy<Value = Position> {
    setup(8..=9_usize, 8..=9_usize, Just([0, 0]))
}

fn flying() -> impl Strategy<Value = Position> {
    setup(3..=3_usize, 3..=6_usize, Just([0, 0]))
}

fn near_the_end() -> impl Strategy<Value = Position> {
    let hands = [0..=1_usize, 0..=1];
    setup(2..=4_usize, 2..=4_usize, hands)
}

/// Positions in which one move of the side to move closes two mills at once.
fn double_mill() -> impl Strategy<Value = Position> {
    let others = vec(select(vec!['.', '.', 'w', 'b', 'b']), 24);
    (0..24_usize, others, any::<bool>(), any::<bool>()).prop_map(
        |(centre, others, in_hand, whites_turn)| {
            let own = if whites_turn { 'w' } else { 'b' };
            let mut board: [char; 24] = others.try_into().expect("24 points");
            let point = Point::new(centre).expect("on the board");
            let lined: Vec<_> = Point::all().filter(|other| in_line(point, *other)).collect();
            for other in &lined {
                board[other.index()] = own;
            }
            board[centre] = '.';
            let kept = [point.index()].into_iter().chain(lined.iter().map(|p| p.index()));
            let kept: Vec<_> = kept.collect();
            for side in ['w', 'b'] {
                let most = if side == own && in_hand { 8 } else { 9 };
                for index in (0..24).filter(|index| !kept.contains(index)) {
                    if board.iter().filter(|&&cell| cell == side).count() > most
                        && board[index] == side
                    {
                        board[index] = '.';
                    }
                }
            }
            let mine = usize::from(in_hand);
            let hands = if whites_turn { [mine, 0] } else { [0, mine] };
            build(board, whites_turn, hands)
        },
    )
}

/// Whether two points are on one line: the same side of a ring, or the same spoke.
fn in_line(a: Point, b: Point) -> bool {
    let along = a.ring() == b.ring() && {
        let sides = [0, 2, 4, 6].map(|corner| [corner, corner + 1, (corner + 2) % 8]);
        sides.iter().any(|side| side.contains(&a.cell()) && side.contains(&b.cell()))
    };
    let across = a.cell() == b.cell() && a.cell() % 2 == 1;
    a != b && (along || across)
}

/// The greatest depth, at most `most`, to which perft counts at most `leaves`.
pub fn affordable(morris: Morris, position: &Position, most: u8, leaves: u64) -> u8 {
    let fits = |depth: &u8| morris.perft(position, &mut (), u32::from(*depth)) <= leaves;
    (1..=most).take_while(fits).last().unwrap_or(0)
}
