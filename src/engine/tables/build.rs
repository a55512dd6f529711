//! Builds the table of a subspace and those of all subspaces that it leads to, the smallest first, each a file of its own. An
//! interrupted build goes on after the last complete file.

use std::{fs, ops::Range, sync::atomic::Ordering::Relaxed};

use super::{
    Census, LEAST, Store, Subspace, TableHeader, TableKind,
    file::{self, BLOCK, Block},
    index::{index_count, index_memory},
    solve::{Solver, Table, Work},
    value_of,
};
use crate::engine::{
    cachefile::Monitor,
    files::{FileAccess, io_fault},
    game::{Fault, Result},
    workers::{self, interrupted},
};

/// The number of values that one thread computes and writes in a second, as measured.
const VALUES_A_SECOND: u64 = 5_000_000;
/// The kind of tables to build, and the limits of memory and threads.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// Whether the tables have distances, or outcomes only.
    pub kind: TableKind,
    /// The limit of memory in bytes.
    pub memory: u64,
    /// The number of threads that compute values.
    pub threads: usize,
}

/// A subspace and its mirror, solved together.
#[derive(Clone, Debug)]
pub struct PlanStep {
    /// The subspace in which the side to move has at least as many stones as the opponent, then its mirror if both differ.
    pub subspaces: Vec<Subspace>,
    positions: u64,
    memory: u64,
    is_done: bool,
}

/// The steps of a build, the smallest subspaces first.
#[derive(Clone, Debug)]
pub struct BuildPlan {
    steps: Vec<PlanStep>,
    options: BuildOptions,
}

impl BuildPlan {
    /// The steps of the plan that are still to be done.
    pub fn left(&self) -> impl Iterator<Item = &PlanStep> {
        self.steps.iter().filter(|step| !step.is_done)
    }

    /// The number of values still to compute.
    pub fn positions(&self) -> u64 {
        self.left().map(|step| step.positions).sum()
    }

    /// The most memory that a remaining step takes, in bytes.
    pub fn memory(&self) -> u64 {
        self.left().map(|step| step.memory).max().unwrap_or(0)
    }

    /// The most that the new files take on the disk, in bytes, if nothing could be compressed.
    pub fn disk(&self) -> u64 {
        let positions = self.positions();
        if self.options.kind == TableKind::Wdl { positions.div_ceil(4) } else { positions }
    }

    /// The estimated time of the remaining steps, in milliseconds.
    pub fn ms(&self) -> f64 {
        // A value takes longer where a side flies (more moves), and from six stones on (fewer draws).
        let cost = |step: &PlanStep| match step.subspaces[0] {
            Subspace { other: LEAST, .. } => 8 * step.positions,
            Subspace { own: 6.., .. } => 3 * step.positions,
            _ => step.positions,
        };
        let rate = VALUES_A_SECOND * self.options.threads.max(1) as u64;
        self.left().map(cost).sum::<u64>() as f64 * 1e3 / rate as f64
    }
}

/// The steps that build a subspace and all subspaces that it leads to.
/// Errors: damaged files of tables that are needed.
pub fn plan(store: &Store, target: Subspace, options: BuildOptions) -> Result<BuildPlan> {
    let pairs = Subspace::pairs_up_to([target.own, target.other]);
    let steps = pairs.map(|pair| step(store, pair, options)).collect::<Result<_>>()?;
    Ok(BuildPlan { steps, options })
}

fn step(store: &Store, subspaces: Vec<Subspace>, options: BuildOptions) -> Result<PlanStep> {
    let count = |subspace: &Subspace| index_count(subspace.own, subspace.other);
    let memory = |subspace: &Subspace| count(subspace) + index_memory(subspace.own);
    let positions = subspaces.iter().map(count).sum();
    let lower = subspaces.iter().filter_map(|subspace| subspace.after_capture());
    let tables: u64 = subspaces.iter().copied().chain(lower).map(|table| memory(&table)).sum();
    let mut is_done = true;
    for &subspace in &subspaces {
        is_done &= store.path(subspace).exists() && {
            let found = store.header(subspace)?.kind;
            found == TableKind::Distance || options.kind == TableKind::Wdl
        };
    }
    // The compressed blocks of one table are in memory too.
    let memory = tables + positions / 4;
    Ok(PlanStep { subspaces, positions, memory, is_done })
}

