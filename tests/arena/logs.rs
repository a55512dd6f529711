//! Text logs: what is written reads back.

use plyscope::engine::{
    arena::{
        Bout, Contender, DrawRules, Fixture, GameLine, Player, play, random_openings, roundlog,
    },
    game::Game,
    morris::Morris,
};
use proptest::prelude::*;

/// A game of quick players from a random opening.
fn line(number: usize, plies: usize, seed: u64) -> GameLine {
    let game = Morris::default();
    let player = Player::read::<Morris>("quick: depth=1").unwrap();
    let mut seats = [0, 1].map(|_| Contender::new(&game, &player).unwrap());
    let opening = random_openings(&game, &game.start(), plies, 1, seed)
        .unwrap()
        .remove(0);
    let bout = Bout {
        game: &game,
        rules: DrawRules::SOUND,
        opening: &opening,
        seed,
    };
    let [white, black] = &mut seats;
    let record = play(&bout, &mut [white, black], &false.into())
        .unwrap()
        .unwrap();
    let fixture = Fixture {
        white: 0,
        black: 1,
        round: number,
    };
    GameLine::of(&game, number, fixture, &record)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn games_come_back_from_their_logs(plies in 0_usize..12, seed in 0_u64..1_000_000, games in 1_usize..4) {
        let game = Morris::default();
        let lines: Vec<_> = (0..games).map(|number| line(number, plies, seed + number as u64)).collect();
        let named = lines.iter().map(|line| (line, ["ann", "bob"]));
        let text = roundlog::write(&game, &DrawRules::SOUND, named).unwrap();
        let read = roundlog::read(&game, &text).unwrap();
        prop_assert_eq!(read.len(), games);
        for (read, line) in read.iter().zip(&lines) {
            prop_assert_eq!(&read.names, &["ann".to_owned(), "bob".to_owned()]);
            prop_assert_eq!(&read.line.moves, &line.moves);
            prop_assert_eq!(read.line.winner, line.winner);
            prop_assert_eq!(&read.line.ending, &line.ending);
        }
        // And once more: nothing is lost on the way.
        let again: Vec<_> = read.iter().map(|game| (&game.line, ["ann", "bob"])).collect();
        prop_assert_eq!(roundlog::write(&game, &DrawRules::SOUND, again).unwrap(), text);
    }

    #[test]
    fn no_text_makes_the_reader_fall_over(text in "[(]{0,3}[ '()wb0-9,\n.]{0,200}") {
        let _ = roundlog::read(&Morris::default(), &text);
    }
}
