//! The current games (of a tournament or a file), files of games in the game's own format, and logs of the seeds' rounds.

use std::{collections::BTreeMap, path::Path};

use super::{
    Ending, Fixture, GameRecord, MatchOutcome, Opening, Played, Standings, Tournament,
    TournamentPlan, number_of,
};
use crate::engine::game::{Fault, Game, History, Side, TaggedGame, pgn};

/// The games that `match show` and related commands work on.
#[derive(Clone, Debug)]
pub struct CurrentGames<G: Game> {
    /// The standings after these games.
    pub standings: Standings,
    /// The games by number, from 0.
    pub records: BTreeMap<usize, GameRecord>,
    /// The tournament that the games belong to; `None` if they were read from a file of games.
    pub plan: Option<TournamentPlan<G>>,
    /// Notes on reading the games, for the reply.
    pub notes: Vec<String>,
}

impl<G: Game> CurrentGames<G> {
    /// The games of a tournament that is saved in `file`.
    pub fn of(tournament: Tournament<G>, file: Option<&Path>, notes: Vec<String>) -> Self {
        let file = file.map(|file| file.display().to_string());
        Self {
            standings: Standings { file, ..tournament.standings() },
            records: tournament.records,
            plan: Some(tournament.plan),
            notes,
        }
    }

    /// The games that were read from a file of games.
    pub fn of_log(GameLog { names, records, .. }: GameLog) -> Self {
        let standings = Standings {
            game: G::NAME.to_owned(),
            status: "loaded",
            total: records.len(),
            ..Standings::of(names, &records)
        };
        let records = records.into_iter().map(|record| (record.game, record)).collect();
        Self { standings, records, plan: None, notes: Vec::new() }
    }

    /// The tournament that the games belong to, for resuming it.
    /// Errors: games that were read from a file of games, or are those of several parts.
    pub fn tournament(&self) -> Result<Tournament<G>, Fault> {
        let plan = self.plan.clone().filter(|_| self.standings.parts.is_empty());
        let plan = plan.ok_or_else(|| {
            let origin = match self.plan {
                Some(_) => "are those of several parts, not of one tournament",
                None => "were read from a file of games, not of a tournament",
            };
            Fault::new(format!("the current games {origin}"))
                .hint("`tournament resume FILE` resumes a tournament from its file")
        })?;
        Ok(Tournament::new(plan, self.records.clone()))
    }

    /// The standings, with the notes on reading the games before their own notes.
    pub fn standings_with_notes(&self) -> Standings {
        let notes = self.notes.iter().chain(&self.standings.notes).cloned().collect();
        Standings { notes, ..self.standings.clone() }
    }

    /// A game by its number, from 1.
    /// Errors: a number that no game has.
    pub fn numbered(&self, number: usize) -> Result<&GameRecord, Fault> {
        number.checked_sub(1).and_then(|number| self.records.get(&number)).ok_or_else(|| {
            Fault::new(format!("there is no game {number}")).hint("`match show` lists the games")
        })
    }

