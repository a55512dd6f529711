//! The time line under the header: the recording as a strip, with iterations, breakpoint hits, marks, branches and where
//! the search stands; beside it the other timelines of the search. Clicks and keys move along it.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{pane::cut, state::ScreenState};
use crate::{
    engine::reply::{IterationReport, TimelineList, TimelineReport},
    text::{self, number::count},
};

/// Columns that an iteration has at least, where there is room.
const LEAST: usize = 4;
/// Columns that the strip has at least beside the names of other timelines: so large a part of the line.
const SHARE: usize = 2;
/// Columns for what was changed on another timeline.
const EDIT: usize = 18;

/// What a sign on the strip stands for. Later ones cover earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Landmark {
    /// An iteration begins.
    Iteration,
    /// Another timeline branches off.
    Branch,
    /// A breakpoint has stopped the search.
    Hit,
    /// A moment that has a name.
    Mark,
    /// The search stands here.
    Here,
}

impl Landmark {
    const fn sign(self) -> char {
        match self {
            Self::Iteration => '┼',
            Self::Branch => '┬',
            Self::Hit => '●',
            Self::Mark => '◇',
            Self::Here => '◆',
        }
    }

    const fn style(self, state: &ScreenState) -> Style {
        match self {
            Self::Iteration => state.look.quiet,
            Self::Branch | Self::Mark => state.look.accent,
            Self::Hit => state.look.warning,
            Self::Here => state.look.selected,
        }
    }
}

/// The timeline at hand with what there is to see on it, in the order in which it is drawn.
struct Recorded<'a> {
    list: &'a TimelineList,
    now: &'a TimelineReport,
    /// Each with its event and, for a mark, its name.
    landmarks: Vec<(Landmark, u64, &'a str)>,
}

impl<'a> Recorded<'a> {
    /// Nothing where no recorded search is under way.
    fn of(state: &'a ScreenState) -> Option<Self> {
        let list = state.data.get::<TimelineList>()?;
        let now = list.current()?;
        let end = now.reached.checked_sub(1).filter(|end| *end >= now.begins)?;
        let mut landmarks: Vec<_> =
            now.iterations.iter().map(|it| (Landmark::Iteration, it.event, "")).collect();
        for timeline in &list.timelines {
            let Some(parting) = list.parting(&timeline.name) else {
                continue;
            };
            let hits = timeline.stops.iter().filter(|hit| hit.event <= parting);
            landmarks.extend(hits.map(|hit| (Landmark::Hit, hit.event, "")));
            let marks = list.marks.iter().filter(|mark| mark.timeline == timeline.name);
            let marks = marks.filter(|mark| mark.event <= parting);
            landmarks.extend(marks.map(|mark| (Landmark::Mark, mark.event, mark.name.as_str())));
            if !timeline.current {
                landmarks.push((Landmark::Branch, parting, ""));
            }
        }
        landmarks.retain(|(_, event, _)| (now.begins..=end).contains(event));
        landmarks.sort_unstable();
        Some(Self { list, now, landmarks })
    }

    /// The event that has happened last; none before the first.
    fn here(&self) -> Option<u64> {
        self.now.events.checked_sub(1).filter(|event| *event >= self.now.begins)
    }
}

/// The breakpoint that has stopped the search where it stands, then or before.
pub fn breakpoint_here(state: &ScreenState) -> Option<u32> {
    let recorded = Recorded::of(state)?;
    let here = recorded.here()?;
    let kin = |name: &str| recorded.list.parting(name).is_some_and(|parting| here <= parting);
    let timelines = recorded.list.timelines.iter().filter(|timeline| kin(&timeline.name));
    let mut hits = timelines.flat_map(|timeline| &timeline.stops);
    hits.find(|hit| hit.event == here).map(|hit| hit.breakpoint)
}

