//! Chess games in PGN, saved and loaded by commands.

use std::{
    fs,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

use plyscope::{
    command::{Failure, Shell},
    text::layout::on_page,
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
    assert!(said.contains("11 plies"), "{said}");
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
fn games_of_morris_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let mut shell = shell_without_times("morris");
    run(&mut shell, "play \"1. d6 f4 2. d7 {a line of three} c4 3. d5xf4 (3. a7 $2) a1\"").unwrap();
    run(&mut shell, &format!("pgn save {}", path.display())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Variant \"Nine Men's Morris\"]"), "{text}");
    let moves = "1. d6 f4 2. d7 {a line of three} 2... c4 3. d5xf4 (3. a7 $2) 3... a1 *";
    assert!(text.ends_with(&format!("\n\n{moves}\n")), "{text}");
    let end = state(&mut shell);
    let mut other = Shell::default();
    run(&mut other, &format!("open {}; redo 6", path.display())).unwrap();
    assert_eq!(state(&mut other), end);
    // The points by their numbers, row by row, and other rules than those in force.
    fs::write(&path, "1. 5 14 2. 2 12 3. 8x14 22\n").unwrap();
    run(&mut other, &format!("pgn load {}; redo 6", path.display())).unwrap();
    assert_eq!(state(&mut other), end);
    fs::write(&path, text.replace("\n\n1.", "\n[Rules \"flying=off\"]\n\n1.")).unwrap();
    let failure = run(&mut other, &format!("pgn load {}", path.display())).unwrap_err();
    assert_eq!(failure.fault.hint.as_deref(), Some("set the rules first: `rules set flying=off`"));
    let failure = run(&mut other, &format!("game chess; pgn load {}", path.display())).unwrap_err();
    assert!(failure.fault.message.contains("this is a game of Nine Men's Morris"));
}

/// `pgn load` starts the game of the file as `open` does; a file that neither game can read changes nothing.
#[test]
fn a_file_of_the_other_game_starts_that_game() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves, other) in [("chess", "e4 c5 Nf3", "morris"), ("morris", "d6 f4 d2", "chess")]
    {
        let path = folder.path().join(format!("{game}.pgn"));
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; play {moves}; pgn save {}", path.display()))
            .unwrap();
        run(&mut shell, &format!("game {other}; pgn load {}; redo 3", path.display())).unwrap();
        let mut opened = Shell::default();
        run(&mut opened, &format!("game {other}; open {}; redo 3", path.display())).unwrap();
        assert_eq!(shell.session().game(), game);
        assert_eq!(state(&mut shell), state(&mut opened), "{game}");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("2. ", "2. Zz9 ")).unwrap();
        run(&mut shell, &format!("game {other}")).unwrap();
        run(&mut shell, &format!("pgn load {}", path.display())).unwrap_err();
        assert_eq!(shell.session().game(), other);
    }
}

