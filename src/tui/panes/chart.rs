//! The chart pane: charts of the last reply that has charts, of a running tournament, or of the search.

use std::sync::Arc;

use ratatui::{
    prelude::*,
    symbols::Marker,
    widgets::{Axis, Dataset, GraphType},
};
use unicode_width::UnicodeWidthStr;

use super::game;

use crate::{
    engine::{
        progress::Live,
        session::{
            plot::Plot,
            reply::{Estimate, Reply, Standings, Strength},
            timelines::TimelineList,
        },
    },
    picture::plot::axis,
    text::{
        WIDTH,
        number::{count, digits, scaled},
    },
    tui::{
        keymap::ChartPaneAction,
        pane::{
            Areas, Binding, Pane, PaneAction, ScreenState, Scroll, cut, draw_head, line, own,
            shown, wrapped,
        },
    },
    view,
};

/// The least width of a chart beside text, in columns.
const NARROW: u16 = 44;
/// The least height of a chart, in rows.
const LEAST: u16 = 9;
const LOWEST: u16 = 5;
/// The least width of a chart, in columns, when charts are side by side.
const ABREAST: u16 = 28;
/// The greatest height of a bar, in rows.
const THICK: usize = 3;
/// The characters that draw the curves on screens without colours.
const SIGNS: [char; 4] = ['*', 'o', '+', 'x'];

#[derive(Debug, Default)]
pub struct ChartPane {
    plots: Vec<Plot>,
    text: Vec<String>,
    tournament: Option<Arc<Standings>>,
    /// For each report of a tournament: the number of games played, and each player's percentage of points.
    history: Vec<(f64, Vec<Estimate>)>,
    watched: bool,
    scroll: Scroll,
    /// Whether the search has curves, and whether the pane shows them.
    has_curves: bool,
    shows_curves: bool,
}

impl Pane for ChartPane {
    fn title(&self, _: &ScreenState) -> String {
        if self.shows_curves {
            return "the search".to_owned();
        }
        let first = self.plots.first().map(|plot| plot.title.clone());
        self.tournament.as_deref().map(games).or(first).unwrap_or_default()
    }

