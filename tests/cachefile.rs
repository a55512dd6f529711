//! Cache files: the seeds' formats against files that the seeds wrote, our own against every kind of damage.

#![allow(clippy::expect_used, clippy::panic)] // a test says what it expects

#[path = "cachefile/damage.rs"]
mod damage;
#[path = "cachefile/facts.rs"]
mod facts;
#[path = "cachefile/native.rs"]
mod native;
#[path = "cachefile/saving.rs"]
mod saving;
#[path = "cachefile/support.rs"]
mod support;
#[path = "cachefile/tools.rs"]
mod tools;
#[path = "cachefile/toy.rs"]
mod toy;
