//! A trace as a game. Moves, keys and positions are texts of the trace, and a search of this game [applies the events of the
//! trace](TracedSearch::step) instead of searching, so that the debugger can step, break and go back in the search of another
//! program.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Rulebook, TraceEvent, TraceHeader, TraceKind, TraceMates, TraceView,
    check::MateDistances,
    landmark::{LANDMARKS_CHECKED, is_confirmed},
    node::{
        Above, DEEPEST, LandmarkHead, NAMES_WITHIN, NULL_MOVES, NodeKind, Relation, is_zero,
        names_a_move, position_part, score,
    },
    scan::{TraceProgress, TraceScan},
    source::{FoundEvent, TraceEvents},
};
use crate::{
    engine::{
        game::{
            Board, Fault, FieldValue, Game, Key, KeyScheme, Notation, Result, Rules, Score,
            SearchRules, Side, TraceAccess, TraceStep, TracedSearch, TracedTreatment, Weights,
            Window,
        },
        search::Search,
        table::{Bound, NoTable},
    },
    text::style::Scale,
};

/// An open trace, and the number of the thread whose stack and tree are shown. All threads share the table.
#[derive(Clone, Debug)]
pub struct TraceGame(Arc<Shared>, usize);

#[derive(Debug)]
struct Shared {
    file: String,
    header: TraceHeader,
    events: Mutex<TraceEvents>,
    scan: Mutex<TraceScan>,
    names: Mutex<TracedNames>,
    /// The root position of each `root` event.
    roots: Mutex<BTreeMap<u64, Option<Box<str>>>>,
    /// For each landmark checked so far, whether the events confirm it.
    landmarks: Mutex<BTreeMap<usize, bool>>,
    rules: Option<Mutex<Box<dyn Rulebook>>>,
    /// The scale of the values, and from where mates count; unknown while the trace is written.
    values: OnceLock<(Scale, Option<TraceMates>)>,
    /// The side to move at a root without `s`.
    root_side: Side,
    /// The first event that names a move.
    first_name: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numbers that stand for the texts of moves and keys, and back.
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

/// A move in the traced program's notation, as the number of its text; 0: a move without a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedMove(u32);

/// A key in the traced program's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TracedKey {
    /// The notation: a number of hexadecimal digits, 1 to 16, or [`DECIMAL`] or [`NAMED`].
    form: u8,
    value: u64,
}

/// The form of a key that is a decimal number.
const DECIMAL: u8 = 17;

/// The form of a key that is not a number: `value` is the number of its text.
const NAMED: u8 = 18;

impl Key for TracedKey {
    type Stored = Self;

    const BYTES: usize = 9;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.push(self.form);
        bytes.extend(self.value.to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        let split = bytes.split_first();
        let parts = split.and_then(|(form, value)| Some((*form, value.try_into().ok()?)));
        let (form, value) = parts.ok_or_else(|| Fault::new("a key of a trace has 9 bytes"))?;
        Ok(Self { form, value: u64::from_be_bytes(value) })
    }
}

/// The position of a traced node: the fields of its event, and the nodes above it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct TracedPosition(Arc<TracedNode>);

#[derive(Debug)]
struct TracedNode {
    above: Option<TracedPosition>,
    ply: u32,
    mv: TracedMove,
    /// The position's text, if the trace has it.
    text: Option<Box<str>>,
    /// The key in the table, and the part of the key that identifies the position.
    key: Option<TracedKey>,
    position_key: Option<TracedKey>,
    side: Side,
    /// Whether the values of the trace are from the point of view of the side not to move.
    negated: bool,
    kind: NodeKind,
    relation: Relation,
    zero_window: bool,
    /// The event that entered the node.
    event: Option<u64>,
    /// Each value that a move has returned so far, with its event; after going back also those after the current event.
    returned: Mutex<Vec<(u64, TracedMove, Score)>>,
}

impl fmt::Debug for TracedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TracedNode { mv, text, key, event, .. } = &*self.0;
        write!(f, "TracedPosition({mv:?}, {text:?}, {key:?}, {event:?})")
    }
}

impl Drop for TracedNode {
    fn drop(&mut self) {
        // The derived drop would recurse for each ancestor and overflow the stack.
        let mut above = self.above.take();
        while let Some(mut node) = above.and_then(|node| Arc::into_inner(node.0)) {
            above = node.above.take();
        }
    }
}

impl PartialEq for TracedPosition {
    /// Compares texts, or the moves from the root if one of the positions has no text.
    fn eq(&self, other: &Self) -> bool {
        let same_moves = || self.ancestors().zip(other.ancestors()).all(|(a, b)| a.mv == b.mv);
        match (&self.0.text, &other.0.text) {
            (Some(one), Some(two)) => one == two,
            _ => self.0.ply == other.0.ply && same_moves(),
        }
    }
}

