//! General commands: help, aliases, scripts, `expect`.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    command::{
        Args, FamilyDefinition, Fault, LiveList, Replied, Reply, Shell, boxed, changes, expect,
        help, lexer, message, open, shows, shows_or_changes,
    },
    engine::session::reply::PlainReply,
    text::lines,
};

const MANUAL: &str = r#"
* help, ?
  lists the commands, or shows how one works
  - [COMMAND…]  many command  a command, its first word, a family, `all`, `start`, or words to look for
  - --markdown  the command table as Markdown
  Without arguments: the commands that are useful now, and the names of all families. With the name of a command, option, setting, event, term, sign
  or key: its meaning; capital letters make no difference. With a family, or the first word of several commands: those commands; with `all`: every
  command; with `events`, `signs`, `settings` or `keys`: all of them. `start` is for newcomers. With other words: everything that mentions them, names
  first. Every command also takes --json, and then replies with one JSON object, which names its `command`.
  > help  > help start  > help all  > help expect  > help raise  > help events  > help script  > help --markdown
* alias
  defines a short name for a command line, or lists the aliases
  - [NAME = COMMAND…]  verbatim line  the name, and the command line it stands for
  Words typed after the name are added at the end. Quote several commands: NAME = "COMMAND; COMMAND". Aliases are saved with the session. An alias
  cannot have the name of a command, and cannot use another alias.
  > alias  > alias v = version --json  > alias hello = "echo hello; echo again"  > alias hello
* unalias
  removes an alias
  - NAME  @alias  its name
  > unalias hello
* source, .
  runs the commands of a file
  - FILE  file  the script, relative to the folder of the script that sources it; `-` for standard input
  The replies are those of the commands in the file, as if they stood in its place. A script that would run itself is refused.
  > source opening.ply
* open
  recognises a file and opens it: script, session, trace, game in PGN, cache
  - FILE  file  the file
  Files are recognised by their content. A script is run, a session restored, a trace opened, and so on; a file of another game begins a session of that
  game. `plyscope FILE` does the same.
  > open opening.ply
* echo
  prints a text
  - [TEXT…]  rest text  what to print
  Quotes around all of it keep blanks and semicolons.
  > echo depth 3 follows  > echo 'one; two'
* expect, assert
  fails unless a value in a reply is as expected
  - QUERY OP VALUE…  rest line  a path into the reply, a comparison and the expected value
  QUERY is a path into the JSON of the last reply, such as `value`, `best[0]`, `moves.len` or `cache.hits`; with a command before it (`eval value`),
  a path into that command's reply. `expect` does not change the last reply. OP is ==, !=, <, <=, >, >=, `contains`, or ~ with an optional tolerance
  after the value (default: 1e-9). Numbers compare as numbers, everything else as text; a number in quotes is a text. `expect error COMMAND` holds if
  the command fails, `expect error "TEXT" COMMAND` if its error contains the text.
  > expect value == 0.5  > expect best[0] == d6  > expect nodes <= 100_000  > expect value ~ 0.3333 0.0001  > expect winner == null
  > expect version program == plyscope  > expect error source no-such-file  > expect error "no such file" source no-such-file
* tips
  switches tips on or off: commands to use next, shown after a search has stopped
  - [SWITCH]  one of  on or off
    on: shown at the prompt and on the screen, each three times at most
    off: none in this session; `tips: false` in the configuration switches them off for good
  > tips  > tips off
* version
  shows the name and version of the program
  > version  > version --json
* quit, exit, q
  leaves the program
  The rest of a script is not run; that is not an error.
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "General",
    manual: MANUAL,
    lists: &[LiveList::new("alias", |shell| shell.aliases().keys().cloned().collect())],
    run: &[
        shows("help", |shell, args| {
            if args.has("markdown") {
                let text = help::markdown(shell.table);
                return Ok(boxed(PlainReply::new(text.trim_end(), json!({"markdown": text}))));
            }
            let words: Vec<_> = args.texts("COMMAND").flat_map(str::split_whitespace).collect();
            if words.is_empty() {
                return Ok(help::now(shell));
            }
            let written = words.join(" ");
            if let Some(body) = shell.aliases().get(&written) {
                return Ok(aliases([(written.as_str(), body.as_str())]));
            }
            let settings = shell.session().settings(true).settings;
            let index = help::HelpIndex::new(shell.table, &shell.keys, &settings);
            index.about(&written).map_err(|fault| args.blame("COMMAND", fault))
        }),
        shows_or_changes("alias", alias),
        changes("unalias", |shell, args| {
            let name = args.required("NAME")?;
            if !shell.remove_alias(name) {
                return Err(args.blame("NAME", no_alias(shell, name)));
            }
            Ok(message(format!("alias {name} is removed")))
        }),
        changes("source", |shell, args| {
            let file = args.required("FILE")?.to_owned();
            let folder = shell.script_folder().map_or_else(Default::default, ToOwned::to_owned);
            let path = if file == "-" { file.clone().into() } else { folder.join(&file) };
            shell.load_file(&path).map_err(|failure| {
                let mut fault = failure.fault;
                if let (Some(at), Some(_)) = (failure.place, fault.at.take()) {
                    let file = at.file.unwrap_or_default();
                    fault.message = format!("{file}:{}:{}: {}", at.line, at.column, fault.message);
                }
                args.blame("FILE", fault)
            })?;
            Ok(boxed(PlainReply::not_compared("", json!({"source": file}))))
        }),
        // The commands that open the file report what they change.
        shows("open", open::open),
        shows("echo", |_, args| {
            let text = args.text("TEXT").unwrap_or_default();
            Ok(boxed(PlainReply::not_compared(text, json!({"echo": text}))))
        }),
        shows("expect", expect::expect),
        shows("tips", |shell, args| {
            shell.tips = args.text("SWITCH").map_or(shell.tips, |switch| switch == "on");
            let text = if shell.tips { "tips are on" } else { "tips are off" };
            Ok(boxed(PlainReply::not_compared(text, json!({"tips": shell.tips}))))
        }),
        shows("version", |_, _| {
            let (program, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
            let fields = json!({"program": program, "version": version});
            Ok(boxed(PlainReply::new(format!("{program} {version}"), fields)))
        }),
        shows("quit", |shell, _| {
            shell.leave();
            Ok(boxed(PlainReply::new("", json!({"quit": true}))))
        }),
    ],
};

