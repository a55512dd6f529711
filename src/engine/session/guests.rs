//! Commands with external engines: play, analyse, and find where two engines or move generators differ.

use std::{
    slice,
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{
    PlayedPosition, Session,
    comparing::{SuiteEntry, entry},
    playing::PlayedReport,
    position::PositionCommands as _,
    reply::{Replied, Reply, boxed},
};

use crate::{
    engine::{
        engines::{Found, Guest, GuestScore, position_of},
        game::{Game, MoveText, Result, Score},
        progress::Unit,
        suite::SuiteSource,
    },
    text::{layout, lines, number, or_empty, style::Scale, words},
};

pub use crate::engine::engines::Guests;

/// How long an engine may take beyond its search time before its move is given up.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait for the move of a search without a time limit.
const LONG: Duration = Duration::from_secs(600);

/// Commands with external UCI engines.
pub trait GuestCommands {
    /// Searches for a position where the engine generates other legal moves than the program. Starting at the current position,
    /// `depth` plies are walked along moves with differing perft counts. `patience`: how long the engine may be silent.
    fn perft_diff(&self, guest: &mut Guest, depth: u32, patience: Duration) -> Result<PerftDiff>;
    /// Lets an engine search the current position. `limit`: kind and number, such as `depth` and 5; `movetime` in ms.
    fn search_with(&self, guest: &mut Guest, limit: (&str, u64)) -> Result<GuestAnalysis>;
    /// The current position as [`Analyst::set_position`](crate::engine::engines::Analyst::set_position) takes it; `None` if the
    /// game is over.
    fn guest_position(&self) -> Option<String>;
    /// Converts the lines that a background analysis found in the current position.
    fn guest_lines(&self, found: &[Found]) -> Vec<GuestLine>;
    /// Finds the first position where two engines find different moves or node counts, and the least depth, up to `depth`
    /// plies, at which the engines differ. The positions are those of `source` (default: the current position).
    fn diff_guests(
        &self,
        guests: [&mut Guest; 2],
        source: Option<SuiteSource<'_>>,
        depth: u8,
    ) -> Result<GuestDiff>;
    /// Lets an engine search the current position, and plays its move.
    fn play_guest(&mut self, guest: &mut Guest, limit: (&str, u64)) -> Replied;
}

impl<G: Game> GuestCommands for Session<G> {
    fn perft_diff(&self, guest: &mut Guest, depth: u32, patience: Duration) -> Result<PerftDiff> {
        guest.prepare(G::NAME, &self.run.interrupt)?;
        let mut played = self.now.clone();
        let mut found = PerftDiff { engine: guest.name.clone(), depth, ..PerftDiff::default() };
        for left in (1..=depth).rev() {
            let state = self.game().format_position(&played.position);
            let setup = format!("position fen {state}");
            let theirs = guest.perft(&setup, left, (patience, &self.run.interrupt))?;
            let ours = self.divide(&played, left)?;
            found.nodes += ours.nodes;
            let mine = ours.divide.iter().map(|below| (&below.mv, Some(below.nodes)));
            let is_known = |name: &str| ours.divide.iter().any(|below| below.mv.plain() == name);
            let others = theirs.moves.iter().filter(|(name, _)| !is_known(name));
            let others: Vec<_> = others.map(|(name, _)| MoveText::from(name.as_str())).collect();
            let all = mine.chain(others.iter().map(|mv| (mv, None)));
            let mut differing = all.map(|(mv, ours)| (mv, ours, theirs.of(mv.plain())));
            let Some((mv, ours, theirs)) = differing.find(|(_, ours, theirs)| ours != theirs)
            else {
                found.settle(&state);
                return Ok(found);
            };
            (found.state, found.ours, found.theirs) = (state, ours, theirs);
            found.differing = Some(mv.clone());
            // If only the program or only the engine generates the move, the difference is in this position.
            let (Some(_), Some(_), true) = (ours, theirs, left > 1) else { break };
            found.line.push(mv.clone());
            let mv = self.game().parse_move(&played.position, &played.history, mv.plain())?;
            played = played.after(self.game(), mv);
        }
        Ok(found)
    }

    fn search_with(&self, guest: &mut Guest, (kind, number): (&str, u64)) -> Result<GuestAnalysis> {
        let PlayedPosition { position, history, .. } = &self.now;
        let game = self.game();
        self.check_going_on()?;
        guest.prepare(G::NAME, &self.run.interrupt)?;
        let time = Duration::from_millis(number);
        let patience = if kind == "movetime" { time.saturating_add(PATIENCE) } else { LONG };
        let start = Instant::now();
        let waiting = (patience, &*self.run.interrupt);
        let found = guest.search(&self.for_guest(), &format!("{kind} {number}"), waiting)?;
        let best = game.parse_move(position, history, &found.best).map_err(|fault| {
            guest.fault(format!("has chosen an illegal move: {}", fault.message))
        })?;
        let (engine, best) = (guest.name.clone(), game.move_text(position, best));
        let line = self.guest_line(&self.now, &found);
        let ms = Some(start.elapsed().as_secs_f64() * 1e3);
        Ok(GuestAnalysis { engine, best, line, ms })
    }

    fn guest_position(&self) -> Option<String> {
        let PlayedPosition { position, history, .. } = &self.now;
        self.game().terminal(position, history).is_none().then(|| self.for_guest())
    }

    fn guest_lines(&self, found: &[Found]) -> Vec<GuestLine> {
        found.iter().map(|found| self.guest_line(&self.now, found)).collect()
    }

    fn diff_guests(
        &self,
        guests: [&mut Guest; 2],
        source: Option<SuiteSource<'_>>,
        depth: u8,
    ) -> Result<GuestDiff> {
        let suite = self.suite_of(source)?;
        let [first, second] = guests;
        for guest in [&mut *first, &mut *second] {
            guest.prepare(G::NAME, &self.run.interrupt)?;
        }
        let positions = suite.positions.len() as u64;
        let engines = [&first.name, &second.name].map(Clone::clone);
        let differing = self.watching("comparing", Unit::Positions, 0, |watch| {
            for (place, posed) in suite.positions.iter().enumerate() {
                watch.tick(place as u64, positions)?;
                let position = position_of(self.game(), &posed.position, &[]);
                for depth in 1..=depth {
                    let limit = format!("depth {depth}");
                    let search = |guest: &mut Guest| {
                        guest.search_anew(&position, &limit, (LONG, watch.interrupt))
                    };
                    let found = [search(first)?, search(second)?];
                    if found[0].best != found[1].best || found[0].nodes != found[1].nodes {
                        return Ok(Some((place, depth, found)));
                    }
                }
            }
            Ok(None)
        })?;
        let differing = differing.map(|(place, depth, found)| {
            let from = PlayedPosition::set(suite.positions[place].position.clone());
            GuestDifference {
                at: entry(self.game(), &suite, place),
                depth,
                found: found.map(|found| self.guest_line(&from, &found)),
                trace: String::new(),
            }
        });
        Ok(GuestDiff { engines, positions, depth, equal: differing.is_none(), differing })
    }

    fn play_guest(&mut self, guest: &mut Guest, limit: (&str, u64)) -> Replied {
        let GuestAnalysis { best, line, ms, .. } = self.search_with(guest, limit)?;
        let GuestLine { value, depth, nodes, .. } = line;
        let position = self.play_all(&[best.plain()], true).map_err(|(_, fault)| fault)?;
        let played = best.clone();
        Ok(boxed(PlayedReport { played, best: vec![best], value, depth, nodes, ms, position }))
    }
}

/// The legal beginning of an engine's principal variation; only the best move if the variation starts with another move.
fn legal_line<G: Game>(game: &G, from: &PlayedPosition<G>, found: &Found) -> Vec<G::Move> {
    let legal = |moves: &[String]| {
        let (mut line, mut played) = (Vec::new(), from.clone());
        for text in moves {
            let Ok(mv) = game.parse_move(&played.position, &played.history, text) else { break };
            line.push(mv);
            played = played.after(game, mv);
        }
        line
    };
    let (line, best) = (legal(&found.line), legal(slice::from_ref(&found.best)));
    // While it is searching, an engine has not yet named a best move.
    if best.is_empty() || line.first() == best.first() { line } else { best }
}

/// A principal variation of an external engine, with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuestLine {
    /// The value for the side to move; `None` if the engine reported none.
    pub value: Option<Score>,
    /// The depth of the search in plies, as the engine reports it.
    pub depth: u8,
    /// The number of nodes searched, as the engine reports it.
    pub nodes: u64,
    /// The moves of the variation, up to the first illegal one.
    pub pv: Vec<MoveText>,
}

