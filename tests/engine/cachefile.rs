//! Cache files: the seeds' formats compared with files of the seeds, the native format with every kind of damage.

mod damage;
mod facts;
mod native;
mod saving;
mod support;
mod tools;
mod toy;
