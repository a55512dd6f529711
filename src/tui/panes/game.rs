//! The game pane: the moves, a graph of values, the best moves known so far, and the engine.

use std::{collections::BTreeMap, ops::Range};

use ratatui::prelude::*;

use crate::{
    engine::session::{
        guests::BackgroundAnalysis,
        playing::PlayedReport,
        position::{MoveMark, PositionReport},
        reply::{MoveText, Reply, Score, Side},
        review::for_white,
        search::Run,
    },
    text::{
        cut,
        number::{counted, score, score_or_none},
        or_empty, packed, style, words,
    },
    tui::{
        board::{material, ranked, share_of_white},
        data::BoardOf,
        keymap::{Action, GamePaneAction},
        layout::HIGH,
        look::Theme,
        opponent,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, line, own,
            rule, shown, wrapped,
        },
        state::{EngineSides, Hint},
        timeline,
    },
};

/// The widths, in columns: of the number of a pair of moves, of a move, and of the value after the move.
const NUMBER: usize = 4;
const MOVE: usize = 9;
const VALUE: usize = 9;
/// The least and the greatest number of rows on each side of the graph's axis.
const HALF: usize = 2;
/// The same for a graph where there are few rows.
const LOW: usize = 1;
const TALL: usize = 24;
/// The greatest number of those rows for the smallest leads; it grows with the greatest lead.
const FLAT: usize = 3;
/// The rows that the graph gets in addition on a high screen.
const HIGHER: usize = 10;
/// The rows of the graph's heading, axis and numbers.
const AROUND: usize = 3;
/// The least lead at the end of the graph's scale, for chances of 70 % to 30 %: a small lead is a small bar.
const LEAST_LEAD: f64 = 0.4;
/// The characters for parts of a bar, 0 to 8 eighths of a row high, above and below the axis. Below it, Unicode has only some.
const ABOVE: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const BELOW: [&str; 9] = [" ", "▔", "▔", "▀", "▀", "▀", "▀", "█", "█"];
/// The width of the graph's scale, and the greatest width of a column of the graph, in characters.
const SCALE: usize = "100 %".len();
const WIDEST: usize = 8;
/// The least number of best moves listed, and the number for which the pane asks for rows.
const BEST: usize = 3;
const MORE: usize = 8;
/// The actions named below the engine's side, because a narrow screen's key bar has no room for them.
const KEYS: &str =
    "engine-side:side engine-level:level engine:move hint:hint undo:undo draw:draw resign:resign";

#[derive(Debug, Default)]
pub struct GamePane {
    /// The row of the cursor is the number of moves played: 0 stands for the first position.
    cursor: ListCursor,
    /// The values for White, by the number of moves played.
    values: BTreeMap<usize, Score>,
    /// The game as last seen, to notice changes.
    seen: Seen,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// The kind of game.
    game: String,
    /// The number of positions before the game's first move: it tells the games of a session apart.
    first: usize,
    played: usize,
    /// All moves, including those that can be redone.
    moves: Vec<MoveText>,
}

