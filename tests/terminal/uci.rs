//! The program as an engine: another program talks UCI with it over pipes.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use plyscope::engine::{
    chess::Chess,
    game::{Game, History},
    morris::Morris,
    settings::SETTINGS,
};

use crate::pty::PROGRAM;

/// Longer than any reply takes, even while other tests use the machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg("uci").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The lines up to one that begins with a word, that one last.
    #[track_caller]
    fn until(&self, word: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => seen.push(line),
                Err(why) => panic!("{why} before `{word}`: {seen:#?}"),
            }
            if seen.last().unwrap().split(' ').next() == Some(word) {
                return seen;
            }
        }
    }

    /// Sends lines, and returns the reply up to `bestmove`.
    #[track_caller]
    fn search(&mut self, lines: &[&str]) -> Search {
        for line in lines {
            self.send(line);
        }
        Search(self.until("bestmove"))
    }

    /// Sends lines, and returns those printed before `readyok`.
    #[track_caller]
    fn ask(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.send(line);
        }
        self.send("isready");
        let mut seen = self.until("readyok");
        seen.pop();
        seen
    }

    /// Ends the input, and returns the rest of the output.
    fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(why) => panic!("{why} after the end of the input: {rest:#?}"),
            }
        }
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A test that has failed leaves it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The reply to a search.
struct Search(Vec<String>);

impl Search {
    fn best(&self) -> &str {
        self.0.last().unwrap().split(' ').nth(1).unwrap()
    }

    /// The words after this one in the last `info` that has it.
    #[track_caller]
    fn last(&self, word: &str) -> Vec<&str> {
        let infos = self.0.iter().rev().filter(|line| line.starts_with("info depth"));
        let mut found = infos.filter_map(|line| line.split_once(&format!(" {word} ")));
        found.next().unwrap_or_else(|| panic!("no {word}: {:#?}", self.0)).1.split(' ').collect()
    }

    fn score(&self) -> String {
        self.last("score")[..2].join(" ")
    }

    fn number(&self, word: &str) -> u64 {
        self.last(word)[0].parse().unwrap()
    }
}

/// The position after moves, which must be legal.
#[track_caller]
fn after<G: Game>(game: &G, moves: &[String]) -> (G::Position, G::History) {
    let (mut position, mut history) = (game.start(), G::History::default());
    for text in moves {
        let mv = game.parse_move(&position, &history, text).unwrap();
        history.push(&position);
        position = game.apply(&position, mv);
    }
    (position, history)
}

#[test]
fn every_setting_is_an_option_of_its_type() {
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name plyscope "), "{}", lines[0]);
    let options: BTreeSet<_> =
        lines.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    for setting in SETTINGS {
        let own: Vec<_> = options
            .iter()
            .filter(|option| option.starts_with(&format!("{} type ", setting.name)))
            .collect();
        assert_eq!(own.len(), 1, "{}: {own:?}", setting.name);
    }
    for option in [
        "Hash type spin default 64 min 1 max 65536",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max 1",
        "UCI_Variant type combo default chess var morris var chess",
        "quiescence type check default true",
        "null type string default 2",
        "reuse type combo default deeper var auto var exact var deeper",
        "record type check default false",
        "record_mib type spin default 512 min 0 max 1048576",
    ] {
        assert!(options.contains(option), "{option} is missing in {options:#?}");
    }
    assert_eq!(engine.ask(&[]), [""; 0]);
}

#[test]
fn syzygy_tables_choose_the_moves_at_the_root() {
    let mut engine = Engine::start(&[]);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    assert_eq!(engine.ask(&[&format!("setoption name SyzygyPath value {folder}")]), [""; 0]);
    // The only move that mates in eight.
    let position = "position fen 8/8/8/3k4/8/8/1Q6/K7 w - - 0 1";
    assert_eq!(engine.search(&[position, "go depth 2"]).best(), "b2f6");
    let other = "position fen 7k/8/8/8/8/8/Q7/K7 w - - 0 1";
    let best = engine.search(&[other, "go depth 1"]).best().to_owned();
    let said = engine.ask(&["setoption name SyzygyPath value /nowhere"]);
    assert!(said.len() == 1 && said[0].contains("/nowhere"), "{said:?}");
    assert_eq!(engine.ask(&["setoption name SyzygyPath value <empty>"]), [""; 0]);
    assert_ne!(engine.search(&[other, "go depth 1"]).best(), best);
}

