use super::{Game, Result, Side};

/// The file formats of the seed programs 000 to 002, for a game that these programs play.
pub trait SeedFiles<G: Game> {
    /// The bytes of a key in a seed's cache file, which always has White to move, and the actual side to move.
    fn seed_key(&self, key: G::Key) -> ([u8; 7], Side);

    /// Reads a key of a seed's cache file.
    fn parse_seed_key(&self, bytes: [u8; 7]) -> Result<G::Key>;

    /// Reads a position of a seed's match log, in which `side` is to move.
    fn parse_logged(&self, text: &str, side: Side) -> Result<G::Position>;
}