/// The reply of `engine follow`: the engine that analyses in the background, and its lines in the current position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BackgroundAnalysis {
    /// The name of the engine; `None` if no engine follows the game.
    pub engine: Option<String>,
    /// The variations that the engine has found, the best first.
    pub lines: Vec<GuestLine>,
    /// Why the engine stopped, such as a crash; `None` while it runs.
    pub fault: Option<String>,
}

impl BackgroundAnalysis {
    /// The engine's name and the depth that it has reached, on one line.
    pub fn title(&self) -> String {
        let Some(engine) = &self.engine else {
            return "no engine follows the game: `engine follow NAME` lets one".to_owned();
        };
        match self.lines.first() {
            Some(line) => format!("{engine}, depth {}", line.depth),
            None => engine.clone(),
        }
    }
}

impl Reply for BackgroundAnalysis {
    fn text(&self) -> String {
        let rows = self.lines.iter().map(|line| {
            let value = format!("{:>8}  ", number::score_or_none(line.value));
            layout::wrap(&value, &words(&line.pv))
        });
        let fault = self.fault.iter().cloned();
        lines([self.title()].into_iter().chain(rows).chain(fault))
    }
}

/// The reply of `engine diff`: where two engines first differ.
#[derive(Clone, Debug, Serialize)]
pub struct GuestDiff {
    engines: [String; 2],
    /// The number of positions to compare.
    positions: u64,
    /// The greatest depth searched, in plies.
    depth: u8,
    /// Whether both engines found the same moves with the same node counts in all positions.
    pub equal: bool,
    /// The first position where the engines differ; `None` if `equal`.
    pub differing: Option<GuestDifference>,
}

