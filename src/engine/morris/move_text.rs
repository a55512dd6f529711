//! Reading moves, and the exact reason why a move is illegal.

use std::{ops::Range, str::FromStr};

use super::{
    DoubleMill, Morris, Move, MovePhase, Point, PointSet, Position, successors::MoveGenerator,
};
use crate::engine::game::{Fault, Game as _, Result, Word, serde_as_text};

const SHAPE: &str = "write d6 to place a stone, a1-a4 to move one, xg7 after either to take one";

#[derive(Clone, Debug)]
struct NamedPoint {
    point: Point,
    at: Range<usize>,
}

impl NamedPoint {
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message).at(self.at.clone())
    }
}

#[derive(Clone, Debug)]
struct MoveText {
    from: Option<NamedPoint>,
    to: NamedPoint,
    taken: Vec<NamedPoint>,
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

fn name(word: &Word<'_>) -> Result<NamedPoint> {
    if word.text.is_empty() {
        return Err(word.fault("a point is missing", SHAPE));
    }
    let point = word.text.parse().map_err(|fault: Fault| fault.at(word.at.clone()))?;
    Ok(NamedPoint { point, at: word.at.clone() })
}

impl MoveText {
    /// The move, legal or not. Fails for moves from a point to itself and impossible captures.
    fn to_move(&self) -> Result<Move> {
        let to = self.to.point;
        let mv = match &self.from {
            None => Move::placing(to),
            Some(from) if from.point == to => {
                return Err(self.to.fault(format!("{to} to {to} is not a move")));
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

    /// Reads a move, legal or not.
    fn from_str(text: &str) -> Result<Self> {
        read(text)?.to_move()
    }
}

serde_as_text!(Move);

/// Reads a legal move of this position. The fault says exactly why a move is illegal.
pub(super) fn parse(morris: Morris, position: &Position, text: &str) -> Result<Move> {
    let written = read(text)?;
    let mv = written.to_move()?;
    if morris.outcome(position).is_some() {
        let end = morris.describe_position(position, &());
        return Err(Fault::new(format!("{mv} cannot be played: {end}")));
    }
    let mut legal = Vec::with_capacity(64);
    morris.generate_moves(position, &mut legal);
    if legal.contains(&mv) {
        return Ok(mv);
    }
    let generator = morris.generator(position);
    let illegal = IllegalMove { morris, position, generator, written: &written };
    Err(illegal.step_fault().unwrap_or_else(|| illegal.capture_fault()))
}

struct IllegalMove<'a> {
    morris: Morris,
    position: &'a Position,
    generator: MoveGenerator,
    written: &'a MoveText,
}

impl IllegalMove<'_> {
    /// The fault in the origin or the destination; `None` if both are legal.
    fn step_fault(&self) -> Option<Fault> {
        let (mover, to) = (self.position.side(), &self.written.to);
        let empty = self.generator.empty;
        Some(match (&self.written.from, self.morris.move_phase(self.position)) {
            (Some(from), MovePhase::Placing) => {
                let hand = self.position.hand(mover);
                from.fault(format!("{mover} still has {hand} in hand and must place one"))
                    .hint(format!("write {} alone to place a stone there", to.point))
            }
            (None, MovePhase::Moving | MovePhase::Flying) => to
                .fault(format!("{mover} has no stone in hand"))
                .hint("name where the stone comes from, such as a1-a4"),
            (Some(from), _) if self.position.at(from.point) != Some(mover) => from
                .fault(format!(
                    "{mover} has no stone on {}: {}",
                    from.point,
                    self.describe_owner(from)
                ))
                .hint(format!("{mover} has stones on {}", self.generator.own)),
            _ if !empty.contains(to.point) => {
                to.fault(format!("{} is not empty: {}", to.point, self.describe_owner(to)))
            }
            (Some(NamedPoint { point: from, .. }), MovePhase::Moving)
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

    /// The first fault in the captures, in the order in which they are written.
    fn capture_fault(&self) -> Fault {
        let (to, captures) = (&self.written.to, self.generator.captures);
        let lines = match &self.written.from {
            Some(from) => self.generator.lines_without(from.point),
            None => self.generator.lines,
        };
        let due = self.generator.captures_due(lines, to.point);
        match (due, self.written.taken.as_slice()) {
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
        let to = &self.written.to;
        to.fault(format!("{} closes {mills}: name {which} stone to take", to.point))
            .hint(format!("write x and one of {choice} after the move"))
    }

    fn nothing_to_take(&self, mills: &str) -> Fault {
        let (to, other) = (&self.written.to, self.position.side().other());
        let few = "has too few stones on the board to take";
        to.fault(format!("{} closes {mills}, but {other} {few}", to.point))
            .hint("without its captures the move is not legal")
    }

    fn not_takeable(&self, named: &NamedPoint, takeable: PointSet) -> Fault {
        let (point, victim) = (named.point, self.position.side().other());
        if takeable.is_empty() {
            return self.nothing_to_take("mills");
        }
        let fault = if self.position.at(point) == Some(victim) {
            named.fault(format!("{point} is in a mill, and {victim} has stones outside mills"))
        } else {
            named.fault(format!("{victim} has no stone on {point}: {}", self.describe_owner(named)))
        };
        fault.hint(format!("take one of {takeable}"))
    }

    fn describe_owner(&self, named: &NamedPoint) -> String {
        let side = self.position.at(named.point);
        side.map_or("it is empty".into(), |side| format!("it holds a stone of {side}'s"))
    }
}
