//! What every parser promises, whatever bytes it is given: it does not panic; what it has read is written so that it is read
//! back as the same; what it refuses is refused with a place inside the input, and then nothing has changed.
//!
//! A target panics where a promise is broken. `main.rs` runs all of them in `cargo test`; `coverage.rs` makes each a program
//! that libFuzzer guides.

use std::{cell::RefCell, fs, path::PathBuf, sync::LazyLock};

use plyscope::{
    command::{FAMILIES, Failure, Family, Outcome, Shell, Spec, Table, block, lexer, table},
    engine::{
        Engine,
        arena::{self, DrawRules, Player, State, roundlog, training},
        chess::Chess,
        debugger,
        expression::{self, Vocabulary},
        game::{Fault, Game, History, KeyScheme, Record},
        morris::Morris,
        settings::Settings,
        weighing::{Source, Suite},
    },
    tui::config,
    view,
};
use tempfile::TempDir;

/// A parser under test.
pub enum Target {
    /// It is given text.
    Text(fn(&str)),
    /// It is given any bytes, as a file.
    File(fn(&Folder, &[u8])),
}

/// Every target by name; its corpus is the folder `corpus/NAME`.
pub const TARGETS: &[(&str, Target)] = &[
    ("command_line", Target::Text(command_line)),
    ("expect", Target::Text(expect)),
    ("morris_position", Target::Text(position::<Morris>)),
    ("fen", Target::Text(position::<Chess>)),
    ("morris_moves", Target::Text(moves::<Morris>)),
    ("chess_moves", Target::Text(moves::<Chess>)),
    ("pgn", Target::Text(pgn)),
    ("keys", Target::Text(keys)),
    ("expression", Target::Text(expression)),
    ("settings", Target::Text(settings)),
    ("player", Target::Text(player)),
    ("session", Target::File(session)),
    ("cache_native", Target::File(cache_native)),
    ("cache_seed", Target::File(cache_seed)),
    ("journal", Target::File(journal)),
    ("tournament", Target::Text(tournament)),
    ("training", Target::File(training)),
    ("round_log", Target::Text(round_log)),
    ("suite", Target::File(suite)),
    ("config", Target::File(config)),
];

/// Gives a target one input.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    match target.expect("a target of this name") {
        (_, Target::Text(target)) => std::str::from_utf8(bytes).map_or((), target),
        (_, Target::File(target)) => FOLDER.with(|folder| target(folder, bytes)),
    }
}

thread_local! {
    static FOLDER: Folder = Folder(tempfile::tempdir().expect("a folder for files"));
}

/// Where the files under test lie.
pub struct Folder(TempDir);

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file that was written")
    }

    /// A command with files of this folder, written `@NAME`.
    fn command(&self, line: &str) -> String {
        line.replace('@', &format!("{}/", self.0.path().display()))
    }
}

// ---- promises ----

/// A fault says something, and points into its text.
fn check_fault(text: &str, fault: &Fault) {
    assert!(!fault.message.is_empty(), "a fault without words");
    if let Some(at) = &fault.at {
        assert!(text.get(at.clone()).is_some(), "{fault:?} is not inside");
    }
}

/// A line and a column, both from 1, are inside a text; one column behind the end of a line is where something is missing.
fn check_place(text: &str, line: usize, column: usize) {
    let found = text.split('\n').nth(line.wrapping_sub(1));
    let columns = found.unwrap_or_else(|| panic!("no line {line}")).chars().count();
    assert!((1..=columns + 1).contains(&column), "no column {line}:{column}");
}

/// The place that a message names in the file `input` is inside it.
fn check_said(bytes: &[u8], message: &str) {
    let number = |text: &str| -> Option<(usize, usize)> {
        let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..length].parse().ok()?, length))
    };
    let behind = message.split_once("input:").map(|(_, rest)| rest.trim_start());
    let Some(rest) = behind.map(|rest| rest.strip_prefix("line ").unwrap_or(rest)) else {
        return;
    };
    let Some((line, length)) = number(rest) else {
        return;
    };
    let column = [":", ", column "].into_iter().find_map(|sign| number(rest[length..].strip_prefix(sign)?));
    check_place(&String::from_utf8_lossy(bytes), line, column.map_or(1, |(column, _)| column));
}

