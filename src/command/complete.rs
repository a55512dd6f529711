//! Completion and usage hints for a line being typed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use super::{
    CommandTable, Form, Kind, Param, Shell, Spec,
    lexer::{self, Word},
    spec, table,
};

/// What completion knows of a session: a copy, so that an editor in another thread can hold it.
#[derive(Clone, Debug)]
pub struct Completions {
    table: &'static CommandTable,
    aliases: BTreeSet<String>,
    live: BTreeMap<&'static str, Vec<String>>,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// As listed.
    pub display: String,
    /// What takes the place of the text from the start on, a blank included where a new word follows.
    pub replacement: String,
    /// What it is, in a line; empty where nothing is known.
    pub help: &'static str,
}

impl Default for Completions {
    fn default() -> Self {
        Self { table: table(), aliases: BTreeSet::new(), live: BTreeMap::new() }
    }
}

impl Completions {
    /// What a shell holds now.
    pub(super) fn of(shell: &Shell) -> Self {
        let kinds = shell.table.specs().flat_map(|spec| spec.params).map(|param| param.kind);
        let mut live = BTreeMap::new();
        for kind in kinds {
            if let Kind::Live(list) = kind {
                live.entry(list.name).or_insert_with(|| (list.list)(shell));
            }
        }
        Self { table: shell.table, aliases: shell.aliases().keys().cloned().collect(), live }
    }

    /// Whether a word alone is a command of the user's.
    pub fn is_alias(&self, name: &str) -> bool {
        self.aliases.contains(name)
    }

    /// The command table.
    pub fn table(&self) -> &'static CommandTable {
        self.table
    }

    /// The ways to go on from a line up to the cursor, and where the text they replace starts.
    pub fn complete(&self, before: &str) -> (usize, Vec<Candidate>) {
        let words = lexer::unfinished(before);
        let mut list = List::new(&words);
        self.statement(&mut list, &words);
        list.finish()
    }

    /// What may still follow a command that has been typed in full.
    pub fn usage_hint(&self, before: &str) -> Option<String> {
        let words = lexer::unfinished(before);
        let (partial, done) = words.split_last()?;
        let typed = texts(done);
        let (spec, length) = self.table.exact(&typed)?;
        if !partial.text.is_empty() {
            return None;
        }
        let usage = spec::usage(remaining(spec, &typed[length..]));
        Some(usage.trim_start().to_owned()).filter(|usage| !usage.is_empty())
    }

    /// Completes a command line: its name, or an argument once the name is there.
    fn statement(&self, list: &mut List<'_>, words: &[Word<'_>]) {
        let Some((partial, done)) = words.split_last() else {
            return;
        };
        let typed = texts(done);
        self.names(list, &typed);
        if done.is_empty() {
            list.words(self.aliases.iter().map(|name| (name.as_str(), "a command of your own")));
        }
        let found = self.table.exact(&typed).or_else(|| self.table.abbreviated(&typed).ok()?);
        if let Some((spec, length)) = found {
            self.argument(list, spec, &words[length..], partial);
        }
    }

    /// The next words of all names that begin with the words typed.
    fn names(&self, list: &mut List<'_>, typed: &[&str]) {
        let next = |(name, spec): (&'static str, &'static Spec)| {
            let words: Vec<_> = name.split(' ').collect();
            let next = words.starts_with(typed).then(|| words.get(typed.len()).copied())??;
            Some((next, if words.len() == typed.len() + 1 { spec.summary } else { "" }))
        };
        // A word that is a name and begins others is offered with what it does alone.
        let mut names: Vec<_> = self.table.names().filter_map(next).collect();
        names.sort_by_key(|(name, help)| (*name, help.is_empty()));
        list.words(names.into_iter());
    }

    fn argument(
        &self,
        list: &mut List<'_>,
        spec: &'static Spec,
        words: &[Word<'_>],
        partial: &Word<'_>,
    ) {
        let typed = texts(&words[..words.len() - 1]);
        if partial.text.starts_with('-') && !partial.quoted {
            list.flags(spec, &typed);
        }
        let flag = typed.last().and_then(|word| flag_name(word));
        if let Some(param) = flag.and_then(|flag| flag_param(spec, flag)) {
            return self.values(list, param, words);
        }
        if let Some((key, _)) = partial.text.split_once('=') {
            let param =
                spec.params.iter().find(|param| param.form == Form::Pair && param.name == key);
            if let Some(param) = param {
                list.after_equals(key.len());
                self.values(list, param, words);
            }
            return;
        }
        self.pairs(list, spec, &typed);
        if let Some(param) = positional(spec, &typed) {
            self.values(list, param, words);
        }
    }

    /// The keys not given yet.
    fn pairs(&self, list: &mut List<'_>, spec: &Spec, typed: &[&str]) {
        for param in spec.params.iter().filter(|param| param.is_pair()) {
            let live = match (param.form, param.kind) {
                (Form::AnyPair, Kind::Live(keys)) => self.live(keys.name),
                _ => &[],
            };
            let fixed = (param.form == Form::Pair).then_some(param.name);
            let help = fixed.map_or("", |_| param.help);
            for key in fixed.into_iter().chain(live.iter().map(String::as_str)) {
                // A live list may spell out the values of its keys.
                let offered = if key.contains('=') { key.to_owned() } else { format!("{key}=") };
                let given = |word: &&str| {
                    word.split_once('=').map(|pair| pair.0)
                        == offered.split_once('=').map(|pair| pair.0)
                };
                if !typed.iter().any(given) {
                    list.offer(&offered, "", help);
                }
            }
        }
    }

    fn live(&self, name: &str) -> &[String] {
        self.live.get(name).map_or(&[], Vec::as_slice)
    }

    /// The values a parameter can have.
    fn values(&self, list: &mut List<'_>, param: &Param, words: &[Word<'_>]) {
        match param.kind {
            Kind::Choice(choices) => {
                list.words(choices.iter().map(|choice| (choice.name, choice.help)));
            }
            Kind::Live(live) => {
                list.words(self.live(live.name).iter().map(|name| (name.as_str(), "")));
            }
            Kind::File => list.files(),
            Kind::CommandName => self.names(list, &texts(&words[..words.len() - 1])),
            Kind::CommandLine => self.statement(list, nested(words)),
            _ => {}
        }
    }
}

