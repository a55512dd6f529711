//! What stops a search or is shown when it stops: breakpoints, watchpoints, traces, displays, and values by name.

use std::mem;

use serde_json::{Map, Value, json};

use super::{Answer, Desk, Pair, Searching as _, Travel};
use crate::engine::{
    debugger::{
        Access, Action, Breakpoint, CONDITIONS, Change, Clause, Commands, ComparedWord, Displays,
        EntryWatch, Fails, Figure, FrameFacts, KeyMatch, Line, Name, Names, PlaceWord, TracedEvent,
        Trigger, ValueWatch, event_kind,
    },
    expression::{self, Comparison, Expression, Sum},
    game::{Attribute, Fault, Game, Score},
    memo::Policy,
    reply::{
        BreakpointList, BreakpointReport, ChangeReport, DisplayList, DisplayReport, EventReport,
        Printed, Seen, StopReport, TraceLine, TraceReport, WatchReport, Where,
    },
    session::SavedBreakpoint,
    suggest,
};

/// What `print` knows besides the names of expressions.
pub const PRINTED: [(&str, &str); 2] =
    [("best_move", "the move that gave the best value"), ("moves", "the moves in search order")];

/// What a user wants to be stopped at or told of.
#[derive(Clone, Copy, Debug)]
pub enum Wish<'a> {
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
        figure: Figure,
        /// The frame's ply; the selected one's where none is given.
        ply: Option<u32>,
    },
}

/// Breakpoints, watchpoints, traces and displays.
pub trait Watching {
    /// Sets a breakpoint, watchpoint or tracepoint, with a condition besides.
    fn watch_for(&mut self, wish: &Wish<'_>, condition: Option<&str>) -> Answer<BreakpointList>;
    /// All of them.
    fn breakpoints(&self) -> BreakpointList;
    /// Removes one, or all.
    fn remove_breakpoint(&mut self, id: Option<u32>) -> Answer<BreakpointList>;
    /// Switches one on or off.
    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Answer<BreakpointList>;
    /// Gives one another condition, or none.
    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Answer<BreakpointList>;
    /// Has one ignored so many times.
    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Answer<BreakpointList>;
    /// Gives one the command lines to run when it stops.
    fn command_breakpoint(&mut self, id: u32, commands: Vec<String>) -> Answer<BreakpointList>;
    /// The commands to run now that this one has stopped a search.
    fn commands_of(&self, id: u32) -> Commands;
    /// Lets all commands that came with a session run; says of which breakpoints.
    fn trust_commands(&mut self) -> Vec<u32>;
    /// Goes on with the search under way, or starts one, to the node that a line of moves leads to.
    fn advance_to(&mut self, line: &str) -> Answer<StopReport>;
    /// What names, or else an expression over them, are worth at the selected frame; everything where nothing is given.
    fn print(&self, text: &str) -> Answer<Printed>;
    /// Shows an expression after every stop from now on.
    fn add_display(&mut self, text: &str) -> Answer<DisplayList>;
    /// The expressions shown, with their values now.
    fn displays(&self) -> DisplayList;
    /// Shows one no more, or none.
    fn remove_display(&mut self, id: Option<u32>) -> Answer<DisplayList>;
}

impl<G: Game> Watching for Desk<G> {
    fn watch_for(&mut self, wish: &Wish<'_>, condition: Option<&str>) -> Answer<BreakpointList> {
        let trigger = self.trigger(wish, true)?;
        self.set_breakpoint(trigger, condition)?;
        Ok(self.breakpoints())
    }

    fn breakpoints(&self) -> BreakpointList {
        let game = self.game();
        let reports =
            self.run.debugger.breakpoints.iter().map(|point| BreakpointReport::of(point, game));
        BreakpointList { breakpoints: reports.collect() }
    }

    fn remove_breakpoint(&mut self, id: Option<u32>) -> Answer<BreakpointList> {
        if let Some(id) = id {
            self.breakpoint_called(id)?;
        }
        self.run.debugger.breakpoints.retain(|point| id.is_some_and(|id| point.id != id));
        self.run.debugger.hits.retain(|hit| id.is_some_and(|id| hit.id != id));
        Ok(self.breakpoints())
    }

    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Answer<BreakpointList> {
        self.breakpoint_called(id)?.enabled = enabled;
        Ok(self.breakpoints())
    }

    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Answer<BreakpointList> {
        let game = self.game().clone();
        let point = self.breakpoint_called(id)?;
        if is_everywhere(point.trigger()) && condition.is_none() {
            let what = format!("without a condition breakpoint {id} is about nothing");
            return Err(Fault::new(what).hint(format!("`delete {id}` removes it")));
        }
        point.set_condition(&game, condition)?;
        Ok(self.breakpoints())
    }

    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Answer<BreakpointList> {
        self.breakpoint_called(id)?.ignore = times;
        Ok(self.breakpoints())
    }