fn alias(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let Some(text) = args.text("NAME = COMMAND") else {
        return Ok(aliases(shell.aliases().iter().map(|(name, body)| (&**name, &**body))));
    };
    let blame = |fault| args.blame("NAME = COMMAND", fault);
    let Some((name, body)) = text.split_once('=') else {
        let name = text.trim();
        let body = shell.aliases().get(name).ok_or_else(|| blame(no_alias(shell, name)))?;
        return Ok(aliases([(name, body.as_str())]));
    };
    let name = name.trim();
    check_name(shell, name).map_err(|fault| blame(fault.at(0..name.len())))?;
    let start = text.len() - body.trim_start().len();
    let body = unquoted(body.trim());
    check_body(shell, &body).map_err(|fault| blame(fault.at(start..text.len())))?;
    let report = aliases([(name, body.as_str())]);
    shell.set_alias(name, body);
    Ok(report)
}

fn aliases<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Box<dyn Reply> {
    let entries: BTreeMap<_, _> = entries.into_iter().collect();
    let line = |(name, body): (&&str, &&str)| {
        let needs_quotes = body.contains([';', '\n', '#']);
        // No kind of quotes can enclose a body that contains both kinds.
        let quote = match (needs_quotes, body.contains('\''), body.contains('"')) {
            (true, false, _) => "'",
            (true, true, false) => "\"",
            _ => "",
        };
        format!("alias {name} = {quote}{body}{quote}")
    };
    let text =
        if entries.is_empty() { "no aliases".to_owned() } else { lines(entries.iter().map(line)) };
    boxed(PlainReply::new(text, json!({"aliases": entries})))
}

fn no_alias(shell: &Shell, name: &str) -> Fault {
    let names = shell.aliases().keys().map(String::as_str);
    let hint = super::suggest::did_you_mean(name, names);
    let how = || "`alias` lists them, `alias NAME = COMMAND` makes one".to_owned();
    Fault::new(format!("there is no alias `{name}`")).hint(hint.unwrap_or_else(how))
}

/// Checks the name of an alias: a plain word with which no command begins, so that scripts keep their meaning.
fn check_name(shell: &Shell, name: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.chars().all(plain) || !name.starts_with(char::is_alphabetic) {
        return Err(Fault::new(format!("`{name}` is not a valid name"))
            .hint("a name is one word of letters, digits, _ and -, and begins with a letter"));
    }
    if shell.table.names().any(|(own, _)| own.split(' ').next() == Some(name)) {
        let fault = Fault::new(format!("`{name}` is a command of the program"));
        return Err(fault.hint("choose another name"));
    }
    Ok(())
}

/// Checks that the command of an alias exists. Arguments are not checked, because words may be added to them.
fn check_body(shell: &Shell, body: &str) -> Result<(), Fault> {
    if let Some(problem) = lexer::check(body) {
        return Err(Fault::new(problem.message));
    }
    for lexed in lexer::statements(body, 0) {
        let words = lexer::texts(&lexed.words);
        if shell.table.exact(&words).is_none() {
            return Err(shell.table.unknown(&words));
        }
    }
    if lexer::next_statement(body, 0).is_none() {
        return Err(Fault::new("the alias has no command").hint("usage: alias NAME = COMMAND…"));
    }
    Ok(())
}

fn unquoted(text: &str) -> String {
    match lexer::next_statement(text, 0).map(|lexed| lexed.words) {
        Some(words) if words.len() == 1 && words[0].quoted => words[0].text.to_string(),
        _ => text.to_owned(),
    }
}
