//! Random conditions: a plain evaluation of each at every event of a search is compared with breakpoints.

use std::sync::OnceLock;

use proptest::{collection::vec, prelude::*, sample::select};

use crate::common::{cases::cases, roots::ROOTS, running::engine};
use plyscope::engine::{
    debugger::Action,
    recording::Resume,
    search::ProbeOutcome,
    session::{event::EventReport, reply::EventKind, search::FrameReport},
};

/// Searches of both games with every kind of node, two of them straight down to ply 70.
const SEARCHES: [(&str, &[(&str, &str)]); 7] = [
    (ROOTS[0], &[("memo", "interval"), ("depth", "3"), ("budget", "150")]),
    (ROOTS[0], &[("memo", "bound"), ("algorithm", "mtdf"), ("depth", "3"), ("budget", "150")]),
    (ROOTS[1], &[("algorithm", "pvs"), ("depth", "4"), ("aspiration", "5"), ("budget", "200")]),
    (
        "6k1/5pp1/8/8/4Q3/8/5PPP/N4BK1 w - - 0 1",
        &[("null", "1"), ("lmr", "1"), ("extend", "on"), ("depth", "4"), ("budget", "250")],
    ),
    (ROOTS[1], &[("memo", "exact"), ("quiescence", "on"), ("depth", "3"), ("budget", "200")]),
    ("w.w.b.b./.b...w../.w.b.... w 0 0", DEEP),
    (ROOTS[1], DEEP),
];

const DEEP: &[(&str, &str)] = &[("deepening", "off"), ("depth", "70"), ("budget", "120")];

/// An event with its frame, the iteration and the node count.
struct ObservedEvent {
    event: EventReport,
    frame: FrameReport,
    iteration: u8,
    nodes: u64,
}

fn observed_events(search: usize) -> &'static [ObservedEvent] {
    static ALL: [OnceLock<Vec<ObservedEvent>>; SEARCHES.len()] = [const { OnceLock::new() }; 7];
    ALL[search].get_or_init(|| {
        let (state, settings) = SEARCHES[search];
        let mut engine = engine(state, settings);
        let mut observed = Vec::new();
        loop {
            let stop = engine.session_mut().resume(Resume::Step(1)).unwrap();
            let mut stack = engine.session().stack().unwrap();
            let (iteration, nodes) = (stack.iteration, stack.nodes);
            let frame = stack.frames.pop().unwrap();
            observed.extend(stop.event.map(|event| ObservedEvent {
                event,
                frame,
                iteration,
                nodes,
            }));
            if stop.done || stop.stopped == "budget" {
                return observed;
            }
        }
    })
}

const NUMBERS: [&str; 11] = [
    "alpha",
    "beta",
    "value",
    "best",
    "depth",
    "ply",
    "nodes",
    "index",
    "iteration",
    "child",
    "children",
];

/// The value of a name at an event, if it has one.
fn number(name: &str, at: &ObservedEvent) -> Option<f64> {
    let ObservedEvent { event, frame, .. } = at;
    match name {
        "alpha" => Some(event.window.alpha.get()),
        "beta" => Some(event.window.beta.get()),
        "value" => event.value.map(plyscope::engine::game::Score::get),
        "best" => frame.best.map(plyscope::engine::game::Score::get),
        "depth" => Some(event.depth.into()),
        "ply" => Some(event.ply.into()),
        "nodes" => Some(at.nodes as f64),
        "index" => Some(event.index as f64),
        "iteration" => Some(at.iteration.into()),
        "child" => Some(frame.child as f64),
        _ => (frame.children > 0).then_some(frame.children as f64),
    }
}

/// The word that is the value of a name at an event, if it has one.
fn word(name: &str, at: &ObservedEvent) -> Option<String> {
    let ObservedEvent { event, frame, .. } = at;
    match name {
        "event" => Some(event.kind.name().to_owned()),
        "side" => Some(frame.side.letter().to_string()),
        "move" => event.mv.as_ref().map(|mv| mv.plain().to_owned()),
        _ => match frame.memo {
            ProbeOutcome::NotProbed => None,
            ProbeOutcome::Hit => Some("hit".to_owned()),
            ProbeOutcome::Invalid => Some("invalid".to_owned()),
            ProbeOutcome::Miss => Some("miss".to_owned()),
        },
    }
}

