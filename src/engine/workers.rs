//! Worker threads: jobs done side by side, their results taken by one thread.

use std::{
    io,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use super::game::Fault;

/// Between two looks at whether the user wants it to stop.
const TICK: Duration = Duration::from_millis(20);

/// Why the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Every job is done.
    Complete,
    /// The user stopped it.
    Interrupted,
    /// Whoever takes the results has enough.
    Enough,
}

/// The fault of what the user stopped.
pub fn interrupted() -> Fault {
    Fault::new("interrupted: nothing was written or changed")
        .hint("give the command again to start over")
}

/// The fault where the system gives no thread.
fn no_thread(error: &io::Error) -> Fault {
    Fault::new(format!("the system gives no thread for the work: {error}"))
        .hint("raise the limits of memory and processes (`ulimit -v`, `ulimit -u`)")
}

/// What a job is given besides its item.
pub struct Worker<'a, R> {
    /// The thread's number, from 0.
    pub number: usize,
    /// Set when the job is to stop.
    pub interrupt: &'a AtomicBool,
    /// Takes a result; a job may have several.
    pub hand_in: &'a dyn Fn(R),
}

/// Does a job for each item on so many threads. Jobs begin in order and may end in any; `take` gets every result on the
/// calling thread as it comes. A job must depend on its item alone, so that all results together do not depend on the
/// number of threads. The first fault of a job or of `take` stops the others, and their results are dropped.
pub fn work<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    interrupt: &AtomicBool,
    job: impl Fn(&T, &Worker<'_, R>) -> Result<(), Fault> + Sync,
    mut take: impl FnMut(R) -> Result<ControlFlow<()>, Fault>,
) -> Result<Finish, Fault> {
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, next, halt, job) = (sender.clone(), &next, &halt, &job);
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                // A send fails only when the receiver has gone, and with it the need for a result.
                let worker = Worker {
                    number,
                    interrupt: halt,
                    hand_in: &|result| drop(sender.send(Ok(result))),
                };
                while !halt.load(SeqCst)
                    && let Some(item) = items.get(next.fetch_add(1, SeqCst))
                {
                    if let Err(fault) = job(item, &worker) {
                        drop(sender.send(Err(fault)));
                    }
                }
            });
            match spawned {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(no_thread(&error)),
                // The threads that there are do all the jobs.
                Err(_) => break,
            }
        }
        drop(sender);
        let mut finish = Ok(Finish::Complete);
        loop {
            match results.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return finish,
                // What was done when the user stopped the work is kept.
                Ok(result) if !matches!(finish, Err(_) | Ok(Finish::Enough)) => {
                    match result.and_then(&mut take) {
                        Ok(ControlFlow::Continue(())) => {}
                        Ok(ControlFlow::Break(())) => finish = Ok(Finish::Enough),
                        Err(fault) => finish = Err(fault),
                    }
                }
                _ => {}
            }
            if finish == Ok(Finish::Complete) && interrupt.load(SeqCst) {
                finish = Ok(Finish::Interrupted);
            }
            if finish != Ok(Finish::Complete) {
                halt.store(true, SeqCst);
            }
        }
    })
}

/// One result for each item, in the items' order; `tell` hears how many there are so far. Nothing where the user stopped it.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    interrupt: &AtomicBool,
    job: impl Fn(&T, &AtomicBool) -> Result<R, Fault> + Sync,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Vec<R>>, Fault> {
    let numbered: Vec<_> = items.iter().enumerate().collect();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut done = 0;
    let finish = work(
        &numbered,
        threads,
        interrupt,
        |(place, item), worker| {
            (worker.hand_in)((*place, job(item, worker.interrupt)?));
            Ok(())
        },
        |(place, result)| {
            results[place] = Some(result);
            done += 1;
            tell(done);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok((finish == Finish::Complete).then(|| results.into_iter().flatten().collect()))
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
