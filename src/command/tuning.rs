//! Commands for the weights of the heuristic, and comparisons of weights.

use std::path::Path;

use crate::{
    command::{
        Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, files, message,
        shows,
    },
    engine::{
        session::{
            comparing::{Comparison, SuiteReport, Vary},
            truth::{TruthSample, Tuning},
        },
        suite::SuiteSource,
    },
};

const MANUAL: &str = "
eval
  shows the heuristic value of the position, term by term
  - [STATE…]  rest text  another position
  The value is for the side to move. Morris: (white − black) / (maximum + 1), where each side counts its stones, stones in hand, mills, possible
  mills and mobility (empty points beside its stones), weighted, and the maximum is 9·max(stones, stash) + 4·mills + 8·possible_mills + 15·mobility.
weights set
  changes weights of the heuristic
  - WEIGHT=…  @weight  the weights to change
  A weight is any real number, unless all of them together make the heuristic divide by zero. A change empties the cache, whose values would be wrong;
  `search set stale=seed` keeps it, as the seeds do.
  > weights set mills=5  > weights set stones=1 stash=1 mills=4 possible_mills=2
weights show, weights
  shows the weights in force
weights define
  defines a named set of weights
  - NAME  text  its name
  - [WEIGHT=…]  @weight  weights that differ from those in force
  The set is the weights in force with the changes given. Sets are saved with the session.
  > weights define greedy stones=3 mills=1  > weights define mine
weights use
  puts a named set of weights in force
  - NAME  @set  the set
  `default` always exists.
  > weights use default
weights list
  lists the named sets of weights
weights remove
  removes a named set of weights
  - NAME  @set  the set
  > weights remove greedy
