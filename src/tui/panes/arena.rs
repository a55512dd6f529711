//! A tournament: how it stands, how the scores went, and which of its games is on the board.

use std::sync::Arc;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::Line,
};
use unicode_width::UnicodeWidthStr;

use super::{chart, draw_lines};
use crate::{
    engine::progress::Live,
    engine::report::{BoardReport, LiveGame, PlayerStanding, Plot, Standings},
    tui::{app::App, draw::cut},
    view::text::number::count,
};

/// A pane of this width has chart and table side by side.
const BESIDE: u16 = 96;
/// A pane of this width has room for wins, draws and losses.
const ROOMY: usize = 60;
/// Rows below which a chart is not worth drawing.
const CHART: u16 = 8;
/// Players with a line of their own in the chart.
const LINES: usize = 4;

/// What is known of the tournament that is played or was shown last.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    tournament: Option<Arc<Standings>>,
    game: Option<Arc<LiveGame>>,
    board: Option<BoardReport>,
    watched: bool,
    /// Games played, and the percentage of points of each player then.
    history: Vec<(f64, Vec<f64>)>,
}

impl Arena {
    /// Looks at what is under way; `before` is what was known when the command began. Whether a tournament is.
    pub fn look_at(&mut self, live: &Live, before: &Live) -> bool {
        let is_new = |now: Option<*const u8>, then: Option<*const u8>| now.is_some() && now != then;
        let place = |report: &Option<Arc<Standings>>| {
            report.as_ref().map(|report| Arc::as_ptr(report).cast())
        };
        let playing = is_new(place(&live.tournament), place(&before.tournament));
        if let Some(report) = live.tournament.as_ref().filter(|_| playing) {
            self.show(Arc::clone(report));
        }
        let place =
            |game: &Option<Arc<LiveGame>>| game.as_ref().map(|game| Arc::as_ptr(game).cast());
        if is_new(place(&live.game), place(&before.game)) {
            self.game.clone_from(&live.game);
            self.board = self.live_board();
        }
        self.watched |= playing;
        playing
    }

    /// Takes a tournament as it stands.
    pub fn show(&mut self, report: Arc<Standings>) {
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
        if report.played > 0
            && self
                .history
                .last()
                .is_none_or(|(before, _)| *before < games)
        {
            self.history.push((games, percentages(&report)));
        }
        self.tournament = Some(report);
    }

    /// Whether a tournament has been seen since the command at hand began.
    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// The command that played it has come back: no game is on the board.
    pub fn rest(&mut self) {
        self.watched = false;
        self.game = None;
        self.board = None;
    }

    /// The game on the board, while one is played.
    pub fn board(&self) -> Option<&BoardReport> {
        self.board.as_ref()
    }

