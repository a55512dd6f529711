//! Playing against the engine: levels, resigning, draws, the list of moves.

use plyscope::{
    engine::session::{position::PositionReport, reply::Side, search::Run},
    text::number::{count, score_or_none},
    tui::{
        data::BoardOf,
        log::LogLine,
        state::{Busy, Effect, EngineSides, Hint, Overlay},
    },
};

use crate::stage::Stage;

const GAMES: [(&str, &str); 2] =
    [("morris", "play d6 f4 d2 b4 a1"), ("chess", "play e4 e5 Nf3 Nc6 Bb5")];

fn position(stage: &Stage) -> &PositionReport {
    stage.state().data.get().unwrap()
}

fn said(stage: &Stage) -> &str {
    stage.state().status.as_ref().map_or("", |(_, text)| text)
}

/// A game whose first moves are played, with the keys on the board.
fn playing(game: &str, moves: &str) -> Stage {
    let mut stage = Stage::new(100, 30);
    stage.lines(&[&format!("game {game}"), moves]).keys("esc 1");
    stage
}

/// The moves of a trace are not those of the game that the engine plays.
#[test]
fn the_engine_does_not_move_while_a_trace_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl").display().to_string();
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&[&format!("trace record '{file}' --depth 2")]).keys("esc L 1 M b");
        let before = position(&stage).state.clone();
        stage.lines(&[&format!("trace open '{file}'")]).keys("esc");
        assert!(stage.state().is_trace() && !said(&stage).contains("does not work"), "{game}");
        stage.keys("( s s )");
        assert!(!stage.text().contains("does not work"), "{game}: {}", stage.text());
        stage.lines(&["trace close"]);
        assert_eq!(position(&stage).state, before, "{game}: the game goes on as it was");
    }
}

/// A move in place of one that was taken back is the game, without the words for variations.
#[test]
fn a_takeback_against_the_engine_begins_no_variation() {
    for (game, other) in [("morris", "play a7"), ("chess", "play d4")] {
        let first = if game == "chess" { "play e4" } else { "play d6" };
        let mut stage = playing(game, "position start");
        stage.keys("L 1 M b").lines(&[first]).keys("esc U").lines(&[other]).keys("esc");
        assert!(position(&stage).since_branch > 0, "{game}: the game tree keeps the first move");
        assert!(!stage.text().contains("variation"), "{game}: {}", stage.text());
        stage.keys("M n");
        assert!(stage.text().contains("variation, instead of"), "{game}: {}", stage.text());
        // A review judges the moves that were played, not those taken back.
        stage.keys("M b 1 {");
        let moves = position(&stage).played.iter().chain(&position(&stage).ahead);
        let first = moves.map(ToString::to_string).next();
        assert_eq!(first.as_deref(), other.strip_prefix("play "), "{game}: {}", stage.text());
    }
}

#[test]
fn a_digit_chooses_the_level() {
    for (game, _) in GAMES {
        let mut stage = playing(game, "position start");
        stage.keys("L");
        let text = stage.text();
        assert!(text.contains("How well the engine plays"), "{text}");
        for line in ["1  one ply", "8  ten seconds", "▸0  as `search set` says"] {
            assert!(text.contains(line), "{line}: {text}");
        }
        stage.keys("4");
        assert_eq!((stage.state().level, &stage.state().overlay), (Some(4), &None));
        assert!(said(&stage).contains("level 4: 10,000 nodes"), "{}", said(&stage));
        stage.keys("L down enter");
        assert_eq!(stage.state().level, Some(5), "Enter takes the line below the one in force");
        stage.keys("L esc");
        assert_eq!(stage.state().level, Some(5), "Esc leaves it");
        stage.keys("L 0");
        assert_eq!(stage.state().level, None, "as the settings say");
        stage.keys("L 9 v");
        assert!(stage.state().overlay.is_some(), "a key that is not on the card does nothing");
        assert!(said(&stage).contains("v chooses nothing here; Esc closes"), "{}", said(&stage));
        stage.keys("M");
        assert!(stage.text().contains("The engine plays"), "another card takes its place");
        stage.keys("L f1 esc");
        assert!(stage.text().contains("How well the engine plays"), "the help returns to the card");
        stage.keys("esc");
    }
}

/// Presses keys while the engine, which plays `sides`, searches for its move. The search is stopped.
fn press_during_the_engines_move(stage: &mut Stage, sides: EngineSides, keys: &str) {
    let app = &mut stage.driver.app;
    let command = "engine play".to_owned();
    app.state.busy = Some(Busy { command, seconds: None, operation: None });
    (app.state.engine, app.state.moving) = (sides, true);
    for key in keys.split(' ') {
        let key: plyscope::tui::keys::KeyPress = key.parse().unwrap();
        app.event(&crossterm::event::Event::Key(key.into()));
    }
    assert_eq!(&*app.state.effects, &[Effect::Interrupt][..]);
    (app.state.busy, app.state.moving) = (None, false);
}

#[test]
fn ctrl_c_ends_a_game_of_the_engine_against_itself() {
    for (game, _) in GAMES {
        let mut stage = playing(game, "search set depth=1");
        press_during_the_engines_move(&mut stage, EngineSides::Both, "ctrl-c");
        assert_eq!(stage.state().engine, EngineSides::None, "{game}");
    }
}

