//! Memo policies side by side.

use std::path::Path;

use super::super::{Args, Kind, Param, Shell, Shows, Spec, lexer::Word};
use crate::engine::{
    files,
    game::Fault,
    reply::{Replied, boxed},
};

/// Remaining depth where neither the command nor the settings name one.
const DEPTH: u8 = 3;

pub(super) const COMPARE: Spec = Spec {
    name: "memo compare",
    aliases: &["memos"],
    params: &[
        Param::rest(
            "POSITION",
            Kind::Text,
            "positions, one after the other; the one at hand where none is given",
        )
        .optional(),
        Param::flag(
            "depth",
            Kind::Range(0, 255),
            "remaining depth; the setting or 3 where none is given",
        ),
        Param::flag("file", Kind::File, "a file of positions, one a line; # begins a comment"),
    ],
    summary: "searches positions under every memo policy, in both fidelities",
    details: "Each search has an empty cache of its own; the session's stays as it is. Values that differ from that of the search without memo in sound \
              fidelity are marked. Algorithm, symmetry and keys are those of the settings. The table's part of the time is reckoned from the time of as \
              many look-ups and stores in the table as the search left it.",
    examples: &[
        "memo compare --depth 3",
        "memo compare ww.wb.../b.b.w.bw/........ w 0 0 --depth 1",
    ],
    run: Shows(compare),
};

fn compare(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let bench = shell.engine.bench();
    let given: Option<u64> = args.count("depth")?;
    let depth = match given {
        Some(depth) => depth as u8,
        None => bench.depth_setting().unwrap_or(DEPTH),
    };
    let mut states = positions(args.rest_words());
    let typed = states.len();
    let file = args.path("file");
    let mut lines = Vec::new();
    if let Some(path) = &file {
        for (number, line) in read_lines(path)? {
            lines.push(number);
            states.push(line);
        }
    }
    let texts: Vec<_> = states.iter().map(String::as_str).collect();
    let compared = bench.compare_memos(&texts, depth);
    compared.map(boxed).map_err(|fault| {
        let nth: Option<usize> = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        let line = nth.and_then(|nth| nth.checked_sub(typed)).and_then(|nth| lines.get(nth));
        match (&file, line) {
            (Some(path), Some(line)) => args.blame(
                "file",
                Fault {
                    message: format!("{}:{line}: {}", path.display(), fault.message),
                    at: None,
                    ..fault
                },
            ),
            _ => args.blame("POSITION", Fault { at: None, ..fault }),
        }
    })
}

/// A quoted word is a position; so are words up to the next one that begins a position: it holds a `/` or a `(`.
fn positions(words: &[Word<'_>]) -> Vec<String> {
    let mut states: Vec<String> = Vec::new();
    let mut open = false;
    for word in words {
        let begins = word.quoted || word.text.contains(['/', '(']);
        match states.last_mut() {
            Some(state) if open && !begins => {
                state.push(' ');
                state.push_str(&word.text);
            }
            _ => states.push(word.text.to_string()),
        }
        open = !word.quoted;
    }
    states
}

/// The positions of a file with the numbers of their lines.
fn read_lines(path: &Path) -> Result<Vec<(usize, String)>, Fault> {
    let text = files::read_text(path)?;
    let positions = text.lines().enumerate().filter_map(|(at, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then(|| (at + 1, line.to_owned()))
    });
    let positions: Vec<_> = positions.collect();
    if positions.is_empty() {
        return Err(Fault::new(format!("`{}` holds no positions", path.display()))
            .hint("write one position a line"));
    }
    Ok(positions)
}
