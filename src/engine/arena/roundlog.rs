//! Reads games from logs of the seeds' rounds: every state on a line of its own.
//!
//! ```text
//! Match 1
//! White: ab-25
//! Black: ab-5
//! ((9, 9), ((' ', ' ', …), (' ', …), (' ', …)))
//! ((8, 9), …)
//! Winner: w
//! Reason: A player won the match
//! ```
//!
//! Of the seeds' own words two are known, from recorded games: `A player won the match` and `No mill has been played for 30
//! turns`. The reader takes states wherever they stand, several on a line or in a list as well, as Python tuples or in the
//! game's notation, and passes over lines that it does not know.

use super::{Ending, Fixture, GameRecord, MatchOutcome, Opening};
use crate::engine::game::{Fault, Game, History, Side};

/// The games of a file.
#[derive(Clone, Debug, Default)]
pub struct GameLog {
    /// The names of the players as they are numbered; `?` where the file has none.
    pub names: Vec<String>,
    /// The games.
    pub records: Vec<GameRecord>,
}

impl GameLog {
    /// Adds a game of two players, white's name first.
    pub fn add<G: Game>(
        &mut self,
        game: &G,
        names: [&str; 2],
        opening: &Opening<G>,
        outcome: MatchOutcome,
    ) {
        let round = self.records.len();
        let [white, black] =
            names.map(|name| self.number(if name.is_empty() { "?" } else { name }));
        let played = (round, Fixture { white, black, round });
        let record =
            GameRecord::new(game, played, opening, &opening.moves, outcome, Default::default());
        self.records.push(GameRecord { opening: 0, ..record });
    }

    fn number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
}

/// Reads games from text.
///
/// # Errors
/// States that do not follow one from the other, with the line; text without any state.
pub fn read<G: Game>(game: &G, text: &str) -> Result<GameLog, Fault> {
    let mut reader = LogReader { game, games: GameLog::default(), draft: LogDraft::new() };
    let mut at = 0;
    for (line, number) in text.split('\n').zip(1..) {
        reader
            .line(line.trim(), number)
            .map_err(|fault| Fault { at: Some(at..at + line.len()), ..fault })?;
        at += line.len() + 1;
    }
    reader.close();
    if reader.games.records.is_empty() {
        return Err(Fault::new("no state of a match is in it")
            .hint("a log has a state on every line, such as ((9, 9), ((' ', …), (…), (…)))"));
    }
    Ok(reader.games)
}

/// A game that is being read: its first position, the last one, and what led there.
struct LogDraft<G: Game> {
    names: [String; 2],
    ends: Option<[G::Position; 2]>,
    moves: Vec<G::Move>,
    history: G::History,
    winner: Option<Side>,
    reason: Option<String>,
}

impl<G: Game> LogDraft<G> {
    fn new() -> Self {
        Self {
            names: Default::default(),
            ends: None,
            moves: Vec::new(),
            history: G::History::default(),
            winner: None,
            reason: None,
        }
    }
}

struct LogReader<'a, G: Game> {
    game: &'a G,
    games: GameLog,
    draft: LogDraft<G>,
}

impl<G: Game> LogReader<'_, G> {
    fn line(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        if line.contains("((") {
            return tuples(line).try_for_each(|tuple| self.state(tuple, number));
        }
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim().trim_matches(['\'', '"']);
        match key.trim().to_lowercase().as_str() {
            "white" => value.clone_into(&mut self.draft.names[0]),
            "black" => value.clone_into(&mut self.draft.names[1]),
            "winner" => {
                self.draft.winner = match value.to_lowercase().as_str() {
                    "w" | "white" => Some(Side::White),
                    "b" | "black" => Some(Side::Black),
                    _ => None,
                };
                self.draft.reason.get_or_insert_default();
            }
            "reason" => self.draft.reason = Some(value.to_owned()),
            key if key.starts_with("match") => self.close(),
            _ => {
                if self.game.parse_position(line).is_ok() {
                    return self.state(line, number);
                }
            }
        }
        Ok(())
    }

    /// A state: the first one, or what a move of the last one leads to.
    fn state(&mut self, text: &str, number: usize) -> Result<(), Fault> {
        if self.draft.reason.is_some() {
            self.close();
        }
        let Some([_, last]) = &mut self.draft.ends else {
            let first = self.game.parse_logged(text, Side::White)?;
            self.draft.ends = Some([first.clone(), first]);
            return Ok(());
        };
        let position = self.game.parse_logged(text, self.game.side(last).other())?;
        let mut moves = Vec::new();
        self.game.expand(last, &self.draft.history, &mut moves);
        let led_here = |mv: &G::Move| self.game.apply(last, *mv) == position;
        let mv = moves.into_iter().find(led_here).ok_or_else(|| {
            Fault::new(format!("line {number}: no move leads from the state before to this one"))
                .hint("the states of a match follow one another, one move apart")
        })?;
        self.draft.moves.push(mv);
        self.draft.history.push(last);
        *last = position;
        Ok(())
    }

    /// The game that is being read is over.
    fn close(&mut self) {
        let draft = std::mem::replace(&mut self.draft, LogDraft::new());
        let Some([start, last]) = draft.ends else {
            // Names may stand before the first state.
            self.draft.names = draft.names;
            return;
        };
        let over = self.game.terminal(&last, &draft.history).is_some();
        let ending = match draft.reason.as_deref() {
            _ if over => Ending::Rules(self.game.verdict(&last, &draft.history).to_owned()),
            None => Ending::Unfinished,
            Some(reason) => ending(reason),
        };
        let outcome = MatchOutcome { winner: draft.winner, ending };
        let opening = Opening { start, moves: draft.moves };
        let names = draft.names.each_ref().map(String::as_str);
        self.games.add(self.game, names, &opening, outcome);
    }
}

/// Why a match ended, by a log's words.
fn ending(reason: &str) -> Ending {
    let lower = reason.to_lowercase();
    let says = |word: &str| lower.contains(word);
    if says("no mill") {
        Ending::NoMill
    } else if says("occurred") || says("repeat") {
        Ending::Occurrences
    } else if says("maximum") || says("max_turns") {
        Ending::MaxTurns
    } else if says("not finished") || lower.is_empty() {
        Ending::Unfinished
    } else {
        Ending::Rules(reason.trim_start_matches("Draw: ").to_owned())
    }
}

/// The tuples of tuples on a line, each from its first bracket to its last.
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
        // A bracket too few is for the reader of states to complain of.
        let end = end.unwrap_or(rest.len());
        let tuple = &rest[from..end];
        rest = &rest[end..];
        Some(tuple)
    })
}
