//! What things look like: colours by what they are for, and the characters of an ASCII screen.

use std::{env, ffi::OsStr};

use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier, Style},
};

use crate::{
    picture::{Ink, Palette, Role},
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

    fn choose(no_color: Option<&OsStr>, colorterm: Option<&OsStr>, term: Option<&OsStr>) -> Self {
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

/// The styles of the screen. Whatever a colour says, a word, a sign or a modifier says too.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The colours the styles are made of, for pictures of the screen.
    pub palette: Palette,
    /// Everything, unless said otherwise; also the background.
    pub text: Style,
    /// What matters less.
    pub dim: Style,
    /// The title of a pane.
    pub title: Style,
    /// Border and title of the pane with the focus.
    pub focus: Style,
    /// The selected line of a list.
    pub selection: Style,
    /// What went wrong.
    pub error: Style,
    /// White, and the side that maximises.
    pub white: Style,
    /// Black, and the side that minimises.
    pub black: Style,
    /// The best move, the current line, a match.
    pub best: Style,
}

impl Theme {
    /// The names of all themes, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Palette::ALL.iter().map(|palette| palette.name)
    }

    /// The theme of this name. Where no colours may be sent it is `mono`, whatever the name.
    pub fn named(name: &str, colours: Colours) -> Option<Self> {
        let palette = Palette::named(name)?;
        Some(match colours {
            Colours::None => Self::usual(colours),
            _ => Self::new(palette, colours),
        })
    }

    /// The theme where nobody asks for another.
    pub fn usual(colours: Colours) -> Self {
        match colours {
            Colours::None => Self::new(Palette::MONO, colours),
            _ => Self::new(Palette::DEFAULT, colours),
        }
    }

    fn new(palette: Palette, colours: Colours) -> Self {
        let ink = |ink| color(ink, colours);
        let plain = Style::new().fg(ink(palette.text)).bg(ink(palette.background));
        let of = |foreground| plain.fg(ink(foreground));
        let selection = match palette.selection {
            Ink::Terminal => plain.add_modifier(Modifier::REVERSED),
            selected @ Ink::Rgb(_) => plain.bg(ink(selected)).add_modifier(Modifier::BOLD),
        };
        Self {
            palette,
            text: plain,
            dim: of(palette.dim),
            title: plain.add_modifier(Modifier::BOLD),
            focus: of(palette.accent).add_modifier(Modifier::BOLD),
            selection,
            error: of(palette.warm).add_modifier(Modifier::BOLD | Modifier::REVERSED),
            white: of(palette.warm),
            black: of(palette.cool),
            best: of(palette.accent).add_modifier(Modifier::BOLD),
        }
    }

    /// The style of a character on a board.
    pub fn board(&self, role: Role) -> Style {
        let bold = |style: Style| style.add_modifier(Modifier::BOLD);
        match role {
            Role::Blank => self.text,
            Role::Line | Role::Label | Role::Empty => self.dim,
            Role::White | Role::WhiteLast | Role::WhiteMill => bold(self.white),
            Role::Black | Role::BlackLast | Role::BlackMill => bold(self.black),
            Role::Cursor | Role::Chosen | Role::Target => self.best,
            Role::Capturable => self.best.add_modifier(Modifier::REVERSED),
        }
    }
}

impl Default for Theme {
    /// The colour-blind-safe theme in true colours.
    fn default() -> Self {
        Self::new(Palette::DEFAULT, Colours::True)
    }
}

fn color(ink: Ink, colours: Colours) -> Color {
    match (ink, colours) {
        (Ink::Terminal, _) | (_, Colours::None) => Color::Reset,
        (Ink::Rgb(rgb), Colours::True) => Color::Rgb(rgb.0, rgb.1, rgb.2),
        (Ink::Rgb(rgb), Colours::Indexed) => Color::Indexed(rgb.nearest_index()),
    }
}

/// Colours and characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// Only bytes below 0x80.
    pub ascii: bool,
    /// Which colours the terminal may be sent.
    pub colours: Colours,
    /// The styles.
    pub theme: Theme,
}

impl Default for Appearance {
    fn default() -> Self {
        let colours = Colours::Indexed;
        Self { ascii: false, colours, theme: Theme::usual(colours) }
    }
}