impl From<TracedPosition> for String {
    fn from(position: TracedPosition) -> Self {
        position.0.text.as_deref().unwrap_or_default().to_owned()
    }
}

impl From<String> for TracedPosition {
    fn from(text: String) -> Self {
        Self::root(Some(text.into()), Side::White)
    }
}

const UNNAMED: TracedMove = TracedMove(0);

/// The start of the notation of a position whose key alone is known.
const BY_KEY: &str = "key ";

impl TracedNode {
    fn of(above: Option<&TracedPosition>, mv: TracedMove, side: Side) -> Self {
        Self {
            ply: above.map_or(0, |above| above.0.ply + 1),
            above: above.cloned(),
            mv,
            text: None,
            key: None,
            position_key: None,
            side,
            negated: false,
            kind: NodeKind::Plain,
            relation: Relation::Move,
            zero_window: false,
            event: None,
            returned: Mutex::default(),
        }
    }

    /// Adds the value of a move. Returns whether the move had a value before, and if so the best of the other moves.
    fn add_returned(
        &self,
        event: u64,
        mv: TracedMove,
        value: Score,
        replaces_last: bool,
    ) -> (bool, Option<(TracedMove, Score)>) {
        let mut returned = lock(&self.returned);
        let place = returned.partition_point(|(known, ..)| *known < event);
        let before = &returned[..place];
        let is_same = |(at, (_, known, _)): (usize, &(u64, TracedMove, Score))| {
            if mv == UNNAMED { replaces_last && at + 1 == place } else { *known == mv }
        };
        let again = before.iter().enumerate().any(is_same);
        let mut last = BTreeMap::new();
        for (at, (_, mv, value)) in
            before.iter().enumerate().filter(|(_, (_, known, _))| again && *known != mv)
        {
            // Moves without a name count as different moves.
            last.insert(if *mv == UNNAMED { (0, at) } else { (mv.0, 0) }, (*mv, *value));
        }
        if mv == UNNAMED && again {
            let others = before[..place - 1].iter().enumerate();
            last = others.map(|(at, (_, mv, value))| ((mv.0, at), (*mv, *value))).collect();
        }
        let other_best =
            last.into_values().reduce(|best, next| if next.1 > best.1 { next } else { best });
        if returned.get(place).is_none_or(|(known, ..)| *known != event) {
            returned.insert(place, (event, mv, value));
        }
        (again, other_best)
    }
}

impl TracedPosition {
    fn root(text: Option<Box<str>>, side: Side) -> Self {
        let mut node = TracedNode::of(None, UNNAMED, side);
        node.text = text;
        Self(Arc::new(node))
    }

    /// The node and those above it, up to the root.
    fn ancestors(&self) -> impl Iterator<Item = &TracedNode> {
        std::iter::successors(Some(&*self.0), |node| node.above.as_ref().map(|above| &*above.0))
    }

    /// A value of the trace, from the point of view of the side to move.
    fn value_here(&self, value: f64) -> Score {
        score(if self.0.negated { -value } else { value })
    }

    fn window_here(&self, alpha: f64, beta: f64) -> Window {
        let window = Window { alpha: score(alpha), beta: score(beta) };
        if self.0.negated { window.negate() } else { window }
    }
}

/// The scale of the values, and from where mates count. The first node, if its window is symmetric around 0, has the full
/// window; the first mated leaves have the value of a mate on the board.
fn values_of(events: &mut TraceEvents, header: &TraceHeader) -> (Scale, Option<TraceMates>) {
    let (mut mates, mut full) = (MateDistances::default(), None);
    // The plies of the open nodes, and whether nothing has happened yet at the last one.
    let (mut open, mut is_new): (Vec<usize>, bool) = (Vec::new(), false);
    let ends = |event: &TraceEvent<'_>| event.a.zip(event.b);
    let read = |event: &TraceEvent<'_>| (event.e, event.m.is_some(), ends(event), event.v);
    let is_mate = |value: &f64| header.mate.is_some_and(|mate| value.abs() >= mate);
    let is_mated =
        |value: &f64| is_mate(value) && (*value < 0.0 || header.view == TraceView::First);
    for number in 0..VALUES_WITHIN {
        let found = events.event(number, |event, _| (event.thread() == 0).then(|| read(event)));
        let FoundEvent::Event(found) = found else { break };
        match found {
            Some((TraceKind::In, has_move, ends, _)) => {
                full = full.or(ends);
                open.push(open.last().map_or(0, |ply| ply + usize::from(has_move)));
                is_new = has_move;
            }
            Some((TraceKind::Out, _, _, value)) => {
                let leaf = open.pop().filter(|_| std::mem::take(&mut is_new));
                if let Some((ply, value)) = leaf.zip(value.filter(is_mated)) {
                    mates.add(value, ply, number);
                }
            }
            Some((TraceKind::Root, ..)) => open.clear(),
            Some((TraceKind::Hit | TraceKind::Eval | TraceKind::Window, ..)) => is_new = false,
            _ => {}
        }
        if full.is_some() && (header.mate.is_none() || mates.value(header.mates).is_some()) {
            break;
        }
    }
    mates.scale(header, full)
}

