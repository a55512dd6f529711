//! Command lists of breakpoints: the lines from `commands N` up to `end`.

use super::lexer::{self, Problem, Statement};

const BEGIN: &str = "commands";
pub(super) const END: &str = "end";
/// If a breakpoint's command list starts with this word, its stop is not printed.
pub(super) const SILENT: &str = "silent";

/// Where a command list ends in its text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListEnd {
    /// The byte at which the word `end` begins.
    pub end: usize,
    /// The byte from which the next statement is read.
    pub after: usize,
}

/// The first problem of a text: a statement that cannot be read, or a command list without `end`; `None` if there is none.
pub fn check(text: &str) -> Option<Problem> {
    if let Some(problem) = lexer::check(text) {
        return Some(problem);
    }
    let mut from = 0;
    while let Some(statement) = lexer::next_statement(text, from) {
        from = match end_of(text, &statement) {
            Some(list) => list.after,
            None if begins_list(&statement) => {
                return Some(Problem {
                    incomplete: true,
                    message: format!("these commands are never ended by `{END}`"),
                    at: statement.span,
                });
            }
            None => statement.end,
        };
    }
    None
}

/// The end of the command list that a statement begins; `None` if the statement begins none, or `end` is missing.
pub fn end_of(text: &str, begin: &Statement<'_>) -> Option<ListEnd> {
    if !begins_list(begin) {
        return None;
    }
    let mut open = 1_usize;
    for statement in lexer::statements(text, begin.end) {
        if begins_list(&statement) {
            open += 1;
        } else if is_word(&statement, END) {
            open -= 1;
        }
        if open == 0 {
            return Some(ListEnd { end: statement.span.start, after: statement.end });
        }
    }
    None
}

fn is_word(statement: &Statement<'_>, word: &str) -> bool {
    matches!(&*statement.words, [only] if only.text == word && !only.quoted)
}

/// Whether the statement is `commands` with at most a number. Further words would be the list itself, on the same line.
fn begins_list(statement: &Statement<'_>) -> bool {
    let [first, rest @ ..] = &*statement.words else {
        return false;
    };
    let arguments = rest.iter().filter(|word| word.quoted || !word.text.starts_with("--"));
    first.text == BEGIN && !first.quoted && arguments.count() <= 1
}
