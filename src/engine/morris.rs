//! Nine Men's Morris, by the rules of the seeds (000 to 002).
//!
//! Two sides place nine stones each on the 24 points of three rings, then slide them along the lines, and jump with
//! the last three. Three stones in a line are a mill; closing one takes a stone of the opponent's. A side with two
//! stones, or without a move, has lost.
//!
//! Files: `board` points and sets of points, `lines` mills as bit operations, `position`, `moves`, `successors` (the move
//! generator), `key`, `heuristic`; for people `notation`, `move_text`, `describe`.

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

use crate::text::style::Scale;

use super::game::{
    Board, BoardKind, DrawClock, Endgames, Fault, Feature, Game, GameOptions, Key as _, KeyScheme,
    NodePlace, Notation, Outcome, Packed, Result, Rule, Rules, Score, SearchRules, SeedFiles, Side,
    TableUse, Term, TrueValue, TrueValues, Weights, Window,
};

/// The rules in force; the default is the seeds'.
///
/// ```
/// use plyscope::engine::{game::{Game, Notation, Rules}, morris::Morris};
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
    /// The number of stones that a move takes if it closes two mills.
    pub double_mill: DoubleMill,
    /// Whether a side with three stones may jump to any empty point.
    pub flying: Flying,
    /// The endgame tables in use.
    pub tables: Tables,
}

/// Endgame tables, and how a search uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tables {
    /// The tables that the user chose, which may be for other rules.
    given: Option<&'static dyn TrueValues>,
    /// Whether the tables were made for the rules in force.
    hold: bool,
    /// Whether values of wins and losses contain the distance in plies: with `tables=root` or `tables=leaf`.
    in_plies: bool,
}

impl Tables {
    /// No endgame tables.
    pub const NONE: Self = Self { given: None, hold: false, in_plies: false };

    fn in_force(self) -> Option<&'static dyn TrueValues> {
        self.given.filter(|_| self.hold)
    }
}

/// The value of a finished, won game, where wins have distances; a win in `n` plies is worth `n` times [`PLY`] less. Other
/// values are at most 1. Between 1 and 2 all sums with multiples of [`PLY`] are exact.
const WIN: f64 = 1.25;
/// The difference between the values of a win and of a win one ply later. No win is more than 1,000 plies away.
const PLY: f64 = 1.0 / 4096.0;

impl Morris {
    /// Subtracts `by` from the absolute value of a win or loss, for a game that ends later.
    #[inline]
    fn shift(self, value: Score, by: f64) -> Score {
        let distance = value.get();
        if !self.tables.in_plies || distance.abs() <= 1.0 {
            return value;
        }
        Score::from_finite(distance - by * distance.signum())
    }
}

/// The number of stones that a move takes if it closes two mills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum DoubleMill {
    /// Two stones, one for each mill; the second capture must be legal after the first.
    #[default]
    Two,
    /// One stone, although two mills are closed.
    One,
}