impl Pane for GamePane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        [Query::Analyst, Query::Position, Query::SearchResult, Query::Stack].into()
    }

    fn title(&self, state: &ScreenState) -> String {
        let Some(position) = state.data.get::<PositionReport>() else { return String::new() };
        let (variation, played) = if state.is_in_variation() {
            ("variation, ", position.since_branch)
        } else {
            ("", position.played.len())
        };
        let all = played + position.ahead.len();
        let moves = match played {
            _ if all == 0 => "no move yet".to_owned(),
            last if last == all => counted(all as u64, "ply", "plies"),
            played => format!("ply {played} of {all}"),
        };
        let [players, place] = heads(position);
        let has_values = position.marks.iter().any(|mark| mark.value.is_some());
        let values = has_values.then(|| "values for White".to_owned());
        // The names of the players are cut first.
        let moves = [format!("{variation}{moves}")].into_iter();
        let parts = moves.chain(place).chain(values).chain(players);
        parts.collect::<Vec<_>>().join(" · ")
    }

    fn rows_needed(&self, state: &ScreenState, width: u16) -> usize {
        let list = MoveList::of(state).map(|list| list.with_values(width));
        let spare = MORE - BEST + if state.size.1 >= HIGH { HIGHER } else { 0 };
        list.map_or(0, |list| list.rows().div_ceil(columns(width, list.wide)))
            + self.below(state, width, usize::MAX, spare).len()
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::All(MoveList::of(state).map_or(0, |list| list.moves.len() + 1))
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let Some(list) = MoveList::of(state) else { return };
        let list = list.with_values(room.width);
        let (rows, height) = (list.rows(), usize::from(room.height));
        let most = columns(room.width, list.wide);
        // One pair of moves to a line while the game is short, whatever there is below.
        let fits = |columns: &usize| rows.div_ceil(*columns) <= height / 3;
        let columns = (1..most).find(fits).unwrap_or(most);
        let lines = rows.div_ceil(columns);
        let rows_below = height - lines.min(height / 2);
        let needed = self.below(state, room.width, rows_below, 0).len();
        let spare = height.saturating_sub(lines + needed);
        let below = self.below(state, room.width, rows_below, spare);
        let heights = [lines.min(height.saturating_sub(below.len())), below.len()];
        let [above, rest] =
            Layout::vertical(heights.map(|rows| Constraint::Length(rows as u16))).areas(room);
        let at = self.at(state);
        let line = list.row(at) / columns;
        let chosen = (state.focus == "game").then_some(at);
        self.cursor.draw_parts(frame, above, lines, line..line + 1, |line| {
            let pairs = (0..columns).map(|column| (column * list.pair(), line * columns + column));
            let pairs: Vec<_> = pairs.filter(|(_, row)| *row < rows).collect();
            let spans = pairs.iter().flat_map(|(_, row)| list.move_pair(*row, chosen, &state.look));
            let moves = pairs.iter().flat_map(|(from, row)| list.places(*row, *from));
            (spans.collect(), moves.collect())
        });
        frame.render_widget(shown(below), rest);
    }

    fn bindings(&self) -> Vec<Binding> {
        let go = "goes to the position after the selected move; later moves are kept";
        let back = Binding::new(
            "game-back",
            "left",
            Action::Moves("undo"),
            "browses the game: takes back a move",
        );
        let next = Binding::new(
            "game-next",
            "right",
            Action::Moves("redo"),
            "browses the game: plays the next move",
        );
        [own(GamePaneAction::GameGo, "enter space", go), back, next].into()
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let PaneAction::Game(GamePaneAction::GameGo) = action else { return };
        let Some(position) = state.data.get::<PositionReport>() else { return };
        let chosen = position.first_place() + self.at(state);
        match timeline::command_to(state, chosen) {
            Some(line) => state.run(line),
            None => state.say("this position is on the board: up and down choose another move"),
        }
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        let position = state.data.get::<PositionReport>();
        if position.is_some_and(|it| it.among_games().is_some()) && state.recording().is_none() {
            return "game-go:go game-back+game-next:browse back-landmark+landmark:review games hint run:search engine";
        }
        if state.recording().is_some() {
            return "game-go:go game-back+game-next:browse step+back:step continue+back-continue:continue position:game";
        }
        "game-go:go game-back+game-next:browse back-landmark+landmark:review hint run:search engine+engine-side+engine-level:engine step draw resign new"
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        if let Some(played) = reply.and_then(|reply| reply.downcast_ref::<PlayedReport>())
            && let Some(value) = played.value
        {
            self.follow(&played.position);
            // The value is for the side that has just moved.
            let value = for_white(played.position.side.other(), value);
            // The search began at the position before the move, which has the same value.
            let at = played.position.undo;
            self.values.extend([(at - 1, value), (at, value)]);
        }
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let Some(position) = state.data.get::<PositionReport>() else { return };
        self.follow(position);
        let at = position.place();
        let reviewed = position.marks.iter().filter_map(|mark| Some((mark.at, mark.value?)));
        self.values.extend(reviewed);
        if let Some(value) = searched(state).and_then(|run| run.value) {
            self.values.insert(at, for_white(position.side, value));
        }
    }
}

/// The players of a game from a file with the result in the file, and the number of the game if there are others. The result of a
/// game that is over stands below the moves; it may be another one.
fn heads(position: &PositionReport) -> [Option<String>; 2] {
    let shown = if position.finished { 1 } else { 2 };
    let players = position.players.as_ref();
    let players = players.map(|it| it[..shown].join(" ").trim_end().to_owned());
    let place = position.among_games();
    [players, place.map(|[number, games]| format!("game {number} of {games}"))]
}

/// The result of a search from the game's current position.
fn searched(state: &ScreenState) -> Option<&Run> {
    let position = state.data.get::<PositionReport>()?;
    let root = state.data.frames().first();
    let is_here = state.searching || root.is_some_and(|root| root.state == position.state);
    state.data.get::<Run>().filter(|_| is_here && state.hint != Hint::Offer)
}

