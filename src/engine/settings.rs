//! How searches run: what `search set` changes and `search show` shows.

use serde::{Deserialize, Serialize};

use super::{
    game::{Fault, KeyScheme},
    memo::{Policy, Reuse},
    search::{Algorithm, Fidelity, Limits, Mode, Order},
};

/// States visited where neither depth nor time nor budget is set: the seeds' `max_states`.
pub const DEFAULT_BUDGET: u64 = 25_000;

/// Entries that `cache clean` leaves where nothing else is set: seed 000's `max_size`.
pub const DEFAULT_MAX_SIZE: usize = 1_000_000;

/// Plies from the root that no iteration exceeds: depths are one byte, in files as well.
pub const MAX_DEPTH: u8 = 255;

/// How black's entries stand in the cache in `seed` fidelity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// Position, side and depth as they are: seed 002.
    Plain,
    /// Colours swapped for black: seed 002 on the persistent cache of seed 000.
    Colour,
}

/// A limit on visited states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// [`DEFAULT_BUDGET`] unless depth or time limit the search.
    Auto,
    /// No limit.
    Off,
    /// So many states.
    States(u64),
}

/// Which behaviour a named defect of the seeds gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// As the fidelity says.
    #[default]
    Auto,
    /// As the seed has it.
    Seed,
    /// Mended.
    Sound,
}

/// The defects of the seeds that change a search, each with its switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Switches {
    /// D2: black's values have the wrong sign under colour-swapped keys.
    pub sign: Switch,
    /// D3: a learned 0 counts as unknown.
    pub zero: Switch,
    /// D4: cleaning drops depths 0 and 1 together, and may drop everything.
    pub clean: Switch,
    /// D5: depth 0 gives the heuristic even where the game is over.
    pub leaf: Switch,
    /// D7: the budget's last state is counted but not evaluated; without a complete iteration all moves tie at 0.
    pub count: Switch,
    /// D8: wins are not ranked by length.
    pub ties: Switch,
    /// D9: the cache is kept when weights or rules change.
    pub stale: Switch,
}

/// Everything that `search set` sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Minimax or alpha-beta.
    pub algorithm: Algorithm,
    /// The memo policy.
    pub memo: Policy,
    /// Seed-faithful or mended.
    pub fidelity: Fidelity,
    /// Whether symmetric positions share entries.
    pub symmetry: bool,
    /// Keys in `seed` fidelity.
    pub keys: Keys,
    /// The order of children; `None` as the fidelity says.
    pub order: Option<Order>,
    /// Which entries of the policy `bound` serve; `None` as the fidelity says.
    pub reuse: Option<Reuse>,
    /// Whether leaves are searched on until they are quiet (chess).
    pub quiescence: bool,
    /// Plies of the last iteration.
    pub depth: Option<u8>,
    /// States visited.
    pub budget: Budget,
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Whether shallower iterations go before the depth asked for.
    pub deepening: bool,
    /// The generator's seed, for random choices among equals.
    pub seed: u64,
    /// Entries that `cache clean` leaves.
    pub max_size: usize,
    /// The seeds' defects.
    pub switches: Switches,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::AlphaBeta,
            memo: Policy::Interval,
            fidelity: Fidelity::Sound,
            symmetry: true,
            keys: Keys::Plain,
            order: None,
            reuse: None,
            quiescence: false,
            depth: None,
            budget: Budget::Auto,
            time_ms: None,
            deepening: true,
            seed: 0,
            max_size: DEFAULT_MAX_SIZE,
            switches: Switches::default(),
        }
    }
}

/// One setting: its name, what may be said, and what it does. Help, completion and errors come from here.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in `search set`.
    pub name: &'static str,
    /// The choices; empty where a number is meant.
    pub choices: &'static [&'static str],
    /// One line of help.
    pub help: &'static str,
    read: fn(&mut Settings, &str) -> Option<()>,
    show: fn(&Settings) -> String,
}

const SEED_OR_SOUND: &[&str] = &["auto", "seed", "sound"];
const ON_OFF: &[&str] = &["on", "off"];

