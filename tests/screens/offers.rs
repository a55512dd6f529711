//! What the screen offers in each state: keys in the key bar and on the first page of the help, questions, next steps.

use crossterm::event::KeyEvent;
use plyscope::{
    command::Candidate,
    engine::session::position::PositionReport,
    repl::helper::Offers,
    tui::{
        driver::Step,
        keys::KeyPress,
        state::{By, Effect, Hint, Overlay},
    },
};

use crate::stage::Stage;

const GAMES: [(&str, &str); 2] = [("morris", "play d6 f4 d2"), ("chess", "play e4 e5 Nf3")];

/// A game with its first moves, and the focus on the board of a small screen.
fn playing(game: &str, moves: &str) -> Stage {
    let mut stage = Stage::new(80, 24);
    stage.lines(&[&format!("game {game}"), moves]).keys("esc esc 1");
    stage
}

fn said(stage: &Stage) -> &str {
    stage.state().status.as_ref().map_or("", |(_, text)| text)
}

#[track_caller]
fn assert_first_page(stage: &mut Stage, keys: &[&str]) {
    let text = stage.keys("f1").text();
    for key in keys {
        assert!(text.contains(&format!("│  {key} ")), "{key}: {text}");
    }
    stage.keys("esc");
}

/// The two rows of keys of a screen of 24 rows, followed by a blank.
fn key_bar(stage: &Stage) -> String {
    let text = stage.text();
    text.lines().skip(22).flat_map(|row| [row, " "]).collect()
}

#[track_caller]
fn assert_bar(stage: &Stage, offers: &[&str]) {
    let bar = key_bar(stage);
    assert!(bar.contains(" F1 more  q quit "), "{bar}");
    for offer in offers {
        assert!(bar.contains(&format!(" {offer} ")), "{offer}: {bar}");
    }
}

#[test]
fn the_first_keys_are_those_of_the_game_while_one_is_played() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        assert_bar(&stage, &["m M L engine", "U undo", "i hint", "r search"]);
        assert_first_page(&mut stage, &["F1", "q", ":", "m", "M", "L", "U", "i", "s", "r"]);
    }
}

#[test]
fn the_first_keys_are_those_of_the_search_while_one_is_under_way() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("s");
        assert!(said(&stage).contains("has begun: S steps back, Esc shows"), "{}", said(&stage));
        stage.keys("s s");
        assert!(!said(&stage).contains("begun"), "{}", said(&stage));
        assert_bar(&stage, &["s S step", "] [ continue", "w why", "Esc game"]);
        assert_first_page(&mut stage, &["s", "S", "]", "[", "w", "Esc", "n", "o"]);
        stage.keys("esc");
        assert_bar(&stage, &["s S step", "] [ continue", "w why", "x drop"]);
        stage.keys("2");
        assert_bar(&stage, &["s S step", "] [ continue", "w why"]);
    }
}

/// Before the first event, as after the last one, only keys that do something are offered.
#[test]
fn at_the_start_of_a_search_only_the_way_forwards_is_offered() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("s s (");
        assert_bar(&stage, &["s step", "] continue"]);
        assert!(!key_bar(&stage).contains("s S"), "{game}: {}", key_bar(&stage));
        stage.keys("3 t");
        assert!(stage.text().contains("after a step"), "{game}: {}", stage.text());
        assert_bar(&stage, &["t icicle"]);
    }
}

/// On a small screen the stack pane shows some counters, and a key shows all.
#[test]
fn the_counters_have_a_key_on_a_small_screen() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search run --depth 3"]).keys("esc 8");
        let text = stage.text();
        assert!(text.contains("[8 Counters]") && text.contains("recording "), "{game}: {text}");
        stage.keys("2");
        assert!(!stage.text().contains("Counters"), "{game}: {}", stage.text());
    }
}

#[test]
fn an_abandoned_command_is_cancelled_in_the_line_editor() {
    let mut stage = Stage::new(80, 24);
    stage.keys("n e w esc");
    let cancel = KeyEvent::from("ctrl-c".parse::<KeyPress>().unwrap());
    assert_eq!(stage.effects.last(), Some(&Effect::Key(cancel)));
    assert_ne!(stage.state().focus, "command");
}

