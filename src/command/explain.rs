//! Commands that explain values, choices and cache entries.

use super::{Args, FamilyDefinition, Fault, boxed, shows};

const MANUAL: &str = r#"
explain value, why
  explains why the root has its value, ply by ply along the best line
  - --budget  1..  states to visit at most; 5 million where none is given
  For the search under way or just finished: at each node of the line who is to move, with which window, what each move was worth or by which reply
  it was refuted, and whether that is exact or only a bound. Values at the root are the search's own; below it the plain search, without the cache,
  finds them anew. Cache, counters and the search stay as they are. Ctrl-C stops it.
  > explain value  > explain value --budget 100000
explain move, why not
  explains why a move was not chosen: its value, the reply that refutes it and the line
  - MOVE  @move  a move of the root
  - --budget  see explain value
  For the search under way or just finished, in its last complete iteration.
  > explain move d6
* explain cutoff, why cutoff
  explains why the selected frame is cut off, or what it would take
  The move, entry or static value that reaches beta, the moves that are not searched for it, and where beta comes from: the move that the other side
  has already further up and would play instead. `catch cutoff` and `continue` lead to a cutoff.
explain order, why order
  explains why the moves of the selected frame are searched in the order they are
  What each hint of `search set order=` says of each move: what the cache has of it, what it captures, whether it is a killer, its history and its
  static value; and which of them puts it before the next. Of a node without moves, the nearest above it. Cache, killers
  and history are told as they are now: they may have changed since the node was entered.
* explain tree, why tree
  shows the tree that the search explores: each move with its value, bound and share of the states visited
  - [LINE…]  rest text  moves from the search's root, whose nodes show their children too; several lines with commas between them
  - --time  1..  milliseconds to take at most: then it says how far it has come, and the same question goes on from there
  The tree of the iteration under way: the children of every node that the search is in, and of the nodes on the lines. The recorded search is run
  again beside itself for it, up to where it stands. Values are those of the `return`, `raise` and `cutoff` events. What was not searched says why.
  > explain tree  > explain tree d6 a4  > explain tree d6 a4, f4 --time 100
explain entry
  explains what a cache entry claims, whether it is true, and what a probe does with it
  - KEY…  rest @key  KEY:DEPTH, here:DEPTH for the position at hand, or "STATE:DEPTH"
  - --budget  see explain value
  The entry's position is searched anew without the cache. The probe is made with the window in force at the selected frame; with the full window
  where no search is under way.
  > explain entry here:3  > explain entry 99000000000000:3
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Explanations",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("explain value", |shell, args| {
            Ok(boxed(shell.session().explain_value(nodes(args)?)?))
        }),
        shows("explain move", |shell, args| {
            args.reply("MOVE", shell.session().explain_move(args.required("MOVE")?, nodes(args)?))
        }),
        shows("explain cutoff", |shell, _| Ok(boxed(shell.session().explain_cutoff()?))),
        shows("explain order", |shell, _| Ok(boxed(shell.session().explain_order()?))),
        shows("explain tree", |shell, args| {
            let (lines, ms) = (args.text("LINE").unwrap_or_default(), args.count("time")?);
            args.reply("LINE", shell.session_mut().explain_tree(lines, ms))
        }),
        shows("explain entry", |shell, args| {
            args.reply(
                "KEY",
                shell.session_mut().explain_entry(args.required("KEY")?, nodes(args)?),
            )
        }),
    ],
};

fn nodes(args: &Args<'_>) -> Result<u64, Fault> {
    Ok(args.count("budget")?.unwrap_or(5_000_000))
}
