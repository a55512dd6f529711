//! Every setting of a search by name: what may be said of it, what it means, how it is shown. Help, completion and errors
//! come from here; what settings do is the core's.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::core::{
    game::{Fault, HistoryPolicy, Score, SearchRules},
    search::{Algorithm, Fidelity, Hints, Order, Selective},
    table::{MaxSize, Policy, Replace, Reuse},
};

pub use super::core::settings::{
    Budget, DEFAULT_BUDGET, DEFAULT_MAX_SIZE, DEFAULT_RECORD_MIB, Fail, Keys, MAX_DEPTH, MAX_PLY,
    MOST_RECORD_MIB, RootMoves, Settings, Switch, Switches,
};

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in `search set`.
    pub name: &'static str,
    /// What it means, in a line.
    pub help: &'static str,
    /// When a summary shows it.
    pub shown: SettingShown,
    /// The words that may be said; empty where a number is meant.
    pub choices: fn() -> Vec<&'static str>,
    /// What may be said, in words.
    pub expects: fn() -> String,
    read: fn(&mut Settings, &str) -> Option<()>,
    show: fn(&Settings) -> String,
}

/// When a summary of the settings shows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingShown {
    /// Always.
    Always,
    /// Where the game has a quiescence search.
    Quiescent,
    /// Where it is not at its default.
    Changed,
    /// On one line with the other defects, where it differs from the fidelity: the defect's number.
    Defect(&'static str),
    /// As [`SettingShown::Defect`], of games with a quiescence search.
    QuiescentDefect(&'static str),
}

/// Settings that older scripts and sessions name and that do nothing any more, with the reason.
pub const RETIRED: &[(&str, &str)] = &[("hash", "one table of keys serves every policy")];

/// Settings that have another name now: the old one and the new one.
pub const RENAMED: &[(&str, &str)] = &[("seed", "random")];

trait SettingValue: Sized {
    fn choices() -> Vec<&'static str>;
    fn read(text: &str) -> Option<Self>;
    fn show(&self) -> String;
    fn expects() -> String {
        format!("one of {}", Self::choices().join(", "))
    }
}

/// Values that are words.
macro_rules! words {
    ($kind:ty: $($word:literal = $value:ident),+) => {
        impl $kind {
            /// The name in commands.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }

        impl SettingValue for $kind {
            fn choices() -> Vec<&'static str> {
                vec![$($word),+]
            }

            fn read(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$value),)+ _ => None }
            }

            fn show(&self) -> String {
                self.name().into()
            }
        }
    };
}

words!(Algorithm: "minimax" = Minimax, "alphabeta" = AlphaBeta, "pvs" = Pvs, "mtdf" = Mtdf);
words!(Fail: "hard" = Hard, "soft" = Soft);
words!(Fidelity: "seed" = Seed, "sound" = Sound);
words!(Keys: "plain" = Plain, "colour" = Colour);
words!(HistoryPolicy: "exact" = Exact, "count" = Count, "ignore" = Ignore, "skip" = Skip);
words!(Policy: "none" = None, "exact" = Exact, "interval" = Interval, "bound" = Bound, "rote" = Rote);
words!(Replace: "depth" = Depth, "use" = Use, "clean" = Clean);
words!(Reuse: "exact" = Exact, "deeper" = Deeper);
words!(RootMoves: "all" = All, "best" = Best);
words!(Switch: "auto" = Auto, "seed" = Seed, "sound" = Sound);

/// Values that are read and shown as anything else is.
macro_rules! parsed {
    ($kind:ty, $choices:expr, $expects:expr) => {
        impl SettingValue for $kind {
            fn choices() -> Vec<&'static str> {
                $choices
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn show(&self) -> String {
                self.to_string()
            }

            fn expects() -> String {
                $expects
            }
        }
    };
}

