//! Commands about positions: setting, playing, looking.

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, ShowsOrChanges, Spec};
use crate::engine::{
    GAMES,
    game::{Fault, move_in},
    reply::{Replied, boxed},
};

/// Games, positions, moves.
pub(super) const FAMILY: Family = Family {
    title: "Position",
    commands: &[
        GAME, SET, START, SHOW, BOARD, MOVES, PLAY, UNDO, REDO, SYMMETRIES, PERFT, RULES_SET,
        RULES_SHOW,
    ],
};

static GAME_NAMES: LiveList =
    LiveList { name: "game", list: |_| GAMES.iter().map(|(name, _)| (*name).to_owned()).collect() };

pub(super) static MOVE_LIST: LiveList = LiveList {
    name: "move",
    list: |shell| {
        let moves = shell.engine.bench().moves();
        moves.moves.into_iter().filter(|_| !moves.finished).map(|found| found.mv).collect()
    },
};

static RULE_LIST: LiveList = LiveList {
    name: "rule",
    list: |shell| {
        let rules = shell.engine.bench().rules().rules;
        let choices = rules.iter().flat_map(|rule| rule.choices.iter().map(move |at| (rule, at)));
        choices.map(|(rule, choice)| format!("{}={choice}", rule.name)).collect()
    },
};

const GAME: Spec = Spec {
    name: "game",
    aliases: &[],
    params: &[Param::word("NAME", Kind::Live(&GAME_NAMES), "the game").optional()],
    summary: "chooses the game, or says which one is on",
    details: "Choosing a game starts it afresh, with an empty cache and every setting at its default.",
    examples: &["game morris", "game chess", "game"],
    run: ShowsOrChanges(|shell, args| match args.text("NAME") {
        Some(name) => args.reply("NAME", shell.engine.choose_game(name)),
        None => Ok(boxed(shell.engine.bench().position())),
    }),
};

const SET: Spec = Spec {
    name: "position set",
    aliases: &[],
    params: &[Param::rest("STATE", Kind::Text, "the position")],
    summary: "sets a position",
    details: "Morris: RING0/RING1/RING2 SIDE HANDW HANDB, rings from the outer to the inner one, cells clockwise from the top left corner, each \
              w, b or a dot; or a Python tuple ((9, 9), ((' ', …), …)) with the side after it. Chess: a FEN; fields after the side to move may be \
              missing, a clock beyond 100 is taken, and what is dropped is told: castling rights without king and rook in place, an en-passant square \
              that no pawn has passed. Every fault of an impossible position is named; a position of the other game is refused. \
              `undo` takes it back.",
    examples: &[
        "position set ......../......../........ w 9 9",
        "position set ww.wb.../b.b.w.bw/........ b 0 0",
        "position set 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ],
    run: Changes(|shell, args| {
        args.reply("STATE", shell.engine.bench_mut().set_position(args.required("STATE")?))
    }),
};

const START: Spec = Spec {
    name: "position start",
    aliases: &["new"],
    params: &[],
    summary: "sets up the start of a game",
    details: "",
    examples: &["position start"],
    run: Changes(|shell, _| Ok(boxed(shell.engine.bench_mut().start()))),
};

const SHOW: Spec = Spec {
    name: "position show",
    aliases: &["show", "board"],
    params: &[],
    summary: "shows the position",
    details: "",
    examples: &["position show", "position show --json"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().position()))),
};

const BOARD: Spec = Spec {
    name: "position board",
    aliases: &[],
    params: &[Param::rest("STATE", Kind::Text, "another position").optional()],
    summary: "describes the board for programs that draw it",
    details: "Points with their places, lines, stones, hands and the legal moves step by step: what the board on the screen is made of. With \
              --json every field.",
    examples: &["position board --json", "position board ww....../......../b.b..... w 7 7 --json"],
    run: Shows(|shell, args| args.reply("STATE", shell.engine.bench().board(args.text("STATE")))),
};

const MOVES: Spec = Spec {
    name: "moves",
    aliases: &[],
    params: &[],
    summary: "lists the legal moves",
    details: "One for each position that can follow. With --json they are sorted by that position, and listed even where the game is over \
              and none may be played, as the seeds' nextStates does.",
    examples: &["moves", "moves --json"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().moves()))),
};

