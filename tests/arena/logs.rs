//! Games from the seeds' logs.

use plyscope::engine::{
    arena::{Ending, read_log as read},
    morris::Morris,
};

const LOG: &str = "\
Round of two
Match 1
White: ann
Black: bob
((9, 9), ((' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ')))
((8, 9), ((' ', 'w', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ')))
Winner: -
Reason: The match was not finished

Match 2
......../......../........ w 9 9
......../.w....../........ b 8 9
Winner: -
Reason: No mill has been played for 30 turns
";

#[test]
fn logs_are_read_in_either_notation() {
    let games = read(&Morris::default(), LOG).unwrap();
    let found: Vec<_> =
        games.records.iter().map(|game| (&*game.moves, &game.outcome.ending)).collect();
    assert_eq!(games.names, ["ann", "bob", "?"]);
    assert_eq!(found, [("d7", &Ending::Unfinished), ("d6", &Ending::NoMill)]);
    let tuples: Vec<_> = LOG.lines().filter(|line| line.starts_with('(')).collect();
    let list = format!("[{}]", tuples.join(", "));
    assert_eq!(read(&Morris::default(), &list).unwrap().records[0].moves, "d7");
}

#[test]
fn states_that_do_not_follow_are_refused_with_their_line() {
    let why = |text: &str| read(&Morris::default(), text).unwrap_err().message;
    assert!(why(&LOG.replace("(8, 9)", "(7, 9)")).starts_with("line 6:"));
    why(&LOG.replace("'w'", "'x'"));
    why("((9, 9)");
    assert!(why("nothing").contains("no state"));
}
