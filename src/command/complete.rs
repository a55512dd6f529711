//! Completions and usage hints for a line that is being typed.

use std::{borrow::Cow, collections::BTreeMap, fs};

use super::{
    Args, CommandSpec, CommandTable, Form, Kind, Param, Shell,
    lexer::{self, Word, texts},
    open, spec, table, tips,
};
use crate::{
    engine::settings::{SETTINGS, Setting, SettingShown},
    text::{
        number,
        style::{Style, set_style, style},
    },
};

/// The commands and the current values of live lists, copied so that an editor in another thread can hold them.
#[derive(Clone, Debug)]
pub struct Completions {
    pub(super) table: &'static CommandTable,
    /// The values of each live list, each with its meaning.
    live: BTreeMap<&'static str, Vec<(String, String)>>,
    /// Whether a trace is open, so that commands that do not work on a trace are left out.
    has_trace: bool,
    /// The commands that come first in the list for an empty line, because they fit the state of the search.
    useful: Vec<&'static str>,
    /// The style in which the session writes values.
    style: Style,
    /// The typed lines that failed when they last ran.
    pub failed: Vec<String>,
}

/// One completion of the word that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text in the list of completions.
    pub display: String,
    /// The text that replaces the word being typed; it ends with a blank if another word can follow.
    pub replacement: String,
    /// One line of help; may be empty.
    pub help: Cow<'static, str>,
}

impl Default for Completions {
    fn default() -> Self {
        Self {
            table: table(),
            live: BTreeMap::new(),
            has_trace: false,
            useful: Vec::new(),
            style: style(),
            failed: Vec::new(),
        }
    }
}

impl Shell {
    /// The completions for the current state of the session.
    pub fn completions(&self) -> Completions {
        let kinds = self.table.specs().flat_map(|spec| &spec.params).map(|param| param.kind);
        let mut live = BTreeMap::new();
        for kind in kinds {
            if let Kind::Live(list) = kind {
                live.entry(list.name).or_insert_with(|| list.values(self));
            }
        }
        let useful = tips::useful(self);
        let (has_trace, failed) = (self.engine.has_trace(), self.failed.clone());
        Completions { table: self.table, live, has_trace, useful, style: style(), failed }
    }
}

impl Completions {
    /// Completions of a line up to the cursor, and the byte offset of the text that the completions replace.
    pub fn complete(&self, before: &str) -> (usize, Vec<Candidate>) {
        let words = lexer::unfinished(before);
        let mut list = List::new(&words);
        self.statement(&mut list, before, &words);
        let useful = if before.trim().is_empty() { &*self.useful } else { &[] };
        let is_named = |line: &&str, name: &str| line.split(' ').next() == Some(name);
        let rank = |name: &str| useful.iter().position(|line| is_named(line, name));
        list.found.sort_by_cached_key(|it| {
            let rank = rank(&it.display).unwrap_or(useful.len());
            let key = it.display.strip_suffix('=');
            let setting = key.filter(|_| list.has_settings).map(usual_setting);
            (rank, key.is_none(), setting, it.display.clone())
        });
        list.found.dedup_by(|a, b| a.display == b.display);
        (list.start, list.found)
    }

    /// A hint for the end of the line: after `SETTING=` the values of the setting, after another `KEY=` or a flag its meaning,
    /// after a value in centipawns what it is in pawns, otherwise the parameters that the command can still take. `None` if there are none.
    pub fn usage_hint(&self, before: &str) -> Option<String> {
        let words = lexer::unfinished(before);
        let (partial, done) = words.split_last()?;
        let typed = texts(done);
        let (spec, length) = self.table.exact(&typed)?;
        if let Some((name, value)) = partial.text.split_once('=') {
            if !value.is_empty() {
                // Each thread has a style of its own; that of the session is copied to the editor's.
                set_style(self.style);
                let is_value = ["value", "alpha", "beta"].contains(&name);
                let note = number::centipawns_note(value).filter(|_| is_value)?;
                return Some(format!("  {note}"));
            }
            let pairs = spec.params.iter().find(|param| param.form == Form::Pairs)?;
            let takes_settings = matches!(pairs.kind, Kind::Live(list) if list.name == "setting");
            let setting = Setting::by_name(name).filter(|_| takes_settings);
            let values = setting.map(|setting| (setting.accepts)());
            let meaning = values.unwrap_or_else(|| pairs.meaning(name).to_owned());
            return Some(format!(" {meaning}")).filter(|_| !meaning.is_empty());
        }
        if !partial.text.is_empty() {
            return None;
        }
        let (args, next) = Args::so_far(spec, before, &done[length..]);
        if let Some(flag) = next.filter(|param| param.form == Form::Flag) {
            return Some(flag.value_hint());
        }
        let is_open = |param: &&Param| param.form == Form::Pairs || args.lacks(param.name);
        let usage = spec::usage(spec.params.iter().filter(is_open));
        Some(usage.trim_start().to_owned()).filter(|usage| !usage.is_empty())
    }