#[test]
fn a_log_of_the_seeds_is_opened_as_games() {
    let folder = tempfile::tempdir().unwrap();
    let [log, path] = ["round.txt", "round.pgn"].map(|name| folder.path().join(name));
    let empty = "(' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ')";
    let first = empty.replacen("' '", "'w'", 1);
    fs::write(
        &log,
        format!(
            "Match 1\nWhite: ab-25\nBlack: ab-5\n((9, 9), ({empty}, {empty}, {empty}))\n\
             ((8, 9), ({first}, {empty}, {empty}))\nWinner: w\nReason: A player won the match\n"
        ),
    )
    .unwrap();
    let mut shell = Shell::default();
    let loaded = run(&mut shell, &format!("pgn load {}; redo", log.display())).unwrap();
    assert!(loaded.contains("last move a7"), "{loaded}");
    run(&mut shell, &format!("pgn save {}", path.display())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[White \"ab-25\"]") && text.ends_with("1. a7 1-0\n"), "{text}");
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
    let fields = serde_json::to_value(&*response.reply).unwrap();
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
fn a_file_keeps_what_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("victim.pgn");
    fs::write(&path, VICTIM).unwrap();
    let mut shell = shell_without_times("chess");
    let said = run(&mut shell, &format!("pgn load {}", path.display())).unwrap();
    assert!(said.contains("5 plies") && said.contains("the file has 2 games"), "{said}");
    // Another move than the game's begins a variation.
    run(&mut shell, "redo; play c5; comment sharper").unwrap();
    let save = format!("pgn save {}", path.display());
    run(&mut shell, &save).unwrap();
    let (head, tail) = VICTIM.split_once("1. e4").unwrap();
    let (_, second) = tail.split_once("[Event \"Two\"]").unwrap();
    let moves = "1. e4 {best} 1... e5 (1... c5 {sharper}) 2. Nf3 $1 d6 (2... Nc6) 3. d4 $6 1-0\n\n";
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, format!("{head}{moves}[Event \"Two\"]{second}"));
    // The games of the file can be changed one after the other, and are saved together.
    run(&mut shell, "variation leave; redo; nag !").unwrap();
    run(&mut shell, "games open 2 1; play Nf6").unwrap();
    run(&mut shell, &save).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("1... e5 $1 (1... c5 {sharper})"), "{text}");
    assert!(text.ends_with("[Event \"Two\"]\n\n1. d4 d5 (1... Nf6) *\n"), "{text}");
    // Another file is not replaced if it has more.
    let other = folder.path().join("other.pgn");
    fs::write(&other, VICTIM.replace("best", "mine")).unwrap();
    let failure = run(&mut shell, &format!("pgn save {}", other.display())).unwrap_err();
    assert!(failure.fault.message.ends_with("would lose 1 comment"), "{}", failure.fault);
    let failure = run(&mut shell, &format!("pgn save {} --alone", other.display())).unwrap_err();
    assert!(failure.fault.message.contains("would lose 1 further game"), "{}", failure.fault);

    let said = run(&mut shell, &format!("match load {}", path.display())).unwrap();
    assert!(said.contains("2 games") && said.contains("left out: 2 comments"), "{said}");
    let failure = run(&mut shell, &format!("match save {}", path.display())).unwrap_err();
    assert!(failure.fault.message.contains("3 variations"), "{}", failure.fault);
}

#[test]
fn variations_are_walked_promoted_and_deleted() {
    for (game, moves) in [
        ("chess", ["e4", "e5", "Nf3", "c5", "d4", "e6"]),
        ("morris", ["d6", "f4", "d7", "b4", "a7", "g7"]),
    ] {
        let [first, reply, third, other, after, last] = moves;
        let mut shell = shell_without_times(game);
        run(&mut shell, &format!("play {first} {reply} {third}; undo 2; play {other} {after}"))
            .unwrap();
        let shown = run(&mut shell, "show").unwrap();
        assert!(shown.contains("in a variation"), "{game}: {shown}");
        let listed = |shell: &mut Shell| -> Vec<String> {
            let shown = run(shell, "variation --json").unwrap();
            let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
            let lines = shown["variations"].as_array().unwrap();
            lines.iter().map(|line| line["text"].as_str().unwrap().to_owned()).collect()
        };
        run(&mut shell, "undo 2").unwrap();
        let main = format!("1... {reply} 2. {third}");
        let variation = format!("1... {other} 2. {after}");
        assert_eq!(listed(&mut shell), [main.clone(), variation.clone()], "{game}");
        // A third line, which is deleted again; a move that is there already enters its line.
        run(&mut shell, &format!("play {last}; variation delete")).unwrap();
        assert_eq!(listed(&mut shell).len(), 2, "{game}");
        run(&mut shell, &format!("play {other}; promote; variation")).unwrap();
        assert!(run(&mut shell, "promote").is_err(), "{game}: it is the main line now");
        run(&mut shell, "undo").unwrap();
        assert_eq!(listed(&mut shell), [variation, main.clone()], "{game}");
        run(&mut shell, "variation enter 2; redo; variation leave; variation delete 1").unwrap();
        assert_eq!(listed(&mut shell), [main], "{game}");
        run(&mut shell, "redo 2").unwrap();
        assert!(run(&mut shell, "variation leave").is_err(), "{game}");
        let failure = run(&mut shell, "variation enter 1").unwrap_err();
        assert!(failure.fault.message.contains("no variation 1 begins here"), "{}", failure.fault);
    }
}