/// The most events that are read to find the scale of the values.
const VALUES_WITHIN: u64 = 1 << 16;

/// A window with which a search that returns `value` proves a bound of this kind.
fn window_of(value: Score, bound: Bound) -> Window {
    match bound {
        Bound::Exact => Window::INFINITE,
        Bound::Lower => Window { beta: value, ..Window::INFINITE },
        Bound::Upper => Window { alpha: value, ..Window::INFINITE },
    }
}

impl TraceGame {
    /// Opens a trace; `rules` gives the rules of a game by name. With `follow`, reading waits at the end of the file for more.
    /// Errors: a file that cannot be read, or is not a trace.
    pub fn open(
        path: &Path,
        follow: bool,
        interrupt: &AtomicBool,
        rules: impl Fn(&str) -> Option<Box<dyn Rulebook>>,
    ) -> Result<Self> {
        Ok(Self::of(path, TraceEvents::open(path, follow, interrupt)?, rules))
    }

    /// As [`TraceGame::open`], for an open file that is not being written.
    /// Errors: a file that cannot be read, or is not a trace.
    pub fn of_file(file: File, rules: impl Fn(&str) -> Option<Box<dyn Rulebook>>) -> Result<Self> {
        Ok(Self::of(Path::new(""), TraceEvents::of(file, None, false)?, rules))
    }

    fn of(
        path: &Path,
        mut events: TraceEvents,
        rules: impl Fn(&str) -> Option<Box<dyn Rulebook>>,
    ) -> Self {
        let header = events.reader.header().clone();
        let TraceHeader { game, root, .. } = &header;
        // The check needs its own rules, because the debugger may be at another event of the trace.
        let scan = TraceScan::new(&header, game.as_deref().and_then(&rules));
        let mut rules = game.as_deref().and_then(rules);
        let side = rules.as_mut().and_then(|rules| {
            rules.begin(root.as_deref());
            rules.side()
        });
        let mut names = TracedNames::default();
        names.number("-");
        // Jumps to a landmark of a packed trace would leave out the first events.
        let indexed = events.count().unwrap_or_default().min(NAMES_WITHIN);
        let first_name = (0..indexed).find(|number| {
            let found = events.event(*number, |event, _| names_a_move(*number, event));
            matches!(found, FoundEvent::Event(true))
        });
        let values =
            if events.live { OnceLock::new() } else { values_of(&mut events, &header).into() };
        let shared = Shared {
            file: path.display().to_string(),
            header,
            first_name: AtomicU64::new(first_name.unwrap_or(u64::MAX)),
            events: Mutex::new(events),
            scan: Mutex::new(scan),
            names: Mutex::new(names),
            roots: Mutex::default(),
            landmarks: Mutex::default(),
            rules: rules.map(Mutex::new),
            root_side: side.unwrap_or(Side::White),
            values,
        };
        Self(Arc::new(shared), 0)
    }

    /// Whether an event changes the stack of the thread that is shown.
    pub(super) fn is_shown(&self, event: &TraceEvent<'_>) -> bool {
        event.thread() == self.1 || event.e == TraceKind::Root
    }

    /// Reads all events written so far and calls `next` after each; returns the fault at which reading stopped, if any.
    /// Errors: those of `next`.
    pub fn read_through(&self, next: &mut dyn FnMut() -> Result<()>) -> Result<Option<Fault>> {
        for number in 0.. {
            // A separate statement, because in the condition of `if` the trace would stay locked while `next` runs.
            let found = self.events().event(number, |_, _| ());
            if !matches!(found, FoundEvent::Event(())) {
                break;
            }
            next()?;
        }
        Ok(self.events().fault.clone())
    }

