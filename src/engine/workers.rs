//! Worker threads: several threads run jobs, one receives the results.

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

/// The interval at which the interrupt flag is read.
const TICK: Duration = Duration::from_millis(20);

/// Why the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All jobs are done.
    Complete,
    /// The user interrupted the work.
    Interrupted,
    /// The receiver takes no more results.
    Enough,
}

/// The fault that an interrupted command returns.
pub fn interrupted() -> Fault {
    Fault::interrupted()
}

fn thread_fault(error: &io::Error) -> Fault {
    Fault::new(format!("cannot start a worker thread: {error}"))
        .hint("raise the limits of memory and processes (`ulimit -v`, `ulimit -u`)")
}

/// The arguments of a job, besides its item.
pub struct Worker<'a, R> {
    /// The number of the thread, from 0.
    pub number: usize,
    /// The flag that stops the job.
    pub interrupt: &'a AtomicBool,
    /// Sends a result to the receiver; a job may send several.
    pub send: &'a dyn Fn(R),
}

/// Runs a job for each item on up to `threads` threads. Jobs begin in order and end in any; `receive` gets every result on the
/// calling thread as it arrives. A job must depend on its item only, so that the results are the same with any number of
/// threads. The first fault of a job or of `receive` stops the other jobs and drops their results.
pub fn work<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    interrupt: &AtomicBool,
    job: impl Fn(&T, &Worker<'_, R>) -> Result<(), Fault> + Sync,
    mut receive: impl FnMut(R) -> Result<ControlFlow<()>, Fault>,
) -> Result<Finish, Fault> {
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, next, halt, job) = (sender.clone(), &next, &halt, &job);
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                // Sending fails only if the receiver is gone, and the result is then not needed.
                let worker = Worker {
                    number,
                    interrupt: halt,
                    send: &|result| drop(sender.send(Ok(result))),
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
                Err(error) if number == 0 => return Err(thread_fault(&error)),
                // If a thread cannot be started, those already started do all jobs.
                Err(_) => break,
            }
        }
        drop(sender);
        let mut finish = Ok(Finish::Complete);
        loop {
            match results.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return finish,
                // After an interrupt, results that were already sent are kept.
                Ok(result) if !matches!(finish, Err(_) | Ok(Finish::Enough)) => {
                    match result.and_then(&mut receive) {
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

/// One result for each item, in the items' order; `None` after an interrupt. `progress` gets the number of results so far.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    interrupt: &AtomicBool,
    job: impl Fn(&T, &AtomicBool) -> Result<R, Fault> + Sync,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<Vec<R>>, Fault> {
    let numbered: Vec<_> = items.iter().enumerate().collect();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut done = 0;
    let finish = work(
        &numbered,
        threads,
        interrupt,
        |(place, item), worker| {
            (worker.send)((*place, job(item, worker.interrupt)?));
            Ok(())
        },
        |(place, result)| {
            results[place] = Some(result);
            done += 1;
            progress(done);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok((finish == Finish::Complete).then(|| results.into_iter().flatten().collect()))
}

/// The number of processors available to this process.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