    /// The tags of a game: its players, its round and how it ended.
    pub fn tags(&self, record: &GameRecord) -> Vec<(String, String)> {
        let tags: [(&str, String); 6] = [
            ("Event", "Plyscope".to_owned()),
            ("Round", (record.fixture.round + 1).to_string()),
            ("White", self.standings.name(record.fixture.white).to_owned()),
            ("Black", self.standings.name(record.fixture.black).to_owned()),
            ("Result", record.outcome.token().to_owned()),
            ("Termination", record.outcome.ending.to_string()),
        ];
        tags.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// The games in PGN. `game` gives the rules of games read from a file.
    /// Errors: records that are not legal games.
    pub fn export(&self, game: &G) -> Result<String, Fault> {
        let game = self.plan.as_ref().map_or(game, |plan| &plan.game);
        let mut games = Vec::new();
        for record in self.records.values() {
            let Opening { start, moves } = record.read(game)?;
            let tags = self.tags(record);
            games.push(pgn::write(game, &TaggedGame::plain(start, &moves, tags)));
        }
        Ok(games.join("\n"))
    }
}

/// The outcome given by the tags `Result` and `Termination`.
fn outcome(result: &str, termination: &str) -> MatchOutcome {
    MatchOutcome {
        winner: match result {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            _ => None,
        },
        ending: match (result, termination) {
            ("" | "*", _) => Ending::Unfinished,
            (_, "") => Ending::Rules("as the file says".to_owned()),
            (_, words) => Ending::from(words.to_owned()),
        },
    }
}

/// The games read from a file, with their players.
#[derive(Clone, Debug, Default)]
pub struct GameLog {
    /// The names of the players, in the order of their numbers; `?` without a name.
    pub names: Vec<String>,
    /// The games that could be read, in the order of the file.
    pub records: Vec<GameRecord>,
    /// Why games were left out, each fault with its place in the text.
    pub faults: Vec<Fault>,
}

impl GameLog {
    /// Reads games in PGN. Games that cannot be read are left out, with a note.
    /// Errors: a text without a game that can be read, by line and column.
    pub fn import<G: Game>(game: &G, text: &str) -> Result<Self, Fault> {
        let mut log = Self::default();
        let (games, faults) = pgn::read_all(game, text);
        let mut faults = faults.into_iter();
        if games.is_empty() {
            let none = Fault::new("there is no game in the file")
                .hint("a game is its tags, such as [White \"?\"], and its moves");
            return Err(faults.next().unwrap_or(none));
        }
        log.faults = faults.collect();
        for imported in games {
            let tag = |name: &str| imported.tag(name).unwrap_or_default();
            let outcome = outcome(tag("Result"), tag("Termination"));
            let names = [tag("White"), tag("Black")];
            let played = Opening { start: imported.start.clone(), moves: imported.line() };
            log.add(game, names, played, outcome);
        }
        Ok(log)
    }

    fn add<G: Game>(
        &mut self,
        game: &G,
        names: [&str; 2],
        Opening { start, moves }: Opening<G>,
        outcome: MatchOutcome,
    ) {
        let round = self.records.len();
        let names = names.map(|name| if name.is_empty() { "?" } else { name });
        let [white, black] = names.map(|name| number_of(&mut self.names, name));
        let played = Played { moves, outcome, cost: Default::default() };
        let opening = Opening { start, moves: Vec::new() };
        let numbered = (round, Fixture { white, black, round });
        self.records.push(GameRecord::new(game, numbered, &opening, played));
    }
}

/// Reads games from the log of a round of the seeds, with every state on a line of its own.
///
/// ```text
/// Match 1
/// White: ab-25
/// Black: ab-5
/// ((9, 9), ((' ', ' ', …), (' ', …), (' ', …)))
/// ((8, 9), …)
/// Winner: w
/// Reason: A player won the match
/// ```
///
/// States may also be several on a line or in a list, as Python tuples or in the game's notation. Other lines are skipped. The
/// reasons are matched by words: only `A player won the match` and `No mill has been played for 30 turns` were ever recorded.
/// Errors: a state that no move leads to, and a text without states.
pub fn read_log<G: Game>(game: &G, text: &str) -> Result<GameLog, Fault> {
    let (games, names, current, winner, reason) = Default::default();
    let mut reader = LogReader { game, games, names, current, winner, reason };
    let mut at = 0;
    for (line, number) in text.split('\n').zip(1..) {
        reader
            .line(line.trim(), number)
            .map_err(|fault| Fault { at: Some(at..at + line.len()), ..fault })?;
        at += line.len() + 1;
    }
    reader.close();
    if reader.games.records.is_empty() {
        return Err(Fault::new("the log has no state of a match")
            .hint("a log has a state on every line, such as ((9, 9), ((' ', …), (…), (…)))"));
    }
    Ok(reader.games)
}

/// Parses a state; `side` is the side to move if the notation does not include it.
fn parse_state<G: Game>(game: &G, text: &str, side: Side) -> Result<G::Position, Fault> {
    match game.seed_files() {
        Some(files) => files.parse_logged(text, side),
        None => game.parse_position(text),
    }
}

struct LogReader<'a, G: Game> {
    game: &'a G,
    games: GameLog,
    names: [String; 2],
    current: Option<LoggedGame<G>>,
    winner: Option<Side>,
    reason: Option<String>,
}

