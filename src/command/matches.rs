//! Commands that play and keep matches, and take their games to the board.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec};
use crate::engine::{
    arena::{DRAW_RULES, TournamentSpec},
    game::Fault,
    reply::{Replied, boxed},
    settings::SETTINGS,
};

/// Matches.
pub(super) const FAMILY: Family =
    Family { title: "Matches", commands: &[DEFINE, LIST, REMOVE, RUN, SHOW, LOAD, OPEN] };

static PLAYER_KEYS: LiveList = LiveList {
    name: "setting",
    list: |shell| {
        let weights = shell.engine.bench().weights().weights;
        SETTINGS
            .iter()
            .map(|setting| setting.name.to_owned())
            .chain(weights.iter().map(|(name, _)| name.to_owned()))
            .chain(["cache_file".to_owned()])
            .collect()
    },
};

/// Players by name.
pub(super) static PLAYERS: LiveList = LiveList {
    name: "player",
    list: |shell| {
        let players = shell.engine.bench().players().players;
        let names =
            players.iter().filter_map(|line| line.split_once(':')).map(|(name, _)| name.to_owned());
        names.chain(["default", "current"].map(str::to_owned)).collect()
    },
};

const DEFINE: Spec = Spec {
    name: "player define",
    aliases: &[],
    params: &[
        Param::word("NAME", Kind::Text, "letters, digits and - _ . +"),
        Param::any_pair(
            "KEY",
            &PLAYER_KEYS,
            "settings of `search set`, weights of `weights set`, cache_file",
        )
        .optional(),
    ],
    summary: "names a player for matches and tournaments",
    details: "A player is how it searches and what it takes positions to be worth; what is not named is at its default, whatever is in force here. \
              Every game begins with an empty cache, or with the entries of cache_file=FILE, and keeps it to its end. Where a name is both a setting and a weight (queen in chess), a number \
              means the weight. Players are saved with the session.",
    examples: &[
        "player define wide budget=50000",
        "player define greedy depth=4 mills=6 possible_mills=1",
    ],
    run: Changes(|shell, args| {
        let pairs: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
        let defined = shell.engine.bench_mut().define_player(args.required("NAME")?, &pairs);
        defined.map(boxed).map_err(|fault| args.blame_pair_or("NAME", fault))
    }),
};

const LIST: Spec = Spec {
    name: "player list",
    aliases: &["players"],
    params: &[],
    summary: "lists the named players",
    details: "`default` and `current` (the settings and weights in force) are always there.",
    examples: &["player list"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().players()))),
};

const REMOVE: Spec = Spec {
    name: "player remove",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&PLAYERS), "the player")],
    summary: "forgets a named player",
    details: "",
    examples: &["player remove greedy"],
    run: Changes(|shell, args| {
        args.reply("NAME", shell.engine.bench_mut().remove_player(args.required("NAME")?))
    }),
};

/// What a player may be, for help.
const WHO: &str = "a name, or \"NAME: key=value …\"";

const RUN: Spec = Spec {
    name: "match run",
    aliases: &["match"],
    params: &[
        Param::word("WHITE", Kind::Live(&PLAYERS), WHO),
        Param::word("BLACK", Kind::Live(&PLAYERS), WHO),
        Param::flag("games", Kind::Range(1, 1_000_000), "how many; 1 where none is given"),
        Param::switch("swap", "as many games again with colours exchanged, which makes pairs"),
        OPENINGS,
        SEED,
        Param::switch("here", "games begin in the position at hand"),
        DRAWS,
        WORKERS,
    ],
    summary: "plays a round of matches between two players",
    details: "The games are kept at hand: `match show` lists them, `match open` takes one to the board, `match save` writes them. Of equal moves one \
              is chosen by the seed, the colours, the round and the ply; the same round always has the same games, whatever the number of \
              workers, unless a player is limited by time. Ctrl-C stops it and keeps what was played.",
    examples: &[
        "match run \"wide: budget=2000\" \"deep: depth=3\" --games 2",
        "match run default current --games 2 --swap --openings 2",
    ],
    run: Shows(|shell, args| {
        let wish = wish(args, [args.required("WHITE")?, args.required("BLACK")?])?;
        let wish = TournamentSpec { first_is_white: !args.has("swap"), ..wish };
        play(shell, args, wish, (args.has("here"), None))
    }),
};

/// Random moves that begin games.
pub(super) const OPENINGS: Param = Param::flag(
    "openings",
    Kind::Range(0, 100),
    "random moves that begin a game, no two openings equal by symmetry; 0 where none is given",
);

/// What decides among equals.
pub(super) const SEED: Param = Param::flag(
    "seed",
    Kind::Count,
    "decides among equal moves and makes the openings; 0 where none is given",
);

/// When games are drawn.
pub(super) const DRAWS: Param = Param::flag(
    "draws",
    Kind::Text,
    "draw rules, such as no_mill=40,max_turns=off; counting=seed counts as the seeds do",
);

