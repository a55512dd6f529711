//! Properties of every parser for any input: no panic; what is read can be written and read back unchanged; a refused
//! input has a place inside the input and changes nothing.
//!
//! A target panics where a promise is broken. `main.rs` runs all of them in `cargo test`; `coverage.rs` makes each a program
//! that libFuzzer guides.

use std::{cell::RefCell, fs, path::PathBuf, sync::LazyLock};

use plyscope::{
    command::{
        CommandSpec, CommandTable, FAMILIES, Failure, Family, Outcome, Shell, SourceOrigin,
        command_list, lexer, table,
    },
    config,
    engine::{
        Engine,
        arena::{Player, TournamentSpec, read_log},
        cachefile::unmonitored,
        chess::Chess,
        debugger,
        expression::{self, Vocabulary},
        game::{
            Fault, Game, History, Key as _, KeyScheme, TaggedGame,
            pgn::{self, GameIndex},
        },
        morris::Morris,
        rulebook,
        settings::Settings,
        suite::{Suite, SuiteSource},
        trace::{Checker, DiffRules, Differ, TraceReader, piped_trace},
        training::Training,
    },
    text::style::Scale,
    tui::panes,
    view,
};
use tempfile::TempDir;

/// A parser under test.
pub enum Target {
    /// For text.
    Text(fn(&str)),
    /// For a file of any bytes.
    File(fn(&[u8])),
}

/// Every target by name; its corpus is in the folder `corpus/NAME`.
pub const TARGETS: &[(&str, Target)] = &[
    ("command_line", Target::Text(command_line)),
    ("expect", Target::Text(expect)),
    ("morris_position", Target::Text(position::<Morris>)),
    ("fen", Target::Text(position::<Chess>)),
    ("morris_moves", Target::Text(moves::<Morris>)),
    ("chess_moves", Target::Text(moves::<Chess>)),
    ("pgn", Target::Text(games::<Chess>)),
    ("pgn_morris", Target::Text(games::<Morris>)),
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
    ("trace", Target::File(trace)),
];

/// Runs a target on one input.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    match target.expect("a target of this name") {
        (_, Target::Text(target)) => std::str::from_utf8(bytes).map_or((), target),
        (_, Target::File(target)) => target(bytes),
    }
}

/// A path in this thread's own folder.
fn file(name: &str) -> PathBuf {
    thread_local! {
        static FOLDER: TempDir = tempfile::tempdir().expect("a folder for files");
    }
    FOLDER.with(|folder| folder.path().join(name))
}

/// [`file`] with these bytes in it.
fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = file(name);
    fs::write(&path, bytes).expect("a file");
    path
}

/// A command in which `@NAME` is a file of this folder.
fn command(line: &str) -> String {
    line.replace('@', &file("").to_string_lossy())
}

// ---- properties ----

/// A fault has a message, and a place inside its text.
fn check_fault(text: &str, fault: &Fault) {
    assert!(!fault.message.is_empty(), "a fault without words");
    if let Some(at) = &fault.at {
        assert!(text.get(at.clone()).is_some(), "{fault:?} is not inside");
    }
}

/// A line and a column, both from 1, are inside a text; for something missing the column is one past the end of a line.
fn check_place(text: &str, line: usize, column: usize) {
    let line = text.split('\n').nth(line.wrapping_sub(1)).expect("a line of the input");
    assert!((1..=line.chars().count() + 1).contains(&column), "no column {column}");
}

/// A place in a message about the file `input`, as `:LINE:COLUMN` or in words, is inside the file.
fn check_said(bytes: &[u8], message: &str) {
    let said = message.split_once("input:").map_or("", |(_, said)| said);
    let said = said.replacen(" line ", "", 1).replacen(", column ", ":", 1);
    let mut numbers = said.split(':').map_while(|number| number.parse().ok());
    if let Some(line) = numbers.next() {
        check_place(&String::from_utf8_lossy(bytes), line, numbers.next().unwrap_or(1));
    }
}

/// A failure can be printed, and its place is inside its statement.
fn check_failure(text: &str, failure: &Failure) {
    assert!(!view::failure(failure, view::Colour::Off).is_empty());
    assert!(!failure.fault.message.is_empty(), "a failure without words");
    if let Some(place) = &failure.place {
        check_place(text, place.line, place.column);
        assert_eq!(text.lines().nth(place.line - 1).unwrap_or_default(), place.source);
    }
}

