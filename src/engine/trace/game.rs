//! The search of another program as a game of its own: its moves, keys and positions are what the trace says of them, and
//! its searches are [told](Rules::tell). So it is stepped, broken into and gone back in as any other.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Rulebook, TraceEvent, TraceHeader, TraceKind, TraceView,
    landmark::{LANDMARKS_CHECKED, leads_to},
    node::{NodeKind, Relation},
    source::{FoundEvent, TraceTape, field_names},
};
use crate::engine::{
    game::{
        Board, Fault, FieldValue, Game, Key, KeyScheme, Notation, Result, Rules, Score,
        SearchRules, Side, TraceReader, TraceStep, TracedSearch, Weights, Window,
    },
    search::{Counters, Search},
    table::{Bound, NoTable},
};

/// Plies from the root at most: no search goes deeper, but one that never leaves a node would.
pub(super) const DEEPEST: u32 = 4_096;

/// The first line of a landmark: what cannot be had from the others, each of which is an event's with its number before it.
#[derive(Serialize, Deserialize)]
pub(super) struct LandmarkHead {
    pub counters: Counters,
    pub iterations: Vec<(u8, u64)>,
}

/// A trace that is open.
#[derive(Clone, Debug)]
pub struct TraceGame(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    header: TraceHeader,
    tape: Mutex<TraceTape>,
    names: Mutex<TracedNames>,
    /// The positions that searches began at, by the events that say so.
    roots: Mutex<BTreeMap<u64, Option<Box<str>>>>,
    /// The landmarks held against the events so far, by their places: whether each is right.
    landmarks: Mutex<BTreeMap<usize, bool>>,
    rules: Option<Mutex<Box<dyn Rulebook>>>,
    /// The side to move at a root that does not say it.
    first: Side,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Texts by number.
#[derive(Debug, Default)]
struct TracedNames {
    numbers: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl TracedNames {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let (text, number): (Arc<str>, _) = (text.into(), self.texts.len() as u32);
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// A move in the notation of the program traced, by its number; the first one has no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedMove(u32);

/// A key as the program traced writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TracedKey {
    /// How it is written: with so many hexadecimal digits, 16 at most, or as follows.
    form: u8,
    value: u64,
}

/// A key that is written as a number.
const DECIMAL: u8 = 17;

/// A key that is written in any other way: a text by its number.
const NAMED: u8 = 18;

impl Key for TracedKey {
    type Stored = Self;

    const BYTES: usize = 9;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.push(self.form);
        bytes.extend(self.value.to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        let divided = bytes.split_first();
        let whole = divided.and_then(|(form, value)| Some((*form, value.try_into().ok()?)));
        let (form, value) = whole.ok_or_else(|| Fault::new("a key of a trace has 9 bytes"))?;
        Ok(Self { form, value: u64::from_be_bytes(value) })
    }
}

/// A node of the search that was traced, in place of a position: what is known of it, and the way to it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct TracedPosition(Arc<TracedNode>);

#[derive(Debug)]
struct TracedNode {
    above: Option<TracedPosition>,
    ply: u32,
    mv: TracedMove,
    /// The position as the trace says it.
    told: Option<Box<str>>,
    key: Option<TracedKey>,
    side: Side,
    /// Values of the trace are those of the other side.
    turned: bool,
    kind: NodeKind,
    relation: Relation,
    /// Whether its window only asks whether a move is better than another.
    zero: bool,
    /// The event that entered it.
    event: Option<u64>,
}

impl fmt::Debug for TracedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TracedNode { mv, told, key, event, .. } = &*self.0;
        write!(f, "TracedPosition({mv:?}, {told:?}, {key:?}, {event:?})")
    }
}

impl Drop for TracedNode {
    /// One node after the other: a call for each of the nodes above would take more stack than there is.
    fn drop(&mut self) {
        let mut above = self.above.take();
        while let Some(mut node) = above.and_then(|node| Arc::into_inner(node.0)) {
            above = node.above.take();
        }
    }
}

