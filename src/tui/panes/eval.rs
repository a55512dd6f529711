//! The evaluation pane: every term under the weights in force and under each other named set of weights.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::session::{
        position::Eval,
        reply::{Term, quotient},
        review::for_white,
        tuning::{WeightSets, WeightsReport},
    },
    text::{
        number::{difference, digits, score},
        or_empty,
        style::style,
    },
    tui::{
        data::BoardOf,
        look::Theme,
        pane::{Areas, Binding, Pane, Query, ScreenState, Scroll, cut, line, types, wrapped},
        state::{EngineSides, Hint},
    },
};

/// The width of a term's name, the least width of its values, and that of a column with the weighted difference.
const NAME: usize = 14;
const VALUE: usize = 3;
const COLUMN: usize = 9;
/// The least and the greatest number of columns for bars, and the number of blank ones before them.
const BARS: [usize; 2] = [16, 48];
const GAP: usize = 2;
const NO_HEURISTIC: &str = "No heuristic here: the game is over.";
const GAME_OVER: &str = "The game is over: its result counts, not the evaluation.";

#[derive(Debug, Default)]
pub struct EvalPane(Scroll);

impl Pane for EvalPane {
    fn wants(&self, state: &ScreenState) -> Vec<Query> {
        query(state).into_iter().chain([Query::WeightSets]).collect()
    }

    fn title(&self, state: &ScreenState) -> String {
        state.board_owner()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }

    fn rows_needed(&self, state: &ScreenState, columns: u16) -> usize {
        // The number of unequal terms changes from position to position. All have rows, so that no pane moves.
        table(state, columns, usize::MAX).len()
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        self.0.draw(frame, table(state, room.width, room.height.into()), room);
    }

    fn bindings(&self) -> Vec<Binding> {
        [types("weights-edit", "e", "weights set ", "types `weights set`")].into()
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "weights-edit:edit position:game"
    }
}

/// The evaluation of the position shown, dimmed if the game is over there, or the reason why there is none.
fn table(state: &ScreenState, width: u16, height: usize) -> Vec<Line<'static>> {
    let Some(eval) = state.data.get::<Eval>() else {
        return wrapped(&unknown(state), width.into()).into_iter().map(Line::raw).collect();
    };
    if state.shown != BoardOf::Position || !state.is_game_over() {
        return evaluation(state, eval, width, height);
    }
    let over = wrapped(GAME_OVER, width.into());
    let rest = evaluation(state, eval, width, height.saturating_sub(over.len()));
    let over = over.into_iter().map(|text| Line::styled(text, state.look.title));
    over.chain(rest.into_iter().map(|line| line.style(state.look.quiet))).collect()
}