/// Whether a side with at most three stones, and none in hand, may jump to any empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Flying {
    /// A side with three stones may jump.
    #[default]
    On,
    /// A side with three stones only slides, like any other.
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
        let outcome = successors::outcome_by_stones(position);
        if outcome.is_some() {
            return outcome;
        }
        let start = moves.len();
        self.generate_moves(position, moves);
        (moves.len() == start).then_some(-Score::ONE)
    }

    #[inline]
    fn apply(&self, position: &Position, mv: Move) -> Position {
        position.after(mv)
    }

    fn evaluator(&self, weights: &Weights, _root: &Position) -> Result<Evaluator> {
        let evaluator = Evaluator::new(weights)?;
        if self.tables.in_plies && evaluator.window() == Window::INFINITE {
            let why =
                "with negative weights a static value can exceed that of a win, which tables need";
            return Err(Fault::new(why).hint("`search set tables=off`, or only weights >= 0"));
        }
        Ok(evaluator)
    }

    #[inline]
    fn evaluate(&self, evaluator: &Evaluator, position: &Position) -> Score {
        evaluator.value(position)
    }

    fn full_window(&self, evaluator: &Evaluator) -> Window {
        let window = evaluator.window();
        if !self.tables.in_plies {
            return window;
        }
        let won = Score::from_finite(WIN);
        Window { alpha: -won, beta: won }
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
    const HAS_TABLES: bool = true;

    fn configure(&mut self, options: GameOptions) {
        self.tables.in_plies = options.tables != TableUse::Off;
    }

    fn known_value(&self, position: &Position) -> Option<Score> {
        let truth = self.tables.in_force()?.value(self.stones(position)?)?;
        // Tables without distances give the same value to lost positions and finished games, so the rules decide which it is.
        if truth.outcome == Outcome::Loss
            && truth.plies.is_none_or(|plies| plies == 0)
            && self.outcome(position).is_some()
        {
            return None;
        }
        // A win of unknown distance is worth less than every win of known distance.
        let win = truth.plies.map_or(1.0, |plies| WIN - PLY * f64::from(plies));
        Some(Score::from_finite(truth.sign() * win))
    }

    fn score_terminal(&self, value: Score, _place: NodePlace) -> Score {
        if self.tables.in_plies { Score::from_finite(value.get() * WIN) } else { value }
    }

    #[inline]
    fn delay_mate(&self, value: Score) -> Score {
        self.shift(value, PLY)
    }

    #[inline]
    fn hasten_mate(&self, value: Score) -> Score {
        self.shift(value, -PLY)
    }

    fn is_won(&self, value: Score, full: Window) -> bool {
        if self.tables.in_plies { value >= Score::ONE } else { value == full.beta }
    }

    #[inline]
    fn terminal(&self, position: &Position, (): &()) -> Option<Score> {
        self.outcome(position)
    }

    #[inline]
    fn capture_score(&self, _position: &Position, mv: Move) -> u16 {
        mv.capture_count()
    }

    /// No killer moves while stones are being placed, because the good moves then change from node to node.
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

    /// The bytes of the key, so that symmetric positions with the same key do not count as a collision.
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
    const PGN_VARIANT: Option<&'static str> = Some("Nine Men's Morris");
    const POINTS_HAVE_NUMBERS: bool = true;

    fn weights_for_play(&self) -> Weights {
        heuristic::weights_for_play()
    }

    /// With negative weights, a heuristic value can equal the value of a won game.
    fn scale(&self, full: Window) -> Scale {
        if full == Window::INFINITE {
            return Scale::Plain;
        }
        if self.tables.in_plies { Scale::Distances { win: WIN, ply: PLY } } else { Scale::Unit }
    }

    fn mate_threshold(&self) -> Option<Score> {
        self.tables.in_plies.then(|| Score::ONE.above())
    }

    fn list_moves(&self, position: &Position, (): &(), moves: &mut Vec<Move>) {
        self.generate_moves(position, moves);
    }

    fn remarks(&self, _text: &str, position: &Position) -> Vec<String> {
        describe::why_unreachable(position).into_iter().collect()
    }

    fn parse_move(&self, position: &Position, (): &(), text: &str) -> Result<Move> {
        move_text::parse(*self, position, text)
    }

    fn describe_capture(&self, _position: &Position, mv: Move) -> String {
        let mills = if mv.capture_count() == 1 { "a mill" } else { "two mills" };
        format!("closes {mills} and captures {}", mv.captures())
    }

    fn parse_key(&self, text: &str) -> Result<Key> {
        text.parse()
    }

    fn format_key(&self, key: Key) -> String {
        key.to_string()
    }

    fn decode(&self, key: Key) -> Option<Position> {
        Some(key.position())
    }

    fn unpack(&self, packed: &Packed) -> Option<Position> {
        let key = Key::read(packed.identity.get(..7)?).ok()?;
        Some(key.position())
    }

    fn phase(&self, position: &Position) -> &'static str {
        self.move_phase(position).into()
    }

    fn describe_position(&self, position: &Position, (): &()) -> String {
        describe::sentence(*self, position)
    }

    fn termination(&self, position: &Position, (): &()) -> &'static str {
        if successors::outcome_by_stones(position).is_some() { "too few stones" } else { "no move" }
    }

    fn terms(&self, weights: &Weights, position: &Position) -> Vec<Term> {
        heuristic::terms(weights, position)
    }

    fn divisor(&self, evaluator: &Evaluator) -> f64 {
        evaluator.divisor
    }

    fn board(&self, position: &Position, (): &(), last: Option<Move>) -> Option<Board> {
        let legal = self.legal_moves(position, &());
        let points = Point::all().map(|at| describe::board_point(position, at, last)).collect();
        let moves = legal.into_iter().map(|mv| self.board_move(position, mv)).collect();
        Some(Board {
            lines: lines::lines().map(|line| line.map(Point::index).into()).collect(),
            hands: Some(Side::ALL.map(|side| position.hand(side) as u32)),
            ..Board::new(BoardKind::Lines, [describe::SIZE; 2], points, moves)
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

    fn with_default_rules(&self) -> Self {
        let mut game = Self::default();
        game.use_tables(self.tables.given);
        game
    }

    fn choose(&mut self, rule: &str, choice: &str) {
        match rule {
            "double_mill" => self.double_mill = choice.parse().unwrap_or_default(),
            _ => self.flying = choice.parse().unwrap_or_default(),
        }
        self.use_tables(self.tables.given);
    }

    fn features() -> &'static [Feature<Position>] {
        describe::FEATURES
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

    fn suites(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("standard", include_str!("morris/suite.txt")),
            ("tactics", include_str!("morris/tactics.epd")),
        ]
    }

    fn perft(&self, position: &Position, (): &mut (), depth: u32) -> u64 {
        self.count_leaves(position, depth, &mut Vec::new())
    }

    const COUNTS_MILLS: bool = true;

    fn draw_clock(&self, before: &Position, after: &Position, as_seed: bool) -> DrawClock {
        describe::draw_clock(before, after, as_seed)
    }

    fn seed_files(&self) -> Option<&dyn SeedFiles<Self>> {
        Some(self)
    }

    fn endgames(&self) -> Option<&dyn Endgames<Self>> {
        Some(self)
    }

    fn truth(&self, position: &Position) -> Option<TrueValue> {
        let tables = self.tables.in_force()?;
        let over = || self.outcome(position).map(TrueValue::finished);
        tables.value(self.stones(position)?).or_else(over)
    }

    fn tables_digest(&self) -> Option<u32> {
        let tables = self.tables.in_force()?;
        Some(tables.digest())
    }

    fn use_tables(&mut self, tables: Option<&'static dyn TrueValues>) {
        self.tables.hold = tables.is_some_and(|tables| tables.fly() == self.flies());
        self.tables.given = tables;
    }
}

impl Endgames<Self> for Morris {
    fn stones(&self, position: &Position) -> Option<[u32; 2]> {
        let stones = |side| position.stones(side).bits();
        let side = position.side;
        (position.hand == [0; 2]).then(|| [stones(side), stones(side.other())])
    }

    fn position(&self, [own, other]: [u32; 2], side: Side) -> Option<Position> {
        let mut stones = [PointSet::from_bits(own), PointSet::from_bits(other)];
        if side == Side::Black {
            stones.reverse();
        }
        Setup { stones, hand: [0; 2], side }.position().ok()
    }

    fn flies(&self) -> bool {
        self.flying == Flying::On
    }

    fn canonical_bits(&self, position: &Position) -> u64 {
        Key::of(position, KeyScheme::Canonical).bits()
    }
}

impl SeedFiles<Self> for Morris {
    fn seed_key(&self, key: Key) -> ([u8; 7], Side) {
        (key.seed_bytes(), if key.is_black() { Side::Black } else { Side::White })
    }

    fn parse_seed_key(&self, bytes: [u8; 7]) -> Result<Key> {
        Key::from_seed_bytes(bytes)
    }

    /// Reads this program's notation, or a Python tuple, which lacks the side to move.
    fn parse_logged(&self, text: &str, side: Side) -> Result<Position> {
        if text.starts_with('(') {
            return format!("{text} {}", side.letter()).parse();
        }
        text.parse()
    }
}