/// The first position where two engines differ, with the result of each.
#[derive(Clone, Debug, Serialize)]
pub struct GuestDifference {
    /// The position with its number and name in the suite.
    #[serde(flatten)]
    pub at: SuiteEntry,
    /// The least depth in plies at which the engines differ.
    pub depth: u8,
    /// The results at `depth`, in the order of the engines.
    pub found: [GuestLine; 2],
    /// A command line that compares traces of both engines' searches; empty if there is no such command.
    pub trace: String,
}

impl Reply for GuestDiff {
    fn text(&self) -> String {
        let [first, second] = &self.engines;
        let positions = number::counted(self.positions, "position", "positions");
        let Some(differing) = &self.differing else {
            return format!(
                "equal: {first} and {second} search {positions} alike to depth {}",
                self.depth
            );
        };
        let GuestDifference { at, depth, found, trace } = differing;
        let of = || format!("position {} of {}: ", at.position, number::count(self.positions));
        let of = or_empty((self.positions > 1).then(of));
        let rows = self.engines.iter().zip(found).map(|(name, found)| {
            let pieces = [
                or_empty(found.pv.first()),
                number::score_or_none(found.value),
                format!("nodes {}", number::count(found.nodes)),
                words(&found.pv),
            ];
            (name, layout::flow("", pieces))
        });
        lines([
            format!("{of}{first} and {second} differ from depth {depth} on"),
            at.state.clone(),
            layout::named("", rows),
            layout::wrap("where both write traces: ", trace),
        ])
    }
}

/// The reply of `engine analyse`: the result of an external engine in the current position.
#[derive(Clone, Debug, Serialize)]
pub struct GuestAnalysis {
    engine: String,
    /// The move that the engine chose.
    best: MoveText,
    #[serde(flatten)]
    line: GuestLine,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
}

