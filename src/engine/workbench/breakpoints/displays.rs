use serde::{Deserialize, Serialize};

use crate::engine::{
    game::{Fault, Game},
    reply::DisplayReport,
    workbench::{Answer, Desk},
};

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
    pub(super) fn add(&mut self, text: &str) {
        self.last += 1;
        self.shown.push((self.last, text.trim().to_owned()));
    }

    pub(super) fn remove(&mut self, id: Option<u32>) -> Answer<()> {
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

impl<G: Game> Desk<G> {
    /// The displays with their values now: nothing where no search is under way.
    pub(super) fn displayed(&self) -> Vec<DisplayReport> {
        let shown = self.displays.shown.iter();
        shown
            .map(|(id, text)| DisplayReport {
                id: *id,
                expression: text.clone(),
                value: self.print_one(text).unwrap_or_default(),
            })
            .collect()
    }
}