/// A search begun between two moves of a game of the engine against itself would be gone after the next move.
#[test]
fn no_search_begins_between_the_moves_of_the_engine() {
    for (game, _) in GAMES {
        for key in ["r", "s", ">", "i"] {
            let mut stage = playing(game, "search set depth=1");
            let app = &mut stage.driver.app;
            let command = "engine play".to_owned();
            app.state.busy = Some(Busy { command, seconds: None, operation: None });
            (app.state.engine, app.state.moving) = (EngineSides::Both, true);
            let press: plyscope::tui::keys::KeyPress = key.parse().unwrap();
            app.event(&crossterm::event::Event::Key(press.into()));
            assert!(app.state.queue.is_empty(), "{game} {key}");
            let refusal = app.state.refusal();
            assert!(refusal.is_some_and(|it| it.contains("^C stops it")), "{game} {key}");
        }
    }
}

#[test]
fn the_users_move_is_taken_back_while_the_engine_searches() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let played = position(&stage).played.len();
        press_during_the_engines_move(&mut stage, EngineSides::Black, "U");
        stage.driver.app.state.engine = EngineSides::None;
        stage.driver.settle();
        assert_eq!(position(&stage).played.len() + 1, played, "{game}");
        assert_eq!(said(&stage), "the move is taken back", "{game}");
    }
}

#[test]
fn the_user_can_resign_while_the_engine_searches() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        press_during_the_engines_move(&mut stage, EngineSides::Black, "# y");
        stage.driver.settle();
        assert!(position(&stage).finished, "{game}: {}", stage.text());
        assert!(stage.text().contains("White has resigned"), "{game}: {}", stage.text());
    }
}

/// Keys typed while a jump is under way wait for its end, as in a trace whose events are read again.
#[test]
fn keys_wait_for_the_end_of_a_jump() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["search set depth=3", "step 50"]).keys("esc esc");
        let app = &mut stage.driver.app;
        let command = "goto 49".to_owned();
        app.state.busy = Some(Busy { command, seconds: None, operation: None });
        app.state.jumping = true;
        for key in ["S", "S", "+"] {
            let key: plyscope::tui::keys::KeyPress = key.parse().unwrap();
            app.event(&crossterm::event::Event::Key(key.into()));
        }
        (app.state.busy, app.state.jumping) = (None, false);
        stage.driver.settle();
        let event = stage.state().data.event().map(|event| event.index);
        assert_eq!(event, Some(47), "{game}: {}", stage.text());
        assert!(said(&stage).starts_with("mark at-47: "), "{game}: {}", said(&stage));
    }
}

#[test]
fn a_question_says_which_keys_do_not_answer_it() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("# r");
        let words = "r does not answer the question: y or n does";
        assert_eq!(said(&stage), words, "{game}");
        assert!(stage.text().contains(words), "{game}: {}", stage.text());
        assert!(matches!(stage.state().overlay, Some(Overlay::Sure(..))), "{game}");
    }
}

/// In the middle of a game, the engine does not move by itself, except where the user lets it play.
#[test]
fn the_engine_moves_where_its_side_is_chosen() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["engine level 1", "undo 2"]).keys("esc M b");
        stage.driver.settle();
        assert_eq!(position(&stage).undo, 4, "{game}");
    }
}

/// The rules of chess end drawn games by themselves; those of morris allow a claim.
#[test]
fn the_engine_against_itself_claims_a_draw() {
    let round = "play a7-a4 c3-d3 a4-a7 d3-c3";
    let mut stage = playing("morris", "position set ww.w..../..w...../b.bb..b. w 0 0");
    stage.lines(&[round, round, round, round, "engine level 1"]).keys("esc M o");
    stage.driver.settle();
    assert!(position(&stage).finished, "{}", stage.text());
    assert!(stage.text().contains("a draw was claimed"), "{}", stage.text());
}

#[test]
fn a_breakpoint_that_stops_the_engines_move_is_named() {
    for (game, _) in GAMES {
        let mut stage = playing(game, "search set depth=3");
        stage.lines(&["break kind=cutoff"]).keys("esc m");
        let text = stage.text();
        assert!(text.contains("the search was stopped by breakpoint 1"), "{game}: {text}");
        stage.lines(&["delete 1; break ply=99"]).keys("esc ]");
        let text = stage.text();
        assert!(text.contains("nothing stopped it on the way"), "{game}: {text}");
    }
}

/// After a review, the keys go to the mistakes, not into the command pane.
#[test]
fn a_review_returns_to_the_game() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys(":").lines(&["review --depth 2"]);
        assert_ne!(stage.state().focus, "command", "{game}");
        // There is no mistake, so no key that goes to one.
        assert!(said(&stage).ends_with("Black 100.0 %"), "{game}: {}", said(&stage));
    }
}

/// The search for a hint is no work that must be saved.
/// Without a search, the key that explains searches for a hint and explains its best move.
#[test]
fn a_move_is_explained_before_any_search() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("w");
        assert_eq!(stage.state().hint, Hint::Shown, "{game}");
        let text = stage.text();
        assert!(text.contains(" why value ") && text.contains("to move, and"), "{text}");
        assert!(said(&stage).starts_with("done: best"), "{game}: {}", said(&stage));
        let mut stage = playing(game, moves);
        let app = &mut stage.driver.app;
        let command = "engine play".to_owned();
        app.state.busy = Some(Busy { command, seconds: None, operation: None });
        app.event(&crossterm::event::Event::Key(crossterm::event::KeyCode::Char('w').into()));
        assert!(app.state.queue.is_empty() && app.state.refused, "{game}");
    }
    let mut stage = playing("chess", "play f3 e5 g4 Qh4");
    stage.keys("esc w");
    let end = "the game is over: White is mated, so Black has won; U takes a move back, X begins a new game";
    assert_eq!(said(&stage), end);
    assert!(stage.state().sheet.is_none());
}