    /// Passes an event and its line to `visit`; false if there is no such event.
    /// Errors: a line that is not an event.
    pub(super) fn read_event(
        &self,
        number: u64,
        visit: impl FnOnce(&TraceEvent<'_>, &[u8]),
    ) -> Result<bool> {
        let mut events = self.events();
        match events.event(number, visit) {
            FoundEvent::Event(()) => Ok(true),
            FoundEvent::Pending | FoundEvent::Over => events.fault.clone().map_or(Ok(false), Err),
        }
    }

    /// Whether a move with this name occurs in the trace or may still occur.
    fn may_have_move(&self, name: &str) -> bool {
        let mut events = self.events();
        if events.live {
            return true;
        }
        for number in 0.. {
            match events.event(number, |event, _| event.m.as_deref() == Some(name)) {
                FoundEvent::Event(false) => {}
                FoundEvent::Event(true) | FoundEvent::Pending => return true,
                FoundEvent::Over => break,
            }
        }
        false
    }

    /// The file's name, as it was opened.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The header of the trace, its first line.
    pub fn header(&self) -> &TraceHeader {
        &self.0.header
    }

    /// The number of events; `None` until the end was read, unless the trace is packed.
    pub fn event_count(&self) -> Option<u64> {
        self.events().count()
    }

    /// Whether the program may write more events.
    pub fn is_live(&self) -> bool {
        self.events().live
    }

    /// Whether the trace is packed, so that the number of its events is known.
    pub fn is_packed(&self) -> bool {
        self.events().indexed
    }

    /// Continues reading and checking until everything is read, or until `stop` returns true for the number of events. `goto`
    /// reaches events that were read at once.
    pub fn check_on(&self, stop: &mut dyn FnMut(u64) -> bool) -> TraceProgress {
        self.scan().check_on(|| self.events(), stop)
    }

    pub(super) fn scan(&self) -> MutexGuard<'_, TraceScan> {
        lock(&self.0.scan)
    }

