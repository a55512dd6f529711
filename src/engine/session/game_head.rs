//! A game's data besides its moves: tags, date, file, and how the players ended it.

use std::{sync::Arc, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::game_source::GameFile;
use crate::{
    engine::{arena::Ending, core::game::is_default, game::Side},
    text::date,
};

/// A game's data besides its moves, stored with its first position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameHead {
    /// The tags that the user set or that were read from a file, as names and values.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) tags: Vec<(String, String)>,
    /// The day on which the game began, in UTC; `None` if it did not begin in this program.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) date: Option<String>,
    /// The file from which the game was read, and the game's number there, from 0.
    #[serde(skip)]
    pub(super) file: Option<(Arc<GameFile>, usize)>,
}

impl GameHead {
    /// The data of a game that begins today.
    pub(crate) fn today() -> Self {
        Self { date: Some(date(SystemTime::now())), ..Self::default() }
    }
}

/// How the players ended a game before the rules did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameEnd {
    /// This side resigned, so the other side wins.
    Resigned(Side),
    /// One side offered a draw, and the other accepted.
    Agreed,
    /// A player claimed a draw for this reason, such as repetition.
    Claimed(Ending),
}

impl GameEnd {
    pub(super) const fn winner(&self) -> Option<Side> {
        match self {
            Self::Resigned(side) => Some(side.other()),
            Self::Agreed | Self::Claimed(_) => None,
        }
    }

    /// How the game ended, as a sentence for people.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Resigned(side) => format!("{side} has resigned, so {} wins", side.other()),
            Self::Agreed => "a draw by agreement".to_owned(),
            Self::Claimed(ending) => format!("a draw was claimed ({ending})"),
        }
    }
}

/// The player's name for moves that the user enters.
pub(super) const YOU: &str = "you";

/// The player's name for moves that the engine chooses.
pub(super) fn engine_name(level: Option<u8>) -> String {
    level.map_or_else(|| "plyscope".to_owned(), |level| format!("plyscope, level {level}"))
}
