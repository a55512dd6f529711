//! Draws the screen from its state.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
    symbols::border,
    text::{Line, Span, Text},
    widgets::{Block, BorderType, Paragraph, Scrollbar, ScrollbarOrientation, ScrollbarState},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    engine::report::Score,
    view::text::{self, number},
};

use super::{
    app::{App, Overlay, Pane},
    footer, header, help,
    layout::{Areas, LEAST, TABS},
    look,
    panes::{self, Drawn},
    prompt,
};

/// Draws everything; `command` is what the command pane shows.
pub fn draw(frame: &mut Frame<'_>, app: &App, command: Option<&vt100::Screen>) {
    let screen = frame.area();
    frame.buffer_mut().set_style(screen, app.look.theme.text);
    if screen.width < LEAST.0 || screen.height < LEAST.1 {
        too_small(frame, app, screen);
    } else {
        let areas = app.areas();
        frame.render_widget(shown(header::line(app, areas.header.width)), areas.header);
        frame.render_widget(shown(footer::line(app, areas.footer.width)), areas.footer);
        for (pane, area) in &areas.panes {
            draw_pane(frame, app, &areas, *pane, *area, command);
        }
        draw_overlay(frame, app, screen);
    }
    if app.look.ascii {
        look::fold(frame.buffer_mut());
    }
}

fn too_small(frame: &mut Frame<'_>, app: &App, screen: Rect) {
    if app.overlay == Some(Overlay::Leave) {
        let text = "Leave without\nsaving? y or n";
        return frame.render_widget(Paragraph::new(text), screen);
    }
    let text = format!(
        "plyscope needs {}x{};\nthis is {}x{}.\nMake the window\nlarger, or leave\nwith q.",
        LEAST.0, LEAST.1, screen.width, screen.height
    );
    frame.render_widget(Paragraph::new(text), screen);
}

fn draw_pane(
    frame: &mut Frame<'_>,
    app: &App,
    areas: &Areas,
    pane: Pane,
    area: Rect,
    command: Option<&vt100::Screen>,
) {
    let block = block(app, areas, pane, area.width);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if inner.is_empty() {
        return;
    }
    match pane {
        Pane::Board => return panes::board::draw(frame, app, inner),
        Pane::Command => return panes::command::draw(frame, app, inner, command),
        Pane::Arena => {
            let from = app.scrolled[Pane::Arena as usize];
            return panes::arena::draw(frame, app, inner, from);
        }
        Pane::Chart => {
            let from = app.scrolled[Pane::Chart as usize];
            return panes::chart::draw(frame, app, inner, from);
        }
        _ => {}
    }
    let Drawn { lines, from } = panes::lines(app, pane, inner);
    let length = lines.len();
    let from = panes::draw_lines(frame, lines, from, inner);
    if length > inner.height as usize {
        scrollbar(frame, app, area, from, length - inner.height as usize);
    }
}

fn scrollbar(frame: &mut Frame<'_>, app: &App, area: Rect, from: usize, most: usize) {
    let inner = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    };
    let mut state = ScrollbarState::new(most + 1).position(from);
    let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol("█")
        .style(app.look.quiet());
    frame.render_stateful_widget(bar, inner, &mut state);
}

/// How many lines a pane has.
pub fn length(app: &App, pane: Pane) -> usize {
    let area = app.areas().of(pane).unwrap_or_default();
    let inner = Rect {
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
        ..area
    };
    panes::lines(app, pane, inner).lines.len()
}

/// A pane's frame. The one that has the keys is drawn thicker and in bold: not by colour alone.
fn block(app: &App, areas: &Areas, pane: Pane, width: u16) -> Block<'static> {
    let focused = app.focus == pane && app.overlay.is_none();
    let style = if focused {
        app.look.accent()
    } else {
        app.look.quiet()
    };
    let mut block = Block::bordered()
        .border_style(style)
        .title(title(app, areas, pane, width));
    if pane == Pane::Board {
        let words = cut(&panes::board::words(app), width.saturating_sub(4) as usize);
        let words = text::visible(&words);
        block = block.title_bottom(Line::styled(format!(" {words} "), app.look.theme.text));
    }
    match (focused, app.look.ascii) {
        (true, true) => block.border_set(border::Set {
            horizontal_top: "=",
            horizontal_bottom: "=",
            ..border::PLAIN
        }),
        (true, false) => block.border_type(BorderType::Thick),
        (false, _) => block,
    }
}

fn title(app: &App, areas: &Areas, pane: Pane, width: u16) -> Line<'static> {
    if is_tabbed(areas, pane) {
        return tabs(app, areas, width);
    }
    let name = format!(" {} {}", pane.number(), pane.title());
    let more = text::visible(&panes::title(app, pane)).into_owned();
    let room = (width as usize).saturating_sub(name.width() + 4);
    let more = if more.is_empty() || room < 4 {
        " ".to_owned()
    } else {
        format!(" · {} ", cut(&more, room))
    };
    let style = if app.focus == pane {
        app.look.accent()
    } else {
        app.look.theme.title
    };
    Line::from(vec![Span::styled(name, style), Span::raw(more)])
}