#[test]
fn draws_and_resigning_are_asked_about_in_the_same_way() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        for (key, line, effect) in [
            ("%", "game draw --agreed", "draws the game by agreement of both players"),
            ("#", "game resign black", "resigns the game for Black"),
        ] {
            stage.keys(key);
            let asked = Overlay::Sure(line.to_owned(), effect.to_owned());
            assert_eq!(stage.state().overlay, Some(asked));
            assert!(stage.text().contains("y yes   n no"), "{}", stage.text());
            stage.keys("n");
            let position: &PositionReport = stage.state().data.get().unwrap();
            assert!(!position.finished && stage.state().overlay.is_none(), "{game}");
        }
    }
}

#[test]
fn the_level_is_in_the_game_pane_and_the_depth_in_the_reply() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        let pane = |stage: &Stage| stage.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let text = pane(&stage);
        assert!(text.contains("The engine plays no side.") && !text.contains("Level"), "{game}");
        stage.keys("L 1");
        assert!(pane(&stage).contains("plays no side. Level 1: one"), "{}", stage.text());
        stage.keys("m");
        assert!(said(&stage).starts_with("played ") && said(&stage).contains("  depth 1  nodes "));
    }
}

#[test]
fn a_key_for_mistakes_reviews_a_game_without_a_review() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, "position start");
        stage.keys("}");
        assert_eq!(said(&stage), "no mistake is known after this position", "no move yet");
        stage.lines(&[moves, "search set depth=1"]).keys("esc");
        let valued = |stage: &Stage| {
            let position: &PositionReport = stage.state().data.get().unwrap();
            position.marks.iter().filter(|mark| mark.value.is_some()).count()
        };
        assert_eq!(valued(&stage), 0, "{game}");
        stage.keys("}");
        assert_eq!(valued(&stage), 3, "{game}: {}", stage.text());
        stage.keys("}");
        assert!(said(&stage).starts_with("no move of this game is marked"), "{}", said(&stage));
    }
}

/// Keys of a search are not offered without one.
#[test]
fn the_key_bar_offers_what_can_be_done() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}")]).keys("esc esc 1");
        let bar = |stage: &Stage| {
            let text = stage.text();
            let rows: Vec<_> = text.lines().rev().take(2).collect();
            let labels = rows.join("  ").replace(" │ ", "  ");
            labels.split("  ").map(|key| key.trim().to_owned()).collect::<Vec<_>>()
        };
        let has = |stage: &Stage, label: &str| {
            bar(stage).iter().any(|key| key.split(' ').next_back() == Some(label))
        };
        for label in ["over", "out", "landmark", "continue"] {
            assert!(!has(&stage, label), "{game} {label}: {:?}", bar(&stage));
        }
        assert!(has(&stage, "search") && has(&stage, "step"), "{:?}", bar(&stage));
        stage.lines(&[moves, "undo"]).keys("esc");
        assert!(has(&stage, "review"), "{game}: {:?}", bar(&stage));
        stage.keys("s");
        for label in ["step", "over", "continue"] {
            assert!(has(&stage, label), "{game} {label}: {:?}", bar(&stage));
        }
        let keys: Vec<_> = bar(&stage).into_iter().filter(|key| key.ends_with(" step")).collect();
        assert_eq!(keys, ["s S step"], "a pair of keys stands together");
    }
}

/// On a small screen, the keys of the state fit: how to move and to search, then how to go on, then how to go back.
#[test]
fn the_first_keys_of_a_small_screen_follow_the_state_of_the_search() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        let bar = key_bar;
        stage.lines(&[&format!("game {game}")]).keys("esc esc 1");
        let types = if game == "chess" { "e4 move" } else { "a4 move" };
        let first = bar(&stage);
        for key in [types, "m M L engine", "i hint", "r search", "w why"] {
            assert!(first.contains(key) && !first.contains("undo"), "{game} {key}: {first}");
        }
        stage.lines(&[moves]).keys("esc esc s");
        for key in ["s S step", "] [ continue", "w why"] {
            assert!(bar(&stage).contains(key), "{game} {key}: {}", bar(&stage));
        }
        for pane in ["1", "2"] {
            stage.lines(&["search run --depth 2"]).keys(&format!("esc esc {pane}"));
            let last = bar(&stage);
            for key in ["w why", "S step back", "( start"] {
                assert!(last.contains(key) && !last.contains("continue"), "{game} {key}: {last}");
            }
        }
        assert!(bar(stage.keys("1")).contains("r search"), "{game}: {}", bar(&stage));
        for pane in ["4", "5", "6", "9"] {
            // The board shows the game's position already.
            assert!(bar(stage.keys(pane)).contains("Esc board") || pane == "4", "{}", bar(&stage));
        }
    }
}