impl PartialEq for TracedPosition {
    /// Positions are equal where the trace says so, and where the same moves lead to them.
    fn eq(&self, other: &Self) -> bool {
        let alike = || self.upwards().zip(other.upwards()).all(|(one, two)| one.mv == two.mv);
        match (&self.0.told, &other.0.told) {
            (Some(one), Some(two)) => one == two,
            _ => self.0.ply == other.0.ply && alike(),
        }
    }
}

impl From<TracedPosition> for String {
    fn from(position: TracedPosition) -> Self {
        position.0.told.as_deref().unwrap_or_default().to_owned()
    }
}

impl From<String> for TracedPosition {
    fn from(text: String) -> Self {
        Self::root(Some(text.into()), Side::White)
    }
}

const UNNAMED: TracedMove = TracedMove(0);

impl TracedNode {
    /// A node of which nothing else is known.
    fn of(above: Option<&TracedPosition>, mv: TracedMove, side: Side) -> Self {
        Self {
            ply: above.map_or(0, |above| above.0.ply + 1),
            above: above.cloned(),
            mv,
            told: None,
            key: None,
            side,
            turned: false,
            kind: NodeKind::Plain,
            relation: Relation::Move,
            zero: false,
            event: None,
        }
    }
}

impl TracedPosition {
    fn root(told: Option<Box<str>>, side: Side) -> Self {
        let mut node = TracedNode::of(None, UNNAMED, side);
        node.told = told;
        Self(Arc::new(node))
    }

    /// The node and those above it, up to the root.
    fn upwards(&self) -> impl Iterator<Item = &TracedNode> {
        std::iter::successors(Some(&*self.0), |node| node.above.as_ref().map(|above| &*above.0))
    }

    /// A value of the trace for the side to move.
    fn turn(&self, value: f64) -> Score {
        score(if self.0.turned { -value } else { value })
    }

    fn turn_window(&self, alpha: f64, beta: f64) -> Window {
        let window = Window { alpha: score(alpha), beta: score(beta) };
        if self.0.turned { window.negate() } else { window }
    }
}

/// JSON has no infinite numbers: what is as large as this stands for one.
const OPEN: f64 = 1e300;

fn score(value: f64) -> Score {
    let value = if value.abs() < OPEN { value } else { value * f64::INFINITY };
    Score::new(value).unwrap_or(Score::ZERO)
}

/// The window under which a value means what a bound says.
fn window_of(value: Score, bound: Bound) -> Window {
    match bound {
        Bound::Exact => Window::INFINITE,
        Bound::Lower => Window { beta: value, ..Window::INFINITE },
        Bound::Upper => Window { alpha: value, ..Window::INFINITE },
    }
}

#[expect(clippy::cast_sign_loss, reason = "what is negative was cut off")]
fn depth_of(depth: Option<f64>) -> u8 {
    depth.unwrap_or_default().clamp(0.0, 255.0) as u8
}

impl TraceGame {
    /// Opens a trace; `rules` knows the games that have some. `follow` waits for more where the file ends.
    /// Errors: what cannot be read, and what is no trace.
    pub fn open(
        path: &Path,
        follow: bool,
        interrupt: &AtomicBool,
        rules: impl FnOnce(&str) -> Option<Box<dyn Rulebook>>,
    ) -> Result<Self> {
        Ok(Self::of(TraceTape::open(path, follow, interrupt)?, rules))
    }

    /// As [`TraceGame::open`], for all that stands in a file.
    /// Errors: what is no trace.
    pub fn of_file(
        file: File,
        rules: impl FnOnce(&str) -> Option<Box<dyn Rulebook>>,
    ) -> Result<Self> {
        Ok(Self::of(TraceTape::of(file, None, false)?, rules))
    }

    fn of(tape: TraceTape, rules: impl FnOnce(&str) -> Option<Box<dyn Rulebook>>) -> Self {
        let header = tape.reader.header().clone();
        let TraceHeader { game, root, .. } = &header;
        let mut rules = game.as_deref().and_then(rules);
        let side = rules.as_mut().and_then(|rules| {
            rules.begin(root.as_deref());
            rules.side()
        });
        let mut names = TracedNames::default();
        names.number("-");
        Self(Arc::new(Shared {
            header,
            tape: Mutex::new(tape),
            names: Mutex::new(names),
            roots: Mutex::default(),
            landmarks: Mutex::default(),
            rules: rules.map(Mutex::new),
            first: side.unwrap_or(Side::White),
        }))
    }