/// The number of columns, each with a pair of moves that are `wide` characters wide, in a pane of this width.
fn columns(width: u16, wide: usize) -> usize {
    (usize::from(width) / (NUMBER + 2 * wide)).max(1)
}

/// The moves of the whole game, including those that can be redone.
struct MoveList<'a> {
    moves: Vec<&'a MoveText>,
    played: usize,
    /// 1 if the first move of the list is Black's, else 0.
    begins_black: usize,
    /// The number of the first pair of moves.
    first: usize,
    marks: &'a [MoveMark],
    /// The number of positions before the list's first move.
    before: usize,
    /// The width of a move, in characters, with its value if there is room for values.
    wide: usize,
}

impl<'a> MoveList<'a> {
    fn of(state: &'a ScreenState) -> Option<Self> {
        let position = state.data.get::<PositionReport>()?;
        let played = position.played.len();
        let mover = if played.is_multiple_of(2) { position.side } else { position.side.other() };
        let begins_black = usize::from(mover == Side::Black);
        Some(Self {
            moves: position.played.iter().chain(&position.ahead).collect(),
            played,
            begins_black,
            first: position.move_number.saturating_sub(usize::midpoint(played, begins_black)),
            marks: &position.marks,
            before: position.first_place(),
            wide: MOVE,
        })
    }

    /// The list with the moves' values, if there are any and the pane is wide enough.
    fn with_values(self, width: u16) -> Self {
        let has_values = self.marks.iter().any(|mark| mark.value.is_some());
        let wide = MOVE + VALUE;
        let fits = has_values && usize::from(width) >= NUMBER + 2 * wide;
        Self { wide: if fits { wide } else { self.wide }, ..self }
    }

    /// The width of a pair of moves with its number, in characters.
    const fn pair(&self) -> usize {
        NUMBER + 2 * self.wide
    }

    /// The row of the pair that contains a move; moves are counted from 1.
    const fn row(&self, chosen: usize) -> usize {
        (chosen + self.begins_black).saturating_sub(1) / 2
    }

    /// The columns and the number of each move in a pair that is drawn from column `from` on.
    fn places(&self, row: usize, from: usize) -> impl Iterator<Item = (Range<usize>, usize)> {
        let half = move |half: usize| {
            let at = (2 * row + half + 1).checked_sub(self.begins_black)?;
            let begin = from + NUMBER + half * self.wide;
            (1..=self.moves.len()).contains(&at).then_some((begin..begin + MOVE, at))
        };
        [0, 1].into_iter().filter_map(half)
    }

    fn rows(&self) -> usize {
        if self.moves.is_empty() { 0 } else { self.row(self.moves.len()) + 1 }
    }

    /// The annotation and value of a move; `played`: the number of moves played once the move has been played.
    fn mark(&self, played: usize) -> Option<&MoveMark> {
        self.marks.iter().find(|mark| mark.at == played)
    }

    /// The number of a pair of moves if White's move begins the pair and is the last of `played` moves; else `None`.
    fn number_begun(&self, played: usize) -> Option<usize> {
        let at = played.checked_sub(self.before).filter(|at| *at > 0)?;
        let is_white = !(at + self.begins_black).is_multiple_of(2);
        is_white.then(|| self.first + self.row(at))
    }

    /// A pair of moves with its number. The last move played is marked; moves that can be redone have the quiet style.
    fn move_pair(&self, row: usize, chosen: Option<usize>, look: &Theme) -> Vec<Span<'static>> {
        let is_first = chosen == Some(0) && row == 0;
        let number = format!("{:>3} ", self.first + row);
        let number = Span::styled(number, if is_first { look.selected } else { look.quiet });
        let halves = [2 * row + 1, 2 * row + 2].map(|half| half.checked_sub(self.begins_black));
        let moves = halves.into_iter().map(|at| {
            let at = at.unwrap_or(0);
            let mark = self.mark(self.before + at).filter(|_| at > 0);
            let name = match at.checked_sub(1).map(|at| self.moves.get(at)) {
                Some(mv) => {
                    let signs = mark.map_or("", |mark| &mark.signs);
                    mv.map(|mv| format!("{mv}{signs}")).unwrap_or_default()
                }
                None => "…".to_owned(),
            };
            let name = cut(&name, MOVE - 1);
            let style = match at {
                0 => look.quiet,
                _ if chosen == Some(at) => look.selected,
                _ if at == self.played => look.accent,
                _ if let Some(mark) = mark.filter(|mark| mark.is_mistake) => mistake(mark, look),
                _ if at > self.played => look.quiet,
                _ => look.text,
            };
            // The sign of a mating move is its value.
            let has_value = |value: &Score| !style::style().scale.is_mated(value.get());
            let value = mark.and_then(|mark| mark.value).filter(has_value);
            let value = value.filter(|_| self.wide > MOVE);
            let blanks = MOVE - name.chars().count();
            let value =
                format!("{:blanks$}{:<2$}", "", or_empty(value.map(score)), self.wide - MOVE);
            [Span::styled(name, style), Span::styled(value, look.quiet)]
        });
        std::iter::once(number).chain(moves.flatten()).collect()
    }
}

