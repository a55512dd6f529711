use super::{Answer, Desk, Pair};
use crate::engine::{
    debugger::{Breakpoint, Condition},
    game::{Fault, Game},
    report::{BreakpointList, BreakpointReport},
    search::EventKind,
};

impl<G: Game> Desk<G> {
    pub(super) fn set_breakpoint(
        &mut self,
        conditions: &[Pair<'_>],
        temporary: bool,
    ) -> Answer<BreakpointReport> {
        if conditions.is_empty() {
            return Err(Fault::new("a breakpoint needs a condition")
                .hint("give one or more of ply=, depth=, kind=, key=, position="));
        }
        let conditions = conditions
            .iter()
            .map(|pair| self.condition(*pair))
            .collect::<Answer<Vec<_>>>()?;
        let point = Breakpoint {
            id: self.next_breakpoint,
            conditions,
            enabled: true,
            temporary,
            hits: 0,
        };
        self.next_breakpoint += 1;
        let report = self.report_breakpoint(&point);
        self.breakpoints.push(point);
        Ok(report)
    }

    fn condition(&self, (name, text): Pair<'_>) -> Answer<Condition<G>> {
        let number = |most: &str| {
            Fault::new(format!("`{text}` is not a {name}"))
                .hint(format!("give a whole number from 0 to {most}"))
        };
        match name {
            "ply" => text
                .parse()
                .map(Condition::Ply)
                .map_err(|_| number("4294967295")),
            "depth" => text
                .parse()
                .map(Condition::Depth)
                .map_err(|_| number("255")),
            "kind" => event_kind(text).map(Condition::Kind),
            "key" => self.game.parse_key(text).map(Condition::Key),
            "position" if text == "here" => Ok(Condition::Position(self.now.position.clone())),
            "position" => self.game.parse_position(text).map(Condition::Position),
            _ => Err(Fault::new(format!("a breakpoint cannot wait for `{name}`"))
                .hint("the conditions are ply, depth, kind, key and position")),
        }
    }

    fn report_breakpoint(&self, point: &Breakpoint<G>) -> BreakpointReport {
        BreakpointReport {
            id: point.id,
            condition: point.words(&self.game),
            temporary: point.temporary,
            enabled: point.enabled,
            hits: point.hits,
        }
    }

    pub(super) fn list_breakpoints(&self) -> BreakpointList {
        BreakpointList {
            breakpoints: self
                .breakpoints
                .iter()
                .map(|point| self.report_breakpoint(point))
                .collect(),
        }
    }

    pub(super) fn breakpoint_called(&self, id: u32) -> Answer<usize> {
        let place = self.breakpoints.iter().position(|point| point.id == id);
        place.ok_or_else(|| {
            Fault::new(format!("no breakpoint {id}")).hint("`break` without conditions lists them")
        })
    }
}

/// A kind of event by its name.
pub fn event_kind(text: &str) -> Answer<EventKind> {
    EventKind::ALL
        .into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| {
            let names = EventKind::ALL.map(EventKind::name).join(", ");
            Fault::new(format!("no event is called `{text}`"))
                .hint(format!("the kinds are {names}"))
        })
}