#[test]
fn options_are_set_and_wrong_ones_reported() {
    let mut engine = Engine::start(&[]);
    let set = [
        "setoption name Hash value 16",
        "setoption name hash value 8",
        "setoption name quiescence value false",
        "setoption name null value off",
        "setoption name Move Overhead value 100",
        "setoption name Threads value 1",
        "setoption name Ponder value true",
        "setoption name Clear Hash",
        "setoption name UCI_Variant value chess",
    ];
    assert_eq!(engine.ask(&set), [""; 0]);
    engine.send("uci");
    assert!(
        engine
            .until("uciok")
            .contains(&"option name Hash type spin default 8 min 1 max 65536".to_owned())
    );
    for wrong in [
        "setoption name Hash value 0",
        "setoption name Hash value much",
        "setoption name Threads value 2",
        "setoption name Nonsense value 1",
        "setoption name null value maybe",
        "setoption name UCI_Variant value go",
        "setoption",
    ] {
        let said = engine.ask(&[wrong]);
        assert!(said.len() == 1 && said[0].starts_with("info string error: "), "{wrong}: {said:?}");
    }
    // The depth that is set holds for searches with a clock, too.
    let search = engine.search(&["setoption name depth value 2", "go wtime 60000 btime 60000"]);
    assert_eq!(search.number("depth"), 2);
}

#[test]
fn every_kind_of_limit_gives_a_legal_move() {
    let mut engine = Engine::start(&[]);
    let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
    let (position, history) = after(&Chess::default(), &moves);
    for go in [
        "go depth 3",
        "go nodes 3000",
        "go nodes 1",
        "go movetime 40",
        "go movetime 1",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 300 btime 300 movestogo 1",
        "go wtime -5 btime 0",
        "go mate 1",
        "go depth 3 movetime 10000 nodes 1000000",
        "go searchmoves g1f3 b1c3 depth 2",
        "joho go depth 2",
    ] {
        let search = engine.search(&["position startpos moves e2e4 e7e5", go]);
        assert!(
            Chess::default().parse_move(&position, &history, search.best()).is_ok(),
            "{go}: {:?}",
            search.0
        );
        assert!(engine.ask(&[]).is_empty(), "{go}");
    }
    assert!(engine.search(&["go nodes 3000"]).number("nodes") <= 3000);
    let search = engine.search(&["go depth 4"]);
    assert_eq!((search.number("depth"), search.last("pv")[0]), (4, search.best()));
    assert!(search.number("seldepth") >= 4 && search.number("nps") > 0);
    assert!(search.number("hashfull") <= 1000);
}

#[test]
fn stop_has_its_effect_at_once() {
    let mut engine = Engine::start(&[]);
    for game in ["chess", "morris"] {
        engine.send(&format!("setoption name UCI_Variant value {game}"));
        for _ in 0..3 {
            engine.send("position startpos");
            engine.send("go infinite");
            engine.until("info");
            assert_eq!(
                engine.ask(&[]).iter().filter(|line| line.starts_with("bestmove")).count(),
                0
            );
            let since = Instant::now();
            engine.send("stop");
            engine.until("bestmove");
            let taken = since.elapsed();
            assert!(taken < Duration::from_millis(500), "{game}: {taken:?}");
        }
    }
    // Sent together, they are not mixed up.
    engine.send("go infinite\nstop\nisready");
    engine.until("bestmove");
    engine.until("readyok");
    engine.send("go perft 30");
    engine.send("stop");
    assert_eq!(engine.ask(&[]).len(), 1);
}

