//! Two threads that take turns, so that the order of the events is known: their notes count up. The first word chooses the
//! form of the trace, the second how the program ends.
mod plytrace;
use plytrace::Plytrace;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const NOTES: u32 = 30_000;
static TURN: AtomicU32 = AtomicU32::new(0);

fn take_turns(trace: &mut Plytrace, thread: u32) {
    trace.iteration(1);
    trace.enter(-1, 1, 1, |e| e);
    loop {
        let note = TURN.load(Relaxed);
        if note % 2 != thread {
            std::thread::yield_now();
            continue;
        }
        let text = "a text that fills the buffer soon ".repeat(if note == 1000 { 20_000 } else { 3 });
        trace.note(|e| e.number("count", note).text("r", text));
        TURN.store(note + 1, Relaxed);
        if note >= NOTES - 2 {
            return;
        }
    }
}

fn main() -> std::io::Result<()> {
    let [form, end] = [1, 2].map(|word| std::env::args().nth(word).unwrap_or_default());
    let mut trace = Plytrace::new("trace.jsonl", "\"threads\":2");
    trace.binary = form == "binary";
    trace.ring = if end == "dump" { 100 } else { 0 };
    let mut trace = trace.started()?;
    trace.root("start");
    let mut other = trace.thread(1);
    let other = std::thread::spawn(move || {
        take_turns(&mut other, 1);
        other.leave(0, |e| e);
    });
    take_turns(&mut trace, 0);
    if end == "kill" {
        std::process::abort();
    }
    let _ = other.join();
    trace.leave(0, |e| e);
    trace.dump()
}
