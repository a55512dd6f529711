//! Every setting by name: what may be said of it, what it does, how it is shown. Help, completion and errors come from here.

use super::{
    Algorithm, Budget, Fidelity, Keys, MAX_DEPTH, Order, Past, Policy, Replace, Reuse, Settings,
    Switch, Switches,
};

/// One setting: its name, what may be said, and what it does. Help, completion and errors come from here.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in `search set`.
    pub name: &'static str,
    /// The choices; empty where a number is meant.
    pub choices: &'static [&'static str],
    /// One line of help.
    pub help: &'static str,
    pub(super) read: fn(&mut Settings, &str) -> Option<()>,
    pub(super) show: fn(&Settings) -> String,
}

const SEED_OR_SOUND: &[&str] = &["auto", "seed", "sound"];
const ON_OFF: &[&str] = &["on", "off"];

/// Settings that older scripts and sessions name and that do nothing any more, with the reason.
pub const RETIRED: &[(&str, &str)] = &[("hash", "one table of keys serves every policy")];

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
            let known = Policy::ALL.into_iter().find(|policy| policy.name() == text);
            put(&mut s.memo, known)
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
            (s.order, s.reuse, s.replace, s.history) = (None, None, None, None);
            Some(())
        },
        show: |s| s.fidelity.name().into(),
    },
    Setting {
        name: "symmetry",
        choices: ON_OFF,
        help: "whether symmetric positions share cache entries",
        read: |s, text| put(&mut s.symmetry, on_off(text)),
        show: |s| shown(s.symmetry),
    },
    Setting {
        name: "keys",
        choices: &["plain", "colour"],
        help: "seed fidelity: keys of seed 002, or of seed 000's persistent cache with its sign defect",
        read: |s, text| {
            put(
                &mut s.keys,
                choice(text, &[("plain", Keys::Plain), ("colour", Keys::Colour)]),
            )
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
        choices: &["auto", "none", "memo", "seed", "static", "captures"],
        help: "the order of children; auto is memo in sound and seed in seed fidelity; in chess memo puts captures before what it does not know",
        read: |s, text| {
            let known = [
                ("none", Order::None),
                ("memo", Order::Memo),
                ("seed", Order::Seed),
                ("static", Order::Static),
                ("captures", Order::Captures),
            ];
            put(&mut s.order, or_auto(text, &known))
        },
        show: |s| s.order().name().into(),
    },
    Setting {
        name: "reuse",
        choices: &["auto", "exact", "deeper"],
        help: "policy bound: whether deeper entries serve; auto is exact in sound and deeper in seed fidelity",
        read: |s, text| {
            let known = [("exact", Reuse::Exact), ("deeper", Reuse::Deeper)];
            put(&mut s.reuse, or_auto(text, &known))
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
        name: "history",
        choices: &["auto", "exact", "count", "ignore", "skip"],
        help: "chess: how much of the past keys hold: all that can change the value, occurrences and clock (seed 004), nothing (seed 003), or nothing and values that rest on it are not stored; auto is exact in sound",
        read: |s, text| put(&mut s.history, or_auto(text, &Past::NAMED)),
        show: |s| {
            let named = Past::NAMED
                .into_iter()
                .find(|(_, past)| *past == s.history());
            named.map_or("auto", |(name, _)| name).into()
        },
    },
    Setting {
        name: "quiescence",
        choices: ON_OFF,
        help: "chess: whether leaves are searched on with captures, promotions and checks, four plies at most, until they are quiet (seed 003); a side may stand pat, that is keep the static value",
        read: |s, text| put(&mut s.quiescence, on_off(text)),
        show: |s| shown(s.quiescence),
    },
    Setting {
        name: "depth",
        choices: &["off"],
        help: "plies of the last iteration, 1 to 255",
        read: |s, text| put(&mut s.depth, optional(text)),
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
                number => Budget::States(number.parse().ok().filter(|states| *states > 0)?),
            };
            Some(())
        },
        show: |s| s.budget().map_or("off".into(), |states| states.to_string()),
    },
    Setting {
        name: "time_ms",
        choices: &["off"],
        help: "milliseconds",
        read: |s, text| put(&mut s.time_ms, optional(text)),
        show: |s| s.time_ms.map_or("off".into(), |time| time.to_string()),
    },
    Setting {
        name: "deepening",
        choices: ON_OFF,
        help: "whether shallower iterations go before the depth asked for",
        read: |s, text| put(&mut s.deepening, on_off(text)),
        show: |s| shown(s.deepening),
    },
    Setting {
        name: "seed",
        choices: &[],
        help: "the random generator's seed",
        read: |s, text| put(&mut s.seed, text.parse().ok()),
        show: |s| s.seed.to_string(),
    },
    Setting {
        name: "max_size",
        choices: &["size", "off"],
        help: "entries (1000000) or bytes (64MiB) that the cache takes at most; with replace=clean in seed fidelity, after each decision",
        read: |s, text| put(&mut s.max_size, text.parse().ok()),
        show: |s| s.max_size.to_string(),
    },
    Setting {
        name: "record",
        choices: ON_OFF,
        help: "whether searches are recorded, so that they can be walked back",
        read: |s, text| put(&mut s.record, on_off(text)),
        show: |s| shown(s.record),
    },
    Setting {
        name: "record_mib",
        choices: &[],
        help: "memory for walking back, in MiB",
        read: |s, text| put(&mut s.record_mib, text.parse().ok()),
        show: |s| s.record_mib.to_string(),
    },
    Setting {
        name: "replace",
        choices: &["auto", "depth", "use", "clean"],
        help: "what gives way in a full cache: the shallowest or least used of eight, or whole depths as in seed 000; auto is depth in sound and clean in seed fidelity, where cleaning waits until a move is decided on",
        read: |s, text| {
            let known = Replace::ALL.map(|replace| (replace.name(), replace));
            put(&mut s.replace, or_auto(text, &known))
        },
        show: |s| s.replace().name().into(),
    },
    Setting {
        name: "uses",
        choices: ON_OFF,
        help: "whether uses of entries are counted, for `cache list --sort uses`",
        read: |s, text| put(&mut s.uses, on_off(text)),
        show: |s| shown(s.uses),
    },
    Setting {
        name: "verify",
        choices: ON_OFF,
        help: "whether positions are kept beside the keys: entries of another position under the same key are counted and not used, and chess entries show theirs",
        read: |s, text| put(&mut s.verify, on_off(text)),
        show: |s| shown(s.verify),
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
    Setting {
        name: "ends",
        choices: SEED_OR_SOUND,
        help: "D15, chess: mates count from the root (minimax), mates and draws by the remaining depth (alphabeta)",
        read: |s, text| s.switches.ends.read(text),
        show: |s| s.switches.ends.name().into(),
    },
    Setting {
        name: "quiet",
        choices: SEED_OR_SOUND,
        help: "D16, chess: the cache is kept when quiescence is switched",
        read: |s, text| s.switches.quiet.read(text),
        show: |s| s.switches.quiet.name().into(),
    },
    Setting {
        name: "clock",
        choices: SEED_OR_SOUND,
        help: "D20, chess: the clock enters keys fifty plies too early",
        read: |s, text| s.switches.clock.read(text),
        show: |s| s.switches.clock.name().into(),
    },
    Setting {
        name: "king",
        choices: SEED_OR_SOUND,
        help: "D22, chess: minimax chooses the kings' table at the root",
        read: |s, text| s.switches.king.read(text),
        show: |s| s.switches.king.name().into(),
    },
    Setting {
        name: "queen",
        choices: SEED_OR_SOUND,
        help: "chess: the queen's table is mirrored, c2 for f2",
        read: |s, text| s.switches.queen.read(text),
        show: |s| s.switches.queen.name().into(),
    },
];

