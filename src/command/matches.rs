//! Commands that play and keep matches, and take their games to the board.

use std::{collections::BTreeMap, path::Path};

use crate::{
    command::{
        Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, replaces_game,
        shows,
    },
    engine::{
        arena::{DRAW_RULES, TournamentSpec},
        session::tournament::players,
        settings::SETTINGS,
    },
};

const MANUAL: &str = r#"
player define
  names a player for matches and tournaments
  - NAME  text  letters, digits and - _ . +
  - [KEY=…]  @player-setting  settings of `search set`, weights of `weights set`, cache_file
  A player is how it searches and what it takes positions to be worth; what is not named is at its default, whatever is in force here. Every game
  begins with an empty cache, or with the entries of cache_file=FILE, and keeps it to its end. Where a name is both a setting and a weight (queen in
  chess), a number means the weight. Players are saved with the session.
  > player define wide budget=50000  > player define greedy depth=4 mills=6 possible_mills=1
player list, players
  lists the named players
  `default` and `current` (the settings and weights in force) are always there.
player remove
  forgets a named player
  - NAME  @player  the player
  > player remove greedy
match run, match
  plays a round of matches between two players
  - WHITE  @player  a name, or "NAME: key=value …"
  - BLACK  @player  a name, or "NAME: key=value …"
  - --games  1..1_000_000  how many; 1 where none is given
  - --swap  as many games again with colours exchanged, which makes pairs
  - --openings  0..100  random moves that begin a game, no two openings equal by symmetry; 0 where none is given
  - --random-seed  count  decides among equal moves and makes the openings; 0 where none is given
  - --here  games begin in the position at hand
  - --draws  text  draw rules, such as no_mill=40,max_turns=off; counting=seed counts as the seeds do
  - --workers  1..1024  games played side by side; as many as there are processors where none is given
  The games are kept at hand: `match show` lists them, `match open` takes one to the board, `match save` writes them. Of equal moves one is chosen
  by the random seed, the colours, the round and the ply; the same round always has the same games, whatever the number of workers, unless a player is
  limited by time. Ctrl-C stops it and keeps what was played.
  > match run "wide: budget=2000" "deep: depth=3" --games 2  > match run default current --games 2 --swap --openings 2
match show, games
  lists the games at hand, or shows the moves of one
  - [GAME]  1..  the game's number; all of them where none is given
  - --from  1..  the first game to list
  - --limit  count  games to list; 50 where none is given
  The games of the last round, tournament or log.
  > match show  > match show 1
match load
  reads games from a log of the seeds or a PGN file
  - FILE  file  the file
  Logs of the seeds' rounds: states as Python tuples or in this program's notation, on lines or in lists; `Winner:` and `Reason:` lines where there
  are some. Each state must follow from the one before by a legal move. If anything cannot be read nothing is changed. What is left out of a PGN
  file is told.
  > match load round.txt
match open
  takes a game to the board, at any move
  - GAME  1..  the game's number
  - [MOVE]  count  moves that have been played; 0 where none is given
  The moves before it can be taken back with `undo`, those after it walked through with `redo`; searches see the whole game behind the position.
  > match open 1  > match open 1 12
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Matches",
    manual: MANUAL,
    lists: &[
        LiveList::new("player-setting", |shell| {
            let weights = shell.session().weights().weights;
            SETTINGS
                .iter()
                .map(|setting| setting.name.to_owned())
                .chain(weights.iter().map(|(name, _)| name.to_owned()))
                .chain(["cache_file".to_owned()])
                .collect()
        }),
        LiveList::new("player", |shell| {
            let players = shell.session().players();
            let names = players.iter().filter_map(|line| Some(line.split_once(':')?.0.to_owned()));
            names.chain(["default", "current"].map(str::to_owned)).collect()
        }),
    ],
    run: &[
        changes("player define", |shell, args| {
            let pairs = args.pairs();
            args.reply("NAME", shell.session_mut().define_player(args.required("NAME")?, &pairs))
        }),
        shows("player list", |shell, _| Ok(boxed(players(&shell.session().players(), &[])))),
        changes("player remove", |shell, args| {
            args.reply("NAME", shell.session_mut().remove_player(args.required("NAME")?))
        }),
        shows("match run", |shell, args| {
            let wish = wish(args, [args.required("WHITE")?, args.required("BLACK")?])?;
            let wish = TournamentSpec { first_is_white: !args.has("swap"), ..wish };
            play(shell, args, wish, (args.has("here"), None))
        }),
        shows("match show", |shell, args| {
            let session = shell.session();
            if let Some(number) = args.count("GAME")? {
                return args.reply("GAME", session.one_game(number));
            }
            let first = args.count("from")?.unwrap_or(1);
            session.games(first, args.count("limit")?.unwrap_or(50)).map(boxed)
        }),
        shows("match load", |shell, args| {
            let file = args.file("FILE")?;
            let is_pgn = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
            args.reply("FILE", shell.session_mut().load_games(file, is_pgn))
        }),
        replaces_game("match open", |shell, args| {
            let number = args.count("GAME")?.unwrap_or(1);
            let ply = args.count("MOVE")?.unwrap_or(0);
            let culprit = if args.has("MOVE") { "MOVE" } else { "GAME" };
            args.reply(culprit, shell.session_mut().open_game(number, ply))
        }),
    ],
};

/// A round or a tournament of these players, as the flags have it.
pub(super) fn wish<'a>(
    args: &Args<'_>,
    players: impl IntoIterator<Item = &'a str>,
) -> Result<TournamentSpec, Fault> {
    Ok(TournamentSpec {
        players: players.into_iter().map(str::to_owned).collect(),
        games: args.count("games")?.unwrap_or(1),
        openings: args.count("openings")?.unwrap_or(0),
        seed: args.count("random-seed")?.unwrap_or(0),
        draws: draws(args)?,
        ..TournamentSpec::default()
    })
}

pub(super) fn play(
    shell: &mut Shell,
    args: &Args<'_>,
    wish: TournamentSpec,
    (here, file): (bool, Option<&Path>),
) -> Replied {
    let workers = args.count("workers")?;
    let session = shell.session_mut();
    let spec = session.tournament_spec(wish, here)?;
    session.play_tournament(&spec, file, workers).map(boxed)
}

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
