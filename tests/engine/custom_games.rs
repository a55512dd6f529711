//! Games implemented outside the crate have every feature: search, stepping, breakpoints, caches, files, sessions.

use std::{collections::HashMap, fs, sync::atomic::AtomicBool};

use serde::{Deserialize, Serialize};

use crate::common::{
    reference::negamax,
    running::{self, bits, finish, new_table, search, settings, with_table},
};
use plyscope::engine::{
    Engine,
    arena::TournamentSpec,
    cachefile::{Format, LoadOptions},
    game::{
        Fault, Game, History, KeyScheme, MoveText, Notation, Rules, Score, SearchRules, Side,
        Weights, Window,
    },
    recording::Resume,
    search::{Context, EventKind, Plan, Search, Stop},
    searcher::{Decision, Searcher},
    session::{
        Aliases, Session,
        cache::Sort,
        search::{Run, StopReport},
    },
};

/// Three in a row on a board of four columns and three rows. Stones drop to the bottom; a full board is a draw.
#[derive(Clone, Debug)]
struct Three;

/// Bit `4 * row + column` of each side, row 0 at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Board {
    stones: [u32; 2],
    side: Side,
}

const COLUMNS: u32 = 4;
const FULL: u32 = 0xFFF;

impl Board {
    fn three(stones: u32) -> bool {
        let runs = |step: u32, starts: u32| {
            (0..12).any(|at| {
                let run = 1 << at | 1 << (at + step) | 1 << (at + 2 * step);
                starts >> at & 1 == 1 && stones & run == run
            })
        };
        // Along a row, up a column, and both diagonals.
        runs(1, 0x333) || runs(4, 0x00F) || runs(5, 0x003) || runs(3, 0x00C)
    }

    fn mirrored(self) -> Self {
        let mirror = |stones: u32| {
            let rows = [
                (stones >> 3) & 0x111,
                (stones >> 1) & 0x222,
                stones << 1 & 0x444,
                stones << 3 & 0x888,
            ];
            rows.into_iter().fold(0, |all, column| all | column)
        };
        Self { stones: self.stones.map(mirror), ..self }
    }
}

impl Rules for Three {
    const NAME: &'static str = "three";

    type Position = Board;
    type History = ();
    type Move = u8;
    type Key = u32;
    type Evaluator = f64;

    fn side(&self, board: &Board) -> Side {
        board.side
    }

    fn expand(&self, board: &Board, (): &(), moves: &mut Vec<u8>) -> Option<Score> {
        let taken = board.stones[0] | board.stones[1];
        if Board::three(board.stones[board.side.other().index()]) {
            return Some(-Score::ONE);
        }
        if taken == FULL {
            return Some(Score::ZERO);
        }
        moves.extend((0..4).filter(|column| taken >> (8 + column) & 1 == 0));
        None
    }

    fn apply(&self, board: &Board, column: u8) -> Board {
        let taken = board.stones[0] | board.stones[1];
        let cells = (0..3).map(|row| 1 << (COLUMNS * row + u32::from(column)));
        let cell = cells.into_iter().find(|cell| taken & cell == 0).unwrap_or(0);
        let mut next = Board { side: board.side.other(), ..*board };
        next.stones[board.side.index()] |= cell;
        next
    }

    fn evaluator(&self, weights: &Weights, _: &Board) -> Result<f64, Fault> {
        Ok(weights.get("centre"))
    }

    fn evaluate(&self, centre: &f64, board: &Board) -> Score {
        let count = |side: Side| f64::from((board.stones[side.index()] & 0x666).count_ones());
        let balance = count(board.side) - count(board.side.other());
        Score::new(centre * balance / (6.0 * centre.abs() + 1.0)).unwrap()
    }

    fn full_window(&self, _: &f64) -> Window {
        Window { alpha: -Score::ONE, beta: Score::ONE }
    }

    fn key(&self, board: &Board, scheme: KeyScheme) -> u32 {
        let key = |board: &Board| {
            let (own, other) = (board.side.index(), board.side.other().index());
            board.stones[own] << 12 | board.stones[other]
        };
        match scheme {
            KeyScheme::Plain => (board.side.index() as u32) << 24 | key(board),
            KeyScheme::Colour => key(board),
            KeyScheme::Canonical => key(board).min(key(&board.mirrored())),
        }
    }

