//! Keys and clicks on a board, and the move that they enter step by step: origin, target, captures, promotion.

mod typing;

pub use typing::first_letters;

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use crossterm::event::KeyCode;

use crate::{
    engine::session::{
        position::BoardReport,
        reply::{Board, BoardKind, BoardMove},
    },
    picture::{BoardMark, BoardScene},
    tui::pane::Question,
};

/// After this time, a character does not continue a text that is no move.
const PAUSE: Duration = Duration::from_secs(1);

/// What a click on a board chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardClick {
    /// The point nearest to the click, by index.
    Point(usize),
    /// The piece to promote to, by letter.
    Piece(char),
}

/// The effect of a key or click on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardAction {
    /// No effect: the key has no meaning on the board.
    None,
    /// The board or its text has changed.
    Redraw,
    /// Run this command line, `play …`.
    Command(String),
}

/// Input on a board: the cursor, the move being entered, and which side is at the bottom. Every call passes the board; a move
/// that was begun in another position is dropped.
#[derive(Clone, Debug, Default)]
pub struct BoardInput {
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The cursor's point; `None` until a key or the mouse has placed the cursor.
    cursor: Option<usize>,
    /// The text of the move being typed.
    typed: String,
    /// When its last character was typed.
    typed_at: Option<Instant>,
    /// Whether the last key completed a typed move, so that an Enter typed after it out of habit has no effect.
    completed: bool,
    entry: MoveEntry,
    /// The point from which the mouse drags, and whether the stone on it had been chosen before.
    held: Option<(usize, bool)>,
    notice: Option<String>,
    state: String,
}

impl BoardInput {
    /// The text of the move being typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Whether no move is being entered.
    pub fn is_idle(&self) -> bool {
        self.entry == MoveEntry::default() && self.typed.is_empty()
    }

    /// Whether no move is being entered and no cursor is shown.
    pub fn is_at_rest(&self) -> bool {
        self.cursor.is_none() && self.is_idle()
    }

    /// Drops the move that is being entered.
    pub fn clear(&mut self) {
        self.entry = MoveEntry::default();
        self.drop_text();
        (self.notice, self.held) = (None, None);
    }

    /// Drops the move that is being entered, and hides the cursor.
    pub fn rest(&mut self) {
        self.clear();
        self.cursor = None;
    }

    /// Drops the text of a move and, if nothing has been chosen, the cursor that followed the text. Returns whether there was any.
    fn drop_text(&mut self) -> bool {
        let is_typed = !std::mem::take(&mut self.typed).is_empty();
        let has_begun = self.entry != MoveEntry::default();
        self.cursor = self.cursor.filter(|_| has_begun || !is_typed);
        is_typed
    }

    /// Drops a move that was begun on another position.
    pub fn settle(&mut self, report: &BoardReport) {
        if self.state != report.state {
            self.state.clone_from(&report.state);
            self.clear();
        }
        self.cursor = self.cursor.filter(|at| *at < report.board.points.len());
    }

    /// Handles a click: on a point like Space, on a piece like its letter.
    pub fn click(&mut self, report: &BoardReport, click: BoardClick) -> BoardAction {
        match click {
            BoardClick::Piece(letter) => self.key(report, KeyCode::Char(letter)),
            BoardClick::Point(point) if point < report.board.points.len() => {
                self.settle(report);
                self.typed.clear();
                self.cursor = Some(point);
                self.key(report, KeyCode::Char(' '))
            }
            BoardClick::Point(_) => BoardAction::None,
        }
    }

    /// Handles a press of the mouse button like a click; a drag may follow.
    pub fn press(&mut self, report: &BoardReport, click: BoardClick) -> BoardAction {
        self.settle(report);
        let BoardClick::Point(point) = click else {
            return self.click(report, click);
        };
        let holds = |entry: &MoveEntry| entry.0 == [MoveStep::From(point)];
        let was_chosen = holds(&self.entry);
        let action = if was_chosen { BoardAction::Redraw } else { self.click(report, click) };
        self.held = holds(&self.entry).then_some((point, was_chosen));
        action
    }

    /// Handles a movement of the mouse with its button held.
    pub fn drag(&mut self, report: &BoardReport, click: Option<BoardClick>) -> BoardAction {
        self.settle(report);
        let (Some(_), Some(BoardClick::Point(point))) = (self.held, click) else {
            return BoardAction::None;
        };
        self.cursor = Some(point);
        BoardAction::Redraw
    }

