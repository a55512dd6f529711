//! A tournament on disk: a line of JSON for the tournament, then a line for every game.
//!
//! Games are appended as they end. When the tournament ends or is stopped the file is written anew, whole or not at all,
//! with the games in order: then it is the same, byte for byte, whoever played the games, unless times are kept.
//!
//! Every line ends with its check sum, and the moves of every game are played once more when the file is read: a file that
//! does not say what was written is refused. A last line that was cut off is a game that was not saved. Files of older
//! versions may have no check sums, and may be one part of a tournament that was split: its other games are then open.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Bout, Cost, GameRecord, Tournament, TournamentPlan, TournamentSpec, play};
use crate::engine::{
    files,
    game::{Fault, Game},
};

/// What the first line of such a file is.
const KIND: &str = "tournament";

/// What there is to say of files of older versions.
const UNSUMMED: &str = "the file is of an older version, without check sums: games were held against the rules alone; `tournament resume` adds the sums";

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalHead {
    /// Always [`KIND`].
    plyscope: String,
    /// Which part of the tournament older versions played.
    #[serde(default, skip_serializing)]
    shard: Option<OldShard>,
    /// The tournament.
    spec: TournamentSpec,
}

/// The `part`-th of `of` parts of a tournament.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct OldShard {
    part: usize,
    of: usize,
}

impl<G: Game> Tournament<G> {
    /// Reads a tournament and plays every game's moves once more; says what a person should know of it.
    ///
    /// # Errors
    /// What the system refuses, and any damage, with the number of the line and what can be done.
    pub fn read(game: &G, path: &Path) -> Result<(Self, Vec<String>), Fault> {
        let bytes = files::read(path)?;
        let wrong =
            |number: usize, why: String| Fault::new(format!("{}:{number}: {why}", path.display()));
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
        let (head, summed) = head(lines.next().map_or(&[][..], |(line, _)| line)).map_err(|why| {
            wrong(1, why).hint(
                "the first line holds the tournament: take the file from a copy, or play the tournament again under another name",
            )
        })?;
        let plan = head.spec.plan(game)?;
        let (mut records, mut notes) = (BTreeMap::new(), Vec::new());
        if !summed {
            notes.push(UNSUMMED.to_owned());
        }
        if let Some(OldShard { part, of: of @ 2.. }) = head.shard {
            notes.push(format!(
                "the file is part {part} of {of} of a tournament that an older version split: the games of the other parts are open here"
            ));
        }
        for (line, number) in lines {
            let taken = match unsealed::<GameRecord>(line).filter(|(_, sum)| *sum == summed) {
                Some((record, _)) => plan.check(&record).and_then(|()| take(&mut records, record)),
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
    ///
    /// # Errors
    /// Where JSON has no words for it.
    pub fn text(&self) -> Result<String, Fault> {
        let mut text = sealed(&JournalHead {
            plyscope: KIND.to_owned(),
            shard: None,
            spec: self.plan.spec.clone(),
        })?;
        for record in self.records.values() {
            text.push_str(&self.line(record)?);
        }
        Ok(text)
    }

    fn line(&self, record: &GameRecord) -> Result<String, Fault> {
        if self.plan.spec.times { sealed(record) } else { sealed(&record.timeless()) }
    }
}

/// Reads the first line; says whether it has a check sum, as all lines have then.
fn head(line: &[u8]) -> Result<(JournalHead, bool), String> {
    if line.is_empty() {
        return Err("the file is empty".to_owned());
    }
    let (head, summed) = unsealed::<JournalHead>(line).ok_or("no tournament, or a damaged one")?;
    if head.plyscope != KIND {
        return Err(format!("this is a file of another kind: {}", head.plyscope));
    }
    Ok((head, summed))
}

/// Adds a game; an equal one may be there already.
fn take(records: &mut BTreeMap<usize, GameRecord>, record: GameRecord) -> Result<(), String> {
    let number = record.game;
    match records.insert(number, record) {
        Some(before) if before.timeless() != records[&number].timeless() => {
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
    ///
    /// # Errors
    /// What the system refuses, and a file that another process is adding to.
    pub fn begin<G: Game>(path: &Path, tournament: &Tournament<G>) -> Result<Self, Fault> {
        // Whoever is writing to an old file of this name keeps it.
        let old = path.exists().then(|| files::append(path)).transpose()?;
        files::write_text(path, &tournament.text()?)?;
        let file = files::append(path)?;
        drop(old);
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds a game; when it comes back the game is on the disk.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn add<G: Game>(
        &mut self,
        tournament: &Tournament<G>,
        record: &GameRecord,
    ) -> Result<(), Fault> {
        let text = tournament.line(record)?;
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

impl<G: Game> TournamentPlan<G> {
    /// Believes a game only where it is of this tournament and its moves, played once more, lead to what it says.
    fn check(&self, record: &GameRecord) -> Result<(), String> {
        let wrong = |why: String| Err(format!("game {}: {why}", record.game + 1));
        let fixture = record.fixture();
        let opening = self.openings.get(record.round);
        let (true, Some(opening)) = (self.fixtures.get(record.game) == Some(&fixture), opening)
        else {
            return wrong("it is not one of this tournament".to_owned());
        };
        let bout = Bout { game: &self.game, rules: self.rules, opening, seed: 0 };
        let mut words = record.moves.split_whitespace().skip(opening.moves.len());
        let played = play(&bout, |_, (position, history), _| {
            let mv = words.next().map(|word| self.game.parse_move(position, history, word));
            Ok(mv.transpose()?.map(|mv| (mv, Cost { moves: 1, ..Cost::default() })))
        });
        let played = match played {
            Ok(Some(played)) => played,
            Ok(None) => return wrong("its moves stop before the end of the game".to_owned()),
            Err(fault) => return wrong(format!("its moves cannot be played: {}", fault.message)),
        };
        let number = (record.game, fixture);
        let replayed = GameRecord::new(&self.game, number, opening, played);
        if (&replayed.winner, &replayed.ending) != (&record.winner, &record.ending) {
            let [told, found] = [record, &replayed].map(GameRecord::result);
            return wrong(format!("it is recorded as {told}, but its moves lead to {found}"));
        }
        let choices = |record: &GameRecord| record.cost.map(|cost| cost.moves);
        let as_played = choices(&replayed) == choices(record);
        if !as_played || *record != (GameRecord { cost: record.cost, ms: record.ms, ..replayed }) {
            return wrong("its moves are not those of a game of this tournament".to_owned());
        }
        Ok(())
    }
}
