//! Finds commands by the words that the user typed.

use super::{CommandSpec, Family, Fault, Form, Param, suggest};
use crate::engine::settings::Setting;

/// Synonyms: words of other programs, and words that command names use for the same thing.
const SYNONYMS: &[&[&str]] = &[
    &["list", "find", "get", "show", "ls", "search", "query", "info", "print", "view", "stats"],
    &["remove", "delete", "rm", "del", "drop", "clear", "unset", "erase", "undo", "abort", "kill"],
    &["save", "write", "export", "dump", "store"],
    &["open", "load", "read", "import"],
    &["quit", "exit", "leave", "close", "bye", "logout"],
    &["run", "start", "begin", "launch", "exec"],
    &["set", "change", "edit", "put", "assign", "fen"],
    &["json", "csv", "tsv", "table", "spreadsheet", "pandas"],
    &["chart", "plot", "graph", "diagram", "curve"],
    &["value", "score", "evaluation"],
    &["stop", "pause", "halt", "interrupt"],
    &["undo", "takeback"],
    &["node", "state"],
    &["nodes", "limit", "budget"],
    &["ply", "plies", "depth"],
    &["movetime", "ms", "seconds", "time"],
];

/// The synonyms of a word, without the word.
pub(super) fn kin(word: &str) -> impl Iterator<Item = &'static str> {
    let groups = SYNONYMS.iter().filter(move |group| group.contains(&word));
    groups.flat_map(|group| group.iter().copied()).filter(move |other| *other != word)
}

/// The greatest number of synonyms suggested at a time.
const MOST_KIN: usize = 4;

/// All commands, in families.
#[derive(Clone, Copy, Debug)]
pub struct CommandTable {
    /// The families of commands, in the order of `help`.
    pub families: &'static [Family],
}