impl GamePane {
    /// Drops the values of positions that no longer belong to the game: after other moves, or of another game.
    fn follow(&mut self, position: &PositionReport) {
        let (played, first) = (position.played.len(), position.first_place());
        let now: Vec<_> = position.played.iter().chain(&position.ahead).cloned().collect();
        let Seen { game, first: first_seen, moves: before, .. } = &self.seen;
        let is_known = !now.is_empty() && *game == position.game && *first_seen == first;
        // The position that was looked up may be older than the last move.
        let moves = if is_known && before.starts_with(&now) { before.clone() } else { now };
        let shared = moves.iter().zip(before).take_while(|(now, before)| now == before).count();
        let known = first..=first + shared;
        self.values.retain(|at, _| is_known && known.contains(at));
        let now = Seen { game: position.game.clone(), first, played, moves };
        let before = std::mem::replace(&mut self.seen, now);
        if before != self.seen {
            self.cursor.select(played);
        }
    }

    /// The sections below the moves in `rows` rows, the most important first. A section with nothing but its heading is left
    /// out, as is a graph, or the text of the rules, without enough room. The graph takes precedence over the engine's keys
    /// and, up to a third of the rows, over moves. `spare` of the rows are for some more best moves, then for a higher graph,
    /// then for all best moves.
    fn below(
        &self,
        state: &ScreenState,
        width: u16,
        rows: usize,
        spare: usize,
    ) -> Vec<Line<'static>> {
        let columns = usize::from(width);
        let board = state.data.board.as_ref().filter(|_| state.shown == BoardOf::Position);
        let material = board.and_then(|report| material(report, &state.look, columns));
        let material = Vec::from_iter(material);
        let heads = head_lines(state, columns);
        let best_rows = |count| best(state, width, count).len();
        let listed = BEST + spare.min(MORE - BEST);
        let spare = spare.saturating_sub(best_rows(listed) - best_rows(BEST));
        let lowest = self.graph(state, columns, HALF);
        let graph = highest(lowest.len() + spare, |half| self.graph(state, columns, half));
        let higher = graph.len().saturating_sub(lowest.len());
        let most = listed + spare.saturating_sub(higher);
        // Without searched values, a graph of static values fills rows that are free.
        let graph = if self.values.len() < 2 {
            highest(spare, |half| static_graph(state, columns, half))
        } else {
            graph
        };
        let few = 2;
        let (continuations, analyst) = (continuations(state, columns), analyst(state, width));
        let others =
            heads.len() + material.len() + continuations.len() + best_rows(most) + analyst.len();
        let fits = |graph: &[Line<'_>]| {
            !graph.is_empty() && others + graph.len() + few <= rows.saturating_add(rows / 3)
        };
        // Without room for the usual graph, a lower one.
        let is_low = self.values.len() > 1 && !fits(&graph);
        let graph = if is_low { self.graph(state, columns, LOW) } else { graph };
        let (fits, whole) = (fits(&graph), graph.len());
        let others = others + whole;
        let engine_rows = if fits { rows.saturating_sub(others).max(few) } else { usize::MAX };
        let engine = engine(state, width, engine_rows);
        let rows = if fits { rows.max(others + engine.len()) } else { rows };
        // The heading names the number of moves for which there is room.
        let above = heads.len() + material.len() + continuations.len() + engine.len();
        let best = best(state, width, most.min(rows.saturating_sub(above + 1)));
        let sections = [
            (heads, 1),
            (material, 1),
            (continuations, 1),
            (engine, few),
            (best, few),
            (analyst, few),
            (graph, whole),
            all_of(rules(state, width)),
        ];
        let mut lines = Vec::new();
        for (section, least) in sections {
            let room = rows - lines.len();
            lines.extend(section.into_iter().take(if room >= least { room } else { 0 }));
        }
        lines
    }

    fn graph(&self, state: &ScreenState, width: usize, half: usize) -> Vec<Line<'static>> {
        let values = self.values.iter().map(|(at, value)| (*at, *value));
        graph("White's winning chances", values, state, (width, half))
    }
}

