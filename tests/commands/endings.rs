//! Games ended by their players: in replies, sessions and game files.

use std::fs;

use plyscope::{command::Shell, view};

fn run(shell: &mut Shell, line: &str) -> String {
    let mut last = String::new();
    for outcome in shell.run_line(line) {
        last = match outcome {
            Ok(response) => view::response(&response),
            Err(failure) => failure.fault.to_string(),
        };
    }
    last
}

const GAMES: [(&str, &str); 2] = [("morris", "play d6 f4 d2"), ("chess", "play e4 e5 Nf3")];

#[test]
fn an_end_by_the_players_is_kept_in_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("end.ron");
    for (game, moves) in GAMES {
        for (end, words) in [
            ("game resign", "Black has resigned, so White wins"),
            ("game resign white", "White has resigned, so Black wins"),
        ] {
            let mut shell = Shell::default();
            run(&mut shell, &format!("game {game}; {moves}"));
            let said = run(&mut shell, end);
            assert!(said.contains(words) && said.contains("game over"), "{said}");
            run(&mut shell, &format!("session save {}", file.display()));
            let mut other = Shell::default();
            run(&mut other, &format!("session load {}", file.display()));
            let shown = run(&mut other, "position show");
            assert!(shown.contains(words), "{game}: {shown}");
            assert!(
                run(&mut other, "engine play")
                    .contains("`undo` takes back the resignation or draw")
            );
            let back = run(&mut other, "undo");
            assert!(!back.contains("game over") && back.contains("undo 3"), "{back}");
            assert!(run(&mut other, "undo").contains("undo 2  redo 1"), "{game}");
        }
    }
}

#[test]
fn a_game_file_has_the_result_of_a_resignation() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("end.pgn");
    let mut shell = Shell::default();
    run(&mut shell, "game chess; play e4 e5; game resign white");
    run(&mut shell, &format!("pgn save {}", file.display()));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("[Result \"0-1\"]") && text.ends_with("1. e4 e5 0-1\n"), "{text}");
    run(&mut shell, "undo");
    assert!(run(&mut shell, "game tags").contains('*'), "the game goes on");
    // A game of a file that is given up then has the new result there.
    run(&mut shell, &format!("pgn load {}; redo 2; game resign black", file.display()));
    run(&mut shell, &format!("pgn save {}", file.display()));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("[Result \"1-0\"]") && text.ends_with("1. e4 e5 1-0\n"), "{text}");
}

/// The end of the game at an earlier position would drop the moves after it.
#[test]
fn a_game_ends_only_after_its_last_move() {
    for (game, moves) in [("morris", "d6 f4 d2 b4"), ("chess", "e4 e5 Nf3 Nc6")] {
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; play {moves}; undo 2"));
        for line in ["game resign", "game draw --agreed", "game draw"] {
            let fault = run(&mut shell, line);
            let said = "the game goes on: 2 moves after this position; `redo 2` goes to its end";
            assert!(fault.contains(said), "{game} {line}: {fault}");
        }
        assert!(run(&mut shell, "redo 2; game resign; undo 3").contains("redo 2"), "{game}");
        run(&mut shell, "variation delete 1");
        assert!(run(&mut shell, "game resign").contains("resigned"), "{game}");
    }
}

#[test]
fn a_draw_is_accepted_by_the_value() {
    for (game, set) in [
        ("morris", "position set ww.w..w./..w...../b.bb.... w 0 0"),
        ("chess", "position set 4k3/8/8/8/8/8/QR6/4K3 w - - 0 1"),
    ] {
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; {set}"));
        let said = run(&mut shell, "game draw black --depth 2");
        assert!(
            said.starts_with("White declines the draw: its search of 2 plies finds "),
            "{said}"
        );
        let said = run(&mut shell, "game draw white --depth 2");
        assert!(said.starts_with("Black accepts the draw: its search of 2 plies finds "), "{said}");
        assert!(run(&mut shell, "game draw").contains("the game is over: a draw by agreement"));
        assert!(run(&mut shell, "game claim").contains("the game is over"));
    }
    let mut shell = Shell::default();
    let said = run(&mut shell, "game chess; game claim");
    assert!(said.contains("the rules of the game end drawn games by themselves"), "{said}");
}
