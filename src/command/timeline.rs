//! Commands that go back, and that run on from there with a change.

use super::{
    Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec,
    debug::{KINDS, kind_named},
};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
    workbench::{Back, Travel},
};

/// Time travel.
pub(super) const FAMILY: Family = Family {
    title: "Time travel",
    commands: &[
        BACK,
        BACK_NEXT,
        BACK_FINISH,
        BACK_UNTIL,
        BACK_CONTINUE,
        LAST,
        MARK,
        UNMARK,
        FRAME_SET,
        FORK,
        TIMELINE,
        TIMELINE_USE,
        TIMELINE_REMOVE,
        DIFF,
    ],
};

static MARKS: LiveList = LiveList {
    name: "mark",
    list: |shell| {
        let marks = shell.engine.bench().timelines().marks;
        marks.into_iter().map(|mark| mark.name).collect()
    },
};

static TIMELINES: LiveList = LiveList {
    name: "timeline",
    list: |shell| {
        let timelines = shell.engine.bench().timelines().timelines;
        timelines.into_iter().map(|timeline| timeline.name).collect()
    },
};

fn back(shell: &mut Shell, way: Back) -> Replied {
    shell.engine.bench_mut().travel(Travel::Back(way)).map(boxed)
}

const BACK: Spec = Spec {
    name: "back",
    aliases: &["rs", "reverse-step"],
    params: &[Param::word("N", Kind::Range(1, u64::MAX), "how many events; 1 where none is given")
        .optional()],
    summary: "goes back by one event, or by N",
    details: "Machine, counters and cache are then what they were; forwards again the same events happen. Searches are recorded unless \
              `search set record=off`; `search set record_mib=` says in how much memory.",
    examples: &["back", "back 100"],
    run: Changes(|shell, args| back(shell, Back::Step(args.count("N")?.unwrap_or(1)))),
};

const BACK_NEXT: Spec = Spec {
    name: "back next",
    aliases: &["rn", "reverse-next"],
    params: &[],
    summary: "goes back by one event, over the subtree it comes out of",
    details: "",
    examples: &["back next"],
    run: Changes(|shell, _| back(shell, Back::Next)),
};

const BACK_FINISH: Spec = Spec {
    name: "back finish",
    aliases: &["reverse-finish"],
    params: &[],
    summary: "goes back to before the node at hand was entered",
    details: "",
    examples: &["back finish"],
    run: Changes(|shell, _| back(shell, Back::Finish)),
};

const BACK_UNTIL: Spec = Spec {
    name: "back until",
    aliases: &[],
    params: &[Param::word("EVENT", Kind::Live(&KINDS), "a kind of event")],
    summary: "goes back to the last event of a kind",
    details: "",
    examples: &["back until cutoff"],
    run: Changes(|shell, args| back(shell, Back::Until(kind_named(args)?))),
};

const BACK_CONTINUE: Spec = Spec {
    name: "back continue",
    aliases: &["rc", "reverse-continue"],
    params: &[],
    summary: "goes back to the previous breakpoint, or the beginning",
    details: "Ignore counts and traces do not matter backwards.",
    examples: &["back continue"],
    run: Changes(|shell, _| back(shell, Back::Continue)),
};

const LAST: Spec = Spec {
    name: "last",
    aliases: &[],
    params: &[
        Param::word("WHAT", Kind::Text, "a cache key; or alpha, beta, best or value of a frame"),
        Param::word("PLY", Kind::Count, "the frame; the selected one where none is given")
            .optional(),
    ],
    summary: "goes back to the event that last wrote a cache entry, or a frame's value",
    details: "A key as for `cache get`: with its depth where it is stored at several, or a position.",
    examples: &["last 99000000000000:2", "last best", "last alpha 0"],
    run: Changes(|shell, args| {
        let ply = args.count("PLY")?;
        args.reply("WHAT", shell.engine.bench_mut().last(args.required("WHAT")?, ply))
    }),
};

