//! Nine Men's Morris, by the rules of the seeds (000 to 002).
//!
//! Two sides place nine stones each on the 24 points of three rings, then slide them along the lines, and jump with
//! the last three. Three stones in a line are a mill; closing one takes a stone of the opponent's. Who is left with
//! two stones, or cannot move, has lost.
//!
//! `Position`, `Move`, `Key` and `Evaluator` bear the names of the types of the trait [`Game`] that
//! they are, so both games have them.

mod board;
mod describe;
mod heuristic;
mod key;
mod lines;
mod move_text;
mod moves;
mod notation;
mod position;
mod successors;

use strum::{EnumString, IntoStaticStr};

pub use board::{Point, PointSet, Points};
pub use heuristic::Evaluator;
pub use key::Key;
pub use moves::Move;
pub use position::{Position, STONES, Setup};
pub use successors::MovePhase;

use super::game::{
    Board, BoardKind, Game, Key as _, KeyScheme, Notation, Packed, PositionFact, Result, Rule,
    Rules, Score, SearchRules, Side, Stride, Term, Weights, Window,
};

/// The rules in force; the default is the seeds'.
///
/// ```
/// use plyscope::engine::{game::{Game, Rules}, morris::Morris};
/// let morris = Morris::default();
/// let start = morris.start();
/// assert_eq!(morris.perft(&start, &mut (), 3), 12144);
/// let mv = morris.parse_move(&start, &(), "d6")?;
/// let next = morris.apply(&start, mv);
/// assert_eq!(morris.format_position(&next), "......../.w....../........ b 8 9");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Morris {
    /// How many stones two mills closed at once take.
    pub double_mill: DoubleMill,
    /// Whether a side with three stones may jump.
    pub flying: Flying,
}

/// How many stones two mills closed at once take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum DoubleMill {
    /// One for each mill, the second judged on the board after the first.
    #[default]
    Two,
    /// One.
    One,
}

/// Whether a side with at most three stones, and none in hand, may jump to any empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Flying {
    /// It may.
    #[default]
    On,
    /// It slides like any other.
    Off,
}

impl Rules for Morris {
    const NAME: &'static str = "morris";

