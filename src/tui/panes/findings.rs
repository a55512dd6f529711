//! The findings pane: the errors that checks have found in the open trace, and the trace's line for the current event.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::session::{
        reply::Reply,
        search::StopReport,
        trace::{Finding, OpenTrace},
    },
    text::{
        number::{count, counted, percent},
        or_empty,
    },
    tui::{
        keymap::FindingsPaneAction,
        log::LogLine,
        look::Theme,
        pane::{
            Areas, Binding, ListCursor, ListRow, Pane, PaneAction, Places, Query, ScreenState, cut,
            own, rule, shown, wrapped, wrapped_in,
        },
    },
};

/// The number of findings on a page. Two pages of each check are listed, because rows are laid out anew for every frame.
const PAGE: usize = 100;
/// The least width, in columns, that ply and key leave for a finding without sides.
const REST: usize = 46;
/// The greatest width of a key beside a finding, in columns.
const KEY: usize = 18;
/// The headings of the two sides of findings.
const HEADS: [&str; 2] = ["trace", "against"];
/// The least width, in columns, for which rows are wrapped.
const NARROW: usize = 16;
/// The least height of the list, in rows, if there are that many findings and the pane is not low.
const LEAST: u16 = 7;

#[derive(Debug, Default)]
pub struct FindingsPane {
    cursor: ListCursor,
    /// The current event, to notice changes.
    event: Option<u64>,
    /// Whether the user has moved the cursor since the event changed: then the text below the list is that of the selected finding.
    is_moved: bool,
    /// The file of the open trace once it has a place to go to: its first finding or, if it has none, its end.
    file: Option<String>,
    /// Whether the user has gone to an event of the open trace: then the pane goes nowhere by itself.
    is_visited: bool,
    /// The command lines of the rows and the width for which they are wrapped, to keep the cursor at its row as rows are added.
    listed: (Vec<Option<String>>, usize),
    /// The reason, last announced, why reading the trace ended early.
    unread: Option<String>,
    /// The width of the pane when it was last drawn, in columns, to which rows are wrapped.
    columns: Cell<usize>,
    /// The rows last laid out, because hundreds of findings take milliseconds, and a key asks for their rows several times.
    laid_out: RefCell<Vec<(RowsOf, Rc<Vec<ListRow>>)>>,
}

