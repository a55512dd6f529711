//! The board pane: the position of the game, of the selected frame, cache entry or tree node, or of a tournament's game.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::{
        progress::Live,
        session::{
            position::{BoardReport, PositionReport},
            reply::{BoardKind, MoveText, Reply, Side},
            review::GameReview,
            search::{FrameReport, Run},
        },
    },
    text::{number::count, or_empty},
    tui::{
        board::{
            BoardAction, BoardClick, BoardInput, BoardWidget, PROMOTION, Refutation, TYPED,
            first_letters, keys,
        },
        data::BoardOf,
        keymap::{Action, BoardPaneAction},
        keys::KeyPress,
        layout::{Arrangement, inner},
        pane::{
            Areas, Binding, KeyPlace, Pane, PaneAction, Question, ScreenState, line, own, types,
            wrapped,
        },
        state::{EngineSides, Hint},
    },
};

/// The width of the title without owner and legend, in columns.
const TITLE: usize = 22;
/// The width of the board pane, in columns, above which its title has room for `Black to move` instead of `Black`.
const WITH_SIDE: u16 = 36;

#[derive(Debug, Default)]
pub struct BoardPane {
    input: BoardInput,
    /// The characters that can begin a move on the board.
    letters: &'static str,
    /// The user's side against the engine. When it changes, a board of squares is turned, so that this side is at the bottom.
    user: Option<Side>,
    /// The text of a move that was typed while the engine was to move, as far as it may go on: its signs are no keys.
    too_early: String,
}

impl BoardPane {
    /// Refuses all characters of a move that is typed while the engine is to move. Returns whether the key was one of them.
    fn refuses(&mut self, state: &mut ScreenState, event: KeyEvent) -> bool {
        let modified = !(event.modifiers - KeyModifiers::SHIFT).is_empty();
        let sign = match event.code {
            KeyCode::Char(sign) if !modified => sign,
            _ => ' ',
        };
        let is_moving = state.moving && state.is_busy();
        let begins = is_moving && self.letters.contains(sign);
        let is_file = |sign: char| ('a'..='h').contains(&sign);
        let begins_anew = is_file(sign) && self.too_early.chars().all(is_file);
        let is_whole = begins_anew || self.too_early.ends_with(|last: char| last.is_ascii_digit());
        let goes_on = match sign {
            '-' | 'x' | '=' | '+' | '#' => !self.too_early.is_empty(),
            sign => sign.is_ascii_alphanumeric() && !self.too_early.is_empty() && !is_whole,
        };
        if !begins && !goes_on {
            self.too_early.clear();
            return false;
        }
        self.too_early.push(sign);
        let stop = state.key("interrupt");
        state.say(if is_moving {
            format!("the engine is to move; {stop} stops it")
        } else {
            "this move was begun while the engine was to move: type it again".to_owned()
        });
        true
    }

    fn widget<'a>(&'a self, state: &'a ScreenState) -> Option<BoardWidget<'a>> {
        let report = state.live.as_ref().or(state.data.board.as_ref())?;
        let is_open = is_played_on(state) && state.live.is_none();
        let root = state.data.frames().first();
        let is_root = state.live.is_none() && root.is_some_and(|root| root.state == report.state);
        let is_over = matches!(state.hint, Hint::Over | Hint::Offer) || report.finished;
        let (best, refutation) = known_replies(state);
        let is_game = state.shown == BoardOf::Position && state.live.is_none();
        let position = state.data.get::<PositionReport>().filter(|_| is_game);
        Some(BoardWidget {
            report,
            input: is_open.then_some(&self.input),
            flipped: self.input.flipped,
            last: last_move(state).filter(|_| state.live.is_none()),
            found: state.data.get::<Run>().filter(|_| is_root && !is_over),
            reviewed: position.and_then(PositionReport::reviewed_value),
            best,
            refutation,
            hinted: state.hint == Hint::Shown,
            look: &state.look,
            framed: true,
            material: state.areas().of("game").is_none(),
        })
    }

    /// The meaning of the signs on the board, if there is no row for it below the board: in the frame's title if that is wide
    /// enough, otherwise in the row of messages.
    fn legend(&self, state: &ScreenState, in_title: bool) -> Option<String> {
        let room = inner(state.areas().of("board")?);
        let legend = self.widget(state)?.summary(room)?;
        let width = legend.width() + owner(state).width() + TITLE;
        (in_title == (width <= room.width.into())).then_some(legend)
    }

