//! Where weight sets disagree, and why.

use std::sync::atomic::AtomicBool;

use super::{Answer, Column, Desk, Named, SuiteWish};
use crate::engine::{
    game::{Game, Score, Side, Term, Weights},
    report::{Choice, Disagreement, Preference, Prospect, TermGain},
    weighing::{Examiner, Opinion, Posed, Suite, Variation, share},
};

/// Who searches, and what stops it.
type Examining<'a, G> = (&'a Examiner<'a, G>, &'a AtomicBool);

/// Two weight sets with what they make of a position.
type Parties<'a, G> = [(&'a Named, &'a Opinion<G>); 2];

impl<G: Game> Desk<G> {
    /// The disagreements of two sets that are listed, and how many more there are.
    pub(super) fn disagreements(
        &self,
        examiner: &Examiner<'_, G>,
        (first, second): ((&Named, &Column<G>), (&Named, &Column<G>)),
        suite: &Suite<G>,
        wish: &SuiteWish<'_>,
    ) -> Answer<(Vec<Disagreement>, u64)> {
        let distance = |place: usize| {
            let (one, two) = (&first.1[place], &second.1[place]);
            (one.value.get() - two.value.get()).abs()
        };
        let differing = |place: &usize| first.1[*place].best != second.1[*place].best;
        let mut places: Vec<_> = (0..suite.positions.len()).filter(differing).collect();
        places.sort_by(|&a, &b| {
            let common = |place: usize| share(&first.1[place], &second.1[place]);
            let order = common(a).cmp(&common(b));
            order.then(distance(b).total_cmp(&distance(a)))
        });
        let omitted = places.len().saturating_sub(wish.list);
        places.truncate(wish.list);
        let listed = self.all(&places, wish.workers, &|&place, interrupt| {
            let parties = [(first.0, &first.1[place]), (second.0, &second.1[place])];
            self.disagreement(
                (examiner, interrupt),
                &suite.positions[place],
                place,
                parties,
            )
        })?;
        Ok((listed, omitted as u64))
    }

    fn disagreement(
        &self,
        examining: Examining<'_, G>,
        posed: &Posed<G>,
        place: usize,
        parties: Parties<'_, G>,
    ) -> Answer<Disagreement> {
        let name = |mv| self.game.format_move(&posed.position, mv);
        let choices = parties.map(|((set, _), opinion)| Choice {
            set: set.clone(),
            value: opinion.value,
            best: opinion.best_moves().map(name).collect(),
        });
        let [one, two] = parties;
        let why =
            [[one, two], [two, one]].map(|parties| self.preference(examining, posed, parties));
        let why = why.into_iter().filter_map(Result::transpose);
        Ok(Disagreement {
            position: place as u64 + 1,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
            choices: choices.into(),
            why: why.collect::<Answer<_>>()?,
        })
    }

    /// Why the first of two sets does not choose what the second chooses, if it does not.
    fn preference(
        &self,
        (examiner, interrupt): Examining<'_, G>,
        posed: &Posed<G>,
        [((set, weights), own), (_, others)]: Parties<'_, G>,
    ) -> Answer<Option<Preference>> {
        let moves = || own.moves.iter().zip(own.best.iter().zip(&others.best));
        let is = |wanted: [bool; 2]| {
            moves().find_map(|(mv, best)| (best == (&wanted[0], &wanted[1])).then_some(*mv))
        };
        let Some(refused) = is([false, true]) else {
            return Ok(None);
        };
        let Some(chosen) = is([true, false]).or_else(|| is([true, true])) else {
            return Ok(None);
        };
        let root = &posed.position;
        let lines =
            [chosen, refused].map(|(mv, _)| examiner.variation(weights, root, mv, interrupt));
        let [chosen_line, refused_line] = lines;
        let (chosen_line, refused_line) = (chosen_line?, refused_line?);
        let prospect = |(mv, value): (G::Move, Score), line: &Variation<G>| Prospect {
            mv: self.game.format_move(root, mv),
            value,
            line: self.line(root, &line.moves),
            over: line.over,
        };
        Ok(Some(Preference {
            set: set.clone(),
            prefers: prospect(chosen, &chosen_line),
            to: prospect(refused, &refused_line),
            terms: self.gains(weights, root, &chosen_line, &refused_line),
        }))
    }

    /// What the heuristic finds more of at the end of one line than at the end of another.
    fn gains(
        &self,
        weights: &Weights,
        root: &G::Position,
        line: &Variation<G>,
        other: &Variation<G>,
    ) -> Vec<TermGain> {
        if line.over || other.over {
            return Vec::new();
        }
        let sign = match self.game.side(root) {
            Side::White => 1.0,
            Side::Black => -1.0,
        };
        let balance = |term: &Term| sign * (term.white - term.black);
        let terms = |line: &Variation<G>| self.game.terms(weights, &line.end);
        let gains = terms(line).into_iter().zip(terms(other)).map(|(one, two)| {
            let count = balance(&one) - balance(&two);
            TermGain {
                count,
                gain: count * one.weight,
                name: one.name,
            }
        });
        gains.filter(|term| term.count != 0.0).collect()
    }
}
