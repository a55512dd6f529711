//! The table of search settings, with the meaning, values and text form of each, for `search set`, help and completion. The
//! settings themselves are in the core.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::core::{
    game::{Fault, HistoryPolicy, Score, SearchRules, TableUse},
    search::{Algorithm, Fidelity, HEURISTICS, Heuristics, Order, Selective},
    table::{MaxSize, Policy, Replace, Reuse},
};
use super::suggest;

pub use super::core::settings::{
    Budget, DEFAULT_BUDGET, DEFAULT_MAX_SIZE, DEFAULT_RECORD_MIB, Fail, Keys, MAX_DEPTH, MAX_PLY,
    RootMoves, Settings, Switch, Switches,
};

/// The size of the table in MiB when the engine plays.
const PLAY_MIB: usize = 64;

/// The greatest memory limit of a recording, 1 TiB, in MiB.
const MOST_RECORD_MIB: usize = 1 << 20;

/// A row of the table: one setting of a search.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name of the setting in `search set`.
    pub name: &'static str,
    /// The meaning of the setting, in one line.
    pub help: &'static str,
    /// The summaries that show the setting.
    pub shown: SettingShown,
    /// The words that are values of the setting; empty if its values are numbers.
    pub choices: fn() -> Vec<&'static str>,
    /// The permitted values in words: `a whole number from 1 to 255, or off`.
    pub accepts: fn() -> String,
    /// The type of the setting's values.
    pub kind: SettingKind,
    read: fn(&mut Settings, &str) -> Option<()>,
    show: fn(&Settings) -> String,
}

/// The type of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// `on` or `off`.
    Switch,
    /// One of the words in [`Setting::choices`].
    Choice,
    /// A whole number up to this limit.
    Number(u64),
    /// A text, such as `off`, a number or joined words.
    Text,
}

