//! Recognises the kind of a file by its content, and opens the file.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use serde_json::json;

use crate::{
    command::{
        Args, Fault, Replied, Shell, SourceOrigin, boxed, files,
        lexer::{self, Word},
        table,
    },
    engine::{
        self, cachefile,
        session::{position::PositionReport, reply::PlainReply},
        trace::TraceReader,
    },
};

const HEAD: u64 = 1 << 16;

/// The files that can be opened, as a hint.
const OPENED: &str =
    "give a script, a session, a training, a tournament's games, a trace, a game in PGN or a cache";

/// The commands that open files of one kind. Caches of the seeds are known by no content, so `cache load` is not among them.
pub(super) const OPENERS: [&str; 3] = ["trace open", "pgn load", "session load"];

/// Endings of file names, each with the content that it promises.
const ENDINGS: [(&str, &str); 5] = [
    (".pgn", "a game in PGN"),
    (".gz", "a packed trace"),
    (".ron", "a session"),
    (".ply", "a script"),
    ("cache", "a cache of this program (`cache load` reads those of the seeds)"),
];

pub(super) fn open(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    // The message has the place in the file; in the command, the file is the fault.
    let unread = |fault| args.blame("FILE", Fault { at: None, culprit: None, ..fault });
    let opening = Opening::of(file).map_err(unread)?;
    let source = || format!("source {}", lexer::quoted(file));
    let is_game = |it: &Opening| !it.command.starts_with("trace");
    let closes = opening.as_ref().is_some_and(is_game) && shell.engine.has_trace();
    let close = if closes { "trace close; " } else { "" };
    let now = shell.session().game().to_owned();
    let other = |it: &&Opening| closes || it.game.as_ref().is_some_and(|game| *game != now);
    if let Some(Opening { game, command, .. }) = opening.as_ref().filter(other) {
        // A file that cannot be read must not replace the session, so a session of its own reads it first. A session file
        // names its game itself.
        let reader = shell.engine.new_session(game.as_deref().unwrap_or("chess"))?;
        let former = shell.engine.exchange((reader, None));
        let tried = shell.look_up(command);
        shell.engine.exchange(former);
        tried.map_err(unread)?;
    }
    let text = opening.map_or_else(source, |opening| opening.commands(&now));
    let origin = SourceOrigin::Open(args.span("FILE"));
    shell.load(origin, &(close.to_owned() + &text)).map_err(|failure| unread(failure.fault))?;
    Ok(boxed(PlainReply::not_compared("", json!({"open": file}))))
}

/// The kind of a file that `opener` opens, which is `open` or one of [`OPENERS`]; `None` for other files, and for a script without the
/// ending `.ply`.
pub(super) fn kind_of(path: &Path, opener: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 6] = [
        ("cache", "a cache"),
        ("pgn", "games in PGN"),
        ("session", "a session"),
        ("tournament", "a tournament"),
        ("trace", "a trace"),
        ("train", "a training"),
    ];
    let file = path.to_str().filter(|_| path.is_file())?;
    match Opening::of(file).ok()? {
        Some(opening) if opener != "open" && !opening.command.starts_with(opener) => None,
        Some(opening) => KINDS.iter().find(|(command, _)| opening.command.starts_with(command)),
        None if opener != "open" => None,
        None => return file.to_lowercase().ends_with(".ply").then_some("a script"),
    }
    .map(|(_, kind)| *kind)
}

/// Opens a file of games. If it is of another game than the current one, a new session of that game reads it.
/// Errors: no game can be read; the fault is that of the current game.
pub(super) fn load_games(shell: &mut Shell, file: &str) -> Result<(PositionReport, usize), Fault> {
    let path = Path::new(file);
    shell.session_mut().load_game(path).or_else(|fault| {
        let game = Opening::of(file).ok().flatten().and_then(|it| it.game);
        let other = game.filter(|game| game != shell.session().game());
        let Some(game) = other else { return Err(fault) };
        let mut session = shell.engine.new_session(&game)?;
        let loaded = session.load_game(path).map_err(|_| fault)?;
        shell.engine.exchange((session, None));
        Ok(loaded)
    })
}

/// If the file that the command `tried` was to open is one for another command, a hint that names this one.
pub(super) fn opened_by_another(tried: &str, args: &Args<'_>) -> Option<String> {
    let is_opener = OPENERS.contains(&tried) || tried == "cache load";
    let file = is_opener.then(|| args.text("FILE"))??;
    let command = Opening::of(file).ok()??.command;
    (!command.starts_with(tried)).then(|| format!("`{command}` opens this file"))
}

/// How to open a file.
struct Opening {
    /// The game that the file belongs to; `None` if the command that opens the file selects the game.
    game: Option<String>,
    command: String,
}

impl Opening {
    /// The commands that open the file. If the session has the file's game, its settings and endgame tables stay.
    fn commands(self, current: &str) -> String {
        let game = self.game.filter(|game| game != current);
        let game = game.map(|game| format!("game {game}; "));
        game.unwrap_or_default() + &self.command
    }

