//! The tables of a folder that match the current rules of the game.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::Ordering::Relaxed},
};

use super::{
    Census, LEAST, MOST, Subspace, TableFile, TableHeader, TableKind,
    board::Stones,
    file::BLOCK,
    index::Index,
    solve::{Table, Work},
    value_of,
};
use crate::engine::{
    game::{Endgames, Fault, Game, Result, TrueValue},
    workers::interrupted,
};

/// The extension of the names of table files.
const EXTENSION: &str = "plytable";

/// The table files of a folder, and those that are open.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    game: &'static str,
    /// The current rules that affect values, such as `flying=on`; not `double_mill`: after placing, no move closes two mills.
    pub rules: String,
    pub(super) flying: bool,
    open: Mutex<BTreeMap<Subspace, Arc<OpenTable>>>,
}

/// An open table file, with the numbering of its positions.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) file: TableFile,
    pub(super) index: Index,
}

/// A file of the folder: its header and length in bytes, or why it cannot be used.
pub type FoundFile = (PathBuf, Result<(TableHeader, u64)>);

impl Store {
    /// The tables of a game in a folder.
    /// Errors: a game without solvable endgames.
    pub fn new<G: Game>(game: &G, folder: PathBuf) -> Result<Self> {
        let flying = endgames(game)?.flies();
        let rules = if flying { "flying=on" } else { "flying=off" };
        Ok(Self { folder, game: G::NAME, rules: rules.to_owned(), flying, open: Mutex::default() })
    }

    /// The folder of the table files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a table for the current rules.
    pub fn path(&self, subspace: Subspace) -> PathBuf {
        self.path_of(&subspace.to_string(), EXTENSION, &self.rules)
    }

    /// The path of a file for these rules: the name ends in their checksum.
    pub(super) fn path_of(&self, name: &str, extension: &str, rules: &str) -> PathBuf {
        let rules = crc32fast::hash(rules.as_bytes());
        self.folder.join(format!("{}-{name}-{rules:08x}.{extension}", self.game))
    }

    /// The table files of the folder, by name; none if there is no such folder.
    pub fn files(&self) -> Vec<FoundFile> {
        let found = |path: PathBuf| {
            let content = TableFile::open(&path).map(|file| (file.header, file.bytes));
            (path, content)
        };
        self.paths().into_iter().map(found).collect()
    }

    fn paths(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
        paths.sort();
        paths
    }

    /// The table of a subspace; `None` if there is no file.
    /// Errors: a damaged file; one of another game, other rules or another subspace; tables of this subspace for other rules.
    pub(super) fn table(&self, subspace: Subspace) -> Result<Option<Arc<OpenTable>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&subspace) {
            return Ok(Some(Arc::clone(table)));
        }
        let path = self.path(subspace);
        if !path.exists() {
            return self.no_other_rules(subspace).map(|()| None);
        }
        let file = TableFile::open(&path)?;
        self.check(&path, &file.header, subspace)?;
        let index = Index::new(subspace.own, subspace.other);
        let table = Arc::new(OpenTable { file, index });
        open.insert(subspace, Arc::clone(&table));
        Ok(Some(table))
    }

    /// The table of a subspace, which must exist.
    /// Errors: those of [`Store::table`], and a missing file.
    pub(super) fn needed(&self, subspace: Subspace) -> Result<Arc<OpenTable>> {
        self.table(subspace)?.ok_or_else(|| {
            Fault::new(format!("there is no table of {subspace} in `{}`", self.folder.display()))
                .hint(format!("`tables build {subspace}` solves it"))
        })
    }

    /// Closes all files, so that their content is read again.
    pub fn close(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The header of the table of a subspace.
    /// Errors: a file that is missing or cannot be used.
    pub fn header(&self, subspace: Subspace) -> Result<TableHeader> {
        Ok(self.needed(subspace)?.file.header.clone())
    }

    /// The subspaces with a file named for the current rules.
    pub fn subspaces(&self) -> Vec<Subspace> {
        let stones = LEAST..=MOST;
        let all =
            stones.clone().flat_map(|own| stones.clone().map(move |other| Subspace { own, other }));
        all.filter(|&subspace| self.path(subspace).exists()).collect()
    }

    /// The given subspace, or all subspaces that have a file.
    pub fn wanted(&self, subspace: Option<Subspace>) -> Vec<Subspace> {
        subspace.map_or_else(|| self.subspaces(), |subspace| vec![subspace])
    }

    fn check(&self, path: &Path, header: &TableHeader, subspace: Subspace) -> Result<()> {
        let why = if header.game != self.game {
            format!("it is a table of the game {}", header.game)
        } else if header.rules != self.rules {
            format!("it holds for {}, in force are {}", header.rules, self.rules)
        } else if header.subspace != subspace {
            format!("it is the table of {}, not of {subspace}", header.subspace)
        } else {
            return Ok(());
        };
        Err(Fault::word(path.display(), format!("cannot be used: {why}"))
            .hint("`rules set` changes the rules, `tables build` makes tables for those in force"))
    }

    /// Fails if the folder has a table of the subspace for other rules.
    fn no_other_rules(&self, subspace: Subspace) -> Result<()> {
        let begin = format!("{}-{subspace}-", self.game);
        let mut files = self.paths();
        files.retain(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin))
        });
        match files.first().map(|path| (path, TableFile::open(path))) {
            Some((path, Ok(file))) => self.check(path, &file.header, subspace),
            _ => Ok(()),
        }
    }

    /// Reads a whole table into memory. Every block is checked.
    pub(super) fn load(&self, subspace: Subspace, work: Work<'_>) -> Result<Table> {
        let open = self.needed(subspace)?;
        let table = Table::new(subspace)?;
        let mut index = 0;
        while index < table.len() {
            if work.interrupt.load(Relaxed) {
                return Err(interrupted());
            }
            for code in open.file.read_block(index / BLOCK)? {
                table.set(index, code);
                index += 1;
            }
        }
        Ok(table)
    }

    /// The value of a position; `None` if there is no table of its subspace.
    pub(super) fn value(&self, stones: Stones) -> Result<Option<TrueValue>> {
        let Some(subspace) = Subspace::of(stones) else {
            return Ok(None);
        };
        let Some(table) = self.table(subspace)? else {
            return Ok(None);
        };
        let code = table.file.code(table.index.of(stones))?;
        Ok(Some(value_of(code, table.file.header.kind)))
    }

    pub(super) fn header_for(&self, table: &Table, kind: TableKind, census: Census) -> TableHeader {
        TableHeader {
            game: self.game.to_owned(),
            rules: self.rules.clone(),
            subspace: table.subspace,
            kind,
            values: table.len() as u64,
            census,
        }
    }
}

/// The endgames of a game, if tables of them can be built.
/// Errors: a game without solvable endgames.
pub(super) fn endgames<G: Game>(game: &G) -> Result<&dyn Endgames<G>> {
    game.endgames().ok_or_else(|| {
        Fault::new(format!("Plyscope builds no endgame tables of {}", G::NAME)).hint(
            "in chess, `tables use --dir FOLDER` reads Syzygy tables; `tables build` makes those of morris",
        )
    })
}
