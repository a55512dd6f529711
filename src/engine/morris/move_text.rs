//! Reading moves: first what the text says, then whether it is legal and, if not, exactly why.

use std::{ops::Range, str::FromStr};

use super::{DoubleMill, Morris, Move, MovePhase, Point, PointSet, Position, successors::Turn};
use crate::engine::game::{Fault, Game as _, Result, Word, serde_as_text};

const SHAPE: &str = "write d6 to place a stone, a1-a4 to move one, xg7 after either to take one";

/// A point and where it was named.
#[derive(Clone, Debug)]
struct Named {
    point: Point,
    at: Range<usize>,
}

impl Named {
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message).at(self.at.clone())
    }
}

/// A move as it was written.
#[derive(Clone, Debug)]
struct MoveText {
    from: Option<Named>,
    to: Named,
    taken: Vec<Named>,
}

fn read(text: &str) -> Result<MoveText> {
    let whole = Word::whole(text.trim_end_matches(['!', '?']));
    let mut parts = whole.split(|letter| matches!(letter, 'x' | 'X'));
    let head = parts.remove(0);
    let steps = head.split(|letter| letter == '-');
    if steps.len() > 2 {
        let message = format!("`{}` names {} points", head.text, steps.len());
        return Err(head.fault(message, SHAPE));
    }
    let mut faults = Vec::new();
    let mut named = |word: Word<'_>| name(&word.trim()).map_err(|fault| faults.push(fault)).ok();
    let mut steps: Vec<_> = steps.into_iter().filter_map(&mut named).collect();
    let taken = parts.into_iter().filter_map(&mut named).collect();
    match (Fault::merge(faults), steps.pop()) {
        (None, Some(to)) => Ok(MoveText { from: steps.pop(), to, taken }),
        (fault, _) => Err(fault.unwrap_or_else(|| whole.fault("not a move", SHAPE))),
    }
}

fn name(word: &Word<'_>) -> Result<Named> {
    if word.text.is_empty() {
        return Err(word.fault("a point is missing", SHAPE));
    }
    let point = word.text.parse().map_err(|fault: Fault| fault.at(word.at.clone()))?;
    Ok(Named { point, at: word.at.clone() })
}

impl MoveText {
    /// The move, if its points could be those of a move at all.
    fn packed(&self) -> Result<Move> {
        let to = self.to.point;
        let mv = match &self.from {
            None => Move::placing(to),
            Some(from) if from.point == to => {
                return Err(self.to.fault(format!("{to} to {to} is no move")));
            }
            Some(from) => Move::moving(from.point, to),
        };
        match self.taken.as_slice() {
            [] => Ok(mv),
            [one] => Ok(mv.taking(one.point)),
            [one, other] if one.point == other.point => {
                Err(other.fault(format!("{} is taken twice", other.point)))
            }
            [one, other] => Ok(mv.taking_two(one.point, other.point)),
            [_, _, third, ..] => Err(third
                .fault(format!("{} stones are taken", self.taken.len()))
                .hint("a move closes two mills at most")),
        }
    }
}

impl FromStr for Move {
    type Err = Fault;

    /// Reads a move's text; whether it is legal somewhere is another question.
    fn from_str(text: &str) -> Result<Self> {
        read(text)?.packed()
    }
}

serde_as_text!(Move);

/// The legal move a text names, or why there is none.
pub(super) fn parse(morris: Morris, position: &Position, text: &str) -> Result<Move> {
    let words = read(text)?;
    let mv = words.packed()?;
    if morris.outcome(position).is_some() {
        let end = morris.words(position, &());
        return Err(Fault::new(format!("{mv} cannot be played: {end}")));
    }
    let mut legal = Vec::with_capacity(64);
    morris.successors(position, &mut legal);
    if legal.contains(&mv) {
        return Ok(mv);
    }
    let judge = Judge { morris, position, turn: morris.turn(position), words: &words };
    Err(judge.step().unwrap_or_else(|| judge.captures()))
}

/// An illegal move held against the position where it is to be played.
struct Judge<'a> {
    morris: Morris,
    position: &'a Position,
    turn: Turn,
    words: &'a MoveText,
}

