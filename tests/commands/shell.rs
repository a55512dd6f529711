//! The shell: failures and their places, abbreviations, aliases, expectations.

use proptest::prelude::*;

use crate::toy::shell;
use plyscope::{
    command::{Failure, FailureKind, Outcome, Response, Shell, SourceOrigin},
    engine::session::reply::{PlainReply, Reply},
    view,
};

fn is_text(reply: &dyn Reply) -> bool {
    let fields = reply.downcast_ref().map(|said: &PlainReply| &said.fields);
    fields.is_some_and(|it| it.contains_key("message") || it.contains_key("echo"))
}

/// The replies to a line, or the text of its failure.
fn answers(shell: &mut Shell, line: &str) -> Vec<String> {
    let answer = |outcome: Outcome| match outcome {
        Ok(Response { reply, .. }) if is_text(&*reply) => reply.text(),
        Ok(response) => serde_json::to_string(&*response.reply).unwrap(),
        Err(failure) => format!("! {}", failure.fault),
    };
    shell.run_line(line).into_iter().map(answer).collect()
}

fn answer(shell: &mut Shell, line: &str) -> String {
    answers(shell, line).join("\n")
}

fn failure(shell: &mut Shell, line: &str) -> Failure {
    *shell.run_line(line).pop().unwrap().unwrap_err()
}

#[test]
fn statements_run_up_to_the_first_failure() {
    let mut shell = shell();
    assert_eq!(
        answers(&mut shell, "cache stats; back 2; cache get 0; back"),
        ["cache stats", "back", "! no such entry"]
    );
    assert_eq!(
        answers(&mut shell, "back x; back"),
        ["! N: `x` is not a count; write a whole number, 0 or more"]
    );
    assert_eq!(answers(&mut shell, " # nothing"), Vec::<String>::new());
    assert!(answer(&mut shell, "echo 'a").contains("never closed"));
}

#[test]
fn failures_know_their_place_and_kind() {
    let mut shell = shell();
    shell.load(SourceOrigin::Named("-c"), "back\n cache get  0").unwrap();
    assert!(shell.advance().unwrap().is_ok());
    let failed = shell.advance().unwrap().unwrap_err();
    let place = failed.place.unwrap();
    assert_eq!(
        (place.file.as_deref(), place.line, place.column, place.width),
        (Some("-c"), 2, 13, 1)
    );
    assert_eq!((place.source.as_str(), failed.kind), (" cache get  0", FailureKind::Command));
    let unknown = self::failure(&mut shell, "ö; x");
    assert_eq!(unknown.kind, FailureKind::Parse);
    assert_eq!(unknown.place.unwrap().width, 1);
    let second = self::failure(&mut shell, "back; cache gett 9").place.unwrap();
    assert_eq!((second.column, second.width), (13, 4));
    let needs = self::failure(&mut shell, "cache get").place.unwrap();
    assert_eq!((needs.column, needs.width), (10, 1));
}

#[test]
fn abbreviations_are_for_people() {
    let mut shell = shell();
    assert!(answer(&mut shell, "ca st").starts_with("! `ca st` is short for `cache stats`"));
    assert!(answer(&mut shell, "cache").starts_with("! `cache` needs a second word"));
    shell.interactive = true;
    assert_eq!(answer(&mut shell, "ca st"), "cache stats");
    assert!(answer(&mut shell, "cache").contains("\"name\":\"cache get\""));
    shell.load(SourceOrigin::Named("script"), "ca st").unwrap();
    assert!(shell.advance().unwrap().is_err());
}

#[test]
fn aliases_take_arguments_and_several_commands() {
    let mut shell = shell();
    answer(&mut shell, "alias g = cache get");
    assert_eq!(answer(&mut shell, "g 99:0"), "cache get");
    assert_eq!(
        answer(&mut shell, "alias two = 'cache stats; back'; two 3; echo end"),
        "{\"aliases\":{\"two\":\"cache stats; back\"}}\ncache stats\nback\nend"
    );
    assert_eq!(answer(&mut shell, "alias g"), "{\"aliases\":{\"g\":\"cache get\"}}");
    assert_eq!(answer(&mut shell, "unalias g"), "alias g is removed");
    assert!(answer(&mut shell, "unalias tow").contains("did you mean `two`?"));
}

