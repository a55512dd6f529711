//! A position set up by hand.

use crossterm::event::KeyCode;

use crate::{
    engine::reply::{BoardReport, Side},
    picture::{BoardMark, BoardScene},
};

/// The position as it stands so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardSetup {
    stones: Vec<Option<Side>>,
    side: Side,
    hands: Option<[u32; 2]>,
    /// What is put on a point; nothing takes stones away.
    brush: Option<Side>,
    /// The state the engine was asked to set up.
    asked: Option<String>,
}

/// More stones than any game has.
const MOST: u32 = 99;

/// The keys that [`BoardSetup::key`] knows, besides those that move the cursor.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("arrows a4", "move"),
    ("Space", "put"),
    ("W B X", "White, Black, nothing"),
    ("C", "clear"),
    ("s", "side"),
    ("+ -", "hand"),
    ("Enter", "accept"),
    ("Esc", "cancel"),
];

impl BoardSetup {
    /// Begins with the position at hand; nothing where the game cannot be set up so.
    pub(super) fn new(report: &BoardReport) -> Option<Self> {
        report.board.setup.as_ref()?;
        Some(Self {
            stones: report.board.points.iter().map(|point| point.stone).collect(),
            side: report.side,
            hands: report.board.hands,
            brush: Some(report.side),
            asked: None,
        })
    }

    /// Changes the setup; false where the key means nothing here.
    pub(super) fn key(&mut self, key: KeyCode, cursor: usize) -> bool {
        match key {
            KeyCode::Char(' ') => self.paint(cursor, true),
            KeyCode::Char('w' | 'W') => self.take_up(Some(Side::White), cursor),
            KeyCode::Char('B') => self.take_up(Some(Side::Black), cursor),
            KeyCode::Char('x' | 'X') | KeyCode::Backspace => self.take_up(None, cursor),
            KeyCode::Char('C') => self.stones.fill(None),
            KeyCode::Char('s' | 'S') => self.side = self.side.other(),
            KeyCode::Char('+') => self.add(1),
            KeyCode::Char('-') => self.add(-1),
            _ => return false,
        }
        self.asked = None;
        true
    }

    fn take_up(&mut self, brush: Option<Side>, cursor: usize) {
        self.brush = brush;
        self.paint(cursor, false);
    }

    /// Puts what the brush holds on a point; twice the same takes it away.
    fn paint(&mut self, point: usize, toggle: bool) {
        if let Some(stone) = self.stones.get_mut(point) {
            let same = toggle && *stone == self.brush;
            *stone = self.brush.filter(|_| !same);
        }
    }

    fn add(&mut self, more: i32) {
        let side = self.brush.unwrap_or(self.side);
        if let Some(hands) = &mut self.hands {
            let hand = &mut hands[side.index()];
            *hand = hand.saturating_add_signed(more).min(MOST);
        }
    }

    /// The command that sets the position up. Whether it can be played is for the engine to say.
    pub(super) fn accept(&mut self, report: &BoardReport) -> String {
        let mut stones = self.stones.iter();
        let hand = |side: Side| self.hands.map_or(0, |hands| hands[side.index()]).to_string();
        let mut state = String::new();
        for sign in report.board.setup.iter().flat_map(|pattern| pattern.chars()) {
            match sign {
                '?' => state.push(stones.next().copied().flatten().map_or('.', Side::letter)),
                'S' => state.push(self.side.letter()),
                'W' => state.push_str(&hand(Side::White)),
                'B' => state.push_str(&hand(Side::Black)),
                sign => state.push(sign),
            }
        }
        let command = format!("position set {state}");
        self.asked = Some(state);
        command
    }

    /// Whether the position at hand is the one that was asked for.
    pub(super) fn is_done(&self, report: &BoardReport) -> bool {
        self.asked.as_ref() == Some(&report.state)
    }

    /// The setup in words.
    pub(super) fn words(&self) -> String {
        let hands = self.hands.map_or(String::new(), |[white, black]| {
            format!("; in hand White {white}, Black {black}")
        });
        let brush =
            self.brush.map_or("removing stones".to_owned(), |side| format!("placing {side}"));
        format!("Setup: {} to move{hands}; {brush}", self.side)
    }

    pub(super) fn mark(&self, scene: &mut BoardScene<'_>) {
        scene.stones.clone_from(&self.stones);
        scene.marks.fill(BoardMark::Plain);
        scene.hands = self.hands;
    }
}
