//! Commands that play matches and open their games.

use std::{collections::BTreeMap, path::Path};

use crate::{
    command::{
        Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, replaces_game,
        shows,
    },
    engine::{
        arena::{DRAW_RULES, TournamentSpec},
        engines::one_word,
        session::{
            rating::{RatingSpec, Reference},
            tournament::players,
        },
        settings::SETTINGS,
    },
};

const MANUAL: &str = r#"
player define
  defines a player for matches and tournaments
  - NAME  text  letters, digits and - _ . +
  - [KEY=…]  @player-setting  settings of `search set`, weights of `weights set`, cache_file
  A player has settings and weights of its own; what is not given has its default value, not the one in force. Every game begins with an empty cache,
  or with the entries of cache_file=FILE, and keeps its cache to the end. engine=NAME is an engine of `engine add`, or a command with %20 for a blank;
  it starts anew for every game, and movetime=, depth= or budget= limits its moves (default: movetime=100). If it fails or plays an illegal move, it
  loses the game. If a name is both a setting and a weight (queen in chess), a number means the weight. Players are saved with the session.
  > player define wide budget=50000  > player define greedy depth=4 mills=6 possible_mills=1
player list, players
  lists the named players
  `default`, `current` (the settings and weights in force) and `play` (the settings for play, as in `plyscope uci`, with 100 ms a move) always exist.
player remove
  removes a named player
  - NAME  @player  the player
  > player remove greedy
match run, match
  plays a round of matches between two players
  - WHITE  @player  a name, or "NAME: key=value …"
  - BLACK  @player  a name, or "NAME: key=value …"
  - --games  1..1_000_000  number of games (default: 1)
  - --swap  as many games again with colours exchanged
  - --openings  0..100  random moves at the beginning of a game, no two openings equal by symmetry (default: 0)
  - --random-seed  count  seed of the openings and of the choice among equal moves (default: 0)
  - --here  games begin in the current position
  - --draws  text  draw rules, such as no_mill=40,max_turns=off; counting=seed counts as the seeds do
  - --workers  1..1024  games played in parallel (default: the number of processors)
  `match show` lists the games, `match open` opens one on the board, `match save` writes them. The choice among equal moves depends on the random seed,
  the colours, the round and the ply: the same round always has the same games, with any number of workers, unless a player is limited by time. Ctrl-C
  stops it and keeps the games played.
  > match run "wide: budget=2000" "deep: depth=3" --games 2  > match run default current --games 2 --swap --openings 2
match rate
  rates a player against engines of known strength
  - PLAYER  @player  a name, or "NAME: key=value …"
  - [REFERENCE…]  many text  named engines with their rating: NAME=ELO (default: stockfish limited to 1500, 1700 and 2000 Elo)
  - --time  1..  milliseconds for each move of both sides (default: 50)
  - --budget  1..  nodes for each move of both sides instead
  - --games  1..1_000_000  pairs of games against each reference, with both colours (default: 10)
  - --openings, --random-seed, --draws  see match run
  - --workers  1..1024  games played in parallel (default: 1, so that all moves get the same time)
  The rating of each match is that of the reference and the difference in Elo; the one of all is their mean, weighted by precision. The 95 % interval is
  that of chance in these games; engines limited in strength have their rating at other times and machines.
  > match rate play --time 20  > match rate "mine: quiescence=on" sf=1700 --games 50
match show
  lists the games, or shows the moves of one
  - [GAME]  1..  the number of a game (default: list them)
  - --from  1..  the first game to list
  - --limit  count  number of games to list (default: 50)
  The games of the last round, tournament or log.
  > match show  > match show 1
match load
  reads games from a log of the seeds or a PGN file
  - FILE  file  the file
  Logs of the seeds' rounds: states as Python tuples or in the notation of `position set`, on lines or in lists, with optional `Winner:` and `Reason:`
  lines. Each state must follow from the one before by a legal move. If anything cannot be read, nothing is changed. A note lists what is left out of a
  PGN file.
  > match load round.txt
