//! Commands for rote training, as in seed 001.

use std::path::Path;

use super::{Args, FamilyDefinition, Fault, Replied, Shell, shows};

const MANUAL: &str = "
train run, train
  learns values by self-play
  - --out  file  the file of the training, which ends in .ron; the table of values is part of it
  - --games  1..1_000_000_000  number of games of all shards (default: 100)
  - --save-interval  1..1_000_000_000  games between two saves (default: 10)
  - --depth  1..255  plies from the root (default: 4, which is limit 3 of the seeds)
  - --fidelity  one of  the convention of the learned values (default: the setting)
    sound: a learned 0 is a value; symmetric positions share one
    seed: as seed 001, its defects included
  - --random-seed  count  seed of random choices (default: the setting random)
  - --shard  text  I/N: plays only the I-th of N parts of the games, with a table of its own
  Rote learning as in seed 001: each move is decided by alpha-beta to a fixed depth, without deepening and without a memo, with the learned values
  in place of the heuristic at the leaves; then the root's value is stored, also for symmetric positions if symmetry is on, and one of the best moves is
  played. `cache load` reads the table in FILE.ron; for morris, FILE.rote has it in seed 001's format. The files are saved at the beginning, at every
  interval and at the end, each whole or not at all. Ctrl-C stops at once and saves the finished games; `train resume` plays the interrupted one from its
  beginning. The same options give the same table.
  > train run --out trained.ron --games 1000 --save-interval 100  > train run --out seed.ron --fidelity seed --games 50
  > train run --out part-1.ron --games 1000 --shard 1/4
train resume
  continues a training that was stopped
  - FILE  file  the file of the training
  - --games  1..1_000_000_000  new number of games of all shards
  Continues after the last saved game, with the same options. The table is the same as without the stop. --games continues a finished training.
  > train resume trained.ron  > train resume trained.ron --games 2000
train show
  shows the course of a training
  - FILE  see train resume
  Block by block: number of values in the table, endings and lengths of the games, cost of the searches. `picture chart` draws the growth of the table.
  In `tournament play`, `cache_file=` of a player reads the table.
  > train show trained.ron  > train show trained.ron; picture chart trained.svg
train merge
  merges the tables of all shards of a training
  - FILE…  many file  the files of all shards, in any order
  - --out  file  the file of the whole training, which ends in .ron
  The value of a position is the mean of its values in the tables that have it, summed in the order of the shards. The result does not depend on the
  order of the files. Every shard must be given and finished.
  > train merge part-1.ron part-2.ron --out whole.ron
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Training",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("train run", run),
        shows("train resume", |shell, args| {
            let (file, games) = (args.file("FILE")?, args.count("games")?);
            args.reply("FILE", shell.session().resume_training(file, games))
        }),
        shows("train show", |shell, args| {
            args.reply("FILE", shell.session().show_training(args.file("FILE")?))
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
    args.path("out").ok_or_else(|| {
        Fault::new(format!("`{}` needs --out", args.spec().name))
            .hint(format!("name the file of the training: --out {example}"))
    })
}
