//! Draws the screen: header, footer, the panes' frames with tabs, and overlays.

use ratatui::{
    prelude::*,
    widgets::{Block, BorderType, Clear, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    engine::session::{
        breakpoints::BreakpointList,
        position::PositionReport,
        reply::Stop,
        search::Run,
        timelines::{TimelineList, TimelineReport},
    },
    text::{self, number::count, or_empty, pad},
    tui::{
        app::App,
        data::BoardOf,
        keymap::KeyLabel,
        layout::{Areas, FRAMELESS, MIN_SIZE, REST_ROWS},
        log, look, overlay,
        pane::{PlacedPane, cut, shown, tab_texts, wrapped_in},
        panes,
        sheet::SheetKeys,
        state::{Busy, Card, EngineSides, Hint, Losing, Overlay, QuizShown, ScreenState},
        timeline,
    },
};

/// Draws the whole screen.
pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let (screen, state) = (frame.area(), &app.state);
    frame.buffer_mut().set_style(screen, state.look.text);
    if screen.width < MIN_SIZE.0 || screen.height < MIN_SIZE.1 {
        too_small(frame, state, screen);
    } else {
        let areas = state.areas();
        let (above, below) = (areas.header, areas.footer);
        let has_line = !areas.timeline.is_empty();
        frame.render_widget(shown(header(state, above.width as usize, has_line)), above);
        let line = timeline::line(state, areas.timeline.width as usize);
        frame.render_widget(shown(line), areas.timeline);
        let room = message_rows(app, &areas);
        let words = message(app, below.width as usize, room.height.into());
        let [messages, below] = message_and_keys(&areas, room, words.len() as u16);
        let is_demo = matches!(state.overlay, Some(Overlay::Demo(..)));
        let is_refused = state.refusal().is_some();
        let is_said = state.status.is_some() || is_refused || progress(state).is_some();
        let is_only = areas.messages.is_empty() && is_said && !is_demo;
        let keys = key_bar(app, below.width.into(), below.height.into());
        frame.render_widget(shown(if is_only { words.clone() } else { keys }), below);
        let sheet = state.sheet.as_ref().map(|sheet| {
            let list = app.focused().and_then(|pane| Some((pane, pane.pane.cursor()?)));
            let end = list.and_then(|(pane, cursor)| cursor.end_of(&pane.pane.places(state)));
            sheet.leave_in_sight(end.map(|end| end + 1));
            sheet.area(&areas)
        });
        for pane in &app.panes {
            if let Some(area) = areas.of(pane.name) {
                let area = sheet.map_or(area, |sheet| uncovered(area, sheet, &areas));
                if !area.is_empty() {
                    draw_pane(frame, app, &areas, pane, area);
                }
            }
        }
        frame.render_widget(Clear, messages);
        frame.render_widget(shown(Text::from(words).style(state.look.text)), messages);
        overlay::draw(frame, app, &areas, screen);
    }
    if state.look.ascii {
        look::fold(frame.buffer_mut());
    }
}

/// The part of a pane above or below a sheet that covers the other part: the pane is drawn as if it ended there.
fn uncovered(area: Rect, sheet: Rect, areas: &Areas) -> Rect {
    let is_beside_board = areas.side.intersection(sheet) == sheet;
    let covers = sheet.x <= area.x && area.right() <= sheet.right();
    let has_room = |rows: u16| rows >= REST_ROWS;
    match (area.y..area.bottom()).contains(&sheet.y) {
        _ if !is_beside_board || !covers => area,
        // A pane without room for a line within its frame is left out.
        true if sheet.y > area.y && sheet.y - area.y <= FRAMELESS => Rect { height: 0, ..area },
        true if sheet.y > area.y => Rect { height: sheet.y - area.y, ..area },
        _ if area.y < sheet.bottom() && has_room(area.bottom().saturating_sub(sheet.bottom())) => {
            Rect { y: sheet.bottom(), height: area.bottom() - sheet.bottom(), ..area }
        }
        _ => area,
    }
}

