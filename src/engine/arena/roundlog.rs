//! Logs of matches as text: every state on a line of its own, as the seeds' rounds have them.
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
//! turns`. The reader takes states wherever they stand, several on a line or in a list as well, and passes over lines that it
//! does not know. Games without tuples write states in their own notation.

mod read;

use std::fmt::Write as _;

pub use read::read;

use super::{Cost, DrawRules, Ending, Fixture, GameLine, GameRecord, Opening, Outcome};
use crate::engine::game::{Fault, Game, Side};

/// A game of a log: who played, and what is known of it.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The names of white and black; empty where the log has none.
    pub names: [String; 2],
    /// The game, its players numbered 0 and 1.
    pub line: GameLine,
}

/// Writes games as text.
///
/// # Errors
/// Lines that are no games of this kind.
pub fn write<'a, G: Game>(
    game: &G,
    rules: &DrawRules,
    games: impl IntoIterator<Item = (&'a GameLine, [&'a str; 2])>,
) -> Result<String, Fault> {
    let mut text = String::new();
    for (line, [white, black]) in games {
        let record = line.record(game)?;
        let _ = writeln!(
            text,
            "Match {}\nWhite: {white}\nBlack: {black}",
            line.game + 1
        );
        for position in record.positions(game) {
            let _ = writeln!(text, "{}", game.format_logged(&position));
        }
        let winner = line
            .winner
            .map_or("-".to_owned(), |side| side.letter().to_string());
        let reason = reason(&record.outcome, rules);
        let _ = writeln!(text, "Winner: {winner}\nReason: {reason}\n");
    }
    Ok(text)
}

const WON: &str = "A player won the match";

/// Why a match ended, as logs say it.
fn reason(outcome: &Outcome, rules: &DrawRules) -> String {
    let number = |limit: Option<u32>| limit.map_or("many".to_owned(), |limit| limit.to_string());
    match &outcome.ending {
        Ending::Rules(_) if outcome.winner.is_some() => WON.to_owned(),
        Ending::Rules(words) => format!("Draw: {words}"),
        Ending::MaxTurns => format!(
            "The maximum of {} turns is reached",
            number(rules.max_turns)
        ),
        Ending::Occurrences => format!("A state has occurred {} times", number(rules.occurrences)),
        Ending::NoMill => format!(
            "No mill has been played for {} turns",
            number(rules.no_mill)
        ),
        Ending::Unfinished => "The match was not finished".to_owned(),
    }
}

impl Logged {
    /// A game of a file in a game's own format, with its result and termination in that format's words.
    pub fn of<G: Game>(
        game: &G,
        number: usize,
        names: [String; 2],
        played: (G::Position, Vec<G::Move>),
        result: &str,
        termination: &str,
    ) -> Self {
        let winner = match result {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            _ => None,
        };
        let ending = match (result, termination) {
            ("" | "*", _) => Ending::Unfinished,
            (_, "") => Ending::Rules("as the file says".to_owned()),
            (_, words) => Ending::from(words.to_owned()),
        };
        let outcome = Outcome { winner, ending };
        Self {
            names,
            line: line_of(game, number, played, outcome),
        }
    }
}

/// A game that was read, its players numbered 0 and 1.
fn line_of<G: Game>(
    game: &G,
    number: usize,
    (start, moves): (G::Position, Vec<G::Move>),
    outcome: Outcome,
) -> GameLine {
    let record = GameRecord {
        opening: Opening {
            start,
            moves: Vec::new(),
        },
        moves,
        outcome,
        cost: [Cost::default(); 2],
    };
    let fixture = Fixture {
        white: 0,
        black: 1,
        round: number,
    };
    GameLine::of(game, number, fixture, &record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::morris::Morris;

    const LOG: &str = "\
Round of two
Match 1
White: ann
Black: bob
((9, 9), ((' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ')))
((8, 9), ((' ', 'w', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ')))
Winner: -
Reason: The match was not finished

Match 2
......../......../........ w 9 9
......../.w....../........ b 8 9
Winner: -
Reason: No mill has been played for 30 turns
";

    #[test]
    fn logs_are_read_in_either_notation_and_written_back() {
        let game = Morris::default();
        let games = read(&game, LOG).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].names, ["ann", "bob"]);
        assert_eq!(
            (games[0].line.moves.as_str(), &games[0].line.ending),
            ("d7", &Ending::Unfinished)
        );
        assert_eq!(
            (games[1].line.moves.as_str(), &games[1].line.ending),
            ("d6", &Ending::NoMill)
        );
        let written = games.iter().map(|game| (&game.line, ["x", "y"]));
        let text = write(&game, &DrawRules::SOUND, written).unwrap();
        let again: Vec<_> = read(&game, &text)
            .unwrap()
            .into_iter()
            .map(|game| game.line)
            .collect();
        assert_eq!(
            again,
            games.into_iter().map(|game| game.line).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_list_on_one_line_is_a_log_too() {
        let tuples: Vec<_> = LOG.lines().filter(|line| line.starts_with('(')).collect();
        let text = format!("[{}]", tuples.join(", "));
        let games = read(&Morris::default(), &text).unwrap();
        assert_eq!(games[0].line.moves, "d7");
    }

    #[test]
    fn states_that_do_not_follow_are_refused_with_their_line() {
        let game = Morris::default();
        let wrong = LOG.replace("(8, 9)", "(7, 9)");
        let fault = read(&game, &wrong).unwrap_err();
        assert!(fault.message.starts_with("line 6:"), "{fault}");
        assert!(read(&game, &LOG.replace("'w'", "'x'")).is_err());
        assert!(read(&game, "((9, 9)").is_err());
        assert!(
            read(&game, "nothing")
                .unwrap_err()
                .message
                .contains("no state")
        );
    }
}