parsed!(
    Order,
    order_names(),
    format!("one of {}; hints may be joined: captures+killers+history", order_names().join(", "))
);
parsed!(u64, Vec::new(), format!("give a whole number from 0 to {}", Self::MAX));
parsed!(
    MaxSize,
    vec!["size", "off"],
    "give entries as 1_000_000, bytes as 64MiB or 1GB, or off".into()
);

impl SettingValue for bool {
    fn choices() -> Vec<&'static str> {
        vec!["on", "off"]
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }

    fn show(&self) -> String {
        if *self { "on" } else { "off" }.into()
    }
}

/// An amount of memory, in MiB, of at most [`MOST_RECORD_MIB`].
struct Mebibytes(usize);

impl SettingValue for Mebibytes {
    fn choices() -> Vec<&'static str> {
        Vec::new()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|mib| *mib <= MOST_RECORD_MIB).map(Self)
    }

    fn show(&self) -> String {
        self.0.to_string()
    }

    fn expects() -> String {
        format!("give a whole number from 0 to {MOST_RECORD_MIB}")
    }
}

/// Nothing is what the fidelity says.
impl<T: SettingValue> SettingValue for Option<T> {
    fn choices() -> Vec<&'static str> {
        [vec!["auto"], T::choices()].concat()
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(None),
            text => T::read(text).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or("auto".into(), T::show)
    }

    fn expects() -> String {
        T::expects() + ", or auto"
    }
}

/// A limit: a finite number above 0, or none.
struct Limit<T>(Option<T>);

trait Limiting: FromStr + fmt::Display + Default + PartialOrd {
    const RANGE: &'static str;
}

impl Limiting for u8 {
    const RANGE: &'static str = "a whole number from 1 to 255";
}

impl Limiting for u64 {
    const RANGE: &'static str = "a whole number from 1 to 18446744073709551615";
}

impl Limiting for Score {
    const RANGE: &'static str = "a number above 0";
}

impl<T: Limiting> SettingValue for Limit<T> {
    fn choices() -> Vec<&'static str> {
        vec!["off"]
    }

    fn read(text: &str) -> Option<Self> {
        if text == "off" {
            return Some(Self(None));
        }
        let is_finite = text.parse().is_ok_and(f64::is_finite);
        let limit = text.parse().ok().filter(|limit| is_finite && *limit > T::default())?;
        Some(Self(Some(limit)))
    }

    fn show(&self) -> String {
        self.0.as_ref().map_or("off".into(), T::to_string)
    }

    fn expects() -> String {
        format!("give {}, or off", T::RANGE)
    }
}

/// A row of the table: name, type, how it is read and shown, when, and what it means. `in_force` shows what `auto` comes to.
macro_rules! setting {
    ($name:literal, $kind:ty, $($field:ident).+, $shown:expr, $help:literal) => {
        setting!($name, $kind, |s, value| s.$($field).+ = value, |s| s.$($field).+, $shown, $help)
    };
    ($name:literal, $kind:ty, $($field:ident).+ in_force $now:ident, $shown:expr, $help:literal) => {
        setting!($name, $kind, |s, value| s.$($field).+ = value, |s| s.$now(), $shown, $help)
    };
    ($name:literal, $kind:ty, |$s:ident, $value:ident| $write:expr, |$t:ident| $show:expr, $shown:expr, $help:literal) => {
        Setting {
            name: $name,
            help: $help,
            shown: $shown,
            choices: <$kind as SettingValue>::choices,
            expects: <$kind as SettingValue>::expects,
            read: |$s, text| {
                let $value = <$kind as SettingValue>::read(text)?;
                $write;
                Some(())
            },
            show: |$t| SettingValue::show(&$show),
        }
    };
}

macro_rules! defect {
    ($name:ident, $shown:expr, $help:literal) => {
        Setting { name: stringify!($name), ..setting!("", Switch, switches.$name, $shown, $help) }
    };
}

use SettingShown::{Always, Changed, Defect, Quiescent, QuiescentDefect};

