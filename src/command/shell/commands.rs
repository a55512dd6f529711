//! Lists of commands that breakpoints run.

use super::{Shell, SourceFrame, SourceOrigin};
use crate::{
    command::{
        block,
        lexer::{self, Word},
    },
    engine::{
        game::Fault,
        reply::{Reply, Run, Stop, StopReport},
    },
};

impl Shell {
    /// Takes the lines up to `end` out of the text being executed.
    pub(in crate::command) fn take_block(&mut self) -> Result<String, Fault> {
        let missing = || {
            Fault::new("the lines of these commands are missing")
                .hint("write them after it up to `end`, or on the same line in quotes")
        };
        let frame = self.frames.last_mut().ok_or_else(missing)?;
        let begin = lexer::next_statement(&frame.text, frame.current.start).ok_or_else(missing)?;
        let block = block::end_of(&frame.text, &begin).ok_or_else(missing)?;
        frame.next = block.after;
        Ok(frame.text[begin.end..block.end].to_owned())
    }

    /// Refuses words that name no command; an alias is one.
    pub(in crate::command) fn check_name(&self, words: &[Word<'_>]) -> Result<(), Fault> {
        let typed: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let first = typed.first().copied().unwrap_or_default();
        if self.table.exact(&typed).is_some() || self.aliases.contains_key(first) {
            return Ok(());
        }
        let place = words.first().map_or(0..0, |word| word.span.clone());
        Err(self.table.unknown(&typed).at(place))
    }

    /// Where a search has stopped at a breakpoint with commands, has them executed next. Says whether the stop itself
    /// is to go unmentioned.
    pub(super) fn load_commands(&mut self, reply: &mut dyn Reply) -> bool {
        let stop = reply.downcast_ref::<StopReport>();
        let stop = stop.filter(|stop| stop.stopped == "break");
        let run = reply.downcast_ref::<Run>();
        let run = run.filter(|run| matches!(run.stopped, Some(Stop::Breakpoint(_))));
        let id = stop.and_then(|stop| stop.breakpoint);
        let Some(id) = id.or_else(|| run?.breakpoint) else {
            return false;
        };
        let commands = self.engine.bench().commands_of(id);
        if commands.untrusted {
            let note = format!(
                "the commands of breakpoint {id} came with the session and were not run: `info breakpoints` shows them, `trust` lets them run"
            );
            if let Some(stop) = reply.downcast_mut::<StopReport>() {
                stop.notes.push(note);
            } else if let Some(run) = reply.downcast_mut::<Run>() {
                run.notes.push(note);
            }
            return false;
        }
        let mut lines = commands.lines;
        let silent = lines.first().is_some_and(|line| line == block::SILENT);
        if silent {
            lines.remove(0);
        }
        if lines.is_empty() {
            return silent;
        }
        // A list that goes on with the search gives way to the next one, so that lists never pile up.
        let is_alias = |frame: &&SourceFrame| matches!(frame.origin, SourceOrigin::Alias(_));
        let above = self.frames.iter().rev().take_while(is_alias).count();
        let place = self.frames.len() - above;
        if let Some(frame) = self.frames.get(place.wrapping_sub(1))
            && matches!(frame.origin, SourceOrigin::Breakpoint(_))
        {
            self.frames.truncate(place - 1);
        }
        let text = lines.join("\n");
        self.frames.push(SourceFrame::new(SourceOrigin::Breakpoint(id), &text, 1));
        silent
    }
}
