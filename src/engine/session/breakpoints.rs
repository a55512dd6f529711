//! What stops a search or is shown when it stops: breakpoints, watchpoints, traces, displays, and values by name.

use std::mem;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    Pair, Session,
    cache::EntryReport,
    event::{EventReport, event_text, worth},
    reply::{PlainReply, Reply},
    search::{SearchCommands as _, StopReport, Where, printed},
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
    text::{TextTable, flow, layout, lines, number},
};

/// What `print` knows besides the names of expressions.
pub const PRINTED: [(&str, &str); 2] =
    [("best_move", "the move that gave the best value"), ("moves", "the moves in search order")];

/// What a user wants to be stopped at or told of.
#[derive(Clone, Copy, Debug)]
pub enum BreakpointOptions<'a> {
    /// Events where all conditions hold.
    Place {
        /// Names and values; none where a condition besides says it all.
        conditions: &'a [Pair<'a>],
        /// What is to be done there.
        action: Action,
    },
    /// A cache entry.
    Entry {
        /// Its key, or a position, with the depth.
        key: &'a str,
        /// What is done to it.
        access: Access,
    },
    /// A value of a frame.
    Value {
        /// Which.
        figure: FrameValue,
        /// The frame's ply; the selected one's where none is given.
        ply: Option<u32>,
    },
}

type Words = Vec<(String, String)>;

/// Breakpoints, watchpoints, traces and displays.
pub trait BreakpointCommands {
    /// Sets a breakpoint, watchpoint or tracepoint, with a condition besides.
    fn watch_for(
        &mut self,
        wish: &BreakpointOptions<'_>,
        condition: Option<&str>,
    ) -> Result<BreakpointList>;
    /// All of them.
    fn breakpoints(&self) -> BreakpointList;
    /// Removes one, or all.
    fn remove_breakpoint(&mut self, id: Option<u32>) -> Result<BreakpointList>;
    /// Switches one on or off.
    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Result<BreakpointList>;
    /// Gives one another condition, or none.
    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Result<BreakpointList>;
    /// Has one ignored so many times.
    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Result<BreakpointList>;
    /// Gives one the command lines to run when it stops.
    fn command_breakpoint(&mut self, id: u32, lines: Vec<String>) -> Result<BreakpointList>;
    /// A breakpoint that has stopped a search: its commands are to be run now.
    fn commands_of(&self, id: u32) -> SavedBreakpoint;
    /// Lets all commands that came with a session run; says of which breakpoints.
    fn trust_commands(&mut self) -> Vec<u32>;
    /// Goes on with the search under way, or starts one, to the node that a line of moves leads to.
    fn advance_to(&mut self, line: &str) -> Result<StopReport>;
    /// What names, or else an expression over them, are worth at the selected frame; everything where nothing is given.
    fn print(&self, text: &str) -> Result<PlainReply>;
    /// Shows an expression after every stop from now on.
    fn add_display(&mut self, text: &str) -> Result<DisplayList>;
    /// The expressions shown, with their values now.
    fn displays(&self) -> DisplayList;
    /// Shows one no more, or none.
    fn remove_display(&mut self, id: Option<u32>) -> Result<DisplayList>;
}

impl<G: Game> BreakpointCommands for Session<G> {
    fn watch_for(
        &mut self,
        wish: &BreakpointOptions<'_>,
        condition: Option<&str>,
    ) -> Result<BreakpointList> {
        let (trigger, conditions) = self.trigger(wish, true)?;
        let action =
            if let BreakpointOptions::Place { action, .. } = wish { *action } else { Action::Stop };
        let told = SavedBreakpoint {
            id: self.next_breakpoint,
            conditions,
            condition: condition.map(str::to_owned),
            enabled: true,
            temporary: action == Action::Once,
            trace: action == Action::Trace,
            ..SavedBreakpoint::default()
        };
        self.set_breakpoint(told, trigger)?;
        self.next_breakpoint += 1;
        Ok(self.breakpoints())
    }

    fn breakpoints(&self) -> BreakpointList {
        let reports = self.run.debugger.breakpoints.iter().map(BreakpointReport::of);
        BreakpointList { breakpoints: reports.collect() }
    }

