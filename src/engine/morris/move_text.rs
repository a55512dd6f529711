//! Reading moves: first what the text says, then whether it is legal and, if not, exactly why.

use std::{ops::Range, str::FromStr};

use super::{
    DoubleMill, Morris, Move, MovePhase, Point, PointSet, Position, captures::Captures,
    successors::Turn,
};
use crate::engine::game::{Fault, Side, serde_as_text};

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

/// Takes a move's text apart.
fn read(text: &str) -> Result<MoveText, Fault> {
    let text = text.trim_end_matches(['!', '?']);
    let mut parts = pieces(0..text.len(), text, ['x', 'X']);
    let head = parts.remove(0);
    let mut steps = pieces(head.clone(), &text[head.clone()], ['-', '-']);
    if steps.len() > 2 {
        let message = format!("`{}` names {} points", &text[head.clone()], steps.len());
        return Err(Fault::new(message).at(head).hint(SHAPE));
    }
    let mut faults = Vec::new();
    let mut named = |at: Range<usize>| name(text, at).map_err(|fault| faults.push(fault)).ok();
    let to = steps.pop().and_then(&mut named);
    let from = steps.pop().map(&mut named);
    let taken: Option<Vec<_>> = parts.into_iter().map(&mut named).collect();
    match (to, from, taken) {
        (Some(to), None, Some(taken)) => Ok(MoveText { from: None, to, taken }),
        (Some(to), Some(Some(from)), Some(taken)) => Ok(MoveText { from: Some(from), to, taken }),
        _ => Err(Fault::merge(faults).unwrap_or_else(|| Fault::new("not a move").hint(SHAPE))),
    }
}

/// The places of the pieces between separators.
fn pieces(whole: Range<usize>, text: &str, separators: [char; 2]) -> Vec<Range<usize>> {
    let mut start = whole.start;
    text.split(separators)
        .map(|piece| {
            let at = start..start + piece.len();
            start = at.end + 1;
            at
        })
        .collect()
}

fn name(text: &str, at: Range<usize>) -> Result<Named, Fault> {
    let piece = text[at.clone()].trim();
    if piece.is_empty() {
        return Err(Fault::new("a point is missing").at(at).hint(SHAPE));
    }
    let lead = text[at.clone()].find(piece).unwrap_or(0);
    let at = at.start + lead..at.start + lead + piece.len();
    match piece.parse() {
        Ok(point) => Ok(Named { point, at }),
        Err(fault) => Err(Fault::at(fault, at)),
    }
}

impl MoveText {
    /// The move, if its points could be those of a move at all.
    fn packed(&self) -> Result<Move, Fault> {
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
    fn from_str(text: &str) -> Result<Self, Fault> {
        read(text)?.packed()
    }
}

serde_as_text!(Move);

/// The legal move a text names, or why there is none.
pub(super) fn parse(morris: Morris, position: &Position, text: &str) -> Result<Move, Fault> {
    let words = read(text)?;
    let mv = words.packed()?;
    if morris.outcome(position).is_some() {
        return Err(Fault::new(format!("{mv} cannot be played: {}", morris.task_or_end(position))));
    }
    let judge = Judge { morris, position, turn: morris.turn(position), words: &words };
    judge.step()?;
    judge.captures()?;
    Ok(mv)
}

/// A move's text held against a position where it is to be played.
struct Judge<'a> {
    morris: Morris,
    position: &'a Position,
    turn: Turn,
    words: &'a MoveText,
}

