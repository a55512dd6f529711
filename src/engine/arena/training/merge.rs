use super::{Block, Training};
use crate::engine::{
    arena::Shard,
    game::{Fault, Game, Keyed, Score, Window},
    memo::{Entries as _, Memo, Record, Slot},
};

/// Puts the tables of all shards of a training together.
///
/// The rule: a position has the mean of the values that it has in the tables that know it, summed in the order of the
/// shards. Positions stand in the order of the shards, and of one shard in the order in which it learned them. So the
/// merged table does not depend on the order in which the shards are given.
///
/// # Errors
/// Shards of different trainings, a shard that is missing, given twice or not yet done.
pub fn merged<G: Game>(mut shards: Vec<Training<G>>) -> Result<Training<G>, Fault> {
    shards.sort_by_key(|training| training.spec.shard.part);
    check(&shards)?;
    let Some(first) = shards.first() else {
        return Err(Fault::new("there are no shards to merge"));
    };
    let mut spec = first.spec.clone();
    spec.shard = Shard::WHOLE;
    let mut whole = Training::new(first.game(), spec)?;
    for place in 0..shards.len() {
        for (at, _) in shards[place].table.iter() {
            if whole.learned(at.key).is_none() {
                let value = mean(&shards, at);
                let slot = Slot {
                    key: at.key,
                    negated: false,
                };
                whole.table.store(slot, 0, Window::INFINITE, value);
            }
        }
    }
    whole.played = shards.iter().map(|training| training.played).sum();
    whole.merged = shards.len() as u64;
    whole.blocks = side_by_side(&shards);
    Ok(whole)
}

/// The mean of the values that the tables have.
fn mean<G: Game>(shards: &[Training<G>], at: Keyed<G::Key>) -> Score {
    let values = shards.iter().filter_map(|training| training.table.get(at));
    let values: Vec<_> = values.map(|record| record.entry(0).value).collect();
    if let [lone] = values.as_slice() {
        // It stays as it is, -0.0 included.
        return *lone;
    }
    let sum: f64 = values.iter().map(|value| value.get()).sum();
    Score::from_finite(sum / values.len().max(1) as f64)
}

/// What happened in the shards at about the same time.
fn side_by_side<G: Game>(shards: &[Training<G>]) -> Vec<Block> {
    let longest = shards.iter().map(|training| training.blocks.len()).max();
    let block = |nth: usize| {
        let mut sum = Block::default();
        for training in shards {
            // A shard that has come to its end keeps its table.
            let own = training.blocks.get(nth).copied();
            let last = training.blocks.last().map_or(0, |block| block.entries);
            sum.add(&own.unwrap_or(Block {
                entries: last,
                ..Block::default()
            }));
        }
        sum
    };
    (0..longest.unwrap_or(0)).map(block).collect()
}

fn check<G: Game>(shards: &[Training<G>]) -> Result<(), Fault> {
    let Some(first) = shards.first() else {
        return Err(Fault::new("there are no shards to merge"));
    };
    let of = first.spec.shard.of;
    for (training, part) in shards.iter().zip(1..) {
        let shard = training.spec.shard;
        let like_first = super::TrainingSpec {
            shard: first.spec.shard,
            ..training.spec.clone()
        };
        if like_first != first.spec && shard.of == of {
            return Err(Fault::new(format!(
                "shard {shard} is of another training than shard {}",
                first.spec.shard
            ))
            .hint("merge shards that were begun with the same options"));
        }
        if shard.of != of || shard.part < part {
            return Err(
                Fault::new(format!("shard {shard} does not belong beside the others"))
                    .hint(format!("give each of 1/{of} to {of}/{of} once")),
            );
        }
        if shard.part > part {
            return Err(Fault::new(format!("shard {part}/{of} is missing"))
                .hint(format!("give each of 1/{of} to {of}/{of} once")));
        }
        if !training.is_done() {
            return Err(Fault::new(format!(
                "shard {shard} has played {} of {} games",
                training.played,
                training.games()
            ))
            .hint("`train resume` plays the rest"));
        }
    }
    if shards.len() < of {
        let part = shards.len() + 1;
        return Err(Fault::new(format!("shard {part}/{of} is missing"))
            .hint(format!("give each of 1/{of} to {of}/{of} once")));
    }
    Ok(())
}