    fn is_wide(&self) -> bool {
        true
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if self.shows_curves {
            return all_charts(frame, state, &state.curves.plots(), room);
        }
        let graph = self.review_graph(state, room.width.into(), room.height.into());
        if !graph.is_empty() {
            return frame.render_widget(shown(graph), room);
        }
        let own = self.own_plot(state);
        let plots = own.as_ref().map_or(&*self.plots, std::slice::from_ref);
        let is_tournament = self.tournament.is_some();
        let columns = if is_tournament { room.width / 2 } else { WIDTH as u16 };
        let least = own.as_ref().map_or(LEAST, |plot| plot.places.len() as u16 + 2);
        let rows = self.lines(state, room.width).len();
        let parts = divided(room, columns, rows, least);
        let is_text = is_tournament || plots.is_empty();
        let alone = if is_text { (Rect::ZERO, room) } else { (room, Rect::ZERO) };
        let has_both = !plots.is_empty() && rows > 0;
        let (charts, words) = parts.filter(|_| has_both).unwrap_or(alone);
        all_charts(frame, state, plots, charts);
        self.scroll.draw(frame, self.lines(state, words.width), words);
    }

    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let Some(report) = &self.tournament else {
            if self.has_answer() {
                return self.text.iter().map(|text| line(text, width)).collect();
            }
            let key = state.key("run");
            let words = format!("{key} starts a search, whose curves and depths are drawn here.");
            let is_empty = self.own_plot(state).is_none() && !self.is_of_review(state);
            let words = Some(words).filter(|_| is_empty);
            return words.iter().flat_map(|it| wrapped(it, width.into())).map(Line::raw).collect();
        };
        let table = report.table(width.into()).into_iter().enumerate();
        let style = |place| if place == 0 { state.look.head } else { Style::new() };
        let rows = table.map(|(place, text)| line(text, width).style(style(place)));
        let words = format!("{} ({})", games(report), report.status);
        let warning = report.small_sample_warning();
        let warning = warning.iter().flat_map(|text| wrapped(text, width.into()));
        let warning = warning.map(|text| Line::styled(text, state.look.quiet));
        rows.chain([line(words, width).style(state.look.title)]).chain(warning).collect()
    }

    fn rows_needed(&self, state: &ScreenState, width: u16) -> usize {
        let own = self.own_plot(state);
        if self.shows_curves || !self.plots.is_empty() || self.is_of_review(state) {
            return (2 * LEAST).into();
        }
        let bars = own.map_or(0, |plot| plot.places.len() + 2);
        bars + self.lines(state, width).len()
    }

    fn is_idle(&self) -> bool {
        !self.has_answer() && !self.has_curves
    }

    fn bindings(&self) -> Vec<Binding> {
        [own(ChartPaneAction::ChartOther, "c", "the last comparison, or the search's curves")]
            .into()
    }

    fn act(&mut self, state: &mut ScreenState, _: PaneAction) {
        if self.has_answer() && self.has_curves {
            self.shows_curves = !self.shows_curves;
        } else {
            state.say("there is no other chart");
        }
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        if self.has_answer() && self.has_curves {
            "chart-other:other position:game zoom"
        } else if self.is_of_review(state) {
            "back-landmark+landmark:review position:game zoom"
        } else {
            "position:game zoom"
        }
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let had_curves = std::mem::replace(&mut self.has_curves, !state.curves.is_empty());
        self.shows_curves = self.has_curves && (self.shows_curves || !had_curves);
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        let tournament = reply.and_then(|reply| reply.downcast_ref::<Standings>());
        if let Some(report) = tournament {
            self.show(Arc::new(report.clone()));
            return true;
        }
        let plots = reply.map_or(Vec::new(), drawn);
        let Some(reply) = reply.filter(|_| !plots.is_empty()) else { return false };
        (self.plots, self.tournament, self.shows_curves) = (plots, None, false);
        let text = view::text(reply);
        let lines = text.lines().filter(|line| !line.starts_with("time "));
        self.text = lines.map(str::to_owned).collect();
        self.scroll = Scroll::default();
        true
    }

    fn on_progress(&mut self, _: &mut ScreenState, news: &Live) -> bool {
        let Some(report) = &news.tournament else { return false };
        self.show(Arc::clone(report));
        !std::mem::replace(&mut self.watched, true)
    }

    fn on_return(&mut self, _: &mut ScreenState) {
        self.watched = false;
    }
}

impl ChartPane {
    fn has_answer(&self) -> bool {
        !self.plots.is_empty() || self.tournament.is_some()
    }

    /// The chart of the recorded search; `None` without one, or if there is another chart.
    fn own_plot(&self, state: &ScreenState) -> Option<Plot> {
        if self.has_answer() { None } else { depths(state) }
    }

    /// The graph of the reviewed game, without a search or another chart.
    fn review_graph(&self, state: &ScreenState, width: usize, rows: usize) -> Vec<Line<'static>> {
        if self.has_answer() || self.own_plot(state).is_some() {
            return Vec::new();
        }
        game::review_graph(state, width, rows)
    }

    fn is_of_review(&self, state: &ScreenState) -> bool {
        !self.review_graph(state, WIDTH, LEAST.into()).is_empty()
    }

    fn show(&mut self, report: Arc<Standings>) {
        let games = report.played as f64;
        let goes_on = |before: &Arc<Standings>| {
            let is_same = before.players == report.players && before.seed == report.seed;
            is_same && before.played <= report.played
        };
        if !self.tournament.as_ref().is_some_and(goes_on) {
            self.history.clear();
        }
        if report.played > 0 && self.history.last().is_none_or(|(before, _)| *before < games) {
            self.history.push((games, shares(&report)));
        }
        let plots = (self.history.len() > 1).then(|| vec![self.history_plot(&report)]);
        (self.plots, self.shows_curves) = (plots.unwrap_or_else(|| drawn(&*report)), false);
        self.tournament = Some(report);
    }

    /// The percentages of the best players over the games. Only the first has an error band, since several would overlap.
    fn history_plot(&self, report: &Standings) -> Plot {
        let of = |player: usize| {
            let shares = self.history.iter();
            shares.filter_map(move |(games, shares)| Some((*games, *shares.get(player)?)))
        };
        let mut plot = Plot::new("Score", "games", "% of points ±");
        for row in report.standings.iter().take(SIGNS.len()) {
            plot = plot
                .with_series(&*row.name, of(row.player).map(|(games, share)| (games, share.value)));
        }
        if let (Some(leader), Some(line)) = (report.standings.first(), plot.series.first_mut()) {
            let ends = |(games, share): (f64, Estimate)| [[games, share.low], [games, share.high]];
            line.band = of(leader.player).flat_map(ends).collect();
        }
        plot
    }
}

