//! Themes: styles by purpose, and the characters for ASCII screens.

use ratatui::{buffer::Cell, prelude::*};

use crate::{
    engine::session::reply::{BoardKind, Side},
    picture::{BLACK_INK, Background, BoardCell, Paint, Role, WHITE_INK},
    text::ascii,
    view::{Colour, background::Background as TerminalBackground},
};

/// The name of a theme and eight colours: background, selection, text, less important text, White (orange), Black (blue),
/// accent (purple), reduced nodes (green). The colours are indexes into the 256-colour palette, mostly without the first 16, which users redefine; 0
/// is the terminal's default. Colour-blind people can tell orange from blue.
type Palette = (&'static str, [u8; 9]);

const MONO: Palette = ("mono", [0; 9]);
const DARK: [u8; 9] = [234, 236, 254, 247, 215, 75, 177, 114, 210];
const LIGHT: [u8; 9] = [231, 254, 234, 59, 94, 25, 90, 22, 124];

/// All themes, the default first. If the terminal does not report its background, the default theme has the colours of `dark`; if it
/// does, those of `dark` or `light` with the terminal's own background and text.
const PALETTES: [Palette; 5] =
    [("default", DARK), ("light", LIGHT), ("dark", DARK), ("basic", BASIC), MONO];

/// The basic theme, for terminals with 16 colours: bright yellow, cyan and magenta; with eight colours they are darker.
const BASIC: [u8; 9] = [0, 0, 0, 0, 11, 14, 13, 10, 9];
const DARKER: u8 = 8;

/// The backgrounds of an icicle's nodes on a dark and on a light screen: for text, less important text, White, Black, accent and
/// reduced nodes; then the ink on them, and the colour between them.
const ON_DARK_TONES: ([u8; 6], u8, u8) = ([241, 237, 94, 24, 96, 22], 255, 233);
const ON_LIGHT_TONES: ([u8; 6], u8, u8) = ([250, 254, 223, 153, 183, 157], 16, 231);

/// The styles of the screen. No information is shown by colour alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The name of the theme.
    pub name: &'static str,
    /// Whether only ASCII characters are drawn.
    pub ascii: bool,
    /// How many colours the terminal shows.
    pub colour: Colour,
    /// The terminal's background to which the default theme is fitted.
    pub background: TerminalBackground,
    /// The style of text, with the background.
    pub text: Style,
    /// The style of less important text.
    pub quiet: Style,
    /// The style of column headings.
    pub head: Style,
    /// The style of pane titles.
    pub title: Style,
    /// The style of the focused pane, of choices, and of the best move.
    pub accent: Style,
    /// The style of a list's selected line.
    pub selected: Style,
    /// The style of mistakes and of findings.
    pub error: Style,
    /// The style of failures and warnings.
    pub warning: Style,
    /// The style of everything that stands for White.
    pub white: Style,
    /// The style of everything that stands for Black.
    pub black: Style,
    /// The style of reduced nodes in an icicle.
    pub reduced: Style,
}

impl Default for Theme {
    fn default() -> Self {
        Self::usual(Colour::On)
    }
}