/// A section that needs room for all of its lines.
const fn all_of(section: Vec<Line<'static>>) -> (Vec<Line<'static>>, usize) {
    let least = section.len();
    (section, least)
}

/// The highest graph of at most `rows` rows; no lines without room. `graph` makes one from the greatest number of rows on each side
/// of the axis.
fn highest(rows: usize, graph: impl Fn(usize) -> Vec<Line<'static>>) -> Vec<Line<'static>> {
    let halves: Vec<_> = (HALF..=TALL).collect();
    let fits =
        |half: &usize| graph(*half).len() <= rows && (*half == HALF || half + AROUND <= rows);
    let fitting = halves.partition_point(fits);
    fitting.checked_sub(1).map_or_else(Vec::new, |last| graph(halves[last]))
}

/// A graph of the values for White by the number of moves played; no lines for fewer than two values.
fn graph(
    title: &str,
    values: impl Iterator<Item = (usize, Score)>,
    state: &ScreenState,
    room: (usize, usize),
) -> Vec<Line<'static>> {
    let Some(list) = MoveList::of(state) else { return Vec::new() };
    let values = values.filter(|(at, _)| *at <= list.before + list.moves.len());
    let leads = values.map(|(at, value)| (at, 2.0 * share_of_white(value) - 1.0)).collect();
    Graph::new(&leads, &list, room).map_or_else(Vec::new, |graph| graph.lines(title, state))
}

/// A graph of the static values, for a game whose positions have not been searched.
fn static_graph(state: &ScreenState, width: usize, half: usize) -> Vec<Line<'static>> {
    let Some(position) = state.data.get::<PositionReport>() else { return Vec::new() };
    let values = (position.first_place()..).zip(position.static_values.iter().copied());
    let title = "White's chances by static values";
    graph(title, values, state, (width, half))
}

/// A graph of the values that a review of the game has found, in at most `rows` rows; no lines without a review.
pub fn review_graph(state: &ScreenState, width: usize, rows: usize) -> Vec<Line<'static>> {
    let marks = state.data.get::<PositionReport>().map_or(&[][..], |position| &position.marks);
    let values = || marks.iter().filter_map(|mark| Some((mark.at, mark.value?)));
    highest(rows, |half| graph("White's winning chances", values(), state, (width, half)))
}

/// White's winning chances by the number of moves played, above the axis if White is better. The side of the axis with the greatest
/// lead has the whole scale, the other one as far as there are bars. Labels: the greatest and the least, and the end of the scale.
struct Graph<'a> {
    /// The height of each column in eighths of a row, negative below the axis, by the number of moves played.
    heights: BTreeMap<usize, isize>,
    /// The labels of the highest bars above and below the axis and of the scale's end, each with its height.
    labels: [(isize, String); 3],
    list: &'a MoveList<'a>,
    /// The bars of the graph, as numbers of moves played; `across`: the width of all of them in characters.
    shown: Range<usize>,
    across: usize,
    width: usize,
    /// The number of rows on each side of the axis.
    half: usize,
}

impl<'a> Graph<'a> {
    /// A graph of leads from -1 to 1; `None` for fewer than two.
    fn new(
        leads: &BTreeMap<usize, f64>,
        list: &'a MoveList<'a>,
        (width, half): (usize, usize),
    ) -> Option<Self> {
        let is_even = leads.values().all(|lead| *lead == 0.0);
        let latest = *leads.keys().next_back().filter(|_| leads.len() > 1 && !is_even)?;
        let latest = latest.max(list.before + list.played);
        let most = leads.values().map(|lead| lead.abs()).fold(0.0, f64::max);
        let greatest = most.max(LEAST_LEAD);
        // The scale ends above the greatest bar if all leads are small, so a high graph would be mostly blank.
        let tall = (3.0 * TALL as f64 * (most / LEAST_LEAD).powi(2)) as isize;
        let half = half.min(tall.unsigned_abs().max(FLAT));
        // Rounded up, so that even the smallest lead is visible.
        let height =
            |lead: f64| (lead / greatest * (8 * half) as f64).abs().ceil().copysign(lead) as isize;
        let heights = leads.iter().map(|(at, lead)| (*at, height(*lead))).collect();
        let end = |end: fn(f64, f64) -> f64| leads.values().copied().reduce(end).unwrap_or(0.0);
        let [best, worst] = [end(f64::max).max(0.0), end(f64::min).min(0.0)];
        let scale = if best >= -worst { greatest } else { -greatest };
        let label = |lead| format!("{:.0} %", 50.0 + 50.0 * lead);
        let is_even = |label: &String| label == "50 %";
        let labels = [best, worst, scale]
            .map(|lead| (height(lead), or_empty(Some(label(lead)).filter(|it| !is_even(it)))));
        let room = width.saturating_sub(SCALE + 1).max(1);
        let first = (latest + 1).saturating_sub(room).max(list.before.min(latest));
        let shown = first..latest + 1;
        let across = room.min(WIDEST * shown.len());
        Some(Self { heights, labels, list, shown, across, width, half })
    }