/// What failed can be shown, and stands where it says.
fn check_failure(text: &str, failure: &Failure) {
    assert!(!view::failure(failure, view::Colour::Off).is_empty());
    assert!(!failure.fault.message.is_empty(), "a failure without words");
    if let Some(place) = &failure.place {
        check_place(text, place.line, place.column);
        assert_eq!(text.lines().nth(place.line - 1).unwrap_or_default(), place.source);
    }
}

/// The last outcome of a line, looked at; a line always has one.
fn outcome(shell: &mut Shell, line: &str) -> Outcome {
    let outcome = shell.run_line(line).pop().expect("an outcome");
    match &outcome {
        Ok(reply) => drop(view::reply(reply)),
        Err(failure) => check_failure(line, failure),
    }
    outcome
}

/// A line that must work, and its reply as JSON.
fn reply(shell: &mut Shell, line: &str) -> String {
    let reply = outcome(shell, line).unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    view::json::render(&reply.report)
}

/// All that a command may change.
fn state(shell: &mut Shell) -> Vec<String> {
    let lines = [
        "position show", "search show", "cache stats", "cache list --limit 3", "info breakpoints", "weights list", "alias",
    ];
    lines.map(|line| reply(shell, line)).into()
}

/// A word of a command line that stands for this text.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Does something in every game under every policy, in the middle of a search that stands at a breakpoint.
fn each_shell(work: impl FnMut(&mut Shell)) {
    thread_local! {
        static SHELLS: RefCell<Vec<Shell>> = RefCell::new(
            ["game morris", "game chess"].iter().flat_map(|game| {
                ["interval", "bound", "exact", "rote"].map(|memo| {
                    let line = format!("{game}; search set memo={memo} depth=3 budget=off; break ply=2; step 200");
                    shell_after(&line)
                })
            }).collect(),
        );
    }
    SHELLS.with_borrow_mut(|shells| shells.iter_mut().for_each(work));
}

/// A fresh shell in which a line has been run.
fn shell_after(line: &str) -> Shell {
    let mut shell = Shell::default();
    reply(&mut shell, line);
    shell
}

// ---- commands ----

/// All commands; those that reach beyond the shell only show the position.
static INERT: LazyLock<Table> = LazyLock::new(|| {
    const KEPT: [&str; 8] = ["alias", "unalias", "echo", "expect", "help", "version", "break", "commands"];
    let (show, _) = table().exact(&["position", "show"]).expect("a command");
    let inert = |spec: &Spec| {
        let run = if KEPT.contains(&spec.name) { spec.run } else { show.run };
        Spec { run, ..*spec }
    };
    let family = |family: &Family| Family {
        title: family.title,
        commands: Vec::leak(family.commands.iter().map(inert).collect()),
    };
    Table::new(Vec::leak(FAMILIES.iter().map(family).collect()))
});

fn command_line(text: &str) {
    let (mut from, mut last) = (0, 0);
    while let Some(lexed) = lexer::next_statement(text, from) {
        assert!(lexed.end > from && text.is_char_boundary(lexed.end), "the lexer stands still");
        for word in &lexed.statement.words {
            assert!(word.span.start >= last && text.get(word.span.clone()).is_some(), "{word:?}");
            last = word.span.end;
        }
        let words = |lexed: &lexer::Lexed<'_>| -> Vec<String> {
            lexed.statement.words.iter().map(|word| word.text.clone().into_owned()).collect()
        };
        let line: Vec<_> = words(&lexed).iter().map(|word| quoted(word)).collect();
        if lexed.problem.is_none() {
            let line = line.join(" ");
            assert_eq!(lexer::next_statement(&line, 0).map(|again| words(&again)), Some(words(&lexed)));
        }
        from = lexed.end;
    }
    if let Some(problem) = block::check(text) {
        assert!(text.get(problem.at.clone()).is_some(), "{problem:?}");
    }
    let mut shell = Shell::with_table(Engine::default(), &INERT);
    let (start, _) = shell.completions().complete(text);
    assert!(text.is_char_boundary(start), "what is completed begins inside a character");
    shell.completions().usage_hint(text);
    for outcome in shell.run_line(text) {
        match outcome {
            Ok(reply) => drop(view::reply(&reply)),
            Err(failure) => check_failure(text, &failure),
        }
    }
}

