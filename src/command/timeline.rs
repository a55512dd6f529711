//! Commands that go back, and that run on from there with a change.

use crate::{
    command::{
        FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, debug::kind_named, shows,
    },
    engine::recording::{Back, Resume},
};

const MANUAL: &str = "
* back, rs, reverse-step
  goes back by one event, or by N
  - [N]  1..  how many events; 1 where none is given
  Machine, counters and cache are then what they were; forwards again the same events happen. Searches are recorded unless `search set record=off`;
  `search set record_mib=` says in how much memory.
  > back  > back 100
* back next, rn, reverse-next
  goes back by one event, over the subtree it comes out of
* back finish, reverse-finish
  goes back to before the node at hand was entered
* back until
  goes back to the last event of a kind
  - EVENT  @event  a kind of event
  > back until cutoff
* back continue, rc, reverse-continue
  goes back to the previous breakpoint, or the beginning
  Ignore counts and traces do not matter backwards.
* last
  goes back to the event that last wrote a cache entry, or a frame's value
  - WHAT  text  a cache key; or alpha, beta, best or value of a frame
  - [PLY]  count  the frame; the selected one where none is given
  A key as for `cache get`: with its depth where it is stored at several, or a position.
  > last 99000000000000:2  > last best  > last alpha 0
* mark
  names this moment for `goto`
  - [NAME]  text  its name; all marks where none is given
  > mark before  > mark
* unmark
  forgets the name of a moment
  - NAME  @mark  its name
  > unmark before
frame set
  puts another window in force at the node at hand
  - BOUND=…  @window-bound  the window's lower bound alpha=, its upper bound beta=, or both
  A bound that is not given stays. The search goes on with it, on a timeline of its own.
  > frame set alpha=0.25  > frame set alpha=-0.5 beta=0.5
fork
  branches off a timeline here, to run on with a change
  - [NAME]  text  the new timeline's name
  What is edited in the middle of a search does so by itself: cache entries, weights, budget and window. `diff` compares the branch with the
  timeline it comes from.
  > fork  > fork bolder
* timeline, timeline list
  lists the timelines and the named moments
  A timeline is a search with what was changed on its way. Starting another search, or changing something in the middle of one, leaves the old
  timeline; the last 16 are remembered and can be entered and compared.
* timeline use
  goes to another timeline, to where it was left
  - NAME  @timeline  its name
  Settings, weights, rules and cache become those of that timeline.
  > timeline use 1
* timeline remove
  forgets a timeline
  - NAME  @timeline  its name
  > timeline remove 1
* diff
  compares two timelines event by event
  - [A]  @timeline  a timeline
  - [B]  @timeline  another one
  Both are run again to their ends: the first event at which they differ, then values, counters and best moves side by side. Without names it
  compares the timeline at hand with the one it branched off, or with the last one left.
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
            shell
                .session()
                .timelines()
                .timelines
                .into_iter()
                .map(|timeline| timeline.name)
                .collect()
        }),
    ],
    run: &[
        changes("back", |shell, args| back(shell, Back::Step(args.count("N")?.unwrap_or(1)))),
        changes("back next", |shell, _| back(shell, Back::Next)),
        changes("back finish", |shell, _| back(shell, Back::Finish)),
        changes("back until", |shell, args| back(shell, Back::Until(kind_named(args)?))),
        changes("back continue", |shell, _| back(shell, Back::Continue)),
        changes("last", |shell, args| {
            args.reply("WHAT", shell.session_mut().last(args.required("WHAT")?, args.count("PLY")?))
        }),
        changes("mark", |shell, args| {
            let session = shell.session_mut();
            let list = match args.text("NAME") {
                None => Ok(session.survey()),
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
                let place = BOUNDS.iter().position(|bound| *bound == key).ok_or_else(|| {
                    Fault::new(format!("a window has no `{key}`"))
                        .hint("give alpha=, beta= or both")
                });
                let bound = place.and_then(|place| Ok((place, value.parse()?)));
                let (place, bound) = bound.map_err(|fault| args.blame(key, fault))?;
                (bounds[place], culprit) = (Some(bound), key);
            }
            args.reply(culprit, shell.session_mut().set_window(bounds[0], bounds[1]))
        }),
        changes("fork", |shell, args| {
            args.reply("NAME", shell.session_mut().fork(args.text("NAME")))
        }),
        shows("timeline", |shell, _| Ok(boxed(shell.session_mut().survey()))),
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

fn back(shell: &mut Shell, way: Back) -> Replied {
    shell.session_mut().resume(Resume::Back(way)).map(boxed)
}