match open
  opens a game on the board, after any move
  - GAME  1..  the number of the game
  - [MOVE]  count  number of moves played (default: 0)
  `undo` and `redo` step through the moves before and after. Searches know the history of the position.
  > match open 1  > match open 1 12
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Matches",
    manual: MANUAL,
    lists: &[
        LiveList::new("player-setting", |shell| {
            let weights = shell.session().weights().weights;
            let names = SETTINGS.iter().map(|setting| setting.name);
            let names = names.chain(weights.iter().map(|(name, _)| name));
            names.chain(["cache_file", "engine", "movetime"]).map(str::to_owned).collect()
        }),
        LiveList::new("player", |shell| {
            let players = shell.session().players();
            let names = players.iter().filter_map(|line| Some(line.split_once(':')?.0.to_owned()));
            names.chain(["default", "current", "play"].map(str::to_owned)).collect()
        }),
    ],
    run: &[
        changes("player define", |shell, args| {
            let guests = &shell.engine.guests;
            let pairs: Vec<_> = args.pairs();
            let spelled: Vec<_> =
                pairs.iter().map(|(key, value)| (*key, guests.command_of(key, value))).collect();
            let pairs: Vec<_> = spelled.iter().map(|(key, value)| (*key, &**value)).collect();
            args.reply("NAME", shell.session_mut().define_player(args.required("NAME")?, &pairs))
        }),
        shows("player list", |shell, _| Ok(boxed(players(&shell.session().players(), &[])))),
        changes("player remove", |shell, args| {
            args.reply("NAME", shell.session_mut().remove_player(args.required("NAME")?))
        }),
        shows("match run", |shell, args| {
            let spec = spec(shell, args, [args.required("WHITE")?, args.required("BLACK")?])?;
            let spec = TournamentSpec { first_is_white: !args.has("swap"), ..spec };
            play(shell, args, spec, args.has("here"), None)
        }),
        shows("match rate", rate),
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

pub(super) fn spec<'a>(
    shell: &Shell,
    args: &Args<'_>,
    players: impl IntoIterator<Item = &'a str>,
) -> Result<TournamentSpec, Fault> {
    Ok(TournamentSpec {
        players: players.into_iter().map(|player| shell.engine.guests.spell_out(player)).collect(),
        games: args.count("games")?.unwrap_or(1),
        openings: args.count("openings")?.unwrap_or(0),
        seed: args.count("random-seed")?.unwrap_or(0),
        draws: draws(args)?,
        ..TournamentSpec::default()
    })
}

/// The default references of a rating: Stockfish, limited to each of these Elo ratings.
const STOCKFISH_ELO: [u32; 3] = [1500, 1700, 2000];

fn rate(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let mut references = Vec::new();
    for (nth, text) in args.texts("REFERENCE").enumerate() {
        references.push(reference(shell, text).map_err(|fault| fault.about_nth(nth))?);
    }
    if references.is_empty() {
        references.extend(STOCKFISH_ELO.map(|elo| Reference {
            player: format!(
                "stockfish-{elo}: engine=stockfish%20--%20UCI_LimitStrength=true%20UCI_Elo={elo}"
            ),
            elo: elo.into(),
        }));
    }
    let games = TournamentSpec {
        games: args.count("games")?.unwrap_or(10),
        openings: args.count("openings")?.unwrap_or(6),
        ..spec(shell, args, [])?
    };
    let limit = match args.count("budget")? {
        Some(nodes) => ("budget", nodes),
        None => ("time_ms", args.count("time")?.unwrap_or(50)),
    };
    let spec = RatingSpec { games, limit, workers: args.count("workers")?.unwrap_or(1) };
    let player = shell.engine.guests.spell_out(args.required("PLAYER")?);
    let rated = shell.session_mut().rate(&player, &references, &spec);
    args.reply("PLAYER", rated)
}

/// A named engine with its Elo rating: `sf=1700`.
fn reference(shell: &mut Shell, text: &str) -> Result<Reference, Fault> {
    let read = text.split_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    let (name, elo) = read.filter(|(_, elo): &(_, f64)| elo.is_finite()).ok_or_else(|| {
        Fault::new(format!("`{text}` is not an engine with its rating"))
            .hint("write NAME=ELO, such as sf=1700; `engine add` adds an engine")
    })?;
    let command = one_word(&shell.engine.guests.stopped_copy(name)?.command);
    Ok(Reference { player: format!("{name}: engine={command}"), elo })
}

pub(super) fn play(
    shell: &mut Shell,
    args: &Args<'_>,
    spec: TournamentSpec,
    here: bool,
    state_file: Option<&Path>,
) -> Replied {
    let workers = args.count("workers")?;
    let session = shell.session_mut();
    let spec = session.tournament_spec(spec, here)?;
    session.play_tournament(&spec, state_file, workers).map(boxed)
}

fn draws(args: &Args<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let text = args.text("draws").unwrap_or_default();
    let words = text.split([',', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let (name, value) = word.split_once('=').ok_or_else(|| {
            let names = DRAW_RULES.join(", ");
            let fault = Fault::new(format!("`{word}` is not a draw rule with a value"))
                .hint(format!("write name=value; the names are {names}"));
            args.blame("draws", fault)
        })?;
        Ok((name.to_owned(), value.to_owned()))
    });
    words.collect()
}
