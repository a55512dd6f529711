//! Chess games in PGN, saved and loaded by commands.

use std::fs;

use plyscope::{
    command::{Failure, Shell},
    engine::session::reply::PlainReply,
    view,
};

fn run(shell: &mut Shell, line: &str) -> Result<String, Box<Failure>> {
    let mut last = String::new();
    for outcome in shell.run_line(line) {
        last = view::response(&outcome?);
    }
    Ok(last)
}

fn state(shell: &mut Shell) -> String {
    let shown = run(shell, "position show").unwrap();
    shown.lines().find(|line| line.contains('/')).unwrap().to_owned()
}

/// A game in which a side has castled, captured en passant and promoted.
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
    assert!(text.contains("3. exd6 e6 4. dxc7 Be7 5. Nf3 O-O 6. cxb8=Q"), "{text}");

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
fn files_that_cannot_be_read_or_written_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.pgn");
    fs::write(&path, "[Event \"?\"]\n\n1. e4 e5\n2. Ke3 *\n").unwrap();
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    run(&mut shell, "play d4").unwrap();
    let before = state(&mut shell);
    let failure = run(&mut shell, &format!("pgn load {}", path.display())).unwrap_err();
    let said = failure.fault.to_string();
    assert!(said.contains("bad.pgn:4:4") && said.contains("Ke3 is not legal"), "{said}");
    for line in ["pgn load no/such.pgn", "pgn save no/such/folder.pgn"] {
        let failure = run(&mut shell, line).unwrap_err();
        assert!(failure.fault.to_string().contains("no/such"), "{}", failure.fault);
    }
    assert_eq!(state(&mut shell), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn other_games_have_no_such_notation() {
    let mut shell = Shell::default();
    let failure = run(&mut shell, "pgn save game.pgn").unwrap_err();
    assert!(
        failure.fault.to_string().starts_with("morris has no file format"),
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
    let Some(Ok(response)) = outcomes.into_iter().next() else {
        panic!("nothing was saved");
    };
    let Some(PlainReply { fields, .. }) = response.reply.downcast_ref() else {
        panic!("{response:?}");
    };
    assert_eq!((&fields["action"], &fields["moves"]), (&"saved".into(), &1.into()));
}

const VICTIM: &str = r#"[Event "Opera"]
[White "Morphy"]
[Result "1-0"]

1. e4 {best} e5 2. Nf3! d6 (2... Nc6) 3. d4 $6 1-0

[Event "Two"]

1. d4 d5 *
"#;

#[test]
fn parts_of_a_file_left_out_are_noted_and_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("victim.pgn");
    fs::write(&path, VICTIM).unwrap();
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    let said = run(&mut shell, &format!("pgn load {}", path.display())).unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let left_out =
        "1 further game, 1 comment, 1 variation, 2 annotations, the tags Event Result White";
    assert!(said.contains(&format!("left out: {left_out}")), "{said}");
    assert!(said.contains("5 moves"), "{said}");

    let save = format!("pgn save {}", path.display());
    let failure = run(&mut shell, &save).unwrap_err();
    let message = &failure.fault.message;
    let lost = "would lose 1 further game, 1 game's moves, 1 comment";
    assert!(message.contains(lost), "{message}");
    assert_eq!(failure.fault.hint.as_deref(), Some("give another name"));
    assert_eq!(fs::read_to_string(&path).unwrap(), VICTIM);

    let said = run(&mut shell, &format!("match load {}", path.display())).unwrap();
    assert!(said.contains("2 games") && said.contains("left out: 1 comment"), "{said}");
    let failure = run(&mut shell, &format!("match save {}", path.display())).unwrap_err();
    assert!(failure.fault.message.contains("1 variation"), "{}", failure.fault);
    assert_eq!(fs::read_to_string(&path).unwrap(), VICTIM);
}

/// A search belongs to the position it was begun in: commands that change it say that the search is dropped.
#[test]
fn a_paused_search_is_dropped_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    fs::write(&path, "1. e4 e5 *").unwrap();
    let load = format!("pgn load {}", path.display());
    for (game, line) in
        [("morris", "play d6 f4"), ("chess", "play e4 e5"), ("chess", load.as_str())]
    {
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; step 5")).unwrap();
        let said = run(&mut shell, line).unwrap();
        assert!(said.contains("the search under way was dropped"), "{said}");
        assert!(run(&mut shell, "where").is_err());
    }
}

/// A line with an illegal move plays nothing, and a paused search stays.
#[test]
fn a_line_with_a_wrong_move_changes_nothing() {
    for (game, line) in [("morris", "play a7 z9"), ("chess", "play e4 e5 Ke3")] {
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; step 5")).unwrap();
        let before = (run(&mut shell, "where").unwrap(), run(&mut shell, "show").unwrap());
        assert!(run(&mut shell, line).is_err());
        let after = (run(&mut shell, "where").unwrap(), run(&mut shell, "show").unwrap());
        assert_eq!(before, after);
    }
}

/// Everything in a file besides a game's moves keeps it from being overwritten, and nothing else does.
#[test]
fn a_file_is_overwritten_where_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let save = format!("pgn save {}", path.display());
    let mut shell = Shell::default();
    run(&mut shell, "game chess").unwrap();
    run(&mut shell, "play e4 e5 Nf3").unwrap();
    for (old, lost) in [
        ("", None),
        (" \n", None),
        ("1. e4 e5 *", None),
        ("1. e2e4 e7e5 2. g1f3", None),
        ("[Event \"?\"]\n[Date \"????.??.??\"]\n\n1. e4 *", None),
        ("1. e4 e5 2. Nf3 Nc6 *", Some("1 game's moves")),
        ("1. d4 *", Some("1 game's moves")),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*", Some("1 game's moves")),
        ("1. e4 1-0", Some("the tags Result")),
        ("[White \"me\"]\n\n1. e4 *", Some("the tags White")),
        ("1. e4 ; mine\n*", Some("1 comment")),
        ("% mine\n1. e4 *", Some("1 comment")),
        ("1. e4 * {mine}", Some("1 comment")),
        ("1. e4? $1 *", Some("2 annotations")),
        ("1. e4 (1. d4) (1. c4) *", Some("2 variations")),
        ("1. e4 * 1. d4 * 1. c4 *", Some("2 further games")),
        ("1. e4 {mine", Some("text that cannot be read")),
        ("a letter", Some("1 game's moves")),
    ] {
        fs::write(&path, old).unwrap();
        match (run(&mut shell, &save), lost) {
            (Ok(_), None) => {}
            (Err(failure), Some(lost)) => {
                let message = failure.fault.message;
                assert!(message.ends_with(&format!("would lose {lost}")), "{old}: {message}");
                assert_eq!(fs::read_to_string(&path).unwrap(), old);
            }
            (outcome, _) => panic!("{old}: {outcome:?}"),
        }
    }
}
