//! Commands that step a search and inspect it.

use crate::{
    command::{Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, shows},
    engine::{
        debugger::{NAMES, event_kind},
        recording::Resume,
        search::EventKind,
        session::breakpoints::PRINTED,
    },
};

const MANUAL: &str = "
* step, s, search step
  runs the search for one event, or for N
  - [N]  1..  number of events (default: 1)
  Starts a search with the settings in force if there is none. `help events` explains the kinds of events. Breakpoints stop it earlier.
  > step  > step 100
* next, n
  runs the search for one event; of a move, over its whole subtree
* finish
  runs the search until the current node has returned its value to its parent
* until
  runs the search to the next event of a kind
  - EVENT  @event  the kind of event
  > until iteration  > until cutoff
* advance
  runs the search to the node that a line of moves leads to
  - LINE…  rest text  moves from the search's root
  Stops when the node is entered next; with `*` at the end of the line, when it or a node below it is entered.
  > advance d6  > advance d6 a4
* continue, c
  runs the search to the next breakpoint, or to its end
  Also continues a search that Ctrl-C or the time has stopped, or the budget once it is raised.
* goto
  goes to an event, forwards or back
  - EVENT  text  its number, from 0, or the name of a mark; `start` or `end` of the recording
  As in rr, breakpoints neither stop on the way nor count hits. `step N` and `continue` stop at them. A search that ends before the event returns to
  where it was.
  > goto 1000  > goto before  > goto start
* where, bt, search stack
  shows the search stack, from the root to the current node
  For each frame: the side to move, the move being searched, α (raised to the best value so far), β, the best move and the outcome of the probe.
* frame, f
  selects a frame of the search stack and shows it
  - [PLY]  count  its distance from the root (default: the selected frame)
  > frame  > frame 0
* up
  selects the frame one ply nearer to the root
* down
  selects the frame one ply farther from the root
* print, p
  prints values of the selected frame, or the value of an expression
  - [NAME or EXPRESSION…]  rest @value  names or an expression (default: all values)
  Several names print several values. An expression has names, numbers, + - * /, comparisons, and, or, not and parentheses. A missing value equals
  none. `help break` lists the names.
  > print alpha beta best  > print beta - alpha  > print best == none or best < 0  > print
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Debugger",
    manual: MANUAL,
    lists: &[
        LiveList::new("event", |_| event_names()),
        LiveList::new("value", |_| {
            let names = NAMES.into_iter();
            let others = PRINTED.iter().map(|(name, _)| *name);
            names.chain(others).map(str::to_owned).collect()
        }),
    ],
    run: &[
        changes("step", |shell, args| resume(shell, Resume::Step(args.count("N")?.unwrap_or(1)))),
        changes("next", |shell, _| resume(shell, Resume::Next)),
        changes("finish", |shell, _| resume(shell, Resume::Finish)),
        changes("until", |shell, args| resume(shell, Resume::Until(kind_named(args)?))),
        changes("advance", |shell, args| {
            args.reply("LINE", shell.session_mut().advance_to(args.required("LINE")?))
        }),
        changes("continue", |shell, _| resume(shell, Resume::Continue)),
        changes("goto", |shell, args| {
            let target = args.required("EVENT")?;
            let session = shell.session_mut();
            let stop = match target.parse() {
                // Without a search it is not known which events there are, so none begins.
                Ok(index) => session.result().and_then(|_| session.resume(Resume::Goto(index))),
                Err(_) => session.go_to_named(target),
            };
            args.reply("EVENT", stop)
        }),
        shows("where", |shell, _| shell.session().stack().map(boxed)),
        shows("frame", |shell, args| {
            args.reply("PLY", shell.session_mut().frame(args.count("PLY")?))
        }),
        shows("up", |shell, _| select(shell, |ply| ply.checked_sub(1))),
        shows("down", |shell, _| select(shell, |ply| ply.checked_add(1))),
        shows("print", |shell, args| {
            let text = args.text("NAME or EXPRESSION").unwrap_or_default();
            args.reply("NAME or EXPRESSION", shell.session().print(text))
        }),
    ],
};

pub(super) fn event_names() -> Vec<String> {
    EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect()
}

pub(super) fn kind_named(args: &Args<'_>) -> Result<EventKind, Fault> {
    event_kind(args.required("EVENT")?).map_err(|fault| args.blame("EVENT", fault))
}

fn resume(shell: &mut Shell, resume: Resume) -> Replied {
    let session = shell.session_mut();
    let question = if resume == Resume::Step(1) { session.quiz_before_step() } else { None };
    question.map_or_else(|| session.resume(resume).map(boxed), |question| Ok(boxed(question)))
}

fn select(shell: &mut Shell, step: impl Fn(usize) -> Option<usize>) -> Replied {
    let session = shell.session_mut();
    let selected = session.stack()?.selected;
    let ply =
        step(selected).ok_or_else(|| Fault::new("this is the root: there is nothing above it"))?;
    session.frame(Some(ply)).map(boxed)
}
