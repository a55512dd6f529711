//! The weights of an evaluation, by name.

use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// Weights by name, in the game's order. All are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights(Vec<(String, f64)>);

impl Weights {
    /// Weights with these names and values, in this order.
    pub fn new<'a>(weights: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        Self(weights.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The names and values, in the game's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The weight with this name; 0 if there is none.
    pub fn get(&self, name: &str) -> f64 {
        self.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| value)
    }

    /// Changes the value of a weight.
    /// Errors: an unknown name, a value that is not finite.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        if !value.is_finite() {
            return Err(Fault::new(format!("the weight {name}={value} is not a finite number"))
                .hint("give a number such as 4 or 0.5"));
        }
        let names = self.iter().map(|(known, _)| known.to_owned()).collect::<Vec<_>>().join(", ");
        let weight = self.0.iter_mut().find(|(known, _)| known == name);
        let (_, weight) = weight.ok_or_else(|| {
            Fault::new(format!("no weight `{name}`"))
                .about_word(name)
                .hint(format!("the weights are {names}"))
        })?;
        *weight = value;
        Ok(())
    }
}
