//! The tables of a folder, opened for searches and displays.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use super::{MOST, Store, Subspace, board::Stones, store::OpenTable, value_of};
use crate::engine::game::{Fault, TrueValue, TrueValues};

/// The rows and columns of the array of tables: one for each number of stones from 0 to `MOST`.
const SIDE: usize = MOST as usize + 1;

/// All tables that were opened, by folder and checksum: a folder that is used again is not opened again.
static OPENED: Mutex<BTreeMap<(PathBuf, u32), &'static OpenTables>> = Mutex::new(BTreeMap::new());

/// The tables in a folder at the time of opening. Later files are ignored, so that a search probes the same values.
#[derive(Debug)]
pub struct OpenTables {
    /// The tables by the stones of the side to move and of the opponent.
    tables: [[Option<Arc<OpenTable>>; SIDE]; SIDE],
    flying: bool,
    digest: u32,
    /// The first fault of a probe since [`OpenTables::take_fault`] was called.
    fault: Mutex<Option<Fault>>,
}

impl OpenTables {
    /// The usable tables of a folder (`None` if there are none), and the faults of the unusable ones.
    pub fn open(store: &Store) -> (Option<&'static Self>, Vec<Fault>) {
        let (mut tables, mut faults) = ([const { [const { None }; SIDE] }; SIDE], Vec::new());
        let mut headers = Vec::new();
        for subspace in store.subspaces() {
            match store.table(subspace) {
                Ok(Some(table)) => {
                    headers.push(format!("{:?}", table.file.header));
                    tables[subspace.own as usize][subspace.other as usize] = Some(table);
                }
                Ok(None) => {}
                Err(fault) => faults.push(fault),
            }
        }
        if headers.is_empty() {
            return (None, faults);
        }
        let (digest, flying) = (crc32fast::hash(headers.concat().as_bytes()), store.flying);
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = opened.entry((store.folder().to_owned(), digest)).or_insert_with(|| {
            Box::leak(Box::new(Self { tables, flying, digest, fault: Mutex::default() }))
        });
        (Some(*known), faults)
    }

    /// The subspaces of which there are tables.
    pub fn subspaces(&self) -> impl Iterator<Item = Subspace> {
        self.tables.iter().flatten().flatten().map(|table| table.file.header.subspace)
    }

    /// The fault of a failed probe since the last call, if any: a block is damaged.
    pub fn take_fault(&self) -> Option<Fault> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl TrueValues for OpenTables {
    fn value(&self, [own, other]: [u32; 2]) -> Option<TrueValue> {
        let stones = Stones { own, other };
        let Subspace { own, other } = Subspace::of(stones)?;
        let table = self.tables[own as usize][other as usize].as_ref()?;
        match table.file.code(table.index.of(stones)) {
            Ok(code) => Some(value_of(code, table.file.header.kind)),
            Err(fault) => {
                let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(fault);
                None
            }
        }
    }

    fn fly(&self) -> bool {
        self.flying
    }

    fn digest(&self) -> u32 {
        self.digest
    }
}