/// The summaries that show a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingShown {
    /// Every summary shows the setting.
    Always,
    /// A summary shows the setting if the game has a quiescence search.
    Quiescent,
    /// A summary shows the setting if it is not at its default.
    Changed,
    /// The setting is a switch for this defect: a summary lists the defects that differ from the fidelity on one line.
    Defect(&'static str),
    /// Like [`SettingShown::Defect`], but only for games with a quiescence search.
    QuiescentDefect(&'static str),
}

trait SettingValue: Sized {
    const KIND: SettingKind = SettingKind::Text;
    fn choices() -> Vec<&'static str>;
    fn read(text: &str) -> Option<Self>;
    fn show(&self) -> String;
    fn accepts() -> String {
        format!("one of {}", Self::choices().join(", "))
    }
}

/// Implements [`SettingValue`] for an enum with one word for each variant.
macro_rules! words {
    ($kind:ty: $($word:literal = $value:ident),+) => {
        impl $kind {
            /// The value's word in commands and files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }

        impl SettingValue for $kind {
            const KIND: SettingKind = SettingKind::Choice;

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
words!(TableUse: "off" = Off, "root" = Root, "leaf" = Leaf);
words!(Switch: "auto" = Auto, "seed" = Seed, "sound" = Sound);

/// Implements [`SettingValue`] through `FromStr` and `Display`.
macro_rules! parsed {
    ($kind:ty, $holds:expr, $choices:expr, $accepts:expr) => {
        impl SettingValue for $kind {
            const KIND: SettingKind = $holds;

            fn choices() -> Vec<&'static str> {
                $choices
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn show(&self) -> String {
                self.to_string()
            }

            fn accepts() -> String {
                $accepts
            }
        }
    };
}

parsed!(
    Order,
    SettingKind::Text,
    order_names(),
    format!("one of {}; several may be joined: captures+killers+history", order_names().join(", "))
);
parsed!(
    u64,
    SettingKind::Number(Self::MAX),
    Vec::new(),
    "a whole number from 0 to 2^64 - 1".into()
);
parsed!(
    MaxSize,
    SettingKind::Text,
    vec!["size", "off"],
    "write a number of entries such as 1_000_000, of bytes such as 64MiB or 1GB, or off".into()
);

impl SettingValue for bool {
    const KIND: SettingKind = SettingKind::Switch;

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

/// A size of memory in MiB, at most [`MOST_RECORD_MIB`].
struct Mebibytes(usize);

impl SettingValue for Mebibytes {
    const KIND: SettingKind = SettingKind::Number(MOST_RECORD_MIB as u64);

    fn choices() -> Vec<&'static str> {
        Vec::new()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|mib| *mib <= MOST_RECORD_MIB).map(Self)
    }

    fn show(&self) -> String {
        self.0.to_string()
    }

    fn accepts() -> String {
        format!("a whole number from 0 to {MOST_RECORD_MIB}")
    }
}

/// `None` is written as `auto`.
impl<T: SettingValue> SettingValue for Option<T> {
    const KIND: SettingKind = match T::KIND {
        SettingKind::Switch | SettingKind::Choice => SettingKind::Choice,
        SettingKind::Number(_) | SettingKind::Text => SettingKind::Text,
    };

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

    fn accepts() -> String {
        T::accepts() + ", or auto"
    }
}

/// A limit: a finite number above 0, or `off`.
struct Limit<T>(Option<T>);

trait Limiting: FromStr + fmt::Display + Default + PartialOrd {
    const RANGE: &'static str;
}

impl Limiting for u8 {
    const RANGE: &'static str = "a whole number from 1 to 255";
}

impl Limiting for u64 {
    const RANGE: &'static str = "a whole number from 1 to 2^64 - 1";
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

    fn accepts() -> String {
        format!("{}, or off", T::RANGE)
    }
}

/// Makes a row of [`SETTINGS`] from name, type, field, summaries and meaning. `in_force`: the method that resolves `auto`.
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
            accepts: <$kind as SettingValue>::accepts,
            kind: <$kind as SettingValue>::KIND,
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
        Setting {
            name: stringify!($name),
            help: concat!("a defect of the seed programs: ", $help),
            ..setting!("", Switch, switches.$name, $shown, $help)
        }
    };
}

use SettingShown::{Always, Changed, Defect, Quiescent, QuiescentDefect};

/// All settings, in the order in which they are shown.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    // `fidelity` is the first setting, because setting it resets others.
    setting!("fidelity", Fidelity, |s, value| {
        s.fidelity = value;
        s.switches = Switches::default();
        (s.order, s.reuse, s.replace, s.history, s.leaves) = (None, None, None, None, None);
        s.root = RootMoves::All;
        s.selective = Selective::default();
        s.see = false;
    }, |s| s.fidelity, Always,
        "sound: true values; seed: bit for bit what the seed programs compute, defects included"),
    setting!("algorithm", Option<Algorithm>, algorithm in_force algorithm, Always, "the search algorithm"),
    setting!("order", Option<Order>, order in_force order, Always,
        "which moves are tried first; usual: the heuristics that save the most time in this game"),
    setting!("root", RootMoves, root in_force root, Changed,
        "all: every move of the root gets its exact value; best: only a best one does"),
    setting!("aspiration", Limit<Score>, |s, value| s.aspiration = value.0, |s| Limit(s.aspiration), Changed,
        "half the width of an iteration's first window around the last value"),
    setting!("fail", Option<Fail>, fail in_force fail, Changed,
        "what a node returns that fails low: alpha (hard) or its best value (soft)"),
    setting!("null", Limit<u8>, |s, value| s.selective.null = value.0, |s| Limit(s.selective.null), Changed,
        "chess: null-move pruning; the number is the reduction in plies"),
    setting!("lmr", Limit<u8>, |s, value| s.selective.lmr = value.0, |s| Limit(s.selective.lmr), Changed,
        "late move reductions: from the fourth move on, quiet moves are searched this many plies less deep, later and deeper ones more, and again if they are better"),
    setting!("futility", Limit<Score>, |s, value| s.selective.futility = value.0, |s| Limit(s.selective.futility), Changed,
        "futility pruning: up to depth 6 quiet moves are skipped if the static value is below alpha by more than this per ply, and nodes if it is above beta"),
    setting!("extend", bool, selective.extend, Changed,
        "chess: a move that gives check does not reduce the depth, up to twice the depth of the search"),
    setting!("quiescence", bool, quiescence, Quiescent,
        "leaves have a quiescence search"),
    setting!("see", bool, see, Changed,
        "chess: the quiescence search leaves out moves that lose material by static exchange evaluation, and has no limit of plies; captures that lose material are ordered as quiet moves"),
    setting!("depth", Limit<u8>, |s, value| s.depth = value.0, |s| Limit(s.depth), Always,
        "depth of the last iteration in plies from the root"),
    setting!("budget", Option<Limit<u64>>, |s, value| s.budget = match value {
        None => Budget::Auto,
        Some(Limit(None)) => Budget::Off,
        Some(Limit(Some(states))) => Budget::States(states),
    }, |s| Limit(s.budget()), Always,
        "nodes to visit; auto: 25000 without depth and time"),
    setting!("time_ms", Limit<u64>, |s, value| s.time_ms = value.0, |s| Limit(s.time_ms), Always,
        "milliseconds"),
    setting!("deepening", bool, deepening, Always, "iterative deepening: shallower iterations come before the last"),
    setting!("memo", Option<Policy>, memo in_force memo, Always, "memo policy: what the cache stores for a node, and when an entry replaces its search"),
    setting!("leaves", Option<bool>, leaves in_force leaves, Changed,
        "leaves are stored in the cache; auto: with fidelity=seed and with quiescence"),
    setting!("symmetry", bool, symmetry, Always, "symmetric positions share cache entries"),
    setting!("max_size", MaxSize, max_size, Always, "entries (1000000) or bytes (64MiB) the cache may take"),
    setting!("random", u64, seed, Always, "the seed of random choices among equal moves"),
    setting!("record", bool, record, Always, "searches are recorded, so that they can go backwards"),
    setting!("keys", Keys, keys, Changed,
        "with fidelity=seed: the keys of a search in memory (plain), or of the cache that is kept in a file (colour)"),
    setting!("reuse", Option<Reuse>, reuse in_force reuse, Changed,
        "bound: whether deeper entries answer too; auto: exact if sound, deeper with fidelity=seed"),
    setting!("history", Option<HistoryPolicy>, history in_force history, Changed,
        "chess: how much of the history belongs to keys: all that can change the value (exact), occurrences and clock (count), nothing (ignore); skip: nothing, and values that depend on it are not stored"),
    setting!("record_mib", Mebibytes, |s, value| s.record_mib = value.0, |s| Mebibytes(s.record_mib), Changed,
        "memory of a recording in MiB"),
    setting!("replace", Option<Replace>, replace in_force replace, Changed,
        "what a new entry replaces in a full cache: the shallowest or least used of eight, or all of a depth as in the seeds"),
    setting!("uses", bool, uses, Changed, "uses of entries are counted, for `cache list --sort uses`"),
    setting!("verify", bool, verify, Changed,
        "positions are stored beside keys: an entry of another position with the same key is counted and not used"),
    setting!("tables", TableUse, tables, Changed,
        "endgame tables: leaf: their true values replace searching; root: only the moves that they rate best are searched"),
    defect!(sign, Defect("D2"), "black's values have the wrong sign under colour-swapped keys"),
    defect!(zero, Defect("D3"), "a learned 0 counts as unknown"),
    defect!(clean, Defect("D4"), "cleaning drops depths 0 and 1 together"),
    defect!(leaf, Defect("D5"), "at depth 0 the static value is used even if the game is over"),
    defect!(count, Defect("D7"), "the last node of the budget is counted but not evaluated"),
    defect!(ties, Defect("D8"), "wins are not ranked by length"),
    defect!(stale, Defect("D9"), "the cache is kept when the weights change"),
    defect!(ends, QuiescentDefect("D15"), "in chess, mates count from the root (minimax), mates and draws by the remaining depth (alphabeta)"),
    defect!(quiet, QuiescentDefect("D16"), "in chess, the cache is kept when quiescence is turned on or off"),
    defect!(clock, QuiescentDefect("D20"), "in chess, the clock enters keys fifty plies too early"),
    defect!(king, QuiescentDefect("D22"), "in chess, minimax chooses the king's square table at the root"),
    defect!(queen, QuiescentDefect("queen"), "in chess, the queen's square table is mirrored, c2 for f2"),
];

impl Setting {
    /// The setting with this name; `seed` is another name of `random`.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = if name == "seed" { "random" } else { name };
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// The default value as text.
    pub fn default_value(&self) -> String {
        (self.show)(&Settings::default())
    }

    /// Whether this setting is a switch for a defect of the seeds.
    pub const fn is_defect(&self) -> bool {
        matches!(self.shown, Defect(_) | QuiescentDefect(_))
    }

    /// Whether a summary of `settings` shows this setting on a line of its own.
    pub fn is_shown<G: SearchRules>(&self, settings: &Settings) -> bool {
        let Settings { algorithm, fidelity, .. } = *settings;
        let default = Settings { algorithm, fidelity, ..Settings::default() };
        match self.shown {
            Always => true,
            Quiescent => G::HAS_QUIESCENCE,
            Changed => (self.show)(settings) != (self.show)(&default),
            Defect(_) | QuiescentDefect(_) => false,
        }
    }

    /// The number of the defect that this switch sets against the fidelity, such as `D2`; `None` for `auto` and other settings.
    pub fn switched_defect<G: SearchRules>(&self, settings: &Settings) -> Option<&'static str> {
        let (Defect(number) | QuiescentDefect(number)) = self.shown else {
            return None;
        };
        let is_of_game = G::HAS_QUIESCENCE || matches!(self.shown, Defect(_));
        let is_switched = (self.show)(settings) != "auto";
        (is_of_game && is_switched).then_some(number)
    }
}

