//! The number of cases a property is tried on.

use proptest::test_runner::{Config, RngSeed};

/// `usual` cases, or the number in the environment variable `PROPTEST_CASES`. They are the same in every run, so that a failure
/// comes from a change; `PROPTEST_RNG_SEED` chooses others.
pub fn cases(usual: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    let wanted = wanted.and_then(|cases| cases.parse().ok());
    let default = Config::default();
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(2026),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    Config { cases: wanted.unwrap_or(usual), failure_persistence: None, rng_seed, ..default }
}
