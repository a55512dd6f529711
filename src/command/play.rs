//! Commands to play against the engine.

use serde_json::json;

use crate::{
    command::{Args, FamilyDefinition, Shell, boxed, changes, engines, search, shows},
    engine::session::reply::PlainReply,
};

const MANUAL: &str = "
engine play, engine move
  lets the engine play a move for the side to move
  - --depth, --budget, --time  see search run
  - --with  @engine  an engine of another program plays (default: that of `engine opponent`, or the program itself)
  Searches as `search run` does and plays one of the best moves. The setting `random` chooses among equal moves: the same number plays the same game.
  Without a limit, the one of `engine level` is used if a level was chosen, otherwise those of the settings. A person moves with `play`. If Ctrl-C or
  a breakpoint stops the search, no move is played.
  > engine play  > engine play --depth 4  > engine play --time 500
engine level, level
  shows or chooses how well the engine plays
  - [LEVEL]  one of  how far it searches for a move
    1: one ply
    2: two plies
    3: 2 000 nodes
    4: 10 000 nodes
    5: 50 000 nodes
    6: 250 000 nodes
    7: two seconds
    8: ten seconds
    off: the limits of the settings
  > engine level  > engine level 3  > engine level off
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Play",
    manual: MANUAL,
    lists: &[],
    run: &[
        changes("engine play", |shell, args| {
            let mut limits = search::limits(args);
            let of_level = limit_of_level(shell).filter(|_| limits.is_empty());
            if let Some(name) = args.text("with").map(str::to_owned).or(shell.opponent.clone()) {
                return engines::play(shell, args, &name, of_level);
            }
            if let Some((kind, limit)) = of_level {
                limits = LIMITS.map(|it| (it, if it == kind { limit } else { "off" })).to_vec();
            }
            let level = shell.level.filter(|_| of_level.is_some());
            shell.session_mut().play_best(&limits, level)
        }),
        shows("engine level", |shell, args| Ok(boxed(level(shell, args)))),
    ],
};

const LIMITS: [&str; 3] = ["depth", "budget", "time_ms"];

/// The limit of each level, from level 1.
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

fn limit_of_level(shell: &Shell) -> Option<(&'static str, &'static str)> {
    LEVELS.get(usize::from(shell.level?).checked_sub(1)?).copied()
}

fn level(shell: &mut Shell, args: &Args<'_>) -> PlainReply {
    if let Some(level) = args.text("LEVEL") {
        // `off` is no number.
        shell.level = level.parse().ok();
    }
    let limit = limit_of_level(shell).map(|(kind, limit)| format!("{kind}={limit}"));
    let text = match (shell.level, &limit) {
        (Some(level), Some(limit)) => format!("the engine plays at level {level}: {limit}"),
        _ => "the engine plays with the limits of the settings: no level is chosen".to_owned(),
    };
    PlainReply::new(text, json!({"level": shell.level, "limit": limit}))
}