fn too_small(frame: &mut Frame<'_>, state: &ScreenState, screen: Rect) {
    let text = match state.overlay {
        Some(Overlay::Unsaved(Losing::Leaving)) => "Leave without\nsaving? y or n".to_owned(),
        Some(Overlay::Sure(..) | Overlay::Unsaved(_)) => "Are you sure?\ny or n".to_owned(),
        _ => format!(
            "plyscope needs {}x{};\nthis is {}x{}.\nMake the window\nlarger, or leave\nwith q.",
            MIN_SIZE.0, MIN_SIZE.1, screen.width, screen.height
        ),
    };
    frame.render_widget(Paragraph::new(text), screen);
}

/// Draws a pane with its frame. The frame of the focused pane is thicker as well as coloured, for screens without colours.
fn draw_pane(frame: &mut Frame<'_>, app: &App, areas: &Areas, pane: &PlacedPane, area: Rect) {
    let state = &app.state;
    if area.height <= FRAMELESS {
        return pane.pane.draw(frame, state, areas, area);
    }
    let look = &state.look;
    // Only one frame is that of the keys: that of the sheet if it takes those that move a cursor.
    let in_sheet = app.sheet_keys() == SheetKeys::Cursor;
    let focused = state.focus == pane.name && state.overlay.is_none() && !in_sheet;
    let style = if focused { look.accent } else { look.quiet };
    let lines = if focused { BorderType::Thick } else { BorderType::Plain };
    let title = title(app, areas, pane, area.width);
    let block = Block::bordered().border_style(style).border_type(lines).title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if inner.is_empty() {
        return;
    }
    pane.pane.draw(frame, state, areas, inner);
    if let Some(scroll) = pane.pane.scrolled() {
        scroll.draw_bar(frame, state.look.quiet, area);
    }
}

fn title(app: &App, areas: &Areas, pane: &PlacedPane, width: u16) -> Line<'static> {
    let state = &app.state;
    if areas.tabs.contains(&pane.name) {
        return tabs(app, areas, width);
    }
    let name = format!(" {} {}", pane.number(), pane.heading());
    let title = pane.pane.title(state);
    let room = (width as usize).saturating_sub(name.width() + 6);
    let more = if title.is_empty() || title.width() > room && room < 12 {
        " ".to_owned()
    } else {
        format!(" · {} ", cut(&text::visible(&title), room))
    };
    let style = if state.focus == pane.name { state.look.accent } else { state.look.title };
    Line::from(vec![Span::styled(name, style), Span::raw(more)])
}

fn tabs(app: &App, areas: &Areas, width: u16) -> Line<'static> {
    let look = &app.state.look;
    let spans = tab_texts(&app.panes, areas, width).into_iter().flat_map(|(pane, [key, name])| {
        let (front, focused) = (areas.of(pane).is_some(), app.state.focus == pane);
        let accent = if front && focused { look.accent.reversed() } else { look.accent };
        [Span::styled(key, accent), Span::styled(name, if front { accent } else { look.text })]
    });
    spans.collect()
}

const END_OF_TRACE: &str = "■ END OF THE TRACE";
/// Stands between two groups of labels in the key bar.
const GROUP_BAR: &str = "│";
/// The greatest width of a file name in a narrow header, in columns.
const SHORT: usize = 10;