    pub(super) fn events(&self) -> MutexGuard<'_, TraceEvents> {
        lock(&self.0.events)
    }

    fn names(&self) -> MutexGuard<'_, TracedNames> {
        lock(&self.0.names)
    }

    fn move_named(&self, name: Option<&str>) -> TracedMove {
        name.map_or(UNNAMED, |name| TracedMove(self.names().number(name)))
    }

    fn key_named(&self, text: &str) -> TracedKey {
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

    /// Plays the moves to a node by the rules of the game and returns the result of `query` there; `None` without rules.
    fn by_rules<T>(
        &self,
        position: &TracedPosition,
        query: impl FnOnce(&dyn Rulebook) -> Option<T>,
    ) -> Option<T> {
        let mut rules = lock(self.0.rules.as_ref()?);
        let mut line: Vec<_> = position.ancestors().collect();
        let root = line.pop().and_then(|root| root.text.as_deref());
        rules.begin(root.or(self.header().root.as_deref()));
        for node in line.into_iter().rev() {
            let mv = self.text(node.mv.0);
            node.relation.follow(rules.as_mut(), Some(&mv), node.text.as_deref());
        }
        query(rules.as_ref())
    }

    fn text(&self, number: u32) -> Arc<str> {
        self.names().texts.get(number as usize).map_or_else(|| "-".into(), Arc::clone)
    }

    /// The root position of the search that an event belongs to.
    fn root_before(&self, event: u64) -> Option<Box<str>> {
        let root =
            lock(&self.0.roots).range(..event).next_back().and_then(|(_, root)| root.clone());
        root.or_else(|| self.header().root.as_deref().map(Box::from))
    }

    fn enter(
        &self,
        number: u64,
        event: &TraceEvent<'_>,
        above: Option<(&TracedPosition, &[TracedMove])>,
    ) -> TraceStep<Self> {
        let key = event.k.as_deref().map(|key| self.key_named(key));
        let mv = self.move_named(event.m.as_deref());
        let position_key = event.k.as_deref().map(|key| self.key_named(position_part(key)));
        let parent = above.map(|(above, _)| Above {
            kind: above.0.kind,
            same_key: position_key.zip(above.0.position_key).map(|(own, above)| own == above),
            names_moves: self.0.first_name.load(Relaxed) < number,
        });
        if names_a_move(number, event) {
            self.0.first_name.fetch_min(number, Relaxed);
        }
        let relation = Relation::of(event, parent);
        let side = side_of(event).unwrap_or_else(|| match above {
            None => self.0.root_side,
            Some((above, _)) if relation == Relation::Inner => above.0.side,
            Some((above, _)) => above.0.side.other(),
        });
        let (alpha, beta) = (event.a.unwrap_or_default(), event.b.unwrap_or_default());
        let kind = NodeKind::by_name(event.t.as_deref());
        let root = || if above.is_none() { self.root_before(number) } else { None };
        let mut node = TracedNode::of(above.map(|(above, _)| above), mv, side);
        node.text = event.p.as_deref().map(Box::from).or_else(root);
        (node.key, node.position_key) = (key, position_key);
        node.negated = self.is_negated(side);
        node.kind = kind;
        node.relation = relation;
        node.zero_window =
            kind == NodeKind::Zero || kind == NodeKind::Plain && is_zero((alpha, beta));
        node.event = Some(number);
        let position = TracedPosition(Arc::new(node));
        let last = above.and_then(|(_, moves)| moves.last());
        TraceStep::Entered {
            window: position.window_here(alpha, beta),
            position,
            mv,
            depth: event.depth(),
            key,
            research: kind == NodeKind::Research || (mv != UNNAMED && last == Some(&mv)),
            null_move: relation == Relation::Null,
        }
    }

    pub(super) fn step_of(
        &self,
        number: u64,
        event: &TraceEvent<'_>,
        node: Option<(&TracedPosition, &[TracedMove])>,
    ) -> TraceStep<Self> {
        let shown = self.is_shown(event);
        let at = node.map(|(position, _)| position).filter(|_| shown);
        let value = at.and_then(|at| Some(at.value_here(event.v?)));
        let window = at.and_then(|at| Some(at.window_here(event.a?, event.b?)));
        let step = match (event.e, at) {
            (TraceKind::In | TraceKind::Iter, _) if !shown => None,
            (TraceKind::In, _) => Some(self.enter(number, event, node)),
            (TraceKind::Iter, _) => Some(TraceStep::Iteration(event.depth())),
            (TraceKind::Put, _) => self.stored(event, at),
            (TraceKind::Drop, _) => {
                event.k.as_deref().map(|key| TraceStep::Dropped(self.key_named(key)))
            }
            (TraceKind::Hit, Some(_)) if event.u == Some(true) => {
                Some(TraceStep::Hit(value.unwrap_or(Score::ZERO)))
            }
            (TraceKind::Hit, Some(_)) => Some(TraceStep::Invalid(window)),
            (TraceKind::Miss, Some(_)) => Some(TraceStep::Missed),
            (TraceKind::Eval, Some(_)) => value.map(TraceStep::Static),
            (TraceKind::Window, Some(_)) => window.map(TraceStep::Window),
            (TraceKind::Skip, Some(_)) => {
                Some(TraceStep::Skipped(self.move_named(event.m.as_deref())))
            }
            (TraceKind::Cut, Some(_)) => Some(TraceStep::Cut(value)),
            (TraceKind::Out, Some(at)) => event.v.map(|value| self.leave_step(number, value, at)),
            (TraceKind::Root, _) => {
                lock(&self.0.roots).insert(number, event.p.as_deref().map(Box::from));
                let root = self.root_before(number + 1);
                Some(TraceStep::Begun(TracedPosition::root(root, self.0.root_side)))
            }
            _ => None,
        };
        step.unwrap_or(TraceStep::Remark)
    }

    /// Applies a landmark, of events before `end`, to a search that has not begun; `None` if the landmark is not readable.
    fn apply_landmark(
        &self,
        landmark: &str,
        mut search: Search<Self>,
        end: u64,
    ) -> Option<Search<Self>> {
        let mut lines = landmark.lines();
        let LandmarkHead { counters, iterations } = serde_json::from_str(lines.next()?).ok()?;
        let mut table = NoTable::default();
        for line in lines {
            let (number, line) = line.split_once(' ')?;
            let (number, event) = (number.parse().ok()?, serde_json::from_str(line).ok()?);
            if number >= end {
                return None;
            }
            self.events().add_own_fields(line.as_bytes());
            let step = self.step_of(number, &event, search.open_node());
            search.apply_trace_step(&mut table, number, step);
        }
        (search.counters, search.iterations) = (counters, iterations);
        Some(search)
    }

    /// The text of a landmark, if the events confirm this landmark and some before it. Checking one landmark alone would miss
    /// counters that are too high by the same number in all landmarks.
    fn checked_landmark(&self, landmarks: &[u64], place: usize) -> Option<String> {
        let mut places = place.saturating_sub(LANDMARKS_CHECKED)..=place;
        let confirmed = places.all(|place| {
            let known = lock(&self.0.landmarks).get(&place).copied();
            let confirmed = known.unwrap_or_else(|| is_confirmed(self, landmarks, place));
            lock(&self.0.landmarks).insert(place, confirmed);
            confirmed
        });
        confirmed.then(|| self.events().reader.input.landmark(place))?
    }

    /// Whether values at nodes with this side to move are from the other side's point of view.
    fn is_negated(&self, side: Side) -> bool {
        self.header().view == TraceView::First && side == Side::Black
    }

    /// A value that is `plies` nearer to the end of the game, if it is a mate counted from the node.
    fn shift_mate(&self, value: Score, plies: f64) -> Score {
        let is_mate = self.header().mate.is_some_and(|mate| value.get().abs() >= mate);
        let is_shifted =
            is_mate && matches!(self.0.values.get(), Some((_, Some(TraceMates::Node))));
        if is_shifted { score(value.get() + plies * value.get().signum()) } else { value }
    }

    fn leave_step(&self, number: u64, value: f64, node: &TracedPosition) -> TraceStep<Self> {
        let value = node.value_here(value);
        let TracedNode { mv, kind, relation, zero_window, ref above, .. } = *node.0;
        // Null moves, trial searches and searches of the same position do not count as moves of the parent.
        let counts = relation == Relation::Move && kind != NodeKind::Trial;
        let same_side = above.as_ref().is_some_and(|above| above.0.side == node.0.side);
        let parent_value = if same_side { value } else { value.parent(self) };
        let (mut again, mut other_best) = (false, None);
        if let Some(above) = above.as_ref().filter(|_| counts) {
            let research = kind == NodeKind::Research;
            (again, other_best) = above.0.add_returned(number, mv, parent_value, research);
        }
        TraceStep::Left { value, parent_value, counts, again, other_best, zero_window }
    }

    fn stored(
        &self,
        event: &TraceEvent<'_>,
        node: Option<&TracedPosition>,
    ) -> Option<TraceStep<Self>> {
        let key = event.k.as_deref().map(|key| self.key_named(key));
        let key = key.or_else(|| node?.0.key)?;
        let (value, bound) = (score(event.v?), event.bound()?);
        let own = self.is_shown(event);
        Some(TraceStep::Stored(key, event.depth(), window_of(value, bound), value, own))
    }
}

