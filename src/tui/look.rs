//! What things look like: styles by what they are for, and the characters of an ASCII screen.

use std::{env, ffi::OsStr};

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier, Style},
};

use crate::{
    engine::reply::Side,
    picture::{BLACK_INK, BoardCell, Ground, Ink, Role, WHITE_INK},
    view::Colour,
};

/// Which colours a terminal may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// None: `NO_COLOR` is set.
    None,
    /// The 256 that nearly every terminal has.
    Indexed,
    /// Any.
    True,
}

impl Colours {
    /// What the environment asks for: `NO_COLOR` refuses all, `COLORTERM` promises any.
    pub fn of_environment() -> Self {
        let value = |name| env::var_os(name);
        Self::choose(
            value("NO_COLOR").as_deref(),
            value("COLORTERM").as_deref(),
            value("TERM").as_deref(),
        )
    }

    /// What these values of `NO_COLOR`, `COLORTERM` and `TERM` ask for.
    pub fn choose(
        no_color: Option<&OsStr>,
        colorterm: Option<&OsStr>,
        term: Option<&OsStr>,
    ) -> Self {
        let is = |value: Option<&OsStr>, wanted: &str| value == Some(OsStr::new(wanted));
        if no_color.is_some_and(|value| !value.is_empty()) || is(term, "dumb") {
            Self::None
        } else if is(colorterm, "truecolor") || is(colorterm, "24bit") {
            Self::True
        } else {
            Self::Indexed
        }
    }
}

/// A colour as red, green, blue, and the nearest of the 256 that terminals have (users change the first 16); nothing is
/// the terminal's own.
type Hue = Option<(u32, u8)>;

/// The colours of a theme. The two sides are told apart by orange and blue, which colour-blind people can tell apart too.
struct Palette {
    name: &'static str,
    background: Hue,
    /// Behind what is selected.
    selection: Hue,
    text: Hue,
    /// What matters less.
    dim: Hue,
    /// White's: orange.
    warm: Hue,
    /// Black's: blue.
    cool: Hue,
    /// Where to look: purple.
    accent: Hue,
}

/// No colour at all.
const MONO: Palette = Palette {
    name: "mono",
    background: None,
    selection: None,
    text: None,
    dim: None,
    warm: None,
    cool: None,
    accent: None,
};

/// The usual one first: on whatever background the terminal has, its colours stand out from black and white alike.
const PALETTES: [Palette; 4] = [
    Palette {
        name: "default",
        dim: Some((0x76_7676, 243)),
        warm: Some((0xb4_6000, 130)),
        cool: Some((0x20_76d7, 32)),
        accent: Some((0xd3_15ba, 163)),
        ..MONO
    },
    Palette {
        name: "dark",
        background: Some((0x1c_1c1c, 234)),
        selection: Some((0x30_3030, 236)),
        text: Some((0xe4_e4e4, 254)),
        dim: Some((0x9e_9e9e, 247)),
        warm: Some((0xff_af5f, 215)),
        cool: Some((0x5f_afff, 75)),
        accent: Some((0xd7_87ff, 177)),
    },
    Palette {
        name: "light",
        background: Some((0xff_ffff, 231)),
        selection: Some((0xea_eaea, 255)),
        text: Some((0x1c_1c1c, 234)),
        dim: Some((0x5f_5f5f, 59)),
        warm: Some((0x94_4800, 94)),
        cool: Some((0x00_58af, 25)),
        accent: Some((0x8f_008f, 90)),
    },
    MONO,
];

/// The styles of the screen. Whatever a colour says, a word, a sign or a modifier says too.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// What it is called.
    pub name: &'static str,
    /// Only bytes below 0x80.
    pub ascii: bool,
    /// Which colours the terminal may be sent.
    pub colours: Colours,
    /// Everything, unless said otherwise; also the background.
    pub text: Style,
    /// What stands back.
    pub quiet: Style,
    /// Column heads.
    pub head: Style,
    /// The title of a pane.
    pub title: Style,
    /// What has the keyboard, what is chosen, the best.
    pub accent: Style,
    /// The selected line of a list.
    pub selected: Style,
    /// What went wrong.
    pub warning: Style,
    /// White, and the side that maximises.
    pub white: Style,
    /// Black, and the side that minimises.
    pub black: Style,
}

