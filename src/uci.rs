//! The protocol UCI: the program as an engine for other programs, in every game.
//!
//! A thread reads the lines of the client. The search runs in slices of a few milliseconds, and the client's lines are handled
//! after each slice, so `stop` has its effect at once.

mod clock;
mod command;
mod options;

use std::{
    io::{self, BufRead, Read, Write},
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError},
    },
    thread,
    time::{Duration, Instant},
};

use self::{
    clock::TimeLimits,
    command::{Go, UciCommand},
    options::OptionChange,
};
use crate::{
    command::{Fault, Shell, games},
    engine::session::{
        AnySession,
        analysis::{BestLine, SearchProgress},
        reply::MoveText,
    },
    script::PROGRAM,
    text::{style::Scale, visible},
};

/// How long the search runs before the client's lines are read again.
const SLICE: Duration = Duration::from_millis(4);
/// The interval between reports of nodes and speed while no iteration ends.
const REPORT: Duration = Duration::from_secs(1);
/// The greatest length of a client's line in bytes, enough for a game of 100,000 moves.
const LONGEST: u64 = 1 << 20;
/// The greatest number of lines that wait for the engine to read them.
const WAITING: usize = 1000;
/// The settings of a search for mate, which must not prune any mate.
const EXACT: [(&str, &str); 4] =
    [("null", "off"), ("lmr", "off"), ("futility", "off"), ("reuse", "exact")];

/// A command of the client and the time of its arrival.
struct TimedCommand {
    command: UciCommand,
    at: Instant,
}

