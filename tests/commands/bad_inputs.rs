//! Faults in lines of both games are shown at their place with the remedy, and change nothing.

use plyscope::command::{Failure, Shell};

/// A game, a line, parts of the fault's text, and the column of the caret.
type Case = (&'static str, &'static str, &'static [&'static str], usize);

fn refused(shell: &mut Shell, line: &str) -> Failure {
    let outcome = shell.run_line(line).pop();
    *outcome
        .unwrap_or_else(|| panic!("{line}: nothing was said"))
        .map(|response| panic!("{line}: was taken: {:?}", response.reply))
        .unwrap_err()
}

/// The state that a refused line must not change.
fn state(shell: &mut Shell) -> String {
    let looks = [
        "position show",
        "search show",
        "weights list",
        "rules show",
        "cache stats",
        "cache list",
        "timeline",
        "info breakpoints",
        "player list",
        "alias",
    ];
    let response = |look: &&str| match shell.run_line(look).pop() {
        Some(Ok(response)) => serde_json::to_string(&*response.reply).unwrap(),
        other => panic!("{look}: {other:?}"),
    };
    looks.iter().map(response).collect::<Vec<_>>().join("\n")
}

const CASES: &[Case] = &[
    // Positions of the other game, and impossible ones.
    (
        "morris",
        "position set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["this is a chess position", "`game chess`"],
        14,
    ),
    (
        "chess",
        "position set ......../......../........ w 9 9",
        &["this is a morris position", "`game morris`"],
        14,
    ),
    (
        "chess",
        "cache find ((9, 9), ((' ',' ',' ',' ',' ',' ',' ',' '),(' ',' ',' ',' ',' ',' ',' ',' '),(' ',' ',' ',' ',' ',' ',' ',' ')))",
        &["this is a morris position"],
        12,
    ),
    (
        "morris",
        "position set wwwwwwww/ww....../........ w 0 10",
        &["2 faults", "White has 10 stones on the board", "Black has 10 stones in hand"],
        14,
    ),
    ("morris", "position set nonsense", &["the board has 1 ring, not 3"], 14),
    (
        "chess",
        "position set p3k3/8/9/8/8/8/8/4K3 x KZ z9 a 99999 more",
        &[
            "9 faults",
            "a pawn cannot stand on rank 8",
            "rank 6: `9`",
            "the side to move is `x`",
            "`Z` is not a castling right",
            "`z9` is no en-passant square",
            "the clock is `a`, not a number from 0 to 65535",
            "the move number is `99999`, not a number from 0 to 65535",
            "`more` follows a complete FEN",
        ],
        14,
    ),
    (
        "chess",
        "position set 8/8/8/3kK3/8/8/8/8 w",
        &["the kings stand side by side, on e5 and d5"],
        14,
    ),
    ("chess", "position set 8/8/8/8/8/8/8/8 w", &["White has 0 kings; Black has 0 kings"], 14),
    // Numbers.
    ("morris", "step 99999999999999999999", &["too large", "from 1 to 2^64 - 1"], 6),
    ("morris", "last alpha 4294967296", &["too large", "from 0 to 4294967295"], 12),
    ("chess", "cache list --limit 99999999999999999999", &["from 0 to 2^64 - 1"], 20),
    ("chess", "search run --time 0", &["out of bounds", "from 1 to"], 19),
    ("morris", "search run --budget 0", &["out of bounds", "from 1 to"], 21),
    ("morris", "search set depth=256", &["from 1 to 255, or off"], 18),
    ("chess", "search set depth=3 time_ms=0", &["; nothing is changed"], 28),
    ("chess", "search set time_ms=0", &["from 1 to"], 20),
    ("chess", "search set budget=99999999999999999999", &["from 1 to 2^64 - 1"], 19),
    ("morris", "search set seed=-1", &["from 0 to"], 17),
    ("morris", "goto 99999999", &["there is no event 99,999,999: the search ends with event "], 6),
    ("chess", "goto 99999999", &["there is no event 99,999,999: the search ends with event "], 6),
    ("chess", "cache edit", &["`cache` has no command `edit`"], 7),
    ("morris", "timeline swap", &["`timeline` has no command `swap`"], 10),
    // Values.
    ("morris", "cache set 99000000000000:1 value=1e309", &["`1e309` is too large for a score"], 34),
    (
        "morris",
        "cache set 99000000000000:1 value=abc",
        &["not a score", "0.25, win, loss, inf"],
        34,
    ),
    ("chess", "cache set here:1 value=abc", &["not a score", "35 (centipawns)", "#1 (a mate)"], 24),
    ("chess", "break if value>=win", &["nothing is called `win`"], 17),
    ("morris", "break if value>=#3", &["nothing is called `#3`"], 17),
    ("chess", "break value=35", &["no condition `value`", "`if value > 0`"], 13),
    (
        "morris",
        "cache set 99000000000000:1 value=2",
        &["no position can have the value 2", "from -1 to 1"],
        34,
    ),
    (
        "chess",
        "cache set here:1 value=100000",
        &["no position can have the value 100000", "from -99999 to 99999"],
        24,
    ),
    (
        "morris",
        "cache set 99000000000000:1 colour=2",
        &["no field `colour`", "fields of its entries are value, bound"],
        28,
    ),
    ("morris", "weights set stones=1e308 mills=1e308", &["overflow a double"], 1),
    ("chess", "search value --depth 1 --alpha -1e999", &["too large for a score"], 32),
    // Names.
    ("morris", "weights define default stones=2", &["`default` is a reserved name"], 16),
    ("chess", "weights define current", &["`current` is a reserved name"], 16),
    ("morris", "weights define '' stones=2", &["cannot be called ``", "letters, digits"], 16),
    ("chess", "mark 'a b'", &["cannot be called `a b`"], 6),
    ("morris", "fork ''", &["cannot be called ``"], 6),
    ("morris", "player define x depth=0", &["`0` is not a value"], 23),
    // Carets.
    ("chess", "diff one two", &["no timeline is called `one`"], 6),
    ("morris", "cache diff no.cache other.cache", &["cannot read `no.cache`"], 12),
    ("chess", "match run one two", &["no player is called `one`; no player is called `two`"], 11),
    ("morris", "tournament play one default", &["no player is called `one`"], 17),
    ("morris", "search set depth=3 quiescence=on", &["morris has no quiescence search"], 31),
    ("chess", "search value --depth 1 --alpha 1 --beta 1", &["is empty"], 32),
    ("morris", "cache remove 99000000000000:1 --where depth=1", &["not both"], 39),
    (
        "chess",
        "search set depth=3 nodes=9",
        &["no search setting `nodes`", "did you mean `budget`"],
        20,
    ),
    ("morris", "search set 'nodes=9'", &["no search setting `nodes`"], 12),
    // Commands.
    ("chess", "set position 8/8/8 w", &["did you mean `position set`?"], 5),
    ("chess", "fen 8/8/8 w", &["the board has 3 ranks, not 8"], 5),
    ("chess", "e5", &["no command `e5`", "`play e5` plays the move"], 1),
    ("morris", "a1", &["no command `a1`", "`play a1` plays the move"], 1),
    ("chess", "engine side none", &["`engine` has no command `side`", "engine play"], 8),
    ("morris", "undo 99", &["only 1 to undo"], 6),
    ("chess", "undo 0", &["from 1 to"], 6),
    ("chess", "redo x", &["`x` is not a count"], 6),
    ("chess", "play 1.", &["there is no move to play"], 6),
    ("chess", "play 1...Ke5", &["Ke5 is not legal"], 10),
    ("morris", "play 1... {no move} 2.z9", &["`z9` is not a point of the board"], 23),
    ("morris", "sea run", &["`sea run` is short for `search run`", "write the name in full"], 1),
    ("chess", "ca li", &["`ca li` is short for `cache list`"], 1),
    ("morris", "'version'", &["never quoted"], 1),
    ("chess", "position 'start'", &["never quoted"], 10),
    ("morris", "version --json=3", &["--json takes no value"], 9),
    ("morris", "source /", &["it is a directory"], 8),
];

