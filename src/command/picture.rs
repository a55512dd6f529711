//! Commands that draw pictures for documents.

use std::{ffi::OsStr, path::Path};

use serde_json::json;

use super::{Args, Chapter, Fault, Replied, Reply, Shell, boxed, files, shows};
use crate::{
    engine::reply::PlainReply,
    picture::{board_svg, board_text, plot, screen_text},
};

const MANUAL: &str = "
picture board
  draws the board into a file, as SVG or as text
  - [FILE]  file  a file that ends in .svg or .txt; `-` for SVG on standard output
  - --ascii  text in ASCII only
  For a document, a lecture or a bug report: the board with its coordinates, closed mills, the last move, stones in hand and the words about the
  position. An SVG is light or dark as its reader's settings are. Without a file the text is the reply. A file is written whole or not at all.
  > picture board  > picture board board.svg  > picture board board.txt --ascii
picture chart
  draws the chart of the last reply into a file, as SVG
  - FILE  file  a file that ends in .svg; `-` for standard output
  Comparisons of weights on many positions and trainings have charts. An SVG is light or dark as its reader's settings are. A file is written whole
  or not at all.
  > picture chart terms.svg
picture screen
  writes the whole screen into a file, as text
  - FILE  file  a file that ends in .txt
  The full screen as it was drawn last. A file is written whole or not at all.
  > picture screen screen.txt
";

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Pictures",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("picture board", board),
        shows("picture chart", |shell, args| {
            let file = args.required("FILE")?;
            if ending(Path::new(file)).as_deref() != Some("svg") {
                let fault = Fault::new(format!("`{file}` does not end in .svg"));
                return Err(args.blame("FILE", fault.hint("name a file that ends in .svg")));
            }
            let plots = shell.last_answer().map_or_else(Vec::new, Reply::plots);
            if plots.is_empty() {
                return Err(Fault::new("the last reply has no chart").hint(
                    "`weights compare A B --suite standard` and `train show FILE` have one",
                ));
            }
            write(args, file, "svg", plot::svg(&plots))
        }),
        shows("picture screen", screen),
    ],
};

fn board(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let report = shell.bench().board(None)?;
    let ascii = args.has("ascii");
    let text = || board_text(&report, ascii);
    let Some(file) = args.text("FILE") else {
        return Ok(drawn(None, "text", text()));
    };
    match ending(Path::new(file)).as_deref() {
        Some("svg") if ascii => {
            let fault = Fault::new("an SVG picture has no ASCII form");
            let hint = "leave --ascii out, or name a file that ends in .txt";
            Err(args.blame("FILE", fault.hint(hint)))
        }
        Some("svg") => write(args, file, "svg", board_svg(&report)),
        Some("txt") => write(args, file, "text", text() + "\n"),
        _ => {
            let fault = Fault::new(format!("`{file}` says no format"));
            Err(args.blame("FILE", fault.hint("name a file that ends in .svg or .txt")))
        }
    }
}

/// The end of a file's name, which tells the format; standard output gets SVG.
fn ending(path: &Path) -> Option<String> {
    let ending = path.extension().and_then(OsStr::to_str);
    let usual = files::is_output(path).then(|| "svg".to_owned());
    ending.map(str::to_ascii_lowercase).or(usual)
}

fn screen(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let Some(screen) = &shell.screen else {
        return Err(Fault::new("there is no screen to draw")
            .hint("run `plyscope` without arguments at a terminal; `picture board` draws the board anywhere"));
    };
    if Path::new(file).extension() != Some(OsStr::new("txt")) {
        let fault = Fault::new(format!("`{file}` does not end in .txt"));
        let hint = "a screen is drawn as text: name a file that ends in .txt";
        return Err(args.blame("FILE", fault.hint(hint)));
    }
    write(args, file, "text", screen_text(screen))
}

fn write(args: &Args<'_>, file: &str, format: &'static str, text: String) -> Replied {
    files::write_text(Path::new(file), &text).map_err(|fault| args.blame("FILE", fault))?;
    Ok(drawn(Some(file), format, text))
}

fn drawn(file: Option<&str>, format: &str, picture: String) -> Box<dyn Reply> {
    let bytes = picture.len();
    let text = match file {
        Some(file) => format!("wrote `{file}` ({format}, {bytes} bytes)"),
        None => picture.trim_end().to_owned(),
    };
    let picture = file.is_none().then_some(picture);
    let fields = json!({"file": file, "format": format, "bytes": bytes, "picture": picture});
    boxed(PlainReply::new(text, fields))
}
