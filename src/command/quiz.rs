//! Commands of the quiz.

use super::{Changes, Family, Kind, Param, Shows, Spec};
use crate::engine::reply::boxed;

/// The quiz.
pub(super) const FAMILY: Family =
    Family { title: "Quiz", commands: &[ON, OFF, NEXT, ANSWER, PASS, SCORE] };

const ON: Spec = Spec {
    name: "quiz on",
    aliases: &[],
    params: &[],
    summary: "asks about each single step before it is shown",
    details: "From now on `step` asks, where there is something to ask: which window a child gets, whether a cutoff follows, or which value comes back. \
              `quiz answer` answers and makes the step; `quiz pass` makes it without. Longer steps are not asked about.",
    examples: &["quiz on"],
    run: Changes(|shell, _| Ok(boxed(shell.engine.bench_mut().quiz_switch(true)))),
};

const OFF: Spec = Spec {
    name: "quiz off",
    aliases: &[],
    params: &[],
    summary: "asks no more and tells the score",
    details: "",
    examples: &["quiz off"],
    run: Changes(|shell, _| Ok(boxed(shell.engine.bench_mut().quiz_switch(false)))),
};

const NEXT: Spec = Spec {
    name: "quiz next",
    aliases: &["quiz"],
    params: &[],
    summary: "goes on to an event worth a question, and asks",
    details: "Starts a search where none is under way. Which events are asked about and what is asked follows from the setting `random`, so that a lesson \
              can be repeated. An open question is shown again.",
    examples: &["quiz next"],
    run: Changes(|shell, _| shell.engine.bench_mut().quiz_next().map(boxed)),
};

const ANSWER: Spec = Spec {
    name: "quiz answer",
    aliases: &["answer"],
    params: &[Param::rest("ANSWER", Kind::Text, "two bounds, yes or no, or a value")],
    summary: "answers the question, explains and makes the step",
    details: "Four decimals are enough.",
    examples: &["quiz answer -0.5 0.25", "quiz answer no", "quiz answer 0.0476"],
    run: Changes(|shell, args| {
        let answer = args.required("ANSWER")?;
        args.reply("ANSWER", shell.engine.bench_mut().quiz_answer(Some(answer)))
    }),
};

const PASS: Spec = Spec {
    name: "quiz pass",
    aliases: &[],
    params: &[],
    summary: "shows the answer without counting the question",
    details: "",
    examples: &["quiz pass"],
    run: Changes(|shell, _| shell.engine.bench_mut().quiz_answer(None).map(boxed)),
};

const SCORE: Spec = Spec {
    name: "quiz score",
    aliases: &[],
    params: &[],
    summary: "shows the open question and the score",
    details: "",
    examples: &["quiz score"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().quiz_score()))),
};
