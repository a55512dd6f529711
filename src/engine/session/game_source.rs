//! A file of games, of which only the byte ranges of the games are kept in memory.

use std::{
    io::{Read, SeekFrom},
    path::PathBuf,
};

use crate::engine::{
    files,
    game::{Fault, Result, pgn::GameSpan},
};

/// Where the texts of the games are read from.
#[derive(Debug)]
pub(super) enum GamesSource {
    File(PathBuf),
    /// The bytes of standard input, or of a log converted to PGN.
    Memory(Vec<u8>),
}

/// A file of games with the byte range of each game.
#[derive(Debug)]
pub struct GameFile {
    pub(super) source: GamesSource,
    pub(super) name: String,
    pub(super) length: u64,
    pub(super) spans: Vec<GameSpan>,
}

/// The bytes of a game file as text: UTF-8 if valid, otherwise Latin-1; without a byte order mark.
pub(super) fn text_of(file: &[u8]) -> String {
    let text = std::str::from_utf8(file).map(str::to_owned);
    let text = text.unwrap_or_else(|_| file.iter().copied().map(char::from).collect());
    text.trim_start_matches('\u{feff}').to_owned()
}

/// Encodes a text in the encoding of the bytes that it replaces: UTF-8, or Latin-1 where possible.
pub(super) fn encoded(text: &str, old: &[u8]) -> Vec<u8> {
    let latin = || text.chars().map(|sign| u8::try_from(sign).ok()).collect::<Option<Vec<_>>>();
    let kept = if std::str::from_utf8(old).is_ok() { None } else { latin() };
    kept.unwrap_or_else(|| text.as_bytes().to_vec())
}

/// Files are equal only if they are the same object: the same path may have been loaded twice with different contents.
impl PartialEq for GameFile {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl GameFile {
    pub(super) fn open(&self) -> Result<Box<dyn ReadSeek + '_>> {
        Ok(match &self.source {
            GamesSource::Memory(bytes) => Box::new(std::io::Cursor::new(bytes)),
            GamesSource::File(path) => {
                let (file, length) = files::open(path)?;
                if length != self.length {
                    let what = format!("`{}` has changed since it was loaded", self.name);
                    return Err(Fault::new(what).hint("`pgn load` reads the file again"));
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

    /// The text of one game, by its number from 0.
    pub(super) fn text(&self, number: usize) -> Result<String> {
        let span = *self.spans.get(number).ok_or_else(|| self.no_such(number + 1))?;
        Ok(text_of(&self.bytes(&mut *self.open()?, span)?))
    }

    pub(super) fn no_such(&self, number: usize) -> Fault {
        let count = self.spans.len();
        Fault::new(format!("there is no game {number}"))
            .hint(format!("give a number from 1 to {count}"))
    }

    /// Adds file, line and column to a fault in the text of a game.
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
        // A hint such as `moves` is about the game on the board.
        let hint = fault.hint.filter(|hint| !hint.contains("`moves`"));
        Fault { message, at: None, hint, ..fault }
    }
}

pub(super) trait ReadSeek: Read + std::io::Seek {}

impl<R: Read + std::io::Seek> ReadSeek for R {}