    /// Reads all that there is, `next` being told of each event; why it cannot be read on, where it cannot.
    /// Errors: what `next` says.
    pub fn read_through(&self, next: &mut dyn FnMut() -> Result<()>) -> Result<Option<Fault>> {
        for number in 0.. {
            let found = self.tape().event(number, |_, _| ());
            match found {
                FoundEvent::Event(()) => next()?,
                FoundEvent::Pending | FoundEvent::Over => break,
            }
        }
        Ok(self.tape().fault.clone())
    }

    /// Does something with an event and its line; whether there is one.
    /// Errors: why it cannot be read.
    pub(super) fn read_event(
        &self,
        number: u64,
        does: impl FnOnce(&TraceEvent<'_>, &[u8]),
    ) -> Result<bool> {
        let mut tape = self.tape();
        match tape.event(number, does) {
            FoundEvent::Event(()) => Ok(true),
            FoundEvent::Pending | FoundEvent::Over => tape.fault.clone().map_or(Ok(false), Err),
        }
    }

    /// Whether an event names a move, or may still do so.
    fn names_move(&self, name: &str) -> bool {
        let mut tape = self.tape();
        if tape.live {
            return true;
        }
        for number in 0.. {
            match tape.event(number, |event, _| event.m.as_deref() == Some(name)) {
                FoundEvent::Event(false) => {}
                FoundEvent::Event(true) | FoundEvent::Pending => return true,
                FoundEvent::Over => break,
            }
        }
        false
    }

    /// How the trace is to be read.
    pub fn header(&self) -> &TraceHeader {
        &self.0.header
    }

    /// How many events there are, where that is known.
    pub fn events(&self) -> Option<u64> {
        self.tape().events()
    }

    /// Whether the program may write more.
    pub fn is_live(&self) -> bool {
        self.tape().live
    }

    pub(super) fn tape(&self) -> MutexGuard<'_, TraceTape> {
        lock(&self.0.tape)
    }

