//! Keys: their names in the key map, and the bytes a terminal sends for them.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, as the key map names it: `s`, `?`, `ctrl-c`, `shift-f6`, `pageup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPress {
    code: KeyCode,
    modifiers: KeyModifiers,
}

const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("space", KeyCode::Char(' ')),
];

const MODIFIERS: &[(&str, KeyModifiers)] = &[
    ("ctrl-", KeyModifiers::CONTROL),
    ("alt-", KeyModifiers::ALT),
    ("shift-", KeyModifiers::SHIFT),
];

impl KeyPress {
    /// Whether a line editor has no use for it, so that it can mean something while text is typed.
    pub fn writes_nothing(&self) -> bool {
        match self.code {
            KeyCode::F(_) | KeyCode::PageUp | KeyCode::PageDown => true,
            KeyCode::Char('c' | 'z') => self.modifiers == KeyModifiers::CONTROL,
            _ => false,
        }
    }
}

impl From<KeyEvent> for KeyPress {
    fn from(event: KeyEvent) -> Self {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let mut modifiers = event.modifiers & known;
        let code = match event.code {
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            // `S` says all: some terminals report the shift key besides, some do not.
            KeyCode::Char(c) => {
                modifiers -= KeyModifiers::SHIFT;
                KeyCode::Char(c)
            }
            code => code,
        };
        Self { code, modifiers }
    }
}

impl From<KeyPress> for KeyEvent {
    fn from(key: KeyPress) -> Self {
        Self::new(key.code, key.modifiers)
    }
}

impl std::str::FromStr for KeyPress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((name, modifier)) =
            MODIFIERS.iter().find(|(name, _)| rest.len() > name.len() && rest.starts_with(name))
        {
            modifiers |= *modifier;
            rest = &rest[name.len()..];
        }
        let code = code(rest).ok_or_else(|| {
            format!(
                "`{text}` is no key: write a letter, `f5`, `enter`, `pageup`, `ctrl-x`, `shift-f6`"
            )
        })?;
        Ok(Self { code, modifiers })
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Some(KeyCode::Char(letter));
    }
    if let Some(number) = name.strip_prefix('f').and_then(|number| number.parse().ok()) {
        return (1..=24).contains(&number).then_some(KeyCode::F(number));
    }
    let (_, code) = NAMES.iter().find(|(known, _)| *known == name)?;
    Some(*code)
}

impl fmt::Display for KeyPress {
    /// For people: `^C`, `F6`, `S-F6`, `Enter`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            f.write_str("^")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("M-")?;
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            f.write_str("S-")?;
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(c) if self.modifiers.contains(KeyModifiers::CONTROL) => {
                write!(f, "{}", c.to_ascii_uppercase())
            }
            code => write!(f, "{code}"),
        }
    }
}

/// What a terminal sends for a key; nothing for keys that have no bytes.
pub fn bytes(event: KeyEvent) -> Vec<u8> {
    let mut sent = match event.code {
        KeyCode::Char(c) if event.modifiers.contains(KeyModifiers::CONTROL) => control(c),
        KeyCode::Char(c) => c.to_string().into_bytes(),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Tab => b"\t".to_vec(),
        KeyCode::BackTab => b"\x1b[Z".to_vec(),
        KeyCode::Backspace => b"\x7f".to_vec(),
        KeyCode::Esc => b"\x1b".to_vec(),
        code => return special(code, event.modifiers),
    };
    if event.modifiers.contains(KeyModifiers::ALT) && !sent.is_empty() {
        sent.insert(0, 0x1b);
    }
    sent
}

fn control(c: char) -> Vec<u8> {
    match c.to_ascii_lowercase() {
        c @ 'a'..='z' => vec![c as u8 - b'a' + 1],
        ' ' | '@' => vec![0],
        '[' => vec![0x1b],
        '\\' | '4' => vec![0x1c],
        ']' | '5' => vec![0x1d],
        '^' | '6' => vec![0x1e],
        '_' | '/' | '7' => vec![0x1f],
        _ => Vec::new(),
    }
}

/// Cursor and editing keys, with modifiers as xterm writes them.
fn special(code: KeyCode, modifiers: KeyModifiers) -> Vec<u8> {
    let shift = u8::from(modifiers.contains(KeyModifiers::SHIFT));
    let alt = 2 * u8::from(modifiers.contains(KeyModifiers::ALT));
    let ctrl = 4 * u8::from(modifiers.contains(KeyModifiers::CONTROL));
    let modifier = 1 + shift + alt + ctrl;
    let letter = |letter: char| match modifier {
        1 => format!("\x1b[{letter}"),
        _ => format!("\x1b[1;{modifier}{letter}"),
    };
    let number = |number: u8| match modifier {
        1 => format!("\x1b[{number}~"),
        _ => format!("\x1b[{number};{modifier}~"),
    };
    let text = match code {
        KeyCode::Up => letter('A'),
        KeyCode::Down => letter('B'),
        KeyCode::Right => letter('C'),
        KeyCode::Left => letter('D'),
        KeyCode::Home => letter('H'),
        KeyCode::End => letter('F'),
        KeyCode::Insert => number(2),
        KeyCode::Delete => number(3),
        KeyCode::PageUp => number(5),
        KeyCode::PageDown => number(6),
        _ => String::new(),
    };
    text.into_bytes()
}
