//! The screen without a terminal or a shell: handles terminal events and replies, changes the state, and collects in the state
//! the effects for the terminal and the command lines for the shell.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};
use serde_json::Value;

use crate::{
    command::{Failure, Fault, Outcome, Response, SessionEffect, files},
    engine::{
        progress::Live,
        session::{
            breakpoints::BreakpointList,
            cache::{CacheEdit, CacheStats},
            ending::OfferReport,
            game_file::GameFileReport,
            playing::PlayedReport,
            position::PositionReport,
            quiz::QuizReport,
            reply::{PlainReply, Reply, Stop},
            review::GameReview,
            saving::SessionReport,
            search::{Run, StopReport},
            timelines::TimelineList,
            trace::OpenTrace,
        },
    },
    text::{count, number::score_or_none, or_empty, words},
    tui::{
        board::first_letters,
        data::{BoardOf, Query},
        keymap::{ALL_LINES, Action, Binding, KeyLabel, KeyPlace, PANE_GROUP, ScreenAction},
        keys::KeyPress,
        layout::{self, Arrangement, MAX_SIZE, MIN_SIZE, Name, PaneSlot},
        log::LogLine,
        pane::{Pane, PlacedPane, tab_at},
        panes,
        sheet::{AnswerKey, Content, PASS, Sheet, SheetKeys},
        state::{By, Card, Effect, EngineSides, Hint, Losing, Overlay, QuizShown, ScreenState},
        timeline,
    },
};

/// The number of lines that one turn of the mouse wheel scrolls.
const WHEEL: isize = 3;

/// The assumed width of a pane that is not visible, in columns.
const USUAL_WIDTH: u16 = 60;
/// The message after the user has stopped the engine's move.
const STOPPED: &str = "stopped: the engine plays no side; `engine play` plays a move";
/// The message for a key that goes along the time line, at an end of it.
const NOTHING_FURTHER: &str = "the time line has nothing further in that direction";
/// The longest time between two presses of a key that together count as a double press.
const TWICE: Duration = Duration::from_secs(1);
/// A jump over at least this number of events names the event to return to.
const FAR: u64 = 2;
/// The greatest number of panes named for a key that does nothing.
const FEW_PANES: usize = 3;
/// Stands in [`App::dragged`] for the time line, in place of a pane's name.
const TIME_LINE: Name = "time line";

/// The actions in the key bar while a command runs.
const RUNNING: &str = "help quit interrupt:stop command next-pane:pane zoom theme";
/// The actions in the key bar while the engine's move is searched.
const MOVING: &str = "help quit undo interrupt:stop command next-pane:pane zoom theme";
/// The actions in the key bar: `FIRST`, the pane's first fixed key, `COMMAND`, the pane's actions, its other fixed keys, one of
/// `SEARCH`, `ENDED` and `NO_SEARCH`, `LAST`. An action forwards and the same backwards have one label.
const FIRST: &str = "help quit";
const COMMAND: &str = "command";
const SEARCH: &str = "step+back:step next-pane:pane over+back-over:over out+back-out:out \
    continue+back-continue:continue landmark+back-landmark:landmark break-here:break run:restart mark";
const ENDED: &str = "back:step start next-pane:pane back-landmark:landmark run:search mark";
const NO_SEARCH: &str = "next-pane:pane step run:search";
const LAST: &str = "next-pane:pane zoom save theme";
/// The actions that go forwards, which do nothing after the end of a search.
const FORWARDS: [&str; 5] = ["step", "over", "out", "continue", "landmark"];
/// The actions that go backwards, which do nothing before the first event.
const BACKWARDS: [&str; 5] = ["back", "back-over", "back-out", "back-continue", "back-landmark"];

/// The screen: the shared state and the panes.
#[derive(Debug, Default)]
pub struct App {
    /// The state that all panes share.
    pub state: ScreenState,
    /// The panes, in the order of Tab, each with its own state.
    pub panes: Vec<PlacedPane>,
    /// The screen as it was drawn last.
    pub screen: Buffer,
    /// The pane in which the mouse button is held down.
    dragged: Option<Name>,
    /// The name of the timeline that was current when replies were last looked up.
    timeline: Option<String>,
    /// The names of all timelines, as last seen.
    timelines: Vec<String>,
    /// The characters of a move typed so far on the board of a frame, where moves are refused, and the time of the last one.
    refused_move: Option<(Instant, String)>,
    /// The number of moves played, and the position, when the engine was last asked for a move.
    pub(super) seen: Option<(usize, String)>,
    /// The file of the last session, which the start card offers to continue.
    pub last_session: Option<String>,
    /// The timeline and the screen size for which the rows needed by the panes were noted, and whether the command pane was open.
    needed: ((Option<String>, (u16, u16)), bool),
    /// Whether a review has found mistakes, and the first one is not on the board yet.
    reviewed: bool,
    /// The page to which a demo goes back.
    pub(super) page_wanted: usize,
    /// What follows the next command that is typed, if that saves.
    pub(super) saved_then: Option<Losing>,
    /// The card to show again when the help closes, or when the user leaves the line that a choice on the card began.
    pub(super) covered: Option<Overlay>,
    /// When the key for a picture was last pressed, and the file of the picture, if one was drawn.
    still: Option<(Instant, Option<String>)>,
    /// The picture drawn by the first of two presses, which is removed once the film is drawn.
    replaced_still: Option<String>,
}

impl App {
    /// A screen with the default keys, with the mouse on.
    pub fn usual() -> Self {
        let keymap = panes::keymap();
        Self::new(ScreenState { keymap, mouse: true, ..ScreenState::default() })
    }

    /// A screen with this state, whose first pane has the focus.
    pub fn new(mut state: ScreenState) -> Self {
        let panes = panes::all();
        state.places = panes.iter().map(|pane| (pane.name, pane.place)).collect();
        let tab = panes.iter().find(|pane| pane.place.is_tab());
        (state.focus, state.tab) = (panes[0].name, tab.map_or("", |tab| tab.name));
        state.came_from = state.focus;
        Self { state, panes, ..Self::default() }
    }

