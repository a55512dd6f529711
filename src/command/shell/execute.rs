//! One statement: from its words to its reply.

use std::{cell::OnceCell, ops::Range, sync::Arc};

use super::{Last, Response, Shell, SourceOrigin, Trouble};
use crate::{
    command::{
        Args, Spec, help,
        lexer::{Statement, Word},
        suggest,
    },
    engine::{
        files,
        game::Fault,
        reply::{Echo, Expectation, Reply, Sourced},
    },
};

/// What the words of a statement call.
enum StatementTarget {
    Command(&'static Spec, usize),
    Alias(String),
    Noun,
}

impl Shell {
    /// Executes a statement; an alias is only loaded.
    pub(super) fn statement(
        &mut self,
        text: &str,
        statement: &Statement<'_>,
    ) -> Result<Option<Response>, Trouble> {
        let typed = plain(&statement.words);
        let misnamed = |fault: Fault| match fault.at {
            Some(_) => Trouble::parse(fault),
            None => Trouble::parse(fault.at(self.culprit(&statement.words))),
        };
        let (command, reply, json) = match self.resolve(&typed).map_err(misnamed)? {
            StatementTarget::Command(spec, length) => {
                let words = &statement.words[length..];
                let args = Args::parse(spec, text, words, statement.span.end)
                    .map_err(|fault| Trouble::parse(fault).of(spec))?;
                let reply = spec
                    .answer(self, &args)
                    .map_err(|fault| Trouble::command(args.place(fault)).of(spec))?;
                (spec.name, reply, args.json())
            }
            StatementTarget::Alias(name) => {
                let rest = &text[statement.words[0].span.end..statement.span.end];
                return self.expand(name, rest).map(|()| None);
            }
            StatementTarget::Noun => ("help", help::following(self.table, &typed), false),
        };
        Ok(Some(self.reply(command, reply, json)))
    }

    pub(super) fn reply(
        &mut self,
        command: &'static str,
        mut reply: Box<dyn Reply>,
        json: bool,
    ) -> Response {
        // A document on standard output stands in place of the reply.
        let taken = files::took_output();
        let response = Response {
            silent: self.load_commands(&mut *reply) || taken,
            json: (json || self.json) && !taken,
            ..self.named(command, reply)
        };
        // Remarks about other replies leave those in place for the next query.
        let answer = &response.reply;
        if !(answer.is::<Echo>() || answer.is::<Expectation>() || answer.is::<Sourced>()) {
            self.last = Some(Last { response: response.clone(), json: OnceCell::new() });
        }
        response
    }

    fn named(&self, command: &'static str, mut reply: Box<dyn Reply>) -> Response {
        if !self.times {
            reply.forget_times();
        }
        Response { command, reply: Arc::from(reply), json: self.json, silent: false }
    }

    /// What the words of a statement call.
    fn resolve(&self, typed: &[&str]) -> Result<StatementTarget, Fault> {
        if let Some((spec, length)) = self.table.exact(typed) {
            return Ok(StatementTarget::Command(spec, length));
        }
        let first = typed.first().copied().unwrap_or_default();
        let origin = self.frames.last().map(|frame| &frame.origin);
        let in_alias = matches!(origin, Some(SourceOrigin::Alias(_)));
        if !in_alias && self.aliases.contains_key(first) {
            return Ok(StatementTarget::Alias(first.to_owned()));
        }
        if self.interactive && matches!(origin, Some(SourceOrigin::Typed)) {
            if !self.table.following(typed).is_empty() {
                return Ok(StatementTarget::Noun);
            }
            if let Some((spec, length)) = self.table.abbreviated(typed)? {
                return Ok(StatementTarget::Command(spec, length));
            }
        }
        match self.table.abbreviated(typed) {
            Ok(Some((spec, length))) => Err(abbreviation(&typed[..length].join(" "), spec)),
            _ => Err(self.unknown(typed)),
        }
    }