impl Settings {
    /// Settings for play, where strength matters more than exact values: no recording, no limit and, in games with a quiescence
    /// search, selective search.
    pub fn for_play<G: SearchRules>() -> Self {
        let common = Self {
            budget: Budget::Off,
            root: RootMoves::Best,
            max_size: MaxSize::Bytes(PLAY_MIB << 20),
            record: false,
            ..Self::default()
        };
        if !G::HAS_QUIESCENCE {
            return common;
        }
        Self {
            quiescence: true,
            see: true,
            selective: Selective {
                null: Some(2).filter(|_| G::HAS_NULL_MOVE),
                lmr: Some(1),
                futility: Some(Score::from_finite(100.0)),
                extend: false,
            },
            aspiration: Some(Score::from_finite(30.0)),
            history: Some(HistoryPolicy::Skip),
            reuse: Some(Reuse::Deeper),
            ..common
        }
    }

    /// These settings with changes, given as in `search set`.
    /// Errors: an unknown setting or value.
    pub fn changed(mut self, changes: &[(&str, &str)]) -> Result<Self, Fault> {
        for (name, value) in changes {
            self.set(name, value)?;
        }
        Ok(self)
    }

    /// Checks that the game has what the settings need, and that they do not contradict each other.
    pub fn check_for<G: SearchRules>(&self) -> Result<(), Fault> {
        let (seed, algorithm) = (self.fidelity == Fidelity::Seed, self.algorithm());
        let Selective { null, lmr, futility, extend } = self.selective;
        let selective = [
            ("null", null.is_some()),
            ("lmr", lmr.is_some()),
            ("futility", futility.is_some()),
            ("extend", extend),
            ("see", self.see),
        ];
        let (name, on) = selective.into_iter().find(|(_, on)| *on).unwrap_or_default();
        let packed = "packed form of its positions, so they cannot be stored beside keys";
        let lacking = [
            ("null", null.is_some() && !G::HAS_NULL_MOVE, "null moves"),
            ("see", self.see && !G::HAS_QUIESCENCE, "quiescence search"),
            ("extend", extend && !G::HAS_CHECKS, "checks"),
            ("quiescence", self.quiescence && !G::HAS_QUIESCENCE, "quiescence search"),
            ("verify", self.verify && !G::PACKS_POSITIONS, packed),
            ("tables", self.tables != TableUse::Off && !G::HAS_TABLES, "endgame tables"),
        ];
        if let Some((name, _, what)) = lacking.into_iter().find(|(_, lacks, _)| *lacks) {
            let fault = Fault::new(format!("{} has no {what}", G::NAME));
            return Err(fault.hint(format!("{name}=off")).about(name));
        }
        let contradiction =
            |about: &str, why: &str, remedy: &str| Err(Fault::new(why).hint(remedy).about(about));
        let off = |more: &str| format!("{name}=off, or {more}");
        if seed && !algorithm.is_reference() {
            let remedy = "algorithm=alphabeta, or fidelity=sound";
            return contradiction("algorithm", "the seeds have minimax and alphabeta only", remedy);
        }
        if seed && self.root() == RootMoves::Best {
            let why = "the seeds search every move of the root with the full window";
            return contradiction("root", why, "root=all aspiration=off, or fidelity=sound");
        }
        if seed && self.tables != TableUse::Off {
            return contradiction(
                "tables",
                "the seeds have no tables",
                "tables=off, or fidelity=sound",
            );
        }
        if seed && on {
            let why = "the seeds search every move, all to the same depth";
            return contradiction(name, why, &off("fidelity=sound"));
        }
        if on && !algorithm.has_windows() {
            let why = "minimax has no window to compare a move with";
            return contradiction(name, why, &off("algorithm=alphabeta"));
        }
        Ok(())
    }