/// The event of the next landmark, or of the one before; the end or the beginning after the last one.
pub fn beside(state: &ScreenState, forwards: bool) -> Option<u64> {
    let recorded = Recorded::of(state)?;
    let here = recorded.here();
    let ends = [recorded.now.begins, recorded.now.reached - 1];
    let events = recorded.landmarks.iter().map(|(_, event, _)| *event).chain(ends);
    if forwards {
        events.filter(|event| Some(*event) > here).min()
    } else {
        events.filter(|event| Some(*event) < here).max()
    }
}

/// A column of the line: what is seen there, and the command line that a click on it runs.
struct LineCell {
    text: String,
    style: Style,
    command: Option<String>,
}

/// The line in so many columns.
pub fn line(state: &ScreenState, width: usize) -> Line<'static> {
    cells(state, width).into_iter().map(|cell| Span::styled(cell.text, cell.style)).collect()
}

/// The command line that a click on a column runs.
pub fn command_at(state: &ScreenState, width: usize, column: usize) -> Option<String> {
    let mut from = 0;
    let mut cells = cells(state, width).into_iter();
    let cell = cells.find(|cell| {
        from += cell.text.width();
        from > column
    });
    cell?.command
}

fn cells(state: &ScreenState, width: usize) -> Vec<LineCell> {
    let Some(recorded) = Recorded::of(state) else {
        return Vec::new();
    };
    let blank =
        |text: &str| LineCell { text: text.to_owned(), style: state.look.text, command: None };
    let mut beside = vec![blank(&format!(" {} ", place(&recorded)))];
    let mut room = (width / SHARE).saturating_sub(beside[0].text.width());
    for branch in branches(&recorded, state) {
        let needed = branch.text.width() + 1;
        if needed > room {
            break;
        }
        room -= needed;
        beside.extend([branch, blank(" ")]);
    }
    let used: usize = beside.iter().map(|cell| cell.text.width()).sum();
    let mut cells = vec![blank(" ")];
    cells.extend(strip(&recorded, state, width.saturating_sub(used + 1)));
    cells.extend(beside);
    cells
}

/// Where the search stands, and how far it went; as wide wherever it stands.
fn place(recorded: &Recorded<'_>) -> String {
    let here = recorded.here().map_or_else(|| "start".to_owned(), count);
    let last = count(recorded.now.reached - 1);
    format!("{here:>0$} / {last}", last.len().max("start".len()))
}

/// The other timelines of the search, each with what was changed on it.
fn branches(recorded: &Recorded<'_>, state: &ScreenState) -> Vec<LineCell> {
    let TimelineList { timelines, .. } = recorded.list;
    let kin = timelines
        .iter()
        .rev()
        .filter(|other| !other.current && recorded.list.parting(&other.name).is_some());
    let named = kin.map(|other| {
        let own = other.edits.iter().rev().find(|edit| !recorded.now.edits.contains(edit));
        let edit = own.and_then(|edit| edit.split_once(": "));
        let edit = edit
            .map_or(String::new(), |(_, words)| format!(" {}", cut(&text::visible(words), EDIT)));
        LineCell {
            text: format!("└─{}─▸{edit}", cut(&text::visible(&other.name), EDIT)),
            style: state.look.accent,
            command: Some(format!("timeline use '{}'", other.name)),
        }
    });
    named.collect()
}

/// Events laid out along columns, so that even a short iteration is seen: each has a few columns, and more by its length.
struct Scale {
    /// The first event and the first column of each iteration; the last event and the last column.
    stretches: Vec<(u64, usize)>,
}

impl Scale {
    fn new(now: &TimelineReport, columns: usize) -> Self {
        let (first, last, end) = (now.begins, now.reached - 1, columns.saturating_sub(1));
        let later = now.iterations.iter().map(|it| it.event);
        let mut starts = vec![first];
        starts.extend(later.filter(|event| (first + 1..last).contains(event)));
        let each = (end / (2 * starts.len())).min(LEAST);
        let shared = (end - each * starts.len()) as u64;
        let total = (last - first).max(1);
        let begin = |(place, event): (usize, u64)| {
            (event, place * each + (shared * (event - first) / total) as usize)
        };
        let begins = starts.into_iter().enumerate().map(begin);
        Self { stretches: begins.chain([(last, end)]).collect() }
    }

