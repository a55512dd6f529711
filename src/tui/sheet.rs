//! A long answer in front of the panes at the side, until Esc or the next command, and the ways to go on with a line.

use ratatui::{prelude::*, widgets::Block};
use unicode_width::UnicodeWidthStr as _;

use super::{
    layout::Areas,
    lines::{Scroll, cut, in_front, shown, wrapped},
    look::Theme,
};
use crate::{
    engine::reply::{
        BreakpointList, CacheEdit, FrameReport, PlayedReport, PositionReport, Reply, SessionReport,
        StopReport, TimelineList,
    },
    repl::helper::Offers,
    text::pad,
};

/// A sheet covers the board as well where it would have fewer columns than answers are laid out for.
const WIDTH: u16 = 80;
/// So few lines stand beside the board, and broken where they must be: what they are about stays in sight.
const FEW: usize = 8;

/// An answer, from its head on.
#[derive(Debug, Default)]
pub struct Sheet {
    pub title: String,
    text: String,
    pub scroll: Scroll,
}

impl Sheet {
    /// The answer to a command.
    pub fn new(title: &str, text: String) -> Self {
        Self { title: title.to_owned(), text, ..Self::default() }
    }

    pub fn area(&self, areas: &Areas) -> Rect {
        let Areas { side, upper, .. } = *areas;
        let rows = self.lines(side.width.saturating_sub(2)).len() as u16 + 2;
        if self.text.lines().count() <= FEW && rows <= side.height {
            Rect { height: rows, ..side }
        } else if side.width >= WIDTH {
            side
        } else {
            upper
        }
    }

    fn lines(&self, columns: u16) -> Vec<String> {
        self.text.lines().flat_map(|line| fitted(line, columns as usize)).collect()
    }

    pub fn draw(&self, frame: &mut Frame<'_>, look: &Theme, areas: &Areas) {
        let area = self.area(areas);
        let title = cut(&self.title, (area.width as usize).saturating_sub(6));
        let block = Block::bordered()
            .title(format!(" {title} "))
            .title_bottom(" Esc closes  Page Up Page Down scroll ");
        let inner = in_front(frame, look, block, area);
        self.scroll.draw(frame, self.lines(inner.width).into_iter().map(Line::raw), inner);
        self.scroll.draw_bar(frame, look.quiet, area);
    }
}

/// A line of an answer in lines of at most so many columns, the others as far to the right as the first begins.
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

/// Whether the panes show what a command has answered, so that a line about it is enough.
pub fn is_seen_elsewhere(reply: &dyn Reply) -> bool {
    reply.is::<PositionReport>()
        || reply.is::<PlayedReport>()
        || reply.is::<StopReport>()
        || reply.is::<FrameReport>()
        || reply.is::<CacheEdit>()
        || reply.is::<SessionReport>()
        || reply.is::<BreakpointList>()
        || reply.is::<TimelineList>()
}

/// Draws the ways to go on, above the command pane.
pub fn draw_offers(
    frame: &mut Frame<'_>,
    look: &Theme,
    (offers, chosen): &(Offers, Option<usize>),
    command: Rect,
) {
    let height = (offers.list.len() as u16 + 2).min(command.y.saturating_sub(1));
    let names = offers.list.iter().map(|offer| offer.display.width()).max().unwrap_or(0).min(40);
    let helps = offers.list.iter().map(|offer| offer.help.width()).max().unwrap_or(0);
    let width = (names + helps + 6).max(36).min(command.width as usize) as u16;
    let area = Rect::new(command.x, command.y - height, width, height);
    let block = Block::bordered().title_bottom(" Tab ↑↓ choose  Enter takes  Esc closes ");
    let inner = in_front(frame, look, block, area);
    let rows = inner.height as usize;
    let from = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(rows));
    let seen = offers.list.iter().enumerate().skip(from).take(rows);
    let lines = seen.map(|(place, offer)| {
        let here = *chosen == Some(place);
        let style = if here { look.selected } else { look.text };
        let mark = if here { "▸" } else { " " };
        let name = format!("{mark}{}  ", pad(&offer.display, names));
        let help = if here { style } else { look.quiet };
        Line::from(vec![Span::styled(name, style), Span::styled(offer.help, help)])
    });
    frame.render_widget(shown(lines.collect::<Text<'_>>()), inner);
}
