//! The cache table: its cursor, its order and which entries it shows.

use std::fmt::Write as _;

/// The orders of `cache list`.
const ORDERS: [&str; 4] = ["insertion", "key", "depth", "value"];
/// The flags of `cache list` that choose entries.
const FILTERS: [&str; 3] = ["depth", "bound", "key"];

/// The state of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheTable {
    /// The line under the cursor.
    pub selected: usize,
    /// Another entry may be under the cursor now: the board is to follow.
    pub moved: bool,
    order: usize,
    filter: Vec<(&'static str, String)>,
}

impl CacheTable {
    /// The order's name.
    pub fn order(&self) -> &'static str {
        ORDERS[self.order % ORDERS.len()]
    }

    /// The next order.
    pub fn next_order(&mut self) {
        self.order = (self.order + 1) % ORDERS.len();
        self.selected = 0;
        self.moved = true;
    }

    /// The filter as it is typed.
    pub fn filter(&self) -> String {
        let spelled: Vec<_> = self
            .filter
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        spelled.join(" ")
    }

    /// Sets the filter: `depth=2`, `bound=exact`, `key=99`, in any combination; a word alone begins a key.
    pub fn set_filter(&mut self, text: &str) -> Result<(), String> {
        let mut filter = Vec::new();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or(("key", word));
            let plain =
                !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || c == ':');
            match FILTERS.iter().find(|known| **known == name) {
                Some(name) if plain => filter.push((*name, value.to_owned())),
                _ => {
                    return Err(format!(
                        "`{word}` is no filter: depth=2, bound=exact or key=99"
                    ));
                }
            }
        }
        self.filter = filter;
        self.selected = 0;
        self.moved = true;
        Ok(())
    }

    /// The command that lists so many entries.
    pub fn statement(&self, rows: usize) -> String {
        let mut statement = format!("cache list --limit {rows} --sort {}", self.order());
        for (name, value) in &self.filter {
            let _ = write!(statement, " --{name} {value}");
        }
        statement
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_become_flags() {
        let mut table = CacheTable::default();
        table.set_filter("depth=2  99a0").unwrap();
        table.next_order();
        assert_eq!(
            table.statement(5),
            "cache list --limit 5 --sort key --depth 2 --key 99a0"
        );
        assert_eq!(table.filter(), "depth=2 key=99a0");
        assert!(table.set_filter("size=2").is_err() && table.set_filter("key=;quit").is_err());
        assert_eq!(table.filter(), "depth=2 key=99a0");
        table.set_filter("").unwrap();
        assert_eq!(table.filter(), "");
    }
}
