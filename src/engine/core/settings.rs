//! The settings of a search, and the forms in which search, table and game read them.

use serde::{Deserialize, Serialize};

use super::{
    game::{GameOptions, HistoryPolicy, Key, KeyScheme, MateDistance, Score, TableUse},
    search::{Algorithm, Fidelity, Limits, Mode, Order, SEE_PLIES, Selective, quiescence_plies},
    table::{AnyTable, Capacity, MaxSize, Policy, Replace, Reuse, ZeroIsMissing},
};

/// The budget in nodes if neither depth nor time nor budget is set: the seeds' `max_states`.
pub const DEFAULT_BUDGET: u64 = 25_000;

/// The default size of the cache in entries: seed 000's `max_size`.
pub const DEFAULT_MAX_SIZE: usize = 1_000_000;

/// The default memory limit of a recording, in MiB.
pub const DEFAULT_RECORD_MIB: usize = 512;

/// The greatest depth in plies from the root: depths are one byte, in files too.
pub const MAX_DEPTH: u8 = 255;

/// The greatest ply that a search can reach: extensions at most double the depth, and the quiescence search goes further.
pub const MAX_PLY: u32 = 2 * MAX_DEPTH as u32 + SEE_PLIES as u32;

/// The key scheme of black's entries in `seed` fidelity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// Keys of position, side and depth as they are (seed 002).
    Plain,
    /// With Black to move, keys with colours swapped: seed 002 with the persistent cache of seed 000.
    Colour,
}

/// What a node returns if no move exceeds α.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fail {
    /// A node that fails low returns α (fail-hard), as in seed 002.
    Hard,
    /// A node that fails low returns the best value found, a tighter bound (fail-soft).
    Soft,
}

/// Which root moves get an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootMoves {
    /// All root moves get an exact value, each searched with the full window.
    All,
    /// Only a best root move gets an exact value; the others get a bound that proves that they are no better.
    Best,
}

/// The setting that limits visited nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// [`DEFAULT_BUDGET`] unless depth or time limit the search.
    Auto,
    /// No limit on nodes.
    Off,
    /// At most this number of nodes.
    States(u64),
}

/// Whether a defect of the seeds is reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// The switch follows the fidelity.
    #[default]
    Auto,
    /// The defect is reproduced.
    Seed,
    /// The defect is repaired.
    Sound,
}

/// The switches of the seeds' defects that change a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Switches {
    /// D2: with colour-swapped keys black's values have the wrong sign.
    pub sign: Switch,
    /// D3: a learned 0 counts as unknown.
    pub zero: Switch,
    /// D4: cleaning drops the entries of depths 0 and 1 together, and may drop everything.
    pub clean: Switch,
    /// D5: at depth 0 the static value is used even if the game is over.
    pub leaf: Switch,
    /// D7: the last node of the budget is counted but not evaluated; without a complete iteration all moves tie at 0.
    pub count: Switch,
    /// D8: wins are not ranked by length.
    pub ties: Switch,
    /// D9: the cache is kept when weights or rules change.
    pub stale: Switch,
    /// D15: mate scores count from the root (seed 004) or by the remaining depth (seed 003).
    pub ends: Switch,
    /// D16: the cache is kept when the quiescence search is turned on or off.
    pub quiet: Switch,
    /// D20: the clock enters keys fifty plies too early.
    pub clock: Switch,
    /// D22: the king's piece-square table is chosen at the root.
    pub king: Switch,
    /// The queen's piece-square table is mirrored.
    pub queen: Switch,
}

