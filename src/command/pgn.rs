//! Commands for games in portable game notation.

use super::{Changes, Family, Kind, Param, Shows, Spec};
use crate::engine::reply::{GameFile, boxed};

/// Games in files.
pub(super) const FAMILY: Family = Family { title: "Games", commands: &[SAVE, LOAD] };

const SAVE: Spec = Spec {
    name: "pgn save",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "writes the game that was played to a file in PGN (chess)",
    details: "The moves since a position was last set, up to the one at hand, in the notation of books, with the first position as a FEN where it is \
              not the usual one. The file is written whole or not at all; one that holds more than that (other moves or games, comments, variations, \
              annotations, tags) is not replaced. `-` is standard output.",
    examples: &["pgn save game.pgn"],
    run: Shows(|shell, args| {
        let file = args.required("FILE")?;
        let bench = shell.engine.bench();
        let saved = bench.save_game(file.as_ref());
        let moves = saved.map_err(|fault| args.blame("FILE", fault))?;
        Ok(boxed(GameFile {
            file: file.to_owned(),
            action: "saved",
            moves,
            position: bench.position(),
        }))
    }),
};

const LOAD: Spec = Spec {
    name: "pgn load",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "reads a game from a file in PGN, to walk through (chess)",
    details: "The first game of the file: the board shows its first position, `redo` and `undo` walk through its moves. What is left out is told: \
              further games, comments, variations, annotations, tags. If anything cannot be read nothing is changed, and the fault names the place in the file.",
    examples: &["pgn load game.pgn"],
    run: Changes(|shell, args| {
        let file = args.required("FILE")?;
        let loaded = shell.engine.bench_mut().load_game(file.as_ref());
        let (position, moves) = loaded.map_err(|fault| args.blame("FILE", fault))?;
        Ok(boxed(GameFile { file: file.to_owned(), action: "loaded", moves, position }))
    }),
};
