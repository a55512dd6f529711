//! Text and serde formats of scores, windows and weights.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    engine::core::game::{Fault, Score, Weights, Window},
    text::style::style,
};

impl fmt::Display for Score {
    /// Writes the shortest decimal of the double. It reads back as the same, except that chess takes `0.25` for pawns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

impl std::str::FromStr for Score {
    type Err = Fault;

    /// Reads a decimal number, `inf` or `-inf`, or a value as people read it: `#3`, `win in 5`, in chess `+0.35` for 35 hundredths
    /// of a pawn.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || {
            Fault::word(text, "is not a score")
                .hint(format!("write one such as {}, inf or -inf", style().scale.forms()))
        };
        let score = style().scale.read(text).and_then(Self::new).ok_or_else(fault)?;
        if score.get().is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            let fault = Fault::word(text, "is too large for a score");
            return Err(fault.hint(format!("write inf, or a number up to {:e}", f64::MAX)));
        }
        Ok(score)
    }
}

impl Serialize for Score {
    /// Writes a number; infinities, which JSON lacks, as the strings `inf` and `-inf`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.get().is_finite() {
            serializer.serialize_f64(self.get())
        } else {
            serializer.collect_str(self)
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number, \"inf\" or \"-inf\"")]
        enum Written {
            Number(f64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => {
                Self::new(number).ok_or_else(|| D::Error::custom("NaN is not a score"))
            }
            Written::Text(text) => text.parse().map_err(D::Error::custom),
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.alpha, self.beta)
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&parts.join(" "))
    }
}
