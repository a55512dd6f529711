//! The transposition table compared with a plain list, and its memory.

use crate::common::cases::cases;
use plyscope::engine::{
    game::{Key, KeyScheme, Keyed, Rules, Score, Window},
    morris::{self, Morris, Position},
    table::{
        AnyTable, Bound, Entries, Entry, HashMove, Interval, MaxSize, Policy, SearchTable, Slot,
    },
};
use proptest::{collection::vec, prelude::*, sample::select};

/// An operation on a table.
#[derive(Clone, Debug)]
enum Edit {
    Set(u8, u8, f64),
    Store(u8, u8, f64),
    Remove(u8, u8),
    RetainAbove(f64),
    RetainDepth(u8),
    Reserve(usize),
    Clear,
}

fn edit() -> impl Strategy<Value = Edit> {
    // Few keys, so that most of them occur again.
    let (key, depth, value) = (0..24_u8, 0..4_u8, -1.0..1.0);
    prop_oneof![
        20 => (key.clone(), depth.clone(), value.clone()).prop_map(|(k, d, v)| Edit::Set(k, d, v)),
        10 => (key.clone(), depth.clone(), value.clone()).prop_map(|(k, d, v)| Edit::Store(k, d, v)),
        12 => (key, depth.clone()).prop_map(|(k, d)| Edit::Remove(k, d)),
        1 => value.prop_map(Edit::RetainAbove),
        1 => depth.prop_map(Edit::RetainDepth),
        1 => (0..200_usize).prop_map(Edit::Reserve),
        1 => Just(Edit::Clear),
    ]
}

fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

const UNIT: Window = Window { alpha: Score::NEG_INFINITY, beta: Score::ONE };

/// The entry of a policy for a value.
fn entry(policy: Policy, depth: u8, value: f64) -> Entry {
    let value = score(value);
    Entry {
        value,
        window: (policy == Policy::Interval).then_some(UNIT),
        bound: match policy {
            Policy::Interval => Some(Bound::of(value, UNIT)),
            Policy::Exact | Policy::Bound => Some(Bound::Exact),
            Policy::None | Policy::Rote => None,
        },
        depth: (policy != Policy::Rote).then_some(depth),
        best: HashMove::new(depth).filter(|_| policy == Policy::Bound),
    }
}

/// A model of the table: a list in order of insertion, each key once.
#[derive(Default)]
struct Model(Vec<(Keyed<u64>, Entry)>);

impl Model {
    fn place(&self, at: Keyed<u64>) -> Option<usize> {
        self.0.iter().position(|(known, _)| *known == at)
    }

    fn get(&self, at: Keyed<u64>) -> Option<Entry> {
        self.place(at).map(|place| self.0[place].1)
    }

    /// A new key is appended; an overwritten one keeps its place.
    fn set(&mut self, at: Keyed<u64>, entry: Entry) -> Option<Entry> {
        if let Some(place) = self.place(at) {
            return Some(std::mem::replace(&mut self.0[place].1, entry));
        }
        self.0.push((at, entry));
        None
    }

    fn remove(&mut self, at: Keyed<u64>) -> Option<Entry> {
        self.place(at).map(|place| self.0.remove(place).1)
    }
}