    /// Handles the release of the mouse button. On a point other than the pressed one, the release ends a drag; on the same
    /// point, a stone that had been chosen before is put back.
    pub fn release(&mut self, report: &BoardReport, click: Option<BoardClick>) -> BoardAction {
        self.settle(report);
        match (self.held.take(), click) {
            (Some((from, false)), Some(BoardClick::Point(point))) if from == point => {
                BoardAction::Redraw
            }
            (Some(_), Some(click)) => self.click(report, click),
            _ => BoardAction::None,
        }
    }

    /// Handles a key: letters and digits type a move, arrows move the cursor, Enter and Space choose, Esc and Backspace go back; Esc
    /// then hides the cursor.
    pub fn key(&mut self, report: &BoardReport, key: KeyCode) -> BoardAction {
        self.settle(report);
        if report.board.points.is_empty() {
            return BoardAction::None;
        }
        if let Some(action) = self.promote(report, key) {
            return action;
        }
        self.notice = None;
        let is_habit = std::mem::take(&mut self.completed) && key == KeyCode::Enter;
        match key {
            _ if is_habit => BoardAction::Redraw,
            KeyCode::Char(sign) if self.writes(report, sign) => self.write(report, sign),
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right => {
                self.typed.clear();
                self.cursor = match self.cursor {
                    Some(at) => neighbour(&report.board, self.flipped, at, key).or(Some(at)),
                    None => middle(&report.board),
                };
                BoardAction::Redraw
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(report),
            KeyCode::Char(sign) if !self.typed.is_empty() => {
                let begins = typing::first_letters(report).contains(sign);
                if !begins && (sign.is_alphanumeric() || "-=".contains(sign)) {
                    // A mistyped move runs no command.
                    let words = typing::words(report, &self.entry, &self.typed);
                    let words = words.trim_end_matches("; Esc cancels");
                    self.notice = Some(format!("{words}; {sign} continues no move, Esc cancels"));
                    return BoardAction::Redraw;
                }
                // The key begins another move or has its usual effect.
                self.drop_text();
                self.key(report, key)
            }
            KeyCode::Backspace if self.typed.pop().is_some() => BoardAction::Redraw,
            KeyCode::Esc if self.drop_text() => BoardAction::Redraw,
            KeyCode::Esc | KeyCode::Backspace if self.entry.0.pop().is_some() => {
                BoardAction::Redraw
            }
            KeyCode::Esc if self.cursor.take().is_some() => BoardAction::Redraw,
            _ => BoardAction::None,
        }
    }

    /// Whether a character can begin or continue a typed move. Characters of coordinates and of castling are accepted even if
    /// no legal move continues with them: then the reason is shown, and no part of the text is played as another move.
    fn writes(&self, report: &BoardReport, sign: char) -> bool {
        match sign {
            _ if self.typed.is_empty() => typing::first_letters(report).contains(sign),
            'a'..='h' => true,
            // A pawn's capture, also one that is not legal: `exd5` is not shown as `ed5`.
            'x' if matches!(self.typed.as_bytes(), [b'a'..=b'h']) => {
                report.board.kind == BoardKind::Squares
            }
            '0'..='9' => self.typed.ends_with(char::is_alphabetic),
            'O' | '-' if self.typed.starts_with('O') => true,
            ' ' => false,
            _ => {
                let text = format!("{}{sign}", self.typed);
                let found = typing::matching(report, &self.entry, &text);
                !found.complete.is_empty() || !found.longer.is_empty() && !"+#".contains(sign)
            }
        }
    }

    /// Types a character of a move. The cursor goes to the last point in the text; a complete move is played.
    fn write(&mut self, report: &BoardReport, sign: char) -> BoardAction {
        // After the two points of a move that is not legal, and after a pause, a letter begins another move.
        let found = typing::matching(report, &self.entry, &self.typed);
        let before = self.typed_at.replace(Instant::now());
        let is_over = self.typed.len() >= 4 || before.is_some_and(|at| at.elapsed() >= PAUSE);
        if found.is_empty() && is_over && typing::first_letters(report).contains(sign) {
            self.typed.clear();
        }
        self.typed.push(if self.typed.is_empty() && sign == 'n' { 'N' } else { sign });
        if let Some(point) = typing::last_point(report, &self.typed) {
            self.cursor = Some(point);
        }
        let mut found = typing::matching(report, &self.entry, &self.typed);
        if found.is_empty() && !self.entry.0.is_empty() && typing::names_piece(&self.typed) {
            // A move that names its piece takes the place of the chosen one.
            let other = typing::matching(report, &MoveEntry::default(), &self.typed);
            if !other.is_empty() {
                (self.entry, found) = (MoveEntry::default(), other);
            }
        }
        match found.complete.as_slice() {
            [only] if found.longer.is_empty() => self.play_typed(only.mv.clone()),
            _ => BoardAction::Redraw,
        }
    }

    /// Plays a typed move. The cursor that followed the text leaves the board to the marks of the move.
    fn play_typed(&mut self, mv: impl Display) -> BoardAction {
        self.typed.clear();
        self.cursor = None;
        self.entry = MoveEntry::default();
        self.completed = true;
        BoardAction::Command(format!("play {mv}"))
    }

    /// Plays the typed move; without one, chooses the point under the cursor.
    fn enter(&mut self, report: &BoardReport) -> BoardAction {
        let found = typing::matching(report, &self.entry, &self.typed);
        let point = typing::point(report, &self.typed);
        let is_own = |point: usize| report.board.points[point].stone == Some(report.side);
        let is_squares = report.board.kind == BoardKind::Squares;
        // Whether the text lacks nothing but the piece to promote to.
        let is_promotion = |first: &BoardMove| {
            let goes_there = |mv: &&BoardMove| (mv.from, mv.to) == (first.from, first.to);
            found.longer.iter().all(|mv| mv.promotion.is_some() && goes_there(mv))
        };
        match (found.complete.as_slice(), found.longer.as_slice()) {
            _ if self.typed.is_empty() => {}
            ([only], _) => return self.play_typed(only.mv.clone()),
            ([], _) if point.is_some_and(is_own) => {}
            ([], [first, ..]) if is_promotion(first) => {
                let from = first.from.map(MoveStep::From);
                self.entry.0 = from.into_iter().chain([MoveStep::To(first.to)]).collect();
                self.typed.clear();
                return BoardAction::Redraw;
            }
            // A square alone is also a pawn's move, so it need not choose a piece.
            ([], []) if is_squares && self.entry == MoveEntry::default() => {
                self.notice = Some(typing::words(report, &self.entry, &self.typed));
                self.typed.clear();
                return BoardAction::Redraw;
            }
            ([], _) if point.is_some() => {}
            _ => return BoardAction::Redraw,
        }
        self.typed.clear();
        let Some(cursor) = self.cursor else {
            self.cursor = middle(&report.board);
            return BoardAction::Redraw;
        };
        match self.entry.choose(report, cursor) {
            Ok(Some(mv)) => return BoardAction::Command(format!("play {mv}")),
            Ok(None) => {}
            Err(why) => self.notice = Some(why),
        }
        BoardAction::Redraw
    }

    /// The pieces that a pawn can promote to, the queen first; empty if no promotion is being chosen.
    pub fn promotions(&self, report: &BoardReport) -> Vec<char> {
        if self.state == report.state { self.entry.promotions(report) } else { Vec::new() }
    }

    /// Handles a key that chooses a promotion: a letter, or Enter for the queen; other letters have no effect. `None` if no promotion is being chosen.
    fn promote(&mut self, report: &BoardReport, key: KeyCode) -> Option<BoardAction> {
        let usual = *self.promotions(report).first()?;
        let letter = match key {
            KeyCode::Enter | KeyCode::Char(' ') => usual,
            KeyCode::Char(letter) => letter,
            KeyCode::Esc | KeyCode::Backspace => return None,
            _ => return Some(BoardAction::None),
        };
        let mv = self.entry.promote(report, letter);
        Some(mv.map_or(BoardAction::Redraw, |mv| BoardAction::Command(format!("play {mv}"))))
    }

    /// The next step of the move in words, or why the last key was refused.
    pub fn words(&self, report: &BoardReport) -> String {
        let is_same = self.state == report.state;
        match &self.notice {
            Some(notice) => notice.clone(),
            None if !is_same => MoveEntry::default().words(report),
            None if !self.typed.is_empty() => typing::words(report, &self.entry, &self.typed),
            None => self.entry.words(report),
        }
    }

    /// The board with the cursor and the marks of the move being entered.
    pub fn scene<'a>(&self, report: &'a BoardReport) -> BoardScene<'a> {
        let mut scene = BoardScene::new(report, self.flipped);
        scene.cursor = self.cursor;
        if self.state == report.state {
            self.entry.mark(&mut scene);
            let found = typing::matching(report, &self.entry, &self.typed);
            let captures = found.captures(report).into_iter().filter(|_| !self.typed.is_empty());
            captures.for_each(|point| scene.marks[point] = BoardMark::Capturable);
        }
        scene
    }
}

