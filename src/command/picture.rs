//! Commands that draw pictures for documents.

use std::path::Path;

use serde_json::json;

use crate::{
    command::{Args, FamilyDefinition, Fault, Replied, Reply, Shell, boxed, files, query, shows},
    engine::session::{
        explain::{Slice, TreeExplained},
        reply::{PlainReply, message},
    },
    picture::{
        board_svg, board_text, icicle as drawing_of, plot, screen_svg, screen_text, tree as drawing,
    },
    text::{CsvTable, count, counted, headline, number},
};

const MANUAL: &str = "
picture board
  draws the board into a file, as SVG or as text
  - [FILE]  file  a file that ends in .svg or .txt; `-` for SVG on standard output
  - --ascii  text in ASCII only
  The board with its coordinates, closed mills, the last move, stones in hand and a description of the position. An SVG is light or dark as its
  reader's settings are. Without a file the reply is the text. A file is written whole or not at all.
  > picture board  > picture board board.svg  > picture board board.txt --ascii
picture chart
  draws the chart of the last reply into a file, as SVG
  - FILE  file  a file that ends in .svg; `-` for standard output
  Comparisons of weights on many positions and trainings have charts. An SVG is light or dark as its reader's settings are. A file is written whole
  or not at all.
  > picture chart terms.svg
* picture tree
  draws the tree that the search explored as an icicle, as SVG
  - FILE  file  a file that ends in .svg; `-` for standard output
  - --depth  1..255  plies from the root (default: 12)
  - --nodes  1..1_000_000  maximum number of nodes (default: 50,000)
  - --base  compares with the search that `tree base` has kept
  A row for each ply. A node is as wide as its share of the nodes; letter and colour say how it ended: searched, cut off, cache hit, reduced, quiescence,
  leaf, end of the game. With --base, sign and colour say where this search has visited more nodes than the other one, and where fewer. The line of
  moves and the counts are shown where the mouse points.
  > picture tree icicle.svg
* tree base
  keeps the tree of the search under way, to compare later searches with it
  - [FILE]  file  a file that ends in .folded, in place of the search under way
  - --off  forgets the tree that was kept
  `explain tree`, `picture tree --base` and the tree on the screen then show where a search visits more nodes than this one, and where fewer. Moves are
  compared by their names: searches of other programs, from traces, can be compared too. It is not saved with the session.
  > tree base
* export tree
  writes the tree that the search explored, for Graphviz, for flame-graph viewers or as an outline
  - FILE  file  a file that ends in .dot, .gv, .txt or .folded; `-` for DOT on standard output
  - --depth  1..255  plies from the root (default: 3; in .folded 12)
  - --nodes  1..1_000_000  maximum number of nodes (default: 500; in .folded 50,000)
  The tree of the last iteration of the search under way, up to the current event: the recorded search is run again on a copy. Each node has its move,
  the side to move, the value for that side and the window. Cutoffs, moves that a cutoff left unsearched, cache hits and ends of the game are marked.
  A line of a .folded file has the moves to a node, separated by semicolons, and the nodes visited in it but not below: speedscope and inferno open it.
  A file is written whole or not at all.
  > export tree tree.dot  > export tree tree.txt --depth 2  > export tree tree.folded
export table
  writes the table of the last reply to a file, as CSV
  - FILE  file  a file that ends in .csv; `-` for standard output
  - [LIST]  text  a list of the reply, by its path in JSON (default: the one with the most columns)
  The first line names the columns, as JSON does: `cost.nodes` is the field `nodes` of the field `cost`. All rows of the reply are written, also those
  that its text leaves out, with exact numbers and moves in coordinate notation. Lists such as `pv` have blanks between their values. A file is
  written whole or not at all. The last reply stays the last one: several of its lists can be exported.
  > export table entries.csv  > export table pairs.csv pairs
* picture screen
  draws the whole screen into a file, as SVG or as text
  - FILE  file  a file that ends in .svg or .txt
  The full screen as it was drawn last. `plyscope demo SCRIPT --film FILE` draws all screens of a script, without a terminal.
  A file is written whole or not at all.
  > picture screen screen.svg
