mod displays;
mod printing;
mod saving;
mod sightings;

use std::mem;

use super::{Answer, Desk, Pair, Searching as _, Travel};
use crate::engine::{
    debugger::{
        Access, Action, Breakpoint, CONDITIONS, Commands, EntryWatch, Fails, Figure, KeyMatch,
        Line, PlaceCondition, Trigger, ValueWatch, event_kind,
    },
    game::{Fault, Game},
    memo::Policy,
    reply::{BreakpointList, BreakpointReport, DisplayList, Printed, StopReport},
    suggest,
};

pub use printing::PRINTED;

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

impl<G: Game> Desk<G> {
    /// What a wish waits for. `strict`: a line of moves must be playable from the root at hand.
    pub(super) fn trigger(&self, wish: &Wish<'_>, strict: bool) -> Answer<(Trigger<G>, Action)> {
        match *wish {
            Wish::Place { conditions, action } => {
                let read = |pair: &Pair<'_>| {
                    self.condition(*pair, strict).map_err(|fault| fault.about(pair.0))
                };
                let conditions = conditions.iter().map(read).collect::<Answer<Vec<_>>>()?;
                Ok((Trigger::Place(conditions), action))
            }
            Wish::Entry { key, access } => {
                let watch = self.entry_watch(key, access, strict)?;
                Ok((Trigger::Entry(watch), Action::Stop))
            }
            Wish::Value { figure, ply } => {
                let ply = ply.map_or_else(|| self.selected_ply(), Ok)?;
                Ok((Trigger::Value(ValueWatch { figure, ply }), Action::Stop))
            }
        }
    }

    /// Adds a breakpoint that has not been hit.
    pub(super) fn set_breakpoint(
        &mut self,
        (trigger, action): (Trigger<G>, Action),
        condition: Option<&str>,
    ) -> Answer<BreakpointReport> {
        if matches!(&trigger, Trigger::Place(conditions) if conditions.is_empty())
            && condition.is_none()
        {
            return Err(Fault::new("a breakpoint needs a condition").hint(format!(
                "give one or more of {}=, or `if` and an expression",
                CONDITIONS.join("=, ")
            )));
        }
        let id = self.next_breakpoint;
        let point = Breakpoint::new(&self.run.searcher.game, id, trigger, condition, action)?;
        self.next_breakpoint += 1;
        let report = self.report_breakpoint(&point);
        self.run.debugger.breakpoints.push(point);
        Ok(report)
    }

    fn condition(&self, (name, text): Pair<'_>, strict: bool) -> Answer<PlaceCondition<G>> {
        let number = |most: &str| {
            Fault::new(format!("`{text}` is not a {name}"))
                .hint(format!("give a whole number from 0 to {most}"))
        };
        match name {
            "ply" => text.parse().map(PlaceCondition::Ply).map_err(|_| number("4294967295")),
            "depth" => text.parse().map(PlaceCondition::Depth).map_err(|_| number("255")),
            "kind" => event_kind(text).map(PlaceCondition::Kind),
            "key" => {
                let key = self.run.searcher.game.parse_key(text)?;
                Ok(PlaceCondition::Key(KeyMatch::new(&self.run.searcher.game, key)))
            }
            "position" => self.position_called(text).map(PlaceCondition::Position),
            "class" => {
                let position = self.position_called(text)?;
                Ok(PlaceCondition::Class(self.run.searcher.game.orbit(&position)))
            }
            "line" => self.line_called(text, strict).map(PlaceCondition::Line),
            "fails" => [Fails::Low, Fails::High]
                .into_iter()
                .find(|fails| fails.name() == text)
                .map(PlaceCondition::Fails)
                .ok_or_else(|| {
                    Fault::new(format!("a node cannot fail `{text}`")).hint("it fails low or high")
                }),
            _ => {
                let all = format!("the conditions are {}", CONDITIONS.join(", "));
                let hint = suggest::did_you_mean(name, CONDITIONS).unwrap_or(all);
                Err(Fault::new(format!("a breakpoint cannot wait for `{name}`")).hint(hint))
            }
        }
    }

    /// A line of moves from the root of the search under way, or the position at hand.
    fn line_called(&self, text: &str, strict: bool) -> Answer<Line<G>> {
        let mut line = Line::new(text)?;
        let root = self.run.running.as_ref().map(|running| running.search.root());
        let root = root.unwrap_or(&self.now.position);
        match line.read(&self.run.searcher.game, root, &self.now.history) {
            Err(fault) if strict => Err(fault),
            _ => Ok(line),
        }
    }

    /// A watchpoint on an entry; where that is `strict`, only one that the memo policy in force can reach.
    fn entry_watch(&self, text: &str, access: Access, strict: bool) -> Answer<EntryWatch<G::Key>> {
        let policy = self.run.searcher.settings.memo;
        let wanted = self.wanted(text)?;
        if strict {
            check_watch(policy, access)?;
            if policy.keys_depth() && wanted.depth.is_none() {
                return Err(Fault::new(format!("`{text}` says no depth"))
                    .hint("under this memo policy an entry is KEY:DEPTH"));
            }
        }
        let place = self.place(wanted.key, wanted.depth.unwrap_or(0));
        let known = self.run.searcher.memo.entries().get(place).is_some();
        let searched = self.searched_key(wanted.key).filter(|_| !known);
        Ok(EntryWatch {
            key: searched.unwrap_or(place.key),
            depth: wanted.depth.filter(|_| policy.keys_depth() || !strict),
            access,
        })
    }

    fn selected_ply(&self) -> Answer<u32> {
        let stack = self.report_stack();
        let stack = stack.map_err(|fault| fault.hint("name the ply: `watch best 1`"))?;
        Ok(stack.frames[stack.selected].ply)
    }

    fn report_breakpoint(&self, point: &Breakpoint<G>) -> BreakpointReport {
        BreakpointReport {
            id: point.id,
            command: point.command(),
            condition: point.words(&self.run.searcher.game),
            temporary: point.action == Action::Once,
            enabled: point.enabled,
            hits: point.hits,
            ignore: point.ignore,
            commands: point.commands.lines.clone(),
            untrusted: point.commands.untrusted,
        }
    }

    fn breakpoint_called(&mut self, id: u32) -> Answer<&mut Breakpoint<G>> {
        let found = self.run.debugger.breakpoints.iter_mut().find(|point| point.id == id);
        found.ok_or_else(|| {
            Fault::new(format!("no breakpoint {id}")).hint("`break` without conditions lists them")
        })
    }
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

