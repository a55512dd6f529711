//! Sheets: long replies in front of the panes beside the board, until Esc or the next command; also the list of completions.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::Arc,
};

use ratatui::{
    prelude::*,
    widgets::{Block, BorderType},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    command::Failure,
    engine::session::{
        breakpoints::BreakpointList,
        cache::CacheEdit,
        ending::OfferReport,
        game_file::{GameFileReport, ListedGames},
        playing::PlayedReport,
        position::PositionReport,
        quiz::QuizReport,
        reply::{PlainReply, Reply},
        review::GameReview,
        saving::SessionReport,
        search::{FrameReport, Run, StopReport},
        timelines::TimelineList,
        tournament::GamesReport,
    },
    repl::helper::Offers,
    text::{
        fold,
        layout::{self, on_page, packed},
        pad,
    },
    tui::{
        layout::{Areas, REST_ROWS},
        lines::{cut, in_front, shown, wrapped},
        list::{ListCursor, ListRow, Places, frame_in, game_in, place_in},
        look::Theme,
    },
    view::{self, Colour},
};

/// The least screen width, in columns, at which a sheet does not cover the board.
const BESIDE: u16 = 90;
/// The columns that are left in ASCII for signs that are spelled in several letters.
const SPELLED: usize = 6;
/// The most pages that a sheet has beside the board on a smaller screen.
const PAGES: u16 = 4;
/// The least number of rows that a sheet over the board leaves above it.
const LEFT: u16 = 6;
/// The least number of rows that a sheet leaves of a pane that it covers in part: the title and two lines.
const LEAST_REST: u16 = 3;
/// The width of the keys shown below a sheet, in columns.
const LEAST: usize = 41;

/// A key that answers a question: its name, its meaning, and the command line that it runs or, with a blank at its end, types.
pub type AnswerKey = (&'static str, &'static str, &'static str);

/// The key that passes; while a question is open, and only then, it is among the keys.
pub const PASS: AnswerKey = ("p", "pass", "quiz pass");
/// The keys for questions about cutoffs, for those about windows and values, and after an answer.
const CUTOFF: [AnswerKey; 3] =
    [("y", "yes", "quiz answer yes"), ("n", "no", "quiz answer no"), PASS];
const VALUE: [AnswerKey; 2] = [("a", "types the answer", "quiz answer "), PASS];
const NEXT: [AnswerKey; 1] = [("Space", "next question", "quiz next")];

#[derive(Debug)]
pub enum Content {
    /// A text that the screen has composed, such as the text at the end of a game.
    Words(String),
    /// An event and the origin of its window. Enter on a line that names a ply goes to the frame of that ply.
    Origin(String),
    /// A reply, laid out for the width of the sheet.
    Reply(Arc<dyn Reply>),
    /// A failure, whose quoted line is cut to the width of the sheet.
    Failure(Box<Failure>),
}

/// The keys that an open sheet takes besides Esc, `PgUp` and `PgDn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKeys {
    /// No others: a demo runs.
    Pages,
    /// The key for the next pane enters the sheet.
    Tab,
    /// Keys that move a cursor move the sheet's: the user has entered the sheet, or it covers the focused pane.
    Cursor,
}

#[derive(Debug)]
pub struct Sheet {
    pub title: String,
    /// A paragraph above the reply; empty: none.
    pub note: String,
    content: Content,
    ascii: bool,
    /// The lines of the sheet, by the number of columns for which they are laid out.
    laid_out: RefCell<BTreeMap<u16, Vec<String>>>,
    cursor: ListCursor,
    /// The first screen row that the sheet may cover: the one below the selected row of the focused list and the frame of its pane,
    /// as last drawn.
    subject: Cell<Option<u16>>,
    /// Whether keys that move a cursor move the sheet's cursor.
    pub is_active: bool,
}

impl Sheet {
    /// `ascii`: whether the screen is drawn in ASCII.
    pub fn new(title: &str, content: Content, ascii: bool) -> Self {
        Self {
            ascii,
            title: title.to_owned(),
            note: String::new(),
            content,
            laid_out: RefCell::default(),
            cursor: ListCursor::default(),
            subject: Cell::default(),
            is_active: false,
        }
    }

