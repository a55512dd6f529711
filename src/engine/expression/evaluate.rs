//! Evaluates expressions: sums to numbers, conditions to true or false.

use super::{Condition, Expression, Facts, Sum};

impl<N: Copy> Sum<N> {
    /// The value of the expression; `None` if a name has no value or the result is NaN.
    #[inline]
    pub fn value<W>(&self, facts: &impl Facts<N, W>) -> Option<f64> {
        match self {
            Self::Constant(number) => Some(*number),
            Self::Name(name) => facts.number(*name),
            Self::Operation(operator, sides) => {
                let [left, right] = &**sides;
                operator.apply(left.value(facts)?, right.value(facts)?)
            }
        }
    }

    pub(super) fn visit(&self, see: &mut impl FnMut(N)) {
        match self {
            Self::Constant(_) => {}
            Self::Name(name) => see(*name),
            Self::Operation(_, sides) => sides.iter().for_each(|side| side.visit(see)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// The sign of the difference: 1, 0 or -1.
    Sign,
}

impl Operator {
    /// The result; `None` if it is NaN, such as 0 / 0.
    #[inline]
    pub fn apply(self, left: f64, right: f64) -> Option<f64> {
        let result = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Sign => f64::from(i8::from(left > right) - i8::from(left < right)),
        };
        (!result.is_nan()).then_some(result)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    #[inline]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }

    pub(super) const fn swapped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }
}

impl<N: Copy, W> Condition<N, W> {
    /// Whether the condition is true of these facts.
    pub fn holds(&self, facts: &impl Facts<N, W>) -> bool {
        match self {
            Self::Test(..) => self.holds_inline(facts),
            Self::Compare(left, comparison, right) => {
                let sides = left.value(facts).zip(right.value(facts));
                sides.is_some_and(|(left, right)| comparison.holds(left, right))
            }
            Self::Is(name, word, wanted) => {
                facts.is_known(*name) && facts.is(*name, word) == *wanted
            }
            Self::Known(name, wanted) => facts.is_known(*name) == *wanted,
            Self::Not(condition) => !condition.holds(facts),
            Self::All(parts) => parts.iter().all(|part| part.holds_inline(facts)),
            Self::Any(parts) => parts.iter().any(|part| part.holds_inline(facts)),
        }
    }

    /// As [`Condition::holds`], without a call for the most common part.
    #[inline]
    fn holds_inline(&self, facts: &impl Facts<N, W>) -> bool {
        match self {
            Self::Test(name, comparison, constant) => {
                facts.number(*name).is_some_and(|number| comparison.holds(number, *constant))
            }
            other => other.holds(facts),
        }
    }

    /// Calls `see` with every name in the condition.
    pub fn visit(&self, see: &mut impl FnMut(N)) {
        match self {
            Self::Test(name, ..) | Self::Is(name, ..) | Self::Known(name, _) => see(*name),
            Self::Compare(left, _, right) => {
                left.visit(see);
                right.visit(see);
            }
            Self::Not(condition) => condition.visit(see),
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.visit(see);
                }
            }
        }
    }
}

impl<N: Copy, W> Expression<N, W> {
    /// Calls `see` with every name in the expression.
    pub fn visit(&self, see: &mut impl FnMut(N)) {
        match self {
            Self::Sum(sum) => sum.visit(see),
            Self::Condition(condition) => condition.visit(see),
        }
    }
}