    fn start(&self) -> Board {
        Board { stones: [0, 0], side: Side::White }
    }

    fn default_weights(&self) -> Weights {
        Weights::new([("centre", 1.0)])
    }
}

impl SearchRules for Three {
    fn orbit(&self, board: &Board) -> Vec<Board> {
        let mirrored = board.mirrored();
        if mirrored == *board { vec![*board] } else { vec![*board, mirrored] }
    }

    fn opponent_to_move(&self, board: &Board) -> Board {
        Board { side: board.side.other(), ..*board }
    }
}

impl Notation for Three {
    fn parse_position(&self, text: &str) -> Result<Board, Fault> {
        let mut board = self.start();
        let (cells, side) = text.split_once(' ').ok_or_else(|| Fault::new("no side to move"))?;
        for (place, letter) in cells.chars().filter(|letter| *letter != '/').enumerate() {
            let bit = 1_u32.checked_shl(place as u32).filter(|bit| *bit <= FULL);
            let bit = bit.ok_or_else(|| Fault::new("more than twelve cells"))?;
            match letter {
                'w' => board.stones[0] |= bit,
                'b' => board.stones[1] |= bit,
                '.' => {}
                _ => return Err(Fault::new(format!("`{letter}` is no cell"))),
            }
        }
        board.side = if side == "b" { Side::Black } else { Side::White };
        Ok(board)
    }

    fn format_position(&self, board: &Board) -> String {
        let cell = |place: u32| match board.stones.map(|stones| stones >> place & 1) {
            [1, _] => 'w',
            [_, 1] => 'b',
            _ => '.',
        };
        let row = |row: u32| (4 * row..4 * row + 4).map(cell).collect::<String>();
        format!("{} {}", [0, 1, 2].map(row).join("/"), board.side.letter())
    }

    fn format_move(&self, _: &Board, column: u8) -> String {
        ["a", "b", "c", "d"][usize::from(column)].into()
    }
}

impl Game for Three {
    fn decode(&self, key: u32) -> Option<Board> {
        let (own, other) = (key >> 12 & FULL, key & FULL);
        let black = key >> 24 == 1;
        Some(if black {
            Board { stones: [other, own], side: Side::Black }
        } else {
            Board { stones: [own, other], side: Side::White }
        })
    }
}

fn engine() -> Engine {
    Engine::with(|interrupt| Box::new(Session::new(Three, interrupt)))
}

fn evaluator() -> f64 {
    Three.evaluator(&Three.default_weights(), &Three.start()).unwrap()
}

fn all_searches() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for algorithm in ["minimax", "alphabeta"] {
        for policy in ["none", "exact", "interval", "bound"] {
            for symmetry in ["on", "off"] {
                for order in ["none", "memo", "static"] {
                    all.push(vec![
                        ("algorithm", algorithm),
                        ("memo", policy),
                        ("symmetry", symmetry),
                        ("order", order),
                    ]);
                }
            }
        }
    }
    all
}

/// The positions after these moves from the start.
fn boards(drops: &[&str]) -> Vec<Board> {
    let after = |text: &&str| {
        text.bytes().fold(Three.start(), |board, letter| Three.apply(&board, letter - b'a'))
    };
    drops.iter().map(after).collect()
}

#[test]
fn every_search_finds_the_values_of_plain_negamax() {
    let evaluator = evaluator();
    let boards = boards(&["", "b", "bc", "bbc", "abcd", "dcba", "bbbccc", "aabbdd", "ddccaab"]);
    let truth = |board: &Board, depth| negamax(&Three, &evaluator, board, &mut (), depth);
    for words in all_searches() {
        let settings = settings(words.clone());
        let context = Context { game: &Three, evaluator: &evaluator, mode: settings.mode() };
        let mut table = new_table::<Three>(&settings);
        for (board, depth) in
            boards.iter().flat_map(|board| [0, 1, 3, 5].map(|depth| (board, depth)))
        {
            let plan = Plan::Value { depth, window: Three.full_window(&evaluator) };
            let mut search = search(&context, plan, board, None);
            with_table!(&mut table, table => finish(&context, table, &mut search));
            assert_eq!(search.value(), Some(truth(board, depth)), "{board:?} {depth} {words:?}");
        }
    }
}