/// Rows and columns of a text with rows of equal length, separated by `/`. `None` with digits, which may count empty squares.
fn rows_of(text: &str) -> Option<[u8; 2]> {
    let text = text.split_whitespace().next()?;
    let columns = text.split('/').next()?.chars().count();
    let is_row = |row: &str| {
        row.chars().count() == columns && !row.contains(|sign: char| ('1'..='9').contains(&sign))
    };
    let is_board = text.contains('/') && columns > 1 && text.split('/').all(is_row);
    let rows = text.split('/').count();
    is_board.then_some([rows.try_into().ok()?, columns.try_into().ok()?])
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
        node.negated = self.is_negated(side);
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
        position.0.position_key.unwrap_or(TracedKey { form: NAMED, value: 0 })
    }

    fn start(&self) -> TracedPosition {
        TracedPosition::root(self.header().root.as_deref().map(Box::from), self.0.root_side)
    }

    fn default_weights(&self) -> Weights {
        Weights::new([])
    }
}

impl SearchRules for TraceGame {
    const IS_TRACE: bool = true;

    fn delay_mate(&self, value: Score) -> Score {
        self.shift_mate(value, -1.0)
    }

    fn hasten_mate(&self, value: Score) -> Score {
        self.shift_mate(value, 1.0)
    }

    fn traced_search(&self) -> Option<&dyn TracedSearch<Self>> {
        Some(self)
    }
}

impl TracedSearch<TraceGame> for TraceGame {
    fn step(&self, number: u64, node: Option<(&TracedPosition, &[TracedMove])>) -> TraceStep<Self> {
        if node.is_some_and(|(position, _)| position.0.ply == DEEPEST) {
            let deep = format!("event {number}: the nodes are nested {DEEPEST} plies deep");
            self.events().stop(Fault::new(deep).hint("check that each `in` has its `out`"));
            return TraceStep::Over;
        }
        match self.events().event(number, |event, _| self.step_of(number, event, node)) {
            FoundEvent::Event(step) => step,
            FoundEvent::Pending => TraceStep::Pending,
            FoundEvent::Over => TraceStep::Over,
        }
    }
}

impl Notation for TraceGame {
    fn parse_position(&self, text: &str) -> Result<TracedPosition> {
        let Some(key) = text.strip_prefix(BY_KEY) else {
            let side = self.0.rules.as_ref().and_then(|rules| {
                let mut rules = lock(rules);
                rules.begin(Some(text));
                rules.side()
            });
            return Ok(TracedPosition::root(Some(text.into()), side.unwrap_or(self.0.root_side)));
        };
        let mut node = TracedNode::of(None, UNNAMED, self.0.root_side);
        (node.key, node.position_key) =
            (Some(self.key_named(key)), Some(self.key_named(position_part(key))));
        Ok(TracedPosition(Arc::new(node)))
    }

    fn format_position(&self, position: &TracedPosition) -> String {
        let TracedNode { text, key, .. } = &*position.0;
        let text = text.as_deref().map(str::to_owned);
        text.or_else(|| self.by_rules(position, |rules| rules.position()))
            .or_else(|| key.map(|key| format!("{BY_KEY}{}", self.format_key(key))))
            .unwrap_or_else(|| "-".to_owned())
    }

    fn format_move(&self, _: &TracedPosition, mv: TracedMove) -> String {
        self.text(mv.0).to_string()
    }

