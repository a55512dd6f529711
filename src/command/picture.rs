//! Commands that draw pictures for documents.

use std::{ffi::OsStr, path::Path};

use super::{Args, Family, Kind, Param, Shell, Spec, choice};
use crate::{
    engine::{
        files,
        game::Fault,
        report::{BoardReport, PictureReport, Report},
    },
    picture::{
        Palette, Screen, View, board_svg, board_text,
        cells::{svg_of_cells, text_of_cells},
    },
};

/// Pictures.
pub(super) const FAMILY: Family = Family {
    title: "Pictures",
    commands: &[BOARD, SCREEN],
};

const BOARD: Spec = Spec {
    name: "picture board",
    aliases: &[],
    params: &[
        Param::word(
            "FILE",
            Kind::File,
            "a file that ends in .svg or .txt; `-` for SVG on standard output",
        )
        .optional(),
        Param::flag(
            "theme",
            Kind::Choice(&[
                choice("auto", "light or dark, as the reader's settings are"),
                choice("light", "on white"),
                choice("dark", "on black"),
                choice("mono", "without colour"),
            ]),
            "the colours of an SVG; auto where none is given",
        ),
        Param::switch("ascii", "text in ASCII only"),
    ],
    summary: "draws the board into a file, as SVG or as text",
    details: "For a document, a lecture or a bug report: the board with its coordinates, closed mills, the last move, stones in hand and the words \
              about the position. Without a file the text is the reply. A file is written whole or not at all.",
    examples: &[
        "picture board",
        "picture board board.svg",
        "picture board board.svg --theme dark",
        "picture board board.txt --ascii",
    ],
    run: board,
};

fn board(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let report = shell.engine.bench().board(None)?;
    let Some(file) = args.text("FILE") else {
        let text = board_text(&report, View::default(), args.has("ascii"));
        return Ok(drawn(None, "text", text));
    };
    let draw = drawing(file, args).map_err(|fault| args.blame("FILE", fault))?;
    let (format, text) = draw(&report, args);
    files::write_text(Path::new(file), &text).map_err(|fault| args.blame("FILE", fault))?;
    Ok(drawn(Some(file), format, text))
}

const SCREEN: Spec = Spec {
    name: "picture screen",
    aliases: &[],
    params: &[Param::word(
        "FILE",
        Kind::File,
        "a file that ends in .svg or .txt",
    )],
    summary: "writes the whole screen into a file, as SVG or as text",
    details: "The full screen as it was drawn last, with its colours in an SVG. A file is written whole or not at all.",
    examples: &["picture screen screen.svg", "picture screen screen.txt"],
    run: screen,
};

fn screen(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let file = args.required("FILE")?;
    let Some(Screen { cells, palette }) = shell.screen() else {
        return Err(Fault::new("there is no screen to draw")
            .hint("run `plyscope` without arguments at a terminal; `picture board` draws the board anywhere"));
    };
    let (format, text) = match Path::new(file).extension().and_then(OsStr::to_str) {
        Some("svg") => ("svg", svg_of_cells(cells, palette, "Plyscope")),
        Some("txt") => ("text", text_of_cells(cells)),
        _ => return Err(args.blame("FILE", no_format(file))),
    };
    files::write_text(Path::new(file), &text).map_err(|fault| args.blame("FILE", fault))?;
    Ok(drawn(Some(file), format, text))
}

fn no_format(file: &str) -> Fault {
    Fault::new(format!("`{file}` says no format")).hint("name a file that ends in .svg or .txt")
}

type Drawing = fn(&BoardReport, &Args<'_>) -> (&'static str, String);

/// What draws a file, by the end of its name.
fn drawing(file: &str, args: &Args<'_>) -> Result<Drawing, Fault> {
    let path = Path::new(file);
    let ending = path.extension().map(OsStr::to_ascii_lowercase);
    let ending = ending.as_ref().and_then(|ending| ending.to_str());
    match ending.or(files::is_output(path).then_some("svg")) {
        Some("svg") if args.has("ascii") => Err(Fault::new("an SVG picture has no ASCII form")
            .hint("leave --ascii out, or name a file that ends in .txt")),
        Some("svg") => Ok(|report, args| {
            let palette = args.text("theme").and_then(Palette::named);
            ("svg", board_svg(report, View::default(), palette.as_ref()))
        }),
        Some("txt") => Ok(|report, args| {
            let text = board_text(report, View::default(), args.has("ascii"));
            ("text", format!("{text}\n"))
        }),
        _ => Err(no_format(file)),
    }
}

fn drawn(file: Option<&str>, format: &'static str, text: String) -> Report {
    Report::Picture(PictureReport {
        file: file.map(str::to_owned),
        format,
        bytes: text.len(),
        picture: file.is_none().then_some(text),
    })
}