/// Speaks UCI on the standard streams until `quit` or their end. `game`: the game at the start.
/// Errors: an unknown game, or standard output that cannot be written.
pub fn run(game: &str) -> Result<(), String> {
    let (sender, lines) = mpsc::sync_channel(WAITING);
    let (shell, overhead) = (Shell::default(), overhead(options::OVERHEAD));
    let mut server = Server { shell, lines, overhead, chosen: Vec::new() };
    server.choose_game(game).map_err(|fault| in_words(&fault))?;
    // The thread may still be waiting for a line when the program ends, so it is not joined.
    drop(thread::spawn(move || read_lines(&sender)));
    match server.serve() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

fn overhead(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Reads standard input until its end, or until the receiver is gone. The rest of a line that is too long is dropped.
fn read_lines(sender: &SyncSender<TimedCommand>) {
    let mut stdin = io::stdin().lock();
    let mut bytes = Vec::new();
    let mut continues = false;
    loop {
        bytes.clear();
        match (&mut stdin).take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_rest = std::mem::replace(
            &mut continues,
            bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n"),
        );
        let command = if continues {
            UciCommand::Wrong("the line is longer than 1 MiB".to_owned())
        } else {
            UciCommand::read(&String::from_utf8_lossy(&bytes))
        };
        let input = TimedCommand { command, at: Instant::now() };
        if !is_rest && sender.send(input).is_err() {
            return;
        }
    }
}

struct Server {
    shell: Shell,
    lines: Receiver<TimedCommand>,
    /// The time lost between client and engine, by the option `Move Overhead`.
    overhead: Duration,
    /// The settings that the client has chosen by `setoption`.
    chosen: Vec<(&'static str, String)>,
}

/// A search that the client has started with `go`.
struct GoTask {
    go: Go,
    /// The time at which the search began.
    begun: Instant,
    /// The time at which the clock of the move starts: when the search began, or at `ponderhit`.
    since: Instant,
    limits: Option<TimeLimits>,
    /// The last iteration reported, and the time of that report.
    reported: (u8, Instant),
    /// Whether an iteration ended in the last slice.
    iteration_ended: bool,
}

/// The effect of a client's line on the running search.
enum LineEffect {
    Continue,
    End,
    /// The search ends, and then the command runs.
    Then(UciCommand, Instant),
    Quit,
}

impl Server {
    fn serve(&mut self) -> io::Result<()> {
        while let Ok(input) = self.lines.recv() {
            let mut next = Some((input.command, input.at));
            while let Some((command, at)) = next.take() {
                if command == UciCommand::Quit {
                    return Ok(());
                }
                next = match self.execute(command, at)? {
                    LineEffect::Then(command, at) => Some((command, at)),
                    LineEffect::Quit => return Ok(()),
                    LineEffect::Continue | LineEffect::End => None,
                };
            }
        }
        Ok(())
    }

    fn session(&mut self) -> &mut dyn AnySession {
        self.shell.session_mut()
    }

    fn execute(&mut self, command: UciCommand, at: Instant) -> io::Result<LineEffect> {
        match command {
            UciCommand::Uci => self.send_identity()?,
            UciCommand::IsReady => say("readyok")?,
            UciCommand::NewGame => drop(self.session().cache_clear()),
            UciCommand::SetOption { name, value } => {
                if let Err(why) = self.set_option(&name, &value) {
                    send_error(&why)?;
                }
            }
            UciCommand::Position { state, moves } => {
                let moves: Vec<_> = moves.iter().map(String::as_str).collect();
                if let Err(fault) = self.session().set_up(state.as_deref(), &moves) {
                    send_error(&in_words(&fault))?;
                }
            }
            UciCommand::Go(go) => return self.go(go, at),
            UciCommand::Wrong(why) => send_error(&why)?,
            UciCommand::Stop | UciCommand::PonderHit | UciCommand::Quit | UciCommand::Nothing => {}
        }
        Ok(LineEffect::Continue)
    }

    fn send_identity(&mut self) -> io::Result<()> {
        let names: Vec<_> = games().map(|(name, _)| *name).collect();
        let options = options::announcements(self.session(), &names);
        say(&format!("id name {PROGRAM}\nid author the authors of Plyscope"))?;
        options.iter().try_for_each(|option| say(option))?;
        say("uciok")
    }

    /// Starts a game with the settings for play and those of the client, except settings that the game lacks.
    fn choose_game(&mut self, name: &str) -> Result<(), Fault> {
        self.shell.engine.choose_game(name)?;
        self.session().use_play_settings();
        for (name, value) in &self.chosen {
            let _ = self.shell.session_mut().set_settings(&[(*name, value)]);
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match options::read(self.session(), name, value)? {
            OptionChange::Setting(name, value) => {
                let set = self.session().set_settings(&[(name, &value)]);
                set.map_err(|fault| in_words(&fault))?;
                self.chosen.retain(|(known, _)| *known != name);
                self.chosen.push((name, value));
            }
            OptionChange::Rule(rule, choice) => {
                let set = self.session().set_rules(&[(&rule, &choice)]);
                set.map_err(|fault| in_words(&fault))?;
            }
            OptionChange::Game(game) if game == self.session().game() => {}
            OptionChange::Game(game) => {
                self.choose_game(&game).map_err(|fault| in_words(&fault))?;
            }
            OptionChange::ClearCache => drop(self.session().cache_clear()),
            OptionChange::Tables(folder) => self.use_tables(folder.as_deref())?,
            OptionChange::Overhead(ms) => self.overhead = overhead(ms),
            OptionChange::Nothing => {}
        }
        Ok(())
    }

    /// Uses the tables in a folder (`None`: no tables). They choose the root moves unless the client has set `tables`.
    fn use_tables(&mut self, folder: Option<&Path>) -> Result<(), String> {
        let used = self.session().tables_use(folder, folder.is_none());
        used.map_err(|fault| in_words(&fault))?;
        if folder.is_none() || self.chosen.iter().any(|(name, _)| *name == "tables") {
            return Ok(());
        }
        self.set_option("tables", "root")
    }

    fn go(&mut self, mut go: Go, at: Instant) -> io::Result<LineEffect> {
        for fault in &go.faults {
            send_error(fault)?;
        }
        if let Some(depth) = go.perft {
            return self.perft(depth.into());
        }
        // After a `go` with a wrong limit, the client still waits for a move.
        if !go.faults.is_empty() && go.is_unlimited() && !go.waits() {
            go.depth = Some(1);
        }
        let session = self.session();
        for mv in go.moves.extract_if(.., |mv| !session.reads_move(mv)) {
            send_error(&format!("`{mv}` is not a legal move, so it is not searched"))?;
        }
        let restore = go.mate.map(|_| self.set_exact());
        let limits = search_limits(&go);
        let limits: Vec<_> = limits.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let only: Vec<_> = go.moves.iter().map(String::as_str).collect();
        if let Err(fault) = self.session().begin_analysis(&limits, &only) {
            send_error(&in_words(&fault))?;
        }
        let side = usize::from(self.session().position().side.letter() == 'b');
        let limits = TimeLimits::new(&go, side, self.overhead);
        let mut task =
            GoTask { go, begun: at, since: at, limits, reported: (0, at), iteration_ended: false };
        let next = self.search(&mut task)?;
        self.finish(&task)?;
        if let Some(settings) = restore {
            let pairs: Vec<_> =
                settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
            // The settings were in force before the search for mate, so restoring them cannot fail.
            let _ = self.session().set_settings(&pairs);
        }
        Ok(next)
    }

    /// Switches off the settings that can hide a mate. Returns their former values.
    fn set_exact(&mut self) -> Vec<(&'static str, String)> {
        let is_changed = |name: &str| EXACT.iter().any(|(exact, _)| *exact == name);
        let options = self.session().setting_options().into_iter();
        let before = options.filter(|option| is_changed(option.name));
        let before = before.map(|option| (option.name, option.value)).collect();
        // Settings that the game lacks count as switched off.
        let _ = self.session().set_settings(&EXACT);
        before
    }

    /// Searches until a limit is reached or the client ends the search.
    fn search(&mut self, task: &mut GoTask) -> io::Result<LineEffect> {
        let mut is_over = false;
        loop {
            let input = if is_over && task.go.waits() {
                self.lines.recv().map_err(|_| TryRecvError::Disconnected)
            } else if is_over {
                return Ok(LineEffect::Continue);
            } else {
                is_over = self.session().analyse(task.slice()).is_some();
                self.report(task)?;
                is_over |= task.is_done();
                self.lines.try_recv()
            };
            match input {
                Ok(input) => match task.on_line(input)? {
                    LineEffect::Continue => {}
                    next => return Ok(next),
                },
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Ok(LineEffect::Quit),
            }
        }
    }

    /// Reports a completed iteration; without one, nodes and speed from time to time.
    fn report(&mut self, task: &mut GoTask) -> io::Result<()> {
        let progress = self.session().search_progress();
        let (depth, at) = task.reported;
        task.iteration_ended = progress.depth > depth;
        if task.iteration_ended {
            task.reported = (progress.depth, Instant::now());
            return self.report_line(task, progress);
        }
        if at.elapsed() >= REPORT {
            task.reported.1 = Instant::now();
            return say(&format!("info {}", task.speed(progress)));
        }
        Ok(())
    }

    fn report_line(&mut self, task: &GoTask, progress: SearchProgress) -> io::Result<()> {
        let (session, speed) = (self.session(), task.speed(progress));
        let BestLine { value, ends_in, moves } = session.best_line();
        let score = value.map(|value| score(session.scale(), value.get(), ends_in));
        let pv: Vec<_> = moves.iter().map(MoveText::plain).collect();
        let SearchProgress { depth, greatest_ply, .. } = progress;
        let seldepth = greatest_ply.max(depth.into());
        let score = score.map(|score| format!(" score {score}")).unwrap_or_default();
        say(&format!("info depth {depth} seldepth {seldepth}{score} {speed} pv {}", pv.join(" ")))
    }

    /// Reports the end of the search and the best move.
    fn finish(&mut self, task: &GoTask) -> io::Result<()> {
        let progress = self.session().search_progress();
        let line = self.session().best_line();
        if line.value.is_some() {
            self.report_line(task, progress)?;
        }
        match line.moves.as_slice() {
            [] => say("bestmove (none)"),
            [best] => say(&format!("bestmove {}", best.plain())),
            [best, reply, ..] => {
                say(&format!("bestmove {} ponder {}", best.plain(), reply.plain()))
            }
        }
    }

    /// Counts leaf nodes until the client sends `stop`.
    fn perft(&mut self, depth: u32) -> io::Result<LineEffect> {
        let Self { shell, lines, .. } = self;
        let (interrupt, is_done) = (shell.interrupt(), AtomicBool::new(false));
        let (stop, done) = (&interrupt, &is_done);
        let (counted, next) = thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let mut next = Ok(LineEffect::Continue);
                while !done.load(Ordering::Acquire) && matches!(next, Ok(LineEffect::Continue)) {
                    next = match lines.recv_timeout(SLICE) {
                        Ok(input) => on_line(input),
                        Err(RecvTimeoutError::Timeout) => Ok(LineEffect::Continue),
                        Err(RecvTimeoutError::Disconnected) => Ok(LineEffect::Quit),
                    };
                }
                let is_stopped = !matches!(next, Ok(LineEffect::Continue));
                stop.store(is_stopped, Ordering::Relaxed);
                next
            });
            let counted = shell.session().perft(depth);
            is_done.store(true, Ordering::Release);
            (counted, watch.join())
        });
        interrupt.store(false, Ordering::Relaxed);
        match counted {
            Ok(perft) => {
                for below in &perft.divide {
                    say(&format!("{}: {}", below.mv.plain(), below.nodes))?;
                }
                say(&format!("\nNodes searched: {}", perft.nodes))?;
            }
            Err(fault) => send_error(&in_words(&fault))?,
        }
        next.unwrap_or(Ok(LineEffect::Quit))
    }
}

