//! Lists of a JSON reply as comma-separated values (RFC 4180).

use std::collections::HashMap;

use serde_json::{Map, Value};

/// A table with named columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvTable {
    /// The names of all fields in the rows, in the order in which they occur. A nested field is named `outer.inner`.
    pub columns: Vec<String>,
    /// The cells of each row; a cell is empty for null and for a field that the row lacks.
    pub rows: Vec<Vec<String>>,
}

impl CsvTable {
    /// The table of a list of objects, or of one object; `None` for any other value or an empty list. Lists of plain values are
    /// written with blanks between them; lists of objects are left out.
    pub fn of(value: &Value) -> Option<Self> {
        let rows = objects(value)?;
        let (mut table, mut places) = (Self::default(), HashMap::new());
        for row in rows {
            let mut cells = vec![String::new(); table.columns.len()];
            each_field("", row, &mut |name, text| {
                let place = *places.entry(name.clone()).or_insert_with(|| {
                    table.columns.push(name);
                    table.columns.len() - 1
                });
                cells.resize(table.columns.len(), String::new());
                cells[place] = text;
            });
            table.rows.push(cells);
        }
        // Rows that lack the fields of later rows are padded.
        for row in &mut table.rows {
            row.resize(table.columns.len(), String::new());
        }
        Some(table)
    }

    /// Among the lists in a reply, the one with the most columns; of several, the first.
    pub fn widest(reply: &Value) -> Option<&Value> {
        let lists = reply.as_object()?.values().filter(|value| value.is_array());
        let columns = |list: &Value| {
            let mut number = 0_usize;
            each_field("", objects(list)?.first()?, &mut |_, _| number += 1);
            Some(number)
        };
        let lists = lists.filter_map(|list| Some((list, columns(list)?)));
        let widest = lists.rev().max_by_key(|(_, columns)| *columns);
        widest.map(|(list, _)| list)
    }

    /// The text of a CSV file: a line of column names, then a line for each row.
    pub fn text(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        };
        std::iter::once(&self.columns).chain(&self.rows).map(line).collect()
    }
}

fn objects(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    match value {
        Value::Object(row) => Some(vec![row]),
        Value::Array(rows) if !rows.is_empty() => rows.iter().map(Value::as_object).collect(),
        _ => None,
    }
}

/// Calls `take` with the name and the text of each field.
fn each_field(prefix: &str, row: &Map<String, Value>, take: &mut dyn FnMut(String, String)) {
    for (name, value) in row {
        let name = format!("{prefix}{name}");
        match value {
            Value::Object(inner) => each_field(&(name + "."), inner, take),
            Value::Array(values) => {
                let texts: Option<Vec<_>> = values.iter().map(plain).collect();
                if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
                    take(name, texts.join(" "));
                }
            }
            value => take(name, plain(value).unwrap_or_default()),
        }
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
