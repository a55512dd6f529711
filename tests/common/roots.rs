//! Root positions of both games.

use proptest::prelude::*;

use super::{chess, morris};

/// A position of each game with few moves.
pub const ROOTS: [&str; 2] =
    ["..b..wwb/.bwwbwb./b..w..w. b 2 3", "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1"];

/// A position of either game, in its notation.
pub fn root() -> impl Strategy<Value = String> {
    prop_oneof![
        morris::position().prop_map(|position| position.to_string()),
        chess::position().prop_map(|position| position.to_string()),
    ]
}

/// Settings of selective search, to be set one by one; the full search comes twice.
pub fn selective() -> Vec<&'static [(&'static str, &'static str)]> {
    vec![
        &[],
        &[],
        &[("lmr", "1"), ("futility", "0.05")],
        &[("null", "1"), ("extend", "on")],
        &[("null", "2"), ("lmr", "1"), ("futility", "30"), ("extend", "on")],
    ]
}
