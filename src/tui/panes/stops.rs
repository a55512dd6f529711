//! The stops pane: breakpoints and watchpoints with the events at which they stopped the search, bookmarks, and timelines.

use ratatui::prelude::*;

use crate::{
    engine::session::{
        breakpoints::{BreakpointList, BreakpointReport},
        timelines::{TimelineList, TimelineReport},
    },
    text::{
        number::{count, counted},
        or_empty,
    },
    tui::{
        keymap::StopsPaneAction,
        pane::{
            Areas, Binding, ListCursor, ListRow, Pane, PaneAction, Places, Query, ScreenState, own,
            wrapped,
        },
        timeline,
    },
};

/// The greatest number of events listed for each breakpoint; the latest ones are kept.
const EVENTS: usize = 20;

/// What a row of the pane stands for; `Event`: an event, or the number of events, at which a breakpoint stopped the search.
enum Stop {
    Breakpoint { id: u32, is_on: bool },
    Mark(String),
    Timeline { name: String, is_current: bool },
    Event { id: u32, is_on: bool },
    Difference,
}

#[derive(Debug, Default)]
pub struct StopsPane {
    cursor: ListCursor,
    /// The command lines that set the removed breakpoints again, the last removed at the end.
    removed: Vec<String>,
}

impl Pane for StopsPane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        vec![Query::Breakpoints, Query::Timelines]
    }

    /// Without stops, bookmarks and other timelines, no rows are needed: then the pane is hidden on a large screen.
    fn rows_needed(&self, state: &ScreenState, _: u16) -> usize {
        let rows = listed(state);
        let is_only_search = |(_, stop): &(ListRow, Stop)| matches!(stop, Stop::Timeline { .. });
        if rows.len() == 1 && rows.iter().all(is_only_search) { 0 } else { rows.len() }
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let mut rows = rows(state);
        if listed(state).iter().all(|(_, stop)| matches!(stop, Stop::Timeline { .. })) {
            let [here, mark] = ["break-here", "mark"].map(|action| state.key(action));
            let text = format!(
                "No breakpoints or marks. {here} breaks at this position, `break kind=cutoff` at every cutoff; {mark} marks this event."
            );
            let lines = wrapped(&text, room.width.into());
            rows.extend(lines.into_iter().map(|line| ListRow::plain(line, state.look.text)));
        }
        self.cursor.draw(frame, &state.look, &rows, true, room);
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::of(&rows(state))
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            own(StopsPaneAction::StopGo, "enter", "goes to the selected stop, mark or timeline"),
            own(StopsPaneAction::StopSwitch, "space", "switches the selected breakpoint off, or on"),
            own(StopsPaneAction::StopRemove, "d delete", "removes the selected breakpoint, mark or timeline"),
            own(StopsPaneAction::StopRestore, "U", "sets the breakpoint removed last again"),
        ]
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let PaneAction::Stops(action) = action else { return };
        match action {
            StopsPaneAction::StopGo => self.go(state),
            StopsPaneAction::StopSwitch => match self.selected_stop(state) {
                Some(Stop::Breakpoint { id, is_on } | Stop::Event { id, is_on }) => {
                    let command = if is_on { "disable" } else { "enable" };
                    state.run(format!("{command} {id}"));
                }
                _ => state.say("only breakpoints can be switched off"),
            },
            StopsPaneAction::StopRemove => match self.selected_stop(state) {
                Some(Stop::Breakpoint { id, .. }) => {
                    self.removed.extend(line_to_set(state, id));
                    state.run(format!("delete {id}"));
                }
                Some(Stop::Mark(name)) => {
                    state.run(format!("unmark '{name}'"));
                    state.say(format!("the mark {name} is removed"));
                }
                Some(Stop::Timeline { is_current: true, .. }) => {
                    state.say("the current timeline cannot be removed");
                }
                Some(Stop::Timeline { name, .. }) => state.ask(
                    format!("timeline remove '{name}'"),
                    format!("removes timeline {name}, which cannot be restored"),
                ),
                Some(Stop::Event { .. } | Stop::Difference) | None => {
                    state.say("no breakpoint, mark or timeline is selected");
                }
            },
            StopsPaneAction::StopRestore => match self.removed.pop() {
                Some(line) => state.run(line),
                None => state.say("no removed breakpoint is left to be set again"),
            },
        }
    }

    fn event_line(&self, state: &ScreenState) -> Option<String> {
        let has_event = matches!(self.selected_stop(state)?, Stop::Event { .. } | Stop::Mark(_));
        self.cursor.command(&rows(state)).filter(|_| has_event)
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        match self.selected_stop(state) {
            _ if !self.removed.is_empty() => {
                "stop-go:go why stop-remove:remove stop-restore:restore position:game"
            }
            Some(Stop::Breakpoint { .. }) => {
                "stop-go:go why stop-switch:on,off stop-remove:remove position:game"
            }
            Some(Stop::Mark(_) | Stop::Timeline { is_current: false, .. }) => {
                "stop-go:go why stop-remove:remove position:game"
            }
            Some(Stop::Event { .. }) => "stop-go:go why stop-switch:on,off position:game",
            None => "position:game",
            _ => "stop-go:go why position:game",
        }
    }
}

