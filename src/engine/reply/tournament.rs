//! Players, tournaments and their games.

use serde::Serialize;
use serde_json::json;

use super::{
    EndingCount, FEW, PairStanding, PlainReply, PlayerStanding, Plot, PositionReport, Reply,
    SprtStanding, SprtVerdict, Standings, Strength,
};
use crate::{
    engine::arena::MatchOutcome,
    text::{TextTable, count, counted, flow, headline, layout, lines, number, took, wrap},
};

impl Reply for Standings {
    // Everything that is known of a tournament.
    fn text(&self) -> String {
        lines([
            title(self),
            setting(self),
            self.table(layout::page_width()).join("\n"),
            too_few(self),
            cross(self),
            pairs(self),
            sprt(self),
            endings(&self.endings),
            cost(self),
            layout::notes(&self.notes),
            time(self),
        ])
    }

    fn forget_times(&mut self) {
        (self.ms, self.played_in_ms) = (None, None);
        for row in &mut self.standings {
            row.cost.ms_a_move = None;
        }
    }

    /// What part of the points each player has, in the order in which they were named.
    fn plots(&self) -> Vec<Plot> {
        let points = self.standings.iter().filter(|row| row.games > 0);
        let points = points.map(|row| (row.player as f64, row.percentage()));
        let places = self.names().into_iter().map(str::to_owned).collect();
        vec![Plot { places, ..Plot::new("Score", "player", "% of points") }.with("Score", points)]
    }
}

/// Players with more than this do not get a cross table: it would be cut.
const CROSSED: usize = 8;

/// Players whose times stand on one line.
const ABREAST: usize = 3;

/// Of more pairs of players only the standings speak.
const PAIRED: usize = 15;

fn title(report: &Standings) -> String {
    let all = counted(report.total as u64, "game", "games");
    let is_played = report.played == report.total;
    let games = if is_played { all } else { format!("{} of {all}", count(report.played as u64)) };
    let pieces = [
        report.game.clone(),
        counted(report.players.len() as u64, "player", "players"),
        games,
        format!("({})", report.status),
    ];
    headline(pieces)
}

fn setting(report: &Standings) -> String {
    if report.games == 0 {
        return String::new();
    }
    let openings = match report.openings {
        0 => "from the first position".to_owned(),
        plies => format!("openings of {}", counted(plies as u64, "ply", "plies")),
    };
    let mut on = report
        .draws
        .iter()
        .filter(|(_, value)| value != "off" && value != "sound")
        .map(|(name, value)| format!("{name}={value}"))
        .peekable();
    let has_rules = on.peek().is_some();
    let pieces = [
        format!("{} a pairing", counted(report.games as u64, "game", "games")),
        openings,
        format!("seed {}", report.seed),
    ];
    lines([
        flow("", pieces),
        if has_rules { flow("draws ", on) } else { String::new() },
        report.file.as_ref().map_or(String::new(), |file| format!("kept in {file}")),
    ])
}

/// A difference in Elo: whole numbers, for results of matches are known no better.
fn elo(value: f64) -> String {
    match value.round() {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        0.0 => "0".to_owned(),
        value => format!("{value:+}").replace('-', "−"),
    }
}

