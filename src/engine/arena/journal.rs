//! Tournament files: a line of JSON for the tournament, then a line for every game, each with its checksum.
//!
//! Games are appended as they end. When the tournament ends or is stopped, the file is replaced by one with the games in
//! order, so it is the same, byte for byte, with any number of threads. A last line that is cut off is a game not saved; any
//! other damage is an error.

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
    /// Reads a tournament file. Returns the tournament, and notes for the reply.
    /// Errors: a damaged line, by number, and a tournament of another game.
    pub fn read(game: &G, path: &Path) -> Result<(Self, Vec<String>), Fault> {
        let bytes = files::read(path)?;
        let damaged =
            |number: usize, why: String| Fault::new(format!("{}:{number}: {why}", path.display()));
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
        if bytes.is_empty() {
            return Err(damaged(1, "the file is empty".into()).hint("use a copy of the file"));
        }
        let head = lines.next().and_then(|(line, _)| unsealed(line));
        let Some(JournalHead::Tournament { spec }) = head else {
            return Err(damaged(1, "this is not a tournament, or it is damaged".into()).hint(
                "the first line contains the tournament: use a copy of the file, or play the tournament again",
            ));
        };
        let plan = spec.plan(game)?;
        let (mut records, mut notes) = (BTreeMap::new(), Vec::new());
        for (line, number) in lines {
            let added = match unsealed::<GameRecord>(line) {
                Some(record) if plan.fixtures.get(record.game) != Some(&record.fixture) => {
                    Err(format!("game {} is not of this tournament", record.game + 1))
                }
                Some(record) => add(&mut records, record),
                None if !line.ends_with(b"\n") => {
                    notes.push(format!("line {number} was cut off: its game will be played again"));
                    continue;
                }
                None => Err("no game, or a damaged one".to_owned()),
            };
            added.map_err(|why| {
                damaged(number, why).hint(format!(
                    "nothing was changed; without this line `tournament resume {}` plays the game again",
                    path.display()
                ))
            })?;
        }
        Ok((Self::new(plan, records), notes))
    }

    /// The text of the tournament's file.
    /// Errors: values that cannot be written as JSON.
    pub fn text(&self) -> Result<String, Fault> {
        let spec = self.plan.spec.clone();
        let mut text = sealed(&JournalHead::Tournament { spec })?;
        for record in self.records.values() {
            text.push_str(&sealed(record)?);
        }
        Ok(text)
    }
}

/// Adds a game. Adding the same record twice is no error.
fn add(records: &mut BTreeMap<usize, GameRecord>, record: GameRecord) -> Result<(), String> {
    let number = record.game;
    match records.insert(number, record) {
        Some(before) if before != records[&number] => {
            Err(format!("game {} is there twice, and differs", number + 1))
        }
        _ => Ok(()),
    }
}

/// A tournament file that is open for appending games.
#[derive(Debug)]
pub struct TournamentJournal {
    path: PathBuf,
    file: File,
}

impl TournamentJournal {
    /// Writes the tournament so far, and opens the file to append games.
    /// Errors: those of writing, and a file that another process is writing.
    pub fn begin<G: Game>(path: &Path, tournament: &Tournament<G>) -> Result<Self, Fault> {
        // Opening takes a lock: this fails while another process is playing the tournament.
        let old = path.exists().then(|| files::append(path)).transpose()?;
        files::write_text(path, &tournament.text()?)?;
        let file = files::append(path)?;
        drop(old);
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends a game, and returns once it is on the disk.
    /// Errors: those of writing.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Fault> {
        self.file
            .write_all(sealed(record)?.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| files::io_fault(&self.path, files::FileAccess::Write, &error))
    }
}

/// The text between a line's content and its checksum.
const CHECKSUM: &str = ",\"crc\":\"";

/// A JSON object on a line. The last field is the CRC-32 of the text before it.
fn sealed<T: Serialize>(value: &T) -> Result<String, Fault> {
    let mut text = serde_json::to_string(value)
        .map_err(|error| Fault::new(format!("the line cannot be written as JSON: {error}")))?;
    // The bracket that closes the object follows the checksum.
    text.pop();
    let sum = checksum(&text);
    Ok(format!("{text}{CHECKSUM}{sum}\"}}\n"))
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// The object on a line; `None` if the line is damaged.
fn unsealed<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let (text, sum) = str::from_utf8(line).ok()?.trim_end_matches('\n').rsplit_once(CHECKSUM)?;
    let is_intact = sum.strip_suffix("\"}") == Some(&checksum(text));
    serde_json::from_str(&format!("{text}}}")).ok().filter(|_| is_intact)
}