impl StopsPane {
    fn go(&self, state: &mut ScreenState) {
        match self.cursor.command(&rows(state)) {
            Some(line) if !line.is_empty() => state.run(line),
            Some(_) => {
                let on = state.key("continue");
                state.say(format!(
                    "this breakpoint has not stopped the search: {on} runs to the next stop"
                ));
            }
            None => state.say("there is nothing to go to"),
        }
    }

    fn selected_stop(&self, state: &ScreenState) -> Option<Stop> {
        let at = self.cursor.at(&self.places(state))?;
        listed(state).into_iter().nth(at).map(|(_, stop)| stop)
    }
}

/// The command line that sets a breakpoint again; `None` if it has more than its conditions, which would be lost.
fn line_to_set(state: &ScreenState, id: u32) -> Option<String> {
    let list = state.data.get::<BreakpointList>()?;
    let point = list.breakpoints.iter().find(|point| point.id == id)?;
    let is_plain = point.commands.is_empty() && point.ignore == 0;
    is_plain.then(|| format!("{} {}", point.command, point.condition))
}

fn rows(state: &ScreenState) -> Vec<ListRow> {
    listed(state).into_iter().map(|(row, _)| row).collect()
}

fn listed(state: &ScreenState) -> Vec<(ListRow, Stop)> {
    let look = &state.look;
    let timelines = state.data.get::<TimelineList>();
    let points = state.data.get::<BreakpointList>().map_or(&[][..], |list| &list.breakpoints);
    let mut rows: Vec<_> =
        points.iter().flat_map(|point| breakpoint(point, timelines, state)).collect();
    let Some(list) = timelines else { return rows };
    rows.extend(list.bookmarks.iter().map(|mark| {
        let is_only = list.timelines.len() == 1;
        let timeline = or_empty((!is_only).then(|| format!(" of timeline {}", mark.timeline)));
        let text = format!(" ◇ {}  event {}{timeline}", mark.name, count(mark.event));
        let row = ListRow::to(format!("goto '{}'", mark.name), text, look.text);
        (row, Stop::Mark(mark.name.clone()))
    }));
    // The order stays when another timeline becomes the current one.
    let mut timelines: Vec<_> = list.timelines.iter().collect();
    timelines.sort_by_key(|timeline| (timeline.name.parse::<u32>().ok(), &timeline.name));
    rows.extend(timelines.into_iter().flat_map(|timeline| {
        let TimelineReport { name, current, reached, edits, .. } = timeline;
        let sign = if *current { '◆' } else { '├' };
        let text =
            format!(" {sign} timeline {name}  to event {}", count(reached.saturating_sub(1)));
        let line = if *current { "goto end".to_owned() } else { format!("timeline use '{name}'") };
        let stop = || Stop::Timeline { name: name.clone(), is_current: *current };
        let edit = edits.last().map(|edit| edit.replacen("entry ", "", 1));
        // The event comes first, because a long key would cut it.
        let edit = edit.map(|edit| match edit.split_once(" after event ") {
            Some((edit, event)) => format!("     at {event}: {edit}"),
            None => format!("     {edit}"),
        });
        let edit = edit.map(|edit| ListRow::to(line.clone(), edit, look.quiet));
        let row = (ListRow::to(line, text, look.text), stop());
        std::iter::once(row).chain(edit.map(|edit| (edit, stop())))
    }));
    if list.timelines.len() > 1 {
        let text = "   diff: the current one and its origin";
        rows.push((ListRow::to("diff", text, look.quiet), Stop::Difference));
    }
    rows
}

/// A breakpoint, and below it the events at which it stopped the search. Enter on the breakpoint goes to the next of these
/// events, and from the last one to the first.
fn breakpoint(
    point: &BreakpointReport,
    timelines: Option<&TimelineList>,
    state: &ScreenState,
) -> Vec<(ListRow, Stop)> {
    let look = &state.look;
    let now = timelines.and_then(TimelineList::current);
    let mut events = timeline::hits_of(state, point.id);
    events.sort_unstable();
    events.dedup();
    let here = now.and_then(|now| now.events.checked_sub(1));
    let next = events.iter().find(|event| Some(**event) > here).or(events.first());
    let BreakpointReport { id, command, condition, enabled, hits, .. } = point;
    let signs = if look.ascii { ['o', '*'] } else { ['○', '●'] };
    let sign = signs[usize::from(*enabled)];
    // The command is named unless it is `break`; the number of hits, unless the rows below show it.
    let command = if *command == "break" { String::new() } else { format!("{command} ") };
    let text = format!(" {sign} {id}  {command}{condition}");
    let hit = || Stop::Event { id: *id, is_on: *enabled };
    let is_listed = *hits > 0 && *hits == events.len() as u64;
    let hits = (!is_listed).then(|| format!("     {} so far", counted(*hits, "hit", "hits")));
    let hits = hits.map(|text| (ListRow::plain(text, look.quiet), hit()));
    let style = if *enabled { look.text } else { look.quiet };
    let command = next.map_or_else(String::new, |event| format!("goto {event}"));
    let head = (ListRow::to(command, text, style), Stop::Breakpoint { id: *id, is_on: *enabled });
    let listed = events.into_iter().rev().take(EVENTS).rev().map(|event| {
        let text = format!("     event {}", count(event));
        let row = ListRow::to(format!("goto {event}"), text, look.quiet);
        (row, hit())
    });
    std::iter::once(head).chain(hits).chain(listed).collect()
}
