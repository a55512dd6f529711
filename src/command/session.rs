//! Commands that save and load sessions.

use crate::command::{FamilyDefinition, message, shows};

const MANUAL: &str = r#"
session save, save
  saves the session to a file
  - FILE  file  the file
  Position and line of play, rules, weights and sets, settings, aliases, breakpoints, the search under way and the cache. The file is RON, which people
  can read and edit; a cache of more than 1,000 entries follows in it as bytes.
  > session save lesson.ron
session load, load
  restores a saved session
  - FILE  file  the file
  Replaces the current session. If anything in the file is wrong, nothing is changed. The aliases and the commands of breakpoints in it are listed, and
  run only after `trust`, unless the file is in a folder that the configuration trusts.
  > session load lesson.ron
trust
  allows the commands of the loaded session to run
  Commands of breakpoints and aliases can do everything that a script can. Those of a session file are listed when it is loaded, and run only after
  `trust`. It holds until the next session is loaded, and is not saved. `trusted: ["~/sessions"]` in the configuration trusts all sessions in a folder.
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Sessions",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("session save", |shell, args| {
            let path = args.file("FILE")?;
            let saved = shell.session().save_session(path, shell.aliases(), shell.times);
            args.reply("FILE", saved)
        }),
        shows("session load", |shell, args| {
            args.reply("FILE", shell.load_session(args.file("FILE")?))
        }),
        shows("trust", |shell, _| {
            Ok(message(match shell.trust().as_slice() {
                [] => "there is nothing to trust".to_owned(),
                trusted => format!("trusted: {}", trusted.join(", ")),
            }))
        }),
    ],
};
