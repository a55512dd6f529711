//! Sessions bring commands along, which run only once the user trusts them.

use std::{
    fs, mem,
    path::{Path, PathBuf},
};

use super::Shell;
use crate::engine::{game::Fault, reply::SessionReport};

impl Shell {
    /// Sessions in these folders and the folders within may run their commands; or why the configuration that names
    /// the folders cannot be read.
    pub fn set_trusted_folders(&mut self, folders: Result<Vec<PathBuf>, String>) {
        self.trusted_folders = folders;
    }

    /// Loads a session. Its commands and aliases wait for [`Shell::trust`], unless it lies in a trusted folder.
    pub(in crate::command) fn load_session(&mut self, path: &Path) -> Result<SessionReport, Fault> {
        let (aliases, mut report) = self.engine.load_session(path)?;
        self.untrusted = aliases.keys().cloned().collect();
        self.aliases = aliases;
        let Some(carried) = &mut report.carried else {
            return Ok(report);
        };
        match &self.trusted_folders {
            Ok(folders) => carried.trusted = lies_in(path, folders),
            Err(what) => carried.notes.push(format!("no folder is trusted: {what}")),
        }
        if carried.trusted {
            self.trust();
        }
        Ok(report)
    }

    /// Lets the commands and aliases run that came with a session; says whose they are.
    pub(in crate::command) fn trust(&mut self) -> Vec<String> {
        let points = self.engine.bench_mut().trust_commands().into_iter();
        let points = points.map(|id| format!("breakpoint {id}"));
        let aliases = mem::take(&mut self.untrusted).into_iter();
        points.chain(aliases.map(|name| format!("alias {name}"))).collect()
    }
}

/// Whether a file is in one of the folders, however deep, links followed.
fn lies_in(file: &Path, folders: &[PathBuf]) -> bool {
    let Ok(file) = fs::canonicalize(file) else {
        return false;
    };
    let mut folders = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
    folders.any(|folder| file.starts_with(folder))
}