#[test]
fn a_hint_leaves_nothing_to_save() {
    for (game, _) in GAMES {
        let mut stage = playing(game, "search set depth=2");
        stage.driver.app.state.unsaved = false;
        stage.keys("i");
        assert!(stage.state().hint == Hint::Shown && !stage.state().unsaved, "{game}");
        stage.keys("m");
        assert!(stage.state().unsaved, "{game}: a move is");
    }
}

#[test]
fn the_side_of_the_engine_is_chosen_from_all() {
    for (game, _) in GAMES {
        let mut stage = playing(game, "search set depth=1");
        stage.keys("M");
        let text = stage.text();
        for line in [
            " The engine plays ",
            " 1  w  White",
            "▸2  b  Black",
            " 3  o  both",
            " 4  n  no side",
            "Esc no change",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        stage.keys("esc");
        assert_eq!((stage.state().engine, &stage.state().overlay), (EngineSides::None, &None));
        stage.keys("M up enter");
        assert_eq!(stage.state().engine, EngineSides::White);
        stage.driver.settle();
        assert_eq!(position(&stage).played.len(), 1, "{game}: it is the engine's turn");
        assert!(stage.text().contains("(engine: White)"), "{}", stage.text());
        stage.keys("M");
        assert!(stage.text().contains("▸1  w  White"), "the side in force is chosen");
        stage.keys("O");
        assert_eq!(stage.state().engine, EngineSides::Both);
        assert!(stage.text().contains("The engine plays both sides."), "{}", stage.text());
        stage.driver.app.state.say("best of a move long before");
        stage.driver.settle();
        stage.driver.settle();
        assert_eq!(stage.state().status, None, "{game}: the message went with the move");
        assert!(position(&stage).played.len() >= 3, "{game}: it answers itself");
        stage.keys("M 4");
        let played = position(&stage).played.len();
        stage.driver.settle();
        assert_eq!(
            (stage.state().engine, position(&stage).played.len()),
            (EngineSides::None, played)
        );
        stage.keys("M o");
        stage.driver.settle();
        let screen = &mut stage.driver.app.state;
        (screen.moving, screen.searching, screen.busy) = (false, false, None);
        screen.queue.clear();
        stage.keys("ctrl-c");
        assert_eq!(stage.state().engine, EngineSides::None, "{game}: between two moves, too");
    }
}

#[test]
fn after_the_end_the_game_pane_has_the_result_and_what_is_next() {
    for (game, moves, words) in [
        ("chess", "play f3 e5 g4 Qh4#", "0-1  White is mated"),
        ("morris", "play d6 f4; game resign white", "0-1  White has resigned"),
    ] {
        for size in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves]).keys("esc esc");
            stage.driver.app.state.engine = EngineSides::Black;
            let text = stage.text();
            for part in [words, "X begins a new one", ", 0-1 "] {
                assert!(text.contains(part), "{part}: {text}");
            }
            for part in ["offers a draw", "plays Black", "% draw", "Enter Space choose"] {
                assert!(!text.contains(part), "{part}: {text}");
            }
            let header = |stage: &Stage| stage.text().lines().next().unwrap().to_owned();
            assert!(!header(&stage).contains("to move"), "{text}");
            stage.keys("U");
            assert!(header(&stage).contains("to move"), "{}", stage.text());
        }
    }
}

#[test]
fn resigning_is_asked_about_announced_and_taken_back() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.driver.app.state.engine = EngineSides::Black;
        stage.keys("#");
        assert!(
            matches!(&stage.state().overlay, Some(Overlay::Sure(line, _)) if line == "game resign white"),
            "the side that the engine does not play"
        );
        stage.keys("n");
        assert!(!position(&stage).finished, "{game}");
        // The engine would answer the moves that are played.
        stage.driver.app.state.engine = EngineSides::None;
        stage.keys("# y");
        let report = position(&stage);
        let loser = report.side;
        assert_eq!(report.winner.as_deref(), Some(&*loser.other().letter().to_string()));
        let text = stage.text();
        let result = if loser == Side::White { "0-1" } else { "1-0" };
        assert!(text.contains("he game is over") && text.contains(result), "{text}");
        assert!(
            text.contains(&format!("{loser} has resigned, so {} wins", loser.other())),
            "{text}"
        );
        let (moves, undo) = (report.played.len(), report.undo);
        stage.keys("esc #");
        assert_eq!(said(&stage), "the game is over");
        stage.lines(&["play e3"]).keys("esc");
        assert!(position(&stage).finished, "no move is played after the end");
        stage.keys("U");
        assert_eq!(
            (position(&stage).finished, position(&stage).played.len(), position(&stage).undo),
            (false, moves, undo - 1),
            "{game}: the end is taken back, and no move"
        );
        // At an earlier position, the end of the game drops the moves after it, which the question names.
        for key in ["#", "%"] {
            stage.keys(if key == "#" { "U #" } else { key });
            let text = stage.text();
            assert!(text.contains("dropping 1 later"), "{game}: {text}");
            stage.keys("n");
            assert_eq!(position(&stage).ahead.len(), 1, "{game}");
        }
        stage.keys("# y");
        assert_eq!(position(&stage).played.len(), moves - 1, "{game}");
        assert!(position(&stage).finished && position(&stage).ahead.is_empty(), "{game}");
    }
}

#[test]
fn the_evaluation_does_not_count_after_the_end() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("6");
        let words = "The game is over: its result counts";
        assert!(!stage.text().contains(words), "{game}: {}", stage.text());
        stage.lines(&["game resign white"]).keys("esc 6");
        assert!(stage.text().contains(words), "{game}: {}", stage.text());
    }
}

