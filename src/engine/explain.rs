//! Explanations: why a move is worth what it is, why a node is cut off, why its moves stand as they do, who wrote
//! an entry of the cache, and the tree that a search explored.

mod cutoff;
mod order;
mod reasons;
mod replay;
mod source;
mod tree;
mod writers;

pub use cutoff::CutoffExplained;
pub use order::{Evidence, MoveEvidence, OrderExplained, OrderedMove, search_order};
pub use reasons::{EndExplained, MoveExplained, PlyExplained, Reasons};
pub use replay::{TreeReplay, replay};
pub use source::{End, SetBy, Source, Windows};
pub use tree::{Branch, CutBy, Extent, Fate, Grower, NodeExplained};
pub use writers::{Provenance, writers};
