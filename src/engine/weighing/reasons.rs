//! Where two sets of weights choose differently, and why: the line that each expects, and what the heuristic finds more of
//! at the end of the one than of the other.

use serde::Serialize;

use super::{Opinion, Posed, Variant, Weigher, interrupted};
use crate::engine::{
    game::{Fault, Game, History, Score, Side, Term, Weights},
    memo::Policy,
    searcher::Searcher,
    settings::Settings,
    workers,
};

/// A position where two weight sets choose differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// Its number in the suite, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What the suite says of it.
    pub comment: Option<String>,
    /// What each of the two sets finds.
    pub choices: [SetChoice; 2],
    /// Why each prefers its own move; empty where one of the two has all the other's best moves among its own.
    pub why: Vec<Preference>,
}

/// What a weight set finds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetChoice {
    /// The set.
    pub set: String,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves.
    pub best: Vec<String>,
}

/// Why a weight set prefers a move to one that the other set prefers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preference {
    /// The set.
    pub set: String,
    /// What the move it prefers leads to.
    pub prefers: Prospect,
    /// What the other move leads to.
    pub to: Prospect,
    /// The heuristic at the end of the one line against that at the end of the other, for the side to move at the root;
    /// empty where the game is over at an end.
    pub terms: Vec<TermGain>,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospect {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move.
    pub value: Score,
    /// The line that it begins.
    pub line: Vec<String>,
    /// Whether the game is over at its end.
    pub over: bool,
}

/// A term of the heuristic at the end of one line against the end of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermGain {
    /// The term.
    pub name: String,
    /// How many more of it the side to move has.
    pub count: f64,
    /// That times its weight.
    pub gain: f64,
}

/// A set of weights with what it makes of every position.
type Party<'a, G> = (&'a Variant, &'a [Opinion<G>]);

impl<G: Game> Weigher<'_, G> {
    /// The disagreements of two sets that are listed, and how many more there are.
    pub(super) fn disagreements(
        &self,
        parties: [Party<'_, G>; 2],
    ) -> Result<(Vec<Disagreement>, u64), Fault> {
        let [(_, first), (_, second)] = parties;
        let mut places: Vec<_> =
            (0..first.len()).filter(|&place| !first[place].same_best(&second[place])).collect();
        places.sort_by(|&a, &b| {
            let common = |place: usize| first[place].shares(&second[place]);
            let distance = |place: usize| first[place].distance(&second[place]);
            let order = common(a).cmp(&common(b));
            order.then(distance(b).total_cmp(&distance(a)))
        });
        let omitted = places.len().saturating_sub(self.list) as u64;
        places.truncate(self.list);
        let job = |&place: &usize, _: &_| self.disagreement(place, parties);
        let listed = workers::map(&places, self.workers, self.interrupt, job, &mut |_| {})?;
        Ok((listed.ok_or_else(interrupted)?, omitted))
    }

    fn disagreement(
        &self,
        place: usize,
        parties: [Party<'_, G>; 2],
    ) -> Result<Disagreement, Fault> {
        let posed = &self.suite.positions[place];
        let format = |mv| self.game.format_move(&posed.position, mv);
        let parties = parties.map(|(set, opinions)| (set, &opinions[place]));
        let [one, two] = parties;
        let mut why = Vec::new();
        for parties in [[one, two], [two, one]] {
            why.extend(self.preference(posed, parties)?);
        }
        Ok(Disagreement {
            position: place as u64 + 1,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
            choices: parties.map(|(set, opinion)| SetChoice {
                set: set.name.clone(),
                value: opinion.value,
                best: opinion.best().map(format).collect(),
            }),
            why,
        })
    }

    /// Why the first of two sets does not choose what the second chooses, if it does not.
    fn preference(
        &self,
        posed: &Posed<G>,
        [(set, own), (_, others)]: [(&Variant, &Opinion<G>); 2],
    ) -> Result<Option<Preference>, Fault> {
        let Some(refused) = others.best().find(|mv| !own.is_best(mv)) else {
            return Ok(None);
        };
        let chosen = own.best().find(|mv| !others.is_best(mv)).or_else(|| own.best().next());
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let [chosen, refused] = [chosen, refused].map(|mv| (mv, own.worth(&mv)));
        let (prefers, end) = self.prospect(&set.weights, posed, chosen)?;
        let (to, other_end) = self.prospect(&set.weights, posed, refused)?;
        let terms = if prefers.over || to.over {
            Vec::new()
        } else {
            self.gains(&set.weights, posed, [&end, &other_end])
        };
        Ok(Some(Preference { set: set.name.clone(), prefers, to, terms }))
    }

    /// The line behind a move's value, found without a table, so that nothing cuts it short; and the position at its end.
    fn prospect(
        &self,
        weights: &Weights,
        posed: &Posed<G>,
        (mv, value): (G::Move, Score),
    ) -> Result<(Prospect, G::Position), Fault> {
        let settings = Settings { memo: Policy::None, ..self.settings.clone() };
        let mut searcher = Searcher::new(self.game, &settings, weights)?;
        let (root, mut history) = (&posed.position, posed.history.clone());
        let window = searcher.full_window(root)?.child(self.game);
        let depth = settings.depth.unwrap_or(1).saturating_sub(1);
        history.push(root);
        let mut end = self.game.apply(root, mv);
        let mut words = vec![self.game.format_move(root, mv)];
        let found = searcher.value((&end, &history), depth, Some(window), self.interrupt)?;
        for mv in found.ok_or_else(interrupted)?.line {
            words.push(self.game.format_move(&end, mv));
            history.push(&end);
            end = self.game.apply(&end, mv);
        }
        let prospect = Prospect {
            mv: words[0].clone(),
            value,
            line: words,
            over: self.game.terminal(&end, &history).is_some(),
        };
        Ok((prospect, end))
    }

    /// What the heuristic finds more of at the end of one line than at the end of another.
    fn gains(&self, weights: &Weights, posed: &Posed<G>, ends: [&G::Position; 2]) -> Vec<TermGain> {
        let sign = match self.game.side(&posed.position) {
            Side::White => 1.0,
            Side::Black => -1.0,
        };
        let balance = |term: &Term| sign * (term.white - term.black);
        let [terms, others] = ends.map(|end| self.game.terms(weights, end));
        let gains = terms.into_iter().zip(others).map(|(one, two)| {
            let count = balance(&one) - balance(&two);
            TermGain { count, gain: count * one.weight, name: one.name }
        });
        gains.filter(|term| term.count != 0.0).collect()
    }
}
