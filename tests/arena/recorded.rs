//! Games recorded by the seeds' authors, their ends checked.

use plyscope::engine::{
    arena::{DrawRules, Ending, MatchOutcome, Referee, read_log},
    chess::Chess,
    game::{Game, History, Rules, SearchRules, Side},
    morris::{Morris, Position},
};

use proptest::prelude::*;

use crate::support::data;

/// The place and outcome of a game's end by these rules.
fn outcome_by(states: &[Position], rules: DrawRules) -> Option<(usize, MatchOutcome)> {
    let game = Morris::default();
    let mut referee = Referee::new(&game, rules, &states[0]);
    let mut end = referee.verdict(&game, &states[0], &()).map(|outcome| (0, outcome));
    for (at, pair) in states.windows(2).enumerate() {
        if end.is_some() {
            break;
        }
        referee.count_move(&game, &pair[0], &pair[1]);
        end = referee.verdict(&game, &pair[1], &()).map(|outcome| (at + 1, outcome));
    }
    end
}

fn states(game: &serde_json::Value) -> Vec<Position> {
    let log = game["log"].as_array().unwrap().iter();
    log.map(|state| state.as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn recorded_games_end_where_and_how_they_ended() {
    let games = data("morris-games.jsonl");
    assert_eq!(games.len(), 17);
    let mut drawn = 0;
    for game in &games {
        let states = states(game);
        let (at, outcome) = outcome_by(&states, DrawRules::SEED)
            .unwrap_or_else(|| panic!("{}: no end", game["file"]));
        assert_eq!(at + 1, states.len(), "{}", game["file"]);
        let winner = match game["winner"].as_str().unwrap_or_default().trim() {
            "w" => Some(Side::White),
            "b" => Some(Side::Black),
            _ => None,
        };
        assert_eq!(outcome.winner, winner, "{}", game["file"]);
        match game["reason"].as_str().unwrap() {
            "A player won the match" => assert!(matches!(outcome.ending, Ending::Rules(_))),
            "No mill has been played for 30 turns" => {
                drawn += 1;
                assert_eq!(outcome.ending, Ending::NoMill);
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(drawn, 2);
}

#[test]
fn with_sound_counting_some_games_end_earlier() {
    let games = data("morris-games.jsonl");
    let earlier: Vec<_> = games
        .iter()
        .filter_map(|game| {
            let states = states(game);
            let (at, outcome) = outcome_by(&states, DrawRules::SOUND)?;
            (at + 1 < states.len()).then_some((states.len() - at - 1, outcome.ending))
        })
        .collect();
    // Two end earlier because the seeds count four and three moves too few, and one was played on and won.
    assert_eq!(earlier, [(40, Ending::NoMill), (4, Ending::NoMill), (3, Ending::NoMill)]);
}

/// The seeds' errors in counting moves for draws, each in a game without the others.
#[test]
fn the_seeds_count_moves_for_draws_differently() {
    let end = |states: &[&str], limit, as_seed| {
        let states: Vec<Position> = states.iter().map(|state| state.parse().unwrap()).collect();
        let rules = DrawRules { no_mill: Some(limit), as_seed, ..DrawRules::SOUND };
        outcome_by(&states, rules).map(|(at, outcome)| (at, outcome.winner))
    };
    // Black places last; then white moves, and so on, with no mill anywhere.
    let placing = [
        "w.w.w..b/b.b...../........ b 0 1",
        "w.w.w..b/b.b...../....b... w 0 0",
        "w.w..w.b/b.b...../....b... b 0 0",
    ];
    assert_eq!((end(&placing, 2, false), end(&placing, 2, true)), (None, Some((2, None))));
    // White's mill is open, and the seeds look for it after Black's moves as well.
    let mills = [
        "www...../b...b.../b....... b 0 0",
        "www...../.b..b.../b....... w 0 0",
        "ww.w..../.b..b.../b....... b 0 0",
        "ww.w..../..b.b.../b....... w 0 0",
        "www...../....b.../b....... b 0 0",
    ];
    assert_eq!((end(&mills, 2, false), end(&mills, 2, true)), (Some((2, None)), Some((3, None))));
    // The last move wins. By the seeds' count it is the second without a mill: they do not see the mill that it closes.
    let won = ["ww.w..../b.b.b.../........ w 0 0", "www...../b...b.../........ b 0 0"];
    assert_eq!(end(&won, 1, false), Some((1, Some(Side::White))));
    assert_eq!(end(&won, 1, true), Some((1, None)));
}

#[test]
fn repetition_includes_the_side_to_move_except_in_seed_counting() {
    let game = Morris::default();
    let white: Position = "w.w.w.../b.b.b.../........ w 0 0".parse().unwrap();
    let black = game.opponent_to_move(&white);
    let line = [white, black, white, black, white];
    let end = |as_seed| {
        let rules = DrawRules { occurrences: Some(3), as_seed, ..DrawRules::NONE };
        outcome_by(&line, rules).map(|(at, _)| at)
    };
    assert_eq!(end(false), Some(4));
    assert_eq!(end(true), Some(2));
}

/// A position in the notation of the seeds' logs.
fn logged(position: &Position) -> String {
    let text = position.to_string();
    let (board, _) = text.split_once(' ').unwrap();
    let ring = |ring: &str| {
        let cells: Vec<_> =
            ring.replace('.', " ").chars().map(|cell| format!("'{cell}'")).collect();
        format!("({})", cells.join(", "))
    };
    let rings: Vec<_> = board.split('/').map(ring).collect();
    let [white, black] = Side::ALL.map(|side| position.hand(side));
    format!("(({white}, {black}), ({}))\n", rings.join(", "))
}

#[test]
fn recorded_games_come_back_from_their_text_logs() {
    let game = Morris::default();
    for recorded in data("morris-games.jsonl") {
        let states = states(&recorded);
        let text: String = states.iter().map(logged).collect();
        let read = read_log(&game, &text).unwrap().records;
        assert_eq!(read.len(), 1);
        let record = read[0].read(&game).unwrap();
        let mut positions = vec![record.start];
        for (place, &mv) in record.moves.iter().enumerate() {
            positions.push(game.apply(&positions[place], mv));
        }
        assert_eq!(positions, states, "{}", recorded["file"]);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_of_logs_panic(text in "[(]{0,3}[ '()wb0-9,\n.]{0,200}") {
        let _ = read_log(&Morris::default(), &text);
    }
}

/// In sound counting the rules come before the draw limits: a side that loses by the last move allowed has lost. The
/// seeds test the limits first.
#[test]
fn the_rules_come_before_the_draw_limits() {
    let mut ended = 0;
    for game in data("morris-games.jsonl") {
        let states = states(&game);
        let Some((at, outcome)) = outcome_by(&states, DrawRules::NONE) else {
            continue;
        };
        ended += 1;
        let limit = DrawRules { max_turns: Some(at as u32 + 1), ..DrawRules::NONE };
        assert_eq!(outcome_by(&states, limit), Some((at, outcome)));
        let seed = outcome_by(&states, DrawRules { as_seed: true, ..limit });
        assert_eq!(seed.map(|(at, outcome)| (at, outcome.ending)), Some((at, Ending::MaxTurns)));
    }
    assert!(ended > 0);
    let chess = Chess::default();
    for (as_seed, winner) in [(false, Some(Side::White)), (true, None)] {
        let (mut position, mut history) =
            (chess.start(), plyscope::engine::chess::PlayedLine::default());
        let rules = DrawRules { max_turns: Some(6), as_seed, ..DrawRules::NONE };
        let mut referee = Referee::new(&chess, rules, &position);
        for mv in ["e2e4", "g7g5", "b1c3", "f7f5", "d1h5"] {
            assert_eq!(referee.verdict(&chess, &position, &history), None);
            let mv = chess.parse_move(&position, &history, mv).unwrap();
            let next = chess.apply(&position, mv);
            referee.count_move(&chess, &position, &next);
            history.push(&position);
            position = next;
        }
        let outcome = referee.verdict(&chess, &position, &history).unwrap();
        assert_eq!(outcome.winner, winner, "{outcome:?}");
    }
}