/// The last outcome of a line, checked; every line has one.
fn outcome(shell: &mut Shell, line: &str) -> Outcome {
    let outcome = shell.run_line(line).pop().expect("an outcome");
    match &outcome {
        Ok(reply) => drop(view::response(reply)),
        Err(failure) => check_failure(line, failure),
    }
    outcome
}

/// The reply of a line that must succeed, as JSON.
fn reply(shell: &mut Shell, line: &str) -> String {
    let reply = outcome(shell, line).unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    view::json_reply(&reply)
}

/// Everything that a command can change.
fn state(shell: &mut Shell) -> Vec<String> {
    let lines = [
        "position show",
        "search show",
        "cache stats",
        "cache list --limit 3",
        "info breakpoints",
        "weights list",
        "alias",
    ];
    lines.map(|line| reply(shell, line)).into()
}

/// This text quoted as one word of a command line.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Runs the body in both games with every policy, each in the middle of a search with a breakpoint.
fn each_shell(work: impl FnMut(&mut Shell)) {
    thread_local! {
        static SHELLS: RefCell<Vec<Shell>> = RefCell::new(
            [("morris", "interval"), ("morris", "rote"), ("chess", "bound"), ("chess", "exact")]
                .map(|(game, policy)| {
                    shell_after(&format!("game {game}; search set memo={policy} depth=3; break ply=2; step 200"))
                })
                .into(),
        );
    }
    SHELLS.with_borrow_mut(|shells| shells.iter_mut().for_each(work));
}

/// A new shell that has run a line.
fn shell_after(line: &str) -> Shell {
    let mut shell = Shell::default();
    reply(&mut shell, line);
    shell
}

// ---- commands ----

/// All commands; those that reach outside of the shell are replaced by `position show`.
static INERT: LazyLock<CommandTable> = LazyLock::new(|| {
    const KEPT: [&str; 8] =
        ["alias", "unalias", "echo", "expect", "help", "version", "break", "commands"];
    let (show, _) = table().exact(&["position", "show"]).expect("a command");
    let inert = |spec: &CommandSpec| {
        let run = if KEPT.contains(&spec.name) { spec.run } else { show.run };
        CommandSpec { run, ..spec.clone() }
    };
    let family = |family: &Family| Family {
        title: family.title,
        commands: family.commands.iter().map(inert).collect(),
    };
    CommandTable { families: Vec::leak(FAMILIES.iter().map(family).collect()) }
});

fn command_line(text: &str) {
    let (mut from, mut last) = (0, 0);
    while let Some(lexed) = lexer::next_statement(text, from) {
        assert!(lexed.end > from && text.is_char_boundary(lexed.end), "the lexer stands still");
        for word in &lexed.words {
            assert!(word.span.start >= last && text.get(word.span.clone()).is_some(), "{word:?}");
            last = word.span.end;
        }
        let words = |lexed: &lexer::Statement<'_>| -> Vec<String> {
            lexed.words.iter().map(|word| word.text.clone().into_owned()).collect()
        };
        let line: Vec<_> = words(&lexed).iter().map(|word| quoted(word)).collect();
        if lexed.problem.is_none() {
            let line = line.join(" ");
            assert_eq!(
                lexer::next_statement(&line, 0).map(|again| words(&again)),
                Some(words(&lexed))
            );
        }
        from = lexed.end;
    }
    if let Some(problem) = command_list::check(text) {
        assert!(text.get(problem.at.clone()).is_some(), "{problem:?}");
    }
    let mut shell = Shell::with_table(Engine::default(), &INERT);
    let completions = shell.completions();
    let (start, _) = completions.complete(text);
    assert!(text.is_char_boundary(start), "what is completed begins inside a character");
    drop(completions.usage_hint(text));
    for outcome in shell.run_line(text) {
        match outcome {
            Ok(reply) => drop(view::response(&reply)),
            Err(failure) => check_failure(text, &failure),
        }
    }
}

fn expect(text: &str) {
    command_line(&format!("position show\nexpect {text}"));
}

