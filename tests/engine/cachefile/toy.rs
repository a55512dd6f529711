//! A game outside the crate with all that a cache needs: morris boards and hands, keys of eight bytes.

use super::support::hex;
use plyscope::engine::game::{
    self, Fault, Game, KeyScheme, Notation, Rules, Score, SearchRules, SeedFiles, Side, Weights,
    Window,
};
use serde::{Deserialize, Serialize};

/// The seven bytes of a seed's key, and the side to move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Key(pub [u8; 8]);

impl game::Key for Key {
    type Stored = Self;

    const BYTES: usize = 8;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0);
    }

    fn read(bytes: &[u8]) -> Result<Self, Fault> {
        check(bytes)?;
        bytes.try_into().map(Self).map_err(|_| Fault::new("eight bytes are wanted"))
    }
}

/// The game; its caches can be saved as seed files only with `seeds`.
#[derive(Clone, Debug)]
pub struct Toy {
    pub seeds: bool,
}

pub const TOY: Toy = Toy { seeds: true };

fn check(bytes: &[u8]) -> Result<(), Fault> {
    let stones = |bytes: &[u8]| bytes.iter().map(|byte| byte.count_ones()).sum::<u32>();
    let (white, black) = (&bytes[1..4], &bytes[4..7]);
    if white.iter().zip(black).any(|(white, black)| white & black != 0) {
        return Err(Fault::new("both sides have a stone on a point"));
    }
    let (own, other) = (u32::from(bytes[0] >> 4), u32::from(bytes[0] & 15));
    if own + stones(white) > 9 || other + stones(black) > 9 {
        return Err(Fault::new("too many stones"));
    }
    Ok(())
}

impl Rules for Toy {
    const NAME: &'static str = "toy";

    type Position = Key;
    type History = ();
    type Move = u8;
    type Key = Key;
    type Evaluator = ();

    fn side(&self, position: &Key) -> Side {
        if position.0[7] == 0 { Side::White } else { Side::Black }
    }

    fn key(&self, position: &Key, _: KeyScheme) -> Key {
        *position
    }

    fn start(&self) -> Key {
        Key([0x99, 0, 0, 0, 0, 0, 0, 0])
    }

    fn expand(&self, _: &Key, (): &(), _: &mut Vec<u8>) -> Option<Score> {
        Some(Score::ZERO)
    }

    fn apply(&self, position: &Key, _: u8) -> Key {
        *position
    }

    fn evaluator(&self, _: &Weights, _: &Key) -> Result<(), Fault> {
        Ok(())
    }

    fn evaluate(&self, (): &(), _: &Key) -> Score {
        Score::ZERO
    }

    fn full_window(&self, (): &()) -> Window {
        Window::INFINITE
    }

    fn default_weights(&self) -> Weights {
        Weights::new([("stones", 1.0), ("mills", 0.1)])
    }
}

impl SearchRules for Toy {}

impl Notation for Toy {
    fn parse_position(&self, _: &str) -> Result<Key, Fault> {
        Err(Fault::new("not here"))
    }

    fn format_position(&self, position: &Key) -> String {
        hex(&position.0)
    }

    fn format_move(&self, _: &Key, mv: u8) -> String {
        mv.to_string()
    }
}

impl Game for Toy {
    fn decode(&self, key: Key) -> Option<Key> {
        Some(key)
    }

    fn seed_files(&self) -> Option<&dyn SeedFiles<Self>> {
        self.seeds.then_some(self)
    }
}

impl SeedFiles<Self> for Toy {
    fn seed_key(&self, key: Key) -> ([u8; 7], Side) {
        let [bytes @ .., _] = key.0;
        (bytes, self.side(&key))
    }

    fn parse_seed_key(&self, bytes: [u8; 7]) -> Result<Key, Fault> {
        check(&bytes)?;
        let mut key = [0; 8];
        key[..7].copy_from_slice(&bytes);
        Ok(Key(key))
    }

    fn parse_logged(&self, text: &str, _: Side) -> Result<Key, Fault> {
        self.parse_position(text)
    }
}

/// The key of a board with these hands, stones on the first points, and this side to move.
pub fn key(hands: u8, white: u32, black: u32, side: Side) -> Key {
    let (white, black) = (white & 0x00FF_FFFF, black & 0x00FF_FFFF & !white);
    let mut key = [0; 8];
    key[0] = hands;
    key[1..4].copy_from_slice(&white.to_be_bytes()[1..]);
    key[4..7].copy_from_slice(&black.to_be_bytes()[1..]);
    key[7] = side as u8;
    Key(key)
}