    /// The point or piece under the mouse, if moves can be entered on the board.
    fn hit(&self, state: &ScreenState, room: Rect, at: Position) -> Option<BoardClick> {
        let widget = self.widget(state).filter(|widget| widget.input.is_some())?;
        widget.hit(room, at.x, at.y)
    }
}

/// The best move in the node that is shown or, by the annotations, in the game's position; or a refutation.
fn known_replies(state: &ScreenState) -> (Option<&MoveText>, Option<Refutation<'_>>) {
    let frames = state.data.frames();
    match (&state.shown, state.data.frame(), &state.data.board) {
        (BoardOf::Frame, Some(frame), _) => {
            // A cutoff in this frame refutes the move that led to the frame; a cutoff in its child refutes the current move.
            let ply = frame.ply as usize;
            (None, cutoff(frames, ply).or_else(|| cutoff(frames, ply + 1)))
        }
        (BoardOf::Node(spot), _, Some(BoardReport { side: by, .. })) => match &spot.reply {
            Some(reply) if spot.refuted => {
                (None, Some(Refutation { reply, by: *by, of: spot.line.last() }))
            }
            reply => (reply.as_ref(), None),
        },
        (BoardOf::Position, ..) => {
            (state.data.get().and_then(|it: &PositionReport| it.better().first()), None)
        }
        _ => (None, None),
    }
}

/// The move that led to the frame or node that is shown.
fn last_move(state: &ScreenState) -> Option<&MoveText> {
    let frames = state.data.frames();
    match &state.shown {
        BoardOf::Frame => {
            let before = state.data.frame()?.ply.checked_sub(1)? as usize;
            frames.get(before)?.mv.as_ref()
        }
        BoardOf::Node(spot) => spot.line.last(),
        BoardOf::Position | BoardOf::Entry(_) => None,
    }
}

/// The reply that causes a cutoff in a frame, and the move to the frame if the reply refutes it.
fn cutoff(frames: &[FrameReport], ply: usize) -> Option<Refutation<'_>> {
    let frame = frames.get(ply).filter(|frame| frame.is_cut())?;
    let parent = ply.checked_sub(1).and_then(|above| frames.get(above));
    // If a table entry has lowered β, a cutoff does not show that the parent has a better move.
    let parent = parent.filter(|parent| -frame.window.alpha <= parent.window.alpha);
    let of = parent.and_then(|parent| parent.mv.as_ref());
    Some(Refutation { reply: frame.best_move.as_ref()?, by: frame.side, of })
}

fn is_played_on(state: &ScreenState) -> bool {
    state.shown == BoardOf::Position && !state.is_trace()
}

/// Whether the board shows a game to go through rather than one that is being played: one that is over, also if the board shows
/// an earlier position, reviewed, from a file, or with moves taken back.
fn is_replayed(state: &ScreenState) -> bool {
    let Some(position) = state.data.get::<PositionReport>() else { return false };
    let has_more = position.redo > 0 || position.is_studied();
    let is_read = state.engine == EngineSides::None && has_more;
    is_played_on(state) && (position.finished || position.later_end.is_some() || is_read)
}

/// The effect in other panes of a letter that begins a move on the board; `None` unless a search is under way.
fn elsewhere(state: &ScreenState, typed: &str) -> Option<String> {
    let is_letter = typed.len() == 1 && !state.data.frames().is_empty();
    let key: KeyPress = typed.parse().ok().filter(|_| is_letter)?;
    let place =
        KeyPlace { pane: "stack", typing: false, scrolls: false, letters: "", trace: false };
    // The beginning of the help says enough.
    let help = state.keymap.action(key, place)?.help.split([';', ',']).next()?;
    let help = help.split(" at ").next()?;
    Some(format!("; in other panes {key} {help}"))
}

fn run(state: &mut ScreenState, action: BoardAction) -> bool {
    match action {
        BoardAction::None => return false,
        BoardAction::Redraw => {}
        // Of two moves typed at once, the second would be made before the engine's reply.
        BoardAction::Command(_)
            if state.engine != EngineSides::None
                && state.queue.iter().any(|job| job.line.starts_with("play ")) =>
        {
            state.say("only the first move is played; then it is the engine's turn");
        }
        // With `--game` the move is played in the game, whose board is shown, whatever frame is selected.
        BoardAction::Command(line) if state.data.frames().len() > 1 => {
            state.run(format!("{line} --game"));
        }
        BoardAction::Command(line) => state.run(line),
    }
    true
}

