use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use super::{Answer, Desk, Pair};
use crate::engine::{
    files::FileFailure,
    game::Game,
    memo::{MaxSize, Policy},
    progress::Unit,
    search::{Algorithm, Leash, Plan, Stop, Unwatched},
    settings::Settings,
    trace::{Following, Retold, Rulebook, TraceWriter},
};

door!(
    /// Traces of searches.
    pub trait Tracing {}

    /// Runs the search that `search run` would run with these settings besides, on a copy of the cache or, `fresh`, on an
    /// empty one, and writes its trace: how many events, and why it stopped.
    fn record_trace(
        &self,
        settings: &[Pair<'_>],
        fresh: bool,
        out: &mut dyn Write,
    ) -> Result<(u64, Stop), FileFailure> {
        let settings = self.limited(settings)?;
        let (mut running, mut memo) = self.begin_beside(&settings, fresh)?;
        let warm = !memo.entries().is_empty();
        let game = self.game();
        let mut writer = TraceWriter::begin((game, running.mode), (&running.search, warm), out)?;
        let deadline = settings.time_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        self.watching("recording", (Unit::Events, 0), |watch| {
            loop {
                let before = running.search.events();
                let leash = Leash::new(&self.run.interrupt, deadline);
                let leash = Leash { until: before + 1, ..leash };
                let halt = running.drive(game, &mut memo, &mut Unwatched, &leash);
                if running.search.events() > before {
                    writer.see(&running.search.describe(), &running.search, &memo)?;
                }
                (watch.progress)(writer.written(), 0);
                match halt {
                    Stop::Limit => {}
                    Stop::Interrupt | Stop::Time => {
                        writer.stop(halt.name())?;
                        return Ok((writer.written(), halt));
                    }
                    _ => return Ok((writer.written(), halt)),
                }
            }
        })
    }

    /// The rules of the game, to follow a trace by.
    fn rulebook(&self) -> Box<dyn Rulebook> {
        Box::new(Following::new(self.game().clone()))
    }
);

impl Desk<Retold> {
    /// A workbench at the beginning of a trace, with a table that holds whatever the program traced stores.
    pub fn retelling(trace: Retold, interrupt: Arc<AtomicBool>) -> Answer<Self> {
        let mut desk = Self::new(trace, interrupt);
        let searcher = &mut desk.run.searcher;
        searcher.settings = Settings {
            algorithm: Some(Algorithm::AlphaBeta),
            memo: Some(Policy::Bound),
            max_size: MaxSize::Unlimited,
            ..Settings::default()
        };
        searcher.reset(None);
        let running = desk.prepare(|window| Plan::Value { depth: 0, window }, None)?;
        desk.run.stand(running);
        Ok(desk)
    }
}