    /// Handles an event of the terminal: a key, the mouse, pasted text or a new size.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => match self.state.overlay {
                Some(Overlay::Card(card, _)) => self.card_mouse(card, *mouse),
                Some(_) => {}
                None => {
                    if matches!(mouse.kind, MouseEventKind::Down(_)) {
                        self.state.status = None;
                    }
                    self.mouse(*mouse);
                }
            },
            Event::Paste(text) if matches!(self.state.overlay, None | Some(Overlay::Card(..))) => {
                self.state.overlay = None;
                self.focus(self.command());
                // Terminals send line ends as CR.
                let text = text.replace("\r\n", "\n").replace('\r', "\n");
                let lines = text.trim_end().lines().count();
                if lines > 1 {
                    let cancel = self.state.key("interrupt");
                    self.state.say(format!(
                        "{lines} lines pasted: Enter runs them in order, {cancel} drops them"
                    ));
                }
                self.state.has_text = true;
                self.state.effects.push(Effect::Paste(text));
            }
            Event::Resize(columns, rows) => {
                self.state.size = ((*columns).min(MAX_SIZE.0), (*rows).min(MAX_SIZE.1));
                let is_typing = self.state.focus == self.command();
                let has_place = self.state.areas().of(self.state.focus).is_some();
                if !self.state.zoomed && !is_typing && !has_place {
                    self.focus(self.state.focus);
                }
            }
            _ => {}
        }
    }

    /// A pane by its name, together with the shared state.
    pub fn pane(&mut self, name: Name) -> Option<(&mut dyn Pane, &mut ScreenState)> {
        let pane = self.panes.iter_mut().find(|pane| pane.name == name)?;
        Some((pane.pane.as_mut(), &mut self.state))
    }

    pub(super) fn focused(&self) -> Option<&PlacedPane> {
        self.panes.iter().find(|pane| pane.name == self.state.focus)
    }

    pub(super) fn command(&self) -> Name {
        let bottom = self.state.places.iter().find(|(_, place)| *place == PaneSlot::Bottom);
        bottom.map_or(self.state.focus, |(name, _)| name)
    }

    /// The labels of the key bar with an overlay in front, the most important first.
    pub(super) fn labels_of(&self, overlay: Option<&Overlay>) -> Vec<KeyLabel> {
        let state = &self.state;
        let fixed: &[_] = match overlay {
            Some(Overlay::Help(..)) => &[("letters", "search"), ("↑↓", "scroll"), ("Esc", "close")],
            Some(Overlay::Demo(at, true)) => match state.sheet {
                _ if at + 1 >= state.demo.len() => {
                    &[("Backspace", "back"), ("q", "leave the demo"), ("others", "play on")]
                }
                None => &[("Space", "go on"), ("Backspace", "back"), ("Esc q", "leave the demo")],
                Some(_) => &[
                    ("Space", "go on"),
                    ("Backspace", "back"),
                    ("Esc PgUp PgDn", "sheet"),
                    ("q", "leave the demo"),
                ],
            },
            Some(Overlay::Card(Card::Start, _)) => &[
                ("F1", "help"),
                ("q", "quit"),
                ("digits ↑↓ Enter", "choose"),
                ("Esc", "empty board"),
            ],
            Some(Overlay::Card(..)) => {
                &[("F1", "help"), ("digits ↑↓ Enter", "choose"), ("Esc", "close")]
            }
            Some(Overlay::Unsaved(losing)) => &losing.answers(),
            Some(Overlay::Sure(..)) => &[("y", "yes"), ("n", "no")],
            Some(Overlay::Demo(..)) => &[],
            None => return self.labels(),
        };
        fixed.iter().map(|(keys, text)| KeyLabel::fixed([*keys, *text, *text])).collect()
    }

    /// The labels of the key bar without an overlay, the most important first.
    fn labels(&self) -> Vec<KeyLabel> {
        let (state, Some(pane)) = (&self.state, self.focused()) else { return Vec::new() };
        let rows = state.keymap.rows(self.key_place(pane));
        let has_search = state.data.get::<Run>().is_some() && state.hint == Hint::None;
        let is_over = has_search && state.is_search_over();
        let mut seen = Vec::new();
        let mut bound = |names: &str| -> Vec<_> {
            let labelled = names.split_whitespace().filter_map(|name| {
                let (actions, label) = name.split_once(':').unwrap_or((name, name));
                let works = |name: &&str| self.has_effect(name);
                let actions: Vec<_> = actions.split('+').filter(works).collect();
                let found =
                    actions.iter().filter_map(|name| rows.iter().find(|it| it.0.name == *name));
                let keys: Vec<_> = found.map(|(row, keys)| row.described(&keys[..1])).collect();
                let is_new = keys.iter().all(|[key, ..]| !seen.contains(key));
                seen.extend(keys.iter().map(|[key, ..]| key.clone()));
                let label = label_now(state, &actions, label);
                (is_new && !keys.is_empty()).then(|| KeyLabel::of(actions[0], label, keys))
            });
            labelled.collect()
        };
        if state.is_busy() {
            return bound(if state.moving { MOVING } else { RUNNING });
        }
        let label = |(keys, label): &(&str, &str)| KeyLabel::fixed([keys, label, label]);
        let answers = self.answers();
        if !answers.is_empty() {
            let keys = answers.iter().map(|(key, text, _)| (*key, *text));
            return keys.chain([("Esc", "close"), ("F1", "help")]).map(|it| label(&it)).collect();
        }
        if let Some(question) = pane.pane.question(state) {
            return question.keys.iter().map(label).collect();
        }
        let esc = |keys: &[&str; 3]| keys[0] == "Esc";
        let covering = state.sheet.as_ref().filter(|_| self.sheet_keys() == SheetKeys::Cursor);
        let keys = match covering {
            Some(sheet) => sheet.keys(&state.areas()),
            None => pane.pane.fixed_keys(state),
        };
        let has_esc = pane.pane.is_typed_in() || keys.iter().any(esc);
        let keys = keys.iter().filter(|keys| state.sheet.is_none() || !esc(keys));
        let fixed: Vec<_> = keys.copied().map(KeyLabel::fixed).collect();
        let (main, fixed) = fixed.split_at(fixed.len().min(1));
        let search = if is_over { ENDED } else { SEARCH };
        let search = if has_search { search } else { NO_SEARCH };
        let quiz = self.state.quiz.is_some() && state.sheet.is_none();
        let quiz = Vec::from_iter(quiz.then(|| label(&("Space", "question"))));
        let own = if covering.is_some() { "" } else { pane.pane.footer(state) };
        let [first, mut leave, own, command, search, last] =
            [FIRST, self.way_out(has_esc), own, COMMAND, search, LAST].map(bound);
        // The label has its place beside help and quit; that of Esc is near the end while Esc closes nothing.
        for label in &mut leave {
            label.place = (PANE_GROUP, 0);
        }
        // On the narrowest screen, the pane's first action takes precedence over the command line.
        let (first_own, own) = own.split_at(own.len().min(1));
        [&first, &leave, &quiz, main, first_own, &command, own, fixed, &search, &last].concat()
    }

    /// Whether an action of the key bar has an effect: at the end of a game or a search only the way back has one, at its start only
    /// the way forwards.
    fn has_effect(&self, action: &str) -> bool {
        let state = &self.state;
        let position = state.data.get::<PositionReport>();
        let has_search = state.data.get::<Run>().is_some() && state.hint == Hint::None;
        match action {
            "undo" => position.is_none_or(|it| it.undo > 0),
            "redo" => position.is_none_or(|it| it.redo > 0),
            _ if has_search && state.is_search_over() => !FORWARDS.contains(&action),
            _ => state.at_start().is_none() || !BACKWARDS.contains(&action),
        }
    }

    /// The key that leaves what is open: Esc closes a sheet, then ends the zoom, before anything else.
    fn way_out(&self, has_esc: bool) -> &'static str {
        match () {
            () if self.state.sheet.is_some() => "position:close",
            () if self.state.zoomed && !has_esc => "position:unzoom",
            () if self.state.is_in_variation() => "variation-leave",
            () => "",
        }
    }

    /// The queries of all visible panes, and those that every screen needs.
    pub fn wants(&self) -> Vec<Query> {
        let areas = self.state.areas();
        let seen = self.panes.iter().filter(|pane| areas.of(pane.name).is_some());
        let mut wants: Vec<_> = seen.flat_map(|pane| pane.pane.wants(&self.state)).collect();
        // The queries for header, footer, time line and the engine's replies.
        wants.extend([Query::Breakpoints, Query::Position, Query::SearchResult]);
        wants.extend([Query::Stack, Query::Timelines]);
        wants.extend(self.state.is_trace().then_some(Query::Trace));
        if !wants.iter().any(|want| matches!(want, Query::Tree(_))) {
            wants.extend(timeline::root_moves_query(&self.state));
        }
        wants.sort();
        wants.dedup();
        wants
    }

    /// Whether any shown reply has to be looked up again.
    pub fn is_stale(&self) -> bool {
        self.state.stale || self.state.data.lacks(&self.wants(), &self.state.shown)
    }

    pub(super) fn key(&mut self, event: KeyEvent) {
        let state = &mut self.state;
        state.offers_first = false;
        if !state.returns {
            state.status = None;
        }
        let tiny = state.size.0 < MIN_SIZE.0 || state.size.1 < MIN_SIZE.1;
        // On a tiny screen, keys whose effect cannot be seen do nothing. Those with Ctrl stop a command or suspend the program.
        if tiny && state.overlay.is_none() && !event.modifiers.contains(KeyModifiers::CONTROL) {
            if event.code == KeyCode::Char('q') {
                self.leave();
            }
            return;
        }
        if let Some(overlay) = state.overlay.take() {
            return self.overlay_key(overlay, event);
        }
        let key = KeyPress::from(event);
        let Some(place) = self.focused().map(|pane| self.key_place(pane)) else { return };
        let action = self.state.keymap.action(key, place).cloned();
        let in_front = self.state.sheet.is_some() || self.state.offers.is_some();
        let is_free = in_front || !place.typing && action.is_none();
        if let Some(letter) = key.after_escape().filter(|_| is_free) {
            // A letter typed soon after Esc arrives as Alt with that letter, so it is handled as two keys.
            self.key(KeyCode::Esc.into());
            return self.key(letter.into());
        }
        if self.answer(key, action.as_ref()) || self.sheet_key(event) {
            return;
        }
        let shown = self.state.data.board.as_ref().map_or("", first_letters);
        let is_elsewhere = place.pane == "board" && self.state.shown != BoardOf::Position;
        let is_first = key.letter().is_some_and(|letter| shown.contains(letter));
        if is_elsewhere && !place.trace && self.refuse_move(key, is_first && action.is_none()) {
            return;
        }
        let asks = self.state.quiz.is_some() && self.state.sheet.is_none() && !place.typing;
        if asks && event.code == KeyCode::Char(' ') {
            // If the sheet of the quiz was closed, the key asks the next question.
            return self.state.run("quiz next");
        }
        if let Some((pane, state)) = self.pane(place.pane)
            && pane.key(state, event)
        {
            return;
        }
        if let Some(row) = action {
            self.act(&row);
        } else if self.state.slot(place.pane) == Some(PaneSlot::Game)
            && key.letter().is_some_and(|letter| place.letters.contains(letter))
        {
            self.focus(self.panes[0].name);
            self.key(event);
        } else {
            self.state.say(self.without_effect(key, place));
        }
    }

    /// Refuses a character of a move that is typed on the board of a frame. The first character does nothing there, so the following
    /// ones, which are keys of their own, must not act either. `is_first`: whether the key begins a move and has no action.
    fn refuse_move(&mut self, key: KeyPress, is_first: bool) -> bool {
        let typed = self.refused_move.take().filter(|(at, _)| at.elapsed() < TWICE);
        let continues = |typed: &String| {
            let ends_in_digit = typed.ends_with(|sign: char| sign.is_ascii_digit());
            match key.letter() {
                Some('x') => true,
                Some(sign) if sign.is_ascii_digit() => !ends_in_digit,
                Some(sign) => {
                    (ends_in_digit || typed.ends_with('x')) && ('a'..='h').contains(&sign)
                }
                None => ends_in_digit && key == KeyPress::from(KeyEvent::from(KeyCode::Enter)),
            }
        };
        let typed = typed.map(|(_, typed)| typed).filter(continues);
        let Some(typed) = typed.or_else(|| is_first.then(String::new)) else { return false };
        let typed = typed + &or_empty(key.letter().map(String::from));
        let back = self.state.key("position");
        self.state.say(format!("`{typed}`: moves are typed on the game's board; {back} shows it"));
        self.refused_move = Some((Instant::now(), typed));
        true
    }

    /// Why a key has no effect, and where it has one.
    fn without_effect(&self, key: KeyPress, place: KeyPlace) -> String {
        let board = &self.panes[0];
        let begins_move = |letter| !place.trace && board.pane.letters().contains(letter);
        if key.letter().is_some_and(begins_move) {
            return format!("{key} begins a move only on the board: {} goes there", board.number());
        }
        let acts =
            |pane: &&PlacedPane| self.state.keymap.action(key, self.key_place(pane)).is_some();
        let panes = self.panes.iter().filter(acts);
        let panes = panes.map(|pane| format!("{} {}", pane.number(), pane.heading()));
        let panes: Vec<_> = panes.collect();
        // Keys that act in most panes, such as those that move the cursor, are not named with their panes.
        let is_told = (1..=FEW_PANES).contains(&panes.len());
        let others = or_empty(is_told.then(|| format!(", but in {}", panes.join(", "))));
        let place = if place.trace { "here in a trace" } else { "here" };
        format!("{key} does nothing {place}{others}; F1 lists the keys")
    }

    /// What determines the effect of keys in a pane. The letters that begin a move on the board do so in the game's pane, too.
    pub fn key_place(&self, pane: &PlacedPane) -> KeyPlace {
        let shown = if pane.place == PaneSlot::Game { &self.panes[0] } else { pane };
        let letters = shown.pane.letters();
        KeyPlace { letters, trace: self.state.is_trace(), ..pane.key_place() }
    }

    /// The keys for the quiz on the open sheet; empty without one, and while text is typed.
    pub(super) fn answers(&self) -> &'static [AnswerKey] {
        let is_typing = self.focused().is_some_and(|pane| pane.pane.is_typed_in());
        self.state.sheet.as_ref().filter(|_| !is_typing).map_or(&[], Sheet::answers)
    }

    /// Handles a key for the quiz on the open sheet. While a question is open, other characters are refused, so that a slip does
    /// not cover the question; but help, command line and the way out stay. `false` for keys that have their usual effect.
    fn answer(&mut self, key: KeyPress, action: Option<&Binding>) -> bool {
        let (name, answers) = (key.to_string(), self.answers());
        let stays = action.is_some_and(|row| match row.action {
            Action::Screen(action) => matches!(action, ScreenAction::Help | ScreenAction::Quit),
            Action::Go(pane) => pane == self.command(),
            _ => false,
        });
        let typed = answers.iter().find(|(.., line)| line.ends_with(' '));
        let number = key.letter().filter(|sign| sign.is_ascii_digit() || "+-.#".contains(*sign));
        let number = typed.map(|(.., line)| line).zip(number);
        let (is_enter, is_open) = (name == "Enter", answers.contains(&PASS));
        match answers.iter().find(|(known, ..)| *known == name) {
            Some((.., line)) if line.ends_with(' ') => self.type_in((*line).to_owned()),
            Some((.., line)) => self.state.run(*line),
            // A digit or sign begins the answer.
            None if let Some((line, sign)) = number => self.type_in(format!("{line}{sign}")),
            None if let Some((.., line)) = typed.filter(|_| is_enter) => {
                self.type_in((*line).to_owned());
            }
            None if let (true, [(.., line)]) = (is_enter, answers) => self.state.run(*line),
            None if is_open && (is_enter || key.letter().is_some()) && !stays => {
                let keys = answers.iter().map(|(key, text, _)| format!("{key} {text}, "));
                let keys: String = keys.collect();
                self.state.say(format!("{name} is no answer: {keys}Esc close"));
            }
            None if self.state.sheet.as_ref().is_some_and(|it| it.has_answered(&name)) => {
                self.state.say("the question is answered: Space asks the next, Esc closes");
            }
            None => return false,
        }
        true
    }

    /// Handles a key for the open sheet; scrolling keys only if it covers the focused pane. `false` for other keys.
    pub(super) fn sheet_key(&mut self, event: KeyEvent) -> bool {
        let areas = self.state.areas();
        let covered = self.sheet_keys() == SheetKeys::Cursor;
        let is_typing = self.state.focus == self.command();
        let Some(sheet) = &mut self.state.sheet else { return false };
        let covers_board = sheet.covers_board(&areas);
        let page = sheet.page().cast_signed();
        let by = match event.code {
            KeyCode::Esc if is_typing && self.state.returns && !sheet.is_failure() => {
                // Esc leaves a line that a key has begun before it closes the sheet; a sheet with the failure of that line closes first.
                self.leave_command_line();
                return true;
            }
            KeyCode::Esc if self.state.offers.is_none() => {
                let is_open = sheet.answers().contains(&PASS);
                let is_failure = sheet.is_failure();
                self.state.sheet = None;
                if is_open {
                    let again = if is_typing { "`quiz`" } else { "Space" };
                    self.state.say(format!(
                        "the question stays open: {again} shows it again, `quiz off` ends the quiz"
                    ));
                }
                // An empty command line is left together with a reply; after a failure, the line can be typed again.
                if is_typing && !self.state.has_text && !is_failure {
                    self.leave_command_line();
                }
                return true;
            }
            KeyCode::PageUp => -page,
            KeyCode::PageDown => page,
            // The key for the next pane enters the list first; in the command line, Tab completes.
            KeyCode::Tab | KeyCode::F(6)
                if !sheet.is_active
                    && sheet.has_places(&areas)
                    && !(is_typing && event.code == KeyCode::Tab) =>
            {
                sheet.is_active = true;
                return true;
            }
            KeyCode::Enter if covered => match sheet.command(&areas) {
                Some(line) => return self.go_from_sheet(line, covers_board),
                None => return false,
            },
            KeyCode::Up if covered => -1,
            KeyCode::Down if covered => 1,
            KeyCode::Char('k') if covered && !is_typing && sheet.has_places(&areas) => -1,
            KeyCode::Char('j') if covered && !is_typing && sheet.has_places(&areas) => 1,
            KeyCode::Home if covered => -ALL_LINES,
            KeyCode::End if covered => ALL_LINES,
            _ => {
                // What is typed goes to the command line, so Enter does, too.
                sheet.is_active &= !is_typing;
                return false;
            }
        };
        sheet.is_active |= covered;
        sheet.by(&areas, by);
        true
    }

    /// Runs the command line of a row on the sheet. The sheet stays open for other rows, unless it covers the board.
    fn go_from_sheet(&mut self, line: String, covers_board: bool) -> bool {
        if covers_board {
            self.state.sheet = None;
        }
        if self.state.is_busy() {
            self.state.run(line);
        } else {
            self.state.submit(line, By::Sheet);
        }
        true
    }

    fn act(&mut self, row: &Binding) {
        match &row.action {
            Action::Moves(line @ "undo") if self.state.moving && self.state.is_busy() => {
                self.state.run_now(*line);
            }
            Action::Moves("undo") if self.is_at_start_of_known_game() => self.say_game_begins(),
            Action::Moves(_)
                if row.pane == Some("board") && self.state.shown != BoardOf::Position =>
            {
                self.say_where_arrows_go();
            }
            Action::Moves(line) => {
                let does =
                    if *line == "undo" { "takes back a move" } else { "plays the next move" };
                let position = self.state.data.get::<PositionReport>();
                let moves = |it: &PositionReport| if *line == "undo" { it.undo } else { it.redo };
                let has_moves = position.is_some_and(|position| moves(position) > 0);
                let line = self.moves_line(line, row.name != "undo");
                if self.state.is_search_paused() && has_moves {
                    self.state.ask(line, format!("{does}, dropping the search under way"));
                } else {
                    self.state.run(line);
                }
            }
            Action::Run(line) => {
                let selected = self.selection();
                if let Some(line) = self.filled(line, selected) {
                    self.state.run(line);
                }
            }
            Action::Jump(line) => self.jump(line),
            Action::Ask(_) if row.name == "new" && self.state.is_untouched() => self.show_start(),
            Action::Ask(_) if row.name == "drop" && self.state.data.get::<Run>().is_none() => {
                self.state.say("there is no search to drop");
            }
            Action::Ask(line) => self.state.ask(line, &row.help),
            Action::Type(line) => {
                let pane = self.pane(self.state.focus).filter(|_| line.contains("{}"));
                let selected = pane.and_then(|(pane, state)| pane.editable(state));
                if let Some(line) = self.filled(line, selected) {
                    self.type_in(line);
                }
            }
            Action::Go(panes::FINDINGS) if !self.state.is_trace() => {
                self.state.say("no trace is open: `trace open FILE` opens one");
            }
            Action::Go(pane) => self.focus(pane),
            Action::Scroll(by) => self.scroll(*by),
            Action::Page(by) => self.scroll(by * self.page()),
            Action::Screen(action) => self.screen_action(*action),
            Action::Pane(action) => {
                if let Some((pane, state)) = row.pane.and_then(|pane| self.pane(pane)) {
                    pane.act(state, *action);
                }
            }
        }
    }

    /// Says that there is no move before this position, and which key goes to other games or to the next move.
    fn say_game_begins(&mut self) {
        let position = self.state.data.get::<PositionReport>();
        let games = position.and_then(PositionReport::among_games);
        let games = games.and_then(|_| self.state.key_to("games", "lists the games of the file"));
        let next = || self.state.key_to("redo", "plays the next move");
        let on = or_empty(games.or_else(next).map(|on| format!(": {on}")));
        self.state.say(format!("the game begins here{on}"));
    }

    /// The command line with the selection in place of `{}`; `None` without a selection.
    fn filled(&mut self, line: &str, selected: Option<String>) -> Option<String> {
        if !line.contains("{}") {
            return Some(line.to_owned());
        }
        if selected.is_none() {
            self.state.say("nothing is selected");
        }
        Some(line.replace("{}", &selected?))
    }

    /// The selection in the focused pane: the cache key of an entry or frame, or a position in quotes.
    fn selection(&self) -> Option<String> {
        self.focused()?.pane.selected(&self.state)
    }

    /// Whether the board has the first position of a game from a file, or of one whose moves follow, before which `undo` would go
    /// back to another game.
    fn is_at_start_of_known_game(&self) -> bool {
        let position = self.state.data.get::<PositionReport>();
        let is_known = |it: &PositionReport| it.redo > 0 || it.game_in_file.is_some();
        position.is_some_and(|it| it.played.is_empty() && is_known(it))
    }

    /// Begins a line in the command pane; once it has been run, the focus goes back.
    pub(super) fn type_in(&mut self, line: String) {
        self.focus(self.command());
        self.state.returns = true;
        self.state.has_text = true;
        self.state.effects.push(Effect::Type(line));
    }

    /// Types a line that a key has begun and that failed: up to a fault at its end, else whole, with the cursor after the fault.
    pub(super) fn type_again(&mut self, line: &str, fault: Range<usize>) {
        let is_last = fault.end == line.len();
        let kept = line.get(..fault.start).filter(|it| is_last && !it.is_empty()).unwrap_or(line);
        let lacks_word = is_last && fault.is_empty() && !kept.ends_with(' ');
        self.type_in(kept.to_owned() + &or_empty(lacks_word.then_some(" ")));
        let after = line.get(fault.end..).map_or(0, |rest| rest.chars().count());
        let left = Effect::Key(KeyCode::Left.into());
        self.state.effects.extend(std::iter::repeat_n(left, after));
    }

    fn screen_action(&mut self, action: ScreenAction) {
        let state = &mut self.state;
        match action {
            ScreenAction::Help => {
                self.covered = None;
                state.overlay = Some(Overlay::Help(String::new(), 0));
            }
            ScreenAction::NextPane => self.cycle(1),
            ScreenAction::PreviousPane => self.cycle(-1),
            ScreenAction::Zoom if state.slot(state.focus) == Some(PaneSlot::Bottom) => {
                state.is_command_zoomed = !state.is_command_zoomed;
            }
            ScreenAction::Zoom => state.zoomed = !state.zoomed,
            ScreenAction::Grow => self.grow(3),
            ScreenAction::Shrink => self.grow(-3),
            ScreenAction::Arrange => self.arrange(None),
            ScreenAction::ArrangePlay => self.arrange(Some(Arrangement::Play)),
            ScreenAction::ArrangeDebug => self.arrange(Some(Arrangement::Debug)),
            ScreenAction::ArrangeTrace => self.arrange(Some(Arrangement::Trace)),
            ScreenAction::Interrupt => self.interrupt(),
            ScreenAction::Suspend => state.effects.push(Effect::Suspend),
            ScreenAction::Theme => {
                state.look.switch_to_next();
                state.say(format!("theme {}", state.look.name));
            }
            ScreenAction::Mouse => {
                state.mouse = !state.mouse;
                let off = "mouse off: the terminal selects text";
                state.say(if state.mouse { "mouse on" } else { off });
                state.effects.push(Effect::Mouse(state.mouse));
            }
            ScreenAction::Redraw => state.effects.push(Effect::Redraw),
            ScreenAction::CopyPosition => self.copy(self.state.position().map(str::to_owned)),
            ScreenAction::CopyKey => self.copy(self.state.position_key().map(str::to_owned)),
            ScreenAction::Landmark => self.go_to_landmark(true),
            ScreenAction::BackLandmark => self.go_to_landmark(false),
            ScreenAction::BreakHere => self.toggle_breakpoint_here(),
            ScreenAction::Why => self.explain(),
            ScreenAction::Entry => {
                if let Some(key) = self.selected_key() {
                    self.state.run(format!("cache get {key}"));
                }
            }
            ScreenAction::Position => self.leave_view(),
            ScreenAction::EngineSide => self.show_sides(),
            ScreenAction::EngineFollow => {
                let switch = if state.is_followed() { "off" } else { "on" };
                state.run(format!("engine follow {switch}"));
            }
            ScreenAction::EngineLevel => self.show_levels(),
            ScreenAction::Draw => self.ask_for_draw(),
            ScreenAction::Resign => self.resign(),
            ScreenAction::Save => self.save(),
            ScreenAction::Picture => self.draw_picture(),
            ScreenAction::Quit => self.leave(),
        }
    }

    /// Changes the height of the focused pane by `rows`, as far as the other panes allow.
    fn grow(&mut self, rows: i16) {
        let state = &mut self.state;
        let height = |state: &ScreenState| state.areas().of(state.focus).map_or(0, |it| it.height);
        let before = height(state);
        let grown = state.grown.get(state.focus).copied().unwrap_or(0);
        state.grown.insert(state.focus, grown.saturating_add(rows));
        let more = height(state).cast_signed() - before.cast_signed();
        // Rows for which there is no room are not counted; otherwise the opposite key would first have to take them back.
        state.grown.insert(state.focus, grown.saturating_add(more));
        state.say(match more {
            0 => format!("{}: the other panes leave no room for a change", state.focus),
            more => format!("{}: {more:+} rows", state.focus),
        });
    }

    /// Keeps an arrangement of the panes; `None`: the arrangement follows the running search.
    fn arrange(&mut self, kept: Option<Arrangement>) {
        if self.state.is_trace() {
            return self.state.say("a trace has panes of its own, which stay as they are");
        }
        self.state.kept = kept;
        let (name, chosen) = match kept {
            Some(kept) => (format!("{kept:?}").to_lowercase(), kept),
            None => ("chosen by the search under way".to_owned(), self.state.arranged),
        };
        self.state.say(format!("panes: {name}"));
        if !self.state.slot(self.state.focus).is_some_and(|slot| chosen.shows(slot)) {
            self.focus(self.panes[0].name);
        }
        self.bring_arranged(chosen);
    }

    /// Brings the panes of a search to the front when a search begins, and those of the game when the search is dropped.
    fn follow_search(&mut self) {
        let state = &mut self.state;
        let is_search = !state.data.frames().is_empty() && state.hint == Hint::None;
        let now = match () {
            () if state.is_trace() => {
                state.hint = Hint::None;
                Arrangement::Trace
            }
            // A search for a move that was stopped belongs to the game until a command goes on with it.
            () if is_search && !state.moving => Arrangement::Debug,
            () => Arrangement::Play,
        };
        // A search for the engine's move, a hint or a draw offer leaves no recording, so the panes stay as they are.
        let is_passing = state.searching && (state.moving || state.hint != Hint::None);
        if is_passing {
            return;
        }
        let is_changed = now != std::mem::replace(&mut state.arranged, now);
        let is_calm = now == Arrangement::Play && !state.is_busy();
        if (is_changed || is_calm && self.is_empty_chart()) && self.state.kept.is_none() {
            self.bring_arranged(now);
        }
    }

    /// Whether a chart without curves is in front, and not focused.
    fn is_empty_chart(&self) -> bool {
        let front = self.panes.iter().find(|pane| pane.name == self.state.tab);
        let is_empty = front.is_some_and(|it| it.place == PaneSlot::Cover && it.pane.is_idle());
        is_empty && self.state.focus != self.state.tab
    }

    /// Brings the first tab of an arrangement to the front, if the front tab is the first tab of another arrangement, or an empty
    /// chart.
    fn bring_arranged(&mut self, arrangement: Arrangement) {
        let front = self.state.slot(self.state.tab);
        let is_focused = self.state.focus == self.state.tab;
        let leaves = match front {
            Some(PaneSlot::Game) => !arrangement.shows(PaneSlot::Game),
            Some(PaneSlot::Top | PaneSlot::Tree) => {
                !arrangement.shows(PaneSlot::Top) && !is_focused
            }
            _ => self.is_empty_chart(),
        };
        if leaves {
            let shown = |slot: PaneSlot| slot.is_tab() && arrangement.shows(slot);
            let mut panes = self.panes.iter().filter(|pane| pane.place != PaneSlot::Cover);
            let first = panes.find(|pane| shown(pane.place)).map(|pane| pane.name);
            self.bring_forward(first.unwrap_or(self.state.tab));
            // In a trace, no move can be entered on the board.
            let is_idle = arrangement == Arrangement::Trace
                && self.state.slot(self.state.focus) == Some(PaneSlot::Board);
            if is_focused || is_idle {
                self.state.focus = self.state.tab;
            }
        }
    }

    /// Explains the last event, or the event of the selected row after going to it. On the game's board it explains the value found
    /// by a search that is over, because the event at which the limits of the search stopped it says nothing about the game's
    /// position. Without a search, the next move of the game is explained if the review calls it a mistake.
    fn explain(&mut self) {
        let mistake = self.state.data.get::<PositionReport>().and_then(PositionReport::mistake);
        let is_reviewed = mistake.is_some_and(|(_, mark)| mark.value.is_some());
        if is_reviewed && self.state.data.frames().is_empty() {
            return self.state.run("explain mistake");
        }
        let Some(run) = self.state.data.get::<Run>() else {
            if !self.state.is_busy() {
                self.state.say("no search yet: a hint is searched, then explained");
            }
            return self.state.run("hint; explain value");
        };
        let there = self.focused().and_then(|pane| pane.pane.event_line(&self.state));
        if let Some(go) = there.filter(|go| self.state.event_line().as_ref() != Some(go)) {
            if let Some(now) = self.state.data.event().map(|event| event.index) {
                self.state.say(format!("from event {}: `goto {now}` returns", count(now)));
            }
            return self.state.run(format!("{go}; explain"));
        }
        if let Some(how) = self.state.at_start() {
            return self.state.say(how);
        }
        let is_over = run.stopped.is_some() && self.state.has_value();
        let on_game = self.state.shown == BoardOf::Position;
        self.state.run(if is_over && on_game { "explain value" } else { "explain" });
    }

    /// Notes how many rows each pane can fill. During a search it is the most so far, so that stepping does not move the panes.
    fn note_needs(&mut self) {
        let wide = self.panes.iter().filter(|pane| pane.pane.is_wide());
        let wide: Vec<_> = wide.map(|pane| pane.name).collect();
        let is_as_wide = wide == self.state.wide;
        self.state.wide = wide;
        let areas = self.state.areas();
        let search = self.timeline.clone();
        let search = search.filter(|_| self.state.arrangement() != Arrangement::Play);
        let (now, is_open) = ((search, self.state.size), self.state.focus == self.command());
        // Beside the open command pane, other panes contain the counters; that must not move the panes then or later.
        if is_open && now.0.is_some() && self.needed == (now.clone(), false) {
            return;
        }
        let is_same = is_as_wide && now.0.is_some() && self.needed == (now.clone(), is_open);
        self.needed = (now, is_open);
        for pane in &self.panes {
            let columns =
                areas.of(pane.name).map_or(USUAL_WIDTH, |area| area.width.saturating_sub(2));
            let rows = pane.pane.rows_needed(&self.state, columns) + 2;
            let rows = rows.min(MAX_SIZE.1.into()) as u16;
            let most = self.state.needs.entry(pane.name).or_default();
            *most = if is_same { rows.max(*most) } else { rows };
        }
    }

    /// If the search has left the timeline that it was on, shows a message on how to return.
    fn note_timeline(&mut self) {
        let state = &mut self.state;
        let is_hint = state.hint != Hint::None;
        let list = state.data.get::<TimelineList>().filter(|_| !(is_hint && state.searching));
        let Some(list) = list else { return };
        let now = list.current().map(|now| now.name.clone());
        let names = list.timelines.iter().map(|it| it.name.clone()).collect();
        let known = std::mem::replace(&mut self.timelines, names);
        // The search for a hint is nothing to return to, unlike the one before it.
        let own = now.clone().filter(|_| !is_hint);
        let before = std::mem::replace(&mut self.timeline, own);
        if is_hint || before != now {
            state.root_moves.clear();
        }
        // The tree has root moves only up to the current event, so later ones are kept from earlier replies.
        if !is_hint {
            state.root_moves.extend(timeline::root_moves(&state.data));
        }
        let Some(left) = before.filter(|left| now.as_ref() != Some(left)) else { return };
        let said = state.status.as_ref();
        let has_said =
            said.is_some_and(|(kind, text)| *kind == LogLine::Failure || text.contains("timeline"));
        if has_said || !self.timelines.contains(&left) {
            return;
        }
        let goes_on = now.filter(|now| known.contains(now) || list.fork_event(&left).is_some());
        if let Some(now) = goes_on {
            return state.say(format!("now on timeline {now}: `timeline use {left}` returns"));
        }
        let run = state.data.get::<Run>().filter(|_| !state.searching && !is_hint);
        // A restart that stops at a breakpoint may stop at another event than the search before, whose entries it has found.
        let stopped = run.and_then(|run| run.breakpoint);
        let stopped =
            stopped.map(|id| format!("breakpoint {id}, with the entries of the last search"));
        let said = said.map(|(_, text)| text.clone());
        let what = said.or(stopped).or_else(|| run.and_then(best_found));
        let what = or_empty(what.map(|what| format!("{what}; ")));
        state.say(format!("{what}the last search is kept: `timeline use {left}`"));
    }

    /// Draws the screen into a new file in the current directory; at a double press, the last seconds as a film.
    fn draw_picture(&mut self) {
        let before = self.still.take().filter(|(at, _)| at.elapsed() < TWICE);
        let (command, what, kind) = match &before {
            Some(_) => ("picture film", "instead, the last ten seconds are", "film-"),
            None if self.state.is_busy() => return self.still = Some((Instant::now(), None)),
            None => ("picture screen", "the screen is", ""),
        };
        let name = files::unused_name(&format!("plyscope-{kind}"), "svg");
        self.state.say(format!("{what} drawn into ./{name}"));
        self.state.submit(format!("{command} {name}"), By::Key);
        match before {
            Some((_, still)) => self.replaced_still = still,
            None => self.still = Some((Instant::now(), Some(name))),
        }
    }

    fn copy(&mut self, text: Option<String>) {
        if let Some(text) = text {
            self.state.say(format!("copied {text}"));
            self.state.effects.push(Effect::Copy(text));
        }
    }

    fn go_to_landmark(&mut self, forwards: bool) {
        let state = &mut self.state;
        if state.recording().is_none() && state.stale && !state.is_busy() {
            // The position from which to look for a mistake is not known yet.
            return;
        }
        let event = timeline::next_landmark(state, forwards).map(|event| format!("goto {event}"));
        match event.or_else(|| timeline::next_mistake(state, forwards)) {
            Some(line) => {
                state.jump(line);
            }
            None if timeline::lacks_review(state) => {
                // Against the engine, a move in place of one taken back is the game, of which a review follows the main line.
                let is_game = state.engine != EngineSides::None
                    && state.data.get::<PositionReport>().is_some_and(|it| it.since_branch > 0);
                state.run(if is_game { "promote --main; review" } else { "review" });
            }
            None if timeline::lacks_mistakes(state) => {
                let is_variation =
                    state.data.get::<PositionReport>().is_some_and(|it| it.since_branch > 0);
                let leave = state.key("variation-leave");
                state.say(if is_variation {
                    format!("no mistake is known in this variation; {leave} leaves it")
                } else {
                    "no move of this game is marked as a mistake; `review` judges them again"
                        .to_owned()
                });
            }
            None if state.data.frames().is_empty() || state.hint != Hint::None => {
                let (side, other) =
                    if forwards { ("after", "back-landmark") } else { ("before", "landmark") };
                let others = timeline::next_mistake(state, !forwards)
                    .map(|_| format!("; {} goes to the others", state.key(other)));
                let position = state.data.get::<PositionReport>();
                let here = position.and_then(PositionReport::mistake).map(|_| "other ");
                let [here, others] = [or_empty(here), or_empty(others)];
                state.say(format!("no {here}mistake is known {side} this position{others}"));
            }
            None => {
                let goes_on = (forwards && !state.is_search_over())
                    .then(|| state.with_keys(": `continue` searches on"));
                let what = label_now(state, &[], "landmark");
                let no = if forwards { "no further " } else { "no " };
                let place = if forwards { "" } else { " before this event" };
                let is_right = |it: &&OpenTrace| it.done && it.found.findings.is_empty();
                let right = state.trace().filter(is_right).map(|_| "nothing is wrong in it; ");
                let right = or_empty(right);
                state.say(format!(
                    "{right}the recording has {no}{what}{place}{}",
                    or_empty(goes_on)
                ));
            }
        }
    }

    fn toggle_breakpoint_here(&mut self) {
        let Some(place) = self.selected_key() else { return };
        // A key may contain a depth, which is not part of the position.
        let key = place.split(':').next().unwrap_or(&place);
        let is_position = place.starts_with('"');
        let [name, value] = if is_position { ["position", &place] } else { ["key", key] };
        self.state.toggle_breakpoint(&format!("{name}={value}"));
    }

    /// The cache key or the position in quotes that is selected in the focused pane, else the key of the selected frame; in the
    /// board pane, the key of the position shown.
    fn selected_key(&mut self) -> Option<String> {
        let frame = || self.state.data.frame().map(|frame| frame.key.clone());
        let is_board = self.state.slot(self.state.focus) == Some(PaneSlot::Board);
        let selected = if is_board { None } else { self.selection().or_else(frame) };
        let key = selected.or_else(|| self.state.position_key().map(str::to_owned));
        // The node before the first event of a trace has no key.
        let key = key.filter(|key| key != "-");
        if key.is_none() {
            self.state.say("this position has no known key");
        }
        key
    }

    /// Goes one step back to the game's board: from a zoom, another shown position, or another focus.
    fn leave_view(&mut self) {
        let in_command = self.state.focus == self.command();
        let on_board = self.state.slot(self.state.focus) == Some(PaneSlot::Board);
        self.saved_then = None;
        let state = &mut self.state;
        if in_command {
            self.cancel_typing();
            let card = self.covered.take();
            self.focus(self.state.came_from);
            self.state.overlay = card;
        } else if state.zoomed {
            state.zoomed = false;
        } else if state.shown != BoardOf::Position {
            state.shown = BoardOf::Position;
        } else if !on_board {
            self.focus(self.panes[0].name);
        } else if state.is_busy() {
            state.say(format!("{} stops the command", state.key("interrupt")));
        } else {
            let what = if state.is_trace() { "root of the trace" } else { "board of the game" };
            let has_frame = !state.data.frames().is_empty() && !state.is_trace();
            let frame = or_empty(has_frame.then_some("Enter in the stack shows the frame, "));
            state.say(format!("this is the {what}; {frame}{} quits", state.key("quit")));
        }
    }

    fn say_where_arrows_go(&mut self) {
        let [game, step, back] = ["position", "step", "back"].map(|it| self.state.key(it));
        self.state.say(format!(
            "the arrows go through the game, which {game} shows; {step} and {back} step the search"
        ));
    }

    /// The command line of a key that takes back a move or plays it again. If the key `browses` the game, a resignation or draw is
    /// kept.
    fn moves_line(&self, line: &str, browses: bool) -> String {
        if self.is_users_turn(line) {
            return format!("{line} 2");
        }
        let position = self.state.data.get::<PositionReport>();
        let position = position.filter(|it| line == "undo" && (browses || !it.ended));
        let before = position.and_then(|it| it.place().checked_sub(1));
        let back = before.and_then(|before| timeline::command_to(&self.state, before));
        back.unwrap_or_else(|| line.to_owned())
    }

    /// Goes to an end of the recording; without one, of the game.
    fn jump(&mut self, line: &str) {
        let Some(end) = self.end_of_game(line) else { return self.state.jump(line) };
        match timeline::command_to(&self.state, end) {
            Some(line) => self.state.run(line),
            None => self.state.say("this end of the game is on the board"),
        }
    }

    /// The number of moves played at the end of the game that a jump along the recording leads to without one. `None` if there is a
    /// recording or no move, and while the engine plays.
    fn end_of_game(&self, line: &str) -> Option<usize> {
        let state = &self.state;
        let has_moves = |it: &&PositionReport| it.played.len() + it.ahead.len() > 0;
        let position = state.data.get::<PositionReport>().filter(has_moves)?;
        let is_over = position.finished || position.later_end.is_some();
        let is_free = state.engine == EngineSides::None || is_over;
        let first = position.first_place();
        let last = first + position.played.len() + position.ahead.len();
        let end = if line == "goto start" { first } else { last };
        (is_free && state.recording().is_none()).then_some(end)
    }

    /// Whether the user is to move against the engine, and would be again after two moves of `undo` or `redo`.
    fn is_users_turn(&self, line: &str) -> bool {
        let position = self.state.data.get::<PositionReport>();
        let left = self.state.engine.left();
        let moves = |it: &PositionReport| if line == "undo" { it.undo } else { it.redo };
        position.is_some_and(|it| moves(it) >= 2 && Some(it.side) == left && !it.ended)
    }

    /// Asks the engine for a move if it plays the side to move, once per position, and announces the end of a game.
    pub(super) fn let_engine_move(&mut self) {
        let state = &mut self.state;
        let Some(position) = state.data.get::<PositionReport>() else { return };
        let here = (position.undo, position.state.clone());
        let waits = state.is_busy() || !state.queue.is_empty() || state.is_trace();
        if waits || self.seen.as_ref() == Some(&here) {
            return;
        }
        let is_new = self.seen.is_some();
        self.seen = Some(here);
        if position.finished && is_new && position.undo > 0 {
            self.announce_end();
        } else if position.claim.is_some() && state.engine == EngineSides::Both {
            state.submit("game claim", By::Key);
        } else if !position.finished
            && (position.redo == 0 || state.moved || !is_new)
            && state.engine.plays(position.side)
        {
            // If moves can be redone, the user is going through the game, so the engine moves only after a move by the user, or
            // when its side is chosen.
            state.submit("engine play", By::Key);
        }
    }

    /// Columns and rows of the line editor's terminal: those of the open command pane, or 80 by 8 while it is hidden.
    pub fn editor_size(&self) -> (u16, u16) {
        let area = self.state.areas_with(self.state.open_command_pane()).of(self.command());
        let room = layout::inner(area.unwrap_or(Rect::new(0, 0, 80, 8)));
        (room.width.max(1), room.height.max(1))
    }

    fn page(&self) -> isize {
        let scroll = self.focused().and_then(|pane| pane.pane.scrolled());
        scroll.map_or(1, |scroll| scroll.page().cast_signed())
    }

    fn scroll(&mut self, by: isize) {
        if let Some((pane, state)) = self.pane(self.state.focus) {
            pane.scroll(state, by);
        }
    }

    pub(super) fn interrupt(&mut self) {
        let is_busy = self.state.is_busy() || !self.state.queue.is_empty();
        // Between two of its moves, an engine that plays both sides waits for a moment.
        let plays_on = self.state.engine == EngineSides::Both
            && (self.state.moving || !is_busy && !self.state.is_game_over());
        if is_busy || plays_on {
            if is_busy {
                self.state.effects.push(Effect::Interrupt);
            }
            self.state.queue.clear();
            if plays_on {
                self.let_engine_play(EngineSides::None);
            }
        } else if self.focused().is_some_and(|pane| pane.pane.is_typed_in()) {
            self.cancel_typing();
        } else {
            self.state.say(format!("nothing is running; {} quits", self.state.key("quit")));
        }
    }

    /// Clears the line being typed. The line editor keeps the text as the newest line of its history.
    fn cancel_typing(&mut self) {
        let cancel = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        self.state.effects.push(Effect::Key(cancel));
        self.state.has_text = false;
    }

    pub(super) fn save(&mut self) {
        if let Some(file) = &self.state.file {
            let is_game = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
            let command = if is_game { "pgn save" } else { "session save" };
            self.state.run(format!("{command} '{}'", file.display()));
        } else {
            self.type_in("session save ".to_owned());
            self.state
                .say("type a name: NAME.ron keeps the session, `pgn save NAME.pgn` only the game");
        }
    }

    /// Leaves the program; if there are unsaved changes, asks first.
    pub fn leave(&mut self) {
        if self.state.unsaved {
            self.state.overlay = Some(Overlay::Unsaved(Losing::Leaving));
        } else {
            self.state.effects.push(Effect::Leave);
        }
    }

    /// Brings a pane to the front and gives it the focus.
    pub fn focus(&mut self, pane: Name) {
        if self.state.focus != pane {
            if pane == self.command() {
                self.state.came_from = self.state.focus;
            }
            self.covered = None;
            if let Some((left, _)) = self.pane(self.state.focus) {
                left.on_leave();
            }
            if let Some((entered, state)) = self.pane(pane) {
                entered.on_focus(state);
            }
        }
        if std::mem::take(&mut self.state.returns) {
            // The message explains the line that a key has begun, such as an edit of an entry. Left, such a line is dropped.
            self.state.status = None;
            if std::mem::take(&mut self.state.has_text) {
                self.state.effects.push(Effect::Type(String::new()));
            }
        }
        self.state.focus = pane;
        let areas = self.state.areas();
        let is_tab =
            areas.tabs.contains(&pane) || self.state.slot(pane).is_some_and(PaneSlot::is_tab);
        let is_wide = self.state.wide.contains(&self.state.tab);
        let covers = self.state.slot(self.state.tab) == Some(PaneSlot::Cover);
        let is_beside = !areas.tabs.is_empty() && !areas.tabs.contains(&pane);
        let leads =
            self.state.slot(pane).is_some_and(|slot| self.state.arrangement().begins_with(slot));
        if areas.of(pane).is_none() {
            // On a small screen, a pane that has no place is drawn in that of the first tab.
            let first = areas.tabs.iter().find(|tab| self.state.slot(tab) == Some(PaneSlot::Top));
            let has_tab = is_tab || self.state.slot(pane) == Some(PaneSlot::Corner);
            self.state.tab = first.copied().filter(|_| !has_tab).unwrap_or(pane);
            self.state.focus = self.state.tab;
        } else if is_tab && !is_beside && (!is_wide || covers && leads) {
            // An icicle stays until a pane that it hides is chosen, a chart until one of the first panes is, as does a tab with
            // other panes below it.
            self.state.tab = pane;
        }
        if self.is_covered() {
            self.state.sheet = None;
        }
    }

    pub(super) fn sheet_keys(&self) -> SheetKeys {
        match &self.state.sheet {
            _ if matches!(self.state.overlay, Some(Overlay::Demo(..))) => SheetKeys::Pages,
            Some(sheet) if sheet.is_active || self.is_covered() => SheetKeys::Cursor,
            _ => SheetKeys::Tab,
        }
    }

    /// Whether the open sheet covers a part of the focused pane.
    pub(super) fn is_covered(&self) -> bool {
        let areas = self.state.areas();
        let own = areas.of(self.state.focus);
        let sheet = self.state.sheet.as_ref();
        own.zip(sheet).is_some_and(|(own, sheet)| sheet.area(&areas).intersects(own))
    }

    fn cycle(&mut self, step: isize) {
        let areas = self.state.areas();
        let arrangement = self.state.arrangement();
        let is_shown = |pane: &&PlacedPane| match areas.tabs.as_slice() {
            [] => arrangement.shows(pane.place),
            tabs => tabs.contains(&pane.name) || areas.of(pane.name).is_some(),
        };
        let panes = self.panes.iter().filter(is_shown).filter(|pane| !pane.pane.is_idle());
        let order: Vec<_> = panes.map(|pane| pane.name).collect();
        let at = order.iter().position(|pane| *pane == self.state.focus);
        let next = at.unwrap_or(0) + order.len();
        self.focus(order[next.saturating_add_signed(step) % order.len()]);
    }

    /// Brings a tab to the front. The focus stays, unless the tab hides the focused pane.
    fn bring_forward(&mut self, pane: Name) {
        self.state.tab = pane;
        if !self.state.zoomed && self.state.areas().of(self.state.focus).is_none() {
            self.state.focus = pane;
        }
    }

    fn mouse(&mut self, event: MouseEvent) {
        let areas = self.state.areas();
        let on_line = areas.timeline.contains((event.column, event.row).into());
        let is_scrubbed = self.dragged == Some(TIME_LINE);
        if on_line || is_scrubbed && matches!(event.kind, MouseEventKind::Drag(_)) {
            return self.time_line_mouse(event, areas.timeline.width);
        }
        let at = Position::new(event.column, event.row);
        if let MouseEventKind::Drag(MouseButton::Left) | MouseEventKind::Up(MouseButton::Left) =
            event.kind
        {
            let is_up = matches!(event.kind, MouseEventKind::Up(_));
            let held = if is_up { self.dragged.take() } else { self.dragged };
            let room = held.and_then(|pane| areas.of(pane)).map(layout::inner);
            if let (Some(room), Some((pane, state))) = (room, held.and_then(|pane| self.pane(pane)))
            {
                pane.drag(state, room, at, is_up);
            }
            return;
        }
        let Some((name, area)) = areas.at(event.column, event.row) else { return };
        let turned = match event.kind {
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::Down(MouseButton::Left) => 0,
            _ => return,
        };
        let sheet = self.state.sheet.as_mut();
        if let Some(sheet) = sheet.filter(|sheet| sheet.area(&areas).contains(at)) {
            if turned != 0 {
                return sheet.by(&areas, turned);
            }
            let covers_board = sheet.covers_board(&areas);
            if let Some(line) = sheet.click(&areas, at) {
                self.go_from_sheet(line, covers_board);
            }
            return;
        }
        let on_frame = event.row == area.y;
        let tab = on_frame.then(|| tab_at(&self.panes, &areas, name, event.column - area.x));
        let had_focus = self.state.focus == name;
        if turned == 0 {
            self.focus(tab.flatten().unwrap_or(name));
        }
        let Some((pane, state)) = self.pane(name) else { return };
        if turned != 0 && had_focus {
            pane.scroll(state, turned);
        } else if turned != 0 {
            // Without the focus, a pane keeps its cursor, which the board follows.
            pane.scrolled().into_iter().for_each(|scroll| scroll.by(turned));
        } else if !on_frame {
            let acts = pane.click(state, layout::inner(area), at);
            self.dragged = Some(name);
            if acts && had_focus {
                self.key(KeyCode::Enter.into());
            }
        }
    }

    /// Goes to the event clicked on the time line and, while the mouse drags, to the event under the mouse.
    fn time_line_mouse(&mut self, event: MouseEvent, width: u16) {
        let line = timeline::command_at(&self.state, width.into(), event.column.into());
        let is_held = self.dragged == Some(TIME_LINE);
        match (event.kind, line) {
            (MouseEventKind::Down(MouseButton::Left), Some(line)) => {
                self.dragged = Some(TIME_LINE);
                self.state.jump(line);
            }
            (MouseEventKind::Drag(_), Some(line)) if is_held && line.starts_with("goto") => {
                self.state.jump(line);
            }
            (MouseEventKind::Up(_), _) => self.dragged = None,
            _ => {}
        }
    }

    /// After a command, updates the name of the file with the session or game, and whether there are unsaved changes.
    fn follow_file(&mut self, response: &Response) {
        let is_work = changes_work(response) && !self.only_reads(response);
        // Settings that are in force alone are nothing to ask about, unlike sets of weights that the user has defined.
        let is_tuned = ["search set", "weights use"].contains(&response.command);
        let is_work = is_work && !(is_tuned && self.state.is_untouched());
        let (state, reply) = (&mut self.state, &*response.reply);
        let before = state.unsaved;
        state.unsaved |= is_work && !state.is_trace();
        if let Some(session) = reply.downcast_ref::<SessionReport>() {
            state.file = Some((&session.file).into());
            state.unsaved = false;
            if session.action == "loaded" && session.paused {
                (state.shown, state.hint) = (BoardOf::Frame, Hint::None);
            }
            if session.action != "loaded" {
                // The header names a file that has been loaded, and the row of messages has the legend of its board.
                state.say(format!("{} {}", session.action, session.file));
            }
        } else if let Some(game) = reply.downcast_ref::<GameFileReport>() {
            let file = Some((&game.file).into());
            state.unsaved = match game.action {
                "loaded" => false,
                // Unsaved changes of other games in the file remain unsaved.
                "opened" => before,
                // A copy of the game in another file does not save the session.
                _ => before && state.file != file,
            };
            if game.action == "loaded" {
                state.file = file;
            }
            let saved = (game.action == "saved").then(|| format!("saved {}: ", game.file));
            state.say(or_empty(saved) + &reply.line());
        } else if response.effect == SessionEffect::NewGame {
            // The file contains the former game, so only saving with a file name may replace it.
            state.file = None;
            // A new game in a session of its own has nothing to save yet.
            state.unsaved &= response.command != "game";
        }
    }

    /// Whether a command has only gone through a game that is over or studied, or through events that were recorded before.
    fn only_reads(&self, Response { command, reply, .. }: &Response) -> bool {
        let data = &self.state.data;
        if ["undo", "redo"].contains(command) {
            let is_read = |it: &PositionReport| it.is_studied() || it.finished && !it.ended;
            return data.get::<PositionReport>().is_some_and(is_read);
        }
        let recorded = data.get::<TimelineList>().and_then(TimelineList::current);
        // A step forwards that does not end at a later event has begun another search.
        let is_jump = command.starts_with("back") || ["goto", "last"].contains(command);
        recorded.zip(reply.downcast_ref::<StopReport>()).is_some_and(|(now, stop)| {
            let event = stop.event.as_ref().map(|event| event.index);
            event < Some(now.reached) && (is_jump || event > self.state.began_at)
        })
    }

    /// Leaves the program, or runs a line, for which the user wanted to save first, once nothing is unsaved.
    fn go_on_if_saved(&mut self, by: By) {
        let unsaved = self.state.unsaved;
        let then = self.saved_then.take_if(|_| by == By::Typing || !unsaved);
        match then.filter(|_| !unsaved) {
            Some(Losing::Leaving) => self.leave(),
            Some(Losing::Line(line)) => self.state.run(line),
            None => {}
        }
    }

    /// Handles the outcome of a command. Returns whether a pane has come to the front to show the reply.
    pub fn replied(&mut self, by: By, outcome: &Outcome) -> bool {
        self.state.log.outcome(outcome);
        self.state.stale = true;
        self.saved_then.take_if(|_| outcome.is_err());
        self.covered.take_if(|_| by == By::Typing);
        let reply = outcome.as_ref().ok().map(|response| &*response.reply);
        let new_in = |pane: &mut PlacedPane| pane.pane.on_reply(reply).then_some(pane.name);
        let shown: Vec<_> = self.panes.iter_mut().filter_map(new_in).collect();
        // A pane that is in sight already stays in its place.
        let areas = self.state.areas();
        for pane in shown.iter().filter(|pane| areas.of(pane).is_none()) {
            self.bring_forward(pane);
        }
        match outcome {
            Ok(response) => {
                self.take_reply(by, response);
                self.go_on_if_saved(by);
                let asked = response.reply.downcast_ref::<QuizReport>();
                if let Some(quiz) = asked {
                    let QuizReport { right, asked, .. } = *quiz;
                    let question = quiz.question.as_ref().map(|question| question.event);
                    self.state.quiz = quiz.on.then_some(QuizShown { right, asked, question });
                }
                let question = asked.and_then(|quiz| quiz.question.as_ref());
                if let Some(question) = question.filter(|it| it.ask != "window") {
                    // The board shows the node that the question is about: the parent of the current one.
                    self.state.submit(format!("frame {}", question.ply), By::Sheet);
                }
                if by == By::Typing && self.state.returns {
                    self.focus(self.state.came_from);
                    self.state.say(response.reply.line());
                } else if question.is_some() {
                    // Keys answer, but not while text is typed.
                    self.leave_command_line();
                } else if let Some(review) = response.reply.downcast_ref::<GameReview>() {
                    self.leave_command_line();
                    if self.state.areas().tabs.contains(&"game") {
                        self.bring_forward("game");
                    }
                    let has_mistakes = review.moves.iter().any(|mv| mv.judgement.is_some());
                    let next = format!("; {} goes to the next mistake", self.state.key("landmark"));
                    let next = or_empty(has_mistakes.then_some(next));
                    self.reviewed = has_mistakes && self.state.overlay.is_none();
                    self.state.say(review.line() + &next);
                }
            }
            Err(failure) if by != By::Typing && failure.fault.is_interrupt() => {
                let text = if self.state.moving { STOPPED } else { &failure.fault.message };
                self.state.say(self.state.with_keys(text));
            }
            Err(failure) if by != By::Typing => {
                let hint = failure.fault.hint.as_ref().map(|hint| self.state.with_keys(hint));
                self.say_fault(&failure.fault.message, hint, failure.fault.is_end());
            }
            // A closed command pane does not show the failure of a line.
            Err(failure) if self.state.focus != self.command() => self.show_failure(failure),
            Err(_) => {}
        }
        !shown.is_empty()
    }

    /// Gives the focus back to the pane that had it before the command line.
    fn leave_command_line(&mut self) {
        if self.state.focus == self.command() {
            self.focus(self.state.came_from);
        }
    }

    /// Reports why the engine has searched without a move.
    fn say_why_no_move(&mut self, run: &Run) {
        let is_off = self.state.engine == EngineSides::None;
        if is_off && run.stopped == Some(Stop::Interrupt) {
            self.state.say(self.state.with_keys(STOPPED));
        } else if let Some(note) = run.notes.last() {
            self.state.say(self.state.with_keys(note));
        }
    }

    /// Shows the whole text of a failure on a sheet; if one is open, as that of a quiz, only the message.
    pub(super) fn show_failure(&mut self, failure: &Failure) {
        if self.state.sheet.is_some() {
            // The hint for a typed line names commands, not keys.
            let Fault { message, hint, .. } = &failure.fault;
            return self.say_fault(message, hint.clone(), failure.fault.is_end());
        }
        let content = Content::Failure(Box::new(failure.clone()));
        self.state.sheet = Some(Sheet::new("error", content, self.state.look.ascii));
    }

    fn say_fault(&mut self, message: &str, hint: Option<String>, is_end: bool) {
        let has_hint = hint.is_some();
        let text = message.to_owned() + &or_empty(hint.map(|hint| format!("; {hint}")));
        // An end, such as that of the game, is not an error.
        if is_end && has_hint {
            self.state.say(text);
        } else {
            self.state.blame(text);
        }
    }

    /// Changes the state after a reply: file, board, breakpoints, engine.
    fn take_reply(&mut self, by: By, response: &Response) {
        let (reply, called) = (&*response.reply, response.command);
        self.follow_file(response);
        if reply.is::<PlayedReport>() && self.state.engine == EngineSides::Both {
            // While the engine plays both sides, no key removes a message.
            self.state.status = None;
        }
        if response.changed() && (reply.is::<PositionReport>() || reply.is::<PlayedReport>()) {
            self.state.moved = called == "play";
            self.say_replaced(reply);
        }
        self.state.show_board_of(reply);
        let position = reply.downcast_ref::<PositionReport>().filter(|_| by == By::Key);
        if position.is_some_and(|it| it.played.is_empty() && it.redo == 0) {
            // A new game begins on the board.
            self.focus(self.panes[0].name);
        }
        let is_own = reply.is::<PlayedReport>() && self.state.engine == EngineSides::None;
        if is_own || reply.is::<OfferReport>() {
            self.state.say(reply.line());
        }
        if let Some(text) = (by == By::Key).then(|| self.said(response)).flatten() {
            self.state.say(text);
        }
        if by != By::Demo {
            self.say_where_jumped(response);
        }
        let run = reply.downcast_ref::<Run>().filter(|_| self.state.focus != self.command());
        if let Some(run) = run {
            self.say_run(called, run);
        }
        if let Some(stop) = reply.downcast_ref::<StopReport>() {
            self.say_begun(stop);
            self.say_end(called, stop);
        }
        match (called, by) {
            ("undo", By::Jump) => self.state.say("the move is taken back"),
            ("undo", By::Typing) => self.take_back_own(reply),
            _ => {}
        }
        match (called, reply.downcast_ref::<PlainReply>()) {
            ("engine level", Some(level)) => {
                self.state.level = level.fields.get("level").and_then(Value::as_u64);
                let plays = self.state.engine != EngineSides::None;
                let side = self.state.key_to("engine-side", "chooses its side");
                let side = side.filter(|_| !plays).map(|side| format!("; {side}"));
                self.state.say(level.text() + &or_empty(side));
            }
            ("engine opponent", Some(opponent)) => {
                let name = opponent.fields.get("opponent").and_then(Value::as_str);
                self.state.opponent = name.map(str::to_owned);
                self.state.say(opponent.text());
            }
            ("picture film", _) if by == By::Key => {
                drop(self.replaced_still.take().map(std::fs::remove_file));
            }
            ("quit", _) => self.leave(),
            _ => {}
        }
    }

    /// Says that a move has begun a variation in place of moves that could be redone. Against the engine, a move in place of one taken
    /// back is the game, unless the moves have been reviewed.
    fn say_replaced(&mut self, reply: &dyn Reply) {
        let is_played = self.state.is_engine_game();
        let had_more = |before: &&PositionReport| before.redo > 0 && !is_played;
        let before = self.state.data.get::<PositionReport>().filter(had_more);
        let now = reply.downcast_ref::<PositionReport>().filter(|_| self.state.moved);
        let Some(now) = now.filter(|now| before.is_some() && now.since_branch == 1) else { return };
        if let Some(mv) = &now.replaced_move {
            let leave = self.state.key("variation-leave");
            let known = or_empty((now.redo > 0).then_some(", whose moves follow in the list"));
            self.state.say(format!("a variation instead of {mv}{known}: {leave} leaves it"));
        }
    }

    /// Says why a search was stopped, or the engine's search has no result.
    fn say_run(&mut self, called: &str, run: &Run) {
        if run.stopped == Some(Stop::Interrupt) {
            self.say_stopped(run);
        }
        if called == "engine play" {
            self.say_why_no_move(run);
        }
    }

    /// Says that a run has come to an end of the recording, and whether it passed any breakpoint.
    fn say_end(&mut self, called: &str, stop: &StopReport) {
        let points = self.state.data.get::<BreakpointList>();
        let is_enabled = points.is_some_and(|list| list.breakpoints.iter().any(|it| it.enabled));
        let is_missed = is_enabled && stop.breakpoint.is_none() && stop.events > 0;
        if !stop.done && stop.stopped == Stop::End.name() {
            let key = self.state.key("continue");
            self.state.say(format!("the search was stopped here; {key} searches on"));
        } else if stop.done && is_missed && called == "continue" {
            self.state.say("the search is over: nothing stopped it on the way");
        } else if stop.stopped == "start" && stop.events > 0 && called == "back continue" {
            let from = self.state.began_at.map(|from| format!("; `goto {from}` returns"));
            let why = ["no breakpoint is set", "there was no stop on the way back"];
            let why = why[usize::from(is_enabled)];
            self.state.say(format!("the recording begins here: {why}{}", or_empty(from)));
        }
    }

    /// Says that a search has begun, which replaces the game on the board.
    fn say_begun(&mut self, stop: &StopReport) {
        let is_new = self.state.data.frames().is_empty() && stop.events > 0;
        if is_new && !stop.done && stop.breakpoint.is_none() {
            let [back, game] = ["back", "position"].map(|action| self.state.key(action));
            self.state.say(format!(
                "a search of this position has begun: {back} steps back, {game} shows the game"
            ));
        }
    }

    /// Takes back the user's own move too, after a typed `undo` of the engine's answer to it.
    fn take_back_own(&mut self, reply: &dyn Reply) {
        let state = &mut self.state;
        let before = state.data.get::<PositionReport>().map(|it| it.side);
        let is_own = state.is_engine_game() && before.is_some() && before == state.engine.left();
        let now = reply.downcast_ref::<PositionReport>().filter(|_| is_own);
        if now.is_some_and(|it| it.undo > 0 && state.engine.plays(it.side)) {
            state.submit("undo", By::Typing);
        } else if let Some(text) = now.and_then(|now| self.taken_back(now)) {
            self.state.say(text);
        }
    }

    /// What `undo` has taken back, in words: the players' end of the game, or moves of a game against the engine; `None` where the
    /// engine waits, which is said instead.
    fn taken_back(&self, now: &PositionReport) -> Option<String> {
        let before = self.state.data.get::<PositionReport>();
        let is_end_dropped = !now.ended && now.later_end.is_none();
        if let Some(before) = before.filter(|before| before.ended && is_end_dropped) {
            return Some(format!("taken back: {}", before.words));
        }
        let is_own = self.state.is_engine_game() && !self.state.engine.plays(now.side);
        let moves = before
            .filter(|_| is_own)?
            .played
            .get(now.played.len()..)
            .filter(|moves| !moves.is_empty())?;
        let redo = self.state.key_to("redo", "plays on as before");
        let redo = or_empty(redo.map(|redo| format!("; {redo}")));
        Some(format!("taken back: {}{redo}", words(moves)))
    }

    /// What a key has done, in words, if no pane shows it.
    fn said(&self, Response { reply, command, .. }: &Response) -> Option<String> {
        if let Some(position) = reply.downcast_ref::<PositionReport>() {
            let back = (*command == "undo").then(|| self.taken_back(position)).flatten();
            return back.or_else(|| position.notes.first().cloned());
        }
        if let Some(list) = reply.downcast_ref::<BreakpointList>() {
            return Some(self.breakpoints_said(command, list));
        }
        if let Some(edit) = reply.downcast_ref::<CacheEdit>() {
            let is_removed = edit.entry.is_none() && edit.previous.is_some();
            let restore = format!("; {} restores it", self.state.key("entry-restore"));
            let restore = or_empty(is_removed.then_some(restore));
            let is_change = is_removed || *command == "cache set";
            return is_change.then(|| reply.line() + &restore);
        }
        if let Some(stop) = reply.downcast_ref::<StopReport>() {
            return self.stop_said(command, stop);
        }
        (*command == "mark").then(|| reply.line())
    }

    fn breakpoints_said(&self, command: &str, points: &BreakpointList) -> String {
        match (command, points.breakpoints.last()) {
            ("break", Some(last)) => {
                let is_place = ["key=", "position="];
                let is_place = is_place.iter().any(|name| last.condition.starts_with(name));
                // In the cache, the key is that of the selected row, whatever the board shows.
                let is_place = is_place && self.state.focus != "cache";
                let place = is_place.then(|| match &*self.state.board_owner() {
                    owner @ ("game" | "root") => format!(", the position of the {owner}"),
                    owner if owner.starts_with("after") => format!(", the position {owner}"),
                    owner => format!(", the position of {owner}"),
                });
                format!("breakpoint {} is set: {}{}", last.id, last.condition, or_empty(place))
            }
            ("watch", Some(last)) => {
                format!("watchpoint {} is set: writes of {}", last.id, last.condition)
            }
            ("delete", _) => {
                let restore = self.state.key_to("stop-restore", "sets it again");
                let restore = or_empty(restore.map(|restore| format!("; {restore}")));
                format!("the breakpoint is deleted{restore}")
            }
            _ => points.line(),
        }
    }

    fn stop_said(&self, command: &str, stop: &StopReport) -> Option<String> {
        let event = stop.event.as_ref().map(|event| event.index);
        let is_trace = self.state.is_trace();
        let text = match command {
            // If no event has written the entry, the search stays where it is.
            "last" if let Some(note) = stop.notes.first() => note,
            "last" => {
                let here = self.state.data.event().map(|event| event.index);
                return (event == here).then(|| "this event wrote the entry".to_owned());
            }
            "timeline use" => return None,
            _ if stop.events > 0 => return None,
            "goto" if event != self.state.data.event().map(|event| event.index) => return None,
            "goto" => "the search is already at this event",
            _ if stop.stopped == "start" => "the recording begins here",
            _ if stop.done && is_trace => "the trace ends here: `back` goes back",
            _ if stop.done => "the search is over: `back` goes back, `search run` searches again",
            _ => NOTHING_FURTHER,
        };
        Some(self.state.with_keys(text))
    }

    /// Says how to return from a jump.
    fn say_where_jumped(&mut self, response: &Response) {
        if let Some(from) = self.jumped_from(response) {
            self.state.say(format!("from event {}: `goto {from}` returns", count(from)));
        }
    }

    /// The event from which a command has jumped over [`FAR`] events or more; `None` if another message is shown.
    fn jumped_from(&self, Response { reply, command, .. }: &Response) -> Option<u64> {
        let stop = reply.downcast_ref::<StopReport>()?;
        let now = stop.event.as_ref().map_or(0, |event| event.index);
        let is_jump = ["goto", "back continue", "last"].contains(command) && self.dragged.is_none();
        let before = self.state.began_at.filter(|before| before.abs_diff(now) >= FAR);
        before.filter(|_| is_jump && self.state.status.is_none())
    }

    /// Reports how far an interrupted search has come, and which keys continue it.
    fn say_stopped(&mut self, run: &Run) {
        let recorded = self.state.data.get::<TimelineList>().and_then(TimelineList::current);
        let [on, back, why] =
            [("continue", "goes on"), ("back", "steps back"), ("why", "explains")]
                .map(|(action, effect)| self.state.key_to(action, effect));
        let keys: Vec<_> = [on, recorded.and(back), why].into_iter().flatten().collect();
        let best = or_empty(best_found(run).map(|best| format!(": {best}")));
        self.state.say(format!("stopped{best}; {}", keys.join(", ")));
    }

    /// Shows the standings and the current game of a running match or tournament.
    pub fn show_progress(&mut self, news: &Live) {
        for at in 0..self.panes.len() {
            if self.panes[at].pane.on_progress(&mut self.state, news) {
                self.bring_forward(self.panes[at].name);
            }
        }
        self.note_needs();
    }

    /// Tells all panes that the running command has returned.
    pub fn command_returned(&mut self) {
        self.state.busy = None;
        for pane in &mut self.panes {
            pane.pane.on_return(&mut self.state);
        }
    }

    /// Updates the panes after all queries have been answered.
    pub fn looked_up(&mut self) {
        let is_trace = self.state.is_trace();
        let ScreenState { data, curves, searching, .. } = &mut self.state;
        let recorded = data.get::<TimelineList>().and_then(TimelineList::current);
        // A replay has its own time, so its samples would give wrong rates.
        let is_replay = |run: &Run| recorded.is_some_and(|now| run.events < now.reached);
        if let Some(run) = data.get::<Run>().filter(|run| !is_trace && !is_replay(run)) {
            let room = data.get::<CacheStats>().and_then(|stats| stats.max_size);
            curves.take(run, room, *searching);
        }
        // After a search is dropped, the board shows the game again.
        if self.state.data.frames().is_empty()
            && matches!(self.state.shown, BoardOf::Frame | BoardOf::Node(_))
        {
            self.state.shown = BoardOf::Position;
        }
        for pane in &mut self.panes {
            pane.pane.on_data(&mut self.state);
        }
        self.note_timeline();
        self.note_needs();
        self.follow_search();
        self.let_engine_move();
        let reviewed = std::mem::take(&mut self.reviewed);
        if !self.state.is_busy() && self.state.queue.is_empty() {
            if reviewed {
                self.go_to_first_mistake();
            }
            self.continue_demo();
        }
    }

    fn go_to_first_mistake(&mut self) {
        let position = self.state.data.get::<PositionReport>();
        let first = position.and_then(|it| it.marks.iter().find(|mark| mark.is_mistake));
        if let Some(line) = first.and_then(|mark| timeline::command_to(&self.state, mark.at - 1)) {
            self.state.submit(line, By::Sheet);
        }
    }
}

