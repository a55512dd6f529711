//! Commands for games in portable game notation.

use super::{Family, Kind, Param, Spec};
use crate::engine::{
    files,
    report::{GameFile, Report},
};

/// Games in files.
pub(super) const FAMILY: Family = Family {
    title: "Games",
    commands: &[SAVE, LOAD],
};

const SAVE: Spec = Spec {
    name: "pgn save",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "writes the game that was played to a file in PGN (chess)",
    details: "The moves since a position was last set, up to the one at hand, in the notation of books, with the first position as a FEN where it is \
              not the usual one. The file is written whole or not at all.",
    examples: &["pgn save game.pgn"],
    run: |shell, args| {
        let file = args.required("FILE")?;
        let bench = shell.engine.bench();
        let (text, moves) = bench.export_game()?;
        files::write_text(file.as_ref(), &text).map_err(|fault| args.blame("FILE", fault))?;
        Ok(Report::GameFile(Box::new(GameFile {
            file: file.to_owned(),
            action: "saved",
            moves,
            position: bench.position(),
        })))
    },
};

const LOAD: Spec = Spec {
    name: "pgn load",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "reads a game from a file in PGN, to walk through (chess)",
    details: "The first game of the file: the board shows its first position, `redo` and `undo` walk through its moves. Comments, variations and \
              annotations are passed over. If anything cannot be read nothing is changed, and the fault names the place in the file.",
    examples: &["pgn load game.pgn"],
    run: |shell, args| {
        let file = args.required("FILE")?;
        let text = files::read_text(file.as_ref()).map_err(|fault| args.blame("FILE", fault))?;
        let read = shell.engine.bench_mut().import_game(&text);
        let (position, moves) =
            read.map_err(|fault| args.blame("FILE", files::in_file(file.as_ref(), &text, fault)))?;
        Ok(Report::GameFile(Box::new(GameFile {
            file: file.to_owned(),
            action: "loaded",
            moves,
            position,
        })))
    },
};