impl Theme {
    /// The names of all themes, the usual one first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PALETTES.iter().map(|palette| palette.name)
    }

    /// The theme of this name. Where no colours may be sent it is `mono`, whatever the name.
    pub fn named(name: &str, colours: Colours) -> Option<Self> {
        let palette = PALETTES.iter().find(|palette| palette.name == name)?;
        Some(Self::new(palette, colours))
    }

    /// The theme where nobody asks for another.
    pub fn usual(colours: Colours) -> Self {
        Self::new(&PALETTES[0], colours)
    }

    fn new(palette: &Palette, colours: Colours) -> Self {
        let palette = if colours == Colours::None { &MONO } else { palette };
        let color = |hue| color(hue, colours);
        let text = Style::new().fg(color(palette.text)).bg(color(palette.background));
        let of = |hue| text.fg(color(hue));
        Self {
            name: palette.name,
            ascii: false,
            colours,
            text,
            quiet: of(palette.dim),
            head: of(palette.dim).add_modifier(Modifier::UNDERLINED),
            title: text.add_modifier(Modifier::BOLD),
            accent: of(palette.accent).add_modifier(Modifier::BOLD),
            selected: match palette.selection {
                None => text.add_modifier(Modifier::REVERSED),
                selected => text.bg(color(selected)).add_modifier(Modifier::BOLD),
            },
            warning: of(palette.warm).add_modifier(Modifier::BOLD | Modifier::REVERSED),
            white: of(palette.warm),
            black: of(palette.cool),
        }
    }

    /// The style of text that the line editor writes in one of the 256 colours. It knows no theme, so that its colours are
    /// taken as what they are meant to say.
    pub fn written(&self, index: u8) -> Style {
        match index {
            75 | 117 => self.black,
            179 | 208 => self.white,
            150 => self.accent,
            _ => self.text,
        }
    }

    /// Becomes the theme after this one.
    pub fn turn_over(&mut self) {
        let at = PALETTES.iter().position(|palette| palette.name == self.name);
        let next = &PALETTES[at.map_or(0, |at| (at + 1) % PALETTES.len())];
        *self = Self { ascii: self.ascii, ..Self::new(next, self.colours) };
    }

    /// Whether text may be painted.
    pub fn colour(&self) -> Colour {
        if self.colours == Colours::None { Colour::Off } else { Colour::On }
    }

    /// With what boards are drawn.
    pub fn ink(&self) -> Ink {
        let painted = self.colours != Colours::None && self.name != MONO.name;
        Ink { ascii: self.ascii, painted }
    }

    /// The style of a character on a board.
    pub fn board(&self, cell: BoardCell) -> Style {
        let BoardCell { role, ground, .. } = cell;
        if ground == Ground::Paper || !self.ink().painted {
            return match role {
                Role::Blank => self.text,
                Role::Label | Role::Line => self.quiet,
                Role::Stone(_) => self.text.add_modifier(Modifier::BOLD),
                Role::Hint => self.accent,
                Role::Capturable => self.accent.add_modifier(Modifier::REVERSED),
            };
        }
        let of = |hue| color(hue, self.colours);
        let ink = match (role, ground) {
            (Role::Stone(Side::White) | Role::Hint, _) => WHITE_INK,
            (Role::Stone(Side::Black), _) => BLACK_INK,
            (Role::Capturable, Ground::Stone(Side::White)) => of(Some((0xaf_0000, 124))),
            (Role::Capturable, _) => of(Some((0xff_5f5f, 203))),
            (Role::Blank | Role::Label | Role::Line, _) => of(Some((0x2a_1c0c, 234))),
        };
        let paper = match ground {
            Ground::Stone(Side::White) => WHITE_INK,
            Ground::Stone(Side::Black) => BLACK_INK,
            ground => of(Some(square(ground))),
        };
        Style::new().fg(ink).bg(paper).add_modifier(Modifier::BOLD)
    }
}