    fn remove_breakpoint(&mut self, id: Option<u32>) -> Result<BreakpointList> {
        if let Some(id) = id {
            self.breakpoint_called(id)?;
        }
        self.run.debugger.breakpoints.retain(|point| id.is_some_and(|id| point.saved.id != id));
        self.run.debugger.hits.retain(|hit| id.is_some_and(|id| hit.id != id));
        Ok(self.breakpoints())
    }

    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Result<BreakpointList> {
        self.breakpoint_called(id)?.saved.enabled = enabled;
        Ok(self.breakpoints())
    }

    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Result<BreakpointList> {
        let game = self.game().clone();
        let point = self.breakpoint_called(id)?;
        if point.saved.conditions.is_empty() && condition.is_none() {
            let what = format!("without a condition breakpoint {id} is about nothing");
            return Err(Fault::new(what).hint(format!("`delete {id}` removes it")));
        }
        point.set_condition(&game, condition)?;
        Ok(self.breakpoints())
    }

    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Result<BreakpointList> {
        self.breakpoint_called(id)?.saved.ignore = times;
        Ok(self.breakpoints())
    }

    fn command_breakpoint(&mut self, id: u32, lines: Vec<String>) -> Result<BreakpointList> {
        let point = self.breakpoint_called(id)?;
        if !point.stops() && !lines.is_empty() {
            return Err(Fault::new(format!(
                "{id} is a tracepoint: it never stops to run commands"
            ))
            .hint("`break` sets a breakpoint that stops"));
        }
        (point.saved.commands, point.saved.untrusted) = (lines, false);
        Ok(self.breakpoints())
    }

    fn commands_of(&self, id: u32) -> SavedBreakpoint {
        let debugger = &self.run.debugger;
        let set = debugger.breakpoints.iter().map(|point| &point.saved);
        let found = set.chain(&debugger.sightings.spent).find(|known| known.id == id);
        found.cloned().unwrap_or_default()
    }

    fn trust_commands(&mut self) -> Vec<u32> {
        self.run
            .debugger
            .breakpoints
            .iter_mut()
            .filter_map(|point| mem::take(&mut point.saved.untrusted).then_some(point.saved.id))
            .collect()
    }

    fn advance_to(&mut self, line: &str) -> Result<StopReport> {
        self.run.debugger.sightings.line = Some(self.line_called(line, true)?);
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
        let shown = names.into_iter().filter_map(|name| {
            let value = self.shown(name).transpose()?;
            Some(value.map(|value| (name.to_owned(), value)))
        });
        Ok(printed(shown.collect::<Result<_>>()?))
    }

    fn add_display(&mut self, text: &str) -> Result<DisplayList> {
        self.check_printed(text)?;
        self.displays.add(text);
        Ok(self.displays())
    }

    fn displays(&self) -> DisplayList {
        let shown = self.displays.shown.iter().map(|(id, text)| {
            let value = self.shown(text).ok().flatten().unwrap_or_default();
            DisplayReport { id: *id, expression: text.clone(), value }
        });
        DisplayList { displays: shown.collect() }
    }

    fn remove_display(&mut self, id: Option<u32>) -> Result<DisplayList> {
        self.displays.remove(id)?;
        Ok(self.displays())
    }
}

