//! The lexer: text to statements and words, and statements with a body of lines.

use plyscope::command::{
    command_list,
    files::position,
    lexer::{check, next_statement, unfinished},
};
use proptest::prelude::*;

fn statements(source: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(lexed) = next_statement(source, from) {
        assert_eq!(lexed.problem, None, "{source}");
        all.push(lexed.words.iter().map(|word| word.text.to_string()).collect());
        from = lexed.end;
    }
    all
}

fn words(source: &str) -> Vec<String> {
    let mut all = statements(source);
    assert!(all.len() <= 1, "{source} is one statement");
    all.pop().unwrap_or_default()
}

#[test]
fn separators_and_comments_end_statements() {
    let source = "step; next # over it\n\n# nothing\r\nback 2;;\nQh5# mate";
    let expected: [&[&str]; 4] = [&["step"], &["next"], &["back", "2"], &["Qh5#", "mate"]];
    assert_eq!(statements(source), expected);
}

#[test]
fn mates_at_the_end_of_a_statement_are_no_comment() {
    let source = "help #3; answer #-0 0.5\n#2\nstep 5 #1 is enough\nstep #+1";
    let expected: [&[&str]; 4] =
        [&["help", "#3"], &["answer", "#-0", "0.5"], &["step", "5"], &["step"]];
    assert_eq!(statements(source), expected);
}

#[test]
fn quotes_make_one_word() {
    assert_eq!(
        words(r#"echo 'a; b' "c \" \\ \n" d='e f'g"#),
        ["echo", "a; b", r#"c " \ \n"#, "d=e fg"]
    );
    assert_eq!(words("echo it's fine"), ["echo", "it's", "fine"]);
    assert_eq!(words("echo ''"), ["echo", ""]);
    let lexed = next_statement("'a' 'b'c d'e", 0).unwrap();
    let quoted: Vec<bool> = lexed.words.iter().map(|word| word.quoted).collect();
    assert_eq!(quoted, [true, false, false]);
}

#[test]
fn a_position_is_several_words_and_a_tuple_is_one() {
    assert_eq!(words("position set ......../......../........ w 9 9").len(), 6);
    let tuple = "((9, 9), ((' ', 'w', ' '),\n ('[', 'b'; ' ')))";
    let source = format!("position set {tuple} w");
    assert_eq!(words(&source), ["position", "set", tuple, "w"]);
}

#[test]
fn a_colon_and_a_continued_line_are_read() {
    assert_eq!(words(": step"), ["step"]);
    assert_eq!(words(":cache get \\\n  99:0"), ["cache", "get", "99:0"]);
    assert_eq!(words("echo a\\b\\\r\nc"), ["echo", "a\\b", "c"]);
}

#[test]
fn incomplete_input_is_distinguished_from_wrong_input() {
    for source in ["echo 'a", "echo \"a", "x (", "x [1, (2)", "{ echo '}", "echo \\", "echo a\\\n"]
    {
        assert!(check(source).unwrap().incomplete, "{source}");
    }
    let problem = check("step\nx (1]\n").unwrap();
    assert!(!problem.incomplete);
    assert_eq!(position("step\nx (1]\n", problem.at.start), (2, 5));
    assert_eq!(check("echo ) ] }"), None);
}

#[test]
fn the_word_under_the_cursor_is_found() {
    let texts = |source| -> Vec<String> {
        unfinished(source).iter().map(|word| word.text.to_string()).collect()
    };
    assert_eq!(texts(""), [""]);
    assert_eq!(texts("step; cache g"), ["cache", "g"]);
    assert_eq!(texts("cache get "), ["cache", "get", ""]);
    assert_eq!(texts("step;"), [""]);
    assert_eq!(texts("load 'my fi"), ["load", "my fi"]);
}

#[test]
fn columns_count_characters() {
    assert_eq!(position("äö x\nü y", 5), (1, 4));
    assert_eq!(position("äö x\nü y", 10), (2, 3));
    assert_eq!(position("a", 7), (1, 2));
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(source in any::<String>()) {
        reads_to_the_end(&source)?;
    }

    #[test]
    fn any_mix_of_special_characters_is_read_to_its_end(source in "[a1ä'\"\\\\(){}\\[\\]#;: \r\n=-]{0,40}") {
        reads_to_the_end(&source)?;
    }
}

fn reads_to_the_end(source: &str) -> Result<(), TestCaseError> {
    let mut from = 0;
    let mut last = 0;
    while let Some(lexed) = next_statement(source, from) {
        for word in &lexed.words {
            let raw = source.get(word.span.clone());
            prop_assert!(raw.is_some_and(|raw| !raw.is_empty()));
            prop_assert!(word.span.start >= last && word.text.len() <= word.span.len());
            last = word.span.end;
        }
        prop_assert!(lexed.end > from || lexed.problem.is_some());
        if lexed.problem.is_some() {
            break;
        }
        from = lexed.end;
    }
    unfinished(source);
    Ok(())
}

fn lines_of(text: &str) -> Option<&str> {
    let begin = next_statement(text, 0).unwrap();
    let block = command_list::end_of(text, &begin)?;
    Some(&text[begin.end..block.end])
}

#[test]
fn lines_up_to_end_belong_to_the_statement() {
    assert_eq!(lines_of("commands 1\nwhere\nend\nstep"), Some("where\n"));
    assert_eq!(lines_of("commands; silent; end"), Some(" silent; "));
    assert_eq!(lines_of("commands 2\ncommands 1\nend\nend"), Some("commands 1\nend\n"));
    assert_eq!(lines_of("commands 1 \"where\"\nend"), None);
    assert_eq!(lines_of("commands 1 where"), None);
    assert_eq!(lines_of("'commands' 1\nend"), None);
}

#[test]
fn a_list_without_an_end_is_incomplete() {
    let problem = command_list::check("step\ncommands 1\nwhere\n").unwrap();
    assert!(problem.incomplete);
    assert_eq!(problem.at, 5..15);
    assert!(command_list::check("commands 1\nwhere\nend").is_none());
    assert!(command_list::check("commands 1 \"where\"").is_none());
    assert!(command_list::check("echo 'commands").unwrap().message.contains("quote"));
}
