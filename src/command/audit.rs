//! Commands that check the cache and a search against a plain search.

use crate::{
    command::{FamilyDefinition, boxed, search, shows},
    engine::session::audit::AuditScope,
};

const MANUAL: &str = "
audit, cache audit
  searches the positions of cache entries without the cache and lists wrong entries
  - --sample  1..  number of entries, chosen by the setting `random` (default: all)
  - --depth  0..255  only entries of this remaining depth
  - --hits  only entries that gave a hit in the search under way
  - --limit  count  maximum number of wrong entries listed (default: 20)
  - --truth  compares entries and static values with the true values of the endgame tables in use instead
  Each entry's position is searched to the entry's depth by the plain search: no cache, the end of the game before the heuristic, the weights in
  force. An entry is wrong if its exact value is not the value, or its bound does not hold. In seed fidelity with keys=colour, black's entries are
  stored with the sign changed, so each is checked for White and for Black. Entries of the policy `rote` have no depth: only finished games are
  checked, and a learned 0, which searches take for unknown, is counted separately. If the search under way wrote a wrong entry, the event, the line of
  moves and the window are shown. Nothing is changed. Ctrl-C stops it and shows the result so far.
  With --truth nothing is searched. An entry or a static value is contradicted if it has another sign than the true value of its position; a bound, if the
  true value lies on its other side. A heuristic that is not 0 in a drawn position is contradicted too.
  > audit  > audit --truth  > audit --sample 100  > audit --depth 3 --limit 5  > audit --hits
audit run
  runs a search and finds the first event that the plain search contradicts
  - --depth, --budget, --time  see search run
  - --fresh  begin with an empty cache
  Runs the search that `search run` would run, on a copy of the cache. Every cache hit, every value found under a window that the cache changed and
  every doubtful leaf is compared with the plain search of the same node and window. The first wrong one is shown with its line of moves, its window
  and the cause. In sound fidelity with --fresh there is none. Cache, counters and the search under way stay as they are. Ctrl-C stops it.
  > audit run  > audit run --depth 4 --fresh
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Audits",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("audit", |shell, args| {
            let scope = AuditScope {
                sample: args.count("sample")?,
                depth: args.count("depth")?,
                hits_only: args.has("hits"),
                limit: args.count("limit")?.unwrap_or(20),
            };
            if args.has("truth") {
                return shell.session_mut().audit_truth(scope).map(boxed);
            }
            shell.session_mut().audit(scope).map(boxed)
        }),
        shows("audit run", |shell, args| {
            shell.session().audit_run(&search::limits(args), args.has("fresh")).map(boxed)
        }),
    ],
};