#[test]
fn sessions_keep_variations_and_comments() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.ron");
    let mut shell = shell_without_times("chess");
    let pasted = "play \"1. e4! {[%clk 0:01:00] king's pawn} e5 (1... c5 {Sicilian (1... e6 2. d4) ) 2. Nf3 *\"";
    assert!(run(&mut shell, pasted).is_err(), "the comment is not closed");
    let pasted = "play \"1. e4! {[%clk 0:01:00] king's pawn} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3)) 2. Nf3 *\"";
    run(&mut shell, pasted).unwrap();
    run(&mut shell, "undo 2; comment still the king's pawn; variation enter 2").unwrap();
    let path = folder.path().join("game.pgn");
    run(&mut shell, &format!("pgn save {}", path.display())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let wanted = "1. e4 $1 {[%clk 0:01:00] still the king's pawn} 1... e5 (1... c5 {Sicilian}";
    assert!(text.replace('\n', " ").contains(wanted), "{text}");
    run(&mut shell, &format!("session save {}", file.display())).unwrap();
    let mut other = Shell::default();
    run(&mut other, &format!("session load {}", file.display())).unwrap();
    for line in ["show", "variation", "undo", "variation", "comment", "redo"] {
        let [one, two] = [&mut shell, &mut other].map(|shell| run(shell, line).unwrap());
        assert_eq!(one, two, "{line}");
    }
}

#[test]
fn damaged_games_are_left_out_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("season.pgn");
    let games = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n\
        [White \"Anna\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. c4 {[%eval 1.5]} c5 1-0\n\n\
        [Event \"open comment\"]\n\n1. d4 {never closed\n\n\
        [Event \"last\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 {[%eval #-3]} 0-1\n";
    fs::write(&path, games).unwrap();
    let mut shell = shell_without_times("chess");
    let said = run(&mut shell, &format!("pgn load {}", path.display())).unwrap();
    assert!(said.contains("the file has 4 games"), "{said}");
    // The note is wrapped where the name of the folder lets it.
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("season.pgn:4:13: move 2: Ke3 is not legal"), "{said}");
    let shown = run(&mut shell, "games --json").unwrap();
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["total"], 4);
    let damage = shown["games"][2]["damage"].as_str().unwrap();
    assert!(damage.ends_with("season.pgn:14:7: the comment is not closed"), "{damage}");
    assert_eq!(shown["games"][3]["plies"], 3);
    for (filter, wanted) in [
        ("--player anna", vec![2]),
        ("--result 1-0", vec![1, 2]),
        ("--value 1", vec![2]),
        ("--value -3", vec![4]),
        ("--moves \"1. e4 c5\"", vec![4]),
        ("--position \"rnbqkbnr/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2\"", vec![2]),
        ("--from 2 --limit 1", vec![2]),
    ] {
        let shown = run(&mut shell, &format!("games {filter} --json")).unwrap();
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let found: Vec<_> = shown["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["game"].as_u64().unwrap())
            .collect();
        assert_eq!(found, wanted, "{filter}");
    }
    let failure = run(&mut shell, "games open 1").unwrap_err();
    assert!(failure.fault.message.contains("season.pgn:4:13"), "{}", failure.fault);
    let failure = run(&mut shell, "games open 4 9").unwrap_err();
    assert!(failure.fault.message.contains("ends before ply 9"), "{}", failure.fault);
    assert!(run(&mut shell, "games open 4 3").unwrap().contains("last move Nf3"));
    fs::write(&path, "changed").unwrap();
    let failure = run(&mut shell, "games open 2").unwrap_err();
    assert!(failure.fault.message.contains("has changed since"), "{}", failure.fault);
}

#[test]
fn a_large_file_of_garbage_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("garbage.pgn");
    let line = "lorem ipsum dolor sit amet [ consectetur ] * \u{1} (\n";
    fs::write(&path, line.repeat(40_000)).unwrap();
    let mut shell = shell_without_times("chess");
    let failure = run(&mut shell, &format!("pgn load {}", path.display())).unwrap_err();
    assert!(failure.fault.message.contains("garbage.pgn:1:1: move 1"), "{}", failure.fault);
    let unending = format!("[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {{{}", "x".repeat(18 << 20));
    fs::write(&path, unending).unwrap();
    let failure = run(&mut shell, &format!("pgn load {}", path.display())).unwrap_err();
    assert!(failure.fault.message.contains("garbage.pgn:1: no game ends"), "{}", failure.fault);
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

/// The lines of a PGN file that name a tag.
fn tags(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('[')).collect()
}

fn shell_without_times(game: &str) -> Shell {
    let mut shell = Shell::default();
    shell.times = false;
    run(&mut shell, &format!("game {game}")).unwrap();
    shell
}

