//! Breakpoints, watchpoints, tracepoints, displays, and printing values by name.

use std::mem;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    AnySession as _, Pair, Session,
    cache::KeyInput,
    reply::{PlainReply, Reply},
    search::{SearchCommands as _, StopReport, Where, printed},
    stop_details::{
        ChangeReport, DisplayReport, StopDetails, TraceLine, TraceReport, WatchReport,
        displays_text,
    },
};

use crate::{
    engine::{
        debugger::{
            Access, Action, Breakpoint, CONDITIONS, Change, Clause, ComparedWord, Displays,
            EntryWatch, Fails, FrameFacts, FrameValue, KeyMatch, Line, Name, Names,
            SavedBreakpoint, TracedEvent, Trigger, ValueWatch, event_kind,
        },
        expression::{self, Comparison, Expression, Sum},
        game::{Fault, FieldValue, Game, Result, Score},
        recording::Resume,
        settings::MAX_PLY,
        suggest,
        table::Policy,
    },
    text::{TextTable, layout, lines, number, or_empty},
};

/// Names that only `print` accepts, each with its meaning for the help.
pub const PRINTED: [(&str, &str); 2] =
    [("best_move", "the move that gave the best value"), ("moves", "the moves in search order")];

/// Conditions of a breakpoint as names and values, the way session files store them.
type Conditions = Vec<(String, String)>;

