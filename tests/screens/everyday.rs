//! Everyday use: saving, quiz, hints, sheets, the engine as opponent, captured pieces, other engines.

use std::{
    thread,
    time::{Duration, Instant},
};

use crossterm::event::Event;

use crate::stage::Stage;
use plyscope::{
    command::Shell,
    engine::session::{
        cache::CacheList,
        position::{BoardReport, PositionReport},
    },
    text::number::score,
    tui::{
        board::material,
        data::BoardOf,
        look::Theme,
        state::{Effect, EngineSides, Hint, Losing, Overlay},
    },
    view::Colour,
};

const GAMES: [(&str, &str, &str); 2] =
    [("morris", "play d6 f4 d2", "play a1"), ("chess", "play e4 e5 Nf3", "play Nc6")];

#[test]
fn a_file_keeps_the_game_that_was_saved_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keep.ron");
    let save = format!("session save '{}'", file.display());
    for (game, moves, _) in GAMES {
        let other = if game == "morris" { "game chess" } else { "game morris" };
        let set = if game == "morris" {
            "position set ww....../......../b.b..... w 7 7"
        } else {
            "position set 4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"
        };
        for anew in ["X y", other, set] {
            let _ = std::fs::remove_file(&file);
            let mut stage = Stage::new(140, 40);
            stage.lines(&[&format!("game {game}"), moves, &save]).keys("esc ctrl-s");
            let kept = std::fs::read_to_string(&file).unwrap();
            assert!(stage.text().contains("keep.ron"), "{game}: its own game is saved to its file");
            if anew == "X y" {
                stage.keys(anew);
            } else {
                stage.lines(&[anew]);
            }
            assert_eq!(stage.state().file, None, "{game} {anew}");
            stage.effects.clear();
            stage.keys("esc ctrl-s");
            assert!(stage.effects.contains(&Effect::Type("session save ".into())), "{game} {anew}");
            stage.keys("esc esc q");
            if anew == other {
                // A game of a new session has nothing to save yet.
                assert!(stage.effects.contains(&Effect::Leave), "{game} {anew}");
            } else {
                assert_eq!(
                    stage.state().overlay,
                    Some(Overlay::Unsaved(Losing::Leaving)),
                    "{game} {anew}"
                );
                stage.effects.clear();
                stage.keys("s");
                let save = Effect::Type("session save ".into());
                assert!(stage.effects.contains(&save), "{game} {anew}");
            }
            assert_eq!(std::fs::read_to_string(&file).unwrap(), kept, "{game} {anew}");
            // A name that is given is used after a question, even if it is the same as before.
            stage.lines(&[&save]);
            assert!(matches!(stage.state().overlay, Some(Overlay::Sure(..))), "{game} {anew}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), kept, "{game} {anew}");
            stage.keys("y");
            assert!(stage.state().file.is_some() && !stage.state().unsaved, "{game} {anew}");
        }
    }
}

/// A typed command that would lose work or a file asks first; several in a line run as in a script.
#[test]
fn typed_commands_that_lose_something_ask_first() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves, _) in GAMES {
        let file = folder.path().join(game).display().to_string();
        std::fs::write(&file, "of somebody").unwrap();
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "mark", "break"]);
        assert!(!stage.state().unsaved, "{game}: lists leave nothing to save");
        stage.lines(&[moves, "game go", "session load nothing.ron"]);
        assert_eq!(stage.state().overlay, None, "{game}: what only fails needs no question");
        let played = |stage: &Stage| stage.state().data.get::<PositionReport>().unwrap().undo;
        let (before, other) = (played(&stage), if game == "chess" { "morris" } else { "chess" });
        stage.lines(&[&format!("game {other}")]);
        assert!(stage.text().contains("Drop the work that is not saved?"), "{}", stage.text());
        assert_eq!(played(stage.keys("n")), before, "{game}: {}", stage.text());
        let own = folder.path().join(format!("{game}.ron")).display().to_string();
        stage.lines(&[&format!("game {other}")]).keys("s");
        assert_eq!(played(&stage), before, "{game}: not saved yet");
        stage.keys("esc");
        stage.lines(&["mark"]);
        assert_eq!(played(&stage), before, "{game}: a line left is forgotten");
        stage.lines(&[&format!("game {other}")]).keys("s");
        stage.lines(&[&format!("session save '{own}'")]);
        assert_eq!(played(&stage), 0, "{game}: {}", stage.text());
        stage.lines(&[&format!("session load '{own}'")]);
        assert_eq!(played(&stage), before, "{game}: saved before");
        stage.lines(&[&format!("cache save '{file}'")]);
        assert!(stage.text().contains("Overwrite "), "{game}: {}", stage.text());
        stage.keys("n");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "of somebody", "{game}");
        stage.lines(&[&format!("session save '{file}'")]).keys("y");
        assert!(std::fs::read_to_string(&file).unwrap().contains(game), "{game}");
        stage.lines(&[&format!("session save '{file}'")]);
        assert_eq!(stage.state().overlay, None, "{game}: its own file");
        stage.lines(&[&format!("undo; game {other}")]);
        assert_eq!((played(&stage), &stage.state().overlay), (0, &None), "{}", stage.text());
    }
}

#[test]
fn a_game_that_begins_within_other_commands_has_no_file_either() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("begin.ply"), "echo begin\nposition start\n").unwrap();
    for (game, moves, _) in GAMES {
        let source = format!("source '{}'", path("begin.ply"));
        let open = format!("open '{}'", path("begin.ply"));
        for anew in ["anew", ": position start", "position start; game", &source, &open] {
            let mut stage = Stage::new(140, 40);
            let alias = "alias anew = 'echo begin; position start; game'";
            let save = format!("session save '{}'", path("keep.ron"));
            stage.lines(&[&format!("game {game}"), alias, moves, &save, anew]);
            assert_eq!(stage.state().file, None, "{game} {anew}");
            stage.effects.clear();
            // A long reply is on a sheet.
            stage.keys("esc esc ctrl-s");
            assert!(stage.effects.contains(&Effect::Type("session save ".into())), "{game} {anew}");
        }
    }
}