impl CommandTable {
    /// All commands, in the order of `help`.
    pub fn specs(&self) -> impl Iterator<Item = &'static CommandSpec> + use<> {
        self.families.iter().flat_map(|family| &family.commands)
    }

    /// All names, aliases included, each with its command.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static CommandSpec)> + use<> {
        self.specs().flat_map(|spec| spec.names().map(move |name| (name, spec)))
    }

    /// The command with the longest name that the typed words begin with, and the number of words in the name.
    pub fn exact(&self, typed: &[&str]) -> Option<(&'static CommandSpec, usize)> {
        let length = |name: &str| name.split(' ').count();
        let begins = |name: &str| name.split(' ').eq(typed.iter().copied().take(length(name)));
        let names = self.names().filter(|(name, _)| begins(name));
        let (name, spec) = names.max_by_key(|(name, _)| length(name))?;
        Some((spec, length(name)))
    }

    /// The command that the words abbreviate, each word by its beginning.
    /// Errors: an abbreviation of several commands.
    pub fn abbreviated(
        &self,
        typed: &[&str],
    ) -> Result<Option<(&'static CommandSpec, usize)>, Fault> {
        let longest = self.names().map(|(name, _)| name.split(' ').count()).max().unwrap_or(0);
        for length in (1..=longest.min(typed.len())).rev() {
            let candidates = self.abbreviations(&typed[..length]);
            match candidates.as_slice() {
                [] => {}
                // The second word of such a command is unknown.
                _ if length == 1 && typed.len() > 1 && !self.verbs(typed[0]).is_empty() => {}
                [(_, spec), others @ ..]
                    if others.iter().all(|(_, other)| std::ptr::eq(*other, *spec)) =>
                {
                    return Ok(Some((spec, length)));
                }
                several => return Err(ambiguous(&typed[..length].join(" "), several)),
            }
        }
        Ok(None)
    }

    /// The command that the words begin with, written in full or abbreviated.
    pub(super) fn by_name(&self, typed: &[&str]) -> Option<&'static CommandSpec> {
        let found = self.exact(typed).or_else(|| self.abbreviated(typed).ok().flatten());
        found.map(|(spec, _)| spec)
    }

    /// The names whose words begin with the typed words. If the first word is complete in some names, only those names.
    fn abbreviations(&self, typed: &[&str]) -> Vec<(&'static str, &'static CommandSpec)> {
        let matches = |name: &str| {
            let mut words = name.split(' ');
            let begins = |typed: &&str| {
                !typed.is_empty() && words.next().is_some_and(|word| word.starts_with(*typed))
            };
            typed.iter().all(begins) && words.next().is_none()
        };
        let mut all: Vec<_> = self.names().filter(|(name, _)| matches(name)).collect();
        let has_first = |(name, _): &(&str, _)| name.split(' ').next() == typed.first().copied();
        let any_has_first = all.iter().any(has_first);
        all.retain(|named| !any_has_first || has_first(named));
        all
    }

    /// The commands whose names begin with these words and have further words.
    pub fn following(&self, typed: &[&str]) -> Vec<&'static CommandSpec> {
        let is_longer = |name: &str| {
            let words: Vec<_> = name.split(' ').collect();
            words.len() > typed.len() && words.starts_with(typed)
        };
        self.specs().filter(|spec| is_longer(spec.name)).collect()
    }

    /// The fault for words that name no command, with a hint at similar commands.
    pub fn unknown(&self, typed: &[&str]) -> Fault {
        if typed.iter().take(2).any(|word| word.is_empty()) {
            return Fault::new("a command's name is never quoted").hint("remove the quotes");
        }
        let noun = typed.first().copied().unwrap_or_default();
        let verbs = self.verbs(noun);
        if verbs.is_empty() {
            // The demo is begun from the start card or the command line of the program.
            let demo = (noun == "demo").then(|| "`plyscope demo` shows the demo".to_owned());
            let hint = demo.or_else(|| self.meant(typed));
            let hint = hint.unwrap_or_else(|| "`help` lists the commands".to_owned());
            return Fault::new(format!("there is no command `{noun}`")).hint(hint);
        }
        let all = || format!("{noun} {}", verbs.join("|"));
        match typed.get(1) {
            Some(verb) => Fault::new(format!("`{noun}` has no command `{verb}`"))
                .hint(self.meant_after(noun, verb).unwrap_or_else(all)),
            None => Fault::new(format!("`{noun}` needs a second word")).hint(all()),
        }
    }

    /// The command that `noun word` may mean if no command begins with these words: a verb with a similar name, a synonym, an
    /// option, or a command by itself.
    pub(super) fn meant_after(&self, noun: &str, word: &str) -> Option<String> {
        suggest::did_you_mean(word, self.verbs(noun))
            .or_else(|| self.with_synonym(word, |name| name.split(' ').next() == Some(noun)))
            .or_else(|| self.option(word, |name| name.split(' ').next() == Some(noun)))
            .or_else(|| self.exact(&[word]).map(|_| suggest::these(&[word])))
    }

    /// The command whose name is these two words in the other order.
    pub(super) fn swapped(&self, first: &str, second: &str) -> Option<String> {
        let swapped = format!("{second} {first}");
        self.names().any(|(name, _)| name == swapped).then(|| suggest::these(&[&swapped]))
    }

    /// The commands whose last word is a synonym of this word.
    fn with_synonym(&self, word: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let is_kin =
            |name: &&str| kin(word).any(|other| name.split(' ').next_back() == Some(other));
        let names = self.specs().map(|spec| spec.name).filter(|name| wanted(name));
        let names: Vec<_> = names.filter(is_kin).collect();
        (1..=MOST_KIN).contains(&names.len()).then(|| suggest::these(&names))
    }

    /// The commands with an option of this name or of a similar one.
    fn option(&self, word: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let flag = |param: &&Param| param.form == Form::Flag;
        let specs = || self.specs().filter(|spec| wanted(spec.name));
        let flags = specs().flat_map(|spec| spec.params.iter().filter(flag));
        let name = *suggest::similar(word, flags.map(|param| param.name)).first()?;
        let has_it =
            |spec: &&CommandSpec| spec.params.iter().filter(flag).any(|it| it.name == name);
        let named = specs().filter(has_it).map(|spec| format!("{} --{name}", spec.name));
        let named: Vec<_> = named.take(MOST_KIN).collect();
        Some(suggest::these(&named.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    /// The most similar name, of two words in either order or of the first; else a synonym, setting or option of this name.
    fn meant(&self, typed: &[&str]) -> Option<String> {
        let names = || self.names().map(|(name, _)| name);
        if let [first, second, ..] = typed {
            if let Some(hint) = self.swapped(first, second) {
                return Some(hint);
            }
            let pairs = names().filter(|name| name.contains(' '));
            if let Some(hint) = suggest::did_you_mean(&format!("{first} {second}"), pairs) {
                return Some(hint);
            }
            let has_noun = |name: &str| name.split(' ').next() == Some(second);
            if let Some(hint) = self.with_synonym(first, has_noun) {
                return Some(hint);
            }
        }
        let first = *typed.first()?;
        let firsts = names().map(|name| name.split(' ').next().unwrap_or(name));
        let setting = || {
            let Setting { name, .. } = Setting::by_name(first.split('=').next()?)?;
            Some(suggest::these(&[&format!("search set {name}=…")]))
        };
        suggest::did_you_mean(first, firsts)
            .or_else(|| self.with_synonym(first, |name| !name.contains(' ')))
            .or_else(|| self.with_synonym(first, |_| true))
            .or_else(|| self.ending_in(first))
            .or_else(setting)
            .or_else(|| self.option(first, |_| true))
    }

    /// The commands of several words of which the last is this one, or a similar one.
    fn ending_in(&self, word: &str) -> Option<String> {
        let last = |name: &'static str| name.split(' ').next_back().unwrap_or(name);
        let names = || self.specs().map(|spec| spec.name).filter(|name| name.contains(' '));
        let similar = suggest::similar(word, names().map(last));
        let names: Vec<_> = names().filter(|name| similar.contains(&last(name))).collect();
        (1..=MOST_KIN).contains(&names.len()).then(|| suggest::these(&names))
    }

    /// The second words of the names that begin with this word.
    pub(super) fn verbs(&self, noun: &str) -> Vec<&'static str> {
        let second = |(name, _): (&'static str, _)| {
            let mut words = name.split(' ');
            (words.next() == Some(noun)).then(|| words.next()).flatten()
        };
        let mut verbs: Vec<_> = self.names().filter_map(second).collect();
        verbs.dedup();
        verbs
    }
}

fn ambiguous(typed: &str, candidates: &[(&'static str, &'static CommandSpec)]) -> Fault {
    let mut names: Vec<_> = candidates.iter().map(|(_, spec)| spec.name).collect();
    names.dedup();
    Fault::new(format!("`{typed}` could be several commands"))
        .hint(format!("type more letters of {}", suggest::listed_with_or(&names)))
}
