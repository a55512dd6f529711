use serde_json::{Map, Value, json};

use crate::engine::{
    debugger::{ComparedWord, Name, Names},
    expression::{self, Expression, Facts, Type},
    game::{Fault, Game, Score, Side},
    reply::{FrameReport, Printed, Where},
    workbench::{Answer, Desk},
};

/// What `print` knows besides the names of expressions.
pub const PRINTED: [(&str, &str); 2] =
    [("best_move", "the move that gave the best value"), ("moves", "the moves in search order")];

impl<G: Game> Desk<G> {
    /// Values by name, or of one expression; everything where nothing is named.
    pub(super) fn print_text(&self, text: &str) -> Answer<Printed> {
        let names: Vec<_> = text.split_whitespace().collect();
        if names.iter().any(|name| !is_name(name)) {
            expression::read(text, &Names(&self.run.searcher.game))?;
        }
        let stack = self.report_stack()?;
        let all = values(&stack);
        if names.is_empty() {
            return Ok(Printed { values: all });
        }
        let lookup = |name: &&str| Some(((*name).to_owned(), value_called(&all, name)?));
        let values: Option<Map<_, _>> = names.iter().map(lookup).collect();
        let worth = || {
            let worth = self.worth(text, &stack)?;
            Ok::<_, Fault>(Map::from_iter([(text.trim().to_owned(), worth)]))
        };
        Ok(Printed { values: values.map_or_else(worth, Ok)? })
    }

    /// What one name or expression is worth.
    pub(super) fn print_one(&self, text: &str) -> Answer<Value> {
        let stack = self.report_stack()?;
        value_called(&values(&stack), text).map_or_else(|| self.worth(text, &stack), Ok)
    }

    /// Whether a text is a name or an expression.
    pub(super) fn check_printed(&self, text: &str) -> Answer<()> {
        if is_name(text) {
            return Ok(());
        }
        expression::read(text, &Names(&self.run.searcher.game)).map(drop)
    }

    fn worth(&self, text: &str, stack: &Where) -> Answer<Value> {
        let expression = expression::read(text, &Names(&self.run.searcher.game))?;
        let facts = ShownFrame {
            game: &self.run.searcher.game,
            stack,
            frame: &stack.frames[stack.selected],
        };
        Ok(match &expression {
            Expression::Condition(condition) => json!(condition.holds(&facts)),
            Expression::Sum(sum) => {
                let mut counts = true;
                expression.visit(&mut |name| counts &= !is_score(name));
                sum.value(&facts).map_or(Value::Null, |number| as_json(number, counts))
            }
        })
    }
}

/// Whether `print` knows a name without an expression around it.
fn is_name(text: &str) -> bool {
    text.parse::<Name>().is_ok() || PRINTED.iter().any(|(name, _)| *name == text)
}

const fn is_score(name: Name) -> bool {
    matches!(name, Name::Alpha | Name::Beta | Name::Value | Name::Best)
}

/// A number as scores are written, or, where nothing but counts is in it, as those are.
fn as_json(number: f64, counts: bool) -> Value {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if counts && number.fract() == 0.0 && number.abs() < EXACT {
        return json!(number as i64);
    }
    json!(Score::new(number))
}

/// Everything that has a name.
fn values(stack: &Where) -> Map<String, Value> {
    let frame = serde_json::to_value(&stack.frames[stack.selected]).unwrap_or_default();
    let mut values = frame.as_object().cloned().unwrap_or_default();
    let event = stack.event.as_ref();
    let of_search = [
        ("value", json!(event.and_then(|event| event.value))),
        ("event", json!(event.map(|event| event.kind.name()))),
        ("index", json!(event.map(|event| event.index))),
        ("nodes", json!(stack.nodes)),
        ("iteration", json!(stack.iteration)),
    ];
    values.extend(of_search.map(|(name, value)| (name.to_owned(), value)));
    values
}

fn value_called(values: &Map<String, Value>, name: &str) -> Option<Value> {
    let name = if name == "kind" { "event" } else { name };
    values.get(name).cloned()
}

/// The selected frame and the last event, as reports have them.
struct ShownFrame<'a, G: Game> {
    game: &'a G,
    stack: &'a Where,
    frame: &'a FrameReport,
}

impl<G: Game> Facts<Name, ComparedWord<G>> for ShownFrame<'_, G> {
    fn number(&self, name: Name) -> Option<f64> {
        let Self { stack, frame, .. } = self;
        let event = stack.event.as_ref();
        Some(match name {
            Name::Alpha => frame.alpha.get(),
            Name::Beta => frame.beta.get(),
            Name::Value => event?.value?.get(),
            Name::Best => frame.best?.get(),
            Name::Depth => f64::from(frame.depth),
            Name::Ply => f64::from(frame.ply),
            Name::Nodes => stack.nodes as f64,
            Name::Index => event?.index as f64,
            Name::Iteration => f64::from(stack.iteration),
            Name::Child => frame.child as f64,
            Name::Children => Some(frame.children).filter(|children| *children > 0)? as f64,
            _ => return None,
        })
    }

    fn is(&self, _: Name, word: &ComparedWord<G>) -> bool {
        let Self { game, stack, frame } = self;
        let position = || game.parse_position(&frame.state).ok();
        match word {
            ComparedWord::Kind(kind) => {
                stack.event.as_ref().is_some_and(|event| event.kind == *kind)
            }
            ComparedWord::Outcome(outcome) => frame.memo == *outcome,
            ComparedWord::Side(side) => (frame.side == "w") == (*side == Side::White),
            ComparedWord::Move(text) => frame.mv.as_ref() == Some(text),
            ComparedWord::Key(key) => position().is_some_and(|position| key.holds(game, &position)),
            ComparedWord::Position(wanted) => {
                position().is_some_and(|position| position == *wanted)
            }
        }
    }

    fn is_known(&self, name: Name) -> bool {
        match name {
            Name::Event => self.stack.event.is_some(),
            Name::Move => self.frame.mv.is_some(),
            Name::Memo => self.frame.memo != crate::engine::search::Outcome::Unasked,
            name => name.of() == Type::Word || self.number(name).is_some(),
        }
    }
}
