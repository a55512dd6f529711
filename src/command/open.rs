//! Opening a file as what it is.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use serde_json::json;

use crate::{
    command::{Args, Fault, Replied, Shell, SourceOrigin, boxed, files, lexer},
    engine::{self, cachefile, session::reply::PlainReply},
};

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
    Ok(if let Some(game) = cachefile::game_of_file(&head) {
        vec![format!("game {game}"), format!("cache load {named}")]
    } else if text.starts_with("{\"plyscope\":\"tournament\"") {
        let game = game_of(text, "\"game\":\"");
        game.into_iter().chain([format!("tournament show {named}")]).collect()
    } else if text.starts_with('(')
        && ["spec:", "save_interval:"].iter().all(|key| text.contains(key))
    {
        let game = game_of(text, "game:\"").or_else(|| game_of(text, "game: \""));
        game.into_iter().chain([format!("train show {named}")]).collect()
    } else if text.starts_with('(') && text.contains("players:") && !text.contains("line:") {
        let what = format!("`{file}` is a tournament to be played");
        return Err(Fault::new(what).hint(format!("`tournament run {named}` plays it")));
    } else if head.starts_with(&[0x1f, 0x8b]) || text.starts_with("{\"plytrace\"") {
        vec![format!("trace open {named}")]
    } else if let Some(what) = result_of(text, ends(".rote")) {
        return Err(Fault::new(format!("`{file}` is {what}, which is not opened")).hint(
            "give a script, a session, a training, a tournament's games, a trace, a game in PGN or a cache",
        ));
    } else if ends(".pgn") || text.starts_with("[Event ") {
        vec!["game chess".to_owned(), format!("pgn load {named}")]
    } else if ends(".ron") || text.starts_with('(') {
        vec![format!("session load {named}")]
    } else {
        vec![format!("source {named}")]
    })
}

/// The command that changes to the game which stands behind a word in a document.
fn game_of(text: &str, word: &str) -> Option<String> {
    let (_, rest) = text.split_once(word)?;
    let (game, _) = rest.split_once('"')?;
    let is_known = engine::games().any(|(known, _)| *known == game);
    is_known.then(|| format!("game {game}"))
}

/// What else the program writes, in a word, where a file is such a thing.
fn result_of(text: &str, is_rote: bool) -> Option<&'static str> {
    match text {
        _ if text.starts_with("<svg") || text.starts_with("<?xml") => Some("a picture"),
        _ if text.starts_with('{') => Some("a document of results in JSON"),
        _ if is_rote => Some("a table in seed 001's format (`cache load` reads it)"),
        _ => None,
    }
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
