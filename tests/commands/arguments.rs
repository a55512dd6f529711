//! Parsing of the arguments of a command.

use std::sync::LazyLock;

use plyscope::{
    command::{
        Args, Family, FamilyDefinition, Fault, LiveList,
        lexer::{Statement, next_statement},
        manual,
    },
    engine::session::reply::Score,
};

static DEFINITIONS: &[FamilyDefinition] = &[FamilyDefinition {
    title: "",
    manual: "
search value
  a test's command
  - [MOVE]  text  help
  - --depth  count  help
  - --alpha  score  help
  - --ply  1..9  help
  - --all  help
search set
  a test's command
  - --memo  one of  help
    none: help
    exact: help
position set
  a test's command
  - STATE…  rest text  help
  - --ply  count  help
weights set
  a test's command
  - SET  text  help
  - WEIGHT=…  @weight  help
",
    lists: &[LiveList::new("weight", |_| vec!["stones".to_owned()])],
    run: &[],
}];

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| manual::families(DEFINITIONS));

/// Parses a line whose first two words are the command's name, and passes the result to `look`.
fn with<T>(source: &str, look: impl Fn(&Args<'_>) -> T) -> Result<T, Fault> {
    let Statement { words, span, .. } = next_statement(source, 0).unwrap();
    let name = format!("{} {}", words[0].text, words[1].text);
    let spec = FAMILIES[0].commands.iter().find(|spec| spec.name == name).unwrap();
    Args::parse(spec, source, &words[2..], span.end).map(|args| look(&args))
}

fn fault(source: &str) -> (String, String) {
    let fault = with(source, |_| ()).unwrap_err();
    let at = fault.at.clone().unwrap();
    (fault.to_string(), source[at].to_owned())
}

#[test]
fn flags_take_values_that_begin_with_a_dash() {
    let read = |args: &Args<'_>| {
        let score = args.parsed::<Score>("alpha").unwrap().map(Score::get);
        (args.count::<u8>("depth").unwrap(), score, args.has("all"), args.json())
    };
    let both = |score| (Some(3), Some(score), true, false);
    assert_eq!(with("search value --depth 3 --alpha -0.5 --all", read), Ok(both(-0.5)));
    assert_eq!(
        with("search value --all --depth=3 --alpha=-inf", read),
        Ok(both(f64::NEG_INFINITY))
    );
    assert_eq!(with("search value --depth 25_0 --json", read).unwrap().0, Some(250));
    assert_eq!(with("search value", read), Ok((None, None, false, false)));
}

#[test]
fn words_after_two_dashes_and_quoted_words_are_no_flags() {
    let word = |args: &Args<'_>| args.text("MOVE").unwrap().to_owned();
    assert_eq!(with("search value -- --all", word).unwrap(), "--all");
    assert_eq!(with("search value '--all'", word).unwrap(), "--all");
    assert_eq!(with("search value -0.5", word).unwrap(), "-0.5");
}

#[test]
fn wrong_values_say_what_is_wanted() {
    let (text, at) = fault("search value --depth -1");
    assert_eq!(text, "--depth: `-1` is not a count; write a whole number, 0 or more");
    assert_eq!(at, "-1");
    let (text, at) = fault("search value --depth=1e3");
    assert!(text.contains("`1e3` is not a count"), "{text}");
    assert_eq!(at, "1e3");
    assert!(fault("search value --depth 99999999999999999999").0.contains("too large"));
    assert!(fault("search value --ply 10").0.contains("from 1 to 9"));
    assert!(fault("search value --alpha nan").0.contains("not a score"));
    let (text, at) = fault("search set --memo exakt");
    assert_eq!(
        (text.as_str(), at.as_str()),
        ("memo cannot be `exakt`; did you mean `exact`?", "exakt")
    );
    assert!(fault("search set --memo=rote").0.contains("it is `none` or `exact`"));
}

#[test]
fn a_number_out_of_range_is_a_fault_at_its_place() {
    let source = "search value --depth 300";
    let fault = with(source, |args| args.count::<u8>("depth")).unwrap().unwrap_err();
    assert_eq!(&source[fault.at.clone().unwrap()], "300");
}

#[test]
fn unknown_and_repeated_names_are_refused() {
    assert!(fault("search value --dept 3").0.contains("did you mean `--depth`?"));
    assert!(fault("search value -depth 3").0.contains("flags have two dashes: --depth"));
    assert!(fault("search value --all=1").0.contains("takes no value"));
    assert!(fault("search value --alpha").0.contains("write --alpha X"));
    assert_eq!(
        fault("search value --depth 1 --depth 2"),
        ("depth is given twice".to_owned(), "2".to_owned())
    );
    assert!(fault("weights set a stones=").0.contains("lacks a value"));
    assert!(fault("weights set a stones=1 stones=2").0.contains("twice"));
}

#[test]
fn missing_and_surplus_words_show_the_usage() {
    let (text, at) = fault("position set");
    let usage = "position set STATE… [--ply N]; `help position set` explains it";
    assert_eq!(text, format!("`position set` needs STATE; usage: {usage}"));
    assert_eq!(at, "");
    assert!(fault("search value a b").0.contains("cannot take `b`"));
}

#[test]
fn the_rest_of_a_statement_is_the_text_as_written() {
    let state = |args: &Args<'_>| args.text("STATE").unwrap().to_owned();
    let unquoted = "......../......../........  w 9 9";
    assert_eq!(with(&format!("position set {unquoted}"), state).unwrap(), unquoted);
    assert_eq!(with(&format!("position set {unquoted} --json --ply 3"), state).unwrap(), unquoted);
    assert_eq!(with(&format!("position set --ply=3 '{unquoted}'"), state).unwrap(), unquoted);
    let tuple = "((9, 9), ((' ', 'w', ' '), ('b'))) w";
    assert_eq!(with(&format!("position set {tuple}"), state).unwrap(), tuple);
    assert_eq!(with("position set a \\\n b", state).unwrap(), "a    b");
    assert_eq!(
        with("position set --json a", |args| (args.json(), args.has("ply"))),
        Ok((true, false))
    );
}

#[test]
fn pairs_keep_their_order() {
    let pairs = |args: &Args<'_>| -> Vec<String> {
        args.pairs().iter().map(|(key, value)| format!("{key}:{value}")).collect()
    };
    let read = with("weights set a stones=1 mills='-4 x' stash==", pairs).unwrap();
    assert_eq!(read, ["stones:1", "mills:-4 x", "stash:="]);
    let fault = with("weights set a stones==2", |_| ()).unwrap_err();
    assert!(fault.hint.is_some_and(|hint| hint == "write stones=2"), "{}", fault.message);
}

#[test]
fn blame_points_into_the_argument() {
    let source = "position set  w 9 x --ply 2";
    let blamed = |name, fault| with(source, |args| args.blame(name, Fault::clone(&fault))).unwrap();
    let inner = blamed("STATE", Fault::new("no number").at(4..5));
    assert_eq!(&source[inner.at.unwrap()], "x");
    let whole = blamed("STATE", Fault::new("no state"));
    assert_eq!(&source[whole.at.unwrap()], "w 9 x");
    let source = "weights set a stones=x";
    let pair = with(source, |args| args.blame("stones", Fault::new("no number"))).unwrap();
    assert_eq!(&source[pair.at.unwrap()], "x");
}
