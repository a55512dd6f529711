//! Weight sets held against each other: on one position, on suites of them, one weight over a range, term by term.

mod options;
mod suite;

use options::{DEPTH, GAMES, ON, RANDOM, SEED, SET_HELP, SVG, TO, blame, wish};
pub(super) use suite::SUITE;

use super::{Args, Kind, NAMES, Param, SETS, Shell, Spec};
use crate::{
    command::{
        duel::{OPENINGS, WORKERS},
        plots,
    },
    engine::{
        game::Fault,
        report::{Report, Score},
    },
};

pub(super) const COMPARE: Spec = Spec {
    name: "weights compare",
    aliases: &["compare"],
    params: &[
        Param::many("SET", Kind::Live(&SETS), SET_HELP),
        TO,
        ON,
        RANDOM,
        SEED,
        Param::flag(
            "list",
            Kind::Range(0, 10_000),
            "disagreements listed with their reasons; 5 where none is given",
        ),
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "compares sets of weights on the position, or on a suite of positions",
    details: "On the position, for each set: the terms, the heuristic value, the value and the best moves of a search of its own with the settings in \
              force; then the moves that are best for some sets and not for others. With --suite or --random every two sets are compared on many \
              positions: on how many they choose the same moves or have a best move in common, how far their values are apart, what the choice of the \
              one costs in the eyes of the other, and where they disagree and why: the lines they expect, and what the heuristic finds more of at \
              their ends. With --games every two sets play as well. Each search has an empty cache; the session's cache and the search under way are not touched.",
    examples: &[
        "weights compare default stones=3,mills=1",
        "weights compare default current --depth 4",
        "weights compare default mills=8 --suite standard",
        "weights compare default mills=8 current --random 100 --seed 7 --svg values.svg",
        "weights compare default stones=3 --suite standard --games 200",
    ],
    run: compare,
};

fn compare(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let sets: Vec<_> = args.texts("SET").collect();
    if !args.has("suite") && !args.has("random") {
        return compare_here(shell, args, &sets);
    }
    let svg = plots::file(args, "svg")?;
    let wish = wish(shell, args)?;
    let compared = shell.engine.bench().compare_on_suite(&sets, &wish);
    let mut report = compared.map_err(|fault| {
        let nth: Option<usize> = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        match nth {
            Some(nth) => args.blame_nth("SET", nth, Fault { at: None, ..fault }),
            None => blame(args, "SET", fault),
        }
    })?;
    report.svg = plots::save(args, svg, &[report.plot()])?;
    Ok(Report::SuiteComparison(Box::new(report)))
}

fn compare_here(shell: &mut Shell, args: &Args<'_>, sets: &[&str]) -> Result<Report, Fault> {
    for name in ["seed", "list", "games", "openings", "workers", "svg"] {
        if args.has(name) {
            let fault = Fault::new(format!("--{name} is for many positions"))
                .hint("give --suite standard, --suite FILE or --random N as well");
            return Err(args.blame(name, fault));
        }
    }
    let depth = args.count("depth")?.unwrap_or(DEPTH);
    let compared = shell.engine.bench_mut().compare_weights(sets, depth);
    compared
        .map(Report::Comparison)
        .map_err(|fault| args.blame("SET", fault))
}

pub(super) const SWEEP: Spec = Spec {
    name: "weights sweep",
    aliases: &["sweep"],
    params: &[
        Param::word("WEIGHT", Kind::Live(&NAMES), "the weight that changes"),
        Param::word("RANGE", Kind::Text, "A..B, its first and its last value"),
        Param::flag(
            "step",
            Kind::Score,
            "from one value to the next; a tenth of the range where none is given",
        ),
        Param::flag(
            "base",
            Kind::Live(&SETS),
            "the set that the other weights come from; `current` where none is given",
        ),
        TO,
        ON,
        RANDOM,
        SEED,
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "gives one weight a range of values and compares each with the base",
    details: "For each value: on how many positions the best moves are those of the base set, the mean searched value, how far the values are from \
              the base's, and what the choice costs in the eyes of the base. The positions are the standard suite's unless --suite or --random says \
              otherwise. The other weights stay as they are in the base. With --games each value plays against the base.",
    examples: &[
        "weights sweep stones 0..3 --step 0.5",
        "weights sweep mills 0..8 --step 2 --base default --depth 4 --svg mills.svg",
        "sweep stash -1..1 --random 50",
    ],
    run: sweep,
};

fn sweep(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let svg = plots::file(args, "svg")?;
    let values = values(args)?;
    let wish = wish(shell, args)?;
    let weight = args.required("WEIGHT")?;
    let base = args.text("base").unwrap_or("current");
    let swept = shell.engine.bench().sweep(weight, &values, base, &wish);
    let mut report = swept.map_err(|fault| blame(args, "RANGE", fault))?;
    report.svg = plots::save(args, svg, &report.plots())?;
    Ok(Report::Sweep(Box::new(report)))
}

/// The values of a range, the first and, where the step leads there, the last included.
fn values(args: &Args<'_>) -> Result<Vec<f64>, Fault> {
    /// More of them than can be looked at.
    const MOST: u32 = 1000;
    /// Decimals kept, so that steps of a tenth give tenths.
    const DECIMALS: f64 = 1e9;
    let text = args.required("RANGE")?;
    let wrong = || {
        let fault = Fault::new(format!("`{text}` is not a range")).hint("write 0..3 or -1..0.5");
        args.blame("RANGE", fault)
    };
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        return Err(wrong());
    };
    if first >= last {
        return Err(wrong());
    }
    let tenth = (last - first) / 10.0;
    let step = args.score("step")?.map_or(tenth, Score::get);
    let steps = ((last - first) / step + 1e-9).floor();
    if step <= 0.0 || !step.is_finite() || !steps.is_finite() || steps >= f64::from(MOST) {
        let fault = Fault::new(format!(
            "a step of {step} does not lead from {first} to {last}"
        ))
        .hint(format!(
            "give a step above 0 that makes at most {MOST} values"
        ));
        return Err(args.blame("step", fault));
    }
    let value = |nth: u32| ((first + f64::from(nth) * step) * DECIMALS).round() / DECIMALS;
    let within = |nth: &u32| f64::from(*nth) <= steps;
    Ok((0..MOST).take_while(within).map(value).collect())
}

pub(super) const ABLATE: Spec = Spec {
    name: "weights ablate",
    aliases: &["ablate"],
    params: &[
        Param::word(
            "SET",
            Kind::Live(&SETS),
            "the set whose terms are left out; `current` where none is given",
        )
        .optional(),
        TO,
        ON,
        RANDOM,
        SEED,
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "leaves out each term of the heuristic in turn",
    details: "Each weight in turn is 0, the others are as they are: on how many positions the best moves stay the same, how far the values move, and \
              what the choice without the term costs in the eyes of the whole heuristic. The positions are the standard suite's unless --suite or \
              --random says otherwise. Terms whose weight is 0 already are not listed.",
    examples: &[
        "weights ablate",
        "weights ablate default --depth 4 --random 50",
    ],
    run: ablate,
};

fn ablate(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let svg = plots::file(args, "svg")?;
    let wish = wish(shell, args)?;
    let base = args.text("SET").unwrap_or("current");
    let ablated = shell.engine.bench().ablate(base, &wish);
    let mut report = ablated.map_err(|fault| blame(args, "SET", fault))?;
    report.svg = plots::save(args, svg, &[report.plot()])?;
    Ok(Report::Ablation(Box::new(report)))
}
