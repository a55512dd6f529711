//! Suggestions of commands after a search has stopped, for newcomers.

use crate::{
    command::{Reply, Shell},
    engine::{
        search::{EventKind, Stop},
        session::{
            audit::{AuditReport, AuditRunReport},
            search::{Run, StopReport},
        },
    },
};

/// The kind of stop that a reply reports, and a tip with commands that are useful then; `None` if there is no tip.
pub(super) fn tip(shell: &Shell, reply: &dyn Reply) -> Option<(&'static str, String)> {
    let (kind, next) = next(shell, reply)?;
    Some((kind, usable(shell, &next).collect::<Vec<_>>().join(", ")))
}

/// Commands that are useful where the search has stopped; without a search, those that begin one, or that play.
pub(super) fn useful(shell: &Shell) -> Vec<&'static str> {
    let run = shell.session().result().ok();
    let next = match run.and_then(|run| after_run(shell, &run)) {
        Some((_, next)) => next,
        None if shell.engine.has_trace() => "trace findings, step, continue",
        None => "play, hint, search run, step",
    };
    usable(shell, next).collect()
}

fn usable<'t>(shell: &Shell, lines: &'t str) -> impl Iterator<Item = &'t str> {
    lines.split(", ").filter(|line| {
        let words: Vec<_> = line.split(' ').collect();
        shell.table.exact(&words).is_some_and(|(spec, _)| spec.is_usable(shell))
    })
}

fn next(shell: &Shell, reply: &dyn Reply) -> Option<(&'static str, String)> {
    if let Some(stop) = reply.downcast_ref::<StopReport>() {
        let (kind, next) = match (stop.stopped.as_str(), &stop.event) {
            ("start", _) => ("start", "step 100, until cutoff, continue"),
            ("end", _) => ("end", "explain tree, cache list, back continue"),
            (why, Some(event)) => after(why, stop.done, stop.seen.watch.is_some(), event.kind),
            (_, None) => return None,
        };
        return Some((kind, next.to_owned()));
    }
    if let Some(run) = reply.downcast_ref::<Run>() {
        let (kind, next) = after_run(shell, run)?;
        return Some((kind, next.to_owned()));
    }
    if let Some(audit) = reply.downcast_ref::<AuditReport>() {
        let key = &audit.flaws.first()?.key;
        return Some(("wrong entry", format!("explain entry {key}, last {key}, cache get {key}")));
    }
    let departure = reply.downcast_ref::<AuditRunReport>()?.departure.as_ref()?;
    match (crate::text::words(&departure.line), &departure.entry) {
        (line, _) if line.is_empty() => None,
        (line, None) => Some(("departure", format!("break line={line}, advance {line}"))),
        (line, Some(entry)) => {
            Some(("wrong answer", format!("advance {line}, explain entry {}", entry.key)))
        }
    }
}

fn after_run(shell: &Shell, run: &Run) -> Option<(&'static str, &'static str)> {
    let why = run.stopped.map_or("", Stop::name);
    let over = run.stopped.is_some_and(Stop::is_own);
    let event = shell.session().stack().ok()?.event?;
    Some(after(why, over, run.seen.watch.is_some(), event.kind))
}

/// Parameters: `why`, the name of the stop; `over`, the search has ended; `watched`, a watchpoint has stopped the search.
fn after(why: &str, over: bool, watched: bool, event: EventKind) -> (&'static str, &'static str) {
    match (why, event) {
        _ if over => ("over", "explain value, explain tree, back until cutoff"),
        ("time" | "interrupt", _) => ("halted", "search result, continue, back 100"),
        _ if watched => ("watch", "where, continue, back continue"),
        (_, EventKind::Cutoff) => ("cutoff", "where, explain cutoff, back finish"),
        (_, EventKind::Hit | EventKind::Invalid) => {
            ("entry", "cache get --writer frame, last frame, finish")
        }
        (_, EventKind::Leaf | EventKind::StandPat) => ("leaf", "eval, where, finish"),
        ("break", _) => ("breakpoint", "where, explain order, continue"),
        _ => ("step", "step 100, where, until cutoff"),
    }
}
