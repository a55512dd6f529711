//! Paths into the JSON of a reply, and comparisons with the values found.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::{Fault, suggest};

/// The largest difference that `~` permits, unless the user gives a tolerance.
pub(super) const TOLERANCE: f64 = 1e-9;

pub(super) const OPERATORS: [&str; 8] = ["==", "!=", "<", "<=", ">", ">=", "~", "contains"];

#[derive(Clone, Debug)]
pub(super) struct Expected<'e> {
    /// The operator, one of [`OPERATORS`].
    pub operator: &'e str,
    pub text: Cow<'e, str>,
    /// Whether the expected value is in quotes: then `1` and `null` are texts.
    pub quoted: bool,
    pub tolerance: f64,
}

impl Expected<'_> {
    /// Whether a value fulfils the expectation. Errors: values that the operator cannot compare.
    pub(super) fn holds(&self, found: &Value) -> Result<bool, Fault> {
        Ok(match self.operator {
            "==" => self.equals(found),
            "!=" => !self.equals(found),
            "contains" => self.is_in(found)?,
            _ => self.is_ordered(found)?,
        })
    }

    fn equals(&self, found: &Value) -> bool {
        let as_text = self.quoted && !found.is_array() && !found.is_object();
        found.as_str() == Some(&*self.text) || !as_text && same(found, &meant(&self.text))
    }

    fn is_ordered(&self, found: &Value) -> Result<bool, Fault> {
        let left =
            as_number(found).ok_or_else(|| Fault::new(format!("{found} is not a number")))?;
        let right = as_number(&meant(&self.text)).filter(|_| !self.quoted).ok_or_else(|| {
            Fault::new(format!("`{}` is not a number to compare with", self.text))
        })?;
        Ok(match self.operator {
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            ">=" => left >= right,
            // The difference of two equal infinities is NaN, so equality is tested first.
            _ => left == right || (left - right).abs() <= self.tolerance,
        })
    }

    fn is_in(&self, found: &Value) -> Result<bool, Fault> {
        match found {
            Value::String(found) => Ok(found.contains(&*self.text)),
            Value::Array(found) => Ok(found.iter().any(|element| self.equals(element))),
            Value::Object(found) => Ok(found.contains_key(&*self.text)),
            _ => Err(Fault::new(format!("{found} is not text, a list or an object"))
                .hint("`contains` needs one of these on its left")),
        }
    }
}

/// A value of a reply as a number, including infinities, which JSON has only as text.
fn as_number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

/// The value of a text without quotes: JSON, a number, a list of words such as `[d6, a1]`, or else the text itself.
fn meant(text: &str) -> Value {
    let number = || Number::from_f64(text.parse().ok()?).map(Value::Number);
    let list = || {
        let words = text.strip_prefix('[')?.strip_suffix(']')?.split(',');
        Some(words.map(|word| meant(word.trim())).collect())
    };
    let json = serde_json::from_str(text).ok();
    json.or_else(number).or_else(list).unwrap_or_else(|| Value::from(text))
}

/// Equality of JSON values in which 1 equals 1.0.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b || as_number(a).is_some_and(|a| as_number(b) == Some(a)),
    }
}

/// Looks up a path such as `entries[0].value`, `moves.len`, or `.` for the whole reply.
pub(super) fn find(reply: &Value, path: &str) -> Result<Value, Fault> {
    let mut at = reply;
    let mut done = "";
    let mut rest = path.strip_prefix('.').unwrap_or(path);
    while !rest.is_empty() {
        let (step, after) = step(rest);
        let next = match step.strip_prefix('[') {
            Some(index) => element(at, index.trim_end_matches(']')),
            None => at.get(step),
        };
        match next {
            Some(next) => at = next,
            None if step == "len" && after.is_empty() => {
                return length(at).ok_or_else(|| missing(done, step, at));
            }
            None => return Err(missing(done, step, at)),
        }
        rest = after.strip_prefix('.').unwrap_or(after);
        done = &path[..path.len() - after.len()];
    }
    Ok(at.clone())
}

fn step(path: &str) -> (&str, &str) {
    let end = if path.starts_with('[') {
        path.find(']').map_or(path.len(), |close| close + 1)
    } else {
        path.find(['.', '[']).unwrap_or(path.len())
    };
    path.split_at(end)
}

/// The element at an index; a negative index counts from the end.
fn element<'v>(value: &'v Value, index: &str) -> Option<&'v Value> {
    let elements = value.as_array()?;
    let index: isize = index.trim().parse().ok()?;
    let from = if index < 0 { elements.len() } else { 0 };
    elements.get(from.checked_add_signed(index)?)
}

fn length(value: &Value) -> Option<Value> {
    Some(Value::from(match value {
        Value::Array(elements) => elements.len(),
        Value::Object(fields) => fields.len(),
        Value::String(text) => text.chars().count(),
        _ => return None,
    }))
}

fn missing(done: &str, step: &str, at: &Value) -> Fault {
    let place = if done.is_empty() { "the reply".to_owned() } else { format!("`{done}`") };
    let fault = Fault::new(format!("{place} has no `{step}`"));
    match at {
        Value::Object(fields) => {
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            let all = format!("{place} has {}", names.join(", "));
            fault.hint(match suggest::did_you_mean(step, names) {
                Some(hint) => format!("{hint} {all}"),
                None => all,
            })
        }
        Value::Array(elements) => fault.hint(format!(
            "{place} is a list of {}; elements are [0], [1] and so on, the last one is [-1]",
            elements.len()
        )),
        value => fault.hint(format!("{place} is {value}")),
    }
}
