//! A game's data besides its moves: tags, date, file, players, and how the players ended it.

use std::{sync::Arc, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::game_source::GameFile;
use crate::{
    engine::{arena::Ending, core::game::is_default, game::Side},
    text::date,
};

/// A game's data besides its moves, kept with its first position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameHead {
    /// The tags that were set or read from a file.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) tags: Vec<(String, String)>,
    /// The day on which the game began, in UTC, if it began in this program.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) date: Option<String>,
    /// The file that the game was read from, and its number there, from 0.
    #[serde(skip)]
    pub(super) file: Option<(Arc<GameFile>, usize)>,
}

impl GameHead {
    /// A game that begins now.
    pub(crate) fn today() -> Self {
        Self { date: Some(date(SystemTime::now())), ..Self::default() }
    }
}

/// How the players ended a game that the rules have not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameEnd {
    /// This side has resigned.
    Resigned(Side),
    /// A draw was offered and accepted.
    Agreed,
    /// A draw was claimed, for this reason.
    Claimed(Ending),
}

impl GameEnd {
    pub(super) const fn winner(&self) -> Option<Side> {
        match self {
            Self::Resigned(side) => Some(side.other()),
            Self::Agreed | Self::Claimed(_) => None,
        }
    }

    /// How the game ended, as a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Resigned(side) => format!("{side} has resigned: {} wins", side.other()),
            Self::Agreed => "a draw by agreement".to_owned(),
            Self::Claimed(ending) => format!("a draw was claimed: {ending}"),
        }
    }
}

/// The player in moves that the user enters.
pub(super) const YOU: &str = "you";

/// The player in moves that the engine chooses.
pub(super) fn engine_name(level: Option<u8>) -> String {
    level.map_or_else(|| "plyscope".to_owned(), |level| format!("plyscope, level {level}"))
}