/// The owner of the position for the title. The header tells whose move it is in the game. Its phase matters on boards of lines:
/// placing, moving, flying.
fn owner(state: &ScreenState) -> String {
    let owner = state.board_owner();
    match (&state.data.board, &state.shown) {
        (Some(report), BoardOf::Frame | BoardOf::Node(_)) if !report.finished => {
            let is_wide = state.areas().of("board").is_some_and(|area| area.width > WITH_SIDE);
            format!("{owner}, {}{}", report.side, if is_wide { " to move" } else { "" })
        }
        (Some(report), _) if is_played_on(state) && report.board.kind == BoardKind::Lines => {
            format!("{owner}, {}", report.phase)
        }
        _ => owner,
    }
}

impl Pane for BoardPane {
    fn title(&self, state: &ScreenState) -> String {
        if let Some(live) = &state.live {
            return live.phase.clone();
        }
        let owner = owner(state);
        self.legend(state, true).map_or(owner.clone(), |legend| format!("{owner} · {legend}"))
    }

    fn question(&self, state: &ScreenState) -> Option<Question> {
        let board = state.data.board.as_ref().filter(|_| is_played_on(state))?;
        match () {
            () if !self.input.promotions(board).is_empty() => Some(PROMOTION),
            () if !self.input.typed().is_empty() => Some(TYPED),
            () => None,
        }
    }