/// The header: game, state of the search, file. If there is little room, `no file` (but not `[+]`), the level, words of the state,
/// the end of the file's name, the side to move, the event (unless only the header has it) and the engine give way in turn; no
/// number is cut.
fn header(state: &ScreenState, width: usize, has_line: bool) -> Line<'static> {
    let (names, doing, mut file) = (names(state), status(state), file(state, usize::MAX));
    let number = doing.rfind(|sign: char| sign.is_ascii_digit());
    let number = number.filter(|_| progress(state).is_none()).map(|at| doing[..=at].width() + 1);
    // The state keeps its first word or two: `‖ BREAKPOINT 1`.
    let least = number.unwrap_or(0).max(15).min(doing.width());
    let is_whole = |file: &str| names[0].width() + doing.width() + file.width() <= width;
    if !is_whole(&file) && state.file.is_none() && !state.is_trace() {
        file = String::from(if state.unsaved { "  [+] " } else { " " });
    }
    let files = [file, self::file(state, SHORT)];
    let brief = doing.split_once(" at event").filter(|_| has_line);
    let brief = brief.map_or(&*doing, |(brief, _)| brief);
    let states = [(&*doing, least), (brief, brief.width())];
    let (others, short) = names[1..].split_at(names.len().saturating_sub(3));
    let mut forms = std::iter::once(others).chain(short.chunks(1)).flat_map(|names| {
        let pairs =
            states.iter().flat_map(move |state| names.iter().map(move |name| (name, state)));
        pairs.flat_map(|(name, state)| files.iter().map(move |file| (name, state, file)))
    });
    let fits = |(name, (_, least), file): &(&String, &(&str, usize), &String)| {
        name.width() + least + file.width() <= width
    };
    let (name, doing, file) = match forms.find(fits) {
        _ if is_whole(&files[0]) => (&*names[0], &*doing, &*files[0]),
        Some((name, (doing, _), file)) => (&**name, *doing, &**file),
        None => (names.last().map_or("", String::as_str), brief, ""),
    };
    let doing = cut(doing, width.saturating_sub(name.width() + file.width()));
    let line = pad(&format!("{name}{doing}"), width - file.width()) + file;
    let style = state.look.title.add_modifier(Modifier::REVERSED);
    Line::from(Span::styled(line, style))
}

/// The game with its move and side to move, the engine's side and level, or the open trace; the longest form first.
fn names(state: &ScreenState) -> Vec<String> {
    let is_start = matches!(state.overlay, Some(Overlay::Card(Card::Start, _)));
    let Some(position) = state.data.get::<PositionReport>().filter(|_| !is_start) else {
        return vec![format!(" PLYSCOPE {}  ", env!("CARGO_PKG_VERSION"))];
    };
    if state.is_trace() {
        return trace_names(state);
    }
    let game = position.game.to_uppercase();
    let turn = match state.shown {
        _ if position.finished => format!(", {}", position.result),
        BoardOf::Position => format!(", {} to move", position.side),
        // The board names the side to move in the position that it shows.
        _ => String::new(),
    };
    let level = state.level.map_or_else(String::new, |level| format!(", level {level}"));
    let engine = |level: &str| match state.engine {
        EngineSides::None => String::new(),
        sides => format!("(engine: {}{level})  ", sides.name()),
    };
    let forms =
        [(&*turn, engine(&level)), (&turn, engine("")), ("", engine("")), ("", String::new())];
    let named = |(turn, engine)| format!(" {game}  move {}{turn}  {engine}", position.move_number);
    forms.map(named).into_iter().chain([format!(" {game}  ")]).collect()
}

/// The headers for an open trace: with file, program and game, with the file alone, with the beginning of its name, and without.
fn trace_names(state: &ScreenState) -> Vec<String> {
    let file = state.trace().and_then(|trace| trace.file.rsplit('/').next());
    let program = state.trace().and_then(|trace| trace.program.as_deref());
    let names = [file, program, state.trace().and_then(|trace| trace.game.as_deref())];
    let names: Vec<_> = names.into_iter().flatten().filter(|name| !name.is_empty()).collect();
    let header = |names: &[&str]| format!(" TRACE  {}  ", text::visible(&names.join(" · ")));
    let file = names.first().copied().unwrap_or_default();
    vec![header(&names), header(&[file]), header(&[&cut(file, SHORT)]), " TRACE  ".to_owned()]
}