    type Position = Position;
    type History = ();
    type Move = Move;
    type Key = Key;
    type Evaluator = Evaluator;

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side
    }

    #[inline]
    fn expand(&self, position: &Position, (): &(), moves: &mut Vec<Move>) -> Option<Score> {
        let lost_or_won = successors::lack_of_stones(position);
        if lost_or_won.is_some() {
            return lost_or_won;
        }
        let start = moves.len();
        self.successors(position, moves);
        (moves.len() == start).then_some(-Score::ONE)
    }

    #[inline]
    fn apply(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn evaluator(&self, weights: &Weights, _root: &Position) -> Result<Evaluator> {
        Evaluator::new(weights)
    }

    #[inline]
    fn evaluate(&self, evaluator: &Evaluator, position: &Position) -> Score {
        evaluator.value(position)
    }

    fn full_window(&self, evaluator: &Evaluator) -> Window {
        evaluator.window()
    }

    #[inline]
    fn key(&self, position: &Position, scheme: KeyScheme) -> Key {
        Key::of(position, scheme)
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn default_weights(&self) -> Weights {
        heuristic::default_weights()
    }
}

impl SearchRules for Morris {
    const PACKS_POSITIONS: bool = true;

    #[inline]
    fn terminal(&self, position: &Position, (): &()) -> Option<Score> {
        self.outcome(position)
    }

    #[inline]
    fn capture_score(&self, _position: &Position, mv: Move) -> u16 {
        mv.takes()
    }

    /// While stones are placed, what is good changes from node to node.
    #[inline]
    fn orders_by_killers(&self, position: &Position) -> bool {
        position.hand[position.side.index()] == 0
    }

    fn history_index(&self, position: &Position, mv: Move) -> usize {
        let from = mv.from().map_or(Point::COUNT, Point::index);
        (position.side as usize * (Point::COUNT + 1) + from) * Point::COUNT + mv.to().index()
    }

    fn orbit(&self, position: &Position) -> Vec<Position> {
        position.orbit()
    }

    fn opponent_to_move(&self, position: &Position) -> Position {
        Position { side: position.side.other(), ..*position }
    }

    /// The bytes of its key: what symmetry makes equal is one position.
    fn pack(&self, position: &Position, scheme: KeyScheme) -> Option<Packed> {
        Packed::new(&Key::of(position, scheme).bytes())
    }
}

impl Notation for Morris {
    fn parse_position(&self, text: &str) -> Result<Position> {
        text.parse()
    }

    fn format_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn format_move(&self, _position: &Position, mv: Move) -> String {
        mv.to_string()
    }
}

impl Game for Morris {
    const COUNTS_MILLS: bool = true;

    fn list_moves(&self, position: &Position, (): &(), moves: &mut Vec<Move>) {
        self.successors(position, moves);
    }

    fn remarks(&self, _text: &str, position: &Position) -> Vec<String> {
        position.oddity().into_iter().collect()
    }

    fn parse_move(&self, position: &Position, (): &(), text: &str) -> Result<Move> {
        move_text::parse(*self, position, text)
    }

    fn describe_capture(&self, _position: &Position, mv: Move) -> String {
        let mills = if mv.takes() == 1 { "a mill" } else { "two mills" };
        format!("closes {mills} and captures {}", mv.captures())
    }

    fn parse_key(&self, text: &str) -> Result<Key> {
        text.parse()
    }

    fn format_key(&self, key: Key) -> String {
        key.to_string()
    }

    fn seed_key(&self, key: Key) -> Option<([u8; 7], Side)> {
        let side = if key.is_black() { Side::Black } else { Side::White };
        Some((key.seed_bytes(), side))
    }

    fn parse_seed_key(&self, bytes: [u8; 7]) -> Result<Key> {
        Key::from_seed_bytes(bytes)
    }

    fn decode(&self, key: Key) -> Option<Position> {
        Some(key.position())
    }

    fn unpack(&self, packed: &Packed) -> Option<Position> {
        let key = Key::read(packed.identity.get(..7)?).ok()?;
        Some(key.position())
    }

    fn stage(&self, position: &Position) -> &'static str {
        Self::phase(*self, position).into()
    }

    fn words(&self, position: &Position, (): &()) -> String {
        let (mover, other) = (position.side, position.side.other());
        if position.lacks_stones(mover) {
            return describe::lost_for_stones(position, mover);
        }
        if position.lacks_stones(other) {
            return describe::lost_for_stones(position, other);
        }
        if self.outcome(position).is_some() {
            return format!("{other} has won: {mover} cannot move");
        }
        let counts = |verb: &str, what: &str, own: usize, theirs: usize| {
            format!("{mover} to {verb} ({own} {what}, {other} {theirs})")
        };
        let (own, theirs) = (position.stones(mover).len(), position.stones(other).len());
        match self.phase(position) {
            MovePhase::Placing => {
                counts("place", "in hand", position.hand(mover), position.hand(other))
            }
            MovePhase::Moving => counts("move", "stones", own, theirs),
            MovePhase::Flying => counts("fly", "stones", own, theirs),
        }
    }

    fn verdict(&self, position: &Position, (): &()) -> &'static str {
        let bare = Side::ALL.into_iter().any(|side| position.lacks_stones(side));
        if bare { "too few stones" } else { "no move" }
    }

    fn stride(&self, before: &Position, after: &Position, as_seed: bool) -> Stride {
        describe::stride(before, after, as_seed)
    }

    fn parse_logged(&self, text: &str, side: Side) -> Result<Position> {
        notation::parse_logged(text, side)
    }

    fn terms(&self, weights: &Weights, position: &Position) -> Vec<Term> {
        heuristic::terms(weights, position)
    }

    fn board(&self, position: &Position, (): &(), last: Option<Move>) -> Option<Board> {
        let mut legal = Vec::new();
        if self.outcome(position).is_none() {
            self.successors(position, &mut legal);
        }
        Some(Board {
            kind: BoardKind::Lines,
            files: ('a'..='g').map(String::from).collect(),
            ranks: (1..=describe::SIZE).rev().map(|rank| rank.to_string()).collect(),
            points: Point::all().map(|at| describe::point(position, at, last)).collect(),
            lines: lines::lines().map(|line| line.map(Point::index).into()).collect(),
            hands: Some(Side::ALL.map(|side| position.hand(side) as u32)),
            moves: legal.into_iter().map(|mv| self.plan_move(position, mv)).collect(),
            check: None,
            pieces: &[],
        })
    }

    fn rules(&self) -> Vec<Rule> {
        let double_mill = "stones that two mills closed at once take: two as in the seeds, one as in tournaments; a mill that finds too few to take is not legal";
        let flying =
            "whether a side with three stones and none in hand may jump to any empty point";
        vec![
            Rule::new("double_mill", self.double_mill.into(), ["two", "one"], double_mill),
            Rule::new("flying", self.flying.into(), ["on", "off"], flying),
        ]
    }

    fn original(&self) -> Self {
        Self::default()
    }

    fn choose(&mut self, rule: &str, value: &str) {
        match rule {
            "double_mill" => self.double_mill = value.parse().unwrap_or_default(),
            _ => self.flying = value.parse().unwrap_or_default(),
        }
    }

    fn facts() -> &'static [PositionFact<Position>] {
        describe::FACTS
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        &[
            "......../......../........ w 9 9",
            "b..w.w../.b.....w/bw..bw.. b 4 5",
            "..b..wwb/.bwwbwb./b..w..w. b 2 3",
            "www.wbb./w.b.b.../..bb.w.w w 0 0",
            ".w..bb../...wb.../.....w.. w 0 0",
        ]
    }

    fn suite(&self) -> &'static str {
        include_str!("morris/suite.txt")
    }

    fn perft(&self, position: &Position, (): &mut (), depth: u32) -> u64 {
        self.leaves(position, depth, &mut Vec::new())
    }
}
