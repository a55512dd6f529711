//! A move entered step by step: where from, where to, which stones it takes.

use crate::{
    engine::reply::{BoardKind, BoardMove, BoardReport},
    picture::{BoardMark, BoardScene},
};

/// The points chosen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveEntry {
    chosen: Vec<usize>,
    /// The piece that a pawn is to become is being asked for.
    promoting: bool,
}

/// What is to be chosen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveStage {
    /// A stone to move.
    From,
    /// Where it goes, or where a stone from the hand goes.
    To,
    /// A stone to take: which one of how many.
    Capture(usize, usize),
    /// What the piece becomes.
    Promotion,
}

impl MoveEntry {
    /// Takes back the last step.
    pub(super) fn back(&mut self) -> bool {
        self.promoting = false;
        self.chosen.pop().is_some()
    }

    /// The letters of the pieces that may be chosen now, the usual one first; none where that is not the question.
    pub(super) fn promotions(&self, report: &BoardReport) -> Vec<char> {
        if !self.promoting {
            return Vec::new();
        }
        let mut letters: Vec<_> = self.moves(report).filter_map(|mv| mv.promotion).collect();
        letters.sort_by_key(|letter| "QRBN".find(*letter).unwrap_or(usize::MAX));
        letters
    }

    /// Chooses what the piece becomes.
    pub(super) fn promote(&self, report: &BoardReport, letter: char) -> Option<String> {
        let letter = letter.to_ascii_uppercase();
        let becomes = |mv: &&BoardMove| mv.promotion == Some(letter);
        self.moves(report).find(becomes).map(|mv| mv.mv.clone())
    }

    fn moves<'r>(&self, report: &'r BoardReport) -> impl Iterator<Item = &'r BoardMove> {
        let moves = report.board.moves.iter();
        moves.filter(|mv| rest(mv, &self.chosen).is_some())
    }

    /// The points that may be chosen next, each once.
    pub(super) fn next(&self, report: &BoardReport) -> Vec<usize> {
        let mut next: Vec<_> =
            self.moves(report).filter_map(|mv| rest(mv, &self.chosen)).flatten().collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Nothing where no move is possible.
    pub(super) fn stage(&self, report: &BoardReport) -> Option<MoveStage> {
        let mv = self.moves(report).next()?;
        if self.promoting {
            return Some(MoveStage::Promotion);
        }
        let head = 1 + usize::from(mv.from.is_some());
        Some(match self.chosen.len() {
            0 if mv.from.is_some() => MoveStage::From,
            steps if steps < head => MoveStage::To,
            steps => MoveStage::Capture(steps - head + 1, mv.captures.len()),
        })
    }

    /// Chooses a point: as a step of a legal move, to put a stone back, or to take up another one. The move once it is
    /// complete; the fault says why the point cannot be chosen.
    pub(super) fn choose(
        &mut self,
        report: &BoardReport,
        point: usize,
    ) -> Result<Option<String>, String> {
        let stage = self.stage(report).ok_or_else(|| report.words.clone())?;
        if self.next(report).contains(&point) {
            self.chosen.push(point);
            let several = self.moves(report).filter(|mv| mv.promotion.is_some()).count() > 1;
            self.promoting = several && self.next(report).is_empty();
            return Ok(self.complete(report).filter(|_| !self.promoting));
        }
        if stage == MoveStage::To && self.chosen == [point] {
            self.chosen.clear();
            return Ok(None);
        }
        let takes_up = Self::default().next(report).contains(&point);
        if stage == MoveStage::To && self.chosen.len() == 1 && takes_up {
            self.chosen = vec![point];
            return Ok(None);
        }
        Err(self.refusal(report, stage, point))
    }

    /// The move that the chosen points are.
    fn complete(&self, report: &BoardReport) -> Option<String> {
        let whole = |mv: &&BoardMove| rest(mv, &self.chosen).is_some_and(|rest| rest.is_empty());
        self.moves(report).find(whole).map(|mv| mv.mv.clone())
    }

    fn refusal(&self, report: &BoardReport, stage: MoveStage, point: usize) -> String {
        let name = |point: usize| report.board.points[point].name.as_str();
        let (here, at) = (name(point), &report.board.points[point]);
        let what = match report.board.kind {
            BoardKind::Lines => "stone",
            BoardKind::Squares => "piece",
        };
        match (stage, at.stone) {
            (MoveStage::Promotion, _) => "the pawn is to become another piece".to_owned(),
            (MoveStage::From, Some(side)) if side == report.side => {
                format!("the {what} on {here} cannot move")
            }
            (MoveStage::Capture(..), Some(side)) if side != report.side => {
                if at.in_mill {
                    format!("the stone on {here} is in a mill: others go first")
                } else {
                    format!("the stone on {here} cannot be taken")
                }
            }
            (MoveStage::From | MoveStage::Capture(..), None) => {
                format!("there is no {what} on {here}")
            }
            (MoveStage::To, _) if report.board.kind == BoardKind::Squares => {
                let from = self.chosen.first().map_or(here, |&from| name(from));
                format!("{from} cannot go to {here}")
            }
            (MoveStage::To, Some(_)) => format!("{here} is not empty"),
            (_, Some(side)) => format!("the {what} on {here} is {side}'s"),
            (MoveStage::To, None) => match self.chosen.first() {
                Some(&from) => format!("{} cannot go to {here}", name(from)),
                None => format!("a stone on {here} would close a mill with nothing to take"),
            },
        }
    }

    /// What is to be done next.
    pub(super) fn words(&self, report: &BoardReport) -> String {
        let side = report.side;
        let next = self.next(report);
        match self.stage(report) {
            None => report.words.clone(),
            Some(MoveStage::From) if report.board.kind == BoardKind::Squares => {
                report.words.clone()
            }
            Some(MoveStage::From) => format!("{side}: choose a stone to move"),
            Some(MoveStage::Promotion) => format!("{side}: choose what the pawn becomes"),
            Some(MoveStage::To) if self.chosen.is_empty() => {
                let hands = report.board.hands;
                let hand = hands.map(|hands| format!(" ({} in hand)", hands[side.index()]));
                format!("{side}: place a stone{}", hand.unwrap_or_default())
            }
            Some(MoveStage::To) if next.len() <= FEW => {
                let (from, to) = (names(report, &self.chosen), names(report, &next));
                format!("{side}: {from} to {to}")
            }
            Some(MoveStage::To) => {
                let from = names(report, &self.chosen);
                let places = match report.board.kind {
                    BoardKind::Lines => "points",
                    BoardKind::Squares => "squares",
                };
                format!("{side}: {from} to one of {} {places}", next.len())
            }
            Some(MoveStage::Capture(nth, of)) => {
                let stones = match next.as_slice() {
                    [_] => format!("the stone on {}", names(report, &next)),
                    several => format!("one of {} stones", several.len()),
                };
                let count = (of > 1).then(|| format!(" ({nth} of {of})"));
                format!("{side}: capture {stones}{}", count.unwrap_or_default())
            }
        }
    }

    /// Shows the steps done and what may come next.
    pub(super) fn mark(&self, scene: &mut BoardScene<'_>) {
        let report = scene.report;
        let Some(stage) = self.stage(report) else {
            return;
        };
        let next = self.next(report);
        let mark = match stage {
            MoveStage::Capture(..) => BoardMark::Capturable,
            MoveStage::From | MoveStage::To | MoveStage::Promotion => BoardMark::Target,
        };
        for &point in &next {
            // Where everything is possible marks would only be in the way: the cursor alone shows it.
            let shown =
                !self.chosen.is_empty() || stage == MoveStage::To && scene.cursor == Some(point);
            if shown {
                // An opponent's piece there is taken by going there.
                let taken = scene.stone(point).is_some();
                scene.marks[point] = if taken { BoardMark::Capturable } else { mark };
            }
        }
        match (stage, self.chosen.as_slice()) {
            (MoveStage::To, [from]) | (MoveStage::Promotion, [from, _]) => {
                scene.marks[*from] = BoardMark::Chosen;
            }
            (MoveStage::Capture(nth, _), chosen) => land(scene, chosen, nth - 1),
            _ => {}
        }
    }
}