/// Commands for breakpoints, watchpoints, tracepoints and displays, and `print`.
pub trait BreakpointCommands {
    /// Sets a breakpoint or tracepoint at events where all named conditions and the expression hold.
    fn break_at(
        &mut self,
        conditions: &[Pair<'_>],
        expression: Option<&str>,
        action: Action,
    ) -> Result<BreakpointList>;
    /// Sets a watchpoint on a cache entry, given as `KEY:DEPTH` or by its position.
    fn watch_entry(
        &mut self,
        key: &str,
        access: Access,
        expression: Option<&str>,
    ) -> Result<BreakpointList>;
    /// Sets a watchpoint on a value of the frame at `ply` (default: the selected frame's ply).
    fn watch_value(
        &mut self,
        figure: FrameValue,
        ply: Option<u32>,
        expression: Option<&str>,
    ) -> Result<BreakpointList>;
    /// Lists all breakpoints, watchpoints and tracepoints.
    fn breakpoints(&self) -> BreakpointList;
    /// Removes the breakpoint with this number, or all with `None`. Fails if there is no such number.
    fn remove_breakpoint(&mut self, id: Option<u32>) -> Result<BreakpointList>;
    /// Switches a breakpoint on or off.
    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Result<BreakpointList>;
    /// Replaces the expression of a breakpoint, or removes it with `None`. Fails if no condition would be left.
    fn condition_breakpoint(&mut self, id: u32, expression: Option<&str>)
    -> Result<BreakpointList>;
    /// Makes a breakpoint ignore the next `times` events at which its conditions hold.
    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Result<BreakpointList>;
    /// Sets the command lines that run when the breakpoint stops the search. Fails for a tracepoint.
    fn command_breakpoint(&mut self, id: u32, lines: Vec<String>) -> Result<BreakpointList>;
    /// The breakpoint with this number, even a temporary one already removed by its stop; empty if there is none.
    fn commands_of(&self, id: u32) -> SavedBreakpoint;
    /// Allows all commands that came with a session file to run. Returns the numbers of their breakpoints.
    fn trust_commands(&mut self) -> Vec<u32>;
    /// Continues or starts the search, up to the node at the end of a line of moves from the root.
    fn advance_to(&mut self, line: &str) -> Result<StopReport>;
    /// Prints the values of names, or of one expression, at the selected frame; without a text, of all names.
    fn print(&self, text: &str) -> Result<PlainReply>;
    /// Adds an expression whose value is printed after every stop.
    fn add_display(&mut self, text: &str) -> Result<DisplayList>;
    /// The displayed expressions with their values at the selected frame.
    fn displays(&self) -> DisplayList;
    /// Removes the display with this number, or all with `None`.
    fn remove_display(&mut self, id: Option<u32>) -> Result<DisplayList>;
}

impl<G: Game> BreakpointCommands for Session<G> {
    fn break_at(
        &mut self,
        conditions: &[Pair<'_>],
        expression: Option<&str>,
        action: Action,
    ) -> Result<BreakpointList> {
        let (trigger, conditions) = self.place_trigger(conditions, true)?;
        self.add_breakpoint(trigger, conditions, expression, action)
    }

    fn watch_entry(
        &mut self,
        key: &str,
        access: Access,
        expression: Option<&str>,
    ) -> Result<BreakpointList> {
        let (trigger, conditions) = self.entry_trigger(key, access, true)?;
        self.add_breakpoint(trigger, conditions, expression, Action::Stop)
    }

    fn watch_value(
        &mut self,
        figure: FrameValue,
        ply: Option<u32>,
        expression: Option<&str>,
    ) -> Result<BreakpointList> {
        let selected = || self.run.under_way().map(|running| running.selected_ply() as u32);
        let ply = ply.map_or_else(selected, Ok);
        let ply = ply.map_err(|fault| fault.hint("name the ply: `watch best 1`"))?;
        let (trigger, conditions) = value_trigger::<G>(figure, ply)?;
        self.add_breakpoint(trigger, conditions, expression, Action::Stop)
    }

    fn breakpoints(&self) -> BreakpointList {
        let reports = self.run.debugger.breakpoints.iter().map(BreakpointReport::of);
        BreakpointList { breakpoints: reports.collect(), notes: Vec::new() }
    }

    fn remove_breakpoint(&mut self, id: Option<u32>) -> Result<BreakpointList> {
        if let Some(id) = id {
            self.breakpoint_named(id)?;
        }
        self.run.debugger.breakpoints.retain(|point| id.is_some_and(|id| point.saved.id != id));
        self.run.debugger.hits.retain(|hit| id.is_some_and(|id| hit.id != id));
        Ok(self.breakpoints())
    }

    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Result<BreakpointList> {
        self.breakpoint_named(id)?.saved.enabled = enabled;
        Ok(self.breakpoints())
    }

    fn condition_breakpoint(
        &mut self,
        id: u32,
        expression: Option<&str>,
    ) -> Result<BreakpointList> {
        let (game, scale) = (self.game().clone(), self.scale());
        let point = self.breakpoint_named(id)?;
        if point.saved.conditions.is_empty() && expression.is_none() {
            let what = format!("breakpoint {id} has no other condition");
            return Err(Fault::new(what).hint(format!("`delete {id}` removes it")));
        }
        point.set_condition(&Names(&game, scale), expression)?;
        Ok(self.noted_breakpoints(expression))
    }

    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Result<BreakpointList> {
        self.breakpoint_named(id)?.saved.ignore = times;
        Ok(self.breakpoints())
    }

    fn command_breakpoint(&mut self, id: u32, lines: Vec<String>) -> Result<BreakpointList> {
        let point = self.breakpoint_named(id)?;
        if !point.stops() && !lines.is_empty() {
            return Err(Fault::new(format!(
                "{id} is a tracepoint: it never stops to run commands"
            ))
            .hint("set a breakpoint with `break` instead"));
        }
        (point.saved.commands, point.saved.untrusted) = (lines, false);
        Ok(self.breakpoints())
    }

    fn commands_of(&self, id: u32) -> SavedBreakpoint {
        let debugger = &self.run.debugger;
        let current = debugger.breakpoints.iter().map(|point| &point.saved);
        let found = current.chain(&debugger.records.spent).find(|known| known.id == id);
        found.cloned().unwrap_or_default()
    }

    fn trust_commands(&mut self) -> Vec<u32> {
        let points = self.run.debugger.breakpoints.iter_mut().map(|point| &mut point.saved);
        points.filter_map(|saved| mem::take(&mut saved.untrusted).then_some(saved.id)).collect()
    }

    fn advance_to(&mut self, line: &str) -> Result<StopReport> {
        self.run.debugger.records.line = Some(self.parse_line(line, true)?);
        self.resume(Resume::Advance)
    }

    fn print(&self, text: &str) -> Result<PlainReply> {
        let mut names: Vec<_> = text.split_whitespace().collect();
        if names.is_empty() {
            return Ok(printed(values(&self.stack()?)));
        }
        if !names.iter().all(|name| is_name(name)) {
            names = vec![text.trim()];
        }
        let values = names.into_iter().filter_map(|name| {
            let value = self.value_of(name).transpose()?;
            Some(value.map(|value| (name.to_owned(), value)))
        });
        Ok(printed(values.collect::<Result<_>>()?))
    }

    fn add_display(&mut self, text: &str) -> Result<DisplayList> {
        self.check_printed(text)?;
        self.displays.add(text);
        Ok(self.displays())
    }

    fn displays(&self) -> DisplayList {
        let displays = self.displays.shown.iter().map(|(id, text)| {
            let value = self.value_of(text).ok().flatten().unwrap_or_default();
            DisplayReport { id: *id, expression: text.clone(), value }
        });
        DisplayList { displays: displays.collect() }
    }

    fn remove_display(&mut self, id: Option<u32>) -> Result<DisplayList> {
        self.displays.remove(id)?;
        Ok(self.displays())
    }
}

impl<G: Game> Session<G> {
    /// Sets a breakpoint and gives it the next free number.
    fn add_breakpoint(
        &mut self,
        trigger: Trigger<G>,
        conditions: Conditions,
        expression: Option<&str>,
        action: Action,
    ) -> Result<BreakpointList> {
        let saved = SavedBreakpoint {
            id: self.next_breakpoint,
            conditions,
            condition: expression.map(str::to_owned),
            enabled: true,
            temporary: action == Action::Once,
            trace: action == Action::Trace,
            ..SavedBreakpoint::default()
        };
        self.set_breakpoint(trigger, saved)?;
        self.next_breakpoint += 1;
        Ok(self.noted_breakpoints(expression))
    }

