//! Commands for engines of other programs.

use std::time::Duration;

use serde_json::json;

use super::{Args, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, message, shows};
use crate::engine::session::reply::PlainReply;

const MANUAL: &str = r#"
engine add
  names an engine of another program, which speaks UCI
  - NAME  text  letters, digits and - _ . +
  - COMMAND…  rest text  the program and its arguments
  The engine is started when a command needs it, and ends with the program. An engine that ends, is silent, replies with nonsense or plays an illegal
  move makes the command fail that needed it, and nothing else. A process that hangs is killed. Engines are not saved with the session.
  > engine add sf stockfish  > engine add self plyscope uci
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
  - NAME  @engine  the engine, or in quotes a command with arguments
  - --depth, --budget, --time  see search run
  Without a limit it searches for a second. `engine play --with NAME` also plays the move.
  > engine analyse sf --time 500
perft diff
  finds the first position where an engine has other legal moves
  - ENGINE  @engine  a name, or in quotes a command with arguments
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
            Ok(message(format!("the engine {name} is removed")))
        }),
        shows("engine log", |shell, args| {
            let limit = args.count("limit")?.unwrap_or(50);
            let guest = shell.engine.guests.called(args.required("NAME")?);
            let lines = guest.map_err(|fault| args.blame("NAME", fault))?.log();
            let lines = &lines[lines.len().saturating_sub(limit)..];
            Ok(boxed(PlainReply::new(lines.join("\n"), json!({"lines": lines}))))
        }),
        shows("engine analyse", |shell, args| {
            let limit = limit(args)?;
            let found = shell.engine.with_guest(args.required("NAME")?, |session, guest| {
                session.ask_guest(guest, limit)
            });
            args.reply("NAME", found)
        }),
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
    let guests = shell.engine.guests.iter();
    let fields: Vec<_> = guests
        .clone()
        .map(|guest| {
            let (name, command) = (&guest.name, &guest.command);
            json!({"name": name, "command": command, "id": guest.id(), "running": guest.is_running()})
        })
        .collect();
    let line = |name: &str, command: &str, id: Option<&str>| match id {
        Some(id) => format!("{name}: {command} ({id})"),
        None => format!("{name}: {command}"),
    };
    let lines: Vec<_> = guests.map(|guest| line(&guest.name, &guest.command, guest.id())).collect();
    let text = match lines.as_slice() {
        [] => "no engine is named: `engine add NAME COMMAND`".to_owned(),
        lines => lines.join("\n"),
    };
    PlainReply::new(text, json!({"engines": fields}))
}

/// Plays a move of an engine, within the limit that was given.
pub(super) fn play(shell: &mut Shell, args: &Args<'_>, name: &str) -> Replied {
    let limit = limit(args)?;
    let played = shell.engine.with_guest(name, |session, guest| session.play_guest(guest, limit));
    played.map_err(|fault| args.blame("with", fault))
}

/// The limit that was given, in the words of the protocol.
fn limit(args: &Args<'_>) -> Result<(&'static str, u64), Fault> {
    for (flag, kind) in [("depth", "depth"), ("budget", "nodes"), ("time", "movetime")] {
        if let Some(number) = args.count(flag)? {
            return Ok((kind, number));
        }
    }
    Ok(("movetime", 1000))
}
