use std::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The side to move, or the owner of a piece.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Side {
    /// The side that moves first.
    #[serde(rename = "w")]
    #[default]
    White,
    /// The side that moves second.
    #[serde(rename = "b")]
    Black,
}

impl Side {
    /// Both sides, white first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side, the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The letter of the side in notations: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The English name of the side: `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// 0 for white, 1 for black: an index into arrays by side.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The earlier positions that can change a position's value. The search pushes a node's position when it enters a child and
/// pops it when it leaves the child.
pub trait History<P>:
    Clone + fmt::Debug + Default + Serialize + DeserializeOwned + Send + Sync
{
    /// Adds `position`, in which a move is about to be made.
    fn push(&mut self, position: &P);
    /// Removes the position that was added last.
    fn pop(&mut self);
}

impl<P> History<P> for () {
    fn push(&mut self, _: &P) {}
    fn pop(&mut self) {}
}

/// Whether a value is the default, which session files leave out.
pub(in crate::engine) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