    /// Sets a setting by name.
    /// Errors: an unknown name, a value that the setting does not take.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(setting) = Setting::by_name(name) else {
            let names: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            let hint = suggest::did_you_mean(name, names.iter().copied())
                .or_else(|| (name == "nodes").then(|| suggest::these(&["budget"])));
            return Err(Fault::new(format!("no search setting `{name}`"))
                .about_word(name)
                .hint(hint.unwrap_or_else(|| format!("the settings are {}", names.join(", ")))));
        };
        (setting.read)(self, value).ok_or_else(|| {
            let hint = suggest::did_you_mean(value, (setting.choices)());
            Fault::new(format!("`{value}` is not a value of the search setting `{name}`"))
                .about(name)
                .hint(hint.unwrap_or_else(|| format!("give {}", (setting.accepts)())))
        })
    }

    /// Checks settings that were read from a file: the values, and then [`Settings::check_for`].
    pub fn check_saved<G: SearchRules>(&self) -> Result<(), Fault> {
        let mut same = Self::default();
        self.list().iter().try_for_each(|(name, value)| same.set(name, value))?;
        self.check_for::<G>()
    }

    /// All settings with their values as text.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        SETTINGS.iter().map(|setting| (setting.name, (setting.show)(self))).collect()
    }

    /// The changes, in this order, that make `others` equal in effect to `self`: names and values.
    pub fn differences(&self, others: &Self) -> Vec<(&'static str, String)> {
        let mut same = others.clone();
        let mut differences = Vec::new();
        // The budget comes last, because its default depends on the other limits.
        let (budget, rest): (Vec<&Setting>, Vec<&Setting>) =
            SETTINGS.iter().partition(|setting| setting.name == "budget");
        for setting in rest.into_iter().chain(budget) {
            let value = (setting.show)(self);
            if (setting.show)(&same) != value && (setting.read)(&mut same, &value).is_some() {
                differences.push((setting.name, value));
            }
        }
        differences
    }
}