* picture film
  draws the last ten seconds of the screen into a file, as an SVG that moves
  - FILE  file  a file that ends in .svg
  Ten screens a second at most, in a loop. A viewer without animations shows the last screen. A file is written whole or not at all.
  > picture film film.svg
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Pictures",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("picture board", board),
        shows("picture chart", |shell, args| {
            let file = args.required("FILE")?;
            args.format("FILE", &["svg"])?;
            let plots = shell.last.as_ref().map_or_else(Vec::new, |last| last.reply.plots());
            if plots.is_empty() {
                return Err(Fault::new("the last reply has no chart").hint(
                    "`weights compare A B --suite standard` and `train show FILE` draw charts",
                ));
            }
            let mut drawn = write(file, "svg", plot::svg(&plots))?;
            if let Some(plain) = drawn.downcast_mut::<PlainReply>() {
                plain.is_remark = true;
            }
            Ok(drawn)
        }),
        shows("picture tree", icicle),
        shows("tree base", tree_base),
        shows("export tree", tree),
        shows("export table", table),
        shows("picture screen", screen),
        shows("picture film", film),
    ],
};

fn board(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let report = shell.session().board(None)?;
    let ascii = args.has("ascii");
    let text = || board_text(&report, ascii);
    let Some(file) = args.text("FILE") else {
        return Ok(drawn(None, "text", text()));
    };
    match args.format("FILE", &["svg", "txt"])? {
        "svg" if ascii => {
            let fault = Fault::new("an SVG picture has no ASCII form");
            let hint = "leave --ascii out, or name a file that ends in .txt";
            Err(args.blame("FILE", fault.hint(hint)))
        }
        "svg" => write(file, "svg", board_svg(&report)),
        _ => write(file, "text", text() + "\n"),
    }
}

fn tree(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let ending = args.format("FILE", &["dot", "gv", "txt", "folded"])?;
    let (format, draw): (_, fn(&_) -> _) = match ending {
        "txt" => ("text", drawing::outline),
        "folded" => ("folded", |tree| Slice::of(tree).folded()),
        _ => ("dot", drawing::dot),
    };
    let most = if ending == "folded" { WHOLE } else { (3, 500) };
    let tree = explored(shell, args, most)?;
    let (text, nodes, omitted) = (draw(&tree), tree.nodes.len(), tree.omitted);
    files::write_text(Path::new(file), &text)?;
    let text_of_reply = headline([
        format!("wrote {} nodes to {file}", count(nodes as u64)),
        format!("{format}, {}", number::bytes(text.len() as u64)),
        if omitted > 0 { format!("{} nodes are not in it", count(omitted)) } else { String::new() },
    ]);
    let fields = json!({
        "file": file, "format": format, "bytes": text.len(), "items": nodes, "of": "nodes", "omitted": omitted,
    });
    Ok(boxed(PlainReply::new(text_of_reply, fields)))
}

/// The greatest numbers of plies and nodes in the tree of a flame graph, which shows the whole search.
const WHOLE: (u32, usize) = (12, 50_000);

fn explored(
    shell: &mut Shell,
    args: &Args<'_>,
    (plies, nodes): (u32, usize),
) -> Result<TreeExplained, Fault> {
    let (plies, nodes) =
        (args.count("depth")?.unwrap_or(plies), args.count("nodes")?.unwrap_or(nodes));
    shell.session_mut().tree(plies, nodes)
}

fn icicle(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    args.format("FILE", &["svg"])?;
    let mut slice = Slice::of(&explored(shell, args, WHOLE)?);
    if args.has("base") {
        let base = shell.tree_base.as_ref().ok_or_else(|| {
            Fault::new("no search has been kept for comparison")
                .hint("`tree base` keeps the search under way, `tree base FILE.folded` loads one from a file")
        })?;
        slice.compare(base);
    }
    write(file, "svg", drawing_of(&slice, &format!("{} search", shell.session().game())))
}

