//! Commands about tournaments.

use std::path::Path;

use super::{Args, FamilyDefinition, Fault, boxed, files, matches, message, shows};
use crate::engine::{
    arena::TournamentSpec,
    statistics::{Sprt, SprtModel},
};

const MANUAL: &str = r#"
tournament play
  plays a tournament of these players
  - PLAYER…  many @player  names, or "NAME: key=value …"
  - --games  1..1_000_000  games of every ordered pair; 1 where none is given
  - --openings, --random-seed, --draws  see match run
  - --sprt  text  two players: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA; the tournament ends when the test does
  - --model  one of  in what the test's numbers are; normalized where none is given
    normalized: the test's numbers are normalised Elo
    logistic: they are Elo
  - --workers  see match run
  - --state  file  where the games are kept
  Every ordered pair plays so many games; the n-th games of all pairs have the same opening, so that each opening is played with both colours.
  Statistics come from those pairs of games. Results are the same for any number of workers, unless a player is limited by time. With --state every
  game is saved when it ends, and `tournament resume` goes on. Ctrl-C stops it and keeps what was played.
  > tournament play "a: depth=1" "b: depth=2" --games 2 --openings 2
tournament write
  writes a tournament to a file, to be changed by hand and run
  - FILE  file  the file
  - PLAYER…, --games  see tournament play
  - --openings, --random-seed, --draws  see match run
  - --sprt, --model  see tournament play
  The file is RON: players as lines of text, games, openings, seed (the random seed), draw rules, a test. `start` names
  another first position.
  > tournament write cup.ron "a: depth=1" "b: depth=2" --games 2
tournament run
  plays the tournament of a file
  - FILE  file  the tournament, as RON
  - --state  see tournament play
  - --workers  see match run
  Its games are kept in a state file: the same name with .jsonl, or what --state names. Every game is saved when it ends. Everything wrong in the
  file is told at once, each with its place.
  > tournament run cup.ron --workers 2
tournament resume
  goes on with a tournament that was stopped
  - [FILE]  file  a state file; the tournament at hand where none is given
  - --workers  see match run
  The games come out as they would have without the stop. Every line of the file has a check sum: what does not fit is refused with its line.
  > tournament resume cup.jsonl
tournament show, tournament, standings, tournament load
  shows a tournament: standings, crosses, pairs, endings, cost
  - [FILE]  file  a state file; what is at hand where none is given
  The tournament of a file is taken over without playing on: its games are at hand then. Elo with 95 % intervals from pairs of games (the
  pentanomial model), as fastchess and fishtest have it; LOS is the likelihood that a player is stronger than its opponents. Pairs that were played
  before, move by move, count once for the width of intervals. `picture chart` draws the scores.
  > tournament show  > tournament show cup.jsonl
tournament save, match save
  writes the results of the games at hand, or the games, to a file
  - FILE  file  a file that ends in .json, .jsonl, or for chess in .pgn; `-` for results on standard output
  - --times  with the times that players took, which differ from run to run
  FILE.json gets all results, the same bytes for the same tournament unless --times is given. FILE.jsonl gets the games as the state file of their
  round or tournament, which `tournament show` reads; FILE.pgn the games in that format (chess). The file is written whole or not at all; a PGN file
  that holds more than that is not replaced.
  > tournament save cup.json  > match save round.jsonl
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Tournaments",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("tournament play", |shell, args| {
            matches::play(shell, args, wish(args)?, (false, args.path("state")))
        }),
        shows("tournament write", |shell, args| {
            let file = args.required("FILE")?;
            let text = shell.session().tournament_spec(wish(args)?, false)?.write()?;
            files::write_text(Path::new(file), &text)?;
            Ok(message(format!("{file} is written; `tournament run {file}` plays it")))
        }),
        shows("tournament run", |shell, args| {
            let file = args.required("FILE")?;
            let text = files::read_text(Path::new(file))?;
            let usual = Path::new(file).with_extension("jsonl");
            let state = args.path("state").unwrap_or(&usual);
            let workers = args.count("workers")?;
            let played = TournamentSpec::read(&text)
                .and_then(|spec| shell.session_mut().play_tournament(&spec, Some(state), workers));
            played.map(boxed).map_err(|fault| fault.within(file))
        }),
        shows("tournament resume", |shell, args| {
            let (file, workers) = (args.path("FILE"), args.count("workers")?);
            args.reply("FILE", shell.session_mut().resume_tournament(file, workers))
        }),
        shows("tournament show", |shell, args| {
            let file = args.path("FILE");
            args.reply("FILE", shell.session_mut().show_tournament(file))
        }),
        shows("tournament save", |shell, args| {
            let file = args.file("FILE")?;
            let session = shell.session();
            let saved = match args.format("FILE", &["json", "jsonl", "pgn"])? {
                "json" => session.save_results(file, args.has("times")),
                format => session.save_games(file, format == "pgn"),
            };
            args.reply("FILE", saved)
        }),
    ],
};

fn wish(args: &Args<'_>) -> Result<TournamentSpec, Fault> {
    let wish = matches::wish(args, args.texts("PLAYER"))?;
    Ok(TournamentSpec { sprt: sprt(args)?, ..wish })
}

fn sprt(args: &Args<'_>) -> Result<Option<Sprt>, Fault> {
    let Some(text) = args.text("sprt") else {
        return Ok(None);
    };
    let fault = || {
        let fault = Fault::new(format!("`{text}` is no test"))
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
