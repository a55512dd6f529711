//! How searches run: the settings, and what they come to for machine, table and game.

use serde::{Deserialize, Serialize};

use super::{
    game::{GameOptions, HistoryPolicy, Key, KeyScheme, MateDistance, Score},
    search::{Algorithm, Fidelity, Limits, Mode, Order, QUIESCENCE_PLIES, Selective},
    table::{AnyTable, Capacity, MaxSize, Policy, Replace, Reuse, ZeroIsMissing},
};

/// States visited where neither depth nor time nor budget is set: the seeds' `max_states`.
pub const DEFAULT_BUDGET: u64 = 25_000;

/// Entries that a cache holds at most where nothing else is set: seed 000's `max_size`.
pub const DEFAULT_MAX_SIZE: usize = 1_000_000;

/// Memory for walking searches back, in MiB, where nothing else is set.
pub const DEFAULT_RECORD_MIB: usize = 512;

/// The most memory for walking searches back that may be asked for, in MiB: 1 TiB.
pub const MOST_RECORD_MIB: usize = 1 << 20;

/// Plies from the root that no iteration exceeds: depths are one byte, in files as well.
pub const MAX_DEPTH: u8 = 255;

/// The farthest ply from the root that a search can reach: extensions at most double the depth, and quiescence goes beyond.
pub const MAX_PLY: u32 = 2 * MAX_DEPTH as u32 + QUIESCENCE_PLIES as u32;

/// How black's entries stand in the cache in `seed` fidelity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// Position, side and depth as they are: seed 002.
    Plain,
    /// Colours swapped for black: seed 002 on the persistent cache of seed 000.
    Colour,
}

/// What a node gives none of whose moves exceeds α.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fail {
    /// α itself, as in seed 002.
    Hard,
    /// The best of its values: a tighter bound.
    Soft,
}

/// What a search for the best moves finds out about the moves of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootMoves {
    /// The value of each, with the whole window for each.
    All,
    /// A best one and its value; of the others only that they are no better.
    Best,
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
    /// D15: ends count by the root (seed 004) or the remaining depth (seed 003).
    pub ends: Switch,
    /// D16: the cache is kept when the quiescence search is switched.
    pub quiet: Switch,
    /// D20: the clock enters keys fifty plies too early.
    pub clock: Switch,
    /// D22: the kings' table is chosen at the root.
    pub king: Switch,
    /// The queen's table is mirrored.
    pub queen: Switch,
}

/// Everything that decides how a search runs.
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own that is on or off")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How values are found; `None` as the fidelity says.
    pub algorithm: Option<Algorithm>,
    /// The memo policy; `None` as the fidelity says.
    pub memo: Option<Policy>,
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
    /// How much of the past belongs to keys (chess); `None` as fidelity and algorithm say.
    pub history: Option<HistoryPolicy>,
    /// Whether leaves are searched on until they are quiet (chess).
    pub quiescence: bool,
    /// Whether the cache is asked about leaves, and keeps them; `None` as fidelity and quiescence say.
    pub leaves: Option<bool>,
    /// What a node that fails low gives; `None` as the algorithm needs it.
    pub fail: Option<Fail>,
    /// What is found out about the moves of the root.
    pub root: RootMoves,
    /// How far the root's first window reaches on either side of the value of the iteration before.
    pub aspiration: Option<Score>,
    /// What is left out, and where the search goes deeper.
    pub selective: Selective,
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
    /// How large the cache may get.
    pub max_size: MaxSize,
    /// Which entries give way where it is full; `None` as the fidelity says.
    pub replace: Option<Replace>,
    /// Whether uses of entries are counted.
    pub uses: bool,
    /// Nothing any more: older sessions name it.
    #[serde(skip_serializing)]
    pub hash: Option<bool>,
    /// Whether positions are kept beside the keys, so that two of them under one key are told apart.
    pub verify: bool,
    /// Whether searches are recorded, so that they can be walked back.
    pub record: bool,
    /// Memory for that, in MiB.
    pub record_mib: usize,
    /// The seeds' defects.
    pub switches: Switches,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: None,
            memo: None,
            fidelity: Fidelity::Sound,
            symmetry: true,
            keys: Keys::Plain,
            order: None,
            reuse: None,
            history: None,
            quiescence: false,
            leaves: None,
            fail: None,
            root: RootMoves::All,
            aspiration: None,
            selective: Selective::default(),
            depth: None,
            budget: Budget::Auto,
            time_ms: None,
            deepening: true,
            seed: 0,
            max_size: MaxSize::Entries(DEFAULT_MAX_SIZE),
            replace: None,
            uses: false,
            hash: None,
            verify: false,
            record: true,
            record_mib: DEFAULT_RECORD_MIB,
            switches: Switches::default(),
        }
    }
}