impl<G: Game> Session<G> {
    /// What a wish waits for, and the same in words. `strict`: a line of moves must be playable from the root at hand.
    fn trigger(&self, wish: &BreakpointOptions<'_>, strict: bool) -> Result<(Trigger<G>, Words)> {
        match *wish {
            BreakpointOptions::Place { conditions, .. } => {
                let read = |&(name, text): &Pair<'_>| {
                    let (value, clause) =
                        self.place_word((name, text), strict).map_err(|fault| fault.about(name))?;
                    Ok(((name.to_owned(), value), clause))
                };
                let (words, clauses) = conditions.iter().map(read).collect::<Result<_>>()?;
                Ok((Trigger::Place(clauses), words))
            }
            BreakpointOptions::Entry { key, access } => {
                let watch = self.entry_watch(key, access, strict)?;
                let depth = watch.depth.map_or_else(String::new, |depth| format!(":{depth}"));
                let key = self.game().format_key(watch.key) + &depth;
                Ok((Trigger::Entry(watch), vec![(access.command().to_owned(), key)]))
            }
            BreakpointOptions::Value { figure, ply } => {
                let selected = || self.run.under_way().map(|running| running.selected_ply() as u32);
                let ply = ply.map_or_else(selected, Ok);
                let ply = ply.map_err(|fault| fault.hint("name the ply: `watch best 1`"))?;
                if ply > most_plies::<G>() {
                    return Err(Fault::new(format!("no search reaches ply {ply}")).hint(format!(
                        "a watch on {name} takes a ply from 0 to {}; `break if {name} >= VALUE` waits for a value",
                        most_plies::<G>(),
                        name = figure.name(),
                    )));
                }
                let words = vec![(figure.name().to_owned(), ply.to_string())];
                Ok((Trigger::Value(ValueWatch { value: figure, ply }), words))
            }
        }
    }

    /// Adds a breakpoint.
    fn set_breakpoint(&mut self, told: SavedBreakpoint, trigger: Trigger<G>) -> Result<()> {
        if told.conditions.is_empty() && told.condition.is_none() {
            return Err(Fault::new("a breakpoint needs a condition").hint(format!(
                "give one or more of {}=, or `if` and an expression",
                CONDITIONS.join("=, ")
            )));
        }
        let point = Breakpoint::new(self.game(), told, trigger)?;
        self.run.debugger.breakpoints.push(point);
        Ok(())
    }

    /// What a name and a value of `break` stand for; the value as it is usually written, and the condition.
    fn place_word(&self, (name, text): Pair<'_>, strict: bool) -> Result<(String, Clause<G>)> {
        if !CONDITIONS.contains(&name) {
            let all = format!("the conditions are {}", CONDITIONS.join(", "));
            let hint = suggest::did_you_mean(name, CONDITIONS).unwrap_or(all);
            return Err(Fault::new(format!("a breakpoint cannot wait for `{name}`"))
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
                    Fault::new(format!("`{text}` is not a {name}"))
                        .about_word(text)
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
                let line = self.line_called(text, strict)?;
                let text = line.text();
                (Name::Line, ComparedWord::Line(line), text)
            }
            "fails" => {
                let fails = text.parse::<Fails>().map_err(|_| {
                    Fault::new(format!("a node cannot fail `{text}`"))
                        .about_word(text)
                        .hint("it fails low or high")
                })?;
                (Name::Fails, ComparedWord::Fails(fails), text.to_owned())
            }
            place => {
                let position = self.position_called(text)?;
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

    /// A line of moves from the root of the search under way, or the position at hand.
    fn line_called(&self, text: &str, strict: bool) -> Result<Line<G>> {
        let mut line = Line::new(text)?;
        let running = self.run.running.as_ref();
        let root = running.map_or(&self.now.position, |running| running.search.root());
        match line.read(self.game(), root, &self.now.history) {
            Err(fault) if strict => Err(fault),
            _ => Ok(line),
        }
    }

    /// A watchpoint on an entry; where that is `strict`, only one that the memo policy in force can reach.
    fn entry_watch(&self, text: &str, access: Access, strict: bool) -> Result<EntryWatch<G::Key>> {
        let policy = self.settings().memo();
        let wanted = self.wanted(text)?;
        if strict {
            check_watch(policy, access)?;
            if policy.keys_depth() && wanted.depth.is_none() {
                return Err(Fault::new(format!("`{text}` says no depth"))
                    .about_word(text)
                    .hint("under this memo policy an entry is KEY:DEPTH"));
            }
        }
        let place = self.place(wanted.key, wanted.depth.unwrap_or(0));
        let known = self.entries().get(place).is_some();
        let searched = self.searched_key(wanted.key).filter(|_| !known);
        Ok(EntryWatch {
            key: searched.unwrap_or(place.key),
            depth: wanted.depth.filter(|_| policy.keys_depth() || !strict),
            access,
        })
    }

    fn breakpoint_called(&mut self, id: u32) -> Result<&mut Breakpoint<G>> {
        self.run.debugger.breakpoints.iter_mut().find(|point| point.saved.id == id).ok_or_else(
            || {
                Fault::new(format!("no breakpoint {id}"))
                    .hint("`break` without conditions lists them")
            },
        )
    }

    pub(super) fn restore_breakpoint(&mut self, saved: SavedBreakpoint) -> Result<()> {
        if saved.temporary && saved.trace {
            return Err(Fault::new("a tracepoint is never temporary")
                .hint("set one of `temporary` and `trace` to false"));
        }
        let pairs: Vec<Pair<'_>> =
            saved.conditions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        // A line of moves may belong to another root than the one at hand.
        let (trigger, conditions) = self.trigger(&saved_options(&pairs)?, false)?;
        let untrusted = !saved.commands.is_empty();
        self.set_breakpoint(SavedBreakpoint { conditions, untrusted, ..saved }, trigger)
    }

    pub(super) fn restore_displays(&mut self, displays: Displays) -> Result<()> {
        for (id, text) in &displays.shown {
            self.check_printed(text).map_err(|fault| fault.within(format!("display {id}")))?;
        }
        let last = displays.shown.iter().map(|(id, _)| *id).max();
        self.displays = Displays { last: displays.last.max(last.unwrap_or(0)), ..displays };
        Ok(())
    }

    /// What the last run has shown on its way, and the displays.
    pub(super) fn seen(&self) -> Seen {
        let (game, sightings) = (self.game(), &self.run.debugger.sightings);
        let line = |traced: &TracedEvent<G>| {
            let mv = traced.mv.as_ref().map(|(from, mv)| game.format_move(from, *mv));
            TraceLine {
                breakpoint: traced.breakpoint,
                event: EventReport::new(game, &traced.event, &traced.position, mv),
            }
        };
        let trace = (!sightings.lines.is_empty()).then(|| TraceReport {
            lines: sightings.lines.iter().map(line).collect(),
            omitted: sightings.omitted,
        });
        let watch = sightings.change.map(|change| self.report_change(change));
        Seen { watch, trace, displays: self.displays().displays }
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

    /// Refuses what is neither a name nor an expression.
    fn check_printed(&self, text: &str) -> Result<()> {
        if is_name(text) {
            return Ok(());
        }
        expression::read(text, &Names(self.game())).map(drop)
    }

    /// What a name or else an expression is worth at the selected frame.
    fn shown(&self, text: &str) -> Result<Option<Value>> {
        if !is_name(text) {
            return self.worth(text).map(Some);
        }
        let name = if text == "kind" { "event" } else { text };
        Ok(values(&self.stack()?).remove(name))
    }

    /// What an expression is worth at the selected frame.
    fn worth(&self, text: &str) -> Result<Value> {
        let expression = expression::read(text, &Names(self.game()))?;
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
        let told = point.saved.clone();
        Self {
            id: told.id,
            command: point.command(),
            condition: point.words(),
            temporary: told.temporary,
            enabled: told.enabled,
            hits: told.hits,
            ignore: told.ignore,
            commands: told.commands,
            untrusted: told.untrusted,
        }
    }
}

/// The farthest ply that may be named; another program's search may go as deep as it likes.
const fn most_plies<G: Game>() -> u32 {
    if G::IS_TRACE { u32::MAX } else { MAX_PLY }
}

/// Refuses to wait for what never happens under a policy.
fn check_watch(policy: Policy, access: Access) -> Result<()> {
    match (policy, access) {
        (Policy::None, _) => Err(Fault::new("there is no cache to watch: the memo policy is none")
            .hint("`search set memo=interval` keeps one")),
        (Policy::Rote, Access::Write) => Err(Fault::new(
            "a search writes nothing under the memo policy rote: it learns when it is over",
        )
        .hint("`rwatch` stops where an entry is read")),
        _ => Ok(()),
    }
}

/// What saved conditions wish for: a watchpoint is the only one of its list.
fn saved_options<'a>(pairs: &'a [Pair<'a>]) -> Result<BreakpointOptions<'a>> {
    if let [(name, value)] = *pairs {
        let watches = [Access::Write, Access::Read, Access::Any];
        if let Some(access) = watches.into_iter().find(|access| access.command() == name) {
            return Ok(BreakpointOptions::Entry { key: value, access });
        }
        if let Some(figure) = FrameValue::called(name) {
            let ply = value.parse().map_err(|_| {
                Fault::new(format!("`{value}` is not a ply"))
                    .about_word(value)
                    .hint("give a whole number")
            })?;
            return Ok(BreakpointOptions::Value { figure, ply: Some(ply) });
        }
    }
    Ok(BreakpointOptions::Place { conditions: pairs, action: Action::Stop })
}

/// Whether `print` knows a name without an expression around it.
fn is_name(text: &str) -> bool {
    text.parse::<Name>().is_ok() || PRINTED.iter().any(|(name, _)| *name == text)
}

/// A number as scores are written, or, where nothing but counts is in it, as those are.
fn as_json(number: f64, counts: bool) -> Value {
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

/// The breakpoints.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointList {
    /// In the order they were set.
    pub breakpoints: Vec<BreakpointReport>,
}

impl Reply for BreakpointList {
    // All of them, with the commands that set them: these are typed again, so they are never cut.
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
        lines(std::iter::once(head).chain(points))
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
        spelled.collect::<Vec<_>>().join("  ")
    }
}

/// A breakpoint, watchpoint or tracepoint.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointReport {
    /// Its number.
    pub id: u32,
    /// The command that sets such a one: `break`, `tbreak`, `watch`, `rwatch`, `awatch` or `tracepoint`.
    pub command: &'static str,
    /// What it waits for, its condition included.
    pub condition: String,
    /// Whether it is removed when it stops.
    pub temporary: bool,
    /// Whether it is looked at.
    pub enabled: bool,
    /// How often what it waits for has happened.
    pub hits: u64,
    /// So many times it is still to be ignored.
    pub ignore: u64,
    /// Command lines to run when it stops.
    pub commands: Vec<String>,
    /// They came with a session and do not run until `trust` is given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

/// Displays with their values now.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayList {
    /// In the order they were made.
    pub displays: Vec<DisplayReport>,
}

impl Reply for DisplayList {
    // Displays, one a line.
    fn text(&self) -> String {
        match self.displays.as_slice() {
            [] => "nothing is displayed".to_owned(),
            displays => shown(displays),
        }
    }

    fn line(&self) -> String {
        let shown: Vec<_> = self.displays.iter().map(DisplayReport::line).collect();
        if shown.is_empty() { self.text() } else { shown.join("  ") }
    }
}

/// An expression that is shown after every stop.
#[derive(Clone, Debug, Serialize)]
pub struct DisplayReport {
    /// Its number.
    pub id: u32,
    /// As typed.
    pub expression: String,
    /// What it is worth now; null where that is nothing.
    pub value: serde_json::Value,
}

impl DisplayReport {
    /// Number, expression and value.
    pub fn line(&self) -> String {
        format!("{}: {} = {}", self.id, self.expression, worth(&self.value))
    }
}

/// What watchpoints, traces and displays have to show after a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// What the watchpoint that stopped it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<WatchReport>,
    /// Lines of traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// Expressions that are shown after every stop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayReport>,
}

/// What a watchpoint saw: the thing before and after.
#[derive(Clone, Debug, Serialize)]
pub struct WatchReport {
    /// An entry's key, or a value's name and ply.
    pub what: String,
    /// `read`, `write` or, of a frame's value, `change`.
    pub access: &'static str,
    /// Before and after.
    #[serde(flatten)]
    pub change: ChangeReport,
}

/// A watched thing before and after.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ChangeReport {
    /// A cache entry.
    Entry {
        /// As it was; none where there was none.
        previous: Option<Box<EntryReport>>,
        /// As it is.
        entry: Option<Box<EntryReport>>,
    },
    /// A value of a frame.
    Value {
        /// As it was; none where there was none.
        previous: Option<Score>,
        /// As it is.
        now: Option<Score>,
    },
}

