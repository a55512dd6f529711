//! Commands that save and restore everything.

use super::{Chapter, message, shows};

const MANUAL: &str = r#"
session save, save
  saves everything to a file
  - FILE  file  the file
  Position and line of play, rules, weights and sets, settings, aliases, breakpoints, the search under way and the cache. The file is RON, to be
  read and mended by people; a cache of more than 1000 entries follows in it as bytes.
  > session save lesson.ron
session load, load
  restores a saved session
  - FILE  file  the file
  In place of all there is now. If anything in the file is wrong nothing is changed. The commands of its breakpoints and its aliases are listed, and
  do not run before `trust`, unless the file lies in a folder that the configuration trusts.
  > session load lesson.ron
trust
  lets the commands run that came with a session
  Commands of breakpoints and aliases can do all that a script can. Those that a session brings are listed when it is loaded and do not run before
  this. It holds until the next session is loaded and is kept in no file. A configuration with `trusted: ["~/sessions"]` trusts what lies in these
  folders.
"#;

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Session",
    retells: false,
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("session save", |shell, args| {
            let path = args.required("FILE")?.as_ref();
            args.reply("FILE", shell.bench().save_session(path, shell.aliases()))
        }),
        shows("session load", |shell, args| {
            args.reply("FILE", shell.load_session(args.required("FILE")?.as_ref()))
        }),
        shows("trust", |shell, _| {
            Ok(message(match shell.trust().as_slice() {
                [] => "nothing waits for trust".to_owned(),
                trusted => format!("trusted: {}", trusted.join(", ")),
            }))
        }),
    ],
};
