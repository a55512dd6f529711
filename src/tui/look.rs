//! What things look like: the theme's styles by use, and the characters of an ASCII screen.

use ratatui::{
    buffer::Buffer,
    style::{Modifier, Style},
};

use super::theme::{Colours, Theme};
use crate::view::Colour;

/// Colours and characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Only bytes below 0x80.
    pub ascii: bool,
    /// Which colours the terminal may be sent.
    pub colours: Colours,
    /// The styles.
    pub theme: Theme,
}

impl Default for Look {
    fn default() -> Self {
        let colours = Colours::Indexed;
        Self {
            ascii: false,
            colours,
            theme: usual(colours),
        }
    }
}

/// The theme where nobody asks for another.
pub fn usual(colours: Colours) -> Theme {
    let first = Theme::names().find_map(|name| Theme::named(name, colours));
    first.unwrap_or_else(|| unreachable!("the first theme has a name"))
}

impl Look {
    /// Takes the theme after this one, and tells its name.
    pub fn next_theme(&mut self) -> &'static str {
        let names: Vec<_> = Theme::names().collect();
        let at = names
            .iter()
            .position(|name| *name == self.theme.palette.name);
        let name = names[at.map_or(0, |at| (at + 1) % names.len())];
        if let Some(theme) = Theme::named(name, self.colours) {
            self.theme = theme;
        }
        name
    }

    /// Whether text may be painted.
    pub fn colour(&self) -> Colour {
        if self.colours == Colours::None {
            Colour::Off
        } else {
            Colour::On
        }
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
