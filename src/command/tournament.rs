//! Commands about tournaments.

use std::{ffi::OsStr, path::Path};

use super::{
    Args, Family, Kind, Param, Shows, Spec, choice,
    matches::{self, DRAWS, OPENINGS, PLAYERS, SEED, WORKERS},
};
use crate::engine::{
    arena::TournamentSpec,
    files,
    game::Fault,
    reply::{boxed, message},
    statistics::{Sprt, SprtModel},
};

/// Tournaments.
pub(super) const FAMILY: Family =
    Family { title: "Tournaments", commands: &[PLAY, WRITE, RUN, SEEDS, RESUME, SHOW, SAVE] };

const ENTRANTS: Param =
    Param::many("PLAYER", Kind::Live(&PLAYERS), "names, or \"NAME: key=value …\"");

const GAMES: Param = Param::flag(
    "games",
    Kind::Range(1, 1_000_000),
    "games of every ordered pair; 1 where none is given",
);

const SPRT: Param = Param::flag(
    "sprt",
    Kind::Text,
    "two players: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA; the tournament ends when the test does",
);

const MODEL: Param = Param::flag(
    "model",
    Kind::Choice(&[
        choice("normalized", "the test's numbers are normalised Elo"),
        choice("logistic", "they are Elo"),
    ]),
    "in what the test's numbers are; normalized where none is given",
);

const STATE: Param = Param::flag("state", Kind::File, "where the games are kept");