/// Filters and conditions, as expressions and in commands.
fn expression(text: &str) {
    fn read(text: &str, vocabulary: &impl Vocabulary) {
        match expression::read(text, vocabulary) {
            Err(fault) => check_fault(text, &fault),
            Ok(read) => {
                let again = expression::read(&format!("({text})"), vocabulary);
                // One more pair of parentheses may exceed the greatest nesting.
                if let Ok(again) = again {
                    assert_eq!(format!("{read:?}"), format!("{again:?}"));
                }
            }
        }
    }
    let scale = Scale::Distances { win: 2.0, ply: 1e-4 };
    read(text, &debugger::Names(&Morris::default(), scale));
    let scale = Scale::Centipawns { mate: Some(99_999.0), threshold: 90_000.0, greatest: 99_999.0 };
    read(text, &debugger::Names(&Chess::default(), scale));
    each_shell(|shell| {
        let (text, before) = (quoted(text), state(shell));
        drop(outcome(shell, &format!("print {text}")));
        drop(outcome(shell, &format!("cache list {text}")));
        if outcome(shell, &format!("condition 1 {text}")).is_err() {
            assert_eq!(state(shell), before);
        }
    });
}

fn settings(text: &str) {
    let mut settings = Settings::default();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let before = settings.clone();
        if let Err(fault) = settings.set(name, value) {
            check_fault(value, &fault);
            assert_eq!(settings, before);
        }
        let mut again = Settings::default();
        for (name, value) in settings.list() {
            again.set(name, &value).expect("a setting as it is listed");
        }
        assert_eq!(again.list(), settings.list());
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

/// A position reads back as it was written, and every view of it works.
fn check_position<G: Game>(game: &G, position: &G::Position) {
    let written = game.format_position(position);
    assert_eq!(game.parse_position(&written).as_ref(), Ok(position), "{written}");
    if let Some(files) = game.seed_files() {
        let logged = files.parse_logged(&written, game.side(position));
        assert_eq!(logged.as_ref(), Ok(position), "{written}");
    }
    game.draw(position);
    game.status(position, &G::History::default());
    game.terms(&game.default_weights(), position);
    for scheme in [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical] {
        check_key(game, game.key(position, scheme));
    }
}

/// A key reads back as it was written, as text and as bytes.
fn check_key<G: Game>(game: &G, key: G::Key) {
    let written = game.format_key(key);
    assert_eq!(game.parse_key(&written), Ok(key), "{written}");
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    assert_eq!(G::Key::read(&bytes), Ok(key), "{bytes:?}");
    if let Some(position) = game.decode(key) {
        game.draw(&position);
    }
}

/// A position on the first line, then one move a line, played if legal.
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
                if let Some(name) = game.san(&position, mv) {
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

fn trace(bytes: &[u8]) {
    run_trace(bytes);
    compare_traces(bytes);
    let read = || TraceReader::new(piped_trace(bytes).expect("bytes can be read"));
    let Ok(mut reader) = read() else {
        return;
    };
    let header = reader.header().clone();
    let rules = header.game.as_deref().and_then(|game| rulebook(Engine::default().session(), game));
    let mut checker = Checker::new(&header, rules, false, 3);
    while let Ok(Some(event)) = reader.next_event() {
        checker.check(&event);
    }
    let found = checker.finish(true);
    let counted: u64 = found.counts.values().sum();
    assert!(found.findings.len() as u64 <= counted);
    assert!(found.findings.iter().all(|finding| finding.event <= found.events));
}

/// A trace is the same as itself, up to the first line that cannot be read. Compared with its own half, no event is lost.
fn compare_traces(bytes: &[u8]) {
    for (second, rules) in [(bytes, ""), (&bytes[..bytes.len() / 2], "k,eval")] {
        let traces =
            [bytes, second].map(|bytes| TraceReader::new(piped_trace(bytes).expect("bytes")));
        let [Ok(mut first), Ok(mut second)] = traces else {
            return;
        };
        let mut differ = Differ::new(DiffRules::new(rules, 0).expect("the names are known"), 3);
        let mut read = Ok(true);
        while let Ok(true) = read {
            read = differ.advance([&mut first, &mut second]);
        }
        let found = format!("{:?}", differ.finish());
        assert!(!rules.is_empty() || found.contains("{ partings: [], "), "{found}");
    }
}

/// A trace, packed or not, is run to the first line that cannot be read, and back.
fn run_trace(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace");
    fs::write(&path, bytes).expect("a file");
    let mut shell = Shell::default();
    if shell.look_up(&format!("trace open {} --salvage", path.display())).is_err() {
        assert_eq!(shell.session().game(), "morris");
        return;
    }
    for line in ["where", "step", "until store", "continue", "cache list", "where", "print"] {
        let _ = shell.look_up(line);
    }
    let end = state_of_trace(&mut shell);
    let _ = shell.look_up("explain tree --time 50");
    let _ = shell.look_up("back 3");
    let _ = shell.look_up("continue");
    assert_eq!(state_of_trace(&mut shell), end);
}

fn state_of_trace(shell: &mut Shell) -> [String; 2] {
    ["where", "cache list"].map(|line| match shell.look_up(line) {
        Ok(reply) => reply.text(),
        Err(fault) => fault.to_string(),
    })
}

/// Games with comments, annotations and variations read back as they are written, and the places of games cover the file.
fn games<G: Game + Default>(text: &str) {
    let game = G::default();
    let spans = GameIndex::of(text.as_bytes()).spans;
    assert!(spans.windows(2).all(|pair| pair[0].end == pair[1].start), "{spans:?}");
    let (games, faults) = pgn::read_all(&game, text);
    for fault in &faults {
        check_fault(text, fault);
    }
    for read in games {
        let record = TaggedGame { tags: Vec::new(), ..read };
        let written = pgn::write(&game, &record);
        let again = pgn::read(&game, &written).expect("what was written").expect("a game");
        assert_eq!(again.line(), record.line(), "{written}");
        let twice = pgn::write_moves(&game, &again);
        assert!(written.ends_with(&twice), "{written}\n{twice}");
        assert!(pgn::lost_content(&game, &written, &written).is_empty(), "{written}");
    }
}

/// Keys alone, and with depths and everything else that commands accept as a key, with every policy.
fn keys(text: &str) {
    fn read<G: Game + Default>(text: &str) {
        let game = G::default();
        match game.parse_key(text) {
            Err(fault) => check_fault(text, &fault),
            Ok(key) => check_key(&game, key),
        }
        if let Ok(key) = G::Key::read(text.as_bytes()) {
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
        match Player::read(&G::default(), text) {
            Err(fault) => check_fault(text, &fault),
            Ok(player) => {
                assert_eq!(Player::read(&G::default(), &player.line(&G::default())), Ok(player));
            }
        }
    }
    read::<Morris>(text);
    read::<Chess>(text);
}

fn tournament(text: &str) {
    match TournamentSpec::read(text) {
        Err(fault) => check_fault(text, &fault),
        Ok(spec) => {
            let written = spec.write().expect("a tournament as text");
            assert_eq!(TournamentSpec::read(&written), Ok(spec.clone()), "{written}");
            drop(spec.plan(&Morris::default()));
            drop(spec.plan(&Chess::default()));
        }
    }
}

fn round_log(text: &str) {
    fn read<G: Game + Default>(text: &str) {
        let game = G::default();
        match read_log(&game, text) {
            Err(fault) => check_fault(text, &fault),
            Ok(games) => games.records.iter().for_each(|record| {
                record.read(&game).expect("moves that were found");
            }),
        }
    }
    read::<Morris>(text);
    read::<Chess>(text);
}

// ---- files ----

/// Loads a file: a refused file changes nothing, and a loaded file is saved and loaded again unchanged.
fn load(shell: &mut Shell, bytes: &[u8], [kind, saver]: [&str; 2], ending: &str) -> bool {
    write("input", bytes);
    let before = state(shell);
    if let Err(failure) = outcome(shell, &command(&format!("{kind} load @input"))) {
        check_said(bytes, &failure.fault.message);
        assert_eq!(state(shell), before);
        return false;
    }
    let [once, twice] = ["once", "twice"].map(|name| format!("{name}{ending}"));
    let line = format!("{saver} save @{once}; {kind} load @{once}; {saver} save @{twice}");
    reply(shell, &command(&line));
    assert_eq!(fs::read(file(&once)).ok(), fs::read(file(&twice)).ok());
    true
}

fn session(bytes: &[u8]) {
    let mut shell = shell_after("play a7; alias nn = next; break ply=2; weights define w mills=5");
    if load(&mut shell, bytes, ["session"; 2], "") {
        for line in ["step 3", "where", "back 1"] {
            // Only one statement: the breakpoints' commands in the file could do anything.
            shell.load(SourceOrigin::Typed, line).expect("a statement");
            drop(shell.advance());
            shell.abandon();
        }
    }
}

fn journal(bytes: &[u8]) {
    for game in ["game morris", "game chess"] {
        let mut shell = shell_after(game);
        if load(&mut shell, bytes, ["tournament", "match"], ".jsonl") {
            reply(&mut shell, "tournament show; match show");
        }
    }
}

fn cache_native(bytes: &[u8]) {
    cache(bytes, "native");
    cache(&with_sums(bytes), "native");
}

fn cache_seed(bytes: &[u8]) {
    cache(bytes, "seed-search");
    cache(bytes, "seed-rote");
}

/// A cache file in a shell with the file's game and policy.
fn cache(bytes: &[u8], format: &str) {
    write("input", bytes);
    let mut shell = Shell::default();
    drop(outcome(&mut shell, &command("cache info @input")));
    let said = |name: &str| {
        let header = shell.last_reply()?["header"].as_array()?.clone();
        let pair = header.iter().find(|pair| pair[0] == name)?;
        Some(pair[1].as_str()?.to_owned())
    };
    let (game, policy) = match format {
        "seed-search" => (None, Some("interval".to_owned())),
        "seed-rote" => (None, Some("rote".to_owned())),
        _ => (said("game"), said("memo")),
    };
    for (command, value) in [("game ", game), ("search set memo=", policy)] {
        let value = quoted(&value.unwrap_or_default());
        drop(outcome(&mut shell, &format!("{command}{value}")));
    }
    let before = state(&mut shell);
    let all = |shell: &mut Shell| reply(shell, "cache list --limit 1000000");
    let format = format!("--format {format}");
    if outcome(&mut shell, &command(&format!("cache load @input {format}"))).is_ok() {
        let loaded = all(&mut shell);
        let line = format!("cache save @saved {format}; cache clear; cache load @saved {format}");
        reply(&mut shell, &command(&line));
        assert_eq!(all(&mut shell), loaded);
    } else {
        assert_eq!(state(&mut shell), before);
    }
    for line in ["cache check @input", "cache load @input --salvage"] {
        drop(outcome(&mut shell, &command(&format!("{line} {format}"))));
    }
}

/// A native file with its check sums corrected, so that the data behind them is parsed: one ends the header and each
/// block.
fn with_sums(bytes: &[u8]) -> Vec<u8> {
    let has_mark = |at: &usize| matches!(bytes[*at..].get(..4), Some(b"BLCK" | b"DONE"));
    let mut ends: Vec<usize> = (1..bytes.len()).filter(has_mark).collect();
    ends.push(bytes.len());
    let (mut bytes, mut start) = (bytes.to_vec(), 0);
    for end in ends {
        if let Some((body, sum)) = bytes[start..end].split_last_chunk_mut::<4>() {
            *sum = crc32fast::hash(body).to_le_bytes();
        }
        start = end;
    }
    bytes
}

fn training(bytes: &[u8]) {
    let path = write("input.ron", bytes);
    if let Err(fault) = Training::read(&Morris::default(), &path) {
        check_said(bytes, &fault.message.replace("input.ron", "input"));
    }
}

fn suite(bytes: &[u8]) {
    fn read<G: Game + Default>(bytes: &[u8]) {
        let game = G::default();
        match unmonitored(|watch| {
            Suite::from_source(&game, SuiteSource::File(&write("input", bytes)), watch)
        }) {
            Err(fault) => check_said(bytes, &fault.message),
            Ok(suite) => {
                suite.positions.iter().for_each(|posed| check_position(&game, &posed.position));
            }
        }
    }
    read::<Morris>(bytes);
    read::<Chess>(bytes);
}

fn config(bytes: &[u8]) {
    let read = config::load(Some(&write("input", bytes)));
    if let Err(message) = read.and_then(|config| panes::keymap().configured(&config)) {
        check_said(bytes, &message);
    }
}
