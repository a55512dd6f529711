//! Commands for external engines.

use std::time::Duration;

use serde_json::json;

use super::{
    Args, Culprit, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, lexer, message, shows,
    tuning::named_source,
};
use crate::engine::{
    engines::Analyst,
    session::{guests::BackgroundAnalysis, reply::PlainReply},
};

const MANUAL: &str = r#"
engine add
  names an external engine, which speaks UCI
  - NAME  text  letters, digits and - _ . +
  - COMMAND…  rest text  the program and its arguments; after `--` options of the engine, as Name=value with + for a blank
  The engine is started when a command needs it, and ends with the program. An engine that ends, is silent, replies with nonsense or plays an illegal
  move makes the command fail that needed it, and nothing else. A process that hangs is killed. Engines are not saved with the session.
  > engine add sf stockfish  > engine add self plyscope uci  > engine add weak stockfish -- UCI_LimitStrength=true UCI_Elo=1500
engine list, engines
  lists the named engines
engine remove
  ends an engine and forgets its name
  - NAME  @engine  the engine
  > engine remove sf
engine log
  shows what was said between an engine and the program
  - NAME  @engine  the engine
  - --limit  1..1000  number of lines, the last ones (default: 50)
  Lines sent begin with >, lines received with <, lines from standard error with !.
  > engine log sf
engine analyse
  shows the move, value and line that an engine finds
  - NAME  @engine  the engine, or a command: a path, or in quotes with arguments
  - --depth, --budget, --time  see search run
  Without a limit it searches for a second. `engine play --with NAME` also plays the move.
  > engine analyse sf --time 500
engine follow
  lets an engine analyse the position in the background, or shows what it finds
  - [ENGINE]  @engine  a name, or a command: a path, or in quotes with arguments; `on` for the first named one, `off` ends it
  - --lines  1..10  lines of play at a time (default: 3)
  It searches the current position, whatever that is, until the next one comes. The screen shows its lines in the game pane. The engine is a process of
  its own, beside the one of the other commands.
  > engine follow sf  > engine follow  > engine follow off
engine opponent, opponent
  chooses who plays in `engine play`, or shows who does
  - [ENGINE]  @engine  a name, or a command: a path, or in quotes with arguments; `off` for the program itself
  An external engine searches with the limits given, or those of `engine level`, or for a second. On the screen it plays the side that the engine plays.
  > engine opponent sf  > engine opponent off
engine diff
  finds the first position where two engines search differently, and the least depth
  - FIRST  @engine  a name, or a command: a path, or in quotes with arguments
  - SECOND  @engine  the other one
  - [SUITE]  file  positions as for `suite run` (default: the current one)
  - --depth  1..64  the greatest depth to search (default: 8)
  Both search every position to depth 1, 2 and so on, each time after `ucinewgame`. They differ if the move differs, or the number of nodes: two builds
  that should do the same, or an engine with itself.
  > engine diff old new standard --depth 6  > engine diff sf "stockfish"