impl GoTask {
    /// How long to search before the client's lines are read again.
    fn slice(&self) -> Duration {
        let hard = self.limits.filter(|_| !self.go.waits()).map(|limits| limits.hard);
        hard.map_or(SLICE, |hard| hard.saturating_sub(self.since.elapsed()).min(SLICE))
    }

    /// Whether the time for the move is used up.
    fn is_done(&self) -> bool {
        if self.go.waits() {
            return false;
        }
        let (spent, at_iteration) = (self.since.elapsed(), self.iteration_ended);
        self.limits.is_some_and(|TimeLimits { soft, hard }| {
            spent >= hard || (spent >= soft && at_iteration)
        })
    }

    /// Handles a line that arrives during a search. `ponderhit` starts the clock of the move.
    fn on_line(&mut self, input: TimedCommand) -> io::Result<LineEffect> {
        if input.command == UciCommand::PonderHit {
            (self.go.ponder, self.since) = (false, input.at);
            return Ok(LineEffect::Continue);
        }
        on_line(input)
    }

    /// The fields of an `info` line for nodes, speed, hash usage and time.
    fn speed(&self, progress: SearchProgress) -> String {
        let ms = self.begun.elapsed().as_millis().max(1);
        let SearchProgress { nodes, full, .. } = progress;
        let speed = u128::from(nodes) * 1000 / ms;
        format!("nodes {nodes} nps {speed} hashfull {full} time {ms}")
    }
}