/// Every setting, in the order they are shown.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "algorithm",
        choices: &["minimax", "alphabeta"],
        help: "how values are found",
        read: |s, text| s.algorithm.read(text),
        show: |s| s.algorithm.name().into(),
    },
    Setting {
        name: "memo",
        choices: &["none", "exact", "interval", "bound", "rote"],
        help: "the memo policy",
        read: |s, text| {
            Some(
                s.memo = Policy::ALL
                    .into_iter()
                    .find(|policy| policy.name() == text)?,
            )
        },
        show: |s| s.memo.name().into(),
    },
    Setting {
        name: "fidelity",
        choices: &["seed", "sound"],
        help: "the seeds bit for bit, or their defects mended; sets every switch back to auto",
        read: |s, text| {
            s.fidelity = choice(
                text,
                &[("seed", Fidelity::Seed), ("sound", Fidelity::Sound)],
            )?;
            s.switches = Switches::default();
            (s.order, s.reuse) = (None, None);
            Some(())
        },
        show: |s| s.fidelity.name().into(),
    },
    Setting {
        name: "symmetry",
        choices: ON_OFF,
        help: "whether symmetric positions share cache entries",
        read: |s, text| Some(s.symmetry = on_off(text)?),
        show: |s| shown(s.symmetry),
    },
    Setting {
        name: "keys",
        choices: &["plain", "colour"],
        help: "seed fidelity: keys of seed 002, or of seed 000's persistent cache with its sign defect",
        read: |s, text| {
            Some(s.keys = choice(text, &[("plain", Keys::Plain), ("colour", Keys::Colour)])?)
        },
        show: |s| {
            if s.keys == Keys::Plain {
                "plain"
            } else {
                "colour"
            }
            .into()
        },
    },
    Setting {
        name: "order",
        choices: &["auto", "none", "memo", "seed", "static"],
        help: "the order of children; auto is memo in sound and seed in seed fidelity",
        read: |s, text| {
            let known = [
                ("none", Order::None),
                ("memo", Order::Memo),
                ("seed", Order::Seed),
                ("static", Order::Static),
            ];
            Some(
                s.order = if text == "auto" {
                    None
                } else {
                    Some(choice(text, &known)?)
                },
            )
        },
        show: |s| s.order().name().into(),
    },
    Setting {
        name: "reuse",
        choices: &["auto", "exact", "deeper"],
        help: "policy bound: whether deeper entries serve; auto is exact in sound and deeper in seed fidelity",
        read: |s, text| {
            let known = [("exact", Reuse::Exact), ("deeper", Reuse::Deeper)];
            Some(
                s.reuse = if text == "auto" {
                    None
                } else {
                    Some(choice(text, &known)?)
                },
            )
        },
        show: |s| {
            if s.reuse() == Reuse::Exact {
                "exact"
            } else {
                "deeper"
            }
            .into()
        },
    },
    Setting {
        name: "quiescence",
        choices: ON_OFF,
        help: "chess: whether leaves are searched on until they are quiet",
        read: |s, text| Some(s.quiescence = on_off(text)?),
        show: |s| shown(s.quiescence),
    },
    Setting {
        name: "depth",
        choices: &["off"],
        help: "plies of the last iteration, 1 to 255",
        read: |s, text| {
            Some(s.depth = optional(text)?.filter(|&depth: &u8| depth > 0)).filter(|()| text != "0")
        },
        show: |s| s.depth.map_or("off".into(), |depth| depth.to_string()),
    },
    Setting {
        name: "budget",
        choices: &["auto", "off"],
        help: "states visited; auto is 25000 where neither depth nor time is set",
        read: |s, text| {
            s.budget = match text {
                "auto" => Budget::Auto,
                "off" => Budget::Off,
                number => Budget::States(number.parse().ok()?),
            };
            Some(())
        },
        show: |s| s.budget().map_or("off".into(), |states| states.to_string()),
    },
    Setting {
        name: "time_ms",
        choices: &["off"],
        help: "milliseconds",
        read: |s, text| Some(s.time_ms = optional(text)?),
        show: |s| s.time_ms.map_or("off".into(), |time| time.to_string()),
    },
    Setting {
        name: "deepening",
        choices: ON_OFF,
        help: "whether shallower iterations go before the depth asked for",
        read: |s, text| Some(s.deepening = on_off(text)?),
        show: |s| shown(s.deepening),
    },
    Setting {
        name: "seed",
        choices: &[],
        help: "the random generator's seed",
        read: |s, text| Some(s.seed = text.parse().ok()?),
        show: |s| s.seed.to_string(),
    },
    Setting {
        name: "max_size",
        choices: &[],
        help: "entries that `cache clean` leaves",
        read: |s, text| Some(s.max_size = text.parse().ok()?),
        show: |s| s.max_size.to_string(),
    },
    Setting {
        name: "sign",
        choices: SEED_OR_SOUND,
        help: "D2: black's values turned in sign under colour-swapped keys",
        read: |s, text| s.switches.sign.read(text),
        show: |s| s.switches.sign.name().into(),
    },
    Setting {
        name: "zero",
        choices: SEED_OR_SOUND,
        help: "D3: a learned 0 counts as unknown",
        read: |s, text| s.switches.zero.read(text),
        show: |s| s.switches.zero.name().into(),
    },
    Setting {
        name: "clean",
        choices: SEED_OR_SOUND,
        help: "D4: cleaning drops depths 0 and 1 together",
        read: |s, text| s.switches.clean.read(text),
        show: |s| s.switches.clean.name().into(),
    },
    Setting {
        name: "leaf",
        choices: SEED_OR_SOUND,
        help: "D5: depth 0 gives the heuristic even where the game is over",
        read: |s, text| s.switches.leaf.read(text),
        show: |s| s.switches.leaf.name().into(),
    },
    Setting {
        name: "count",
        choices: SEED_OR_SOUND,
        help: "D7: the budget's last state is counted but not evaluated",
        read: |s, text| s.switches.count.read(text),
        show: |s| s.switches.count.name().into(),
    },
    Setting {
        name: "ties",
        choices: SEED_OR_SOUND,
        help: "D8: wins are not ranked by length",
        read: |s, text| s.switches.ties.read(text),
        show: |s| s.switches.ties.name().into(),
    },
    Setting {
        name: "stale",
        choices: SEED_OR_SOUND,
        help: "D9: the cache is kept when the weights change",
        read: |s, text| s.switches.stale.read(text),
        show: |s| s.switches.stale.name().into(),
    },
];

