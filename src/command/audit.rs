//! Commands that hold the cache and the search against the plain search.

use crate::{
    command::{FamilyDefinition, boxed, search, shows},
    engine::session::audit::AuditOptions,
};

const MANUAL: &str = "
audit, cache audit
  searches cache entries anew without the cache and lists those that are wrong
  - --sample  1..  so many entries, chosen by the setting `random`; all where none is given
  - --depth  0..255  entries of this remaining depth
  - --answered  entries that have answered in the search under way
  - --limit  count  wrong entries to list at most; 20 where none is given
  Each entry's position is searched to the entry's depth by the plain search: no cache, the end of the game before the heuristic, the weights in
  force. An entry is wrong if a side that reads it is told something false: an exact value is to be the value, a bound is to hold. In seed fidelity
  with keys=colour black's entries stand with the sign turned, so each is read twice, by White and by Black. Entries of the policy `rote` do not
  tell their depth: only finished games are checked, and a learned 0 that searches take for unknown is counted as such. Of a wrong entry that the
  search under way wrote, the event, the line of moves and the window are shown. Nothing is changed. Ctrl-C stops it and shows what it has found.
  > audit  > audit --sample 100  > audit --depth 3 --limit 5  > audit --answered
audit run
  searches and finds the first event at which the plain search contradicts it
  - --depth, --budget, --time  see search run
  - --fresh  begin with an empty cache
  Runs the search that `search run` would run, on a copy of the cache, and holds every answer of the cache, every value found under a window that
  the cache changed and every doubtful leaf against the plain search of the same node and window. The first one that is false is shown with its line
  of moves, its window and the cause. In sound fidelity with a cache of its own there is none. Cache, counters and the search under way stay as they
  are. Ctrl-C stops it.
  > audit run  > audit run --depth 4 --fresh
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Audits",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("audit", |shell, args| {
            let usual = AuditOptions::default();
            let wish = AuditOptions {
                sample: args.count("sample")?,
                depth: args.count("depth")?,
                answered: args.has("answered"),
                limit: args.count("limit")?.unwrap_or(usual.limit),
            };
            Ok(boxed(shell.session_mut().audit(&wish)?))
        }),
        shows("audit run", |shell, args| {
            shell.session().audit_run(&search::limits(args), args.has("fresh")).map(boxed)
        }),
    ],
};
