//! Running searches and collecting their events and results.

use plyscope::engine::{
    Engine,
    debugger::Action,
    game::{Game, Keyed, Result, SearchRules},
    recording::Resume,
    search::{Context, Event, NoWatcher, Plan, Search, Watcher},
    session::{
        AnySession, Pair,
        breakpoints::BreakpointList,
        cache::{EntryReport, Sort},
        event::EventReport,
        search::Run,
    },
    settings::Settings,
    table::{AnyTable, Entries, Entry, SearchTable},
};

/// A new engine with a position of morris or, if the position has kings, of chess.
pub fn engine(state: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    if state.contains('k') {
        engine.choose_game("chess").unwrap();
    }
    engine.session_mut().set_settings(settings).unwrap();
    engine.session_mut().set_position(state).unwrap();
    engine
}

/// Sets a breakpoint where all conditions hold.
pub fn break_at(
    session: &mut dyn AnySession,
    conditions: &[Pair<'_>],
    temporary: bool,
) -> Result<BreakpointList> {
    let action = if temporary { Action::Once } else { Action::Stop };
    session.break_at(conditions, None, action)
}

/// The remaining events of a search, by single steps.
pub fn events(engine: &mut Engine) -> Vec<EventReport> {
    let mut events = Vec::new();
    while let Ok(stop) = engine.session_mut().resume(Resume::Step(1)) {
        events.extend(stop.event);
        if stop.done || stop.stopped == "budget" {
            break;
        }
    }
    events
}

/// The result of a search and the cache's entries, bit for bit, without the time taken.
pub fn outcome(engine: &Engine) -> (String, Vec<EntryReport>, Vec<[u64; 3]>) {
    let session = engine.session();
    let run = Run { ms: None, breakpoint: None, ..session.result().unwrap() };
    let list = session.cache_list(&[], Sort::Table, 0..usize::MAX);
    let entries = list.unwrap().entries;
    let bits = |entry: &EntryReport| {
        let numbers =
            [Some(entry.value), entry.window.map(|w| w.alpha), entry.window.map(|w| w.beta)];
        numbers.map(|number| number.map_or(0, |number| number.get().to_bits()))
    };
    let bits = entries.iter().map(bits).collect();
    (serde_json::to_string(&run).unwrap(), entries, bits)
}

#[derive(Default)]
pub struct Recorder(pub Vec<Event>);

impl<S> Watcher<S> for Recorder {
    fn see(&mut self, event: &Event, _: &S) -> bool {
        self.0.push(*event);
        false
    }
}

/// The default settings with these changed.
pub fn settings<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in pairs {
        settings.set(name, value).unwrap();
    }
    settings
}

/// Runs a search until it ends, without a watcher.
pub fn finish<G: Game, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &mut M,
    search: &mut Search<G>,
) {
    let pause = search.run(context, table, &mut NoWatcher, &mut u64::MAX.clone());
    assert!(pause.is_own(), "{pause:?}");
}

/// Runs a search until it ends and returns its events.
pub fn record<G: Game, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &mut M,
    search: &mut Search<G>,
) -> Vec<Event> {
    let mut recorder = Recorder::default();
    let pause = search.run(context, table, &mut recorder, &mut u64::MAX.clone());
    assert!(pause.is_own(), "{pause:?}");
    recorder.0
}

/// A search from a position without history.
pub fn search<G: Game>(
    context: &Context<'_, G>,
    plan: Plan,
    root: &G::Position,
    budget: Option<u64>,
) -> Search<G> {
    Search::new(context, plan, root.clone(), G::History::default(), budget)
}

pub fn new_table<G: Game>(settings: &Settings) -> AnyTable<G::Key> {
    settings.new_table()
}

/// Runs the body with the concrete table in an [`AnyTable`].
macro_rules! with_table {
    ($any:expr, $table:ident => $body:expr) => {
        match $any {
            plyscope::engine::table::AnyTable::None($table) => $body,
            plyscope::engine::table::AnyTable::Exact($table) => $body,
            plyscope::engine::table::AnyTable::Interval($table) => $body,
            plyscope::engine::table::AnyTable::Bound($table) => $body,
            plyscope::engine::table::AnyTable::Rote($table) => $body,
        }
    };
}

pub(crate) use with_table;

/// An entry with its numbers as bits, because `-0.0` and `0.0` differ.
pub type Bits<K> = (Keyed<K>, [Option<u64>; 3], Entry);

/// The entries in table order, with their numbers as bits.
pub fn bits<K: plyscope::engine::game::Key>(entries: &dyn Entries<K>) -> Vec<Bits<K>> {
    let exact = |(at, entry): (Keyed<K>, Entry)| {
        let window = entry.window;
        let numbers = [
            Some(entry.value),
            window.map(|window| window.alpha),
            window.map(|window| window.beta),
        ];
        (at, numbers.map(|number| number.map(|number| number.get().to_bits())), entry)
    };
    entries.iter().map(exact).collect()
}
