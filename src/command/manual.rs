//! Manuals: commands in plain text, from which arguments are read, help is shown and lines are completed.
//!
//! ```text
//! ** cache list, cache ls                                  name, other names; `*`: for the trace of another program too;
//!                                                          `**`: with all of its table
//!   lists entries                                          summary: one line, without a full stop
//!   - [FILTER…]  rest text  a condition                    parameter: how it is written, what it can be, help
//!   - --sort  one of  the order
//!     key: by key                                          a value it can have, with its meaning
//!   - --depth, --offset  see cache histogram               parameters as another command has them
//!   Any other line is about what the summary leaves open.
//!   > cache list  > cache list depth>=2 --sort value       examples; where there are none the name is one
//! ```
//!
//! Parameters are written `WORD`, `WORDS…`, `KEY=…` or `--flag`; words and pairs in brackets may be left out, flags
//! always. What they can be is `count`, `1..9` or `1..`, `score`, `text`, `file`, `command` (a name), `line` (a command
//! with its arguments), `one of`, or `@LIST`, a [`LiveList`]; a flag that says nothing there has no value. `many`, `rest` and
//! `verbatim` before it tell how the words that remain are taken: see [`Form`].

use super::{
    Choice, Family, Fault, Form, Kind, LiveList, Param, Spec,
    spec::{Action, Changes},
};

/// Commands that belong together: their manual, and what runs them.
#[derive(Debug)]
pub struct Chapter {
    /// The heading in `help`.
    pub title: &'static str,
    /// The commands in the order of `help`.
    pub manual: &'static str,
    /// What parameters of any chapter may take their values from.
    pub lists: &'static [LiveList],
    /// A handler for each command.
    pub run: &'static [NamedHandler],
}

/// What is said of a command that does not work on a trace, where others of its chapter do.
const NEEDS_OWN: &str = "It needs a search of this program's own.";

/// A command's name, its handler, and when it may change what a session file holds.
pub type NamedHandler = (&'static str, Action, Changes);

/// A command that leaves what a session file holds as it is.
pub const fn shows(name: &'static str, run: Action) -> NamedHandler {
    (name, run, Changes::Never)
}

/// A command that may change what a session file holds.
pub const fn changes(name: &'static str, run: Action) -> NamedHandler {
    (name, run, Changes::Always)
}

/// A command that may change it where something follows the command's name.
pub const fn shows_or_changes(name: &'static str, run: Action) -> NamedHandler {
    (name, run, Changes::WithArguments)
}

/// A command that puts another game in the place of the one at hand.
pub const fn begins(name: &'static str, run: Action) -> NamedHandler {
    (name, run, Changes::AnotherGame)
}

/// Reads the manuals of chapters that know each other.
pub fn families(chapters: &'static [Chapter]) -> Vec<Family> {
    let manuals = Manuals { chapters };
    let family = |chapter: &'static Chapter| Family {
        title: chapter.title,
        commands: entries(chapter.manual).map(|entry| manuals.spec(chapter, &entry)).collect(),
    };
    chapters.iter().map(family).collect()
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
    chapters: &'static [Chapter],
}

impl Manuals {
    fn spec(&self, chapter: &Chapter, entry: &ManualEntry) -> Spec {
        let name = entry.names[0];
        let unhandled = shows(name, |_, _| Err(Fault::new("this command has no handler")));
        let found = chapter.run.iter().find(|(known, ..)| *known == name);
        let (_, run, changes) = *found.unwrap_or(&unhandled);
        let lines = entry.lines.iter().filter_map(|line| line.strip_prefix("> "));
        let mut examples: Vec<_> = lines.flat_map(|line| line.split("  > ")).collect();
        if examples.is_empty() {
            examples.push(name);
        }
        let others_do = entry.stars == 0 && chapter.manual.contains("\n*");
        let needs_own = others_do.then_some(NEEDS_OWN);
        let mut prose = entry.lines.iter().filter(|line| !line.starts_with(['-', '>', ' ']));
        Spec {
            name,
            aliases: entry.names[1..].to_vec(),
            params: self.params(entry),
            works_on_trace: entry.stars > 0,
            needs_table: entry.stars > 1,
            summary: prose.next().copied().unwrap_or_default(),
            details: needs_own.into_iter().chain(prose.copied()).collect::<Vec<_>>().join(" "),
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

    /// The parameter of a line, or those that another command describes.
    fn described(&self, line: &'static str) -> Vec<Param> {
        let (spelling, rest) = line.split_once("  ").unwrap_or((line, ""));
        if let Some(other) = rest.strip_prefix("see ") {
            let mut all = self.chapters.iter().flat_map(|chapter| entries(chapter.manual));
            let other = all.find(|entry| entry.names[0] == other);
            let params = other.map_or(Vec::new(), |other| self.params(&other));
            let wanted: Vec<_> = spelling.split(", ").map(|spelling| spelled(spelling).0).collect();
            return params.into_iter().filter(|param| wanted.contains(&param.name)).collect();
        }
        let (kind, help) = rest.split_once("  ").unwrap_or(("", rest));
        let (name, form, required) = spelled(spelling);
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
                let mut lists = self.chapters.iter().flat_map(|chapter| chapter.lists);
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

/// A parameter's name, its form and whether the command needs it, by how it is written.
fn spelled(spelling: &'static str) -> (&'static str, Form, bool) {
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