#[test]
fn faults_are_shown_at_their_place_and_change_nothing() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let mv = if game == "morris" { "d6" } else { "e4" };
        shell.run_line(&format!("game {game}; play {mv}; search run --depth 1"));
        let before = state(&mut shell);
        for (_, line, said, column) in CASES.iter().filter(|case| case.0 == game) {
            let failure = refused(&mut shell, line);
            let text = failure.fault.to_string();
            for part in *said {
                assert!(text.contains(part), "{game}: {line}: {text}");
            }
            for internal in ["os error", "serde", "struct", "ParseIntError", "line 1 column"] {
                assert!(!text.contains(internal), "{game}: {line}: {text}");
            }
            let place = failure.place.unwrap_or_else(|| panic!("{line}: no place"));
            assert_eq!(place.column, *column, "{game}: {line}: {text}");
            assert_eq!(state(&mut shell), before, "{game}: {line}");
        }
    }
}

#[test]
fn an_empty_window_is_refused_at_its_bound() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        shell.run_line(&format!("game {game}; step 5"));
        let before = state(&mut shell);
        let failure = refused(&mut shell, "frame set beta=-1e6");
        assert!(failure.fault.message.contains("is empty"), "{game}");
        assert_eq!(failure.place.unwrap().column, 16, "{game}");
        assert_eq!(state(&mut shell), before, "{game}");
    }
}