/// What the rows of the pane depend on: the file, how far it is checked, the number of findings, the current event, the width and the
/// theme.
type RowsOf = (String, u64, usize, Option<u64>, usize, &'static str);

impl Pane for FindingsPane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        vec![Query::Trace, Query::Stack]
    }

    fn title(&self, state: &ScreenState) -> String {
        state.trace().map_or_else(String::new, summary)
    }

    fn rows_needed(&self, state: &ScreenState, columns: u16) -> usize {
        let fixed = pinned(state, columns, u16::MAX).len() + details(state, columns, None).len();
        self.rows_in(state, columns.into()).len() + fixed
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        self.wrap_to(room.width.into(), state);
        let rows = self.rows(state);
        let top = pinned(state, room.width, room.height / 3);
        let now = state.data.event().map(|event| event.index);
        let is_shown = |it: &&Finding| self.is_moved || Some(it.event) == now;
        let below = details(state, room.width, self.finding(state).filter(is_shown));
        // A low pane has the text of the selected finding rather than a long list.
        let least = LEAST.min(rows.len() as u16).min((room.height / 3).max(2));
        let free = room.height.saturating_sub(least);
        let height = (below.len() as u16).min(free);
        let head = (top.len() as u16).min(free - height);
        let heights = [Constraint::Length(head), Constraint::Fill(1), Constraint::Length(height)];
        let [head, list, rest] = Layout::vertical(heights).areas(room);
        frame.render_widget(shown(top), head);
        self.cursor.draw(frame, &state.look, &rows, true, list);
        frame.render_widget(shown(below), rest);
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn on_cursor(&mut self, _: &mut ScreenState, _: usize) {
        self.is_moved = true;
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::of(&self.rows(state))
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            own(FindingsPaneAction::FindingGo, "enter", "goes to the selected finding"),
            own(FindingsPaneAction::FindingOther, "g", "goes to the event that the selected finding contradicts, and back"),
        ]
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let command = if action == PaneAction::Findings(FindingsPaneAction::FindingGo) {
            self.event_line(state).ok_or("there is no finding to go to")
        } else {
            let other = self.counterpart(state).map(|it| format!("goto {it}"));
            let why = match state.trace() {
                Some(trace) if !trace.found.findings.is_empty() => {
                    "the selected finding is not held against another event"
                }
                _ => "the trace has no findings so far",
            };
            other.ok_or(why)
        };
        match command {
            Ok(line) => state.run(line),
            Err(why) => state.say(why),
        }
    }

    fn event_line(&self, state: &ScreenState) -> Option<String> {
        self.cursor.command(&self.rows(state))
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        match self.counterpart(state) {
            _ if state.trace().is_none_or(|trace| trace.found.findings.is_empty()) => {
                "step+back:step continue+back-continue:continue start+end:ends"
            }
            None => {
                "finding-go:go why landmark+back-landmark:landmark step+back:step start+end:ends"
            }
            _ => {
                "finding-go:go why landmark+back-landmark:landmark finding-other:against start+end:ends"
            }
        }
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        self.is_visited |= reply.is_some_and(<dyn Reply>::is::<StopReport>);
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        self.go_to_first(state);
        let is_kept = self.keep_row(state);
        let unread = state.trace().and_then(|trace| trace.unread.clone());
        let before = std::mem::replace(&mut self.unread, unread.clone());
        if let Some(why) = unread.filter(|_| before != self.unread) {
            let text = format!("the trace is read in part: {why}");
            state.log.add(LogLine::Note, text.as_str());
            state.say(text);
        }
        let event = state.data.event().map(|event| event.index);
        if std::mem::replace(&mut self.event, event) != event {
            self.is_moved = false;
            if is_kept { self.select_current(state) } else { self.select_nearest(state) }
        }
    }
}

impl FindingsPane {
    /// Goes to the first finding of a trace when it is found, or to the end of a trace without findings, unless the user has left
    /// the start or may do so in the line that opened it.
    fn go_to_first(&mut self, state: &mut ScreenState) {
        let Some(trace) = state.trace() else { return self.is_visited = false };
        if state.has_more {
            return;
        }
        let first = trace.found.findings.iter().map(|it| it.event).min();
        let place = first.map(|event| event.to_string());
        let place = place.or_else(|| trace.done.then(|| "end".to_owned()));
        let file = place.as_ref().map(|_| trace.file.clone());
        let is_new = std::mem::replace(&mut self.file, file.clone()) != file;
        let is_untouched = !self.is_visited && state.data.event().is_none();
        if let Some(place) = place.filter(|_| is_new && is_untouched) {
            state.jump(format!("goto {place}"));
        }
    }

    /// Moves the cursor with its row if rows have been added. `false` if that row is no longer listed.
    fn keep_row(&mut self, state: &ScreenState) -> bool {
        let listed = self.rows(state).iter().map(|row| row.command.clone()).collect();
        let (before, columns) = std::mem::replace(&mut self.listed, (listed, self.columns.get()));
        let listed = &self.listed.0;
        let is_longer = columns == self.columns.get() && before != *listed;
        let chosen = before.get(self.cursor.row()).filter(|it| is_longer && it.is_some());
        let Some(chosen) = chosen else { return true };
        let row = listed.iter().position(|it| it == chosen);
        row.inspect(|row| self.cursor.select(*row)).is_some()
    }

    /// Wraps the rows to a width. The selected finding stays selected.
    fn wrap_to(&self, width: usize, state: &ScreenState) {
        if self.columns.get() == width {
            return;
        }
        let chosen = self.event_line(state).filter(|_| self.columns.get() > 0);
        self.columns.set(width);
        let rows = self.rows(state);
        match rows.iter().position(|row| chosen.is_some() && row.command == chosen) {
            Some(row) => self.cursor.select(row),
            None => self.select_current(state),
        }
    }

