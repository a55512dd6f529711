//! Commands to play against the engine.

use super::{Changes, Family, Spec, search};

/// Playing.
pub(super) const FAMILY: Family = Family { title: "Play", commands: &[ENGINE_PLAY, HINT] };

const ENGINE_PLAY: Spec = Spec {
    name: "engine play",
    aliases: &["engine move"],
    params: search::LIMITS,
    summary: "lets the engine play a move for the side to move",
    details: "Searches as `search run` does and plays one of the best moves; among equals the setting `seed` decides, so that the same seed plays \
              the same game. A person moves with `play`: persons and engine in any mixture. Nothing is played where Ctrl-C or a breakpoint \
              stops the search.",
    examples: &["engine play", "engine play --depth 4", "engine play --time 500"],
    run: Changes(|shell, args| {
        search::with_limits(args, |limits| shell.engine.bench_mut().play_best(limits))
    }),
};

const HINT: Spec = Spec {
    name: "hint",
    aliases: &[],
    params: search::LIMITS,
    summary: "shows the best moves without playing one",
    details: "The same as `search run`, under the name a player looks for.",
    examples: &["hint", "hint --depth 4"],
    run: Changes(search::run),
};