    fn unknown(&self, typed: &[&str]) -> Fault {
        let fault = self.table.unknown(typed);
        let aliases = self.aliases.keys().map(String::as_str);
        let first = typed.first().copied().unwrap_or_default();
        match suggest::did_you_mean(first, aliases) {
            Some(hint) if self.table.verbs(first).is_empty() => fault.hint(hint),
            _ => fault,
        }
    }

    /// The word at fault where no command is called so: the second one after a word that begins several names.
    fn culprit(&self, words: &[Word<'_>]) -> Range<usize> {
        let is_noun = words.first().is_some_and(|noun| !self.table.verbs(&noun.text).is_empty());
        let culprit = words.get(usize::from(is_noun)).or(words.first());
        culprit.map_or(0..0, |word| word.span.clone())
    }

    /// Why no command can be run within another one by these words.
    fn not_here(&self, typed: &[&str]) -> Fault {
        match typed.first().filter(|first| self.aliases.contains_key(**first)) {
            Some(alias) => Fault::new(format!("the alias `{alias}` cannot be used here"))
                .hint("write the command it stands for"),
            None => self.table.unknown(typed),
        }
    }

    /// Loads an alias with what was typed behind it.
    fn expand(&mut self, name: String, rest: &str) -> Result<(), Trouble> {
        if self.untrusted.contains(&name) {
            let message = format!("the alias `{name}` came with the session and is not trusted");
            let hint = format!("`alias {name}` shows it, `trust` lets it run");
            return Err(Trouble::command(Fault::new(message).hint(hint)));
        }
        let body = self.aliases.get(&name).map_or("", String::as_str);
        let text = format!("{body}{rest}");
        self.load(SourceOrigin::Alias(name), &text)
            .map_err(|failure| Trouble::parse(Fault { at: None, ..failure.fault }))
    }

    /// Runs a command within another one; its reply goes to the caller and nowhere else.
    pub(in crate::command) fn run_now(
        &mut self,
        source: &str,
        words: &[Word<'_>],
    ) -> Result<Response, Fault> {
        let end = words.last().map_or(0, |word| word.span.end);
        let place = words.first().map_or(end, |word| word.span.start)..end;
        let typed = plain(words);
        let Some((spec, length)) = self.table.exact(&typed) else {
            let fault = self.not_here(&typed);
            return Err(fault.at(self.culprit(words)));
        };
        let args = Args::parse(spec, source, &words[length..], end)?;
        let depth = self.frames.len();
        let reply = spec.answer(self, &args).map_err(|fault| match args.place(fault) {
            fault if fault.at.is_some() => fault,
            fault => fault.at(place.clone()),
        })?;
        if self.frames.len() > depth {
            self.frames.truncate(depth);
            let fault = Fault::new(format!(
                "`{}` runs other commands, which cannot be done here",
                spec.name
            ));
            return Err(fault.at(place));
        }
        Ok(self.named(spec.name, reply))
    }
}

/// Names may be cut short where a person types them and nowhere else.
fn abbreviation(typed: &str, spec: &Spec) -> Fault {
    let whole = spec.names().find(|name| fits(typed, name));
    let whole = whole.unwrap_or(spec.name);
    Fault::new(format!("`{typed}` is short for `{whole}`"))
        .hint("scripts, and aliases, spell words out")
}

/// Whether a name begins as typed, word by word.
fn fits(typed: &str, name: &str) -> bool {
    let pairs = typed.split(' ').zip(name.split(' '));
    typed.split(' ').count() == name.split(' ').count()
        && pairs.into_iter().all(|(typed, word)| word.starts_with(typed))
}

/// The words as they can name a command: a quoted word cannot.
fn plain<'w>(words: &'w [Word<'_>]) -> Vec<&'w str> {
    words.iter().map(|word| if word.quoted { "" } else { &*word.text }).collect()
}