/// How many games go on side by side.
pub(super) const WORKERS: Param = Param::flag(
    "workers",
    Kind::Range(1, 1024),
    "games played side by side; as many as there are processors where none is given",
);

/// A round or a tournament of these players, as the flags have it.
pub(super) fn wish<'a>(
    args: &Args<'_>,
    players: impl IntoIterator<Item = &'a str>,
) -> Result<TournamentSpec, Fault> {
    Ok(TournamentSpec {
        players: players.into_iter().map(str::to_owned).collect(),
        games: args.count("games")?.unwrap_or(1),
        openings: args.count("openings")?.unwrap_or(0),
        seed: args.count("seed")?.unwrap_or(0),
        draws: draws(args)?,
        ..TournamentSpec::default()
    })
}

/// Random moves that begin the games of two players.
pub(super) const OPENINGS_OF_TWO: Param = Param::flag(
    "openings",
    Kind::Range(0, 1000),
    "random moves that begin a game; 4 where nothing is said",
);

/// So many games of two players, in pairs with colours swapped, as the flags have it.
pub(super) fn games_of_two(
    shell: &Shell,
    args: &Args<'_>,
    games: usize,
) -> Result<TournamentSpec, Fault> {
    Ok(TournamentSpec {
        games: games.div_ceil(2),
        openings: args.count("openings")?.unwrap_or(4),
        seed: args.count("seed")?.unwrap_or(shell.engine.bench().seed()),
        ..TournamentSpec::default()
    })
}

/// Plays what was asked for.
pub(super) fn play(
    shell: &mut Shell,
    args: &Args<'_>,
    wish: TournamentSpec,
    (here, file): (bool, Option<&Path>),
) -> Replied {
    let workers = args.count("workers")?;
    let bench = shell.engine.bench_mut();
    let spec = bench.tournament_spec(wish, here)?;
    bench.play_tournament(&spec, file, workers).map(boxed)
}

/// The draw rules that were given.
fn draws(args: &Args<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let text = args.text("draws").unwrap_or_default();
    let words = text.split([',', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let (name, value) = word.split_once('=').ok_or_else(|| {
            let names = DRAW_RULES.join(", ");
            let fault = Fault::new(format!("`{word}` is no draw rule with its value"))
                .hint(format!("write name=value; there is {names}"));
            args.blame("draws", fault)
        })?;
        Ok((name.to_owned(), value.to_owned()))
    });
    words.collect()
}

/// Games that are listed where nothing is said.
const USUAL: usize = 50;

const SHOW: Spec = Spec {
    name: "match show",
    aliases: &["games"],
    params: &[
        Param::word(
            "GAME",
            Kind::Range(1, u64::MAX),
            "the game's number; all of them where none is given",
        )
        .optional(),
        Param::flag("from", Kind::Range(1, u64::MAX), "the first game to list"),
        Param::flag("limit", Kind::Count, "games to list; 50 where none is given"),
    ],
    summary: "lists the games at hand, or shows the moves of one",
    details: "The games of the last round, tournament or log.",
    examples: &["match show", "match show 1"],
    run: Shows(|shell, args| {
        let bench = shell.engine.bench();
        if let Some(number) = args.count("GAME")? {
            return args.reply("GAME", bench.one_game(number));
        }
        let first = args.count("from")?.unwrap_or(1);
        bench.games(first, args.count("limit")?.unwrap_or(USUAL)).map(boxed)
    }),
};

/// Whether a file is one in the game's own format.
pub(super) fn own_format(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"))
}

const LOAD: Spec = Spec {
    name: "match load",
    aliases: &[],
    params: &[Param::word("FILE", Kind::File, "the file")],
    summary: "reads games from a log of the seeds or a PGN file",
    details: "Logs of the seeds' rounds: states as Python tuples or in this program's notation, on lines or in lists; `Winner:` and `Reason:` lines \
              where there are some. Each state must follow from the one before by a legal move. If anything cannot be read nothing is changed. What is left out of a PGN file is told.",
    examples: &["match load round.txt"],
    run: Shows(|shell, args| {
        let file = Path::new(args.required("FILE")?);
        args.reply("FILE", shell.engine.bench_mut().load_games(file, own_format(file)))
    }),
};

const OPEN: Spec = Spec {
    name: "match open",
    aliases: &[],
    params: &[
        Param::word("GAME", Kind::Range(1, u64::MAX), "the game's number"),
        Param::word("MOVE", Kind::Count, "moves that have been played; 0 where none is given")
            .optional(),
    ],
    summary: "takes a game to the board, at any move",
    details: "The moves before it can be taken back with `undo`, those after it walked through with `redo`; searches see the whole game behind the \
              position.",
    examples: &["match open 1", "match open 1 12"],
    run: Changes(|shell, args| {
        let number = args.count("GAME")?.unwrap_or(1);
        let ply = args.count("MOVE")?.unwrap_or(0);
        let culprit = if args.has("MOVE") { "MOVE" } else { "GAME" };
        args.reply(culprit, shell.engine.bench_mut().open_game(number, ply))
    }),
};
