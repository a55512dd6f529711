//! The number of cases a property is tried on.

use proptest::test_runner::Config;

/// `usual` cases, or the number in the environment variable `PROPTEST_CASES`.
pub fn cases(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    let wanted = wanted.and_then(|cases| cases.parse().ok());
    Config { cases: wanted.unwrap_or(usual), failure_persistence: None, ..Config::default() }
}
