//! Memo policies side by side.

use super::super::{Args, Kind, Param, Shell, Shows, Spec, lexer::Word};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
};

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
    let (states, file) = (positions(args.rest_words()), args.path("file"));
    let depth = args.count("depth")?;
    let compared = shell.engine.bench().compare_memos(&states, file.as_deref(), depth);
    compared.map(boxed).map_err(|fault| match fault.about.as_deref() {
        Some("file") => args.blame("file", fault),
        _ => args.blame("POSITION", Fault { at: None, ..fault }),
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