fn tree_base(shell: &mut Shell, args: &Args<'_>) -> Replied {
    if args.has("off") {
        shell.tree_base = None;
        return Ok(message("no search is kept to compare with"));
    }
    let (base, of) = match args.text("FILE") {
        None => {
            let tree = shell.session_mut().tree(WHOLE.0, WHOLE.1)?;
            (Slice::of(&tree), format!("iteration {} of the search under way", tree.depth))
        }
        Some(file) => {
            args.format("FILE", &["folded"])?;
            let read = files::read_text(Path::new(file)).and_then(|text| Slice::read_folded(&text));
            (read.map_err(|fault| args.blame("FILE", fault))?, file.to_owned())
        }
    };
    let nodes = counted(base.nodes, "node", "nodes");
    let text = format!("{of} is kept to compare with: {nodes}");
    let fields = json!({"of": of, "nodes": base.nodes});
    shell.tree_base = Some(base);
    Ok(boxed(PlainReply::new(text, fields)))
}

fn table(shell: &mut Shell, args: &Args<'_>) -> Replied {
    const TABLES: &str =
        "`moves`, `cache list`, `search run`, `weights compare` and `tournament show` print tables";
    let file = args.required("FILE")?;
    args.format("FILE", &["csv"])?;
    let reply = shell.last_reply().unwrap_or_default();
    let rows = match args.text("LIST") {
        Some(path) => Some(query::find(&reply, path).map_err(|fault| args.blame("LIST", fault))?),
        None => shell.last.as_ref().and_then(|last| last.reply.table_rows()),
    };
    let rows = rows.as_ref().or_else(|| CsvTable::widest(&reply));
    let Some(table) = rows.and_then(CsvTable::of) else {
        return Err(match args.text("LIST") {
            Some(path) => {
                let fault = Fault::new(format!("`{path}` is not a list of objects"))
                    .hint("give the name of such a list in the JSON of the last reply");
                args.blame("LIST", fault)
            }
            None => Fault::new("the last reply has no table").hint(TABLES),
        });
    };
    let text = table.text();
    files::write_text(Path::new(file), &text)?;
    let rows = table.rows.len();
    let text_of_reply = headline([
        format!("wrote {} to {file}", counted(rows as u64, "row", "rows")),
        format!("csv, {}", number::bytes(text.len() as u64)),
    ]);
    let fields = json!({
        "file": file, "format": "csv", "bytes": text.len(), "rows": rows, "columns": table.columns,
    });
    Ok(boxed(PlainReply::not_compared(text_of_reply, fields)))
}

fn screen(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let shot = shell.screens.last().ok_or_else(no_screen)?;
    if args.format("FILE", &["svg", "txt"])? == "txt" {
        return write(file, "text", screen_text(&shot.screen));
    }
    write(file, "svg", screen_svg(std::slice::from_ref(shot), &title(shell)))
}

fn film(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    args.format("FILE", &["svg"])?;
    if shell.screens.is_empty() {
        return Err(no_screen());
    }
    write(file, "svg", screen_svg(&shell.screens, &title(shell)))
}

fn title(shell: &Shell) -> String {
    format!("plyscope: {}", shell.session().game())
}

fn no_screen() -> Fault {
    Fault::new("there is no screen to draw").hint(
        "run `plyscope` without arguments at a terminal; `picture board` draws the board anywhere",
    )
}

fn write(file: &str, format: &'static str, text: String) -> Replied {
    files::write_text(Path::new(file), &text)?;
    Ok(drawn(Some(file), format, text))
}

fn drawn(file: Option<&str>, format: &str, picture: String) -> Box<dyn Reply> {
    let bytes = picture.len();
    let size = number::bytes(bytes as u64);
    let text = match file {
        Some(file) => format!("wrote `{file}` ({format}, {size})"),
        None => picture.trim_end().to_owned(),
    };
    let picture = file.is_none().then_some(picture);
    let fields = json!({"file": file, "format": format, "bytes": bytes, "picture": picture});
    boxed(PlainReply::new(text, fields))
}