impl Theme {
    /// The names of all themes, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PALETTES.iter().map(|(name, _)| *name)
    }

    /// The theme with this name; `mono` if colours are off, `basic` if the terminal has fewer colours than the theme.
    pub fn named(name: &str, colour: Colour) -> Option<Self> {
        let palette = PALETTES.iter().find(|(known, _)| *known == name)?;
        Some(Self::new(palette, colour, TerminalBackground::Unknown))
    }

    /// The default theme for a terminal with these colours.
    pub fn usual(colour: Colour) -> Self {
        Self::new(&PALETTES[0], colour, TerminalBackground::Unknown)
    }

    /// Whether the theme's colours depend on the terminal's background.
    pub fn depends_on_background(&self) -> bool {
        self.name == PALETTES[0].0
    }

    /// Fits the default theme to a dark or light background; other themes are unchanged.
    pub fn fit(&mut self, background: TerminalBackground) {
        let palette = PALETTES.iter().find(|(name, _)| *name == self.name).unwrap_or(&MONO);
        *self = Self { ascii: self.ascii, ..Self::new(palette, self.colour, background) };
    }

    fn new(palette: &Palette, colour: Colour, background: TerminalBackground) -> Self {
        let (name, hues) = match colour {
            Colour::Off => MONO,
            Colour::Eight | Colour::Sixteen if *palette != MONO => ("basic", BASIC),
            _ => *palette,
        };
        let is_fitted = name == PALETTES[0].0 && background != TerminalBackground::Unknown;
        let is_light = is_fitted && background == TerminalBackground::Light;
        let mut hues = if is_light { LIGHT } else { hues };
        if is_fitted {
            (hues[0], hues[2]) = (0, 0);
        }
        let hues = hues.map(|hue| hue - if colour == Colour::Eight { hue & DARKER } else { 0 });
        let inks = hues.map(|hue| if hue == 0 { Color::Reset } else { Color::Indexed(hue) });
        let [paper, selection, text, dim, warm, cool, accent, green, red] = inks;
        let text = Style::new().fg(text).bg(paper);
        let of = |ink| text.fg(ink);
        Self {
            name,
            ascii: false,
            colour,
            background,
            text,
            quiet: of(dim),
            head: of(dim).add_modifier(Modifier::UNDERLINED),
            title: text.add_modifier(Modifier::BOLD),
            accent: of(accent).add_modifier(Modifier::BOLD),
            selected: match selection {
                Color::Reset => text.add_modifier(Modifier::REVERSED),
                selection => text.bg(selection).add_modifier(Modifier::BOLD),
            },
            error: of(red).add_modifier(Modifier::BOLD),
            warning: of(red).add_modifier(Modifier::BOLD | Modifier::REVERSED),
            white: of(warm),
            black: of(cool),
            reduced: of(green),
        }
    }

    /// The styles of an area whose sign has this style, and of the area's edge. Themes with many colours have a background of their own for each style; others reverse the colours.
    pub fn toned(&self, style: Style) -> [Style; 2] {
        if !self.has_many_colours() {
            return [style.reversed(); 2];
        }
        let (tones, ink, paper) = self.tones();
        let styles = [self.text, self.quiet, self.white, self.black, self.accent, self.reduced];
        let at = styles.iter().position(|known| known.fg == style.fg).unwrap_or(0);
        [ink, paper].map(|ink| style.fg(Color::Indexed(ink)).bg(Color::Indexed(tones[at])))
    }

    /// The style of a selected area whose sign has this style.
    pub fn toned_selection(&self, style: Style) -> Style {
        if !self.has_many_colours() {
            return style.reversed().underlined();
        }
        let (_, ink, paper) = self.tones();
        style.fg(Color::Indexed(paper)).bg(Color::Indexed(ink)).bold()
    }

    fn tones(&self) -> ([u8; 6], u8, u8) {
        let is_light = self.background == TerminalBackground::Light && self.name == PALETTES[0].0;
        if is_light || self.name == "light" { ON_LIGHT_TONES } else { ON_DARK_TONES }
    }

    /// The theme's style for a colour of the line editor, which has no themes itself.
    pub fn of_editor(&self, index: u8) -> Style {
        match index {
            75 | 117 => self.black,
            179 | 208 => self.white,
            150 => self.accent,
            _ => self.text,
        }
    }

    /// Switches to the theme that comes next in [`Self::names`].
    pub fn switch_to_next(&mut self) {
        let at = PALETTES.iter().position(|(name, _)| *name == self.name);
        let next = &PALETTES[at.map_or(0, |at| (at + 1) % PALETTES.len())];
        *self = Self { ascii: self.ascii, ..Self::new(next, self.colour, self.background) };
    }

    /// Whether the theme has more than sixteen colours, and the terminal shows characters other than ASCII.
    pub fn is_painted(&self) -> bool {
        self.has_many_colours() && !self.ascii
    }

    fn is_mono(&self) -> bool {
        self.name == MONO.0
    }

    fn has_many_colours(&self) -> bool {
        matches!(self.colour, Colour::On | Colour::Palette)
            && !self.is_mono()
            && self.name != "basic"
    }

    /// The colours of a board of this kind, and whether it is drawn with block characters.
    pub fn paint(&self, kind: BoardKind) -> (Paint, bool) {
        match kind {
            _ if self.is_painted() => (Paint::Full, true),
            BoardKind::Squares if self.is_mono() => (Paint::Reverse, !self.ascii),
            BoardKind::Squares => (Paint::Few, !self.ascii),
            BoardKind::Lines => (Paint::Plain, false),
        }
    }

    /// The style of a character of a board.
    pub fn board(&self, cell: BoardCell) -> Style {
        let BoardCell { role, background, sign } = cell;
        if background == Background::Paper || background == Background::Wood && !self.is_painted() {
            return match role {
                Role::Blank => self.text,
                Role::Label | Role::Line | Role::Ground(_) => self.quiet,
                // White's pieces stand on a plate. Otherwise both sides look alike where the font is small.
                Role::Stone(_) if ('♔'..='♙').contains(&sign) => self.white.bold().reversed(),
                Role::Stone(it) => [self.white, self.black][it.index()].bold(),
                Role::Hint => self.accent,
                Role::Capturable => self.accent.add_modifier(Modifier::REVERSED),
            };
        }
        if !self.has_many_colours() {
            return self.board_of_few_colours(background);
        }
        let ink = match (role, background) {
            (Role::Stone(Side::White), _)
            | (Role::Hint, Background::Wood | Background::Stone(Side::Black)) => WHITE_INK,
            (Role::Capturable, Background::Stone(Side::White)) => Color::Indexed(124),
            (Role::Capturable, _) => Color::Indexed(203),
            (Role::Ground(ground), _) => self.ground(ground),
            _ => BLACK_INK,
        };
        Style::new().fg(ink).bg(self.ground(background)).add_modifier(Modifier::BOLD)
    }

    /// The colour of a board's background, the same in every theme. All on which pieces stand are as far from white as from black,
    /// so the pieces of both sides have a contrast of at least 4.5 to 1 with each.
    fn ground(&self, background: Background) -> Color {
        let (exact, nearest) = match background {
            Background::Stone(Side::White) => return WHITE_INK,
            Background::Stone(Side::Black) => return BLACK_INK,
            Background::Sign => (0xff_d7_5f, 221),
            Background::Light | Background::Paper => (0x94_6e_48, 243),
            Background::Dark => (0x48_7c_8e, 29),
            Background::LightMoved | Background::DarkMoved => (0x90_72_0a, 98),
            Background::Check => (0xcb_49_4b, 163),
            Background::Chosen => (0x8e_60_c0, 163),
            Background::Hinted => (0x20_84_58, 131),
            Background::Cursor => (0xc0_42_a4, 63),
            Background::Wood => (0x30_83_69, 29),
        };
        if self.colour == Colour::On { Color::from_u32(exact) } else { Color::Indexed(nearest) }
    }

    /// The style of the bar of values beside a board. Its greys stand for White and Black, which would vanish on a light and on a
    /// dark screen.
    pub fn value_bar(&self) -> Style {
        if self.has_many_colours() {
            return Style::new().fg(Color::Indexed(251)).bg(Color::Indexed(239));
        }
        self.board_of_few_colours(Background::Stone(Side::Black))
    }

    /// The style of a character of a board in the eight ANSI colours; in two, by reverse video, if the theme has no colours.
    fn board_of_few_colours(&self, background: Background) -> Style {
        let [black, green, blue, cyan, white] = [0, 2, 4, 6, 7];
        let (ink, paper) = match background {
            Background::Stone(Side::Black) => (white, black),
            Background::Dark | Background::DarkMoved => (white, blue),
            Background::Stone(Side::White) => (black, white),
            Background::Light | Background::LightMoved => (black, cyan),
            _ => (black, green),
        };
        if self.is_mono() {
            return if ink == black { self.text.reversed() } else { self.text.bold() };
        }
        // Bold black is grey on the Linux console.
        let style = Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(paper));
        if ink == white { style.bold() } else { style }
    }
}

