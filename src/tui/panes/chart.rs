//! The chart of the last command whose answer has one, and the answer beside or below it where there is room.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    symbols::Marker,
    text::{Line, Span},
    widgets::{Axis, Chart, Dataset, GraphType, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use super::draw_lines;
use crate::{
    engine::report::{Plot, Report, Series},
    picture::plot::axis,
    tui::{
        app::App,
        draw::{cut, shown},
    },
    view::text::{self, number::digits},
};

/// A chart's width with its text beside it.
const BESIDE: u16 = 96;
/// The width of the words, and what they leave a chart at least.
const WORDS: u16 = 78;
const NARROW: u16 = 44;
/// The height of a pane that has room for the text below.
const BELOW: u16 = 22;
/// Lines differ by their signs where there are no colours.
const SIGNS: [char; 4] = ['*', 'o', '+', 'x'];

/// What the pane shows.
#[derive(Clone, Debug, Default)]
pub struct Charted {
    /// The charts, at least one.
    pub plots: Vec<Plot>,
    /// The whole answer in words.
    pub text: Vec<String>,
}

impl Charted {
    /// What a report has to show, if it has a chart.
    pub fn of(report: &Report) -> Option<Self> {
        let plots: Vec<_> = report.plots();
        let plots: Vec<_> = plots.into_iter().filter(|plot| !plot.is_empty()).collect();
        (!plots.is_empty()).then(|| Self {
            plots,
            text: words(report),
        })
    }
}

/// The answer in words, but for how long it took.
fn words(report: &Report) -> Vec<String> {
    let text = text::render(report);
    let lines = text.lines().filter(|line| !line.starts_with("time "));
    lines.map(str::to_owned).collect()
}

/// What the frame says.
pub fn title(app: &App) -> String {
    let plots = app.charted.as_ref().map(|charted| &charted.plots);
    plots
        .and_then(|plots| plots.first())
        .map_or(String::new(), |plot| plot.title.clone())
}

/// The text, for scrolling.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let width = room.width as usize;
    let text = app
        .charted
        .as_ref()
        .map_or(&[][..], |charted| &charted.text);
    text.iter()
        .map(|line| Line::raw(cut(line, width)))
        .collect()
}

/// Draws the pane.
pub fn draw(frame: &mut Frame<'_>, app: &App, room: Rect, from: usize) {
    let Some(charted) = &app.charted else {
        let words = [
            "No chart yet: these commands have one.",
            "  weights compare A B --suite standard",
            "  weights sweep mills 0..8",
            "  weights ablate",
        ];
        let lines: Vec<_> = words
            .iter()
            .map(|line| Line::raw(cut(line, room.width as usize)))
            .collect();
        return frame.render_widget(Paragraph::new(lines), room);
    };
    let (charts, words) = divided(room);
    let share = Layout::vertical(charted.plots.iter().map(|_| Constraint::Fill(1)));
    // Charts of a few lines tell nothing: then there is the first alone.
    let several = charts.height / charted.plots.len().max(1) as u16 >= LEAST;
    let areas = if several {
        share.split(charts).to_vec()
    } else {
        vec![charts]
    };
    for (plot, area) in charted.plots.iter().zip(areas) {
        chart(frame, app, plot, area);
    }
    if let Some(words) = words {
        draw_lines(frame, lines(app, words), from, words);
    }
}

/// Rows below which a chart is not worth drawing.
const LEAST: u16 = 9;

/// Where charts and words go.
fn divided(room: Rect) -> (Rect, Option<Rect>) {
    if room.width >= BESIDE {
        let [charts, _, words] = Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(WORDS.min(room.width.saturating_sub(NARROW))),
        ])
        .areas(room);
        (charts, Some(words))
    } else if room.height >= BELOW {
        let [charts, words] =
            Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(room);
        (charts, Some(words))
    } else {
        (room, None)
    }
}

/// Draws one chart, with a line above it that says what is what.
pub(super) fn chart(frame: &mut Frame<'_>, app: &App, plot: &Plot, area: Rect) {
    let [above, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    frame.render_widget(shown(legend(app, plot, above.width)), above);
    if plot.places.is_empty() {
        curves(frame, app, plot, below);
    } else {
        frame.render_widget(Paragraph::new(shown(bars(app, plot, below))), below);
    }
}

fn legend(app: &App, plot: &Plot, width: u16) -> Line<'static> {
    let what = Span::raw(format!("{} by {}", plot.y, plot.x));
    let named = plot
        .series
        .iter()
        .enumerate()
        .filter(|_| plot.series.len() > 1);
    let signs = named.map(|(place, series)| {
        let text = format!("{} {}  ", sign(place), series.name);
        Span::styled(text, style(app, place))
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

fn style(app: &App, place: usize) -> Style {
    let theme = &app.look.theme;
    [theme.black, theme.white, theme.best, theme.text][place % SIGNS.len()]
}

/// Lines over numbers.
fn curves(frame: &mut Frame<'_>, app: &App, plot: &Plot, area: Rect) {
    let points = |series: &Series| series.points.iter().map(|[x, y]| (*x, *y)).collect();
    let data: Vec<Vec<(f64, f64)>> = plot.series.iter().map(points).collect();
    let datasets = data.iter().enumerate().map(|(place, data)| {
        Dataset::default()
            .data(data)
            .style(style(app, place))
            .marker(Marker::Custom(sign(place)))
            .graph_type(GraphType::Line)
    });
    let across = plot.extent(0);
    let (up, marks) = axis(plot.extent(1), usize::from(area.height / 4).clamp(2, 6));
    let plain = || Axis::default().style(app.look.quiet());
    let chart = Chart::new(datasets.collect())
        .x_axis(plain().bounds(across).labels(across.map(digits)))
        .y_axis(plain().bounds(up).labels(marks.into_iter().map(digits)));
    frame.render_widget(chart, area);
}

/// A bar for each place, with its name and number.
fn bars(app: &App, plot: &Plot, area: Rect) -> Vec<Line<'static>> {
    let names = plot
        .places
        .iter()
        .map(|name| name.width())
        .max()
        .unwrap_or(0);
    let names = names.min(area.width as usize / 3);
    let room = (area.width as usize).saturating_sub(names + 9);
    let [least, most] = plot.extent(1);
    let mut lines = Vec::new();
    for (place, name) in plot.places.iter().enumerate() {
        for (kind, series) in plot.series.iter().enumerate() {
            let point = series.points.iter().find(|[x, _]| *x == place as f64);
            let value = point.map_or(0.0, |[_, y]| *y);
            let share = ((value - least.min(0.0)) / (most - least)).clamp(0.0, 1.0);
            let filled = |cell: &usize| (*cell as f64) < (share * room as f64).round();
            let bar = "▪".repeat((0..room).take_while(filled).count());
            let name = cut(name, names);
            let text = format!("{name}{} {value:>7.1} ", " ".repeat(names - name.width()));
            lines.push(Line::from(vec![
                Span::raw(text),
                Span::styled(bar, style(app, kind)),
            ]));
        }
    }
    lines
}