impl Settings {
    fn by_fidelity<T>(&self, seed: T, sound: T) -> T {
        if self.fidelity == Fidelity::Seed { seed } else { sound }
    }

    /// The algorithm in force.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm.unwrap_or(self.by_fidelity(Algorithm::AlphaBeta, Algorithm::Pvs))
    }

    /// The memo policy in force.
    pub fn memo(&self) -> Policy {
        self.memo.unwrap_or(self.by_fidelity(Policy::Interval, Policy::Bound))
    }

    /// The order in force.
    pub fn order(&self) -> Order {
        self.order.unwrap_or(self.by_fidelity(Order::Seed, Order::Usual))
    }

    /// Whether every move of the root gets its value, and all that share the best are found: with one window for them all
    /// that cannot be had.
    pub fn root(&self) -> RootMoves {
        let one_window = self.aspiration.is_some() || self.algorithm() == Algorithm::Mtdf;
        if one_window { RootMoves::Best } else { self.root }
    }

    /// How much of the past belongs to keys: in `seed` fidelity as seed 004 (minimax) or seed 003 (alpha-beta) has it.
    pub fn history(&self) -> HistoryPolicy {
        self.history.unwrap_or(match (self.fidelity, self.algorithm()) {
            (Fidelity::Sound, _) => HistoryPolicy::Exact,
            (Fidelity::Seed, Algorithm::Minimax) => HistoryPolicy::Count,
            (Fidelity::Seed, _) => HistoryPolicy::Ignore,
        })
    }

    /// What the settings ask of the game itself.
    pub fn configure(&self) -> GameOptions {
        let minimax = self.algorithm() == Algorithm::Minimax;
        GameOptions {
            history_policy: self.history(),
            ends: match (self.as_seed(self.switches.ends), minimax) {
                (false, _) => MateDistance::FromNode,
                (true, true) => MateDistance::FromRoot,
                (true, false) => MateDistance::Remaining,
            },
            early_clock: self.as_seed(self.switches.clock),
            // Seed 003's project reads the same table the right way round.
            mirrored_queen: match self.switches.queen {
                Switch::Auto => self.fidelity == Fidelity::Seed && minimax,
                chosen => chosen == Switch::Seed,
            },
            king_from_root: self.as_seed(self.switches.king) && minimax,
            quiescence_depth: if self.quiescence { QUIESCENCE_PLIES } else { 0 },
        }
    }

    /// Fail-soft or fail-hard, as it is in force: MTD(f) does not come to an end without fail-soft, and zero windows gain
    /// by it.
    pub fn fail(&self) -> Fail {
        match self.fail {
            Some(fail) if self.algorithm() != Algorithm::Mtdf => fail,
            None if self.algorithm().is_reference() => Fail::Hard,
            _ => Fail::Soft,
        }
    }

    /// Whether the cache keeps leaves: where they are only looked at, that costs more than the look.
    pub fn leaves(&self) -> bool {
        self.leaves.unwrap_or(self.by_fidelity(true, self.quiescence))
    }

    /// The reuse in force.
    pub fn reuse(&self) -> Reuse {
        self.reuse.unwrap_or(self.by_fidelity(Reuse::Deeper, Reuse::Exact))
    }

    /// The replacement in force.
    pub fn replace(&self) -> Replace {
        self.replace.unwrap_or(self.by_fidelity(Replace::Clean, Replace::Depth))
    }

    /// What the cache may take.
    pub fn capacity(&self) -> Capacity {
        Capacity {
            size: self.max_size,
            replace: self.replace(),
            count_uses: self.uses,
            between: self.fidelity == Fidelity::Seed,
            verify: self.verify,
        }
    }

    /// An empty memo that works as the settings have it.
    pub fn new_table<K: Key>(&self) -> AnyTable<K> {
        let mut memo = AnyTable::new(self.memo());
        self.set_up(&mut memo);
        memo
    }

    /// Sets a memo up as the settings have it; how many entries had to go for that.
    pub fn set_up<K: Key>(&self, memo: &mut AnyTable<K>) -> usize {
        match memo {
            AnyTable::Bound(memo) => memo.reuse = self.reuse(),
            AnyTable::Rote(memo) => {
                memo.reuse = ZeroIsMissing(self.as_seed(self.switches.zero));
            }
            AnyTable::None(_) | AnyTable::Exact(_) | AnyTable::Interval(_) => {}
        }
        memo.entries_mut().set_capacity(self.capacity())
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
        switch == Switch::Seed || (switch == Switch::Auto && self.fidelity == Fidelity::Seed)
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
            algorithm: self.algorithm(),
            exact_root_moves: self.root() == RootMoves::All,
            scheme,
            negate_black: self.as_seed(self.switches.sign) && scheme != KeyScheme::Plain,
            write_orbit: seed && self.symmetry,
            fail_soft: self.fail() == Fail::Soft && self.algorithm().has_windows(),
            order: self.order(),
            leaf_before_end: self.as_seed(self.switches.leaf) && self.algorithm().has_windows(),
            budget_short_by_one: self.as_seed(self.switches.count),
            quiescence: self.quiescence,
            leaves: self.leaves(),
            skip_history_dependent: self.history() == HistoryPolicy::Skip,
            selective: Some(self.selective).filter(Selective::is_on),
        }
    }

    /// How far deepening goes.
    pub fn limits(&self) -> Limits {
        let last = self.depth.unwrap_or(MAX_DEPTH);
        let usual = if self.fidelity == Fidelity::Seed { 2 } else { 1 };
        Limits {
            first: if self.deepening { usual.min(last) } else { last },
            last,
            stop_when_decided: self.fidelity == Fidelity::Sound && self.depth.is_none(),
            shorter_wins_first: !self.as_seed(self.switches.ties),
            aspiration: self.aspiration.filter(|_| self.algorithm().has_windows()),
        }
    }

    /// Whether a cache filled under `self` still means the same under `other`.
    pub fn same_entries(&self, other: &Self) -> bool {
        let meaning = |s: &Self| {
            let mode = s.mode();
            let values = (
                s.memo(),
                s.algorithm().has_windows(),
                s.quiescence && !s.as_seed(s.switches.quiet),
                mode.leaf_before_end,
                mode.negate_black,
                mode.selective,
                GameOptions { quiescence_depth: 0, ..s.configure() },
            );
            // Entries under canonical keys are right for the very position, so symmetry may be switched in `sound`.
            let scheme =
                if mode.scheme == KeyScheme::Plain { KeyScheme::Plain } else { KeyScheme::Colour };
            (values, scheme, s.fidelity)
        };
        // Values that deeper entries had a part in are not those of their depth (defects D13 and D14).
        let deeper = |s: &Self| s.memo() == Policy::Bound && s.reuse() == Reuse::Deeper;
        meaning(self) == meaning(other) && (deeper(other) || !deeper(self))
    }
}
