use std::collections::BTreeMap;

use super::{GATHER, SCATTER, *};
use crate::engine::{
    game::Score,
    memo::{Bound, Bounded, Entries, Rewind},
};

type Plain = super::super::Table<u64, BoundRecord>;

fn score(value: f64) -> Score {
    Score::new(value).expect("a number")
}

fn record(value: f64, depth: u8) -> BoundRecord {
    BoundRecord {
        value: score(value),
        bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(depth) % 3],
        depth,
    }
}

/// A generator that need not be good.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(0xD129_0D3B_4C4B_1B2D).wrapping_add(1);
        state >> 20
    })
}

fn contents(table: &dyn Entries<u64>) -> BTreeMap<u64, String> {
    let entries = table.iter();
    entries
        .map(|(at, entry)| (at.key, format!("{entry:?}")))
        .collect()
}

#[test]
fn scattering_can_be_taken_back() {
    assert_eq!(SCATTER.wrapping_mul(GATHER), 1);
    for word in [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89AB_CDEF] {
        assert_eq!(key::<u64>(hash(word)), Some(word));
    }
}

#[test]
fn it_holds_what_a_table_of_keys_holds() {
    for few in [50, 5000, u64::MAX] {
        let (mut compact, mut plain) = (Compact::<u64>::default(), Plain::default());
        for (number, step) in numbers(few).zip(0..20_000_u32) {
            let key = number % few;
            let at = Keyed { key, depth: 0 };
            if number % 11 == 0 {
                assert_eq!(compact.remove(at), Entries::remove(&mut plain, at));
            } else {
                let record = record(f64::from(step % 700) / 7.0, (number % 251) as u8);
                compact.insert(key, record);
                plain.insert(at, record);
            }
            assert_eq!(compact.get(key), plain.get(at));
        }
        assert_eq!(compact.lanes.len(), plain.len());
        assert_eq!(contents(&compact), contents(&plain));
        let hashes: Vec<u64> = compact.iter().map(|(at, _)| hash(at.key)).collect();
        assert!(hashes.is_sorted());
    }
}

#[test]
fn what_it_is_does_not_depend_on_how_it_came_about() {
    let keys: Vec<u64> = numbers(3).take(3000).collect();
    let mut there = Compact::<u64>::default();
    let mut back = Compact::<u64>::default();
    for &key in &keys {
        there.insert(key, record(0.5, 3));
    }
    for &key in keys.iter().rev() {
        back.insert(key, record(0.25, 3));
        back.insert(key, record(0.5, 3));
    }
    assert!(there.iter().eq(back.iter()));
    for limit in [2000, 1999, 10, 1] {
        let room = Room {
            size: MaxSize::Entries(limit),
            ..Room::default()
        };
        assert_eq!(there.set_room(room), back.set_room(room));
        assert!(there.iter().eq(back.iter()), "{limit}");
    }
}

#[test]
fn hashes_that_fall_together_make_the_tail_longer() {
    // Nearly the largest hashes: all at home in the last place.
    let keys: Vec<u64> = (0..1000)
        .filter_map(|below| key::<u64>(u64::MAX - below))
        .collect();
    let mut table = Compact::<u64>::default();
    for &key in &keys {
        table.insert(key, record(1.0, 1));
    }
    assert_eq!(table.lanes.len(), 1000);
    for &key in &keys {
        assert_eq!(table.get(key), Some(record(1.0, 1)));
    }
    for key in keys {
        assert!(table.remove(Keyed { key, depth: 0 }).is_some());
    }
    assert!(table.is_empty());
}

#[test]
fn every_value_comes_back_bit_for_bit() {
    let mut table = Compact::<u64>::default();
    let values = [0.0, -0.0, f64::MIN_POSITIVE, -1.0 / 3.0, f64::INFINITY];
    for (value, key) in values.into_iter().zip(0_u64..) {
        table.insert(key, record(value, 1));
    }
    for (value, key) in values.into_iter().zip(0_u64..) {
        let found = table.get(key).expect("there").value.get();
        assert_eq!(found.to_bits(), value.to_bits());
    }
}

#[test]
fn more_values_than_a_slot_can_number() {
    let mut table = Compact::<u64>::default();
    let beyond = (1 << 16) + 3_u64;
    for number in 0..beyond {
        table.insert(number % 64, record(number as f64, 2));
        if number % 10_003 == 0 {
            table.record(number % 2 == 0);
            table.mark();
        }
    }
    for key in 0..64 {
        let last = beyond - 1 - (beyond - 1 - key) % 64;
        assert_eq!(table.get(key), Some(record(last as f64, 2)));
    }
    table.record(true);
    table.clear();
    table.insert(1, record((beyond - 1) as f64, 2));
    assert_eq!(table.get(1), Some(record((beyond - 1) as f64, 2)));
    table.rewind(0);
    assert_eq!(table.lanes.len(), 64);
}

#[test]
fn entries_take_at_most_sixteen_bytes_each() {
    let mut table = Compact::<u64>::default();
    for (number, step) in numbers(5).zip(1..1_500_000_u32) {
        table.insert(number, record(f64::from(step % 100), 3));
        if step > 300_000 && step % 1000 == 0 {
            let each = table.bytes() as f64 / f64::from(step);
            assert!(each <= 16.0, "{each} at {step}");
        }
    }
}

