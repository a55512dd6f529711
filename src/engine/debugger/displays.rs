use serde::{Deserialize, Serialize};

use crate::engine::game::Fault;

/// The expressions that are shown after every stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Displays {
    /// With their numbers, in the order they were made.
    pub shown: Vec<(u32, String)>,
    /// The last number given.
    pub last: u32,
}

impl Displays {
    /// Adds one.
    pub fn add(&mut self, text: &str) {
        self.last += 1;
        self.shown.push((self.last, text.trim().to_owned()));
    }

    /// Removes one, or all.
    ///
    /// # Errors
    /// Where there is none of that number.
    pub fn remove(&mut self, id: Option<u32>) -> Result<(), Fault> {
        let Some(id) = id else {
            self.shown.clear();
            return Ok(());
        };
        let place = self.shown.iter().position(|(known, _)| *known == id);
        let place = place.ok_or_else(|| {
            Fault::new(format!("no display {id}")).hint("`display` alone lists them")
        })?;
        self.shown.remove(place);
        Ok(())
    }

    /// Whether there is nothing to keep.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