#[test]
fn a_hint_is_gone_after_another_command_and_after_the_end() {
    for (game, moves) in GAMES {
        for command in ["review --budget 50", "game resign white"] {
            let mut stage = playing(game, moves);
            let has_value = |stage: &Stage| {
                ["White +", "White -", "White 0"].iter().any(|it| stage.text().contains(it))
            };
            stage.lines(&["search set depth=2"]).keys("esc i v v");
            assert!(has_value(&stage), "{game}: {}", stage.text());
            stage.keys("w esc");
            assert_eq!(stage.state().hint, Hint::Shown, "{game}: an explanation changes nothing");
            stage.lines(&[command]).keys("esc esc v v");
            assert_eq!(stage.state().hint, Hint::Over, "{game} {command}");
            assert!(!has_value(&stage), "{game} {command}: {}", stage.text());
        }
    }
}

#[test]
fn the_game_pane_has_no_heading_without_content() {
    for (game, moves) in GAMES {
        for size in [(80, 24), (100, 30), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves, "review --budget 50"]).keys("esc esc");
            let ahead = position(&stage).redo;
            stage.lines(&[&format!("redo {ahead}"), "game resign white"]).keys("esc esc 1 alt-1");
            let text = stage.text();
            let at = |word: &str| text.lines().position(|line| line.contains(word));
            assert!(at("has resigned").is_some(), "{text}");
            for (heading, line) in text.lines().zip(text.lines().skip(1)) {
                let is_heading =
                    heading.contains("─ White's winning") || heading.contains("─ * best");
                assert!(!is_heading || !line.contains("└──"), "{size:?}: {text}");
            }
        }
    }
}

/// A pane with enough rows lists all moves of a hint, each with its value.
#[test]
fn a_high_game_pane_lists_every_move_of_a_hint() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(200, 100);
        stage.lines(&[&format!("game {game}"), moves, "hint --depth 2"]).keys("esc esc");
        let text = stage.text();
        let found = &stage.state().data.get::<Run>().unwrap().moves;
        assert!(found.len() > 12, "{game}");
        for found in found {
            let line = format!("{:<8} {:>8}", found.mv.to_string(), score_or_none(found.value));
            assert!(text.contains(&line), "{game} {line}: {text}");
        }
    }
}

#[test]
fn the_engine_accepts_a_draw_that_suits_it() {
    // White is far ahead.
    let positions = [
        ("morris", "position set ww.w..w./..w...../b.bb.... w 0 0"),
        ("chess", "position set 4k3/8/8/8/8/8/QR6/4K3 w - - 0 1"),
    ];
    for (game, set) in positions {
        let mut stage = playing(game, set);
        stage.lines(&["engine level 2"]).keys("esc");
        stage.driver.app.state.engine = EngineSides::Black;
        stage.keys("1 % y");
        assert!(
            said(&stage).starts_with("Black accepts the draw: its search of "),
            "{}",
            said(&stage)
        );
        assert!(position(&stage).finished && stage.text().contains("a draw by agreement"));
        // Without an engine, the other player is asked.
        let mut stage = playing(game, set);
        stage.keys("%");
        assert!(stage.text().contains("Draw the game by agreement of both"), "{}", stage.text());
        stage.keys("y");
        assert!(position(&stage).finished && stage.text().contains("a draw by agreement"));
        let mut stage = playing(game, set);
        stage.lines(&["game draw black --depth 2"]);
        assert!(!position(&stage).finished, "{game}: White is better off playing on");
        assert!(said(&stage).starts_with("White declines the draw"), "{}", said(&stage));
    }
}

#[test]
fn draws_of_morris_are_claimed_at_the_board() {
    let mut stage = playing("morris", "position set ww.w..../..w...../b.bb..b. w 0 0");
    let round = "play a7-a4 c3-d3 a4-a7 d3-c3";
    stage.lines(&[round, round, round]).keys("esc 0");
    assert!(!stage.text().contains("can be claimed"), "{}", stage.text());
    stage.lines(&["game claim"]);
    let (_, failed) = stage.state().log.lines().back().unwrap();
    assert!(failed.contains("no draw can be claimed"), "{failed}");
    stage.lines(&[round]).keys("esc 0");
    assert!(stage.text().contains("A draw can be claimed (position repeated): %."));
    stage.keys("% y");
    assert!(position(&stage).finished && position(&stage).winner.as_deref() == Some("draw"));
    assert!(stage.text().contains("a draw was claimed (position repeated)"), "{}", stage.text());
}

#[test]
fn the_list_of_moves_leads_through_the_game_and_back() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves]).keys("esc 1");
        let end = position(&stage).state.clone();
        stage.keys("0 up up up up enter");
        let report = position(&stage);
        assert_eq!((report.played.len(), report.ahead.len(), report.redo), (1, 4, 4), "{game}");
        assert!(stage.text().contains("ply 1 of 5"), "{}", stage.text());
        // The engine does not play into a game that is looked through.
        stage.driver.app.state.engine = EngineSides::from(report.side);
        stage.lines(&["echo here"]);
        assert_eq!(position(&stage).redo, 4, "{game}");
        stage.driver.app.state.engine = EngineSides::None;
        stage.keys("esc 0 home enter");
        assert_eq!(position(&stage).played.len(), 0, "the first position");
        stage.keys("end enter");
        assert_eq!(position(&stage).state, end, "{game}");
        assert_eq!(stage.state().shown, BoardOf::Position);
        stage.keys("enter");
        assert!(said(&stage).contains("is on the board"), "{}", said(&stage));
    }
}