fn solve(board: &Board, known: &mut HashMap<u32, Score>) -> Score {
    let key = Three.key(board, KeyScheme::Plain);
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let mut moves = Vec::new();
    let over = Three.expand(board, &(), &mut moves);
    let values = moves.into_iter().map(|mv| -solve(&Three.apply(board, mv), known));
    let best = values.reduce(Score::max);
    let value = over.or(best).unwrap();
    known.insert(key, value);
    value
}

#[test]
fn a_custom_game_is_solved_to_its_end() {
    let mut known = HashMap::new();
    let start = Three.start();
    let mut engine = engine();
    let run = engine.session_mut().run(&[]).unwrap();
    assert_eq!(run.value, Some(solve(&start, &mut known)));
    assert_eq!(run.stopped, Some(Stop::Exhausted));
    for found in &run.moves {
        let column = Three.parse_move(&start, &(), found.mv.plain()).unwrap();
        let worth = -solve(&Three.apply(&start, column), &mut known);
        let proven = found.value.is_some_and(|value| value == Score::ONE || value == -Score::ONE);
        assert!(!proven || found.value == Some(worth), "{found:?} is worth {worth}");
    }
}

/// A full board is worth 0, whatever the heuristic value.
#[test]
fn a_drawn_game_is_worth_nothing() {
    let mut engine = engine();
    let mut known = HashMap::new();
    let full = "wbwb/wbwb/bwbw w";
    let report = engine.session_mut().set_position(full).unwrap();
    assert_eq!((report.finished, report.winner.as_deref()), (true, Some("draw")));
    let value = engine.session_mut().value(0, None, None).unwrap();
    assert_eq!(value.value, Some(Score::ZERO));
    let run = engine.session_mut().run(&[]).unwrap();
    assert_eq!((run.value, run.best.len()), (Some(Score::ZERO), 0));
    assert_eq!(solve(&Three.parse_position(full).unwrap(), &mut known), Score::ZERO);
}

fn step(engine: &mut Engine, resume: Resume) -> StopReport {
    engine.session_mut().resume(resume).unwrap()
}

#[test]
fn a_custom_game_is_stepped_and_stopped_like_any_other() {
    let mut engine = engine();
    assert_eq!(step(&mut engine, Resume::Step(1)).event.unwrap().kind, EventKind::Iteration);
    let entered = step(&mut engine, Resume::Step(1)).event.unwrap();
    assert_eq!(
        (entered.kind, entered.ply, entered.mv.as_ref().map(MoveText::plain)),
        (EventKind::Descend, 1, Some("a"))
    );
    assert_eq!(entered.state, "w.../..../.... b");

    running::break_at(engine.session_mut(), &[("position", "w.../b.../.... w")], true).unwrap();
    let stopped = step(&mut engine, Resume::Continue);
    assert_eq!((stopped.stopped.as_str(), stopped.breakpoint), ("break", Some(1)));
    let stack = engine.session().stack().unwrap();
    let states: Vec<_> = stack.frames.iter().map(|frame| frame.state.as_str()).collect();
    assert_eq!(states, ["..../..../.... w", "w.../..../.... b", "w.../b.../.... w"]);
    assert_eq!(
        engine.session_mut().frame(Some(1)).unwrap().mv.as_ref().map(MoveText::plain),
        Some("a")
    );
    assert!(engine.session().breakpoints().breakpoints.is_empty(), "a temporary one is gone");

    let key = engine.session().key(Some("bw../..../.... w")).unwrap().key;
    running::break_at(engine.session_mut(), &[("key", &key), ("kind", "store")], false).unwrap();
    let stored = step(&mut engine, Resume::Continue);
    assert_eq!(stored.breakpoint, Some(2));
    assert_eq!(stored.event.unwrap().kind, EventKind::Store);
    engine.session_mut().remove_breakpoint(None).unwrap();
    assert!(step(&mut engine, Resume::Continue).done);
}