fn expect(text: &str) {
    command_line(&format!("position show\nexpect {text}"));
}

/// Filters and conditions as expressions and in the commands that take them.
fn expression(text: &str) {
    fn read(text: &str, vocabulary: &impl Vocabulary) {
        match expression::read(text, vocabulary) {
            Err(fault) => check_fault(text, &fault),
            Ok(read) => {
                let again = expression::read(&format!("({text})"), vocabulary);
                // One pair of parentheses more can be one too many.
                if let Ok(again) = again {
                    assert_eq!(format!("{read:?}"), format!("{again:?}"));
                }
            }
        }
    }
    read(text, &debugger::Names(&Morris::default()));
    read(text, &debugger::Names(&Chess::default()));
    each_shell(|shell| {
        for command in ["print", "cache count", "condition 1"] {
            let before = state(shell);
            if outcome(shell, &format!("{command} {}", quoted(text))).is_err() {
                assert_eq!(state(shell), before, "{command}");
            }
        }
    });
}

fn settings(text: &str) {
    let mut settings = Settings::default();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let before = settings.clone();
        match settings.set(name, value) {
            Err(fault) => {
                check_fault(value, &fault);
                assert_eq!(settings, before);
            }
            Ok(()) => {
                let mut again = Settings::default();
                for (name, value) in settings.list() {
                    again.set(name, &value).expect("a setting as it is listed");
                }
                assert_eq!(again.list(), settings.list());
            }
        }
    }
}

// ---- notations ----

fn position<G: Game + Default>(text: &str) {
    let game = G::default();
    match game.parse_position(text) {
        Err(fault) => check_fault(text, &fault),
        Ok(position) => check_position(&game, &position),
    }
}

/// A position is written so that it is read again, and can be looked at in every way.
fn check_position<G: Game>(game: &G, position: &G::Position) {
    let written = game.format_position(position);
    assert_eq!(game.parse_position(&written).as_ref(), Ok(position), "{written}");
    let logged = game.format_logged(position);
    let read = game.parse_logged(&logged, game.side(position));
    assert_eq!(read.as_ref(), Ok(position), "{logged}");
    game.draw(position, true);
    game.situation(position, &G::History::default());
    game.terms(&game.default_weights(), position);
    for scheme in [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical] {
        check_key(game, game.key(position, scheme));
    }
}

/// A key is written so that it is read again, as text and as bytes.
fn check_key<G: Game>(game: &G, key: G::Key) {
    let written = game.format_key(key);
    assert_eq!(game.parse_key(&written), Ok(key), "{written}");
    let mut bytes = Vec::new();
    game.write_key(key, &mut bytes);
    assert_eq!(game.read_key(&bytes), Ok(key), "{bytes:?}");
    if let Some(position) = game.decode(key) {
        game.draw(&position, true);
    }
}

/// A position on the first line, then a move a line, each played where it can be.
fn moves<G: Game + Default>(text: &str) {
    let game = G::default();
    let (state, moves) = text.split_once('\n').unwrap_or(("", text));
    let mut position = game.parse_position(state).unwrap_or_else(|_| game.start());
    let mut history = G::History::default();
    for word in moves.lines() {
        let read = |text: &str| game.parse_move(&position, &history, text);
        match read(word) {
            Err(fault) => check_fault(word, &fault),
            Ok(mv) => {
                assert_eq!(read(&game.format_move(&position, mv)), Ok(mv));
                if let Some(name) = game.name_move(&position, mv) {
                    assert_eq!(read(&name), Ok(mv), "{name}");
                }
                let next = game.apply(&position, mv);
                history.push(&position);
                position = next;
                check_position(&game, &position);
            }
        }
    }
}

