//! Commands that explain values, choices and cache entries.

use super::{Args, FamilyDefinition, Fault, boxed, shows};

const MANUAL: &str = r#"
* explain, explain event, why event
  explains what just happened in the search under way
  - --budget  see explain value
  What the last event means, and where the window of its node comes from. After the end of a search: `explain value`. Every stop shows the first
  sentence of it.
  > explain
explain value, why
  explains why the root has its value, ply by ply along the best line
  - --budget  1..  maximum number of nodes to visit (default: 1 million)
  For the search under way or just finished. At each node of the line: the side to move, the window, and of each move its value or the reply that
  refutes it, exact or as a bound. Values at the root are those of the search; below it they are found again by the plain search, without the cache.
  Cache, counters and the search stay as they are. Ctrl-C stops it.
  > explain value  > explain value --budget 100000
* explain move, why not
  explains why a move was not chosen: its value, the reply that refutes it and the line
  - MOVE  @move  a move of the root; in a trace, of the selected frame
  - --budget  see explain value
  For the search under way or just finished, in its last complete iteration. In a trace: when the node searched, reduced, extended or skipped the
  move and for which reason of the program, with which depth and window, what came back, and which entry replaced a search.
  > explain move d6
explain mistake, why mistake
  explains why the next move of the game is a mistake, by the review: the reply that refutes it and a better line
  No search is made: the words, the better line and the values are those that `review` wrote into the game. Chances are those of the side that made
  the mistake, after the mistake and after the reply of the game. `undo` and `redo` go to the position before another move.
* explain cutoff, why cutoff
  explains why the selected frame is cut off, or which value would cut it off
  Shows the move, entry or static value that reaches beta, the moves left unsearched, and the origin of beta: a move of the other side further up,
  which it would play instead. `catch cutoff` and `continue` lead to a cutoff.
explain order, why order
  explains the order in which the moves of the selected frame are searched
  Shows for each move the hints of `search set order=`: its cache entry, what it captures, whether it is a killer, its history and its static value;
  and the hint that puts it before the next move. For a node without moves, those of the nearest node above. Cache, killers and history are shown as
  they are now: they may have changed since the node was entered.
* explain tree, why tree
  shows the search tree: each move with its value, bound and share of the nodes visited
  - [LINE…]  rest text  moves from the root: their nodes show their children too; commas separate several lines
  - --share  1..100  also the children of all nodes that have at least this percentage of the nodes of the first line, or of the root
  - --time  1..  maximum time in milliseconds: then the progress is shown, and the same command continues
  The tree of the iteration under way: the children of all nodes on the search stack, and of the nodes on the lines; with `--share` also the children of
  the nodes in which the search spent most. For it the recorded search is run again on a copy, up to the current event. Values are those of the
  `return`, `raise` and `cutoff` events. Of moves not searched the reason is shown. After `tree base` the column `base` has the nodes of the search that was kept.
  > explain tree  > explain tree d6 a4  > explain tree d6 a4, f4 --time 100  > explain tree --share 5
* explain entry
  explains a cache entry: its meaning, whether it is right, and its effect on a probe
  - KEY…  rest @key  KEY:DEPTH, here:DEPTH for the current position, or "STATE:DEPTH"
  - --budget  see explain value
  The entry's position is searched again without the cache. The probe is made with the window of the selected frame, or with the full window if there
  is no search. In a trace, the entry is neither searched again nor probed.
  > explain entry here:3  > explain entry 99000000000000:3
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Explanations",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("explain", |shell, args| shell.session().explain_last(nodes(args)?)),
        shows("explain value", |shell, args| {
            shell.session().explain_value(nodes(args)?).map(boxed)
        }),
        shows("explain move", |shell, args| {
            let (mv, session) = (args.required("MOVE")?, shell.session());
            if let Some(tried) = session.explain_traced_move(mv) {
                return tried.map_err(|fault| args.blame("MOVE", fault));
            }
            args.reply("MOVE", session.explain_move(mv, nodes(args)?))
        }),
        shows("explain mistake", |shell, _| shell.session().explain_mistake().map(boxed)),
        shows("explain cutoff", |shell, _| shell.session().explain_cutoff().map(boxed)),
        shows("explain order", |shell, _| shell.session().explain_order().map(boxed)),
        shows("explain tree", |shell, args| {
            let lines = args.text("LINE").unwrap_or_default();
            let (share, ms) = (args.count("share")?, args.count("time")?);
            let mut tree = shell.session_mut().explain_tree(lines, share, ms);
            if let (Ok(tree), Some(base)) = (&mut tree, &shell.tree_base) {
                tree.compare(base);
            }
            args.reply("LINE", tree)
        }),
        shows("explain entry", |shell, args| {
            let (key, nodes) = (args.required("KEY")?, nodes(args)?);
            args.reply("KEY", shell.session_mut().explain_entry(key, nodes))
        }),
    ],
};

fn nodes(args: &Args<'_>) -> Result<u64, Fault> {
    Ok(args.count("budget")?.unwrap_or(1_000_000))
}
