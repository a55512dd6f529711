//! Trainings on disk: a RON document that says what the training is and how far it has come, and the table beside it.
//!
//! Of `trained.ron` the table is `trained.plycache` in our own format and, where the game has seed 001's keys,
//! `trained.rote` in its format. The document names the table's check sum. A new table is written beside the old one, under
//! a name with its check sum, then the document, then the new table takes the old one's name: whenever that is cut short,
//! one of the two tables is the one that the document names.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Training, TrainingBlock, TrainingSpec};
use crate::engine::{
    files,
    game::{Fault, Game},
};

/// The version of the documents this program writes, and the newest it reads.
const VERSION: u32 = 1;

/// A training and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingDocument {
    /// [`VERSION`].
    version: u32,
    /// What it is.
    pub spec: TrainingSpec,
    /// Games played, of those that this shard has.
    pub played: u64,
    /// What happened in them, a block for the games between two saves.
    pub blocks: Vec<TrainingBlock>,
    /// How many tables it was merged from; 1 where it was not.
    pub merged: u64,
    /// The table's file, as it was saved last.
    table: TableMark,
}

/// What tells whether a file is the table that a document means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableMark {
    /// Its length.
    bytes: u64,
    /// The CRC-32 of all of it.
    crc32: u32,
    /// Its values.
    entries: u64,
}

/// Where the parts of a training are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingFiles {
    /// The document.
    pub document: PathBuf,
    /// The table in our own format.
    pub table: PathBuf,
    /// The table in seed 001's format.
    pub rote: PathBuf,
}

impl TrainingFiles {
    /// The files of the training whose document has this name.
    ///
    /// # Errors
    /// A name that does not end in `.ron`.
    pub fn of(document: &Path) -> Result<Self, Fault> {
        if document.extension().is_none_or(|ending| ending != "ron") {
            let name = document.display();
            return Err(Fault::new(format!("`{name}` is no name of a training"))
                .hint(format!("name a file that ends in .ron, such as {name}.ron")));
        }
        Ok(Self {
            document: document.to_owned(),
            table: document.with_extension("plycache"),
            rote: document.with_extension("rote"),
        })
    }

    /// The files of a training that is to begin.
    ///
    /// # Errors
    /// As [`Self::of`], and a document or a table that is there already.
    pub fn new_of(document: &Path) -> Result<Self, Fault> {
        let files = Self::of(document)?;
        for path in [&files.document, &files.table, &files.rote] {
            if path.exists() {
                return Err(Fault::new(format!("`{}` exists", path.display())).hint(
                    "`train resume` goes on with a training; remove the file or give another name to begin one",
                ));
            }
        }
        Ok(files)
    }

    /// The next table, before it takes the other's name.
    fn next(&self, crc32: u32) -> PathBuf {
        self.document.with_extension(format!("{crc32:08x}.plycache"))
    }

    /// Writes a training: `save` writes the table to the path it is given.
    ///
    /// # Errors
    /// What `save` refuses, and what the system refuses. Then the old files are as they were.
    pub fn write<G: Game>(
        &self,
        training: &Training<G>,
        save: impl FnOnce(&Path) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let draft = self.document.with_extension("new.plycache");
        // A link of this name is replaced, not followed.
        fs::remove_file(&draft).ok();
        save(&draft)?;
        let (bytes, crc32) = files::fingerprint(&draft)?;
        let entries = training.table().entries().len() as u64;
        let next = self.next(crc32);
        let table = TableMark { bytes, crc32, entries };
        let text = files::to_ron(&TrainingDocument { table, ..training.document.clone() })?;
        files::rename(&draft, &next)?;
        if let Err(fault) = files::write_text(&self.document, &text) {
            fs::remove_file(&next).ok();
            return Err(fault);
        }
        files::rename(&next, &self.table)
    }

    /// Reads a training's document and says where its table is.
    ///
    /// # Errors
    /// A file that cannot be read or is no training, by line and column; a table that is missing or another one.
    pub fn read(&self) -> Result<(TrainingDocument, PathBuf), Fault> {
        let text = files::read_text(&self.document)?;
        let document = TrainingDocument::from_ron(&text)
            .map_err(|fault| fault.within(self.document.display()))?;
        let is_meant = |path: &Path| {
            let found = files::fingerprint(path);
            found.is_ok_and(|found| found == (document.table.bytes, document.table.crc32))
        };
        if is_meant(&self.table) {
            return Ok((document, self.table.clone()));
        }
        let next = self.next(document.table.crc32);
        if is_meant(&next) {
            // The save was cut short before its last step, which is made up for where that can be.
            let renamed = files::rename(&next, &self.table);
            return Ok((document, renamed.map_or(next, |()| self.table.clone())));
        }
        files::open(&self.table)?;
        Err(Fault::new(format!(
            "`{}` is not the table that `{}` was saved with",
            self.table.display(),
            self.document.display()
        ))
        .hint("put the two files of one save together again, or begin a new training"))
    }
}

impl TrainingDocument {
    pub(super) fn new(spec: TrainingSpec) -> Self {
        let table = TableMark::default();
        Self { version: VERSION, spec, played: 0, blocks: Vec::new(), merged: 1, table }
    }

    fn from_ron(text: &str) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct TrainingPreamble {
            version: u32,
        }
        let preamble: TrainingPreamble =
            ron::from_str(text).map_err(|error| files::located(&error))?;
        if preamble.version != VERSION {
            return Err(Fault::new(format!(
                "training version {} is unknown: this program reads version {VERSION}",
                preamble.version
            ))
            .hint("use the program that wrote it"));
        }
        ron::from_str(text).map_err(|error| files::located(&error))
    }
}