fn pgn(text: &str) {
    let game = Chess::default();
    match game.import(text) {
        Err(fault) => check_fault(text, &fault),
        Ok((start, moves)) => {
            let record = Record { start: &start, moves: &moves, tags: &[] };
            let written = game.export(&record).expect("chess has PGN");
            assert_eq!(game.import(&written), Ok((start, moves)), "{written}");
        }
    }
}

/// Keys by themselves, and with depths and whatever else commands take for a key, under every policy.
fn keys(text: &str) {
    fn read<G: Game + Default>(text: &str) {
        let game = G::default();
        match game.parse_key(text) {
            Err(fault) => check_fault(text, &fault),
            Ok(key) => check_key(&game, key),
        }
        if let Ok(key) = game.read_key(text.as_bytes()) {
            check_key(&game, key);
        }
    }
    read::<Morris>(text);
    read::<Chess>(text);
    each_shell(|shell| {
        let (key, before) = (quoted(text), state(shell));
        if outcome(shell, &format!("cache set {key} value=0.25")).is_err() {
            assert_eq!(state(shell), before);
        } else {
            reply(shell, &format!("cache get {key}; cache remove {key}"));
        }
    });
}

fn player(text: &str) {
    fn read<G: Game + Default>(text: &str) {
        match Player::read::<G>(text) {
            Err(fault) => check_fault(text, &fault),
            Ok(player) => assert_eq!(Player::read::<G>(&player.line::<G>()), Ok(player)),
        }
    }
    read::<Morris>(text);
    read::<Chess>(text);
}

fn tournament(text: &str) {
    match arena::Spec::read(text) {
        Err(fault) => check_fault(text, &fault),
        Ok(spec) => {
            let written = spec.write().expect("a tournament as text");
            assert_eq!(arena::Spec::read(&written), Ok(spec.clone()), "{written}");
            drop(spec.plan(&Morris::default()));
            drop(spec.plan(&Chess::default()));
        }
    }
}

fn round_log(text: &str) {
    fn read<G: Game + Default>(text: &str) {
        let game = G::default();
        let games = match roundlog::read(&game, text) {
            Err(fault) => return check_fault(text, &fault),
            Ok(games) => games,
        };
        let lines = |games: &[roundlog::Logged]| -> Vec<_> {
            games.iter().map(|logged| (logged.line.moves.clone(), logged.line.winner)).collect()
        };
        let named = games.iter().map(|logged| (&logged.line, ["a", "b"]));
        let written = roundlog::write(&game, &DrawRules::usual::<G>(), named).expect("a log");
        let again = roundlog::read(&game, &written).expect("the log that was written");
        assert_eq!(lines(&games), lines(&again), "{written}");
    }
    read::<Morris>(text);
    read::<Chess>(text);
}

// ---- files ----

fn session(folder: &Folder, bytes: &[u8]) {
    folder.write("input", bytes);
    let mut shell = shell_after("play a7; alias nn = next; break ply=2; weights define w mills=5");
    let before = state(&mut shell);
    if let Err(failure) = outcome(&mut shell, &folder.command("session load @input")) {
        check_said(bytes, &failure.fault.message);
        assert_eq!(state(&mut shell), before);
        return;
    }
    reply(&mut shell, &folder.command("session save @once"));
    reply(&mut shell, &folder.command("session load @once; session save @twice"));
    assert_eq!(folder.read("once"), folder.read("twice"));
    // What is loaded can be worked with. Breakpoints go first: theirs are commands of the file's author.
    for line in ["delete", "step 3", "where", "back 1"] {
        drop(outcome(&mut shell, line));
    }
}

fn cache_native(folder: &Folder, bytes: &[u8]) {
    cache(folder, bytes, "native");
    cache(folder, &with_sums(bytes), "native");
}

