//! The workbench: one object for a game, its position, settings, cache and search, whatever the game is.
//!
//! [`Workbench`] is what the commands see; [`Desk`] implements it once for every [`Game`](super::game::Game). Dynamic dispatch happens once
//! a command, never at a node.

/// A part of the door to a desk: each method with its body, said once for the trait that commands see and for every game's desk.
macro_rules! door {
    (
        $(#[$about:meta])*
        pub trait $door:ident {}
        $($(#[$about_it:meta])* fn $name:ident $given:tt $(-> $answer:ty)? $body:block)*
    ) => {
        $(#[$about])*
        pub trait $door {
            $($(#[$about_it])* fn $name $given $(-> $answer)?;)*
        }

        impl<G: Game> $door for Desk<G> {
            $(fn $name $given $(-> $answer)? $body)*
        }
    };
}

mod arena;
mod audit;
mod bench;
mod breakpoints;
mod cache;
mod cachefiles;
mod comparing;
mod desk;
mod explain;
mod position;
mod quiz;
mod saving;
mod scribe;
mod search;
mod timelines;
mod trace;
mod training;
mod tuning;

use std::{collections::BTreeMap, sync::Arc};

use super::progress::Progress;

pub use super::debugger::{CONDITIONS, NAMES, event_kind};
pub(crate) use super::recording::Running;
pub use super::recording::{Back, Travel};
pub use arena::Arena;
pub use audit::{AuditWish, Auditing};
pub use breakpoints::{PRINTED, Watching, Wish};
pub use cache::{Caching, FIELDS, Sort};
pub use cachefiles::CacheFiling;
pub use comparing::{CompareWish, Comparing};
pub use desk::Desk;
pub(crate) use desk::{Moment, Purpose};
pub use explain::Explaining;
pub use position::Positions;
pub use quiz::Quizzing;
pub use saving::Saving;
pub use search::Searching;
pub use timelines::Rewinding;
pub use trace::Tracing;
pub use training::Learning;
pub use tuning::Tuning;

pub use super::game::Answer;

/// `name=value`.
pub type Pair<'a> = (&'a str, &'a str);

/// The user's own command words and what they stand for.
pub type Aliases = BTreeMap<String, String>;

/// All of it for one game.
pub trait Workbench:
    Positions
    + Tuning
    + Comparing
    + Learning
    + Searching
    + Watching
    + Rewinding
    + Caching
    + Auditing
    + Explaining
    + Quizzing
    + Tracing
    + CacheFiling
    + Arena
    + Saving
    + Send
{
    /// The game's name.
    fn game(&self) -> &'static str;
    /// Another workbench of the same game, with everything at its default.
    fn fresh(&self) -> Box<dyn Workbench>;
    /// Where long operations say how far they are.
    fn set_progress(&mut self, progress: Arc<Progress>);
}
