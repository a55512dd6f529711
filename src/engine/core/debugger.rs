//! What stops a run: goals of steps, breakpoints, watchpoints and traces.
//!
//! Whether a breakpoint [matches](Breakpoint::matches) an event is a question without side effects, so that going
//! backwards can ask it again. Counting hits, ignoring some of them and keeping trace lines is [`Debugging`]'s, the
//! watcher's, and happens only on the way forwards.
//!
//! A breakpoint costs nothing at events of kinds at which it cannot hold: these are worked out when it is set.

mod breakpoint;
mod condition;
mod displays;
mod keys;
mod kinds;
mod line;
mod names;
mod reach;
mod scene;
mod watch;
mod watcher;

pub use breakpoint::{Action, Breakpoint, Commands, Trigger};
pub use condition::{CONDITIONS, Fails, PlaceCondition};
pub use displays::Displays;
pub use keys::KeyMatch;
pub use kinds::Kinds;
pub use line::Line;
pub use names::{Clause, ComparedWord, NAMES, Name, Names, event_kind};
pub use scene::Scene;
pub use watch::{Access, EntryWatch, Figure, ValueWatch};
pub use watcher::{Change, Debugging, Goal, TRACE_LINES, WatchOutcome};