/// Everything that decides how a search runs.
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own that is on or off")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The search algorithm; `None`: depends on the fidelity.
    pub algorithm: Option<Algorithm>,
    /// The memo policy; `None`: depends on the fidelity.
    pub memo: Option<Policy>,
    /// Whether the seeds' defects are reproduced or repaired.
    pub fidelity: Fidelity,
    /// Whether symmetric positions share entries.
    pub symmetry: bool,
    /// The key scheme of black's entries in `seed` fidelity; ignored otherwise.
    pub keys: Keys,
    /// The order of moves; `None`: depends on the fidelity.
    pub order: Option<Order>,
    /// Which entries of the policy `bound` may replace a search; `None`: depends on the fidelity.
    pub reuse: Option<Reuse>,
    /// Chess: how much of the history belongs to keys; `None`: depends on fidelity and algorithm.
    pub history: Option<HistoryPolicy>,
    /// Chess: whether leaves have a quiescence search.
    pub quiescence: bool,
    /// Chess: whether the quiescence search leaves out moves that lose material (SEE) instead of ending after four plies.
    pub see: bool,
    /// Whether leaves are probed and stored; `None`: depends on fidelity and quiescence.
    pub leaves: Option<bool>,
    /// Fail-hard or fail-soft; `None`: depends on the algorithm.
    pub fail: Option<Fail>,
    /// Which root moves get an exact value.
    pub root: RootMoves,
    /// Aspiration: half the width of an iteration's first window around the last value; `None`: full windows.
    pub aspiration: Option<Score>,
    /// Pruning, reductions and extensions; all off by default.
    pub selective: Selective,
    /// Depth of the last iteration in plies from the root; `None`: no limit.
    pub depth: Option<u8>,
    /// The limit on the nodes that a search visits.
    pub budget: Budget,
    /// The limit on time in milliseconds; `None`: no limit.
    pub time_ms: Option<u64>,
    /// Whether shallower iterations come before the depth that is set (iterative deepening).
    pub deepening: bool,
    /// The seed of random choices among equal moves.
    pub seed: u64,
    /// The size limit of the cache.
    pub max_size: MaxSize,
    /// Which entry a new one replaces in a full cache; `None`: depends on the fidelity.
    pub replace: Option<Replace>,
    /// Whether uses of entries are counted.
    pub uses: bool,
    /// Whether positions are stored beside the keys, so that key collisions are detected.
    pub verify: bool,
    /// Whether searches are recorded, so that they can go backwards.
    pub record: bool,
    /// The memory limit of a recording in MiB.
    pub record_mib: usize,
    /// How searches use endgame tables.
    pub tables: TableUse,
    /// The switches of the seeds' defects.
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
            see: false,
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
            verify: false,
            record: true,
            record_mib: DEFAULT_RECORD_MIB,
            tables: TableUse::Off,
            switches: Switches::default(),
        }
    }
}

impl Settings {
    fn by_fidelity<T>(&self, seed: T, sound: T) -> T {
        if self.fidelity == Fidelity::Seed { seed } else { sound }
    }

