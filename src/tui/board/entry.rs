//! A move entered step by step: where from, where to, which stones it takes, what a pawn becomes.

use crate::{
    engine::reply::{BoardKind, BoardMove, BoardReport},
    picture::{BoardMark, BoardScene},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MoveStep {
    /// The stone on this point moves.
    From(usize),
    /// It goes to this point, or a stone from the hand does.
    To(usize),
    /// The stone on this point is taken.
    Capture(usize),
    /// The pawn becomes the piece with this letter.
    Become(char),
}

impl MoveStep {
    const fn point(self) -> Option<usize> {
        match self {
            Self::From(point) | Self::To(point) | Self::Capture(point) => Some(point),
            Self::Become(_) => None,
        }
    }
}

/// The steps of a move, for each order in which the stones that it takes may be chosen; it takes two at most.
fn orders(mv: &BoardMove) -> impl Iterator<Item = Vec<MoveStep>> {
    let orders = if mv.any_order { mv.captures.len().max(1) } else { 1 };
    (0..orders).map(|order| {
        let mut captures = mv.captures.clone();
        captures.rotate_left(order);
        let head = mv.from.map(MoveStep::From).into_iter().chain([MoveStep::To(mv.to)]);
        let steps = head.chain(captures.into_iter().map(MoveStep::Capture));
        steps.chain(mv.promotion.map(MoveStep::Become)).collect()
    })
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveEntry(Vec<MoveStep>);

impl MoveEntry {
    pub(super) fn back(&mut self) -> bool {
        self.0.pop().is_some()
    }

    /// The moves that begin with the chosen steps, with all of theirs.
    pub(super) fn moves<'r>(
        &self,
        report: &'r BoardReport,
    ) -> impl Iterator<Item = (&'r BoardMove, Vec<MoveStep>)> {
        let moves = report.board.moves.iter();
        let all = moves.flat_map(|mv| orders(mv).map(move |steps| (mv, steps)));
        all.filter(|(_, steps)| steps.starts_with(&self.0))
    }

    /// The steps that may come next, all of one kind, each once.
    fn next(&self, report: &BoardReport) -> Vec<MoveStep> {
        let steps = self.moves(report).filter_map(|(_, steps)| steps.get(self.0.len()).copied());
        let mut next: Vec<_> = steps.collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The letters of the pieces that may be chosen now, the usual one first; none where that is not the question.
    pub(super) fn promotions(&self, report: &BoardReport) -> Vec<char> {
        let next = self.next(report);
        "QRBN".chars().filter(|letter| next.contains(&MoveStep::Become(*letter))).collect()
    }

    pub(super) fn promote(&mut self, report: &BoardReport, letter: char) -> Option<String> {
        let step = MoveStep::Become(letter.to_ascii_uppercase());
        if self.next(report).contains(&step) { self.take(report, step) } else { None }
    }

    /// Chooses a point: as a step of a legal move, to put a stone back, or to take up another one. The move once it is
    /// complete; the fault says why the point cannot be chosen.
    pub(super) fn choose(
        &mut self,
        report: &BoardReport,
        point: usize,
    ) -> Result<Option<String>, String> {
        let at = |steps: Vec<MoveStep>| steps.into_iter().find(|step| step.point() == Some(point));
        let next = self.next(report);
        let stage = *next.first().ok_or_else(|| report.words.clone())?;
        if let Some(step) = at(next) {
            return Ok(self.take(report, step));
        }
        if let (MoveStep::To(_), [MoveStep::From(from)]) = (stage, self.0.as_slice()) {
            let other = at(Self::default().next(report));
            if other.is_some() {
                self.0 = other.filter(|_| *from != point).into_iter().collect();
                return Ok(None);
            }
        }
        Err(self.refusal(report, stage, point))
    }

    /// Goes on with a step; the move, if that completes it.
    fn take(&mut self, report: &BoardReport, step: MoveStep) -> Option<String> {
        self.0.push(step);
        let complete = self.moves(report).find(|(_, steps)| *steps == self.0);
        let mv = complete.map(|(mv, _)| mv.mv.clone());
        if mv.is_some() {
            self.0.clear();
        }
        mv
    }

    fn refusal(&self, report: &BoardReport, stage: MoveStep, point: usize) -> String {
        let name = |point: usize| report.board.points[point].name.as_str();
        let (here, at) = (name(point), &report.board.points[point]);
        let what = match report.board.kind {
            BoardKind::Lines => "stone",
            BoardKind::Squares => "piece",
        };
        match (stage, at.stone) {
            (MoveStep::Become(_), _) => "the pawn is to become another piece".to_owned(),
            (MoveStep::From(_), Some(side)) if side == report.side => {
                format!("the {what} on {here} cannot move")
            }
            (MoveStep::Capture(_), Some(side)) if side != report.side => {
                if at.in_mill {
                    format!("the stone on {here} is in a mill: others go first")
                } else {
                    format!("the stone on {here} cannot be taken")
                }
            }
            (MoveStep::From(_) | MoveStep::Capture(_), None) => {
                format!("there is no {what} on {here}")
            }
            (MoveStep::To(_), _) if report.board.kind == BoardKind::Squares => {
                let from = self.from().map_or(here, name);
                format!("{from} cannot go to {here}")
            }
            (MoveStep::To(_), Some(_)) => format!("{here} is not empty"),
            (_, Some(side)) => format!("the {what} on {here} is {side}'s"),
            (MoveStep::To(_), None) => match self.from() {
                Some(from) => format!("{} cannot go to {here}", name(from)),
                None => format!("a stone on {here} would close a mill with nothing to take"),
            },
        }
    }

    /// The point that the stone is moved from.
    fn from(&self) -> Option<usize> {
        self.0.first().copied().and_then(MoveStep::point)
    }

    /// What is to be done next.
    pub(super) fn words(&self, report: &BoardReport) -> String {
        let side = report.side;
        let next = self.next(report);
        let squares = report.board.kind == BoardKind::Squares;
        match (next.first(), self.0.as_slice()) {
            (None, _) => report.words.clone(),
            (Some(MoveStep::From(_)), _) if squares => report.words.clone(),
            (Some(MoveStep::From(_)), _) => format!("{side}: choose a stone to move"),
            (Some(MoveStep::Become(_)), _) => format!("{side}: choose what the pawn becomes"),
            (Some(MoveStep::To(_)), []) => {
                let hands = report.board.hands;
                let hand = hands.map(|hands| format!(" ({} in hand)", hands[side.index()]));
                format!("{side}: place a stone{}", hand.unwrap_or_default())
            }
            (Some(MoveStep::To(_)), chosen) => {
                let places = if squares { "squares" } else { "points" };
                let to = match next.len() {
                    ..=FEW => names(report, &next),
                    several => format!("one of {several} {places}"),
                };
                format!("{side}: {} to {to}", names(report, chosen))
            }
            (Some(MoveStep::Capture(_)), chosen) => {
                let stones = match next.as_slice() {
                    [_] => format!("the stone on {}", names(report, &next)),
                    several => format!("one of {} stones", several.len()),
                };
                let is_capture = |step: &&MoveStep| matches!(step, MoveStep::Capture(_));
                let nth = chosen.iter().filter(is_capture).count() + 1;
                let of = self.moves(report).next().map_or(1, |(mv, _)| mv.captures.len());
                let count = (of > 1).then(|| format!(" ({nth} of {of})"));
                format!("{side}: capture {stones}{}", count.unwrap_or_default())
            }
        }
    }

    /// Shows the steps done and what may come next; while stones are taken, the board with the move and without them.
    pub(super) fn mark(&self, scene: &mut BoardScene<'_>) {
        let next = self.next(scene.report);
        for step in &next {
            let Some(point) = step.point() else {
                continue;
            };
            // Where everything is possible marks would only be in the way: the cursor alone shows it.
            let is_under_cursor = matches!(step, MoveStep::To(_)) && scene.cursor == Some(point);
            if !self.0.is_empty() || is_under_cursor {
                // An opponent's piece there is taken by going there.
                let taken = scene.stone(point).is_some();
                scene.marks[point] = if taken { BoardMark::Capturable } else { BoardMark::Target };
            }
        }
        if !matches!(next.first(), Some(MoveStep::Capture(_))) {
            if let Some(from) = self.from() {
                scene.marks[from] = BoardMark::Chosen;
            }
            return;
        }
        let side = scene.report.side;
        if let (Some(MoveStep::To(_)), Some(hands)) = (self.0.first(), &mut scene.hands) {
            hands[side.index()] = hands[side.index()].saturating_sub(1);
        }
        for step in &self.0 {
            let (stone, mark) = match step {
                MoveStep::To(_) => (Some(side), BoardMark::Chosen),
                _ => (None, BoardMark::Plain),
            };
            if let Some(point) = step.point() {
                (scene.stones[point], scene.marks[point]) = (stone, mark);
            }
        }
    }
}

/// So many points are named, more are counted.
const FEW: usize = 4;

fn names(report: &BoardReport, steps: &[MoveStep]) -> String {
    let points = steps.iter().filter_map(|step| report.board.points.get(step.point()?));
    points.map(|point| point.name.as_str()).collect::<Vec<_>>().join(", ")
}