#[test]
fn a_long_list_of_moves_shows_the_move_chosen() {
    let round = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8";
    let mut stage = Stage::new(80, 24);
    let more = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 Ra2 Ra7 Rb2 Rb7 Ra2 Ra7 Rc2 Rc7";
    stage.lines(&["game chess", &format!("play {round} {more}")]).keys("esc 0");
    assert!(stage.text().contains("Rc7"), "the last moves first: {}", stage.text());
    stage.keys("home");
    assert!(stage.text().contains("  1 Nf3      Nf6"), "{}", stage.text());
    // A game that Black begins.
    stage.lines(&["position set 4k3/8/8/8/8/8/8/4K2R b K - 0 7", "play Kd7 O-O Kc6"]).keys("esc 0");
    assert!(stage.text().contains("  7 …        Kd7"), "{}", stage.text());
    assert!(stage.text().contains("  8 O-O      Kc6") || stage.text().contains("  8 O-O"));
}

#[test]
fn an_end_that_is_reached_is_no_failure() {
    for (game, _) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc 1");
        for (key, end) in [("U", "nothing to undo"), ("u", "nothing to redo")] {
            stage.keys(key);
            let (kind, text) = stage.state().status.clone().unwrap();
            assert!(text.starts_with(end), "{game}: {text}");
            assert_eq!(kind, LogLine::Note, "{game}: {text}");
        }
        stage.lines(&["search run --budget 2000"]).keys("esc esc 1");
        let header = stage.text().lines().next().unwrap().to_owned();
        assert!(header.contains(&format!("■ DONE {} nodes", count(2000))), "{header}");
        stage.keys("]");
        let (kind, text) = stage.state().status.clone().unwrap();
        assert!(text.contains("budget"), "{game}: {text}");
        assert_eq!(kind, LogLine::Note, "{game}: {text}");
    }
}

#[test]
fn the_graph_of_values_has_a_scale_and_numbers_of_moves() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let engine = ["engine level 1"].into_iter().chain([["engine play"; 7]].concat());
        stage.lines(&engine.collect::<Vec<_>>());
        let text = stage.text();
        let rows: Vec<_> =
            text.lines().skip_while(|row| !row.contains("White's winning chances")).collect();
        let has =
            |row: &&str, sign: &str| row.split("││").last().is_some_and(|it| it.contains(sign));
        assert!(rows.iter().any(|row| has(row, " 50 % ─")), "the axis is at 50 %: {text}");
        let side =
            |row: &str| row.split("││").last().unwrap().trim_end_matches([' ', '│']).to_owned();
        let numbers = rows.iter().map(|row| side(row)).find(|row| row.contains("move "));
        let position = stage.state().data.get::<PositionReport>().unwrap();
        let last = position.move_number - usize::from(position.side == Side::White);
        let numbers = numbers.unwrap_or_default();
        assert!(numbers.contains(" 5") && numbers.ends_with(&last.to_string()), "moves: {text}");
        assert!(rows.iter().any(|row| has(row, "◆")), "a cursor at the current position: {text}");
        let bars = ["█", "▀", "▄"];
        let is_end = |row: &&str| bars.iter().any(|bar| has(row, bar)) && row.contains(" % ");
        assert!(
            rows.iter().any(is_end),
            "the greatest or least chances stand beside their column: {text}"
        );
        let label = |row: &&str| row.split_once(" %")?.0.rsplit(['│', ' ']).next()?.parse().ok();
        let mut labels = rows.iter().filter_map(label);
        assert!(labels.any(|end: u8| !(31..70).contains(&end)), "the end of the scale: {text}");
    }
}

/// Where nothing has been searched, the graph shows the evaluation, if it takes no row from the moves.
#[test]
fn a_game_without_searches_has_a_graph_of_its_evaluation() {
    for (game, moves) in [("chess", "play e4 e5 Nf3 d6 Nxe5 dxe5"), ("morris", "play d6 f4 d2 b4")]
    {
        let mut stage = Stage::new(200, 60);
        stage.lines(&[&format!("game {game}"), moves, "undo 2"]).keys("esc 1");
        let by_evaluation = "White's chances by static values";
        let text = stage.text();
        assert!(text.contains(by_evaluation), "{game}: {text}");
        let position = stage.state().data.get::<PositionReport>().unwrap();
        let all = position.played.len() + position.ahead.len() + 1;
        assert_eq!(position.static_values.len(), all, "{game}: also of moves taken back");
        stage.lines(&["redo 2", "engine play", "engine play"]);
        let text = stage.text();
        assert!(
            !text.contains(by_evaluation) && (game == "morris" || text.contains("winning chances")),
            "{game}: {text}"
        );
        let mut small = Stage::new(80, 24);
        small.lines(&[&format!("game {game}"), moves]).keys("esc 1");
        assert!(small.text().contains("  1 "), "{game}: the moves stay: {}", small.text());
    }
}

#[test]
fn a_new_game_begins_with_an_empty_graph() {
    for (game, moves) in GAMES {
        for new in ["position start", &format!("undo 12; {moves}; undo 5; position start")] {
            let mut stage = playing(game, moves);
            let engine = ["engine level 1"].into_iter().chain([["engine play"; 7]].concat());
            stage.lines(&engine.collect::<Vec<_>>());
            assert!(stage.text().contains("winning chances"), "{}", stage.text());
            stage.lines(&[new]);
            assert!(!stage.text().contains("winning chances"), "{game}: {}", stage.text());
        }
    }
}