#[test]
fn a_custom_game_has_matches_and_tournaments() {
    let mut engine = engine();
    let players = ["deep: depth=9", "shallow: depth=1"].map(str::to_owned);
    let options = TournamentSpec {
        players: players.into(),
        games: 3,
        openings: 2,
        ..TournamentSpec::default()
    };
    let spec = engine.session().tournament_spec(options, false).unwrap();
    let report = engine.session_mut().play_tournament(&spec, None, Some(2)).unwrap();
    assert_eq!((report.played, report.status), (6, "complete"));
    assert_eq!(report.standings[0].name, "deep");
    assert!(report.endings.iter().all(|row| row.ending == "the rules"));
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("games.jsonl");
    let moves = engine.session().one_game(2).unwrap().moves;
    engine.session().save_games(&kept, false).unwrap();
    assert_eq!(engine.session_mut().show_tournament(&[&kept]).unwrap().played, 6);
    assert_eq!(engine.session().one_game(2).unwrap().moves, moves);
    engine.session_mut().open_game(2, 3).unwrap();
    let opened = engine.session().position();
    assert_eq!((opened.undo, opened.redo), (4, moves.len() - 3));
}

#[test]
fn a_custom_games_cache_is_listed_edited_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.plycache");
    let mut first = engine();
    first.session_mut().value(4, None, None).unwrap();
    let key = first.session().some_entries(1)[0].0.clone();
    let edited = first.session_mut().cache_set(&key, &[("value", "-0.0")]).unwrap();
    assert!(edited.previous.is_some());
    let saved = first.session().cache_save(&path, None, None).unwrap();

    let mut second = engine();
    let loaded = second.session_mut().cache_load(&path, LoadOptions::default()).unwrap();
    assert_eq!((loaded.saved.entries, saved.saved.entries), (saved.total, loaded.total));
    let list = |engine: &Engine| {
        engine.session().cache_list(&[], Sort::Table, 0..usize::MAX).unwrap().entries
    };
    // A file of a cache does not tell which entries were set by hand.
    let mut entries = list(&first);
    assert_eq!(
        entries.iter_mut().filter_map(|entry| entry.edited.then(|| entry.edited = false)).count(),
        1
    );
    assert_eq!(entries, list(&second));
    let negative_zero = second.session().cache_get(&key).unwrap().entry.unwrap().value;
    assert!(negative_zero.get().is_sign_negative());

    // The seeds' files are for morris, and a file of one game is not for another.
    for format in [Format::SeedSearch, Format::SeedRote] {
        let fault = second.session().cache_save(&path, Some(format), None).unwrap_err();
        assert!(!fault.message.is_empty(), "{fault}");
    }
    let fault =
        Engine::default().session_mut().cache_load(&path, LoadOptions::default()).unwrap_err();
    assert!(fault.message.contains("three"), "{fault}");
}

fn unfinished(run: &Run) -> String {
    let timeless = Run { ms: None, ..run.clone() };
    serde_json::to_string(&timeless).unwrap()
}

#[test]
fn a_custom_games_session_is_saved_during_a_search_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.ron");
    let mut before = engine();
    before.session_mut().play("b").unwrap();
    before.session_mut().play("c").unwrap();
    before.session_mut().undo(1).unwrap();
    before.session_mut().define_weights("flat", &[("centre", "0.125")]).unwrap();
    step(&mut before, Resume::Step(333));
    running::break_at(before.session_mut(), &[("position", "bw../..../.... w")], false).unwrap();
    before.session().save_session(&path, &Aliases::new(), true).unwrap();

    let mut after = engine();
    after.load_session(&path).unwrap();
    assert_eq!(
        unfinished(&before.session().result().unwrap()),
        unfinished(&after.session().result().unwrap())
    );
    for engine in [&mut before, &mut after] {
        engine.session_mut().remove_breakpoint(None).unwrap();
    }
    loop {
        let [one, other] = [&mut before, &mut after].map(|engine| step(engine, Resume::Step(1)));
        assert_eq!((one.event, one.done), (other.event, other.done));
        if one.done {
            break;
        }
    }
    assert_eq!(
        unfinished(&before.session().result().unwrap()),
        unfinished(&after.session().result().unwrap())
    );
    assert_eq!(
        after.session_mut().redo(1).unwrap().last_move.as_ref().map(MoveText::plain),
        Some("c")
    );

    // An engine of another game does not know this one.
    let fault = Engine::default().load_session(&path).unwrap_err();
    assert!(
        fault.message.contains("three.ron") && fault.message.contains("no game is called `three`"),
        "{fault}"
    );
    fs::remove_file(&path).unwrap();
}

