//! Results as comma-separated values.

use super::{Hall, reports::report_game};
use crate::engine::{
    game::{Game, Side},
    report::TournamentReport,
};

/// The games, a row each.
pub(super) fn games<G: Game>(hall: &Hall<G>) -> String {
    let mut text = String::from(
        "game,white,black,round,opening,plies,winner,ending,white_nodes,black_nodes,moves\n",
    );
    for line in hall.lines() {
        let game = report_game(hall, line, false);
        let winner = game.winner.map_or("draw", |side| match side {
            Side::White => "white",
            Side::Black => "black",
        });
        let [white_nodes, black_nodes] = game.nodes;
        let cells = [
            game.game.to_string(),
            game.white,
            game.black,
            game.round.to_string(),
            game.opening.to_string(),
            game.plies.to_string(),
            winner.to_owned(),
            game.ending,
            white_nodes.to_string(),
            black_nodes.to_string(),
            line.moves.clone(),
        ];
        push_row(&mut text, &cells);
    }
    text
}

/// The standings, a row for every player.
pub(super) fn standings(report: &TournamentReport) -> String {
    let mut text = String::from(
        "rank,player,games,wins,draws,losses,points,elo,elo_low,elo_high,nelo,nelo_low,nelo_high,los,pairs_even,moves,nodes,nodes_a_move,depth,hit_rate\n",
    );
    for (rank, row) in report.standings.iter().enumerate() {
        let number = |value: f64| value.to_string();
        let mut cells = vec![
            (rank + 1).to_string(),
            row.name.clone(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            number(row.points),
        ];
        cells.extend(row.strength.map_or_else(
            || vec![String::new(); 8],
            |strength| {
                let (elo, normalised) = (strength.elo, strength.normalised);
                [
                    elo.value,
                    elo.low,
                    elo.high,
                    normalised.value,
                    normalised.low,
                    normalised.high,
                    strength.superiority,
                    strength.even_pairs,
                ]
                .map(number)
                .to_vec()
            },
        ));
        cells.extend([
            row.cost.moves.to_string(),
            row.cost.nodes.to_string(),
            number(row.cost.nodes_a_move),
            number(row.cost.depth),
            row.cost.hit_rate.map_or(String::new(), number),
        ]);
        push_row(&mut text, &cells);
    }
    text
}

/// Adds a row as RFC 4180 has it.
fn push_row(text: &mut String, cells: &[String]) {
    let quoted = cells.iter().map(|cell| {
        if cell.contains([',', '"', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    });
    text.push_str(&quoted.collect::<Vec<_>>().join(","));
    text.push('\n');
}