const PLAY: Spec = Spec {
    name: "tournament play",
    aliases: &[],
    params: &[ENTRANTS, GAMES, OPENINGS, SEED, DRAWS, SPRT, MODEL, WORKERS, STATE],
    summary: "plays a tournament of these players",
    details: "Every ordered pair plays so many games; the n-th games of all pairs have the same opening, so that each opening is played with both \
              colours. Statistics come from those pairs of games. Results are the same for any number of workers, unless a player is limited by \
              time. With --state every game is saved when it ends, and `tournament resume` goes on. Ctrl-C stops it and keeps what was played.",
    examples: &["tournament play \"a: depth=1\" \"b: depth=2\" --games 2 --openings 2"],
    run: Shows(|shell, args| {
        matches::play(shell, args, wish(args)?, (false, args.path("state").as_deref()))
    }),
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

const WRITE: Spec = Spec {
    name: "tournament write",
    aliases: &[],
    params: &[
        Param::word("FILE", Kind::File, "the file"),
        ENTRANTS,
        GAMES,
        OPENINGS,
        SEED,
        DRAWS,
        SPRT,
        MODEL,
    ],
    summary: "writes a tournament to a file, to be changed by hand and run",
    details: "The file is RON: players as lines of text, games, openings, seed, draw rules, a test. `times: true` keeps the times that players took \
              with the games, `start` names another first position.",
    examples: &["tournament write cup.ron \"a: depth=1\" \"b: depth=2\" --games 2"],
    run: Shows(|shell, args| {
        let file = args.required("FILE")?;
        let text = shell.engine.bench().tournament_spec(wish(args)?, false)?.write()?;
        files::write_text(Path::new(file), &text).map_err(|fault| args.blame("FILE", fault))?;
        Ok(message(format!("{file} is written; `tournament run {file}` plays it")))
    }),
};

const RUN: Spec = Spec {
    name: "tournament run",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the tournament, as RON"), STATE, WORKERS],
    summary: "plays the tournament of a file",
    details: "Its games are kept in a state file: the same name with .jsonl, or what --state names. Every game is \
              saved when it ends. Everything wrong in the file is told at once, each with its place.",
    examples: &["tournament run cup.ron --workers 2"],
    run: Shows(|shell, args| {
        let file = args.required("FILE")?;
        let text = files::read_text(Path::new(file)).map_err(|fault| args.blame("FILE", fault))?;
        let state = args.path("state").unwrap_or_else(|| Path::new(file).with_extension("jsonl"));
        let workers = args.count("workers")?;
        let played = TournamentSpec::read(&text).and_then(|spec| {
            shell.engine.bench_mut().play_tournament(&spec, Some(&state), workers)
        });
        played.map(boxed).map_err(|fault| fault.within(file))
    }),
};

/// The weights of the seeds' experiment: the permutations of 1, 2 and 3.
const PERMUTATIONS: [[u8; 3]; 6] =
    [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];

const SEEDS: Spec = Spec {
    name: "tournament seeds",
    aliases: &[],
    params: &[
        Param::flag("budget", Kind::Range(1, u64::MAX), "states a move; 25000 where none is given"),
        Param::flag(
            "games",
            Kind::Range(1, 1_000_000),
            "games of every ordered pair; 3 where none is given",
        ),
        SEED,
        Param::flag(
            "fidelity",
            Kind::Choice(&[
                choice("sound", "with the seeds' defects mended"),
                choice("seed", "bit for bit, miscounts of draws included"),
            ]),
            "sound where none is given",
        ),
        WORKERS,
        STATE,
    ],
    summary: "plays the experiment of the seeds' authors (morris)",
    details: "Six players with the permutations of 1, 2, 3 as weights for stones (in hand and on the board), mills and possible mills: 123 has \
              stones=1 stash=1 mills=2 possible_mills=3. 30 ordered pairs, 3 games each, 25000 states a move, memo interval with symmetry. The \
              seeds kept every cache for the whole tournament, until memory ran out; here each begins a game empty and is kept through it.",
    examples: &["tournament seeds --budget 50 --games 1"],
    run: Shows(|shell, args| {
        if shell.engine.bench().game() != "morris" {
            return Err(
                Fault::new("the seeds' experiment is about morris").hint("`game morris` first")
            );
        }
        let as_seed = args.text("fidelity") == Some("seed");
        let fidelity = if as_seed { "fidelity=seed " } else { "" };
        let budget = args.count("budget")?.unwrap_or(25_000_u64);
        let player = |[stones, mills, possible]: [u8; 3]| {
            format!(
                "{stones}{mills}{possible}: {fidelity}budget={budget} stones={stones} stash={stones} mills={mills} possible_mills={possible}"
            )
        };
        let counting = as_seed.then(|| ("counting".to_owned(), "seed".to_owned()));
        let wish = TournamentSpec {
            players: PERMUTATIONS.map(player).into(),
            games: args.count("games")?.unwrap_or(3),
            seed: args.count("seed")?.unwrap_or(0),
            draws: counting.into_iter().collect(),
            ..TournamentSpec::default()
        };
        matches::play(shell, args, wish, (false, args.path("state").as_deref()))
    }),
};

const RESUME: Spec = Spec {
    name: "tournament resume",
    aliases: &[],
    params: &[
        Param::word("FILE", Kind::File, "a state file; the tournament at hand where none is given")
            .optional(),
        WORKERS,
    ],
    summary: "goes on with a tournament that was stopped",
    details: "The games come out as they would have without the stop. Every line of the file has a check sum: what does not fit is refused with its \
              line.",
    examples: &["tournament resume cup.jsonl"],
    run: Shows(|shell, args| {
        let (file, workers) = (args.path("FILE"), args.count("workers")?);
        args.reply("FILE", shell.engine.bench_mut().resume_tournament(file.as_deref(), workers))
    }),
};

const SHOW: Spec = Spec {
    name: "tournament show",
    aliases: &["tournament", "standings", "tournament load"],
    params: &[Param::word("FILE", Kind::File, "a state file; what is at hand where none is given")
        .optional()],
    summary: "shows a tournament: standings, crosses, pairs, endings, cost",
    details: "The tournament of a file is taken over without playing on: its games are at hand then. Elo with 95 % intervals from pairs of games (the \
              pentanomial model), as fastchess and fishtest have it; LOS is the likelihood that a player is stronger than its opponents. Pairs that \
              were played before, move by move, count once for the width of intervals.",
    examples: &["tournament show", "tournament show cup.jsonl"],
    run: Shows(|shell, args| {
        let bench = shell.engine.bench_mut();
        let shown = match args.path("FILE") {
            Some(file) => bench.load_tournament(&file),
            None => bench.tournament(),
        };
        args.reply("FILE", shown)
    }),
};

const SAVE: Spec = Spec {
    name: "tournament save",
    aliases: &["match save"],
    params: &[
        Param::word(
            "FILE",
            Kind::File,
            "a file that ends in .json, .jsonl, or for chess in .pgn; `-` for results on standard output",
        ),
        Param::switch("times", "with the times that players took, which differ from run to run"),
    ],
    summary: "writes the results of the games at hand, or the games, to a file",
    details: "FILE.json gets all results, the same bytes for the same tournament unless --times is given. FILE.jsonl gets the games as the state file of \
              their round or tournament, which `tournament show` reads; FILE.pgn the games in that format (chess). The file is written whole or not \
              at all; a PGN file that holds more than that is not replaced.",
    examples: &["tournament save cup.json", "match save round.jsonl"],
    run: Shows(|shell, args| {
        let file = Path::new(args.required("FILE")?);
        let bench = shell.engine.bench();
        args.reply(
            "FILE",
            match file.extension().and_then(OsStr::to_str) {
                Some("json") => bench.save_results(file, args.has("times")),
                None if files::is_output(file) => bench.save_results(file, args.has("times")),
                Some("jsonl") => bench.save_games(file, false),
                _ if matches::own_format(file) => bench.save_games(file, true),
                _ => Err(Fault::new(format!("`{}` says no format", file.display()))
                    .hint("name a file that ends in .json (results), .jsonl or .pgn (games)")),
            },
        )
    }),
};
