//! When a match is a draw: as in the seeds' matches, counted right or with their miscounts.

use serde::{Deserialize, Serialize};

use crate::engine::game::{Fault, Game, Judging};

/// When a match that the rules of the game do not end is drawn. `None`: never for this reason.
///
/// The default is the seeds' for games whose own rules know no draws, and nothing for those whose rules do.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a miscount of the seeds, independent of the others"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRules {
    /// Positions in the log, the first included.
    pub max_turns: Option<u32>,
    /// Times that a position has occurred.
    pub occurrences: Option<u32>,
    /// Moves without a mill.
    pub no_mill: Option<u32>,
    /// D10: the mills of the wrong side are looked at, after the turn has passed.
    pub wrong_mills: bool,
    /// D10: the last placement counts as a move without a mill.
    pub last_placement: bool,
    /// D10: draws go before wins.
    pub draws_first: bool,
    /// D10: positions are the same whoever is to move.
    pub any_side: bool,
}

/// One rule by name: what may be said of it and what it does.
#[derive(Clone, Copy, Debug)]
pub struct DrawRule {
    /// The name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    read: fn(&mut DrawRules, &str) -> Option<()>,
    show: fn(&DrawRules) -> String,
}

/// Every rule, in the order they are shown.
pub const DRAW_RULES: &[DrawRule] = &[
    DrawRule {
        name: "max_turns",
        help: "positions in the log, the first included; off for no limit",
        read: |rules, text| limit(&mut rules.max_turns, text),
        show: |rules| shown(rules.max_turns),
    },
    DrawRule {
        name: "occurrences",
        help: "times that a position has occurred, or off",
        read: |rules, text| limit(&mut rules.occurrences, text),
        show: |rules| shown(rules.occurrences),
    },
    DrawRule {
        name: "no_mill",
        help: "moves without a mill, or off",
        read: |rules, text| limit(&mut rules.no_mill, text),
        show: |rules| shown(rules.no_mill),
    },
    DrawRule {
        name: "wrong_mills",
        help: "D10: on looks at the mills of the side to move, after the turn has passed",
        read: |rules, text| on_off(&mut rules.wrong_mills, text),
        show: |rules| switch(rules.wrong_mills),
    },
    DrawRule {
        name: "last_placement",
        help: "D10: on counts the last placement",
        read: |rules, text| on_off(&mut rules.last_placement, text),
        show: |rules| switch(rules.last_placement),
    },
    DrawRule {
        name: "draws_first",
        help: "D10: on looks for draws before wins",
        read: |rules, text| on_off(&mut rules.draws_first, text),
        show: |rules| switch(rules.draws_first),
    },
    DrawRule {
        name: "any_side",
        help: "D10: on takes positions for the same whoever is to move",
        read: |rules, text| on_off(&mut rules.any_side, text),
        show: |rules| switch(rules.any_side),
    },
];

impl DrawRules {
    /// No match is drawn but by the rules of the game.
    pub const NONE: Self = Self {
        max_turns: None,
        occurrences: None,
        no_mill: None,
        wrong_mills: false,
        last_placement: false,
        draws_first: false,
        any_side: false,
    };

    /// The limits of the seeds' matches, counted right.
    pub const SOUND: Self = Self {
        max_turns: Some(250),
        occurrences: Some(5),
        no_mill: Some(30),
        ..Self::NONE
    };

    /// The seeds' matches with their miscounts (defect D10).
    pub const SEED: Self = Self {
        wrong_mills: true,
        last_placement: true,
        draws_first: true,
        any_side: true,
        ..Self::SOUND
    };

    /// The rules of a game's matches where nothing else is said.
    pub const fn usual<G: Game>() -> Self {
        if G::HISTORIC { Self::NONE } else { Self::SOUND }
    }

    /// Sets one rule by name; `counting` sets all miscounts of the seeds at once (`seed`), or mends them (`sound`).
    ///
    /// # Errors
    /// Names and values that do not exist, with those that do.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if name == "counting" {
            let counted = match value {
                "seed" => Self::SEED,
                "sound" => Self::SOUND,
                _ => {
                    return Err(Fault::new(format!("counting cannot be `{value}`"))
                        .hint("it is sound or seed"));
                }
            };
            *self = Self {
                max_turns: self.max_turns,
                occurrences: self.occurrences,
                no_mill: self.no_mill,
                ..counted
            };
            return Ok(());
        }
        let Some(rule) = DRAW_RULES.iter().find(|rule| rule.name == name) else {
            let names: Vec<_> = DRAW_RULES.iter().map(|rule| rule.name).collect();
            return Err(Fault::new(format!("no draw rule `{name}`"))
                .hint(format!("there is counting, {}", names.join(", "))));
        };
        (rule.read)(self, value)
            .ok_or_else(|| Fault::new(format!("{name} cannot be `{value}`")).hint(rule.help))
    }

    /// Checks that every match ends some time.
    ///
    /// # Errors
    /// Where neither the game nor a limit ends it.
    pub fn check<G: Game>(&self) -> Result<(), Fault> {
        let endless =
            self.max_turns.is_none() && self.occurrences.is_none() && self.no_mill.is_none();
        if endless && !G::HISTORIC {
            return Err(Fault::new("with every draw rule off a match may never end")
                .hint("set max_turns, occurrences or no_mill"));
        }
        Ok(())
    }

    /// Every rule with its value in words.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        DRAW_RULES
            .iter()
            .map(|rule| (rule.name, (rule.show)(self)))
            .collect()
    }

    /// How moves are told apart.
    pub const fn judging(&self) -> Judging {
        Judging {
            wrong_side: self.wrong_mills,
            last_placement: self.last_placement,
        }
    }
}

fn limit(slot: &mut Option<u32>, text: &str) -> Option<()> {
    *slot = match text {
        "off" => None,
        number => Some(number.parse().ok().filter(|&limit| limit > 0)?),
    };
    Some(())
}

fn shown(limit: Option<u32>) -> String {
    limit.map_or("off".to_owned(), |limit| limit.to_string())
}

fn on_off(slot: &mut bool, text: &str) -> Option<()> {
    *slot = match text {
        "on" => true,
        "off" => false,
        _ => return None,
    };
    Some(())
}

fn switch(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}