impl Judge<'_> {
    fn mover(&self) -> Side {
        self.position.side()
    }

    /// Whether the stone can come from where it does and go where it goes.
    fn step(&self) -> Result<(), Fault> {
        let (mover, to) = (self.mover(), &self.words.to);
        let phase = self.morris.phase(self.position);
        match (&self.words.from, phase) {
            (Some(from), MovePhase::Placing) => return Err(self.must_place(from)),
            (None, MovePhase::Moving | MovePhase::Flying) => {
                return Err(to
                    .fault(format!("{mover} has no stone in hand"))
                    .hint("name where the stone comes from, such as a1-a4"));
            }
            (Some(from), _) if self.position.at(from.point) != Some(mover) => {
                let found = self.holder(from.point);
                let stones = self.turn.own;
                return Err(from
                    .fault(format!("{mover} has no stone on {}: {found}", from.point))
                    .hint(format!("{mover} has stones on {stones}")));
            }
            _ => {}
        }
        if !self.turn.empty.contains(to.point) {
            let found = self.holder(to.point);
            return Err(to.fault(format!("{} is not empty: {found}", to.point)));
        }
        match &self.words.from {
            Some(from) if phase == MovePhase::Moving => self.adjacent(from),
            _ => Ok(()),
        }
    }

    fn must_place(&self, from: &Named) -> Fault {
        let (mover, hand) = (self.mover(), self.position.hand(self.mover()));
        from.fault(format!("{mover} still has {hand} in hand and must place one"))
            .hint(format!("write {} alone to place a stone there", self.words.to.point))
    }

    fn adjacent(&self, from: &Named) -> Result<(), Fault> {
        let (from, to) = (from.point, &self.words.to);
        if from.neighbours().contains(to.point) {
            return Ok(());
        }
        let open = from.neighbours() & self.turn.empty;
        let fault = to.fault(format!("{} is not next to {from}", to.point));
        Err(if open.is_empty() {
            fault.hint(format!("the stone on {from} is blocked"))
        } else {
            fault.hint(format!("from {from} a stone can slide to {open}"))
        })
    }

    /// Whether the captures are those the closed mills demand.
    fn captures(&self) -> Result<(), Fault> {
        let lines = match &self.words.from {
            Some(from) => self.turn.lines_without(from.point),
            None => self.turn.lines,
        };
        let due = self.turn.closed(lines, self.words.to.point);
        let captures = self.turn.captures;
        match (due, self.words.taken.as_slice()) {
            (0, []) => Ok(()),
            (0, [first, ..]) => Err(first
                .fault(format!("{} closes no mill, so nothing is taken", self.words.to.point))
                .hint("leave the capture out")),
            (1, [one]) => self.takes(one, captures.ones()),
            (2, [one, other]) => self.takes_two(one, other),
            (_, taken) if taken.len() < due => Err(self.captures_missing(due, taken)),
            (_, taken) => Err(self.captures_surplus(taken)),
        }
    }

    fn captures_surplus(&self, taken: &[Named]) -> Fault {
        let two = self.morris.double_mill == DoubleMill::Two;
        let message =
            format!("{} closes mills for one capture, not {}", self.words.to.point, taken.len());
        let fault = self.words.taken[1].fault(message);
        if two { fault } else { fault.hint("double_mill=one: a double mill takes one stone") }
    }

    fn captures_missing(&self, due: usize, taken: &[Named]) -> Fault {
        let (to, captures) = (&self.words.to, self.turn.captures);
        let mills = if due == 2 { "two mills" } else { "a mill" };
        let choice = match taken {
            [] => captures.ones(),
            [one, ..] if captures.ones().contains(one.point) => captures.after(one.point),
            [one, ..] => return self.not_takeable(one, captures.ones()),
        };
        if choice.is_empty() {
            return self.nothing_to_take(mills);
        }
        let number = if taken.is_empty() { "the" } else { "the second" };
        to.fault(format!("{} closes {mills}: name {number} stone to take", to.point))
            .hint(format!("after x, one of {choice}"))
    }

    fn nothing_to_take(&self, mills: &str) -> Fault {
        let (to, other) = (&self.words.to, self.mover().other());
        to.fault(format!(
            "{} closes {mills}, but {other} has too few stones on the board to take",
            to.point
        ))
        .hint("without its captures the move is not legal")
    }

    fn takes(&self, named: &Named, takeable: PointSet) -> Result<(), Fault> {
        if takeable.contains(named.point) {
            Ok(())
        } else {
            Err(self.not_takeable(named, takeable))
        }
    }

    /// Two captures count in either order; a fault speaks of the order they were written in.
    fn takes_two(&self, one: &Named, other: &Named) -> Result<(), Fault> {
        let captures: Captures = self.turn.captures;
        let in_order = |first: &Named, second: &Named| {
            self.takes(first, captures.ones())?;
            self.takes(second, captures.after(first.point))
        };
        in_order(one, other).or_else(|fault| in_order(other, one).map_err(|_| fault))
    }

    fn not_takeable(&self, named: &Named, takeable: PointSet) -> Fault {
        let (point, victim) = (named.point, self.mover().other());
        if takeable.is_empty() {
            return self.nothing_to_take("mills");
        }
        let fault = if self.position.at(point) == Some(victim) {
            named.fault(format!("{point} is in a mill, and {victim} has stones outside mills"))
        } else {
            let found = self.holder(point);
            named.fault(format!("{victim} has no stone on {point}: {found}"))
        };
        fault.hint(format!("take one of {takeable}"))
    }

    fn holder(&self, point: Point) -> String {
        self.position.at(point).map_or_else(
            || "it is empty".to_owned(),
            |side| format!("it holds a stone of {side}'s"),
        )
    }
}
