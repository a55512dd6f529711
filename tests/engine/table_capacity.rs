//! Tables with a maximum size: no table exceeds it, the replacement scheme chooses the victim, and recordings go back
//! over evictions.

use std::collections::BTreeSet;

use proptest::{collection::vec, prelude::*, sample::select};

use crate::common::{plain::PLAIN, roots::ROOTS, running::engine};
use plyscope::{
    command::Shell,
    engine::{
        cachefile::LoadOptions,
        game::{Keyed, Packed, Score, Window},
        morris::Morris,
        session::{
            AnySession, Session,
            cache::{CacheList, CacheStats},
            reply::Reply,
            search::StopReport,
        },
        table::{AnyTable, Bound, Capacity, Entry, MaxSize, Policy, Replace, SearchTable, Slot},
    },
};

/// The memo policies that store entries.
const POLICIES: [Policy; 4] = [Policy::Exact, Policy::Interval, Policy::Bound, Policy::Rote];

/// An operation on a table.
#[derive(Clone, Copy, Debug)]
enum Step {
    Store(u16, u8),
    Touch(u16, u8),
    Remove(u16, u8),
    Set(u16, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let at = || (0..300_u16, 0..6_u8);
    prop_oneof![
        6 => at().prop_map(|(key, depth)| Step::Store(key, depth)),
        3 => at().prop_map(|(key, depth)| Step::Touch(key, depth)),
        1 => at().prop_map(|(key, depth)| Step::Remove(key, depth)),
        1 => at().prop_map(|(key, depth)| Step::Set(key, depth)),
    ]
}

fn room() -> impl Strategy<Value = Capacity> {
    let size = prop_oneof![
        (0..80_usize).prop_map(MaxSize::Entries),
        (0..6000_usize).prop_map(MaxSize::Bytes),
    ];
    let replace = prop_oneof![Just(Replace::Depth), Just(Replace::Use), Just(Replace::Clean)];
    (size, replace, any::<bool>(), any::<bool>()).prop_map(|(size, replace, count_uses, verify)| {
        Capacity { size, replace, count_uses, verify, cleans_between_moves: false }
    })
}

fn keyed(policy: Policy, key: u16, depth: u8) -> Keyed<u16> {
    let depth = if policy.keys_depth() { depth } else { 0 };
    Keyed { key, depth }
}

fn entry(policy: Policy, depth: u8) -> Entry {
    let full = Window::new(-Score::ONE, Score::ONE);
    Entry {
        value: Score::ZERO,
        window: full.filter(|_| policy == Policy::Interval),
        bound: (policy != Policy::Rote).then_some(Bound::Exact),
        depth: (policy != Policy::Rote).then_some(depth),
        best: None,
    }
}

fn slot(key: u16) -> Slot<u16> {
    Slot { key, negated: false }
}

/// The position of a key: another one at each depth.
fn position(key: u16, depth: u8) -> Packed {
    let [low, high] = key.to_le_bytes();
    Packed::new(&[low, high, depth]).unwrap()
}

fn store(table: &mut impl SearchTable<u16>, key: u16, depth: u8) {
    table.set_position(position(key, depth));
    table.store(slot(key), depth, Window::INFINITE, Score::ZERO);
}

fn apply(table: &mut AnyTable<u16>, step: Step) {
    let policy = table.entries().policy();
    match step {
        Step::Store(key, depth) => match table {
            AnyTable::None(_) => {}
            AnyTable::Exact(table) => store(table, key, depth),
            AnyTable::Interval(table) => store(table, key, depth),
            AnyTable::Bound(table) => store(table, key, depth),
            AnyTable::Rote(table) => store(table, key, depth),
        },
        Step::Touch(key, depth) => match table {
            AnyTable::None(_) => {}
            AnyTable::Exact(table) => SearchTable::count_use(table, slot(key), depth),
            AnyTable::Interval(table) => SearchTable::count_use(table, slot(key), depth),
            AnyTable::Bound(table) => SearchTable::count_use(table, slot(key), depth),
            AnyTable::Rote(table) => SearchTable::count_use(table, slot(key), depth),
        },
        Step::Remove(key, depth) => {
            table.entries_mut().remove(keyed(policy, key, depth));
        }
        Step::Set(key, depth) => {
            let at = keyed(policy, key, depth);
            table.entries_mut().set(at, entry(policy, depth)).unwrap();
        }
    }
}

/// Entries, counters and replacement state of a table.
type Seen = (Vec<(Keyed<u16>, Entry, Option<Packed>)>, Vec<Option<u32>>, u64);

fn seen(table: &AnyTable<u16>) -> Seen {
    let entries = table.entries();
    let uses = (0..entries.len()).map(|place| entries.uses(place));
    let known = |(at, entry)| (at, entry, entries.state(at));
    (entries.iter().map(known).collect(), uses.collect(), entries.replacement_state().evicted)
}

/// An operation on few keys, so that most are found, used and evicted.
fn crowded_step() -> impl Strategy<Value = Step> {
    let at = || (0..40_u16, 0..4_u8);
    prop_oneof![
        5 => at().prop_map(|(key, depth)| Step::Store(key, depth)),
        5 => at().prop_map(|(key, depth)| Step::Touch(key, depth)),
        1 => at().prop_map(|(key, depth)| Step::Remove(key, depth)),
        1 => at().prop_map(|(key, depth)| Step::Set(key, depth)),
    ]
}

struct ModelRow {
    at: Keyed<u16>,
    depth: u8,
    uses: u32,
}

/// A plain model of a table with a maximum size.
struct Model {
    rows: Vec<ModelRow>,
    most: usize,
    by_use: bool,
    hand: usize,
}

impl Model {
    fn apply(&mut self, policy: Policy, step: Step) {
        let (Step::Store(key, depth)
        | Step::Touch(key, depth)
        | Step::Remove(key, depth)
        | Step::Set(key, depth)) = step;
        let at = keyed(policy, key, depth);
        let depth = if policy == Policy::Rote { 0 } else { depth };
        let known = self.rows.iter().position(|row| row.at == at);
        match (step, known) {
            (Step::Touch(..), Some(place)) => self.rows[place].uses += 1,
            (Step::Remove(..), Some(place)) => drop(self.rows.remove(place)),
            (Step::Touch(..) | Step::Remove(..), None) => {}
            (Step::Store(..) | Step::Set(..), Some(place)) => self.rows[place].depth = depth,
            (Step::Store(..) | Step::Set(..), None) => {
                self.insert(ModelRow { at, depth, uses: 0 });
            }
        }
    }