/// The label of actions as the state of the screen gives it a meaning.
fn label_now<'a>(state: &ScreenState, actions: &[&str], label: &'a str) -> &'a str {
    let has_findings = || state.trace().is_some_and(|trace| !trace.found.findings.is_empty());
    let is_reviewed = || {
        let position = state.data.get::<PositionReport>();
        position.is_some_and(|it| it.marks.iter().any(|mark| mark.value.is_some()))
    };
    match (actions, label) {
        // At the end of a search, only the way back is left.
        (["back"], "step") => "step back",
        (["back-continue"], "continue") => "continue back",
        (["back-over"], "over") => "over back",
        (["back-out"], "out") => "out back",
        (["undo", "redo"], _) => "undo, redo",
        (["redo"], _) => "redo",
        (["variation-leave"], _) => "leave variation",
        (["tree-open", "tree-close"], "node") => "in, out",
        (["tree-open", "tree-close"], _) => "open, close",
        (["position"], "game") if state.shown == BoardOf::Position => "board",
        (["position"], "game") if state.is_trace() => "root",
        (_, "landmark") if has_findings() => "finding",
        // With a recorded search, the keys go along its time line.
        (_, "review") if state.recording().is_some() => "landmark",
        (_, "review") if is_reviewed() => "mistake",
        _ => label,
    }
}

/// Whether a command has changed what a file of the session or game keeps. The search for a hint changes nothing of that.
pub fn changes_work(response: &Response) -> bool {
    response.changed() && response.command != "engine hint"
}

/// The best move that a search has found, with value and depth, in words; `None` before the first.
fn best_found(run: &Run) -> Option<String> {
    let best = run.pv.first()?;
    let value = score_or_none(run.value);
    Some(format!("best {best}, {value} for {} at depth {}", run.side, run.depth))
}
