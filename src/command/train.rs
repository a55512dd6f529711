//! Commands for rote training.

use std::path::Path;

use super::{
    Args, Family, Kind, Param, Shell, Shows, Spec, choice,
    matches::{self, OPENINGS_OF_TWO, WORKERS},
};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
};

/// Rote training.
pub(super) const FAMILY: Family =
    Family { title: "Training", commands: &[RUN, RESUME, SHOW, MATCH, MERGE] };

/// Games at most: numbers that nobody reaches.
const MOST: u64 = 1_000_000_000;

const TRAINING: Param = Param::word("FILE", Kind::File, "the training's document");

const RUN: Spec = Spec {
    name: "train run",
    aliases: &["train"],
    params: &[
        Param::flag(
            "out",
            Kind::File,
            "the training's document, which ends in .ron; its tables are beside it",
        ),
        Param::flag(
            "games",
            Kind::Range(1, MOST),
            "games, over all shards; 100 where nothing is said",
        ),
        Param::flag(
            "save-interval",
            Kind::Range(1, MOST),
            "games between two saves; 10 where nothing is said",
        ),
        Param::flag(
            "depth",
            Kind::Range(1, 255),
            "plies from the root; 4 where nothing is said, the seeds' limit 3",
        ),
        Param::flag(
            "fidelity",
            Kind::Choice(&[
                choice("sound", "a learned 0 is a value; symmetric positions share one"),
                choice("seed", "as seed 001, its defects included"),
            ]),
            "the convention of the learned values; the setting where none is given",
        ),
        Param::flag(
            "seed",
            Kind::Count,
            "what random choices start from; the setting where none is given",
        ),
        Param::flag(
            "shard",
            Kind::Text,
            "I/N: of N parts of the games only the I-th, in a table of its own",
        ),
    ],
    summary: "fills a table of learned values by self-play",
    details: "Rote learning as in seed 001: each move is decided by alpha-beta to a fixed depth, without deepening and without a memo, with the learned \
              values in place of the heuristic at the leaves; then the root's value is written, for symmetric positions too where symmetry is on, \
              and one of the best moves is played. FILE.ron has the table below its document, as `cache load` reads it, and for morris FILE.rote has it in seed 001's format. They are \
              saved at the beginning, every so many games and at the end, each whole or not at all. Ctrl-C stops after the game and saves. The \
              same options lead to the same table.",
    examples: &[
        "train run --out trained.ron --games 1000 --save-interval 100",
        "train run --out seed.ron --fidelity seed --games 50",
        "train run --out part-1.ron --games 1000 --shard 1/4",
    ],
    run: Shows(run),
};

fn run(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let out = out(args, "trained.ron")?;
    let mut spec = shell
        .engine
        .bench()
        .training_spec(args.count("depth")?.unwrap_or(4), args.text("fidelity"))?;
    spec.games = args.count("games")?.unwrap_or(spec.games);
    spec.save_interval = args.count("save-interval")?.unwrap_or(spec.save_interval);
    spec.seed = args.count("seed")?.unwrap_or(spec.seed);
    if let Some(shard) = args.text("shard") {
        spec.shard = shard.parse().map_err(|fault| args.blame("shard", fault))?;
    }
    args.reply("out", shell.engine.bench().train(spec, out))
}

/// The document to be written.
fn out<'a>(args: &'a Args<'_>, example: &str) -> Result<&'a Path, Fault> {
    args.text("out").map(Path::new).ok_or_else(|| {
        Fault::new(format!("`{}` needs --out", args.spec().name))
            .hint(format!("name the training's document: --out {example}"))
    })
}

const RESUME: Spec = Spec {
    name: "train resume",
    aliases: &[],
    params: &[
        TRAINING,
        Param::flag("games", Kind::Range(1, MOST), "goes on to so many games, over all shards"),
    ],
    summary: "goes on with a training that was stopped",
    details: "The training goes on after the last game that was saved, with the options it began with, and leads to the same table as if it had never \
              been stopped. A training that is done goes on where --games gives it more games.",
    examples: &["train resume trained.ron", "train resume trained.ron --games 2000"],
    run: Shows(|shell, args| {
        let file = Path::new(args.required("FILE")?);
        let resumed = shell.engine.bench().resume_training(file, args.count("games")?);
        resumed.map(boxed).map_err(|fault| args.blame_pair_or("FILE", fault))
    }),
};

const SHOW: Spec = Spec {
    name: "train show",
    aliases: &[],
    params: &[TRAINING],
    summary: "shows how a training went",
    details: "Block by block: how many values the table has, how the games ended, how long they were and what the searches took. `picture chart` draws how the table grew.",
    examples: &["train show trained.ron", "train show trained.ron; picture chart trained.svg"],
    run: Shows(|shell, args| {
        let file = Path::new(args.required("FILE")?);
        args.reply("FILE", shell.engine.bench().show_training(file))
    }),
};

const MATCH: Spec = Spec {
    name: "train match",
    aliases: &[],
    params: &[
        TRAINING,
        Param::flag(
            "games",
            Kind::Range(1, MOST),
            "games, in pairs with colours swapped; 100 where nothing is said",
        ),
        OPENINGS_OF_TWO,
        Param::flag(
            "seed",
            Kind::Count,
            "what openings and choices start from; the setting where none is given",
        ),
        WORKERS,
    ],
    summary: "lets the trained player play against an untrained one",
    details: "Both search with the training's settings and weights. One has the table and goes on learning within a game, each game beginning with the \
              table as it is in the file; the other has none. The difference in Elo with its 95 % interval rests on pairs of games from one \
              opening, colours swapped; LOS is the likelihood that the trained player is the stronger one.",
    examples: &["train match trained.ron --games 200"],
    run: Shows(|shell, args| {
        let file = Path::new(args.required("FILE")?);
        let wish = matches::games_of_two(shell, args, args.count("games")?.unwrap_or(100))?;
        let workers = args.count("workers")?;
        args.reply("FILE", shell.engine.bench().match_training(file, &wish, workers))
    }),
};

const MERGE: Spec = Spec {
    name: "train merge",
    aliases: &[],
    params: &[
        Param::many("FILE", Kind::File, "the documents of all shards, in any order"),
        Param::flag("out", Kind::File, "the document of the whole, which ends in .ron"),
    ],
    summary: "puts the tables of all shards of a training together",
    details: "A position has the mean of the values that it has in the tables that know it, summed in the order of the shards; positions stand in the \
              order of the shards. So the result does not depend on the order of the files. Every shard must be there and done.",
    examples: &["train merge part-1.ron part-2.ron --out whole.ron"],
    run: Shows(|shell, args| {
        let out = out(args, "whole.ron")?;
        let files: Vec<_> = args.texts("FILE").map(Path::new).collect();
        args.reply("FILE", shell.engine.bench().merge_trainings(&files, out))
    }),
};
