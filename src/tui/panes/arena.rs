//! A tournament: how it stands, how the scores went, and which of its games is on the board.

use std::sync::Arc;

use ratatui::{Frame, layout::Rect, text::Line};

use super::chart;
use crate::{
    engine::progress::Live,
    engine::reply::{BoardReport, Estimate, LiveGame, Plot, Reply, Standings, Strength},
    text::number::count,
    tui::{
        layout::Areas,
        pane::{Pane, STYLE, Scroll, line},
        state::ScreenState,
    },
};

/// Players with a line of their own in the chart.
const LINES: usize = 4;

/// What is known of the tournament that is played or was shown last.
#[derive(Debug, Default)]
pub struct ArenaPane {
    tournament: Option<Arc<Standings>>,
    game: Option<Arc<LiveGame>>,
    watched: bool,
    /// Games played, and the percentage of points of each player then, with its error band.
    history: Vec<(f64, Vec<Estimate>)>,
    scroll: Scroll,
}

impl Pane for ArenaPane {
    fn title(&self, _: &ScreenState) -> String {
        self.tournament.as_ref().map_or(String::new(), |report| games(report))
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let (plot, rows) = (self.plot(), self.lines(state, room.width).len());
        let parts = plot.as_ref().and_then(|_| chart::divided(room, (room.width / 2, rows)));
        let (scores, table) = parts.unwrap_or((Rect::ZERO, room));
        self.scroll.draw(frame, self.lines(state, table.width), table);
        if let Some(plot) = plot.filter(|_| !scores.is_empty()) {
            chart::chart(frame, state, &plot, scores);
        }
    }

    fn is_idle(&self) -> bool {
        self.tournament.is_none()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn hear(&mut self, reply: Option<&dyn Reply>) -> bool {
        let report = reply.and_then(|reply| reply.downcast_ref::<Standings>());
        if let Some(report) = report {
            self.show(Arc::new(report.clone()));
        }
        report.is_some()
    }

    fn watch(&mut self, state: &mut ScreenState, now: &Live, before: &Live) -> bool {
        let playing = is_new(now.tournament.as_ref(), before.tournament.as_ref());
        if let Some(report) = now.tournament.as_ref().filter(|_| playing) {
            self.show(Arc::clone(report));
        }
        if is_new(now.game.as_ref(), before.game.as_ref()) {
            self.game.clone_from(&now.game);
            state.live = self.live_board();
        }
        let begins = playing && !self.watched;
        self.watched |= playing;
        begins
    }

    fn rest(&mut self, state: &mut ScreenState) {
        self.watched = false;
        self.game = None;
        state.live = None;
    }
}

impl ArenaPane {
    /// Takes a tournament as it stands.
    fn show(&mut self, report: Arc<Standings>) {
        let last = self.tournament.as_ref();
        if last.is_some_and(|last| Arc::ptr_eq(last, &report)) {
            return;
        }
        let goes_on = last.is_some_and(|last| {
            last.players == report.players
                && last.played <= report.played
                && last.seed == report.seed
        });
        if !goes_on {
            self.history.clear();
        }
        let games = report.played as f64;
        if report.played > 0 && self.history.last().is_none_or(|(before, _)| *before < games) {
            self.history.push((games, shares(&report)));
        }
        self.tournament = Some(report);
    }

    /// The game on the board.
    fn live_board(&self) -> Option<BoardReport> {
        let game = self.game.as_ref()?;
        Some(BoardReport {
            game: self.tournament.as_ref().map_or(String::new(), |report| report.game.clone()),
            state: game.state.clone(),
            side: game.side,
            phase: format!("game {}", count(game.game as u64)),
            finished: false,
            words: format!("{} against {}, move {}", game.white, game.black, game.ply),
            last_move: None,
            board: game.board.clone()?,
        })
    }

    /// The scores over the games, or each player's where they were not watched.
    fn plot(&self) -> Option<Plot> {
        let report = self.tournament.as_ref()?;
        if self.history.len() > 1 {
            let plot = Plot::new("Score", "games", "% of points ±");
            let best = report.standings.iter().take(LINES);
            let shares = |player: usize| {
                let known = self.history.iter();
                known.filter_map(move |(games, shares)| Some((*games, *shares.get(player)?)))
            };
            let mut plot = best.fold(plot, |plot, standing| {
                let values = shares(standing.player).map(|(games, share)| (games, share.value));
                plot.with(standing.name.as_str(), values)
            });
            // One band: several could not be told apart.
            if let (Some(leader), Some(line)) = (report.standings.first(), plot.series.first_mut())
            {
                let ends = |(games, share): (f64, Estimate)| {
                    [share.low, share.high].map(|end| [games, end.clamp(0.0, 100.0)])
                };
                line.band = shares(leader.player).flat_map(ends).collect();
            }
            return Some(plot);
        }
        report.plots().pop()
    }

    /// The standings, and what is on the board.
    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let Some(report) = &self.tournament else {
            return [
                "No tournament yet.",
                "  tournament play A B --games 20",
                "  tournament run FILE",
                "  tournament load FILE",
            ]
            .map(|text| line(text, width))
            .into();
        };
        let table = report.table(width.into(), STYLE);
        let mut lines: Vec<_> = table.iter().map(|text| line(text, width)).collect();
        lines[0] = std::mem::take(&mut lines[0]).style(state.look.head);
        let mut words = vec![format!("{} ({})", games(report), report.status)];
        words.extend(self.game.as_ref().map(|game| {
            format!(
                "on the board: game {}, {} against {}, move {}",
                game.game, game.white, game.black, game.ply
            )
        }));
        let accent = |text| line(text, width).style(state.look.accent);
        lines.extend(words.into_iter().map(accent));
        lines
    }
}

/// Whether something is told, and not what was known before.
fn is_new<T>(now: Option<&Arc<T>>, before: Option<&Arc<T>>) -> bool {
    now.is_some_and(|now| before.is_none_or(|before| !Arc::ptr_eq(now, before)))
}

/// The percentage of points of each player, by its number.
fn shares(report: &Standings) -> Vec<Estimate> {
    let mut shares = vec![Estimate { value: 0.0, low: 0.0, high: 0.0 }; report.players.len()];
    for standing in &report.standings {
        let value = standing.percentage();
        let [low, high] = match standing.strength.as_ref().map(Strength::points) {
            Some(Estimate { low, high, .. }) => [low * 100.0, high * 100.0],
            None => [value; 2],
        };
        if let Some(share) = shares.get_mut(standing.player) {
            *share = Estimate { value, low, high };
        }
    }
    shares
}

fn games(report: &Standings) -> String {
    let (played, total) = (count(report.played as u64), count(report.total as u64));
    format!("{played} of {total} games")
}
