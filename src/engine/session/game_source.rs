//! The file that a game was read from, with the places of its games; only these places are kept in memory.

use std::{
    io::{Read, SeekFrom},
    path::PathBuf,
};

use crate::engine::{
    files,
    game::{Fault, Result, pgn::GameSpan},
};

/// Where the texts of the games are stored.
#[derive(Debug)]
pub(super) enum Source {
    File(PathBuf),
    /// Standard input, or a log that was turned into PGN.
    Memory(Vec<u8>),
}

/// A file of games with the places of its games.
#[derive(Debug)]
pub struct GameFile {
    pub(super) source: Source,
    pub(super) name: String,
    pub(super) length: u64,
    pub(super) spans: Vec<GameSpan>,
}

/// The text of a game file: UTF-8, or else Latin-1.
pub(super) fn text_of(file: &[u8]) -> String {
    let text = std::str::from_utf8(file).map(str::to_owned);
    let text = text.unwrap_or_else(|_| file.iter().copied().map(char::from).collect());
    text.trim_start_matches('\u{feff}').to_owned()
}

/// Encodes a text like the old bytes that it replaces.
pub(super) fn encoded(text: &str, old: &[u8]) -> Vec<u8> {
    let latin = || text.chars().map(|sign| u8::try_from(sign).ok()).collect::<Option<Vec<_>>>();
    let kept = if std::str::from_utf8(old).is_ok() { None } else { latin() };
    kept.unwrap_or_else(|| text.as_bytes().to_vec())
}

/// Two files are equal only if they are the same one, loaded once.
impl PartialEq for GameFile {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl GameFile {
    pub(super) fn open(&self) -> Result<Box<dyn ReadSeek + '_>> {
        Ok(match &self.source {
            Source::Memory(bytes) => Box::new(std::io::Cursor::new(bytes)),
            Source::File(path) => {
                let (file, length) = files::open(path)?;
                if length != self.length {
                    let what = format!("`{}` has changed since it was loaded", self.name);
                    return Err(Fault::new(what).hint("`pgn load` reads it again"));
                }
                Box::new(file)
            }
        })
    }

    pub(super) fn bytes(&self, from: &mut dyn ReadSeek, span: GameSpan) -> Result<Vec<u8>> {
        let mut bytes = vec![0; (span.end - span.start) as usize];
        let read = from.seek(SeekFrom::Start(span.start)).and_then(|_| from.read_exact(&mut bytes));
        read.map_err(|error| Fault::new(format!("cannot read `{}`: {error}", self.name)))?;
        Ok(bytes)
    }

    /// The text of a game by its number, from 0.
    pub(super) fn text(&self, number: usize) -> Result<String> {
        let span = *self.spans.get(number).ok_or_else(|| self.no_such(number + 1))?;
        Ok(text_of(&self.bytes(&mut *self.open()?, span)?))
    }

    pub(super) fn no_such(&self, number: usize) -> Fault {
        let count = self.spans.len();
        Fault::new(format!("there is no game {number}"))
            .hint(format!("give a number from 1 to {count}"))
    }

    /// A fault in the text of a game, with the place in the file.
    pub(super) fn located(&self, number: usize, text: &str, fault: Fault) -> Fault {
        let first = self.spans.get(number).map_or(1, |span| span.line);
        let place = fault.at.as_ref().map_or_else(
            || format!(":{first}"),
            |at| {
                let (line, column) = files::position(text, at.start);
                format!(":{}:{column}", first as usize + line - 1)
            },
        );
        let message = format!("{}{place}: {}", self.name, fault.message);
        Fault { message, at: None, ..fault }
    }
}

pub(super) trait ReadSeek: Read + std::io::Seek {}

impl<R: Read + std::io::Seek> ReadSeek for R {}