#[test]
fn aliases_are_shown_as_they_are_typed() {
    let mut shell = shell();
    for (typed, shown) in [
        ("a = back 3", "alias a = back 3"),
        ("b = 'back; back next'", "alias b = 'back; back next'"),
        ("c = \"echo 'x'; back\"", "alias c = \"echo 'x'; back\""),
    ] {
        let replies = shell.run_line(&format!("alias {typed}"));
        let reply = replies[0].as_ref().unwrap();
        assert_eq!(view::response(reply), shown);
    }
}

#[test]
fn aliases_neither_shadow_nor_recurse() {
    let mut shell = shell();
    assert!(answer(&mut shell, "alias back = cache stats").contains("command of the program"));
    assert!(answer(&mut shell, "alias cache = back").contains("command of the program"));
    assert!(answer(&mut shell, "alias a b = back").contains("is not a valid name"));
    assert!(answer(&mut shell, "alias x = xyzzy").contains("no command `xyzzy`"));
    assert!(answer(&mut shell, "alias x = ").contains("has no command"));
    answer(&mut shell, "alias x = back");
    assert!(answer(&mut shell, "alias y = x").contains("no command `x`"));
}

#[test]
fn a_failure_in_an_alias_points_at_its_caller() {
    let mut shell = shell();
    answer(&mut shell, "alias g = cache get 0");
    let failed = failure(&mut shell, "back; g");
    assert_eq!(failed.place.unwrap().column, 7);
    assert_eq!(failed.trail, ["in the alias g: cache get 0"]);
    let failed = failure(&mut shell, "g 'x");
    assert_eq!(failed.place.unwrap().column, 3);
}

#[test]
fn expectations_read_the_last_reply_and_keep_it() {
    let mut shell = shell();
    assert!(answer(&mut shell, "expect message == back").contains("no last reply"));
    let line =
        "back; expect message == back; echo hm; expect message != bakc; expect message.len == 4";
    assert_eq!(answers(&mut shell, line).len(), 5);
    let wrong = answer(&mut shell, "expect message == 'cache stats'");
    assert_eq!(wrong, "! expected message == cache stats, found \"back\"");
    assert!(answer(&mut shell, "expect mesage == back").contains("did you mean `message`?"));
    assert!(answer(&mut shell, "expect message contains ack").contains("\"passed\":true"));
    assert!(answer(&mut shell, "expect back == 3").contains("write a path after it"));
}

#[test]
fn expectations_run_commands() {
    let mut shell = shell();
    assert!(answer(&mut shell, "expect cache get 99:0 message == cache get").contains("passed"));
    assert!(answer(&mut shell, "expect version program == plyscope --json").contains("passed"));
    assert_eq!(answer(&mut shell, "expect cache get 0 message == x"), "! no such entry");
    answer(&mut shell, "alias v = version");
    assert!(
        answer(&mut shell, "expect v program == plyscope")
            .contains("the alias `v` cannot be used here")
    );
    assert!(answer(&mut shell, "expect xyzzy message == x").contains("no command `xyzzy`"));
    assert!(answer(&mut shell, "expect message == back").contains("the reply has no `message`"));
}

#[test]
fn an_expected_error_is_no_failure() {
    let mut shell = shell();
    assert!(answer(&mut shell, "expect error cache get 0").contains("\"found\":\"no such entry\""));
    assert!(answer(&mut shell, "expect error 'such' cache get 0").contains("passed"));
    assert!(answer(&mut shell, "expect error back x").contains("passed"));
    assert!(
        answer(&mut shell, "expect error 'other' cache get 0").contains("found: no such entry")
    );
    assert_eq!(
        answer(&mut shell, "expect error cache get 1"),
        "! expected an error from `cache get 1`, but it succeeded"
    );
    assert!(answer(&mut shell, "expect error").contains("no comparison"));
    assert!(answer(&mut shell, "expect error 'x'").contains("there is no command"));
}

