//! Manuals in plain text, from which argument parsing, help and completion are made.
//!
//! ```text
//! ** cache list, cache ls                                  name, other names; `*`: works on traces too; `**`: and needs
//!                                                          the whole table
//!   lists entries                                          summary: one line, without a full stop
//!   - [FILTER…]  rest text  a condition                    parameter: how it is written, its kind, help
//!   - --sort  one of  the order
//!     key: by key                                          a possible value with its meaning
//!   - --depth, --offset  see cache histogram               parameters shared with another command
//!   Any other line belongs to the details.
//!   > cache list  > cache list depth>=2 --sort value       examples; default: the name
//! ```
//!
//! Parameters are written `WORD`, `WORDS…`, `KEY=…` or `--flag`. Brackets make words and pairs optional; flags always are.
//! Kinds are `count`, `1..9` or `1..`, `score`, `text`, `file`, `command` (a name), `line` (a command with its arguments),
//! `one of`, and `@LIST`, a [`LiveList`]; a flag without a kind takes no value. `many`, `rest` and `verbatim` before the kind
//! say how the remaining words are taken: see [`Form`].

use super::{
    Choice, CommandSpec, Family, Fault, Form, Kind, LiveList, Param,
    spec::{Changes, Handler},
};

/// A family of commands as written in the source: a manual and handlers.
#[derive(Debug)]
pub struct FamilyDefinition {
    /// The heading of the family in `help`.
    pub title: &'static str,
    /// The manual of all commands, in the order of `help`.
    pub manual: &'static str,
    /// The family's live lists, which parameters of any family may use.
    pub lists: &'static [LiveList],
    /// The handler of each command.
    pub run: &'static [NamedHandler],
}

/// A sentence in the help of a command that does not work on traces, if another command of its family does.
const NOT_ON_TRACES: &str = "It does not work on an opened trace.";

/// The name of a command, its handler, and when the command may change what a session file stores.
pub type NamedHandler = (&'static str, Handler, Changes);

/// Defines a command that never changes what a session file stores.
pub const fn shows(name: &'static str, run: Handler) -> NamedHandler {
    (name, run, Changes::Never)
}

/// Defines a command that may change what a session file stores.
pub const fn changes(name: &'static str, run: Handler) -> NamedHandler {
    (name, run, Changes::Always)
}

/// Defines a command that with arguments may change what a session file stores, and without arguments never does.
pub const fn shows_or_changes(name: &'static str, run: Handler) -> NamedHandler {
    (name, run, Changes::WithArguments)
}

/// Defines a command that replaces the current game.
pub const fn replaces_game(name: &'static str, run: Handler) -> NamedHandler {
    (name, run, Changes::ReplacesGame)
}

/// Reads all manuals together, because they may refer to each other's parameters and lists.
pub fn families(definitions: &'static [FamilyDefinition]) -> Vec<Family> {
    let manuals = Manuals { definitions };
    let family = |definition: &'static FamilyDefinition| Family {
        title: definition.title,
        commands: entries(definition.manual)
            .map(|entry| manuals.spec(definition, &entry))
            .collect(),
    };
    definitions.iter().map(family).collect()
}

struct ManualEntry {
    stars: usize,
    names: Vec<&'static str>,
    lines: Vec<&'static str>,
}

fn entries(manual: &'static str) -> impl Iterator<Item = ManualEntry> {
    let mut lines = manual.lines().filter(|line| !line.is_empty()).peekable();
    std::iter::from_fn(move || {
        let first = lines.next()?;
        let stars = first.bytes().take_while(|sign| *sign == b'*').count();
        let names = first[stars..].trim_start().split(", ").collect();
        let indented = |line: &&str| line.starts_with("  ");
        let lines = std::iter::from_fn(|| lines.next_if(indented).map(|line| &line[2..])).collect();
        Some(ManualEntry { stars, names, lines })
    })
}

struct Manuals {
    definitions: &'static [FamilyDefinition],
}