impl Judge<'_> {
    /// What is wrong with where the stone comes from or where it goes.
    fn step(&self) -> Option<Fault> {
        let (mover, to) = (self.position.side(), &self.words.to);
        let empty = self.turn.empty;
        Some(match (&self.words.from, self.morris.phase(self.position)) {
            (Some(from), MovePhase::Placing) => {
                let hand = self.position.hand(mover);
                from.fault(format!("{mover} still has {hand} in hand and must place one"))
                    .hint(format!("write {} alone to place a stone there", to.point))
            }
            (None, MovePhase::Moving | MovePhase::Flying) => to
                .fault(format!("{mover} has no stone in hand"))
                .hint("name where the stone comes from, such as a1-a4"),
            (Some(from), _) if self.position.at(from.point) != Some(mover) => from
                .fault(format!("{mover} has no stone on {}: {}", from.point, self.holder(from)))
                .hint(format!("{mover} has stones on {}", self.turn.own)),
            _ if !empty.contains(to.point) => {
                to.fault(format!("{} is not empty: {}", to.point, self.holder(to)))
            }
            (Some(Named { point: from, .. }), MovePhase::Moving)
                if !from.neighbours().contains(to.point) =>
            {
                let open = from.neighbours() & empty;
                to.fault(format!("{} is not next to {from}", to.point)).hint(if open.is_empty() {
                    format!("the stone on {from} is blocked")
                } else {
                    format!("from {from} a stone can slide to {open}")
                })
            }
            _ => return None,
        })
    }

    /// Why the captures are not those that the closed mills demand. Two of them count in either order; a fault speaks of the
    /// order they were written in.
    fn captures(&self) -> Fault {
        let (to, captures) = (&self.words.to, self.turn.captures);
        let lines = match &self.words.from {
            Some(from) => self.turn.lines_without(from.point),
            None => self.turn.lines,
        };
        let due = self.turn.closed(lines, to.point);
        match (due, self.words.taken.as_slice()) {
            (0, [first, ..]) => first
                .fault(format!("{} closes no mill, so nothing is taken", to.point))
                .hint("leave the capture out"),
            (1, [_, second, ..]) => {
                let fault =
                    second.fault(format!("{} closes mills for one capture, not 2", to.point));
                match self.morris.double_mill {
                    DoubleMill::Two => fault,
                    DoubleMill::One => fault.hint("double_mill=one: a double mill takes one stone"),
                }
            }
            (_, []) => self.missing(due, "the", captures.ones()),
            (_, [first, ..]) if !captures.ones().contains(first.point) => {
                self.not_takeable(first, captures.ones())
            }
            (_, [first]) => self.missing(due, "the second", captures.after(first.point)),
            (_, [first, second, ..]) => self.not_takeable(second, captures.after(first.point)),
        }
    }

    fn missing(&self, due: usize, which: &str, choice: PointSet) -> Fault {
        let mills = if due == 2 { "two mills" } else { "a mill" };
        if choice.is_empty() {
            return self.nothing_to_take(mills);
        }
        let to = &self.words.to;
        to.fault(format!("{} closes {mills}: name {which} stone to take", to.point))
            .hint(format!("after x, one of {choice}"))
    }

    fn nothing_to_take(&self, mills: &str) -> Fault {
        let (to, other) = (&self.words.to, self.position.side().other());
        let few = "has too few stones on the board to take";
        to.fault(format!("{} closes {mills}, but {other} {few}", to.point))
            .hint("without its captures the move is not legal")
    }

    fn not_takeable(&self, named: &Named, takeable: PointSet) -> Fault {
        let (point, victim) = (named.point, self.position.side().other());
        if takeable.is_empty() {
            return self.nothing_to_take("mills");
        }
        let fault = if self.position.at(point) == Some(victim) {
            named.fault(format!("{point} is in a mill, and {victim} has stones outside mills"))
        } else {
            named.fault(format!("{victim} has no stone on {point}: {}", self.holder(named)))
        };
        fault.hint(format!("take one of {takeable}"))
    }

    fn holder(&self, named: &Named) -> String {
        let side = self.position.at(named.point);
        side.map_or("it is empty".into(), |side| format!("it holds a stone of {side}'s"))
    }
}