    fn names(&self) -> MutexGuard<'_, TracedNames> {
        lock(&self.0.names)
    }

    fn move_called(&self, name: Option<&str>) -> TracedMove {
        name.map_or(UNNAMED, |name| TracedMove(self.names().number(name)))
    }

    fn key_called(&self, text: &str) -> TracedKey {
        let hexadecimal = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if (1..=16).contains(&text.len()) && text.bytes().all(hexadecimal) {
            let value = u64::from_str_radix(text, 16).unwrap_or_default();
            return TracedKey { form: text.len() as u8, value };
        }
        let number: Option<u64> = text.parse().ok();
        match number.filter(|number| number.to_string() == text) {
            Some(value) => TracedKey { form: DECIMAL, value },
            None => TracedKey { form: NAMED, value: self.names().number(text).into() },
        }
    }

    /// What the rules say of a node, where the game is known.
    fn by_rules<T>(
        &self,
        position: &TracedPosition,
        ask: impl FnOnce(&dyn Rulebook) -> Option<T>,
    ) -> Option<T> {
        let mut rules = lock(self.0.rules.as_ref()?);
        let mut way: Vec<_> = position.upwards().collect();
        let root = way.pop().and_then(|root| root.told.as_deref());
        rules.begin(root.or(self.header().root.as_deref()));
        for node in way.into_iter().rev() {
            let mv = self.text(node.mv.0);
            node.relation.follow(rules.as_mut(), Some(&mv), node.told.as_deref());
        }
        ask(rules.as_ref())
    }

    fn text(&self, number: u32) -> Arc<str> {
        self.names().texts.get(number as usize).map_or_else(|| "-".into(), Arc::clone)
    }

    /// The position that the search at hand began with.
    fn root_before(&self, event: u64) -> Option<Box<str>> {
        let root =
            lock(&self.0.roots).range(..event).next_back().and_then(|(_, root)| root.clone());
        root.or_else(|| self.header().root.as_deref().map(Box::from))
    }

    fn enter(
        &self,
        (number, event): (u64, &TraceEvent<'_>),
        above: Option<(&TracedPosition, &[TracedMove])>,
    ) -> TraceStep<Self> {
        let key = event.k.as_deref().map(|key| self.key_called(key));
        let mv = self.move_called(event.m.as_deref());
        let known = above.map(|(above, moves)| {
            let same_key = key.is_some() && key == above.0.key;
            (above.0.kind, same_key || moves.iter().any(|mv| *mv != UNNAMED))
        });
        let relation = Relation::of(event, known);
        let told = event.is_black().map(|black| if black { Side::Black } else { Side::White });
        let side = told.unwrap_or_else(|| match (above, relation) {
            (None, _) => self.0.first,
            (Some((above, _)), Relation::Inner) => above.0.side,
            (Some((above, _)), _) => above.0.side.other(),
        });
        let (alpha, beta) = (event.a.unwrap_or_default(), event.b.unwrap_or_default());
        let kind = NodeKind::called(event.t.as_deref());
        let told = event.p.as_deref().map(Box::from);
        let root = || if above.is_none() { self.root_before(number) } else { None };
        let mut node = TracedNode::of(above.map(|(above, _)| above), mv, side);
        node.told = told.or_else(root);
        node.key = key;
        node.turned = self.is_turned(side);
        node.kind = kind;
        node.relation = relation;
        node.zero = kind == NodeKind::Zero || (kind == NodeKind::Plain && is_zero(alpha, beta));
        node.event = Some(number);
        let position = TracedPosition(Arc::new(node));
        let last = above.and_then(|(_, moves)| moves.last());
        TraceStep::Entered {
            window: position.turn_window(alpha, beta),
            position,
            mv,
            depth: depth_of(event.d),
            key,
            research: kind == NodeKind::Again || (mv != UNNAMED && last == Some(&mv)),
            null_move: relation == Relation::Null,
        }
    }

    pub(super) fn step_of(
        &self,
        number: u64,
        event: &TraceEvent<'_>,
        node: Option<(&TracedPosition, &[TracedMove])>,
    ) -> TraceStep<Self> {
        let at = node.map(|(position, _)| position);
        let told = match (event.e, at) {
            (TraceKind::In, _) => Some(self.enter((number, event), node)),
            (TraceKind::Iter, _) => Some(TraceStep::Iteration(depth_of(event.d))),
            (TraceKind::Put, _) => self.stored(event, at),
            (TraceKind::Drop, _) => {
                event.k.as_deref().map(|key| TraceStep::Dropped(self.key_called(key)))
            }
            (TraceKind::Hit, Some(at)) => Some(Self::found(event, at)),
            (TraceKind::Miss, Some(_)) => Some(TraceStep::Missed),
            (TraceKind::Eval, Some(at)) => event.v.map(|value| TraceStep::Static(at.turn(value))),
            (TraceKind::Skip, Some(_)) => {
                Some(TraceStep::Skipped(self.move_called(event.m.as_deref())))
            }
            (TraceKind::Cut, Some(_)) => Some(TraceStep::Cut),
            (TraceKind::Out, Some(at)) => event.v.map(|value| Self::left(value, at)),
            _ => None,
        };
        if event.e == TraceKind::Root {
            lock(&self.0.roots).insert(number, event.p.as_deref().map(Box::from));
        }
        told.unwrap_or(TraceStep::Remark)
    }

    /// Puts a search at its beginning to a landmark of events before `end`; nothing where the landmark cannot be read.
    fn stand_at(&self, landmark: &str, mut search: Search<Self>, end: u64) -> Option<Search<Self>> {
        let mut lines = landmark.lines();
        let LandmarkHead { counters, iterations } = serde_json::from_str(lines.next()?).ok()?;
        let mut table = NoTable::default();
        for line in lines {
            let (number, line) = line.split_once(' ')?;
            let (number, event) = (number.parse().ok()?, serde_json::from_str(line).ok()?);
            if number >= end {
                return None;
            }
            for name in field_names(line.as_bytes()) {
                self.tape().learn(&name);
            }
            let told = self.step_of(number, &event, search.open_node());
            search.apply_trace_step(&mut table, number, told);
        }
        (search.counters, search.iterations) = (counters, iterations);
        Some(search)
    }

    /// The text of a landmark, if it follows from the one before it, and so do those before it. Without them, counts that are
    /// too high by the same number in all landmarks would be believed.
    fn sound_landmark(&self, landmarks: &[u64], place: usize) -> Option<String> {
        let mut places = place.saturating_sub(LANDMARKS_CHECKED)..=place;
        let is_sound = places.all(|place| {
            let known = lock(&self.0.landmarks).get(&place).copied();
            let sound = known.unwrap_or_else(|| leads_to(self, landmarks, place));
            lock(&self.0.landmarks).insert(place, sound);
            sound
        });
        is_sound.then(|| self.tape().reader.input.landmark(place))?
    }

    /// Whether values at nodes of a side are those of the other one.
    fn is_turned(&self, side: Side) -> bool {
        self.header().view == TraceView::First && side == Side::Black
    }

    fn found(event: &TraceEvent<'_>, node: &TracedPosition) -> TraceStep<Self> {
        if event.u == Some(true) {
            return TraceStep::Hit(node.turn(event.v.unwrap_or_default()));
        }
        let window = event.a.zip(event.b);
        TraceStep::Invalid(window.map(|(alpha, beta)| node.turn_window(alpha, beta)))
    }

    fn left(value: f64, node: &TracedPosition) -> TraceStep<Self> {
        let value = node.turn(value);
        let counts = node.0.above.as_ref().filter(|_| node.0.relation == Relation::Move);
        let parent_value =
            counts.map(|above| if above.0.side == node.0.side { value } else { -value });
        TraceStep::Left { value, parent_value, zero_window: node.0.zero }
    }

    fn stored(
        &self,
        event: &TraceEvent<'_>,
        node: Option<&TracedPosition>,
    ) -> Option<TraceStep<Self>> {
        let key = event.k.as_deref().map(|key| self.key_called(key));
        let key = key.or_else(|| node?.0.key)?;
        let (value, bound) = (score(event.v?), event.bound()?);
        Some(TraceStep::Stored(key, depth_of(event.d), window_of(value, bound), value))
    }
}

