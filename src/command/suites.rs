//! Commands that run on every position of a suite.

use crate::{
    command::{
        Args, FamilyDefinition, Fault, Replied, Shell, boxed, breakpoints, changes, search, shows,
        tuning::named_source,
    },
    engine::session::{comparing::SuiteEntry, reply::PlainReply},
};

use serde_json::json;

const MANUAL: &str = r#"
suite run
  searches the positions of a suite and counts those that are solved
  - SUITE  file  `standard`, `tactics`, or a file in EPD with one position to a line
  - [VARIANT…]  many @setting  settings as `search set` reads them, in quotes, `current` or `play`
  - --depth, --budget, --time  see search run
  - --workers  1..1024  positions searched in parallel (default: 1, so that times can be compared)
  - --limit  0..10_000  unsolved positions listed (default: 20)
  A line is a position of the game with operations of EPD: `bm` moves of which one is to be found, `am` moves to be avoided, `dm` the number of moves
  in which the side to move wins, `id` a name, `c0` a comment; # begins a comment. Without a limit, those of the settings hold. A position is solved
  if each of the best moves is a solution. Without variants the settings in force are used; `play` are the settings for play, as in `plyscope uci`. Each
  search has an empty cache. A line that cannot be read is listed with its number, the others are searched, and a script ends with status 1.
  > suite run tactics --depth 3  > suite run mine.epd current play "play null=3" --budget 20000
foreach
  runs commands at every position of a suite
  - SUITE  file  `standard`, `tactics`, or a file as `suite run` reads it
  - COMMANDS  text  commands in braces or in quotes, on one or several lines
  The positions are set up one after the other; at the end the position before is back. A reply says which position it is. An error names the file and
  the line of the position, and ends the command, unless the script runs with --keep-going. Ctrl-C stops it. If a line of the file cannot be read,
  nothing is run.
  > foreach mine.epd { search run --depth 4 }  > foreach standard { eval; moves }
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Suites",
    manual: MANUAL,
    lists: &[],
    run: &[shows("suite run", run), changes("foreach", foreach)],
};

fn run(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let source = named_source(args.required("SUITE")?);
    let variants: Vec<_> = args.texts("VARIANT").collect();
    let workers = args.count("workers")?.unwrap_or(1);
    let limits = search::limits(args);
    let mut run = shell.session().run_suite(source, &variants, &limits, workers)?;
    run.listed = args.count("limit")?.unwrap_or(20);
    Ok(boxed(run))
}

fn foreach(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let suite = args.required("SUITE")?;
    let text = args.required("COMMANDS")?;
    let bare = text.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let commands = bare.unwrap_or(text);
    breakpoints::statements(shell, commands).map_err(|fault| {
        let start = usize::from(bare.is_some());
        let at = fault.at.clone().map(|at| at.start + start..at.end + start);
        args.blame("COMMANDS", Fault { at, ..fault })
    })?;
    let report = shell.session().suite(named_source(suite));
    let report = report.map_err(|fault| args.blame("SUITE", fault))?;
    let positions = report.entries.len();
    shell.load_positions(suite, report.entries, commands);
    Ok(boxed(PlainReply::not_compared("", json!({"suite": suite, "positions": positions}))))
}

/// The place of a position in its suite: file and line, or suite and number.
pub(super) fn place_of(suite: &str, entry: &SuiteEntry) -> String {
    match entry.line {
        Some(line) => format!("{suite}:{line}"),
        None => format!("{suite} {}", entry.position),
    }
}
