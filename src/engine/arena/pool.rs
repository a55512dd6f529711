//! Workers: units of work done side by side, their results handed in by one thread.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use crate::engine::game::Fault;

/// Between two looks at whether the user wants it to stop.
const TICK: Duration = Duration::from_millis(20);

/// Why the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Every unit is done.
    Complete,
    /// The user stopped it.
    Interrupted,
    /// Whoever takes the results has enough.
    Enough,
}

/// How a worker is told to stop and hands in what it has done.
pub struct Worker<'a, T> {
    /// The worker's number, from 0.
    pub number: usize,
    /// Set when the worker is to stop.
    pub interrupt: &'a AtomicBool,
    unit: usize,
    results: &'a Sender<Result<(usize, T), Fault>>,
}

impl<T> Worker<'_, T> {
    /// Whether the worker is to stop.
    pub fn stopped(&self) -> bool {
        self.interrupt.load(Ordering::SeqCst)
    }

    /// Hands in a result of the unit at hand.
    pub fn hand_in(&self, result: T) {
        // Nobody takes it where the work has ended.
        let _ = self.results.send(Ok((self.unit, result)));
    }
}

/// Does units of work on so many threads. Units are begun in order and may end in any; `take` gets every result on the
/// calling thread as it comes, with the number of its unit. What a unit does must depend on nothing but the unit, so that
/// all results together are the same however many workers there are.
///
/// # Errors
/// The first fault of a unit or of `take`; the workers are stopped and their results dropped.
pub fn work<T: Send>(
    units: &[usize],
    workers: usize,
    interrupt: &AtomicBool,
    unit: impl Fn(usize, &Worker<'_, T>) -> Result<(), Fault> + Sync,
    take: impl FnMut(usize, T) -> Result<ControlFlow<()>, Fault>,
) -> Result<Finish, Fault> {
    let workers = workers.clamp(1, units.len().max(1));
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (results, handed_in) = mpsc::channel();
    let stop = || halt.store(true, Ordering::SeqCst);
    thread::scope(|scope| {
        for number in 0..workers {
            let (results, next, halt, unit) = (results.clone(), &next, &halt, &unit);
            scope.spawn(move || {
                while !halt.load(Ordering::SeqCst)
                    && let Some(&at) = units.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    let worker = Worker {
                        number,
                        interrupt: halt,
                        unit: at,
                        results: &results,
                    };
                    if let Err(fault) = unit(at, &worker) {
                        let _ = results.send(Err(fault));
                    }
                }
            });
        }
        drop(results);
        collect(&handed_in, interrupt, &stop, take)
    })
}

/// Takes results until the last worker has gone.
fn collect<T>(
    handed_in: &Receiver<Result<(usize, T), Fault>>,
    interrupt: &AtomicBool,
    stop: &dyn Fn(),
    mut take: impl FnMut(usize, T) -> Result<ControlFlow<()>, Fault>,
) -> Result<Finish, Fault> {
    let mut finish = Ok(Finish::Complete);
    loop {
        if finish == Ok(Finish::Complete) && interrupt.load(Ordering::SeqCst) {
            finish = Ok(Finish::Interrupted);
            stop();
        }
        let result = match handed_in.recv_timeout(TICK) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return finish,
        };
        // What was done when the user stopped the work is kept.
        if !matches!(finish, Ok(Finish::Complete | Finish::Interrupted)) {
            continue;
        }
        match result.and_then(|(unit, result)| take(unit, result)) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => {
                finish = Ok(Finish::Enough);
                stop();
            }
            Err(fault) => {
                finish = Err(fault);
                stop();
            }
        }
    }
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        units: usize,
        workers: usize,
        take: impl FnMut(usize, usize) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<Finish, Fault> {
        let interrupt = AtomicBool::new(false);
        let units: Vec<_> = (0..units).collect();
        let unit = |unit: usize, worker: &Worker<'_, usize>| {
            if unit == 77 {
                return Err(Fault::new("seventy-seven"));
            }
            worker.hand_in(unit * unit);
            Ok(())
        };
        work(&units, workers, &interrupt, unit, take)
    }

    #[test]
    fn every_unit_is_done_once_whatever_the_number_of_workers() {
        for workers in [0, 1, 2, 3, 9] {
            let mut done = Vec::new();
            let finish = run(50, workers, |unit, square| {
                done.push((unit, square));
                Ok(ControlFlow::Continue(()))
            });
            done.sort_unstable();
            assert_eq!(finish, Ok(Finish::Complete));
            assert_eq!(
                done,
                (0..50).map(|unit| (unit, unit * unit)).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn it_ends_when_there_is_enough_or_a_fault() {
        let mut taken = 0;
        let finish = run(1000, 2, |_, _| {
            taken += 1;
            Ok(if taken == 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        assert_eq!((finish, taken), (Ok(Finish::Enough), 5));
        let fault = run(100, 2, |_, _| Ok(ControlFlow::Continue(()))).unwrap_err();
        assert_eq!(fault.message, "seventy-seven");
    }

    #[test]
    fn the_user_stops_it() {
        let interrupt = AtomicBool::new(true);
        let unit = |_: usize, worker: &Worker<'_, ()>| {
            while !worker.stopped() {
                thread::yield_now();
            }
            Ok(())
        };
        let take = |_, ()| Ok(ControlFlow::Continue(()));
        assert_eq!(
            work(&[1, 2, 3], 2, &interrupt, unit, take),
            Ok(Finish::Interrupted)
        );
    }
}