/// The values of the setting `order`; names of heuristics can be joined by `+`.
fn order_names() -> Vec<&'static str> {
    let heuristics = HEURISTICS.iter().map(|info| info.name);
    ["usual", "none", "seed"].into_iter().chain(heuristics).collect()
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "seed" => return Ok(Self::Seed),
            "usual" => return Ok(Self::Usual),
            "none" => return Ok(Self::By(Heuristics::NONE)),
            _ => {}
        }
        text.split('+')
            .try_fold(Heuristics::NONE, |heuristics, name| {
                let info = HEURISTICS.iter().find(|info| info.name == name);
                let info = info.ok_or_else(|| format!("nothing orders moves by `{name}`"))?;
                Ok(heuristics.with(info.heuristic, true))
            })
            .map(Self::By)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heuristics = match *self {
            Self::Seed => return f.write_str("seed"),
            Self::Usual => return f.write_str("usual"),
            Self::By(Heuristics::NONE) => return f.write_str("none"),
            Self::By(heuristics) => heuristics,
        };
        let on = HEURISTICS.iter().filter(|info| heuristics.has(info.heuristic));
        f.write_str(&on.map(|info| info.name).collect::<Vec<_>>().join("+"))
    }
}

impl Serialize for Order {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Units of bytes. Longer names come first, because every name ends in `B`.
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

    // Reads texts such as `1000000`, `1_000_000`, `64MiB`, `1GB` or `off`.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let fault = || {
            Fault::word(text, "is not a size of a cache")
                .hint("write a number of entries such as 1_000_000, of bytes such as 64MiB or 1GB, or off")
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
                let divides = |(_, size): &&(&str, usize)| bytes >= *size && bytes % size == 0;
                let (name, size) =
                    UNITS.iter().filter(divides).max_by_key(|(_, size)| *size).unwrap_or(&("B", 1));
                write!(f, "{}{name}", bytes / size)
            }
        }
    }
}

impl Serialize for MaxSize {
    // The size is written as a number of entries, or else as the user typed it.
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
        enum Written {
            Entries(usize),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Entries(entries) => Ok(Self::Entries(entries)),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