    fn says(&self, state: &ScreenState) -> Option<String> {
        let widget = self.widget(state)?;
        let BoardWidget { report, input, .. } = widget;
        let is_idle = input.is_none_or(BoardInput::is_idle);
        let position = state.data.get::<PositionReport>().filter(|it| it.finished && is_idle);
        // The board does not know how the players have ended the game.
        let over = position.filter(|_| state.shown == BoardOf::Position);
        let words = match (over, input) {
            (Some(PositionReport { words, .. }), _) => format!("the game is over: {words}"),
            (None, Some(_)) if state.engine_waits() && is_idle => {
                let key = state.key("engine");
                let own = state.key_to("undo", "takes back your move too");
                let own = or_empty(own.map(|own| format!(", {own}")));
                format!("{}; the engine waits: {key} lets it move{own}", report.words)
            }
            (None, Some(_)) if state.engine == EngineSides::Both => {
                format!("the engine plays both sides; {} stops it", state.key("interrupt"))
            }
            (None, Some(input)) => input.words(report),
            (None, None) => report.words.clone(),
        };
        let is_frame = state.shown != BoardOf::Position;
        let owner = is_frame.then(|| state.board_owner() + ": ");
        let words = format!("{}{words}", or_empty(owner));
        let more = self.legend(state, false).filter(|_| is_idle);
        let more = more.map(|more| format!("   {more}"));
        // A part of the legend would be of no use.
        let fits = |more: &String| words.width() + more.width() < usize::from(state.size.0);
        let more = more.filter(fits).or_else(|| elsewhere(state, input?.typed()));
        Some(format!("{words}{}", or_empty(more)))
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if let (BoardOf::Entry(key), None) = (&state.shown, state.data.state_of(&state.shown)) {
            // No board is shown, because another position below the entry's name would be misleading.
            let text = format!(
                "The position of entry {key} is not kept, and no short recording tells which node wrote it. \
                 `cache get --writer {key}` replays a long one."
            );
            frame.render_widget(Text::from_iter(wrapped(&text, room.width.into())), room);
        } else if let Some(widget) = self.widget(state) {
            frame.render_widget(widget, room);
        } else if let Some(text) = state.position() {
            // In a trace of an unknown game, a position is any text, perhaps of several lines.
            let lines: Vec<_> = text.lines().map(|words| line(words, room.width)).collect();
            frame.render_widget(Text::from(lines), room);
        }
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            own(BoardPaneAction::BoardFlip, "v", "turns the board"),
            Binding::new("board-back", "left", Action::Moves("undo"), "browses a game that is over, reviewed or from a file: takes back a move; otherwise moves the cursor"),
            Binding::new("board-next", "right", Action::Moves("redo"), "browses such a game: plays the next move"),
            types("board-setup", "P", "position set {}", "types `position set` with the position shown"),
        ]
    }

    fn act(&mut self, _: &mut ScreenState, action: PaneAction) {
        if let PaneAction::Board(BoardPaneAction::BoardFlip) = action {
            self.input.flipped = !self.input.flipped;
        }
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        state.position().map(str::to_owned)
    }

    fn key(&mut self, state: &mut ScreenState, event: KeyEvent) -> bool {
        let modified = !(event.modifiers - KeyModifiers::SHIFT).is_empty();
        let closes_sheet = event.code == KeyCode::Esc && state.sheet.is_some();
        if self.refuses(state, event) {
            return true;
        }
        match &state.data.board {
            _ if self.input.is_at_rest()
                && is_replayed(state)
                && matches!(event.code, KeyCode::Left | KeyCode::Right) =>
            {
                false
            }
            Some(report) if !modified && !closes_sheet && is_played_on(state) => {
                let action = self.input.key(report, event.code);
                run(state, action)
            }
            _ => false,
        }
    }

    fn click(&mut self, state: &mut ScreenState, room: Rect, at: Position) -> bool {
        if let (Some(click), Some(report)) = (self.hit(state, room, at), &state.data.board) {
            let action = self.input.press(report, click);
            run(state, action);
        }
        false
    }

    fn drag(&mut self, state: &mut ScreenState, room: Rect, at: Position, released: bool) {
        let hit = self.hit(state, room, at);
        if let Some(report) = &state.data.board {
            let input = &mut self.input;
            let action =
                if released { input.release(report, hit) } else { input.drag(report, hit) };
            run(state, action);
        }
    }

    fn letters(&self) -> &'static str {
        self.letters
    }

    fn on_leave(&mut self) {
        self.input.clear();
    }

    fn fixed_keys(&self, state: &ScreenState) -> &'static [[&'static str; 3]] {
        let kind = state.data.board.as_ref().map_or(BoardKind::Lines, |report| report.board.kind);
        match keys(kind) {
            _ if !is_played_on(state) || state.is_game_over() => &[],
            [typed, ..] if is_replayed(state) => std::slice::from_ref(typed),
            // With nothing to cancel, and during a search, other keys are of more use than the one that cancels a move.
            [entry @ .., _] if self.input.is_at_rest() || !state.data.frames().is_empty() => entry,
            keys => keys,
        }
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        let position = state.data.get::<PositionReport>();
        if state.is_trace() {
            "landmark+back-landmark:landmark step+back:step why start+end:ends over+back-over:over break-here:break"
        } else if state.is_game_over() && is_played_on(state) {
            "board-back+board-next:browse back-landmark:review undo new game save step"
        } else if !is_played_on(state) && state.is_search_over() {
            "why back:step start position:game run:search drop"
        } else if !is_played_on(state) {
            "step+back:step continue+back-continue:continue why position:game over+back-over:over"
        } else if state.arranged == Arrangement::Debug && state.is_search_over() {
            "why back:step start run:search drop engine+engine-side+engine-level:engine hint undo+redo:undo"
        } else if state.arranged == Arrangement::Debug {
            "step+back:step continue+back-continue:continue why drop run:restart engine+engine-side+engine-level:engine undo+redo:undo"
        } else if is_replayed(state) && position.is_some_and(|it| it.among_games().is_some()) {
            "board-back+board-next:browse back-landmark+landmark:review games game run:search hint engine why step"
        } else if is_replayed(state) {
            "board-back+board-next:browse back-landmark+landmark:review game run:search hint engine+engine-side+engine-level:engine why step"
        } else if position.is_some_and(|it| it.redo > 0) {
            "undo+redo:undo back-landmark+landmark:review game run:search hint engine+engine-side+engine-level:engine why step"
        } else if position.is_some_and(|it| it.undo > 0) {
            "engine+engine-side+engine-level:engine hint undo run:search why step new draw resign"
        } else {
            "engine+engine-side+engine-level:engine hint run:search why step"
        }
    }

    fn on_progress(&mut self, state: &mut ScreenState, news: &Live) -> bool {
        if let Some(game) = &news.game {
            state.live = game.board.clone().map(|board| BoardReport {
                game: String::new(),
                state: game.state.clone(),
                side: game.side,
                phase: format!("game {}", count(game.game as u64)),
                finished: false,
                lost: None,
                from_start: false,
                words: format!("{} against {}, move {}", game.white, game.black, game.ply),
                last_move: None,
                board,
            });
        }
        false
    }

    fn on_return(&mut self, state: &mut ScreenState) {
        state.live = None;
    }

    /// A reviewed game is gone through, so no cursor stands beside the marks of its mistakes.
    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        if reply.is_some_and(<dyn Reply>::is::<GameReview>) {
            self.input.rest();
        }
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let board = state.data.board.as_ref();
        self.letters = board.filter(|_| is_played_on(state)).map_or("", first_letters);
        if let Some(board) = board.filter(|_| state.shown == BoardOf::Position) {
            self.input.settle(board);
        }
        let user = state.engine.left();
        if let (true, Some(side), Some(board)) = (user != self.user, user, board) {
            self.input.flipped = board.board.kind == BoardKind::Squares && side == Side::Black;
        }
        self.user = user;
    }
}
