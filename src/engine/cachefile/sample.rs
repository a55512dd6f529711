use crate::engine::{game::Keyed, memo::Entry};

/// A fixed number of entries from a stream of any length, each as likely as any other (Vitter's algorithm R), and the
/// same ones whenever the stream is the same.
#[derive(Clone, Debug)]
pub struct Sample<K> {
    wanted: usize,
    seen: u64,
    state: u64,
    /// The entries chosen so far.
    pub entries: Vec<(Keyed<K>, Entry)>,
}

impl<K> Sample<K> {
    /// A sample of so many entries at most; `seed` decides which.
    pub const fn new(wanted: usize, seed: u64) -> Self {
        Self {
            wanted,
            seen: 0,
            state: seed,
            entries: Vec::new(),
        }
    }

    /// Takes the entry, or passes it over.
    pub fn offer(&mut self, at: Keyed<K>, entry: Entry) {
        self.seen += 1;
        if self.entries.len() < self.wanted {
            self.entries.push((at, entry));
            return;
        }
        let place = self.random() % self.seen;
        let slot = usize::try_from(place).ok();
        if let Some(slot) = slot.and_then(|place| self.entries.get_mut(place)) {
            *slot = (at, entry);
        }
    }

    /// The next number of the generator `SplitMix64`.
    const fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Score;

    #[test]
    fn every_part_of_the_stream_has_its_share() {
        let entry = Entry {
            value: Score::ZERO,
            window: None,
            bound: None,
            depth: None,
        };
        let mut sample = Sample::new(400, 1);
        for key in 0..40_000_u32 {
            sample.offer(Keyed { key, depth: 0 }, entry);
        }
        assert_eq!(sample.entries.len(), 400);
        for quarter in 0..4 {
            let of = quarter * 10_000..(quarter + 1) * 10_000;
            let share = sample
                .entries
                .iter()
                .filter(|(at, _)| of.contains(&at.key))
                .count();
            assert!((60..140).contains(&share), "{share} of quarter {quarter}");
        }
    }
}