#[test]
fn a_game_in_progress_keeps_its_file() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves, more) in GAMES {
        let save = format!("session save '{}'", folder.path().join(game).display());
        let mut stage = Stage::new(140, 40);
        stage.lines(&[
            &format!("game {game}"),
            moves,
            &save,
            more,
            "undo 2",
            "game",
            "game --json",
            "step 20",
        ]);
        assert!(stage.state().file.is_some(), "{game}");
    }
}

#[test]
fn a_quiz_question_and_its_verdict_are_shown_on_the_screen() {
    for size in [(80, 24), (140, 40)] {
        for (game, moves, _) in GAMES {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[
                &format!("game {game}"),
                moves,
                "search set depth=3",
                "step 40",
                "quiz on",
            ]);
            stage.keys("esc esc");
            let mut question = String::new();
            for _ in 0..30 {
                stage.keys("s");
                question = stage.text();
                if question.contains("question about event") {
                    break;
                }
            }
            let is_shown = question.contains("question about event") && question.contains("At ply");
            assert!(is_shown, "{game} {size:?}: {question}");
            assert_eq!(stage.state().shown, BoardOf::Frame, "{game}: the node asked about");
            stage.lines(&["maybe", "quiz answer maybe"]);
            assert!(stage.text().contains("question about event"), "it stays\n{}", stage.text());
            // Values without the command; those that do not fit the question are refused as answers.
            let is_cutoff = question.contains("y yes");
            stage.lines(&["0.1 0.2 0.3"]);
            let refused = if is_cutoff { "neither yes nor no" } else { "is not a " };
            assert!(stage.text().contains(refused), "{}", stage.text());
            stage.lines(&["0.123 0.456", "0.123", "no"]);
            let score = stage.driver.shell.session().quiz_score();
            assert!(score.asked > 0, "{game} {size:?}: {}", stage.text());
            stage.lines(&["quiz next"]);
            assert!(stage.text().contains("question about event"), "{game} {size:?}");
            stage.lines(&["quiz pass"]);
            let verdict = stage.text();
            assert!(
                verdict.contains("Passed.") && verdict.contains("quiz on"),
                "{game}: {verdict}"
            );
        }
    }
}

/// Until a question is answered, the tree does not tell the value that it asks for, whether its sheet is open or closed.
#[test]
fn the_tree_keeps_the_answer_to_an_open_question() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "step 40"]);
        stage.lines(&["quiz next"]).keys("esc");
        let asked = |stage: &Stage| {
            let tree = stage.text();
            tree.lines().filter(|line| line.contains(" ? ")).count()
        };
        stage.keys("3 z");
        let before = asked(&stage);
        assert!(stage.state().sheet.is_none() && before > 0, "{game}: {}", stage.text());
        assert!(stage.state().asks(), "{game}");
        stage.lines(&["quiz pass"]).keys("esc esc");
        assert!(!stage.state().asks() && asked(&stage) < before, "{game}: {}", stage.text());
    }
}

/// On the screen, keys answer the quiz; a line is typed only for windows and values.
#[test]
fn keys_answer_the_quiz() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "quiz on"]);
        stage.keys("esc esc").lines(&["quiz next"]);
        let (mut asked, mut hidden) = (0, 0);
        for turn in 0..60 {
            let (key, typed) = [("a", "quiz answer "), ("9", "quiz answer 9")][turn % 2];
            let score = stage.driver.shell.session().quiz_score();
            assert_eq!(score.asked, asked, "{game}: {}", stage.text());
            let Some(question) = score.question else { break };
            let text = stage.text();
            assert!(text.lines().last().unwrap().starts_with(" QUIZ "), "{game}: {text}");
            // Another key keeps the question and names the keys that answer it.
            let refused: &[_] =
                if question.ask == "cutoff" { &["9", "s", "t"] } else { &["s", "t"] };
            for key in refused {
                stage.keys(key);
                let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
                assert!(said.starts_with(&format!("{key} is no answer: ")), "{game}: {said}");
                assert!(said.ends_with(", p pass, Esc close"), "{game}: {said}");
            }
            assert!(stage.text().contains("question about event"), "{game}: {}", stage.text());
            assert!(!text.contains("(quiz answer"), "{game}: keys answer: {text}");
            // The tree beside the question hides the value that is asked for.
            if let Some(here) = text.lines().find(|line| line.contains("◀ asked")) {
                assert!(here.contains(" ? "), "{game}: {here}");
                hidden += 1;
            }
            if question.ask != "window" {
                let node = stage.state().data.frame().map(|frame| frame.ply);
                assert_eq!(
                    node,
                    Some(question.ply),
                    "{game}: the board shows the node asked about"
                );
            }
            if question.ask == "cutoff" {
                let beta = question.window.beta.get();
                assert!(beta.is_finite(), "{game}: without a bound, no cutoff can follow");
                // Asked again by a typed line, the question gives the focus back to the panes.
                stage.keys(":").lines(&["quiz next"]);
                assert_eq!(stage.state().focus, "board", "{game}");
                stage.keys("y");
                asked += 1;
            } else {
                stage.keys(key);
                let typed = Effect::Type(typed.to_owned());
                assert!(stage.effects.contains(&typed), "{game}: {:?}", stage.effects);
                stage.lines(&["quiz pass"]);
            }
            stage.keys("space");
        }
        assert!(asked > 0 && hidden > 0, "{game}");
    }
}