/// Every setting, in the order they are shown.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    // Before the settings that it sets back.
    setting!("fidelity", Fidelity, |s, value| {
        s.fidelity = value;
        s.switches = Switches::default();
        (s.order, s.reuse, s.replace, s.history, s.leaves) = (None, None, None, None, None);
        s.root = RootMoves::All;
        s.selective = Selective::default();
    }, |s| s.fidelity, Always,
        "the seed programs bit for bit, or their defects mended"),
    setting!("algorithm", Option<Algorithm>, algorithm in_force algorithm, Always, "how values are found"),
    setting!("order", Option<Order>, order in_force order, Always,
        "which moves are tried first; usual: captures and history, the others where these pay"),
    setting!("root", RootMoves, root in_force root, Changed,
        "all: every move of the root gets its value; best: only a best one does"),
    setting!("aspiration", Limit<Score>, |s, value| s.aspiration = value.0, |s| Limit(s.aspiration), Changed,
        "how far the root's first window reaches from the value of the iteration before"),
    setting!("fail", Option<Fail>, fail in_force fail, Changed,
        "what a node gives that fails low: alpha (hard), or the best of its values (soft)"),
    setting!("null", Limit<u8>, |s, value| s.selective.null = value.0, |s| Limit(s.selective.null), Changed,
        "chess: a node that still has beta after passing is cut off; so many plies less are searched below the pass"),
    setting!("lmr", Limit<u8>, |s, value| s.selective.lmr = value.0, |s| Limit(s.selective.lmr), Changed,
        "late move reductions: from the fourth move on, quiet ones are searched so many plies less deep, and again if they are better"),
    setting!("futility", Limit<Score>, |s, value| s.selective.futility = value.0, |s| Limit(s.selective.futility), Changed,
        "quiet moves of the last two plies are left out where the static value is below alpha by more than this for each ply"),
    setting!("extend", bool, selective.extend, Changed,
        "chess: below a move that gives check the depth is not counted down, up to twice the depth of the search"),
    setting!("quiescence", bool, quiescence, Quiescent,
        "leaves are searched on until they are quiet"),
    setting!("depth", Limit<u8>, |s, value| s.depth = value.0, |s| Limit(s.depth), Always,
        "plies of the last iteration"),
    setting!("budget", Option<Limit<u64>>, |s, value| s.budget = match value {
        None => Budget::Auto,
        Some(Limit(None)) => Budget::Off,
        Some(Limit(Some(states))) => Budget::States(states),
    }, |s| Limit(s.budget()), Always,
        "states to visit; auto: 25000 without depth and time"),
    setting!("time_ms", Limit<u64>, |s, value| s.time_ms = value.0, |s| Limit(s.time_ms), Always,
        "milliseconds"),
    setting!("deepening", bool, deepening, Always, "shallower iterations go before the depth asked for"),
    setting!("memo", Option<Policy>, memo in_force memo, Always, "what the cache keeps of a node, and when it answers"),
    setting!("leaves", Option<bool>, leaves in_force leaves, Changed,
        "leaves are kept in the cache; auto: in seed fidelity, and with quiescence"),
    setting!("symmetry", bool, symmetry, Always, "symmetric positions share cache entries"),
    setting!("max_size", MaxSize, max_size, Always, "entries (1000000) or bytes (64MiB) the cache may take"),
    setting!("random", u64, seed, Always, "where random choices among equal moves begin"),
    setting!("record", bool, record, Always, "searches can be walked back"),
    setting!("keys", Keys, keys, Changed,
        "seed fidelity: keys of seed 002, or of seed 000's persistent cache with its sign defect"),
    setting!("reuse", Option<Reuse>, reuse in_force reuse, Changed,
        "bound: whether deeper entries serve; auto is exact in sound, deeper in seed fidelity"),
    setting!("history", Option<HistoryPolicy>, history in_force history, Changed,
        "chess: how much of the past keys hold: all that can change the value, occurrences and clock, nothing, or nothing and values that rest on it are not stored"),
    setting!("record_mib", Mebibytes, |s, value| s.record_mib = value.0, |s| Mebibytes(s.record_mib), Changed,
        "memory for walking back, in MiB"),
    setting!("replace", Option<Replace>, replace in_force replace, Changed,
        "what gives way in a full cache: the shallowest or least used of eight, or whole depths as in seed 000"),
    setting!("uses", bool, uses, Changed, "uses of entries are counted, for `cache list --sort uses`"),
    setting!("verify", bool, verify, Changed,
        "positions are kept beside keys: an entry of another position under the same key is counted and not used"),
    defect!(sign, Defect("D2"), "D2: black's values turned in sign under colour-swapped keys"),
    defect!(zero, Defect("D3"), "D3: a learned 0 counts as unknown"),
    defect!(clean, Defect("D4"), "D4: cleaning drops depths 0 and 1 together"),
    defect!(leaf, Defect("D5"), "D5: depth 0 gives the heuristic even where the game is over"),
    defect!(count, Defect("D7"), "D7: the budget's last state is counted but not evaluated"),
    defect!(ties, Defect("D8"), "D8: wins are not ranked by length"),
    defect!(stale, Defect("D9"), "D9: the cache is kept when the weights change"),
    defect!(ends, QuiescentDefect("D15"), "D15, chess: mates count from the root (minimax), mates and draws by the remaining depth (alphabeta)"),
    defect!(quiet, QuiescentDefect("D16"), "D16, chess: the cache is kept when quiescence is switched"),
    defect!(clock, QuiescentDefect("D20"), "D20, chess: the clock enters keys fifty plies too early"),
    defect!(king, QuiescentDefect("D22"), "D22, chess: minimax chooses the kings' table at the root"),
    defect!(queen, QuiescentDefect("queen"), "chess: the queen's table is mirrored, c2 for f2"),
];

