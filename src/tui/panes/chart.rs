//! The chart of the last command whose answer has one, and the answer beside or below it where there is room.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    symbols::Marker,
    text::{Line, Span},
    widgets::{Axis, Dataset, GraphType, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    engine::reply::{Plot, Reply, Series},
    picture::plot::axis,
    text::number::digits,
    tui::{
        layout::{Areas, PaneSlot},
        pane::{Pane, STYLE, Scroll, Tag, cut, line, shown},
        state::ScreenState,
    },
    view,
};

static TAG: Tag = Tag {
    name: "chart",
    keys: "9",
    about: "the chart of the last comparison",
    place: PaneSlot::Cover,
};

/// A chart's width with its text beside it.
const BESIDE: u16 = 96;
/// The width of the words, and what they leave a chart at least.
const WORDS: u16 = 78;
const NARROW: u16 = 44;
/// The height of a pane that has room for the text below.
const BELOW: u16 = 22;
/// Rows below which a chart is not worth drawing.
const LEAST: u16 = 9;
/// Lines differ by their signs where there are no colours.
const SIGNS: [char; 4] = ['*', 'o', '+', 'x'];

/// The charts of an answer, and the answer in words.
#[derive(Debug, Default)]
pub struct ChartPane {
    plots: Vec<Plot>,
    text: Vec<String>,
    scroll: Scroll,
}

impl Pane for ChartPane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn title(&self, _: &ScreenState) -> String {
        let first = self.plots.first();
        first.map_or(String::new(), |plot| plot.title.clone())
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if self.plots.is_empty() {
            let words = [
                "No chart yet: these commands have one.",
                "  weights compare A B --suite standard",
                "  weights compare --sweep mills=0..8",
                "  weights compare --ablate",
            ];
            let words = words.map(|text| line(text, room.width));
            return frame.render_widget(Paragraph::new(words.to_vec()), room);
        }
        let (charts, words) = divided(room);
        // Charts of a few lines tell nothing: then there is the first alone.
        let several = charts.height / self.plots.len() as u16 >= LEAST;
        let shares = self.plots.iter().map(|_| Constraint::Fill(1));
        let areas = Layout::vertical(shares.take(if several { usize::MAX } else { 1 }));
        for (plot, area) in self.plots.iter().zip(areas.split(charts).iter()) {
            chart(frame, state, plot, *area);
        }
        if let Some(words) = words {
            let lines = self.text.iter().map(|text| line(text, words.width));
            self.scroll.draw(frame, lines, words);
        }
    }

    fn is_idle(&self) -> bool {
        self.plots.is_empty()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn hear(&mut self, reply: Option<&dyn Reply>) -> bool {
        let mut plots = reply.map_or(Vec::new(), Reply::plots);
        plots.retain(|plot| !plot.is_empty());
        let Some(reply) = reply.filter(|_| !plots.is_empty()) else {
            return false;
        };
        self.plots = plots;
        // How long it took is nobody's question here.
        let text = view::text(reply, STYLE);
        let lines = text.lines().filter(|line| !line.starts_with("time "));
        self.text = lines.map(str::to_owned).collect();
        self.scroll.to_top();
        true
    }
}

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
pub(super) fn chart(frame: &mut Frame<'_>, state: &ScreenState, plot: &Plot, area: Rect) {
    let [above, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    frame.render_widget(shown(legend(state, plot, above.width)), above);
    if plot.places.is_empty() {
        curves(frame, state, plot, below);
    } else {
        frame.render_widget(Paragraph::new(shown(bars(state, plot, below))), below);
    }
}

fn legend(state: &ScreenState, plot: &Plot, width: u16) -> Line<'static> {
    let what = Span::raw(format!("{} by {}", plot.y, plot.x));
    let named = plot.series.iter().enumerate().filter(|_| plot.series.len() > 1);
    let signs = named.map(|(place, series)| {
        let ink = state.look.ink();
        let sign = if ink.painted && !ink.ascii { '━' } else { sign(place) };
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

/// Lines over numbers.
fn curves(frame: &mut Frame<'_>, state: &ScreenState, plot: &Plot, area: Rect) {
    let points = |series: &Series| series.points.iter().map(|[x, y]| (*x, *y)).collect();
    let data: Vec<Vec<(f64, f64)>> = plot.series.iter().map(points).collect();
    let ink = state.look.ink();
    let datasets = data.iter().enumerate().map(|(place, data)| {
        // Without colours lines are told apart by their signs.
        let fine = ink.painted && !ink.ascii;
        let marker = if fine { Marker::Braille } else { Marker::Custom(sign(place)) };
        Dataset::default()
            .data(data)
            .style(style(state, place))
            .marker(marker)
            .graph_type(GraphType::Line)
    });
    let across = plot.extent(0);
    let (up, marks) = axis(plot.extent(1), usize::from(area.height / 4).clamp(2, 6));
    let plain = || Axis::default().style(state.look.quiet);
    let chart = ratatui::widgets::Chart::new(datasets.collect())
        .style(state.look.text)
        .x_axis(plain().bounds(across).labels(across.map(rounded)))
        .y_axis(plain().bounds(up).labels(marks.into_iter().map(rounded)));
    frame.render_widget(chart, area);
}

/// A number of an axis, with at most three decimals.
fn rounded(number: f64) -> String {
    digits((number * 1000.0).round() / 1000.0)
}

/// A bar for each place, with its name and number.
fn bars(state: &ScreenState, plot: &Plot, area: Rect) -> Vec<Line<'static>> {
    let names = plot.places.iter().map(|name| name.width()).max().unwrap_or(0);
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
            lines.push(Line::from(vec![Span::raw(text), Span::styled(bar, style(state, kind))]));
        }
    }
    lines
}