/// Some changes and their undoing, with uses counted and numbers that need more than a slot has.
#[test]
fn changes_are_taken_back() {
    for replace in super::super::Replace::ALL {
        let mut table = Compact::<u64>::default();
        table.set_room(Room {
            size: MaxSize::Entries(3000),
            replace,
            ..Room::default()
        });
        table.record(true);
        let mut stages = Vec::new();
        for (number, step) in numbers(77).zip(0..70_000_u32) {
            if step % 10_000 == 0 {
                stages.push((table.mark(), table.footing(), contents(&table)));
            }
            let at = Keyed {
                key: number % 6000,
                depth: 0,
            };
            match number % 16 {
                0 => drop(table.remove(at)),
                1 => table.touch(at),
                _ => table.insert(at.key, record(f64::from(step), (number % 200) as u8)),
            }
        }
        while let Some((mark, footing, entries)) = stages.pop() {
            table.rewind(mark);
            assert_eq!(contents(&table), entries);
            assert_eq!(table.footing(), footing);
        }
        assert!(table.is_empty());
    }
}

#[test]
fn a_table_that_fills_doubles_its_segments_and_stays_in_order() {
    let most = 9_000_000;
    let mut table = Compact::<u64>::default();
    let mut roomy = Compact::<u64>::default();
    roomy.reserve(most);
    for number in 0..most as u64 {
        let record = record((number % 50) as f64, (number % 100) as u8);
        table.insert(number, record);
        roomy.insert(number, record);
    }
    assert_eq!(table.len(), most);
    assert!(table.iter().eq(roomy.iter()));
    assert!(table.bytes() <= 16 * most, "{}", table.bytes());
    let mut filled = Compact::<u64>::default();
    filled.reserve(most);
    let mut read = table.iter();
    let repeated = filled.fill(&mut |take| read.try_for_each(|(at, entry)| take(at, entry)));
    assert_eq!(repeated, Ok(0));
    assert!(table.iter().eq(filled.iter()));
    for rank in [0, 1, 1_000_000, most - 1] {
        let place = Entries::places(&table, rank..rank + 1)[0];
        assert_eq!(table.nth(place as usize), table.iter().nth(rank));
    }
    let mut iter = table.iter();
    let entries: &dyn Entries<u64> = &table;
    entries.scan(|place, at, entry| {
        assert_eq!(iter.next(), Some((at, *entry)));
        if at.key % 1000 == 0 {
            assert_eq!(table.nth(place), Some((at, *entry)));
        }
    });
    assert_eq!(iter.next(), None);
}

#[test]
fn entries_that_come_in_their_order_or_not_are_all_there() {
    let mut table = Compact::<u64>::default();
    for (number, step) in numbers(21).zip(0..40_000_u32) {
        table.insert(number, record(f64::from(step % 90), (step % 9) as u8));
    }
    let sorted: Vec<_> = table.iter().collect();
    let (front, back) = sorted.split_at(25_000);
    let again = &front[20_000..];
    for reserved in [0, 10_000, 40_000] {
        for counts_uses in [false, true] {
            for (parts, repeats) in [
                ([front, back, &[]], 0),
                ([back, front, &[]], 0),
                ([front, again, back], 5000),
                ([front, back, &sorted[39_999..]], 1),
            ] {
                let mut filled = Compact::<u64>::default();
                filled.lanes.count_uses(counts_uses);
                filled.reserve(reserved);
                let mut entries = parts.into_iter().flatten();
                let repeated =
                    filled.fill(&mut |take| entries.try_for_each(|&(at, entry)| take(at, entry)));
                assert_eq!(repeated, Ok(repeats));
                assert!(filled.iter().eq(sorted.iter().copied()));
                let found =
                    |&(at, entry): &(Keyed<u64>, _)| Entries::get(&filled, at) == Some(entry);
                assert!(sorted.iter().all(found));
            }
        }
    }
}

#[test]
fn policies_by_key_and_by_hash_are_one() {
    use crate::engine::memo::{Hashed, Memo, Reuse, Slot};
    let (mut keyed, mut hashed) = (Bounded::<u64>::default(), Hashed::<u64>::default());
    (keyed.reuse, hashed.reuse) = (Reuse::Deeper, Reuse::Deeper);
    for (number, step) in numbers(8).zip(0..5000_u32) {
        let (depth, negated) = ((number >> 9) as u8 % 6, number & 256 > 0);
        let slot = Slot {
            key: number % 200,
            negated,
        };
        let low = f64::from(step % 7) / 8.0 - 0.5;
        let window = crate::engine::game::Window {
            alpha: score(low),
            beta: score(low + 0.25),
        };
        let (one, other) = (
            keyed.probe(slot, depth, window),
            hashed.probe(slot, depth, window),
        );
        assert_eq!(one, other);
        assert_eq!(keyed.recall(slot, depth), hashed.recall(slot, depth));
        let value = score(f64::from(step % 11) / 10.0 - 0.5);
        keyed.store(slot, depth, window, value);
        hashed.store(slot, depth, window, value);
    }
}