/// Whether a window is so narrow that no value lies inside.
fn is_zero(alpha: f64, beta: f64) -> bool {
    beta == alpha.next_up() || (beta - alpha == 1.0 && alpha.fract() == 0.0)
}

impl Rules for TraceGame {
    const NAME: &'static str = "trace";

    type Position = TracedPosition;
    type History = ();
    type Move = TracedMove;
    type Key = TracedKey;
    type Evaluator = ();

    fn side(&self, position: &TracedPosition) -> Side {
        position.0.side
    }

    fn expand(&self, _: &TracedPosition, (): &(), _: &mut Vec<TracedMove>) -> Option<Score> {
        None
    }

    fn apply(&self, position: &TracedPosition, mv: TracedMove) -> TracedPosition {
        let side = position.0.side.other();
        let mut node = TracedNode::of(Some(position), mv, side);
        node.turned = self.is_turned(side);
        TracedPosition(Arc::new(node))
    }

    fn evaluator(&self, _: &Weights, _: &TracedPosition) -> Result<()> {
        Ok(())
    }

    fn evaluate(&self, (): &(), _: &TracedPosition) -> Score {
        Score::ZERO
    }

    fn full_window(&self, (): &()) -> Window {
        Window::INFINITE
    }

    fn key(&self, position: &TracedPosition, _: KeyScheme) -> TracedKey {
        position.0.key.unwrap_or(TracedKey { form: NAMED, value: 0 })
    }

    fn start(&self) -> TracedPosition {
        TracedPosition::root(self.header().root.as_deref().map(Box::from), self.0.first)
    }

    fn default_weights(&self) -> Weights {
        Weights::new([])
    }
}

impl SearchRules for TraceGame {
    fn traced_search(&self) -> Option<&dyn TracedSearch<Self>> {
        Some(self)
    }
}