    /// Selects the row of the finding at the current event. At other events, the selected finding stays.
    fn select_current(&self, state: &ScreenState) {
        let (Some(now), Some(trace)) = (state.data.event(), state.trace()) else { return };
        let events = trace.found.findings.iter().map(|finding| finding.event);
        let is_here = events.into_iter().any(|event| event == now.index);
        if let Some(finding) = self.finding(state)
            && (!is_here || finding.other == Some(now.index))
        {
            return;
        }
        self.select_nearest(state);
    }

    /// Selects the last finding up to the current event, or else the first one.
    fn select_nearest(&self, state: &ScreenState) {
        let Some(trace) = state.trace() else { return };
        let now = state.data.event().map_or(0, |now| now.index);
        let events = trace.found.findings.iter().map(|finding| finding.event);
        let before = events.clone().filter(|event| *event <= now).max();
        let Some(event) = before.or_else(|| events.min()) else { return };
        let line = Some(format!("goto {event}"));
        if let Some(row) = self.rows(state).iter().position(|row| row.command == line) {
            self.cursor.select(row);
        }
    }

    /// The event that the selected finding contradicts; at that event, the event of the finding. If no finding is selected, the
    /// finding at the current event takes its place.
    fn counterpart(&self, state: &ScreenState) -> Option<u64> {
        let (now, findings) = (state.data.event()?.index, &state.trace()?.found.findings);
        let is_here = |it: &&Finding| it.event == now || it.other == Some(now);
        let finding = self.finding(state).or_else(|| findings.iter().find(is_here))?;
        if finding.other == Some(now) { Some(finding.event) } else { finding.other }
    }

    /// The finding that the cursor is on; `None` on another row.
    fn finding<'a>(&self, state: &'a ScreenState) -> Option<&'a Finding> {
        let line = self.event_line(state);
        let mut findings = state.trace()?.found.findings.iter();
        findings.find(|it| line == Some(format!("goto {}", it.event)))
    }

    fn rows(&self, state: &ScreenState) -> Rc<Vec<ListRow>> {
        self.rows_in(state, self.columns.get().max(NARROW))
    }

    fn rows_in(&self, state: &ScreenState, width: usize) -> Rc<Vec<ListRow>> {
        let Some(trace) = state.trace() else { return Rc::new(rows(state, width)) };
        let (found, event) = (&trace.found, state.data.event().map(|event| event.index));
        let findings = found.findings.len();
        let of = (trace.file.clone(), found.events, findings, event, width, state.look.name);
        let mut laid_out = self.laid_out.borrow_mut();
        if let Some((_, rows)) = laid_out.iter().find(|(known, _)| *known == of) {
            return Rc::clone(rows);
        }
        let rows = Rc::new(rows(state, width));
        laid_out.insert(0, (of, Rc::clone(&rows)));
        // The rows of the pane, and those for the width from which its height follows.
        laid_out.truncate(2);
        rows
    }
}

/// The finding at the current event, if there is one.
pub fn here(state: &ScreenState) -> Option<&Finding> {
    let event = state.data.event()?.index;
    state.trace()?.found.findings.iter().find(|finding| finding.event == event)
}

/// The number of findings, and how much of the trace has been read.
pub fn summary(trace: &OpenTrace) -> String {
    let found: u64 = trace.found.counts.values().sum();
    let number = match found {
        0 if !trace.done => String::new(),
        0 => "no findings".to_owned(),
        found => format!("✗ {}", counted(found, "finding", "findings")),
    };
    let number = if trace.unread.is_some() { format!("incomplete  {number}") } else { number };
    let (done, total) = trace.part;
    let read = percent(done, total).filter(|_| !trace.done);
    let read = or_empty(read.map(|share| format!("checking {share}  ")));
    format!("{read}{number}").trim_end().to_owned()
}

