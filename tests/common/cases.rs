//! What properties are tried on: how many cases, and roots of both games.

use proptest::{prelude::*, test_runner::Config};

use super::{chess, morris};

/// A position of each game in which moves are few.
pub const ROOTS: [&str; 2] = [
    "..b..wwb/.bwwbwb./b..w..w. b 2 3",
    "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1",
];

/// A position of either game, as it is typed.
pub fn root() -> impl Strategy<Value = String> {
    prop_oneof![
        morris::position().prop_map(|position| position.to_string()),
        chess::position().prop_map(|position| position.to_string()),
    ]
}

/// So many, or as many as `PROPTEST_CASES` says.
pub fn cases(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    let wanted = wanted.and_then(|cases| cases.parse().ok());
    Config {
        cases: wanted.unwrap_or(usual),
        failure_persistence: None,
        ..Config::default()
    }
}