/// Two pieces on a ring of five cells: the side that moves onto the other loses, and the third occurrence of a position
/// is a draw.
#[derive(Clone, Debug)]
struct Ring {
    /// Whether repetitions are draws.
    draws: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Visited(Vec<[u8; 3]>);

impl History<[u8; 3]> for Visited {
    fn push(&mut self, position: &[u8; 3]) {
        self.0.push(*position);
    }

    fn pop(&mut self) {
        self.0.pop();
    }
}

impl Rules for Ring {
    const NAME: &'static str = "ring";

    /// The cells of the pieces and the side to move.
    type Position = [u8; 3];

    type History = Visited;
    type Move = u8;
    type Key = [u8; 3];
    type Evaluator = ();

    fn side(&self, position: &[u8; 3]) -> Side {
        Side::ALL[usize::from(position[2])]
    }

    fn expand(&self, position: &[u8; 3], past: &Visited, moves: &mut Vec<u8>) -> Option<Score> {
        if position[0] == position[1] {
            return Some(Score::ONE);
        }
        let before = past.0.iter().filter(|known| *known == position).count();
        if self.draws && before >= 2 {
            return Some(Score::ZERO);
        }
        moves.extend([1, 4]);
        None
    }

    fn apply(&self, position: &[u8; 3], step: u8) -> [u8; 3] {
        let mut next = *position;
        let mover = usize::from(position[2]);
        next[mover] = (position[mover] + step) % 5;
        next[2] = 1 - position[2];
        next
    }

    fn evaluator(&self, _: &Weights, _: &[u8; 3]) -> Result<(), Fault> {
        Ok(())
    }

    fn evaluate(&self, (): &(), position: &[u8; 3]) -> Score {
        let [a, b, turn] = position.map(f64::from);
        Score::new((a - 2.0 * b + turn) / 20.0).unwrap()
    }

    fn full_window(&self, (): &()) -> Window {
        Window { alpha: -Score::ONE, beta: Score::ONE }
    }

    fn key(&self, position: &[u8; 3], _: KeyScheme) -> [u8; 3] {
        *position
    }

    fn start(&self) -> [u8; 3] {
        [0, 2, 0]
    }

    fn default_weights(&self) -> Weights {
        Weights::new([])
    }
}

impl SearchRules for Ring {}

impl Notation for Ring {
    fn parse_position(&self, text: &str) -> Result<[u8; 3], Fault> {
        let cells: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'0')).collect();
        let cells: [u8; 3] = cells.try_into().map_err(|_| Fault::new("three digits"))?;
        let fits = cells[0] < 5 && cells[1] < 5 && cells[2] < 2;
        fits.then_some(cells).ok_or_else(|| Fault::new("out of range"))
    }

    fn format_position(&self, position: &[u8; 3]) -> String {
        position.map(|digit| digit.to_string()).concat()
    }

    fn format_move(&self, _: &[u8; 3], step: u8) -> String {
        if step == 1 { "+" } else { "-" }.into()
    }
}

impl Game for Ring {
    fn decode(&self, key: [u8; 3]) -> Option<[u8; 3]> {
        Some(key)
    }
}

#[test]
fn the_history_is_that_of_the_line_being_searched() {
    let game = Ring { draws: true };
    for (algorithm, order) in [("minimax", "none"), ("alphabeta", "none"), ("alphabeta", "static")]
    {
        let settings = settings([("algorithm", algorithm), ("memo", "none"), ("order", order)]);
        let context = Context { game: &game, evaluator: &(), mode: settings.mode() };
        let mut table = new_table::<Ring>(&settings);
        for depth in 0..=11 {
            let past = Visited(vec![[0, 2, 0], [1, 2, 1], [1, 3, 0], [0, 3, 1]]);
            let truth = negamax(&game, &(), &game.start(), &mut past.clone(), depth);
            let plan = Plan::Value { depth, window: game.full_window(&()) };
            let mut search = Search::new(&context, plan, game.start(), past, None);
            with_table!(&mut table, table => finish(&context, table, &mut search));
            assert_eq!(search.value(), Some(truth), "depth {depth} {algorithm} {order}");
        }
        assert_eq!(bits(table.entries()).len(), 0);
    }
}