/// Level and side chosen before the first move begin a game in which searches judge as hints do; later they change no settings.
#[test]
fn a_game_begun_by_level_or_side_is_searched_as_hints_are() {
    for (game, moves, _) in GAMES {
        for keys in ["L 1", "M b"] {
            let mut stage = Stage::new(80, 24);
            stage.lines(&[&format!("game {game}")]).keys(&format!("esc {keys}"));
            stage.driver.settle();
            let is_set = |stage: &Stage| {
                let mut lines = stage.state().log.lines().iter();
                lines.any(|(_, text)| text.contains("weights use play"))
            };
            assert!(is_set(&stage) && !stage.state().unsaved, "{game} {keys}: {}", stage.text());
            assert!(stage.state().sheet.is_none(), "{game} {keys}: {}", stage.text());
            let mut stage = Stage::new(80, 24);
            stage.lines(&[&format!("game {game}"), moves]).keys(&format!("esc {keys}"));
            stage.driver.settle();
            assert!(!is_set(&stage), "{game} {keys}: {}", stage.text());
        }
    }
}

/// A question that is closed can be shown again.
#[test]
fn a_closed_question_names_the_key_that_shows_it_again() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 40"]);
        stage.keys("esc esc").lines(&["quiz next"]);
        assert_ne!(stage.state().focus, "command", "{game}: keys answer");
        stage.keys("esc");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert_eq!(
            said, "the question stays open: Space shows it again, `quiz off` ends the quiz",
            "{game}"
        );
        assert!(!stage.text().contains("question about event"), "{game}");
        stage.keys("space");
        assert!(stage.text().contains("question about event"), "{game}: {}", stage.text());
    }
}

#[test]
fn a_hint_is_shown_on_the_games_board() {
    for (game, moves, _) in GAMES {
        for step in ["s", "o", "s s s s"] {
            let mut stage = Stage::new(140, 40);
            stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "step 30"]);
            stage.keys("esc esc").keys(step);
            assert_eq!(stage.state().shown, BoardOf::Frame, "{game} {step}");
            stage.keys("i");
            assert_eq!(stage.state().shown, BoardOf::Position, "{game} {step}");
            let text = stage.text();
            assert!(
                text.contains("White") && stage.state().hint == Hint::Shown,
                "{game} {step}: {text}"
            );
        }
    }
}

#[test]
fn a_hint_may_have_another_name() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["alias best = hint", "search set depth=2", "step 30", "best"]);
    assert_eq!((&stage.state().shown, stage.state().hint), (&BoardOf::Position, Hint::Shown));
    stage.lines(&["search run"]);
    assert_eq!(stage.state().hint, Hint::None);
}

/// The lines inside the sheet in front.
fn on_sheet(stage: &Stage) -> Vec<String> {
    let area = stage.state().sheet.as_ref().unwrap().area(&stage.state().areas());
    let buffer = stage.buffer();
    let inside = (area.y + 1..area.bottom() - 1).map(|y| {
        let cells = (area.x + 1..area.right() - 1).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned()
    });
    inside.collect()
}

#[test]
fn paragraphs_on_a_sheet_are_filled_once() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["help cache list"]);
    for columns in [60_u16, 72, 80, 200] {
        stage.event(&Event::Resize(columns, 50));
        let lines = on_sheet(&stage);
        let prose: Vec<_> = lines.iter().skip_while(|line| !line.contains("A condition")).collect();
        let prose: Vec<_> = prose.into_iter().take_while(|line| !line.is_empty()).collect();
        assert!(!prose.is_empty(), "{columns}: {lines:?}");
        let area = stage.state().sheet.as_ref().unwrap().area(&stage.state().areas());
        let width = usize::from(area.width) - 2;
        for pair in prose.windows(2) {
            // No line breaks earlier than it has to.
            let next = pair[1].split_whitespace().next().unwrap();
            let filled = pair[0].chars().count() + 1 + next.chars().count();
            assert!(filled > width, "{columns}: {prose:#?}");
        }
    }
}

#[test]
fn the_engine_takes_the_side_of_which_it_is_the_turn() {
    for (game, _, _) in GAMES {
        let first = if game == "morris" { "play d6" } else { "play e4" };
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "search set depth=1"]);
        stage.keys("esc esc M enter");
        assert_eq!(stage.state().engine, EngineSides::Black, "{game}: at the start");
        stage.keys("M n");
        stage.lines(&[first]).keys("esc M enter");
        assert_eq!(stage.state().engine, EngineSides::Black, "{game}: after a move of White's");
        stage.driver.settle();
        let undo = stage.driver.shell.session().position().undo;
        assert_eq!(undo, 2, "{game}: it has answered at once");
        stage.keys("M n");
        let second = if game == "morris" { "play a1" } else { "play a3" };
        stage.lines(&[second]).keys("esc m M enter");
        assert_eq!(stage.state().engine, EngineSides::Black, "{game}: after an engine's move");
        stage.keys("M n U M enter");
        assert_eq!(stage.state().engine, EngineSides::White, "{game}: after taking back");
    }
}

#[test]
fn a_file_of_games_opens_with_a_line_and_keeps_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in [("chess", "1. e4 e5 1-0"), ("morris", "1. a1 d1 1-0")] {
        let path = folder.path().join(format!("{game}.pgn"));
        let mut stage = Stage::new(80, 24);
        let variant = if game == "chess" { "" } else { "[Variant \"Nine Men's Morris\"]\n" };
        let tags =
            format!("[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Result \"1-0\"]\n{variant}");
        std::fs::write(&path, format!("{tags}\n{moves}\n\n{tags}\n{moves}\n")).unwrap();
        stage.lines(&[&format!("game {game}"), &format!("pgn load {}", path.display())]);
        let text = stage.text();
        let said = "Anderssen - Kieseritzky 1-0, 2 plies; game 1 of 2";
        assert!(text.contains(said) && stage.state().sheet.is_none(), "{text}");
        let header = text.lines().next().unwrap();
        assert!(header.trim_end().ends_with(&format!("  {game}.pgn")), "{header}");
        let mut large = Stage::new(140, 40);
        large.lines(&[&format!("game {game}"), &format!("pgn load {}", path.display())]);
        let title = "Game · ply 0 of 2 · game 1 of 2 · Anderssen - Kieseritzky 1-0";
        assert!(large.text().contains(title), "{}", large.text());
        stage.keys("u").lines(&["games open 2"]).keys("esc ctrl-s");
        let log = stage.state().log.lines();
        assert!(log.iter().any(|(_, line)| line.starts_with("pgn save ")), "{log:?}");
    }
}