/// The first page of the help says how to move and how to begin a search.
#[test]
fn the_first_page_of_the_help_says_what_can_be_done_now() {
    for (game, _) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc esc 1 f1");
        let text = stage.text();
        for words in ["types a move", "shows the best moves", "searches with the current settings"]
        {
            assert!(text.contains(words), "{game} {words}: {text}");
        }
    }
}

#[test]
fn two_rows_of_keys_are_even_and_f1_has_more_keys_if_some_are_left_out() {
    for (game, moves) in GAMES {
        for (columns, rows) in [(60, 20), (80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), moves]).keys("esc esc s s s");
            for pane in ["1", "2", "3", "4", "0"] {
                let text = stage.keys(pane).text();
                let bar: Vec<_> = text.lines().skip(usize::from(rows) - 2).collect();
                let label = if columns < 140 { " F1 more " } else { " F1 help " };
                assert!(bar[0].contains(label), "{text}");
                let keys = bar.iter().map(|row| row.trim().replace(" │ ", "  "));
                let keys: Vec<_> = keys.map(|row| row.matches("  ").count()).collect();
                assert!(bar[0].starts_with("    ") && keys[1] >= 3, "{text}");
                assert!(keys[0].abs_diff(keys[1]) < 6, "{keys:?} {text}");
            }
        }
    }
}

#[test]
fn the_columns_of_the_stack_keep_their_places() {
    for (game, moves) in GAMES {
        for size in [(80, 24), (100, 30), (140, 40), (200, 60)] {
            let mut stage = Stage::new(size.0, size.1);
            let set = "search set depth=3 order=heuristic";
            stage.lines(&[&format!("game {game}"), moves, set]).keys("esc esc s 2");
            let head = |stage: &Stage| {
                let text = stage.text();
                let head = text.lines().find(|line| line.contains(" ply move")).unwrap();
                let from = head.find(" ply move").unwrap();
                head[from..].split(['│', '┃']).next().unwrap().to_owned()
            };
            let first = head(&stage);
            assert!(first.contains("α") && first.contains("β") && first.contains("best"));
            for step in 0..60 {
                stage.keys(if step % 2 == 0 { "s" } else { ">" });
                assert_eq!(head(&stage), first, "{game} {size:?}: {}", stage.text());
            }
        }
    }
}

#[test]
fn the_chart_pane_of_a_reviewed_game_draws_the_winning_chances() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["review --budget 50"]).keys("esc 9");
        let text = stage.text();
        assert!(text.contains("─ White's winning chances ─"), "{game}: {text}");
        assert!(!text.contains("starts a search"), "{game}: {text}");
    }
}

#[test]
fn the_chart_pane_says_how_a_search_begins_until_there_is_one() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("9");
        assert!(stage.text().contains("r starts a search"), "{}", stage.text());
        assert!(!stage.text().contains("events by depth"), "{}", stage.text());
        stage.lines(&["search run --depth 1"]).keys("esc 9");
        let text = stage.text();
        assert!(!text.contains("starts a search"), "{text}");
        assert!(text.contains("events by depth"), "{text}");
    }
}

#[test]
fn a_search_stopped_by_hand_offers_the_next_keys() {
    // In the cache pane, the key that explains is one for entries.
    for ((game, moves), (pane, why)) in
        GAMES.into_iter().flat_map(|game| [("1", ", w explains"), ("4", "")].map(|it| (game, it)))
    {
        let mut stage = playing(game, moves);
        stage.lines(&["search set memo=none depth=40"]).keys(&format!("esc esc {pane}"));
        let driver = &mut stage.driver;
        driver.app.state.submit("search run", By::Key);
        while driver.step() != Step::Search {
            let outcome = driver.shell.advance();
            driver.ran(outcome.as_ref());
        }
        assert!(driver.interrupt.request_stop().is_ok());
        driver.settle();
        let said = said(&stage);
        assert!(said.starts_with("stopped"), "{said}");
        assert!(said.ends_with(&format!("; ] goes on, S steps back{why}")), "{said}");
        assert_eq!(stage.state().hint, Hint::None);
    }
}

#[test]
fn a_dropped_search_gives_the_board_back_to_the_game() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("s s s x");
        assert!(stage.text().contains("Drop the search?"), "{}", stage.text());
        stage.keys("y");
        assert_bar(&stage, &["m M L engine", "r search"]);
        stage.keys(if game == "chess" { "a 6" } else { "a 4" });
        let position: &PositionReport = stage.state().data.get().unwrap();
        assert_eq!(position.played.len(), 4, "{game}: a move can be typed");
    }
}

