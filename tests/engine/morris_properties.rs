//! Properties of Nine Men's Morris over random positions.

use std::hash::{DefaultHasher, Hash, Hasher};

use plyscope::engine::{
    game::{Game, Key as _, KeyScheme, Notation, Rules, Score, SearchRules, SeedFiles as _, Side},
    morris::{DoubleMill, Flying, Key, Morris, Move, Point, PointSet, Position, Setup},
};
use proptest::{collection::vec, prelude::*};

/// Any playable position, every phase equally likely: stones are drawn without replacement.
fn positions() -> impl Strategy<Value = Position> {
    let points = Just((0..24).collect::<Vec<usize>>()).prop_shuffle();
    let stones = (0..=9usize, 0..=9usize);
    let hands = (0..=9u32, 0..=9u32, 0..3u8);
    (points, stones, hands, any::<bool>()).prop_map(
        |(points, (white, black), hands, black_moves)| {
            let set =
                |range: &[usize]| range.iter().filter_map(|&i| Point::new(i)).collect::<PointSet>();
            let stones = [set(&points[..white]), set(&points[white..white + black])];
            let hand = |wanted: u32, stones: usize| {
                if hands.2 == 0 { wanted.min(9 - stones as u32) } else { 0 }
            };
            let side = if black_moves { Side::Black } else { Side::White };
            let hand = [hand(hands.0, white), hand(hands.1, black)];
            Setup { stones, hand, side }.position().unwrap()
        },
    )
}

/// Positions in which a mill may find too few stones to take: the side to move has at least three, the other at most
/// one on the board and the rest in hand.
fn bare_opponents() -> impl Strategy<Value = Position> {
    let points = Just((0..24).collect::<Vec<usize>>()).prop_shuffle();
    (points, 3..=9usize, 0..=1usize, 0..=1u32).prop_map(|(points, own, other, hand)| {
        let set =
            |range: &[usize]| range.iter().filter_map(|&i| Point::new(i)).collect::<PointSet>();
        let stones = [set(&points[..own]), set(&points[own..own + other])];
        let hand = [hand.min(9 - own as u32), 8];
        let side = Side::White;
        Setup { stones, hand, side }.position().unwrap()
    })
}

/// Positions in which the side to move has three to five stones and few moves.
fn blocked() -> impl Strategy<Value = Position> {
    let points = Just((0..24).collect::<Vec<usize>>()).prop_shuffle();
    (points, 3..=5usize, 0..3usize, any::<bool>()).prop_filter_map(
        "too many stones",
        |(points, own, gaps, black_moves)| {
            let point = |&index: &usize| Point::new(index);
            let own: PointSet = points[..own].iter().filter_map(point).collect();
            let around = (own.neighbours() - own).into_iter().skip(gaps % 2).collect::<PointSet>();
            let side = if black_moves { Side::Black } else { Side::White };
            let mut stones = [own, around];
            stones.rotate_left(side.index());
            let kept = (3..=9).contains(&around.len());
            kept.then(|| Setup { stones, hand: [0, 0], side }.position().unwrap())
        },
    )
}

fn rules() -> impl Strategy<Value = Morris> {
    (any::<bool>(), any::<bool>()).prop_map(|(one, off)| Morris {
        double_mill: if one { DoubleMill::One } else { DoubleMill::Two },
        flying: if off { Flying::Off } else { Flying::On },
        ..Morris::default()
    })
}

fn moves(morris: Morris, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    morris.generate_moves(position, &mut moves);
    moves
}

/// Perft by definition: `expand` and `apply`, without bulk counting.
fn naive_perft(morris: Morris, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    morris.expand(position, &(), &mut moves);
    let below = |mv: Move| naive_perft(morris, &morris.apply(position, mv), depth - 1);
    moves.into_iter().map(below).sum()
}

/// A second implementation of the seeds' rules, one stone at a time, as a check of the bit-parallel move generator.
mod plain {
    use super::*;

    pub fn in_line(stones: PointSet) -> Vec<[Point; 3]> {
        let point = |index: usize| Point::new(index).unwrap();
        let along = (0..12).map(|n| [0, 1, 2].map(|k| point(n / 4 * 8 + (n % 4 * 2 + k) % 8)));
        let across = (0..4).map(|n| [0, 1, 2].map(|ring| point(ring * 8 + n * 2 + 1)));
        let full = |line: &[Point; 3]| line.iter().all(|&p| stones.contains(p));
        along.chain(across).filter(full).collect()
    }

