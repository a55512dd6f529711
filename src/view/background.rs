//! Whether the terminal is dark or light, by the query for its background colour (OSC 11). A query to which every terminal
//! replies follows (primary device attributes), so a terminal that ignores the first query costs no time.

use std::{
    os::fd::AsFd,
    time::{Duration, Instant},
};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io,
};

/// Whether the terminal's background is dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// The terminal does not report its background.
    #[default]
    Unknown,
    /// The terminal has a dark background.
    Dark,
    /// The terminal has a light background.
    Light,
}

/// The query for the background colour, then the query whose reply comes last.
pub const QUESTION: &str = "\x1b]11;?\x1b\\\x1b[c";

/// How long to wait for the terminal's reply.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// How long after `PATIENCE` a late reply is recognised, so that its parts are not taken for keys.
const LATE: Duration = Duration::from_secs(5);
/// The greatest length of a late reply, in characters.
const LONGEST: usize = 40;

/// What was read from the terminal: its reply, and typed keys.
#[derive(Debug, Default)]
pub struct Replies {
    /// The background; `None` if no reply came in time, or a reply without a colour.
    pub background: Option<Background>,
    /// The keys that were typed during the wait.
    pub typed: Vec<Event>,
}

/// Reads the replies to [`QUESTION`] from a terminal in raw mode.
pub fn read(terminal: impl AsFd) -> Replies {
    let (began, mut bytes) = (Instant::now(), Vec::new());
    while !is_complete(&bytes) {
        let remaining = PATIENCE.saturating_sub(began.elapsed());
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(remaining.subsec_nanos()) };
        let mut ready = [PollFd::new(&terminal, PollFlags::IN)];
        let mut part = [0; 256];
        match poll(&mut ready, Some(&timeout)) {
            Ok(1..) => match io::read(&terminal, &mut part) {
                Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
                _ => break,
            },
            _ => break,
        }
    }
    parse(&bytes)
}

const COLOUR: &str = "\x1b]11;";
const ATTRIBUTES: &str = "\x1b[?";

/// Whether the reply to the second query has arrived.
fn is_complete(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.split(ATTRIBUTES).skip(1).any(|rest| rest.contains('c'))
}

/// Separates the terminal's replies from typed keys.
pub fn parse(bytes: &[u8]) -> Replies {
    let text = String::from_utf8_lossy(bytes);
    let mut replies = Replies::default();
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        if let Some(reply) = rest.strip_prefix(COLOUR) {
            let end = reply.find(['\x07', '\x1b']).unwrap_or(reply.len());
            replies.background = background(&reply[..end]);
            let after = &reply[end..];
            rest = after.strip_prefix("\x1b\\").or(after.strip_prefix('\x07')).unwrap_or("");
        } else if let Some(reply) = rest.strip_prefix(ATTRIBUTES) {
            rest = reply.split_once('c').map_or("", |(_, rest)| rest);
        } else {
            replies.typed.extend(key(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    replies
}

/// A key that was typed before the screen opened: a character, Enter or Esc.
fn key(sign: char) -> Option<Event> {
    let code = match sign {
        '\r' => KeyCode::Enter,
        '\x1b' => KeyCode::Esc,
        sign if sign.is_control() => return None,
        sign => KeyCode::Char(sign),
    };
    Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// Reads a colour such as `rgb:1e1e/1e1e/2e2e`, with one to four digits for each channel.
fn background(colour: &str) -> Option<Background> {
    let (_, channels) = colour.split_once(':')?;
    let channel = |text: &str| {
        let most = 16_f64.powi(i32::try_from(text.len()).ok().filter(|digits| *digits <= 4)?) - 1.0;
        Some(f64::from(u16::from_str_radix(text, 16).ok()?) / most)
    };
    let channels: Vec<f64> = channels.split('/').take(3).map(channel).collect::<Option<_>>()?;
    let [red, green, blue] = channels.try_into().ok()?;
    // Rec. 709 without gamma correction, which suffices to tell dark from light.
    let brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if brightness < 0.5 { Background::Dark } else { Background::Light })
}

/// The background by `COLORFGBG`, an environment variable that some terminals set; its last number is the background.
pub fn of_variable(value: &str) -> Option<Background> {
    let background: u8 = value.rsplit(';').next()?.parse().ok()?;
    let is_light = background == 7 || (9..=15).contains(&background);
    Some(if is_light { Background::Light } else { Background::Dark })
}

/// Filters a late reply out of the keys. crossterm reads the first character of the reply as Alt-], the last one as Alt-\.
#[derive(Debug)]
pub struct LateReplies {
    until: Instant,
    /// The number of characters read of a reply that has begun; `None` outside of a reply.
    inside: Option<usize>,
}

impl Default for LateReplies {
    fn default() -> Self {
        Self { until: Instant::now() + LATE, inside: None }
    }
}

impl LateReplies {
    /// Whether an event is part of a late reply, not a key.
    pub fn takes(&mut self, event: &Event) -> bool {
        let Event::Key(KeyEvent { code: KeyCode::Char(sign), modifiers, .. }) = event else {
            return false;
        };
        let with = |modifier| modifiers.contains(modifier);
        match self.inside {
            None if *sign == ']' && with(KeyModifiers::ALT) && Instant::now() < self.until => {
                self.inside = Some(0);
                true
            }
            None => false,
            Some(length) => {
                let ends = *sign == '\\' && with(KeyModifiers::ALT)
                    || *sign == 'g' && with(KeyModifiers::CONTROL);
                let is_part = sign.is_ascii_hexdigit() || ";:/rgba?".contains(*sign);
                self.inside = (!ends && is_part && length < LONGEST).then_some(length + 1);
                ends || is_part
            }
        }
    }
}
