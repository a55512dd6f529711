//! A player in one game: our own searcher, or an external engine.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{Choice, Chosen, Cost, Player, choose};
use crate::engine::{
    engines::{Guest, position_of},
    game::{Fault, Game},
    random,
    searcher::{Root, Searcher},
    settings::Budget,
    table::AnyTable,
};

/// The time per move, in milliseconds, of an external engine whose player sets no limit.
const USUAL_TIME: u64 = 100;
/// How long an external engine may exceed its time limit before it forfeits the game.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an external engine with a limit of depth or nodes may take for a move before it forfeits the game.
const LONG: Duration = Duration::from_secs(600);

/// A player while it plays a game.
pub enum Contestant<G: Game> {
    /// This program's own search.
    Own(Box<Searcher<G>>),
    /// An external engine, its limit as an argument of `go`, and how long to wait for its move.
    Guest(Box<Guest>, String, Duration),
}

impl<G: Game> Contestant<G> {
    /// The player at the start of a game; the table of our own searcher is a copy of `table`.
    /// Errors: settings or weights that do not suit the game.
    pub fn new(player: &Player, game: &G, table: Option<&AnyTable<G::Key>>) -> Result<Self, Fault> {
        let Some(command) = &player.engine else {
            let mut searcher = player.searcher(game)?;
            searcher.reset(table);
            return Ok(Self::Own(Box::new(searcher)));
        };
        let settings = &player.settings;
        let (limit, time) = match (settings.time_ms, settings.depth, settings.budget) {
            (Some(ms), ..) => (format!("movetime {ms}"), Some(ms)),
            (_, Some(depth), _) => (format!("depth {depth}"), None),
            (_, _, Budget::States(nodes)) => (format!("nodes {nodes}"), None),
            _ => (format!("movetime {USUAL_TIME}"), Some(USUAL_TIME)),
        };
        let patience = time.map_or(LONG, |ms| Duration::from_millis(ms).saturating_add(PATIENCE));
        let guest = Guest::new(&player.name, command);
        Ok(Self::Guest(Box::new(guest), limit, patience))
    }

    /// Chooses a move. An engine that fails, or plays an illegal move, forfeits the game. `moves`: all moves since `start`.
    /// Errors: those of this program's own search.
    pub fn choose(
        &mut self,
        game: &G,
        (position, history): Root<'_, G>,
        (start, moves): (&G::Position, &[G::Move]),
        number: u64,
        interrupt: &AtomicBool,
    ) -> Chosen<G> {
        let (guest, limit, patience) = match self {
            Self::Own(searcher) => {
                let number = random::splitmix_all(&[number, searcher.settings.seed]);
                return choose(searcher, (position, history), number, interrupt);
            }
            Self::Guest(guest, limit, patience) => (guest, limit, *patience),
        };
        let begun = Instant::now();
        let found = guest.prepare(G::NAME, interrupt).and_then(|()| {
            guest.search(&position_of(game, start, moves), limit, (patience, interrupt))
        });
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Choice::Interrupted);
        }
        let found = match found {
            Ok(found) => found,
            Err(fault) => return Ok(Choice::Forfeit(fault.message)),
        };
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let (nodes, depth) = (found.nodes, found.depth.into());
        let cost = Cost { moves: 1, nodes, depth, ms, ..Cost::default() };
        Ok(match game.parse_move(position, history, &found.best) {
            Ok(mv) => Choice::Move(mv, cost),
            Err(_) => Choice::Forfeit(format!("illegal move {}", found.best)),
        })
    }
}