impl Settings {
    /// Sets one setting by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            return Err(Fault::new(format!("no search setting `{name}`"))
                .hint(format!("the settings are {}", names.join(", "))));
        };
        (setting.read)(self, value).ok_or_else(|| {
            Fault::new(format!(
                "`{value}` is not a value of the search setting `{name}`"
            ))
            .hint(setting.expects())
        })
    }

    /// Checks that these are settings that [`Settings::set`] could have made.
    pub fn check(&self) -> Result<(), Fault> {
        let mut same = Self::default();
        self.list()
            .iter()
            .try_for_each(|(name, value)| same.set(name, value))
    }

    /// Every setting with its value in words.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        SETTINGS
            .iter()
            .map(|setting| (setting.name, (setting.show)(self)))
            .collect()
    }

    /// The order in force.
    pub fn order(&self) -> Order {
        self.order.unwrap_or(if self.fidelity == Fidelity::Seed {
            Order::Seed
        } else {
            Order::Memo
        })
    }

    /// The reuse in force.
    pub fn reuse(&self) -> Reuse {
        self.reuse.unwrap_or(if self.fidelity == Fidelity::Seed {
            Reuse::Deeper
        } else {
            Reuse::Exact
        })
    }

    /// The budget in force.
    pub fn budget(&self) -> Option<u64> {
        match self.budget {
            Budget::Auto => {
                (self.depth.is_none() && self.time_ms.is_none()).then_some(DEFAULT_BUDGET)
            }
            Budget::Off => None,
            Budget::States(states) => Some(states),
        }
    }

    /// Whether a switch stands at the seed's behaviour.
    pub fn as_seed(&self, switch: Switch) -> bool {
        match switch {
            Switch::Auto => self.fidelity == Fidelity::Seed,
            Switch::Seed => true,
            Switch::Sound => false,
        }
    }

    /// How the machine is to run.
    pub fn mode(&self) -> Mode {
        let seed = self.fidelity == Fidelity::Seed;
        let scheme = match (seed, self.keys, self.symmetry) {
            (true, Keys::Plain, _) => KeyScheme::Plain,
            (true, Keys::Colour, _) | (false, _, false) => KeyScheme::Colour,
            (false, _, true) => KeyScheme::Canonical,
        };
        Mode {
            algorithm: self.algorithm,
            scheme,
            negate_black: self.as_seed(self.switches.sign) && scheme != KeyScheme::Plain,
            write_orbit: seed && self.symmetry,
            order: self.order(),
            leaf_before_end: self.as_seed(self.switches.leaf)
                && self.algorithm == Algorithm::AlphaBeta,
            budget_short_by_one: self.as_seed(self.switches.count),
        }
    }

    /// How far deepening goes.
    pub fn limits(&self) -> Limits {
        let last = self.depth.unwrap_or(MAX_DEPTH);
        let usual = if self.fidelity == Fidelity::Seed {
            2
        } else {
            1
        };
        Limits {
            first: if self.deepening {
                usual.min(last)
            } else {
                last
            },
            last,
            stop_when_decided: self.fidelity == Fidelity::Sound && self.depth.is_none(),
            shorter_wins_first: !self.as_seed(self.switches.ties),
        }
    }

    /// Whether a cache filled under `self` still means the same under `other`.
    pub fn same_entries(&self, other: &Self) -> bool {
        let meaning = |s: &Self| {
            let mode = s.mode();
            let values = (
                s.memo,
                s.algorithm,
                s.quiescence,
                mode.leaf_before_end,
                mode.negate_black,
            );
            // Entries under canonical keys are right for the very position, so symmetry may be switched in `sound`.
            let scheme = if mode.scheme == KeyScheme::Plain {
                KeyScheme::Plain
            } else {
                KeyScheme::Colour
            };
            (values, scheme, s.fidelity)
        };
        // Values that deeper entries had a part in are not those of their depth (defects D13 and D14).
        let deeper = |s: &Self| s.memo == Policy::Bound && s.reuse() == Reuse::Deeper;
        meaning(self) == meaning(other) && (deeper(other) || !deeper(self))
    }
}

