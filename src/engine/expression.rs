//! The language of conditions and filters: `depth >= 3 and value < 0`, `beta - alpha`.
//!
//! Each kind of expression has a [`Vocabulary`] of names. Reading an expression checks its types and resolves the names;
//! evaluating it looks up their values in [`Facts`], without any text.
//!
//! - Numbers: `3`, `-0.5`, `1e-3`, `10_000`, `inf`. Compared with a value, also as people read values: `#3`, `'win in 5'`, in
//!   chess `-1.50` in pawns. Words: moves, squares, kinds of event; in quotes if they have blanks
//!   or signs.
//! - From weakest to strongest binding: `or`/`||`, `and`/`&&`, `not`/`!`, comparisons (`=`, `==`, `!=`, `<`, `<=`, `>`,
//!   `>=`), `+ -`, `* /`, parentheses.
//! - `sign(…)` is 1, 0 or -1.
//!
//! A missing value, such as `best` before the first move has returned, equals `none` and nothing else. Every other comparison
//! with a missing value, or with a sum that contains one, is false.

mod evaluate;
mod parser;

use std::fmt::Debug;

pub(crate) use evaluate::{Comparison, Operator};
pub use parser::{notes, read};

use super::game::{Fault, Result};
use crate::text::style::Scale;

/// The type of the values that a name has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number, for arithmetic and all comparisons.
    Number,
    /// A word, for `==` and `!=`.
    Word,
    /// A number, or a word if the name is compared with a word.
    Any,
}

/// The names in one kind of expression.
pub trait Vocabulary {
    /// A name of the vocabulary, resolved from its text.
    type Name: Copy + Debug + PartialEq;
    /// A word that a name is compared with, parsed for that name.
    type Word: Clone + Debug;

    /// All names of the vocabulary, for hints.
    fn names(&self) -> Vec<&'static str>;

    /// Resolves a name; `None` if the name is unknown.
    fn find(&self, text: &str) -> Option<(Self::Name, Type)>;

    /// Accepts an unknown name on the left of a comparison: a field that may occur later in a trace.
    fn declare(&self, _text: &str) -> Option<Self::Name> {
        None
    }

    /// The scale of values, on which people read and write them.
    fn scale(&self) -> Scale {
        Scale::Plain
    }

    /// Whether a name stands for a value on the scale.
    fn is_value(&self, _name: Self::Name) -> bool {
        false
    }

    /// Parses a word that `name` is compared with.
    fn word(&self, name: Self::Name, text: &str) -> Result<Self::Word>;

    /// Relative cost of looking up a name. Cheap parts of a condition are evaluated first.
    fn cost(&self, _name: Self::Name) -> u32 {
        1
    }
}

/// The current values of the names, for evaluating an expression.
pub trait Facts<N, W> {
    /// The number that a name stands for; `None` if the name has none.
    fn number(&self, name: N) -> Option<f64>;

    /// Whether a name has a value and equals a word.
    fn is(&self, name: N, word: &W) -> bool;

    /// Whether a name has a value.
    fn is_known(&self, name: N) -> bool;
}

/// An expression, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression<N, W> {
    /// An expression whose value is a number.
    Sum(Sum<N>),
    /// An expression whose value is true or false.
    Condition(Condition<N, W>),
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Sum<N> {
    /// A constant number.
    Constant(f64),
    /// A name whose value is a number.
    Name(N),
    /// An operation on two numbers, such as addition.
    Operation(Operator, Box<[Sum<N>; 2]>),
}

/// A condition, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<N, W> {
    /// A name compared with a constant: the most common comparison.
    Test(N, Comparison, f64),
    /// A comparison of two numbers.
    Compare(Sum<N>, Comparison, Sum<N>),
    /// Whether a name equals a word (`true`) or differs from it (`false`).
    Is(N, W, bool),
    /// Whether a name has a value (`true`) or none (`false`).
    Known(N, bool),
    /// True if the inner condition is false.
    Not(Box<Condition<N, W>>),
    /// True if all parts are true; evaluated in order.
    All(Vec<Condition<N, W>>),
    /// True if any part is true; evaluated in order.
    Any(Vec<Condition<N, W>>),
}

/// Reads a condition. Errors: those of [`read`], and an expression that is a number.
pub fn condition<V: Vocabulary>(text: &str, vocabulary: &V) -> Result<Condition<V::Name, V::Word>> {
    match read(text, vocabulary)? {
        Expression::Condition(condition) => Ok(condition),
        Expression::Sum(_) => Err(Fault::new(format!("`{text}` is a number, not a condition"))
            .hint(format!("compare it with something: `{} > 0`", text.trim()))
            .at(0..text.len())),
    }
}

/// Relative cost of evaluating a condition.
pub fn cost<V: Vocabulary>(vocabulary: &V, condition: &Condition<V::Name, V::Word>) -> u32 {
    let mut cost = 0_u32;
    condition.visit(&mut |name| cost = cost.saturating_add(vocabulary.cost(name)));
    cost
}