#[test]
fn a_copy_of_the_game_leaves_the_sessions_file_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves, _) in GAMES {
        let [session, copy] = ["ron", "pgn"].map(|end| folder.path().join(format!("{game}.{end}")));
        let mut stage = Stage::new(80, 24);
        let save = format!("session save '{}'", session.display());
        stage.lines(&[&format!("game {game}"), &save, moves]);
        stage.lines(&[&format!("pgn save '{}'", copy.display())]);
        assert_eq!(stage.state().file.as_deref(), Some(&*session), "{game}");
        assert!(stage.state().unsaved, "{game}: the moves are not in the session's file");
        stage.lines(&[&save, &format!("pgn load '{}'", copy.display()), "redo"]);
        assert_eq!(stage.state().file.as_deref(), Some(&*copy), "{game}");
        stage.lines(&[&format!("pgn save '{}'", copy.display())]);
        assert!(!stage.state().unsaved, "{game}: it is the file of this game");
    }
}

/// Going through a recording or a reviewed game is no work to save; another search is.
#[test]
fn what_was_only_read_is_not_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves, _) in GAMES {
        let save = format!("session save '{}'", folder.path().join(game).display());
        let mut stage = Stage::new(100, 30);
        let reads = |stage: &mut Stage, keys: &str| {
            stage.lines(&[&save]).keys("esc esc 1").keys(keys);
            !stage.state().unsaved
        };
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        for keys in ["S", "s", "S S s", "( s"] {
            assert!(reads(&mut stage, keys), "{game} {keys}: {}", stage.text());
        }
        stage.lines(&["search drop"]);
        assert!(!reads(&mut stage, "s"), "{game}: {}", stage.text());
        stage.lines(&["search drop", "review --depth 1"]);
        for keys in ["left", "right"] {
            assert!(reads(&mut stage, keys), "{game} {keys}: {}", stage.text());
        }
    }
}

/// The key that takes back a move stops at the beginning of a game whose moves follow.
#[test]
fn the_way_back_does_not_leave_a_game_whose_moves_follow() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "position start", moves, "undo 2"]);
        let place = |stage: &Stage| {
            let position = stage.state().data.get::<PositionReport>().unwrap();
            (position.undo, position.redo, position.played.len())
        };
        while place(&stage).2 > 0 {
            stage.lines(&["undo"]);
        }
        let before = place(&stage);
        assert!(before.0 > 0 && before.1 > 0, "{game}: {before:?}");
        let text = stage.keys("esc esc 1 U").text();
        assert_eq!(place(&stage), before, "{game}: {text}");
        assert!(text.contains("the game begins here"), "{game}: {text}");
    }
}

#[test]
fn the_position_of_an_entry_that_is_gone_is_not_that_of_a_game_that_is_over() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.driver.app.state.shown = BoardOf::Entry("8aaa5c79f03c942d".to_owned());
        stage.keys("6 alt-1");
        let text = stage.text();
        assert!(
            text.contains("is not known.")
                || text.contains("known.  ") && !text.contains("No heuristic"),
            "{game}: {text}"
        );
    }
}

#[test]
fn captured_pieces_are_listed_if_the_game_has_its_moves() {
    let bare = "position set 4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let game = "position start; play e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2";
    for size in [(60, 30), (80, 24), (100, 30), (140, 40)] {
        let mut stage = Stage::new(size.0, size.1);
        stage.lines(&["game chess", bare]).keys("esc esc z");
        let text = stage.text();
        let lead = text.contains("material: White +39");
        assert!(lead && !text.contains("taken: "), "{size:?}: {text}");
        stage.lines(&[game]).keys("esc esc");
        let text = stage.text();
        let lists: Vec<_> = text.lines().filter(|line| line.contains("taken: ")).collect();
        assert_eq!(lists.len(), 1, "{size:?}: once on a screen\n{text}");
        let count = |sign| lists[0].chars().filter(|it| *it == sign).count();
        assert_eq!(['♙', '♛', '♟'].map(count), [2, 1, 1], "{size:?}: {text}");
        assert!(lists[0].contains("White +8"), "{size:?}: {text}");
    }
}