    fn lines(&self, title: &str, state: &ScreenState) -> Vec<Line<'static>> {
        let (half, look) = (self.half.cast_signed(), &state.look);
        let here = self.here();
        let is_gap = |at: usize| at != here && self.is_unknown(at);
        let has_gaps = self.shown.clone().any(is_gap);
        let title = format!("{title}{}", if has_gaps { " (· unknown)" } else { "" });
        let mut lines = vec![rule(&title, self.width, look)];
        let [.., (scale, _)] = &self.labels;
        let heights = self.heights.values().chain([scale]);
        let most = |sign: isize| heights.clone().map(|height| height * sign).max();
        let rows = |sign| 0..((most(sign).unwrap_or(0) + 7) / 8).clamp(0, half);
        lines.extend(rows(1).rev().map(|row| self.row(row + 1, look.white, look.quiet)));
        lines.push(Line::styled(scaled("50 %", &self.axis()), look.quiet));
        lines.extend(rows(-1).map(|row| self.row(-row - 1, look.black, look.quiet)));
        lines.push(Line::styled(scaled("move", &self.numbers()), look.quiet));
        lines
    }

    /// A row of the graph, counted from the axis, negative below the axis.
    fn row(&self, place: isize, style: Style, quiet: Style) -> Line<'static> {
        let nearer = 8 * (place.abs() - 1);
        let bar = |at: usize| {
            let height = self.heights.get(&at).map_or(0, |height| height * place.signum());
            let eighths = (height - nearer).clamp(0, 8).unsigned_abs();
            let sign = if place > 0 { ABOVE[eighths] } else { BELOW[eighths] };
            // A gap separates bars that are wide enough.
            let gap = usize::from(self.across > 2 * self.shown.len());
            sign.repeat(self.columns(at).len() - gap) + &" ".repeat(gap)
        };
        let is_here = |height: isize| height * place > 0 && (height.abs() + 7) / 8 == place.abs();
        let label = self.labels.iter().find(|(height, _)| is_here(*height));
        let bars = self.shown.clone().map(bar).collect::<String>();
        let label = scaled(label.map_or("", |(_, text)| text), "");
        Line::from(vec![Span::styled(label, quiet), Span::styled(bars, style)])
    }

    /// The columns of a bar. All bars together fill the width.
    fn columns(&self, at: usize) -> Range<usize> {
        let begin = |nth: usize| nth * self.across / self.shown.len();
        let nth = at - self.shown.start;
        begin(nth)..begin(nth + 1)
    }

    /// Whether the value of a move is unknown. The first position has none, because no move led to it.
    fn is_unknown(&self, at: usize) -> bool {
        at > self.list.before && !self.heights.contains_key(&at)
    }

    /// The number of moves played to reach the current position.
    const fn here(&self) -> usize {
        self.list.before + self.list.played
    }

    /// The axis with the signs of mistakes, and a cursor at the current position.
    fn axis(&self) -> String {
        let here = self.here();
        let sign = |at: usize| {
            let mistake = self.list.mark(at).filter(|mark| mark.is_mistake);
            let wide = self.columns(at).len();
            match mistake {
                _ if at == here => format!("{:─<wide$}", "◆"),
                // A part of `?!` would be another judgement.
                Some(mark) if mark.signs.len() > wide => "┴".to_owned(),
                Some(mark) => format!("{:─<wide$}", mark.signs),
                None if self.is_unknown(at) => "·".repeat(wide),
                None => "─".repeat(wide),
            }
        };
        self.shown.clone().map(sign).collect()
    }

    /// The numbers of the first, the last and every fifth move, each below its column of the graph if there is room.
    fn numbers(&self) -> String {
        let begun = self.shown.clone().filter_map(|at| Some((at, self.list.number_begun(at)?)));
        let ends = [begun.clone().next(), begun.clone().next_back()];
        let due = begun.filter(|it| it.1 % 5 == 0 || ends.contains(&Some(*it)));
        let room = self.width.saturating_sub(SCALE + 1);
        due.fold(String::new(), |text, (at, number)| {
            let last = room.saturating_sub(number.to_string().len());
            let column = self.columns(at).start.min(last);
            if column < text.len() { text } else { format!("{text:<column$}{number} ") }
        })
    }
}

