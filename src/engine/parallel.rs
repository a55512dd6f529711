//! The same work on many things, on several cores, with the result it has on one.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
};

use super::game::Fault;

/// How many threads to use where nobody says: as many as the machine runs at a time.
pub fn usual_workers() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Does `work` to every item on so many threads and returns the results in the order of the items, so that they are the
/// same for any number of threads. `told` hears how many are done.
///
/// # Errors
/// Of the items that `work` fails on, the first one's fault; no item is begun after a failure.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    workers: usize,
    told: &(dyn Fn(u64) + Sync),
    work: &(dyn Fn(&T) -> Result<R, Fault> + Sync),
) -> Result<Vec<R>, Fault> {
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let failed = AtomicBool::new(false);
    let labour = || {
        let mut results = Vec::new();
        while !failed.load(Relaxed) {
            let place = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(place) else {
                break;
            };
            let result = work(item);
            failed.fetch_or(result.is_err(), Relaxed);
            results.push((place, result));
            told(done.fetch_add(1, Relaxed) + 1);
        }
        results
    };
    let workers = workers.clamp(1, items.len().max(1));
    let mut results = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(labour)).collect();
        let mut results = labour();
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    // Items are begun in order, so whatever comes before a failure is there.
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..500).collect();
        for workers in [0, 1, 2, 3, 7, 1000] {
            let told = AtomicU64::new(0);
            let squares = map(
                &items,
                workers,
                &|done| {
                    told.fetch_max(done, Relaxed);
                },
                &|item| Ok(item * item),
            );
            let wanted: Vec<u64> = items.iter().map(|item| item * item).collect();
            assert_eq!(squares, Ok(wanted));
            assert_eq!(told.into_inner(), 500);
        }
    }

    #[test]
    fn the_first_fault_is_told() {
        let items: Vec<u64> = (0..500).collect();
        for workers in [1, 2, 3] {
            let failed = map(&items, workers, &|_| {}, &|item| {
                if item % 100 == 99 {
                    Err(Fault::new(format!("not {item}")))
                } else {
                    Ok(*item)
                }
            });
            assert_eq!(failed, Err(Fault::new("not 99")));
        }
        assert_eq!(
            map(&[0_u8; 0], 4, &|_| {}, &|item| Ok(*item)),
            Ok(Vec::new())
        );
    }
}