/// So many points are named, more are counted.
const FEW: usize = 4;

fn names(report: &BoardReport, points: &[usize]) -> String {
    let names = points.iter().filter_map(|&point| report.board.points.get(point));
    let names: Vec<_> = names.map(|point| point.name.as_str()).collect();
    names.join(", ")
}

/// The board with the stone where it goes and without those already taken.
fn land(scene: &mut BoardScene<'_>, chosen: &[usize], taken: usize) {
    let side = scene.report.side;
    let (head, captures) = chosen.split_at(chosen.len() - taken);
    if let [from, _] = head {
        scene.stones[*from] = None;
        scene.marks[*from] = BoardMark::Plain;
    } else if let Some(hands) = &mut scene.hands {
        hands[side.index()] = hands[side.index()].saturating_sub(1);
    }
    if let Some(&to) = head.last() {
        scene.stones[to] = Some(side);
        scene.marks[to] = BoardMark::Chosen;
    }
    for &capture in captures {
        scene.stones[capture] = None;
        scene.marks[capture] = BoardMark::Plain;
    }
}

/// The points that may follow the chosen ones on the way to a move; none when it is complete, nothing if the chosen
/// points do not lead to it.
fn rest(mv: &BoardMove, chosen: &[usize]) -> Option<Vec<usize>> {
    let head: Vec<usize> = mv.from.into_iter().chain([mv.to]).collect();
    if chosen.len() < head.len() {
        return head.starts_with(chosen).then(|| vec![head[chosen.len()]]);
    }
    let (steps, taken) = chosen.split_at(head.len());
    let fits = if mv.any_order {
        taken.iter().all(|point| mv.captures.contains(point))
    } else {
        mv.captures.starts_with(taken)
    };
    if steps != head || !fits {
        return None;
    }
    let left = mv.captures.iter().filter(|point| !taken.contains(point));
    let next = if mv.any_order { usize::MAX } else { 1 };
    Some(left.copied().take(next).collect())
}