/// A line of the graph: a label in the column of the scale, then a text.
fn scaled(label: &str, text: &str) -> String {
    format!("{label:>SCALE$} {text}")
}

/// The players and the place of the game in its file, if the pane's title has no room for them, and the key for other games.
fn head_lines(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let Some(position) = state.data.get::<PositionReport>() else { return Vec::new() };
    let is_tab = state.areas().tabs.contains(&"game");
    let heads = heads(position).into_iter().flatten().filter(|_| is_tab);
    let key = position.among_games().and_then(|_| state.key_to("games", "lists the games"));
    let parts = heads.flat_map(|head| wrapped(&head, width)).chain(key);
    packed(parts, width).into_iter().map(|text| Line::styled(text, state.look.quiet)).collect()
}

/// The variation that the position is in, the continuations if there are several, and the next mistake.
fn continuations(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let Some(position) = state.data.get::<PositionReport>() else { return Vec::new() };
    let comment = position.comment.iter().flat_map(|words| wrapped(words, width)).map(Line::raw);
    let is_several = position.lines.len() > 1 && position.better().is_empty();
    let numbered = position.lines.iter().zip(1..).filter(|_| is_several);
    let numbered = numbered.map(|(mv, number)| format!("{number} {mv}"));
    let several =
        (!state.is_engine_game() && (is_several || position.since_branch > 0)).then(|| {
            let replaced = position.replaced_move.as_ref();
            let what = replaced.map(|mv| format!("variation, instead of {mv}"));
            let what = what.unwrap_or_else(|| "lines from here".to_owned());
            let enter = is_several.then(|| "`variation enter N` plays one".to_owned());
            let leave =
                replaced.and_then(|_| state.key_to("variation-leave", "leaves the variation"));
            let rows = packed(numbered.chain(enter).chain(leave), width).into_iter().map(Line::raw);
            std::iter::once(rule(&what, width, &state.look)).chain(rows)
        });
    let played = position.mistake().map(|(mv, mark)| {
        let before = position.reviewed_value();
        let played = format!("played {mv}{}", mark.signs);
        let better = Some(words(position.better())).filter(|better| !better.is_empty());
        let better = better.map(|better| format!("better {better}"));
        let after = score_or_none(mark.value);
        // A game has no value before its first move.
        let values = match before {
            Some(before) => format!("review: White {} → {after}", score(before)),
            None => format!("review: {after} for White"),
        };
        let parts = [played, values].into_iter().chain(better).chain(state.key_to("why", "why"));
        let style = mistake(mark, &state.look);
        packed(parts, width).into_iter().map(move |text| Line::styled(text, style))
    });
    comment.chain(several.into_iter().flatten()).chain(played.into_iter().flatten()).collect()
}

/// The style of a mistake: a blunder has that of failures.
fn mistake(mark: &MoveMark, look: &Theme) -> Style {
    if mark.signs.starts_with("??") { look.warning } else { look.error }
}

fn best(state: &ScreenState, width: u16, count: usize) -> Vec<Line<'static>> {
    let Some(run) = searched(state).filter(|run| run.value.is_some()) else { return Vec::new() };
    let marked = ranked(&run.moves).filter(|(rank, _)| *rank != ' ').count();
    let moves = ranked(&run.moves).take(count).map(|(rank, mv)| {
        // After a hint, the board shows these ranks; after a search, it shows the best line.
        let sign = if state.hint == Hint::Shown { rank } else { ' ' };
        let replies: Vec<_> = mv.pv.iter().skip(1).map(ToString::to_string).collect();
        let (name, value) = (mv.mv.to_string(), score_or_none(mv.value));
        line(format!("{sign} {name:<8} {value:>8}  {}", replies.join(" ")), width)
    });
    let position = state.data.get::<PositionReport>();
    let has_review = position.and_then(PositionReport::mistake).is_some();
    let side = or_empty(position.map(|it| format!(" for {}", it.side)));
    let part = (marked > count).then(|| format!(", {count} of {marked}"));
    let heading = format!("best moves{side}, depth {}{}", run.depth, or_empty(part));
    // The review's values, shown nearby, come from a search with limits of its own.
    let apart = format!("{heading}, apart from the review");
    let is_apart = has_review && apart.chars().count() + 4 <= width.into();
    headed(if is_apart { &apart } else { &heading }, moves.collect(), width, state)
}

