use serde::{Deserialize, Serialize};

/// What happened in some games of a training, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Block {
    /// Games played.
    pub games: u64,
    /// Of them won by White.
    pub white: u64,
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// Moves made, each after a search.
    pub plies: u64,
    /// States visited.
    pub nodes: u64,
    /// Leaves that the table was asked about.
    pub leaves: u64,
    /// Leaves whose value it knew.
    pub hits: u64,
    /// Values written under keys that had none.
    pub new: u64,
    /// Values written in place of others.
    pub rewritten: u64,
    /// How far those were from the ones they replaced, in sum.
    pub drift: f64,
    /// Values in the table after the block.
    pub entries: u64,
}

impl Block {
    /// The part of the leaves whose value the table knew.
    pub fn hit_rate(&self) -> Option<f64> {
        (self.leaves > 0).then(|| self.hits as f64 / self.leaves as f64)
    }

    /// The mean distance of a value from the one it replaced.
    pub fn mean_drift(&self) -> Option<f64> {
        (self.rewritten > 0).then(|| self.drift / self.rewritten as f64)
    }

    /// Takes in what happened after it, or beside it: the entries of both tables count then.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.white += other.white;
        self.black += other.black;
        self.draws += other.draws;
        self.plies += other.plies;
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.hits += other.hits;
        self.new += other.new;
        self.rewritten += other.rewritten;
        self.drift += other.drift;
        self.entries += other.entries;
    }
}
