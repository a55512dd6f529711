//! Assigns the words of a statement to parameters.

use std::{borrow::Cow, ops::Range};

use super::{Args, Given, check};
use crate::{
    command::{self, CommandSpec, Kind, Param, lexer::Word, spec::Form, suggest, table::kin},
    engine::game::Fault,
    text::or_empty,
};

impl<'a> Args<'a> {
    /// Reads the words after a command's name; `end` is the byte of `source` at which the statement ends.
    pub fn parse(
        spec: &'static CommandSpec,
        source: &'a str,
        words: &'a [Word<'a>],
        end: usize,
    ) -> Result<Self, Fault> {
        let mut args = Self { spec, source, given: Vec::new(), rest: &[] };
        let mut reader = ArgsReader { args: &mut args, words, at: 0, flags_allowed: true };
        while reader.at < words.len() {
            reader.word()?;
        }
        reader.complete(end)?;
        Ok(args)
    }

    /// Reads the words of a line that is being typed; faults are ignored. The second result is the parameter of the next word:
    /// a flag that lacks its value, or the next positional parameter.
    pub(in crate::command) fn so_far(
        spec: &'static CommandSpec,
        source: &'a str,
        words: &'a [Word<'a>],
    ) -> (Self, Option<&'static Param>) {
        let mut args = Self { spec, source, given: Vec::new(), rest: &[] };
        let mut reader = ArgsReader { args: &mut args, words, at: 0, flags_allowed: true };
        while reader.at < words.len() {
            let at = reader.at;
            if reader.word().is_err() {
                reader.at = reader.at.max(at + 1);
            }
        }
        let flag = words.last().and_then(|word| reader.known_flag(reader.as_flag(word)?));
        let unfinished =
            flag.filter(|flag| !matches!(flag.kind, Kind::Switch) && reader.args.lacks(flag.name));
        let next = unfinished.or_else(|| reader.next_positional());
        (args, next)
    }
}

struct ArgsReader<'r, 'a> {
    args: &'r mut Args<'a>,
    words: &'a [Word<'a>],
    at: usize,
    /// Whether words that begin with two dashes are flags, because no `--` has been read.
    flags_allowed: bool,
}