    /// All breakpoints, with notes on the expression just set.
    fn noted_breakpoints(&self, expression: Option<&str>) -> BreakpointList {
        let notes = expression.map_or_else(Vec::new, |it| expression::notes(it, &self.names()));
        BreakpointList { notes, ..self.breakpoints() }
    }

    fn set_breakpoint(&mut self, trigger: Trigger<G>, saved: SavedBreakpoint) -> Result<()> {
        if saved.conditions.is_empty() && saved.condition.is_none() {
            return Err(Fault::new("a breakpoint needs a condition").hint(format!(
                "give one or more of {}=, or `if` and an expression",
                CONDITIONS.join("=, ")
            )));
        }
        let point = Breakpoint::new(&self.names(), saved, trigger)?;
        self.run.debugger.breakpoints.push(point);
        Ok(())
    }

    /// Reads named conditions. `strict`: a line of moves must be playable from the current root.
    fn place_trigger(
        &self,
        conditions: &[Pair<'_>],
        strict: bool,
    ) -> Result<(Trigger<G>, Conditions)> {
        let mut clauses = Vec::new();
        let mut texts = Conditions::new();
        for &(name, text) in conditions {
            let (text, clause) =
                self.clause(name, text, strict).map_err(|fault| fault.about(name))?;
            clauses.push(clause);
            texts.push((name.to_owned(), text));
        }
        Ok((Trigger::Place(clauses), texts))
    }

    fn entry_trigger(
        &self,
        text: &str,
        access: Access,
        strict: bool,
    ) -> Result<(Trigger<G>, Conditions)> {
        let watch = self.entry_watch(text, access, strict)?;
        let depth = or_empty(watch.depth.map(|depth| format!(":{depth}")));
        let key = self.game().format_key(watch.key) + &depth;
        Ok((Trigger::Entry(watch), vec![(access.command().to_owned(), key)]))
    }

    /// The trigger of a saved breakpoint. A watchpoint has one condition: its command and the watched entry or ply.
    fn saved_trigger(&self, conditions: &[Pair<'_>]) -> Result<(Trigger<G>, Conditions)> {
        if let [(name, value)] = *conditions {
            let accesses = [Access::Write, Access::Read, Access::Any];
            if let Some(access) = accesses.into_iter().find(|access| access.command() == name) {
                return self.entry_trigger(value, access, false);
            }
            if let Some(figure) = FrameValue::by_name(name) {
                let ply = value
                    .parse()
                    .map_err(|_| Fault::word(value, "is not a ply").hint("give a whole number"))?;
                return value_trigger::<G>(figure, ply);
            }
        }
        // The saved search may have a different root, so a line of moves is not checked against the current one.
        self.place_trigger(conditions, false)
    }

    /// Reads a named condition. Returns its value in normal form and the clause to test.
    fn clause(&self, name: &str, text: &str, strict: bool) -> Result<(String, Clause<G>)> {
        if !CONDITIONS.contains(&name) {
            let all = CONDITIONS.join(", ");
            let all = format!("the conditions are {all}, and expressions such as `if value > 0`");
            let hint = if name.ends_with(['<', '>', '!']) {
                format!("comparisons follow `if`: `if {name}={text}`")
            } else {
                suggest::did_you_mean(name, CONDITIONS).unwrap_or(all)
            };
            return Err(Fault::new(format!("a breakpoint has no condition `{name}`"))
                .about_word(name)
                .hint(hint));
        }
        let game = self.game();
        let (of, word, value) = match name {
            "ply" | "depth" => {
                let (of, most) = match name {
                    "ply" => (Name::Ply, most_plies::<G>()),
                    _ => (Name::Depth, u8::MAX.into()),
                };
                let number = text.parse().ok().filter(|number| *number <= most);
                let number: u32 = number.ok_or_else(|| {
                    Fault::word(text, format!("is not a {name}"))
                        .hint(format!("give a whole number from 0 to {most}"))
                })?;
                let clause = Clause::Test(of, Comparison::Equal, number.into());
                return Ok((number.to_string(), clause));
            }
            "kind" => {
                let kind = event_kind(text)?;
                (Name::Event, ComparedWord::Kind(kind), kind.name().to_owned())
            }
            "key" => {
                let key = game.parse_key(text)?;
                (Name::Key, ComparedWord::Key(KeyMatch::new(game, key)), game.format_key(key))
            }
            "line" => {
                let line = self.parse_line(text, strict)?;
                let text = line.text();
                (Name::Line, ComparedWord::Line(line), text)
            }
            "fails" => {
                let fails = text.parse::<Fails>().map_err(|_| {
                    Fault::word(text, "is not a way to fail")
                        .hint("a node fails low or high: give fails=low or fails=high")
                })?;
                (Name::Fails, ComparedWord::Fails(fails), text.to_owned())
            }
            place => {
                let position = self.position_named(text)?;
                let text = game.format_position(&position);
                if place == "class" {
                    (Name::Class, ComparedWord::Class(game.orbit(&position)), text)
                } else {
                    (Name::State, ComparedWord::Position(position), text)
                }
            }
        };
        Ok((value, Clause::Is(of, word, true)))
    }

    /// Reads a line of moves from the root of the current search; without a search, from the current position.
    fn parse_line(&self, text: &str, strict: bool) -> Result<Line<G>> {
        let mut line = Line::new(text)?;
        let running = self.run.running.as_ref();
        let root = running.map_or(&self.now.position, |running| running.search.root());
        match line.read(self.game(), root, &self.now.history) {
            Err(fault) if strict => Err(fault),
            _ => Ok(line),
        }
    }

    /// A watchpoint on an entry. `strict`: fails if searches under the current memo policy cannot reach the entry.
    fn entry_watch(&self, text: &str, access: Access, strict: bool) -> Result<EntryWatch<G::Key>> {
        let policy = self.settings().memo();
        let KeyInput { key, depth, .. } = self.read_key(text)?;
        if strict {
            check_watch(policy, access)?;
            if policy.keys_depth() && depth.is_none() {
                return Err(Fault::word(text, "has no depth")
                    .hint("under this memo policy an entry is KEY:DEPTH"));
            }
        }
        let place = self.place(key, depth.unwrap_or(0));
        let is_stored = self.entries().get(place).is_some();
        let searched = self.searched_key(key).filter(|_| !is_stored);
        Ok(EntryWatch {
            key: searched.unwrap_or(place.key),
            depth: depth.filter(|_| policy.keys_depth() || !strict),
            access,
        })
    }

    fn breakpoint_named(&mut self, id: u32) -> Result<&mut Breakpoint<G>> {
        let mut points = self.run.debugger.breakpoints.iter_mut();
        points.find(|point| point.saved.id == id).ok_or_else(|| {
            Fault::new(format!("no breakpoint {id}")).hint("`break` without conditions lists them")
        })
    }

    pub(super) fn restore_breakpoint(&mut self, saved: SavedBreakpoint) -> Result<()> {
        if saved.temporary && saved.trace {
            return Err(Fault::new("a tracepoint is never temporary")
                .hint("set one of `temporary` and `trace` to false"));
        }
        let pairs: Vec<Pair<'_>> =
            saved.conditions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (trigger, conditions) = self.saved_trigger(&pairs)?;
        let untrusted = !saved.commands.is_empty();
        self.set_breakpoint(trigger, SavedBreakpoint { conditions, untrusted, ..saved })
    }

    pub(super) fn restore_displays(&mut self, displays: Displays) -> Result<()> {
        for (id, text) in &displays.shown {
            self.check_printed(text).map_err(|fault| fault.within(format!("display {id}")))?;
        }
        let last = displays.shown.iter().map(|(id, _)| *id).max();
        self.displays = Displays { last: displays.last.max(last.unwrap_or(0)), ..displays };
        Ok(())
    }

    /// What is shown besides the event after the last run: the watched change, tracepoint lines, displays.
    pub(super) fn stop_details(&self) -> StopDetails {
        let (game, records) = (self.game(), &self.run.debugger.records);
        let line = |traced: &TracedEvent<G>| {
            let mv = traced.mv.as_ref().map(|(from, mv)| (from, *mv));
            let (running, node) = (self.run.under_way().ok()?, (&traced.position, traced.window));
            let event = running.event_report(game, &traced.event, node, mv);
            Some(TraceLine { breakpoint: traced.breakpoint, event })
        };
        let trace = (!records.lines.is_empty()).then(|| TraceReport {
            lines: records.lines.iter().filter_map(line).collect(),
            omitted: records.omitted,
        });
        let watch = records.change.map(|change| self.report_change(change));
        StopDetails { watch, trace, displays: self.displays().displays }
    }

    fn report_change(&self, change: Change<G::Key>) -> WatchReport {
        match change {
            Change::Value { value: figure, ply, before, now } => WatchReport {
                what: format!("{} at ply {ply}", figure.name()),
                access: "change",
                change: ChangeReport::Value { previous: before, now },
            },
            Change::Entry { at, written, before, now } => {
                let report = |entry| Box::new(self.report_entry((at, entry)));
                WatchReport {
                    what: self.keyed_text(at),
                    access: if written { "write" } else { "read" },
                    change: ChangeReport::Entry {
                        previous: before.map(report),
                        entry: now.map(report),
                    },
                }
            }
        }
    }

    fn names(&self) -> Names<'_, G> {
        Names(self.game(), self.scale())
    }

    /// Fails if a text is neither a printable name nor an expression.
    fn check_printed(&self, text: &str) -> Result<()> {
        if is_name(text) {
            return Ok(());
        }
        expression::read(text, &self.names()).map(drop)
    }

    /// The value of a name or expression at the selected frame; `None` if the name has no value there.
    fn value_of(&self, text: &str) -> Result<Option<Value>> {
        if !is_name(text) {
            return self.evaluate(text).map(Some);
        }
        let name = if text == "kind" { "event" } else { text };
        Ok(values(&self.stack()?).remove(name))
    }

    fn evaluate(&self, text: &str) -> Result<Value> {
        let expression = expression::read(text, &self.names())?;
        let running = self.run.under_way()?;
        let (search, ply) = (&running.search, running.selected_ply());
        let event = (search.events() > 0).then(|| search.describe());
        let facts = FrameFacts::new(self.game(), search, ply, event.as_ref());
        Ok(match &expression {
            Expression::Condition(condition) => json!(condition.holds(&facts)),
            Expression::Sum(Sum::Name(Name::Own(field))) => {
                facts.own(*field).map_or(Value::Null, |own| match own {
                    FieldValue::Number(number) => as_json(number, true),
                    FieldValue::Text(text) => json!(text),
                })
            }
            Expression::Sum(sum) => {
                let mut counts = true;
                expression.visit(&mut |name| {
                    counts &= !matches!(name, Name::Alpha | Name::Beta | Name::Value | Name::Best);
                });
                sum.value(&facts).map_or(Value::Null, |number| as_json(number, counts))
            }
        })
    }
}

impl BreakpointReport {
    fn of<G: Game>(point: &Breakpoint<G>) -> Self {
        let saved = point.saved.clone();
        Self {
            id: saved.id,
            command: point.command(),
            condition: point.words(),
            temporary: saved.temporary,
            enabled: saved.enabled,
            hits: saved.hits,
            ignore: saved.ignore,
            commands: saved.commands,
            untrusted: saved.untrusted,
        }
    }
}

/// The greatest ply that a watchpoint or condition accepts. Traces of other programs have no limit.
const fn most_plies<G: Game>() -> u32 {
    if G::IS_TRACE { u32::MAX } else { MAX_PLY }
}

fn value_trigger<G: Game>(figure: FrameValue, ply: u32) -> Result<(Trigger<G>, Conditions)> {
    let (name, most) = (figure.name(), most_plies::<G>());
    if ply > most {
        return Err(Fault::new(format!("no search reaches ply {ply}")).hint(format!(
            "a watch on {name} takes a ply from 0 to {most}; `break if {name} >= VALUE` stops at a value"
        )));
    }
    let conditions = vec![(name.to_owned(), ply.to_string())];
    Ok((Trigger::Value(ValueWatch { value: figure, ply }), conditions))
}

/// Fails if a watchpoint could never stop under this memo policy.
fn check_watch(policy: Policy, access: Access) -> Result<()> {
    if !policy.has_entries() {
        return Err(Fault::new(format!("there is no cache to watch: the memo policy is {policy}"))
            .hint("`search set memo=interval` gives searches a cache"));
    }
    if access == Access::Write && !policy.is_searched() {
        return Err(Fault::new(format!(
            "with the memo policy {policy}, no entry is written during a search, only after it"
        ))
        .hint("`rwatch` stops where an entry is read"));
    }
    Ok(())
}

/// Whether a text is a name that `print` accepts, and so is not parsed as an expression.
fn is_name(text: &str) -> bool {
    text.parse::<Name>().is_ok() || PRINTED.iter().any(|(name, _)| *name == text)
}

/// A number as JSON: an integer if it is computed from counts only, otherwise a score.
fn as_json(number: f64, counts: bool) -> Value {
    // Above 2^53 an f64 does not hold every integer.
    const EXACT: f64 = (1_u64 << 53) as f64;
    if counts && number.fract() == 0.0 && number.abs() < EXACT {
        return json!(number as i64);
    }
    json!(Score::new(number))
}

fn values(stack: &Where) -> Map<String, Value> {
    let frame = serde_json::to_value(&stack.frames[stack.selected]).unwrap_or_default();
    let mut values = frame.as_object().cloned().unwrap_or_default();
    let event = stack.event.as_ref();
    let of_search = [
        ("value", json!(event.and_then(|event| event.value))),
        ("event", json!(event.map(|event| event.kind.name()))),
        ("index", json!(event.map(|event| event.index))),
        ("nodes", json!(stack.nodes)),
        ("iteration", json!(stack.iteration)),
    ];
    values.extend(of_search.map(|(name, value)| (name.to_owned(), value)));
    values
}

/// All breakpoints, watchpoints and tracepoints, as `break` without conditions lists them.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointList {
    /// The breakpoints in ascending order of their numbers.
    pub breakpoints: Vec<BreakpointReport>,
    /// How the values in the condition just set were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Reply for BreakpointList {
    // Conditions are never truncated, because people copy them.
    fn text(&self) -> String {
        if self.breakpoints.is_empty() {
            return "no breakpoints".to_owned();
        }
        let text = TextTable::of(&self.breakpoints)
            .right("#", |point| point.id)
            .right("hits", |point| number::count(point.hits))
            .left("", |point| if point.enabled { "on" } else { "off" })
            .render();
        let widest = text.lines().map(layout::width).max().unwrap_or(0);
        let mut rows = text.lines();
        let head = rows.next().unwrap_or_default();
        let head = format!("{}  command", layout::pad(head, widest));
        let point = |(row, point): (&str, &BreakpointReport)| {
            let lead = format!("{}  ", layout::pad(row, widest));
            let command = format!("{} {}", point.command, point.condition);
            lines([layout::wrap(&lead, &command), details(point, layout::width(&lead) + 2)])
        };
        let points = rows.zip(&self.breakpoints).map(point);
        lines(std::iter::once(head).chain(points).chain([layout::notes(&self.notes)]))
    }

