//! Commands of the quiz about searches.

use super::{FamilyDefinition, boxed, changes, shows};

const MANUAL: &str = "
quiz on
  asks a question before single steps
  From now on `step` asks, if the next event allows it, with which window a child is searched, whether a cutoff follows, or which value a node returns.
  `quiz answer` answers and makes the step; `quiz pass` makes it without an answer. Longer steps ask nothing.
quiz off
  ends the questions and shows the score
quiz next, quiz
  runs the search to an event for a question, and asks it
  Starts a search if there is none; one that is over begins again. The setting `random` chooses events and questions: the same number repeats a lesson. An open question is shown
  again. On the full screen, outside of the command line, `y` and `n` answer, `a` types an answer, `p` passes, and Space asks the next question.
quiz answer, answer
  answers the question, shows the explanation and makes the step
  - ANSWER…  rest text  two bounds, yes or no, or a value
  Three decimals are enough.
  > quiz answer -0.5 0.25  > quiz answer no  > quiz answer 0.048
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