/// Lines below a heading; without lines, no heading.
fn headed(
    heading: &str,
    lines: Vec<Line<'static>>,
    width: u16,
    state: &ScreenState,
) -> Vec<Line<'static>> {
    let rule = (!lines.is_empty()).then(|| rule(heading, width.into(), &state.look));
    rule.into_iter().chain(lines).collect()
}

/// The lines found by the engine that follows the game.
fn analyst(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let followed = state.data.get::<BackgroundAnalysis>();
    let Some(followed) = followed.filter(|it| it.engine.is_some()) else { return Vec::new() };
    let lines = followed.lines.iter().take(BEST).map(|found| {
        let moves: Vec<_> = found.pv.iter().map(ToString::to_string).collect();
        line(format!("{:>8}  {}", score_or_none(found.value), moves.join(" ")), width)
    });
    let fault = followed.fault.iter().flat_map(|fault| wrapped(fault, width.into()));
    headed(&followed.title(), lines.chain(fault.map(Line::raw)).collect(), width, state)
}

/// Before the first move, how morris is played, as far as the rules that can be set do not change it.
fn rules(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    const MORRIS: &str = "Each side places its nine stones on free points, then moves them along the lines. Three in a \
        line are a mill, which takes a stone. A side with fewer than three stones or without a move has lost.";
    let is_due =
        |it: &PositionReport| it.game == "morris" && it.played.is_empty() && it.ahead.is_empty();
    if !state.data.get::<PositionReport>().is_some_and(is_due) {
        return Vec::new();
    }
    let lines = wrapped(MORRIS, width.into()).into_iter().map(Line::raw);
    headed("rules", lines.collect(), width, state)
}

/// The side that the engine plays, and what the user can do; after a game, the result and possible next steps. With few `rows`, a
/// text that has no room is left out.
fn engine(state: &ScreenState, width: u16, rows: usize) -> Vec<Line<'static>> {
    let position = state.data.get::<PositionReport>();
    let columns = usize::from(width);
    let lines = |words: &[String]| {
        words.iter().flat_map(|text| wrapped(text, columns)).map(Line::raw).collect::<Vec<_>>()
    };
    if let Some(over) = position.filter(|position| position.finished) {
        let result = wrapped(&format!("{}  {}", over.result, over.words), columns).into_iter();
        let style = state.look.title.add_modifier(Modifier::REVERSED);
        let banner = result.map(|text| Line::styled(format!("{text:^columns$}"), style));
        return banner.chain(lines(&opponent::what_next(state))).take(rows).collect();
    }
    // While the user goes through the moves of a game, no engine is to move.
    if state.engine == EngineSides::None && position.is_some_and(|it| !it.ahead.is_empty()) {
        return Vec::new();
    }
    let name = state.opponent.as_deref().unwrap_or("The engine");
    let level = Some(opponent::level(state))
        .filter(|_| state.engine != EngineSides::None || state.level.is_some());
    let waits =
        or_empty(state.engine_waits().then(|| {
            format!(" It waits while moves follow: {} lets it move.", state.key("engine"))
        }));
    let text = format!("{name} plays {}.{waits}", state.engine.name());
    let with_level = format!("{text} {}", or_empty(level));
    let has_room = wrapped(&with_level, columns).len() < rows;
    let text = if has_room { with_level } else { text };
    let is_empty = position.is_some_and(|it| it.played.is_empty());
    let start = is_empty.then(|| "Type a move, or use the arrows and Enter, or drag.".to_owned());
    let ended = position.and_then(|position| position.later_end.as_ref());
    let ended = ended.map(|end| format!("The game ended later: {end}."));
    let claim = position.and_then(|position| position.claim.as_ref());
    let claim = claim.map(|why| format!("A draw can be claimed ({why}): {}.", state.key("draw")));
    let keys = KEYS.split(' ').filter_map(|key| key.split_once(':'));
    let keys = keys.filter_map(|(action, text)| state.key_to(action, text));
    let keys = packed(keys, width.into());
    let words: Vec<_> =
        [ended, Some(text), start, claim].into_iter().flatten().chain(keys).collect();
    let mut lines = headed("engine", lines(&words), width, state);
    lines.truncate(rows);
    lines
}
