//! Commands that save and restore everything.

use super::{Family, Kind, Param, Spec};
use crate::engine::report::Report;

/// Sessions.
pub(super) const FAMILY: Family = Family {
    title: "Session",
    commands: &[SAVE, LOAD],
};

const SAVE: Spec = Spec {
    name: "session save",
    aliases: &["save"],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "saves everything to a file",
    details: "Position and line of play, rules, weights and sets, settings, aliases, breakpoints, the search under way and the cache. The file is RON, \
              to be read and mended by people; a cache of more than 1000 entries goes to a file beside it.",
    examples: &["session save lesson.ron"],
    run: |shell, args| {
        let path = args.required("FILE")?;
        let saved = shell
            .engine
            .bench()
            .save_session(path.as_ref(), shell.aliases());
        saved
            .map(Report::Session)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

const LOAD: Spec = Spec {
    name: "session load",
    aliases: &["load"],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "restores a saved session",
    details: "In place of all there is now. If anything in the file is wrong nothing is changed.",
    examples: &["session load lesson.ron"],
    run: |shell, args| {
        let path = args.required("FILE")?;
        let loaded = shell.engine.load_session(path.as_ref());
        let (aliases, report) = loaded.map_err(|fault| args.blame("FILE", fault))?;
        shell.set_aliases(aliases);
        Ok(Report::Session(report))
    },
};