/// The candidates for one place in the line.
struct List<'w> {
    /// What has been typed of it.
    partial: &'w str,
    start: usize,
    quoted: bool,
    found: Vec<Candidate>,
}

impl<'w> List<'w> {
    fn new(words: &'w [Word<'w>]) -> Self {
        let (partial, start, end) =
            words.last().map_or(("", 0, 0), |word| (&*word.text, word.span.start, word.span.end));
        Self { partial, start, quoted: end - start != partial.len(), found: Vec::new() }
    }

    /// Completes only what follows the equals sign.
    fn after_equals(&mut self, key: usize) {
        self.partial = &self.partial[key + 1..];
        self.start += key + 1;
    }

    fn words<'n>(&mut self, names: impl Iterator<Item = (&'n str, &'static str)>) {
        for (name, help) in names {
            self.offer(name, " ", help);
        }
    }

    fn offer(&mut self, name: &str, after: &str, help: &'static str) {
        if name.starts_with(self.partial) {
            self.found.push(Candidate {
                display: name.to_owned(),
                replacement: format!("{name}{after}"),
                help,
            });
        }
    }

    fn flags(&mut self, spec: &Spec, typed: &[&str]) {
        let flags = spec.params.iter().filter(|param| param.form == Form::Flag);
        let flags = flags.map(|param| (param.name, param.help));
        for (name, help) in flags.chain([("json", "the answer as one JSON object")]) {
            if !typed.iter().any(|word| flag_name(word) == Some(name)) {
                self.offer(&format!("--{name}"), " ", help);
            }
        }
    }

    fn files(&mut self) {
        self.found.extend(files(self.partial, self.quoted));
    }

    fn finish(mut self) -> (usize, Vec<Candidate>) {
        self.found.sort_by(|a, b| a.display.cmp(&b.display));
        self.found.dedup_by(|a, b| a.display == b.display);
        (self.start, self.found)
    }
}