/// Whether a name has a value at this kind of event, unlike at `descend`.
fn is_known_at(name: &str, kind: EventKind) -> bool {
    use EventKind::{
        Captures, Cutoff, Expand, Hit, Invalid, Leaf, Miss, Raise, Research, Return, StandPat,
        Terminal,
    };
    let came_back = matches!(kind, Return | Raise | Cutoff | Research);
    match name {
        "value" => came_back || matches!(kind, Hit | Leaf | StandPat | Terminal | Captures),
        "best" => matches!(kind, Raise | Cutoff),
        "child" | "children" => came_back || matches!(kind, Expand | Captures),
        "memo" => matches!(kind, Hit | Invalid | Miss),
        name => name == "event",
    }
}

#[derive(Clone, Debug)]
enum Clause {
    /// A number, or the difference of two, compared with a constant on either side.
    Number {
        name: &'static str,
        less: Option<&'static str>,
        sign: &'static str,
        limit: f64,
        turned: bool,
    },
    Word {
        name: &'static str,
        word: &'static str,
        equal: bool,
    },
    None {
        name: &'static str,
        equal: bool,
    },
    Not(Box<Clause>),
    All(Vec<Clause>),
    Any(Vec<Clause>),
}

impl Clause {
    fn holds(&self, at: &ObservedEvent) -> bool {
        match self {
            Self::Number { name, less, sign, limit, .. } => {
                let less = less.map_or(Some(0.0), |name| number(name, at));
                let Some((value, less)) = number(name, at).zip(less) else {
                    return false;
                };
                let value = value - less;
                match *sign {
                    "<" => value < *limit,
                    "<=" => value <= *limit,
                    ">" => value > *limit,
                    ">=" => value >= *limit,
                    "!=" => value != *limit && !value.is_nan(),
                    _ => value == *limit,
                }
            }
            Self::Word { name, word: wanted, equal } => {
                word(name, at).is_some_and(|word| (word == *wanted) == *equal)
            }
            Self::None { name, equal } => {
                let known = if NUMBERS.contains(name) {
                    number(name, at).is_some()
                } else {
                    word(name, at).is_some()
                };
                known != *equal
            }
            Self::Not(inner) => !inner.holds(at),
            Self::All(parts) => parts.iter().all(|part| part.holds(at)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(at)),
        }
    }

    fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Number { name, less, .. } => [*name].into_iter().chain(*less).collect(),
            Self::Word { name, .. } | Self::None { name, .. } => vec![name],
            Self::Not(inner) => inner.names(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::names).collect(),
        }
    }

    /// Whether a breakpoint with this condition stops: it is tested at the events that have values for its names, or,
    /// if there are none, at `descend`.
    fn stops(&self, at: &ObservedEvent) -> bool {
        let names = self.names();
        let has_names = |kind| names.iter().any(|name| is_known_at(name, kind));
        let kind = at.event.kind;
        let usual = EventKind::ALL.iter().any(|kind| has_names(*kind));
        (if usual { has_names(kind) } else { kind == EventKind::Descend }) && self.holds(at)
    }

    /// The condition as text, in parentheses only if its operator binds less strongly than the outer one.
    fn text(&self, around: u8) -> String {
        let equals = |equal: &bool| if *equal { "==" } else { "!=" };
        let (text, binds) = match self {
            Self::Number { name, less, sign, limit, turned } => {
                let sum = less.map_or((*name).to_owned(), |less| format!("{name} - {less}"));
                let text = if *turned {
                    let sign = sign.replace('<', "?").replace('>', "<").replace('?', ">");
                    format!("{limit:e} {sign} {sum}")
                } else {
                    format!("{sum} {sign} {limit:e}")
                };
                (text, 3)
            }
            Self::Word { name, word, equal } => (format!("{name} {} {word}", equals(equal)), 3),
            Self::None { name, equal } => (format!("{name} {} none", equals(equal)), 3),
            Self::Not(inner) => (format!("not {}", inner.text(3)), 3),
            Self::All(parts) => (joined(parts, " and ", 2), 1),
            Self::Any(parts) => (joined(parts, " or ", 1), 0),
        };
        if binds < around { format!("({text})") } else { text }
    }
}

fn joined(parts: &[Clause], with: &str, around: u8) -> String {
    let texts: Vec<_> = parts.iter().map(|part| part.text(around)).collect();
    texts.join(with)
}

