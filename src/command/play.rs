//! Commands for playing against the engine.

use serde_json::json;

use crate::{
    command::{Args, FamilyDefinition, Shell, boxed, changes, engines, search, shows, table},
    engine::session::{
        Pair,
        reply::{PlainReply, Side},
    },
};

const MANUAL: &str = "
engine play, engine move
  lets the engine play a move for the side to move
  - --depth, --budget, --time  see search run
  - --with  @engine  an external engine plays (default: that of `engine opponent`, or the program itself)
  Searches with the settings for play, which `search show` lists, and plays one of the best moves. The setting `random` chooses among equal moves: the
  same number plays the same game. Without a limit, the one of `engine level` is used if a level was chosen, otherwise those of the settings. A person
  moves with `play`. If Ctrl-C or a breakpoint stops the search, no move is played.
  > engine play  > engine play --depth 4  > engine play --time 500
engine hint, hint
  shows the best moves for the side to move
  - --depth, --budget, --time  see search run
  Searches every move to its exact value, with an empty cache and the settings for play, which `search show` lists. Without a limit, and with the
  engine at level 5 or 6, the hint searches 250,000 nodes; at level 7 or 8, one second. The search can be stepped back in. Breakpoints do not stop it.
  > hint  > hint --time 500
game resign, resign
  resigns the game
  - [SIDE]  one of  who resigns (default: the side to move)
    white: White
    black: Black
  `undo` takes it back. Sessions keep how the game ended, and game files have the result.
  > game resign
game draw
  offers the engine a draw
  - [SIDE]  one of  who offers it (default: the side to move)
    white: White
    black: Black
  - --depth, --budget, --time  see search run
  - --agreed  draws the game without asking the engine: two players agree
  Searches as `engine play` does. The engine has the other side, and accepts if it values the position at 0 or less for that side.
  > game draw --depth 2
game claim
  draws the game if the draw rules of matches allow it
  In morris after 30 moves without a new mill, at the fifth occurrence of a position, and after 250 positions. `position show` says when a draw can be
  claimed. In chess the rules end such games by themselves.
engine level, level
  shows or chooses how well the engine plays
  - [LEVEL]  one of  how far it searches for a move
    1: one ply
    2: two plies
    3: 2,000 nodes
    4: 10,000 nodes
    5: 50,000 nodes
    6: 250,000 nodes
    7: two seconds
    8: ten seconds
    off: as `search set` says
  > engine level  > engine level 3  > engine level off
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Play",
    manual: MANUAL,
    lists: &[],
    run: &[
        changes("engine play", |shell, args| {
            let (limits, is_level) = limits(shell, args);
            let opponent = args.text("with").map(str::to_owned).or(shell.opponent.clone());
            if let Some(name) = opponent.as_deref() {
                let of_level = limit_of_level(shell).filter(|_| is_level);
                return engines::play(shell, args, name, of_level);
            }
            let level = shell.level.filter(|_| is_level);
            shell.session_mut().play_best(&limits, level)
        }),
        changes("engine hint", |shell, args| {
            let limits = hint_limits(shell, args);
            shell.session_mut().hint(&limits).map(boxed)
        }),
        changes("game resign", |shell, args| shell.session_mut().resign(side(args)).map(boxed)),
        changes("game draw", |shell, args| {
            if args.has("agreed") {
                return shell.session_mut().agree_draw().map(boxed);
            }
            let (limits, _) = limits(shell, args);
            shell.session_mut().offer_draw(side(args), &limits)
        }),
        changes("game claim", |shell, _| shell.session_mut().claim_draw().map(boxed)),
        shows("engine level", |shell, args| Ok(boxed(level(shell, args)))),
    ],
};

const LIMITS: [&str; 3] = ["depth", "budget", "time_ms"];

/// The limits of the levels, from level 1.
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

/// The levels of `engine level`: the word to type and its meaning. `off` is the last one.
pub fn levels() -> Vec<(&'static str, &'static str)> {
    let found = table().exact(&["engine", "level"]);
    let choices = found.into_iter().flat_map(|(spec, _)| &spec.params).flat_map(|it| &it.choices);
    choices.map(|choice| (choice.name, choice.help)).collect()
}

fn limit_of_level(shell: &Shell) -> Option<(&'static str, &'static str)> {
    LEVELS.get(usize::from(shell.level?).checked_sub(1)?).copied()
}

/// The search limits that were given, or else those of the level; and whether the level's limits are used.
fn limits<'a>(shell: &Shell, args: &'a Args<'_>) -> (Vec<Pair<'a>>, bool) {
    let given = search::limits(args);
    match limit_of_level(shell).filter(|_| given.is_empty()) {
        Some(limit) => (only(limit), true),
        None => (given, false),
    }
}

/// A search limit as the only one.
fn only((kind, limit): Pair<'static>) -> Vec<Pair<'static>> {
    LIMITS.map(|it| (it, if it == kind { limit } else { "off" })).to_vec()
}

/// The search limits that were given. Without any, a hint searches about as far as the level, for at most about a second.
fn hint_limits<'a>(shell: &Shell, args: &'a Args<'_>) -> Vec<Pair<'a>> {
    match (search::limits(args), shell.level) {
        (given, Some(5 | 6)) if given.is_empty() => only(("budget", "250000")),
        (given, Some(7..)) if given.is_empty() => only(("time_ms", "1000")),
        (given, _) => given,
    }
}

fn side(args: &Args<'_>) -> Option<Side> {
    let name = args.text("SIDE")?;
    Side::ALL.into_iter().find(|side| side.name().eq_ignore_ascii_case(name))
}

fn level(shell: &mut Shell, args: &Args<'_>) -> PlainReply {
    if let Some(level) = args.text("LEVEL") {
        // `off` does not parse as a number, which gives `None`.
        shell.level = level.parse().ok();
    }
    let limit = limit_of_level(shell).map(|(kind, limit)| format!("{kind}={limit}"));
    let name = shell.level.map(|level| level.to_string());
    let chosen = levels().into_iter().find(|(level, _)| Some(*level) == name.as_deref());
    let text = match chosen {
        Some((level, help)) => format!("the engine plays at level {level}: {help}"),
        None => "the engine plays with the limits of the settings: no level is chosen".to_owned(),
    };
    PlainReply::new(text, json!({"level": shell.level, "limit": limit}))
}
