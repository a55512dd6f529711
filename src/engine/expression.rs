//! A small language of conditions and sums over named values: `depth >= 3 and value < 0`, `beta - alpha`.
//!
//! Each user brings a [`Vocabulary`] of names. An expression is read once, checked for types, and its names become the
//! vocabulary's own; evaluating it looks the names up in [`Facts`] and works with no text.
//!
//! - Numbers: `3`, `-0.5`, `1e-3`, `10_000`, `inf`. Words: moves, squares, kinds of event; in quotes where they hold
//!   blanks or signs.
//! - `or`/`||`, `and`/`&&`, `not`/`!`, comparisons (`=`, `==`, `!=`, `<`, `<=`, `>`, `>=`), `+ -`, `* /`, in this order
//!   of binding, and parentheses.
//! - A value that is not there, such as `best` before there is one, equals `none` and nothing else. Comparing it
//!   otherwise is false, and so is every comparison of a sum with it.

mod evaluate;
mod parser;

use std::fmt::Debug;

pub(crate) use evaluate::{Comparison, Operator};
pub use parser::read;

use super::game::{Fault, Result};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number: it is computed with and compared.
    Number,
    /// A word: it equals another one or not.
    Word,
    /// Either: a number, unless it is compared with a word.
    Any,
}

/// The names that expressions of one kind may use.
pub trait Vocabulary {
    /// A name, resolved.
    type Name: Copy + Debug + PartialEq;
    /// A word that a name of type [`Type::Word`] is compared with, made ready for it.
    type Word: Clone + Debug;

    /// Every name as typed, for hints.
    fn names(&self) -> Vec<&'static str>;

    /// What a name stands for; `None` where there is no such name.
    fn find(&self, text: &str) -> Option<(Self::Name, Type)>;

    /// A name that nobody knows yet, where it stands for what is compared.
    fn expect(&self, _text: &str) -> Option<Self::Name> {
        None
    }

    /// Reads a word that `name` is compared with.
    fn word(&self, name: Self::Name, text: &str) -> Result<Self::Word>;

    /// How long it takes to look a name up, compared with others. Cheap parts of a condition are tried first.
    fn cost(&self, _name: Self::Name) -> u32 {
        1
    }
}

/// What the names are worth just now.
pub trait Facts<N, W> {
    /// The value of a name of type [`Type::Number`]; `None` where there is none.
    fn number(&self, name: N) -> Option<f64>;

    /// Whether a name of type [`Type::Word`] equals a word; not where it has no value.
    fn is(&self, name: N, word: &W) -> bool;

    /// Whether a name has a value.
    fn is_known(&self, name: N) -> bool;
}

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression<N, W> {
    /// A number.
    Sum(Sum<N>),
    /// True or false.
    Condition(Condition<N, W>),
}

/// A number, or how it is worked out.
#[derive(Clone, Debug, PartialEq)]
pub enum Sum<N> {
    /// As written.
    Constant(f64),
    /// Looked up.
    Name(N),
    /// Worked out from two.
    Operation(Operator, Box<[Sum<N>; 2]>),
}

/// True or false, or how that is found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<N, W> {
    /// A name against a number as written: the commonest comparison.
    Test(N, Comparison, f64),
    /// Two numbers.
    Compare(Sum<N>, Comparison, Sum<N>),
    /// A name against a word; `true` asks for equality.
    Is(N, W, bool),
    /// Whether a name has a value; `true` asks that it has.
    Known(N, bool),
    /// The opposite.
    Not(Box<Condition<N, W>>),
    /// All of them; tried in order.
    All(Vec<Condition<N, W>>),
    /// At least one of them; tried in order.
    Any(Vec<Condition<N, W>>),
}

/// Reads an expression that must be true or false.
pub fn condition<V: Vocabulary>(text: &str, vocabulary: &V) -> Result<Condition<V::Name, V::Word>> {
    match read(text, vocabulary)? {
        Expression::Condition(condition) => Ok(condition),
        Expression::Sum(_) => Err(Fault::new(format!("`{text}` is a number, not a condition"))
            .hint(format!("compare it with something: `{} > 0`", text.trim()))
            .at(0..text.len())),
    }
}

/// How long a condition takes to tell, compared with others.
pub fn cost<V: Vocabulary>(vocabulary: &V, condition: &Condition<V::Name, V::Word>) -> u32 {
    let mut cost = 0_u32;
    condition.visit(&mut |name| cost = cost.saturating_add(vocabulary.cost(name)));
    cost
}