    pub const fn is_failure(&self) -> bool {
        matches!(self.content, Content::Failure(_))
    }

    /// The keys that answer the question of the quiz, or ask the next one; empty on other sheets.
    pub fn answers(&self) -> &'static [AnswerKey] {
        let Content::Reply(reply) = &self.content else { return &[] };
        match reply.downcast_ref::<QuizReport>() {
            Some(quiz) if quiz.asks_next() => &NEXT,
            Some(QuizReport { question: Some(question), .. }) if question.ask == "cutoff" => {
                &CUTOFF
            }
            Some(QuizReport { question: Some(_), .. }) => &VALUE,
            _ => &[],
        }
    }

    /// Whether a key answers questions of the quiz, but none is open.
    pub fn has_answered(&self, key: &str) -> bool {
        let mut keys = CUTOFF.iter().chain(&VALUE);
        !self.asks() && !self.answers().is_empty() && keys.any(|(name, ..)| *name == key)
    }

    /// Whether a question of the quiz is open.
    pub fn asks(&self) -> bool {
        self.answers().contains(&PASS)
    }

    pub fn area(&self, areas: &Areas) -> Rect {
        self.place(areas).0
    }

    /// The sheet's area, as wide and high as its text, and the columns for which the text is laid out. It is beside the board unless
    /// it would cut lines or have many pages there; over the board it leaves no sliver above. The selected row stays in sight if it can.
    fn place(&self, areas: &Areas) -> (Rect, u16) {
        let Areas { side, upper, .. } = *areas;
        let size = |columns: u16| {
            let lines = self.lines(columns);
            let longest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
            (longest.max(LEAST) as u16 + 2, lines.len() as u16 + 2)
        };
        let columns = |room: Rect| room.width.saturating_sub(2);
        let cuts =
            |room| self.lines(columns(room)).iter().filter(|line| line.contains('…')).count();
        let fits = || size(columns(side)).1 <= PAGES * side.height && cuts(side) <= cuts(upper);
        // The board shows the mistakes of a review.
        let is_review = matches!(&self.content, Content::Reply(reply) if reply.is::<GameReview>());
        let is_beside = upper.width >= BESIDE || is_review || fits();
        let room = if is_beside { side } else { upper };
        let (wide, high) = size(columns(room));
        let (wide, high) = (wide.min(room.width), high.min(room.height));
        let high = if !is_beside && room.height - high < LEFT { room.height } else { high };
        let end = self.subject.get().unwrap_or(room.y).clamp(room.y, room.bottom());
        // Above the selected row, the pane keeps its title.
        let above = end.saturating_sub(room.y + 3).min(room.height.saturating_sub(REST_ROWS));
        let below = room.bottom() - end;
        // The sheet may be a quarter shorter than its text if that leaves the selected row in sight.
        let (y, high) = match high - high / 4 {
            least if least <= below => (room.bottom() - high.min(below), high.min(below)),
            least if least <= above => (room.y, high.min(above)),
            _ => (room.bottom() - high, high),
        };
        // The sheet begins where a pane begins, so that no pane shows only a few columns.
        let begins = areas.panes.iter().map(|(_, area)| area.x).filter(|x| *x >= room.x);
        let x = begins.filter(|x| *x + wide <= room.right()).max().unwrap_or(room.x);
        // A pane of which only a few rows would remain above the sheet is covered whole.
        let begins =
            areas.panes.iter().filter(|(_, area)| area.right() > x).map(|(_, area)| area.y);
        let is_low = |top: &u16| (end..y).contains(top) && y < *top + LEAST_REST;
        let top = begins.filter(is_low).min().unwrap_or(y);
        let (y, high) = (top, high + y - top);
        (Rect { x, y, width: room.right() - x, height: high }, columns(room))
    }

    /// Whether the sheet covers a part of the board.
    pub fn covers_board(&self, areas: &Areas) -> bool {
        let area = self.area(areas);
        areas.side.intersection(area) != area
    }

    fn lines(&self, columns: u16) -> Vec<String> {
        let lines = |columns| match &self.content {
            Content::Words(words) | Content::Origin(words) => fitted_lines(words, columns),
            Content::Failure(failure) => {
                let text = on_page(columns, || view::failure(failure, Colour::Off));
                fitted_lines(text.trim_start_matches("error: "), columns)
            }
            Content::Reply(reply) if reply.is::<PlainReply>() => {
                rewrapped(&view::text(&**reply), columns)
            }
            Content::Reply(reply) if let Some(quiz) = reply.downcast_ref::<QuizReport>() => {
                let text = on_page(columns, || quiz.text_for(true));
                fitted_lines(&without_position(&**reply, &text), columns)
            }
            Content::Reply(reply) => {
                let text = on_page(columns, || view::text(&**reply));
                fitted_lines(&without_position(&**reply, &text), columns)
            }
        };
        let lines = |columns: usize| {
            if !self.ascii {
                return lines(columns);
            }
            // Signs such as ∞ are several letters in ASCII; tables keep their columns and are folded when they are drawn.
            let lines = lines(columns.saturating_sub(SPELLED)).into_iter();
            let is_event = |line: &str| line.starts_with("event ");
            let is_table = |line: &str| is_tabular(line) && !is_event(line);
            let folded = lines.map(|line| if is_table(&line) { line } else { fold(&line) });
            folded.flat_map(|line| fitted(&line, columns)).collect()
        };
        let mut laid_out = self.laid_out.borrow_mut();
        let all = || {
            let columns = usize::from(columns);
            let note = Some(&self.note).filter(|note| !note.is_empty());
            let note = note.into_iter().flat_map(|note| fitted_lines(note, columns));
            note.chain(lines(columns)).collect()
        };
        laid_out.entry(columns).or_insert_with(all).clone()
    }

    /// The lines as rows of a list. A row that names an event, a cache entry or a game has a command line that goes to it.
    fn rows(&self, columns: u16, look: &Theme) -> Vec<ListRow> {
        let game_opener = match &self.content {
            Content::Reply(reply) if reply.is::<ListedGames>() => Some("games open"),
            Content::Reply(reply) if reply.is::<GamesReport>() => Some("match open"),
            _ => None,
        };
        let place = |text: &str| match game_opener {
            Some(command) => game_in(text).map(|game| format!("{command} {game}")),
            None if matches!(self.content, Content::Origin(_)) => {
                place_in(text).or_else(|| frame_in(text))
            }
            None => place_in(text),
        };
        let lines = self.lines(columns).into_iter();
        lines
            .map(|text| ListRow { command: place(&text), ..ListRow::plain(text, look.text) })
            .collect()
    }

    fn rows_within(&self, areas: &Areas) -> Vec<ListRow> {
        self.rows(self.place(areas).1, &Theme::default())
    }

    pub fn has_places(&self, areas: &Areas) -> bool {
        self.rows_within(areas).iter().any(|row| row.command.is_some())
    }

    /// The key bar's labels of the keys that move within the sheet, for a sheet that has the focus.
    pub fn keys(&self, areas: &Areas) -> &'static [[&'static str; 3]] {
        if self.has_places(areas) {
            &[
                ["↑↓", "choose", "moves the cursor"],
                ["Enter", "go there", "goes to the chosen line"],
            ]
        } else {
            &[["PgUp PgDn", "scroll", "scrolls the text"]]
        }
    }

    /// The command line of the row that the cursor is on, if any.
    pub fn command(&self, areas: &Areas) -> Option<String> {
        self.cursor.command(&self.rows_within(areas))
    }

    /// The number of lines in a page, as last drawn.
    pub fn page(&self) -> usize {
        self.cursor.scroll.page()
    }

    /// If the sheet is active, moves the cursor among the rows with a command line; otherwise scrolls.
    pub fn by(&mut self, areas: &Areas, by: isize) {
        if self.is_active {
            self.cursor.by(&Places::of(&self.rows_within(areas)), by);
        } else {
            self.cursor.scroll.by(by);
        }
    }

    /// Moves the cursor to the clicked row. Returns the row's command line if the cursor was already on the row.
    pub fn click(&mut self, areas: &Areas, at: Position) -> Option<String> {
        let rows = self.rows_within(areas);
        let was_active = std::mem::replace(&mut self.is_active, true);
        let row = self.cursor.row_at(at)?;
        let was_here = was_active && self.cursor.at(&Places::of(&rows)) == Some(row);
        self.cursor.select(row);
        self.cursor.command(&rows).filter(|_| was_here)
    }

    /// Sets the first screen row that the sheet may cover, if there is room below it; `None`: every row.
    pub fn leave_in_sight(&self, subject: Option<u16>) {
        self.subject.set(subject);
    }

    /// Draws the sheet, with its keys below. `answers`: the keys that answer the sheet's question at present.
    pub fn draw(
        &self,
        frame: &mut Frame<'_>,
        look: &Theme,
        areas: &Areas,
        keys: SheetKeys,
        answers: &[AnswerKey],
    ) {
        let (area, columns) = self.place(areas);
        let title = cut(&self.title, (area.width as usize).saturating_sub(6));
        let has_keys = keys == SheetKeys::Cursor;
        let lines = if has_keys { BorderType::Thick } else { BorderType::Plain };
        let has_places = self.has_places(areas);
        let others: &[&str] = match keys {
            _ if !answers.is_empty() => &[],
            SheetKeys::Cursor if has_places => &["↑↓ choose", "Enter goes there"],
            SheetKeys::Tab if has_places => &["F6 to its lines", "PgUp PgDn"],
            _ => &["PgUp PgDn scroll"],
        };
        let answers = answers.iter().map(|(key, text, _)| format!("{key} {text}"));
        let others = others.iter().map(|key| (*key).to_owned());
        let keys = std::iter::once("Esc closes".to_owned()).chain(answers).chain(others);
        // Without room, whole keys are left out.
        let keys = packed(keys, (area.width as usize).max(4) - 4);
        let bottom = keys.into_iter().next().unwrap_or_default();
        let block = Block::bordered().border_type(lines).title(format!(" {title} "));
        let block = block.title_bottom(format!(" {bottom} "));
        let inner = in_front(frame, look, block, area);
        let rows = self.rows(columns, look);
        self.cursor.draw(frame, look, &rows, has_keys, inner);
        self.cursor.scroll.draw_bar(frame, look.quiet, area);
    }
}