fn clause() -> impl Strategy<Value = Clause> {
    const SCORES: [f64; 9] = [-50.0, -5.0, -0.05, 0.0, 0.05, 0.2, 10.0, 320.0, 90_000.0];
    const COUNTS: [f64; 9] = [0.0, 1.0, 2.0, 3.0, 4.0, 12.0, 62.0, 63.0, 64.0];
    let sign = || select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let of = |names: &[&'static str], less: &[Option<&'static str>], limits: &[f64]| {
        let limit = (any::<bool>(), select(limits.to_vec()));
        (select(names.to_vec()), select(less.to_vec()), sign(), limit).prop_map(
            |(name, less, sign, (turned, limit))| Clause::Number {
                name,
                less,
                sign,
                limit,
                turned,
            },
        )
    };
    let counts = [None, None, Some("depth"), Some("child")];
    let large = [50.0, 99.5, 200.0, 400.0];
    let number = prop_oneof![
        3 => of(&NUMBERS[..4], &[None, None, Some("alpha"), Some("best")], &SCORES),
        2 => of(&["ply"], &counts, &COUNTS),
        3 => of(&["depth", "iteration", "child", "children"], &counts, &COUNTS),
        1 => of(&["nodes", "index"], &[None, Some("nodes")], &large),
    ];
    let words = vec![
        ("event", "return"),
        ("event", "cutoff"),
        ("event", "descend"),
        ("event", "miss"),
        ("side", "w"),
        ("side", "b"),
        ("memo", "hit"),
        ("memo", "miss"),
        ("memo", "invalid"),
        ("move", "a2a3"),
        ("move", "e8d8"),
        ("move", "d6"),
        ("move", "e3-d3"),
    ];
    let word = (select(words), any::<bool>()).prop_map(|((name, word), equal)| Clause::Word {
        name,
        word,
        equal,
    });
    let none = (select(vec!["best", "value", "children", "memo", "move"]), any::<bool>())
        .prop_map(|(name, equal)| Clause::None { name, equal });
    let leaf = prop_oneof![6 => number, 3 => word, 1 => none];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Clause::Not(Box::new(inner))),
            vec(inner.clone(), 2..4).prop_map(Clause::All),
            vec(inner, 2..4).prop_map(Clause::Any),
        ]
    })
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every breakpoint stops and counts where the plain evaluation of its condition holds, and nowhere else.
    #[test]
    fn a_breakpoint_stops_wherever_its_condition_read_plainly_holds(
        search in 0..SEARCHES.len(),
        clauses in vec(clause(), 1..4),
    ) {
        let (state, settings) = SEARCHES[search];
        let mut engine = engine(state, settings);
        let session = engine.session_mut();
        let mut set = Vec::new();
        for clause in clauses {
            let text = clause.text(0);
            match session.break_at(&[], Some(&text), Action::Stop) {
                Ok(_) => set.push(clause),
                Err(fault) => {
                    prop_assert!(fault.message.contains("no event can fulfil"), "{text}: {fault}");
                    prop_assert!(!observed_events(search).iter().any(|at| clause.stops(at)), "{text}");
                }
            }
        }
        let mut found = Vec::new();
        loop {
            // The search cannot continue past the last event of its budget.
            let Ok(stop) = session.resume(Resume::Continue) else {
                break;
            };
            found.extend(stop.event.filter(|_| stop.breakpoint.is_some()));
            if stop.done || stop.stopped == "budget" {
                break;
            }
        }
        let stops = |at: &&ObservedEvent| set.iter().any(|clause| clause.stops(at));
        let wanted: Vec<_> = observed_events(search).iter().filter(stops).map(|at| &at.event).collect();
        let texts: Vec<_> = set.iter().map(|clause| clause.text(0)).collect();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{:?}", texts);
        for (point, clause) in session.breakpoints().breakpoints.iter().zip(&set) {
            let hits = observed_events(search).iter().filter(|at| clause.stops(at)).count();
            prop_assert_eq!(point.hits, hits as u64, "{}", clause.text(0));
        }
    }
}

/// Deep plies have no bit of their own: every way to name such a ply stops there.
#[test]
fn breakpoints_far_from_the_root_stop_too() {
    for (search, (state, settings)) in SEARCHES.into_iter().enumerate().skip(5) {
        let descents =
            observed_events(search).iter().filter(|at| at.event.kind == EventKind::Descend);
        // The line may end earlier; then the search returns and takes another line.
        let mut line = Vec::new();
        for EventReport { ply, mv, .. } in descents.map(|at| &at.event) {
            line.truncate((*ply as usize).saturating_sub(1));
            line.extend(mv.clone());
            if *ply == 66 {
                break;
            }
        }
        for ply in [62_u32, 63, 64, 66] {
            let path = plyscope::text::words(&line[..ply as usize]);
            let (number, below) = (ply.to_string(), format!("{path} *"));
            for (name, value) in [("ply", &number), ("line", &path), ("line", &below)] {
                let mut engine = engine(state, settings);
                let conditions: &[_] = &[(name, value.as_str())];
                engine.session_mut().break_at(conditions, None, Action::Stop).unwrap();
                let stop = engine.session_mut().resume(Resume::Continue).unwrap();
                assert_eq!(stop.event.map(|event| event.ply), Some(ply), "{state} {name}");
            }
        }
    }
}