    fn insert(&mut self, row: ModelRow) {
        let len = self.rows.len();
        if len < self.most {
            self.rows.push(row);
            return;
        }
        let first = self.hand % len;
        let next: Vec<_> = (0..len.min(8)).map(|step| (first + step) % len).collect();
        let worth = |place: usize| {
            let row = &self.rows[place];
            if self.by_use { row.uses } else { row.depth.into() }
        };
        let least = next.iter().map(|&place| worth(place)).min().unwrap();
        let victim = next.iter().copied().find(|&place| worth(place) == least).unwrap();
        if self.by_use {
            for &place in &next {
                self.rows[place].uses /= 2;
            }
        }
        self.hand = (first + 8) % len;
        self.rows[victim] = row;
    }
}

fn check(table: &AnyTable<u16>, room: Capacity) {
    let entries = table.entries();
    match room.size {
        MaxSize::Unlimited => {}
        MaxSize::Entries(most) => assert!(entries.len() <= most),
        MaxSize::Bytes(most) => {
            assert!(entries.bytes() <= most, "{} of {most}", entries.bytes());
        }
    }
    assert!(entries.len() <= entries.limit());
    let keys: BTreeSet<_> = entries.iter().map(|(at, _)| at).collect();
    assert_eq!(keys.len(), entries.len(), "each key once");
    for (at, entry) in entries.iter() {
        assert_eq!(entries.get(at), Some(entry), "the index finds what is there");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_table_exceeds_its_maximum_size(
        policy in select(POLICIES.to_vec()),
        room in room(),
        steps in vec(step(), 0..400),
    ) {
        let mut table = AnyTable::new(policy);
        table.entries_mut().set_capacity(room);
        for step in steps {
            let before = seen(&table).0.len() as u64 + table.entries().replacement_state().evicted;
            let known = match step {
                Step::Store(key, depth) | Step::Set(key, depth) => {
                    table.entries().get(keyed(policy, key, depth)).is_some()
                }
                _ => true,
            };
            apply(&mut table, step);
            check(&table, room);
            let after = seen(&table).0.len() as u64 + table.entries().replacement_state().evicted;
            if !matches!(step, Step::Remove(..)) {
                prop_assert_eq!(after - before, u64::from(!known), "every new entry is there or gave way");
            }
            if let (Step::Store(key, depth), Replace::Depth | Replace::Use) = (step, room.replace)
                && table.entries().limit() > 0
            {
                let at = keyed(policy, key, depth);
                prop_assert!(table.entries().get(at).is_some(), "what was stored last is there");
            }
        }
    }

    #[test]
    fn a_smaller_maximum_size_applies_at_once(
        policy in select(POLICIES.to_vec()),
        steps in vec(step(), 0..400),
        room in room(),
    ) {
        let mut table = AnyTable::new(policy);
        for step in steps {
            apply(&mut table, step);
        }
        let before = table.entries().len();
        let gone = table.entries_mut().set_capacity(room);
        check(&table, room);
        prop_assert_eq!(gone, before - table.entries().len());
        if matches!(room.replace, Replace::Depth | Replace::Use) {
            let limit = table.entries().limit();
            prop_assert_eq!(table.entries().len(), before.min(limit), "no more than must");
        }
    }

    #[test]
    fn evictions_uses_and_positions_are_taken_back_and_copied(
        policy in select(POLICIES.to_vec()),
        room in room(),
        before in vec(step(), 0..200),
        segments in vec(vec(step(), 0..60), 1..6),
        target in 0..6_usize,
        after in vec(step(), 0..100),
    ) {
        let mut table = AnyTable::new(policy);
        table.entries_mut().set_capacity(room);
        for step in before {
            apply(&mut table, step);
        }
        table.entries_mut().record(true);
        let mut snapshots = vec![table.clone()];
        for segment in &segments {
            for step in segment {
                apply(&mut table, *step);
            }
            table.entries_mut().mark();
            let copy = table.clone();
            prop_assert_eq!(seen(&copy), seen(&table));
            snapshots.push(copy);
        }
        let target = target % snapshots.len();
        table.entries_mut().rewind(target as u64);
        check(&table, room);
        let mut wanted = snapshots[target].clone();
        prop_assert_eq!(seen(&table), seen(&wanted));
        // The next victims are the same as well.
        for step in after {
            apply(&mut table, step);
            apply(&mut wanted, step);
            prop_assert_eq!(seen(&table), seen(&wanted));
        }
    }

    /// A full table compares the eight entries after those compared last: the first with the least depth or uses is
    /// replaced in its place, and the new entry has no uses.
    #[test]
    fn the_least_valuable_of_the_next_eight_entries_is_replaced(
        policy in select(POLICIES.to_vec()),
        replace in select(vec![Replace::Depth, Replace::Use]),
        most in 1..30_usize,
        steps in vec(crowded_step(), 0..300),
    ) {
        let mut table = AnyTable::new(policy);
        let size = MaxSize::Entries(most);
        table.entries_mut().set_capacity(Capacity { size, replace, count_uses: true, ..Capacity::default() });
        let mut model = Model { rows: Vec::new(), most, by_use: replace == Replace::Use, hand: 0 };
        for step in steps {
            apply(&mut table, step);
            model.apply(policy, step);
            let entries = table.entries();
            let uses = |place| entries.uses(place).unwrap();
            let found = entries.iter().zip(0..).map(|((at, _), place)| (at, uses(place)));
            let wanted = model.rows.iter().map(|row| (row.at, row.uses));
            prop_assert_eq!(found.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{:?}", step);
        }
    }

    #[test]
    fn cleaning_is_that_of_the_seed(
        steps in vec((0..300_u16, 0..6_u8), 0..400),
        most in 0..60_usize,
    ) {
        let mut table = AnyTable::new(Policy::Interval);
        let replace = Replace::Clean;
        table.entries_mut().set_capacity(Capacity { size: MaxSize::Entries(most), replace, ..Capacity::default() });
        // Seed 000 has a dictionary, which it cleans when it is too large.
        let mut model: Vec<(u16, u8)> = Vec::new();
        for (key, depth) in steps {
            apply(&mut table, Step::Store(key, depth));
            if !model.contains(&(key, depth)) {
                model.push((key, depth));
            }
            let mut min_limit = 0;
            while model.len() > most {
                min_limit += 1;
                model.retain(|(_, limit)| *limit > min_limit);
            }
            let found: Vec<_> = table.entries().iter().map(|(at, _)| (at.key, at.depth)).collect();
            prop_assert_eq!(&found, &model);
        }
    }
}

#[test]
fn a_bound_too_small_for_one_entry_leaves_no_index() {
    let mut table = AnyTable::new(Policy::Exact);
    apply(&mut table, Step::Store(1, 1));
    let room = Capacity { size: MaxSize::Bytes(67), ..Capacity::default() };
    assert_eq!(table.entries_mut().set_capacity(room), 1);
    assert_eq!(table.entries().bytes(), 0);
}

/// Going back restores the counts of uses, so that the next victim is the same again.
#[test]
fn uses_are_taken_back_for_every_policy() {
    for policy in POLICIES {
        for replace in [Replace::Depth, Replace::Use, Replace::Clean] {
            let mut table = AnyTable::new(policy);
            table.entries_mut().set_capacity(Capacity {
                size: MaxSize::Entries(12),
                replace,
                count_uses: true,
                ..Capacity::default()
            });
            for key in 0..12 {
                apply(&mut table, Step::Store(key, 3));
                (0..key % 4).for_each(|_| apply(&mut table, Step::Touch(key, 3)));
            }
            table.entries_mut().record(true);
            let before = table.clone();
            for key in 0..12 {
                (0..9 - key % 5).for_each(|_| apply(&mut table, Step::Touch(key, 3)));
            }
            assert_ne!(seen(&table), seen(&before), "{policy}: uses were counted");
            (50..60).for_each(|key| apply(&mut table, Step::Store(key, 3)));
            table.entries_mut().rewind(0);
            assert_eq!(seen(&table), seen(&before), "{policy} {replace:?}");
            let mut again = before;
            for key in 70..90 {
                apply(&mut table, Step::Store(key, 3));
                apply(&mut again, Step::Store(key, 3));
                assert_eq!(seen(&table), seen(&again), "{policy} {replace:?}");
            }
        }
    }
}

#[test]
fn the_shallowest_or_least_used_entry_is_replaced() {
    let full = |replace| {
        let mut table = AnyTable::new(Policy::Interval);
        let size = MaxSize::Entries(8);
        table.entries_mut().set_capacity(Capacity { size, replace, ..Capacity::default() });
        for key in 0..8 {
            apply(&mut table, Step::Store(key, if key == 5 { 1 } else { 4 }));
        }
        table
    };
    let mut table = full(Replace::Depth);
    apply(&mut table, Step::Store(100, 0));
    let keys =
        |table: &AnyTable<u16>| table.entries().iter().map(|(at, _)| at.key).collect::<Vec<_>>();
    assert_eq!(keys(&table), [0, 1, 2, 3, 4, 100, 6, 7], "in its place");
    let mut table = full(Replace::Use);
    for key in [0, 1, 2, 4, 5, 6, 7] {
        apply(&mut table, Step::Touch(key, if key == 5 { 1 } else { 4 }));
    }
    apply(&mut table, Step::Store(100, 0));
    assert_eq!(keys(&table), [0, 1, 2, 100, 4, 5, 6, 7]);
    assert_eq!(table.entries().replacement_state().evicted, 1);
}

fn session(settings: &[(&str, &str)]) -> Box<dyn AnySession> {
    let mut session: Box<dyn AnySession> =
        Box::new(Session::new(Morris::default(), <_>::default()));
    session.set_position("wb.w.bw./.b.w..b./w..b.w.. w 0 0").unwrap();
    session.set_settings(settings).unwrap();
    session
}

#[test]
fn values_are_the_same_however_small_the_cache() {
    for state in ROOTS {
        let mut plain = engine(state, &[("memo", "none")]);
        let plain = plain.session_mut().value(4, None, None).unwrap().value;
        for policy in ["exact", "interval", "bound"] {
            for replace in ["depth", "use", "clean"] {
                for size in ["0", "1", "50", "4KiB", "off"] {
                    let bounds = [("memo", policy), ("replace", replace), ("max_size", size)];
                    let settings = [&PLAIN[..], &bounds].concat();
                    let mut engine = engine(state, &settings);
                    let session = engine.session_mut();
                    let found = session.value(4, None, None).unwrap();
                    assert_eq!(found.value, plain, "{settings:?}");
                    let stats = session.cache_stats();
                    match size.parse::<usize>() {
                        Ok(most) => assert!(stats.cache.entries <= most && stats.evictions > 0),
                        Err(_) if size == "off" => assert_eq!(stats.evictions, 0),
                        Err(_) => assert!(stats.bytes <= 4096, "{settings:?}"),
                    }
                }
            }
        }
    }
}

fn run(shell: &mut Shell, line: &str) -> std::sync::Arc<dyn Reply> {
    shell.run_line(line).pop().unwrap().unwrap().reply
}

#[test]
fn evictions_are_events_with_breakpoints() {
    let mut shell = Shell::default();
    run(&mut shell, "search set max_size=20");
    run(&mut shell, "catch eviction");
    let Some(stop) = run(&mut shell, "continue").downcast_ref::<StopReport>().cloned() else {
        panic!("a stop");
    };
    let event = stop.event.as_ref().unwrap();
    assert_eq!(event.kind.name(), "eviction");
    let Some(stats) = run(&mut shell, "cache stats").downcast_ref::<CacheStats>().cloned() else {
        panic!("numbers");
    };
    assert_eq!((stats.cache.entries, stats.evictions), (20, 1));
}

#[test]
fn a_file_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.plycache");
    let mut large = session(&[]);
    large.value(4, None, None).unwrap();
    let entries = large.cache_stats().cache.entries;
    large.cache_save(&path, None, None).unwrap();
    let mut small = session(&[("max_size", "100")]);
    let fault = small.cache_load(&path, LoadOptions::default()).unwrap_err();
    let wanted = format!("has {entries} entries, and max_size=100 leaves room for 100");
    assert!(fault.message.contains(&wanted), "{fault}");
    assert_eq!(small.cache_stats().cache.entries, 0);
    small.set_settings(&[("max_size", &entries.to_string())]).unwrap();
    small.cache_load(&path, LoadOptions::default()).unwrap();
    assert_eq!(small.cache_stats().cache.entries, entries);
    let notes = small.set_settings(&[("max_size", "7")]).unwrap().notes;
    assert_eq!(small.cache_stats().cache.entries, 7);
    assert!(notes.iter().any(|note| note.contains("gave way")), "{notes:?}");
}

#[test]
fn uses_are_counted_if_the_setting_is_on() {
    let mut shell = Shell::default();
    run(&mut shell, "search value --depth 3");
    let Some(list) = run(&mut shell, "cache list --sort uses").downcast_ref::<CacheList>().cloned()
    else {
        panic!("a list");
    };
    assert!(list.entries.iter().all(|entry| entry.uses.is_none()));
    run(&mut shell, "cache clear; search set uses=on");
    run(&mut shell, "search value --depth 3");
    let Some(list) = run(&mut shell, "cache list --sort uses --limit 100000")
        .downcast_ref::<CacheList>()
        .cloned()
    else {
        panic!("a list");
    };
    let uses: Vec<_> = list.entries.iter().map(|entry| entry.uses.unwrap()).collect();
    assert!(uses.is_sorted_by(|a, b| a >= b) && uses[0] > 1, "{uses:?}");
    let Some(stats) = run(&mut shell, "cache stats").downcast_ref::<CacheStats>().cloned() else {
        panic!("numbers");
    };
    let counted: u64 = uses.iter().map(|uses| u64::from(*uses)).sum();
    assert_eq!(counted, stats.cache.hits + stats.cache.invalid);
}