impl Appearance {
    /// Takes the theme after this one, and tells its name.
    pub fn next_theme(&mut self) -> &'static str {
        let names: Vec<_> = Theme::names().collect();
        let at = names.iter().position(|name| *name == self.theme.palette.name);
        let name = names[at.map_or(0, |at| (at + 1) % names.len())];
        if let Some(theme) = Theme::named(name, self.colours) {
            self.theme = theme;
        }
        name
    }

    /// Whether text may be painted.
    pub fn colour(&self) -> Colour {
        if self.colours == Colours::None { Colour::Off } else { Colour::On }
    }

    /// What has the keyboard, and what is chosen.
    pub fn accent(&self) -> Style {
        self.theme.focus
    }

    /// What deserves attention.
    pub fn warning(&self) -> Style {
        self.theme.error
    }

    /// What stands back.
    pub fn quiet(&self) -> Style {
        self.theme.dim
    }

    /// The line under the cursor.
    pub fn selected(&self) -> Style {
        self.theme.selection
    }

    /// Column heads.
    pub fn head(&self) -> Style {
        self.theme.dim.add_modifier(Modifier::UNDERLINED)
    }
}

/// Replaces every character of the screen that is not ASCII by one that is.
pub fn fold(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let folded = cell.symbol().chars().next().map_or(" ", ascii);
            cell.set_symbol(folded);
        }
    }
}

fn ascii(c: char) -> &'static str {
    match c {
        '─' | '━' | '—' | '–' | '═' | '−' => "-",
        '│' | '┃' | '║' | '‖' | '█' => "|",
        '▓' | '▪' | '■' => "#",
        '░' | '·' | '…' | '○' => ".",
        '▸' | '→' | '›' | '≥' => ">",
        '←' | '‹' | '≤' => "<",
        '↑' => "^",
        '↓' => "v",
        'α' => "a",
        'β' => "b",
        '✂' | '×' => "x",
        '✓' | '\u{2500}'..='\u{257f}' => "+",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Rgb;

    const ENOUGH: f64 = 4.5;

    #[test]
    fn everything_can_be_read_on_its_background() {
        for palette in [Palette::DARK, Palette::LIGHT] {
            for ground in [palette.background, palette.selection] {
                let ground = ground.or(Rgb(0, 0, 0));
                for ink in palette.foregrounds() {
                    let contrast = ink.or(ground).contrast(ground);
                    assert!(contrast >= ENOUGH, "{}: {ink:?} has {contrast}", palette.name);
                }
            }
        }
    }

    #[test]
    fn the_default_can_be_read_on_black_and_on_white() {
        for ink in Palette::DEFAULT.foregrounds() {
            let Ink::Rgb(ink) = ink else { continue };
            for ground in [Rgb(0, 0, 0), Rgb(255, 255, 255)] {
                let contrast = ink.contrast(ground);
                assert!(contrast >= ENOUGH, "{ink:?} has {contrast}");
            }
        }
    }

    #[test]
    fn the_nearest_of_256_colours_is_nearly_as_readable() {
        for palette in [Palette::DARK, Palette::LIGHT] {
            let near = |ink: Ink| Rgb::of_index(ink.or(Rgb(0, 0, 0)).nearest_index());
            for ink in palette.foregrounds() {
                let contrast = near(ink).contrast(near(palette.background));
                assert!(contrast >= ENOUGH, "{}: {ink:?} has {contrast}", palette.name);
            }
        }
    }

    #[test]
    fn no_color_and_mono_send_no_colour() {
        for theme in [Theme::named("dark", Colours::None), Theme::named("mono", Colours::True)] {
            let theme = theme.unwrap();
            for style in [theme.text, theme.dim, theme.error, theme.board(Role::White)] {
                assert_eq!((style.fg, style.bg), (Some(Color::Reset), Some(Color::Reset)));
            }
        }
        assert_eq!(Theme::named("neon", Colours::True), None);
        assert_eq!(Theme::names().next(), Some("default"));
    }

    #[test]
    fn the_environment_is_heard() {
        let some = |text: &'static str| Some(OsStr::new(text));
        let choose = Colours::choose;
        assert_eq!(choose(some("1"), some("truecolor"), None), Colours::None);
        assert_eq!(choose(some(""), some("truecolor"), None), Colours::True);
        assert_eq!(choose(None, None, some("xterm")), Colours::Indexed);
        assert_eq!(choose(None, None, some("dumb")), Colours::None);
        let theme = Theme::named("default", Colours::Indexed).unwrap();
        assert!(matches!(theme.white.fg, Some(Color::Indexed(_))));
    }

    #[test]
    fn contrast_is_what_the_standard_says() {
        let contrast = Rgb(0, 0, 0).contrast(Rgb(255, 255, 255));
        assert!((contrast - 21.0).abs() < 1e-9);
        assert!((Rgb(118, 118, 118).contrast(Rgb(255, 255, 255)) - 4.54).abs() < 0.01);
    }
}