/// With too little room, the number of captured pieces follows the piece.
#[test]
fn captured_pieces_are_listed_completely() {
    let mut shell = Shell::default();
    assert!(shell.run_line("game chess").iter().all(Result::is_ok));
    let even = shell.look_up("position board r3k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    let even = even.downcast_ref::<BoardReport>().unwrap();
    let look = Theme::usual(Colour::Off);
    let list = |room| material(even, &look, room).unwrap().to_string().replace('\u{fe0e}', "");
    let taken = "taken: ♕♖♗♗♘♘♙♙♙♙♙♙♙♙ ♛♜♝♝♞♞♟♟♟♟♟♟♟♟";
    assert_eq!(list(60), taken);
    assert_eq!(list(30), "taken: ♕♖♗×2♘×2♙×8 ♛♜♝×2♞×2♟×8");
    // As on the board, White's signs are white and Black's are black, on the colour of a square.
    let painted = material(even, &Theme::named("dark", Colour::On).unwrap(), 60).unwrap();
    let pieces = painted.spans.iter().filter(|span| span.content.contains(['♙', '♟']));
    let styles: Vec<_> = pieces.map(|span| (span.style.fg, span.style.bg)).collect();
    assert!(styles[0].0 != styles[1].0 && styles[0].1 == styles[1].1, "{styles:?}");
}

/// A hint is searched with the weights for play, and the evaluation says with which weights it is made.
#[test]
fn the_weights_of_the_evaluation_are_named() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set budget=2000"]).keys("esc 6 z");
        let of = |stage: &Stage| {
            let text = stage.text();
            let head = text.lines().find(|line| line.contains("term ")).unwrap();
            let used =
                ["default", "play"].into_iter().find(|name| head.contains(&format!("▸{name}")));
            assert!(head.find("default") < head.find("play"), "each column has its place: {text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                words.contains(", weights ")
                    && words.contains(&format!(" ▸{}", used.unwrap_or("?"))),
                "{text}"
            );
            // Morris: each set's sum is divided, in its column and in the headline.
            let is_divided = ["divided by", "value for White"].map(|name| text.contains(name));
            assert_eq!(is_divided, [game == "morris"; 2], "{text}");
            used.unwrap_or("?")
        };
        assert_eq!(of(&stage), "default", "{game}");
        let words = stage.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let plays_so = words.contains("hints, reviews and the engine use `play`");
        assert!(plays_so, "{game}: {words}");
        stage.keys("i 6");
        assert_eq!(of(&stage), "play", "{game}");
        assert!(stage.text().contains("weights of this hint ▸play"), "{game}: {}", stage.text());
        let set = if game == "chess" { "weights set pawn=2" } else { "weights set mills=3" };
        let text = stage.lines(&[set]).keys("esc 6 z").text();
        assert!(text.contains("in force  default "), "{game}: {text}");
        assert!(text.contains(", weights ▸in force "), "{game}: {text}");
    }
}

/// On a small screen the values of both sides are left out, and no value is cut.
#[test]
fn the_weighted_terms_fit_the_smallest_screen() {
    for (game, moves, _) in GAMES {
        for size in [(40, 12), (60, 16)] {
            let mut stage = Stage::new(size.0, size.1);
            let text = stage.lines(&[&format!("game {game}"), moves]).keys("esc 6").text();
            let row = text.lines().find(|row| row.contains("White m")).unwrap();
            let value = row.trim_end_matches(['┃', '█', ' ']);
            assert!(value.ends_with(|sign: char| sign.is_ascii_digit()), "{game}: {text}");
        }
    }
}

/// The values of a term have columns as wide as the widest value.
#[test]
fn the_columns_of_the_evaluation_are_in_line() {
    for size in [(100, 30), (140, 40)] {
        let mut stage = Stage::new(size.0, size.1);
        stage.lines(&["game chess", "play e4 f5 exf5 d5 Qh5+ g6 fxg6 hxg6"]).keys("esc 6 z");
        let text = stage.text();
        assert!(text.contains("mobility       -76 -69 "), "{text}");
        let terms = text.lines().skip_while(|row| !row.contains("White minus Black"));
        let terms = terms.take_while(|row| !row.contains("hints, reviews and the engine"));
        // Bars may follow.
        let ends = terms.map(|row| row.rfind(|sign: char| sign.is_ascii_digit() || sign == 'd'));
        let ends: Vec<_> = ends.collect();
        assert!(ends.len() == 15 && ends.iter().all(|end| *end == ends[0]), "{ends:?} {text}");
    }
}

/// All terms have rows if there is room; on a low screen, equal ones share a row.
#[test]
fn the_evaluation_lists_all_terms_if_there_is_room() {
    for (rows, is_whole) in [(30, true), (18, false)] {
        let mut stage = Stage::new(100, rows);
        let text = stage.lines(&["game chess", "play e4 e5 Nf3"]).keys("esc 6 z").text();
        assert_eq!(text.contains("equal for both sides"), !is_whole, "{text}");
        assert!(text.contains("knight") && text.contains("passed"), "{text}");
    }
}

/// Where one set of weights is shown, terms that it does not use have no rows.
#[test]
fn unused_terms_have_no_rows() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        let text = stage.lines(&[&format!("game {game}")]).keys("esc M b").text();
        assert!(!text.contains(" unused"), "{game}: {text}");
        assert!(text.contains("not used: pawn, knight") || game == "morris", "{game}: {text}");
    }
}

/// Other sets of weights have columns where the evaluation has the focus.
#[test]
fn weights_are_compared_in_the_focused_pane() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        let text = stage.lines(&[&format!("game {game}"), moves]).keys("esc 1").text();
        let heads = |text: &str| {
            let head = text.lines().find(|line| line.contains("term ")).unwrap().to_owned();
            ["default", "play"].map(|name| head.contains(name))
        };
        assert!(heads(&text) == [true, false] && text.contains("6 compares weights"), "{text}");
        let text = stage.keys("6").text();
        assert!(heads(&text) == [true; 2] && !text.contains("compares"), "{game}: {text}");
    }
}

#[test]
fn the_cache_pane_names_its_columns() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        for (policy, column) in [("bound", "value depth"), ("interval", "value window")] {
            let set = format!("search set depth=2 memo={policy}");
            stage.lines(&[&format!("game {game}"), &set, "search run"]).keys("esc esc");
            let text = stage.text();
            assert!(text.contains(column), "{game} {policy}: {text}");
            if policy == "bound" {
                let rows = stage.keys("4 z").text();
                let list = stage.state().data.get::<CacheList>().unwrap();
                let has_best = list.entries.iter().any(|entry| !entry.best.is_empty());
                assert_eq!(rows.contains("depth best "), has_best, "{game}: {rows}");
                assert!(rows.contains(" ="), "{game}: {rows}");
                let key = list.entries[1].key.clone();
                let selected = stage.keys("down").text();
                assert!(selected.contains(&format!("─ entry {key}")), "{game}: {selected}");
                assert!(selected.contains("written by event "), "{game}: {selected}");
                let again = ["cache clear", "search set uses=on", "search run"];
                let used = stage.lines(&again).keys("esc 4 down").text();
                assert!(used.contains(" uses "), "{game}: {used}");
                assert!(used.contains("used "), "{game}: {used}");
                stage.keys("z esc");
            }
        }
    }
}

