use super::reach::Reach;
use crate::engine::{
    game::{Fault, Game, History, move_in},
    search::Scene,
};

/// A line of moves from the root of a search.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    /// The moves as typed.
    words: Vec<String>,
    /// Whether the nodes below its end belong to it as well.
    below: bool,
    /// The root it was read from, and the positions after each of its moves.
    read: Option<(G::Position, Vec<G::Position>)>,
}

impl<G: Game> Line<G> {
    /// Takes a line apart: moves with blanks between them, and `*` at the end for whatever comes below.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        let below = words.last().is_some_and(|word| word == "*");
        if below {
            words.pop();
        }
        words.retain_mut(|word| {
            let mv = move_in(word).map(str::to_owned);
            mv.map(|mv| *word = mv).is_some()
        });
        if words.is_empty() {
            return Err(Fault::new("the line has no moves")
                .hint("write moves from the root, such as \"d6 a4\"; `*` at the end takes in what is below"));
        }
        Ok(Self { words, below, read: None })
    }

    /// Reads the moves from a root, unless that has been done.
    pub fn read(
        &mut self,
        game: &G,
        root: &G::Position,
        history: &G::History,
    ) -> Result<(), Fault> {
        if self.read.as_ref().is_some_and(|(known, _)| known == root) {
            return Ok(());
        }
        self.read = None;
        let (mut position, mut history) = (root.clone(), history.clone());
        let mut positions = Vec::with_capacity(self.words.len());
        for (place, word) in self.words.iter().enumerate() {
            let mv = game.parse_move(&position, &history, word).map_err(|fault| Fault {
                message: format!("move {} of the line: {}", place + 1, fault.message),
                at: None,
                ..fault
            })?;
            history.push(&position);
            position = game.apply(&position, mv);
            positions.push(position.clone());
        }
        self.read = Some((root.clone(), positions));
        Ok(())
    }

    /// Whether the node at hand was reached by these moves. Not where they are not moves of the search's root.
    pub fn holds(&self, scene: &Scene<'_, G>) -> bool {
        let Some((_, positions)) = &self.read else {
            return false;
        };
        let length = positions.len();
        let ply = scene.event.ply as usize;
        if ply < length || ply > length && !self.below {
            return false;
        }
        let frames = scene.search.frames();
        let of = |place: usize| frames.get(place + 1);
        (0..length)
            .rev()
            .all(|place| of(place).is_some_and(|frame| frame.position == positions[place]))
    }

    /// The plies at which it may hold, as [`Reach`] has them.
    pub(super) fn plies(&self) -> u64 {
        let end = Reach::only(self.words.len() as u32);
        if self.below { !(end - 1) } else { end }
    }

    /// The line as it is typed.
    pub fn text(&self) -> String {
        let end = if self.below { " *" } else { "" };
        self.words.join(" ") + end
    }
}