impl Setting {
    /// What may be said, in words.
    pub fn expects(&self) -> String {
        match self.choices {
            [] => "give a whole number".into(),
            ["off"] => "give a whole number above 0, or off".into(),
            ["auto", "off"] => "give a whole number, auto or off".into(),
            choices => format!("one of {}", choices.join(", ")),
        }
    }
}

fn choice<T: Copy>(text: &str, known: &[(&str, T)]) -> Option<T> {
    known
        .iter()
        .find(|(name, _)| *name == text)
        .map(|&(_, value)| value)
}

fn on_off(text: &str) -> Option<bool> {
    choice(text, &[("on", true), ("off", false)])
}

fn shown(on: bool) -> String {
    if on { "on" } else { "off" }.into()
}

/// A number, or `off`.
#[expect(
    clippy::option_option,
    reason = "outside: was it readable; inside: is there a limit"
)]
fn optional<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
    if text == "off" {
        Some(None)
    } else {
        text.parse().ok().map(Some)
    }
}

impl Switch {
    fn read(&mut self, text: &str) -> Option<()> {
        *self = choice(
            text,
            &[
                ("auto", Self::Auto),
                ("seed", Self::Seed),
                ("sound", Self::Sound),
            ],
        )?;
        Some(())
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Seed => "seed",
            Self::Sound => "sound",
        }
    }
}

impl Algorithm {
    fn read(&mut self, text: &str) -> Option<()> {
        *self = choice(
            text,
            &[("minimax", Self::Minimax), ("alphabeta", Self::AlphaBeta)],
        )?;
        Some(())
    }

    /// The name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
        }
    }
}

impl Fidelity {
    /// The name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Sound => "sound",
        }
    }
}

impl Order {
    /// The name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Memo => "memo",
            Self::Seed => "seed",
            Self::Static => "static",
        }
    }
}
