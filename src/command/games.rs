//! Commands on game files (`pgn`, `games`) and on the variations of a game (`variation`, `comment`, …).

use crate::{
    command::{
        FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, open, replaces_game,
        search, shows, shows_or_changes,
    },
    engine::{
        game::TAG_ROSTER,
        session::{
            game_file::{GameFileReport, GameFilter},
            position::PositionReport,
        },
    },
};

const MANUAL: &str = r#"
pgn load
  opens a file of games, and its first game
  - FILE  file  the file, in PGN; in morris also a log of the seeds' rounds
  The board shows the first position of the first game that can be read; `redo` and `undo` step through its moves, `variation` enters others. `games`
  lists the games, and `games open` opens one. A game that cannot be read is left out, with a note that has its place. Of a large file only the places of
  the games are kept in memory. In morris moves are written as in `play`, or with the numbers 1 to 24 for the points, row by row from the top left. Programs
  differ in these numbers: a file that counts in another order is read wrongly.
  A file of the other game starts that game, as `open` does.
  > pgn load game.pgn
pgn save
  writes the game to a file in PGN
  - FILE  file  the file
  - --alone  without the other games of the file that it was loaded from
  The whole game: tags, moves, variations, comments and annotations. If it was loaded from a file, all games of that file are written, those without a
  change byte for byte. The file is written whole or not at all. A file with more in it (other moves or games, comments, variations, annotations, tags)
  is not replaced, except by its own games. `-` is standard output.
  > pgn save game.pgn  > pgn save one.pgn --alone
games
  lists the games of the open PGN file
  - --player  text  only those of this player: a part of the name of either side
  - --result  one of  only those with this result
    1-0: White won
    0-1: Black won
    1/2-1/2: a draw
    *: not finished, or unknown
  - --moves  text  only those that begin with these moves
  - --position  text  only those that reach this position, whatever its clocks
  - --value  text  only those with a value in their comments (`[%eval]`, for White) of at least this; at most, if it is negative
  - --from  1..  the first game to look at
  - --limit  count  number of games to list (default: 50)
  > games  > games --player morphy --result 1-0  > games --moves "1. e4 c5 2. Nf3"
games open
  opens a game of the open PGN file, after any move
  - GAME  1..  the number of the game
  - [MOVE]  count  number of moves played, in plies (default: 0)
  Changes of the game before are kept until `pgn save`.
  > games open 2  > games open 2 12
game tags
  shows or sets the tags of the game, such as its players and event
  - [TAG=…]  @tag  tags of PGN with their values; `auto` takes a value back
  Without an argument: the tags of the game. A move that is played is by `you`, and one of `engine play` by `plyscope` with its level. The date (UTC) is
  the day on which the game began. A tag that is set replaces these. Result and Termination follow from the moves of the main line, or are those of the
  file that the game was loaded from. Sessions keep the tags, and `pgn save` writes them.
  > game tags  > game tags White=Anna Event="Club evening"
comment
  shows or sets the comment on the last move
  - [TEXT…]  rest text  the comment
  - --delete  removes it
  Clocks and values in it (`[%clk …]`, `[%eval …]`) stay. In the first position it is the comment before the first move.
  > comment  > comment the losing move  > comment --delete
nag
  sets the annotations of the last move
  - [SIGN…]  many text  such as ! ? !! ?? !? ?! or a number $0 to $255 of PGN; none removes them
  > nag !?  > nag $14  > nag
variation, variations
  lists the lines that go on from the current position
  Playing another move where the game goes on begins a variation. `undo` and `redo` walk in the line chosen, marked ▸.
variation enter
  plays the first move of a line, and chooses it
  - N  1..  the number of the line in `variation`
  > variation enter 2
variation leave
  goes back to where the variation begins, and chooses the main line there
variation delete
  deletes a line that begins here, or the current variation
  - [N]  1..  the number of the line in `variation` (default: the variation that the position is in)
  > variation delete 2  > variation delete
variation promote, promote
  puts the current variation before the line above it
  - --main  makes it the main line
  > variation promote  > promote --main
