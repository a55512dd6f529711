//! Commands that go back, and that run on from there with a change.

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec, debug::KINDS};
use crate::engine::{
    game::{Fault, Score},
    reply::{Replied, boxed},
    workbench::{Back, Travel, event_kind},
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
    let stop = shell.engine.bench_mut().travel(Travel::Back(way))?;
    Ok(boxed(stop))
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
    run: Changes(|shell, args| {
        let events = args.count("N")?.unwrap_or(1);
        back(shell, Back::Step(events))
    }),
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
    run: Changes(|shell, args| {
        let kind =
            event_kind(args.required("EVENT")?).map_err(|fault| args.blame("EVENT", fault))?;
        back(shell, Back::Until(kind))
    }),
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
        let ply = args.count::<u32>("PLY")?;
        let bench = shell.engine.bench_mut();
        bench
            .last(args.required("WHAT")?, ply)
            .map(boxed)
            .map_err(|fault| args.blame("WHAT", fault))
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
        list.map(boxed).map_err(|fault| args.blame("NAME", fault))
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
        let list = shell.engine.bench_mut().unmark(args.required("NAME")?);
        list.map(boxed).map_err(|fault| args.blame("NAME", fault))
    }),
};

static ENDS: LiveList = LiveList { name: "bound", list: |_| vec!["alpha".into(), "beta".into()] };

const FRAME_SET: Spec = Spec {
    name: "frame set",
    aliases: &[],
    params: &[Param::any_pair("BOUND", &ENDS, "alpha=, beta=: the others stay")],
    summary: "puts another window in force at the node at hand",
    details: "The search goes on with it, on a timeline of its own.",
    examples: &["frame set alpha=0.25", "frame set alpha=-0.5 beta=0.5"],
    run: Changes(frame_set),
};

fn frame_set(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let (mut alpha, mut beta) = (None, None);
    for pair in args.pairs() {
        let score =
            pair.value.parse::<f64>().ok().and_then(Score::new).ok_or_else(|| {
                Fault::new(format!("`{}` is not a score", pair.value)).about(pair.key)
            });
        let score = score.map_err(|fault| args.blame_pair(fault))?;
        match pair.key {
            "alpha" => alpha = Some(score),
            "beta" => beta = Some(score),
            other => {
                let fault = Fault::new(format!("a window has no bound `{other}`")).about(other);
                return Err(args.blame_pair(fault.hint("alpha= and beta=")));
            }
        }
    }
    let frame = shell.engine.bench_mut().set_window(alpha, beta);
    let frame = frame.map_err(|fault| args.blame("BOUND", fault))?;
    Ok(boxed(frame))
}

const FORK: Spec = Spec {
    name: "fork",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Text, "the new timeline's name").optional()],
    summary: "branches off a timeline here, to run on with a change",
    details: "What is edited in the middle of a search does so by itself: cache entries, weights, budget and window. `diff` compares \
              the branch with the timeline it comes from.",
    examples: &["fork", "fork bolder"],
    run: Changes(|shell, args| {
        let list = shell.engine.bench_mut().fork(args.text("NAME"));
        list.map(boxed).map_err(|fault| args.blame("NAME", fault))
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
        shell
            .engine
            .bench_mut()
            .use_timeline(args.required("NAME")?)
            .map(boxed)
            .map_err(|fault| args.blame("NAME", fault))
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
        let list = shell.engine.bench_mut().remove_timeline(args.required("NAME")?);
        list.map(boxed).map_err(|fault| args.blame("NAME", fault))
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
        let diff = shell.engine.bench_mut().diff(names)?;
        Ok(boxed(diff))
    }),
};
