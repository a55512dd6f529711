//! Key names, the actions of keys in each pane, and key bindings in the configuration.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use plyscope::{
    command,
    config::{self, Config},
    engine::session::reply::Score,
    text::number::short,
    tui::{
        keymap::{Action, KeyPlace, Keymap},
        keys::{KeyPress, bytes},
        panes::{all, keymap},
    },
};

#[test]
fn names_read_back() {
    for (name, shown) in [
        ("s", "s"),
        ("S", "S"),
        ("ctrl-c", "^C"),
        ("shift-f6", "S-F6"),
        ("-", "-"),
        ("alt-x", "Alt-x"),
        ("up", "↑"),
        ("space", "Space"),
        ("f12", "F12"),
    ] {
        let key: KeyPress = name.parse().unwrap();
        assert_eq!((key.to_string().as_str(), key.spelled().as_str()), (shown, name));
    }
    for wrong in ["", "ctrl-", "f99", "pgup", "sx"] {
        assert!(wrong.parse::<KeyPress>().is_err(), "{wrong}");
    }
}

#[test]
fn keys_as_bytes() {
    let sent = |code, modifiers| bytes(KeyEvent::new(code, modifiers));
    assert_eq!(sent(KeyCode::Char('r'), KeyModifiers::CONTROL), [18]);
    assert_eq!(sent(KeyCode::Char('ö'), KeyModifiers::NONE), "ö".as_bytes());
    assert_eq!(sent(KeyCode::Char('b'), KeyModifiers::ALT), b"\x1bb");
    assert_eq!(sent(KeyCode::Left, KeyModifiers::CONTROL), b"\x1b[1;5D");
    assert_eq!(sent(KeyCode::Delete, KeyModifiers::NONE), b"\x1b[3~");
}

#[test]
fn every_key_is_unique_in_its_pane_and_every_command_exists() {
    for pane in all() {
        let mut seen = Vec::new();
        let map = keymap();
        for (row, keys) in map.rows(pane.key_place()) {
            for key in keys {
                let place = (key, row.pane);
                assert!(!seen.contains(&place), "{}", row.name);
                seen.push(place);
            }
            if let Some(line) = row.line() {
                let words: Vec<_> = line.split_whitespace().collect();
                assert!(command::table().exact(&words).is_some(), "{line}");
            }
        }
    }
}

fn place(name: &str) -> KeyPlace {
    all().into_iter().find(|pane| pane.name == name).unwrap().key_place()
}

#[test]
fn the_keys_of_a_pane_take_precedence() {
    let map = keymap();
    let action = |key: &str, pane| {
        let action = map.action(key.parse().unwrap(), place(pane));
        action.map(|row| row.name.clone())
    };
    assert_eq!(action("g", "stack").unwrap(), "frame-writer");
    assert_eq!(action("g", "log").unwrap(), "top");
    for pane in ["stack", "tree", "cache", "game", "findings", "stops", "log"] {
        assert_eq!(action("up", pane).unwrap(), "up", "{pane}");
    }
    assert_eq!(action("f11", "command").unwrap(), "step");
    assert_eq!(action("up", "command"), None);
    assert_eq!(action("s", "command"), None);
    assert_eq!(action("pageup", "command").unwrap(), "page-up");
    assert_eq!(action("home", "log").unwrap(), "top");
    assert_eq!(action("home", "board").unwrap(), "start", "a board has no lines to move along");
}

#[test]
fn no_key_of_the_board_is_a_coordinate() {
    let map = keymap();
    for (row, keys) in map.rows(place("board")) {
        for letter in 'a'..='h' {
            assert!(!keys.contains(&letter.to_string().parse().unwrap()), "{}", row.name);
        }
    }
}

fn configured(keys: &[(&str, &str)]) -> Result<Keymap, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.ron");
    let rows = keys.iter().map(|(name, key)| match key.strip_prefix(':') {
        Some(_) => format!("\"{name}\": \"{key}\","),
        None => format!("\"{name}\": [\"{key}\"],"),
    });
    let rows = rows.collect::<Vec<_>>().join("\n");
    std::fs::write(&file, format!("(keys: {{\n{rows}}})")).unwrap();
    let config: Config = config::load(Some(&file)).unwrap();
    keymap().configured(&config)
}

#[test]
fn actions_can_exchange_their_keys() {
    let map = configured(&[("over", "s"), ("step", "n"), ("f8", ":back 7")]).unwrap();
    let action = |key: &str| map.action(key.parse::<KeyPress>().unwrap(), place("board"));
    assert_eq!(action("s").unwrap().name, "over");
    assert_eq!(action("n").unwrap().name, "step");
    assert_eq!(action("f8").unwrap().action, Action::Run("back 7".to_owned()), "any command line");
    assert!(action("f11").is_none(), "the usual keys are released");
}

#[test]
fn a_wrong_key_is_an_error_with_its_place() {
    for (name, key, what) in [
        ("setp", "n", "c.ron:2:1: no action is called `setp`; did you mean `step`?"),
        ("step", "pgup", "c.ron:2:10: `pgup` is not a key"),
        ("step", "n", "c.ron:2:10: the key n is taken by the action `over`"),
        ("pgup", ":step", "c.ron:2:1: `pgup` is not a key"),
        ("f8", ": ", "c.ron:2:1: `f8` stands for a command line"),
    ] {
        let said = configured(&[(name, key)]).unwrap_err();
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn scores_fit_into_six_columns() {
    for (value, text) in [
        (0.047_619, "+0.048"),
        (-12.345_67, "-12.35"),
        (123.456_78, "+123.5"),
        (99_999.0, "+99999"),
        (100_000.0, "+1e5"),
        (-123_456.789, "-1e5"),
    ] {
        let score = Score::new(value).expect("a number");
        assert_eq!(short(score, 6), text);
    }
}