fn share(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// A likelihood; what rounds to certainty is told as a bound, for no number of games makes it certain.
fn likelihood(part: f64) -> String {
    match (part * 1000.0).round() {
        1000.0.. => ">99.9 %".to_owned(),
        ..1.0 => "<0.1 %".to_owned(),
        _ => share(part),
    }
}

/// Elo, its 95 % interval, and the likelihood of superiority.
fn how_strong(strength: Option<&Strength>) -> [String; 3] {
    let Some(strength) = strength else {
        return [(); 3].map(|()| "—".to_owned());
    };
    let interval = strength.elo_interval();
    let ends = format!("{} … {}", elo(interval.low), elo(interval.high));
    [elo(interval.value), ends, likelihood(strength.likelihood())]
}

/// That the intervals are bounds, where there are too few games to be sure of more.
fn too_few(report: &Standings) -> String {
    const BOUNDS: &str = "the intervals (95 %) are the widest that fit such results";
    let all = || report.pairs.iter().filter_map(|pair| pair.strength);
    let fewest = all().map(|strength| strength.distinct).min().unwrap_or(FEW);
    if fewest < FEW {
        let pairs = counted(fewest, "different pair of games is", "different pairs of games are");
        wrap(
            "note: ",
            &format!("{pairs} too few to be sure of: {BOUNDS}; from {FEW} on they are measured"),
        )
    } else if all().any(|strength| !strength.measured) {
        wrap("note: ", &format!("all pairs of games of two players ended alike: {BOUNDS}"))
    } else {
        String::new()
    }
}

impl Standings {
    /// The players' scores as lines of at most so many columns; in few columns without what can be reckoned from the rest.
    pub fn table(&self, columns: usize) -> Vec<String> {
        let strength = |row: &PlayerStanding| how_strong(row.strength.as_ref());
        let name = |row: &PlayerStanding, room: usize| layout::cut(&row.name, room);
        let score = |row: &PlayerStanding| match row.games {
            0 => "—".to_owned(),
            _ => format!("{:.1} %", row.percentage()),
        };
        let ranked = || TextTable::of(self.standings.iter().zip(1..)).right("", |(_, rank)| *rank);
        let whole = ranked()
            .left("player", |(row, _)| name(row, usize::MAX))
            .right("games", |(row, _)| row.games)
            .right("won", |(row, _)| row.wins)
            .right("drawn", |(row, _)| row.draws)
            .right("lost", |(row, _)| row.losses)
            .point("points", |(row, _)| row.points)
            .right("score", |(row, _)| score(row))
            .right("Elo", |(row, _)| strength(row)[0].clone())
            .right("95 %", |(row, _)| strength(row)[1].clone())
            .right("LOS", |(row, _)| strength(row)[2].clone());
        if whole.width(1) <= columns {
            return whole.within(columns);
        }
        ranked()
            .left("player", |(row, _)| name(row, columns / 3))
            .right("games", |(row, _)| row.games)
            .right("score", |(row, _)| score(row))
            .right("Elo", |(row, _)| strength(row)[0].clone())
            .right("95 %", |(row, _)| strength(row)[1].clone())
            .within(columns)
    }
}

/// What each player scored with the first move against each other one.
fn cross(report: &Standings) -> String {
    let names = report.names();
    if names.len() > CROSSED || names.len() < 3 {
        return String::new();
    }
    let mut table = TextTable::of(names.iter().zip(&report.cross))
        .left("white \\ black", |(name, _)| (**name).to_owned());
    for (place, name) in names.iter().enumerate() {
        table = table.right(name, |(_, row)| {
            let [wins, draws, losses] = row[place];
            let points = wins as f64 + draws as f64 / 2.0;
            match wins + draws + losses {
                0 => "—".to_owned(),
                games => format!("{points}/{games}"),
            }
        });
    }
    table.render()
}

/// What pairs of players scored in pairs of games; without normalised Elo where names are too long for it.
fn pairs(report: &Standings) -> String {
    if report.pairs.len() > PAIRED {
        return String::new();
    }
    let table = |normalised: bool| {
        let strength = |pair: &&PairStanding| how_strong(pair.strength.as_ref());
        let mut table = TextTable::of(&report.pairs).left("pair", |pair| {
            format!("{} - {}", report.name(pair.first), report.name(pair.second))
        });
        for (place, points) in ["0", "0.5", "1", "1.5", "2"].into_iter().enumerate() {
            table = table.right(points, |pair| pair.pairs.counts[place]);
        }
        table
            .right("distinct", |pair| pair.pairs.distinct)
            .right("Elo", |pair| strength(pair)[0].clone())
            .right("95 %", |pair| strength(pair)[1].clone())
            .right("normalised", |pair| match (normalised, &pair.strength) {
                (true, Some(strength)) if strength.measured => elo(strength.normalised.value),
                (true, _) => "—".to_owned(),
                (false, _) => String::new(),
            })
            .right("LOS", |pair| strength(pair)[2].clone())
    };
    let whole = table(true);
    if whole.fits() { whole } else { table(false) }.render()
}

fn sprt(report: &Standings) -> String {
    let Some(SprtStanding { test, state }) = &report.sprt else {
        return String::new();
    };
    let verdict = match state.verdict {
        SprtVerdict::H0 => "H0 is accepted",
        SprtVerdict::H1 => "H1 is accepted",
        SprtVerdict::Open => "open",
    };
    flow(
        "test ",
        [
            format!("LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper),
            format!("[{}, {}]", test.elo0, test.elo1),
            verdict.to_owned(),
        ],
    )
}

fn endings(endings: &[EndingCount]) -> String {
    TextTable::of(endings)
        .left("ended by", |row| &row.ending)
        .right("white won", |row| row.white)
        .right("drawn", |row| row.draws)
        .right("black won", |row| row.black)
        .render()
}

fn cost(report: &Standings) -> String {
    TextTable::of(report.standings.iter().filter(|row| row.cost.moves > 0))
        .left("cost a move", |row| &row.name)
        .right("nodes", |row| format!("{:.0}", row.cost.nodes_a_move))
        .right("depth", |row| format!("{:.2}", row.cost.depth))
        .right("hits", |row| row.cost.hit_rate.map_or_else(|| "—".to_owned(), share))
        .render()
}

/// How long it took, and what a move of each player takes.
fn time(report: &Standings) -> String {
    let timed = report.standings.iter().filter_map(|row| {
        Some(format!("{} {} a move", row.name, number::time(row.cost.ms_a_move?)))
    });
    let timed: Vec<_> = timed.collect();
    let rate = number::rate(report.played_in_ms.unwrap_or(0) as u64, "games", report.ms);
    let rows = timed.chunks(ABREAST).map(|row| flow("time ", row));
    lines([took(report.ms, rate), lines(rows)])
}

/// The players that have names, each as its line of text.
pub fn players(lines_of_text: &[String], notes: &[String]) -> PlainReply {
    let text = match lines_of_text {
        [] => "no player has a name; there are default and current".to_owned(),
        players => lines(players.iter().map(|player| wrap("", player))),
    };
    let fields = json!({"players": lines_of_text, "notes": notes});
    PlainReply::new(lines([text, layout::notes(notes)]), fields)
}

/// The games of a tournament, a round or a log.
#[derive(Clone, Debug, Serialize)]
pub struct GamesReport {
    pub(crate) games: Vec<GameReport>,
    /// Games that are not listed.
    pub(crate) more: usize,
}

impl Reply for GamesReport {
    fn text(&self) -> String {
        if self.games.is_empty() {
            return "no games".to_owned();
        }
        let table = TextTable::of(&self.games)
            .right("game", |game| game.game)
            .left("white", |game| &game.white)
            .left("black", |game| &game.black)
            .right("round", |game| game.round)
            .right("moves", |game| game.plies)
            .left("result", |game| game.outcome.token())
            .left("ended by", |game| game.outcome.ending.to_string());
        let more = if self.more > 0 { layout::and_more(self.more) } else { String::new() };
        lines([table.render(), more])
    }

    fn line(&self) -> String {
        number::counted((self.games.len() + self.more) as u64, "game", "games")
    }
}

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its number, from 1.
    pub game: usize,
    /// Who had the first move.
    pub white: String,
    /// Who had not.
    pub black: String,
    /// Which game of the pairing it is, from 1.
    pub round: usize,
    /// Moves, those of the opening included.
    pub plies: usize,
    /// How many of them are the opening.
    pub opening: usize,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: MatchOutcome,
    /// States visited by white and black.
    pub nodes: [u64; 2],
    /// The moves, where one game is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

impl Reply for GameReport {
    fn text(&self) -> String {
        let pieces = [
            format!("game {}", self.game),
            format!("{} - {}", self.white, self.black),
            format!("round {}", self.round),
            self.outcome.token().to_owned(),
            format!("({})", self.outcome.ending),
            counted(self.plies as u64, "move", "moves"),
            match self.opening {
                0 => String::new(),
                plies => format!("opening of {plies}"),
            },
        ];
        lines([headline(pieces), wrap("", &self.moves.join(" "))])
    }
}

/// A game taken over by the workbench, with so many of its moves played.
pub fn opened_game(game: &GameReport, ply: usize, position: &PositionReport) -> PlainReply {
    let GameReport { game: number, white, black, plies, .. } = game;
    let title = format!("game {number}, {white} - {black}: after {ply} of {plies} moves");
    let fields = json!({"game": game, "ply": ply, "position": position});
    PlainReply::new(lines([title, position.text()]), fields)
}