/// The effect of a line that arrives while the engine is working.
fn on_line(input: TimedCommand) -> io::Result<LineEffect> {
    match input.command {
        UciCommand::Stop => return Ok(LineEffect::End),
        UciCommand::Quit => return Ok(LineEffect::Quit),
        UciCommand::IsReady => say("readyok")?,
        UciCommand::Wrong(why) => send_error(&why)?,
        UciCommand::PonderHit | UciCommand::Nothing => {}
        command => return Ok(LineEffect::Then(command, input.at)),
    }
    Ok(LineEffect::Continue)
}

/// The settings for one search: the limits of `go`, or those in the options if `go` has none.
fn search_limits(go: &Go) -> Vec<(&'static str, String)> {
    let off = || "off".to_owned();
    if go.waits() && go.is_unlimited() {
        return ["depth", "budget", "time_ms"].map(|name| (name, off())).into();
    }
    // The side that mates makes the first and the last move.
    let mate = go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
    let depth = go.depth.or(mate).map(|depth| ("depth", depth.to_string()));
    let nodes = go.nodes.map(|nodes| ("budget", nodes.max(1).to_string()));
    depth.into_iter().chain(nodes).collect()
}

/// A value for the side to move as in UCI: centipawns, or moves to mate.
fn score(scale: Scale, value: f64, ends_in: Option<u8>) -> String {
    let plies = match scale {
        Scale::Centipawns { mate: Some(mate), threshold, .. } if value.abs() >= threshold => {
            Some(mate - value.abs())
        }
        _ => ends_in.map(f64::from),
    };
    let Some(plies) = plies else {
        let centipawns =
            if let Scale::Unit | Scale::Distances { .. } = scale { value * 100.0 } else { value };
        return format!("cp {}", centipawns.round());
    };
    let moves = (plies.max(0.0) / 2.0).ceil();
    format!("mate {}{moves}", if value > 0.0 { "" } else { "-" })
}

/// Sends a line to the client and flushes the output.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Sends an error message to the client, as `info string`.
fn send_error(what: &str) -> io::Result<()> {
    say(&format!("info string error: {}", visible(what).replace('\n', " ")))
}

fn in_words(fault: &Fault) -> String {
    let hint = fault.hint.as_ref().map(|hint| format!("; {hint}"));
    fault.message.clone() + &hint.unwrap_or_default()
}
