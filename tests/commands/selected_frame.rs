//! Commands while a search is stopped: the selected frame, the end of the recording, the game.

use plyscope::{command::Shell, text::number, view};
use serde_json::Value;

fn shell(game: &str) -> Shell {
    let mut shell = Shell::default();
    json(&mut shell, &format!("game {game}"));
    shell
}

/// The last reply of a line, as JSON.
pub fn json(shell: &mut Shell, line: &str) -> Value {
    let last = shell.run_line(line).pop().expect("a reply");
    let reply = last.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    serde_json::from_str(&view::json_reply(&reply)).unwrap()
}

pub fn refused(shell: &mut Shell, line: &str) -> String {
    let last = shell.run_line(line).pop().expect("a reply");
    match last {
        Ok(_) => panic!("{line} was taken"),
        Err(failure) => failure.fault.to_string(),
    }
}

/// At a cutoff the stack has the window that the value has left, not the one with which the node was entered.
#[test]
fn the_stack_at_a_cutoff_shows_the_window_before_it() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        json(&mut shell, "search set depth=4 order=none");
        let mut raised = 0;
        for _ in 0..60 {
            json(&mut shell, "until cutoff");
            let stack = shell.session().stack().unwrap();
            let before = stack.event.as_ref().unwrap().window;
            let rows = stack.table(100);
            let words: Vec<_> = rows.last().unwrap().split_whitespace().collect();
            let [alpha, beta] = number::window(before, |value| number::short(value, 6));
            assert_eq!(words[4..6], [&*alpha, &*beta], "{game}: {rows:?}");
            raised += usize::from(before.alpha.get().is_finite());
        }
        assert!(raised > 5, "{game}: {raised}");
    }
}

#[test]
fn here_means_the_selected_frame_and_root_the_game() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        json(&mut shell, "search set depth=4 memo=interval budget=off; until cutoff");
        let game_value = json(&mut shell, "eval");
        let stack = json(&mut shell, "where");
        let frames = stack["frames"].as_array().unwrap();
        for (ply, frame) in frames.iter().enumerate() {
            json(&mut shell, &format!("frame {ply}"));
            assert_eq!(json(&mut shell, "eval")["state"], frame["state"], "{game}");
            for name in ["here", "frame"] {
                let entry = json(&mut shell, &format!("cache get {name}"));
                assert_eq!(entry["key"], frame["key"], "{game} {name} at ply {ply}");
            }
            let root = json(&mut shell, "cache get root:3");
            let found = json(&mut shell, "position show")["key"].as_str().unwrap().to_owned();
            assert!(game == "morris" || root["key"] == format!("{found}:3"), "{root}");
            let reply = json(&mut shell, "break position=here").to_string();
            assert!(reply.contains(frame["state"].as_str().unwrap()), "{reply}");
            let watched = json(&mut shell, "watch here");
            assert!(watched.to_string().contains(frame["key"].as_str().unwrap()), "{watched}");
        }
        // Resuming resets the selection.
        json(&mut shell, "step");
        assert_eq!(json(&mut shell, "eval"), game_value);
    }
}

#[test]
fn a_cutoff_is_explained_at_every_frame_of_the_stack() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        let stop = json(&mut shell, "search set depth=4 memo=none budget=off; until cutoff");
        let event = &stop["event"];
        assert!(
            event["alpha"].as_f64() < event["beta"].as_f64(),
            "the window that was cut: {event}"
        );
        // α is no longer what it was: the move that cuts the node off is not its origin.
        let origins = json(&mut shell, "explain")["origins"].to_string();
        assert!(origins.contains('α') && !origins.contains("α comes from this node"), "{origins}");
        let reply = json(&mut shell, "explain cutoff");
        assert_eq!((&reply["cut"], &reply["by"]), (&true.into(), &"move".into()), "{reply}");
        assert_eq!((&reply["move"], &reply["value"]), (&event["move"], &event["value"]));
        let stack = json(&mut shell, "where");
        let frames = stack["frames"].as_array().unwrap();
        let spared = reply["spared"].as_array().unwrap().len() as u64;
        let last = frames.last().unwrap();
        assert_eq!(spared, last["children"].as_u64().unwrap() - last["child"].as_u64().unwrap());
        let source = &reply["source"];
        assert_eq!(source["by"], "move");
        let above = &frames[source["ply"].as_u64().unwrap() as usize];
        assert_eq!((&source["move"], &source["value"]), (&above["best_move"], &above["best"]));
        let not = json(&mut shell, "frame 1; explain cutoff");
        assert_eq!(not["cut"], false, "{not}");
        assert!(refused(&mut shell, "frame 0; explain cutoff").contains("root"));
    }
}

