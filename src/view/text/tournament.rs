//! Tournaments.

use super::{
    Style,
    layout::{self, flow, headline, lines, took},
    number::{self, count, counted},
    table::{Align, Table},
};
use crate::engine::report::{
    EndingCount, Estimate, PairStanding, PlayerStanding, SprtStanding, SprtVerdict, Standings,
};

/// Players with more than this do not get a cross table: it would be cut.
const CROSSED: usize = 8;

/// Players whose times stand on one line.
const ABREAST: usize = 3;

/// Of more pairs of players only the standings speak.
const PAIRED: usize = 15;

/// Everything that is known of a tournament.
pub(super) fn tournament(report: &Standings, style: Style) -> String {
    lines([
        title(report),
        setting(report),
        table(report, style),
        cross(report, style),
        pairs(report, style),
        sprt(report),
        endings(&report.endings),
        cost(report, style),
        layout::notes(&report.notes),
        time(report),
    ])
}

/// The standings alone.
pub(super) fn standings(report: &Standings, style: Style) -> String {
    lines([title(report), table(report, style), sprt(report)])
}

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
        format!(
            "{} a pairing",
            counted(report.games as u64, "game", "games")
        ),
        openings,
        format!("seed {}", report.seed),
    ];
    lines([
        flow("", pieces),
        flow("draws ", on),
        report
            .file
            .as_ref()
            .map_or(String::new(), |file| format!("kept in {file}")),
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

fn table(report: &Standings, style: Style) -> String {
    let mut table = Table::new([
        ("", Align::Right),
        ("player", Align::Left),
        ("games", Align::Right),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("points", Align::Point),
        ("score", Align::Right),
        ("Elo", Align::Right),
        ("LOS", Align::Right),
    ]);
    for (rank, row) in report.standings.iter().enumerate() {
        let none = || style.none().to_owned();
        let score = if row.games == 0 {
            none()
        } else {
            share(row.points / row.games as f64)
        };
        table.row([
            (rank + 1).to_string(),
            row.name.clone(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.points.to_string(),
            score,
            row.strength
                .map_or_else(none, |strength| estimate(strength.elo)),
            row.strength
                .map_or_else(none, |strength| share(strength.superiority)),
        ]);
    }
    table.render(style)
}

/// What each player scored with the first move against each other one.
fn cross(report: &Standings, style: Style) -> String {
    let names = report.names();
    if names.len() > CROSSED || names.len() < 3 {
        return String::new();
    }
    let heads = names.iter().map(|name| (*name, Align::Right));
    let mut table = Table::new([("white \\ black", Align::Left)].into_iter().chain(heads));
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
    let table = if whole.fits() {
        whole
    } else {
        pairs_table(report, false, style)
    };
    table.render(style)
}

fn pairs_table(report: &Standings, normalised: bool, style: Style) -> Table {
    let names = report.names();
    let name = |player: usize| names.get(player).copied().unwrap_or("?");
    let counts = ["0", "0.5", "1", "1.5", "2", "distinct", "Elo"];
    let heads = [("pair", Align::Left)]
        .into_iter()
        .chain(counts.map(|head| (head, Align::Right)))
        .chain(normalised.then_some(("normalised", Align::Right)))
        .chain([("LOS", Align::Right)]);
    let mut table = Table::new(heads);
    for pair in &report.pairs {
        let names = (name(pair.first), name(pair.second));
        table.row(pair_cells(pair, names, normalised, style));
    }
    table
}

fn pair_cells(
    pair: &PairStanding,
    (one, other): (&str, &str),
    normalised: bool,
    style: Style,
) -> Vec<String> {
    let strength = pair.strength;
    let of = |part: Option<String>| part.unwrap_or_else(|| style.none().to_owned());
    let mut cells = vec![format!("{one} - {other}")];
    cells.extend(pair.counts.iter().map(u64::to_string));
    cells.push(pair.distinct.to_string());
    cells.push(of(strength.map(|strength| estimate(strength.elo))));
    if normalised {
        cells.push(of(strength.map(|strength| estimate(strength.normalised))));
    }
    cells.push(of(strength.map(|strength| share(strength.superiority))));
    cells
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
            format!(
                "LLR {:.2} ({:.2}, {:.2})",
                state.llr, state.lower, state.upper
            ),
            format!("[{}, {}]", test.elo0, test.elo1),
            verdict.to_owned(),
        ],
    )
}

fn endings(endings: &[EndingCount]) -> String {
    let mut table = Table::new([
        ("ended by", Align::Left),
        ("white won", Align::Right),
        ("drawn", Align::Right),
        ("black won", Align::Right),
    ]);
    for row in endings {
        table.row([
            row.ending.clone(),
            row.white.to_string(),
            row.draws.to_string(),
            row.black.to_string(),
        ]);
    }
    if endings.is_empty() {
        String::new()
    } else {
        table.render(Style::default())
    }
}

fn cost(report: &Standings, style: Style) -> String {
    let costly: Vec<_> = report
        .standings
        .iter()
        .filter(|row| row.cost.moves > 0)
        .collect();
    if costly.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        ("cost a move", Align::Left),
        ("nodes", Align::Right),
        ("depth", Align::Point),
        ("hits", Align::Right),
    ]);
    for row in costly {
        table.row(cost_cells(row, style));
    }
    table.render(style)
}

fn cost_cells(row: &PlayerStanding, style: Style) -> [String; 4] {
    let none = || style.none().to_owned();
    [
        row.name.clone(),
        format!("{:.0}", row.cost.nodes_a_move),
        format!("{:.2}", row.cost.depth),
        row.cost.hit_rate.map_or_else(none, share),
    ]
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