    /// How to open a file; `None` for a script.
    fn of(file: &str) -> Result<Option<Self>, Fault> {
        let (mut opened, _) = files::open(Path::new(file))?;
        let mut head = Vec::new();
        let read = opened.by_ref().take(HEAD).read_to_end(&mut head);
        read.map_err(|error| Fault::new(format!("cannot read `{file}`: {error}")))?;
        let named = lexer::quoted(file);
        let text = String::from_utf8_lossy(&head);
        let text = text.trim_start();
        let ends_with = |end: &str| file.to_lowercase().ends_with(end);
        let refused = |what: String| Err(Fault::new(format!("`{file}` is {what}")).hint(OPENED));
        let expected = ENDINGS.iter().find(|(end, _)| ends_with(end));
        let expected = expected.map_or("a file that this program opens", |(_, what)| what);
        let is_packed = [&b"\x1f\x8b"[..], b"PLYB"].iter().any(|begin| head.starts_with(begin));
        let (game, command) = if let Some(game) = cachefile::game_of_file(&head) {
            (Some(game), "cache load")
        } else if text.starts_with("{\"plyscope\":\"tournament\"") {
            (game_of(text, "\"game\":\""), "tournament show")
        } else if text.starts_with('(')
            && ["spec:", "save_interval:"].iter().all(|key| text.contains(key))
        {
            (game_of(text, "game:\"").or_else(|| game_of(text, "game: \"")), "train show")
        } else if text.starts_with('(') && text.contains("players:") && !text.contains("line:") {
            let what = format!("`{file}` is a tournament that has not been played");
            return Err(Fault::new(what).hint(format!("`tournament run {named}` plays it")));
        } else if is_packed || text.starts_with("{\"plytrace\"") || ends_with(".jsonl") {
            if !is_packed {
                // A text without the header of a trace is refused before anything is opened.
                let refused = |fault: Fault| {
                    let message = format!("{file}: {}", fault.message);
                    Fault { message, ..fault }
                };
                TraceReader::new(&*head).map_err(refused)?;
            }
            (None, "trace open")
        } else if let Some(what) = result_of(text, ends_with(".rote")) {
            return refused(format!("{what}, which cannot be opened"));
        } else if text.starts_with('(') {
            (None, "session load")
        } else if head.is_empty() {
            return refused(format!("empty, not {expected}"));
        } else if head.iter().any(|byte| *byte < b'\t') {
            return refused(format!("binary, not {expected}"));
        } else if ends_with(".pgn") || text.starts_with("[Event ") {
            (Some(game_of_pgn(text).to_owned()), "pgn load")
        } else if ends_with(".ron") {
            (None, "session load")
        } else if !ends_with(".ply") && !begins_with_command(text) {
            return refused("not a file that this program opens".to_owned());
        } else {
            return Ok(None);
        };
        Ok(Some(Self { game, command: format!("{command} {named}") }))
    }
}

/// Whether the first statement of a text, if there is any, is a command.
fn begins_with_command(text: &str) -> bool {
    let is_command = |words: &[Word<'_>]| table().by_name(&lexer::texts(words)).is_some();
    lexer::next_statement(text, 0).is_none_or(|first| is_command(&first.words))
}

/// The game of a PGN file: chess, unless the tag `Variant` of the first game names another.
fn game_of_pgn(text: &str) -> &'static str {
    let first = text.split("\n\n").next().unwrap_or_default();
    let variant = first.split_once("[Variant \"").and_then(|(_, rest)| rest.split('"').next());
    variant.and_then(engine::game_of_variant).unwrap_or("chess")
}

/// The name of the game, which follows `word` in a document.
fn game_of(text: &str, word: &str) -> Option<String> {
    let (_, rest) = text.split_once(word)?;
    let (game, _) = rest.split_once('"')?;
    engine::games().any(|(known, _)| *known == game).then(|| game.to_owned())
}

/// The kind of a file that the program writes but cannot open; `None` for any other file.
fn result_of(text: &str, is_rote: bool) -> Option<&'static str> {
    match text {
        _ if text.starts_with("<svg") || text.starts_with("<?xml") => Some("a picture"),
        _ if text.starts_with('{') => Some("a document of results in JSON"),
        _ if is_rote => Some("a table in seed 001's format (`cache load` reads it)"),
        _ => None,
    }
}

/// What a front end runs: a script or commands.
#[derive(Clone, Debug)]
pub enum Input {
    /// A script file; `-` is standard input.
    Script(PathBuf),
    /// A file of another kind, which `open` opens.
    Open(PathBuf),
    /// Commands from arguments.
    Commands(String),
}

impl Input {
    /// A script, or a file of another kind.
    pub fn of(file: PathBuf) -> Result<Self, Fault> {
        if file == Path::new("-") {
            return Ok(Self::Script(file));
        }
        let opening = Opening::of(&file.to_string_lossy())?;
        Ok(if opening.is_some() { Self::Open(file) } else { Self::Script(file) })
    }

    /// The command line that runs this input.
    pub fn line(&self) -> String {
        match self {
            Self::Script(file) => format!("source {}", lexer::quoted(&file.to_string_lossy())),
            Self::Open(file) => format!("open {}", lexer::quoted(&file.to_string_lossy())),
            Self::Commands(line) => line.clone(),
        }
    }
}
