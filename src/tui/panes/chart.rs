//! The chart of the last command whose answer has one, and the answer beside or below it where there is room.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    symbols::Marker,
    text::Line,
    widgets::{Axis, Chart, Dataset, GraphType, LegendPosition, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    engine::report::{Plot, Report, Series},
    picture::plot::ticks,
    tui::{app::App, draw::cut},
    view::text::{self, number::digits},
};

/// A chart's width with its text beside it.
const BESIDE: u16 = 96;
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
        let lines = lines(app, words);
        let from = from.min(lines.len().saturating_sub(words.height as usize));
        let seen: Vec<_> = lines
            .into_iter()
            .skip(from)
            .take(words.height as usize)
            .collect();
        frame.render_widget(Paragraph::new(seen), words);
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
            Constraint::Fill(1),
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

/// Draws one chart.
pub(super) fn chart(frame: &mut Frame<'_>, app: &App, plot: &Plot, area: Rect) {
    let data: Vec<Vec<(f64, f64)>> = plot.series.iter().map(points).collect();
    let bars = !plot.places.is_empty();
    let datasets = plot.series.iter().zip(&data).enumerate();
    let datasets = datasets.map(|(place, (series, data))| {
        let sign = SIGNS[place % SIGNS.len()];
        let named = Dataset::default().data(data).style(style(app, place));
        let drawn = if bars {
            named.marker(Marker::Block).graph_type(GraphType::Bar)
        } else {
            named
                .marker(Marker::Custom(sign))
                .graph_type(GraphType::Line)
        };
        if plot.series.len() > 1 {
            drawn.name(format!("{sign} {}", series.name))
        } else {
            drawn
        }
    });
    let chart = Chart::new(datasets.collect())
        .x_axis(across(app, plot, area.width))
        .y_axis(up(app, plot, area.height))
        .legend_position(Some(LegendPosition::TopRight))
        .hidden_legend_constraints((Constraint::Ratio(3, 4), Constraint::Ratio(1, 2)));
    frame.render_widget(chart, area);
}

fn points(series: &Series) -> Vec<(f64, f64)> {
    series.points.iter().map(|[x, y]| (*x, *y)).collect()
}

fn style(app: &App, place: usize) -> Style {
    let theme = &app.look.theme;
    [theme.black, theme.white, theme.best, theme.text][place % SIGNS.len()]
}

fn across<'a>(app: &App, plot: &'a Plot, width: u16) -> Axis<'a> {
    let axis = Axis::default()
        .title(plot.x.as_str())
        .style(app.look.quiet());
    if plot.places.is_empty() {
        let bounds = plot.extent(0);
        return axis.bounds(bounds).labels(bounds.map(digits));
    }
    let room = (width as usize).saturating_sub(8) / plot.places.len().max(1);
    let longest = plot
        .places
        .iter()
        .map(|name| name.width())
        .max()
        .unwrap_or(0);
    // The widget puts labels side by side; names that do not fit lose their ends.
    let names = plot
        .places
        .iter()
        .map(|name| cut(name, longest.min(room.saturating_sub(1))));
    let last = plot.places.len() as f64 - 1.0;
    axis.bounds([-0.5, last + 0.5])
        .labels(names.collect::<Vec<_>>())
}

fn up<'a>(app: &App, plot: &'a Plot, height: u16) -> Axis<'a> {
    let [least, most] = plot.extent(1);
    let marks = ticks([least, most], usize::from(height / 4).clamp(2, 6));
    let bounds = [
        marks.first().map_or(least, |mark| mark.min(least)),
        marks.last().map_or(most, |mark| mark.max(most)),
    ];
    // Labels are spread evenly, so the marks may only be named where they are spread so too.
    let even =
        marks.len() > 1 && marks.first() == Some(&bounds[0]) && marks.last() == Some(&bounds[1]);
    let labels: Vec<_> = if even {
        marks.into_iter().map(digits).collect()
    } else {
        bounds.into_iter().map(rounded).collect()
    };
    Axis::default()
        .title(plot.y.as_str())
        .style(app.look.quiet())
        .bounds(bounds)
        .labels(labels)
}

/// A number at the end of an axis, to three decimals.
fn rounded(number: f64) -> String {
    digits((number * 1e3).round() / 1e3)
}
