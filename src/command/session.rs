//! Commands that save and restore everything.

use super::{Family, Kind, Param, Shows, Spec};
use crate::engine::reply::message;

/// Sessions.
pub(super) const FAMILY: Family = Family { title: "Session", commands: &[SAVE, LOAD, TRUST] };

const SAVE: Spec = Spec {
    name: "session save",
    aliases: &["save"],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "saves everything to a file",
    details: "Position and line of play, rules, weights and sets, settings, aliases, breakpoints, the search under way and the cache. The file is RON, \
              to be read and mended by people; a cache of more than 1000 entries follows in it as bytes.",
    examples: &["session save lesson.ron"],
    run: Shows(|shell, args| {
        let path = args.required("FILE")?.as_ref();
        args.reply("FILE", shell.engine.bench().save_session(path, shell.aliases()))
    }),
};

const LOAD: Spec = Spec {
    name: "session load",
    aliases: &["load"],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "restores a saved session",
    details: "In place of all there is now. If anything in the file is wrong nothing is changed. The commands of its breakpoints and its aliases are \
              listed, and do not run before `trust`, unless the file lies in a folder that the configuration trusts.",
    examples: &["session load lesson.ron"],
    run: Shows(|shell, args| {
        args.reply("FILE", shell.load_session(args.required("FILE")?.as_ref()))
    }),
};

const TRUST: Spec = Spec {
    name: "trust",
    aliases: &[],
    params: &[],
    summary: "lets the commands run that came with a session",
    details: "Commands of breakpoints and aliases can do all that a script can. Those that a session brings are listed when it is loaded and do not \
              run before this. It holds until the next session is loaded and is kept in no file. A configuration with \
              `trusted: [\"~/sessions\"]` trusts what lies in these folders.",
    examples: &["trust"],
    run: Shows(|shell, _| {
        Ok(message(match shell.trust().as_slice() {
            [] => "nothing waits for trust".to_owned(),
            trusted => format!("trusted: {}", trusted.join(", ")),
        }))
    }),
};
