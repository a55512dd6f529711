use super::Wish;
use crate::engine::debugger::Displays;
use crate::engine::{
    debugger::{Access, Action, Breakpoint, Commands, Figure, Trigger},
    game::{Fault, Game},
    session::SavedBreakpoint,
    workbench::{Answer, Desk, Pair},
};

/// The commands that watch entries.
const ENTRY_WATCHES: [Access; 3] = [Access::Write, Access::Read, Access::Any];

impl<G: Game> Desk<G> {
    /// A breakpoint as sessions have it.
    pub(in crate::engine::workbench) fn saved_breakpoint(
        &self,
        point: &Breakpoint<G>,
    ) -> SavedBreakpoint {
        let conditions = match point.trigger() {
            Trigger::Place(conditions) => {
                let pairs =
                    conditions.iter().map(|condition| condition.pair(&self.run.searcher.game));
                pairs.map(|(name, value)| (name.to_owned(), value)).collect()
            }
            Trigger::Entry(watch) => {
                let key = self.run.searcher.game.format_key(watch.key);
                let depth = watch.depth.map_or_else(String::new, |depth| format!(":{depth}"));
                vec![(watch.access.command().to_owned(), key + &depth)]
            }
            Trigger::Value(watch) => {
                vec![(watch.figure.name().to_owned(), watch.ply.to_string())]
            }
        };
        SavedBreakpoint {
            id: point.id,
            conditions,
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
    pub(in crate::engine::workbench) fn restore_breakpoint(
        &mut self,
        saved: SavedBreakpoint,
    ) -> Answer<()> {
        let id = saved.id;
        self.set_saved(saved).map_err(|fault| fault.within(format!("breakpoint {id}")))
    }

    fn set_saved(&mut self, saved: SavedBreakpoint) -> Answer<()> {
        let action = match (saved.temporary, saved.trace) {
            (false, false) => Action::Stop,
            (true, false) => Action::Once,
            (false, true) => Action::Trace,
            (true, true) => {
                return Err(Fault::new("a trace is never temporary")
                    .hint("set one of `temporary` and `trace` to false"));
            }
        };
        let pairs: Vec<Pair<'_>> =
            saved.conditions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let wish = wish(&pairs, action)?;
        // A line of moves may belong to another root than the one at hand.
        let trigger = self.trigger(&wish, false)?;
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
    pub(in crate::engine::workbench) fn restore_displays(
        &mut self,
        displays: Displays,
    ) -> Answer<()> {
        for (id, text) in &displays.shown {
            self.check_printed(text).map_err(|fault| fault.within(format!("display {id}")))?;
        }
        let last = displays.shown.iter().map(|(id, _)| *id).max();
        self.displays = Displays { last: displays.last.max(last.unwrap_or(0)), ..displays };
        Ok(())
    }
}

/// What saved conditions wish for: a watchpoint is the only one of its list.
fn wish<'a>(pairs: &'a [Pair<'a>], action: Action) -> Answer<Wish<'a>> {
    if let [(name, value)] = *pairs {
        if let Some(access) = ENTRY_WATCHES.into_iter().find(|access| access.command() == name) {
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