    fn statement(&self, list: &mut List<'_>, source: &str, words: &[Word<'_>]) {
        let Some((_, done)) = words.split_last() else {
            return;
        };
        let typed = texts(done);
        self.names(list, &typed);
        if done.is_empty() {
            list.words(self.aliases().map(|name| (name, "a command of your own")));
        }
        // `trace` begins commands of its own, so it does not abbreviate `tracepoint`.
        let begins = !list.found.is_empty();
        let abbreviated = || self.table.abbreviated(&typed).ok()?.filter(|_| !begins);
        let found = self.table.exact(&typed).or_else(abbreviated);
        if let Some((spec, length)) = found.filter(|(spec, _)| self.is_offered(spec)) {
            self.argument(list, spec, source, &words[length..]);
        }
    }

    /// Offers the next words of the names that begin with the typed words: each with the summary of its command or, if no command
    /// ends with the word, with the words that can follow.
    fn names(&self, list: &mut List<'_>, typed: &[&str]) {
        let mut found = BTreeMap::<_, (Option<&'static str>, Vec<_>)>::new();
        // Abbreviations such as `b` and `bt` would crowd out the commands that they abbreviate.
        let is_all = typed.is_empty() && list.partial.is_empty();
        let is_listed = |name: &str, spec: &CommandSpec| {
            self.is_offered(spec) && (!is_all || name == spec.name || name.len() > 2)
        };
        for (name, spec) in self.table.names().filter(|(name, spec)| is_listed(name, spec)) {
            let words: Vec<_> = name.split(' ').collect();
            match words.strip_prefix(typed) {
                Some([next]) => found.entry(*next).or_default().0 = Some(spec.summary),
                Some([next, verb, ..]) => found.entry(*next).or_default().1.push(*verb),
                _ => {}
            }
        }
        for (name, (summary, mut verbs)) in found {
            verbs.dedup();
            let verbs = || Cow::from(format!("commands: {}", verbs.join(", ")));
            list.offer(name, " ", summary.map_or_else(verbs, Cow::from));
        }
    }

    const fn is_offered(&self, spec: &CommandSpec) -> bool {
        spec.works_on_trace || !self.has_trace
    }

    fn argument(
        &self,
        list: &mut List<'_>,
        spec: &'static CommandSpec,
        source: &str,
        words: &[Word<'_>],
    ) {
        let Some((partial, done)) = words.split_last() else {
            return;
        };
        let is_opener = spec.name == "open" || open::OPENERS.contains(&spec.name);
        list.opener = is_opener.then_some(spec.name);
        let (args, next) = Args::so_far(spec, source, done);
        if partial.text.starts_with('-') && !partial.quoted {
            list.flags(spec, &args);
        }
        if let Some(flag) = next.filter(|param| param.form == Form::Flag) {
            return self.values(list, flag, source, words);
        }
        // An argument that is required comes before the pairs.
        if next.is_none_or(|param| !param.required) {
            self.pairs(list, spec, &args);
        }
        if let Some(param) = next.filter(|_| !partial.text.contains('=')) {
            self.values(list, param, source, words);
        }
    }

    /// Offers the keys that have not been typed yet, and after `=` the values of a key in the live list: `fails=low`.
    fn pairs(&self, list: &mut List<'_>, spec: &CommandSpec, args: &Args<'_>) {
        for param in spec.params.iter().filter(|param| param.form == Form::Pairs) {
            let Kind::Live(keys) = param.kind else { continue };
            list.has_settings |= keys.name == "setting";
            for (offered, _) in self.live(keys.name) {
                let key = offered.split_once('=').map_or(offered.as_str(), |(key, _)| key);
                let has_key = list.partial.contains('=');
                let (name, after) = if has_key { (&**offered, "") } else { (key, "=") };
                if args.lacks(key) {
                    list.offer(name, after, param.meaning(name));
                }
            }
        }
    }

    pub(super) fn aliases(&self) -> impl Iterator<Item = &str> {
        self.live("alias").iter().map(|(name, _)| name.as_str())
    }

    fn live(&self, name: &str) -> &[(String, String)] {
        self.live.get(name).map_or(&[], Vec::as_slice)
    }

    fn values(&self, list: &mut List<'_>, param: &Param, source: &str, words: &[Word<'_>]) {
        match param.kind {
            Kind::Choice => {
                list.words(param.choices.iter().map(|choice| (choice.name, choice.help)));
            }
            Kind::Live(live) => {
                for (name, meaning) in self.live(live.name) {
                    let help = if meaning.is_empty() { param.meaning(name) } else { meaning };
                    list.offer(name, " ", help.to_owned());
                }
            }
            Kind::File => list.found.extend(files(list.partial, list.quoted, list.opener)),
            Kind::Text if param.name.starts_with("if ") => list.offer("if", " ", param.help),
            Kind::CommandName => self.names(list, &texts(&words[..words.len() - 1])),
            Kind::CommandLine => self.statement(list, source, nested(words)),
            _ => {}
        }
    }
}

