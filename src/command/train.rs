//! Commands for rote training.

use std::path::Path;

use super::{Args, FamilyDefinition, Fault, Replied, Shell, shows};

const MANUAL: &str = "
train run, train
  fills a table of learned values by self-play
  - --out  file  the training's document, which ends in .ron; its table stands below it
  - --games  1..1_000_000_000  games, over all shards; 100 where nothing is said
  - --save-interval  1..1_000_000_000  games between two saves; 10 where nothing is said
  - --depth  1..255  plies from the root; 4 where nothing is said, the seeds' limit 3
  - --fidelity  one of  the convention of the learned values; the setting where none is given
    sound: a learned 0 is a value; symmetric positions share one
    seed: as seed 001, its defects included
  - --random-seed  count  what random choices start from; the setting where none is given
  - --shard  text  I/N: of N parts of the games only the I-th, in a table of its own
  Rote learning as in seed 001: each move is decided by alpha-beta to a fixed depth, without deepening and without a memo, with the learned values
  in place of the heuristic at the leaves; then the root's value is written, for symmetric positions too where symmetry is on, and one of the best
  moves is played. FILE.ron has the table below its document, as `cache load` reads it; for morris FILE.rote has it in seed 001's format. They are saved
  at the beginning, every so many games and at the end, each whole or not at all. Ctrl-C stops at once and saves the games that are played; `train
  resume` plays the one that was cut short from its beginning. The same options lead to the same table.
  > train run --out trained.ron --games 1000 --save-interval 100  > train run --out seed.ron --fidelity seed --games 50
  > train run --out part-1.ron --games 1000 --shard 1/4
train resume
  goes on with a training that was stopped
  - FILE  file  the training's document
  - --games  1..1_000_000_000  goes on to so many games, over all shards
  The training goes on after the last game that was saved, with the options it began with, and leads to the same table as if it had never been
  stopped. A training that is done goes on where --games gives it more games.
  > train resume trained.ron  > train resume trained.ron --games 2000
train show
  shows how a training went
  - FILE  see train resume
  Block by block: how many values the table has, how the games ended, how long they were and what the searches took. `picture chart` draws how the
  table grew. `tournament play` lets the trained player play: `cache_file=` of a player reads the training's table.
  > train show trained.ron  > train show trained.ron; picture chart trained.svg
train merge
  puts the tables of all shards of a training together
  - FILE…  many file  the documents of all shards, in any order
  - --out  file  the document of the whole, which ends in .ron
  A position has the mean of the values that it has in the tables that know it, summed in the order of the shards; positions stand in the order of
  the shards. So the result does not depend on the order of the files. Every shard must be there and done.
  > train merge part-1.ron part-2.ron --out whole.ron
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Training",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("train run", run),
        shows("train resume", |shell, args| {
            let file = Path::new(args.required("FILE")?);
            args.reply("FILE", shell.session().resume_training(file, args.count("games")?))
        }),
        shows("train show", |shell, args| {
            let file = Path::new(args.required("FILE")?);
            args.reply("FILE", shell.session().show_training(file))
        }),
        shows("train merge", |shell, args| {
            let out = out(args, "whole.ron")?;
            let files: Vec<_> = args.texts("FILE").map(Path::new).collect();
            args.reply("FILE", shell.session().merge_trainings(&files, out))
        }),
    ],
};

fn run(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let out = out(args, "trained.ron")?;
    let mut spec =
        shell.session().training_spec(args.count("depth")?.unwrap_or(4), args.text("fidelity"))?;
    spec.games = args.count("games")?.unwrap_or(spec.games);
    spec.save_interval = args.count("save-interval")?.unwrap_or(spec.save_interval);
    spec.seed = args.count("random-seed")?.unwrap_or(spec.seed);
    if let Some(shard) = args.text("shard") {
        spec.shard = shard.parse().map_err(|fault| args.blame("shard", fault))?;
    }
    args.reply("out", shell.session().train(spec, out))
}

fn out<'a>(args: &'a Args<'_>, example: &str) -> Result<&'a Path, Fault> {
    args.text("out").map(Path::new).ok_or_else(|| {
        Fault::new(format!("`{}` needs --out", args.spec().name))
            .hint(format!("name the training's document: --out {example}"))
    })
}
