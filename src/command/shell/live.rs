//! What a screen needs that lives on while a search runs.

use std::{any::Any, sync::Arc, time::Duration};

use super::{Response, Shell};
use ratatui::buffer::Buffer;

use crate::{
    command::lexer,
    engine::{game::Fault, reply::Reply},
};

impl Shell {
    /// With a slice, commands that search come back after it at the latest, and [`Shell::advance_search`] goes on.
    ///
    /// While a search runs, a front end that works in slices should not [`advance`](Shell::advance) to the next statement.
    pub fn set_slice(&mut self, slice: Option<Duration>) {
        self.engine.set_slice(slice);
    }

    /// The name of the game at hand.
    pub fn game(&self) -> &'static str {
        self.engine.bench().game()
    }

    /// What a front end with a screen shows just now, for pictures of it.
    pub fn set_screen(&mut self, screen: Option<Buffer>) {
        self.screen = screen;
    }

    /// What is on the screen; nothing where there is none.
    pub(in crate::command) fn screen(&self) -> Option<&Buffer> {
        self.screen.as_ref()
    }

    /// Whether a command has begun a search that is to go on.
    pub fn is_searching(&self) -> bool {
        self.engine.bench().is_running()
    }

    /// Lets the search run for a slice; the reply once the command that began it is done.
    pub fn advance_search(&mut self, slice: Duration) -> Option<Response> {
        let reply = self.engine.bench_mut().advance(slice)?;
        let last = self.last.as_ref();
        let command = last.map_or("", |last| last.response.command);
        Some(self.reply(command, reply, false))
    }

    /// Runs one statement for a pane: nobody sees the reply, and the last one stays what it was.
    pub fn look_up(&mut self, statement: &str) -> Result<Arc<dyn Reply>, Fault> {
        let lexed =
            lexer::next_statement(statement, 0).ok_or_else(|| Fault::new("nothing to ask"))?;
        Ok(self.run_now(statement, &lexed.statement.words)?.reply)
    }

    /// [`Shell::look_up`], for a reply of one kind.
    pub fn ask<R: Reply + Clone>(&mut self, statement: &str) -> Result<R, Fault> {
        let reply: Arc<dyn Any + Send + Sync> = self.look_up(statement)?;
        let reply = reply.downcast().map(Arc::unwrap_or_clone);
        reply.map_err(|_| Fault::new("this is no answer to that"))
    }
}