/// The choice of the piece that a pawn promotes to; in the order of [`BoardInput::promotions`].
pub const PROMOTION: Question = Question {
    name: "Promotion",
    keys: &[("q Enter", "queen"), ("r", "rook"), ("b", "bishop"), ("n", "knight"), ("Esc", "back")],
};

/// The labels in the key bar while a move is being typed.
pub const TYPED: Question = Question {
    name: "Move",
    keys: &[
        ("letters digits", "go on"),
        ("Enter", "play"),
        ("Backspace", "a character back"),
        ("Esc", "cancel"),
    ],
};

/// The keys that enter moves on a board, each with its label in the key bar and its line in the help.
pub const fn keys(kind: BoardKind) -> &'static [[&'static str; 3]] {
    const PICK: [&str; 3] = [
        "arrows Enter",
        "pick",
        "move the cursor; Enter picks what to move and where to, Esc takes it back",
    ];
    const BACK: [&str; 3] = ["Esc", "cancel", "takes back what was typed or chosen"];
    match kind {
        BoardKind::Lines => {
            &[["a4", "move", "types a move: `a4`, or `a4-a7` from point to point"], PICK, BACK]
        }
        BoardKind::Squares => {
            &[["e4", "move", "types a move: `e4`, `Nf3`, `O-O`, or `e2e4`"], PICK, BACK]
        }
    }
}