    fn line(&self) -> String {
        if self.breakpoints.is_empty() {
            return self.text();
        }
        let spelled = self.breakpoints.iter().map(|point| {
            let BreakpointReport { id, condition, .. } = point;
            let off = if point.enabled { "" } else { " (off)" };
            match point.command {
                "break" | "tbreak" => format!("{id}: {condition}{off}"),
                command => format!("{id}: {command} {condition}{off}"),
            }
        });
        layout::noted(spelled.collect::<Vec<_>>().join("  "), &self.notes)
    }
}

/// A breakpoint, watchpoint or tracepoint, as replies list it.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointReport {
    /// The number by which commands such as `delete` name the breakpoint, from 1.
    pub id: u32,
    /// The command for this kind of breakpoint: `break`, `tbreak`, `watch`, `rwatch`, `awatch` or `tracepoint`.
    pub command: &'static str,
    /// The named conditions, then the expression, as text.
    pub condition: String,
    pub(crate) temporary: bool,
    pub(crate) enabled: bool,
    /// How often the conditions held so far.
    pub hits: u64,
    /// How many more times the conditions may hold without a stop.
    pub ignore: u64,
    /// The command lines that run when the breakpoint stops the search.
    pub commands: Vec<String>,
    /// Whether the commands came with a session file and do not run before `trust`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) untrusted: bool,
}

/// The displayed expressions with their values at the selected frame.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayList {
    /// The displays in ascending order of their numbers.
    pub displays: Vec<DisplayReport>,
}

impl Reply for DisplayList {
    fn text(&self) -> String {
        match self.displays.as_slice() {
            [] => "nothing is displayed".to_owned(),
            displays => displays_text(displays),
        }
    }

    fn line(&self) -> String {
        let displays: Vec<_> = self.displays.iter().map(DisplayReport::line).collect();
        if displays.is_empty() { self.text() } else { displays.join("  ") }
    }
}

fn details(point: &BreakpointReport, indent: usize) -> String {
    let lead = layout::blank(indent);
    let ignored = match point.ignore {
        0 => String::new(),
        1 => format!("{lead}ignored once more"),
        times => format!("{lead}ignored {} more times", number::count(times)),
    };
    let commands = point.commands.iter().flat_map(|command| command.lines());
    let commands = commands.map(|command| format!("{lead}> {command}"));
    let untrusted = or_empty(point.untrusted.then(|| format!("{lead}not run before `trust`:")));
    lines([ignored, untrusted].into_iter().chain(commands))
}
