//! External engines, by the protocol UCI: processes with pipes, their names and their logs.

mod analyst;
mod process;
mod reply;
mod sanmill;
mod trace;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    iter,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use super::{
    game::{Fault, Game, Result},
    suggest::{check_name, did_you_mean},
};

use self::process::{Output, Process};
pub use self::{
    analyst::{Analysis, Analyst, MOST_LINES},
    process::Log,
    reply::{Counts, Found, GuestScore},
    trace::EngineTrace,
};

/// How long an engine may take to reply to `uci` and `isready`.
const READY: Duration = Duration::from_secs(10);
/// The longest wait for a useful line, and the interrupt flag that ends the wait.
pub type Waiting<'a> = (Duration, &'a AtomicBool);
/// The UCI option that chooses the game.
const VARIANT: &str = "UCI_Variant";
/// The separator between an engine's command and its options.
const OPTIONS: &str = " -- ";

/// Stands for a space in a command that must be one word, as in the text of a player.
pub const BLANK: &str = "%20";

/// Writes a command as one word, with [`BLANK`] for spaces.
pub fn one_word(command: &str) -> String {
    command.replace(' ', BLANK)
}

/// An external engine, started or not.
#[derive(Debug)]
pub struct Guest {
    /// The name that the user gave to the engine, or the command if it has no name.
    pub name: String,
    /// The command that starts the engine: a program and its arguments, after ` -- ` the engine's options as `Name=value`.
    pub command: String,
    log: Log,
    process: Option<Process>,
    /// The game that the engine was prepared to play.
    game: &'static str,
    /// Whether the engine has the option `UCI_Variant`.
    has_variants: bool,
    /// Whether the engine uses the dialect of Sanmill.
    is_sanmill: bool,
    /// The name in the engine's line `id name`.
    id: Option<String>,
}

/// The meaning of a line of output for a function that waits for a reply.
enum LineMeaning<T> {
    Done(T),
    /// The line shows that the engine works: the wait begins anew.
    Useful,
    Useless,
}

impl LineMeaning<()> {
    const fn done_if(is_done: bool) -> Self {
        if is_done { Self::Done(()) } else { Self::Useless }
    }
}

/// The engines that the user has named.
#[derive(Debug, Default)]
pub struct Guests {
    known: BTreeMap<String, Guest>,
    /// The engine that analyses in the background, if there is one.
    pub analyst: Option<Analyst>,
}

/// Whether a text is a command line (with a space, or the path of a program), not the name of an engine.
pub fn is_command(text: &str) -> bool {
    text.contains(|sign: char| sign.is_whitespace() || sign == '/')
}

/// Splits a command into the program with its arguments and a `setoption` line for each option (`+` stands for a blank).
fn parts(command: &str) -> (&str, Vec<String>) {
    let option = |word: &str| {
        let (name, value) = word.split_once('=')?;
        Some(format!("setoption name {} value {value}", name.replace('+', " ")))
    };
    let split = command.rsplit_once(OPTIONS).and_then(|(program, options)| {
        Some((program, options.split_whitespace().map(option).collect::<Option<_>>()?))
    });
    split.unwrap_or((command, Vec::new()))
}

/// The UCI command `position` for a position after moves from `start`.
pub fn position_of<G: Game>(game: &G, start: &G::Position, moves: &[G::Move]) -> String {
    let mut text = format!("position fen {}", game.format_position(start));
    let mut position = start.clone();
    for (&mv, before) in moves.iter().zip([" moves "].into_iter().chain(iter::repeat(" "))) {
        text += before;
        text += &game.format_move(&position, mv);
        position = game.apply(&position, mv);
    }
    text
}

impl Guests {
    /// Names an engine, replacing an engine of the same name. The engine is not started before a command needs it.
    /// Errors: a name that cannot be used, an empty command.
    pub fn add(&mut self, name: &str, command: &str) -> Result<()> {
        check_name("engine", name)?;
        if command.trim().is_empty() {
            return Err(Fault::new("the command is empty").about("COMMAND"));
        }
        self.known.insert(name.to_owned(), Guest::new(name, command));
        Ok(())
    }