#[test]
fn games_name_their_players() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let save = format!("pgn save {}", path.display());
    let mut shell = shell_without_times("chess");
    run(&mut shell, "engine level 1; play e4").unwrap();
    run(&mut shell, &save).unwrap();
    let wanted = |black: &str| {
        let black = format!("[Black \"{black}\"]");
        ["[Event \"Casual game\"]", "[Site \"?\"]", "[Date \"????.??.??\"]", "[Round \"?\"]"]
            .map(str::to_owned)
            .into_iter()
            .chain(["[White \"you\"]".to_owned(), black, "[Result \"*\"]".to_owned()])
            .collect::<Vec<_>>()
    };
    assert_eq!(tags(&fs::read_to_string(&path).unwrap()), wanted("?"));
    // A player that was unknown before is no loss, nor is one more player.
    run(&mut shell, "engine play").unwrap();
    run(&mut shell, &save).unwrap();
    assert_eq!(tags(&fs::read_to_string(&path).unwrap()), wanted("plyscope, level 1"));
    run(&mut shell, "play Nf3; engine play --depth 1").unwrap();
    run(&mut shell, &save).unwrap();
    let both = "plyscope, level 1 and plyscope";
    assert_eq!(tags(&fs::read_to_string(&path).unwrap()), wanted(both));
    // A new game has players of its own, and is not written over the file of the former one.
    run(&mut shell, "position start; engine play --depth 1; play e5").unwrap();
    assert!(run(&mut shell, &save).unwrap_err().fault.message.contains("would lose"));
    let shown = run(&mut shell, "game tags --json").unwrap();
    assert!(shown.contains(r#""White":"plyscope","Black":"you","Result":"*""#), "{shown}");
    run(&mut shell, "undo 3").unwrap();
    let shown = run(&mut shell, "game tags").unwrap();
    assert!(shown.contains(both), "the former game has its players back: {shown}");
}

#[test]
fn the_result_is_the_same_in_tag_and_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let save = format!("pgn save {}", path.display());
    let mut shell = shell_without_times("chess");
    run(&mut shell, "play f3 e5 g4 Qh4#").unwrap();
    run(&mut shell, &save).unwrap();
    let mated = fs::read_to_string(&path).unwrap();
    assert!(mated.contains("[Result \"0-1\"]") && mated.ends_with("Qh4# 0-1\n"), "{mated}");
}

#[test]
fn tags_of_a_file_stay_with_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old.pgn", "new.pgn"].map(|name| folder.path().join(name));
    let text = "[Event \"Opera\"]\n[Site \"Paris\"]\n[Date \"1858.??.??\"]\n[Round \"?\"]\n\
        [White \"Morphy \\\"Paul\\\"\"]\n[Black \"Duke\"]\n[Result \"1-0\"]\n[ECO \"C41\"]\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1-0\n";
    fs::write(&old, text).unwrap();
    let mut shell = Shell::default();
    run(&mut shell, &format!("game chess; pgn load {}", old.display())).unwrap();
    let save = format!("pgn save {}", new.display());
    run(&mut shell, &format!("redo; play Kf7; {save}")).unwrap();
    let part = fs::read_to_string(&new).unwrap();
    assert!(part.ends_with("1. e4 Kd7 (1... Kf7) 1-0\n"), "{part}");
    fs::remove_file(&new).unwrap();
    run(&mut shell, &format!("pgn load {}; redo 2; {save}", old.display())).unwrap();
    assert_eq!(fs::read_to_string(&new).unwrap(), text, "byte for byte");
    let session = folder.path().join("s.ron");
    run(&mut shell, &format!("session save {}", session.display())).unwrap();
    let mut other = Shell::default();
    let loaded = run(&mut other, &format!("session load {}", session.display())).unwrap();
    assert!(loaded.contains("Morphy \"Paul\" - Duke 1-0"), "{loaded}");
    run(&mut other, &save).unwrap();
    assert_eq!(fs::read_to_string(&new).unwrap(), text);
    // The result of the file does not hold for other moves.
    run(&mut other, "undo; play Kd8; promote").unwrap();
    let shown = run(&mut other, "game tags --json").unwrap();
    assert!(shown.contains(r#""Black":"Duke","Result":"*","ECO":"C41""#), "{shown}");
}

#[test]
fn sessions_keep_players_date_and_tags() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.ron");
    let save = format!("session save {}", file.display());
    let load = format!("session load {}", file.display());
    for (game, mv) in [("morris", "d6"), ("chess", "e4")] {
        let mut shell = Shell::default();
        let line =
            format!("game {game}; engine level 2; play {mv}; engine play; game tags Event=Cup");
        run(&mut shell, &line).unwrap();
        let shown = run(&mut shell, "game tags").unwrap();
        let date = shown.lines().find(|line| line.starts_with("Date")).unwrap();
        let day = date.trim_start_matches("Date").trim();
        let is_day = day.len() == 10 && day.replace('.', "").parse::<u32>().is_ok();
        assert!(is_day && day > "2020.", "{game}: {shown}");
        assert!(shown.contains("plyscope, level 2") && shown.contains("Cup"), "{game}: {shown}");
        run(&mut shell, &save).unwrap();
        let mut other = Shell::default();
        let loaded = run(&mut other, &load).unwrap();
        assert!(loaded.contains("game you - plyscope, level 2"), "{game}: {loaded}");
        assert_eq!(run(&mut other, "game tags").unwrap(), shown, "{game}");
        // Without times, the date that differs from run to run is left out.
        shell.times = false;
        run(&mut shell, &save).unwrap();
        assert!(!fs::read_to_string(&file).unwrap().contains(day), "{game}");
        run(&mut shell, "game tags Date=2020.02.29").unwrap();
        assert!(run(&mut shell, "game tags").unwrap().contains("2020.02.29"), "{game}");
        run(&mut shell, "game tags Date=auto Event=auto").unwrap();
        let shown = run(&mut shell, "game tags").unwrap();
        assert!(!shown.contains("Date") && shown.contains("Casual game"), "{game}: {shown}");
        for (wrong, why) in [("Result=1-0", "follows from the moves"), ("a-b=c", "cannot be a tag")]
        {
            let failure = run(&mut shell, &format!("game tags {wrong}")).unwrap_err();
            assert!(failure.fault.message.contains(why), "{game}: {}", failure.fault);
        }
    }
}