/// The point nearest to the middle of the board.
fn middle(board: &Board) -> Option<usize> {
    let points = &board.points;
    let most = points.iter().map(|at| at.x.max(at.y)).max()?;
    let distance = |at: u8| (2 * at).abs_diff(most);
    (0..points.len()).min_by_key(|at| distance(points[*at].x) + distance(points[*at].y))
}

/// The next point along a line in the arrow key's direction on the screen; without a line, the nearest point that way.
fn neighbour(board: &Board, flipped: bool, cursor: usize, key: KeyCode) -> Option<usize> {
    let place = |point: usize| board.points.get(point).map(|at| (at.x, at.y));
    let from = place(cursor)?;
    // The distance of a point from the cursor in the arrow key's direction, and at right angles to it.
    let ahead = |point: usize| {
        let to = place(point)?;
        let ((x0, y0), (x, y)) = if flipped { (to, from) } else { (from, to) };
        let (along, beside) = match key {
            KeyCode::Left => (x0.checked_sub(x)?, y.abs_diff(y0)),
            KeyCode::Right => (x.checked_sub(x0)?, y.abs_diff(y0)),
            KeyCode::Up => (y0.checked_sub(y)?, x.abs_diff(x0)),
            _ => (y.checked_sub(y0)?, x.abs_diff(x0)),
        };
        (along > 0).then_some((usize::from(along), usize::from(beside)))
    };
    let mut steps = board.lines.iter().flat_map(|line| line.windows(2));
    let on_line = steps.find_map(|step| {
        let other = match *step {
            [from, to] if from == cursor => to,
            [from, to] if to == cursor => from,
            _ => return None,
        };
        matches!(ahead(other), Some((_, 0))).then_some(other)
    });
    on_line.or_else(|| {
        let distance = |point| ahead(point).map(|(along, beside)| along.pow(2) + 4 * beside.pow(2));
        let points = 0..board.points.len();
        points.filter_map(|point| Some((distance(point)?, point))).min().map(|(_, point)| point)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MoveStep {
    /// The stone on this point is moved.
    From(usize),
    /// The stone moves to this point, or is placed on it.
    To(usize),
    Capture(usize),
    /// The pawn promotes to the piece with this letter.
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

/// The steps of a move, once for each order in which its captures (at most two) may be chosen.
fn capture_orders(mv: &BoardMove) -> impl Iterator<Item = Vec<MoveStep>> {
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
struct MoveEntry(Vec<MoveStep>);

impl MoveEntry {
    /// The moves that begin with the chosen steps, each with all its steps.
    fn moves<'r>(
        &self,
        report: &'r BoardReport,
    ) -> impl Iterator<Item = (&'r BoardMove, Vec<MoveStep>)> {
        let moves = report.board.moves.iter();
        let all = moves.flat_map(|mv| capture_orders(mv).map(move |steps| (mv, steps)));
        all.filter(|(_, steps)| steps.starts_with(&self.0))
    }

    fn next(&self, report: &BoardReport) -> Vec<MoveStep> {
        let steps = self.moves(report).filter_map(|(_, steps)| steps.get(self.0.len()).copied());
        let mut next: Vec<_> = steps.collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The possible promotions, the most usual one first; empty if the next step is not a promotion.
    fn promotions(&self, report: &BoardReport) -> Vec<char> {
        let next = self.next(report);
        "QRBN".chars().filter(|letter| next.contains(&MoveStep::Become(*letter))).collect()
    }

    fn promote(&mut self, report: &BoardReport, letter: char) -> Option<String> {
        let step = MoveStep::Become(letter.to_ascii_uppercase());
        if self.next(report).contains(&step) { self.take(report, step) } else { None }
    }

    /// Chooses a point as the next step, puts the chosen stone back, or chooses another stone. Returns the move once it is
    /// complete. Errors: why the point cannot be chosen.
    fn choose(&mut self, report: &BoardReport, point: usize) -> Result<Option<String>, String> {
        let at = |steps: Vec<MoveStep>| steps.into_iter().find(|step| step.point() == Some(point));
        let next = self.next(report);
        let stage = *next.first().ok_or_else(|| {
            let over = if report.finished { "the game is over: " } else { "" };
            format!("{over}{}", report.words)
        })?;
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
        let what = if report.board.kind == BoardKind::Lines { "stone" } else { "piece" };
        match (stage, at.stone) {
            (MoveStep::Become(_), _) => "the pawn is to become another piece".to_owned(),
            (MoveStep::From(_), Some(side)) if side == report.side => {
                format!("{}the {what} on {here} cannot move", report.in_check())
            }
            (MoveStep::Capture(_), Some(side)) if side != report.side => {
                let why =
                    if at.in_mill { "is in a mill: others go first" } else { "cannot be taken" };
                format!("the stone on {here} {why}")
            }
            (MoveStep::From(_) | MoveStep::Capture(_), None) => {
                format!("there is no {what} on {here}")
            }
            (MoveStep::To(_), _) if report.board.kind == BoardKind::Squares => {
                let from = self.from().map_or(here, name);
                format!("{}{from} cannot go to {here}", report.in_check())
            }
            (MoveStep::To(_), Some(_)) => format!("{here} is taken"),
            (_, Some(side)) => format!("the {what} on {here} is {side}'s"),
            (MoveStep::To(_), None) => match self.from() {
                Some(from) => format!("{} cannot go to {here}", name(from)),
                None => format!("a stone on {here} would close a mill with nothing to take"),
            },
        }
    }

    fn from(&self) -> Option<usize> {
        self.0.first().copied().and_then(MoveStep::point)
    }

    fn words(&self, report: &BoardReport) -> String {
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
                let what = if squares { "piece" } else { "stone" };
                format!("{side}: place a {what}{}", hand.unwrap_or_default())
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

    /// Marks the chosen steps and the possible next ones. While captures are being chosen, the board shows the position after
    /// the move, without the captured stones.
    fn mark(&self, scene: &mut BoardScene<'_>) {
        let next = self.next(scene.report);
        for step in &next {
            let Some(point) = step.point() else {
                continue;
            };
            // When a stone is placed, nearly every point is a target, so only the cursor is marked.
            let is_under_cursor = matches!(step, MoveStep::To(_)) && scene.cursor == Some(point);
            if !self.0.is_empty() || is_under_cursor {
                // A piece that stands on the target of a move is captured by that move.
                let taken = scene.stone(point).is_some();
                let ends_here = self.moves(scene.report).filter(|(mv, _)| mv.to == point);
                let truth = ends_here.filter_map(|(mv, _)| mv.truth);
                let truth = truth.max_by_key(|truth| truth.rank());
                scene.marks[point] = match truth.filter(|_| !self.0.is_empty()) {
                    _ if taken => BoardMark::Capturable,
                    Some(truth) => BoardMark::Known(truth.outcome),
                    None => BoardMark::Target,
                };
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

/// The greatest number of points that are listed by name; a longer list is counted.
const FEW: usize = 4;

fn names(report: &BoardReport, steps: &[MoveStep]) -> String {
    let points = steps.iter().filter_map(|step| report.board.points.get(step.point()?));
    points.map(|point| point.name.as_str()).collect::<Vec<_>>().join(", ")
}