    /// Stops an engine and removes its name.
    /// Errors: an unknown name.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        self.known.remove(name).map(drop).ok_or_else(|| self.unknown(name))
    }

    /// The engine with this name.
    /// Errors: an unknown name.
    pub fn by_name(&mut self, name: &str) -> Result<&mut Guest> {
        if !self.known.contains_key(name) {
            return Err(self.unknown(name));
        }
        self.known.get_mut(name).ok_or_else(|| Fault::new(""))
    }

    /// A new engine, not started, with the name, command and log of a named engine; or for a command line in place of a name.
    /// Errors: an unknown name.
    pub fn stopped_copy(&mut self, name: &str) -> Result<Guest> {
        if is_command(name) {
            return Ok(Guest::new(name, name));
        }
        let guest = self.by_name(name)?;
        Ok(Guest { log: guest.log.clone(), ..Guest::new(name, &guest.command) })
    }

    /// All named engines, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Guest> + Clone {
        self.known.values()
    }

    /// The text of a player, with engine names replaced by their commands.
    pub fn spell_out(&self, player: &str) -> String {
        let word = |word: &str| match word.split_once('=') {
            Some((key, value)) => format!("{key}={}", self.command_of(key, value)),
            None => word.to_owned(),
        };
        player.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// The value of a player's key, with an engine name replaced by its command.
    pub fn command_of<'a>(&self, key: &str, value: &'a str) -> Cow<'a, str> {
        match self.known.get(value).filter(|_| key == "engine") {
            Some(guest) => one_word(&guest.command).into(),
            None => value.into(),
        }
    }

    fn unknown(&self, name: &str) -> Fault {
        let known: Vec<_> = self.known.keys().map(String::as_str).collect();
        let hint = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match known.len() {
            0 => "`engine add NAME COMMAND` names an engine".to_owned(),
            _ => format!("the engines are {}", known.join(", ")),
        });
        Fault::new(format!("no engine is called `{name}`")).about_word(name).hint(hint)
    }
}

