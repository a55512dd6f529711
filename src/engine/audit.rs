//! A cache and a memoized search held against the plain search: the machine without a memo, the end of the game first.
//!
//! [`Plain`] is the arbiter. [`judge`] holds one entry against it, [`Beside`] a search event by event, [`Decisions`] what a
//! selective search leaves out.

mod answered;
mod beside;
mod claim;
mod decisions;
mod entry;
mod plain;

pub use answered::Answered;
pub use beside::{Beside, Departure};
pub use claim::Claim;
pub use decisions::{Decided, Decisions, WrongDecision};
pub use entry::{Flaw, Unchecked, Verdict, judge};
pub use plain::{Effort, Halted, Plain, Remaining};
