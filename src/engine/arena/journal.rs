//! The state of a tournament on disk: a line of JSON for the tournament, then a line for every game.
//!
//! Games are appended as they end. When the tournament ends or is stopped the file is written anew, whole or not at all,
//! with the games in order: then it is the same, byte for byte, whoever played the games, unless times are kept.
//!
//! Every line ends with its check sum, and the moves of every game are played once more when the file is read: a file that
//! does not say what was written is refused. A last line that was cut off is a game that was not saved. Files of older
//! versions have no check sums.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{GameLine, Shard, Spec, Tournament};
use crate::engine::{
    files,
    game::{Fault, Game},
};

/// What the first line of such a file is.
const KIND: &str = "tournament";

/// What there is to say of files of older versions.
const UNSUMMED: &str = "the file is of an older version, without check sums: games were held against the rules alone; `tournament resume` adds the sums";

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

impl<G: Game> Tournament<G> {
    /// Reads the state of a tournament and plays every game's moves once more; says what a person should know of it.
    ///
    /// # Errors
    /// What the system refuses, and any damage, with the number of the line and what can be done.
    pub fn read(game: &G, path: &Path) -> Result<(Self, Vec<String>), Fault> {
        let bytes = files::read(path)?;
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
        let first = lines.next().map_or(&[][..], |(line, _)| line);
        let (head, summed) = head(first).map_err(|why| {
            Fault::new(format!("{}:1: {why}", path.display())).hint(
                "the first line holds the tournament: take the file from a copy, or play the tournament again under another name",
            )
        })?;
        let plan = head.spec.plan(game)?;
        let mut state = State {
            shard: head.shard,
            spec: head.spec,
            lines: BTreeMap::new(),
        };
        let mut notes = Vec::new();
        if !summed {
            notes.push(UNSUMMED.to_owned());
        }
        for (line, number) in lines {
            let known = unsealed::<GameLine>(line).filter(|(_, sum)| *sum == summed);
            let taken = match known {
                Some((game, _)) => plan
                    .check(&game)
                    .map_err(|why| format!("game {}: {why}", game.game + 1))
                    .and_then(|()| state.take(game)),
                None if !line.ends_with(b"\n") => {
                    notes.push(format!(
                        "line {number} was cut off: its game is to be played again"
                    ));
                    continue;
                }
                None => Err("no game, or a damaged one".to_owned()),
            };
            taken.map_err(|why| {
                Fault::new(format!("{}:{number}: {why}", path.display())).hint(format!(
                    "nothing was changed; without this line `tournament resume {}` plays the game again",
                    path.display()
                ))
            })?;
        }
        Ok((Self::resume(plan, state), notes))
    }
}

/// Reads the first line; says whether it has a check sum, as all lines have then.
fn head(line: &[u8]) -> Result<(Head, bool), String> {
    if line.is_empty() {
        return Err("the file is empty".to_owned());
    }
    let (head, summed) = unsealed::<Head>(line).ok_or("no tournament, or a damaged one")?;
    if head.plyscope != KIND {
        return Err(format!("this is a file of another kind: {}", head.plyscope));
    }
    if !head.shard.is_sound() {
        return Err(format!("there is no part {}", head.shard));
    }
    Ok((head, summed))
}

impl State {
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
        let mut text = sealed(&Head {
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
            sealed(line)
        } else {
            sealed(&line.timeless())
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

    /// Adds a game; when it comes back the game is on the disk.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn add(&mut self, state: &State, line: &GameLine) -> Result<(), Fault> {
        let text = state.line_text(line)?;
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| files::explain(&self.path, files::Doing::Write, &error))
    }
}

/// What stands between a line's content and its check sum.
const SUM: &str = ",\"crc\":\"";

/// A JSON object on a line, its last field the CRC-32 of the text before that field.
fn sealed<T: Serialize>(value: &T) -> Result<String, Fault> {
    let mut text = serde_json::to_string(value)
        .map_err(|error| Fault::new(format!("this cannot be written as JSON: {error}")))?;
    // The bracket that closes the object goes behind the sum.
    text.pop();
    let sum = sum_of(&text);
    Ok(format!("{text}{SUM}{sum}\"}}\n"))
}

fn sum_of(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// What a line holds, and whether it has a check sum; nothing where it is damaged.
fn unsealed<T: DeserializeOwned>(line: &[u8]) -> Option<(T, bool)> {
    let line = str::from_utf8(line).ok()?.trim_end_matches('\n');
    let Some((text, sum)) = line.rsplit_once(SUM) else {
        return Some((serde_json::from_str(line).ok()?, false));
    };
    let fits = sum.strip_suffix("\"}") == Some(&sum_of(text));
    let value = serde_json::from_str(&format!("{text}}}")).ok()?;
    fits.then_some((value, true))
}