impl Setting {
    /// What may be said, in words.
    pub fn expects(&self) -> String {
        let number = |least: u8, most: u64| format!("give a whole number from {least} to {most}");
        match self.name {
            "max_size" => "give entries as 1_000_000, bytes as 64MiB or 1GB, or off".into(),
            "depth" => number(1, MAX_DEPTH.into()) + ", or off",
            "time_ms" => number(1, u64::MAX) + ", or off",
            "budget" => number(1, u64::MAX) + ", auto or off",
            "seed" => number(0, u64::MAX),
            "record_mib" => number(0, usize::MAX as u64),
            _ => format!("one of {}", self.choices.join(", ")),
        }
    }
}

fn choice<T: Copy>(text: &str, known: &[(&str, T)]) -> Option<T> {
    known
        .iter()
        .find(|(name, _)| *name == text)
        .map(|&(_, value)| value)
}

/// Writes a setting, if what was said can be read.
fn put<T>(slot: &mut T, value: Option<T>) -> Option<()> {
    *slot = value?;
    Some(())
}

/// `auto`, or one of the choices.
#[expect(
    clippy::option_option,
    reason = "outside: was it readable; inside: was something chosen"
)]
fn or_auto<T: Copy>(text: &str, known: &[(&str, T)]) -> Option<Option<T>> {
    if text == "auto" {
        Some(None)
    } else {
        choice(text, known).map(Some)
    }
}

fn on_off(text: &str) -> Option<bool> {
    choice(text, &[("on", true), ("off", false)])
}

fn shown(on: bool) -> String {
    if on { "on" } else { "off" }.into()
}

/// A number above 0, or `off`.
#[expect(
    clippy::option_option,
    reason = "outside: was it readable; inside: is there a limit"
)]
fn optional<T: std::str::FromStr + Default + PartialEq>(text: &str) -> Option<Option<T>> {
    if text == "off" {
        Some(None)
    } else {
        text.parse()
            .ok()
            .filter(|number| *number != T::default())
            .map(Some)
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
            Self::Captures => "captures",
        }
    }
}
