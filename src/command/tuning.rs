//! Commands about the heuristic: weights, sets of them, comparisons.

pub(super) mod weigh;

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec};
use crate::engine::reply::{boxed, message};

/// The heuristic and its weights.
pub(super) const FAMILY: Family = Family {
    title: "Weights",
    commands: &[EVAL, SET, SHOW, DEFINE, USE, LIST, REMOVE, weigh::COMPARE, weigh::SUITE],
};

static NAMES: LiveList = LiveList {
    name: "weight",
    list: |shell| {
        let weights = shell.engine.bench().weights().weights;
        weights.iter().map(|(name, _)| name.to_owned()).collect()
    },
};

static SETS: LiveList = LiveList {
    name: "set",
    list: |shell| {
        shell.engine.bench().weight_sets().sets.into_iter().filter_map(|set| set.name).collect()
    },
};

fn pairs<'a>(args: &'a Args<'_>) -> Vec<(&'a str, &'a str)> {
    args.pairs().map(|pair| (pair.key, pair.value)).collect()
}

const EVAL: Spec = Spec {
    name: "eval",
    aliases: &[],
    params: &[],
    summary: "shows the heuristic value of the position, term by term",
    details: "The value is for the side to move. Morris: (white − black) / (maximum + 1), where each side counts its stones, stones in hand, \
              mills and possible mills, weighted, and the maximum is 9·max(stones, stash) + 4·mills + 8·possible_mills.",
    examples: &["eval"],
    run: Shows(|shell, _| shell.engine.bench().eval().map(boxed)),
};

const SET: Spec = Spec {
    name: "weights set",
    aliases: &[],
    params: &[Param::any_pair("WEIGHT", &NAMES, "the weights to change")],
    summary: "changes weights of the heuristic",
    details: "Any real number is a weight, unless all of them together make the heuristic divide by zero. Changed weights empty the cache, whose \
              values would be wrong; `search set stale=seed` keeps it, as the seeds do.",
    examples: &["weights set mills=5", "weights set stones=1 stash=1 mills=4 possible_mills=2"],
    run: Changes(|shell, args| {
        let set = shell.engine.bench_mut().set_weights(&pairs(args));
        set.map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const SHOW: Spec = Spec {
    name: "weights show",
    aliases: &["weights"],
    params: &[],
    summary: "shows the weights in force",
    details: "",
    examples: &["weights show"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().weights()))),
};

const DEFINE: Spec = Spec {
    name: "weights define",
    aliases: &[],
    params: &[
        Param::word("NAME", Kind::Text, "the set's name"),
        Param::any_pair("WEIGHT", &NAMES, "weights that differ from those in force").optional(),
    ],
    summary: "names a set of weights",
    details: "The set is the weights in force with the changes given. Sets are saved with the session.",
    examples: &["weights define greedy stones=3 mills=1", "weights define mine"],
    run: Changes(|shell, args| {
        let defined = shell.engine.bench_mut().define_weights(args.required("NAME")?, &pairs(args));
        defined.map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const USE: Spec = Spec {
    name: "weights use",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&SETS), "the set")],
    summary: "puts a named set of weights in force",
    details: "`default` is always there.",
    examples: &["weights use default"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().use_weights(args.required("NAME")?))
    }),
};

const LIST: Spec = Spec {
    name: "weights list",
    aliases: &[],
    params: &[],
    summary: "lists the named sets of weights",
    details: "",
    examples: &["weights list"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().weight_sets()))),
};

const REMOVE: Spec = Spec {
    name: "weights remove",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&SETS), "the set")],
    summary: "forgets a named set of weights",
    details: "",
    examples: &["weights remove greedy"],
    run: Changes(|shell, args| {
        let name = args.required("NAME")?;
        shell.engine.bench_mut().remove_weights(name).map_err(|fault| args.blame("NAME", fault))?;
        Ok(message(format!("the weight set {name} is forgotten")))
    }),
};
