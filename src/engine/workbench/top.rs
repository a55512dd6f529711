//! A page of a sorted list without sorting the list.

/// So many items at least are gathered before the worse half of them is dropped.
const LEAST: usize = 4096;

/// Of everything offered, keeps what belongs before a certain place; memory and time go by that place, not by how much
/// there is. Items with equal keys stay in the order of their places.
#[derive(Debug)]
pub(super) struct Top<K> {
    wanted: usize,
    kept: Vec<(K, u32)>,
    /// The last of the wanted ones when they were last looked for: what does not come before it is not wanted.
    last: Option<(K, u32)>,
}

impl<K: Ord + Copy> Top<K> {
    /// Keeps the first `wanted`.
    pub fn new(wanted: usize) -> Self {
        Self { wanted, kept: Vec::new(), last: None }
    }

    /// Takes an item, if it may be wanted.
    #[inline]
    pub fn offer(&mut self, key: K, place: u32) {
        let item = (key, place);
        if self.last.is_some_and(|last| item >= last) {
            return;
        }
        self.kept.push(item);
        if self.kept.len() >= self.wanted.saturating_mul(2).max(LEAST) {
            self.drop_unwanted();
        }
    }

    #[cold]
    fn drop_unwanted(&mut self) {
        if self.wanted == 0 {
            self.kept.clear();
        } else if self.wanted < self.kept.len() {
            let (_, last, _) = self.kept.select_nth_unstable(self.wanted - 1);
            self.last = Some(*last);
            self.kept.truncate(self.wanted);
        }
    }

    /// The places of the wanted ones from `offset` on, in order.
    pub fn page(mut self, offset: usize) -> Vec<u32> {
        self.drop_unwanted();
        if offset >= self.kept.len() {
            return Vec::new();
        }
        self.kept.select_nth_unstable(offset);
        let page = &mut self.kept[offset..];
        page.sort_unstable();
        page.iter().map(|(_, place)| *place).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_page_is_the_sorted_lists(
            keys in proptest::collection::vec(0..50_u8, 0..20_000),
            offset in 0..20_000_usize,
            limit in 0..200_usize,
        ) {
            let offset = offset % (keys.len() + 2);
            let mut top = Top::new(offset + limit);
            let mut all: Vec<(u8, u32)> = keys.iter().copied().zip(0..).collect();
            for (key, place) in &all {
                top.offer(*key, *place);
            }
            all.sort_unstable();
            let wanted: Vec<u32> = all.iter().skip(offset).take(limit).map(|item| item.1).collect();
            prop_assert_eq!(top.page(offset), wanted);
        }
    }
}