fn status(state: &ScreenState) -> String {
    if let Some((busy, seconds)) = progress(state) {
        return format!("… BUSY {seconds} s: {}", busy.words());
    }
    let Some(run) = state.data.get::<Run>() else { return "· no search".to_owned() };
    let searching = state.searching && !state.still;
    if searching && state.hint == Hint::Offer {
        return "▸ CONSIDERING the draw".to_owned();
    }
    let recorded = state.data.get::<TimelineList>().and_then(TimelineList::current);
    let is_replay = |it: &&TimelineReport| state.jumping || run.events < it.reached;
    if let Some(recorded) = recorded.filter(is_replay).filter(|_| searching) {
        let [events, all] = [run.events, recorded.reached].map(count);
        let what = if state.seeks { "SEEKING THE WRITER" } else { "REPLAYING" };
        return format!("▸ {what} {events} of {all} events");
    }
    if searching {
        let nodes = count(run.nodes);
        let what = if state.moving { "ENGINE'S MOVE" } else { "RUNNING" };
        // The iterations of a trace are not counted while it runs.
        let depth = or_empty((!state.is_trace()).then(|| format!("depth {}  ", run.depth + 1)));
        let spent = run.ms.filter(|ms| *ms >= 1e3).map(|ms| format!("  {:.0} s", ms / 1e3));
        return format!("▸ {what} {depth}{nodes} nodes{}", or_empty(spent));
    }
    let list = state.data.get::<TimelineList>().filter(|list| list.timelines.len() > 1);
    let timeline = list.and_then(TimelineList::current);
    let timeline = timeline.map(|now| format!(", timeline {}", text::visible(&now.name)));
    let breakpoint = run.breakpoint.or_else(|| timeline::breakpoint_here(state));
    let why = match (run.stopped, breakpoint) {
        (_, Some(id)) => format!("‖ {} {id}", kind_of_stop(state, id)),
        (Some(Stop::Interrupt), _) => "‖ INTERRUPTED".to_owned(),
        (Some(Stop::Time), _) => "■ DONE time is up".to_owned(),
        (Some(Stop::Budget), _) => format!("■ DONE {} nodes", count(run.nodes)),
        (Some(Stop::End), _) => END_OF_TRACE.to_owned(),
        (None, _) if state.is_at_end_of_trace() => END_OF_TRACE.to_owned(),
        (Some(Stop::Depth), _) => format!("■ DONE depth {}", run.depth),
        (Some(_), _) => format!("■ DECIDED depth {}", run.depth),
        (None, _) => "‖ PAUSED".to_owned(),
    };
    if state.hint != Hint::None {
        // The search for a hint is about the game: its events are nothing to go to.
        return why;
    }
    // Events are numbered from 0.
    let event = run.events.checked_sub(1);
    let here = event.map_or("the start".to_owned(), |event| format!("event {}", count(event)));
    format!("{why} at {here}{}", timeline.unwrap_or_default())
}

fn kind_of_stop(state: &ScreenState, id: u32) -> &'static str {
    let list = state.data.get::<BreakpointList>().into_iter();
    let mut points = list.flat_map(|list| &list.breakpoints);
    let is_watch = points.any(|point| point.id == id && point.command.contains("watch"));
    if is_watch { "WATCHPOINT" } else { "BREAKPOINT" }
}

/// The name of the file in at most `most` columns, or the number of findings in the open trace.
fn file(state: &ScreenState, most: usize) -> String {
    let quiz = state.quiz.map(|QuizShown { right, asked, .. }| match asked {
        _ if state.asks() && state.sheet.is_none() => "  QUIZ: Space asks again".to_owned(),
        0 => "  QUIZ".to_owned(),
        asked => format!("  QUIZ {right} of {asked} right"),
    });
    let quiz = or_empty(quiz);
    if state.is_trace() {
        let found = state.trace().map_or_else(String::new, panes::findings_summary);
        return format!("{quiz}  {found} ");
    }
    let file = state.file.as_ref().and_then(|file| file.file_name());
    let name = file.map_or("no file".into(), |name| name.to_string_lossy());
    let changed = if state.unsaved { " [+]" } else { "" };
    format!("{quiz}  {}{changed} ", cut(&name, most))
}

