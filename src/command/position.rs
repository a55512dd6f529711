//! Commands that set, show and play positions.

use super::{
    Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, replaces_game, shows,
};
use crate::engine::{game::move_in, games};

const MANUAL: &str = r#"
* game
  chooses the game, or shows the current one
  - [NAME]  @game  the game
  A chosen game starts anew, with an empty cache and default settings.
  > game morris  > game chess  > game
position set, fen
  sets a position
  - STATE…  rest text  the position
  Morris: RING0/RING1/RING2 SIDE HANDW HANDB, rings from the outer to the inner one, cells clockwise from the top left corner, each w, b or a dot;
  or a Python tuple ((9, 9), ((' ', …), …)) with the side after it. Chess: a FEN. Fields after the side to move may be missing, and a clock beyond 100
  is accepted. Castling rights without king and rook in place and an en-passant square that no pawn has passed are dropped, with a note. Of an
  impossible position every fault is named. `undo` takes the change back.
  > position set ......../......../........ w 9 9  > position set ww.wb.../b.b.w.bw/........ b 0 0
  > position set 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
position start, new
  sets up the start of a game
* position show, show, board
  shows the position
  > position show  > position show --json
* position board
  describes the board for programs that draw it
  - [STATE…]  rest text  another position
  Points with their places, lines, stones, hands and the legal moves step by step: all data of the board on the screen. --json has every field.
  > position board --json  > position board ww....../......../b.b..... w 7 7 --json
* moves
  lists the legal moves
  One move for each position that can follow. With --json they are sorted by that position, and listed even if the game is over, as the seeds'
  nextStates does.
  > moves  > moves --json
play
  plays moves
  - MOVE…  many @move  the moves, one after the other, or a text with moves
  - --game  from the position of the game, even if a frame is selected
  Morris: d6 places, a1-a4 slides or jumps, and captures follow: d6xa1, a1-a4xg7, d6xa1xg7. Chess: e2e4 or e4. A game can be pasted, with
  move numbers and a result; its comments in braces, variations in brackets and annotations are kept. If a frame is selected, the moves are played from
  its position. If one move is illegal, none is played. Where the game goes on already, another move begins a variation.
  > play d6  > play d6 f4 d5  > play "1. d6 f4 2. d5"
undo, takeback
  takes back the last move or change of position, or N of them
  - [N]  1..  how many (default: 1)
  - --keep-end  only go back: a resignation or draw stays at the end of the game, to which `redo` leads
  A resignation or draw by the players is taken back first. On the screen, against the engine, your move before its answer is taken back too.
  > undo  > undo 2  > undo --keep-end
redo
  plays again what `undo` took back, or N steps of it
  - [N]  see undo
  > redo  > redo 2
symmetries
  lists the positions equal to this one by symmetry
  Morris has sixteen symmetries: four turns, with or without a mirror, with or without the outer and the inner ring exchanged.
perft
  counts lines of play, by first move
  - N  0..64  their length in plies
  The usual test of move generators. Finished games are not continued. Ctrl-C stops it.
  > perft 4
rules set
  changes rules
  - RULE=…  @rule  the rules to change
  `rules show` describes each rule of the game. A change empties the cache, whose values would be wrong.
  > rules set double_mill=one  > rules set double_mill=two flying=on
* rules show
  shows the rules in force, with their choices and meaning
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Position",
    manual: MANUAL,
    lists: &[
        LiveList::new("game", |_| games().map(|(name, _)| (*name).to_owned()).collect()),
        LiveList::new("move", |shell| {
            let moves = shell.session().moves();
            let playable = moves.moves.iter().filter(|_| !moves.finished);
            playable.map(|found| found.mv.to_string()).collect()
        }),
        LiveList::new("rule", |shell| {
            let rules = shell.session().rules().rules;
            let choices = rules.iter().flat_map(|rule| {
                rule.choices.iter().map(|choice| format!("{}={choice}", rule.name))
            });
            choices.collect()
        }),
    ],
    run: &[
        replaces_game("game", |shell, args| match args.text("NAME") {
            Some(name) => args.reply("NAME", shell.engine.choose_game(name)),
            None => Ok(boxed(shell.session().position())),
        }),
        replaces_game("position set", |shell, args| {
            args.reply("STATE", shell.session_mut().set_position(args.required("STATE")?))
        }),
        replaces_game("position start", |shell, _| Ok(boxed(shell.session_mut().start()))),
        shows("position show", |shell, _| Ok(boxed(shell.session().position()))),
        shows("position board", |shell, args| {
            args.reply("STATE", shell.session().board(args.text("STATE")))
        }),
        shows("moves", |shell, _| Ok(boxed(shell.session().moves()))),
        changes("play", play),
        changes("undo", |shell, args| {
            let (session, steps) = (shell.session_mut(), args.count("N")?.unwrap_or(1));
            let gone_back =
                if args.has("keep-end") { session.browse_back(steps) } else { session.undo(steps) };
            gone_back.map(boxed)
        }),
        changes("redo", |shell, args| {
            shell.session_mut().redo(args.count("N")?.unwrap_or(1)).map(boxed)
        }),
        shows("symmetries", |shell, _| Ok(boxed(shell.session().symmetries()))),
        shows("perft", |shell, args| {
            shell.session().perft(args.count("N")?.unwrap_or(0)).map(boxed)
        }),
        changes("rules set", |shell, args| shell.session_mut().set_rules(&args.pairs()).map(boxed)),
        shows("rules show", |shell, _| Ok(boxed(shell.session().rules()))),
    ],
};

fn play(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let words: Vec<_> = args.texts("MOVE").collect();
    let from_game = args.has("game");
    let is_pasted = |word: &&&str| word.contains(['{', '(', '$', '!', '?', ' ', '\n']);
    if words.iter().find(is_pasted).is_some() {
        let pasted = shell.session_mut().paste(&words.join(" "), from_game);
        return pasted.map(boxed).map_err(|fault| blame_word(args, &words, fault));
    }
    let words = words.iter().enumerate();
    let moves: Vec<_> =
        words.filter_map(|(place, word)| Some((place, *word, move_in(word)?))).collect();
    if moves.is_empty() {
        return Err(args.blame("MOVE", Fault::new("there is no move to play")));
    }
    let line: Vec<_> = moves.iter().map(|(.., mv)| *mv).collect();
    shell.session_mut().play_all(&line, from_game).map(boxed).map_err(|(nth, fault)| {
        let (place, word, mv) = moves[nth];
        let number = word.len() - mv.len();
        let at = fault.at.clone().unwrap_or(0..mv.len());
        let at = at.start + number..at.end + number;
        fault.at(at).about_nth(place)
    })
}

/// Places a fault at the argument that contains it: `fault.at` counts bytes in the words joined by blanks.
fn blame_word(args: &Args<'_>, words: &[&str], fault: Fault) -> Fault {
    let Some(at) = fault.at.clone() else { return args.blame("MOVE", fault) };
    let mut begin = 0;
    for (place, word) in words.iter().enumerate() {
        if at.start <= begin + word.len() {
            let at = at.start - begin..(at.end - begin).min(word.len());
            return fault.at(at).about_nth(place);
        }
        begin += word.len() + 1;
    }
    args.blame("MOVE", fault)
}