#[test]
fn moves_that_cannot_all_be_played_change_nothing() {
    for (game, good, bad) in [("morris", "a7", "z9"), ("chess", "e2e4", "e2e4")] {
        let mut shell = shell(game);
        json(&mut shell, &format!("play {good}; undo; step 50"));
        let before = [json(&mut shell, "position show"), json(&mut shell, "where")];
        refused(&mut shell, &format!("play {good} {bad}"));
        assert_eq!([json(&mut shell, "position show"), json(&mut shell, "where")], before);
        assert_eq!(before[0]["redo"], 1);
    }
}

#[test]
fn a_move_is_played_from_the_selected_frame() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        json(&mut shell, "search set depth=3 budget=off; until cutoff; frame 2");
        let stack = json(&mut shell, "where");
        let state = stack["frames"][2]["state"].clone();
        let mv = stack["frames"][2]["moves"][0].as_str().unwrap().to_owned();
        let played = json(&mut shell, &format!("play {mv}"));
        assert_eq!(played["undo"], 3, "two moves to the frame, one from there");
        assert_eq!(json(&mut shell, "undo")["state"], state);
    }
}

#[test]
fn a_drawn_game_takes_no_further_moves() {
    let mut shell = shell("chess");
    json(&mut shell, "position set 8/8/8/4k3/8/8/4K3/8 w - - 0 1");
    assert!(refused(&mut shell, "play e2e3").contains("over"));
    // The draw comes in the middle of a line: none of it is played.
    json(&mut shell, "position set 8/8/8/3k4/4P3/8/4K3/8 b - - 0 1");
    assert!(refused(&mut shell, "play d5e4 e2d2").contains("over"));
    assert_eq!(json(&mut shell, "position show")["undo"], 2);
    // A line may pass through a draw by repetition, but not begin in one.
    let shuffle = ["g1f3 g8f6 f3g1 f6g8"; 4].join(" ");
    json(&mut shell, &format!("position start; play {shuffle}"));
    assert!(refused(&mut shell, "play e2e4").contains("fifth"));
    json(&mut shell, &format!("position start; play {shuffle} e2e4"));
}

#[test]
fn a_finished_search_stays_until_another_begins() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        let run = json(&mut shell, "search set depth=2 budget=off; search run");
        let events = run["events"].clone();
        for command in ["continue", "step", "next", "finish", "until cutoff"] {
            let stop = json(&mut shell, command);
            assert_eq!((&stop["done"], &stop["events"]), (&true.into(), &0.into()), "{command}");
            assert!(stop["notes"].to_string().contains("search run"), "{stop}");
        }
        assert_eq!(json(&mut shell, "search result")["events"], events);
        assert!(refused(&mut shell, "goto 99999999").contains("99,999,999"));
        assert_eq!(json(&mut shell, "search drop; step")["event"]["index"], 0);
    }
}

#[test]
fn going_forwards_again_ends_where_the_time_was_up() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        let run = json(&mut shell, "search set memo=none; search run --time 60");
        assert_eq!(run["stopped"], "time");
        let events = run["events"].as_u64().unwrap();
        for command in ["continue", "step 2000", "until budget"] {
            json(&mut shell, "back 1000");
            let stop = json(&mut shell, command);
            assert_eq!(stop["stopped"], "end", "{command}");
            assert_eq!(stop["event"]["index"], events - 1, "{command}");
            assert_eq!(stop["done"], false);
        }
        // From the end the search continues with the limits it had before.
        let on = json(&mut shell, "continue");
        assert_eq!(on["stopped"], "time");
        assert!(on["event"]["index"].as_u64().unwrap() >= events);
    }
}

#[test]
fn zero_is_printed_without_a_sign() {
    let mut shell = shell("morris");
    let replies =
        shell.run_line("search set depth=3 budget=off; until cutoff; print alpha beta best");
    let text = view::response(replies.last().unwrap().as_ref().unwrap());
    assert!(!text.contains("-0.0") && !text.contains("-0\n"), "{text}");
}

/// A frame whose moves searched so far have not exceeded α has no best value, and its line says why.
#[test]
fn the_best_value_of_a_frame_may_be_at_most_alpha() {
    for game in ["chess", "morris"] {
        let mut shell = shell(game);
        json(&mut shell, "search set algorithm=pvs depth=3 budget=off; step 1000");
        let fails_low =
            |frame: &Value| frame["best"].is_null() && frame["child"].as_u64() > Some(1);
        let is_found = (0..2000).any(|_| {
            json(&mut shell, "step");
            let stack = json(&mut shell, "where");
            stack["frames"].as_array().unwrap().iter().any(fails_low)
        });
        assert!(is_found, "{game}");
        let text = shell.run_line("where").pop().unwrap().unwrap().reply.text();
        assert!(text.contains("≤ α"), "{game}: {text}");
    }
}

