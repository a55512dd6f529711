//! Playing against the engine: its level, draw offers, resigning, the end of the game.

use super::{
    app::App,
    log::LogLine,
    sheet::{Content, Sheet},
    state::{Card, EngineSides, Overlay, ScreenState},
    timeline,
};
use crate::{
    command::levels,
    engine::session::{position::PositionReport, reply::Side},
    text::{number::counted, or_empty},
};

/// The letters of [`EngineSides::ALL`], for keys on the card.
pub const SIDE_LETTERS: [char; 4] = ['w', 'b', 'o', 'n'];

impl App {
    /// Opens the card of levels at the current level; the last line is `off`.
    pub(super) fn show_levels(&mut self) {
        let name = self.state.level.map(|level| level.to_string());
        let at = levels().iter().position(|(level, _)| Some(*level) == name.as_deref());
        let at = at.unwrap_or(levels().len() - 1);
        self.state.overlay = Some(Overlay::Card(Card::Level, at));
    }

    /// Opens the card of sides. If the engine plays no side yet, the cursor is on the side that the user does not play: after a
    /// move by the user, the side to move.
    pub(super) fn show_sides(&mut self) {
        let state = &mut self.state;
        let to_move = state.data.get::<PositionReport>().map_or(Side::Black, |it| it.side);
        let other = if state.moved { to_move } else { to_move.other() };
        let none = state.engine == EngineSides::None;
        let wanted = if none { EngineSides::from(other) } else { state.engine };
        let at = EngineSides::ALL.iter().position(|sides| *sides == wanted);
        state.overlay = Some(Overlay::Card(Card::Side, at.unwrap_or(0)));
    }

    /// Lets the engine play these sides. If one of them is to move, the engine moves.
    pub(super) fn let_engine_play(&mut self, sides: EngineSides) {
        self.state.engine = sides;
        // The engine may already have been asked for a move in this position, while it played another side.
        self.seen = None;
        self.let_engine_move();
        let [level, stop] = ["engine-level", "interrupt"].map(|key| self.state.key(key));
        self.state.say(match sides {
            EngineSides::None => "the engine plays no side".to_owned(),
            EngineSides::Both => format!("the engine plays both sides; {stop} stops it"),
            one => format!("the engine plays {} by itself; {level} chooses its level", one.name()),
        });
    }

    /// Asks whether the user's side resigns.
    pub(super) fn resign(&mut self) {
        if let Some(side) = self.state.side_at_the_board() {
            let line = format!("game resign {}", side.name().to_lowercase());
            self.state.ask_to_end(&line, &format!("resigns the game for {side}"));
        }
    }

    /// Asks whether to claim a draw, if the draw rules permit it; else whether to offer one to the engine or, if it plays no
    /// side, whether the other player accepts.
    pub(super) fn ask_for_draw(&mut self) {
        let state = &mut self.state;
        let Some(side) = state.side_at_the_board() else { return };
        let claim = state.data.get::<PositionReport>().and_then(|it| it.claim.clone());
        if let Some(why) = claim {
            state.ask_to_end("game claim", &format!("claims a draw: {why}"));
        } else if state.engine == EngineSides::None {
            state.ask_to_end("game draw --agreed", "draws the game by agreement of both players");
        } else {
            let line = format!("game draw {}", side.name().to_lowercase());
            state.ask_to_end(&line, &format!("offers the engine a draw for {side}"));
        }
    }

    /// Announces the end of the game, and the possible next steps.
    pub(super) fn announce_end(&mut self) {
        let state = &mut self.state;
        let Some(position) = state.data.get::<PositionReport>() else { return };
        let (PositionReport { result, words, .. }, game) = (position, state.key("game"));
        let [after, now] = what_next(state);
        if state.areas().of("game").is_some() {
            // The game pane has the same text.
            state.status.get_or_insert((LogLine::Note, format!("{result}  {words}")));
            return;
        }
        let text = format!(
            "{result}  {words}\n\n{game} lists the moves: Enter goes to one.\n{after}\n{now}"
        );
        state.sheet = Some(Sheet::new("The game is over", Content::Words(text), state.look.ascii));
    }
}

/// The engine's level and its limits, as text.
pub fn level(state: &ScreenState) -> String {
    let name = state.level.map_or_else(|| "off".to_owned(), |level| level.to_string());
    let known = levels().into_iter().find(|(level, _)| *level == name);
    format!("Level {name}: {}.", known.map_or("", |(_, limits)| limits))
}

/// The possible next steps after a game, in two sentences.
pub fn what_next(state: &ScreenState) -> [String; 2] {
    let [undo, new, save, before] =
        ["undo", "new", "save", "back-landmark"].map(|action| state.key(action));
    let is_reviewed = !timeline::lacks_review(state);
    let position = state.data.get::<PositionReport>();
    let mistakes = if is_reviewed && timeline::lacks_mistakes(state) {
        // Only the moves before a variation are known to be reviewed.
        let in_variation = position.is_some_and(|it| it.since_branch > 0);
        let none = ["The review has found no mistakes", "No mistake is known in this variation"];
        none[usize::from(in_variation)].to_owned()
    } else if state.recording().is_some() {
        // With a recorded search, the key goes along its time line.
        "`review` looks for mistakes".to_owned()
    } else {
        format!("{before} reviews the game, then goes to its mistakes")
    };
    [
        format!("{mistakes}; {undo} takes back."),
        format!("{save} saves the game, {new} begins a new one."),
    ]
}

impl ScreenState {
    /// Asks whether to run a line that ends the game here, after moves that follow the current position have been dropped.
    fn ask_to_end(&mut self, line: &str, effect: &str) {
        let position = self.data.get::<PositionReport>();
        let [later, lines] = position.map_or([0; 2], |it| [it.redo, it.lines.len().max(1)]);
        if later == 0 {
            return self.ask(line, effect);
        }
        let moves = counted(later as u64, "later move", "later moves");
        let others = counted(lines as u64 - 1, "variation", "variations");
        let others = or_empty((lines > 1).then(|| format!(" and {others}")));
        let dropped = "variation delete 1; ".repeat(lines);
        self.ask(format!("{dropped}{line}"), format!("{effect}, dropping {moves}{others}"));
    }

    /// The side that the user plays: the one that the engine does not play, else the side to move. `None` with a message if the
    /// game is over.
    fn side_at_the_board(&mut self) -> Option<Side> {
        let position = self.data.get::<PositionReport>()?;
        let side = self.engine.left().unwrap_or(position.side);
        if position.finished {
            self.say("the game is over");
            return None;
        }
        Some(side)
    }
}
