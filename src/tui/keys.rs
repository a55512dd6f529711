//! Keys: their names in the configuration, and the bytes that terminals send for them.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, written `s`, `?`, `ctrl-c`, `shift-f6` or `pageup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPress {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// The named keys, each with what a terminal sends for it: a character, or the part after `ESC [`.
const NAMED: &[(&str, KeyCode, &str)] = &[
    ("enter", KeyCode::Enter, "\r"),
    ("esc", KeyCode::Esc, "\x1b"),
    ("tab", KeyCode::Tab, "\t"),
    ("backspace", KeyCode::Backspace, "\x7f"),
    ("space", KeyCode::Char(' '), " "),
    ("up", KeyCode::Up, "A"),
    ("down", KeyCode::Down, "B"),
    ("right", KeyCode::Right, "C"),
    ("left", KeyCode::Left, "D"),
    ("home", KeyCode::Home, "H"),
    ("end", KeyCode::End, "F"),
    ("insert", KeyCode::Insert, "2~"),
    ("delete", KeyCode::Delete, "3~"),
    ("pageup", KeyCode::PageUp, "5~"),
    ("pagedown", KeyCode::PageDown, "6~"),
];

/// The modifiers, each with its name in the configuration and its prefix for people.
const MODIFIERS: [(&str, KeyModifiers, &str); 3] = [
    ("ctrl-", KeyModifiers::CONTROL, "^"),
    ("alt-", KeyModifiers::ALT, "Alt-"),
    ("shift-", KeyModifiers::SHIFT, "S-"),
];

impl KeyPress {
    /// The letter of an Alt key; `None` for other keys. Terminals send Esc and a letter soon after as Alt with that letter.
    pub fn after_escape(&self) -> Option<Self> {
        let pressed = self.modifiers == KeyModifiers::ALT && matches!(self.code, KeyCode::Char(_));
        pressed.then_some(Self { code: self.code, modifiers: KeyModifiers::NONE })
    }

    /// The character of a key without Ctrl and Alt; `None` for other keys.
    pub fn letter(&self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.modifiers.is_empty() => Some(letter),
            _ => None,
        }
    }

    fn pressed(&self) -> impl Iterator<Item = (&'static str, KeyModifiers, &'static str)> {
        MODIFIERS.into_iter().filter(|(_, modifier, _)| self.modifiers.contains(*modifier))
    }

    /// The name of the key, as in the configuration.
    pub fn spelled(&self) -> String {
        let modifiers: String = self.pressed().map(|(name, ..)| name).collect();
        let named = NAMED.iter().find(|(_, code, _)| *code == self.code);
        let name = match (named, self.code) {
            (Some((name, ..)), _) => (*name).to_owned(),
            (None, KeyCode::Char(letter)) => letter.to_string(),
            (None, code) => code.to_string().to_lowercase(),
        };
        modifiers + &name
    }

    /// Whether line editors do not use the key, so that it can be an action while text is typed.
    pub fn is_control(&self) -> bool {
        match self.code {
            KeyCode::F(_) | KeyCode::PageUp | KeyCode::PageDown | KeyCode::Esc => true,
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
            // Some terminals report Shift besides the capital letter, others do not, so Shift is dropped.
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
        let begins = |rest: &str, name: &str| rest.len() > name.len() && rest.starts_with(name);
        while let Some((name, modifier, _)) = MODIFIERS.iter().find(|it| begins(rest, it.0)) {
            modifiers |= *modifier;
            rest = &rest[name.len()..];
        }
        let code = code(rest).ok_or_else(|| {
            format!(
                "`{text}` is not a key: write a letter, `f5`, `enter`, `pageup`, `ctrl-x`, `shift-f6`"
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
    NAMED.iter().find(|(known, ..)| *known == name).map(|(_, code, _)| *code)
}

impl fmt::Display for KeyPress {
    /// The key for people: `^C`, `F6`, `S-F6`, `Enter`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pressed().try_for_each(|(.., sign)| f.write_str(sign))?;
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Up => f.write_str("↑"),
            KeyCode::Down => f.write_str("↓"),
            KeyCode::Left => f.write_str("←"),
            KeyCode::Right => f.write_str("→"),
            KeyCode::Char(c) if self.modifiers.contains(KeyModifiers::CONTROL) => {
                write!(f, "{}", c.to_ascii_uppercase())
            }
            code => write!(f, "{code}"),
        }
    }
}

/// The bytes that a terminal sends for a key; empty if a terminal sends none.
pub fn bytes(event: KeyEvent) -> Vec<u8> {
    let mut sent = match event.code {
        KeyCode::Char(c) if event.modifiers.contains(KeyModifiers::CONTROL) => control(c),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::BackTab => "\x1b[Z".to_owned(),
        code => match NAMED.iter().find(|(_, known, _)| *known == code) {
            Some((.., end)) if end.ends_with(|last: char| last.is_alphabetic() || last == '~') => {
                return sequence(end, event.modifiers).into_bytes();
            }
            Some((.., character)) => (*character).to_owned(),
            None => String::new(),
        },
    };
    if event.modifiers.contains(KeyModifiers::ALT) && !sent.is_empty() {
        sent.insert(0, '\x1b');
    }
    sent.into_bytes()
}

/// The control character of a key, including xterm's aliases such as Ctrl-7; empty if there is none.
fn control(c: char) -> String {
    let c = match c.to_ascii_uppercase() {
        ' ' => '@',
        '4' => '\\',
        '5' => ']',
        '6' => '^',
        '/' | '7' => '_',
        c => c,
    };
    let code = ('@'..='_').contains(&c).then(|| char::from(c as u8 & 0x1f));
    code.map_or(String::new(), String::from)
}

/// A cursor or editing key with modifiers, as xterm encodes it.
fn sequence(end: &str, modifiers: KeyModifiers) -> String {
    let bit = |modifier, bit: u8| if modifiers.contains(modifier) { bit } else { 0 };
    let pressed =
        bit(KeyModifiers::SHIFT, 1) + bit(KeyModifiers::ALT, 2) + bit(KeyModifiers::CONTROL, 4);
    let (number, last) = end.split_at(end.len() - 1);
    match (pressed, number) {
        (0, _) => format!("\x1b[{end}"),
        (_, "") => format!("\x1b[1;{}{last}", 1 + pressed),
        _ => format!("\x1b[{number};{}{last}", 1 + pressed),
    }
}