#[test]
fn an_infinite_search_ends_with_stop_only() {
    let mut engine = Engine::start(&[]);
    // The only legal move: there is nothing to search.
    let only_move = "position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1";
    engine.send(only_move);
    engine.send("go infinite");
    thread::sleep(Duration::from_millis(300));
    let lines = engine.ask(&[]);
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.send("stop");
    let best = Search(engine.until("bestmove"));
    assert_eq!(best.best(), "h8g8");
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::start(&[]);
    engine.send("position startpos moves e2e4");
    engine.send("go ponder wtime 600 btime 600");
    thread::sleep(Duration::from_millis(900));
    let lines = engine.ask(&[]);
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    let since = Instant::now();
    engine.send("ponderhit");
    engine.until("bestmove");
    assert!(since.elapsed() < Duration::from_millis(600), "{:?}", since.elapsed());
    // `stop` ends pondering as well.
    engine.send("go ponder wtime 600 btime 600");
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn mates_are_counted_in_moves_from_the_side_to_move() {
    let mut engine = Engine::start(&[]);
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    for (position, go, score, best) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go depth 3", "mate 1", "a1a8"),
        ("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1", "go depth 3", "mate 1", "a8a1"),
        (morphy, "go depth 4", "mate 2", "a1a6"),
        (morphy, "go mate 2", "mate 2", "a1a6"),
        (morphy, "go movetime 2000", "mate 2", "a1a6"),
    ] {
        let search = engine.search(&["ucinewgame", &format!("position fen {position}"), go]);
        assert_eq!((search.score().as_str(), search.best()), (score, best), "{position} {go}");
    }
    let search = engine.search(&[&format!("position fen {morphy} moves a1a6"), "go depth 4"]);
    assert_eq!(search.score(), "mate -1");
}

#[test]
fn search_moves_restrict_the_search() {
    let mut engine = Engine::start(&[]);
    for _ in 0..2 {
        let search = engine.search(&["position startpos", "go depth 4 searchmoves a2a3 h2h3"]);
        assert!(["a2a3", "h2h3"].contains(&search.best()), "{:?}", search.0);
    }
    let search = engine.search(&["go depth 2 searchmoves e2e5 a2a4"]);
    assert_eq!(
        (search.best(), search.0.iter().filter(|line| line.contains("e2e5")).count()),
        ("a2a4", 1)
    );
    // The next search has all moves again.
    let search = engine.search(&["position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go depth 2"]);
    assert_eq!(search.best(), "a1a8");
}

#[test]
fn nonsense_is_reported_and_the_position_stays() {
    let mut engine = Engine::start(&[]);
    engine.send("position startpos moves e2e4");
    let state = engine.search(&["go depth 1"]).best().to_owned();
    for wrong in [
        "hello",
        "position",
        "position fen",
        "position fen rubbish",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e7e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen d6",
        "\u{1b}[2Jgo\u{7}",
    ] {
        let said = engine.ask(&[wrong]);
        assert!(said.len() == 1 && said[0].starts_with("info string error: "), "{wrong}: {said:?}");
        assert!(said[0].chars().all(|sign| !sign.is_control()), "{said:?}");
    }
    engine.send_bytes(b"\xff\xfe\x00 position \xc3\x28\n\n   \n");
    engine.ask(&[]);
    engine.send_bytes(&vec![b'x'; 3 << 20]);
    engine.send_bytes(b"\nstop\nponderhit\ndebug on\n");
    assert!(engine.ask(&[]).iter().all(|line| line.starts_with("info string error: ")));
    // A client waits for a move, whatever it has sent.
    for go in [
        "go depth x",
        "go movetime",
        "go nonsense",
        "go depth 99999999999999999999",
        "go searchmoves a1a1 depth 1",
    ] {
        let search = engine.search(&[go]);
        assert!(search.0[0].starts_with("info string error: "), "{go}: {:?}", search.0);
    }
    assert_eq!(engine.search(&["go depth 1"]).best(), state);
}