#[test]
fn an_opened_game_has_the_players_of_its_tournament() {
    for (game, plies) in [("morris", 5), ("chess", 4)] {
        let mut shell = shell_without_times(game);
        let line = format!(
            "match run \"ann: depth=1\" \"bob: depth=1\" --draws max_turns={plies}; match open 1 2"
        );
        run(&mut shell, &line).unwrap();
        let shown = run(&mut shell, "game tags --json").unwrap();
        assert!(shown.contains(r#""White":"ann","Black":"bob""#), "{game}: {shown}");
        let drawn = r#""Result":"1/2-1/2","Termination":"maximum of turns"}"#;
        assert!(shown.contains(drawn), "{game}: {shown}");
    }
}

#[test]
fn a_file_that_is_not_changed_is_written_as_it_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let (read, written) = (folder.path().join("read.pgn"), folder.path().join("written.pgn"));
    let games = "[Event \"Caf\u{e9}\"]\r\n[White \"Anna\"]\r\n\r\n1. e4 {best by test} e5 (1... c5 2. Nf3) $1 2. Nf3 1-0\r\n\r\n[Event \"next\"]\r\n\r\n1. d4 *\r\n";
    let latin_1: Vec<u8> = games.chars().map(|sign| u8::try_from(sign).unwrap()).collect();
    let marked = format!("\u{feff}{games}").into_bytes();
    for bytes in [games.as_bytes().to_vec(), latin_1, marked] {
        fs::write(&read, &bytes).unwrap();
        let (load, save) =
            (format!("pgn load {}", read.display()), format!("pgn save {}", written.display()));
        for walked in ["key", "redo", "redo 3", "redo 3; undo 2"] {
            let mut shell = Shell::default();
            run(&mut shell, &format!("game chess; {load}; {walked}; {save}")).unwrap();
            assert!(fs::read(&written).unwrap() == bytes, "{walked}");
            fs::remove_file(&written).unwrap();
        }
        for changed in ["redo; play d5", "game tags White=Berta"] {
            let mut shell = Shell::default();
            run(&mut shell, &format!("game chess; {load}; {changed}; {save}")).unwrap();
            let written_bytes = fs::read(&written).unwrap();
            let text: String = match String::from_utf8(written_bytes) {
                Ok(text) => text,
                Err(latin_1) => latin_1.into_bytes().into_iter().map(char::from).collect(),
            };
            assert!(text.contains("1. e4 {best by test} 1... e5 $1 (1... c5 2. Nf3)"), "{text}");
            assert!(text.contains("Caf\u{e9}") && text.ends_with("1. d4 *\r\n"), "{text}");
            fs::remove_file(&written).unwrap();
        }
    }
}

fn json(shell: &mut Shell, line: &str) -> serde_json::Value {
    serde_json::from_str(&run(shell, &format!("{line} --json")).unwrap()).unwrap()
}

#[test]
fn a_review_names_the_blunder_and_what_refutes_it() {
    let mut shell = shell_without_times("chess");
    run(&mut shell, "play f3 e5 g4 Qh4#").unwrap();
    let review = json(&mut shell, "review --depth 2");
    assert_eq!(review["interrupted"], false);
    let moves = review["moves"].as_array().unwrap();
    let blunder = &moves[2];
    assert_eq!((&blunder["san"], &blunder["mark"]), (&"g4".into(), &"blunder".into()));
    assert_eq!(blunder["refutation"][0], "d8h4");
    assert_eq!((&blunder["best"], &review["search"]), (&blunder["better"][0], &"depth 2".into()));
    let words = blunder["words"].as_str().unwrap();
    assert!(words.starts_with("g4 lets White's winning chances fall from"), "{words}");
    assert!(words.contains("the reply is Qh4#. Better was"), "{words}");
    assert!(moves[3]["mark"].is_null());
    let [white, black] = [0, 1].map(|side| review["accuracy"][side].as_f64().unwrap());
    assert!(white < 60.0 && black > 95.0, "{white} {black}");
    // The better line is a variation now, and the values are in the comments.
    run(&mut shell, "undo 2").unwrap();
    let lines = json(&mut shell, "variation");
    assert_eq!(lines["variations"].as_array().unwrap().len(), 2);
    let text = lines["variations"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("2. g4 $4 {[%eval #-1] g4 lets White's"), "{text}");
    assert!(text.ends_with("2... Qh4# {[%eval #-0]}"), "{text}");
    // Another review of the same game adds nothing.
    let whole = json(&mut shell, "variation");
    run(&mut shell, "review --depth 2").unwrap();
    assert_eq!(json(&mut shell, "variation"), whole);
}

/// The values of a review do not contradict each other: each move is judged by the values before and after it, a position is worth
/// at least what the played move leads to, and a proven win stays one.
/// Two lines of moves side by side are separated by at least two blanks, or the second is left out.
#[test]
fn lines_of_moves_in_a_narrow_review_do_not_run_together() {
    let mut shell = shell_without_times("chess");
    run(&mut shell, "play f3 e5 g4 Qh4#").unwrap();
    for (columns, head) in [(41, "  better"), (60, "  refuted by"), (100, "  refuted by")] {
        let text = on_page(columns, || run(&mut shell, "review --depth 2").unwrap());
        let heading = text.lines().find(|line| line.starts_with("move ")).unwrap();
        assert!(heading.ends_with(head), "{columns}: {text}");
        assert!(text.lines().all(|line| !line.contains('…')), "{columns}: {text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("the reply is Qh4#"), "{columns}: {text}");
    }
}

#[test]
fn the_values_of_a_review_agree() {
    let mut falls = 0;
    for (game, moves) in [
        (
            "chess",
            "e4 e5 Nf3 f6 Nxe5 fxe5 Qh5+ Ke7 Qxe5+ Kf7 Bc4+ d5 Bxd5+ Kg6 h4 h5 Bxb7 Bxb7 Qf5+ Kh6",
        ),
        ("morris", "d6 f4 d2 b4 a7 g7 a1 g1 a4xg7 g7 e4 c4 d7 d5"),
    ] {
        let mut shell = shell_without_times(game);
        run(&mut shell, &format!("play {moves}")).unwrap();
        let review = json(&mut shell, "review --depth 2");
        let moves = review["moves"].as_array().unwrap();
        for mv in moves {
            let loss = mv["loss"].as_f64().unwrap();
            assert_eq!(mv["mark"].is_null(), loss < 5.0, "{game}: {mv}");
            let [before, after] = ["before", "value"].map(|name| mv[name].as_f64().unwrap());
            let gain = if mv["side"] == "w" { after - before } else { before - after };
            // A mate is a ply nearer after the move.
            assert!(gain <= 1.0, "{game}: {mv}");
            falls += u32::from(gain < 0.0 && loss == 0.0);
        }
        // The last move of the chess game is the only one. Its own search ends at once, so its value says nothing.
        let last = &moves[moves.len() - 1];
        assert!(game == "morris" || last["before"] == last["value"], "{last}");
    }
    assert!(falls > 0, "a best move whose value falls loses nothing");
}

/// The verdict on a move depends only on the position before the move and the position after it, so it is the same however
/// the game goes on. A position with one legal move is worth what that move leads to, even at the end of the game.
#[test]
fn a_verdict_does_not_depend_on_later_moves() {
    for (game, moves, least) in [
        ("chess", "e4 e5 Nf3 f6 Nxe5 fxe5 Qh5+ Ke7 Qxe5+ Kf7", 5),
        ("morris", "a7 d6 a4 g7 a1xd6 g4", 3),
    ] {
        let moves: Vec<_> = moves.split(' ').collect();
        let review = |count: usize| {
            let mut shell = shell_without_times(game);
            run(&mut shell, &format!("play {}", moves[..count].join(" "))).unwrap();
            let review = json(&mut shell, "review --budget 3000");
            review["moves"].as_array().unwrap().clone()
        };
        let whole = review(moves.len());
        for count in least..moves.len() {
            assert_eq!(review(count), whole[..count], "{game}: {count}");
        }
        let mut shell = shell_without_times(game);
        run(&mut shell, &format!("play {}; review --budget 3000", moves.join(" "))).unwrap();
        assert_eq!(json(&mut shell, "cache stats")["entries"], 0, "{game}: the session's own");
    }
}

/// A mistake is explained by the review alone: no search, one viewpoint, and the reply of the game beside that of the review.
#[test]
fn a_mistake_is_explained_by_the_review() {
    for (game, moves) in
        [("chess", "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5"), ("morris", "d7 g1 d6 a1 d5xa1 a4")]
    {
        let plies = moves.split(' ').count();
        let mut shell = shell_without_times(game);
        run(&mut shell, &format!("play {moves}")).unwrap();
        let fault = run(&mut shell, "undo; explain mistake").unwrap_err();
        assert!(fault.fault.message.contains("no review"), "{game}: {fault:?}");
        run(&mut shell, "redo").unwrap();
        let review = json(&mut shell, "review --depth 2");
        let reviewed = review["moves"].as_array().unwrap();
        let is_mistake = |mv: &&serde_json::Value| !mv["mark"].is_null() && mv["ply"] != plies;
        let mistake = reviewed.iter().find(is_mistake).unwrap();
        let ply = mistake["ply"].as_u64().unwrap() as usize;
        run(&mut shell, &format!("undo {}", plies + 1 - ply)).unwrap();
        let explained = json(&mut shell, "explain mistake");
        for name in ["move", "side", "words", "better"] {
            assert_eq!(explained[name], mistake[name], "{game}: {name}");
        }
        let words = explained["words"].as_str().unwrap();
        let side = if explained["side"] == "w" { "White" } else { "Black" };
        assert!(words.contains(&format!("lets {side}'s winning chances fall")), "{words}");
        // The reply of the game has its chances for the side of the mistake.
        assert_eq!(explained["reply"]["move"], reviewed[ply]["move"], "{game}");
        let [chances, other] =
            [&explained["reply"], &reviewed[ply]].map(|reply| reply["chances"].as_f64().unwrap());
        assert!((chances + other - 100.0).abs() < 1.0, "{game}: {chances} {other}");
        let text = run(&mut shell, "explain mistake").unwrap();
        assert!(text.lines().count() <= 10 && text.contains("`hint; explain move "), "{text}");
        assert!(run(&mut shell, "explain").is_err(), "{game}: no search was made");
    }
}

#[test]
fn a_hint_does_not_depend_on_what_was_asked_before() {
    for (game, moves) in [("chess", "e4 e5 Bc4 Nc6 Qh5 Nf6"), ("morris", "d6 f4 d2 b4 a1 g7")] {
        let mut shell = shell_without_times(game);
        run(&mut shell, &format!("play {moves}; undo 2")).unwrap();
        let first = json(&mut shell, "engine hint --budget 3000");
        run(&mut shell, "redo 2; engine hint --budget 9000; undo 2").unwrap();
        assert_eq!(json(&mut shell, "engine hint --budget 3000"), first, "{game}");
    }
}

#[test]
fn a_review_keeps_the_result_and_the_signs_that_a_game_has() {
    for (game, moves) in [("chess", "f3 e5 g4"), ("morris", "d6 f4 d2")] {
        let mut shell = Shell::default();
        let line = format!("game {game}; play {moves}; nag !; game resign white; review --depth 2");
        run(&mut shell, &line).unwrap();
        let shown = json(&mut shell, "position show");
        assert_eq!((&shown["finished"], &shown["winner"]), (&true.into(), &"b".into()), "{game}");
        let notes = json(&mut shell, "variations");
        assert_eq!(notes["nags"], serde_json::json!(["!"]), "{game}: {notes}");
    }
}

#[test]
fn with_tables_a_review_judges_by_true_values() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    let morris = format!(
        "game morris; tables build 3-3 --dir {folder}; tables use --dir {folder}; tables quiz 3-3"
    );
    let chess = "game chess; tables use --dir tests/data/syzygy; position set 8/8/8/3k4/8/8/1Q6/K7 w - - 0 1";
    for setup in [morris.as_str(), chess] {
        let mut shell = Shell::default();
        run(&mut shell, setup).unwrap();
        let start = json(&mut shell, "position show")["state"].as_str().unwrap().to_owned();
        let moves = json(&mut shell, "moves");
        let moves = moves["moves"].as_array().unwrap();
        let outcome = |mv: &serde_json::Value| mv["truth"].as_str().unwrap().to_owned();
        let with = |outcome: &str| {
            let found = moves.iter().find(|mv| mv["truth"] == outcome).unwrap();
            found["move"].as_str().unwrap().to_owned()
        };
        let worse = &moves.iter().map(outcome).find(|outcome| outcome != "win").unwrap();
        let good = json(&mut shell, &format!("play {}; review --depth 1", with("win")));
        let reviewed = &good["moves"][0];
        assert_eq!(reviewed["mark"], serde_json::Value::Null, "{reviewed}");
        assert_eq!(reviewed["truth"][1]["truth"], "win", "{reviewed}");
        let again = format!("position set {start}; play {}; review --depth 1", with(worse));
        let bad = json(&mut shell, &again);
        let reviewed = &bad["moves"][0];
        assert_eq!(reviewed["mark"], "blunder", "{reviewed}");
        assert_eq!(reviewed["truth"][1]["truth"], *worse, "{reviewed}");
        let words = reviewed["words"].as_str().unwrap();
        assert!(
            words.contains(&format!("makes a {worse}")) && words.contains("of a win"),
            "{words}"
        );
    }
}

#[test]
fn a_file_is_reviewed_once_and_keeps_its_notes() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["games.pgn", "annotated.pgn"].map(|name| folder.path().join(name));
    for (game, games) in [
        (
            "chess",
            "[White \"A\"]\n\n1. f3 {odd} e5 2. g4? Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 e5 2. Kd4 *\n\n1. d4 d5 *\n",
        ),
        ("morris", "1. d6 {odd} f4 2. d7 b4 3. d5xf4 *\n\n1. d6 d6 *\n\n1. a7 a1 *\n"),
    ] {
        fs::write(&file, games).unwrap();
        let mut shell = shell_without_times(game);
        let line = format!("review {} --save {} --depth 2", file.display(), out.display());
        let review = json(&mut shell, &line);
        assert_eq!(review["games"].as_array().unwrap().len(), 2, "{game}: {review}");
        assert_eq!(review["skipped"].as_array().unwrap().len(), 1, "{game}");
        let text = fs::read_to_string(&out).unwrap();
        assert_eq!(text.matches("[Annotator \"plyscope\"]").count(), 2, "{game}: {text}");
        assert!(text.contains("odd}") && text.contains("[%eval "), "{game}: {text}");
        assert!(text.contains("2. Kd4 *") || text.contains("1. d6 d6 *"), "{game}: {text}");
        let failure = run(&mut shell, &line).unwrap_err();
        let hint = failure.fault.hint.unwrap();
        assert!(hint.ends_with("continues that review"), "{game}: {hint}");
        let again = format!("review {0} --save {0} --depth 2", out.display());
        let review = json(&mut shell, &again);
        assert_eq!((&review["before"], review["games"].as_array().unwrap().len()), (&2.into(), 0));
        assert_eq!(fs::read_to_string(&out).unwrap(), text, "{game}");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn an_interrupted_review_keeps_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["games.pgn", "annotated.pgn"].map(|name| folder.path().join(name));
    for (game, games) in
        [("chess", "1. e4   e5 *\n\n1. d4 *\n"), ("morris", "1. d6   f4 *\n\n1. a7 *\n")]
    {
        fs::write(&file, games).unwrap();
        let mut shell = shell_without_times(game);
        let interrupt = shell.interrupt();
        let pressing = thread::spawn(move || {
            // Repeatedly: a command that begins clears an earlier interrupt.
            while Arc::strong_count(&interrupt) > 1 {
                interrupt.store(true, Relaxed);
                thread::sleep(Duration::from_millis(1));
            }
        });
        let line = format!("review {} --save {} --depth 40", file.display(), out.display());
        let review = json(&mut shell, &line);
        assert_eq!(review["interrupted"], true, "{game}");
        drop(shell);
        pressing.join().unwrap();
        assert_eq!(fs::read_to_string(&out).unwrap(), games, "{game}");
        fs::remove_file(&out).unwrap();
    }
}
