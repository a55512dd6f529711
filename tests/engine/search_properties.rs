//! The search compared with plain negamax and with the same search as a recursion, for random positions, rules,
//! weights, windows, depths and settings.

use std::collections::BTreeMap;

use crate::common::{
    cases::cases,
    morris::{affordable, bounded_weights, crowded, position, rules, weights},
    plain::PLAIN,
    reference::{check_line, compare, negamax},
    running::{Bits, Recorder, bits, finish, new_table, record, search, settings, with_table},
};
use plyscope::engine::{
    game::{Game, Rules, Score, Weights, Window},
    morris::{Evaluator, Key, Morris, Position},
    search::{Algorithm, Context, Event, EventKind, Limits, NoWatcher, Plan, Search, Stop},
    settings::Settings,
    table::{AnyTable, Bound, Entry, NoTable},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Settings by name and value, as for `search set`.
pub type Words = Vec<(&'static str, &'static str)>;

fn any_of(
    name: &'static str,
    values: &[&'static str],
) -> impl Strategy<Value = (&'static str, &'static str)> + use<> {
    select(values.to_vec()).prop_map(move |value| (name, value))
}

/// Settings with which a search must find plain negamax's values.
pub fn sound() -> impl Strategy<Value = Words> {
    (
        any_of("algorithm", &["minimax", "alphabeta", "alphabeta", "pvs", "pvs", "mtdf"]),
        any_of("fail", &["auto", "hard", "soft"]),
        any_of("aspiration", &["off", "off", "1e-30", "0.00001", "0.1"]),
        any_of("memo", &["none", "exact", "interval", "bound"]),
        any_of("symmetry", &["on", "off"]),
        any_of("leaves", &["on", "off"]),
        any_of("root", &["all", "best"]),
        any_of(
            "order",
            &[
                "none",
                "memo",
                "static",
                "memo+static",
                "killers+history",
                "captures+killers+history+static",
                "best+captures",
                "etc+captures+static",
                "usual",
            ],
        ),
    )
        .prop_map(|(a, b, c, d, e, f, g, h)| vec![a, b, c, d, e, f, g, h])
}

/// All settings of a search.
fn any_settings() -> impl Strategy<Value = Words> {
    let auto = ["auto", "seed", "sound"];
    (
        any_of("fidelity", &["seed", "sound"]),
        any_of("algorithm", &["minimax", "alphabeta", "alphabeta", "pvs", "pvs", "mtdf"]),
        any_of("fail", &["auto", "hard", "soft"]),
        any_of("memo", &["none", "exact", "interval", "bound", "rote"]),
        any_of("symmetry", &["on", "off"]),
        any_of("keys", &["plain", "colour"]),
        any_of("leaves", &["auto", "on", "off"]),
        any_of(
            "order",
            &[
                "auto",
                "none",
                "memo",
                "seed",
                "static",
                "memo+static",
                "captures+killers",
                "killers+history+static",
                "best+killers",
                "best+memo+static",
                "usual",
            ],
        ),
        any_of("reuse", &["auto", "exact", "deeper"]),
        any_of("max_size", &["1000000", "1000000", "20"]),
        any_of("replace", &["auto", "depth", "use", "clean"]),
        (
            any_of("sign", &auto),
            any_of("zero", &auto),
            any_of("leaf", &auto),
            any_of("count", &auto),
            any_of("ties", &auto),
            any_of("lmr", &["off", "off", "1", "2"]),
            any_of("futility", &["off", "off", "0.05"]),
        ),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j, p, (k, l, m, n, o, q, r))| {
            let mut all = vec![a, b, c, d, e, f, g, h, i, j, p, k, l, m, n, o];
            // Late move reductions and futility compare with a window, which minimax does not have.
            all.extend([q, r].into_iter().filter(|_| b.1 != "minimax"));
            all
        })
}

/// A game with its evaluator.
#[derive(Clone, Debug)]
struct Setup {
    game: Morris,
    evaluator: Evaluator,
    weights: Weights,
}

fn setup(weights: impl Strategy<Value = Weights>) -> impl Strategy<Value = Setup> {
    (rules(), weights).prop_map(|(game, weights)| Setup {
        evaluator: game.evaluator(&weights, &Position::START).unwrap(),
        game,
        weights,
    })
}

impl Setup {
    fn context<'a>(&'a self, settings: &Settings) -> Context<'a, Morris> {
        Context { game: &self.game, evaluator: &self.evaluator, mode: settings.mode() }
    }

    fn negamax(&self, position: &Position, depth: u8) -> Score {
        negamax(&self.game, &self.evaluator, position, &mut (), depth)
    }

    fn depth(&self, position: &Position, most: u8, leaves: u64) -> u8 {
        affordable(self.game, position, most, leaves)
    }
}