impl<'a> ArgsReader<'_, 'a> {
    fn word(&mut self) -> Result<(), Fault> {
        let word = &self.words[self.at];
        if self.flags_allowed && !word.quoted && word.text == "--" {
            self.flags_allowed = false;
            self.at += 1;
            return Ok(());
        }
        if let Some(flag) = self.as_flag(word) {
            return self.flag(flag);
        }
        let pairs = self.args.spec.params.iter().find(|param| param.form == Form::Pairs);
        if let (Some(param), Some((key, _))) = (pairs, word.text.split_once('=')) {
            return self.pair(param, key);
        }
        if let Some(fault) = self.one_dash(word) {
            return Err(fault);
        }
        match self.next_positional() {
            Some(param) if matches!(param.form, Form::Rest | Form::Verbatim) => self.rest(param),
            Some(param) => {
                self.at += 1;
                self.give(param, param.name, Cow::Borrowed(&word.text), word.span.clone())
            }
            None => Err(self.one_too_many(word)),
        }
    }

    fn as_flag(&self, word: &'a Word<'a>) -> Option<&'a str> {
        let flag = word.text.strip_prefix("--").filter(|flag| !flag.is_empty())?;
        (self.flags_allowed && !word.quoted).then_some(flag)
    }

    fn one_dash(&self, word: &Word<'_>) -> Option<Fault> {
        let bare = word.text.strip_prefix('-')?;
        let param = self.known_flag(bare).filter(|_| self.flags_allowed && !word.quoted)?;
        let fault = Fault::new(format!("`{}` is not a flag", word.text)).at(word.span.clone());
        Some(fault.hint(format!("flags have two dashes: --{}", param.name)))
    }

    fn known_flag(&self, name: &str) -> Option<&'static Param> {
        self.args.spec.flags().find(|param| param.name == name)
    }

    fn flag(&mut self, flag: &'a str) -> Result<(), Fault> {
        let word = &self.words[self.at];
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (flag, None),
        };
        self.at += 1;
        let param = self.known_flag(name).ok_or_else(|| self.unknown_flag(name, word))?;
        let (text, span) = match (param.kind, value) {
            (Kind::Switch, None) => ("", word.span.clone()),
            (Kind::Switch, Some(_)) => {
                let fault = Fault::new(format!("--{name} takes no value"));
                return Err(fault.at(word.span.clone()));
            }
            (_, Some(value)) => (value, tail(word, value)),
            // A value may begin with a dash, as in `--alpha -0.1`.
            (_, None) => {
                let next = self.words.get(self.at).ok_or_else(|| {
                    let fault = Fault::new(format!("--{name} needs a value"));
                    fault.hint(format!("write {}", param.written())).at(word.span.clone())
                })?;
                self.at += 1;
                (&*next.text, next.span.clone())
            }
        };
        self.give(param, name, Cow::Borrowed(text), span)
    }

    fn unknown_flag(&self, name: &str, word: &Word<'_>) -> Fault {
        let command = self.args.spec.name;
        let fault = Fault::new(format!("`{command}` has no flag --{name}")).at(word.span.clone());
        let flags = self.args.spec.flags();
        let names: Vec<String> = flags.map(|param| format!("--{}", param.name)).collect();
        let hint = suggest::did_you_mean(&format!("--{name}"), names.iter().map(String::as_str));
        let kin = || kin(name).map(|other| format!("--{other}")).find(|it| names.contains(it));
        let hint = hint.or_else(|| kin().map(|it| suggest::these(&[&it])));
        fault.hint(hint.unwrap_or_else(|| self.usage()))
    }

    fn pair(&mut self, param: &'static Param, key: &'a str) -> Result<(), Fault> {
        let word = &self.words[self.at];
        let value = &word.text[key.len() + 1..];
        if key.is_empty() || value.is_empty() {
            let lacking = if key.is_empty() { "key" } else { "value" };
            let fault = Fault::new(format!("`{}` lacks a {lacking}", word.text));
            let is_last = self.at + 1 == self.words.len() && !key.is_empty();
            let hint = if is_last {
                format!("write it after the `=`: {key}=VALUE")
            } else {
                "write KEY=VALUE without blanks around the `=`".to_owned()
            };
            return Err(fault.hint(hint).at(word.span.clone()));
        }
        if let Some(value) = value.strip_prefix('=').filter(|value| !value.is_empty()) {
            let fault = Fault::new(format!("`{}` has two `=`", word.text));
            return Err(fault.hint(format!("write {key}={value}")).at(word.span.clone()));
        }
        self.at += 1;
        self.give(param, key, Cow::Borrowed(value), tail(word, value))
    }

    /// The positional parameter of the next word. A list of words takes all remaining words.
    fn next_positional(&self) -> Option<&'static Param> {
        let last = self.args.given.last().map(|given| given.param);
        if let Some(many) = last.filter(|last| last.form == Form::Many) {
            return Some(many);
        }
        let given = self.args.given.iter().filter(|given| given.param.form == Form::Word).count();
        self.args.spec.params.iter().filter(|param| param.is_positional()).nth(given)
    }

    /// Takes the rest of the statement as one text, including quotes.
    fn rest(&mut self, param: &'static Param) -> Result<(), Fault> {
        let until = match param.form {
            Form::Rest => self.trailing_flags(),
            _ => self.words.len(),
        };
        let words = &self.words[self.at..until];
        self.args.rest = words;
        let (text, span) = match words {
            [only] if only.quoted => (Cow::Borrowed(&*only.text), only.span.clone()),
            [first, .., last] => self.slice(first.span.start..last.span.end),
            [only] => self.slice(only.span.clone()),
            [] => return Ok(()),
        };
        self.at = until;
        self.give(param, param.name, text, span)
    }

    /// The source, with line continuations replaced by blanks so that places stay right.
    fn slice(&self, span: Range<usize>) -> (Cow<'a, str>, Range<usize>) {
        let raw = &self.args.source[span.clone()];
        let text = if raw.contains("\\\n") || raw.contains("\\\r\n") {
            Cow::Owned(raw.replace("\\\r\n", "   ").replace("\\\n", "  "))
        } else {
            Cow::Borrowed(raw)
        };
        (text, span)
    }

    /// The index of the first flag among the flags at the end of the statement.
    fn trailing_flags(&self) -> usize {
        let mut until = self.words.len();
        while until > self.at + 1 {
            if self.is_known(until - 1, false) {
                until -= 1;
            } else if until > self.at + 2 && self.is_known(until - 2, true) {
                until -= 2;
            } else {
                break;
            }
        }
        until
    }

    /// Whether a word is a flag of this command: one whose value is the next word (`valued`), or one without a further word.
    fn is_known(&self, index: usize, valued: bool) -> bool {
        let Some(flag) = self.as_flag(&self.words[index]) else {
            return false;
        };
        let (name, attached) = flag.split_once('=').map_or((flag, false), |(name, _)| (name, true));
        let takes_next = |param: &Param| !attached && !matches!(param.kind, Kind::Switch);
        self.known_flag(name).is_some_and(|param| takes_next(param) == valued)
    }

    fn give(
        &mut self,
        param: &'static Param,
        key: &'a str,
        text: Cow<'a, str>,
        span: Range<usize>,
    ) -> Result<(), Fault> {
        // Pairs of a statement belong to one parameter, so pairs are also compared by key.
        let same = |given: &Given<'_>| param.form != Form::Pairs || given.key == key;
        let repeated = |given: &Given<'_>| std::ptr::eq(given.param, param) && same(given);
        if param.form != Form::Many && self.args.given.iter().any(repeated) {
            return Err(Fault::new(format!("{key} is given twice")).at(span));
        }
        let mut given = Given { param, key, text, span };
        check::value(param, &given.text).map_err(|fault| super::locate(&given, fault))?;
        if matches!(param.kind, Kind::Range(..)) && given.text.contains('_') {
            given.text = given.text.replace('_', "").into();
        }
        self.args.given.push(given);
        Ok(())
    }

    fn one_too_many(&self, word: &Word<'_>) -> Fault {
        let value = self.words.get(self.at + 1).filter(|_| self.has_pairs());
        let pair = value.map(|value| suggest::these(&[&format!("{}={}", word.text, value.text)]));
        Fault::new(format!("`{}` cannot take `{}`", self.args.spec.name, word.text))
            .hint(pair.unwrap_or_else(|| self.usage()))
            .at(word.span.clone())
    }

    fn has_pairs(&self) -> bool {
        self.args.spec.params.iter().any(|param| param.form == Form::Pairs)
    }

    fn complete(&self, end: usize) -> Result<(), Fault> {
        let mut required = self.args.spec.params.iter().filter(|param| param.required);
        let Some(missing) = required.find(|param| self.args.lacks(param.name)) else {
            return Ok(());
        };
        let what = format!("`{}` needs {}", self.args.spec.name, missing.name);
        Err(Fault::new(what).hint(self.usage()).at(end..end))
    }

    fn usage(&self) -> String {
        let spec = self.args.spec;
        let family = spec.name.strip_suffix(" set").filter(|_| self.has_pairs());
        let family = family.filter(|name| command::table().exact(&[*name, "show"]).is_some());
        let lists = or_empty(family.map(|name| format!(", `{name} show` lists what can be set")));
        format!("usage: {}; `help {}` explains it{lists}", spec.usage(), spec.name)
    }
}

/// The range of the value at the end of a word such as `KEY=VALUE`; if the word has quotes, the whole word.
fn tail(word: &Word<'_>, value: &str) -> Range<usize> {
    if word.span.len() == word.text.len() {
        word.span.end - value.len()..word.span.end
    } else {
        word.span.clone()
    }
}