fn is_tabbed(areas: &Areas, pane: Pane) -> bool {
    match areas.tabs {
        Some(board) => TABS.contains(&pane) || board && pane == Pane::Board,
        None => false,
    }
}

fn tab_list(areas: &Areas) -> Vec<Pane> {
    let board = areas.tabs.unwrap_or_default().then_some(Pane::Board);
    board.into_iter().chain(TABS).collect()
}

/// The tabs, the front one in brackets.
fn tabs(app: &App, areas: &Areas, width: u16) -> Line<'static> {
    let spans = tab_texts(areas, width).into_iter().map(|(pane, text)| {
        let front = areas.of(pane).is_some();
        let style = match (front, app.focus == pane) {
            (true, true) => app.look.accent().add_modifier(Modifier::REVERSED),
            (true, false) => app.look.accent(),
            _ => Style::new(),
        };
        Span::styled(text, style)
    });
    Line::from(spans.collect::<Vec<_>>())
}

/// What stands for each tab in a frame of this width: where there is no room for all names, the last ones but for the
/// front one's are left out, and their numbers stay.
fn tab_texts(areas: &Areas, width: u16) -> Vec<(Pane, String)> {
    let room = width.saturating_sub(2) as usize;
    let list = tab_list(areas);
    let texts = |named: usize| -> Vec<(Pane, String)> {
        let text = |(place, pane): (usize, &Pane)| {
            let number = pane.number();
            let text = match (areas.of(*pane).is_some(), place < named) {
                (true, _) => format!("[{number} {}]", pane.title()),
                (false, true) => format!(" {number} {} ", pane.title()),
                (false, false) => format!(" {number} "),
            };
            (*pane, text)
        };
        list.iter().enumerate().map(text).collect()
    };
    let fits = |texts: &Vec<(Pane, String)>| {
        texts.iter().map(|(_, text)| text.width()).sum::<usize>() <= room
    };
    let found = (0..=list.len()).rev().map(texts).find(fits);
    found.unwrap_or_else(|| texts(0))
}

/// The tab whose title is at a column of a pane's frame.
pub fn tab_at(app: &App, pane: Pane, column: u16) -> Option<Pane> {
    let areas = app.areas();
    if !is_tabbed(&areas, pane) {
        return None;
    }
    let width = areas.of(pane).map_or(0, |area| area.width);
    let mut end = 1;
    let tabs = tab_texts(&areas, width).into_iter();
    let mut reached = tabs.skip_while(|(_, text)| {
        end += text.width();
        column as usize >= end
    });
    reached.next().map(|(tab, _)| tab)
}

fn draw_overlay(frame: &mut Frame<'_>, app: &App, screen: Rect) {
    match &app.overlay {
        Some(Overlay::Help { filter, from }) => help::draw(frame, app, screen, filter, *from),
        Some(Overlay::Filter(text)) => prompt::filter(frame, app, screen, text),
        Some(Overlay::Leave) => prompt::leave(frame, app, screen),
        None => {}
    }
}

/// A box in the middle of the screen.
pub fn centred(screen: Rect, width: u16, height: u16) -> Rect {
    let [row] = Layout::vertical([Constraint::Length(height)])
        .flex(ratatui::layout::Flex::Center)
        .areas(screen);
    let [area] = Layout::horizontal([Constraint::Length(width)])
        .flex(ratatui::layout::Flex::Center)
        .areas(row);
    area
}

/// Text as a widget may show it: what comes from files and users is seen, and never obeyed.
pub fn shown<'a>(text: impl Into<Text<'a>>) -> Text<'a> {
    let mut text = text.into();
    for span in text.lines.iter_mut().flat_map(|line| &mut line.spans) {
        if let Cow::Owned(visible) = text::visible(&span.content) {
            span.content = Cow::Owned(visible);
        }
    }
    text
}

/// A text that fits into so many columns.
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + c.to_string().width() >= columns {
            break;
        }
        short.push(c);
    }
    if columns > 0 {
        short.push('…');
    }
    short
}

/// A score in six columns: with three decimals, which are enough to tell neighbours apart, as long as there is room.
pub fn short(value: Score, style: text::Style) -> String {
    let full = number::score(value, style);
    let decimals = [3, 2, 1, 0].map(|decimals| format!("{:+.decimals$}", value.get()));
    let mut all = std::iter::once(full).chain(decimals);
    all.find(|text| text.width() <= 6)
        .unwrap_or_else(|| format!("{:+.0e}", value.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fit_into_six_columns() {
        for (value, text) in [
            (0.047_619, "+0.048"),
            (-12.345_67, "-12.35"),
            (123.456_78, "+123.5"),
            (99_999.0, "+99999"),
            (100_000.0, "+1e5"),
            (-123_456.789, "-1e5"),
        ] {
            let score = Score::new(value).expect("a number");
            assert_eq!(short(score, text::Style { ascii: true }), text);
        }
    }
}