    fn live_board(&self) -> Option<BoardReport> {
        let game = self.game.as_ref()?;
        Some(BoardReport {
            game: self
                .tournament
                .as_ref()
                .map_or(String::new(), |report| report.game.clone()),
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
        let names = report.names();
        if self.history.len() > 1 {
            let plot = Plot::new("Score", "games", "% of points");
            let best = report.standings.iter().take(LINES);
            return Some(best.fold(plot, |plot, standing| {
                let points = self
                    .history
                    .iter()
                    .filter_map(|(games, shares)| Some((*games, *shares.get(standing.player)?)));
                plot.with(standing.name.as_str(), points)
            }));
        }
        let plot = Plot {
            places: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Plot::new("Score", "player", "% of points")
        };
        let shares = percentages(report).into_iter().enumerate();
        Some(plot.with(
            "Score",
            shares.map(|(player, share)| (player as f64, share)),
        ))
    }
}

/// The percentage of points of each player, by its number.
fn percentages(report: &Standings) -> Vec<f64> {
    let mut shares = vec![0.0; report.players.len()];
    for standing in &report.standings {
        if let Some(share) = shares.get_mut(standing.player) {
            *share = percentage(standing);
        }
    }
    shares
}

fn percentage(standing: &PlayerStanding) -> f64 {
    standing.points * 100.0 / standing.games.max(1) as f64
}

/// What the frame says.
pub fn title(app: &App) -> String {
    let report = app.arena.tournament.as_ref();
    report.map_or(String::new(), |report| {
        format!(
            "{} of {} games",
            count(report.played as u64),
            count(report.total as u64)
        )
    })
}

/// The table, for scrolling.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let width = room.width as usize;
    let Some(report) = &app.arena.tournament else {
        let words = [
            "No tournament yet.",
            "  tournament play A B --games 20",
            "  tournament run FILE",
            "  tournament load FILE",
        ];
        return words
            .iter()
            .map(|line| Line::raw(cut(line, width)))
            .collect();
    };
    let head = row(
        width,
        "   player",
        &["games", "score", "Elo", "+-"],
        &["won", "drawn", "lost"],
    );
    let mut lines = vec![Line::styled(cut(&head, width), app.look.head())];
    for (standing, rank) in report.standings.iter().zip(1..) {
        let elo = standing.strength.as_ref().map(|strength| strength.elo);
        let line = row(
            width,
            &format!("{rank:>2} {}", standing.name),
            &[
                count(standing.games),
                format!("{:.1} %", percentage(standing)),
                elo.map_or_else(|| "—".to_owned(), |elo| format!("{:+.0}", elo.value)),
                elo.map_or_else(|| "—".to_owned(), |elo| format!("{:.0}", elo.error())),
            ],
            &[standing.wins, standing.draws, standing.losses].map(count),
        );
        lines.push(Line::raw(cut(&line, width)));
    }
    let mut words = vec![format!(
        "{} of {} games ({})",
        count(report.played as u64),
        count(report.total as u64),
        report.status
    )];
    words.extend(app.arena.game.as_ref().map(|game| {
        format!(
            "on the board: game {}, {} against {}, move {}",
            game.game, game.white, game.black, game.ply
        )
    }));
    lines.extend(
        words
            .iter()
            .map(|line| Line::styled(cut(line, width), app.look.accent())),
    );
    lines
}

/// A line of the table: a name, numbers, and more numbers where there is room.
fn row(
    width: usize,
    name: &str,
    cells: &[impl AsRef<str>; 4],
    more: &[impl AsRef<str>; 3],
) -> String {
    let more: Vec<_> = more
        .iter()
        .map(|cell| format!(" {:>6}", cell.as_ref()))
        .collect();
    let more = if width >= ROOMY {
        more.concat()
    } else {
        String::new()
    };
    let [games, score, elo, error] = cells.each_ref().map(AsRef::as_ref);
    let numbers = format!(" {games:>6}{more} {score:>7} {elo:>5} {error:>4}");
    let room = width.saturating_sub(numbers.width()).clamp(8, 30);
    let name = cut(name, room);
    let blanks = " ".repeat(room.saturating_sub(name.width()));
    format!("{name}{blanks}{numbers}")
}

/// Draws the pane.
pub fn draw(frame: &mut Frame<'_>, app: &App, room: Rect, from: usize) {
    let (table, scores) = divided(app, room);
    draw_lines(frame, lines(app, table), from, table);
    if let Some((area, plot)) = scores.zip(app.arena.plot()) {
        chart::chart(frame, app, &plot, area);
    }
}

/// Where table and chart go.
fn divided(app: &App, room: Rect) -> (Rect, Option<Rect>) {
    if app.arena.tournament.is_none() {
        return (room, None);
    }
    if room.width >= BESIDE {
        let [table, _, scores] = Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(room);
        return (table, Some(scores));
    }
    let needed = lines(app, room).len() as u16;
    let rest = room.height.saturating_sub(needed + 1);
    if rest < CHART {
        return (room, None);
    }
    let [table, _, scores] = Layout::vertical([
        Constraint::Length(needed),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(room);
    (table, Some(scores))
}