#[test]
fn a_draw_is_considered_without_a_hint() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.lines(&["search set memo=none"]).keys("esc esc 1");
        let driver = &mut stage.driver;
        // Enough nodes for many slices.
        driver.app.state.submit("game draw black --budget 1000000", By::Key);
        while driver.step() != Step::Search {
            let outcome = driver.shell.advance();
            driver.ran(outcome.as_ref());
        }
        driver.look_up(true);
        let header = |stage: &Stage| stage.text().lines().next().unwrap().to_owned();
        assert!(header(&stage).contains("▸ CONSIDERING the draw"), "{}", stage.text());
        stage.driver.settle();
        let text = stage.text();
        assert!(text.contains("the draw: its search of "), "{text}");
        assert!(!text.contains("hint: 1"), "{game}: {text}");
        stage.lines(&["search run --depth 3"]).keys("esc 0");
        let text = stage.text();
        assert!(text.contains("best moves for Black, depth 3"), "{game}: {text}");
    }
}

#[test]
fn a_new_game_begins_on_the_board_with_the_panes_of_play() {
    for (game, moves) in GAMES {
        for pane in ["2", "3"] {
            let mut stage = playing(game, moves);
            stage.keys("s s s").keys(pane).keys("X y");
            let screen = stage.state();
            assert_eq!(screen.focus, "board", "{game} {pane}");
            assert_eq!(format!("{:?}", screen.arrangement()), "Play", "{game} {pane}");
            assert!(stage.text().contains("[0 Game]"), "{}", stage.text());
        }
    }
}

#[test]
fn the_list_of_completions_follows_what_is_typed() {
    let mut stage = Stage::new(80, 24);
    let offer = |name: &str| {
        let [replacement, display] = [name; 2].map(str::to_owned);
        Candidate { replacement, display, help: "".into() }
    };
    let list = ["club.pgn", "clue.ron", "d.ron"].map(offer).to_vec();
    stage.keys(":");
    stage.driver.app.state.offers = Some((Offers { typed: String::new(), list }, Some(2)));
    stage.keys("c l u b");
    let (offers, chosen) = stage.state().offers.as_ref().unwrap();
    assert_eq!((offers.typed.as_str(), offers.list.len(), *chosen), ("club", 1, Some(0)));
    stage.keys("enter");
    assert!(stage.effects.contains(&Effect::Insert(4, "club.pgn".to_owned())));
    stage.driver.app.state.offers =
        Some((Offers { typed: String::new(), list: vec![offer("a")] }, None));
    stage.keys("x");
    assert_eq!(stage.state().offers, None);
}

#[test]
fn a_line_begun_by_a_key_gives_the_focus_back() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        stage.keys("s s s 2 p");
        assert_eq!(stage.state().focus, "command");
        stage.lines(&["mark here"]);
        assert_eq!(stage.state().focus, "stack", "{game}: {}", stage.text());
        assert!(!said(&stage).is_empty());
        stage.keys("p");
        let offer =
            Candidate { replacement: "a".to_owned(), display: "a".to_owned(), help: "".into() };
        let offers = Offers { typed: String::new(), list: vec![offer] };
        stage.driver.app.state.offers = Some((offers, None));
        stage.keys("esc");
        assert_eq!(stage.state().focus, "stack", "{game}: one Esc leaves the line");
        stage.keys(":").lines(&["mark there"]);
        assert_eq!(stage.state().focus, "command", "{game}: a line of the user's own");
    }
}

#[test]
fn at_an_end_of_the_game_the_key_for_that_end_says_so() {
    for (game, moves) in GAMES {
        let mut stage = playing(game, moves);
        for key in ["(", ")"] {
            stage.keys(key);
            assert_ne!(said(&stage), "this end of the game is on the board", "{game}: {key}");
            stage.keys(key);
            assert_eq!(said(&stage), "this end of the game is on the board", "{game}: {key}");
        }
    }
}

#[test]
fn without_a_search_stack_and_tree_offer_no_keys_for_its_nodes() {
    for (game, moves) in GAMES {
        for pane in ["2", "3"] {
            let bar = key_bar(playing(game, moves).keys(pane));
            let dead = ["writer", "entry", "S", "] [", "why"];
            assert!(dead.iter().all(|key| !bar.contains(&format!(" {key} "))), "{game}: {bar}");
            assert!(bar.contains(" r search "), "{game}: {bar}");
        }
    }
}