/// The bound in the explanation is that of the window, even where no value of the game is below it.
#[test]
fn a_zero_window_is_explained_by_one_number() {
    for (game, state, words) in [
        (
            "chess",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "every value suffices: none is below #-0 (mated)",
        ),
        (
            "morris",
            "ww.w..../bbb...../........ w 0 0",
            "only whether the value is at least 0 matters",
        ),
    ] {
        let mut shell = shell(game);
        let set = "search set algorithm=mtdf depth=4 budget=off";
        json(&mut shell, &format!("position set {state}; {set}; step"));
        let explained = (0..200).map(|_| json(&mut shell, "step; explain")["why"].to_string());
        let is_sought =
            |why: &String| ["only whether", "suffices"].iter().any(|it| why.contains(it));
        let sought: Vec<_> = explained.filter(is_sought).collect();
        assert!(sought.iter().all(|why| !why.contains(['∞', '<', '>'])), "{game}: {sought:?}");
        assert!(sought.iter().any(|why| why.contains(words)), "{game}: {sought:?}");
    }
}

/// The explained hints are those that sort: each alone orders the moves by itself, and the explanation says so.
#[test]
fn the_order_of_moves_is_explained_at_every_frame() {
    for game in ["morris", "chess"] {
        for (order, policy, hint) in [
            ("captures", "none", "captures"),
            ("static", "none", "static"),
            ("memo", "interval", "memo"),
            ("none", "none", ""),
        ] {
            let mut shell = shell(game);
            let set = format!(
                "search set depth=4 algorithm=alphabeta order={order} memo={policy} budget=off"
            );
            let state = match game {
                "morris" => ".b.ww..b/wbw.b.../.w.b.w.b w 1 1",
                _ => "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
            };
            json(&mut shell, &format!("position set {state}"));
            json(&mut shell, &format!("{set}; tbreak kind=expand ply=2 depth=2; continue"));
            let stack = json(&mut shell, "where");
            let mut explained_moves = 0;
            for frame in stack["frames"].as_array().unwrap() {
                let line = format!("frame {}; explain order", frame["ply"]);
                let explained = json(&mut shell, &line);
                if explained["ply"] != frame["ply"] {
                    assert_eq!(frame["children"], 0, "{line}");
                    continue;
                }
                let moves = explained["moves"].as_array().unwrap();
                let names: Vec<_> = moves.iter().map(|mv| mv["move"].clone()).collect();
                assert_eq!(frame["moves"], Value::from(names), "{game} {order}");
                assert_eq!(
                    explained["by"] == "hints",
                    order != "none" && frame["ply"] != 0 && moves.len() > 1
                );
                if explained["by"] != "hints" {
                    continue;
                }
                for pair in moves.windows(2) {
                    let [one, next] = [&pair[0], &pair[1]];
                    assert_eq!(one["place"].as_u64().unwrap() + 1, next["place"]);
                    let [worth, other] = [one, next].map(|mv| mv["hints"][hint].as_f64());
                    // In chess captures are sorted with the cache's values.
                    if order != "memo" && worth != other {
                        assert!(worth > other, "{game} {order}: {one} before {next}");
                        assert_eq!(one["by"], hint, "{game} {order}");
                        explained_moves += 1;
                    } else if order == "memo" && one["by"] == "memo" {
                        assert!(worth.is_some() || other.is_some_and(|other| other < 0.0));
                        explained_moves += 1;
                    }
                }
            }
            assert!(explained_moves > 0 || order == "none", "{game} {order}");
        }
        let mut shell = shell(game);
        assert!(refused(&mut shell, "explain order").contains("no search"));
    }
}

/// ETC: where the cache has a cutoff, no other move is searched: descend, hit, cutoff.
#[test]
fn a_move_with_a_cutoff_in_the_cache_comes_first() {
    for game in ["morris", "chess"] {
        let mut shell = shell(game);
        let set = "search set depth=6 memo=bound order=etc+captures+history budget=off root=best";
        json(&mut shell, &format!("{set}; break kind=expand depth=3; continue"));
        let mut known = 0;
        while known < 3 {
            let order = json(&mut shell, "explain order");
            let first = &order["moves"][0];
            if first["hints"]["etc"] == true {
                known += 1;
                let response = shell.run_line("explain order").pop().unwrap().ok().unwrap();
                let why = "comes first: the cache has a value after it that causes a cutoff (etc).";
                assert!(view::response(&response).contains(why), "{game}");
                assert_eq!(first["by"], "etc", "{order}");
                let ply = &order["ply"];
                for kind in ["descend", "hit", "cutoff"] {
                    let stop = json(&mut shell, "step");
                    assert_eq!(stop["event"]["kind"], kind, "{game}: {order}");
                    assert!(kind != "cutoff" || stop["event"]["ply"] == *ply, "{stop}");
                }
            }
            json(&mut shell, "continue");
        }
    }
}
