//! The state of a tournament on disk: a line of JSON for the tournament, then a line for every game.
//!
//! Games are appended as they end. When the tournament ends or is stopped the file is written anew, whole or not at all,
//! with the games in order: then it is the same, byte for byte, whoever played the games, unless times are kept. A last line
//! that was cut off is a game that was not saved.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{GameLine, Shard, Spec};
use crate::engine::{files, game::Fault};

/// What the first line of such a file is.
const KIND: &str = "tournament";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Always `tournament`.
    plyscope: String,
    /// Which part of the tournament the games are.
    pub shard: Shard,
    /// The tournament.
    pub spec: Spec,
}

/// Everything that is known of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Which part of the tournament the games are.
    pub shard: Shard,
    /// The tournament.
    pub spec: Spec,
    /// The games by number.
    pub lines: BTreeMap<usize, GameLine>,
}

impl State {
    /// Reads a state, and says what a person should know of it.
    ///
    /// # Errors
    /// What the system refuses, and what is no such file, with the number of the line.
    pub fn read(path: &Path) -> Result<(Self, Vec<String>), Fault> {
        let text = files::read_text(path)?;
        let fault = |number: usize, why: String| {
            Fault::new(format!("{}:{number}: {why}", path.display()))
                .hint("a state file is written by `tournament run`; nothing was changed")
        };
        let mut lines = text.split_inclusive('\n').zip(1..);
        let head: Head = match lines.next() {
            None => return Err(fault(1, "the file is empty".into())),
            Some((line, number)) => serde_json::from_str(line)
                .map_err(|error| fault(number, format!("no tournament: {error}")))?,
        };
        if head.plyscope != KIND {
            return Err(fault(
                1,
                format!("this is a file of another kind: {}", head.plyscope),
            ));
        }
        if !head.shard.is_sound() {
            return Err(fault(1, format!("there is no part {}", head.shard)));
        }
        let mut state = Self {
            shard: head.shard,
            spec: head.spec,
            lines: BTreeMap::new(),
        };
        let mut notes = Vec::new();
        for (line, number) in lines {
            match serde_json::from_str::<GameLine>(line) {
                Ok(game) => state.take(game).map_err(|why| fault(number, why))?,
                Err(_) if !line.ends_with('\n') => {
                    notes.push(
                        "the last line was cut off: its game is to be played again".to_owned(),
                    );
                }
                Err(error) => return Err(fault(number, format!("no game: {error}"))),
            }
        }
        Ok((state, notes))
    }

    /// Adds a game; an equal one may be there already.
    fn take(&mut self, line: GameLine) -> Result<(), String> {
        let number = line.game;
        match self.lines.insert(number, line) {
            Some(before) if before.timeless() != self.lines[&number].timeless() => {
                Err(format!("game {} is there twice, and differs", number + 1))
            }
            _ => Ok(()),
        }
    }

    /// The file's text.
    ///
    /// # Errors
    /// Where JSON has no words for it.
    pub fn text(&self) -> Result<String, Fault> {
        let mut text = json(&Head {
            plyscope: KIND.to_owned(),
            shard: self.shard,
            spec: self.spec.clone(),
        })?;
        for line in self.lines.values() {
            text.push_str(&self.line_text(line)?);
        }
        Ok(text)
    }

    fn line_text(&self, line: &GameLine) -> Result<String, Fault> {
        if self.spec.times {
            json(line)
        } else {
            json(&line.timeless())
        }
    }

    /// Writes the state, whole or not at all.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), Fault> {
        files::write_text(path, &self.text()?)
    }

    /// Puts the parts of one tournament together.
    ///
    /// # Errors
    /// Parts of different tournaments, and games that are there twice and differ.
    pub fn merge(parts: &[(PathBuf, Self)]) -> Result<Self, Fault> {
        let Some((first, rest)) = parts.split_first() else {
            return Err(Fault::new("there is nothing to merge").hint("name the state files"));
        };
        let mut whole = Self {
            shard: Shard::WHOLE,
            ..first.1.clone()
        };
        for (path, part) in rest {
            if part.spec != whole.spec {
                return Err(Fault::new(format!(
                    "{} and {} are of different tournaments",
                    first.0.display(),
                    path.display()
                ))
                .hint("merge files that came of one tournament, run with --shard"));
            }
            for line in part.lines.values() {
                whole
                    .take(line.clone())
                    .map_err(|why| Fault::new(format!("{}: {why}", path.display())))?;
            }
        }
        Ok(whole)
    }
}

/// An open state file to which games are added.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Writes the state so far, and opens the file for more.
    ///
    /// # Errors
    /// What the system refuses, and a file that another process is adding to.
    pub fn begin(path: &Path, state: &State) -> Result<Self, Fault> {
        // Whoever is writing to an old file of this name keeps it.
        let old = path.exists().then(|| files::append(path)).transpose()?;
        state.write(path)?;
        let file = files::append(path)?;
        drop(old);
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn add(&mut self, state: &State, line: &GameLine) -> Result<(), Fault> {
        let text = state.line_text(line)?;
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| files::explain(&self.path, files::Doing::Write, &error))
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value)
        .map(|text| text + "\n")
        .map_err(|error| Fault::new(format!("this cannot be written as JSON: {error}")))
}
