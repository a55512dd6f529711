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

/// Where a front end's commands come from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A script; `-` is standard input.
    Script(PathBuf),
    /// The program's own arguments, or what opens a file that is no script.
    Commands(String),
}

impl Input {
    /// A file is a script itself, or there are commands that open it.
    pub fn of(file: PathBuf) -> Result<Self, Fault> {
        if file == Path::new("-") {
            return Ok(Self::Script(file));
        }
        let commands = commands_for(&file.to_string_lossy())?;
        let is_script = commands[0].starts_with("source ");
        Ok(if is_script { Self::Script(file) } else { Self::Commands(commands.join("; ")) })
    }

    /// The command line that does it.
    pub fn line(&self) -> String {
        match self {
            Self::Script(file) => format!("source {}", lexer::quoted(&file.to_string_lossy())),
            Self::Commands(line) => line.clone(),
        }
    }
}
