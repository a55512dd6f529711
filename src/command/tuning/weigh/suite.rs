//! Suites of positions as files.

use std::path::Path;

use super::options::{ON, RANDOM, SEED, blame, source};
use crate::{
    command::{Args, Kind, Param, Shell, Spec},
    engine::{
        files,
        game::Fault,
        report::{Report, SuiteReport},
    },
};

pub(in crate::command::tuning) const SUITE: Spec = Spec {
    name: "weights suite",
    aliases: &["suite"],
    params: &[
        Param::word("FILE", Kind::File, "the file to write").optional(),
        ON,
        RANDOM,
        SEED,
    ],
    summary: "shows a suite of positions, or writes it to a file",
    details: "The standard suite unless --suite or --random says otherwise. The file has one position a line, with its phase or its comment behind a #; \
              `weights compare`, `weights sweep` and `weights ablate` read it with --suite. A file is written whole or not at all.",
    examples: &[
        "weights suite",
        "weights suite positions.txt --random 200 --seed 1",
    ],
    run: suite,
};

fn suite(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let bench = shell.engine.bench();
    let source = source(shell, args)?;
    let mut report = bench
        .suite(source)
        .map_err(|fault| blame(args, "suite", fault))?;
    if let Some(file) = args.text("FILE") {
        files::write_text(Path::new(file), &listing(bench.game(), &report))
            .map_err(|fault| args.blame("FILE", fault))?;
        report.file = Some(file.to_owned());
    }
    Ok(Report::Suite(Box::new(report)))
}

/// A suite as a file has it.
fn listing(game: &str, report: &SuiteReport) -> String {
    let lines = report.entries.iter().map(|entry| {
        let words = entry.comment.as_ref().unwrap_or(&entry.phase);
        format!("{} # {words}\n", entry.state)
    });
    let head = format!(
        "# {game}: {} positions ({})\n",
        report.head.positions, report.head.suite
    );
    head + &lines.collect::<String>()
}
