//! Lines of EPD: a position, then operations such as the best move. From the *PGN Standard* (Edwards, 1994), section 16.2.

use crate::engine::game::{Game, Result, Word};

/// The operations that can follow the position on a line.
const OPCODES: &str = "acd acn acs am bm c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ce dm draw_accept draw_claim draw_offer draw_reject eco fmvn \
                       hmvc id nic noop pm pv rc resign sv tcgs tcri tcsi v0 v1 v2 v3 v4 v5 v6 v7 v8 v9";

/// The task that a line sets for its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task<M> {
    /// `bm`: the solutions, any of which may be found; empty if any move is a solution.
    pub best: Vec<M>,
    /// `am`: the moves that must not be found.
    pub avoid: Vec<M>,
    /// `dm`: the number of moves within which the side to move must win.
    pub mate: Option<u32>,
}

/// The result of a search, for comparison with a task.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a, M> {
    /// The best moves, equal in value.
    pub best: &'a [M],
    /// The number of plies to the end of the game, if a win is proven.
    pub win: Option<f64>,
}

impl<M> Default for Task<M> {
    fn default() -> Self {
        Self { best: Vec::new(), avoid: Vec::new(), mate: None }
    }
}

impl<M: PartialEq> Task<M> {
    /// Whether the line sets no task.
    pub fn is_empty(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none()
    }

    /// Whether every best move is a solution and, if the task has `dm`, a win in time is proven.
    pub fn is_solved(&self, found: &Attempt<'_, M>) -> bool {
        let is_right =
            |mv: &M| (self.best.is_empty() || self.best.contains(mv)) && !self.avoid.contains(mv);
        // A mate in `n` moves takes `2n - 1` plies: the winner makes the first and the last move.
        let in_time = |mate: u32| found.win.is_some_and(|plies| plies <= f64::from(2 * mate - 1));
        !found.best.is_empty() && found.best.iter().all(is_right) && self.mate.is_none_or(in_time)
    }
}

/// A position of a suite with its task, read from a line.
#[derive(Clone, Debug)]
pub struct SuiteLine<G: Game> {
    pub position: G::Position,
    pub id: Option<String>,
    /// The comment after `#`; without one, the operations `c0` to `c9`.
    pub comment: Option<String>,
    pub task: Task<G::Move>,
}

impl<G: Game> SuiteLine<G> {
    /// Reads a line; `None` if the line has no position.
    /// Errors: a position or an operation that cannot be read, with its place in the line.
    pub fn read(game: &G, line: &str) -> Result<Option<Self>> {
        let (content, remark) = line.split_at(comment_start(line));
        let words = Word::all(content);
        let Some(first) = words.first() else {
            return Ok(None);
        };
        let is_opcode = |word: &&Word<'_>| {
            OPCODES.split(' ').any(|opcode| opcode == word.text.trim_end_matches(';'))
        };
        let end = words.iter().skip(1).find(is_opcode).map_or(content.len(), |word| word.at.start);
        let operations = Operation::all(content, end);
        let mut state = content[first.at.start..end].trim_end().to_owned();
        // In EPD, the counters of a FEN are operations.
        let number = |opcode: &str, usual: &str| {
            let found = operations.iter().find(|operation| operation.opcode.text == opcode);
            found.map_or(usual, |operation| operation.operand.text).to_owned()
        };
        if operations.iter().any(|operation| ["hmvc", "fmvn"].contains(&operation.opcode.text)) {
            state = format!("{state} {} {}", number("hmvc", "0"), number("fmvn", "1"));
        }
        let position = game.parse_position(&state).map_err(|fault| {
            let at = fault.at.clone().unwrap_or(0..state.len());
            let place = |byte: usize| (first.at.start + byte).min(content.len());
            fault.at(place(at.start)..place(at.end))
        })?;
        let remark = remark.trim_start_matches('#').trim();
        let comment = Some(remark.to_owned()).filter(|remark| !remark.is_empty());
        let mut read = Self { position, id: None, comment, task: Task::default() };
        for operation in &operations {
            read.add(game, operation)?;
        }
        Ok(Some(read))
    }

    fn add(&mut self, game: &G, operation: &Operation<'_>) -> Result<()> {
        let Operation { opcode, operand } = operation;
        let text = || Some(operand.text.trim_matches('"').to_owned());
        match opcode.text {
            "bm" => self.task.best = self.moves(game, operand)?,
            "am" => self.task.avoid = self.moves(game, operand)?,
            "dm" => {
                let moves = operand.text.parse().ok().filter(|moves| (1..=1000).contains(moves));
                self.task.mate = Some(moves.ok_or_else(|| {
                    operand.fault(
                        format!("`{}` is not a number of moves", operand.text),
                        "write dm 3; for a win in three moves",
                    )
                })?);
            }
            "id" => self.id = text(),
            code if code.starts_with('c') && code != "ce" && self.comment.is_none() => {
                self.comment = text();
            }
            _ => {}
        }
        Ok(())
    }

    fn moves(&self, game: &G, operand: &Word<'_>) -> Result<Vec<G::Move>> {
        let words = operand.split(char::is_whitespace).into_iter();
        let read = |word: Word<'_>| {
            let mv = game.parse_move(&self.position, &G::History::default(), word.text);
            mv.map_err(|fault| fault.at(word.at))
        };
        words.filter(|word| !word.text.is_empty()).map(read).collect()
    }
}

/// An operation of EPD with its operand: `bm Nf3 d4;`.
struct Operation<'a> {
    opcode: Word<'a>,
    operand: Word<'a>,
}

impl<'a> Operation<'a> {
    /// The operations of a line from byte `from` on. Semicolons in quotes do not separate operations.
    fn all(line: &'a str, from: usize) -> Vec<Self> {
        let mut quoted = false;
        let whole = Word { text: &line[from..], at: from..line.len() };
        let mut ends = |letter: char| {
            quoted ^= letter == '"';
            letter == ';' && !quoted
        };
        let mut operations = Vec::new();
        let mut begin = from;
        for (letter, at) in whole.letters().chain([(';', line.len()..line.len())]) {
            if !ends(letter) && at.start < line.len() {
                continue;
            }
            let text = &line[begin..at.start];
            let word = Word { text, at: begin..at.start }.trim();
            begin = at.end;
            let length = word.text.find(char::is_whitespace).unwrap_or(word.text.len());
            if length > 0 {
                let (opcode, operand) = word.text.split_at(length);
                let middle = word.at.start + length;
                operations.push(Self {
                    opcode: Word { text: opcode, at: word.at.start..middle },
                    operand: Word { text: operand, at: middle..word.at.end }.trim(),
                });
            }
        }
        operations
    }
}

/// The byte at which a line's comment begins: a `#` at the start of a word, not in quotes. In SAN, a `#` ends a move.
fn comment_start(line: &str) -> usize {
    let (mut quoted, mut before) = (false, ' ');
    for (at, letter) in line.char_indices() {
        if letter == '#' && !quoted && before.is_whitespace() {
            return at;
        }
        quoted ^= letter == '"';
        before = letter;
    }
    line.len()
}
