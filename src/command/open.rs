//! Opening a file as what it is.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{Args, Fault, Replied, Shell, SourceOrigin, boxed, files, lexer};
use crate::engine::{cachefile, reply::PlainReply};

/// Bytes that tell what a file is.
const HEAD: u64 = 1 << 16;

/// Has the commands run next that the file at hand is for.
pub(super) fn open(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let commands = commands_for(file).map_err(|fault| args.blame("FILE", fault))?;
    let loaded = shell.load(SourceOrigin::Named("open"), &commands.join("\n"));
    loaded.map_err(|failure| failure.fault)?;
    Ok(boxed(PlainReply::remark("", json!({"open": file}))))
}

/// What opens a file, by its content.
fn commands_for(file: &str) -> Result<Vec<String>, Fault> {
    let (mut opened, _) = files::open(Path::new(file))?;
    let mut head = Vec::new();
    let read = opened.by_ref().take(HEAD).read_to_end(&mut head);
    read.map_err(|error| Fault::new(format!("cannot read `{file}`: {error}")))?;
    let named = lexer::quoted(file);
    let text = String::from_utf8_lossy(&head);
    let text = text.trim_start();
    let ends = |end: &str| file.to_lowercase().ends_with(end);
    Ok(if let Some(game) = cachefile::game_in(&head) {
        vec![format!("game {game}"), format!("cache load {named}")]
    } else if head.starts_with(&[0x1f, 0x8b]) || text.starts_with("{\"plytrace\"") {
        vec![format!("trace open {named}")]
    } else if ends(".pgn") || text.starts_with("[Event ") {
        vec!["game chess".to_owned(), format!("pgn load {named}")]
    } else if ends(".ron") || text.starts_with('(') {
        vec![format!("session load {named}")]
    } else {
        vec![format!("source {named}")]
    })
}

/// How a front end begins with a file: with a script itself, with the command that opens any other one.
#[derive(Clone, Debug)]
pub enum FileGiven {
    /// A script; `-` is standard input.
    Script(PathBuf),
    /// A command line.
    Command(String),
}

impl FileGiven {
    /// Of a file.
    pub fn of(file: PathBuf) -> Result<Self, Fault> {
        if file == Path::new("-") {
            return Ok(Self::Script(file));
        }
        let commands = commands_for(&file.to_string_lossy())?;
        let is_script = commands[0].starts_with("source ");
        Ok(if is_script { Self::Script(file) } else { Self::Command(commands.join("; ")) })
    }

    /// The command line that does it.
    pub fn line(&self) -> String {
        match self {
            Self::Script(file) => format!("source {}", lexer::quoted(&file.to_string_lossy())),
            Self::Command(line) => line.clone(),
        }
    }
}