/// Lines of traces of one run.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// The first of them, in order.
    pub lines: Vec<TraceLine>,
    /// How many more there were.
    pub omitted: u64,
}

/// One line of a tracepoint.
#[derive(Clone, Debug, Serialize)]
pub struct TraceLine {
    /// The tracepoint's number.
    pub breakpoint: u32,
    /// Where its conditions held.
    pub event: EventReport,
}

fn details(point: &BreakpointReport, indent: usize) -> String {
    let lead = layout::blank(indent);
    let ignored = match point.ignore {
        0 => String::new(),
        1 => format!("{lead}ignored once more"),
        times => format!("{lead}ignored {} more times", number::count(times)),
    };
    let commands = point.commands.iter().flat_map(|command| command.lines());
    let untrusted =
        if point.untrusted { format!("{lead}not run before `trust`:") } else { String::new() };
    let commands = commands.map(|command| format!("{lead}> {command}"));
    lines([ignored, untrusted].into_iter().chain(commands))
}

pub(super) fn shown(displays: &[DisplayReport]) -> String {
    lines(displays.iter().map(|DisplayReport { id, expression, value }| {
        layout::wrap(&format!("{id}: {expression} = "), &worth(value))
    }))
}

pub(super) fn traced(seen: &Seen) -> String {
    let Some(TraceReport { lines: kept, omitted }) = &seen.trace else {
        return String::new();
    };
    let line = |TraceLine { breakpoint, event }: &TraceLine| {
        format!("tracepoint {breakpoint}  {}", event_text(event))
    };
    let more = number::counted(*omitted, "more line is", "more lines are");
    let rest = (*omitted > 0).then(|| format!("{more} not shown"));
    lines(kept.iter().map(line).chain(rest))
}

pub(super) fn watched(seen: &Seen) -> String {
    let Some(WatchReport { what, access, change }) = &seen.watch else {
        return String::new();
    };
    let score = |score: &Option<Score>| number::score_or_none(*score);
    let (before, now) = match change {
        ChangeReport::Value { previous, now } => (score(previous), score(now)),
        ChangeReport::Entry { previous, entry } => {
            let words = |entry: &Option<Box<EntryReport>>| {
                entry.as_ref().map_or_else(|| "not there".to_owned(), |entry| entry.brief())
            };
            (words(previous), words(entry))
        }
    };
    match *access {
        "read" => flow("  ", [format!("{what} is read:"), now]),
        _ => flow("  ", [format!("{what}:"), format!("was {before},"), format!("is {now}")]),
    }
}
