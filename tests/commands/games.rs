//! Chess games in PGN, saved and loaded by commands.

use std::fs;

use plyscope::{
    command::{Failure, Shell},
    engine::report::Report,
    view,
};

fn run(shell: &mut Shell, line: &str) -> Result<String, Box<Failure>> {
    let mut last = String::new();
    for outcome in shell.run_line(line) {
        last = view::reply(&outcome?);
    }
    Ok(last)
}

/// The position in its notation.
fn state(shell: &mut Shell) -> String {
    let shown = run(shell, "position show").unwrap();
    shown
        .lines()
        .find(|line| line.contains('/'))
        .unwrap()
        .to_owned()
}

/// A chess player who has castled, taken en passant and promoted.
const MOVES: &str = "play e4 Nf6 e5 d5 exd6 e6 dxc7 Be7 Nf3 O-O cxb8=Q";

#[test]
fn a_game_is_saved_and_walked_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    run(&mut shell, MOVES).unwrap();
    let end = state(&mut shell);
    let said = run(&mut shell, &format!("pgn save {}", path.display())).unwrap();
    assert!(said.contains("11 moves"), "{said}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("3. exd6 e6 4. dxc7 Be7 5. Nf3 O-O 6. cxb8=Q"),
        "{text}"
    );

    let mut other = Shell::default();
    run(&mut other, "game chess").unwrap();
    let start = state(&mut other);
    run(&mut other, &format!("pgn load {}", path.display())).unwrap();
    assert_eq!(state(&mut other), start);
    for _ in 0..11 {
        run(&mut other, "redo").unwrap();
    }
    assert_eq!(state(&mut other), end);
    assert!(run(&mut other, "redo").is_err());
}

#[test]
fn what_cannot_be_read_or_written_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.pgn");
    fs::write(&path, "[Event \"?\"]\n\n1. e4 e5\n2. Ke3 *\n").unwrap();
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    run(&mut shell, "play d4").unwrap();
    let before = state(&mut shell);
    let failure = run(&mut shell, &format!("pgn load {}", path.display())).unwrap_err();
    let said = failure.fault.to_string();
    assert!(
        said.contains("bad.pgn:4:4") && said.contains("Ke3 is not legal"),
        "{said}"
    );
    for line in ["pgn load no/such.pgn", "pgn save no/such/folder.pgn"] {
        let failure = run(&mut shell, line).unwrap_err();
        assert!(
            failure.fault.to_string().contains("no/such"),
            "{}",
            failure.fault
        );
    }
    assert_eq!(state(&mut shell), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn other_games_have_no_such_notation() {
    let mut shell = Shell::default();
    let failure = run(&mut shell, "pgn save game.pgn").unwrap_err();
    assert!(
        failure
            .fault
            .to_string()
            .starts_with("morris has no file format"),
        "{}",
        failure.fault
    );
}

#[test]
fn a_program_reads_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    run(&mut shell, "play e4").unwrap();
    let path = folder.path().join("one.pgn");
    let outcomes = shell.run_line(&format!("pgn save {}", path.display()));
    let Some(Ok(reply)) = outcomes.into_iter().next() else {
        panic!("nothing was saved");
    };
    let Report::GameFile(file) = &*reply.report else {
        panic!("{reply:?}");
    };
    assert_eq!((file.action, file.moves), ("saved", 1));
}