impl Setting {
    /// A setting by its name, or the one it had.
    pub fn called(name: &str) -> Option<&'static Self> {
        let name = RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new);
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// What it is where nobody has said anything.
    pub fn default_value(&self) -> String {
        (self.show)(&Settings::default())
    }

    /// Whether a summary of these settings shows it on a line of its own.
    pub fn is_shown<G: SearchRules>(&self, settings: &Settings) -> bool {
        let Settings { algorithm, fidelity, .. } = *settings;
        let usual = Settings { algorithm, fidelity, ..Settings::default() };
        match self.shown {
            Always => true,
            Quiescent => G::HAS_QUIESCENCE,
            Changed => (self.show)(settings) != (self.show)(&usual),
            Defect(_) | QuiescentDefect(_) => false,
        }
    }

    /// The defect that it switches against the fidelity, if it does.
    pub fn odd_defect<G: SearchRules>(&self, settings: &Settings) -> Option<&'static str> {
        let (Defect(number) | QuiescentDefect(number)) = self.shown else {
            return None;
        };
        let of_game = G::HAS_QUIESCENCE || matches!(self.shown, Defect(_));
        let odd = (self.show)(settings) != "auto";
        (of_game && odd).then_some(number)
    }
}

/// What somebody should know who names a setting as older versions did.
pub fn outdated(name: &str) -> Option<String> {
    let renamed = RENAMED.iter().find(|(old, _)| *old == name);
    let renamed = renamed.map(|(_, new)| format!("the setting `{name}` is written `{new}` now"));
    retired(name).or(renamed)
}

/// That a setting does nothing any more, if it is one of those.
pub fn retired(name: &str) -> Option<String> {
    let (name, why) = RETIRED.iter().find(|(known, _)| *known == name)?;
    Some(format!("the setting `{name}` no longer does anything: {why}"))
}