/// What boards are made of, in every theme. White's and Black's pieces stand out from each: 3 to 1 and more.
const fn square(ground: Ground) -> (u32, u8) {
    match ground {
        Ground::Light => (0xaf_875f, 137),
        Ground::Dark => (0x84_5f3c, 94),
        Ground::LightMoved => (0x96_9236, 100),
        Ground::DarkMoved => (0x6f_6e1e, 58),
        Ground::Check => (0xc8_2a2a, 160),
        Ground::Chosen => (0x87_5faf, 97),
        Ground::Cursor => (0x4f_6fbf, 62),
        Ground::Paper | Ground::Wood | Ground::Stone(_) => (0x98_744a, 137),
    }
}

/// A colour as the terminal may be sent it.
fn color(hue: Hue, colours: Colours) -> Color {
    match (hue, colours) {
        (None, _) => Color::Reset,
        (Some((rgb, _)), Colours::True) => Color::from_u32(rgb),
        (Some((_, index)), _) => Color::Indexed(index),
    }
}

/// Replaces every character of the screen that is not ASCII by one that is, or by several where there are blanks to spare.
pub fn fold(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(width) {
        for at in 0..row.len() {
            if row[at].symbol().is_ascii() {
                continue;
            }
            let sign = row[at].symbol().chars().next().unwrap_or(' ');
            match long(sign) {
                Some(text) => spell(row, at, text),
                None => drop(row[at].set_symbol(ascii(sign))),
            }
        }
    }
}

/// Writes several characters in place of one: into the blanks that follow, or where a text was cut over its end.
fn spell(row: &mut [Cell], at: usize, text: &str) {
    let blank = |at: usize| row.get(at).is_some_and(|cell| cell.symbol() == " ");
    let more = text.len() - 1;
    let is_cut = text == "..." && at >= more && !blank(at - 1) && !blank(at + 1);
    let room = (at + 1..row.len().saturating_sub(more))
        .find(|from| (*from..=from + more).all(blank))
        .filter(|_| !is_cut);
    let (from, text) = match room {
        _ if is_cut || text == "..." && at >= more && room.is_none() => (at - more, text),
        None => (at, &text[..1]),
        Some(room) => {
            row[at + 1..room + more].rotate_right(more);
            (at, text)
        }
    };
    for (cell, sign) in row[from..].iter_mut().zip(text.chars()) {
        cell.set_char(sign);
    }
}

/// Signs that one character would make meaningless.
const fn long(sign: char) -> Option<&'static str> {
    Some(match sign {
        '≥' => ">=",
        '≤' => "<=",
        '…' => "...",
        '±' => "+-",
        '→' => "->",
        '∞' => "inf",
        _ => return None,
    })
}

const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

fn ascii(c: char) -> &'static str {
    match c {
        '─' | '—' | '–' | '−' | '⁻' | '▬' => "-",
        '━' | '═' => "=",
        '│' | '┃' | '║' | '‖' | '█' => "|",
        '◆' => "@",
        '◇' => "!",
        '●' => "*",
        '┬' => "Y",
        '▓' | '▪' | '■' | '▇' | '▉'..='▏' => "#",
        '▅' | '▆' => "+",
        '▃' | '▄' => ":",
        '▁' | '▂' | '░' | '·' | '○' | '•' => ".",
        '▸' | '›' | '▶' => ">",
        '‹' | '←' | '◀' => "<",
        '↑' => "^",
        '↓' | '▾' => "v",
        '①'..='⑨' => DIGITS[(c as usize - '①' as usize) % DIGITS.len()],
        // Half of its dots or more.
        '\u{2801}'..='\u{28ff}' if (c as u32 & 0xff).count_ones() < 4 => ".",
        '\u{2801}'..='\u{28ff}' => ":",
        '\u{2800}' => " ",
        'α' => "a",
        'β' => "b",
        '✂' | '×' => "x",
        '⁺' | '✓' | '\u{2500}'..='\u{257f}' => "+",
        _ => "?",
    }
}
