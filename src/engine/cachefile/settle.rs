//! Records under the same key brought together, in bounded memory, without losing the files' order.

use std::path::Path;

use super::{
    sorter::{ROOM, Sorter},
    stream::Watch,
};
use crate::engine::game::Fault;

/// Bytes of a record's number.
const NUMBER: usize = 8;

/// How often the watch is asked: records between two looks.
pub(super) const CHUNK: u64 = 64 * 1024;

/// What two files hold under one key: of each the record that came last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// When the key came first.
    first: u64,
    /// The record of the first file and that of the second.
    pub of: [Option<Vec<u8>>; 2],
}

/// Takes records of one length; the first bytes of each are its key.
pub(super) struct Grouping {
    key: usize,
    width: usize,
    folder: std::path::PathBuf,
    room: usize,
    by_key: Sorter,
}

impl Grouping {
    /// Records of `width` bytes whose first `key` are the key; what memory does not hold goes to `folder`.
    pub fn new(folder: &Path, key: usize, width: usize) -> Self {
        Self::with_room(folder, key, width, ROOM)
    }

    fn with_room(folder: &Path, key: usize, width: usize, room: usize) -> Self {
        Self {
            key,
            width,
            folder: folder.to_owned(),
            room,
            by_key: Sorter::new(folder, width + NUMBER, key + NUMBER, room),
        }
    }

    /// Records so far: the number of the next.
    pub const fn len(&self) -> u64 {
        self.by_key.len()
    }

    /// Takes a record.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Fault> {
        let number = self.by_key.len().to_be_bytes();
        let (key, rest) = record.split_at(self.key);
        self.by_key.push(&[key, &number, rest])
    }

    /// Hands what there is under each key to `visit`, keys in order. The first `first_file` records are the first file's.
    pub fn each(
        self,
        first_file: u64,
        watch: &mut Watch,
        visit: &mut dyn FnMut(&Group) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let total = self.by_key.len();
        let key = self.key;
        let mut sorted = self.by_key.sorted()?;
        let mut group = Group::default();
        let mut of_group = Vec::new();
        let mut done = 0;
        while let Some(item) = sorted.next()? {
            if done % CHUNK == 0 {
                watch.tick(done, total)?;
            }
            done += 1;
            let number = number_of(&item[key..]);
            if done == 1 || of_group != item[..key] {
                if done > 1 {
                    visit(&group)?;
                }
                of_group = item[..key].to_vec();
                group = Group {
                    first: number,
                    of: [None, None],
                };
            }
            let record = [&item[..key], &item[key + NUMBER..]].concat();
            group.of[usize::from(number >= first_file)] = Some(record);
        }
        if total > 0 {
            visit(&group)?;
        }
        watch.tick(total, total)
    }

    /// Lets `choose` settle every key on one record, and gives those in the order in which their keys came first.
    pub fn settle(
        self,
        first_file: u64,
        watch: &mut Watch,
        choose: &mut dyn FnMut(&Group) -> Result<Vec<u8>, Fault>,
    ) -> Result<Settled, Fault> {
        let mut by_number = Sorter::new(&self.folder, self.width + NUMBER, NUMBER, self.room);
        self.each(first_file, watch, &mut |group| {
            by_number.push(&[&group.first.to_be_bytes(), &choose(group)?])
        })?;
        Ok(Settled(by_number))
    }
}

fn number_of(item: &[u8]) -> u64 {
    let mut number = [0; NUMBER];
    number.copy_from_slice(&item[..NUMBER]);
    u64::from_be_bytes(number)
}

/// One record a key, in order.
pub(super) struct Settled(Sorter);

impl Settled {
    /// How many.
    pub const fn len(&self) -> u64 {
        self.0.len()
    }

    /// Hands them to `visit`.
    pub fn each<E: From<Fault>>(
        self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sorted = self.0.sorted()?;
        while let Some(item) = sorted.next()? {
            visit(&item[NUMBER..])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn the_chosen_record_stands_where_its_key_came_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let interrupt = AtomicBool::new(false);
        let watch = &mut Watch {
            interrupt: &interrupt,
            progress: &mut |_, _| {},
        };
        for room in [1, 1 << 20] {
            let mut grouping = Grouping::with_room(folder.path(), 1, 2, room);
            for record in [[9, 0], [3, 1], [9, 2], [1, 3], [3, 4], [9, 5]] {
                grouping.push(&record).expect("taken");
            }
            let mut groups = 0;
            let second = &mut |group: &Group| {
                groups += 1;
                let [first, second] = group.of.clone();
                Ok(second.or(first).unwrap_or_default())
            };
            let settled = grouping.settle(3, watch, second).expect("settled");
            assert_eq!((settled.len(), groups), (3, 3));
            let mut back = Vec::new();
            settled
                .each(&mut |record| {
                    back.push([record[0], record[1]]);
                    Ok::<(), Fault>(())
                })
                .expect("read");
            assert_eq!(back, [[9, 5], [3, 4], [1, 3]]);
        }
    }
}