#[test]
fn a_pair_of_moves_is_taken_back_and_played_again() {
    for (game, mv) in [("chess", "e 4"), ("morris", "d 6")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "engine level 1"]).keys("esc M b");
        stage.keys(mv);
        // The engine's move is queued after the user's.
        stage.driver.settle();
        assert_eq!(position(&stage).undo, 2);
        stage.keys("U");
        assert_eq!(position(&stage).undo, 0);
        assert!(said(&stage).starts_with("taken back: "), "{game}: {}", said(&stage));
        stage.keys("u");
        assert_eq!(position(&stage).undo, 2, "{game}");
        // A typed command leaves the turn to the user, too.
        stage.lines(&["takeback"]);
        assert_eq!(position(&stage).undo, 0, "{game}");
        assert!(said(&stage).starts_with("taken back: "), "{game}: {}", said(&stage));
    }
}

/// A typed move that names its piece takes the place of a piece that was chosen on the board.
#[test]
fn a_typed_move_replaces_a_chosen_piece() {
    let mut stage = playing("chess", "play e4 e5");
    stage.keys("d 2 enter");
    assert!(stage.text().contains("White: d2 to d3, d4"), "{}", stage.text());
    stage.keys("N f 3");
    assert_eq!(position(&stage).played.len(), 3, "{}", stage.text());
}

/// On the board of a frame, the arrows do nothing and say what they are for.
#[test]
fn arrows_on_the_board_of_a_frame_say_where_they_go() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["search set depth=3", "step 9"]).keys("esc 2 enter 1");
        for key in ["left", "right"] {
            stage.keys(key);
            assert!(said(&stage).contains("Esc shows"), "{game} {key}: {}", stage.text());
            assert_eq!(stage.state().overlay, None, "{game} {key}: no question");
        }
    }
}

/// The bar beside the board has the value that the review has found for the position.
#[test]
fn a_reviewed_game_has_a_bar_for_each_of_its_positions() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let bar = |stage: &Stage| {
            let right = stage.state().areas().of("board").unwrap().right() - 2;
            let cells = (2..22).map(|row| stage.buffer()[(right, row)].symbol().to_owned());
            cells.collect::<String>().trim().to_owned()
        };
        assert_eq!(bar(&stage), "", "{game}: {}", stage.text());
        stage.lines(&["review --depth 2"]).keys("esc esc");
        assert!(bar(&stage).contains('▉'), "{game}: {}", stage.text());
        stage.keys("left");
        assert!(bar(&stage).contains('▉'), "{game}: {}", stage.text());
    }
}

/// Another game of a file has the same number of positions before its first move, and may begin with the same moves.
#[test]
fn a_game_has_no_values_of_another_game_in_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.pgn");
    let game = |moves: &str| format!("[Result \"*\"]\n\n{moves} *\n\n");
    let games = [game("1. e4 e5 2. Nf3 d6 3. d4 Bg4"), game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4")];
    std::fs::write(&file, games.concat()).unwrap();
    let mut stage = Stage::new(100, 30);
    stage.lines(&[&format!("pgn load '{}'", file.display()), "review --depth 2"]);
    assert!(stage.text().contains("winning chances"), "{}", stage.text());
    for back in ["redo 3", "redo 6", "undo 6"] {
        stage.lines(&[back, "games open 2"]);
        assert!(!stage.text().contains("winning chances"), "{back}: {}", stage.text());
        stage.lines(&["games open 1"]);
    }
}

/// A game begun at the start card has the weights for play, so a search and a hint judge a position alike.
#[test]
fn a_game_against_the_engine_is_searched_as_hints_are() {
    for (choice, weights) in [("1", "tapered=1"), ("2", "stones=10")] {
        let mut stage = Stage::new(80, 24);
        stage.driver.app.show_start();
        stage.keys(choice);
        assert!(!stage.state().unsaved, "nothing is lost by leaving");
        stage.lines(&["weights show", "search show all"]);
        let text = stage.driver.printed.concat();
        assert!(text.contains(weights), "{text}");
        assert!(text.contains("quiescence=on") == (choice == "1"), "{text}");
        stage.keys("esc").lines(&["search run --depth 2"]);
        assert!(!stage.text().contains("weights use"), "{}", stage.text());
    }
}

#[test]
fn a_hint_stays_until_the_move_is_played() {
    for (game, first) in [("chess", "e"), ("morris", "d")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search set depth=2"]).keys("esc i");
        assert!(stage.text().contains("hint: 1 "), "{}", stage.text());
        stage.keys(first);
        assert!(stage.text().contains("hint: 1 "), "{}", stage.text());
    }
}

#[test]
fn a_move_can_be_typed_in_the_pane_of_the_game() {
    for (game, mv) in [("chess", "e 4"), ("morris", "d 6")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc 0");
        stage.keys(mv);
        assert_eq!(position(&stage).undo, 1, "{game}");
        assert_eq!(stage.state().focus, "board");
    }
}

#[test]
fn the_board_of_squares_is_turned_to_the_users_side() {
    let is_turned = |stage: &Stage| {
        let text = stage.text();
        text.find("┃ 1").unwrap() < text.find("┃ 8").unwrap()
    };
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess", "engine level 1"]).keys("esc M w");
    assert!(is_turned(&stage), "{}", stage.text());
    stage.keys("M b");
    assert!(!is_turned(&stage), "{}", stage.text());
}

#[test]
fn the_keys_through_a_loaded_game_come_first() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess", "play e4 e5 Qh5 Nf6", "undo 4"]).keys("esc");
    let text = stage.text();
    for keys in ["F1 more  q quit │ e4 move", " { } review  w why  r search", " ← → browse "]
    {
        assert!(text.contains(keys), "{keys}: {text}");
    }
    stage.lines(&["review --depth 3"]).keys("esc esc {");
    let text = stage.text();
    assert!(text.contains("known before this position; } goes to the others"), "{text}");
}