#[test]
fn a_malformed_expectation_is_refused() {
    let mut shell = shell();
    for (line, words) in [
        ("expect", "needs QUERY OP VALUE"),
        ("expect x==3", "write spaces around"),
        ("expect == 3", "the left side of the comparison"),
        ("expect x ==", "the right side of the comparison"),
        ("back; expect message ~ 1 x", "not a tolerance"),
    ] {
        assert!(answer(&mut shell, line).contains(words), "{line}: {}", answer(&mut shell, line));
    }
}

#[test]
fn help_begins_with_the_current_situation() {
    let mut shell = Shell::default();
    let mut doing = |line: &str| {
        shell.look_up(line).unwrap();
        let help = serde_json::to_value(&*shell.look_up("help").unwrap()).unwrap();
        assert_eq!(help["commands"].as_array().map(Vec::len), Some(10), "{line}");
        help["doing"].as_str().unwrap().to_owned()
    };
    assert!(doing("version").starts_with("There is no search and no game yet"));
    assert_eq!(doing("play d6"), "A game is on the board.");
    assert_eq!(doing("step 20"), "A search is paused.");
    assert_eq!(doing("search run --depth 1"), "A search is over.");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{\"plytrace\":1}\n").unwrap();
    assert_eq!(doing(&format!("trace open {}", file.path().display())), "A trace is open.");
    assert_eq!(doing("trace close"), "A search is over.");
    let settings = shell.look_up("help reductions").unwrap().text();
    assert!(settings.contains("setting: late move reductions"), "{settings}");
    assert!(shell.look_up("help start").unwrap().text().contains("Five steps"));
}

#[test]
fn help_finds_commands_by_name_noun_and_word() {
    let mut shell = shell();
    assert!(answer(&mut shell, "help").contains("\"title\":\"General\""));
    assert!(answer(&mut shell, "help cache get").contains("\"usage\":\"cache get KEY\""));
    assert!(answer(&mut shell, "? back").contains("\"related\":[\"back next\"]"));
    assert!(answer(&mut shell, "help cache").contains("cache stats"));
    assert!(answer(&mut shell, "help script").contains("source"));
    assert!(answer(&mut shell, "help cache gte").contains("did you mean `cache get`"));
    assert!(answer(&mut shell, "help all").contains("\"title\":\"General\""));
    assert!(!answer(&mut shell, "help general").contains("cache stats"));
    answer(&mut shell, "alias b = back");
    assert_eq!(answer(&mut shell, "help b"), "{\"aliases\":{\"b\":\"back\"}}");
}

#[test]
fn the_setting_random_is_also_read_as_seed() {
    let mut shell = Shell::default();
    assert!(shell.run_line("search set seed=3")[0].is_ok());
    let settings = shell.engine.session().settings(true).settings;
    assert!(settings.contains(&("random".to_owned(), "3".to_owned())), "{settings:?}");
}

#[test]
fn quitting_drops_the_remaining_statements() {
    let mut shell = shell();
    assert_eq!(answers(&mut shell, "q; back"), ["{\"quit\":true}"]);
    assert!(shell.quit);
}

#[test]
fn json_by_statement_and_for_all() {
    let mut shell = shell();
    let replies = shell.run_line("back --json; back");
    let json: Vec<bool> = replies.into_iter().map(|response| response.unwrap().json).collect();
    assert_eq!(json, [true, false]);
    shell.json = true;
    assert!(shell.run_line("back")[0].as_ref().unwrap().json);
}

/// Words with a meaning somewhere, joined with and without spaces.
fn anything() -> impl Strategy<Value = String> {
    let words = [
        "cache",
        "get",
        "set",
        "back",
        "expect",
        "error",
        "alias",
        "help",
        "echo",
        "source",
        "unalias",
        "x",
        "0",
        "99:0",
        "-1",
        "--json",
        "--limit",
        "--over",
        "--",
        "=",
        "bound=exact",
        "==",
        "~",
        "contains",
        "message",
        "[0]",
        ".len",
        "'",
        "\"",
        "(",
        ")",
        "{",
        "}",
        ";",
        "\n",
        "#",
        "\\",
        ":",
        " ",
        " ",
        " ",
        "ä",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..14)
        .prop_map(|words| words.concat())
}

