//! Replies that are no more than a text and its fields.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Reply;
use crate::text::Style;

/// A text, with the fields that programs see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlainReply {
    #[serde(skip)]
    text: String,
    /// The fields.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
    /// It is about other replies, and queries go on to look into those.
    #[serde(skip)]
    pub is_remark: bool,
}

impl PlainReply {
    /// A text with the fields of a JSON object.
    pub fn new(text: impl Into<String>, fields: Value) -> Self {
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Self { text: text.into(), fields, is_remark: false }
    }

    /// The same as a remark about other replies.
    pub fn remark(text: impl Into<String>, fields: Value) -> Self {
        Self { is_remark: true, ..Self::new(text, fields) }
    }
}

impl Reply for PlainReply {
    fn text(&self, _: Style) -> String {
        self.text.clone()
    }
}