/// The text of a reply without the position that it is about, because the board shows that position.
fn without_position(reply: &dyn Reply, text: &str) -> String {
    let Some(position) = reply.position().filter(|position| !position.is_empty()) else {
        return text.to_owned();
    };
    let rest = text.lines().filter_map(|line| match line.strip_suffix(position) {
        Some(before) => Some(before.trim_end()).filter(|before| !before.is_empty()),
        None => Some(line),
    });
    rest.collect::<Vec<_>>().join("\n")
}

/// A line wrapped to `columns` columns, whose further lines are indented like the first.
fn fitted(line: &str, columns: usize) -> Vec<String> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    if line.width() <= columns {
        return vec![line.to_owned()];
    }
    let indent = if indent + 8 > columns { 0 } else { indent };
    let lead = " ".repeat(indent);
    wrapped(text, columns - indent).into_iter().map(|line| format!("{lead}{line}")).collect()
}

pub fn fitted_lines(text: &str, columns: usize) -> Vec<String> {
    text.lines().flat_map(|line| fitted(line, columns)).collect()
}

fn is_tabular(line: &str) -> bool {
    line.trim_start().contains("  ")
}

/// A paragraph: its text, and the indentation of all lines but the first; `None`: that of the first.
struct Paragraph {
    text: String,
    hang: Option<usize>,
}

