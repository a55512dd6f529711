use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, Weights},
    report::{ComparedMove, ComparedSet, Comparison},
    search::{Plan, RootMove},
    settings::Settings,
};

/// One set's search.
struct Searched<G: Game> {
    name: String,
    moves: Vec<RootMove<G>>,
    report: ComparedSet,
}

impl<G: Game> Desk<G> {
    pub(super) fn compare(&mut self, names: &[&str], depth: u8) -> Answer<Comparison> {
        if depth == 0 {
            return Err(Fault::new("a comparison needs a depth of at least one ply")
                .hint("give --depth 1 or more"));
        }
        let sets = names
            .iter()
            .map(|name| self.set_or_inline(name))
            .collect::<Answer<Vec<_>>>()?;
        let mut searched = Vec::with_capacity(sets.len());
        for (name, weights) in sets {
            searched.push(self.search_with(name, weights, depth)?);
        }
        let differ = self.differing(&searched);
        let agree = searched
            .windows(2)
            .all(|pair| pair[0].report.best == pair[1].report.best);
        let state = self.game.format_position(&self.now.position);
        Ok(Comparison {
            state,
            depth,
            sets: searched.into_iter().map(|set| set.report).collect(),
            differ,
            agree,
        })
    }

    /// A named set, or one spelled out: `stones=2,mills=5` changes the default.
    pub(super) fn set_or_inline(&self, text: &str) -> Answer<(String, Weights)> {
        if !text.contains('=') {
            return Ok((text.to_owned(), self.weights_called(text)?));
        }
        let pairs = text.split(',').map(|part| {
            part.split_once('=').ok_or_else(|| {
                Fault::new(format!("`{part}` in `{text}` is not name=value"))
                    .hint("write stones=2,mills=5")
            })
        });
        let pairs = pairs.collect::<Answer<Vec<_>>>()?;
        Ok((
            text.to_owned(),
            self.changed(&self.game.default_weights(), &pairs)?,
        ))
    }

    /// Searches with other weights on a cache of its own; the desk's own cache and search are untouched.
    fn search_with(&mut self, name: String, weights: Weights, depth: u8) -> Answer<Searched<G>> {
        let settings = Settings {
            depth: Some(depth),
            time_ms: None,
            ..self.settings.clone()
        };
        let mut desk = Self::new(self.game.clone(), std::sync::Arc::clone(&self.interrupt));
        desk.now = self.now.clone();
        desk.memo = settings.new_memo();
        desk.settings = settings;
        desk.configure_memo();
        desk.weights = weights;
        let limits = desk.settings.limits();
        let mut running = desk.prepare(|_| Plan::Best(limits), None)?;
        let halt = desk.run_through(&mut running);
        if !halt.is_own() {
            return Err(Fault::new("the comparison was interrupted"));
        }
        let run = desk.report_run(&running, None);
        let report = ComparedSet {
            name: name.clone(),
            weights: desk
                .weights
                .iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            terms: desk.game.terms(&desk.weights, &desk.now.position),
            static_value: desk.game.evaluate(&running.evaluator, &desk.now.position),
            value: run.value,
            best: run.best,
            nodes: run.nodes,
        };
        let moves = running
            .search
            .complete()
            .map_or(Vec::new(), |complete| complete.moves.clone());
        Ok(Searched {
            name,
            moves,
            report,
        })
    }

    /// The moves that are best under some sets and not under others.
    fn differing(&self, searched: &[Searched<G>]) -> Vec<ComparedMove> {
        let Some(first) = searched.first() else {
            return Vec::new();
        };
        let compared = first.moves.iter().enumerate().map(|(place, root)| {
            let mv = self.game.format_move(&self.now.position, root.mv);
            let values = searched
                .iter()
                .map(|set| set.moves.get(place).and_then(|root| root.value))
                .collect();
            let fond = searched.iter().filter(|set| set.report.best.contains(&mv));
            let best_for = fond.map(|set| set.name.clone()).collect();
            ComparedMove {
                mv,
                values,
                best_for,
            }
        });
        compared
            .filter(|row| !row.best_for.is_empty() && row.best_for.len() < searched.len())
            .collect()
    }
}