/// Chooses a move in the ring after these positions, the last of which is on the board.
fn choose_in_ring(draws: bool, positions: &[[u8; 3]], memo: &str) -> Result<Decision<Ring>, Fault> {
    let ((board, past), settings) =
        (positions.split_last().unwrap(), settings([("budget", "off"), ("memo", memo)]));
    let mut searcher = Searcher::new(&Ring { draws }, &settings, &Weights::new([]))?;
    let decision = searcher.choose((board, &Visited(past.into())), 0, &AtomicBool::default());
    decision.map(|decision| decision.expect("nothing interrupts the search"))
}

#[test]
fn the_played_game_belongs_to_the_history() {
    let game = Ring { draws: true };
    let mut positions = vec![game.start()];
    for step in [1, 1, 4, 4, 1, 1, 4, 4] {
        let (board, past) = positions.split_last().unwrap();
        assert!(game.expand(board, &Visited(past.into()), &mut vec![]).is_none());
        positions.push(game.apply(board, step));
    }
    let fault = choose_in_ring(true, &positions, "none").unwrap_err();
    assert!(fault.message.contains("the game is over"), "the start for the third time: {fault}");
    positions.pop();
    assert_eq!(choose_in_ring(true, &positions, "none").unwrap().moves.len(), 2);
}

/// Defect D6: with few children the seeds deepen beyond the range of one byte.
#[test]
fn a_game_without_end_is_searched_to_depth_255_and_no_further() {
    let decision = choose_in_ring(false, &[[0, 2, 0]], "interval").unwrap();
    assert_eq!((decision.depth, decision.moves.len()), (255, 2));
}

/// A game with positions that have neither moves nor a value; a search counts them as draws.
#[derive(Clone, Debug)]
struct Short;

impl Rules for Short {
    const NAME: &'static str = "short";

    type Position = u8;
    type History = ();
    type Move = u8;
    type Key = u8;
    type Evaluator = ();

    fn side(&self, depth: &u8) -> Side {
        if depth.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    fn expand(&self, depth: &u8, (): &(), moves: &mut Vec<u8>) -> Option<Score> {
        moves.extend((0..2).filter(|_| *depth < 3));
        None
    }

    fn apply(&self, depth: &u8, _: u8) -> u8 {
        depth + 1
    }

    fn evaluator(&self, _: &Weights, _: &u8) -> Result<(), Fault> {
        Ok(())
    }

    fn evaluate(&self, (): &(), _: &u8) -> Score {
        Score::ONE
    }

    fn full_window(&self, (): &()) -> Window {
        Window { alpha: -Score::ONE, beta: Score::ONE }
    }

    fn key(&self, depth: &u8, _: KeyScheme) -> u8 {
        *depth
    }

    fn start(&self) -> u8 {
        0
    }

    fn default_weights(&self) -> Weights {
        Weights::new([])
    }
}

impl SearchRules for Short {}

impl Notation for Short {
    fn parse_position(&self, text: &str) -> Result<u8, Fault> {
        text.parse().map_err(|_| Fault::new("no number"))
    }

    fn format_position(&self, depth: &u8) -> String {
        depth.to_string()
    }

    fn format_move(&self, _: &u8, mv: u8) -> String {
        mv.to_string()
    }
}

impl Game for Short {}

#[test]
fn a_position_with_neither_moves_nor_a_value_is_a_draw() {
    let settings = settings(vec![("memo", "none")]);
    let context = Context { game: &Short, evaluator: &(), mode: settings.mode() };
    let mut table = new_table::<Short>(&settings);
    let plan = Plan::Value { depth: 6, window: Short.full_window(&()) };
    let mut search = search(&context, plan, &0, None);
    with_table!(&mut table, table => finish(&context, table, &mut search));
    assert_eq!(search.value(), Some(Score::ZERO));
}
