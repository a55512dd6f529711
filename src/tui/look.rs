//! What things look like: colours, none of which carries meaning alone, and the characters of an ASCII screen.

use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier, Style},
};

/// Colours and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Only bytes below 0x80.
    pub ascii: bool,
    /// Colours at all.
    pub colour: bool,
    /// The set of colours.
    pub theme: Theme,
}

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For dark terminals: blue and orange.
    #[default]
    Dark,
    /// For light terminals.
    Light,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Dark, Self::Light];

    /// Its name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// The theme of a name.
    pub fn called(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self {
            ascii: false,
            colour: true,
            theme: Theme::Dark,
        }
    }
}

impl Look {
    fn foreground(self, dark: u8, light: u8) -> Style {
        if !self.colour {
            return Style::new();
        }
        Style::new().fg(Color::Indexed(match self.theme {
            Theme::Dark => dark,
            Theme::Light => light,
        }))
    }

    /// What has the keyboard, and what is chosen.
    pub fn accent(self) -> Style {
        self.foreground(75, 25).add_modifier(Modifier::BOLD)
    }

    /// What deserves attention.
    pub fn warning(self) -> Style {
        self.foreground(208, 130).add_modifier(Modifier::BOLD)
    }

    /// What stands back.
    pub fn quiet(self) -> Style {
        self.foreground(248, 240)
    }

    /// The line under the cursor.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Column heads.
    pub fn head(self) -> Style {
        self.foreground(248, 240).add_modifier(Modifier::UNDERLINED)
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
        '─' | '━' | '—' | '–' | '═' => "-",
        '│' | '┃' | '║' | '‖' | '█' => "|",
        '\u{2500}'..='\u{257f}' => "+",
        '▓' | '▪' => "#",
        '░' => ".",
        '▸' | '→' | '›' => ">",
        '←' | '‹' => "<",
        '↑' => "^",
        '↓' => "v",
        '↵' => "r",
        'α' => "a",
        'β' => "b",
        '·' | '…' | '○' => ".",
        '✓' => "+",
        '✂' | '×' => "x",
        '−' => "-",
        '≥' => ">",
        '≤' => "<",
        _ => "?",
    }
}
