//! Commands that explain values, choices and cache entries.

use super::{Args, Family, Kind, Param, Shows, Spec, cache, position};
use crate::engine::{game::Fault, reply::boxed};

/// Explanations.
pub(super) const FAMILY: Family =
    Family { title: "Explanations", commands: &[VALUE, MOVE, CUTOFF, ORDER, ENTRY] };

/// States that an explanation may visit where nothing else is said: about a second.
const USUAL_NODES: u64 = 5_000_000;

const NODES: Param = Param::flag(
    "nodes",
    Kind::Range(1, u64::MAX),
    "states to visit at most; 5 million where none is given",
);

fn nodes(args: &Args<'_>) -> Result<u64, Fault> {
    Ok(args.count("nodes")?.unwrap_or(USUAL_NODES))
}

const VALUE: Spec = Spec {
    name: "explain value",
    aliases: &["why"],
    params: &[NODES],
    summary: "explains why the root has its value, ply by ply along the best line",
    details: "For the search under way or just finished: at each node of the line who is to move, with which window, what each move was worth or by \
              which reply it was refuted, and whether that is exact or only a bound. Values at the root are the search's own; below it the plain \
              search, without the cache, finds them anew. Cache, counters and the search stay as they are. Ctrl-C stops it.",
    examples: &["explain value", "explain value --nodes 100000"],
    run: Shows(|shell, args| {
        let explained = shell.engine.bench().explain_value(nodes(args)?)?;
        Ok(boxed(explained))
    }),
};

const MOVE: Spec = Spec {
    name: "explain move",
    aliases: &["why not"],
    params: &[Param::word("MOVE", Kind::Live(&position::MOVE_LIST), "a move of the root"), NODES],
    summary: "explains why a move was not chosen: its value, the reply that refutes it and the line",
    details: "For the search under way or just finished, in its last complete iteration.",
    examples: &["explain move d6"],
    run: Shows(|shell, args| {
        let mv = args.required("MOVE")?;
        let explained = shell.engine.bench().explain_move(mv, nodes(args)?);
        explained.map(boxed).map_err(|fault| args.blame("MOVE", fault))
    }),
};

const CUTOFF: Spec = Spec {
    name: "explain cutoff",
    aliases: &["why cutoff"],
    params: &[],
    summary: "explains why the selected frame is cut off, or what it would take",
    details: "The move, entry or static value that reaches beta, the moves that are not searched for it, and where beta comes from: the move that the \
              other side has already further up and would play instead. `catch cutoff` and `continue` lead to a cutoff.",
    examples: &["explain cutoff"],
    run: Shows(|shell, _| {
        let explained = shell.engine.bench().explain_cutoff()?;
        Ok(boxed(explained))
    }),
};

const ORDER: Spec = Spec {
    name: "explain order",
    aliases: &["why order"],
    params: &[],
    summary: "explains why the moves of the selected frame are searched in the order they are",
    details: "What each hint of `search set order=` says of each move: the value that the iteration before left in the cache, what it captures, whether \
              it is a killer, its history and its static value; and which of them puts it before the next. Of a node without moves, the nearest \
              above it. Cache, killers and history are told as they are now: they may have changed since the node was entered.",
    examples: &["explain order"],
    run: Shows(|shell, _| {
        let explained = shell.engine.bench().explain_order()?;
        Ok(boxed(explained))
    }),
};

const ENTRY: Spec = Spec {
    name: "explain entry",
    aliases: &[],
    params: &[Param::rest("KEY", Kind::Live(&cache::KEYS), cache::KEY_HELP), NODES],
    summary: "explains what a cache entry claims, whether it is true, and what a probe does with it",
    details: "The entry's position is searched anew without the cache. The probe is made with the window in force at the selected frame; with the full \
              window where no search is under way.",
    examples: &["explain entry here:3", "explain entry 99000000000000:3"],
    run: Shows(|shell, args| {
        let key = args.required("KEY")?;
        let explained = shell.engine.bench_mut().explain_entry(key, nodes(args)?);
        explained.map(boxed).map_err(|fault| args.blame("KEY", fault))
    }),
};