    /// The letters of a position's text, or of its key, in the rows and columns given in the header, or else in the rows that
    /// `/` separates in the text, if all have the same length: `.`, `-`, `_` and `0` are empty, capital letters White's.
    fn squares(&self, position: &TracedPosition) -> Vec<Vec<Option<(Side, char)>>> {
        let node = &*position.0;
        let key = || Some(self.format_key(node.position_key?).into());
        let text: Option<Box<str>> = node.text.clone().or_else(key);
        let rows = || rows_of(node.text.as_deref()?);
        let (Some([rows, columns]), Some(text)) = (self.header().shape.or_else(rows), text) else {
            return Vec::new();
        };
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        let signs: Vec<char> =
            text.chars().filter(|sign| !sign.is_whitespace() && *sign != '/').collect();
        if columns == 0 || signs.len() < rows * columns {
            return Vec::new();
        }
        let square = |sign: &char| match sign {
            '.' | '-' | '_' | '0' => None,
            sign if sign.is_uppercase() => Some((Side::White, *sign)),
            sign => Some((Side::Black, sign.to_ascii_uppercase())),
        };
        signs.chunks(columns).take(rows).map(|row| row.iter().map(square).collect()).collect()
    }
}

impl Game for TraceGame {
    /// Accepts any move that occurs in the trace; while the program may write more, any text.
    fn parse_move(&self, _: &TracedPosition, (): &(), text: &str) -> Result<TracedMove> {
        if self.may_have_move(text) {
            return Ok(self.move_named(Some(text)));
        }
        Err(Fault::new(format!("no event of the trace has the move `{text}`"))
            .about_word(text)
            .hint("write moves as the trace does; `tree` shows those of the current node"))
    }

    fn parse_key(&self, text: &str) -> Result<TracedKey> {
        Ok(self.key_named(text))
    }

    fn format_key(&self, key: TracedKey) -> String {
        match key.form {
            DECIMAL => key.value.to_string(),
            NAMED => self.text(key.value as u32).to_string(),
            digits => format!("{:0width$x}", key.value, width = digits.into()),
        }
    }

    fn san(&self, position: &TracedPosition, mv: TracedMove) -> Option<String> {
        let mv = self.text(mv.0);
        self.by_rules(position, |rules| rules.san(&mv))
    }

    fn scale(&self, _: Window) -> Scale {
        let mut events = self.events();
        if events.live {
            return Scale::Plain;
        }
        self.0.values.get_or_init(|| values_of(&mut events, self.header())).0
    }

    fn describe_position(&self, position: &TracedPosition, (): &()) -> String {
        let words = self.by_rules(position, |rules| rules.description());
        words.unwrap_or_else(|| format!("{} to move", position.0.side))
    }

    fn board(&self, position: &TracedPosition, (): &(), last: Option<TracedMove>) -> Option<Board> {
        let name = last.map(|mv| self.text(mv.0));
        let board = self.by_rules(position, |rules| rules.board(name.as_deref()));
        board.or_else(|| Board::of_squares(self, position, &(), last))
    }

    fn trace(&self) -> Option<&dyn TraceAccess<Self>> {
        Some(self)
    }
}

fn side_of(event: &TraceEvent<'_>) -> Option<Side> {
    event.black_to_move().map(|black| if black { Side::Black } else { Side::White })
}

/// Collects how an open node of a trace treated one move.
struct TryCollector<'a> {
    game: &'a TraceGame,
    /// The side to move at the node.
    side: Side,
    mv: &'a str,
    /// The number of open nodes below the node.
    level: u64,
    /// Whether the values of the current search are negated at the node.
    negated: bool,
    treatments: Vec<TracedTreatment>,
}

impl TryCollector<'_> {
    fn see(&mut self, number: u64, event: &TraceEvent<'_>) {
        if !self.game.is_shown(event) {
            return;
        }
        let is_of_move = self.level == 0 && event.m.as_deref() == Some(self.mv);
        let is_in_child = self.level == 1;
        match event.e {
            TraceKind::In if is_of_move => self.enter(number, event),
            TraceKind::Skip | TraceKind::Reduce | TraceKind::Extend | TraceKind::Cut
                if is_of_move =>
            {
                let treatment = treatment(number, event, event.r.as_deref());
                self.treatments.push(TracedTreatment { plies: event.n, ..treatment });
            }
            TraceKind::Hit if is_in_child && event.u == Some(true) => {
                if let Some(search) = self.under_way() {
                    search.entry = Some(event.k.as_deref().unwrap_or_default().to_owned());
                }
            }
            TraceKind::Out if is_in_child => {
                let value = score(event.v.unwrap_or_default());
                let value = if self.negated { -value } else { value };
                if let Some(search) = self.under_way() {
                    (search.until, search.value) = (Some(number), Some(value));
                }
            }
            _ => {}
        }
        match event.e {
            TraceKind::In => self.level += 1,
            TraceKind::Out => self.level = self.level.saturating_sub(1),
            _ => {}
        }
    }

    /// The last search of the move, if that search has not returned a value.
    fn under_way(&mut self) -> Option<&mut TracedTreatment> {
        self.treatments.last_mut().filter(|last| last.until.is_none() && last.kind == "search")
    }

    fn enter(&mut self, number: u64, event: &TraceEvent<'_>) {
        let side = side_of(event).unwrap_or(self.side.other());
        self.negated = self.game.is_negated(side) != (side != self.side);
        let [alpha, beta] = [event.a, event.b].map(|end| score(end.unwrap_or_default()));
        let window = Window { alpha, beta };
        let window = if self.negated { window.negate() } else { window };
        self.treatments.push(TracedTreatment {
            kind: "search",
            depth: event.d,
            window: Some(window),
            ..treatment(number, event, event.t.as_deref())
        });
    }
}

