use crate::engine::game::{Game, KeyScheme};

/// A key, ready to be held against positions: those that have it under any scheme.
#[derive(Clone, Debug)]
pub struct KeyMatch<G: Game> {
    key: G::Key,
    /// The keys under [`KeyScheme::Colour`] of all positions meant: several where the key is canonical.
    colours: Vec<G::Key>,
    /// The key cannot be taken back to a position: each position's canonical key must be worked out.
    opaque: bool,
}

impl<G: Game> KeyMatch<G> {
    /// Makes a key ready.
    pub fn new(game: &G, key: G::Key) -> Self {
        let position = game.decode(key);
        let colours = match &position {
            Some(position) if game.key(position, KeyScheme::Canonical) == key => {
                game.orbit(position).iter().map(|twin| game.key(twin, KeyScheme::Colour)).collect()
            }
            _ => vec![key],
        };
        Self { key, colours, opaque: position.is_none() }
    }

    /// The key itself.
    pub fn key(&self) -> G::Key {
        self.key
    }

    /// Whether a position has the key.
    #[inline]
    pub fn holds(&self, game: &G, position: &G::Position) -> bool {
        self.colours.contains(&game.key(position, KeyScheme::Colour))
            || game.key(position, KeyScheme::Plain) == self.key
            || self.opaque && game.key(position, KeyScheme::Canonical) == self.key
    }
}