/// A bound of a window, sometimes equal to the true value.
#[derive(Clone, Copy, Debug)]
enum Edge {
    Infinite,
    Full,
    At(f64),
    TrueValue,
    NearTrueValue(f64),
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![
        1 => Just(Edge::Infinite),
        3 => Just(Edge::Full),
        1 => select(vec![0.0, -0.0, 1.0, -1.0]).prop_map(Edge::At),
        3 => (-1.2..1.2).prop_map(Edge::At),
        2 => Just(Edge::TrueValue),
        2 => (-0.1..0.1).prop_map(Edge::NearTrueValue),
    ]
}

impl Edge {
    fn place(self, truth: Score, full: Score) -> Score {
        let number = |number| Score::new(number).unwrap();
        match self {
            Self::Infinite if full < Score::ZERO => Score::NEG_INFINITY,
            Self::Infinite => Score::INFINITY,
            Self::Full => full,
            Self::At(value) => number(value),
            Self::TrueValue => truth,
            Self::NearTrueValue(distance) => number(truth.get() + distance),
        }
    }
}

/// The next position to search, relative to the first.
#[derive(Clone, Copy, Debug)]
enum Relation {
    Itself,
    /// Colours, hands and side to move exchanged.
    ColoursSwapped,
    Symmetric(usize),
    Child(usize),
    Grandchild(usize, usize),
}

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        3 => Just(Relation::Itself),
        2 => Just(Relation::ColoursSwapped),
        2 => (0..16_usize).prop_map(Relation::Symmetric),
        2 => any::<usize>().prop_map(Relation::Child),
        1 => (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Relation::Grandchild(a, b)),
    ]
}

impl Relation {
    fn of(self, morris: Morris, position: Position) -> Position {
        let child = |position: Position, choice: usize| {
            let mut moves = Vec::new();
            match morris.expand(&position, &(), &mut moves) {
                Some(_) => position,
                None => morris.apply(&position, moves[choice % moves.len()]),
            }
        };
        match self {
            Self::Itself => position,
            Self::ColoursSwapped => position.swap_colours(),
            Self::Symmetric(index) => {
                let orbit = position.orbit();
                orbit[index % orbit.len()]
            }
            Self::Child(choice) => child(position, choice),
            Self::Grandchild(one, other) => child(child(position, one), other),
        }
    }
}

/// A search for a value: relation to the first position, depth and window.
type Question = (Relation, u8, Edge, Edge);

fn questions() -> impl Strategy<Value = Vec<Question>> {
    vec((relation(), 0..=4_u8, edge(), edge()), 1..9)
}

/// A search with its position, window and true value.
#[derive(Clone, Copy, Debug)]
struct Call {
    position: Position,
    depth: u8,
    window: Window,
    truth: Score,
}

impl Call {
    fn new(
        setup: &Setup,
        first: Position,
        (relation, depth, low, high): Question,
        leaves: u64,
    ) -> Self {
        let position = relation.of(setup.game, first);
        let depth = setup.depth(&position, depth, leaves);
        let truth = setup.negamax(&position, depth);
        let full = setup.game.full_window(&setup.evaluator);
        let (low, high) = (low.place(truth, full.alpha), high.place(truth, full.beta));
        let window = Window::new(low, high).or_else(|| Window::new(high, low));
        Self { position, depth, window: window.unwrap_or(full), truth }
    }

    fn plan(&self) -> Plan {
        Plan::Value { depth: self.depth, window: self.window }
    }

