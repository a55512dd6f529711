//! The start card beside the empty board, with ways to begin.

use std::path::Path;

use crossterm::event::KeyCode;

use super::{
    app::App,
    lines::cut,
    state::{By, Card, Effect, EngineSides, Overlay},
};
use crate::{
    command::lexer::{self, quoted},
    engine::session::position::PositionReport,
    text::visible,
};

const CARD: [&str; 5] = [
    "chess against the engine",
    "morris against the engine",
    "a search, event by event",
    "the demo: a tour, page by page",
    "a file: session, trace, PGN",
];

/// What each choice leads to.
pub const NOTES: [&str; 6] = [
    "you are White; L and M change level and sides",
    "place nine stones, close mills, capture",
    "s and S step it forwards and backwards, w says why",
    "each page beside the screen it describes",
    "also a cache, a tournament, a script",
    "the game, its search and cache as they were",
];

/// The last session that was saved or loaded by a line of `history`, if its file still exists.
pub fn last_session(history: &str) -> Option<String> {
    const COMMANDS: [&str; 4] = ["session save", "session load", "save", "load"];
    let file = |statement: lexer::Statement<'_>| {
        let words: Vec<_> = statement.words.iter().map(|word| &*word.text).collect();
        let (file, command) = words.split_last()?;
        let is_command = COMMANDS.contains(&&*command.join(" "));
        (is_command && Path::new(file).is_file()).then(|| (*file).to_owned())
    };
    history.lines().rev().find_map(|line| lexer::statements(line, 0).filter_map(file).last())
}

/// The command lines for a game against the engine: searches get the weights of its play and, in chess, quiescence, so that they
/// judge a position as hints do.
const PLAY_CHESS: &str = "search set quiescence=on; weights use play";
const PLAY_MORRIS: &str = "weights use play";

impl App {
    /// Shows the start card in front of the panes.
    pub fn show_start(&mut self) {
        self.state.overlay = Some(Overlay::Card(Card::Start, 0));
    }

    /// The command line for a game against the engine; `None` once there is a move or a search, and for games of the user's own.
    pub(super) fn play_settings(&self) -> Option<&'static str> {
        // The first choice of a level runs this line already.
        let is_set = self.state.level.is_some();
        let is_untouched = self.state.is_untouched() && !self.state.stale && !is_set;
        let position = self.state.data.get::<PositionReport>().filter(|_| is_untouched)?;
        match position.game.as_ref() {
            "chess" => Some(PLAY_CHESS),
            "morris" => Some(PLAY_MORRIS),
            _ => None,
        }
    }

    pub(super) fn begin(&mut self, choice: usize) {
        let state = &mut self.state;
        match choice {
            0 | 1 => {
                state.engine = EngineSides::Black;
                let (game, settings) =
                    [("game chess", PLAY_CHESS), ("game morris", PLAY_MORRIS)][choice];
                state.run(format!("{game}; {settings}"));
                state.submit("engine level 3", By::Key);
            }
            2 => {
                state.run("game morris; play d6 f4 d2; step 3000");
                let [step, back, why] = ["step", "back", "why"].map(|key| state.key(key));
                state.say(format!(
                    "a search stopped at event 2,999: {step} {back} step it, {why} explains it"
                ));
            }
            3 => self.begin_demo(),
            5 => {
                let file = self.last_session.clone().unwrap_or_default();
                self.state.submit(format!("session load {}", quoted(&file)), By::Typing);
            }
            _ => {
                self.type_in("open ".to_owned());
                self.covered = Some(Overlay::Card(Card::Start, choice));
                self.state.effects.push(Effect::Key(KeyCode::Tab.into()));
                self.state.offers_first = true;
            }
        }
    }
}

/// The choices on the card; the last one is there only if there is a session to continue.
pub fn lines(app: &App) -> Vec<String> {
    let name = |file: &String| {
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("the last session: {}", cut(&visible(&name), 20))
    };
    CARD.into_iter().map(str::to_owned).chain(app.last_session.as_ref().map(name)).collect()
}