perft diff
  finds the first position where an engine has other legal moves
  - ENGINE  @engine  a name, or a command: a path, or in quotes with arguments
  - [DEPTH]  1..64  plies (default: 4)
  - --patience  1..86_400  seconds for which the engine may print nothing (default: 60)
  Compares the lines of play by first move, as `go perft` prints them, follows the first move whose counts differ, and so on down to the position
  where one side has a move that the other does not have. The engine must print a line for each move (e2e4: 20) and a last one with the word nodes.
  > perft diff sf 5  > perft diff "plyscope uci" 4
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Engines",
    manual: MANUAL,
    lists: &[LiveList::new("engine", |shell| {
        shell.engine.guests.iter().map(|guest| guest.name.clone()).collect()
    })],
    run: &[
        shows("engine add", |shell, args| {
            let (name, command) = (args.required("NAME")?, args.required("COMMAND")?);
            let added = shell.engine.guests.add(name, command);
            added.map_err(|fault| args.blame("NAME", fault))?;
            Ok(message(format!("the engine {name} is `{command}`")))
        }),
        shows("engine list", |shell, _| Ok(boxed(list(shell)))),
        shows("engine remove", |shell, args| {
            let name = args.required("NAME")?;
            shell.engine.guests.remove(name).map_err(|fault| args.blame("NAME", fault))?;
            shell.opponent.take_if(|opponent| opponent == name);
            Ok(message(format!("the engine {name} is removed")))
        }),
        shows("engine log", |shell, args| {
            let limit = args.count("limit")?.unwrap_or(50);
            let guest = shell.engine.guests.by_name(args.required("NAME")?);
            let lines = guest.map_err(|fault| args.blame("NAME", fault))?.log();
            let lines = &lines[lines.len().saturating_sub(limit)..];
            Ok(boxed(PlainReply::new(lines.join("\n"), json!({"lines": lines}))))
        }),
        shows("engine analyse", |shell, args| {
            let limit = limit(args)?.unwrap_or(A_SECOND);
            let found = shell.engine.with_guest(args.required("NAME")?, |session, guest| {
                session.search_with(guest, limit)
            });
            args.reply("NAME", found)
        }),
        shows("engine follow", |shell, args| {
            if let Some(name) = args.text("ENGINE") {
                let followed = follow(shell, name, args.count("lines")?.unwrap_or(3));
                followed.map_err(|fault| args.blame("ENGINE", fault))?;
            }
            Ok(boxed(background_analysis(shell)))
        }),
        shows("engine opponent", |shell, args| {
            if let Some(name) = args.text("ENGINE") {
                let engine = Some(name).filter(|name| *name != OFF);
                let known =
                    engine.map_or(Ok(()), |name| shell.engine.guests.stopped_copy(name).map(drop));
                known.map_err(|fault| args.blame("ENGINE", fault))?;
                shell.opponent = engine.map(str::to_owned);
            }
            let text = match shell.opponent.as_deref() {
                Some(name) => format!("{name} plays in `engine play`"),
                None => "the program itself plays in `engine play`".to_owned(),
            };
            Ok(boxed(PlainReply::new(text, json!({"opponent": shell.opponent}))))
        }),
        shows("engine diff", diff),
        shows("perft diff", |shell, args| {
            let depth = args.count("DEPTH")?.unwrap_or(4);
            let patience = Duration::from_secs(args.count("patience")?.unwrap_or(60));
            let found = shell.engine.with_guest(args.required("ENGINE")?, |session, guest| {
                session.perft_diff(guest, depth, patience)
            });
            args.reply("ENGINE", found)
        }),
    ],
};

fn list(shell: &Shell) -> PlainReply {
    let guests = shell.engine.guests.iter().map(|guest| {
        let (name, command, id) = (&guest.name, &guest.command, guest.id());
        let known = id.map(|id| format!(" ({id})")).unwrap_or_default();
        let fields =
            json!({"name": name, "command": command, "id": id, "running": guest.is_running()});
        (fields, format!("{name}: {command}{known}"))
    });
    let (fields, lines): (Vec<_>, Vec<_>) = guests.unzip();
    let text = match lines.as_slice() {
        [] => "no engine is named: `engine add NAME COMMAND`".to_owned(),
        lines => lines.join("\n"),
    };
    PlainReply::new(text, json!({"engines": fields}))
}

/// The word that stands for the first named engine, given in place of a name.
const ON: &str = "on";
/// The word that stands for no engine, given in place of a name.
const OFF: &str = "off";

