//! Statements that take the lines after them: `commands N`, up to `end`.

use super::lexer::{self, Problem, Statement};

/// Begins a list of commands, unless they stand on the same line.
const BEGIN: &str = "commands";
pub(super) const END: &str = "end";
/// As its first line: the stop is not printed.
pub(super) const SILENT: &str = "silent";

/// The lines that belong to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where `end` stands.
    pub end: usize,
    /// Where to go on reading behind it.
    pub after: usize,
}

/// The first problem of a whole text, lists without an end included.
pub fn check(text: &str) -> Option<Problem> {
    if let Some(problem) = lexer::check(text) {
        return Some(problem);
    }
    let mut from = 0;
    while let Some(lexed) = lexer::next_statement(text, from) {
        from = match end_of(text, &lexed) {
            Some(block) => block.after,
            None if begins(&lexed) => {
                return Some(Problem {
                    incomplete: true,
                    message: format!("these commands are never ended by `{END}`"),
                    at: lexed.span,
                });
            }
            None => lexed.end,
        };
    }
    None
}

/// The lines that belong to a statement, where it begins a list of commands and that has an end.
pub fn end_of(text: &str, begin: &Statement<'_>) -> Option<Block> {
    if !begins(begin) {
        return None;
    }
    let mut open = 1_usize;
    for lexed in lexer::statements(text, begin.end) {
        if begins(&lexed) {
            open += 1;
        } else if is(&lexed, END) {
            open -= 1;
        }
        if open == 0 {
            return Some(Block { end: lexed.span.start, after: lexed.end });
        }
    }
    None
}

/// Whether a statement is a word alone.
pub fn is(statement: &Statement<'_>, word: &str) -> bool {
    matches!(&*statement.words, [only] if only.text == word && !only.quoted)
}

/// Whether the lines after a statement belong to it.
fn begins(statement: &Statement<'_>) -> bool {
    let [first, rest @ ..] = &*statement.words else {
        return false;
    };
    let arguments = rest.iter().filter(|word| word.quoted || !word.text.starts_with("--"));
    first.text == BEGIN && !first.quoted && arguments.count() <= 1
}
