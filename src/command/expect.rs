//! The command `expect`, which makes a script a test.

use std::{borrow::Cow, ops::Range};

use serde_json::{Value, json};

use crate::{
    command::{
        Args, Fault, Replied, Reply, Shell, boxed,
        lexer::Word,
        query::{self, Expected, OPERATORS},
    },
    engine::session::reply::PlainReply,
};

pub(super) fn expect(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let words = args.rest_words();
    let is_error = words.first().is_some_and(|word| word.text == "error" && !word.quoted);
    if is_error && words.get(1).is_some_and(|word| operator(word).is_none()) {
        return expect_error(shell, args, &words[1..]);
    }
    let (query, expected) = split(args, words)?;
    let found = look_up(shell, args, query)?;
    if expected.holds(&found).map_err(|fault| fault.at(span(query)))? {
        return Ok(passed(args, words, &found));
    }
    let (path, Expected { operator, text, .. }) = (&query[query.len() - 1].text, expected);
    Err(Fault::new(format!("expected {path} {operator} {text}, found {found}")).at(span(words)))
}

fn operator<'a>(word: &'a Word<'_>) -> Option<&'a str> {
    (!word.quoted && OPERATORS.contains(&&*word.text)).then_some(&*word.text)
}

fn span(words: &[Word<'_>]) -> Range<usize> {
    let start = words.first().map_or(0, |word| word.span.start);
    start..words.last().map_or(start, |word| word.span.end)
}

fn split<'a>(
    args: &Args<'a>,
    words: &'a [Word<'a>],
) -> Result<(&'a [Word<'a>], Expected<'a>), Fault> {
    let found = words.iter().enumerate().find_map(|(at, word)| Some((at, operator(word)?)));
    let Some((at, operator)) = found else {
        let fault = Fault::new("there is no comparison").at(span(words));
        return Err(fault.hint("write spaces around one of == != < <= > >= ~ contains"));
    };
    let (query, right) = (&words[..at], &words[at + 1..]);
    if query.is_empty() || right.is_empty() {
        let side = if query.is_empty() { "left" } else { "right" };
        let fault = Fault::new(format!("the {side} side of the comparison is empty"));
        return Err(fault.hint("usage: expect QUERY OP VALUE").at(words[at].span.clone()));
    }
    let (right, tolerance) = match right {
        [_, tolerance] if operator == "~" => (&right[..1], self::tolerance(tolerance)?),
        _ => (right, query::TOLERANCE),
    };
    let (text, quoted) = match right {
        [only] => (&*only.text, only.quoted),
        _ => (&args.source()[span(right)], false),
    };
    Ok((query, Expected { operator, text: digits(text), quoted, tolerance }))
}

fn digits(text: &str) -> Cow<'_, str> {
    let grouped =
        text.contains('_') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    if grouped { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

fn tolerance(word: &Word<'_>) -> Result<f64, Fault> {
    word.text.parse().ok().filter(|tolerance: &f64| *tolerance >= 0.0).ok_or_else(|| {
        Fault::new(format!("`{}` is not a tolerance", word.text))
            .hint("write a number, 0 or more")
            .at(word.span.clone())
    })
}

fn look_up(shell: &mut Shell, args: &Args<'_>, query: &[Word<'_>]) -> Result<Value, Fault> {
    let Some((path, command)) = query.split_last() else {
        return Ok(Value::Null);
    };
    let blame = |fault: Fault| fault.at(path.span.clone());
    let reply = if command.is_empty() {
        let fault = Fault::new("there is no last reply yet");
        let fault = blame(fault.hint("name a command before the path"));
        shell.last_reply().ok_or(fault)?
    } else {
        shell.run_now(args.source(), command)?.value()
    };
    let is_command = command.is_empty() && shell.table.exact(&[&path.text]).is_some();
    query::find(&reply, &path.text).map_err(|fault| {
        let hint = is_command.then(|| {
            format!("to run the command, write a path after it: expect {} PATH …", path.text)
        });
        blame(Fault { hint: hint.or(fault.hint), ..fault })
    })
}

/// `expect error ["TEXT"] COMMAND…`: passes if the command fails, with TEXT in the error.
fn expect_error(shell: &mut Shell, args: &Args<'_>, words: &[Word<'_>]) -> Replied {
    let text = words.first().filter(|word| word.quoted);
    let command = &words[usize::from(text.is_some())..];
    if command.is_empty() {
        let fault =
            Fault::new("there is no command").hint("usage: expect error [\"TEXT\"] COMMAND…");
        return Err(fault.at(span(words)));
    }
    let source = args.source();
    let Err(fault) = shell.run_now(source, command) else {
        let written = &source[span(command)];
        let what = format!("expected an error from `{written}`, but it succeeded");
        return Err(Fault::new(what).at(span(command)));
    };
    let found = fault.to_string();
    if let Some(text) = text.filter(|text| !found.contains(&*text.text)) {
        let what = format!("expected the error to contain \"{}\", found: {found}", text.text);
        return Err(Fault::new(what).at(text.span.clone()));
    }
    Ok(passed(args, args.rest_words(), &Value::from(found)))
}

fn passed(args: &Args<'_>, words: &[Word<'_>], found: &Value) -> Box<dyn Reply> {
    let expect = &args.source()[span(words)];
    let fields = json!({"expect": expect, "passed": true, "found": found});
    let mut passed = PlainReply::not_compared(format!("ok: {expect}"), fields);
    passed.is_check = true;
    boxed(passed)
}
