//! Replies of the terminal about its background, and films of the screen.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use plyscope::{
    tui::film::Film,
    view::background::{
        Background::{Dark, Light},
        LateReplies, of_variable, parse,
    },
};
use ratatui::{buffer::Buffer, layout::Rect, style::Style};

#[test]
fn dark_and_light_are_told_apart_in_every_spelling() {
    for (reply, expected) in [
        ("\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c", Some(Dark)),
        ("\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?1;2c", Some(Light)),
        ("\x1b]11;rgb:fd/f6/e3\x1b\\\x1b[?6c", Some(Light)),
        ("\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x1b\\\x1b[?6c", Some(Dark)),
        ("\x1b[?6c", None),
        ("\x1b]11;#ffffff\x1b\\\x1b[?6c", None),
        ("\x1b]11;rgb:fffff/0/0\x1b\\\x1b[?6c", None),
        ("\x1b]11;rgb:", None),
        ("", None),
    ] {
        let replies = parse(reply.as_bytes());
        assert_eq!((replies.background, replies.typed.len()), (expected, 0), "{reply:?}");
    }
    assert_eq!(of_variable("15;0"), Some(Dark));
    assert_eq!(of_variable("0;default;15"), Some(Light));
    assert_eq!(of_variable("default"), None);
}

#[test]
fn what_is_typed_beside_replies_is_kept() {
    let typed = parse(b"ab\x1b]11;rgb:0/0/0\x1b\\c\x1b[?6c\rd").typed;
    let codes: Vec<_> = typed.iter().filter_map(|event| Some(event.as_key_event()?.code)).collect();
    let expected = ['a', 'b', 'c'].map(KeyCode::Char).into_iter();
    assert_eq!(codes, expected.chain([KeyCode::Enter, KeyCode::Char('d')]).collect::<Vec<_>>());
}

#[test]
fn a_late_reply_reaches_no_pane() {
    let key = |sign, modifiers| Event::Key(KeyEvent::new(KeyCode::Char(sign), modifiers));
    let mut late = LateReplies::default();
    assert!(!late.takes(&key('s', KeyModifiers::NONE)));
    assert!(late.takes(&key(']', KeyModifiers::ALT)));
    for sign in "11;rgb:1e1e/1e1e/2e2e".chars() {
        assert!(late.takes(&key(sign, KeyModifiers::NONE)), "{sign}");
    }
    assert!(late.takes(&key('\\', KeyModifiers::ALT)));
    assert!(!late.takes(&key('1', KeyModifiers::NONE)), "a key after it");
}

fn screen(text: &str) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
    buffer.set_string(0, 0, text, Style::new());
    buffer
}

const TENTH: Duration = Duration::from_millis(100);

#[test]
fn a_film_has_the_last_ten_seconds() {
    let begin = Instant::now();
    let mut film = Film::default();
    for tenths in 0..150 {
        film.add(&screen(&(tenths / 3).to_string()), begin + TENTH * tenths);
    }
    let shots = film.shots(begin + TENTH * 150);
    // Since the last screen nothing has changed for 0.3 s; it rests for two seconds.
    let whole: f64 = shots.iter().map(|shot| shot.seconds).sum();
    assert!((whole - 11.7).abs() < 0.01, "{whole}");
    assert_eq!(shots.last().map(|shot| shot.screen.clone()), Some(screen("49")));
    assert!(shots.iter().all(|shot| shot.seconds > 0.0));
    film.add(&Buffer::empty(Rect::new(0, 0, 9, 1)), begin + TENTH * 151);
    assert_eq!(film.shots(begin + TENTH * 152).len(), 1, "screens of another size are left out");
}

#[test]
fn screens_in_quick_succession_are_one() {
    let begin = Instant::now();
    let mut film = Film::default();
    for millis in 0..95 {
        film.add(&screen(&millis.to_string()), begin + Duration::from_millis(millis));
    }
    let shots = film.shots(begin + TENTH);
    assert_eq!(shots.len(), 1);
    assert_eq!(shots[0].screen, screen("94"), "the last one is kept");
}
