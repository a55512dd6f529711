//! What comparisons are told on the command line: positions, depth, games.

use std::path::Path;

use crate::{
    command::{Args, Kind, Param, Shell, duel},
    engine::{
        game::Fault,
        weighing::Source,
        workbench::{DuelWish, SuiteWish},
    },
};

/// Plies from the root where nothing is said.
pub(super) const DEPTH: u8 = 3;

/// Disagreements listed where nothing is said.
const LISTED: usize = 5;

/// What `--suite` calls the game's own suite.
const STANDARD: &str = "standard";

pub(super) const SET_HELP: &str =
    "names, `current`, or changes to the default such as stones=2,mills=5";

pub(super) const ON: Param = Param::flag(
    "suite",
    Kind::File,
    "positions: `standard`, or a file with one a line; # begins a comment",
);
pub(super) const RANDOM: Param = Param::flag(
    "random",
    Kind::Range(1, 100_000),
    "so many positions from random play, spread over the phases",
);
pub(super) const SEED: Param = Param::flag(
    "seed",
    Kind::Count,
    "the seed of random play and of games; the setting where none is given",
);
pub(super) const TO: Param = Param::flag(
    "depth",
    Kind::Range(1, 255),
    "plies from the root; 3 where none is given",
);
pub(super) const GAMES: Param = Param::flag(
    "games",
    Kind::Range(1, 1_000_000),
    "games that the sets play besides, in pairs with colours swapped",
);
pub(super) const SVG: Param = Param::flag("svg", Kind::File, "writes the chart to a file");

/// The positions asked for.
pub(super) fn source<'a>(shell: &Shell, args: &'a Args<'_>) -> Result<Source<'a>, Fault> {
    if let (Some(_), true) = (args.text("suite"), args.has("random")) {
        let fault = Fault::new("positions come from --suite or from --random, not from both");
        return Err(args.blame("random", fault.hint("leave one of them out")));
    }
    let playing = args.spec().params.iter().any(|param| param.name == "games") && args.has("games");
    if args.has("seed") && !args.has("random") && !playing {
        let fault = Fault::new("--seed is for random play");
        return Err(args.blame("seed", fault.hint("give --random N as well")));
    }
    let seed = duel::seed(shell, args)?;
    Ok(match (args.count("random")?, args.text("suite")) {
        (Some(positions), _) => Source::Random { positions, seed },
        (None, None | Some(STANDARD)) => Source::Standard,
        (None, Some(file)) => Source::File(Path::new(file)),
    })
}

/// The games asked for.
fn games(shell: &Shell, args: &Args<'_>) -> Result<Option<DuelWish>, Fault> {
    let Some(games) = args.count("games")? else {
        if args.has("openings") {
            let fault = Fault::new("--openings is for games").hint("give --games N as well");
            return Err(args.blame("openings", fault));
        }
        return Ok(None);
    };
    duel::wish(shell, args, games).map(Some)
}

pub(super) fn wish<'a>(shell: &Shell, args: &'a Args<'_>) -> Result<SuiteWish<'a>, Fault> {
    let listed = args.spec().params.iter().any(|param| param.name == "list");
    let list = if listed { args.count("list")? } else { None };
    Ok(SuiteWish {
        source: source(shell, args)?,
        depth: args.count("depth")?.unwrap_or(DEPTH),
        workers: duel::workers(args)?,
        list: list.unwrap_or(LISTED),
        games: games(shell, args)?,
    })
}

/// Points a fault at what it says it is about, or else at a parameter. Faults of files name their place themselves.
pub(super) fn blame(args: &Args<'_>, usual: &str, fault: Fault) -> Fault {
    let about = fault.about.clone();
    args.blame(
        about.as_deref().unwrap_or(usual),
        Fault { at: None, ..fault },
    )
}