/// A chart of the number of events in each iteration of the recording.
fn depths(state: &ScreenState) -> Option<Plot> {
    let now = state.data.get::<TimelineList>()?.current()?;
    let begins = now.iterations.iter().map(|it| it.event);
    let sizes = begins.clone().zip(begins.skip(1).chain([now.reached])).enumerate();
    let sizes = sizes.map(|(at, (begin, end))| (at as f64, end.saturating_sub(begin) as f64));
    let places = now.iterations.iter().map(|it| format!("depth {}", it.depth)).collect();
    let plot = Plot { places, ..Plot::new("Events", "depth", "events") };
    Some(plot.with_series("events", sizes)).filter(|plot| !plot.is_empty())
}

/// Each player's percentage of points with its interval, in the order of the player numbers.
fn shares(report: &Standings) -> Vec<Estimate> {
    let mut shares = vec![Estimate::default(); report.players.len()];
    for row in &report.standings {
        let value = row.percentage();
        let band = row.strength.as_ref().map(Strength::percentage);
        let band = band.unwrap_or(Estimate { value, low: value, high: value });
        shares[row.player] = Estimate { value, ..band };
    }
    shares
}

fn drawn(reply: &dyn Reply) -> Vec<Plot> {
    reply.plots().into_iter().filter(|plot| !plot.is_empty()).collect()
}

fn games(report: &Standings) -> String {
    let (played, total) = (count(report.played as u64), count(report.total as u64));
    format!("{played} of {total} games")
}

/// Draws charts side by side or one above the other; without enough room, only the first.
fn all_charts(frame: &mut Frame<'_>, state: &ScreenState, plots: &[Plot], room: Rect) {
    let count = plots.len().max(1) as u16;
    let beside = room.width / count >= ABREAST && room.height / count < LEAST;
    let direction = if beside { Direction::Horizontal } else { Direction::Vertical };
    let several = beside || room.height / count >= LOWEST;
    let shares =
        plots.iter().map(|_| Constraint::Fill(1)).take(if several { plots.len() } else { 1 });
    let areas = Layout::new(direction, shares).spacing(u16::from(beside)).split(room);
    for (plot, area) in plots.iter().zip(areas.iter()) {
        chart(frame, state, plot, *area);
    }
}

/// Divides the room between charts and text. `least`: the least height of the charts in rows. `None`: there is no room for both.
fn divided(room: Rect, columns: u16, rows: usize, least: u16) -> Option<(Rect, Rect)> {
    let rows = (rows as u16).min(room.height / 2);
    let (direction, length) = if room.width >= columns + NARROW {
        (Direction::Horizontal, columns)
    } else if room.height >= rows + least {
        (Direction::Vertical, rows)
    } else {
        return None;
    };
    let parts = Layout::new(direction, [Constraint::Length(length), Constraint::Fill(1)]);
    let [words, charts] = parts.spacing(1).areas(room);
    Some((charts, words))
}

fn chart(frame: &mut Frame<'_>, state: &ScreenState, plot: &Plot, area: Rect) {
    let below = draw_head(frame, legend(state, plot, area.width), area);
    if plot.places.is_empty() {
        curves(frame, state, plot, below);
    } else {
        frame.render_widget(shown(bars(state, plot, below)), below);
    }
}

fn legend(state: &ScreenState, plot: &Plot, width: u16) -> Line<'static> {
    let what = Span::raw(format!("{} by {}", plot.y, plot.x));
    let named = plot.series.iter().enumerate().filter(|_| plot.series.len() > 1);
    let signs = named.map(|(place, series)| {
        let sign = if state.look.is_painted() { '━' } else { sign(place) };
        let text = format!("{sign} {}  ", series.name);
        Span::styled(text, style(state, place))
    });
    let mut room = width as usize;
    let spans = signs.chain(std::iter::once(what)).map(|span| {
        let text = cut(&span.content, room);
        room = room.saturating_sub(text.width());
        Span::styled(text, span.style)
    });
    Line::from(spans.collect::<Vec<_>>())
}

