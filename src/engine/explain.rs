//! Explanations: why a move has its value, why a node is cut off, what orders its moves, where the bounds of a window come
//! from, which event wrote a cache entry, and the tree that a search explored.

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
pub(crate) use replay::{TreeReplay, replay};
pub use source::{BoundSource, End, SetBy, Windows};
pub(crate) use tree::{Branch, TreeBuilder};
pub use tree::{CutBy, NodeExplained, NodeOutcome};
pub use writers::Provenance;
pub(crate) use writers::{WriterReplay, writers};