const MARK: Spec = Spec {
    name: "mark",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Text, "its name; all marks where none is given").optional()],
    summary: "names this moment for `goto`",
    details: "",
    examples: &["mark before", "mark"],
    run: Changes(|shell, args| {
        let bench = shell.engine.bench_mut();
        let list = match args.text("NAME") {
            None => Ok(bench.survey()),
            Some(name) if name.parse::<u64>().is_ok() => {
                Err(Fault::new(format!("`{name}` is an event's number, not a name")))
            }
            Some(name) => bench.mark(name),
        };
        args.reply("NAME", list)
    }),
};

const UNMARK: Spec = Spec {
    name: "unmark",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&MARKS), "its name")],
    summary: "forgets the name of a moment",
    details: "",
    examples: &["unmark before"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().unmark(args.required("NAME")?))
    }),
};

const FRAME_SET: Spec = Spec {
    name: "frame set",
    aliases: &[],
    params: &[
        Param::pair("alpha", Kind::Score, "the window's lower bound"),
        Param::pair("beta", Kind::Score, "its upper bound"),
    ],
    summary: "puts another window in force at the node at hand",
    details: "A bound that is not given stays. The search goes on with it, on a timeline of its own.",
    examples: &["frame set alpha=0.25", "frame set alpha=-0.5 beta=0.5"],
    run: Changes(|shell, args| {
        let (alpha, beta) = (args.score("alpha")?, args.score("beta")?);
        if alpha.or(beta).is_none() {
            return Err(Fault::new("which bound?").hint("give alpha=, beta= or both"));
        }
        let culprit = if beta.is_some() { "beta" } else { "alpha" };
        args.reply(culprit, shell.engine.bench_mut().set_window(alpha, beta))
    }),
};

const FORK: Spec = Spec {
    name: "fork",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Text, "the new timeline's name").optional()],
    summary: "branches off a timeline here, to run on with a change",
    details: "What is edited in the middle of a search does so by itself: cache entries, weights, budget and window. `diff` compares \
              the branch with the timeline it comes from.",
    examples: &["fork", "fork bolder"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().fork(args.text("NAME")))
    }),
};

const TIMELINE: Spec = Spec {
    name: "timeline",
    aliases: &["timeline list"],
    params: &[],
    summary: "lists the timelines and the named moments",
    details: "A timeline is a search with what was changed on its way. Starting another search, or changing something in the middle of one, leaves \
              the old timeline; the last 16 are remembered and can be entered and compared.",
    examples: &["timeline"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench_mut().survey()))),
};

const TIMELINE_USE: Spec = Spec {
    name: "timeline use",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&TIMELINES), "its name")],
    summary: "goes to another timeline, to where it was left",
    details: "Settings, weights, rules and cache become those of that timeline.",
    examples: &["timeline use 1"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().use_timeline(args.required("NAME")?))
    }),
};

const TIMELINE_REMOVE: Spec = Spec {
    name: "timeline remove",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&TIMELINES), "its name")],
    summary: "forgets a timeline",
    details: "",
    examples: &["timeline remove 1"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().remove_timeline(args.required("NAME")?))
    }),
};

const DIFF: Spec = Spec {
    name: "diff",
    aliases: &[],
    params: &[
        Param::word("A", Kind::Live(&TIMELINES), "a timeline").optional(),
        Param::word("B", Kind::Live(&TIMELINES), "another one").optional(),
    ],
    summary: "compares two timelines event by event",
    details: "Both are run again to their ends: the first event at which they differ, then values, counters and best moves side by side. Without \
              names it compares the timeline at hand with the one it branched off, or with the last one left.",
    examples: &["diff", "diff 1 2"],
    run: Shows(|shell, args| {
        let names = match (args.text("A"), args.text("B")) {
            (Some(a), Some(b)) => Some((a, b)),
            (None, None) => None,
            _ => return Err(args.blame("A", Fault::new("diff takes two timelines, or none"))),
        };
        shell.engine.bench_mut().diff(names).map(boxed)
    }),
};