fn sign(place: usize) -> char {
    SIGNS[place % SIGNS.len()]
}

fn style(state: &ScreenState, place: usize) -> Style {
    let look = &state.look;
    [look.black, look.white, look.accent, look.text][place % SIGNS.len()]
}

fn curves(frame: &mut Frame<'_>, state: &ScreenState, plot: &Plot, area: Rect) {
    let pairs = |points: &[[f64; 2]]| points.iter().map(|[x, y]| (*x, *y)).collect::<Vec<_>>();
    // Without colours, the curves differ by their characters.
    let fine = state.look.is_painted();
    let data: Vec<_> = plot.series.iter().map(|series| pairs(&series.points)).collect();
    let bands: Vec<_> = plot.series.iter().map(|series| pairs(&series.band)).collect();
    let drawn = bands.iter().enumerate().filter(|(_, band)| !band.is_empty());
    let dataset = |place, sign| {
        let marker = if fine { Marker::Braille } else { Marker::Custom(sign) };
        Dataset::default().style(style(state, place)).marker(marker)
    };
    let dotted = drawn.map(|(place, band)| dataset(place, '.').data(band));
    let lines = data
        .iter()
        .enumerate()
        .map(|(place, data)| dataset(place, sign(place)).data(data).graph_type(GraphType::Line));
    let across = plot.extent(0);
    let (up, ticks) = axis(plot.extent(1), usize::from(area.height / 4).clamp(2, 6));
    let plain = || Axis::default().style(state.look.quiet);
    let chart = ratatui::widgets::Chart::new(dotted.chain(lines).collect())
        .style(state.look.text)
        .x_axis(plain().bounds(across).labels(across.map(rounded)))
        .y_axis(plain().bounds(up).labels(ticks.into_iter().map(rounded)));
    frame.render_widget(chart, area);
}

/// A label of an axis such as `2.5` or `10.0 M`: a number with at most three decimals, from 10 on with at most one.
fn rounded(number: f64) -> String {
    if number >= 1e3 {
        return scaled(number, ["", "k", "M", "G"]);
    }
    let digit = if number.abs() < 10.0 { 1000.0 } else { 10.0 };
    digits((number * digit).round() / digit)
}

fn bars(state: &ScreenState, plot: &Plot, area: Rect) -> Vec<Line<'static>> {
    let longest = plot.places.iter().map(|name| name.width()).max().unwrap_or(0);
    let names = longest.min(area.width as usize / 3);
    let room = (area.width as usize).saturating_sub(names + 9);
    let [least, most] = plot.extent(1);
    let mut points = plot.series.iter().flat_map(|series| &series.points);
    let is_whole = points.all(|[_, y]| y.fract() == 0.0);
    // If there are few bars, each has several rows. A gap is above each bar.
    let count = (plot.places.len() * plot.series.len()).max(1);
    let thick = (usize::from(area.height) / count).clamp(1, THICK);
    let mut lines = Vec::new();
    for (place, name) in plot.places.iter().enumerate() {
        for (kind, series) in plot.series.iter().enumerate() {
            let point = series.points.iter().find(|[x, _]| *x == place as f64);
            let value = point.map_or(0.0, |[_, y]| *y);
            let share = ((value - least.min(0.0)) / (most - least)).clamp(0.0, 1.0);
            let filled = |cell: &usize| (*cell as f64) < (share * room as f64).round();
            // Even the smallest value is visible.
            let long = (0..room).take_while(filled).count().max((value > 0.0).into());
            let name = cut(name, names);
            let value = if is_whole { rounded(value) } else { format!("{value:.1}") };
            let text = format!("{name}{} {value:>7} ", " ".repeat(names - name.width()));
            let blank = " ".repeat(text.width());
            lines.extend((0..thick).map(|row| {
                let text = if row == thick / 2 { &text } else { &blank };
                let bar = match row {
                    0 if thick == 1 => "▇",
                    0 => "▄",
                    _ => "█",
                };
                let bar = bar.repeat(long);
                Line::from(vec![Span::raw(text.clone()), Span::styled(bar, style(state, kind))])
            }));
        }
    }
    lines
}