/// The value and the terms. Terms that no column uses have no rows; those that are equal for both sides only if all terms fit into
/// `height` rows.
fn evaluation(state: &ScreenState, eval: &Eval, width: u16, height: usize) -> Vec<Line<'static>> {
    let look = &state.look;
    let terms = TermColumns::of(eval, width.into());
    let wide = terms.width();
    // Without the focus, there is one column: several values of one position would need an explanation.
    let is_focused = state.focus == "eval";
    let room = usize::from(width).saturating_sub(wide + COLUMN) / COLUMN;
    let room = if is_focused { 1 + room } else { 1 };
    let sets = state.data.get::<WeightSets>().map_or(&[][..], |sets| &sets.sets);
    let engines = engines_set(state, sets);
    let (columns, in_force) = columns(eval, sets, engines, room);
    let used = engines.or(in_force);
    let heads = columns.iter().map(|set| {
        let sign = if set.is_some() && *set == used { "▸" } else { "" };
        format!("{sign}{}", cut(&name_of(*set), COLUMN - 1 - sign.width()))
    });
    let head = row(&terms.head(), wide, heads);
    let bars = Bars::new(eval, used, usize::from(width).saturating_sub(head.width()));
    let with_bar = |line: Line<'static>, difference| match &bars {
        Some(bars) => bars.beside(line, difference, look),
        None => line,
    };
    let texts = |text: &str, style| -> Vec<_> {
        wrapped(text, width.into()).into_iter().map(|it| line(it, width).style(style)).collect()
    };
    let [value, weights] = headline(state, eval, &name_of(used), engines);
    let whole = format!("{value}, {weights}");
    // Without room, the column's heading alone names the weights.
    let has_room = whole.width() < width.into();
    let mut lines = texts(if has_room { &whole } else { &value }, look.title);
    let (unused, shown): (Vec<_>, Vec<_>) =
        eval.terms.iter().partition(|term| columns.iter().all(|set| weight(term, *set) == 0.0));
    let note = [named("not used", &unused), other_weights(state, in_force, used)];
    let note = note.into_iter().flatten();
    let note: Vec<_> = note.flat_map(|text| texts(&text, look.quiet)).collect();
    let totals = totals(eval, &columns);
    let is_whole = lines.len() + 1 + totals.len() + shown.len() + note.len() <= height;
    let (even, uneven): (Vec<_>, Vec<_>) =
        shown.into_iter().partition(|term| !is_whole && term.white == term.black);
    let heading = or_empty(bars.as_ref().map(Bars::heading));
    lines.push(line(head + &heading, width).style(look.head));
    lines.extend(totals.into_iter().enumerate().map(|(nth, (name, totals))| {
        let total = line(row(&cut(name, wide), wide, totals.into_iter()), width);
        // Only the sum is in the unit of the terms.
        let total = if nth == 0 { with_bar(total, sum_of(eval, used)) } else { total };
        total.style(look.title)
    }));
    lines.extend(uneven.into_iter().map(|found| {
        let values = columns.iter().map(|set| weighted(found, *set));
        let style = if found.white == found.black { look.quiet } else { look.text };
        with_bar(line(row(&terms.row(found), wide, values), width), balance(found, used))
            .style(style)
    }));
    lines.extend(named("equal for both sides", &even).iter().flat_map(|it| texts(it, look.quiet)));
    lines.extend(note);
    lines
}

/// The names of terms after a heading; `None` without terms.
fn named(heading: &str, terms: &[&Term]) -> Option<String> {
    let names: Vec<_> = terms.iter().map(|term| term.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("{heading}: {}", names.join(", ")))
}

/// The widths of a term's columns: of its name and, unless the pane is too narrow, of its values for White and Black.
struct TermColumns {
    name: usize,
    sides: Option<usize>,
}

impl TermColumns {
    fn of(eval: &Eval, width: usize) -> Self {
        let values = eval.terms.iter().flat_map(|term| [term.white, term.black]);
        let side = values.map(|value| digits(value).len()).fold(VALUE, usize::max);
        let all = Self { name: NAME, sides: Some(side) };
        let name = NAME.min(width.saturating_sub(COLUMN));
        if width >= all.width() + COLUMN { all } else { Self { name, sides: None } }
    }

    fn width(&self) -> usize {
        self.name + self.sides.map_or(0, |side| 2 * (1 + side))
    }

    fn head(&self) -> String {
        let name = if self.sides.is_some() { "term       raw" } else { "term" };
        self.texts(name, ["W", "B"].map(str::to_owned))
    }

    fn row(&self, term: &Term) -> String {
        self.texts(&term.name, [term.white, term.black].map(digits))
    }

    fn texts(&self, name: &str, [white, black]: [String; 2]) -> String {
        let sides = self.sides.map(|side| format!(" {white:>side$} {black:>side$}"));
        format!("{:<2$}{}", cut(name, self.name), or_empty(sides), self.name)
    }
}

/// The name of a set of weights, or words for weights of no set.
fn name_of(set: Option<&WeightsReport>) -> String {
    set.map_or_else(|| "in force".to_owned(), |set| set.name.clone().unwrap_or_default())
}

/// Bars for the weighted differences under one set of weights: to the left for Black, to the right for White.
struct Bars {
    /// The columns of the longest bars of Black and White.
    columns: [usize; 2],
    /// The weighted difference for each column of a bar.
    unit: f64,
}