/// Breakpoints, watchpoints, traces and displays.
pub trait Watching {
    /// Sets a breakpoint on places: each condition must hold.
    fn add_breakpoint(
        &mut self,
        conditions: &[Pair<'_>],
        temporary: bool,
    ) -> Answer<BreakpointReport> {
        let action = if temporary { Action::Once } else { Action::Stop };
        self.watch_for(&Wish::Place { conditions, action }, None)
    }
    /// Sets a breakpoint, watchpoint or trace, with a condition besides.
    fn watch_for(&mut self, wish: &Wish<'_>, condition: Option<&str>) -> Answer<BreakpointReport>;
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
    fn watch_for(&mut self, wish: &Wish<'_>, condition: Option<&str>) -> Answer<BreakpointReport> {
        let trigger = self.trigger(wish, true)?;
        self.set_breakpoint(trigger, condition)
    }

    fn breakpoints(&self) -> BreakpointList {
        BreakpointList {
            breakpoints: self
                .run
                .debugger
                .breakpoints
                .iter()
                .map(|point| self.report_breakpoint(point))
                .collect(),
        }
    }

    fn remove_breakpoint(&mut self, id: Option<u32>) -> Answer<BreakpointList> {
        match id {
            None => self.run.debugger.breakpoints.clear(),
            Some(id) => {
                self.breakpoint_called(id)?;
                self.run.debugger.breakpoints.retain(|point| point.id != id);
            }
        }
        Ok(self.breakpoints())
    }

    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Answer<BreakpointList> {
        self.breakpoint_called(id)?.enabled = enabled;
        Ok(self.breakpoints())
    }

    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Answer<BreakpointList> {
        let game = self.run.searcher.game.clone();
        let point = self.breakpoint_called(id)?;
        let everywhere =
            matches!(point.trigger(), Trigger::Place(conditions) if conditions.is_empty());
        if everywhere && condition.is_none() {
            return Err(Fault::new(format!(
                "without a condition breakpoint {id} is about nothing"
            ))
            .hint(format!("`delete {id}` removes it")));
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
            return Err(Fault::new(format!("{id} is a trace: it never stops to run commands"))
                .hint("`break` sets a breakpoint that stops"));
        }
        point.commands = Commands { lines, untrusted: false };
        Ok(self.breakpoints())
    }

    fn commands_of(&self, id: u32) -> Commands {
        let set = self.run.debugger.breakpoints.iter();
        let set = set.map(|point| (point.id, &point.commands));
        let spent = self.run.debugger.sightings.spent.iter();
        set.chain(spent.map(|(id, commands)| (*id, commands)))
            .find(|(known, _)| *known == id)
            .map_or_else(Commands::default, |(_, commands)| commands.clone())
    }

    fn trust_commands(&mut self) -> Vec<u32> {
        let points = self.run.debugger.breakpoints.iter_mut();
        points
            .filter_map(|point| mem::take(&mut point.commands.untrusted).then_some(point.id))
            .collect()
    }

    fn advance_to(&mut self, line: &str) -> Answer<StopReport> {
        self.run.debugger.sightings.line = Some(self.line_called(line, true)?);
        self.travel(Travel::Advance)
    }

    fn print(&self, text: &str) -> Answer<Printed> {
        self.print_text(text)
    }

    fn add_display(&mut self, text: &str) -> Answer<DisplayList> {
        self.check_printed(text)?;
        self.displays.add(text);
        Ok(self.displays())
    }

    fn displays(&self) -> DisplayList {
        DisplayList { displays: self.displayed() }
    }

    fn remove_display(&mut self, id: Option<u32>) -> Answer<DisplayList> {
        self.displays.remove(id)?;
        Ok(self.displays())
    }
}