fn texts<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words.iter().map(|word| &*word.text).collect()
}

/// The name of a flag whose value would be the next word.
fn flag_name(word: &str) -> Option<&str> {
    word.strip_prefix("--")
}

fn flag_param(spec: &'static Spec, name: &str) -> Option<&'static Param> {
    let valued = |param: &&Param| param.form == Form::Flag && !matches!(param.kind, Kind::Switch);
    spec.params.iter().filter(valued).find(|param| param.name == name)
}

fn is_pair(spec: &Spec, word: &str) -> bool {
    word.contains('=') && spec.params.iter().any(Param::is_pair)
}

/// How many of the words typed are positional.
fn positional_count(spec: &'static Spec, typed: &[&str]) -> usize {
    let mut count = 0;
    let mut words = typed.iter();
    while let Some(word) = words.next() {
        match flag_name(word) {
            Some(flag) if flag_param(spec, flag).is_some() => {
                words.next();
            }
            Some(_) => {}
            None if is_pair(spec, word) => {}
            None => count += 1,
        }
    }
    count
}

/// The positional parameter that comes after the words typed.
fn positional(spec: &'static Spec, typed: &[&str]) -> Option<&'static Param> {
    let mut params = spec.params.iter().filter(|param| param.is_positional());
    let last = params.clone().next_back().filter(|param| param.form != Form::Word);
    params.nth(positional_count(spec, typed)).or(last)
}

/// The parameters not given yet.
fn remaining(spec: &'static Spec, typed: &[&str]) -> Vec<&'static Param> {
    let mut given = positional_count(spec, typed);
    let mut is_left = |param: &&Param| match param.form {
        Form::Flag => !typed.iter().any(|word| flag_name(word) == Some(param.name)),
        Form::Pair => {
            !typed.iter().any(|word| word.split_once('=').is_some_and(|pair| pair.0 == param.name))
        }
        Form::AnyPair => true,
        _ => {
            let done = given > 0;
            given = given.saturating_sub(1);
            !done
        }
    };
    spec.params.iter().filter(|param| is_left(param)).collect()
}

/// The command line within the arguments of `expect error …` and `alias NAME = …`.
fn nested<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let done = &words[..words.len() - 1];
    match done {
        [error, ..] if error.text == "error" => &words[1..],
        [_, equals, ..] if equals.text == "=" => &words[2..],
        _ => words,
    }
}

/// At most so many files are listed.
const MOST_FILES: usize = 200;

/// The files and folders whose paths begin as typed; hidden ones only when the dot has been typed.
fn files(partial: &str, quoted: bool) -> Vec<Candidate> {
    let (folder, start) = match partial.rfind('/') {
        Some(slash) => partial.split_at(slash + 1),
        None => ("", partial),
    };
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let candidate = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let shown = name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'));
        let is_folder = entry.path().is_dir();
        shown.then(|| written(folder, &name, is_folder, quoted))
    };
    entries.flatten().filter_map(candidate).take(MOST_FILES).collect()
}

fn written(folder: &str, name: &str, is_folder: bool, quoted: bool) -> Candidate {
    let path = format!("{folder}{name}");
    let special = |c: char| c.is_whitespace() || "'\"#;()[]{}\\".contains(c);
    let quote = if quoted || path.contains(special) { "'" } else { "" };
    // A folder's quote stays open for what is in it.
    let (slash, end) = if is_folder { ("/", String::new()) } else { ("", format!("{quote} ")) };
    Candidate {
        display: format!("{name}{slash}"),
        replacement: format!("{quote}{path}{slash}{end}"),
        help: "",
    }
}
