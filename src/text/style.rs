//! The style in which moves and values are written for people. Front ends set it for each thread, like the page's width.

use std::cell::Cell;

use strum::EnumString;

thread_local! {
    static STYLE: Cell<Style> = const { Cell::new(Style { moves: MoveNotation::San, scale: Scale::Plain }) };
}

/// The notation of moves and the scale of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// The notation of moves, in games that have two.
    pub moves: MoveNotation,
    /// The scale on which values are written.
    pub scale: Scale,
}

/// The notation of moves, in games that have two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum MoveNotation {
    /// Standard algebraic notation: `Nf6`.
    #[default]
    San,
    /// Origin and destination: `g8f6`.
    Uci,
}

/// The scale of a game's values, which determines how they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scale {
    /// Plain numbers without an upper limit.
    #[default]
    Plain,
    /// Plain numbers with an upper limit, and mates.
    Bounded {
        /// The value of a mate on the board; a mate in `n` plies is worth `n` less. `None`: no value is a mate.
        mate: Option<f64>,
        /// The least value of a mate; infinite without mates.
        threshold: f64,
        /// The greatest possible value of a position.
        greatest: f64,
    },
    /// Heuristic values between -1, a lost game, and 1, a won game.
    Unit,
    /// Like [`Scale::Unit`], but wins and losses contain a distance and lie beyond 1 and -1.
    Distances {
        /// The value of a finished, won game.
        win: f64,
        /// The difference in value between a win and a win one ply later.
        ply: f64,
    },
    /// Values in centipawns, written in pawns.
    Centipawns {
        /// The value of a mate on the board; a mate in `n` plies is worth `n` less. `None`: mates contain no distance.
        mate: Option<f64>,
        /// The least value of a mate, in centipawns.
        threshold: f64,
        /// The greatest possible value, in centipawns.
        greatest: f64,
    },
}

impl Scale {
    /// Whether values are written in pawns, and a whole number is read in centipawns.
    pub const fn is_in_pawns(self) -> bool {
        matches!(self, Self::Centipawns { .. })
    }

    /// The number of decimals of a rounded value.
    pub(super) const fn decimals(self) -> usize {
        match self {
            Self::Centipawns { .. } => 2,
            _ => 3,
        }
    }

    /// The greatest possible value; infinite if there is no limit.
    pub(super) const fn greatest(self) -> f64 {
        match self {
            Self::Plain => f64::INFINITY,
            Self::Unit => 1.0,
            Self::Distances { win, .. } => win,
            Self::Bounded { greatest, .. } | Self::Centipawns { greatest, .. } => greatest,
        }
    }

    /// Whether a value is that of a mate on the board.
    pub fn is_mated(self, value: f64) -> bool {
        match self {
            Self::Bounded { mate: Some(mate), .. } | Self::Centipawns { mate: Some(mate), .. } => {
                value.abs() >= mate
            }
            _ => false,
        }
    }

    /// The value of a decided game as text: `win`, `loss in 4`, `#3`, or `#-2` for being mated in two; else `None`.
    pub fn end(self, value: f64) -> Option<String> {
        let is_won = value > 0.0;
        match self {
            Self::Unit | Self::Distances { .. } if value.abs() == 1.0 => {
                Some(if is_won { "win" } else { "loss" }.to_owned())
            }
            Self::Distances { win, ply } if value.abs() > 1.0 => {
                let plies = ((win - value.abs()) / ply).max(0.0).round();
                Some(format!("{} in {plies}", if is_won { "win" } else { "loss" }))
            }
            Self::Bounded { mate, threshold, .. } | Self::Centipawns { mate, threshold, .. }
                if value.abs() >= threshold =>
            {
                let moves = |mate: f64| ((mate - value.abs()).max(0.0) / 2.0).ceil().to_string();
                let sign = if is_won { "" } else { "-" };
                Some(format!("#{sign}{}", mate.map_or_else(|| "?".to_owned(), moves)))
            }
            _ => None,
        }
    }

    /// The forms in which people can write a value, as examples.
    pub const fn forms(self) -> &'static str {
        match self {
            Self::Plain | Self::Bounded { mate: None, .. } => "0.25",
            Self::Bounded { .. } => "0.25, #1 (a mate)",
            Self::Unit => "0.25, win, loss",
            Self::Distances { .. } => "0.25, \"win in 5\", \"loss in 4\"",
            Self::Centipawns { mate: None, .. } => "35 (centipawns), +0.35 (pawns)",
            Self::Centipawns { .. } => "35 (centipawns), +0.35 (pawns), #1 (a mate)",
        }
    }

    /// The value of a text as people write and read it: a number, in [`Scale::Centipawns`] in pawns if it has a decimal point
    /// but no exponent; or what [`Scale::read_end`] reads. `None` for any other text.
    pub fn read(self, text: &str) -> Option<f64> {
        let is_pawns = matches!(self, Self::Centipawns { .. })
            && text.contains('.')
            && !text.contains(['e', 'E']);
        // Pawns such as 0.29 are no doubles; their hundredths are.
        let value = |number: f64| if is_pawns { (1e8 * number).round() / 1e6 } else { number };
        text.parse().ok().map(value).or_else(|| self.read_end(text))
    }

    /// The value of a text that [`Scale::end`] has written, or of an infinity; `None` for any other text.
    pub fn read_end(self, text: &str) -> Option<f64> {
        match (self, text.strip_prefix('#')) {
            (_, None) => match text {
                "+∞" | "∞" => Some(f64::INFINITY),
                "−∞" | "-∞" => Some(f64::NEG_INFINITY),
                "win" => matches!(self, Self::Unit | Self::Distances { .. }).then_some(1.0),
                "loss" => matches!(self, Self::Unit | Self::Distances { .. }).then_some(-1.0),
                _ => {
                    let Self::Distances { win, ply } = self else { return None };
                    let (end, plies) = text.split_once(" in ")?;
                    let value = win - ply * f64::from(plies.parse::<u16>().ok()?);
                    match end {
                        "win" => Some(value),
                        "loss" => Some(-value),
                        _ => None,
                    }
                }
            },
            (
                Self::Bounded { mate: Some(mate), .. } | Self::Centipawns { mate: Some(mate), .. },
                Some(moves),
            ) => {
                let number: f64 = moves.trim_start_matches('-').parse::<u16>().ok()?.into();
                // The side that mates makes the first and the last move.
                let is_won = !moves.starts_with('-');
                Some(if is_won { mate - (2.0 * number - 1.0) } else { 2.0 * number - mate })
            }
            _ => None,
        }
    }
}

/// The style in which this thread writes.
pub fn style() -> Style {
    STYLE.get()
}

/// Sets the style in which this thread writes.
pub fn set_style(style: Style) {
    STYLE.set(style);
}