impl Guest {
    /// An engine that is not started yet.
    pub fn new(name: &str, command: &str) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            log: Log::default(),
            process: None,
            game: "",
            has_variants: false,
            is_sanmill: false,
            id: None,
        }
    }

    /// The last lines sent (`>`), received (`<`) and written to standard error (`!`).
    pub fn log(&self) -> Vec<String> {
        self.log.lines()
    }

    /// The name in the engine's line `id name`; `None` before the first start.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Whether the process of the engine is running.
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Prepares the engine to play `game`; starts the process if it is not running.
    /// Errors: a command that cannot be run, a program without UCI, an engine that does not play the game.
    pub fn prepare(&mut self, game: &'static str, interrupt: &AtomicBool) -> Result<()> {
        if self.process.as_mut().is_some_and(|process| process.has_ended().is_none())
            && self.game == game
        {
            return Ok(());
        }
        self.process = None;
        let (program, options) = parts(&self.command);
        self.process = Some(Process::start(program, &self.log).map_err(|error| {
            Fault::new(format!("cannot run `{}`: {error}", self.command))
                .about_word(&self.name)
                .hint("is the program installed, and in a folder of PATH?")
        })?);
        self.send("uci")?;
        let (mut variants, mut is_plain) = (None, true);
        let (mut id, mut is_sanmill) = (None, false);
        self.until("uci", (READY, interrupt), |line| {
            if let Some(name) = line.strip_prefix("id name ") {
                id = Some(name.to_owned());
            }
            if let Some(option) = line.strip_prefix(&format!("option name {VARIANT} ")) {
                is_plain = false;
                variants = Some(option.split_whitespace().any(|word| word == game));
            }
            is_sanmill |= line.starts_with(sanmill::SIGN);
            LineMeaning::done_if(line == "uciok")
        })?;
        (self.id, self.is_sanmill) = (id, is_sanmill);
        let only = if is_sanmill { "morris" } else { "chess" };
        let plays = variants.unwrap_or(game == only && is_plain);
        if !plays {
            let fault = Fault::new(format!("the engine `{}` does not play {game}", self.name));
            self.process = None;
            return Err(fault.about_word(&self.name));
        }
        self.has_variants = variants.is_some();
        if self.has_variants {
            self.send(&format!("setoption name {VARIANT} value {game}"))?;
        }
        let usual = if is_sanmill { &sanmill::OPTIONS[..] } else { &[] };
        for option in usual.iter().copied().chain(options.iter().map(String::as_str)) {
            self.send(option)?;
        }
        self.send("isready")?;
        self.until("isready", (READY, interrupt), |line| LineMeaning::done_if(line == "readyok"))?;
        self.game = game;
        Ok(())
    }

    /// The command that starts the engine for the game that it was prepared for, including the option that chooses the game.
    pub fn command_for_game(&self) -> String {
        if !self.has_variants {
            return self.command.clone();
        }
        let (program, options) = parts(&self.command);
        let given =
            if options.is_empty() { "" } else { &self.command[program.len() + OPTIONS.len()..] };
        format!("{program}{OPTIONS}{VARIANT}={} {given}", self.game).trim_end().to_owned()
    }

    /// Counts the leaf nodes `depth` plies below a position, by first move.
    /// Errors: an engine that ends, is silent or has no `perft`.
    pub fn perft(&mut self, position: &str, depth: u32, waiting: Waiting<'_>) -> Result<Counts> {
        let asked = format!("go perft {depth}");
        self.send_position(position)?;
        self.send(&asked)?;
        let mut counts = Counts::default();
        let found = self.until(&asked, waiting, |line| {
            let before = counts.moves.len();
            match line {
                line if reply::best_move(line).is_some() => LineMeaning::Done(Err(())),
                line if counts.read(line) => LineMeaning::Done(Ok(())),
                _ if counts.moves.len() > before => LineMeaning::Useful,
                _ => LineMeaning::Useless,
            }
        })?;
        match found {
            Ok(()) => Ok(counts),
            Err(()) => {
                Err(self.fault(format!("replies to `{asked}` with a move, not with counts")))
            }
        }
    }

    /// Searches a position within a limit such as `movetime 100`. `waiting`: how long to wait for the move.
    /// Errors: an engine that ends or is silent; an interrupt.
    pub fn search(&mut self, position: &str, limit: &str, waiting: Waiting<'_>) -> Result<Found> {
        if !self.is_sanmill {
            return self.search_once(position, limit, waiting);
        }
        let mut position = position.to_owned();
        let mut found = self.search_once(&position, limit, waiting)?;
        let mut word = found.best.clone();
        // A move takes at most two stones.
        for _ in 0..2 {
            position = sanmill::with_move(&position, &word);
            let next = self.search_once(&position, sanmill::CAPTURE_CHECK, waiting)?;
            if !next.best.starts_with('x') {
                break;
            }
            word = self.search_once(&position, limit, waiting)?.best;
            found.best += &word;
        }
        Ok(found)
    }

    fn search_once(&mut self, position: &str, limit: &str, waiting: Waiting<'_>) -> Result<Found> {
        let asked = format!("go {limit}");
        self.send_position(position)?;
        self.send(&asked)?;
        let mut found = Found::default();
        self.until(&asked, waiting, |line| LineMeaning::done_if(found.read(line)))?;
        Ok(found)
    }

    /// Like [`Guest::search`], after `ucinewgame`, with which the engine clears its hash table.
    pub fn search_anew(
        &mut self,
        position: &str,
        limit: &str,
        waiting: Waiting<'_>,
    ) -> Result<Found> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.until("isready", waiting, |line| LineMeaning::done_if(line == "readyok"))?;
        self.search(position, limit, waiting)
    }

    /// Searches a position without a limit until `until` returns a value, and passes every line to `read`. `None` once `stop`
    /// is set. Errors: an engine that ends, or does not stop.
    fn search_until<T>(
        &mut self,
        position: &str,
        stop: &AtomicBool,
        until: impl Fn() -> Option<T>,
        mut read: impl FnMut(&str),
    ) -> Result<Option<T>> {
        const ASKED: &str = "go infinite";
        self.send_position(position)?;
        self.send(ASKED)?;
        let mut is_over = false;
        let next = loop {
            if let Some(next) = until() {
                break next;
            }
            let Some(process) = &mut self.process else { return Err(self.ended(ASKED)) };
            match process.next_line(Instant::now(), stop) {
                Output::Line(line) => {
                    is_over |= reply::best_move(&line).is_some();
                    read(line.trim());
                }
                Output::Silent => {}
                Output::Ended => return Err(self.ended(ASKED)),
                Output::Interrupted => return Ok(None),
            }
        };
        if !is_over {
            self.send("stop")?;
            let is_over = |line: &str| LineMeaning::done_if(reply::best_move(line).is_some());
            self.until("stop", (READY, stop), is_over)?;
        }
        Ok(Some(next))
    }

    fn send_position(&mut self, position: &str) -> Result<()> {
        if self.is_sanmill { self.send(&sanmill::position(position)) } else { self.send(position) }
    }

    fn send(&mut self, line: &str) -> Result<()> {
        let sent = self.process.as_mut().map(|process| process.send(line, &self.log));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended(line)),
        }
    }

    /// Reads lines until `read` is done. `patience`: how long to wait for a useful line before the engine is killed.
    fn until<T>(
        &mut self,
        asked: &str,
        (patience, interrupt): Waiting<'_>,
        mut read: impl FnMut(&str) -> LineMeaning<T>,
    ) -> Result<T> {
        let mut end = Instant::now() + patience;
        loop {
            let Some(process) = &mut self.process else { return Err(self.ended(asked)) };
            match process.next_line(end, interrupt) {
                Output::Line(line) => match read(line.trim()) {
                    LineMeaning::Done(found) => return Ok(found),
                    LineMeaning::Useful => end = Instant::now() + patience,
                    // An engine that keeps printing useless lines counts as silent.
                    LineMeaning::Useless if Instant::now() < end => {}
                    LineMeaning::Useless => return Err(self.kill(asked, patience)),
                },
                Output::Ended => return Err(self.ended(asked)),
                Output::Silent => return Err(self.kill(asked, patience)),
                Output::Interrupted => {
                    // The process is killed, because a late reply would be taken for the reply to the next command.
                    self.process = None;
                    return Err(super::workers::interrupted());
                }
            }
        }
    }

    /// The fault of an engine whose process has ended by itself.
    fn ended(&mut self, asked: &str) -> Fault {
        let status = self.process.take().and_then(|mut process| process.wait_for_end());
        let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
        self.fault(format!("has ended{status} after `{asked}`"))
    }

    fn kill(&mut self, asked: &str, patience: Duration) -> Fault {
        self.process = None;
        let seconds = patience.as_secs_f64();
        self.fault(format!("has not replied to `{asked}` within {seconds} s and was killed"))
    }

    /// A fault about this engine, with the last line of its log.
    pub fn fault(&self, what: impl std::fmt::Display) -> Fault {
        let last = self.log.lines().into_iter().rfind(|line| !line.starts_with('>'));
        let last = last.map(|line| format!("the engine's last line was `{}`; ", &line[2..]));
        Fault::new(format!("the engine `{}` {what}", self.name))
            .about_word(&self.name)
            .hint(format!("{}`engine log` shows all its lines", last.unwrap_or_default()))
    }
}
