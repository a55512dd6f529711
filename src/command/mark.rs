//! What each part of a line is: for highlighting.

use std::ops::Range;

use super::{
    Completions,
    lexer::{self, Word},
};

/// What a part of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is called what it is")]
pub enum PartMark {
    Command,
    /// A name that no command has.
    Unknown,
    Flag,
    Number,
    Quoted,
    Comment,
}

/// The marked parts of a text, in order. A name at its end is left alone while it can still become a command's.
pub fn marks(text: &str, completions: &Completions) -> Vec<(Range<usize>, PartMark)> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(lexed) = lexer::next_statement(text, from) {
        comments(text, from..lexed.span.start, &mut marks);
        statement(text, &lexed.words, completions, &mut marks);
        comments(text, lexed.span.end..lexed.end, &mut marks);
        from = lexed.end;
        if lexed.problem.is_some() {
            return marks;
        }
    }
    comments(text, from..text.len(), &mut marks);
    marks
}

fn statement(
    text: &str,
    words: &[Word<'_>],
    completions: &Completions,
    marks: &mut Vec<(Range<usize>, PartMark)>,
) {
    let typed = lexer::texts(words);
    let (length, mark) =
        name(&typed, completions, words.last().is_some_and(|word| word.span.end == text.len()));
    let name = words[..length].iter().map(|word| (word.span.clone(), mark));
    marks.extend(name.filter_map(|(span, mark)| Some((span, mark?))));
    let args = words[length..].iter().filter_map(|word| Some((word.span.clone(), argument(word)?)));
    marks.extend(args);
}

/// How many words name the command, and whether there is such a command.
fn name(typed: &[&str], completions: &Completions, growing: bool) -> (usize, Option<PartMark>) {
    let table = completions.table;
    if typed.is_empty() {
        return (0, None);
    }
    let alias = || completions.aliases().iter().any(|alias| alias == typed[0]).then_some(1);
    let abbreviated = || Some(table.abbreviated(typed).ok()??.1);
    let exact = table.exact(typed).map(|(_, length)| length);
    if let Some(length) = exact.or_else(alias).or_else(abbreviated) {
        return (length, Some(PartMark::Command));
    }
    let length = if table.verbs(typed[0]).is_empty() { 1 } else { typed.len().min(2) };
    let is_beginning = growing && length == typed.len() && {
        let line = typed.join(" ");
        table.names().any(|(name, _)| name.starts_with(&line))
    };
    (length, (!is_beginning).then_some(PartMark::Unknown))
}

fn argument(word: &Word<'_>) -> Option<PartMark> {
    if word.quoted || word.text.len() < word.span.len() {
        return Some(PartMark::Quoted);
    }
    if word.text.starts_with("--") {
        return Some(PartMark::Flag);
    }
    let is_number =
        word.text.contains(|c: char| c.is_ascii_digit()) && word.text.parse::<f64>().is_ok();
    is_number.then_some(PartMark::Number)
}

/// Comments fill the gaps between statements, with blanks and separators around them.
fn comments(text: &str, gap: Range<usize>, marks: &mut Vec<(Range<usize>, PartMark)>) {
    let mut at = gap.start;
    while let Some(start) = text[at..gap.end].find('#').map(|start| at + start) {
        let end = text[start..gap.end].find('\n').map_or(gap.end, |end| start + end);
        marks.push((start..end, PartMark::Comment));
        at = end;
    }
}
