//! Roots of both games.

use proptest::prelude::*;

use super::{chess, morris};

/// A position of each game in which moves are few.
pub const ROOTS: [&str; 2] =
    ["..b..wwb/.bwwbwb./b..w..w. b 2 3", "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1"];

/// A position of either game, as it is typed.
pub fn root() -> impl Strategy<Value = String> {
    prop_oneof![
        morris::position().prop_map(|position| position.to_string()),
        chess::position().prop_map(|position| position.to_string()),
    ]
}

/// Ways of selective search, to be set one by one; the full search more often than each.
pub fn selective() -> Vec<&'static [(&'static str, &'static str)]> {
    vec![
        &[],
        &[],
        &[("lmr", "1"), ("futility", "0.05")],
        &[("null", "1"), ("extend", "on")],
        &[("null", "2"), ("lmr", "1"), ("futility", "30"), ("extend", "on")],
    ]
}
