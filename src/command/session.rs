//! Commands that save and restore everything, or a game.

use crate::{
    command::{FamilyDefinition, message, replaces_game, shows},
    engine::session::position::game_file,
};

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
pgn save
  writes the game that was played to a file in PGN (chess)
  - FILE  file  the file
  The moves since a position was last set, up to the one at hand, in the notation of books, with the first position as a FEN where it is not the
  usual one. The file is written whole or not at all; one that holds more than that (other moves or games, comments, variations, annotations, tags)
  is not replaced. `-` is standard output.
  > pgn save game.pgn
pgn load
  reads a game from a file in PGN, to walk through (chess)
  - FILE  file  the file
  The first game of the file: the board shows its first position, `redo` and `undo` walk through its moves. What is left out is told: further games,
  comments, variations, annotations, tags. If anything cannot be read nothing is changed, and the fault names the place in the file.
  > pgn load game.pgn
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Sessions and games",
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
                [] => "nothing waits for trust".to_owned(),
                trusted => format!("trusted: {}", trusted.join(", ")),
            }))
        }),
        shows("pgn save", |shell, args| {
            let (file, session) = (args.required("FILE")?, shell.session());
            let saved = session.save_game(file.as_ref());
            args.reply(
                "FILE",
                saved.map(|moves| game_file(file, "saved", moves, &session.position())),
            )
        }),
        replaces_game("pgn load", |shell, args| {
            let file = args.required("FILE")?;
            let loaded = shell.session_mut().load_game(file.as_ref());
            let told = |(position, moves)| game_file(file, "loaded", moves, &position);
            args.reply("FILE", loaded.map(told))
        }),
    ],
};
