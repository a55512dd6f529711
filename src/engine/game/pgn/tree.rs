//! Moves with comments, annotations and variations.

use serde::{Deserialize, Serialize};

use crate::engine::core::game::is_default;

/// The comments and annotations of a move in a game file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notes {
    /// Comments before the move; only the first move of a variation can have any.
    #[serde(skip_serializing_if = "is_default")]
    pub before: Vec<String>,
    /// The annotations, by their numbers in PGN: 1 is `!`.
    #[serde(skip_serializing_if = "is_default")]
    pub nags: Vec<u8>,
    /// Comments after the move, including commands such as `[%clk 0:01:00]`.
    #[serde(skip_serializing_if = "is_default")]
    pub after: Vec<String>,
}

/// A move in a tree of variations.
#[derive(Clone, Debug)]
pub struct GameMove<M> {
    /// The move of the main line or of a variation.
    pub mv: M,
    /// The name of the player who chose the move, if known.
    pub by: Option<String>,
    /// The move's comments and annotations.
    pub notes: Notes,
    /// The variations that replace this move and all later ones.
    pub others: Vec<Vec<GameMove<M>>>,
}

impl<M> GameMove<M> {
    /// A move without comments, annotations and variations.
    pub fn new(mv: M) -> Self {
        Self { mv, by: None, notes: Notes::default(), others: Vec::new() }
    }
}

/// Compares all fields but `by`, because game files do not name the player who chose a move.
impl<M: PartialEq> PartialEq for GameMove<M> {
    fn eq(&self, other: &Self) -> bool {
        self.mv == other.mv && self.notes == other.notes && self.others == other.others
    }
}

/// The PGN command `%eval`, for comments: the value of the position after a move, for White.
pub const VALUE_COMMAND: &str = "[%eval ";

impl Notes {
    /// The value of the command `name`, such as `[%eval `, in the comments after the move.
    pub fn command(&self, name: &str) -> Option<&str> {
        self.after.iter().find_map(|text| {
            let (_, rest) = text.split_once(name)?;
            rest.split(']').next().map(str::trim)
        })
    }

    /// The comments before and after the move, without commands.
    pub fn words(&self) -> String {
        let words = self.before.iter().chain(&self.after).map(|text| without_commands(text));
        words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Replaces the words of all comments; commands stay.
    pub fn set_words(&mut self, words: &str) {
        let commands: Vec<_> = self.after.iter().flat_map(|text| commands(text)).collect();
        let pieces = commands.into_iter().chain((!words.is_empty()).then(|| words.to_owned()));
        let text = pieces.collect::<Vec<_>>().join(" ");
        self.before.clear();
        self.after = if text.is_empty() { Vec::new() } else { vec![text] };
    }

    /// Sets the value of a command such as [`VALUE_COMMAND`].
    pub fn set_command(&mut self, name: &str, value: &str) {
        let is_other = |command: &String| !command.starts_with(name);
        let rest = self.after.iter().flat_map(|text| commands(text)).filter(is_other);
        let words = self.after.iter().map(|text| without_commands(text));
        let words = words.filter(|words| !words.is_empty());
        let text: Vec<_> =
            std::iter::once(format!("{name}{value}]")).chain(rest).chain(words).collect();
        self.after = vec![text.join(" ")];
    }
}

/// The commands in a comment, such as `[%clk 0:01:00]`.
fn commands(text: &str) -> Vec<String> {
    let parts = text.split("[%").skip(1);
    parts.filter_map(|part| Some(format!("[%{}]", part.split_once(']')?.0))).collect()
}

fn without_commands(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((_, after)) = command.split_once(']') else { break };
        words.push_str(before);
        rest = after;
    }
    words.push_str(rest);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a text in `[%eval …]`: in pawns or the game's own unit, for White. Mates are infinite.
pub fn eval_of(text: &str) -> Option<f64> {
    let text = text.split(',').next()?.trim();
    match text.strip_prefix('#') {
        Some(mate) if mate.starts_with('-') => Some(f64::NEG_INFINITY),
        Some(_) => Some(f64::INFINITY),
        None => text.parse().ok().filter(|value: &f64| !value.is_nan()),
    }
}