    pub fn takeable(stones: PointSet) -> PointSet {
        let mills: PointSet = in_line(stones).into_iter().flatten().collect();
        let free = stones - mills;
        if free.is_empty() { stones } else { free }
    }

    pub fn adjacent(a: Point, b: Point) -> bool {
        let steps = (a.cell() + 8 - b.cell()) % 8;
        let same_ring = a.ring() == b.ring() && (steps == 1 || steps == 7);
        let crossing =
            a.cell() == b.cell() && a.cell() % 2 == 1 && a.ring().abs_diff(b.ring()) == 1;
        same_ring || crossing
    }

    pub fn successors(morris: Morris, position: &Position) -> Vec<String> {
        let (side, own) = (position.side(), position.stones(position.side()));
        let placing = position.hand(side) > 0;
        let flies = own.len() <= 3 && morris.flying == Flying::On;
        let mut states = Vec::new();
        let origins: Vec<_> =
            if placing { vec![None] } else { own.into_iter().map(Some).collect() };
        for from in origins {
            for to in position.empty() {
                if from.is_some_and(|from| !flies && !adjacent(from, to)) {
                    continue;
                }
                let lifted = from.map_or(own, |from| own - from.into());
                let landed = lifted | to.into();
                let new =
                    in_line(landed).iter().filter(|line| !in_line(own).contains(line)).count();
                let due = if morris.double_mill == DoubleMill::One { new.min(1) } else { new };
                for remaining in after_captures(position.stones(side.other()), due) {
                    states.push(state(position, landed, remaining, placing));
                }
            }
        }
        states.sort();
        states.dedup();
        states
    }

    fn after_captures(stones: PointSet, due: usize) -> Vec<PointSet> {
        if due == 0 {
            return vec![stones];
        }
        let taken = takeable(stones).into_iter();
        taken.flat_map(|point| after_captures(stones - point.into(), due - 1)).collect()
    }

    fn state(position: &Position, own: PointSet, other: PointSet, placed: bool) -> String {
        let side = position.side();
        let mut setup = Setup::from(*position);
        setup.stones[side.index()] = own;
        setup.stones[side.other().index()] = other;
        setup.hand[side.index()] -= u32::from(placed);
        setup.side = side.other();
        setup.position().unwrap().to_string()
    }
}