impl Settings {
    /// Checks that these are settings that a game can do with, and that go together.
    pub fn check_for<G: SearchRules>(&self) -> Result<(), Fault> {
        let (seed, algorithm) = (self.fidelity == Fidelity::Seed, self.algorithm());
        let Selective { null, lmr, futility, extend } = self.selective;
        let selective = [
            ("null", null.is_some()),
            ("lmr", lmr.is_some()),
            ("futility", futility.is_some()),
            ("extend", extend),
        ];
        let (name, on) = selective.into_iter().find(|(_, on)| *on).unwrap_or_default();
        let packed = "packed form of its positions, so they cannot be kept beside keys";
        let lacking = [
            ("null", null.is_some() && !G::HAS_NULL_MOVE, "null moves"),
            ("extend", extend && !G::HAS_CHECKS, "checks"),
            ("quiescence", self.quiescence && !G::HAS_QUIESCENCE, "quiescence search"),
            ("verify", self.verify && !G::PACKS_POSITIONS, packed),
        ];
        if let Some((name, _, what)) = lacking.into_iter().find(|(_, lacks, _)| *lacks) {
            let fault = Fault::new(format!("{} has no {what}", G::NAME));
            return Err(fault.hint(format!("{name}=off")).about(name));
        }
        let at_odds =
            |about: &str, why: &str, remedy: &str| Err(Fault::new(why).hint(remedy).about(about));
        let off = |more: &str| format!("{name}=off, or {more}");
        if seed && !algorithm.is_reference() {
            let remedy = "algorithm=alphabeta, or fidelity=sound";
            return at_odds("algorithm", "the seeds know minimax and alphabeta only", remedy);
        }
        if seed && self.root() == RootMoves::Best {
            let why = "the seeds give every move of the root the whole window";
            return at_odds("root", why, "root=all aspiration=off, or fidelity=sound");
        }
        if seed && on {
            let why = "the seeds search every move, all to the same depth";
            return at_odds(name, why, &off("fidelity=sound"));
        }
        if on && !algorithm.has_windows() {
            let why = "minimax has no window that a move could be held against";
            return at_odds(name, why, &off("algorithm=alphabeta"));
        }
        Ok(())
    }

    /// Sets one setting by name. One that does nothing any more takes every value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if retired(name).is_some() {
            return Ok(());
        }
        let Some(setting) = Setting::called(name) else {
            let names: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            return Err(Fault::new(format!("no search setting `{name}`"))
                .about_word(name)
                .hint(format!("the settings are {}", names.join(", "))));
        };
        (setting.read)(self, value).ok_or_else(|| {
            Fault::new(format!("`{value}` is not a value of the search setting `{name}`"))
                .about_word(value)
                .hint((setting.expects)())
        })
    }

    /// Checks settings that were read from a file: [`Settings::set`] could have made them, and the game can do with them.
    pub fn check_saved<G: SearchRules>(&self) -> Result<(), Fault> {
        let mut same = Self::default();
        self.list().iter().try_for_each(|(name, value)| same.set(name, value))?;
        self.check_for::<G>()
    }

    /// Every setting with its value in words.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        SETTINGS.iter().map(|setting| (setting.name, (setting.show)(self))).collect()
    }

    /// What to set, in this order, to make `usual` settings work as these do.
    pub fn differences(&self, usual: &Self) -> Vec<(&'static str, String)> {
        let mut same = usual.clone();
        let mut told = Vec::new();
        // Whether the budget is at its default depends on the other limits, so it goes last.
        let (budget, others): (Vec<&Setting>, Vec<&Setting>) =
            SETTINGS.iter().partition(|setting| setting.name == "budget");
        for setting in others.into_iter().chain(budget) {
            let value = (setting.show)(self);
            if (setting.show)(&same) != value && (setting.read)(&mut same, &value).is_some() {
                told.push((setting.name, value));
            }
        }
        told
    }
}

type Hint = fn(&mut Hints) -> &mut bool;

