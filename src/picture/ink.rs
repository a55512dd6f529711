/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// A colour of a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Whatever the terminal has.
    Terminal,
    /// This one.
    Rgb(Rgb),
}

/// A theme's colours. The two sides are told apart by orange and blue, which colour-blind people can tell apart too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// The name of the theme.
    pub name: &'static str,
    /// Behind everything.
    pub background: Ink,
    /// Behind what is selected.
    pub selection: Ink,
    /// Words and numbers.
    pub text: Ink,
    /// What matters less.
    pub dim: Ink,
    /// White's: orange.
    pub warm: Ink,
    /// Black's: blue.
    pub cool: Ink,
    /// Where to look: purple.
    pub accent: Ink,
}

const fn rgb(red: u8, green: u8, blue: u8) -> Ink {
    Ink::Rgb(Rgb(red, green, blue))
}

impl Palette {
    /// On whatever background the terminal has: its colours stand out from black and from white alike.
    pub const DEFAULT: Self = Self {
        name: "default",
        background: Ink::Terminal,
        selection: Ink::Terminal,
        text: Ink::Terminal,
        dim: rgb(118, 118, 118),
        warm: rgb(180, 96, 0),
        cool: rgb(32, 118, 215),
        accent: rgb(211, 21, 186),
    };

    /// On a dark background of its own.
    pub const DARK: Self = Self {
        name: "dark",
        background: rgb(28, 28, 28),
        selection: rgb(48, 48, 48),
        text: rgb(228, 228, 228),
        dim: rgb(158, 158, 158),
        warm: rgb(255, 175, 95),
        cool: rgb(95, 175, 255),
        accent: rgb(215, 135, 255),
    };

    /// On a light background of its own.
    pub const LIGHT: Self = Self {
        name: "light",
        background: rgb(255, 255, 255),
        selection: rgb(234, 234, 234),
        text: rgb(28, 28, 28),
        dim: rgb(95, 95, 95),
        warm: rgb(148, 72, 0),
        cool: rgb(0, 88, 175),
        accent: rgb(143, 0, 143),
    };

    /// No colour at all.
    pub const MONO: Self = Self {
        name: "mono",
        background: Ink::Terminal,
        selection: Ink::Terminal,
        text: Ink::Terminal,
        dim: Ink::Terminal,
        warm: Ink::Terminal,
        cool: Ink::Terminal,
        accent: Ink::Terminal,
    };

    /// All of them.
    pub const ALL: [Self; 4] = [Self::DEFAULT, Self::DARK, Self::LIGHT, Self::MONO];

    /// The palette of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|palette| palette.name == name)
    }

    /// The colours that words and lines are drawn in.
    pub const fn foregrounds(&self) -> [Ink; 5] {
        [self.text, self.dim, self.warm, self.cool, self.accent]
    }
}

impl Ink {
    /// The colour, or what stands in for the terminal's own.
    pub const fn or(self, own: Rgb) -> Rgb {
        match self {
            Self::Terminal => own,
            Self::Rgb(rgb) => rgb,
        }
    }
}

/// The steps of the colour cube that terminals with 256 colours have.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Rgb {
    /// A colour of a terminal with 256 of them, from the seventeenth on: users change the first ones.
    pub const fn of_index(index: u8) -> Self {
        if index >= 232 {
            let grey = 8 + 10 * (index - 232);
            return Self(grey, grey, grey);
        }
        let cube = index.saturating_sub(16) as usize;
        Self(CUBE[cube / 36], CUBE[cube / 6 % 6], CUBE[cube % 6])
    }

    /// The nearest of a terminal's 256 colours, from the seventeenth on.
    pub fn nearest_index(self) -> u8 {
        let distance = |index: &u8| {
            let Self(r, g, b) = Self::of_index(*index);
            let square = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
            square(r, self.0) + square(g, self.1) + square(b, self.2)
        };
        (16..=255).min_by_key(distance).unwrap_or(16)
    }

    /// How well one can be read on the other, 1 to 21 (WCAG 2.2, relative luminance).
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}
