//! Cache files: the seeds' formats against files that the seeds wrote, our own against every kind of damage.

mod damage;
mod facts;
mod native;
mod saving;
mod support;
mod tools;
mod toy;