/// The command that has been running for a while, and for how many seconds.
fn progress(state: &ScreenState) -> Option<(&Busy, u64)> {
    state.busy.as_ref().and_then(|busy| Some((busy, busy.seconds?)))
}

/// The row of messages, with the row that a long message covers: that of the closed command pane or, if it has none, the first of
/// two rows of keys, or else the lower frame of the panes.
fn message_rows(app: &App, areas: &Areas) -> Rect {
    let messages = areas.messages;
    let prompt = areas.of(app.command()).unwrap_or_default();
    let height = messages.height + 1;
    match prompt == messages {
        _ if messages.is_empty() || prompt.height > 1 => messages,
        true if areas.footer.height > 1 => Rect { height, ..messages },
        true if app.state.sheet.is_some() => messages,
        _ => Rect { y: messages.y.saturating_sub(1), height, ..messages },
    }
}

/// The rows of a message of `rows` rows within its `room`, and those of the key bar.
fn message_and_keys(areas: &Areas, room: Rect, rows: u16) -> [Rect; 2] {
    let rows = rows.min(room.height);
    let y = if room.y == areas.messages.y { room.y } else { room.bottom() - rows };
    let messages = Rect { y, height: rows, ..room };
    let keys = areas.footer;
    let top = keys.y.max(messages.bottom());
    [messages, Rect { y: top, height: keys.bottom() - top, ..keys }]
}

/// The progress of a long command, the last message in at most `rows` rows, or the next step of a move on the board.
fn message(app: &App, width: usize, rows: usize) -> Vec<Line<'static>> {
    let state = &app.state;
    if let Some((busy, _)) = progress(state) {
        // Columns are left for the key that stops the command.
        let (stop, room) = (state.key("interrupt"), width.saturating_sub(15));
        let operation = busy.operation.as_ref().and_then(|operation| operation.line(room));
        let text = operation.unwrap_or_else(|| cut(&text::visible(&busy.words()), room));
        let key = Span::styled(format!(" {stop}"), state.look.accent);
        return vec![vec![Span::raw(format!(" {text} ")), key, Span::raw(" stop ")].into()];
    }
    if let Some(refusal) = state.refusal() {
        return vec![Line::raw(cut(&format!(" {refusal}"), width))];
    }
    if let Some((kind, text)) = &state.status {
        let style = match kind {
            log::LogLine::Failure => state.look.warning,
            log::LogLine::Reply => state.look.quiet,
            _ => state.look.title,
        };
        let mark = kind.mark();
        let lines = wrapped_in(&text::visible(text), width - 1 - mark.width(), rows.max(1));
        let marks = std::iter::once(mark).chain(std::iter::repeat("  "));
        let lines = lines.iter().zip(marks).map(|(line, mark)| format!(" {mark}{line}"));
        return lines.map(|line| Line::styled(line, style)).collect();
    }
    if matches!(
        state.overlay,
        Some(Overlay::Unsaved(_) | Overlay::Sure(..) | Overlay::Card(Card::Start, _))
    ) {
        return Vec::new();
    }
    // A line that was begun and left is in sight: the closed command pane may share the row.
    let is_left = state.has_text && state.focus != app.command();
    let mut panes = app.panes.iter().filter(|_| !is_left);
    let words = panes.find_map(|pane| pane.pane.says(state)).filter(|words| !words.is_empty());
    let line = |words: String| Line::raw(cut(&format!(" {}", text::visible(&words)), width));
    words.map(line).into_iter().collect()
}

/// The word at the left of the last row, which says where keys go.
fn mode(app: &App) -> String {
    match &app.state.overlay {
        Some(Overlay::Help(..)) => "HELP".to_owned(),
        Some(Overlay::Demo(..)) => "DEMO".to_owned(),
        Some(Overlay::Card(card, _)) => <&str>::from(card).to_owned(),
        Some(Overlay::Unsaved(_) | Overlay::Sure(..)) => "QUESTION".to_owned(),
        None if !app.answers().is_empty() => "QUIZ".to_owned(),
        None if app.sheet_keys() == SheetKeys::Cursor => "ANSWER".to_owned(),
        None => app.focused().map_or_else(String::new, |pane| {
            let question = pane.pane.question(&app.state).map(|question| question.name);
            question.unwrap_or(pane.name).to_uppercase()
        }),
    }
}