weights compare, compare
  compares variants of the weights with a base, on the position or on many positions
  - [SET…]  many @set  names, `current`, or changes of the default such as stones=2,mills=5; the first is the base (default: `current`)
  - --sweep  text  the base with other values of a weight: WEIGHT=A..B in steps of a tenth of the range, or WEIGHT=A..B:STEP
  - --ablate  the base without each of its terms in turn
  - --depth  1..255  plies from the root (default: 3)
  - --suite, --random, --random-seed  see search compare
  - --limit  0..10_000  disagreements listed for each variant (default: 5; 0 with --sweep and --ablate)
  - --workers  1..1024  positions searched in parallel (default: the number of processors)
  - --truth  instead, how often the best moves give a won or drawn position of the endgame tables away
  - --ending  text  with --truth: one table only, such as 4-3 (default: all of the folder)
  - --sample  1..  with --truth: positions of each table, chosen by the setting `random` (default: 1000)
  For each variant: on how many positions it has the same best moves as the base, or one of them; the difference of the searched values; how much its
  choice loses, by the base's own search; the mean heuristic and searched values; and the positions on which the two disagree, for `position set` and
  `why not MOVE`. Searches the current position, or with --suite or --random many positions; the default of --sweep and --ablate is the standard suite.
  `tournament play` measures playing strength. Each search has an empty cache; the session's cache and the search under way stay as they are. `picture
  chart` draws the table.
  > weights compare default stones=3,mills=1  > weights compare default current --depth 4
  > weights compare default mills=2 --truth --ending 3-3 --sample 500
  > weights compare default mills=8 --suite standard
  > weights compare default mills=8 current --random 100 --random-seed 7; picture chart values.svg
  > weights compare default stones=3 --suite standard --limit 20  > weights compare --sweep stones=0..3:0.5
  > weights compare default --sweep mills=0..8:2 --depth 4; picture chart mills.svg
  > weights compare default --ablate --depth 4 --random 50
weights tune
  looks for weights with fewer mistakes by the endgame tables
  - NAME  text  the name of the set with the best weights
  - FILE  file  keeps the state after every step; the same command goes on from it
  - --from  @set  the weights to begin with (default: `default`)
  - --rounds  1..1000  maximum number of rounds (default: 20)
  - --depth  1..255  plies from the root (default: 2)
  - --ending, --sample  see weights compare
  Coordinate descent, as in Texel's tuning method (2014) with another objective: one weight after the other is tried a step higher and a step
  lower, and the change is kept if the best moves give fewer won and drawn positions away. Otherwise the step is halved. Ctrl-C stops it.
  `tournament play` shows whether the new weights also play better.
  > weights tune better better.ron --ending 3-3  > weights tune better better.ron --ending 3-3 --rounds 50
weights suite, suite
  shows a suite of positions, or writes it to a file
  - [FILE]  file  the file to write
  - --suite, --random, --random-seed  see search compare
  Default: the standard suite. The file has one position to a line, with its phase or comment after a #; `weights compare --suite FILE` reads it. It is
  written whole or not at all.
  > weights suite  > weights suite positions.txt --random 200 --random-seed 1
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Weights",
    manual: MANUAL,
    lists: &[
        LiveList::new("weight", |shell| {
            shell.session().weights().weights.iter().map(|(name, _)| name.to_owned()).collect()
        }),
        LiveList::new("set", |shell| {
            shell.session().weight_sets().sets.into_iter().filter_map(|set| set.name).collect()
        }),
    ],
    run: &[
        shows("eval", |shell, args| args.reply("STATE", shell.session().eval(args.text("STATE")))),
        changes("weights set", |shell, args| {
            shell.session_mut().set_weights(&args.pairs()).map(boxed)
        }),
        shows("weights show", |shell, _| Ok(boxed(shell.session().weights()))),
        changes("weights define", |shell, args| {
            shell.session_mut().define_weights(args.required("NAME")?, &args.pairs()).map(boxed)
        }),
        changes("weights use", |shell, args| {
            args.reply("NAME", shell.session_mut().use_weights(args.required("NAME")?))
        }),
        shows("weights list", |shell, _| Ok(boxed(shell.session().weight_sets()))),
        changes("weights remove", |shell, args| {
            let name = args.required("NAME")?;
            shell.session_mut().remove_weights(name).map_err(|fault| args.blame("NAME", fault))?;
            Ok(message(format!("the weight set {name} is removed")))
        }),
        shows("weights compare", compare),
        changes("weights tune", |shell, args| {
            let sample = truth_sample_args(shell, args, 2)?;
            let tuning = Tuning {
                name: args.required("NAME")?,
                from: args.text("from").unwrap_or("default"),
                file: Path::new(args.required("FILE")?),
                rounds: args.count("rounds")?.unwrap_or(20),
                sample,
            };
            shell.session_mut().tune_by_truth(tuning).map(boxed)
        }),
        shows("weights suite", suite),
    ],
};

fn suite(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let session = shell.session();
    let source = source(shell, args)?.unwrap_or(SuiteSource::STANDARD);
    let mut report = session.suite(source)?;
    if let Some(file) = args.text("FILE") {
        files::write_text(Path::new(file), &listing(session.game(), &report))?;
        report.file = Some(file.to_owned());
    }
    Ok(boxed(report))
}

fn listing(game: &str, report: &SuiteReport) -> String {
    let lines = report.entries.iter().map(|entry| format!("{} # {}\n", entry.state, entry.words()));
    let head = format!("# {game}: {} positions ({})\n", report.head.positions, report.head.suite);
    head + &lines.collect::<String>()
}

/// The positions with true values on which `weights` commands judge weights.
fn truth_sample_args(shell: &Shell, args: &Args<'_>, depth: u8) -> Result<TruthSample, Fault> {
    Ok(TruthSample {
        depth: args.count("depth")?.unwrap_or(depth),
        sample: args.count("sample")?.unwrap_or(1000),
        seed: shell.session().in_force().seed,
        subspace: args.parsed("ending")?,
    })
}

fn compare(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let sets: Vec<_> = args.texts("SET").collect();
    if args.has("truth") {
        let sample = truth_sample_args(shell, args, 3)?;
        let report = shell.session_mut().compare_by_truth(&sets, sample);
        return report.map(boxed);
    }
    let sweep = sweep(args)?;
    let generated = sweep.is_some() || args.has("ablate");
    if sets.is_empty() && !generated {
        return Err(Fault::new("there is nothing to compare")
            .hint("name sets of weights, or give --sweep WEIGHT=A..B or --ablate"));
    }
    if generated && sets.len() > 1 || sweep.is_some() && args.has("ablate") {
        return Err(Fault::new("sets, --sweep and --ablate exclude each other")
            .hint("give one set, the base, with --sweep or with --ablate"));
    }
    let vary = match &sweep {
        Some((weight, values)) => Vary::Sweep(weight, values),
        None if generated => Vary::Ablate,
        None => Vary::Nothing,
    };
    let what = Comparison::Weights { sets: &sets, vary, workers: args.count("workers")? };
    let source = source(shell, args)?.or_else(|| generated.then_some(SuiteSource::STANDARD));
    let depth = args.count("depth")?.unwrap_or(3);
    let listed = args.count("limit")?.unwrap_or(if generated { 0 } else { 5 });
    let report = shell.session().compare(what, source, Some(depth), listed);
    report.map(boxed)
}

fn sweep<'a>(args: &'a Args<'_>) -> Result<Option<(&'a str, Vec<f64>)>, Fault> {
    const MOST: u32 = 1000;
    // Sums of steps are rounded to this precision: in floating point, 3 · 0.1 is not 0.3.
    const PRECISION: f64 = 1e9;
    let Some(text) = args.text("sweep") else {
        return Ok(None);
    };
    let number = |text: &str| text.parse::<f64>().ok();
    let range = || {
        let (weight, range) = text.split_once('=')?;
        let (range, step) = range.split_once(':').unwrap_or((range, ""));
        let (first, last) = range.split_once("..")?;
        let (first, last) = (number(first)?, number(last)?);
        let step = if step.is_empty() { (last - first) / 10.0 } else { number(step)? };
        (first < last && first.is_finite() && last.is_finite())
            .then_some((weight, first, last, step))
    };
    let (weight, first, last, step) = range().ok_or_else(|| {
        let fault = Fault::new(format!("`{text}` is not a weight and a range"));
        args.blame("sweep", fault.hint("write mills=0..3, or mills=-1..0.5:0.25 for the step too"))
    })?;
    // The tolerance keeps `last` in the range if the division is inexact.
    let steps = ((last - first) / step + 1e-9).floor();
    if step <= 0.0 || !step.is_finite() || !steps.is_finite() || steps >= f64::from(MOST) {
        let fault = Fault::new(format!("a step of {step} does not lead from {first} to {last}"))
            .hint(format!("give a step above 0 that makes at most {MOST} values"));
        return Err(args.blame("sweep", fault));
    }
    let value = |nth: f64| ((first + nth * step) * PRECISION).round() / PRECISION;
    let values = (0..MOST).map(f64::from).take_while(|nth| *nth <= steps).map(value);
    Ok(Some((weight, values.collect())))
}

pub(super) fn source<'a>(
    shell: &Shell,
    args: &'a Args<'_>,
) -> Result<Option<SuiteSource<'a>>, Fault> {
    if let (Some(_), true) = (args.text("suite"), args.has("random")) {
        let fault = Fault::new("positions come from --suite or from --random, not from both");
        return Err(args.blame("random", fault.hint("leave one of them out")));
    }
    if args.has("random-seed") && !args.has("random") {
        let fault = Fault::new("--random-seed is for random play");
        return Err(args.blame("random-seed", fault.hint("give --random N as well")));
    }
    let seed = args.count("random-seed")?.unwrap_or(shell.session().in_force().seed);
    Ok(match (args.count("random")?, args.text("suite")) {
        (Some(positions), _) => Some(SuiteSource::Random { positions, seed }),
        (None, suite) => suite.map(named_source),
    })
}

/// The suite that a word names: a built-in one, or a file.
pub(super) fn named_source(word: &str) -> SuiteSource<'_> {
    match word {
        name if SuiteSource::NAMES.contains(&name) => SuiteSource::BuiltIn(name),
        file => SuiteSource::File(Path::new(file)),
    }
}
