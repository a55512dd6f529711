//! Recorded searches in session files.

use std::sync::Arc;

use super::{Answer, Desk, scribe::Scribe};
use crate::engine::{
    game::{Fault, Game, Window},
    memo::AnyMemo,
    recording::{Edit, Edited, Mark, Origin, SMALL_TABLE, Start, Timeline},
    session::{SavedEdit, SavedEntry, SavedOrigin, SavedRecording, SavedTimeline},
};

impl<G: Game> Desk<G> {
    /// The timelines, as far as a session file can hold them: those that began with a small cache and were not given
    /// another one as a whole. Nothing, if the one at hand is none of these.
    pub(super) fn saved_recording(&self) -> Option<SavedRecording<G>> {
        let now = self.run.now.as_ref()?;
        let here = self.run.events();
        let mut archive = Archive::default();
        for timeline in self.run.others.iter().chain([now]) {
            let moments = if timeline.name == now.name {
                (here, here)
            } else {
                (timeline.at, timeline.reached)
            };
            archive.add(timeline, moments);
        }
        let kept = |name: &String| {
            let mut all = archive.timelines.iter();
            all.any(|timeline| timeline.name == *name)
        };
        let marks = self.run.marks.iter().filter(|(_, mark)| {
            kept(&mark.timeline) && (mark.timeline != now.name || mark.events <= here)
        });
        let marks = marks
            .map(|(name, mark)| (name.clone(), (mark.timeline.clone(), mark.events)))
            .collect();
        kept(&now.name).then(|| SavedRecording {
            at_hand: now.name.clone(),
            marks,
            origins: archive.origins,
            timelines: archive.timelines,
        })
    }

    /// Records the search that a session has brought back; with what it saved of its timelines, from their beginnings.
    pub(super) fn restore_recording(&mut self, saved: Option<SavedRecording<G>>) -> Answer<()> {
        let Some(running) = self.run.running.take() else {
            return Ok(());
        };
        let here = running.search.events();
        let root = running.search.root().clone();
        let timelines = saved.map(|saved| self.timelines_of(saved, &root, here));
        let timelines = timelines.transpose()?.filter(|_| self.run.searcher.settings.record);
        match timelines {
            Some(timelines) => self.run.resume(running, timelines),
            None if self.run.searcher.settings.record => {
                self.run.record(&running);
                self.run.running = Some(running);
            }
            None => self.run.running = Some(running),
        }
        Ok(())
    }

    /// The timelines, the one at hand last; marks are taken over.
    fn timelines_of(
        &mut self,
        saved: SavedRecording<G>,
        root: &G::Position,
        here: u64,
    ) -> Answer<Vec<Timeline<G>>> {
        let origins = saved.origins.into_iter().enumerate();
        let origins: Vec<_> = origins
            .map(|(place, origin)| {
                self.origin_of(origin)
                    .map_err(|fault| fault.within(format!("origin {place} of the recording")))
            })
            .collect::<Answer<_>>()?;
        let mut timelines = Vec::new();
        for timeline in saved.timelines {
            let name = format!("timeline {}", timeline.name);
            let read = timeline_of(timeline, &origins).map_err(|fault| fault.within(name))?;
            timelines.push(read);
        }
        let marks = saved.marks.into_iter();
        self.run.marks = marks
            .map(|(name, (timeline, events))| (name, Mark { timeline, events }))
            .filter(|(_, mark)| {
                let mut all = timelines.iter();
                all.any(|timeline| {
                    mark.timeline == timeline.name && mark.events <= timeline.reached
                })
            })
            .collect();
        let now = timelines.last().filter(|now| now.name == saved.at_hand);
        let now = now.ok_or_else(|| {
            Fault::new(format!("timeline {} is not the last one", saved.at_hand))
                .hint("remove it (`recording`) to load the rest of the session")
        })?;
        if now.origin.start.root() != root || now.at != here {
            return Err(Fault::new(
                "the saved recording is of another search than the one under way",
            )
            .hint("remove it (`recording`) to load the rest of the session"));
        }
        Ok(timelines)
    }

    fn origin_of(&self, saved: SavedOrigin<G>) -> Answer<Arc<Origin<G>>> {
        saved.settings.check_saved::<G>()?;
        let mut game = self.run.searcher.game.clone();
        for (name, value) in &saved.rules {
            game.set_rule(name, value)?;
        }
        game.conduct(saved.settings.conduct());
        saved.start.check(&game)?;
        let weights = self.checked_weights(&saved.weights)?;
        let mut memo = saved.settings.new_memo();
        Scribe::new(&game, &saved.settings).fill(&mut memo, &saved.cache)?;
        let origin = Origin::new(game, weights, saved.settings, saved.start);
        origin.set_memo(if memo.entries().is_empty() {
            Start::Empty
        } else {
            Start::Kept(Arc::new(memo))
        });
        Ok(Arc::new(origin))
    }
}

/// Timelines and their origins on the way into a session file.
struct Archive<'a, G: Game> {
    origins: Vec<SavedOrigin<G>>,
    /// What the saved origins were made of.
    known: Vec<&'a Arc<Origin<G>>>,
    timelines: Vec<SavedTimeline>,
}