#[test]
fn a_move_on_the_board_is_played_in_the_position_shown() {
    for (game, moves, reply) in
        [("morris", "play d6 f4", "a 1 enter"), ("chess", "play e4 e5", "a 2 enter a 3 enter")]
    {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 60", "frame 1"]);
        stage.keys("esc esc esc").keys(reply);
        let played = stage.driver.shell.session().position();
        assert_eq!(played.undo, 3, "{game}: {:?}", played.played);
    }
}

/// The row below the board knows of the end, also where another pane has the place of the game.
#[test]
fn a_resigned_game_has_no_side_to_move() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search run --depth 2"]);
        stage.keys("esc esc esc 1 # y esc");
        let text = stage.text();
        let said = text.lines().find(|line| line.contains(" the game is over: "));
        assert!(said.is_some_and(|line| line.contains(" has resigned, so ")), "{game}: {text}");
    }
}

#[test]
fn a_board_says_that_the_game_is_over() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["game chess", "play f3 e5 g4 Qh4#"]).keys("esc esc esc a 2 enter");
    let text = stage.text();
    assert!(text.contains("the game is over:"), "{text}");
    assert!(text.contains("White is mated, so Black has won"), "{text}");
}

#[test]
fn another_engine_analyses_beside_the_game_and_plays_a_side() {
    let mut stage = Stage::new(140, 48);
    stage.lines(&["game chess"]).keys("esc A");
    assert!(stage.text().contains("no engine has been added"), "{}", stage.text());
    let add = format!("engine add own {} uci", env!("CARGO_BIN_EXE_plyscope"));
    stage.lines(&[&add]).keys("esc A");
    let wait = |stage: &mut Stage, what: &str| {
        let end = Instant::now() + Duration::from_secs(30);
        while !stage.text().contains(what) && Instant::now() < end {
            thread::sleep(Duration::from_millis(30));
            stage.driver.look_at_analyst();
        }
        assert!(stage.text().contains(what), "{what}: {}", stage.text());
    };
    wait(&mut stage, "own, depth");
    stage.lines(&["play e4"]);
    wait(&mut stage, "own, depth");
    stage.keys("esc A");
    assert!(!stage.text().contains("own, depth"), "{}", stage.text());
    stage.lines(&["engine opponent own", "engine level 1"]).keys("esc M enter");
    assert_eq!(stage.state().opponent.as_deref(), Some("own"));
    assert!(stage.text().contains("own plays"), "{}", stage.text());
}

#[test]
fn a_review_marks_mistakes_and_a_key_goes_to_them() {
    for (game, moves, mistake) in
        [("chess", "f3 e5 g4 Qh4#", "g4??"), ("morris", "d7 g1 d6 a1 d5xa1", "a1?!")]
    {
        let mut stage = Stage::new(140, 40);
        let play = format!("play {moves}");
        stage.lines(&[&format!("game {game}"), &play, "review --depth 2"]);
        stage.keys("esc esc esc alt-1");
        assert!(stage.text().contains(mistake), "{game}: {}", stage.text());
        stage.lines(&["undo 4"]).keys("esc esc }");
        let before = |stage: &Stage| {
            let position = stage.state().data.get::<PositionReport>().unwrap();
            let next = position.marks.iter().find(|mark| mark.at == position.undo + 1).unwrap();
            (next.is_mistake, position.lines.len())
        };
        assert_eq!(before(&stage), (true, 2), "{game}: the move played and a better one");
        let position = stage.state().data.get::<PositionReport>().unwrap();
        let better = position.better()[0].to_string();
        let text = stage.text();
        assert!(text.contains(&format!("better {better}")), "{game}: {text}");
        assert!(text.contains(&format!(" 1 {better}")), "{game}: on the board: {text}");
        stage.keys("w");
        assert!(stage.text().contains("lets "), "{game}: {}", stage.text());
        stage.keys("esc }");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(
            said.starts_with("no other mistake is known after this position"),
            "{game}: {said}"
        );
        // Without a search, a step begins one of this position.
        stage.lines(&["search drop"]).keys("esc esc s");
        assert!(!stage.state().data.frames().is_empty(), "{game}");
    }
}

/// A move in place of one of a reviewed game begins a variation, which taking the move back leaves. The engine answers such a move.
#[test]
fn a_variation_of_a_reviewed_game_is_left_by_taking_it_back() {
    for (game, moves, mistake) in
        [("chess", "f3 e5 g4 Qh4#", "g4??"), ("morris", "d7 g1 d6 a1 d5xa1", "a1?!")]
    {
        let mut stage = Stage::new(140, 40);
        let play = format!("play {moves}");
        stage.lines(&[&format!("game {game}"), &play, "review --depth 2", "undo 4"]);
        stage.keys("esc esc esc alt-1 }");
        let position = stage.state().data.get::<PositionReport>().unwrap();
        let (at, better) = (position.undo, position.better()[0].to_string());
        stage.lines(&[&format!("play {better}")]).keys("esc");
        assert!(stage.text().contains("variation, instead of"), "{game}: {}", stage.text());
        stage.keys("1 U");
        assert!(stage.text().contains(mistake), "{game}: the game again: {}", stage.text());
        let position = stage.state().data.get::<PositionReport>().unwrap();
        assert_eq!((position.undo, position.since_branch), (at, 0), "{game}");
        let other = if game == "chess" { "a3" } else { "a7" };
        stage.lines(&[&format!("play {other}")]);
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text).to_owned();
        assert!(said.starts_with("a variation instead of"), "{game}: {said} {}", stage.text());
        stage.keys("esc 1 U");
        let side = stage.state().data.get::<PositionReport>().unwrap().side;
        let engine = if side.name() == "White" { "b" } else { "w" };
        stage.keys("L 1 M").keys(engine).lines(&[&format!("play {better}")]);
        stage.driver.settle();
        let position = stage.state().data.get::<PositionReport>().unwrap();
        assert_eq!(position.undo, at + 2, "{game}: the engine answers: {}", stage.text());
    }
}