/// In a variation, the game pane has the move that it replaces and the key that goes back.
#[test]
fn a_variation_names_the_move_that_it_replaces() {
    for ((game, moves), (other, replaced)) in
        GAMES.into_iter().zip([("g7", "2... b4"), ("Nf6", "2... Nc6")])
    {
        let mut stage = Stage::new(140, 40);
        let lines = [&format!("game {game}"), moves, "undo 2", &format!("play {other}")];
        let text = stage.lines(&lines).keys("esc esc").text();
        assert!(text.contains(" · variation, 1 ply"), "{text}");
        assert!(text.contains("V leave variation"), "{text}");
        assert!(text.contains(&format!("variation, instead of {replaced} ")), "{text}");
        assert!(text.contains("V leaves the variation"), "{text}");
        let text = stage.keys("V").text();
        assert!(!text.contains("instead of") && position(&stage).since_branch == 0, "{text}");
        assert_eq!((position(&stage).undo, position(&stage).redo), (3, 2), "{game}");
        let said = stage.keys("V").state().status.clone().unwrap().1;
        assert!(said.starts_with("this is the main line, not a variation; "), "{said}");
    }
}

/// In a game that is over, reviewed, or taken back, the arrow keys go through its moves until a cursor is on the board.
#[test]
fn arrows_go_through_a_game_that_is_not_being_played() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let undone = |stage: &Stage| position(stage).redo;
        stage.keys("left");
        assert_eq!(undone(&stage), 0, "{game}: in a game being played, a cursor appears");
        stage.keys("esc").lines(&["undo 3"]).keys("esc 1 left");
        assert_eq!(undone(&stage), 4, "{game}");
        assert!(stage.text().contains("← → browse"), "{game}: {}", stage.text());
        stage.keys("right right");
        assert_eq!(undone(&stage), 2, "{game}");
        stage.keys("up left");
        assert_eq!(undone(&stage), 2, "{game}: the cursor moves");
    }
}

/// While a move is typed, the key bar has the keys that go on with it, and no others.
#[test]
fn the_key_bar_is_about_the_move_that_is_typed() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let text = stage.keys("a").text();
        let bar = text.lines().last().unwrap();
        assert!(bar.starts_with(" MOVE ") && bar.ends_with("Esc cancel"), "{game}: {bar}");
        assert!(!text.contains(" quit "), "{game}: {text}");
        assert!(stage.keys("esc").text().lines().last().unwrap().starts_with(" BOARD "), "{game}");
    }
}

/// Going through a game keeps its end; only `U` takes a resignation back.
#[test]
fn a_resigned_game_is_gone_through_to_its_end() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let played = position(&stage).played.len();
        stage.keys("# y left");
        assert_eq!(
            (position(&stage).played.len(), position(&stage).redo),
            (played - 1, 1),
            "{game}"
        );
        stage.keys("home");
        assert_eq!(position(&stage).played.len(), 0, "{game}: the key for the start works");
        stage.keys("end");
        let end = position(&stage);
        assert!(end.ended && end.finished && end.played.len() == played, "{game}: the end stays");
        stage.keys("0 up enter 1 right");
        assert!(position(&stage).ended, "{game}: also in the list of moves");
        stage.keys("U");
        let end = position(&stage);
        assert!(!end.ended && end.played.len() == played, "{game}: the resignation is taken back");
    }
}

/// Also against the engine, which waits with its moves and says so.
#[test]
fn the_engine_waits_while_its_game_is_gone_through() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("L 1 M b");
        stage.driver.settle();
        stage.keys("# y left");
        assert_eq!((position(&stage).side, position(&stage).redo), (Side::Black, 1), "{game}");
        let text = stage.text();
        assert!(text.contains("the engine waits: m lets it move"), "{game}: {text}");
        assert!(text.contains("The game ended later: 0-1"), "{game}: {text}");
        stage.keys("right");
        assert!(position(&stage).ended, "{game}: the arrow plays the move again: {}", stage.text());
        stage.keys("left left right m");
        stage.driver.settle();
        assert!(!stage.text().contains("the engine waits"), "{game}: {}", stage.text());
    }
}

/// A search without quiescence says that it does not look beyond the capture at the end of its line; in morris there is no such search.
#[test]
fn a_line_that_ends_in_a_capture_is_not_trusted() {
    for (game, moves) in [("chess", "play e4 Nf6"), ("morris", "play d6 f4 d2 b4 d7 g4")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3 quiescence=off"]);
        let text = stage.keys("esc esc r").text();
        let run: &Run = stage.state().data.get().unwrap();
        let takes = run.pv.last().is_some_and(|mv| mv.to_string().contains('x'));
        assert!(takes || game == "morris", "{text}");
        assert_eq!(text.contains("The line ends"), game == "chess", "{game}: {text}");
    }
}

/// The cursor of the board gives way to the marks of a review.
#[test]
fn a_review_hides_the_cursor() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        assert!(stage.keys("enter").text().contains('['), "{game}: {}", stage.text());
        let cursors = |stage: &Stage| {
            let area = stage.state().areas().of("board").unwrap();
            let buffer = stage.buffer();
            area.positions().filter(|at| at.y > area.y && buffer[*at].symbol() == "[").count()
        };
        assert_eq!(cursors(&stage), 1, "{game}: {}", stage.text());
        stage.lines(&["review --budget 200"]).keys("esc esc 1").text();
        assert_eq!(cursors(&stage), 0, "{game}: {}", stage.text());
    }
}