/// The rows of the key bar: as many labels as fit, the most important first. If others are left, the label of F1 is `more`. The
/// last row begins with the word of [`mode`].
fn key_bar(app: &App, width: usize, rows: usize) -> Vec<Line<'static>> {
    let (state, areas) = (&app.state, app.state.areas());
    let mode =
        Span::styled(format!(" {} ", mode(app)), state.look.title.add_modifier(Modifier::REVERSED));
    let room = width.saturating_sub(mode.width());
    let mut labels = app.labels_of(state.overlay.as_ref());
    if areas.of(app.command()).is_some_and(|prompt| prompt != areas.messages) {
        // The closed command pane names the key that opens it.
        labels.retain(|label| label.keys() != state.key("command"));
    }
    let kept = fitting(&labels, rows, room);
    let is_whole = kept.len() == labels.len();
    let spans = |label: &KeyLabel| {
        let text = if label.text == "help" && !is_whole { "more" } else { &label.text };
        key_spans(state, label, text)
    };
    let mut lines = vec![Line::from(" ".repeat(mode.width())); rows.saturating_sub(1)];
    lines.push(mode.into());
    for (line, labels) in lines.iter_mut().zip(in_rows(&kept, rows, room).unwrap_or_default()) {
        for (at, label) in labels.iter().enumerate() {
            let bar = begins_group(&labels[..at], label).then_some(GROUP_BAR);
            line.spans.extend(bar.map(|bar| Span::styled(bar, state.look.quiet)));
            line.spans.extend(spans(label));
        }
    }
    lines
}

/// As many of these labels as fit into rows of `room` columns, the most important first.
fn fitting(labels: &[KeyLabel], rows: usize, room: usize) -> Vec<&KeyLabel> {
    let mut kept = Vec::new();
    for label in labels {
        kept.push(label);
        if in_rows(&kept, rows, room).is_none() {
            kept.pop();
        }
    }
    kept
}

fn key_spans(state: &ScreenState, label: &KeyLabel, text: &str) -> [Span<'static>; 2] {
    let keys = Span::styled(format!(" {}", label.keys()), state.look.accent);
    [keys, Span::raw(format!(" {text} "))]
}

/// Whether a label has another group than the last one before it in its row.
fn begins_group(before: &[&KeyLabel], label: &KeyLabel) -> bool {
    before.last().is_some_and(|last| last.place.0 != label.place.0)
}

/// Sorts the labels by their places and divides them among the rows of the key bar: all in the last row, or equal shares if there
/// is no room for that; `None` if they do not fit. `room`: the columns of a row.
fn in_rows<'a>(
    labels: &[&'a KeyLabel],
    rows: usize,
    room: usize,
) -> Option<Vec<Vec<&'a KeyLabel>>> {
    let mut labels = labels.to_vec();
    labels.sort_by_key(|label| label.place);
    let width = |before: &[&KeyLabel], label: &KeyLabel| {
        label.width() + if begins_group(before, label) { GROUP_BAR.width() } else { 0 }
    };
    let all: usize = labels.iter().enumerate().map(|(at, label)| width(&labels[..at], label)).sum();
    let share = if all <= room { all } else { all.div_ceil(rows) };
    let divided = |share: usize| {
        let mut lines = vec![Vec::new()];
        let mut used = 0;
        for label in &labels {
            if used >= share.max(1) || used + width(lines.last()?, label) > room {
                lines.push(Vec::new());
                used = 0;
            }
            let line: &mut Vec<_> = lines.last_mut()?;
            used += width(line, label);
            line.push(*label);
        }
        let free = rows.checked_sub(lines.len())?;
        lines.splice(..0, vec![Vec::new(); free]);
        Some(lines)
    };
    divided(share).or_else(|| divided(room))
}