/// The column in which the text after a name begins, in a line such as `  step      runs the search for one event`.
fn described_at(line: &str) -> Option<usize> {
    let (name, text) = line.trim_start().split_once("  ")?;
    let text = text.trim_start();
    let is_table = name.is_empty() || text.is_empty() || is_tabular(text);
    (!is_table).then(|| line.chars().count() - text.chars().count())
}

/// A text laid out for [`layout::WIDTH`] columns, whose lines are joined and wrapped again for another width.
fn rewrapped(text: &str, columns: usize) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        let next = line.split_whitespace().next().map_or(0, UnicodeWidthStr::width);
        let was_full = next > 0 && !before.is_empty() && before.width() + 1 + next > layout::WIDTH;
        let hangs = indent(line) >= indent(before) + usize::from(is_tabular(before));
        match paragraphs.last_mut().filter(|_| was_full && hangs && !is_tabular(line)) {
            Some(paragraph) => {
                paragraph.text = format!("{} {}", paragraph.text, line.trim_start());
                paragraph.hang = Some(indent(line));
            }
            None => paragraphs.push(Paragraph { text: line.to_owned(), hang: described_at(line) }),
        }
        before = line;
    }
    let lines = paragraphs.iter().flat_map(|Paragraph { text, hang }| {
        let Some(hang) = hang.filter(|hang| hang + 8 <= columns) else {
            return fitted(text, columns);
        };
        let lead: String = text.chars().take(hang).collect();
        let filled = on_page(columns, || layout::wrap(&lead, &text[lead.len()..]));
        filled.lines().flat_map(|line| fitted(line, columns)).collect()
    });
    lines.collect()
}

