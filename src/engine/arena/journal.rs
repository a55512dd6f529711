//! A tournament on disk: a line of JSON for the tournament, then a line for every game.
//!
//! Games are appended as they end. When the tournament ends or is stopped the file is written anew, whole or not at all,
//! with the games in order: then it is the same, byte for byte, whoever played the games.
//!
//! Every line ends with its check sum, and a file that does not fit is refused. A last line cut off is a game not saved.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{GameRecord, Tournament, TournamentSpec};
use crate::engine::{
    files,
    game::{Fault, Game},
};

#[derive(Serialize, Deserialize)]
#[serde(tag = "plyscope", rename_all = "lowercase")]
enum JournalHead {
    Tournament { spec: TournamentSpec },
}

impl<G: Game> Tournament<G> {
    /// Reads a tournament; says what a person should know of it.
    pub fn read(game: &G, path: &Path) -> Result<(Self, Vec<String>), Fault> {
        let bytes = files::read(path)?;
        let wrong =
            |number: usize, why: String| Fault::new(format!("{}:{number}: {why}", path.display()));
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
        if bytes.is_empty() {
            return Err(wrong(1, "the file is empty".into()).hint("take it from a copy"));
        }
        let head = lines.next().and_then(|(line, _)| unsealed(line));
        let Some(JournalHead::Tournament { spec }) = head else {
            return Err(wrong(1, "no tournament with its check sum, or a damaged one".into()).hint(
                "the first line holds the tournament: take the file from a copy, or play the tournament again under another name; \
                 the version that wrote a file without check sums goes on with it",
            ));
        };
        let plan = spec.plan(game)?;
        let (mut records, mut notes) = (BTreeMap::new(), Vec::new());
        for (line, number) in lines {
            let taken = match unsealed::<GameRecord>(line) {
                Some(record) if plan.fixtures.get(record.game) != Some(&record.fixture) => {
                    Err(format!("game {} is not one of this tournament", record.game + 1))
                }
                Some(record) => take(&mut records, record),
                None if !line.ends_with(b"\n") => {
                    notes
                        .push(format!("line {number} was cut off: its game is to be played again"));
                    continue;
                }
                None => Err("no game, or a damaged one".to_owned()),
            };
            taken.map_err(|why| {
                wrong(number, why).hint(format!(
                    "nothing was changed; without this line `tournament resume {}` plays the game again",
                    path.display()
                ))
            })?;
        }
        Ok((Self::new(plan, records), notes))
    }

    /// The file's text.
    pub fn text(&self) -> Result<String, Fault> {
        let spec = self.plan.spec.clone();
        let mut text = sealed(&JournalHead::Tournament { spec })?;
        for record in self.records.values() {
            text.push_str(&sealed(record)?);
        }
        Ok(text)
    }
}

/// Adds a game; an equal one may be there already.
fn take(records: &mut BTreeMap<usize, GameRecord>, record: GameRecord) -> Result<(), String> {
    let number = record.game;
    match records.insert(number, record) {
        Some(before) if before != records[&number] => {
            Err(format!("game {} is there twice, and differs", number + 1))
        }
        _ => Ok(()),
    }
}

/// An open file to which games are added.
#[derive(Debug)]
pub struct TournamentJournal {
    path: PathBuf,
    file: File,
}

impl TournamentJournal {
    /// Writes the tournament so far, and opens the file for more.
    pub fn begin<G: Game>(path: &Path, tournament: &Tournament<G>) -> Result<Self, Fault> {
        // Whoever is writing to an old file of this name keeps it.
        let old = path.exists().then(|| files::append(path)).transpose()?;
        files::write_text(path, &tournament.text()?)?;
        let file = files::append(path)?;
        drop(old);
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds a game; when it comes back the game is on the disk.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Fault> {
        self.file
            .write_all(sealed(record)?.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| files::io_fault(&self.path, files::FileAccess::Write, &error))
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

/// What a line holds; nothing where it is damaged.
fn unsealed<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let (text, sum) = str::from_utf8(line).ok()?.trim_end_matches('\n').rsplit_once(SUM)?;
    let fits = sum.strip_suffix("\"}") == Some(&sum_of(text));
    serde_json::from_str(&format!("{text}}}")).ok().filter(|_| fits)
}