impl Manuals {
    fn spec(&self, definition: &FamilyDefinition, entry: &ManualEntry) -> CommandSpec {
        let name = entry.names[0];
        let unhandled = shows(name, |_, _| Err(Fault::new("this command has no handler")));
        let found = definition.run.iter().find(|(known, ..)| *known == name);
        let (_, run, changes) = *found.unwrap_or(&unhandled);
        let lines = entry.lines.iter().filter_map(|line| line.strip_prefix("> "));
        let mut examples: Vec<_> = lines.flat_map(|line| line.split("  > ")).collect();
        if examples.is_empty() {
            examples.push(name);
        }
        let others_do = entry.stars == 0 && definition.manual.contains("\n*");
        let remark = others_do.then_some(NOT_ON_TRACES);
        let mut prose = entry.lines.iter().filter(|line| !line.starts_with(['-', '>', ' ']));
        CommandSpec {
            name,
            aliases: entry.names[1..].to_vec(),
            params: self.params(entry),
            works_on_trace: entry.stars > 0,
            needs_table: entry.stars > 1,
            summary: prose.next().copied().unwrap_or_default(),
            details: remark.into_iter().chain(prose.copied()).collect::<Vec<_>>().join(" "),
            examples,
            changes,
            run,
        }
    }

    fn params(&self, entry: &ManualEntry) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        for line in &entry.lines {
            if let Some(param) = line.strip_prefix("- ") {
                params.extend(self.described(param));
            } else if let (Some(choice), Some(param)) = (line.strip_prefix("  "), params.last_mut())
            {
                let (name, help) = choice.split_once(": ").unwrap_or((choice, ""));
                param.choices.push(Choice { name, help });
            }
        }
        params
    }

    /// The parameter that a line describes; or, if the line refers to another command, that command's parameters.
    fn described(&self, line: &'static str) -> Vec<Param> {
        let (spelling, rest) = line.split_once("  ").unwrap_or((line, ""));
        if let Some(other) = rest.strip_prefix("see ") {
            let mut all = self.definitions.iter().flat_map(|definition| entries(definition.manual));
            let other = all.find(|entry| entry.names[0] == other);
            let params = other.map_or(Vec::new(), |other| self.params(&other));
            let wanted: Vec<_> =
                spelling.split(", ").map(|spelling| parse_param(spelling).0).collect();
            return params.into_iter().filter(|param| wanted.contains(&param.name)).collect();
        }
        let (kind, help) = rest.split_once("  ").unwrap_or(("", rest));
        let (name, form, required) = parse_param(spelling);
        let (form, kind) = match kind.split_once(' ') {
            Some(("rest", kind)) => (Form::Rest, kind),
            Some(("verbatim", kind)) => (Form::Verbatim, kind),
            Some(("many", kind)) => (Form::Many, kind),
            _ => (form, kind),
        };
        vec![Param { name, form, required, kind: self.kind(kind), choices: Vec::new(), help }]
    }

    fn kind(&self, text: &'static str) -> Kind {
        let bound = |text: &str| text.replace('_', "").parse().ok();
        match text {
            "" => Kind::Switch,
            "count" => Kind::Range(0, u64::MAX),
            "score" => Kind::Score,
            "file" => Kind::File,
            "command" => Kind::CommandName,
            "line" => Kind::CommandLine,
            "one of" => Kind::Choice,
            _ => {
                let mut lists = self.definitions.iter().flat_map(|definition| definition.lists);
                let list =
                    text.strip_prefix('@').and_then(|name| lists.find(|list| list.name == name));
                let range = text.split_once("..").and_then(|(least, most)| {
                    Some(Kind::Range(bound(least)?, bound(most).unwrap_or(u64::MAX)))
                });
                list.map(Kind::Live).or(range).unwrap_or(Kind::Text)
            }
        }
    }
}

/// The name and form of a parameter, and whether it is required.
fn parse_param(spelling: &'static str) -> (&'static str, Form, bool) {
    let bare = spelling.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    let written = bare.unwrap_or(spelling);
    if let Some(flag) = written.strip_prefix("--") {
        (flag, Form::Flag, false)
    } else if let Some(key) = written.strip_suffix("=…") {
        (key, Form::Pairs, bare.is_none())
    } else {
        (written.trim_end_matches('…'), Form::Word, bare.is_none())
    }
}
