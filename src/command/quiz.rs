//! Commands of the quiz.

use super::{FamilyDefinition, boxed, changes, shows};

const MANUAL: &str = "
quiz on
  asks about each single step before it is shown
  From now on `step` asks, where there is something to ask: which window a child gets, whether a cutoff follows, or which value comes back. `quiz
  answer` answers and makes the step; `quiz pass` makes it without. Longer steps are not asked about.
quiz off
  asks no more and tells the score
quiz next, quiz
  goes on to an event worth a question, and asks
  Starts a search where none is under way. Which events are asked about and what is asked follows from the setting `random`, so that a lesson can be
  repeated. An open question is shown again.
quiz answer, answer
  answers the question, explains and makes the step
  - ANSWER…  rest text  two bounds, yes or no, or a value
  Four decimals are enough.
  > quiz answer -0.5 0.25  > quiz answer no  > quiz answer 0.0476
quiz pass
  shows the answer without counting the question
quiz score
  shows the open question and the score
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Quiz",
    manual: MANUAL,
    lists: &[],
    run: &[
        changes("quiz on", |shell, _| Ok(boxed(shell.session_mut().quiz_switch(true)))),
        changes("quiz off", |shell, _| Ok(boxed(shell.session_mut().quiz_switch(false)))),
        changes("quiz next", |shell, _| shell.session_mut().quiz_next().map(boxed)),
        changes("quiz answer", |shell, args| {
            args.reply("ANSWER", shell.session_mut().quiz_answer(Some(args.required("ANSWER")?)))
        }),
        changes("quiz pass", |shell, _| shell.session_mut().quiz_answer(None).map(boxed)),
        shows("quiz score", |shell, _| Ok(boxed(shell.session().quiz_score()))),
    ],
};