impl Bars {
    /// Bars in the columns that the table leaves free; `None` if there are too few, or all terms are equal.
    fn new(eval: &Eval, set: Option<&WeightsReport>, free: usize) -> Option<Self> {
        let [least, most] = BARS;
        // One column is left to the scroll bar, and one because the halves of both sides are rounded up.
        let room = free.saturating_sub(GAP + 3).min(most);
        let all = eval.terms.iter().map(|term| balance(term, set)).chain([sum_of(eval, set)]);
        let [black, white] = all.fold([0.0_f64; 2], |[black, white], difference| {
            [black.max(-difference), white.max(difference)]
        });
        // A small difference has a short bar.
        let divisor = set.map_or(eval.divisor, |set| set.divisor);
        let unit = (black + white).max(least_whole(divisor)) / room as f64;
        let columns =
            [black, white].map(|longest| filled(longest, unit / 2.0, 2 * room).div_ceil(2));
        (room >= least && black + white > 0.0).then_some(Self { columns, unit })
    }

    fn heading(&self) -> String {
        let [black, white] = self.columns.map(|columns| columns > 5);
        let names = [black.then_some("Black "), white.then_some(" White")].map(or_empty);
        format!("{:GAP$}{:>width$}│{}", "", names[0], names[1], width = self.columns[0])
    }

    /// A line of the table with the bar of a difference after it.
    fn beside(&self, mut line: Line<'static>, difference: f64, look: &Theme) -> Line<'static> {
        let [black, white] = self.columns;
        let halves = filled(difference.abs(), self.unit / 2.0, 2 * black.max(white));
        let (whole, is_odd) = ("█".repeat(halves / 2), !halves.is_multiple_of(2));
        let [left, right] = if difference < 0.0 {
            [or_empty(is_odd.then_some("▐")) + &whole, String::new()]
        } else {
            [String::new(), whole + &or_empty(is_odd.then_some("▌"))]
        };
        let left = format!("{:GAP$}{left:>black$}", "");
        let parts = [(left, look.black), ("│".to_owned(), look.quiet), (right, look.white)];
        line.spans.extend(parts.map(|(text, style)| Span::styled(text, style)));
        line
    }
}

/// The least difference that fills the room: three pawns in chess, else a quarter of a win.
fn least_whole(divisor: f64) -> f64 {
    if style().scale.is_in_pawns() { 300.0 } else { 0.25 * divisor }
}

/// A length in units, rounded to a whole number of at most `most`.
fn filled(length: f64, unit: f64, most: usize) -> usize {
    (0..most).take_while(|place| (*place as f64 + 0.5) * unit <= length).count()
}

/// Why there is no evaluation.
fn unknown(state: &ScreenState) -> String {
    match query(state) {
        None => format!("The position of {} is not known.", state.board_owner()),
        Some(query) => state.data.fault(&query).unwrap_or(NO_HEURISTIC).to_owned(),
    }
}

/// The sum of the terms for each set of weights and, if the game divides the sum, the divisor and the value.
fn totals(eval: &Eval, columns: &[Option<&WeightsReport>]) -> Vec<(&'static str, Vec<String>)> {
    let divisor = |set: Option<&WeightsReport>| set.map_or(eval.divisor, |set| set.divisor);
    let all = |text: &dyn Fn(Option<&WeightsReport>) -> String| {
        columns.iter().map(|set| text(*set)).collect()
    };
    let mut totals = vec![("White minus Black", all(&|set| difference(sum_of(eval, set))))];
    if eval.divisor != 1.0 {
        totals.push(("divided by", all(&|set| digits((divisor(set) * 1e3).round() / 1e3))));
        totals.push(("value for White", all(&|set| score(sum_of(eval, set) / divisor(set)))));
    }
    totals
}

/// The weights of the engine's moves, if the engine plays a side of the game and the game is on the board.
fn engines_set<'a>(state: &ScreenState, sets: &'a [WeightsReport]) -> Option<&'a WeightsReport> {
    let plays = state.engine != EngineSides::None && state.shown == BoardOf::Position;
    let play = state.data.get::<WeightSets>().filter(|_| plays)?.play.as_ref();
    sets.iter().find(|set| set.name.as_ref() == play)
}