impl TracedSearch<TraceGame> for TraceGame {
    fn step(&self, number: u64, node: Option<(&TracedPosition, &[TracedMove])>) -> TraceStep<Self> {
        if node.is_some_and(|(position, _)| position.0.ply == DEEPEST) {
            let deep = format!("event {number}: the nodes are nested {DEEPEST} plies deep");
            self.tape().stop(Fault::new(deep).hint("are nodes left that were entered?"));
            return TraceStep::Over;
        }
        match self.tape().event(number, |event, _| self.step_of(number, event, node)) {
            FoundEvent::Event(told) => told,
            FoundEvent::Pending => TraceStep::Pending,
            FoundEvent::Over => TraceStep::Over,
        }
    }
}

impl Notation for TraceGame {
    fn parse_position(&self, text: &str) -> Result<TracedPosition> {
        Ok(TracedPosition::root(Some(text.into()), self.0.first))
    }

    fn format_position(&self, position: &TracedPosition) -> String {
        let TracedNode { told, key, .. } = &*position.0;
        let told = told.as_deref().map(str::to_owned);
        let told = told.or_else(|| self.by_rules(position, |rules| rules.position()));
        told.or_else(|| key.map(|key| format!("key {}", self.format_key(key))))
            .unwrap_or_else(|| "-".to_owned())
    }

    fn format_move(&self, _: &TracedPosition, mv: TracedMove) -> String {
        self.text(mv.0).to_string()
    }
}

impl Game for TraceGame {
    const IS_TRACE: bool = true;

    /// Any move that the trace names somewhere; where more may be written, any move.
    fn parse_move(&self, _: &TracedPosition, (): &(), text: &str) -> Result<TracedMove> {
        if self.names_move(text) {
            return Ok(self.move_called(Some(text)));
        }
        Err(Fault::new(format!("no event of the trace names the move `{text}`"))
            .about_word(text)
            .hint("write moves as the trace does; `tree` shows those of the node at hand"))
    }

    fn parse_key(&self, text: &str) -> Result<TracedKey> {
        Ok(self.key_called(text))
    }

    fn format_key(&self, key: TracedKey) -> String {
        match key.form {
            DECIMAL => key.value.to_string(),
            NAMED => self.text(key.value as u32).to_string(),
            digits => format!("{:0width$x}", key.value, width = digits.into()),
        }
    }

    fn describe_position(&self, position: &TracedPosition, (): &()) -> String {
        let words = self.by_rules(position, |rules| rules.words());
        words.unwrap_or_else(|| format!("{} to move", position.0.side))
    }

    fn board(&self, position: &TracedPosition, (): &(), last: Option<TracedMove>) -> Option<Board> {
        let last = last.map(|mv| self.text(mv.0));
        self.by_rules(position, |rules| rules.board(last.as_deref()))
    }

    fn trace(&self) -> Option<&dyn TraceReader<Self>> {
        Some(self)
    }
}

impl TraceReader<TraceGame> for TraceGame {
    fn field(&self, name: &str, later: bool) -> Option<u16> {
        self.tape().own_called(name, later)
    }

    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue> {
        match self.tape().own(field, event)? {
            Value::Null => None,
            Value::Number(number) => number.as_f64().map(FieldValue::Number),
            Value::Bool(truth) => Some(FieldValue::Number(f64::from(u8::from(truth)))),
            Value::String(text) => Some(FieldValue::Text(text)),
            other => Some(FieldValue::Text(other.to_string())),
        }
    }

    fn entered_at(&self, position: &TracedPosition) -> Option<u64> {
        position.0.event
    }

    fn line(&self, event: u64) -> Option<String> {
        Some(String::from_utf8_lossy(self.tape().line(event)?).trim().to_owned())
    }

    fn jump(&self, begin: &Search<Self>, [from, to]: [u64; 2]) -> Option<Search<Self>> {
        let landmarks = self.tape().reader.input.landmarks();
        let place = landmarks.partition_point(|event| *event <= to).checked_sub(1)?;
        if landmarks[place] < from.saturating_add(landmarks[0]) {
            return None;
        }
        let landmark = self.sound_landmark(&landmarks, place)?;
        self.stand_at(&landmark, begin.clone(), to)
    }

    fn why_ended(&self) -> Option<String> {
        let fault = self.tape().fault.clone()?;
        Some(format!("the trace can be read up to here: {}", fault.message))
    }
}
