//! The cache table: its cursor, its order and which entries it shows.

use crate::command::CACHE_ORDERS;

/// The state of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheTable {
    /// The line under the cursor, of all lines that match.
    pub selected: usize,
    /// Another entry may be under the cursor now: the board is to follow.
    pub moved: bool,
    order: usize,
    filter: String,
}

impl CacheTable {
    /// The order's name.
    pub fn order(&self) -> &'static str {
        CACHE_ORDERS[self.order % CACHE_ORDERS.len()].name
    }

    /// The next order.
    pub fn next_order(&mut self) {
        self.order = (self.order + 1) % CACHE_ORDERS.len();
        self.selected = 0;
        self.moved = true;
    }

    /// The filter as it is typed.
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Sets the filter: a condition of `cache list`. What is wrong with it is seen when the entries are asked for.
    pub fn set_filter(&mut self, text: &str) {
        text.trim().clone_into(&mut self.filter);
        self.selected = 0;
        self.moved = true;
    }

    /// The command that lists so many entries around the cursor. Small steps of the cursor leave it as it is.
    pub fn statement(&self, rows: usize) -> String {
        let half = (rows / 2).max(1);
        let offset = (self.selected / half).saturating_sub(1) * half;
        let order = self.order();
        let list = format!("cache list --limit {rows} --offset {offset} --sort {order}");
        if self.filter.is_empty() {
            return list;
        }
        // What is quoted in a filter are positions, which hold neither kind of quote.
        let quote = if self.filter.contains('"') { '\'' } else { '"' };
        format!("{list} --where {quote}{}{quote}", self.filter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_cursor_in_large_steps() {
        let mut table = CacheTable::default();
        let offset = |table: &CacheTable| {
            let statement = table.statement(100);
            let (_, rest) = statement.split_once("--offset ").unwrap();
            rest.split_once(' ').unwrap().0.parse::<usize>().unwrap()
        };
        for selected in 0..5000 {
            table.selected = selected;
            let first = offset(&table);
            assert!((first..first + 100).contains(&selected));
            assert!(selected < 50 || selected - first >= 50, "lines above it");
            assert_eq!(first % 50, 0);
        }
    }

    #[test]
    fn the_filter_goes_with_the_statement() {
        let mut table = CacheTable::default();
        table.set_filter(" depth=2 and key=99 ");
        table.next_order();
        assert_eq!(
            table.statement(6),
            "cache list --limit 6 --offset 0 --sort key --where \"depth=2 and key=99\""
        );
        assert_eq!(table.filter(), "depth=2 and key=99");
        table.set_filter("state=\"w../b w 1 1\"");
        assert!(
            table
                .statement(6)
                .ends_with("--where 'state=\"w../b w 1 1\"'")
        );
        table.set_filter("");
        assert!(!table.statement(6).contains("--where"));
    }
}