#[test]
fn a_person_answers_the_quiz_without_its_command() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        answer(&mut shell, &format!("game {game}; search set depth=2; quiz next"));
        assert!(shell.run_line("0 1").pop().unwrap().is_err(), "in a script a command is needed");
        shell.interactive = true;
        let asked = |shell: &Shell| shell.session().quiz_score().asked;
        let before = asked(&shell);
        let given = shell.session().quiz_score().question;
        assert!(given.is_some(), "{game}");
        // What is no answer is told as before; what is a command stays one.
        assert!(shell.run_line("perhaps").pop().unwrap().is_err());
        assert!(shell.run_line("where").pop().unwrap().is_ok());
        assert_eq!(asked(&shell), before);
        let answered = ["0 1", "0", "no"].iter().any(|text| shell.run_line(text)[0].is_ok());
        assert!(answered && asked(&shell) == before + 1, "{game}");
    }
}

/// Moves that are typed or pasted without a command are played together; one that is illegal is an error of a move.
#[test]
fn a_person_plays_moves_without_a_command() {
    for (game, moves, wrong) in
        [("chess", "Nf3; Nc6\ne4 e5 Bc4 Bc5\nO-O", "Nf6 e5"), ("morris", "d6; f4 d2\nb4", "a1 d6")]
    {
        let mut shell = Shell::default();
        answer(&mut shell, &format!("game {game}"));
        assert!(shell.run_line(moves).pop().unwrap().is_err(), "in a script a command is needed");
        shell.interactive = true;
        assert!(shell.run_line(moves).pop().unwrap().is_ok(), "{game}");
        let played = shell.session().position().played.len();
        assert_eq!(played, moves.split(['\n', ' ']).count(), "{game}");
        let failure = shell.run_line(wrong).pop().unwrap().unwrap_err();
        assert!(!failure.fault.message.contains("command"), "{game}: {}", failure.fault);
        assert_eq!(shell.session().position().played.len(), played, "{game}: none is played");
        let with_colon = shell.run_line(&format!(":{wrong}")).pop().unwrap().unwrap_err();
        assert_eq!(with_colon.fault.message, failure.fault.message, "{game}");
    }
}

#[test]
fn the_upcoming_command_is_known_by_every_name() {
    let mut shell = Shell::default();
    shell.interactive = true;
    answer(&mut shell, "alias best = hint; alias shot = 'picture screen'");
    for (line, command) in [
        ("hint", Some("engine hint")),
        ("hin", Some("engine hint")),
        ("best --time 1", Some("engine hint")),
        ("search run", Some("search run")),
        ("sea ru", Some("search run")),
        ("run", Some("search run")),
        ("shot picture.svg", Some("picture screen")),
        ("session save picture", Some("session save")),
        ("echo hint", Some("echo")),
        ("'hint'", None),
        ("nonsense", None),
        ("", None),
    ] {
        shell.load(SourceOrigin::Typed, line).unwrap();
        let upcoming = shell.upcoming_command().map(|spec| spec.name);
        assert_eq!(upcoming, command, "{line}");
        shell.abandon();
    }
}

proptest! {
    #[test]
    fn no_line_breaks_the_shell(lines in proptest::collection::vec(anything(), 1..4)) {
        let mut shell = shell();
        shell.interactive = true;
        for line in &lines {
            for outcome in shell.run_line(line) {
                match outcome {
                    Ok(response) => drop(view::response(&response)),
                    Err(failure) => drop(view::failure(&failure, view::Colour::Off)),
                }
            }
            let completions = shell.completions();
            for (at, _) in line.char_indices() {
                let (start, _) = completions.complete(&line[..at]);
                prop_assert!(line.is_char_boundary(start) && start <= at);
                completions.usage_hint(&line[..at]);
            }
        }
    }
}
