//! `expect`: paths into replies, and comparisons.

use crate::toy;

/// Whether an expectation on the toy's reply holds, or why it is malformed.
fn check(path: &str, operator: &str, text: &str) -> Result<bool, String> {
    let line = format!("reply; expect {path} {operator} {text}");
    match toy::shell().run_line(&line).pop().unwrap() {
        Ok(_) => Ok(true),
        Err(failure) if failure.fault.message.starts_with("expected ") => Ok(false),
        Err(failure) => Err(failure.fault.to_string()),
    }
}

#[test]
fn expectations_that_hold() {
    for (path, operator, text) in [
        ("value", "==", "0.5"),
        ("value", "==", "5e-1"),
        ("value", "!=", "0.25"),
        ("nodes", "==", "12.0"),
        ("nodes", ">=", "12"),
        ("nodes", "<", "13"),
        ("nodes", ">", "-1"),
        ("nodes", "<=", "inf"),
        ("value", "~", "0.5000000001"),
        ("alpha", "==", "-inf"),
        ("alpha", "~", "-inf"),
        ("alpha", "<", "0"),
        ("zero", "==", "0.0"),
        ("zero", "==", "-0"),
        ("winner", "==", "null"),
        ("winner", "!=", "w"),
        ("done", "==", "true"),
        ("key", "==", "99000000000000"),
        ("best[0]", "==", "d6"),
        ("best[-1]", "==", "a1"),
        ("best.len", "==", "2"),
        (".len", "==", "11"),
        ("key.len", "==", "14"),
        ("moves[0].value", "==", "1"),
        ("best", "==", "[d6, a1]"),
        ("best", "==", "[\"d6\",\"a1\"]"),
        ("best", "contains", "a1"),
        ("key", "contains", "990"),
        ("cache", "contains", "hits"),
        ("cache", "==", "{\"hits\": 3.0}"),
        ("best", "!=", "d6"),
        ("cache.hits", "==", "3"),
    ] {
        assert_eq!(check(path, operator, text), Ok(true), "{path} {operator} {text}");
    }
}

#[test]
fn expectations_that_do_not_hold() {
    for (path, operator, text) in [
        ("value", "==", "0.51"),
        ("value", "~", "0.500001"),
        ("winner", "==", "w"),
        ("best[0]", "==", "D6"),
        ("best", "==", "[D6, a1]"),
        ("best", "contains", "A1"),
        ("done", "==", "True"),
        ("winner", "==", "NULL"),
        ("key", "==", "9.9e13"),
        ("best", "==", "[d6]"),
        ("best", "contains", "d"),
        ("nodes", "==", "twelve"),
        ("nodes", "<", "12"),
    ] {
        assert_eq!(check(path, operator, text), Ok(false), "{path} {operator} {text}");
    }
}

#[test]
fn quotes_make_a_text() {
    assert_eq!(check("winner", "==", "'null'"), Ok(false));
    assert_eq!(check("nodes", "==", "'12'"), Ok(false));
    assert_eq!(check("key", "==", "'99000000000000'"), Ok(true));
}

#[test]
fn wrong_paths_name_the_right_ones() {
    let fault = |path| check(path, "==", "1").unwrap_err();
    let said = fault("valu");
    assert!(said.starts_with("the reply has no `valu`; did you mean `value`? the reply has "));
    assert!(said.contains("value, nodes"), "{said}");
    assert_eq!(fault("cache.misses"), "`cache` has no `misses`; `cache` has hits");
    assert!(fault("best[2]").contains("`best` is a list of 2"));
    assert_eq!(fault("moves[0].value.x"), "`moves[0].value` has no `x`; `moves[0].value` is 1.0");
    for path in ["best[", "best[x]", "best[-3]", "value.len", "..", "[0]"] {
        assert!(check(path, "==", "1").is_err(), "{path}");
    }
}

#[test]
fn senseless_comparisons_are_faults() {
    assert!(check("key", "<", "3").unwrap_err().contains("not a number"));
    assert!(check("nodes", "<", "x").unwrap_err().contains("`x` is not a number"));
    assert!(check("nodes", "contains", "1").is_err());
}