/// Replaces all characters that are not ASCII; by several characters where blanks follow.
pub fn fold(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(width) {
        for at in 0..row.len() {
            if row[at].symbol().is_ascii() {
                continue;
            }
            let sign = row[at].symbol().chars().next().unwrap_or(' ');
            match ascii(sign) {
                text if text.len() > 1 => spell(row, at, text),
                text => drop(row[at].set_symbol(text)),
            }
        }
    }
}

/// Writes several characters in place of one: into the blanks that follow, or over the last letters of a text that was cut.
fn spell(row: &mut [Cell], at: usize, text: &str) {
    let blank = |at: usize| row.get(at).is_some_and(|cell| cell.symbol() == " ");
    let more = text.len() - 1;
    let is_cut = text == "..." && at >= more && !blank(at - 1) && !blank(at + 1);
    // Cells to the right still have their characters that are not ASCII.
    let is_frame = |cell: &Cell| ["│", "┃"].contains(&cell.symbol());
    let end = row[at..].iter().position(is_frame).map_or(row.len(), |frame| at + frame);
    let room = (at + 1..end.saturating_sub(more))
        .find(|from| (*from..=from + more).all(blank))
        .filter(|_| !is_cut);
    let is_sign = |at: usize| row.get(at).is_some_and(|cell| ["+", "-"].contains(&cell.symbol()));
    let first = at.checked_sub(1).filter(|before| is_sign(*before)).unwrap_or(at);
    let leads = first > more && (first - more - 1..first).all(blank);
    // A text that already ends in `…` is cut by some letters more.
    let dots = (at + more + 1..end).find(|at| row[*at].symbol() == "…");
    let (from, text) = match room {
        _ if is_cut || text == "..." && at >= more && room.is_none() => (at - more, text),
        // A value in a column of right-aligned values stays aligned.
        _ if leads && text != "..." => {
            row[first - more..at].rotate_left(more);
            (at - more, text)
        }
        None if let Some(dots) = dots => {
            row[at + 1..dots].rotate_right(more);
            (at, text)
        }
        // Of `≥` and `≤`, the first character alone has another meaning.
        None if more == 1 && at > 0 && blank(at - 1) => (at - 1, text),
        None if let Some(gap) = (at + 1..end).find(|at| more == 1 && blank(*at)) => {
            row[at + 1..=gap].rotate_right(more);
            (at, text)
        }
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