    fn command_breakpoint(&mut self, id: u32, lines: Vec<String>) -> Answer<BreakpointList> {
        let point = self.breakpoint_called(id)?;
        if !point.stops() && !lines.is_empty() {
            return Err(Fault::new(format!(
                "{id} is a tracepoint: it never stops to run commands"
            ))
            .hint("`break` sets a breakpoint that stops"));
        }
        point.commands = Commands { lines, untrusted: false };
        Ok(self.breakpoints())
    }

    fn commands_of(&self, id: u32) -> Commands {
        let set = self.run.debugger.breakpoints.iter().map(|point| (point.id, &point.commands));
        let spent = self.run.debugger.sightings.spent.iter().map(|(id, commands)| (*id, commands));
        let found = set.chain(spent).find(|(known, _)| *known == id);
        found.map_or_else(Commands::default, |(_, commands)| commands.clone())
    }

    fn trust_commands(&mut self) -> Vec<u32> {
        self.run
            .debugger
            .breakpoints
            .iter_mut()
            .filter_map(|point| mem::take(&mut point.commands.untrusted).then_some(point.id))
            .collect()
    }

    fn advance_to(&mut self, line: &str) -> Answer<StopReport> {
        self.run.debugger.sightings.line = Some(self.line_called(line, true)?);
        self.travel(Travel::Advance)
    }

    fn print(&self, text: &str) -> Answer<Printed> {
        let names: Vec<_> = text.split_whitespace().collect();
        if !names.iter().all(|name| is_name(name)) {
            let worth = self.worth(text)?;
            return Ok(Printed { values: Map::from_iter([(text.trim().to_owned(), worth)]) });
        }
        let all = values(&self.stack()?);
        if names.is_empty() {
            return Ok(Printed { values: all });
        }
        let called = |name: &&str| Some(((*name).to_owned(), value_called(&all, name)?));
        Ok(Printed { values: names.iter().filter_map(called).collect() })
    }

    fn add_display(&mut self, text: &str) -> Answer<DisplayList> {
        self.check_printed(text)?;
        self.displays.add(text);
        Ok(self.displays())
    }

    fn displays(&self) -> DisplayList {
        let shown = self.displays.shown.iter().map(|(id, text)| {
            let value = if is_name(text) {
                self.stack().ok().and_then(|stack| value_called(&values(&stack), text))
            } else {
                self.worth(text).ok()
            };
            let value = value.unwrap_or_default();
            DisplayReport { id: *id, expression: text.clone(), value }
        });
        DisplayList { displays: shown.collect() }
    }

    fn remove_display(&mut self, id: Option<u32>) -> Answer<DisplayList> {
        self.displays.remove(id)?;
        Ok(self.displays())
    }
}

impl<G: Game> Desk<G> {
    /// What a wish waits for. `strict`: a line of moves must be playable from the root at hand.
    fn trigger(&self, wish: &Wish<'_>, strict: bool) -> Answer<(Trigger<G>, Action)> {
        match *wish {
            Wish::Place { conditions, action } => {
                let read = |pair: &Pair<'_>| {
                    self.place_word(*pair, strict).map_err(|fault| fault.about(pair.0))
                };
                Ok((Trigger::Place(conditions.iter().map(read).collect::<Answer<_>>()?), action))
            }
            Wish::Entry { key, access } => {
                let watch = self.entry_watch(key, access, strict)?;
                Ok((Trigger::Entry(watch), Action::Stop))
            }
            Wish::Value { figure, ply } => {
                let selected = || self.run.under_way().map(|running| running.selected_ply() as u32);
                let ply = ply.map_or_else(selected, Ok);
                let ply = ply.map_err(|fault| fault.hint("name the ply: `watch best 1`"))?;
                Ok((Trigger::Value(ValueWatch { figure, ply }), Action::Stop))
            }
        }
    }