    /// The search algorithm in use: as set, else the default of the fidelity.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm.unwrap_or(self.by_fidelity(Algorithm::AlphaBeta, Algorithm::Pvs))
    }

    /// The memo policy in use: as set, else the default of the fidelity.
    pub fn memo(&self) -> Policy {
        self.memo.unwrap_or(self.by_fidelity(Policy::Interval, Policy::Bound))
    }

    /// The move order in use: as set, else the default of the fidelity.
    pub fn order(&self) -> Order {
        self.order.unwrap_or(self.by_fidelity(Order::Seed, Order::Usual))
    }

    /// Which root moves get an exact value. With aspiration and MTD(f) only the best one, because all moves share one window.
    pub fn root(&self) -> RootMoves {
        let one_window = self.aspiration.is_some() || self.algorithm() == Algorithm::Mtdf;
        if one_window { RootMoves::Best } else { self.root }
    }

    /// How much of the history belongs to keys: in `seed` fidelity as in seed 004 (minimax) or seed 003 (alpha-beta).
    pub fn history(&self) -> HistoryPolicy {
        self.history.unwrap_or(match (self.fidelity, self.algorithm()) {
            (Fidelity::Sound, _) => HistoryPolicy::Exact,
            (Fidelity::Seed, Algorithm::Minimax) => HistoryPolicy::Count,
            (Fidelity::Seed, _) => HistoryPolicy::Ignore,
        })
    }

    /// The part of the settings that concerns the game.
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
            // Only seed 004 (minimax) mirrors the table; seed 003 reads it correctly.
            mirrored_queen: match self.switches.queen {
                Switch::Auto => self.fidelity == Fidelity::Seed && minimax,
                chosen => chosen == Switch::Seed,
            },
            king_from_root: self.as_seed(self.switches.king) && minimax,
            quiescence_depth: if self.quiescence { quiescence_plies(self.see) } else { 0 },
            tables: self.tables,
        }
    }

    /// Whether the search is fail-soft or fail-hard.
    // MTD(f) with fail-hard bounds moves its window by the least step and does not end; PVS gains by fail-soft.
    pub fn fail(&self) -> Fail {
        match self.fail {
            Some(fail) if self.algorithm() != Algorithm::Mtdf => fail,
            None if self.algorithm().is_reference() => Fail::Hard,
            _ => Fail::Soft,
        }
    }

    /// Whether leaves are probed and stored.
    // Without quiescence, evaluating a leaf is cheaper than a probe.
    pub fn leaves(&self) -> bool {
        self.leaves.unwrap_or(self.by_fidelity(true, self.quiescence))
    }

    /// Which entries of the policy `bound` may replace a search: as set, else the default of the fidelity.
    pub fn reuse(&self) -> Reuse {
        self.reuse.unwrap_or(self.by_fidelity(Reuse::Deeper, Reuse::Exact))
    }

    /// The kind of replacement: as set, else the default of the fidelity.
    pub fn replace(&self) -> Replace {
        self.replace.unwrap_or(self.by_fidelity(Replace::Clean, Replace::Depth))
    }

    /// The size limit of the cache, and how a full cache replaces entries.
    pub fn capacity(&self) -> Capacity {
        Capacity {
            size: self.max_size,
            replace: self.replace(),
            count_uses: self.uses,
            cleans_between_moves: self.fidelity == Fidelity::Seed,
            verify: self.verify,
        }
    }

    /// An empty table with these settings.
    pub fn new_table<K: Key>(&self) -> AnyTable<K> {
        let mut table = AnyTable::new(self.memo());
        self.set_up(&mut table);
        table
    }

    /// Applies the settings to a table, and returns how many entries were removed because they no longer fit.
    pub fn set_up<K: Key>(&self, table: &mut AnyTable<K>) -> usize {
        match table {
            AnyTable::Bound(table) => table.reuse = self.reuse(),
            AnyTable::Rote(table) => {
                table.reuse = ZeroIsMissing(self.as_seed(self.switches.zero));
            }
            AnyTable::None(_) | AnyTable::Exact(_) | AnyTable::Interval(_) => {}
        }
        table.entries_mut().set_capacity(self.capacity())
    }

    /// The limit on nodes; `None` if there is none. [`Budget::Auto`] limits only searches without depth and time.
    pub fn budget(&self) -> Option<u64> {
        match self.budget {
            Budget::Auto => {
                (self.depth.is_none() && self.time_ms.is_none()).then_some(DEFAULT_BUDGET)
            }
            Budget::Off => None,
            Budget::States(states) => Some(states),
        }
    }

    /// Whether a defect is reproduced: as its switch says or, if automatic, as the fidelity says.
    pub fn as_seed(&self, switch: Switch) -> bool {
        switch == Switch::Seed || (switch == Switch::Auto && self.fidelity == Fidelity::Seed)
    }

    /// The settings in the form that the search reads at every node.
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
            see: self.see,
            leaves: self.leaves(),
            skip_history_dependent: self.history() == HistoryPolicy::Skip,
            tables: self.tables == TableUse::Leaf,
            selective: Some(self.selective).filter(Selective::is_on),
        }
    }

    /// The first and the last depth of iterative deepening, and when it ends earlier.
    pub fn limits(&self) -> Limits {
        let last = self.depth.unwrap_or(MAX_DEPTH);
        let first = if self.fidelity == Fidelity::Seed { 2 } else { 1 };
        Limits {
            first: if self.deepening { first.min(last) } else { last },
            last,
            stop_when_decided: self.fidelity == Fidelity::Sound && self.depth.is_none(),
            shorter_wins_first: !self.as_seed(self.switches.ties),
            aspiration: self.aspiration.filter(|_| self.algorithm().has_windows()),
        }
    }
}