/// While the engine plays a side, the game's board is evaluated by its weights, as its graph and its hints are.
#[test]
fn the_engines_weights_are_shown_while_it_plays() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "engine level 1"]).keys("esc esc M w 6 z");
        stage.driver.settle();
        let text = stage.text();
        assert!(text.contains(", weights of the engine ▸play"), "{game}: {text}");
        let total = if game == "chess" { "White minus Black" } else { "value for White" };
        let row = text.lines().find(|row| row.contains(total)).unwrap();
        let play = row.split(['│', '┃', '█']).find(|part| part.contains(total)).unwrap();
        let play = play.split_whitespace().last().unwrap().trim_start_matches(['+', '-']);
        assert!(text.contains(&format!("{play} for ")), "{game}: {play} {text}");
        // No other value stands beside it, but the weights of searches are named.
        let others = "searches use `default`";
        assert!(!text.contains("default  ") && text.contains(others), "{game}: {text}");
        // Frames of a search have the weights of the search.
        stage.keys("M n").lines(&["step 9"]).keys("esc esc 6 z");
        assert!(stage.text().contains(" ▸default"), "{game}: {}", stage.text());
    }
}

/// On a large screen, each move of a reviewed game has its value, and the graph fills the free rows.
#[test]
fn a_reviewed_game_has_its_values_on_a_large_screen() {
    for (game, moves) in [("chess", "f3 e5 g4 Qh4#"), ("morris", "d7 g1 d6 a1 d5xa1")] {
        let mut stage = Stage::new(200, 60);
        let lines =
            [&format!("game {game}"), &format!("play {moves}"), "review --depth 2", "undo 1"];
        let text = stage.lines(&lines).keys("esc esc esc alt-1").text();
        let values = stage.state().data.get::<PositionReport>().unwrap().marks.clone();
        let first = text.lines().find(|row| row.contains("  1 ")).unwrap();
        for mark in &values[..2] {
            let value = mark.value.map(score).unwrap();
            assert!(first.contains(&value), "{game} {value}: {text}");
        }
        let graph = text.lines().skip_while(|row| !row.contains("White's winning chances"));
        let rows = graph.skip(1).filter(|row| row.contains("███"));
        assert!(rows.count() > 12, "{game}: {text}");
    }
}

/// In a wide pane, the terms have bars, which are as long as their weighted differences.
#[test]
fn the_terms_of_the_evaluation_have_bars_in_a_wide_pane() {
    for (game, moves, term) in
        [("chess", "play e4 d5 exd5", "pawn "), ("morris", "play a1 d6 a4 b4 a7xb4", "mills ")]
    {
        let mut stage = Stage::new(140, 40);
        let text = stage.lines(&[&format!("game {game}"), moves]).keys("esc esc 6 z").text();
        let bar = |name: &str| {
            let row = text.lines().find(|row| row.contains(name)).unwrap();
            row.chars().filter(|sign| *sign == '█').count()
        };
        assert!(bar(term) > 0 && bar("White minus Black") > 0, "{game}: {text}");
        assert!(text.contains("│ White"), "{game}: {text}");
        let narrow =
            Stage::new(80, 24).lines(&[&format!("game {game}"), moves]).keys("esc 6").text();
        assert!(!narrow.contains("│ White"), "{game}: {narrow}");
    }
}

/// On a small screen, the graph of a reviewed game takes precedence over the engine's keys and some of the moves.
#[test]
fn a_reviewed_game_has_its_graph_on_a_small_screen() {
    for (game, play) in [
        (
            "chess",
            "play e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Na5 Bb5 c6 dxc6 bxc6 Qf3 h6 Ne4 Ng4 h3 Nf6 d3",
        ),
        ("morris", "play d7 g1 d6 a1 d5xa1 a4 g4 b4 f4 a7 b6 g7"),
    ] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), play, "review --depth 2"]).keys("esc esc esc 0");
        for key in ["home", "{", "}"] {
            let text = stage.keys(key).text();
            assert!(text.contains("White's winning chances"), "{game} {key}: {text}");
            assert!(text.contains(" move ") && !text.contains("plays no side"), "{game}: {text}");
            assert!(text.contains("50 %"), "{game} {key}: {text}");
        }
    }
}

/// Letters typed in the game's pane begin a move, as on the board, even if other panes use them as keys.
#[test]
fn moves_are_typed_in_the_pane_of_the_game_as_on_the_board() {
    for (game, keys, name) in [("chess", "0 N f 3", "Nf3"), ("morris", "0 d 6", "d6")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc").keys(keys);
        let played = &stage.state().data.get::<PositionReport>().unwrap().played;
        let played: Vec<_> = played.iter().map(ToString::to_string).collect();
        assert_eq!(played, [name], "{}", stage.text());
    }
}

/// The sheet with a failure is gone when the next line runs, whatever becomes of it.
#[test]
fn the_next_line_closes_the_sheet_of_a_failure() {
    for (game, line, why) in [
        ("chess", "play e5", "e5 is not legal"),
        ("morris", "play a1a4", "is not a point of the board"),
    ] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), line]);
        let is_shown = |stage: &Stage| stage.text().contains(why);
        assert!(is_shown(&stage), "{}", stage.text());
        assert!(!is_shown(stage.lines(&["serach run"])), "{}", stage.text());
    }
}