/// The findings grouped by check, those of each check below its name.
fn rows(state: &ScreenState, width: usize) -> Vec<ListRow> {
    let look = &state.look;
    let Some(trace) = state.trace() else {
        return vec![ListRow::plain("No trace is open.", look.text)];
    };
    let mut rows = Vec::new();
    let said = |text: String, style| {
        wrapped(&text, width).into_iter().map(move |line| ListRow::plain(line, style))
    };
    if trace.found.counts.is_empty() {
        let last = trace.found.events.saturating_sub(1);
        rows.extend(said(format!("Nothing is wrong up to event {}.", count(last)), look.text));
    }
    for (check, number) in &trace.found.counts {
        let meaning = OpenTrace::meaning(check);
        rows.extend(said(format!("✗ {check} {}: {meaning}", count(*number)), look.title));
        let shared = trace.shared(check).unwrap_or_default();
        let shared = wrapped(&shared, width.saturating_sub(2)).into_iter();
        let shared = shared.filter(|line| !line.is_empty());
        rows.extend(shared.map(|line| ListRow::plain(format!("  {line}"), look.text)));
        let own: Vec<_> = trace.found.findings.iter().filter(|it| it.check == *check).collect();
        let now = state.data.event().map_or(0, |event| event.index);
        let (first, end) = page(&own, now);
        let others = |number: u64, place: &str, next: Option<&&Finding>| {
            let text = format!("  and {} {place}", count(number));
            let to = |next: &&Finding| {
                ListRow::to(format!("goto {}", next.event), text.clone(), look.quiet)
            };
            (number > 0).then(|| next.map_or_else(|| ListRow::plain(text.clone(), look.quiet), to))
        };
        rows.extend(others(first as u64, "before", first.checked_sub(1).map(|last| &own[last])));
        rows.extend(listed(&own[first..end], width, look));
        rows.extend(others(number.saturating_sub(end as u64), "more", own.get(end)));
    }
    rows
}

/// The findings that are listed, around the event `now`: a page before and a page after, which small moves do not change.
fn page(findings: &[&Finding], now: u64) -> (usize, usize) {
    let here = findings.partition_point(|finding| finding.event < now);
    let first = (here / PAGE).saturating_sub(1) * PAGE;
    (first, findings.len().min(first + 2 * PAGE))
}

/// The findings of a check, a row each. Findings that compare two values are rows of a table: value in the trace, value expected.
fn listed(findings: &[&Finding], width: usize, look: &Theme) -> Vec<ListRow> {
    let widest =
        |of: &dyn Fn(&Finding) -> usize| findings.iter().map(|it| of(it)).max().unwrap_or(0);
    let side = |at: usize| widest(&|it| it.brief().1.map_or(0, |sides| sides[at].width()));
    let [has, due] = [0, 1].map(|at| side(at).max(HEADS[at].len()));
    let has_sides = side(1) > 0;
    let events = widest(&|it| count(it.event).len()).max("event".len());
    let placed = |event: &str, ply: &str, key: &str, parts: usize| {
        let place = [format!("  {ply:<6}"), format!(" {key}")][..parts].concat();
        format!("  {event:>events$}{place}  ")
    };
    let lead = |finding: &Finding, parts: usize| {
        let Finding { event, ply, key, .. } = finding;
        let key = cut(key.as_deref().unwrap_or_default(), KEY);
        placed(&count(*event), &format!("ply {ply}"), &key, parts)
    };
    // Ply and key are shown as far as they leave room for the rest.
    let leads = |parts: usize| widest(&|it| lead(it, parts).width());
    let need = if has_sides { has + due + 3 } else { REST };
    let parts = (1..3).rev().find(|parts| leads(*parts) + need <= width).unwrap_or(0);
    let (before, room) = (leads(parts), width.saturating_sub(leads(parts)));
    // If the two values do not fit side by side, the trace's value is written without its depth (if all findings have the same) or
    // cut; if no more than half of it fits, it is left out.
    let left = has.min(room.saturating_sub(due + 2).max(room / 4));
    let traced: Vec<_> = findings.iter().filter_map(|it| Some(it.brief().1?[0].clone())).collect();
    let depth = traced.first().and_then(|text| Some(text[text.rfind(" depth ")?..].to_owned()));
    let depth = depth.filter(|depth| traced.iter().all(|text| text.ends_with(depth)));
    let depth = or_empty(depth);
    let least = traced.iter().map(|text| text.strip_suffix(&*depth).unwrap_or(text).width()).max();
    let is_left_out = least.is_some_and(|least| 2 * left <= least);
    let beside = |[has, due]: &[String; 2]| {
        if is_left_out {
            return cut(due, room);
        }
        let shorter = has.strip_suffix(&*depth).filter(|_| has.width() > left);
        cut(&format!("{:<left$}  {due}", cut(shorter.unwrap_or(has), left)), room)
    };
    let rows = findings.iter().flat_map(|finding| {
        let texts = match finding.brief() {
            (_, Some(sides)) => vec![beside(&sides)],
            (text, None) => wrapped(&text, room),
        };
        let row = |(at, text): (usize, &String)| match at {
            0 => {
                let text = format!("{:<before$}{text}", lead(finding, parts));
                ListRow::to(format!("goto {}", finding.event), text, look.text)
            }
            _ => ListRow::plain(" ".repeat(before) + text, look.text),
        };
        texts.iter().enumerate().map(row).collect::<Vec<_>>()
    });
    let sides = or_empty(has_sides.then(|| beside(&HEADS.map(str::to_owned))));
    let heads = format!("{:<before$}{sides}", placed("event", "", "key", parts));
    std::iter::once(ListRow::head(heads, look.quiet)).chain(rows).collect()
}

