//! Heuristics weighed against each other: what several weight sets make of many positions.
//!
//! ```text
//! Suite (positions) x weight sets -> Opinion (a search each) -> Agreement (in numbers), Preference (why not)
//! ```
//!
//! Every search has a memo of its own, so an [`Opinion`] depends on the position, the weights and the settings alone, and
//! they can be found in any order and on any number of cores.

mod agreement;
mod generate;
mod opinion;
mod suite;

pub use agreement::{agreement, share};
pub use generate::generate;
pub use opinion::{Examiner, Opinion, Variation, interrupted};
pub use suite::{Posed, Source, Suite};