fn hash(key: Key) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn moves_equal_a_second_implementation_of_the_rules(position in positions(), morris in rules()) {
        let listed = moves(morris, &position);
        prop_assert!(listed.is_sorted());
        let mut states: Vec<_> = listed.iter().map(|&mv| morris.apply(&position, mv).to_string()).collect();
        states.sort();
        prop_assert_eq!(states, plain::successors(morris, &position));
        prop_assert_eq!(morris.count_moves(&position), listed.len() as u64);
    }

    #[test]
    fn terminal_and_expand_agree(position in prop_oneof![positions(), bare_opponents(), blocked()], morris in rules()) {
        let mut listed = Vec::new();
        let value = morris.expand(&position, &(), &mut listed);
        prop_assert_eq!(morris.terminal(&position, &()), value);
        prop_assert_eq!(value.is_some(), listed.is_empty());
        let status = morris.status(&position, &());
        prop_assert_eq!(status.finished, value.is_some());
        let winner = value.map(|value| if value == Score::ONE { position.side() } else { position.side().other() });
        prop_assert_eq!(status.winner, winner);
    }

    #[test]
    fn bulk_perft_equals_perft_by_definition(position in positions(), morris in rules()) {
        for depth in 0..=2 {
            prop_assert_eq!(morris.perft(&position, &mut (), depth), naive_perft(morris, &position, depth));
        }
    }

    #[test]
    fn texts_of_positions_read_back(position in positions()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
        let json = serde_json::to_string(&position).unwrap();
        prop_assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), position);
        let ron = ron::to_string(&position).unwrap();
        prop_assert_eq!(ron::from_str::<Position>(&ron).unwrap(), position);
    }

    #[test]
    fn python_tuples_read_back(position in positions()) {
        let ring = |ring: usize| {
            let cell = |cell| position.at(Point::new(ring * 8 + cell).unwrap()).map_or(' ', Side::letter);
            let cells: Vec<_> = (0..8).map(|c| format!("'{}'", cell(c))).collect();
            format!("({})", cells.join(", "))
        };
        let [white, black] = Side::ALL.map(|side| position.hand(side));
        let text = format!(
            "(({white}, {black}), ({}, {}, {})) {}", ring(0), ring(1), ring(2), position.side().letter()
        );
        prop_assert_eq!(text.parse(), Ok(position));
        prop_assert_eq!(text.replace(' ', "  ").replace("'  '", "' '").parse(), Ok(position));
    }

    #[test]
    fn texts_of_moves_read_back(position in positions(), morris in rules()) {
        let over = morris.terminal(&position, &()).is_some();
        for mv in moves(morris, &position) {
            let text = morris.format_move(&position, mv);
            prop_assert_eq!(text.parse(), Ok(mv));
            let json = serde_json::to_string(&mv).unwrap();
            prop_assert_eq!(serde_json::from_str::<Move>(&json).unwrap(), mv);
            let read = morris.parse_move(&position, &(), &text.to_uppercase());
            if over { prop_assert!(read.is_err()); } else { prop_assert_eq!(read, Ok(mv)); }
        }
    }

    /// A text is accepted exactly if it names a legal move; otherwise the refusal says why.
    #[test]
    fn other_moves_are_refused(position in positions(), morris in rules(), picks in vec(0..24usize, 4), shape in 0..6u8) {
        let mut name = picks.iter().map(|&index| Point::new(index).unwrap().name());
        let mut next = || name.next().unwrap();
        let from = if shape % 2 == 0 { String::new() } else { format!("{}-", next()) };
        let mut text = format!("{from}{}", next());
        for _ in 0..shape / 2 {
            text = format!("{text}x{}", next());
        }
        let legal = text.parse().is_ok_and(|mv: Move| moves(morris, &position).contains(&mv));
        let over = morris.terminal(&position, &()).is_some();
        match morris.parse_move(&position, &(), &text) {
            Ok(mv) => prop_assert!(legal && !over, "{text} at {position} read as {mv}"),
            Err(fault) => prop_assert!(!legal || over, "{text} at {position}: {fault}"),
        }
    }

    #[test]
    fn canonical_keys_ignore_symmetry_and_colour(position in positions()) {
        let morris = Morris::default();
        let key = morris.key(&position, KeyScheme::Canonical);
        for image in morris.orbit(&position) {
            prop_assert_eq!(morris.key(&image, KeyScheme::Canonical), key);
            prop_assert_eq!(morris.key(&image.swap_colours(), KeyScheme::Canonical), key);
        }
    }

    #[test]
    fn keys_read_back(position in positions()) {
        let morris = Morris::default();
        for scheme in [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical] {
            let key = morris.key(&position, scheme);
            let text = morris.format_key(key);
            prop_assert_eq!(morris.parse_key(&text), Ok(key));
            prop_assert_eq!(morris.parse_key(&text.to_uppercase()), Ok(key));
            prop_assert_eq!(Key::from_seed_bytes(key.seed_bytes()).unwrap().seed_bytes(), key.seed_bytes());
            let decoded = morris.decode(key).unwrap();
            prop_assert_eq!(morris.key(&decoded, scheme), key);
        }
        let plain = morris.key(&position, KeyScheme::Plain);
        prop_assert_eq!(morris.decode(plain), Some(position));
        let mut bytes = Vec::new();
        plain.write(&mut bytes);
        prop_assert_eq!(Key::read(&bytes), Ok(plain));
        prop_assert_eq!(morris.seed_key(plain), (plain.seed_bytes(), position.side()));
        let swapped = morris.key(&position.swap_colours(), KeyScheme::Plain);
        prop_assert!(plain != swapped && hash(plain) != hash(swapped));
        prop_assert_eq!(plain.seed_bytes(), swapped.seed_bytes());
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}", state in "[wb./ (),'0-9]{0,60}", mv in "[a-h0-8x\\- é]{0,10}") {
        for text in [&text, &state, &mv] {
            let faults = [
                text.parse::<Position>().err(), text.parse::<Move>().err(), text.parse::<Key>().err(),
                format!("(({text}").parse::<Position>().err(),
            ];
            for fault in faults.into_iter().flatten() {
                prop_assert!(!fault.message.is_empty());
            }
            for fault in [text.parse::<Position>().err(), text.parse::<Move>().err(), text.parse::<Key>().err()].into_iter().flatten() {
                let place = fault.at.expect("a place");
                prop_assert!(text.get(place.clone()).is_some(), "{place:?} in {text:?}");
            }
        }
    }
}
