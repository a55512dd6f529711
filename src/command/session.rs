//! Commands that save and load sessions and games.

use crate::{
    command::{FamilyDefinition, LiveList, message, replaces_game, shows, shows_or_changes},
    engine::{game::TAG_ROSTER, session::position::game_file},
};

const MANUAL: &str = r#"
session save, save
  saves the session to a file
  - FILE  file  the file
  Position and line of play, rules, weights and sets, settings, aliases, breakpoints, the search under way and the cache. The file is RON, which people
  can read and edit; a cache of more than 1000 entries follows in it as bytes.
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
game tags
  shows or sets the tags of the game, such as its players and event
  - [TAG=…]  @tag  tags of PGN with their values; `auto` takes a value back
  Without an argument: the tags of the game up to the current position. A move that is played is by `you`, and one of `engine play` by `plyscope` with
  its level. The date (UTC) is the day on which the game began. A tag that is set replaces these. Result and Termination follow from the moves, or
  are those of the file that the game was loaded from. Sessions keep the tags, and `pgn save` writes them.
  > game tags  > game tags White=Anna Event="Club evening"
pgn save
  writes the game to a file in PGN (chess)
  - FILE  file  the file
  The moves since a position was last set, up to the current one, in SAN, with the first position as a FEN unless it is the usual one, and the tags
  that `game tags` shows. The file is written whole or not at all. A game that is still as it was loaded is written with its whole file, byte for
  byte. A file with more in it (other moves or games, comments, variations, annotations, tags) is not replaced. `-` is standard output.
  > pgn save game.pgn
pgn load
  reads a game from a file in PGN, to walk through (chess)
  - FILE  file  the file
  The first game of the file: the board shows its first position, `redo` and `undo` step through its moves. A note lists what is left out: further
  games, comments, variations, annotations. The tags are kept. If anything cannot be read, nothing is changed, and the error has the place in the file.
  > pgn load game.pgn
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Sessions and games",
    manual: MANUAL,
    lists: &[LiveList::new("tag", |_| {
        let settable = TAG_ROSTER.into_iter().filter(|name| *name != "Result");
        settable.map(str::to_owned).collect()
    })],
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
        shows_or_changes("game tags", |shell, args| {
            let set = shell.session_mut().set_tags(&args.pairs());
            args.reply("TAG", set.map(|()| shell.session().tags(shell.times)))
        }),
        shows("pgn save", |shell, args| {
            let (file, session) = (args.required("FILE")?, shell.session());
            let saved = session.save_game(file.as_ref(), shell.times);
            args.reply(
                "FILE",
                saved.map(|moves| game_file(file, "saved", moves, &session.position())),
            )
        }),
        replaces_game("pgn load", |shell, args| {
            let file = args.required("FILE")?;
            let loaded = shell.session_mut().load_game(file.as_ref());
            let report = |(position, moves)| game_file(file, "loaded", moves, &position);
            args.reply("FILE", loaded.map(report))
        }),
    ],
};
