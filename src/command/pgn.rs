//! Commands for games in portable game notation.

use super::{Chapter, boxed, changes, shows};
use crate::engine::reply::GameFile;

const MANUAL: &str = "
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
";

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Games",
    retells: false,
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("pgn save", |shell, args| {
            let file = args.required("FILE")?;
            let bench = shell.bench();
            let saved = bench.save_game(file.as_ref());
            let moves = saved.map_err(|fault| args.blame("FILE", fault))?;
            Ok(boxed(GameFile {
                file: file.to_owned(),
                action: "saved",
                moves,
                position: bench.position(),
            }))
        }),
        changes("pgn load", |shell, args| {
            let file = args.required("FILE")?;
            let loaded = shell.bench_mut().load_game(file.as_ref());
            let (position, moves) = loaded.map_err(|fault| args.blame("FILE", fault))?;
            Ok(boxed(GameFile { file: file.to_owned(), action: "loaded", moves, position }))
        }),
    ],
};
