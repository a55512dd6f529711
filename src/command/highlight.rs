//! Syntax highlighting of command lines.

use std::ops::Range;

use super::{
    Completions,
    lexer::{self, Word},
};

/// The syntactic role of a part of a command line, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Highlight {
    Command,
    Unknown,
    Flag,
    Number,
    Quoted,
    Comment,
}

/// The highlighted parts of a text, in order. At its end, an unfinished command name is not highlighted.
pub fn highlights(text: &str, completions: &Completions) -> Vec<(Range<usize>, Highlight)> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(statement) = lexer::next_statement(text, from) {
        comments(text, from..statement.span.start, &mut parts);
        words(text, &statement.words, completions, &mut parts);
        comments(text, statement.span.end..statement.end, &mut parts);
        from = statement.end;
        if statement.problem.is_some() {
            return parts;
        }
    }
    comments(text, from..text.len(), &mut parts);
    parts
}

fn words(
    text: &str,
    words: &[Word<'_>],
    completions: &Completions,
    parts: &mut Vec<(Range<usize>, Highlight)>,
) {
    let rest = words.last().map_or("", |word| &text[word.span.end..]);
    let blank = if rest.is_empty() { "" } else { " " };
    let typed = lexer::texts(words);
    let is_last = rest.trim_start().is_empty();
    let begun = is_last.then(|| typed.join(" ") + blank);
    let (length, highlight) = name(&typed, completions, begun);
    let name = words[..length].iter();
    parts.extend(name.filter_map(|word| Some((word.span.clone(), highlight?))));
    let args = words[length..].iter().filter_map(|word| Some((word.span.clone(), argument(word)?)));
    parts.extend(args);
}

/// The number of words that name the command, and their highlighting. `begun`: at the end of the text, the words and the blank after
/// them, since more of the name may still be typed.
fn name(
    typed: &[&str],
    completions: &Completions,
    begun: Option<String>,
) -> (usize, Option<Highlight>) {
    let table = completions.table;
    if typed.is_empty() {
        return (0, None);
    }
    let alias = || completions.aliases().any(|alias| alias == typed[0]).then_some(1);
    let abbreviated = || Some(table.abbreviated(typed).ok()??.1);
    let exact = table.exact(typed).map(|(_, length)| length);
    if let Some(length) = exact.or_else(alias).or_else(abbreviated) {
        return (length, Some(Highlight::Command));
    }
    let length = if table.verbs(typed[0]).is_empty() { 1 } else { typed.len().min(2) };
    let is_prefix = begun
        .filter(|_| length == typed.len())
        .is_some_and(|line| table.names().any(|(name, _)| name.starts_with(&line)));
    (length, (!is_prefix).then_some(Highlight::Unknown))
}

fn argument(word: &Word<'_>) -> Option<Highlight> {
    if word.quoted || word.text.len() < word.span.len() {
        return Some(Highlight::Quoted);
    }
    if word.text.starts_with("--") {
        return Some(Highlight::Flag);
    }
    let is_number =
        word.text.contains(|c: char| c.is_ascii_digit()) && word.text.parse::<f64>().is_ok();
    is_number.then_some(Highlight::Number)
}

fn comments(text: &str, gap: Range<usize>, parts: &mut Vec<(Range<usize>, Highlight)>) {
    let mut at = gap.start;
    while let Some(start) = text[at..gap.end].find('#').map(|start| at + start) {
        let end = text[start..gap.end].find('\n').map_or(gap.end, |end| start + end);
        parts.push((start..end, Highlight::Comment));
        at = end;
    }
}