#[test]
fn a_command_during_a_search_ends_it() {
    let mut engine = Engine::start(&[]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("position startpos moves e2e4");
    engine.until("bestmove");
    assert_eq!(engine.search(&["go depth 1 searchmoves e7e5"]).best(), "e7e5");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for begun in
        [vec![], vec!["position startpos", "go infinite"], vec!["go ponder"], vec!["go perft 30"]]
    {
        let mut engine = Engine::start(&[]);
        engine.ask(&[]);
        for line in &begun {
            engine.send(line);
        }
        let rest = engine.end();
        let best = rest.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(
            best,
            usize::from(
                begun.iter().any(|line| line.contains("infinite") || line.contains("ponder"))
            )
        );
    }
    let mut engine = Engine::start(&[]);
    engine.send("go infinite");
    engine.send("quit");
    engine.end();
}

#[test]
fn finished_games_have_no_move_and_drawn_ones_go_on() {
    let mut engine = Engine::start(&[]);
    let mated = "position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(engine.search(&[mated, "go depth 3"]).0, ["bestmove (none)"]);
    assert_eq!(
        engine.search(&["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go movetime 10"]).best(),
        "(none)"
    );
    // A draw that nobody has claimed: a client may play on.
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(5);
    let search = engine.search(&[&format!("position startpos moves{shuffle}"), "go depth 2"]);
    assert_eq!(search.number("depth"), 2);
    let search = engine.search(&["position fen 8/8/8/4k3/8/8/4K2R/8 w - - 120 90", "go depth 2"]);
    assert_eq!(search.number("depth"), 2);
}

#[test]
fn perft_counts_as_other_engines_print_it() {
    let mut engine = Engine::start(&[]);
    // `isready` is answered at once, even while moves are counted.
    let mut counted = |lines: [&str; 2]| {
        for line in lines {
            engine.send(line);
        }
        engine.until("Nodes")
    };
    let chess = counted(["position startpos moves e2e4", "go perft 3"]);
    let morris = counted(["setoption name UCI_Variant value morris", "go perft 2"]);
    assert!(chess.contains(&"Nodes searched: 13160".to_owned()), "{chess:?}");
    let divided = chess.iter().filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok());
    assert_eq!((divided.clone().count(), divided.sum::<u64>()), (21, 2 * 13160));
    assert!(morris.contains(&"Nodes searched: 552".to_owned()), "{morris:?}");
}

#[test]
fn morris_is_played_with_the_same_words() {
    let mut engine = Engine::start(&["--game", "morris"]);
    let search = engine.search(&["position startpos moves d6 f4", "go depth 3"]);
    let (position, history) = after(&Morris::default(), &["d6".to_owned(), "f4".to_owned()]);
    assert!(
        Morris::default().parse_move(&position, &history, search.best()).is_ok(),
        "{:?}",
        search.0
    );
    assert!(search.score().starts_with("cp "), "{:?}", search.0);
    // White closes a mill and takes the third stone.
    let won = "position fen ww....../......../w.b..b.b w 0 0";
    let search = engine.search(&["position fen ww....../..w...../b..b.b.. w 0 0", "go depth 4"]);
    assert_eq!(search.score(), "mate 1", "{won}: {:?}", search.0);
    assert!(engine.ask(&["setoption name null value 2"])[0].contains("morris has no null moves"));
    assert_eq!(
        engine.ask(&["setoption name UCI_Variant value chess", "position startpos moves e2e4"]),
        [""; 0]
    );
}

/// Plays a game against itself, with moves that the rules check.
/// Plays `plies` plies, or to the end of the game, which the rules do not allow before `least` plies.
fn play_itself<G: Game>(game: &G, plies: usize, least: usize) {
    let mut engine = Engine::start(&["--game", G::NAME]);
    let mut moves = Vec::new();
    for ply in 0..plies {
        let (position, history) = after(game, &moves);
        if game.terminal(&position, &history).is_some() {
            break;
        }
        let position = format!("position startpos moves {}", moves.join(" "));
        let limit = ["go movetime 15", "go wtime 500 btime 500 winc 10 binc 10", "go nodes 2000"];
        let best = engine.search(&[&position, limit[ply % 3]]).best().to_owned();
        moves.push(best);
    }
    after(game, &moves);
    assert!(moves.len() >= least, "{moves:?}");
}

#[test]
fn games_against_itself_have_legal_moves_only() {
    play_itself(&Chess::default(), 60, 21);
    // A side can be blocked in as soon as all stones are placed.
    play_itself(&Morris::default(), 60, 18);
}
