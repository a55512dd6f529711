//! Commands for reverse execution, bookmarks and timelines.

use crate::{
    command::{
        FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, debug::kind_named,
        shows, shows_or_changes,
    },
    engine::recording::{Backward, Resume},
};

const MANUAL: &str = "
* back, rs, reverse-step
  goes back by one event, or by N
  - [N]  1..  number of events (default: 1)
  Stack, counters and cache are as they were then; forwards, the same events follow again. Searches are recorded unless `search set record=off`;
  `search set record_mib=` limits the memory of the recording;
  beyond that the way back to old events takes longer.
  > back  > back 100
* back next, rn, reverse-next
  goes back by one event; of a move, over its whole subtree
* back finish, reverse-finish
  goes back to before the current node was entered
* back until
  goes back to the last event of a kind
  - EVENT  @event  the kind of event
  > back until cutoff
* back continue, rc, reverse-continue
  goes back to the previous breakpoint, or the beginning
  In reverse, ignore counts and tracepoints have no effect.
* last
  goes back to the event that last wrote a cache entry, or a frame's value
  - WHAT  text  a cache key; or alpha, beta, best or value of a frame
  - [PLY]  count  the frame (default: the selected one)
  A key as for `cache get`: with its depth if it is stored at several depths, or a position.
  > last 99000000000000:2  > last best  > last alpha 0
* mark
  marks the current event for `goto`, or lists the marks
  - [NAME]  text  the name of the mark
  > mark before  > mark
* unmark
  removes a mark
  - NAME  @mark  its name
  > unmark before
frame set
  changes the window of the current node
  - BOUND=…  @window-bound  the lower bound alpha=, the upper bound beta=, or both
  A bound that is not given stays. The search continues on a new timeline.
  > frame set alpha=0.25  > frame set alpha=-0.5 beta=0.5
fork
  begins a new timeline at the current event
  - [NAME]  text  the name of the timeline
  Changes in the middle of a search do so too: of cache entries, weights, budget and window. `diff` compares the branch with the timeline that it
  comes from.
  > fork  > fork bolder
* timeline, timeline list
  lists the timelines and marks
  A timeline is a recorded search with the changes made on its way. Another search, or a change in the middle of one, begins a new timeline; the last
  16 are kept for `timeline use` and `diff`.
* timeline use
  goes to another timeline, to the event where it was left
  - NAME  @timeline  its name
  Settings, weights, rules and cache become those of the timeline.
  > timeline use 1
* timeline remove
  removes a timeline
  - NAME  @timeline  its name
  > timeline remove 1
* diff
  compares two timelines event by event
  - [A]  @timeline  a timeline
  - [B]  @timeline  another one
  Both are run again to their ends. Shows the first event at which they differ, then values, counters and best moves side by side. Without names:
  the current timeline and the one it branched off from, or the last one left.
  > diff  > diff 1 2
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Time travel",
    manual: MANUAL,
    lists: &[
        LiveList::new("mark", |shell| {
            shell.session().timelines().bookmarks.into_iter().map(|mark| mark.name).collect()
        }),
        LiveList::new("window-bound", |_| BOUNDS.map(str::to_owned).into()),
        LiveList::new("timeline", |shell| {
            let timelines = shell.session().timelines().timelines;
            timelines.into_iter().map(|timeline| timeline.name).collect()
        }),
    ],
    run: &[
        changes("back", |shell, args| back(shell, Backward::Step(args.count("N")?.unwrap_or(1)))),
        changes("back next", |shell, _| back(shell, Backward::Next)),
        changes("back finish", |shell, _| back(shell, Backward::Finish)),
        changes("back until", |shell, args| back(shell, Backward::Until(kind_named(args)?))),
        changes("back continue", |shell, _| back(shell, Backward::Continue)),
        changes("last", |shell, args| {
            args.reply("WHAT", shell.session_mut().last(args.required("WHAT")?, args.count("PLY")?))
        }),
        shows_or_changes("mark", |shell, args| {
            let session = shell.session_mut();
            let list = match args.text("NAME") {
                // Other lists have this word in their commands, so it names no mark.
                None | Some("list") => Ok(session.committed_timelines()),
                Some(name) if name.parse::<u64>().is_ok() => {
                    Err(Fault::new(format!("`{name}` is an event's number, not a name")))
                }
                Some(name) => session.mark(name),
            };
            args.reply("NAME", list)
        }),
        changes("unmark", |shell, args| {
            args.reply("NAME", shell.session_mut().unmark(args.required("NAME")?))
        }),
        changes("frame set", |shell, args| {
            let (mut bounds, mut culprit) = ([None; 2], "");
            for (key, value) in args.pairs() {
                let nth = BOUNDS.iter().position(|bound| *bound == key).ok_or_else(|| {
                    Fault::new(format!("a window has no `{key}`"))
                        .hint("give alpha=, beta= or both")
                });
                let bound = nth.and_then(|nth| Ok((nth, value.parse()?)));
                let (nth, bound) = bound.map_err(|fault| args.blame(key, fault))?;
                (bounds[nth], culprit) = (Some(bound), key);
            }
            args.reply(culprit, shell.session_mut().set_window(bounds[0], bounds[1]))
        }),
        changes("fork", |shell, args| {
            args.reply("NAME", shell.session_mut().fork(args.text("NAME")))
        }),
        shows("timeline", |shell, _| Ok(boxed(shell.session_mut().committed_timelines()))),
        changes("timeline use", |shell, args| {
            args.reply("NAME", shell.session_mut().use_timeline(args.required("NAME")?))
        }),
        changes("timeline remove", |shell, args| {
            args.reply("NAME", shell.session_mut().remove_timeline(args.required("NAME")?))
        }),
        shows("diff", |shell, args| {
            let names = match (args.text("A"), args.text("B")) {
                (Some(a), Some(b)) => Some((a, b)),
                (None, None) => None,
                _ => return Err(args.blame("A", Fault::new("diff takes two timelines, or none"))),
            };
            shell.session_mut().diff(names).map(boxed)
        }),
    ],
};

const BOUNDS: [&str; 2] = ["alpha", "beta"];

fn back(shell: &mut Shell, way: Backward) -> Replied {
    shell.session_mut().resume(Resume::Back(way)).map(boxed)
}