review
  searches every position of a game, and annotates its mistakes
  - [FILE]  file  reviews every game of this file (default: the current game)
  - --save  file  writes the games of FILE there; it may be FILE itself
  - --depth, --budget, --time  see search run
  Each move of the main line gets its value (`[%eval]`, for White, in pawns or the game's own unit); one that loses five points of winning chances is an
  inaccuracy `?!`, ten a mistake `?`, fifteen a blunder `??`. The better line becomes a variation, and for a blunder a comment says what refutes it.
  Chances and accuracy are computed as on lichess.org/page/accuracy; a stone more in morris counts as a pawn. Each position is searched with an empty
  cache, so that a move has the same verdict however the game goes on, and is worth at least what the played move leads to. A best move loses nothing.
  Where the endgame tables in use have the true value, chances are certain: a move is judged by whether it keeps the result. The searches have settings
  and weights for play (`search preset play`), and without a limit 25,000 nodes.
  Ctrl-C keeps what is done, and `review` of a file goes on where it stopped: games with the tag Annotator "plyscope" are not searched again.
  > review --budget 2000  > review season.pgn --save annotated.pgn --depth 3
"#;

fn report(
    shell: &Shell,
    file: &str,
    action: &'static str,
    (position, moves): (PositionReport, usize),
) -> GameFileReport {
    let title = shell.session().game_title(moves);
    GameFileReport { file: file.to_owned(), action, moves, position, title }
}

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Games",
    manual: MANUAL,
    lists: &[LiveList::new("tag", |_| {
        let settable = TAG_ROSTER.into_iter().filter(|name| *name != "Result");
        settable.map(str::to_owned).collect()
    })],
    run: &[
        replaces_game("pgn load", |shell, args| {
            let file = args.required("FILE")?;
            args.reply(
                "FILE",
                open::load_games(shell, file).map(|found| report(shell, file, "loaded", found)),
            )
        }),
        shows("pgn save", |shell, args| {
            let (file, times) = (args.required("FILE")?, shell.times);
            let session = shell.session_mut();
            let saved = session.save_game(file.as_ref(), args.has("alone"), times);
            let saved = saved.map(|moves| (session.position(), moves));
            args.reply("FILE", saved.map(|found| report(shell, file, "saved", found)))
        }),
        shows("games", |shell, args| {
            let value = args.text("value").map(|text| {
                text.parse().map_err(|_| {
                    args.blame("value", Fault::new(format!("`{text}` is not a number")))
                })
            });
            let filter = GameFilter {
                player: args.text("player"),
                result: args.text("result"),
                moves: args.text("moves"),
                position: args.text("position"),
                value: value.transpose()?,
                from: args.count("from")?.unwrap_or(1),
                limit: args.count("limit")?.unwrap_or(50),
            };
            args.reply("from", shell.session().list_games(&filter))
        }),
        replaces_game("games open", |shell, args| {
            let number = args.count("GAME")?.unwrap_or(1);
            let ply = args.count("MOVE")?.unwrap_or(0);
            let opened = shell.session_mut().open_listed(number, ply);
            let name = format!("game {number}");
            args.reply("GAME", opened.map(|found| report(shell, &name, "opened", found)))
        }),
        shows_or_changes("game tags", |shell, args| {
            let set = shell.session_mut().set_tags(&args.pairs());
            args.reply("TAG", set.map(|()| shell.session().tags(shell.times)))
        }),
        shows_or_changes("comment", |shell, args| {
            let session = shell.session_mut();
            let words = if args.has("delete") { Some("") } else { args.text("TEXT") };
            let notes = match words {
                Some(words) => session.set_comment(words),
                None => Ok(session.notes()),
            };
            args.reply("TEXT", notes)
        }),
        changes("nag", |shell, args| {
            let signs: Vec<_> = args.texts("SIGN").collect();
            shell.session_mut().set_nags(&signs).map(boxed)
        }),
        shows("variation", |shell, _| Ok(boxed(shell.session().notes()))),
        changes("variation enter", |shell, args| {
            let number = args.count("N")?.unwrap_or(1);
            args.reply("N", shell.session_mut().enter_variation(number))
        }),
        changes("variation leave", |shell, _| shell.session_mut().leave_variation().map(boxed)),
        changes("variation delete", |shell, args| {
            let number = args.count("N")?;
            args.reply("N", shell.session_mut().delete_variation(number))
        }),
        changes("review", |shell, args| {
            let (limits, out) = (search::limits(args), args.path("save"));
            match args.path("FILE") {
                Some(file) => {
                    args.reply("FILE", shell.session_mut().review_file(file, out, &limits))
                }
                None if out.is_some() => Err(args.blame(
                    "save",
                    Fault::new("--save needs a FILE to review")
                        .hint("`pgn save FILE` writes the current game"),
                )),
                None => shell.session_mut().review_game(&limits).map(boxed),
            }
        }),
        changes("variation promote", |shell, args| -> Replied {
            shell.session_mut().promote(args.has("main")).map(boxed)
        }),
    ],
};