    /// Whether alpha-beta may return this value for the true one.
    fn agrees(&self, found: Score) -> bool {
        if self.window.fails_low(self.truth) {
            self.window.fails_low(found)
        } else if self.window.fails_high(self.truth) {
            self.window.fails_high(found)
        } else {
            found == self.truth
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn sound_searches_on_a_shared_cache_find_the_values_of_plain_negamax(
        (setup, first, words, questions) in (setup(weights()), position(), sound(), questions())
    ) {
        let settings = settings(words);
        let context = setup.context(&settings);
        let mut table = new_table::<Morris>(&settings);
        for question in questions {
            let call = Call::new(&setup, first, question, 15_000);
            let mut search = search(&context, call.plan(), &call.position, None);
            with_table!(&mut table, table => finish(&context, table, &mut search));
            let found = search.value().unwrap();
            prop_assert!(call.agrees(found), "{found} under {call:?} with weights {}", setup.weights);
        }
    }

    #[test]
    fn entries_of_a_sound_search_are_true(
        (setup, first, words, questions) in (setup(weights()), position(), sound(), questions())
    ) {
        let settings = settings(words);
        let context = setup.context(&settings);
        let mut table = new_table::<Morris>(&settings);
        for question in questions {
            let call = Call::new(&setup, first, question, 1_000);
            let mut search = search(&context, call.plan(), &call.position, None);
            with_table!(&mut table, table => finish(&context, table, &mut search));
        }
        for (at, entry) in table.entries().iter().take(400) {
            let position = setup.game.decode(at.key).unwrap();
            let truth = setup.negamax(&position, entry.depth.unwrap());
            prop_assert!(is_true(&entry, truth), "{entry:?} of {position}, which is worth {truth}");
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_principal_variation_leads_to_the_value((setup, root) in (setup(bounded_weights()), crowded())) {
        let settings = settings([("memo", "none"), ("order", "static")]);
        let context = setup.context(&settings);
        let window = setup.game.full_window(&setup.evaluator);
        let mut search = search(&context, Plan::Value { depth: 7, window }, &root, Some(100_000));
        finish(&context, &mut NoTable::default(), &mut search);
        prop_assume!(search.value().is_some());
        check_line(&context, &search);
    }
}

fn is_true(entry: &Entry, truth: Score) -> bool {
    match entry.bound.unwrap() {
        Bound::Exact => entry.value == truth,
        Bound::Lower => truth >= entry.value,
        Bound::Upper => truth <= entry.value,
    }
}

/// Stores learned values for positions near the root, including 0 and -0.
fn learn(
    setup: &Setup,
    settings: &Settings,
    table: &mut AnyTable<Key>,
    root: &Position,
    learned: &[f64],
) {
    let AnyTable::Rote(_) = table else { return };
    let mut position = *root;
    for (turn, &value) in learned.iter().enumerate() {
        let key = setup.game.key(&position, settings.mode().scheme);
        let entry = Entry { value: Score::new(value).unwrap(), ..Entry::default() };
        let at = plyscope::engine::game::Keyed { key, depth: 0 };
        table.entries_mut().set(at, entry).unwrap();
        position = Relation::Grandchild(turn * 7, turn * 3).of(setup.game, *root);
    }
}

fn learned() -> impl Strategy<Value = Vec<f64>> {
    vec(prop_oneof![Just(0.0), Just(-0.0), -1.0..1.0], 0..40)
}

/// The first event that differs: two long lists in a failure message cannot be read.
fn same_events(machine: &[Event], recursion: &[Event]) -> Result<(), TestCaseError> {
    let differ = machine.iter().zip(recursion).find(|(a, b)| a != b);
    prop_assert_eq!(differ, None);
    prop_assert_eq!(machine.len(), recursion.len());
    Ok(())
}

fn budget() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![2 => Just(None), 1 => (0..300_u64).prop_map(Some)]
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn values_equal_the_recursion_event_by_event(
        (setup, first, words, questions, learned, budget) in (setup(weights()), position(), any_settings(), questions(), learned(), budget())
    ) {
        let settings = settings(words);
        let context = setup.context(&settings);
        let mut table = new_table::<Morris>(&settings);
        learn(&setup, &settings, &mut table, &first, &learned);
        let mut tables = [table.clone(), table];
        for question in questions {
            let call = Call::new(&setup, first, question, 1_500);
            compare(&context, call.plan(), (&call.position, &()), budget, &mut tables);
        }
    }

    #[test]
    fn best_moves_equal_the_recursion_event_by_event(
        (setup, root, words, learned, budget, most) in (setup(weights()), position(), any_settings(), learned(), budget(), 1..=4_u8)
    ) {
        let mut settings = settings(words);
        settings.aspiration = None;
        if settings.algorithm() == Algorithm::Mtdf {
            settings.algorithm = Some(Algorithm::Pvs);
        }
        let context = setup.context(&settings);
        let limits = Limits { last: setup.depth(&root, most, 1_500).max(1), ..settings.limits() };
        let limits = Limits { first: limits.first.min(limits.last), ..limits };
        let mut table = new_table::<Morris>(&settings);
        learn(&setup, &settings, &mut table, &root, &learned);
        compare(&context, Plan::Best(limits), (&root, &()), budget, &mut [table.clone(), table]);
    }
}

/// A short search for the best moves.
#[derive(Clone, Debug)]
struct Small {
    setup: Setup,
    root: Position,
    words: Words,
    budget: Option<u64>,
}

fn small() -> impl Strategy<Value = Small> {
    (setup(weights()), position(), any_settings(), 1..400_u64)
        .prop_map(|(setup, root, words, budget)| Small { setup, root, words, budget: Some(budget) })
}

impl Small {
    fn limits(settings: &Settings) -> Limits {
        Limits { last: 4, ..settings.limits() }
    }

    fn begin(&self, settings: &Settings) -> Search<Morris> {
        search(
            &self.setup.context(settings),
            Plan::Best(Self::limits(settings)),
            &self.root,
            self.budget,
        )
    }
}

fn outcome<G: Game>(search: &Search<G>, table: &AnyTable<G::Key>) -> (String, Vec<Bits<G::Key>>) {
    (format!("{search:?}"), bits(table.entries()))
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn slices_of_any_size_change_nothing(
        (small, slices) in (small(), vec(1..50_u64, 1..20))
    ) {
        let settings = settings(small.words.clone());
        let context = small.setup.context(&settings);
        let (mut whole, mut sliced) = (small.begin(&settings), small.begin(&settings));
        let mut whole_table = new_table::<Morris>(&settings);
        let mut sliced_table = whole_table.clone();
        let events = with_table!(&mut whole_table, table => record(&context, table, &mut whole));

        let mut recorder = Recorder::default();
        for slice in slices.iter().cycle() {
            let mut fuel = *slice;
            let pause = with_table!(&mut sliced_table, table => sliced.run(&context, table, &mut recorder, &mut fuel));
            if pause.is_own() {
                break;
            }
            prop_assert_eq!((pause, fuel), (Stop::Limit, 0));
        }
        same_events(&events, &recorder.0)?;
        prop_assert_eq!(outcome(&whole, &whole_table), outcome(&sliced, &sliced_table));
    }

    #[test]
    fn stops_by_a_watcher_change_nothing(small in small()) {
        let settings = settings(small.words.clone());
        let context = small.setup.context(&settings);
        let (mut whole, mut stepped) = (small.begin(&settings), small.begin(&settings));
        let mut whole_table = new_table::<Morris>(&settings);
        let mut stepped_table = whole_table.clone();
        let mut events = with_table!(&mut whole_table, table => record(&context, table, &mut whole)).into_iter();
        loop {
            let mut stop = Stepper::default();
            let pause = with_table!(&mut stepped_table, table => stepped.run(&context, table, &mut stop, &mut u64::MAX.clone()));
            if pause.is_own() {
                break;
            }
            prop_assert_eq!(stop.0, events.next());
            prop_assert_eq!(stop.0, Some(stepped.describe()));
        }
        prop_assert_eq!(events.next(), None);
        prop_assert_eq!(outcome(&whole, &whole_table), outcome(&stepped, &stepped_table));
    }

    #[test]
    fn a_search_saved_and_loaded_at_any_event_continues_unchanged(
        (small, at) in (small(), 0..1_000_u64)
    ) {
        let settings = settings(small.words.clone());
        let context = small.setup.context(&settings);
        let mut search = small.begin(&settings);
        let mut table = new_table::<Morris>(&settings);
        with_table!(&mut table, table => search.run(&context, table, &mut NoWatcher, &mut at.clone()));
        let saved = ron::to_string(&search).unwrap();
        let mut restored: Search<Morris> = ron::from_str(&saved).unwrap();
        let mut restored_table = table.clone();
        let rest = with_table!(&mut table, table => record(&context, table, &mut search));
        let rest_restored = with_table!(&mut restored_table, table => record(&context, table, &mut restored));
        same_events(&rest, &rest_restored)?;
        prop_assert_eq!(bits(table.entries()), bits(restored_table.entries()));
        prop_assert_eq!(search.counters, restored.counters);
        prop_assert_eq!(search.complete(), restored.complete());
        prop_assert_eq!(search.stopped(), restored.stopped());
    }
}

/// Stops at the first event.
#[derive(Default)]
struct Stepper(Option<Event>);

impl<S> plyscope::engine::search::Watcher<S> for Stepper {
    fn see(&mut self, event: &Event, _: &S) -> bool {
        self.0 = Some(*event);
        true
    }
}

/// The plies to a forced win or loss, by brute force.
fn distance(setup: &Setup, position: &Position, most: u8) -> Option<u8> {
    (0..=most).find(|&depth| {
        let value = setup.negamax(position, depth);
        value == Score::ONE || value == -Score::ONE
    })
}

proptest! {
    #![proptest_config(cases(1200))]

    #[test]
    fn root_moves_have_the_values_of_plain_negamax(
        (setup, root, words, most) in (setup(bounded_weights()), position(), sound(), 1..=4_u8)
    ) {
        let depth = setup.depth(&root, most, 15_000).max(1);
        let words: Words = words.into_iter().collect();
        let settings = Settings { depth: Some(depth), ..settings(words) };
        let context = setup.context(&settings);
        let mut table = new_table::<Morris>(&settings);
        let mut search = search(&context, Plan::Best(settings.limits()), &root, None);
        with_table!(&mut table, table => finish(&context, table, &mut search));
        let mut moves = Vec::new();
        if setup.game.expand(&root, &(), &mut moves).is_some() {
            prop_assert!(search.best_moves().is_empty());
            prop_assert_eq!(search.stopped(), Some(Stop::Exhausted));
            return Ok(());
        }
        let child = |mv| setup.game.apply(&root, mv);
        let values: BTreeMap<_, _> = moves.iter().map(|&mv| (mv, -setup.negamax(&child(mv), depth - 1))).collect();
        let complete = search.complete().unwrap();
        prop_assert_eq!(complete.depth, depth);
        let whole = search.frames()[0].exact_moves;
        for found in &complete.moves {
            let truth = values[&found.mv];
            let holds = match (found.value, found.bound) {
                (Some(value), Bound::Exact) => value == truth,
                (Some(value), Bound::Lower) => !whole && value <= truth,
                (Some(value), Bound::Upper) => !whole && value >= truth,
                // The last pass of MTD(f) may end before it has searched every move.
                (None, _) => !whole,
            };
            prop_assert!(holds, "{}: {:?} {:?}, worth {truth}", found.mv, found.value, found.bound);
        }
        let best = setup.negamax(&root, depth);
        prop_assert_eq!(search.value(), Some(best));
        if !whole {
            prop_assert!(!search.best_moves().is_empty());
            for found in search.best_moves() {
                prop_assert_eq!(values[&found.mv], best, "{}", found.mv);
            }
            return Ok(());
        }

        let tied: Vec<_> = moves.iter().copied().filter(|mv| values[mv] == best).collect();
        let lengths: BTreeMap<_, _> = tied.iter().map(|&mv| (mv, distance(&setup, &child(mv), depth - 1))).collect();
        let wanted = if best == Score::ONE { lengths.values().min() } else { lengths.values().max() };
        let wanted: Vec<_> = tied.into_iter().filter(|mv| Some(&lengths[mv]) == wanted).collect();
        let found: Vec<_> = search.best_moves().iter().map(|root| root.mv).collect();
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn a_win_found_is_a_shortest_win((setup, root, words) in (setup(bounded_weights()), position(), sound())) {
        let depth = setup.depth(&root, 4, 15_000);
        let settings = settings(words);
        let context = setup.context(&settings);
        let mut table = new_table::<Morris>(&settings);
        // Without a greatest depth the search ends when a deeper iteration cannot change anything.
        let limits = Limits { last: depth.max(1), ..settings.limits() };
        let mut search = search(&context, Plan::Best(limits), &root, None);
        with_table!(&mut table, table => finish(&context, table, &mut search));
        if search.value() == Some(Score::ONE) {
            let won_in = distance(&setup, &root, depth.max(1));
            prop_assert_eq!(search.complete().map(|complete| complete.depth), won_in);
        }
    }

    #[test]
    fn the_budget_is_kept_to_the_state_and_raised_without_a_trace(
        (setup, root, words, budget, raised) in (setup(weights()), position(), sound(), 0..600_u64, 1..600_u64)
    ) {
        let settings = settings(words);
        let context = setup.context(&settings);
        let limits = Limits { last: 3, ..settings.limits() };
        let (mut first, mut second) = (new_table::<Morris>(&settings), new_table::<Morris>(&settings));
        let mut stopped = search(&context, Plan::Best(limits), &root, Some(budget));
        with_table!(&mut first, table => finish(&context, table, &mut stopped));
        let visited = stopped.counters.nodes;
        prop_assert!(visited <= budget);
        prop_assert_eq!(visited == budget && stopped.stopped() == Some(Stop::Budget), stopped.stopped() == Some(Stop::Budget));

        // A search whose budget is used up already does not continue.
        let why = stopped.stopped();
        stopped.set_budget(Some(visited));
        prop_assert_eq!(stopped.stopped(), why);

        let large = Some(budget + raised);
        stopped.set_budget(large);
        with_table!(&mut first, table => finish(&context, table, &mut stopped));
        let mut whole = search(&context, Plan::Best(limits), &root, large);
        with_table!(&mut second, table => finish(&context, table, &mut whole));
        prop_assert_eq!(stopped.counters, whole.counters);
        prop_assert_eq!(stopped.complete(), whole.complete());
        prop_assert_eq!(stopped.root_moves(), whole.root_moves());
        prop_assert_eq!(stopped.stopped(), whole.stopped());
        prop_assert_eq!(bits(first.entries()), bits(second.entries()));
    }

    #[test]
    fn the_seeds_count_one_state_more_than_they_evaluate(
        (setup, root, words, budget) in (setup(weights()), position(), any_settings(), 1..300_u64)
    ) {
        let words = words.into_iter().chain([("count", "seed")]);
        let settings = settings(words);
        let context = setup.context(&settings);
        let limits = Limits { last: 4, ..settings.limits() };
        let mut table = new_table::<Morris>(&settings);
        let mut search = search(&context, Plan::Best(limits), &root, Some(budget));
        let events = with_table!(&mut table, table => record(&context, table, &mut search));
        let seen = |event: &&Event| matches!(
            event.kind, EventKind::Expand | EventKind::Leaf | EventKind::StandPat | EventKind::Terminal
        );
        let evaluated = events.iter().filter(seen).count() as u64;
        let counted = search.counters.nodes;
        if search.stopped() == Some(Stop::Budget) {
            prop_assert_eq!((counted, evaluated), (budget, budget - 1));
        } else {
            prop_assert_eq!(counted, evaluated);
        }
    }
}

#[test]
fn values_of_either_zero_are_equal() {
    // With colours exchanged a balanced position has -0.0 instead of 0.0; both share an entry.
    let settings = settings(PLAIN);
    let setup = Setup {
        game: Morris::default(),
        evaluator: Morris::default()
            .evaluator(&Morris::default().default_weights(), &Position::START)
            .unwrap(),
        weights: Morris::default().default_weights(),
    };
    let context = setup.context(&settings);
    let mut table = new_table::<Morris>(&settings);
    for side in ["w", "b"] {
        let root = format!("......../......../........ {side} 9 9").parse().unwrap();
        let window = Window::new(-Score::ONE, Score::ONE).unwrap();
        let mut search = search(&context, Plan::Value { depth: 0, window }, &root, None);
        let events = with_table!(&mut table, table => record(&context, table, &mut search));
        assert_eq!(search.value(), Some(Score::ZERO), "{side}");
        let answered = events.iter().any(|event| event.kind == EventKind::Hit);
        assert_eq!(answered, side == "b");
    }
}