    fn column(&self, event: u64) -> usize {
        let pairs = self.stretches.windows(2);
        let mut holding = pairs.filter(|pair| (pair[0].0..=pair[1].0).contains(&event));
        holding.next_back().map_or(0, |pair| {
            let ((from, left), (to, right)) = (pair[0], pair[1]);
            left + ((event - from) * (right - left) as u64 / (to - from).max(1)) as usize
        })
    }

    fn event(&self, column: usize) -> u64 {
        let pairs = self.stretches.windows(2);
        let mut holding = pairs.filter(|pair| (pair[0].1..=pair[1].1).contains(&column));
        holding.next_back().map_or(0, |pair| {
            let ((from, left), (to, right)) = (pair[0], pair[1]);
            from + (column - left) as u64 * (to - from) / (right - left).max(1) as u64
        })
    }
}

/// A strip under construction: its cells, and which of them are taken.
struct Strip {
    cells: Vec<LineCell>,
    taken: Vec<bool>,
}

impl Strip {
    fn put(&mut self, column: usize, sign: char, style: Style, event: Option<u64>) {
        if let Some(cell) = self.cells.get_mut(column) {
            (cell.text, cell.style) = (sign.to_string(), style);
            cell.command = event.map(|event| format!("goto {event}")).or(cell.command.take());
            self.taken[column] = true;
        }
    }

    /// Writes a text where there is room for all of it.
    fn write(&mut self, from: usize, text: &str, style: Style) -> bool {
        let room = self.taken.get(from..from + text.width());
        let fits = room.is_some_and(|room| !room.contains(&true));
        if fits && text.width() == text.chars().count() {
            for (column, sign) in (from..).zip(text.chars()) {
                self.put(column, sign, style, None);
            }
        }
        fits
    }
}

/// The strip. What has happened is drawn heavier than what was recorded beyond.
fn strip(recorded: &Recorded<'_>, state: &ScreenState, columns: usize) -> Vec<LineCell> {
    let scale = Scale::new(recorded.now, columns);
    let here = recorded.here().map_or(0, |event| scale.column(event));
    let plain = |column: usize| LineCell {
        text: if column <= here { "━" } else { "─" }.to_owned(),
        style: state.look.quiet,
        command: Some(format!("goto {}", scale.event(column))),
    };
    let cells = (0..columns).map(plain).collect();
    let mut strip = Strip { cells, taken: vec![false; columns] };
    strip.put(0, '├', state.look.quiet, None);
    strip.put(columns.saturating_sub(1), '┤', state.look.quiet, None);
    let current = recorded.here().map(|event| (Landmark::Here, event, ""));
    for (landmark, event, _) in recorded.landmarks.iter().copied().chain(current) {
        if landmark != Landmark::Iteration || event > recorded.now.begins {
            strip.put(scale.column(event), landmark.sign(), landmark.style(state), Some(event));
        }
    }
    if recorded.here().is_none() {
        strip.put(0, Landmark::Here.sign(), Landmark::Here.style(state), None);
    }
    for (_, event, name) in recorded.landmarks.iter().filter(|mark| mark.0 == Landmark::Mark) {
        let name = format!("{} ", cut(&text::visible(name), EDIT));
        strip.write(scale.column(*event) + 1, &name, state.look.accent);
    }
    for iteration in &recorded.now.iterations {
        name_iteration(&mut strip, &scale, iteration, state.look.text);
    }
    strip.cells
}

/// Writes an iteration's depth in its middle, as much of it as has room.
fn name_iteration(strip: &mut Strip, scale: &Scale, iteration: &IterationReport, style: Style) {
    let from = scale.column(iteration.event);
    let to = scale.stretches.iter().find(|(event, _)| *event > iteration.event);
    let middle = to.map_or(from, |(_, to)| usize::midpoint(from, *to));
    let depth = iteration.depth;
    for text in [format!(" depth {depth} "), depth.to_string()] {
        let begin = (middle + 1).saturating_sub(text.len().div_ceil(2));
        if begin > from && strip.write(begin, &text, style) {
            return;
        }
    }
}