/// Whether a pane shows the reply, so that one line about it is enough.
pub fn is_seen_elsewhere(reply: &dyn Reply) -> bool {
    reply.is::<PositionReport>()
        || reply.is::<GameFileReport>()
        || reply.is::<PlayedReport>()
        || reply.is::<OfferReport>()
        || reply.is::<StopReport>()
        || reply.is::<FrameReport>()
        || reply.is::<CacheEdit>()
        || reply.downcast_ref::<SessionReport>().is_some_and(|it| !it.has_news())
        || reply.downcast_ref::<Run>().is_some_and(|run| run.breakpoint.is_some())
        || reply.is::<BreakpointList>()
        || reply.is::<TimelineList>()
}

/// Draws the list of completions directly above the command pane. `top`: the first row that it may cover.
pub fn draw_offers(
    frame: &mut Frame<'_>,
    look: &Theme,
    (offers, chosen): &(Offers, Option<usize>),
    (command, top): (Rect, u16),
) {
    let height = (offers.list.len() as u16 + 2).min(command.y.saturating_sub(top));
    let names = offers.list.iter().map(|offer| offer.display.width()).max().unwrap_or(0).min(40);
    let helps = offers.list.iter().map(|offer| offer.help.width()).max().unwrap_or(0);
    // On a screen with room beside the board, explanations are cut rather than cover the board.
    let screen = frame.area().width;
    let from = if screen < BESIDE { 0 } else { command.x };
    let room = usize::from(screen - from).max(LEAST + 2).min(screen.into());
    // A narrower list would leave pieces of the panes beside it.
    let least = usize::from(command.width).max(LEAST + 2);
    let width = (names + helps + 6).clamp(room.min(least), room) as u16;
    let area = Rect::new(command.x.min(screen - width), command.y - height, width, height);
    let end = match offers.list.len().saturating_sub(usize::from(height.saturating_sub(2))) {
        0 => "Esc closes".to_owned(),
        more => format!("{more} more"),
    };
    let block = Block::bordered().title_bottom(format!(" Tab ↑↓ choose  Enter takes  {end} "));
    let inner = in_front(frame, look, block, area);
    let rows = inner.height as usize;
    let from = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(rows));
    let seen = offers.list.iter().enumerate().skip(from).take(rows);
    let lines = seen.map(|(place, offer)| {
        let here = *chosen == Some(place);
        let style = if here { look.selected } else { look.text };
        let mark = if here { "▸" } else { " " };
        let name = format!("{mark}{}  ", pad(&offer.display, names));
        let room = (inner.width as usize).saturating_sub(names + 3);
        let help = Span::styled(cut(&offer.help, room), if here { style } else { look.quiet });
        Line::from(vec![Span::styled(name, style), help])
    });
    frame.render_widget(shown(lines.collect::<Text<'_>>()), inner);
}