fn cache_seed(folder: &Folder, bytes: &[u8]) {
    cache(folder, bytes, "seed-search");
    cache(folder, bytes, "seed-rote");
}

/// A cache file in a shell whose game and policy are the file's.
fn cache(folder: &Folder, bytes: &[u8], format: &str) {
    folder.write("input", bytes);
    let mut shell = Shell::default();
    drop(outcome(&mut shell, &folder.command("cache info @input")));
    let said = |path: &str| shell.last_reply().and_then(|info| info.pointer(path)?.as_str()).map(str::to_owned);
    let policy = match format {
        "seed-search" => "interval".into(),
        "seed-rote" => "rote".into(),
        _ => said("/header/policy").unwrap_or_default(),
    };
    for line in [format!("game {}", said("/header/game").unwrap_or_default()), format!("search set memo={policy}")] {
        drop(outcome(&mut shell, &line));
    }
    let before = state(&mut shell);
    let all = |shell: &mut Shell| reply(shell, "cache list --limit 1000000");
    match outcome(&mut shell, &folder.command(&format!("cache load @input --format {format}"))) {
        Err(_) => assert_eq!(state(&mut shell), before),
        Ok(_) => {
            let loaded = all(&mut shell);
            reply(&mut shell, &folder.command(&format!("cache save @saved --format {format}; cache clear; cache load @saved")));
            assert_eq!(all(&mut shell), loaded);
        }
    }
    drop(outcome(&mut shell, &folder.command("cache check @input --sample 0")));
    drop(outcome(&mut shell, &folder.command(&format!("cache repair @input @mended --format {format}"))));
}

/// A native file with its check sums set right, so that what stands behind them is looked at: one ends the header and each block.
fn with_sums(bytes: &[u8]) -> Vec<u8> {
    let begins = |at: &usize| *at == 0 || [b"BLCK", b"DONE"].iter().any(|mark| bytes[*at..].starts_with(*mark));
    let mut ends: Vec<usize> = (0..bytes.len()).filter(begins).collect();
    ends.push(bytes.len());
    let mut bytes = bytes.to_vec();
    for part in ends.windows(2).filter(|part| part[1] - part[0] > 4) {
        let sum = crc32fast::hash(&bytes[part[0]..part[1] - 4]);
        bytes[part[1] - 4..part[1]].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

fn journal(folder: &Folder, bytes: &[u8]) {
    let path = folder.write("input", bytes);
    match State::read(&path) {
        Err(fault) => check_said(bytes, &fault.message),
        Ok((state, _)) => {
            let text = state.text().expect("a state as text");
            let (again, notes) = State::read(&folder.write("again", text.as_bytes())).expect("the state that was written");
            assert!(notes.is_empty(), "{notes:?}");
            assert_eq!(again.text(), Ok(text));
        }
    }
    let mut shell = Shell::default();
    for line in ["tournament load @input", "tournament show", "tournament save @out.json", "match show 1"] {
        drop(outcome(&mut shell, &folder.command(line)));
    }
}

fn training(folder: &Folder, bytes: &[u8]) {
    let path = folder.write("input.ron", bytes);
    if let Err(fault) = training::Files::of(&path).and_then(|files| files.read()) {
        check_said(bytes, &fault.message.replace("input.ron", "input"));
    }
}

fn suite(folder: &Folder, bytes: &[u8]) {
    fn read<G: Game + Default>(folder: &Folder, bytes: &[u8]) {
        let game = G::default();
        match Suite::from_source(&game, Source::File(&folder.write("input", bytes))) {
            Err(fault) => check_said(bytes, &fault.message),
            Ok(suite) => suite.positions.iter().for_each(|posed| check_position(&game, &posed.position)),
        }
    }
    read::<Morris>(folder, bytes);
    read::<Chess>(folder, bytes);
}

fn config(folder: &Folder, bytes: &[u8]) {
    if let Err(message) = config::load(Some(&folder.write("input", bytes))) {
        check_said(bytes, &message);
    }
}
