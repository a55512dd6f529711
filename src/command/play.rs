//! Commands to play against the engine.

use super::{Chapter, changes, search};

const MANUAL: &str = "
engine play, engine move
  lets the engine play a move for the side to move
  - --depth, --budget, --time  see search run
  Searches as `search run` does and plays one of the best moves; among equals the setting `seed` decides, so that the same seed plays the same game.
  A person moves with `play`: persons and engine in any mixture. Nothing is played where Ctrl-C or a breakpoint stops the search.
  > engine play  > engine play --depth 4  > engine play --time 500
";

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Play",
    manual: MANUAL,
    lists: &[],
    run: &[changes("engine play", |shell, args| {
        search::with_limits(args, |limits| shell.bench_mut().play_best(limits))
    })],
};