fn treatment(number: u64, event: &TraceEvent<'_>, reason: Option<&str>) -> TracedTreatment {
    let reason = reason.map(str::to_owned);
    TracedTreatment { event: number, kind: event.e.name(), reason, ..TracedTreatment::default() }
}

impl TraceAccess<TraceGame> for TraceGame {
    fn field(&self, name: &str, later: bool) -> Option<u16> {
        self.events().own_field_number(name, later)
    }

    fn field_at(&self, field: u16, event: u64) -> Option<FieldValue> {
        match self.events().own_field(field, event)? {
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

    fn place_of_last(&self, node: &TracedPosition, moves: &[TracedMove]) -> [usize; 2] {
        let names_moves = self.0.first_name.load(Relaxed) < u64::MAX;
        let mut seen = Vec::new();
        for &mv in moves {
            let is_pass = NULL_MOVES.contains(&&*self.text(mv.0));
            let counts = if mv == UNNAMED { !names_moves } else { !is_pass && !seen.contains(&mv) };
            seen.extend(counts.then_some(mv));
        }
        let place = seen.iter().rposition(|mv| moves.last() == Some(mv));
        let legal = self.by_rules(node, |rules| rules.legal_moves());
        let is_known = |legal: &usize| *legal >= seen.len() && node.0.kind != NodeKind::Quiescence;
        [place.map_or(0, |place| place + 1), legal.filter(is_known).unwrap_or(0)]
    }

    fn treatments(&self, node: &TracedPosition, end: u64, mv: &str) -> Vec<TracedTreatment> {
        let mut collector = TryCollector {
            game: self,
            side: node.0.side,
            mv,
            level: 0,
            negated: false,
            treatments: Vec::new(),
        };
        let begin = node.0.event.map_or(0, |event| event + 1);
        for number in begin..end {
            let read = self.read_event(number, |event, _| collector.see(number, event));
            if !read.is_ok_and(|read| read) {
                break;
            }
        }
        collector.treatments
    }

    fn outline(&self) -> (u64, Vec<(u8, u64)>) {
        (self.events().known(), self.scan().iterations.clone())
    }

    fn line(&self, event: u64) -> Option<(u64, String)> {
        let mut events = self.events();
        let line = String::from_utf8_lossy(events.line(event)?).trim().to_owned();
        Some((events.reader.place.number, line))
    }

    fn jump(&self, begin: &Search<Self>, [from, to]: [u64; 2]) -> Option<Search<Self>> {
        // Landmarks exist only for thread 0.
        if self.1 > 0 {
            return None;
        }
        let landmarks = self.events().reader.input.landmarks();
        let place = landmarks.partition_point(|event| *event <= to).checked_sub(1)?;
        if landmarks[place] < from.saturating_add(landmarks[0]) {
            return None;
        }
        let landmark = self.checked_landmark(&landmarks, place)?;
        self.apply_landmark(&landmark, begin.clone(), to)
    }

    fn of_thread(&self, thread: usize) -> TraceGame {
        Self(Arc::clone(&self.0), thread)
    }

    fn other_thread(&self, event: u64) -> Option<usize> {
        let mut events = self.events();
        let event: TraceEvent<'_> = serde_json::from_slice(events.line(event)?).ok()?;
        (!self.is_shown(&event)).then(|| event.thread())
    }

    fn findings_at(&self, event: u64) -> Vec<String> {
        // No findings are shown while the check runs in the background.
        let Ok(scan) = self.0.scan.try_lock() else {
            return Vec::new();
        };
        let here = scan.progress.found.findings.iter().filter(|finding| finding.event == event);
        here.map(|finding| finding.brief().0.trim_end_matches('.').to_owned()).collect()
    }

    fn why_ended(&self) -> Option<String> {
        let fault = self.events().fault.clone()?;
        Some(format!("the trace can be read up to here: {}", fault.message))
    }
}