/// Lets an engine analyse each position of the game; with [`OFF`], none.
fn follow(shell: &mut Shell, name: &str, lines: usize) -> Result<(), Fault> {
    let game = shell.session().game();
    let guests = &mut shell.engine.guests;
    if name == OFF {
        guests.analyst = None;
        return Ok(());
    }
    let first = || guests.iter().next().map(|guest| guest.name.clone());
    let name = if name == ON { first() } else { Some(name.to_owned()) };
    let name = name.ok_or_else(|| {
        Fault::new("no engine has been added").hint("`engine add NAME COMMAND` adds one")
    })?;
    let guest = guests.stopped_copy(&name)?;
    let analyst = Analyst::start(guest, game, lines);
    guests.analyst = Some(analyst.map_err(|error| {
        Fault::new(format!("cannot start a thread for the engine: {error}"))
            .hint("raise the limit of processes (`ulimit -u`)")
    })?);
    Ok(())
}

/// Sets the current position for the following engine, and returns the lines that the engine has found there.
fn background_analysis(shell: &mut Shell) -> BackgroundAnalysis {
    let session = shell.engine.session();
    let (game, position) = (session.game(), session.guest_position());
    let Some(analyst) = &mut shell.engine.guests.analyst else {
        return BackgroundAnalysis::default();
    };
    let engine = Some(analyst.name.clone());
    if analyst.game != game {
        let fault = Some(format!("it was started for {}: `engine follow` again", analyst.game));
        return BackgroundAnalysis { engine, fault, ..BackgroundAnalysis::default() };
    }
    analyst.set_position(position);
    let found = analyst.found();
    let lines = shell.engine.session().guest_lines(&found.lines);
    BackgroundAnalysis { engine, lines, fault: found.fault.map(|fault| fault.to_string()) }
}

fn diff(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let depth = args.count("depth")?.unwrap_or(8);
    let source = args.text("SUITE").map(named_source);
    let mut stopped_copy = |parameter| {
        let stopped_copy = shell.engine.guests.stopped_copy(args.required(parameter)?);
        stopped_copy.map_err(|fault| args.blame(parameter, fault))
    };
    let (mut first, mut second) = (stopped_copy("FIRST")?, stopped_copy("SECOND")?);
    let found = shell.session().diff_guests([&mut first, &mut second], source, depth);
    let mut found = found.map_err(|fault| match &fault.culprit {
        Some(Culprit::Named(_)) => args.blame("SUITE", fault),
        _ => fault,
    })?;
    if let Some(differing) = &mut found.differing {
        let [old, new] = [&first, &second].map(|guest| lexer::quoted(&guest.command_for_game()));
        let commands = format!("position fen {}; go depth {}", differing.at.state, differing.depth);
        differing.trace =
            format!("trace diff --uci {old} {new} --commands {}", lexer::quoted(&commands));
    }
    Ok(boxed(found))
}

/// Plays the move that an engine finds. The limit is that of the flag, else that of `engine level`, else a second.
pub(super) fn play(
    shell: &mut Shell,
    args: &Args<'_>,
    name: &str,
    level: Option<(&str, &str)>,
) -> Replied {
    let given = limit(args)?;
    let of_level = level.and_then(|(kind, number)| {
        let (_, kind) = LIMITS.into_iter().find(|(setting, _)| kind.starts_with(setting))?;
        Some((kind, number.parse().ok()?))
    });
    let limit = given.or(of_level).unwrap_or(A_SECOND);
    let played = shell.engine.with_guest(name, |session, guest| session.play_guest(guest, limit));
    played.map_err(|fault| args.blame("with", fault))
}

/// The limits of a search: the flag of the command, and the word in UCI.
const LIMITS: [(&str, &str); 3] = [("depth", "depth"), ("budget", "nodes"), ("time", "movetime")];

/// The limit if none was given: one second.
const A_SECOND: (&str, u64) = ("movetime", 1000);

/// The limit that a flag gives, as a word of UCI and its value.
fn limit(args: &Args<'_>) -> Result<Option<(&'static str, u64)>, Fault> {
    for (flag, kind) in LIMITS {
        if let Some(number) = args.count(flag)? {
            return Ok(Some((kind, number)));
        }
    }
    Ok(None)
}