impl Reply for GuestAnalysis {
    fn text(&self) -> String {
        let GuestLine { value, depth, nodes, pv } = &self.line;
        let pieces = [
            format!("{}: best {}", self.engine, self.best),
            or_empty(value.map(|value| format!("value {}", number::score(value)))),
            format!("depth {depth}"),
            format!("nodes {}", number::count(*nodes)),
        ];
        let pv = layout::flow("pv ", pv.iter().map(ToString::to_string));
        lines([layout::headline(pieces), pv])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

impl<G: Game> Session<G> {
    fn guest_line(&self, from: &PlayedPosition<G>, found: &Found) -> GuestLine {
        GuestLine {
            value: found.score.map(|score| self.score_of_guest(score)),
            depth: found.depth,
            nodes: found.nodes,
            pv: self.format_line(&from.position, &legal_line(self.game(), from, found)),
        }
    }

    /// The current position as a UCI `position` command: the last position set up, and the moves since.
    fn for_guest(&self) -> String {
        let line = self.line_of_play();
        let moves: Vec<_> = line.iter().filter_map(|played| played.mv).collect();
        position_of(self.game(), &line[0].position, &moves)
    }

    /// An engine's value in the unit of the program's evaluation.
    fn score_of_guest(&self, score: GuestScore) -> Score {
        let scale = super::AnySession::scale(self);
        let value = match (score, scale) {
            (GuestScore::Centipawns(value), Scale::Centipawns { .. }) => f64::from(value),
            (GuestScore::Centipawns(value), _) => f64::from(value) / 100.0,
            (GuestScore::Mate(moves), Scale::Centipawns { mate: Some(mate), .. }) => {
                // The mating side makes the last move, so a mate in n moves takes 2n − 1 plies.
                let plies = f64::from(2 * moves.abs() - i32::from(moves > 0));
                (mate - plies) * f64::from(moves.signum())
            }
            (GuestScore::Mate(moves), _) => f64::from(moves.signum()),
        };
        Score::from_finite(value)
    }
}

/// The reply of `perft diff`: where an engine's legal moves differ from the program's.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PerftDiff {
    engine: String,
    depth: u32,
    /// Whether all perft counts are equal.
    pub equal: bool,
    /// The moves to the position where the legal moves differ.
    pub line: Vec<MoveText>,
    /// The position where the legal moves differ, in the game's notation.
    state: String,
    /// The first move whose perft counts differ; `None` if `equal`.
    #[serde(rename = "move")]
    pub differing: Option<MoveText>,
    /// The program's perft count after `differing`; `None` if the program does not generate it.
    pub ours: Option<u64>,
    /// The engine's perft count after `differing`; `None` if the engine does not generate it.
    pub theirs: Option<u64>,
    /// The number of leaves that the program counted.
    nodes: u64,
}

impl PerftDiff {
    /// Ends the comparison at a position where all counts agree: the first one, or the one after a move with differing counts.
    fn settle(&mut self, state: &str) {
        self.equal = self.differing.is_none();
        if self.equal {
            state.clone_into(&mut self.state);
        }
        // The difference is in the position before the last move of `line`.
        self.line.pop();
    }
}

impl Reply for PerftDiff {
    fn text(&self) -> String {
        let Self { engine, depth, .. } = self;
        let Some(mv) = &self.differing else {
            let nodes = number::counted(self.nodes, "line", "lines");
            return format!("equal: {engine} counts the same {nodes} of {depth} plies");
        };
        let what = match (self.ours, self.theirs) {
            (Some(_), None) => format!("{engine} does not have the legal move {mv}"),
            (None, Some(_)) => format!("{engine} has the illegal move {mv}"),
            (ours, theirs) => {
                let count = |count: Option<u64>| number::count(count.unwrap_or(0));
                format!(
                    "after {mv} {engine} counts {}, and we count {}",
                    count(theirs),
                    count(ours)
                )
            }
        };
        let after = if self.line.is_empty() {
            "here".to_owned()
        } else {
            format!("after {}", words(&self.line))
        };
        lines([layout::wrap("", &format!("{after}: {what}")), self.state.clone()])
    }
}