const PLAY: Spec = Spec {
    name: "play",
    aliases: &[],
    params: &[Param::many("MOVE", Kind::Live(&MOVE_LIST), "the moves, one after the other")],
    summary: "plays moves",
    details: "Morris: d6 places, a1-a4 slides or jumps, and captures follow: d6xa1, a1-a4xg7, d6xa1xg7. Chess: e2e4 or e4. Move numbers, results, \
              annotations and comments in braces are passed over, so that a game can be pasted. All the moves are played or none, from the \
              selected frame's position where a frame is selected.",
    examples: &["play d6", "play d6 f4 d5", "play 1. d6 f4 2. d5"],
    run: Changes(play),
};

fn play(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let words = args.texts("MOVE").enumerate();
    let moves: Vec<_> =
        words.filter_map(|(place, word)| Some((place, word, move_in(word)?))).collect();
    if moves.is_empty() {
        return Err(args.blame("MOVE", Fault::new("there is no move to play")));
    }
    let line: Vec<_> = moves.iter().map(|(.., mv)| *mv).collect();
    let played = shell.engine.bench_mut().play_all(&line);
    played.map(boxed).map_err(|(nth, fault)| {
        let (place, word, mv) = moves[nth];
        let number = word.len() - mv.len();
        let at = fault.at.clone().unwrap_or(0..mv.len());
        let at = at.start + number..at.end + number;
        args.blame_nth("MOVE", place, fault.at(at))
    })
}

const STEPS: &[Param] =
    &[Param::word("N", Kind::Range(1, u64::MAX), "how many; 1 where none is given").optional()];

const UNDO: Spec = Spec {
    name: "undo",
    aliases: &["u"],
    params: STEPS,
    summary: "takes back the last move or change of position, or N of them",
    details: "",
    examples: &["undo", "undo 2"],
    run: Changes(|shell, args| {
        let steps = args.count("N")?.unwrap_or(1);
        shell.engine.bench_mut().undo(steps).map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const REDO: Spec = Spec {
    name: "redo",
    aliases: &[],
    params: STEPS,
    summary: "brings back what undo took, or N steps of it",
    details: "",
    examples: &["redo", "redo 2"],
    run: Changes(|shell, args| {
        let steps = args.count("N")?.unwrap_or(1);
        shell.engine.bench_mut().redo(steps).map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const SYMMETRIES: Spec = Spec {
    name: "symmetries",
    aliases: &[],
    params: &[],
    summary: "lists the positions equal to this one by symmetry",
    details: "Morris has sixteen symmetries: four turns, with or without a mirror, with or without the outer and the inner ring exchanged.",
    examples: &["symmetries"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().symmetries()))),
};

const PERFT: Spec = Spec {
    name: "perft",
    aliases: &[],
    params: &[Param::word("N", Kind::Range(0, 64), "their length in plies")],
    summary: "counts lines of play, by first move",
    details: "The field's test of move generators. Finished games are not played on. Ctrl-C stops it.",
    examples: &["perft 4"],
    run: Shows(|shell, args| {
        let depth = args.count("N")?.unwrap_or(0);
        shell.engine.bench().perft(depth).map(boxed)
    }),
};

const RULES_SET: Spec = Spec {
    name: "rules set",
    aliases: &[],
    params: &[Param::any_pair("RULE", &RULE_LIST, "the rules to change")],
    summary: "changes rules",
    details: "Morris: double_mill=two takes two stones for two mills closed at once, as the seeds do, double_mill=one takes one, as in \
              tournaments; flying=on lets three stones jump. A mill that finds no stone to take, or a double mill that finds one, is not legal. \
              Changed rules empty the cache: its values would be wrong.",
    examples: &["rules set double_mill=one", "rules set double_mill=two flying=on"],
    run: Changes(|shell, args| {
        let pairs: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
        let set = shell.engine.bench_mut().set_rules(&pairs);
        set.map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const RULES_SHOW: Spec = Spec {
    name: "rules show",
    aliases: &[],
    params: &[],
    summary: "shows the rules in force",
    details: "",
    examples: &["rules show"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().rules()))),
};