/// The names of the hints in `search set order=`, and which one each is.
const HINTS: [(&str, Hint); 7] = [
    ("etc", |hints| &mut hints.etc),
    ("memo", |hints| &mut hints.table),
    ("best", |hints| &mut hints.best),
    ("captures", |hints| &mut hints.captures),
    ("killers", |hints| &mut hints.killers),
    ("static", |hints| &mut hints.static_eval),
    ("history", |hints| &mut hints.history),
];

/// The words that may be said of an order; the hints may be joined by `+`.
fn order_names() -> Vec<&'static str> {
    ["usual", "none", "seed"].into_iter().chain(HINTS.map(|(name, _)| name)).collect()
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut hints = Hints::default();
        match text {
            "seed" => return Ok(Self::Seed),
            "usual" => return Ok(Self::Usual),
            "none" => return Ok(Self::By(hints)),
            _ => {}
        }
        for name in text.split('+') {
            let known = HINTS.iter().find(|(known, _)| *known == name);
            let (_, hint) = known.ok_or_else(|| format!("nothing orders moves by `{name}`"))?;
            *hint(&mut hints) = true;
        }
        Ok(Self::By(hints))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hints = match *self {
            Self::Seed => return f.write_str("seed"),
            Self::Usual => return f.write_str("usual"),
            Self::By(hints) => hints,
        };
        let given = HINTS.iter().filter(|(_, hint)| *hint(&mut hints)).map(|(name, _)| *name);
        let names: Vec<_> = given.collect();
        f.write_str(if names.is_empty() { "none" } else { "" })?;
        f.write_str(&names.join("+"))
    }
}

/// Units of bytes, the longer names first.
const UNITS: [(&str, usize); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for MaxSize {
    type Err = Fault;

    /// Reads `1000000`, `1_000_000`, `64MiB`, `1GB` or `off`.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let fault = || {
            Fault::new(format!("`{text}` is no size of a cache"))
                .about_word(text)
                .hint("give entries as 1_000_000, bytes as 64MiB or 1GB, or off")
        };
        let number =
            |digits: &str| digits.trim().replace('_', "").parse::<usize>().map_err(|_| fault());
        if text == "off" {
            return Ok(Self::Unlimited);
        }
        let unit = UNITS
            .iter()
            .find_map(|(name, size)| text.strip_suffix(name).map(|digits| (digits, *size)));
        match unit {
            None => number(text).map(Self::Entries),
            Some((digits, size)) => {
                number(digits)?.checked_mul(size).map(Self::Bytes).ok_or_else(fault)
            }
        }
    }
}

impl fmt::Display for MaxSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unlimited => f.write_str("off"),
            Self::Entries(entries) => write!(f, "{entries}"),
            Self::Bytes(bytes) => {
                let whole = |(_, size): &&(&str, usize)| bytes >= *size && bytes % size == 0;
                let (name, size) =
                    UNITS.iter().filter(whole).max_by_key(|(_, size)| *size).unwrap_or(&("B", 1));
                write!(f, "{}{name}", bytes / size)
            }
        }
    }
}

impl Serialize for MaxSize {
    /// Entries as a number, anything else as it is typed.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Entries(entries) => entries.serialize(serializer),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for MaxSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number of entries, or a size such as \"64MiB\"")]
        enum Said {
            Entries(usize),
            Text(String),
        }
        match Said::deserialize(deserializer)? {
            Said::Entries(entries) => Ok(Self::Entries(entries)),
            Said::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// An order in a session file: one hint by its name, as it always was, or several.
#[derive(Serialize, Deserialize, strum::Display, strum::EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
enum WrittenOrder {
    None,
    Memo,
    Seed,
    Usual,
    Static,
    Captures,
    #[strum(disabled)]
    By(Hints),
}

impl Serialize for Order {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hints = if let Self::By(hints) = *self { hints } else { Hints::default() };
        let written = self.to_string().parse().unwrap_or(WrittenOrder::By(hints));
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match WrittenOrder::deserialize(deserializer)? {
            WrittenOrder::By(hints) => Ok(Self::By(hints)),
            word => word.to_string().parse().map_err(de::Error::custom),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