/// A table with the length of its file in bytes.
pub type Written = (TableHeader, u64);

/// Carries out the remaining steps of a plan. Returns the tables written, and whether an interrupt ended the build early.
pub fn build(
    store: &Store,
    plan: &BuildPlan,
    monitor: &mut Monitor<'_>,
    note: &dyn Fn(String),
) -> Result<(Vec<Written>, bool)> {
    let BuildOptions { kind, memory, threads } = plan.options;
    if plan.memory() > memory {
        let needed = plan.memory();
        let fault = format!("the build needs {needed} bytes of memory, allowed are {memory}");
        let fault = Fault::new(fault).about("memory");
        return Err(fault.hint("allow more with --memory, or build tables of fewer stones"));
    }
    let folder = store.folder();
    fs::create_dir_all(folder).map_err(|error| io_fault(folder, FileAccess::Write, &error))?;
    let work = Work { threads, interrupt: monitor.interrupt };
    let (mut done, mut written) = (0, Vec::new());
    let mut steps = plan.left().map(|step| {
        let tables = solve(store, step, work, &mut |seen, level| {
            // The passes over the levels take about as long as the first pass.
            (monitor.progress)(done + seen / 2, plan.positions());
            let level = level.map_or(String::new(), |level| format!(", {} plies", level - 1));
            note(format!("{}{level}", step.subspaces[0]));
        })?;
        for table in tables {
            let (blocks, census) = encode(&table, kind, work)?;
            let header = store.header_for(&table, kind, census);
            let bytes = file::write(&store.path(table.subspace), &header, &blocks)?;
            written.push((header, bytes));
        }
        done += step.positions;
        Ok(())
    });
    let result: Result<()> = steps.try_for_each(|step| step);
    drop(steps);
    store.close();
    match result {
        Err(_) if monitor.interrupt.load(Relaxed) => Ok((written, true)),
        result => result.map(|()| (written, false)),
    }
}

/// Computes the tables of a step.
fn solve(
    store: &Store,
    step: &PlanStep,
    work: Work<'_>,
    report: &mut dyn FnMut(u64, Option<u8>),
) -> Result<Vec<Table>> {
    let lower = |subspace: &Subspace| {
        let after = subspace.after_capture();
        after.map(|after| store.load(after, work)).transpose()
    };
    let lower = step.subspaces.iter().map(lower).collect::<Result<Vec<_>>>()?;
    let tables = step.subspaces.iter().map(|&subspace| Table::new(subspace));
    let solver = Solver {
        tables: tables.collect::<Result<_>>()?,
        after_capture: lower.iter().map(Option::as_ref).collect(),
        flying: store.flying,
        work,
    };
    solver.solve(report)?;
    Ok(solver.tables)
}

/// The compressed blocks of a table, and its statistics.
fn encode(table: &Table, kind: TableKind, work: Work<'_>) -> Result<(Vec<Block>, Census)> {
    let starts: Vec<_> = (0..table.len()).step_by(BLOCK).collect();
    let job = |&start: &usize, _: &_| {
        let range = start..table.len().min(start + BLOCK);
        let codes: Vec<_> = range.clone().map(|index| table.code_at(index)).collect();
        Ok((Block::of(&codes, kind), census(table, range, kind)))
    };
    let parts = workers::map(&starts, work.threads, work.interrupt, job, &mut |_| {})?;
    let mut census = Census::default();
    let blocks = parts.ok_or_else(interrupted)?.into_iter().map(|(block, part)| {
        census += part;
        block
    });
    Ok((blocks.collect(), census))
}

/// Statistics of a part of a table.
pub(super) fn census(table: &Table, range: Range<usize>, kind: TableKind) -> Census {
    let mut census = Census::default();
    table.index.each_in(range, |index, stones| {
        let orbit = table.index.orbit(index, stones);
        if orbit > 0 {
            census.add(index, orbit, value_of(table.code_at(index), kind));
        }
    });
    census
}