impl<G: Game> Default for Archive<'_, G> {
    fn default() -> Self {
        Self { origins: Vec::new(), known: Vec::new(), timelines: Vec::new() }
    }
}

impl<'a, G: Game> Archive<'a, G> {
    /// Adds a timeline, if a session file can hold it.
    fn add(&mut self, timeline: &'a Timeline<G>, (at, reached): (u64, u64)) {
        let edits = saved_edits(timeline, reached);
        let Some((edits, origin)) = edits.zip(self.origin(&timeline.origin)) else {
            return;
        };
        self.timelines.push(SavedTimeline {
            name: timeline.name.clone(),
            origin,
            at,
            reached,
            ended: timeline.ended,
            parent: timeline.parent.clone(),
            edits,
        });
    }

    /// The number of an origin.
    fn origin(&mut self, origin: &'a Arc<Origin<G>>) -> Option<usize> {
        let mut known = self.known.iter();
        if let Some(place) = known.position(|known| Arc::ptr_eq(known, origin)) {
            return Some(place);
        }
        self.origins.push(saved_origin(origin)?);
        self.known.push(origin);
        Some(self.known.len() - 1)
    }
}

fn saved_origin<G: Game>(origin: &Origin<G>) -> Option<SavedOrigin<G>> {
    let rules = origin.game.rules().into_iter();
    Some(SavedOrigin {
        rules: rules.map(|rule| (rule.name, rule.value)).collect(),
        weights: origin.weights.clone(),
        settings: origin.settings.clone(),
        start: origin.start.clone(),
        cache: saved_start(origin)?,
    })
}

/// The cache with which a search began, if it is known, small, and nothing had given way in it.
fn saved_start<G: Game>(origin: &Origin<G>) -> Option<Vec<SavedEntry>> {
    let scribe = Scribe::new(&origin.game, &origin.settings);
    let small = |memo: &AnyMemo<G::Key>| {
        let entries = memo.entries();
        (entries.len() <= SMALL_TABLE && entries.evictions() == 0).then(|| scribe.all(memo))
    };
    match origin.memo() {
        Some(Start::Empty) => Some(Vec::new()),
        Some(Start::Kept(memo)) => small(memo),
        Some(Start::Lost) | None => None,
    }
}

/// The edits up to a point; nothing if one of them is a whole cache.
fn saved_edits<G: Game>(
    timeline: &Timeline<G>,
    reached: u64,
) -> Option<Vec<(u64, u64, SavedEdit)>> {
    let origin = &timeline.origin;
    let scribe = Scribe::new(&origin.game, &origin.settings);
    let known = timeline.edits.iter().filter(|edited| edited.after <= reached);
    known
        .map(|Edited { after, id, edit }| {
            let saved = match edit {
                Edit::Entry(at, Some(entry)) => SavedEdit::Entry(scribe.entry(*at, entry)),
                Edit::Entry(at, None) => SavedEdit::Removed(scribe.name(*at)),
                Edit::Cache(_) => return None,
                Edit::Weights(weights) => SavedEdit::Weights(weights.clone()),
                Edit::Budget(budget) => SavedEdit::Budget(*budget),
                Edit::Window(window) => SavedEdit::Window(window.alpha, window.beta),
            };
            Some((*after, *id, saved))
        })
        .collect()
}

fn timeline_of<G: Game>(saved: SavedTimeline, origins: &[Arc<Origin<G>>]) -> Answer<Timeline<G>> {
    let origin = origins.get(saved.origin).ok_or_else(|| {
        Fault::new(format!("there is no origin {}", saved.origin))
            .hint(format!("there are {}, counted from 0", origins.len()))
    })?;
    let edits = saved.edits.into_iter().map(|(after, id, edit)| {
        let edit = edit_of(origin, edit)?;
        Ok(Edited { after, id, edit })
    });
    Ok(Timeline {
        name: saved.name,
        edits: edits.collect::<Answer<_>>()?,
        at: saved.at,
        reached: saved.reached,
        ended: saved.ended,
        parent: saved.parent,
        origin: Arc::clone(origin),
    })
}

fn edit_of<G: Game>(origin: &Origin<G>, saved: SavedEdit) -> Answer<Edit<G>> {
    let scribe = Scribe::new(&origin.game, &origin.settings);
    Ok(match saved {
        SavedEdit::Entry(saved) => {
            let (at, entry) = scribe.read(&saved)?;
            Edit::Entry(at, Some(entry))
        }
        SavedEdit::Removed(key) => Edit::Entry(scribe.place(&key)?, None),
        SavedEdit::Weights(weights) => {
            origin.game.evaluator(&weights, origin.start.root())?;
            Edit::Weights(weights)
        }
        SavedEdit::Budget(budget) => Edit::Budget(budget),
        SavedEdit::Window(alpha, beta) => {
            let window = Window::new(alpha, beta);
            Edit::Window(window.ok_or_else(|| {
                Fault::new(format!("the window {alpha} to {beta} of the recording is empty"))
            })?)
        }
    })
}
