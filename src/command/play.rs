//! Commands to play against the engine.

use serde_json::json;

use crate::{
    command::{Args, Chapter, Shell, boxed, changes, search, shows},
    engine::session::reply::PlainReply,
};

const MANUAL: &str = "
engine play, engine move
  lets the engine play a move for the side to move
  - --depth, --budget, --time  see search run
  Searches as `search run` does and plays one of the best moves; among equals the setting `random` decides, so that the same number plays the same game.
  Where no limit is given, that of the `engine level` holds, if one was chosen, else those of the settings.
  A person moves with `play`: persons and engine in any mixture. Nothing is played where Ctrl-C or a breakpoint stops the search.
  > engine play  > engine play --depth 4  > engine play --time 500
engine level, level
  shows or chooses how well the engine plays
  - [LEVEL]  one of  how far it looks ahead for a move
    1: one ply
    2: two plies
    3: 2 000 nodes
    4: 10 000 nodes
    5: 50 000 nodes
    6: 250 000 nodes
    7: two seconds
    8: ten seconds
    off: as the settings say
  > engine level  > engine level 3  > engine level off
";

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Play",
    manual: MANUAL,
    lists: &[],
    run: &[
        changes("engine play", |shell, args| {
            let mut limits = search::limits(args);
            if let (true, Some((kind, most))) = (limits.is_empty(), limit(shell)) {
                limits = KINDS.map(|it| (it, if it == kind { most } else { "off" })).to_vec();
            }
            shell.session_mut().play_best(&limits)
        }),
        shows("engine level", |shell, args| Ok(boxed(level(shell, args)))),
    ],
};

const KINDS: [&str; 3] = ["depth", "budget", "time_ms"];

/// What limits a search at each level, from the first on.
const LEVELS: [(&str, &str); 8] = [
    ("depth", "1"),
    ("depth", "2"),
    ("budget", "2000"),
    ("budget", "10000"),
    ("budget", "50000"),
    ("budget", "250000"),
    ("time_ms", "2000"),
    ("time_ms", "10000"),
];

fn limit(shell: &Shell) -> Option<(&'static str, &'static str)> {
    LEVELS.get(usize::from(shell.level?).checked_sub(1)?).copied()
}

fn level(shell: &mut Shell, args: &Args<'_>) -> PlainReply {
    if let Some(level) = args.text("LEVEL") {
        // Anything but a number is `off`.
        shell.level = level.parse().ok();
    }
    let limit = limit(shell).map(|(kind, most)| format!("{kind}={most}"));
    let text = match (shell.level, &limit) {
        (Some(level), Some(limit)) => format!("the engine plays at level {level}: {limit}"),
        _ => "the engine plays as the settings say: no level is chosen".to_owned(),
    };
    PlainReply::new(text, json!({"level": shell.level, "limit": limit}))
}