/// The part of a game read so far, with its last position and its history.
struct LoggedGame<G: Game> {
    played: Opening<G>,
    last: G::Position,
    history: G::History,
}

impl<G: Game> LogReader<'_, G> {
    fn line(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        if line.contains("((") {
            return tuples(line).try_for_each(|tuple| self.state(tuple, number));
        }
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim().trim_matches(['\'', '"']);
        match key.trim().to_lowercase().as_str() {
            "white" => value.clone_into(&mut self.names[0]),
            "black" => value.clone_into(&mut self.names[1]),
            "winner" => {
                self.winner = match value.to_lowercase().as_str() {
                    "w" | "white" => Some(Side::White),
                    "b" | "black" => Some(Side::Black),
                    _ => None,
                };
                self.reason.get_or_insert_default();
            }
            "reason" => self.reason = Some(value.to_owned()),
            key if key.starts_with("match") => self.close(),
            _ if self.game.parse_position(line).is_ok() => return self.state(line, number),
            _ => {}
        }
        Ok(())
    }

    /// Reads the first state of a game, or the state after a legal move from the last state.
    fn state(&mut self, text: &str, number: usize) -> Result<(), Fault> {
        if self.reason.is_some() {
            self.close();
        }
        let Some(LoggedGame { played, last, history }) = &mut self.current else {
            let start = parse_state(self.game, text, Side::White)?;
            let (last, history) = (start.clone(), G::History::default());
            let played = Opening { start, moves: Vec::new() };
            self.current = Some(LoggedGame { played, last, history });
            return Ok(());
        };
        let side = self.game.side(last).other();
        let position = parse_state(self.game, text, side)?;
        let moves = self.game.legal_moves(last, history);
        let leads_here = |mv: &G::Move| self.game.apply(last, *mv) == position;
        let mv = moves.into_iter().find(leads_here).ok_or_else(|| {
            Fault::new(format!("line {number}: no move leads from the previous state to this one"))
                .hint("each state must follow from the state before it by one move")
        })?;
        played.moves.push(mv);
        history.push(last);
        *last = position;
        Ok(())
    }

    fn close(&mut self) {
        let (winner, reason) = (self.winner.take(), self.reason.take());
        // The names of the next game come before its first state: while no game is open, they are kept for that game.
        let Some(LoggedGame { played, last, history }) = self.current.take() else {
            return;
        };
        let is_terminal = self.game.terminal(&last, &history).is_some();
        let ending = match reason.as_deref() {
            _ if is_terminal => Ending::Rules(self.game.termination(&last, &history).to_owned()),
            None => Ending::Unfinished,
            Some(reason) => ending(reason),
        };
        let names = std::mem::take(&mut self.names);
        let outcome = MatchOutcome { winner, ending };
        self.games.add(self.game, names.each_ref().map(String::as_str), played, outcome);
    }
}

fn ending(reason: &str) -> Ending {
    let lower = reason.to_lowercase();
    let has = |word: &str| lower.contains(word);
    if has("no mill") {
        Ending::NoMill
    } else if has("occurred") || has("repeat") {
        Ending::Occurrences
    } else if has("maximum") || has("max_turns") {
        Ending::MaxTurns
    } else if has("not finished") || lower.is_empty() {
        Ending::Unfinished
    } else {
        Ending::Rules(reason.trim_start_matches("Draw: ").to_owned())
    }
}

/// The Python tuples on a line, each from its first to its last bracket.
fn tuples(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let from = rest.find("((")?;
        let mut open = 0_usize;
        let end = rest[from..].char_indices().find_map(|(at, letter)| {
            match letter {
                '(' => open += 1,
                ')' => open = open.saturating_sub(1),
                _ => return None,
            }
            (open == 0).then_some(from + at + 1)
        });
        // If a bracket is missing, parsing the rest of the line as a state fails with a better message.
        let end = end.unwrap_or(rest.len());
        let tuple = &rest[from..end];
        rest = &rest[end..];
        Some(tuple)
    })
}
