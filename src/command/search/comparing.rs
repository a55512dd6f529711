//! The same positions searched under several settings.

use super::SETTING_LIST;
use crate::{
    command::{
        Args, Kind, Param, Shell, Shows, Spec,
        lexer::Word,
        tuning::weigh::{ON, RANDOM, SEED, source},
    },
    engine::{
        game::Fault,
        reply::{Replied, boxed},
    },
};

pub(in crate::command) const SEARCHES: Spec = Spec {
    name: "search compare",
    aliases: &[],
    params: &[
        Param::many(
            "VARIANT",
            Kind::Live(&SETTING_LIST),
            "settings as `search set` reads them, in quotes, or `current`; the first is the base",
        )
        .optional(),
        Param::flag(
            "depth",
            Kind::Range(1, 255),
            "plies from the root; the setting or 4 where none is given",
        ),
        ON,
        RANDOM,
        SEED,
    ],
    summary: "searches the position, or many, under several settings and compares what it takes",
    details: "Each variant is the settings in force with the changes given; without any, a list of algorithms, memo policies and orders is held against \
              the settings in force. The position at hand is searched, or with --suite or --random many. The effective branching factor is the number \
              of nodes to the power of 1/depth; over several positions it is the geometric mean, while nodes and times are sums. In sound fidelity \
              algorithm, memo and order never change a value; settings that do are marked. Every search looks for one best \
              move (root=best) unless a variant says otherwise. Each has an empty cache of its own; the session's cache and the search under way are \
              not touched. Ctrl-C stops it.",
    examples: &[
        "search compare --depth 3",
        "search compare current algorithm=pvs \"algorithm=mtdf memo=bound\"",
        "search compare \"algorithm=alphabeta order=none\" order=static --suite standard --depth 2",
    ],
    run: Shows(compare_searches),
};

fn compare_searches(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let variants: Vec<_> = args.texts("VARIANT").collect();
    let (source, depth) = (source(shell, args)?, args.count("depth")?);
    let compared = shell.engine.bench().compare_searches(&variants, source, depth);
    compared.map(boxed).map_err(|fault| {
        let nth = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        let fault = Fault { at: None, ..fault };
        match nth {
            Some(nth) => args.blame_nth("VARIANT", nth, fault),
            None => args.blame_pair_or("suite", fault),
        }
    })
}

pub(in crate::command) const MEMOS: Spec = Spec {
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
              fidelity are marked. Algorithm, symmetry and keys are those of the settings. The table's share of the time is reckoned from the time of as \
              many look-ups and stores in the table as the search left it. `search compare` compares any settings.",
    examples: &[
        "memo compare --depth 3",
        "memo compare ww.wb.../b.b.w.bw/........ w 0 0 --depth 1",
    ],
    run: Shows(compare_memos),
};

fn compare_memos(shell: &mut Shell, args: &Args<'_>) -> Replied {
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