/// The value and the weights that it has: those in force, or the engine's.
fn headline(
    state: &ScreenState,
    eval: &Eval,
    used: &str,
    engines: Option<&WeightsReport>,
) -> [String; 2] {
    let (value, whose) = match (engines, state.hint) {
        (Some(set), _) => (score(sum_of(eval, Some(set)) / set.divisor), " of the engine"),
        (None, hint) => {
            let whose = match hint {
                _ if !eval.for_play => "",
                Hint::Shown | Hint::Over => " of this hint",
                _ => " of the engine's search",
            };
            (quotient(&eval.terms, eval.divisor, for_white(eval.side, eval.value)), whose)
        }
    };
    [format!("static value {value} for White"), format!("weights{whose} ▸{used}")]
}

/// A note on weights that are not those used: in a game against the engine those of searches, else those of hints and the engine.
/// Without the focus it is short, and has the key for all weights.
fn other_weights(
    state: &ScreenState,
    in_force: Option<&WeightsReport>,
    used: Option<&WeightsReport>,
) -> Option<String> {
    let sets = state.data.get::<WeightSets>();
    let play = sets.filter(|_| state.shown == BoardOf::Position).and_then(|it| it.play.as_deref());
    let play = play.filter(|play| *play != name_of(used));
    let [name, now] = [in_force, used].map(name_of);
    if state.focus != "eval" {
        let others = match play {
            _ if in_force != used => Some(format!("searches use the weights `{name}`")),
            play => play.map(|play| format!("hints use the weights `{play}`")),
        };
        let has_more = sets.is_some_and(|it| it.sets.len() > 1);
        let key = state.key_to("eval", "compares weights").filter(|_| has_more);
        let parts: Vec<_> = others.into_iter().chain(key).collect();
        return (!parts.is_empty()).then(|| parts.join("; "));
    }
    if in_force != used {
        return Some(format!("searches use `{name}`, or `{now}` after `weights use {now}`"));
    }
    play.map(|play| {
        format!("hints, reviews and the engine use `{play}`, searches after `weights use {play}`")
    })
}

/// The sets of weights with a column, at most `room`, and the set in force; `None`: the weights of no set. The set in force has a
/// column, unless the engine plays: then only the engine's has one, so that a player sees one value.
fn columns<'a>(
    eval: &Eval,
    sets: &'a [WeightsReport],
    engines: Option<&'a WeightsReport>,
    room: usize,
) -> (Vec<Option<&'a WeightsReport>>, Option<&'a WeightsReport>) {
    let is_used = |set: &&WeightsReport| {
        eval.terms.iter().all(|term| set.weights.get(&term.name) == term.weight)
    };
    let used = sets.iter().find(is_used);
    if engines.is_some() {
        return (vec![engines], used);
    }
    let unnamed = used.is_none().then_some(None);
    let mut columns: Vec<_> = unnamed.into_iter().chain(sets.iter().map(Some)).collect();
    while columns.len() > room.max(1) {
        let last = columns.iter().rposition(|set| *set != used).unwrap_or(0);
        columns.remove(last);
    }
    (columns, used)
}

/// A name in `wide` columns, followed by values.
fn row(name: &str, wide: usize, values: impl Iterator<Item = String>) -> String {
    values.fold(format!("{name:<wide$}"), |row, value| format!("{row} {value:>8}"))
}

fn query(state: &ScreenState) -> Option<Query> {
    state.position().map(|position| Query::Eval(position.to_owned()))
}

/// The sum of all terms under a set of weights.
fn sum_of(eval: &Eval, set: Option<&WeightsReport>) -> f64 {
    eval.terms.iter().map(|term| balance(term, set)).sum()
}

/// White's value minus Black's under a set of weights; `None`: under the weights in force.
fn balance(term: &Term, set: Option<&WeightsReport>) -> f64 {
    weight(term, set) * (term.white - term.black)
}

/// The weighted difference of a term as text; `unused` for a term of weight 0.
fn weighted(term: &Term, set: Option<&WeightsReport>) -> String {
    if weight(term, set) == 0.0 { "unused".to_owned() } else { difference(balance(term, set)) }
}

/// The weight of a term in a set of weights; `None`: in force.
fn weight(term: &Term, set: Option<&WeightsReport>) -> f64 {
    set.map_or(term.weight, |set| set.weights.get(&term.name))
}