/// The lines that stay in view above the list: why reading the trace ended early, and the diagnosis in at most `rows` rows.
fn pinned(state: &ScreenState, width: u16, rows: u16) -> Vec<Line<'static>> {
    let Some(trace) = state.trace() else { return Vec::new() };
    let unread = trace.unread.as_ref().map(|why| format!("Read up to here: {why}"));
    let unread = unread.map(|text| (wrapped(&text, width.into()), state.look.warning));
    let diagnosis = trace.found.diagnosis.as_ref().map(|diagnosis| {
        (wrapped_in(diagnosis, width.into(), rows.max(1).into()), state.look.title)
    });
    let texts = unread.into_iter().chain(diagnosis);
    texts
        .flat_map(|(text, style)| text.into_iter().map(move |it| Line::styled(it, style)))
        .collect()
}

/// The finding `chosen`, or else the one at the current event, in full; for the current event, also its line in the trace file.
fn details(state: &ScreenState, width: u16, chosen: Option<&Finding>) -> Vec<Line<'static>> {
    let (look, columns) = (&state.look, usize::from(width));
    let Some(event) = state.data.event().filter(|_| state.is_trace()) else { return Vec::new() };
    let mut texts = Vec::new();
    if let Some(finding) = chosen.or_else(|| here(state)) {
        let key = chosen.is_some() && state.focus == super::FINDINGS;
        let key = or_empty(key.then_some(": g goes there"));
        let other = finding.other.map(|other| format!(" (event {}{key})", count(other)));
        let text = format!("✗ {}{}", finding.brief().0, or_empty(other));
        texts.extend(wrapped(&text, columns).into_iter().map(|text| (text, look.warning)));
    }
    let index = chosen.map_or(event.index, |finding| finding.event);
    let mut head = format!("event {}", count(index));
    if index == event.index {
        head += &or_empty(event.line_number.map(|number| format!(", line {}", count(number))));
        let line = event.trace_line.as_deref().unwrap_or_default();
        let has_none =
            texts.is_empty() && state.trace().is_some_and(|it| !it.found.findings.is_empty());
        head += if has_none { ": no finding" } else { "" };
        texts.extend(wrapped(line, columns).into_iter().map(|text| (text, look.text)));
    } else {
        head += &or_empty(state.key_to("finding-go", "goes there").map(|it| format!(": {it}")));
    }
    let lines = texts.into_iter().map(|(text, style)| Line::styled(text, style));
    std::iter::once(rule(&head, columns, look)).chain(lines).collect()
}