    /// Adds a breakpoint that has not been hit.
    fn set_breakpoint(
        &mut self,
        (trigger, action): (Trigger<G>, Action),
        condition: Option<&str>,
    ) -> Answer<()> {
        if is_everywhere(&trigger) && condition.is_none() {
            return Err(Fault::new("a breakpoint needs a condition").hint(format!(
                "give one or more of {}=, or `if` and an expression",
                CONDITIONS.join("=, ")
            )));
        }
        let id = self.next_breakpoint;
        let point = Breakpoint::new(self.game(), id, trigger, condition, action)?;
        self.next_breakpoint += 1;
        self.run.debugger.breakpoints.push(point);
        Ok(())
    }

    /// What a name and a value of `break` stand for.
    fn place_word(&self, (name, text): Pair<'_>, strict: bool) -> Answer<PlaceWord<G>> {
        let Some(name) = CONDITIONS.into_iter().find(|known| *known == name) else {
            let all = format!("the conditions are {}", CONDITIONS.join(", "));
            let hint = suggest::did_you_mean(name, CONDITIONS).unwrap_or(all);
            return Err(Fault::new(format!("a breakpoint cannot wait for `{name}`")).hint(hint));
        };
        let game = self.game();
        let (of, word, value) = match name {
            "ply" | "depth" => {
                let (of, most) = match name {
                    "ply" => (Name::Ply, u32::MAX),
                    _ => (Name::Depth, u8::MAX.into()),
                };
                let number = text.parse().ok().filter(|number| *number <= most);
                let number: u32 = number.ok_or_else(|| {
                    Fault::new(format!("`{text}` is not a {name}"))
                        .hint(format!("give a whole number from 0 to {most}"))
                })?;
                let clause = Clause::Test(of, Comparison::Equal, number.into());
                return Ok(PlaceWord { name, value: number.to_string(), clause });
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
                    Fault::new(format!("a node cannot fail `{text}`")).hint("it fails low or high")
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
        Ok(PlaceWord { name, value, clause: Clause::Is(of, word, true) })
    }

    /// A line of moves from the root of the search under way, or the position at hand.
    fn line_called(&self, text: &str, strict: bool) -> Answer<Line<G>> {
        let mut line = Line::new(text)?;
        let running = self.run.running.as_ref();
        let root = running.map_or(&self.now.position, |running| running.search.root());
        match line.read(self.game(), root, &self.now.history) {
            Err(fault) if strict => Err(fault),
            _ => Ok(line),
        }
    }

    /// A watchpoint on an entry; where that is `strict`, only one that the memo policy in force can reach.
    fn entry_watch(&self, text: &str, access: Access, strict: bool) -> Answer<EntryWatch<G::Key>> {
        let policy = self.settings().memo();
        let wanted = self.wanted(text)?;
        if strict {
            check_watch(policy, access)?;
            if policy.keys_depth() && wanted.depth.is_none() {
                return Err(Fault::new(format!("`{text}` says no depth"))
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

    fn breakpoint_called(&mut self, id: u32) -> Answer<&mut Breakpoint<G>> {
        self.run.debugger.breakpoints.iter_mut().find(|point| point.id == id).ok_or_else(|| {
            Fault::new(format!("no breakpoint {id}")).hint("`break` without conditions lists them")
        })
    }

    /// A breakpoint as sessions have it.
    pub(super) fn saved_breakpoint(&self, point: &Breakpoint<G>) -> SavedBreakpoint {
        let pairs = point.pairs(self.game()).into_iter();
        SavedBreakpoint {
            id: point.id,
            conditions: pairs.map(|(name, value)| (name.to_owned(), value)).collect(),
            condition: point.condition().map(str::to_owned),
            enabled: point.enabled,
            temporary: point.action == Action::Once,
            trace: point.action == Action::Trace,
            hits: point.hits,
            ignore: point.ignore,
            commands: point.commands.lines.clone(),
        }
    }

    /// Sets a breakpoint as a session has it.
    pub(super) fn restore_breakpoint(&mut self, saved: SavedBreakpoint) -> Answer<()> {
        let id = saved.id;
        self.set_saved(saved).map_err(|fault| fault.within(format!("breakpoint {id}")))
    }

    fn set_saved(&mut self, saved: SavedBreakpoint) -> Answer<()> {
        let action = match (saved.temporary, saved.trace) {
            (false, false) => Action::Stop,
            (true, false) => Action::Once,
            (false, true) => Action::Trace,
            (true, true) => {
                return Err(Fault::new("a tracepoint is never temporary")
                    .hint("set one of `temporary` and `trace` to false"));
            }
        };
        let pairs: Vec<Pair<'_>> =
            saved.conditions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        // A line of moves may belong to another root than the one at hand.
        let trigger = self.trigger(&saved_wish(&pairs, action)?, false)?;
        self.set_breakpoint(trigger, saved.condition.as_deref())?;
        if let Some(point) = self.run.debugger.breakpoints.last_mut() {
            (point.id, point.enabled, point.hits) = (saved.id, saved.enabled, saved.hits);
            point.ignore = saved.ignore;
            point.commands =
                Commands { untrusted: !saved.commands.is_empty(), lines: saved.commands };
        }
        Ok(())
    }

    /// Takes over a session's displays.
    pub(super) fn restore_displays(&mut self, displays: Displays) -> Answer<()> {
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
            Change::Value { figure, ply, before, now } => WatchReport {
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
    fn check_printed(&self, text: &str) -> Answer<()> {
        if is_name(text) {
            return Ok(());
        }
        expression::read(text, &Names(self.game())).map(drop)
    }

    /// What an expression is worth at the selected frame.
    fn worth(&self, text: &str) -> Answer<Value> {
        let expression = expression::read(text, &Names(self.game()))?;
        let running = self.run.under_way()?;
        let (search, ply) = (&running.search, running.selected_ply());
        let event = (search.events() > 0).then(|| search.describe());
        let facts = FrameFacts::new(self.game(), search, ply, event.as_ref());
        Ok(match &expression {
            Expression::Condition(condition) => json!(condition.holds(&facts)),
            Expression::Sum(Sum::Name(Name::Own(field))) => {
                facts.own(*field).map_or(Value::Null, |own| match own {
                    Attribute::Number(number) => as_json(number, true),
                    Attribute::Text(text) => json!(text),
                })
            }
            Expression::Sum(sum) => {
                let mut counts = true;
                expression.visit(&mut |name| counts &= !is_score(name));
                sum.value(&facts).map_or(Value::Null, |number| as_json(number, counts))
            }
        })
    }
}

impl BreakpointReport {
    fn of<G: Game>(point: &Breakpoint<G>, game: &G) -> Self {
        Self {
            id: point.id,
            command: point.command(),
            condition: point.words(game),
            temporary: point.action == Action::Once,
            enabled: point.enabled,
            hits: point.hits,
            ignore: point.ignore,
            commands: point.commands.lines.clone(),
            untrusted: point.commands.untrusted,
        }
    }
}

/// Whether nothing but a condition besides says where a breakpoint stops.
fn is_everywhere<G: Game>(trigger: &Trigger<G>) -> bool {
    matches!(trigger, Trigger::Place(conditions) if conditions.is_empty())
}

/// Refuses to wait for what never happens under a policy.
fn check_watch(policy: Policy, access: Access) -> Answer<()> {
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
fn saved_wish<'a>(pairs: &'a [Pair<'a>], action: Action) -> Answer<Wish<'a>> {
    if let [(name, value)] = *pairs {
        let watches = [Access::Write, Access::Read, Access::Any];
        if let Some(access) = watches.into_iter().find(|access| access.command() == name) {
            return Ok(Wish::Entry { key: value, access });
        }
        if let Some(figure) = Figure::called(name) {
            let ply = value.parse().map_err(|_| {
                Fault::new(format!("`{value}` is not a ply")).hint("give a whole number")
            })?;
            return Ok(Wish::Value { figure, ply: Some(ply) });
        }
    }
    Ok(Wish::Place { conditions: pairs, action })
}

/// Whether `print` knows a name without an expression around it.
fn is_name(text: &str) -> bool {
    text.parse::<Name>().is_ok() || PRINTED.iter().any(|(name, _)| *name == text)
}

const fn is_score(name: Name) -> bool {
    matches!(name, Name::Alpha | Name::Beta | Name::Value | Name::Best)
}

/// A number as scores are written, or, where nothing but counts is in it, as those are.
fn as_json(number: f64, counts: bool) -> Value {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if counts && number.fract() == 0.0 && number.abs() < EXACT {
        return json!(number as i64);
    }
    json!(Score::new(number))
}

/// Everything that has a name.
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

fn value_called(values: &Map<String, Value>, name: &str) -> Option<Value> {
    let name = if name == "kind" { "event" } else { name };
    values.get(name).cloned()
}