/// At a mistake of a reviewed game, the key that explains shows what the review says of the move played, without a search.
#[test]
fn a_mistake_of_a_game_is_explained() {
    for (game, moves) in [("chess", "play e4 e5 Qh5 Ke7"), ("morris", "play a7 d6 a4 g7 a1xd6 g4")]
    {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "review --depth 3"]);
        stage.keys("esc esc {");
        let (mv, _) = stage.state().data.get::<PositionReport>().unwrap().mistake().unwrap();
        let name = mv.to_string();
        let text = stage.text();
        assert!(text.contains(&format!("played {name}?")) && text.contains("w why"), "{text}");
        stage.keys("w");
        let log = stage.state().log.lines();
        assert!(log.iter().any(|(_, ran)| *ran == "explain mistake"), "{game}: {log:?}");
        assert!(stage.state().data.frames().is_empty(), "{game}: no search");
        let text = stage.text();
        let sheet: Vec<_> = text.lines().filter_map(|line| line.rsplit('│').nth(1)).collect();
        let sheet = sheet.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(sheet.contains(&format!("{name} lets ")), "{game}: {text}");
    }
}

/// After a review, the board shows the first mistake, and the sheet with all of them stays.
#[test]
fn a_review_goes_to_the_first_mistake() {
    for (game, moves) in [("chess", "play e4 e5 Qh5 Ke7"), ("morris", "play a7 d6 a4 g7 a1xd6 g4")]
    {
        for before in ["undo 3", "position show"] {
            let mut stage = Stage::new(140, 40);
            stage.lines(&[&format!("game {game}"), moves, before]).keys("esc esc 1");
            let review = if game == "chess" { "review" } else { "review --depth 3" };
            stage.driver.app.state.run(review);
            // The review, then the way to the mistake.
            stage.driver.settle();
            stage.driver.settle();
            let position = stage.state().data.get::<PositionReport>().unwrap();
            let first = position.marks.iter().find(|mark| mark.is_mistake).unwrap().at;
            let text = stage.text();
            assert_eq!(position.undo + 1, first, "{game}: {text}");
            let how = if game == "chess" { "with 25,000 nodes" } else { "with depth 3" };
            assert!(text.contains("accuracy") && text.contains(how), "{text}");
            assert!(text.contains("} goes to the next mistake"), "{text}");
            stage.keys("esc");
            assert!(stage.text().contains("w why"), "{game}: {}", stage.text());
        }
    }
}

/// Searches have other weights than hints, and may find another move, so their result names the weights.
#[test]
fn the_result_of_a_search_names_its_weights() {
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2"]).keys("esc esc r");
        let words = "Weights `default`; hints (i) and";
        assert!(stage.text().contains(words), "{game}: {}", stage.text());
        stage.keys("esc").lines(&["weights use play"]).keys("esc esc r");
        let text = stage.text();
        assert!(text.contains(" search run ─") && !text.contains("Weights `"), "{game}: {text}");
    }
}

/// The key for marks marks the current event at once, under its number.
#[test]
fn a_key_marks_the_current_event() {
    for (game, _, _) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "step 20"]).keys("esc +");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(said.starts_with("mark at-19: event 19"), "{game}: {said}");
        stage.lines(&["goto start", "goto at-19"]);
        let event = stage.state().data.event().map(|event| event.index);
        assert_eq!(event, Some(19), "{game}: {}", stage.text());
    }
}

/// A message that does not fit in its row also covers another: that of the closed command line, or, where that has none, the first of
/// two rows of keys, or else the lower frame of the panes.
#[test]
fn a_long_message_covers_the_command_line() {
    let text = "a message of many words about a file that is named here at some length: its remedy is the last word";
    for (game, moves, _) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves]).keys("esc esc");
        let rows =
            |stage: &Stage| -> Vec<String> { stage.text().lines().map(str::to_owned).collect() };
        let before = rows(&stage);
        stage.driver.app.state.say("a short message");
        assert_eq!(rows(&stage)[..21], before[..21], "{game}");
        stage.driver.app.state.say(text);
        let after = rows(&stage);
        assert_eq!(after[..21], before[..21], "{game}");
        assert!(after[21].starts_with(" - a message of many"), "{}", stage.text());
        assert!(after[22].starts_with("   ") && after[22].ends_with(" last word"), "{after:?}");
        assert!(after[23].contains("  q quit"), "{game}: {}", stage.text());
        assert!(rows(stage.keys("f5"))[22].contains("  q quit"), "{}", stage.text());
        for size in [(80, 15), (100, 30)] {
            stage.driver.app.state.size = size;
            stage.driver.app.state.say(text);
            let after = rows(&stage);
            assert!(after.iter().any(|row| row.ends_with(" word")), "{game}: {after:?}");
            assert!(after.iter().any(|row| row.starts_with(" - a message")), "{game}: {after:?}");
        }
    }
}

/// A PGN file that cannot be read changes nothing: neither game nor position, and there is nothing to save.
#[test]
fn a_broken_game_file_leaves_the_screen_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.pgn");
    std::fs::write(&file, "[Event \"x\"]\n\n1. e4 e5 2. Nf6 *\n").unwrap();
    for (game, ..) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]);
        stage.driver.app.state.unsaved = false;
        stage.keys("esc esc").lines(&[&format!("open '{}'", file.display())]);
        let text = stage.text();
        let sheet = text.split_once("┌ error ").unwrap().1;
        assert!(sheet.contains(":3:13: move 2:") && sheet.contains("Nf6 is not legal"), "{text}");
        assert_eq!(text.matches("is not legal").count(), 1, "it is said once: {text}");
        assert!(!text.contains("`moves` lists"), "the board has another game: {text}");
        assert!(!text.contains("pgn load") && !text.contains("[+]"), "{text}");
        let position: &PositionReport = stage.state().data.get().unwrap();
        assert_eq!((position.words.is_empty(), position.undo), (false, 0), "{game}");
        assert!(text.contains(&game.to_uppercase()), "{text}");
    }
}
