//! Tournaments.

use super::{
    EndingCount, Estimate, PlayerStanding, Reply, SprtStanding, SprtVerdict, Standings, Strength,
};
use crate::text::{
    Style,
    layout::{self, flow, headline, lines, took},
    number::{self, count, counted},
    table::TextTable,
};

impl Reply for Standings {
    // Everything that is known of a tournament.
    fn text(&self, style: Style) -> String {
        lines([
            title(self),
            setting(self),
            table(self, style),
            cross(self, style),
            pairs(self, style),
            sprt(self),
            endings(&self.endings),
            cost(self, style),
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
}

/// Players with more than this do not get a cross table: it would be cut.
const CROSSED: usize = 8;

/// Players whose times stand on one line.
const ABREAST: usize = 3;

/// Of more pairs of players only the standings speak.
const PAIRED: usize = 15;

fn title(report: &Standings) -> String {
    let games = if report.played == report.total {
        counted(report.played as u64, "game", "games")
    } else {
        format!(
            "{} of {}",
            count(report.played as u64),
            counted(report.total as u64, "game", "games")
        )
    };
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
    let on = report
        .draws
        .iter()
        .filter(|(_, value)| value != "off")
        .map(|(name, value)| format!("{name}={value}"));
    let pieces = [
        format!("{} a pairing", counted(report.games as u64, "game", "games")),
        openings,
        format!("seed {}", report.seed),
    ];
    lines([
        flow("", pieces),
        flow("draws ", on),
        report.file.as_ref().map_or(String::new(), |file| format!("kept in {file}")),
    ])
}

fn estimate(estimate: Estimate) -> String {
    const NOTHING: f64 = 0.05;
    let error = estimate.error();
    if estimate.value.abs() < NOTHING {
        format!("0.0 ±{error:.1}")
    } else {
        format!("{:+.1} ±{error:.1}", estimate.value)
    }
}

fn share(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// Elo and LOS, where there are pairs of games.
fn elo_los(strength: Option<&Strength>, style: Style) -> [String; 2] {
    match strength {
        Some(strength) => [estimate(strength.elo), share(strength.superiority)],
        None => [(); 2].map(|()| style.none().to_owned()),
    }
}

fn table(report: &Standings, style: Style) -> String {
    let ranked = report.standings.iter().zip(1..);
    let rows = ranked.map(|(row, rank)| (vec![rank.to_string(), row.name.clone()], row));
    scores(TextTable::default().right([""]).left(["player"]), rows, style)
}

/// What players scored, a row each; the table has columns for the words that begin a row.
pub(super) fn scores<'a>(
    table: TextTable,
    rows: impl IntoIterator<Item = (Vec<String>, &'a PlayerStanding)>,
    style: Style,
) -> String {
    let mut table = table
        .right(["games", "won", "drawn", "lost"])
        .point(["points"])
        .right(["score", "Elo", "LOS"]);
    for (mut cells, row) in rows {
        let score = match row.games {
            0 => style.none().to_owned(),
            games => share(row.points / games as f64),
        };
        cells.extend([row.games, row.wins, row.draws, row.losses].map(|count| count.to_string()));
        cells.extend([row.points.to_string(), score]);
        cells.extend(elo_los(row.strength.as_ref(), style));
        table.row(cells);
    }
    table.render(style)
}

/// What each player scored with the first move against each other one.
fn cross(report: &Standings, style: Style) -> String {
    let names = report.names();
    if names.len() > CROSSED || names.len() < 3 {
        return String::new();
    }
    let mut table = TextTable::default().left(["white \\ black"]).right(names.iter().copied());
    for (name, row) in names.iter().zip(&report.cross) {
        let cells = row.iter().map(|[wins, draws, losses]| {
            let games = wins + draws + losses;
            let points = *wins as f64 + *draws as f64 / 2.0;
            match games {
                0 => style.none().to_owned(),
                _ => format!("{points}/{games}"),
            }
        });
        table.row([(*name).to_owned()].into_iter().chain(cells));
    }
    table.render(style)
}

/// What pairs of players scored in pairs of games; without normalised Elo where names are too long for it.
fn pairs(report: &Standings, style: Style) -> String {
    if report.pairs.is_empty() || report.pairs.len() > PAIRED {
        return String::new();
    }
    let whole = pairs_table(report, true, style);
    let table = if whole.fits() { whole } else { pairs_table(report, false, style) };
    table.render(style)
}

fn pairs_table(report: &Standings, normalised: bool, style: Style) -> TextTable {
    let mut heads = vec!["0", "0.5", "1", "1.5", "2", "distinct", "Elo"];
    heads.extend(normalised.then_some("normalised"));
    heads.push("LOS");
    let mut table = TextTable::default().left(["pair"]).right(heads);
    for pair in &report.pairs {
        let strength = pair.strength.as_ref();
        let [elo, los] = elo_los(strength, style);
        let mut cells = vec![format!("{} - {}", report.name(pair.first), report.name(pair.second))];
        cells.extend(pair.pairs.counts.iter().map(u64::to_string));
        cells.extend([pair.pairs.distinct.to_string(), elo]);
        if normalised {
            let none = || style.none().to_owned();
            cells.push(strength.map_or_else(none, |strength| estimate(strength.normalised)));
        }
        cells.push(los);
        table.row(cells);
    }
    table
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
    if endings.is_empty() {
        return String::new();
    }
    let mut table =
        TextTable::default().left(["ended by"]).right(["white won", "drawn", "black won"]);
    for row in endings {
        let counts = [row.white, row.draws, row.black].map(|count| count.to_string());
        table.row(std::iter::once(row.ending.clone()).chain(counts));
    }
    table.render(Style::default())
}

fn cost(report: &Standings, style: Style) -> String {
    let costly = report.standings.iter().filter(|row| row.cost.moves > 0);
    let mut costly = costly.peekable();
    if costly.peek().is_none() {
        return String::new();
    }
    let mut table = TextTable::default().left(["cost a move"]).right(["nodes", "depth", "hits"]);
    for row in costly {
        let hits = row.cost.hit_rate.map_or_else(|| style.none().to_owned(), share);
        table.row([
            row.name.clone(),
            format!("{:.0}", row.cost.nodes_a_move),
            format!("{:.2}", row.cost.depth),
            hits,
        ]);
    }
    table.render(style)
}

/// How long it took, and what a move of each player takes.
fn time(report: &Standings) -> String {
    let timed = report.standings.iter().filter_map(|row| {
        let ms = row.cost.ms_a_move?;
        Some(format!("{} {} a move", row.name, number::time(ms)))
    });
    let timed: Vec<_> = timed.collect();
    let rate = number::rate(report.played_in_ms.unwrap_or(0) as u64, "games", report.ms);
    let rows = timed.chunks(ABREAST).map(|row| flow("time ", row));
    lines([took(report.ms, rate), lines(rows)])
}