/// The rank of a key in a list of settings: first the settings that every summary shows, in their order, then other keys, at last
/// the switches of defects.
fn usual_setting(name: &str) -> usize {
    let mut usual = SETTINGS.iter().filter(|setting| setting.shown == SettingShown::Always);
    let is_switch = Setting::by_name(name).is_some_and(Setting::is_defect);
    let other = SETTINGS.len() + usize::from(is_switch);
    usual.position(|setting| setting.name == name).unwrap_or(other)
}

struct List<'w> {
    partial: &'w str,
    start: usize,
    quoted: bool,
    /// Whether names of settings are among the completions.
    has_settings: bool,
    /// The command if it opens files: then only those that it can open are offered.
    opener: Option<&'static str>,
    found: Vec<Candidate>,
}

impl<'w> List<'w> {
    fn new(words: &'w [Word<'w>]) -> Self {
        let (partial, start, end) =
            words.last().map_or(("", 0, 0), |word| (&*word.text, word.span.start, word.span.end));
        let quoted = end - start != partial.len();
        Self { partial, start, quoted, has_settings: false, opener: None, found: Vec::new() }
    }

    fn words<'n>(&mut self, names: impl Iterator<Item = (&'n str, &'static str)>) {
        for (name, help) in names {
            self.offer(name, " ", help);
        }
    }

    fn offer(&mut self, name: &str, after: &str, help: impl Into<Cow<'static, str>>) {
        if name.starts_with(self.partial) {
            let replacement = format!("{name}{after}");
            let display = replacement.trim_end().to_owned();
            self.found.push(Candidate { display, replacement, help: help.into() });
        }
    }

    fn flags(&mut self, spec: &CommandSpec, args: &Args<'_>) {
        for Param { name, help, .. } in spec.flags().filter(|param| args.lacks(param.name)) {
            self.offer(&format!("--{name}"), " ", *help);
        }
    }
}

/// The command line within the arguments of `expect error COMMAND` and `alias NAME = COMMAND`.
fn nested<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let done = &words[..words.len() - 1];
    match done {
        [error, ..] if error.text == "error" => &words[1..],
        [_, equals, ..] if equals.text == "=" => &words[2..],
        _ => words,
    }
}

const MOST_FILES: usize = 200;

/// Files and folders whose paths begin with the typed text; hidden ones only after a dot. For an `opener`, only files that this
/// command opens, each with its kind.
fn files(partial: &str, quoted: bool, opener: Option<&str>) -> Vec<Candidate> {
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
        let path = entry.path();
        let kind = match path.is_dir() {
            _ if !shown => return None,
            false if let Some(opener) = opener => open::kind_of(&path, opener)?,
            _ => "",
        };
        Some(Candidate {
            help: kind.into(),
            ..path_candidate(folder, &name, path.is_dir(), quoted)
        })
    };
    entries.flatten().filter_map(candidate).take(MOST_FILES).collect()
}

fn path_candidate(folder: &str, name: &str, is_folder: bool, quoted: bool) -> Candidate {
    let path = format!("{folder}{name}");
    let quote = if quoted || path.contains(lexer::is_special) { "'" } else { "" };
    // A folder's quote stays open, because a name within the folder follows.
    let (slash, end) = if is_folder { ("/", String::new()) } else { ("", format!("{quote} ")) };
    Candidate {
        display: format!("{name}{slash}"),
        replacement: format!("{quote}{path}{slash}{end}"),
        help: Cow::default(),
    }
}