fn store(table: &mut AnyTable<u64>, key: u64, depth: u8, value: f64) {
    let slot = Slot { key, negated: false };
    let value = score(value);
    match table {
        AnyTable::None(table) => table.store(slot, depth, UNIT, value),
        AnyTable::Exact(table) => table.store(slot, depth, UNIT, value),
        AnyTable::Interval(table) => table.store(slot, depth, UNIT, value),
        AnyTable::Bound(table) => {
            table.store(slot, depth, UNIT, value);
            if let Some(best) = HashMove::new(depth) {
                table.set_hash_move(slot, depth, best);
            }
        }
        AnyTable::Rote(table) => table.store(slot, depth, UNIT, value),
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_table_is_a_list_without_repetitions(
        policy in select(vec![Policy::Exact, Policy::Interval, Policy::Bound, Policy::Rote]),
        edits in vec(edit(), 1..120)
    ) {
        let mut table = AnyTable::new(policy);
        let mut model = Model::default();
        for edit in edits {
            // Keys with different values but similar hashes.
            let at = |key: u8, depth| Keyed {
                key: u64::from(key) << 40,
                depth: if policy.keys_depth() { depth } else { 0 },
            };
            match edit {
                Edit::Set(key, depth, value) => {
                    let (at, entry) = (at(key, depth), entry(policy, depth, value));
                    prop_assert_eq!(table.entries_mut().set(at, entry), Ok(model.set(at, entry)));
                }
                Edit::Store(key, depth, value) => {
                    let at = at(key, depth);
                    store(&mut table, at.key, depth, value);
                    model.set(at, entry(policy, depth, value));
                }
                Edit::Remove(key, depth) => {
                    let at = at(key, depth);
                    prop_assert_eq!(table.entries_mut().remove(at), model.remove(at));
                }
                Edit::RetainAbove(least) => {
                    table.entries_mut().retain(&mut |_, entry| entry.value > score(least));
                    model.0.retain(|(_, entry)| entry.value > score(least));
                }
                Edit::RetainDepth(least) => {
                    table.entries_mut().retain(&mut |at, entry| entry.depth.unwrap_or(at.depth) >= least);
                    model.0.retain(|(at, entry)| entry.depth.unwrap_or(at.depth) >= least);
                }
                Edit::Reserve(more) => table.entries_mut().reserve(more),
                Edit::Clear => {
                    table.entries_mut().clear();
                    model.0.clear();
                }
            }
            let entries = table.entries();
            prop_assert_eq!(entries.len(), model.0.len());
            prop_assert_eq!(entries.is_empty(), model.0.is_empty());
            prop_assert_eq!(&entries.iter().collect::<Vec<_>>(), &model.0);
            for (key, depth) in (0..24).flat_map(|key| (0..4).map(move |depth| (key, depth))) {
                let at = at(key, depth);
                prop_assert_eq!(entries.get(at), model.get(at));
            }
        }
    }
}

fn apply(table: &mut AnyTable<u64>, policy: Policy, edit: &Edit) {
    let at = |key: u8, depth| Keyed {
        key: u64::from(key) << 40,
        depth: if policy.keys_depth() { depth } else { 0 },
    };
    match *edit {
        Edit::Set(key, depth, value) => {
            let entry = entry(policy, depth, value);
            table.entries_mut().set(at(key, depth), entry).unwrap();
        }
        Edit::Store(key, depth, value) => store(table, at(key, depth).key, depth, value),
        Edit::Remove(key, depth) => {
            table.entries_mut().remove(at(key, depth));
        }
        Edit::RetainAbove(least) => {
            table.entries_mut().retain(&mut |_, entry| entry.value > score(least));
        }
        Edit::RetainDepth(least) => {
            table.entries_mut().retain(&mut |at, entry| entry.depth.unwrap_or(at.depth) >= least);
        }
        Edit::Reserve(more) => table.entries_mut().reserve(more),
        Edit::Clear => table.entries_mut().clear(),
    }
}

fn contents(table: &AnyTable<u64>) -> Vec<(Keyed<u64>, Entry)> {
    table.entries().iter().collect()
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn a_recorded_table_goes_back_to_every_journal_position(
        policy in select(vec![Policy::Exact, Policy::Interval, Policy::Bound, Policy::Rote]),
        before in vec(edit(), 0..30),
        spans in vec(vec(edit(), 0..30), 2..8),
        (dropped, forgotten, target) in (1..8_usize, 0..8_usize, 0..8_usize),
        after in vec(edit(), 0..30),
    ) {
        let mut table = AnyTable::new(policy);
        for edit in &before {
            apply(&mut table, policy, edit);
        }
        table.entries_mut().record(true);
        let mut positions = vec![(0, contents(&table))];
        for span in &spans {
            for edit in span {
                apply(&mut table, policy, edit);
            }
            positions.push((table.entries_mut().mark(), contents(&table)));
        }
        if dropped + 1 < positions.len() {
            table.entries_mut().unmark(positions.remove(dropped).0);
        }
        let forgotten = forgotten.min(positions.len() - 1);
        table.entries_mut().forget(positions[forgotten].0);
        let target = target.clamp(forgotten, positions.len() - 1);
        for (position, wanted) in positions[target..].iter().rev() {
            table.entries_mut().rewind(*position);
            prop_assert_eq!(&contents(&table), wanted);
        }
        let mut fresh = AnyTable::new(policy);
        for (at, entry) in contents(&table) {
            fresh.entries_mut().set(at, entry).unwrap();
        }
        for edit in &after {
            apply(&mut table, policy, edit);
            apply(&mut fresh, policy, edit);
            prop_assert_eq!(contents(&table), contents(&fresh));
        }
        table.entries_mut().rewind(positions[target].0);
        prop_assert_eq!(&contents(&table), &positions[target].1);
        for (at, entry) in &positions[target].1 {
            prop_assert_eq!(table.entries().get(*at), Some(*entry));
        }
    }
}

fn order(table: &AnyTable<u64>) -> Vec<u64> {
    table.entries().iter().map(|(at, _)| at.key).collect()
}

#[test]
fn the_order_is_that_of_a_python_dictionary() {
    let mut table = AnyTable::new(Policy::Interval);
    for key in [5, 3, 9, 1] {
        store(&mut table, key, 2, 0.5);
    }
    store(&mut table, 3, 2, 0.25);
    assert_eq!(order(&table), [5, 3, 9, 1], "overwritten in place");
    let at = Keyed { key: 5, depth: 2 };
    table.entries_mut().remove(at).unwrap();
    assert_eq!(order(&table), [3, 9, 1], "the later ones move up");
    store(&mut table, 5, 2, 0.5);
    assert_eq!(order(&table), [3, 9, 1, 5], "removed and put back: at the end");
    store(&mut table, 9, 1, 0.5);
    assert_eq!(order(&table), [3, 9, 1, 5, 9], "another depth is another key");
}

#[test]
fn entries_that_a_policy_cannot_hold_are_refused_and_change_nothing() {
    let at = Keyed { key: 7, depth: 1 };
    let bare = Entry { value: Score::ONE, ..Entry::default() };
    let lower = Entry { bound: Some(Bound::Lower), ..bare };
    for (policy, entry) in [
        (Policy::None, bare),
        (Policy::Interval, bare),
        (Policy::Bound, bare),
        (Policy::Exact, lower),
    ] {
        let mut table: AnyTable<u64> = AnyTable::new(policy);
        store(&mut table, 7, 1, 0.5);
        let before: Vec<_> = table.entries().iter().collect();
        let fault = table.entries_mut().set(at, entry).unwrap_err();
        assert!(fault.message.contains(policy.name()), "{policy}: {fault}");
        assert_eq!(table.entries().iter().collect::<Vec<_>>(), before, "{policy}");
    }
}

/// Distinct morris keys with depths: positions with four white stones, at 256 depths.
fn morris_keys() -> impl Iterator<Item = Keyed<morris::Key>> {
    let morris = Morris::default();
    let boards = (0..1_u32 << 24).filter(|bits: &u32| bits.count_ones() == 4);
    let positions = boards.map(|bits| {
        let cell = |point: u32| if bits >> point & 1 == 1 { 'w' } else { '.' };
        let ring = |ring: u32| (8 * ring..8 * ring + 8).map(cell).collect::<String>();
        let board = [0, 1, 2].map(ring).join("/");
        format!("{board} w 5 5").parse::<Position>().unwrap()
    });
    let keys: Vec<_> = positions.map(|position| morris.key(&position, KeyScheme::Plain)).collect();
    (0..=u8::MAX)
        .flat_map(move |depth| keys.clone().into_iter().map(move |key| Keyed { key, depth }))
}

fn bytes<K: Key>(table: &Interval<K>) -> usize {
    Entries::bytes(table)
}

#[test]
fn an_interval_entry_takes_48_bytes_at_most_at_every_size() {
    let mut table = Interval::default();
    let mut largest: f64 = 0.0;
    for (at, size) in morris_keys().zip(1..=2_000_000_usize) {
        let slot = Slot { key: at.key, negated: false };
        table.store(slot, at.depth, UNIT, Score::ZERO);
        assert_eq!(table.len(), size);
        if size >= 1_000 {
            largest = largest.max(bytes(&table) as f64 / size as f64);
            assert!(bytes(&table) <= 48 * size, "{} bytes for {size} entries", bytes(&table));
        }
    }
    assert!(largest > 37.0, "records alone take 32 bytes: {largest}");
}

#[test]
fn an_interval_entry_takes_48_bytes_at_most_in_a_reserved_table() {
    let mut size = 1_000;
    while size <= 2_000_000 {
        let mut table: Interval<morris::Key> = Interval::default();
        table.reserve(size);
        assert!(bytes(&table) <= 48 * size, "{} bytes for {size} entries", bytes(&table));
        size += size / 7;
    }
}

#[test]
fn sizes_are_read_as_they_are_written() {
    for (text, size) in [
        ("off", MaxSize::Unlimited),
        ("0", MaxSize::Entries(0)),
        ("1000000", MaxSize::Entries(1_000_000)),
        ("64MiB", MaxSize::Bytes(64 << 20)),
        ("1GB", MaxSize::Bytes(1_000_000_000)),
        ("12kB", MaxSize::Bytes(12_000)),
        ("7B", MaxSize::Bytes(7)),
    ] {
        assert_eq!(text.parse(), Ok(size));
        assert_eq!(size.to_string(), text);
    }
    assert_eq!("1_000".parse(), Ok(MaxSize::Entries(1000)));
    assert_eq!("64 MiB".parse(), Ok(MaxSize::Bytes(64 << 20)));
    for wrong in ["", "-1", "1.5GB", "many", "MiB", "99999999999999GiB"] {
        let fault = wrong.parse::<MaxSize>().expect_err(wrong);
        assert!(fault.hint.is_some(), "{fault}");
    }
}

/// The reported last write of an entry is never too early: until the journal position after it the entry had been
/// unchanged, whatever other entries were removed or forgotten meanwhile.
#[test]
fn the_last_write_is_right_after_the_table_was_rebuilt() {
    let game = Morris::default();
    let key = |text: &str| game.key(&text.parse::<Position>().unwrap(), KeyScheme::Canonical);
    let keys = [
        "w......./......../........ b 8 9",
        ".w....../......../........ b 8 9",
        "......../w......./........ b 8 9",
    ]
    .map(key);
    for gone in 0..2 {
        let mut table = AnyTable::new(Policy::Bound);
        let table = table.entries_mut();
        for (nth, key) in keys.into_iter().enumerate() {
            table.set(Keyed { key, depth: 1 }, entry(Policy::Bound, 1, nth as f64)).unwrap();
        }
        table.record(true);
        table.mark();
        // The entries after the removed one have moved to other places.
        table.retain(&mut |at, _| at.key != keys[gone]);
        let built_anew = table.mark();
        for (place, key) in keys.into_iter().enumerate().filter(|(place, _)| *place != gone) {
            let last = table.last_written(Keyed { key, depth: 1 });
            assert!(
                last.is_some_and(|last| last < built_anew && last > 0),
                "{gone} {place}: {last:?}"
            );
        }
        let last = table.last_written(Keyed { key: keys[gone], depth: 1 });
        assert!(last.is_some(), "{gone}");
    }
}

/// A removal moves the records of other entries, and does not write them.
#[test]
fn the_last_write_is_right_after_another_entry_was_removed() {
    let game = Morris::default();
    let key = |text: &str| game.key(&text.parse::<Position>().unwrap(), KeyScheme::Canonical);
    let states =
        ["w......./......../........", ".w....../......../........", "......../w......./........"];
    let places = states.map(|state| Keyed { key: key(&format!("{state} b 8 9")), depth: 1 });
    for gone in 0..states.len() {
        let mut table = AnyTable::new(Policy::Bound);
        let table = table.entries_mut();
        table.record(true);
        let written = places.map(|at| {
            let mark = table.mark();
            table.set(at, entry(Policy::Bound, 1, 0.5)).unwrap();
            (at, mark)
        });
        let last = table.mark();
        table.remove(places[gone]).unwrap();
        for (at, mark) in written.into_iter().filter(|(at, _)| *at != places[gone]) {
            assert_eq!(table.last_written(at), Some(mark), "{gone}");
        }
        table.set(places[gone], entry(Policy::Bound, 1, 0.25)).unwrap();
        assert_eq!(table.last_written(places[gone]), Some(last));
    }
}
