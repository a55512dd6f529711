//! Opening a file as what it is.

use std::{io::Read as _, path::Path};

use serde_json::json;

use super::{Args, Fault, Replied, Shell, SourceOrigin, boxed, files};
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
    let named = quoted(file);
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

/// Why a file cannot be opened.
pub fn unreadable(file: &Path) -> Option<Fault> {
    if file == Path::new("-") { None } else { files::open(file).err() }
}

/// Whether a file is a script: nothing else that is opened. Standard input is one.
pub fn is_script(file: &Path) -> bool {
    if file == Path::new("-") {
        return true;
    }
    let commands = commands_for(&file.to_string_lossy());
    commands.is_ok_and(|commands| commands[0].starts_with("source"))
}

/// The command that opens a file.
pub fn opening(file: &Path) -> String {
    format!("open {}", quoted(&file.to_string_lossy()))
}

/// A file's name as one word of a command line.
fn quoted(file: &str) -> String {
    let quote = if file.contains('\'') { '"' } else { '\'' };
    format!("{quote}{file}{quote}")
}
