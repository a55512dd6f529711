//! The language of conditions and expressions, with a vocabulary of four names.

use plyscope::engine::{
    expression::{Condition, Expression, Facts, Type, Vocabulary, condition, read},
    game::Fault,
};
use proptest::prelude::*;

use crate::common::cases::cases;

/// Numbers `a`, `b`, `gone` (without a value) and the word `kind`, which is `hit` or `miss`.
struct Small;

impl Vocabulary for Small {
    type Name = char;
    type Word = bool;

    fn names(&self) -> Vec<&'static str> {
        vec!["alpha", "beta", "gone", "kind"]
    }

    fn find(&self, text: &str) -> Option<(char, Type)> {
        let of = if text == "kind" { Type::Word } else { Type::Number };
        self.names().contains(&text).then(|| (text.as_bytes()[0] as char, of))
    }

    fn word(&self, _: char, text: &str) -> Result<bool, Fault> {
        match text {
            "hit" => Ok(true),
            "miss" => Ok(false),
            _ => Err(Fault::new(format!("no kind `{text}`"))),
        }
    }

    fn cost(&self, name: char) -> u32 {
        if name == 'k' { 10 } else { 1 }
    }
}

struct Now;

impl Facts<char, bool> for Now {
    fn number(&self, name: char) -> Option<f64> {
        match name {
            'a' => Some(0.25),
            'b' => Some(3.0),
            _ => None,
        }
    }

    fn is(&self, _: char, word: &bool) -> bool {
        *word
    }

    fn is_known(&self, name: char) -> bool {
        name != 'g'
    }
}

fn holds(text: &str) -> bool {
    condition(text, &Small).unwrap().holds(&Now)
}

fn worth(text: &str) -> Option<f64> {
    match read(text, &Small).unwrap() {
        Expression::Sum(sum) => sum.value::<bool>(&Now),
        Expression::Condition(_) => panic!("{text} is a condition"),
    }
}

fn fault(text: &str) -> (String, Range) {
    let fault = read(text, &Small).unwrap_err();
    (fault.to_string(), fault.at)
}

type Range = Option<std::ops::Range<usize>>;

#[test]
fn arithmetic_has_the_usual_precedence() {
    assert_eq!(worth("1 + 2 * 3"), Some(7.0));
    assert_eq!(worth("(1 + 2) * 3"), Some(9.0));
    assert_eq!(worth("8 - 4 - 2"), Some(2.0));
    assert_eq!(worth("8 / 4 / 2"), Some(1.0));
    assert_eq!(worth("beta - alpha"), Some(2.75));
    assert_eq!(worth("-alpha * -2"), Some(0.5));
    assert_eq!(worth("10_000 + 1e-1"), Some(10_000.1));
    assert_eq!(worth("-inf"), Some(f64::NEG_INFINITY));
    assert_eq!(worth("gone + 1"), None);
    assert_eq!(worth("alpha * 0 / (beta - 3)"), None);
}

#[test]
fn conditions_have_the_usual_precedence() {
    assert!(holds("alpha < 1 and beta >= 3"));
    assert!(holds("alpha > 1 or beta = 3"));
    assert!(holds("alpha > 1 and beta > 1 or beta == 3"));
    assert!(!holds("alpha > 1 and (beta > 1 or beta == 3)"));
    assert!(holds("not alpha > 1 && !(beta < 2) || alpha > 9"));
    assert!(holds("alpha + 1 < beta"));
    assert!(holds("1 < beta"));
    assert!(holds("alpha == 1/4"));
    assert!(holds("kind == hit and kind != miss and hit == kind"));
    assert!(holds("alpha ≤ 0.25 and alpha ≥ 0.25 and alpha ≠ 1"));
}

#[test]
fn a_missing_value_equals_only_none() {
    assert!(holds("gone == none") && !holds("gone != none"));
    assert!(holds("alpha != none") && holds("none != alpha"));
    assert!(!holds("gone < 1") && !holds("gone >= 1") && !holds("gone != 1"));
    assert!(holds("kind != none"));
}

#[test]
fn conditions_evaluate_their_cheap_parts_first() {
    let Condition::All(parts) = condition("kind == hit and alpha < 1", &Small).unwrap() else {
        panic!("no `and`");
    };
    assert!(matches!(parts[0], Condition::Test('a', ..)));
}

#[test]
fn faults_name_the_place_and_the_remedy() {
    let cases = [
        ("alhpa > 1", 0..5, "did you mean `alpha`"),
        ("alpha > 1 and kind", 14..18, "kind == …"),
        ("alpha > 1 and beta", 14..18, "beta > 0"),
        ("kind > hit", 5..6, "== or !="),
        ("kind == hti", 8..11, "no kind `hti`"),
        ("kind + 1 > 2", 0..4, "a word, not a number"),
        ("alpha < beta < 3", 13..14, "chained"),
        ("(alpha > 1", 0..1, "never closed"),
        ("alpha > 1)", 9..10, "closes nothing"),
        ("alpha beta", 6..10, "cannot follow"),
        ("alpha >", 7..7, "missing at the end"),
        ("", 0..0, "missing at the end"),
        ("> 3", 0..1, "missing before `>`"),
        ("0 / 0 > alpha", 0..5, "not a number"),
        ("(alpha > 1) + 2 > 3", 0..11, "a condition, not a number"),
        ("alpha + 1 == none", 0..9, "only a name"),
        ("zzz > 3", 0..3, "the names are alpha, beta"),
    ];
    for (text, place, words) in cases {
        let (message, at) = fault(text);
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!(at, Some(place), "{text}: {message}");
    }
}

#[test]
fn numbers_are_no_conditions() {
    let fault = condition("beta - alpha", &Small).unwrap_err();
    assert!(fault.to_string().contains("`beta - alpha > 0`"), "{fault}");
}

#[test]
fn moves_and_keys_lex_as_words_and_differences_do_not() {
    for word in ["a1-a4xg7", "99000000000000:3"] {
        assert!(fault(&format!("kind == {word}")).0.contains(&format!("no kind `{word}`")));
    }
    assert_eq!(worth("beta-alpha"), Some(2.75));
    assert_eq!(worth("9-3e5"), Some(-299_991.0));
    assert!(holds("1e-3<alpha"));
}

#[test]
fn quotes_hold_everything() {
    assert!(fault("kind == \"w../b.. w 1 1\"").0.contains("no kind `w../b.. w 1 1`"));
    assert_eq!(fault("kind == 'd6"), ("this quote is never closed".into(), Some(8..9)));
    assert!(fault("alpha ∧ beta").0.contains('∧'));
}

#[test]
fn the_length_of_an_expression_is_limited() {
    assert!(fault(&"1 + ".repeat(10_000)).0.contains("too long"));
}

#[test]
fn the_nesting_of_an_expression_is_limited() {
    for open in ["(", "-", "not "] {
        let text = open.repeat(200) + "1";
        assert!(read(&text, &Small).is_err());
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_text_panics(text in "[a-k0-9.()<>=!&|+*/\"' -]{0,40}|(alpha|beta|kind|and|or|not|[-+*/()<>= 0-9]){0,20}|\\PC{0,20}") {
        if let Err(fault) = read(&text, &Small) {
            let at = fault.at.unwrap();
            prop_assert!(text.get(at).is_some());
        }
    }
}
