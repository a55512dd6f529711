//! Commands for tournaments.

use std::path::Path;

use super::{Args, FamilyDefinition, Fault, Shell, boxed, files, matches, message, shows};
use crate::engine::{
    arena::{Standings, TournamentSpec},
    statistics::{Sprt, SprtModel},
};

const MANUAL: &str = r#"
tournament play
  plays a round-robin tournament
  - PLAYER…  many @player  names, or "NAME: key=value …"
  - --games  1..1_000_000  games of every ordered pair (default: 1)
  - --openings, --random-seed, --draws  see match run
  - --sprt  text  for two players: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA; the tournament ends with the test
  - --model  one of  the unit of ELO0 and ELO1 (default: normalized)
    normalized: normalised Elo
    logistic: Elo
  - --workers  see match run
  - --state  file  state file in which the games are saved
  The n-th games of all pairs have the same opening: each opening is played with both colours, and statistics use these pairs of games. Results are the
  same with any number of workers, unless a player is limited by time. With --state every game is saved when it ends, for `tournament resume`. Ctrl-C
  stops it and keeps the games played.
  > tournament play "a: depth=1" "b: depth=2" --games 2 --openings 2
tournament write
  writes the description of a tournament to a file
  - FILE  file  the file
  - PLAYER…, --games  see tournament play
  - --openings, --random-seed, --draws  see match run
  - --sprt, --model  see tournament play
  The file is RON, to be edited and played by `tournament run`: players as lines of text, games, openings, seed (the random seed), draw rules, a test.
  `start` sets another first position.
  > tournament write cup.ron "a: depth=1" "b: depth=2" --games 2
tournament run
  plays the tournament described in a file
  - FILE  file  the tournament, as RON
  - --state  see tournament play
  - --workers  see match run
  Every game is saved in the state file when it ends: the one of --state, or the same name with .jsonl. All errors in the file are reported at once, with
  their places.
  > tournament run cup.ron --workers 2
tournament resume
  continues a tournament that was stopped
  - [FILE]  file  a state file (default: the current tournament)
  - --workers  see match run
  The games are the same as without the stop. Every line of the file has a checksum; a wrong one is reported with its line.
  > tournament resume cup.jsonl
tournament show, tournament, standings, tournament load
  shows a tournament: standings, cross table, pairs, endings, cost
  - [FILE…]  many file  a state file, or those of several parts (default: the current tournament)
  A tournament of a file becomes the current one; no games are played. Several files are added up: parts that were played apart, such as on several
  machines, by the same players under the same rules, each with a random seed of its own. A part can have some of the players only. Elo has 95 % intervals from pairs of games (the pentanomial model), as in
  fastchess and fishtest; LOS is the likelihood that a player is stronger than its opponents. A pair with the same moves as an earlier one does not
  narrow the intervals. `picture chart` draws the scores.
  > tournament show  > tournament show cup.jsonl  > tournament show part-1.jsonl part-2.jsonl
tournament save, match save
  writes the results of the current games, or the games, to a file
  - FILE  file  a file that ends in .json, .jsonl, or for chess in .pgn; `-` for results on standard output
  - [PART…]  many file  state files to show first, as `tournament show` does
  - --times  with the times of the players, which differ from run to run
  FILE.json gets all results, without --times the same bytes for the same tournament. FILE.jsonl gets the games as a state file, which `tournament show`
  reads. FILE.pgn gets the games in PGN (chess). The file is written whole or not at all; a PGN file with more in it is not replaced.
  > tournament save cup.json  > match save round.jsonl  > tournament save all.json part-1.jsonl part-2.jsonl
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Tournaments",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("tournament play", |shell, args| {
            matches::play(shell, args, spec(shell, args)?, false, args.path("state"))
        }),
        shows("tournament write", |shell, args| {
            let file = args.required("FILE")?;
            let text = shell.session().tournament_spec(spec(shell, args)?, false)?.write()?;
            files::write_text(Path::new(file), &text)?;
            Ok(message(format!("{file} is written; `tournament run {file}` plays it")))
        }),
        shows("tournament run", |shell, args| {
            let file = args.required("FILE")?;
            let text = files::read_text(Path::new(file))?;
            let default = Path::new(file).with_extension("jsonl");
            let state = args.path("state").unwrap_or(&default);
            let workers = args.count("workers")?;
            let played = TournamentSpec::read(&text)
                .and_then(|spec| shell.session_mut().play_tournament(&spec, Some(state), workers));
            played.map(boxed).map_err(|fault| fault.within(file))
        }),
        shows("tournament resume", |shell, args| {
            let (file, workers) = (args.path("FILE"), args.count("workers")?);
            args.reply("FILE", shell.session_mut().resume_tournament(file, workers))
        }),
        shows("tournament show", |shell, args| show(shell, args, "FILE").map(boxed)),
        shows("tournament save", |shell, args| {
            let file = args.file("FILE")?;
            if args.has("PART") {
                show(shell, args, "PART")?;
            }
            let session = shell.session();
            let saved = match args.format("FILE", &["json", "jsonl", "pgn"])? {
                "json" => session.save_results(file, args.has("times")),
                format => session.save_games(file, format == "pgn"),
            };
            args.reply("FILE", saved)
        }),
    ],
};

/// The standings of the tournament in the given files, or of the current one.
fn show(shell: &mut Shell, args: &Args<'_>, parameter: &str) -> Result<Standings, Fault> {
    let files: Vec<_> = args.texts(parameter).map(Path::new).collect();
    shell.session_mut().show_tournament(&files)
}

fn spec(shell: &Shell, args: &Args<'_>) -> Result<TournamentSpec, Fault> {
    let spec = matches::spec(shell, args, args.texts("PLAYER"))?;
    Ok(TournamentSpec { sprt: sprt(args)?, ..spec })
}

fn sprt(args: &Args<'_>) -> Result<Option<Sprt>, Fault> {
    let Some(text) = args.text("sprt") else {
        return Ok(None);
    };
    let fault = || {
        let fault = Fault::new(format!("`{text}` is not a test"))
            .hint("write ELO0,ELO1 such as 0,10, or ELO0,ELO1,ALPHA,BETA such as 0,10,0.05,0.05");
        args.blame("sprt", fault)
    };
    let numbers = text.split(',').map(|part| part.trim().parse::<f64>());
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().map_err(|_| fault())?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err(fault()),
    };
    let model = match args.text("model") {
        Some("logistic") => SprtModel::Logistic,
        _ => SprtModel::Normalized,
    };
    let sprt = Sprt { elo0, elo1, alpha, beta, model };
    sprt.check().map_err(|fault| args.blame("sprt", fault))?;
    Ok(Some(sprt))
}
