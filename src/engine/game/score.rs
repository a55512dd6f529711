//! Text and serde formats of scores, windows and weights.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    engine::core::game::{Fault, Score, Weights, Window},
    text::style::style,
};

impl fmt::Display for Score {
    /// Writes the shortest decimal that reads back as the same double.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

impl std::str::FromStr for Score {
    type Err = Fault;

    /// Reads a decimal number, `inf` or `-inf`, or a value as people write it: `#3`, `win`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || {
            Fault::word(text, "is not a score")
                .hint("write a number such as 0.25, inf or -inf; NaN is not a score")
        };
        let end = || style().scale.read_end(text);
        let score = text.parse().ok().or_else(end).and_then(Self::new).ok_or_else(fault)?;
        if score.get().is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            let message = format!("`{text}` is too large for a score");
            let hint = format!("write inf, or a number up to {:e}", f64::MAX);
            return Err(Fault::new(message).hint(hint));
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
