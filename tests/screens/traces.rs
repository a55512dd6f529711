//! The search of another program in the full screen: the same panes, and keys that go through it.

use insta::assert_snapshot;
use plyscope::{engine::reply::Where, tui::app::App};

use crate::stage::Stage;

/// A trace of a search, opened and walked to a cutoff.
fn opened(game: &str, columns: u16, rows: u16) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t").display().to_string();
    let mut stage = Stage::with(App::default(), columns, rows);
    let moves = if game == "chess" { "play e4 e5 Nf3" } else { "play a1 d1 b2" };
    stage.lines(&[&format!("game {game}"), moves, "search set algorithm=pvs depth=3"]);
    stage.lines(&[&format!("trace record {path}"), &format!("trace open {path}")]);
    stage.lines(&["until cutoff", "step 20", "until cutoff", "where"]);
    stage.keys("esc esc esc");
    stage
}

#[test]
fn the_panes_are_those_of_any_search() {
    for game in ["morris", "chess"] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let stage = opened(game, columns, rows);
            let text = stage.text();
            let lines = text.lines().filter(|line| !line.contains("/t "));
            assert_snapshot!(
                format!("trace_{game}_{columns}x{rows}"),
                lines.collect::<Vec<_>>().join("\n")
            );
        }
    }
}

#[test]
fn keys_step_through_it_and_back() {
    let mut stage = opened("chess", 100, 30);
    let here = |stage: &Stage| stage.state().data.get::<Where>()?.event.as_ref().map(|it| it.index);
    let before = here(&stage).unwrap();
    stage.keys("f11");
    assert_eq!(here(&stage), Some(before + 1));
    stage.keys("shift-f11 shift-f11");
    assert_eq!(here(&stage), Some(before - 1));
    stage.keys("f5");
    assert!(here(&stage) > Some(before));
    assert!(stage.text().lines().next().unwrap().contains("END OF THE TRACE"));
    stage.lines(&["trace close"]);
    assert!(stage.text().lines().next().unwrap().contains("CHESS  ply 3"));
}