/// The way back to a mistake before a variation leads to the game's line, as the arrow keys do.
#[test]
fn the_way_back_beyond_a_variation_leads_to_the_game() {
    for (game, moves, other) in
        [("morris", "play d6 f4 d2 b4 a1", "a4"), ("chess", "play f3 e5 g4 d5", "Qh4#")]
    {
        let mut stage = playing(game, moves);
        stage.lines(&["review --budget 200"]).keys("esc esc");
        // The review has gone to the first mistake.
        let last = match position(&stage).ahead.len() {
            0 => "undo".to_owned(),
            ahead => format!("redo {}", ahead - 1),
        };
        stage.lines(&[&last, &format!("play {other}")]).keys("esc esc 1");
        assert_eq!(position(&stage).since_branch, 1, "{game}: {}", stage.text());
        let before = position(&stage).played.len();
        stage.keys("0 home enter");
        assert_eq!((position(&stage).since_branch, position(&stage).undo), (0, 0), "{game}");
        let ahead = position(&stage).ahead.clone();
        let game_move = moves.split(' ').next_back().unwrap();
        assert_eq!(ahead.len(), before, "{game}");
        assert!(
            ahead.iter().map(ToString::to_string).any(|mv| mv == game_move),
            "{game}: {ahead:?}"
        );
    }
}

/// Presses a key as if the engine's move were being searched.
fn press_too_early(stage: &mut Stage, key: &str) {
    let key: plyscope::tui::keys::KeyPress = key.parse().unwrap();
    let app = &mut stage.driver.app;
    (app.state.searching, app.state.moving) = (true, true);
    app.event(&crossterm::event::Event::Key(key.into()));
    (app.state.searching, app.state.moving) = (false, false);
}

/// The rest of a move that was begun too early is no key, also if the engine has moved meanwhile.
#[test]
fn the_rest_of_a_refused_move_changes_no_pane() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        press_too_early(&mut stage, "d");
        assert!(said(&stage).starts_with("the engine is to move"), "{game}: {}", said(&stage));
        stage.keys("3");
        assert!(said(&stage).starts_with("this move was begun while"), "{game}: {}", said(&stage));
        assert_eq!(stage.state().focus, "board", "{game}");
        stage.keys("3");
        assert_eq!(stage.state().focus, "tree", "{game}: the digit alone is a key");
    }
}

/// While the engine is to move, a typed move would be read as a move of its side.
#[test]
fn a_move_typed_while_the_engine_is_to_move_is_refused() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        press_too_early(&mut stage, "d");
        assert_eq!(said(&stage), "the engine is to move; ^C stops it", "{game}");
        let text = stage.keys("d").text();
        assert!(text.contains("d_"), "{game}: nothing was typed before: {text}");
    }
}

/// The key that passes a question is no key of the board once the question is answered.
#[test]
fn the_keys_of_an_answered_question_do_nothing_else() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["search set depth=3", "step 5", "quiz next"]).keys("esc");
        stage.lines(&["quiz pass"]);
        stage.keys("p");
        assert!(said(&stage).contains("Space asks the next"), "{game}: {}", said(&stage));
        assert_eq!(stage.state().focus, "board", "{game}: {}", stage.text());
    }
}

/// After an answer whose sheet is closed, the quiz goes on with the key that the sheet had.
#[test]
fn a_closed_quiz_goes_on_with_its_key() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["search set depth=3", "step 5", "quiz next", "quiz answer 1"]);
        stage.keys("esc esc");
        let text = stage.text();
        assert!(stage.state().sheet.is_none() && text.contains("Space question"), "{text}");
        stage.keys("1 space");
        assert!(stage.state().sheet.is_some(), "{game}: {}", stage.text());
    }
}

/// Ctrl-C answers a question with no, and stops what is running.
#[test]
fn an_interrupt_closes_a_question() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let screen = &mut stage.driver.app.state;
        (screen.searching, screen.moving) = (true, true);
        stage.keys("#");
        assert!(matches!(stage.state().overlay, Some(Overlay::Sure(..))), "{game}");
        stage.keys("ctrl-c");
        assert!(stage.state().overlay.is_none(), "{game}");
        assert!(stage.effects.contains(&Effect::Interrupt), "{game}: {:?}", stage.effects);
    }
}

/// The engine's answer to a typed move is printed below that of the command.
#[test]
fn the_engines_move_answers_a_typed_one() {
    for (game, mv) in [("chess", "e4"), ("morris", "d6")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc L 1 M b :");
        stage.lines(&[mv]).driver.settle();
        let text = stage.text();
        let played = &stage.state().data.get::<PositionReport>().unwrap().played;
        let [_, played] = played.as_slice() else { panic!("{text}") };
        let played = format!("played {played}");
        let answer = stage.driver.printed.last();
        assert!(answer.is_some_and(|answer| answer.starts_with(&played)), "{game}: {answer:?}");
    }
}

/// A mate on the board is certain: in the graph of the game, and in the words about the mistake that allowed it.
#[test]
fn a_mate_on_the_board_is_certain() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["game chess", "play f3 e5 g4 Qh4", "review --depth 3", "undo 2"]);
    let text = stage.keys("esc esc").text();
    assert!(text.contains("│  0 % "), "{text}");
    assert!(!text.contains("#-0"), "the move itself says mate: {text}");
    let text = stage.keys("} w").text();
    assert!(text.contains("0 %.") && !text.contains("2 %."), "{text}");
}
