//! Commands that search at full speed, and their settings.

use crate::{
    command::{
        Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, message, shows,
        tuning::source,
    },
    engine::{
        session::{comparing::Comparison, tuning::SettingsReport},
        settings::SETTINGS,
    },
};

const MANUAL: &str = r#"
search set, set
  changes settings of searches
  - SETTING=…  @setting  the settings to change
  `search show all` lists every setting with its meaning, and `help order` explains one. Several orders are joined by +. Changes that give cache entries another
  meaning empty the cache, with a note. fidelity=seed searches as the seed programs do, defects included, and sets the switch of each defect back to auto.
  > search set memo=interval depth=6  > search set fidelity=seed keys=colour  > search set budget=100000
search show, settings
  shows the settings of searches
  - [WHICH]  one of  every setting
    all: also the rare ones, those of the other game, and each defect
  Rare settings are shown if changed; of the switches of the seeds' defects, those that differ from the fidelity. JSON has every setting.
  > search show  > search show all
search preset, preset
  puts a set of settings in force
  - NAME  one of  the set
    plain: the defaults: every value is exact, and a recording can be stepped back in
    play: those for play, as in `plyscope uci`: stronger, with selective search and without a recording
  The weights go with it, in chess `weights use play`, unless they were changed. The limits of a search and the setting random stay. `engine play` and
  `hint` search with those for play in any case, and with every setting that you changed; with `play` in force every search does, and can be stepped like any other.
  > search preset play  > search preset plain
search value, value
  finds the value of the position at one depth
  - --depth  0..255  remaining depth at the root, the seeds' limit (default: the setting depth)
  - --alpha  score  lower bound of the window (default: that of the full window)
  - --beta  score  upper bound of the window (default: that of the full window)
  One call of the search, with the settings in force and no budget. The value is for the side to move. Ctrl-C stops it.
  > search value --depth 4  > search value --depth 3 --alpha -0.1 --beta 0.1
search run, run, go
  searches for the best moves
  - --depth  1..255  plies from the root, for this run
  - --budget  1..  nodes to visit, for this run
  - --time  1..  milliseconds, for this run
  Iterative deepening with the settings in force, until the depth is reached or the budget or the time is used up. With root=all, every root move is
  searched with the full window. Without any limit the budget is 25,000 nodes. `depth` counts plies from the root, the root move included.
  Breakpoints and Ctrl-C stop it; `continue` goes on.
  > search run  > search run --depth 6  > search run --time 2000
search compare
  searches the position, or many positions, with several settings and compares the cost
  - [VARIANT…]  many @setting  settings as `search set` reads them, in quotes, or `current`; the first is the base
  - --depth  1..255  plies from the root (default: the setting, or 4)
  - --suite  file  positions: `standard`, `tactics`, or a file with one to a line as `suite run` reads it
  - --random  1..100_000  number of positions from random play
  - --random-seed  count  seed of random play (default: the setting random)
  - --limit  0..10_000  positions listed for each variant on which it differs from the base (default: 3, for weights 5)
  Each variant is the settings in force with the changes given; without variants, a list of algorithms, memo policies and orders is compared with the
  settings in force. Searches the current position, or with --suite or --random many positions. The effective branching factor is the number of nodes
  to the power of 1/depth; over several positions it is the geometric mean, while nodes and times are sums. In sound fidelity, algorithm, memo and
  order never change a value; settings that do are marked. Every search finds one best move (root=best) unless a variant has root=all. Each has an
  empty cache of its own; the session's cache and the search under way stay as they are. Ctrl-C stops it.
  > search compare --depth 3  > search compare current algorithm=pvs "algorithm=mtdf memo=bound"
  > search compare "algorithm=alphabeta order=none" order=static --suite standard --depth 2
* search result
  shows the result of the search so far
search drop
  drops the search under way
  The cache keeps the entries that it stored. A recorded search stays as a timeline; `timeline use` goes back to it.
bench
  prints the program's fingerprint: nodes over fixed positions and settings
  The same on every machine; it changes only with the behaviour of the search.
  > bench  > bench --json
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Search",
    manual: MANUAL,
    lists: &[LiveList::new("setting", |_| {
        let spelled = SETTINGS.iter().flat_map(|setting| match (setting.choices)() {
            // `depth=off` is not offered: as the only completion, it would be inserted in place of a number.
            choices if choices.len() < 2 => vec![setting.name.to_owned()],
            choices => choices.iter().map(|value| format!("{}={value}", setting.name)).collect(),
        });
        spelled.collect()
    })],
    run: &[
        changes("search set", |shell, args| {
            shell.session_mut().set_settings(&args.pairs()).map(boxed)
        }),
        shows("search show", |shell, args| Ok(boxed(shell.session().settings(args.has("WHICH"))))),
        changes("search preset", |shell, args| {
            let notes = shell.session_mut().use_preset(args.text("NAME") == Some("play"));
            Ok(boxed(SettingsReport { notes, ..shell.session().settings(false) }))
        }),
        changes("search value", value),
        changes("search run", |shell, args| shell.session_mut().run(&limits(args)).map(boxed)),
        shows("search compare", |shell, args| {
            let variants: Vec<_> = args.texts("VARIANT").collect();
            compare(shell, args, Comparison::Searches(&variants))
        }),
        shows("search result", |shell, _| shell.session().result().map(boxed)),
        changes("search drop", |shell, _| {
            let dropped = shell.session_mut().drop_search();
            Ok(message(dropped.as_deref().unwrap_or("there is no search to drop")))
        }),
        shows("bench", |shell, _| shell.engine.fingerprint().map(boxed)),
    ],
};

fn value(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let depth = args.count("depth")?;
    let session = shell.session_mut();
    let depth = depth.or(session.in_force().depth).ok_or_else(|| {
        Fault::new("which depth?")
            .hint("`search value --depth 4`, or `search set depth=4` for all searches")
    })?;
    session.value(depth, args.parsed("alpha")?, args.parsed("beta")?).map(boxed)
}

pub(super) fn limits<'a>(args: &'a Args<'_>) -> Vec<(&'static str, &'a str)> {
    let limits = [("depth", "depth"), ("budget", "budget"), ("time", "time_ms")];
    let given = |(flag, setting)| Some((setting, args.text(flag)?));
    limits.into_iter().filter_map(given).collect()
}

pub(super) fn compare(shell: &Shell, args: &Args<'_>, what: Comparison<'_>) -> Replied {
    let (source, depth) = (source(shell, args)?, args.count("depth")?);
    let report = shell.session().compare(what, source, depth, args.count("limit")?.unwrap_or(3));
    report.map(boxed)
}