/// The notes of a reply.
fn notes(line: &str) -> Vec<String> {
    let mut shell = Shell::default();
    let response = shell.run_line(line).pop().unwrap().unwrap();
    let json = serde_json::to_value(&*response.reply).unwrap();
    serde_json::from_value(json["notes"].clone()).unwrap()
}

#[test]
fn parts_dropped_from_a_position_are_noted() {
    let set = |fen: &str| notes(&format!("game chess; position set {fen}"));
    let notes = set("4k2r/8/8/8/8/8/8/4K3 w KQk e6 0 0");
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].contains("castling KQ is dropped"), "{notes:?}");
    assert!(notes[1].contains("en-passant square e6 is dropped"), "{notes:?}");
    assert!(notes[2].contains("the move number 0 counts as 1"), "{notes:?}");
    for sound in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/8/8/8/4K3 w",
    ] {
        assert_eq!(set(sound), Vec::<String>::new(), "{sound}");
    }
    let mut shell = Shell::default();
    shell.run_line("game chess; position set r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1");
    let shown = shell.run_line("position show").pop().unwrap().unwrap();
    let fen = serde_json::to_value(&*shown.reply).unwrap()["fen"].clone();
    assert_eq!(fen, "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1");
}

#[test]
fn positions_that_no_game_can_reach_are_noted() {
    let set = |state: &str| notes(&format!("position set {state}"));
    for (state, said) in [
        ("......../......../........ w 0 0", "neither side has a stone"),
        ("bb...b.b/......../........ w 0 0", "White has no stone"),
        ("w....bb./...w..../........ b 0 0", "both sides have fewer than three stones"),
    ] {
        let notes = set(state);
        assert!(notes.len() == 1 && notes[0].contains(said), "{state}: {notes:?}");
    }
    for state in ["www...bb/......../........ w 0 0", "......../......../........ w 9 9"] {
        assert_eq!(set(state), Vec::<String>::new(), "{state}");
    }
}

fn shown(shell: &mut Shell, line: &str) -> serde_json::Value {
    let response = shell.run_line(line).pop().unwrap().unwrap();
    serde_json::to_value(&*response.reply).unwrap()
}

#[test]
fn moves_are_read_as_people_paste_them() {
    for (game, pasted, plain) in [
        (
            "chess",
            "1. Nf3 Nc6 2.e4 $3 {sharp; and good} e5?! (2... d5) 3. Bb5 3... a6 1/2-1/2",
            "Nf3 Nc6 e4 e5 Bb5 a6",
        ),
        ("morris", "1. d6 f4! 2.d2 {a line} $1 b4 *", "d6 f4 d2 b4"),
    ] {
        let mut one = Shell::default();
        let mut other = Shell::default();
        let said = shown(&mut one, &format!("game {game}; play {pasted}"));
        let wanted = shown(&mut other, &format!("game {game}; play {plain}"));
        assert_eq!(said["state"], wanted["state"], "{pasted}");
        assert_eq!(said["undo"], wanted["undo"], "{pasted}");
    }
}

#[test]
fn several_moves_are_taken_back_and_brought_back_at_once() {
    for (game, moves) in [("morris", "d6 f4 d2"), ("chess", "e4 e5 Nf3")] {
        let mut shell = Shell::default();
        let start = shown(&mut shell, &format!("game {game}"))["state"].clone();
        let end = shown(&mut shell, &format!("play {moves}"))["state"].clone();
        let back = shown(&mut shell, "undo 3");
        assert_eq!((&back["state"], &back["redo"]), (&start, &3.into()));
        assert_eq!(shown(&mut shell, "redo 3")["state"], end);
        assert!(refused(&mut shell, "undo 4").fault.message.contains("only 3"));
        assert_eq!(shown(&mut shell, "position show")["state"], end);
    }
}

#[test]
fn a_search_that_ends_before_an_event_says_so() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        shell.run_line(&format!("game {game}; search set depth=1"));
        let before = state(&mut shell);
        let fault = refused(&mut shell, "goto 99999999").fault;
        assert!(fault.message.contains("no search is under way"), "{fault}");
        assert!(fault.hint.unwrap_or_default().contains("`search run`"));
        assert_eq!(state(&mut shell), before, "{game}");
        shell.run_line("step 3");
        let recorded = |shell: &mut Shell| shown(shell, "timeline")["timelines"].clone();
        let before = recorded(&mut shell);
        let stop = shown(&mut shell, "goto 99999999");
        assert_eq!(recorded(&mut shell), before, "{game}: the recording ends where it did");
        let note = stop["notes"][0].as_str().unwrap_or_default();
        assert!(note.contains("the search ends with event "), "{stop}");
    }
}
