//! Hash moves: stored by searches that order by them, shown, edited, and kept in files.

use plyscope::{
    command::Shell,
    engine::{
        game::{KeyScheme, Notation, Rules},
        morris::{Morris, Move, Position},
        table::HashMove,
    },
    view,
};
use serde_json::{Value, json};

use super::selected_frame::{json, refused};

const ORDER: &str = "search set memo=bound order=best+captures budget=off";

fn shell(game: &str) -> Shell {
    let mut shell = Shell::default();
    json(&mut shell, &format!("game {game}; {ORDER}"));
    shell
}

fn best(shell: &mut Shell, key: &str) -> Value {
    json(shell, &format!("cache get {key}"))["entry"]["best"].clone()
}

#[test]
fn an_entry_has_the_move_its_value_is_due_to() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        let value = json(&mut shell, "search value --depth 4");
        // The first is right; in chess another move has the same stored hash move.
        assert_eq!(best(&mut shell, "here")[0], value["pv"][0], "{game}");
        json(&mut shell, "cache clear; search set order=captures; search value --depth 4");
        assert_eq!(best(&mut shell, "here"), Value::Null, "{game}");
    }
}

#[test]
fn the_next_search_tries_the_hash_move_first_and_explains_it() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        json(&mut shell, "search value --depth 4; search set depth=5 deepening=off");
        json(&mut shell, "break kind=expand ply=1; search run");
        let kept = best(&mut shell, "frame");
        let order = json(&mut shell, "explain order");
        let first = &order["moves"][0];
        assert_eq!((&first["move"], &first["hints"]["best"]), (&kept[0], &true.into()), "{order}");
        let response = shell.run_line("explain order").pop().unwrap().ok().unwrap();
        let response = view::response(&response);
        assert!(response.contains("first: the entry of the node has "), "{response}");
    }
}

#[test]
fn a_hash_move_is_set_and_removed_by_its_notation() {
    for (game, mv, other) in [("morris", "d6", "a4"), ("chess", "g1f3", "h2h4")] {
        let mut shell = shell(game);
        json(&mut shell, "search set symmetry=off");
        json(&mut shell, &format!("cache set here value=0 depth=2 best={mv}"));
        assert_eq!(best(&mut shell, "here"), json!([mv]));
        json(&mut shell, &format!("cache set here best={other}"));
        assert_eq!(best(&mut shell, "here"), json!([other]));
        assert!(refused(&mut shell, "cache set here best=d2d6").contains("d2d6"));
        assert_eq!(best(&mut shell, "here"), json!([other]));
        json(&mut shell, "cache set here best=none");
        assert_eq!(best(&mut shell, "here"), Value::Null);
        json(&mut shell, "search set memo=interval; cache set here:2 value=0");
        let fault = refused(&mut shell, &format!("cache set here:2 best={mv}"));
        assert!(fault.contains("has no field `best`"), "{fault}");
    }
    let fault = refused(&mut shell("chess"), "cache set 463b96181691fc9c value=0 best=e2e4");
    assert!(fault.contains("the position of the move cannot be decoded from the key"), "{fault}");
}

#[test]
fn every_move_that_matches_the_hash_move_is_shown_but_of_equal_ones_only_the_first() {
    let game = Morris::default();
    let key = |mv: &Move| game.key(&game.apply(&Position::START, *mv), KeyScheme::Plain);
    let mut moves = Vec::new();
    game.expand(&Position::START, &(), &mut moves);
    let of = |hash_move| moves.iter().filter(move |mv| HashMove::of(key(mv)) == hash_move);
    let hash_move =
        moves.iter().map(|mv| HashMove::of(key(mv))).find(|hash_move| of(*hash_move).count() > 1);
    let same_hash_move: Vec<String> =
        of(hash_move.unwrap()).map(|mv| game.format_move(&Position::START, *mv)).collect();

    let mut shell = shell("morris");
    for (symmetry, shown) in [("off", same_hash_move.clone()), ("on", vec!["a7".to_owned()])] {
        json(&mut shell, &format!("cache clear; search set symmetry={symmetry}"));
        let named = &shown[shown.len() - 1];
        json(&mut shell, &format!("cache set here value=0 depth=2 best={named}"));
        assert_eq!(best(&mut shell, "here"), json!(shown), "{symmetry}");
    }
}

#[test]
fn cache_files_and_sessions_keep_it() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        for (kind, suffix) in [("cache", "cache"), ("session", "ron")] {
            let mut shell = shell(game);
            let path = folder.path().join(game).with_extension(suffix);
            json(&mut shell, "search value --depth 3");
            let before = json(&mut shell, "cache get here");
            let path = path.display();
            json(
                &mut shell,
                &format!("{kind} save \"{path}\"; cache clear; {kind} load \"{path}\""),
            );
            assert_eq!(json(&mut shell, "cache get here"), before, "{game} {kind}");
            assert!(before["entry"]["best"][0].is_string(), "{before}");
        }
    }
}

#[test]
fn a_session_with_a_bookmark_at_a_missing_event_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut shell = shell("morris");
    let save = format!("search value --depth 2; session save \"{}\"", path.display());
    json(&mut shell, &save);
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("best: Some((").unwrap() + "best: Some((".len();
    let end = at + text[at..].find(')').unwrap();
    std::fs::write(&path, format!("{}64{}", &text[..at], &text[end..])).unwrap();
    let fault = refused(&mut shell, &format!("session load \"{}\"", path.display()));
    assert!(fault.contains("from 1 to 63"), "{fault}");
}
