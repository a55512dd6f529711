//! Commands for endgame tables: building, probing, statistics and verification.

use std::{
    cmp::Ordering,
    ops::AddAssign,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use etcetera::BaseStrategy;
use serde::Serialize;

use super::{
    Session,
    plot::Plot,
    position::{PositionCommands as _, PositionReport, moves_by_truth},
    reply::Reply,
};

use crate::{
    engine::{
        cachefile::Monitor,
        game::{Fault, Game, MoveText, Outcome, Result, TableUse, TrueValue, TrueValues},
        progress::Unit,
        random::{index_of, splitmix},
        settings::Settings,
        tables::{
            self, BuildOptions, BuildPlan, Census, Counts, FoundFile, Longest, MoveValue,
            OpenTables, Solved, Store, Subspace, TableHeader, Written, Zugzwang,
        },
    },
    text::{
        TextTable, count, counted, flow, layout, lines, number, or_dash, or_empty, timing, wrap,
    },
};

/// The folder of tables that the user named last, its store of tables for one set of rules, and the tables that searches use.
#[derive(Debug, Default)]
pub(crate) struct TablesInUse {
    /// `None`: the folder in the user's data directory.
    pub(super) folder: Option<PathBuf>,
    store: Option<Arc<Store>>,
    open_tables: Option<&'static OpenTables>,
}

impl TablesInUse {
    pub(super) fn folder(&self) -> Option<String> {
        self.folder.as_ref().map(|folder| folder.display().to_string())
    }
}

impl<G: Game> Session<G> {
    /// Opens the store of tables for the rules in force, in the folder in use.
    pub(super) fn store(&mut self) -> Result<Arc<Store>> {
        let folder = self.tables.folder.clone().map_or_else(data_folder, Ok)?;
        let new = Store::new(self.game(), folder)?;
        let is_same = |old: &Arc<Store>| old.folder() == new.folder() && old.rules == new.rules;
        let known = self.tables.store.take().filter(is_same);
        Ok(Arc::clone(self.tables.store.insert(known.unwrap_or_else(|| Arc::new(new)))))
    }

    /// Makes the tables of a store available to searches (`None`: no tables). Returns notes on unusable tables, and on a search
    /// or cache dropped because it used other tables.
    pub(super) fn use_store(&mut self, store: Option<&Store>) -> Vec<String> {
        let (tables, faults) = store.map(OpenTables::open).unwrap_or_default();
        let mut notes: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
        if tables.map(OpenTables::digest) == self.game().tables_digest() {
            return notes;
        }
        notes.extend(self.drop_dependents_of_tables());
        self.tables.open_tables = tables;
        self.run.searcher.game.use_tables(tables.map(|tables| tables as &'static dyn TrueValues));
        notes
    }

    /// Opens the tables again after a change of the rules or of the setting `tables`. Returns notes on unusable tables.
    pub(super) fn refresh_tables(&mut self) -> Vec<String> {
        self.tables_use(None, false).map_or_else(|_| Vec::new(), |used| used.notes)
    }

    /// Makes the published tables of a folder available (default: the last folder), or with `none` no tables.
    fn use_published(&mut self, folder: Option<&Path>, none: bool) -> Result<UseReport> {
        let folder = folder.map(Path::to_owned).or_else(|| self.tables.folder.clone());
        if folder.is_none() && !none {
            let fault = Fault::new("no folder of endgame tables was named");
            return Err(fault.hint("name the folder of the .rtbw and .rtbz files: --dir FOLDER"));
        }
        let mut game = self.usual().game.clone();
        let names = game.use_published_tables(folder.as_deref().filter(|_| !none))?;
        let mut notes = Vec::new();
        if game.tables_digest() != self.game().tables_digest() {
            notes = self.drop_dependents_of_tables();
            self.run.searcher.game = game;
        }
        self.tables.folder = folder;
        let folder = self.tables.folder().unwrap_or_default();
        Ok(UseReport { folder, tables: names, none, notes })
    }

    /// The values of a position and its moves by published tables. Moves with equal outcomes are sorted by DTZ.
    fn probe_published(
        &mut self,
        state: Option<&str>,
        folder: Option<&Path>,
    ) -> Result<ProbeReport> {
        if folder.is_some() {
            self.use_published(folder, false)?;
        }
        self.needs_tables()?;
        let (game, position) = (self.game(), self.position_named(state.unwrap_or("here"))?);
        let moves = game.legal_moves(&position, &G::History::default());
        let probed = |mv: G::Move| {
            let after = game.apply(&position, mv);
            let value = game.truth(&after).map(TrueValue::parent);
            let progress = game.table_value_of_move(&after).map(|value| -value.get());
            (mv, value, progress)
        };
        let mut moves: Vec<_> = moves.into_iter().map(probed).collect();
        let rank = |value: Option<TrueValue>| value.map_or(i64::MIN, TrueValue::rank);
        moves.sort_by(|(_, a, one), (_, b, other)| {
            let progress = other.partial_cmp(one).unwrap_or(Ordering::Equal);
            rank(*b).cmp(&rank(*a)).then(progress)
        });
        let moves = moves.into_iter().map(|(mv, value, _)| (mv, value));
        let value = game.truth(&position);
        let unknown = || "no table in use covers the position".to_owned();
        let note = self.table_fault().or_else(|| value.is_none().then(unknown));
        Ok(self.report_probe(&position, value, moves, note))
    }

    fn report_probe(
        &self,
        position: &G::Position,
        value: Option<TrueValue>,
        moves: impl Iterator<Item = MoveValue<G::Move>>,
        note: Option<String>,
    ) -> ProbeReport {
        let game = self.game();
        let plies = |value: Option<TrueValue>| value.and_then(|value| value.plies);
        let moves = moves.map(|(mv, value)| ProbedMove {
            mv: game.move_text(position, mv),
            value: value.map(|value| value.outcome),
            plies: plies(value),
        });
        ProbeReport {
            state: game.format_position(position),
            value: value.map(|value| value.outcome),
            plies: plies(value),
            dtz: game.table_dtz(position),
            moves: moves.collect(),
            note,
        }
    }

    /// Drops what depends on the tables in use, before other tables replace them. Returns notes on the losses.
    fn drop_dependents_of_tables(&mut self) -> Vec<String> {
        let mut notes = Vec::from_iter(self.leave_play());
        if self.settings().tables != TableUse::Off {
            notes.extend(self.discard_search("other endgame tables are in use"));
            notes.extend(self.discard_cache("its values depend on endgame tables"));
        }
        self.drop_replays();
        notes
    }

    /// A note if a probe failed since the last call because the file of a table is damaged; otherwise `None`.
    pub(super) fn table_fault(&self) -> Option<String> {
        let own = self.tables.open_tables.and_then(OpenTables::take_fault);
        let fault = own.or_else(|| self.game().take_table_fault())?;
        Some(format!("{}: its values were not used", fault.message))
    }

    fn report_table(&self, store: &Store, header: &TableHeader) -> Result<TableReport> {
        let (subspace, census) = (header.subspace, &header.census);
        let longest = |longest: Option<Longest>| {
            let ending = |Longest { plies, index }| {
                let at = tables::position_at(self.game(), store, subspace, index)?;
                Ok(LongestReport { plies, state: self.game().format_position(&at) })
            };
            longest.map(ending).transpose()
        };
        Ok(TableReport {
            subspace,
            kind: header.kind.to_string(),
            positions: census.positions.total(),
            counts: census.positions,
            classes: census.classes,
            longest_win: longest(census.longest_win)?,
            longest_loss: longest(census.longest_loss)?,
        })
    }

    fn report_distances(
        &self,
        store: &Store,
        subspace: Subspace,
        listed: usize,
    ) -> Result<DistancesReport> {
        let threads = crate::engine::workers::processors();
        let found = self.watching("counting", Unit::Positions, 0, |watch| {
            tables::statistics(store, subspace, listed, threads, watch)
        })?;
        let report = |found: &Zugzwang| {
            let position = tables::position_at(self.game(), store, subspace, found.index)?;
            let [moving, waiting] = [found.moving, found.waiting];
            Ok(ZugzwangReport { state: self.game().format_position(&position), moving, waiting })
        };
        let counted = found.by_plies.iter().zip(0..).filter(|(counts, _)| **counts != [0, 0]);
        Ok(DistancesReport {
            by_plies: counted
                .map(|(&[wins, losses], plies)| PlyCounts { plies, wins, losses })
                .collect(),
            zugzwangs: found.zugzwangs,
            both_lose: found.both_lose,
            listed: found.listed.iter().map(report).collect::<Result<_>>()?,
        })
    }

    /// The moves of the longest win in a table; if there is none, of the longest loss.
    fn longest_line(&self, store: &Store, header: &TableHeader) -> Result<Vec<MoveText>> {
        let Census { longest_win, longest_loss, .. } = header.census;
        let Some(longest) = longest_win.or(longest_loss) else {
            return Ok(Vec::new());
        };
        let start = tables::position_at(self.game(), store, header.subspace, longest.index)?;
        let line = tables::best_line(self.game(), store, &start)?;
        Ok(line.iter().map(|(position, mv)| self.game().move_text(position, *mv)).collect())
    }
}

/// How many random positions are sampled for the quiz to choose from.
const TRIED: usize = 64;

/// The most tables in use to list in a text; JSON has all.
const LISTED: usize = 60;

/// The folder of tables in the user's data directory.
fn data_folder() -> Result<PathBuf> {
    let base = etcetera::base_strategy::Xdg::new().map_err(|_| {
        Fault::new("there is no home folder for the tables").hint("name a folder: --dir FOLDER")
    })?;
    Ok(base.data_dir().join("plyscope").join("tables"))
}

/// Commands for endgame tables. Unless a folder is named, they work on the folder named last, or the user's data directory.
pub trait TableCommands {
    /// Sets the folder for the tables.
    /// Fails unless this program can solve endgames of the game.
    fn set_tables_folder(&mut self, folder: &Path) -> Result<()>;
    /// What [`TableCommands::tables_build`] would build for a subspace, with the costs in memory, disk and time.
    fn tables_plan(&mut self, subspace: Subspace, options: BuildOptions) -> Result<PlanReport>;
    /// Builds the tables of a subspace and of all subspaces reachable from it. An interrupt keeps the complete ones.
    fn tables_build(&mut self, subspace: Subspace, options: BuildOptions) -> Result<BuildReport>;
    /// What [`TableCommands::tables_solve`] would build for a position, with the costs in memory, disk and time.
    fn tables_solve_plan(
        &mut self,
        state: Option<&str>,
        options: BuildOptions,
    ) -> Result<PlanReport>;
    /// Solves a position with stones in hand (default: the selected frame's or the current one); missing tables are built
    /// first. An interrupt keeps the bounds proven so far.
    fn tables_solve(&mut self, state: Option<&str>, options: BuildOptions) -> Result<SolveReport>;
    /// The true value of a position (default: the selected frame's or the current one) and of each of its moves.
    fn tables_probe(&mut self, state: Option<&str>, folder: Option<&Path>) -> Result<ProbeReport>;
    /// Statistics of one table or all. One table also has its longest win, distances, and `listed` mutual zugzwangs.
    fn tables_stats(&mut self, subspace: Option<Subspace>, listed: usize) -> Result<StatsReport>;
    /// Sets up a random position of a subspace (default: any) won in at least `least` plies. The engine goes on by the tables.
    fn tables_quiz(&mut self, subspace: Option<Subspace>, least: u32) -> Result<QuizPosition>;
    /// Compares values in one table or all with those of the successors, at `sample` random positions each or at all positions.
    fn tables_verify(
        &mut self,
        subspace: Option<Subspace>,
        sample: Option<u64>,
    ) -> Result<VerifyReport>;
    /// Makes the tables of a folder available to searches, or with `none` no tables.
    fn tables_use(&mut self, folder: Option<&Path>, none: bool) -> Result<UseReport>;
    /// Lists the table files of the folder in use.
    fn tables_list(&mut self) -> Result<ListReport>;
}

impl<G: Game> TableCommands for Session<G> {
    fn set_tables_folder(&mut self, folder: &Path) -> Result<()> {
        Store::new(self.game(), folder.to_owned())?;
        self.tables.folder = Some(folder.to_owned());
        Ok(())
    }

    fn tables_plan(&mut self, subspace: Subspace, options: BuildOptions) -> Result<PlanReport> {
        let store = self.store()?;
        let plan = tables::plan(&store, subspace, options)?;
        Ok(PlanReport::new(&store, subspace, &plan))
    }

    fn tables_build(&mut self, subspace: Subspace, options: BuildOptions) -> Result<BuildReport> {
        let store = self.store()?;
        let plan = tables::plan(&store, subspace, options)?;
        let planned = PlanReport::new(&store, subspace, &plan);
        let costs = format!("{} of memory", number::bytes(plan.memory()));
        let note = |step: String| self.progress.set_note(format!("{step}, {costs}"));
        let start = Instant::now();
        let work = |watch: &mut Monitor<'_>| tables::build(&store, &plan, watch, &note);
        let (written, interrupted) = self.watching("solving", Unit::Positions, 0, work)?;
        let ms = Some(start.elapsed().as_secs_f64() * 1e3);
        let report = |(header, bytes): &Written| {
            Ok(BuiltTable { table: self.report_table(&store, header)?, bytes: *bytes })
        };
        let built = written.iter().map(report).collect::<Result<_>>()?;
        let notes = self.use_store(Some(&store));
        Ok(BuildReport { plan: planned, built, interrupted, ms, notes })
    }

    fn tables_solve_plan(
        &mut self,
        state: Option<&str>,
        options: BuildOptions,
    ) -> Result<PlanReport> {
        let position = self.position_named(state.unwrap_or("here"))?;
        let (subspace, memory) = tables::needs(self.game(), &position)?;
        let plan = self.tables_plan(subspace, options)?;
        Ok(PlanReport { memory: plan.memory.max(memory), ..plan })
    }

    fn tables_solve(&mut self, state: Option<&str>, options: BuildOptions) -> Result<SolveReport> {
        let position = self.position_named(state.unwrap_or("here"))?;
        let (subspace, _) = tables::needs(self.game(), &position)?;
        let start = Instant::now();
        let built = self.tables_build(subspace, options)?;
        let store = self.store()?;
        let solved = if built.interrupted {
            Solved { bounds: [Outcome::Loss, Outcome::Win], line: Vec::new(), nodes: 0 }
        } else {
            self.watching("solving", Unit::Nodes, 0, |watch| {
                let BuildOptions { threads, memory, .. } = options;
                tables::solve_placing(self.game(), &store, &position, threads, memory, watch)
            })?
        };
        let text = |(position, mv): &(G::Position, G::Move)| self.game().move_text(position, *mv);
        let [at_least, at_most] = solved.bounds;
        Ok(SolveReport {
            state: self.game().format_position(&position),
            value: (at_least == at_most).then_some(at_least),
            at_least,
            at_most,
            line: solved.line.iter().map(text).collect(),
            nodes: solved.nodes,
            ms: Some(start.elapsed().as_secs_f64() * 1e3),
            built: built.built,
        })
    }

    fn tables_probe(&mut self, state: Option<&str>, folder: Option<&Path>) -> Result<ProbeReport> {
        if G::HAS_PUBLISHED_TABLES {
            return self.probe_published(state, folder);
        }
        folder.map_or(Ok(()), |folder| self.set_tables_folder(folder))?;
        let store = self.store()?;
        let (game, position) = (self.game(), self.position_named(state.unwrap_or("here"))?);
        let value = tables::probe(game, &store, &position)?;
        let moves = tables::move_values(game, &store, &position)?;
        let in_hand = game.endgames().is_some_and(|game| game.stones(&position).is_none());
        let note = match value {
            Some(_) => None,
            None if in_hand => Some("stones are still in hand: tables begin after placing".into()),
            None => Some(format!("no table in {} covers the position", store.folder().display())),
        };
        // If some moves have no distance, none is shown: only moves that end the game have one, which would mislead.
        let lacks_plies =
            |value: TrueValue| value.outcome != Outcome::Draw && value.plies.is_none();
        let mut values = moves.iter().map(|(_, value)| *value).chain([value]).flatten();
        let has_plies = !values.any(lacks_plies);
        let shown =
            |value: TrueValue| TrueValue { plies: value.plies.filter(|_| has_plies), ..value };
        let moves = moves.into_iter().map(|(mv, value)| (mv, value.map(shown)));
        Ok(self.report_probe(&position, value.map(shown), moves, note))
    }

    fn tables_stats(&mut self, subspace: Option<Subspace>, listed: usize) -> Result<StatsReport> {
        let store = self.store()?;
        let wanted = store.wanted(subspace);
        let headers = wanted.iter().map(|&subspace| store.header(subspace));
        let headers = headers.collect::<Result<Vec<_>>>()?;
        let tables = headers.iter().map(|header| self.report_table(&store, header));
        let tables = tables.collect::<Result<Vec<_>>>()?;
        let (mut line, mut distances) = (Vec::new(), None);
        if let [header] = &headers[..] {
            line = self.longest_line(&store, header)?;
            distances = Some(self.report_distances(&store, header.subspace, listed)?);
        }
        let line = line.iter().map(|mv| mv.plain().to_owned()).collect();
        let counts = sum(tables.iter().map(|table| table.counts));
        Ok(StatsReport { counts, tables, line, distances })
    }

    fn tables_quiz(&mut self, subspace: Option<Subspace>, least: u32) -> Result<QuizPosition> {
        let store = self.store()?;
        let mut notes = self.use_store(Some(&store));
        self.needs_tables()?;
        let all = store.wanted(subspace);
        let seed = self.settings().seed;
        // A random number chooses the subspace to try first.
        let first = index_of(splitmix(seed), all.len());
        let is_hard = |value: TrueValue| {
            value.outcome == Outcome::Win && value.plies.is_none_or(|plies| plies >= least)
        };
        let from = |subspace: &Subspace| {
            tables::sample(self.game(), &store, *subspace, TRIED, seed, is_hard).map(|mut found| {
                let place = index_of(splitmix(seed), found.len());
                (!found.is_empty()).then(|| found.swap_remove(place))
            })
        };
        let mut found = all.iter().cycle().skip(first).take(all.len()).map(from);
        let position = found.find_map(Result::transpose).transpose()?.ok_or_else(|| {
            Fault::new(format!("no win of {least} plies was found")).hint(
                "`tables stats` shows the longest wins; `search set random=N` with another N samples other positions",
            )
        })?;
        let state = self.game().format_position(&position);
        let truth = self.game().truth(&position);
        self.leave_play();
        notes.extend(
            self.apply_settings(Settings { tables: TableUse::Root, ..self.settings().clone() }),
        );
        let mut position = self.set_position(&state)?;
        position.notes.extend(notes);
        Ok(QuizPosition { truth, position })
    }

    fn tables_verify(
        &mut self,
        subspace: Option<Subspace>,
        sample: Option<u64>,
    ) -> Result<VerifyReport> {
        let store = self.store()?;
        let wanted = store.wanted(subspace);
        let sample = sample.map(|positions| (positions, self.settings().seed));
        let threads = crate::engine::workers::processors();
        let game = self.game();
        let verify = |&subspace: &Subspace| {
            let verified = self.watching("verifying", Unit::Positions, 0, |watch| {
                tables::verify(game, &store, subspace, sample, threads, watch)
            })?;
            let first = verified.first.map(|(position, stored, expected)| {
                let [stored, expected] = [stored, expected].map(|value| value.to_string());
                let state = game.format_position(&position);
                format!("{state}: {stored} in the table, {expected} by the moves")
            });
            Ok(VerifiedTable {
                subspace,
                counts: verified.census.positions,
                counts_agree: verified.census_agrees,
                checked: verified.checked,
                wrong: verified.wrong,
                first,
            })
        };
        let tables = wanted.iter().map(verify).collect::<Result<Vec<_>>>()?;
        Ok(VerifyReport {
            counts: sum(tables.iter().map(|table| table.counts)),
            checked: tables.iter().map(|table| table.checked).sum(),
            wrong: tables.iter().map(|table| table.wrong).sum(),
            tables,
        })
    }

    fn tables_use(&mut self, folder: Option<&Path>, none: bool) -> Result<UseReport> {
        if G::HAS_PUBLISHED_TABLES {
            return self.use_published(folder, none);
        }
        folder.map_or(Ok(()), |folder| self.set_tables_folder(folder))?;
        let store = self.store()?;
        let notes = self.use_store((!none).then_some(&*store));
        let names = self.tables.open_tables.into_iter().flat_map(OpenTables::subspaces);
        Ok(UseReport {
            folder: store.folder().display().to_string(),
            tables: names.map(|subspace| subspace.to_string()).collect(),
            none,
            notes,
        })
    }

    fn tables_list(&mut self) -> Result<ListReport> {
        let store = self.store()?;
        let file = |(path, content): FoundFile| {
            let (header, bytes) = content.as_ref().ok().cloned().unzip();
            let wrong = content.err().map(|fault| fault.message);
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            ListedFile {
                file: name.unwrap_or_default(),
                subspace: header.as_ref().map(|header| header.subspace),
                kind: header.as_ref().map(|header| header.kind.to_string()),
                rules: header.map(|header| header.rules),
                bytes,
                wrong,
            }
        };
        let files = store.files().into_iter().map(file).collect();
        Ok(ListReport { folder: store.folder().display().to_string(), files })
    }
}

/// The sum of counts of any kind, such as [`Counts`].
pub(super) fn sum<T: Default + AddAssign>(counts: impl IntoIterator<Item = T>) -> T {
    counts.into_iter().fold(T::default(), |mut sum, counts| {
        sum += counts;
        sum
    })
}

fn outcome_text(outcome: Outcome, plies: Option<u32>) -> String {
    TrueValue { outcome, plies }.to_string()
}

/// The reply of `tables build --plan`: what would be built, and what it costs.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    /// The subspace to build, with those reachable from it.
    pub subspace: Subspace,
    /// The path of the folder for the tables.
    pub folder: String,
    pub(crate) rules: String,
    /// The tables still to be built, the smallest first.
    pub missing: Vec<Subspace>,
    /// Number of values to compute: positions up to symmetry, some of which are computed twice.
    pub values: u64,
    /// The peak memory in bytes.
    pub memory: u64,
    /// The greatest size of the files together, in bytes.
    pub disk: u64,
    /// The estimated time to build the tables, in milliseconds.
    pub estimated_ms: f64,
}

impl PlanReport {
    fn new(store: &Store, subspace: Subspace, plan: &BuildPlan) -> Self {
        Self {
            subspace,
            folder: store.folder().display().to_string(),
            rules: store.rules.clone(),
            missing: plan.left().flat_map(|step| step.subspaces.clone()).collect(),
            values: plan.positions(),
            memory: plan.memory(),
            disk: plan.disk(),
            estimated_ms: plan.ms().round(),
        }
    }
}

impl Reply for PlanReport {
    fn text(&self) -> String {
        if self.missing.is_empty() {
            return format!("{} and all below it are in {}", self.subspace, self.folder);
        }
        let names: Vec<_> = self.missing.iter().map(ToString::to_string).collect();
        let costs = [
            counted(self.values, "value", "values"),
            format!("memory {}", number::bytes(self.memory)),
            format!("disk at most {}", number::bytes(self.disk)),
            format!("about {}", number::time(self.estimated_ms.max(100.0))),
        ];
        lines([
            wrap("to build: ", &names.join(", ")),
            flow("costs: ", costs),
            format!("rules: {}", self.rules),
            format!("folder: {}", self.folder),
        ])
    }
}

/// Statistics of one table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    /// The subspace: the number of stones of the side to move and of the opponent.
    pub subspace: Subspace,
    /// `distance` if the table has plies to the end, `wdl` if it has outcomes only.
    pub kind: String,
    /// Number of positions in the table.
    pub positions: u64,
    /// The positions by outcome for the side to move.
    #[serde(flatten)]
    pub counts: Counts,
    /// The positions by outcome for the side to move, symmetric ones counted once.
    pub classes: Counts,
    /// One of the longest wins; `None` if there is no win, or no distances.
    pub longest_win: Option<LongestReport>,
    /// One of the longest losses; `None` if there is no loss, or no distances.
    pub longest_loss: Option<LongestReport>,
}

/// A win or loss with the greatest number of plies in a table.
#[derive(Clone, Debug, Serialize)]
pub struct LongestReport {
    /// Plies to the end of the game with best play.
    pub plies: u32,
    /// A position with `plies` plies to the end, in the game's notation.
    pub state: String,
}

fn counts_table<'t>(tables: impl IntoIterator<Item = &'t TableReport>) -> String {
    let plies = |longest: &Option<LongestReport>| or_dash(longest.as_ref().map(|one| one.plies));
    TextTable::of(tables)
        .left("table", |table| table.subspace)
        .right("wins", |table| count(table.counts.wins))
        .right("draws", |table| count(table.counts.draws))
        .right("losses", |table| count(table.counts.losses))
        .right("longest win", |table| plies(&table.longest_win))
        .right("longest loss", |table| plies(&table.longest_loss))
        .render()
}

/// The reply of `tables build`: the tables written.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// The tables that were missing before the build, with the estimated costs of building them.
    #[serde(flatten)]
    pub plan: PlanReport,
    /// The tables written, the smallest first.
    pub built: Vec<BuiltTable>,
    /// Whether an interrupt ended the build early.
    pub interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// Notes on side effects, for example that a search was dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A table written by a build, with the size of its file.
#[derive(Clone, Debug, Serialize)]
pub struct BuiltTable {
    /// The statistics of the table.
    #[serde(flatten)]
    pub table: TableReport,
    /// The size of the table's file in bytes.
    pub bytes: u64,
}

impl Reply for BuildReport {
    fn text(&self) -> String {
        let PlanReport { subspace, folder, .. } = &self.plan;
        let bytes = number::bytes(self.built.iter().map(|built| built.bytes).sum());
        let written = match self.built.len() as u64 {
            0 => format!("nothing was written to {folder}"),
            some => format!("{} in {folder}, {bytes}", counted(some, "table", "tables")),
        };
        let stopped = format!("interrupted: `tables build {subspace}` goes on");
        if self.plan.missing.is_empty() {
            return lines([self.plan.text(), layout::notes(&self.notes)]);
        }
        layout::parts([
            counts_table(self.built.iter().map(|built| &built.table)),
            lines([
                wrap("", &written),
                or_empty(self.interrupted.then_some(stopped)),
                timing(self.ms, None),
                layout::notes(&self.notes),
            ]),
        ])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The reply of `tables solve`: the outcome of a position with stones in hand.
#[derive(Clone, Debug, Serialize)]
pub struct SolveReport {
    /// The position solved, in the game's notation.
    pub state: String,
    /// The outcome for the side to move; `None` if an interrupt left it open.
    pub value: Option<Outcome>,
    /// The worst outcome for the side to move that is still possible.
    pub at_least: Outcome,
    /// The best outcome for the side to move that is still possible.
    pub at_most: Outcome,
    /// Moves of both sides that keep the outcome, as far as it is proven.
    pub line: Vec<MoveText>,
    /// The missing tables that were built before the position was solved.
    pub built: Vec<BuiltTable>,
    /// Nodes searched after the tables were built; nodes of earlier runs are not counted.
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

impl Reply for SolveReport {
    fn text(&self) -> String {
        let words = |outcome| outcome_text(outcome, None);
        let value = match self.value {
            Some(value) => format!("{} for the side to move", words(value)),
            None => format!(
                "interrupted: at least a {}, at most a {}; `tables solve` goes on",
                words(self.at_least),
                words(self.at_most)
            ),
        };
        lines([
            value,
            flow("line: ", self.line.iter().map(MoveText::plain)),
            or_empty((self.nodes > 0).then(|| counted(self.nodes, "node", "nodes"))),
            timing(self.ms, None),
        ])
    }

    fn forget_times(&mut self) {
        // With several threads, node count and line differ from run to run.
        (self.ms, self.nodes) = (None, 0);
        self.line.clear();
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The reply of `tables probe`: the true value of a position and of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeReport {
    /// The position probed, in the game's notation.
    pub state: String,
    /// The outcome for the side to move; `None` if no table covers the position.
    pub value: Option<Outcome>,
    /// Plies to the end of the game; `None` for a draw, or if the table has no distances.
    pub plies: Option<u32>,
    /// In Syzygy tables: plies to the next capture or pawn move (DTZ), negative if the side to move loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<i32>,
    /// The legal moves with their values, the best first.
    pub moves: Vec<ProbedMove>,
    /// Why the position has no value, or a warning of a damaged table; otherwise `None`.
    pub note: Option<String>,
}

/// A legal move with its true value.
#[derive(Clone, Debug, Serialize)]
pub struct ProbedMove {
    /// The move in the game's notation (coordinates in chess) and in SAN.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The outcome for the side that moves; `None` if unknown.
    pub value: Option<Outcome>,
    /// Plies to the end of the game, this move included; `None` for a draw or if unknown.
    pub plies: Option<u32>,
}

impl Reply for ProbeReport {
    fn text(&self) -> String {
        let value = self.value.map(|value| outcome_text(value, self.plies));
        let truth =
            |found: &ProbedMove| Some(TrueValue { outcome: found.value?, plies: found.plies });
        let known = self.moves.iter().any(|found| found.value.is_some());
        let moves = self.moves.iter().filter(|_| known);
        let groups = moves_by_truth(moves.map(|found| (found.mv.clone(), truth(found))));
        let dtz = self.dtz.filter(|&dtz| dtz != 0).map(|dtz| {
            let plies = counted(u64::from(dtz.unsigned_abs()), "ply", "plies");
            format!(", {plies} to a capture, pawn move or mate")
        });
        lines([
            or_empty(value.map(|value| format!("{value} for the side to move{}", or_empty(dtz)))),
            groups,
            or_empty(self.note.as_ref().map(|note| wrap("", note))),
        ])
    }
}

/// The reply of `tables stats`: statistics of one table or of all.
#[derive(Clone, Debug, Serialize)]
pub struct StatsReport {
    /// The positions of all tables by outcome for the side to move.
    #[serde(flatten)]
    pub counts: Counts,
    /// The statistics of every requested table.
    pub tables: Vec<TableReport>,
    /// The moves of the longest win or, if there is no win, of the longest loss; empty for several tables.
    pub line: Vec<String>,
    /// Distances and mutual zugzwangs; `None` for several tables.
    #[serde(flatten)]
    pub distances: Option<DistancesReport>,
}

/// How long wins and losses take in a table, and its mutual zugzwangs.
#[derive(Clone, Debug, Serialize)]
pub struct DistancesReport {
    /// Number of wins and losses for each number of plies to the end; empty if the table has no distances.
    pub by_plies: Vec<PlyCounts>,
    /// Number of mutual zugzwangs: positions where each side would rather have the other one to move.
    pub zugzwangs: u64,
    /// Number of mutual zugzwangs in which the side to move loses, be it White or Black.
    pub both_lose: u64,
    /// Mutual zugzwangs that are not symmetric to each other, up to the requested number.
    #[serde(rename = "zugzwang_list")]
    pub listed: Vec<ZugzwangReport>,
}

/// Number of positions that end after a certain number of plies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlyCounts {
    /// Plies to the end of the game with best play.
    pub plies: u32,
    /// Number of positions with `plies` plies to the end that the side to move wins.
    pub wins: u64,
    /// Number of positions with `plies` plies to the end that the side to move loses.
    pub losses: u64,
}

/// A mutual zugzwang: a position where each side would rather have the other one to move.
#[derive(Clone, Debug, Serialize)]
pub struct ZugzwangReport {
    /// The position, in the game's notation.
    pub state: String,
    /// The true value for the side to move.
    pub moving: TrueValue,
    /// The true value if the opponent were to move instead, for the side to move in `state`.
    pub waiting: TrueValue,
}

impl DistancesReport {
    fn text(&self) -> String {
        let table = TextTable::of(&self.listed)
            .left("zugzwang", |found| &found.state)
            .left("to move", |found| found.moving)
            .left("not to move", |found| found.waiting);
        let lose = count(self.both_lose);
        lines([
            format!("mutual zugzwangs: {}, whoever moves loses in {lose}", count(self.zugzwangs)),
            table.render(),
        ])
    }
}

impl Reply for StatsReport {
    fn text(&self) -> String {
        if self.tables.is_empty() {
            return "there are no tables: `tables build 3-3` solves the smallest ending".to_owned();
        }
        let longest = self.tables.iter().flat_map(|table| {
            let ends = [("win", &table.longest_win), ("loss", &table.longest_loss)];
            ends.into_iter().filter_map(|(name, longest)| {
                let LongestReport { plies, state } = longest.as_ref()?;
                Some(format!("longest {name}: {plies} plies from {state}"))
            })
        });
        let longest = longest.filter(|_| self.tables.len() == 1);
        layout::parts([
            counts_table(&self.tables),
            lines(longest),
            or_empty(self.distances.as_ref().map(DistancesReport::text)),
            flow("line: ", &self.line),
        ])
    }

    fn plots(&self) -> Vec<Plot> {
        let distances = self.distances.iter().filter(|distances| !distances.by_plies.is_empty());
        let chart = |distances: &DistancesReport| {
            let name = self.tables.first().map(|table| table.subspace.to_string());
            let point = |of: fn(&PlyCounts) -> u64| {
                let points = distances.by_plies.iter().filter(move |counts| of(counts) > 0);
                points.map(move |counts| (f64::from(counts.plies), of(counts) as f64))
            };
            Plot::new(format!("distances of {}", or_empty(name)), "plies", "positions")
                .with_series("wins", point(|counts| counts.wins))
                .with_series("losses", point(|counts| counts.losses))
        };
        distances.map(chart).collect()
    }
}

/// The reply of `tables quiz`: a won position to practise.
#[derive(Clone, Debug, Serialize)]
pub struct QuizPosition {
    /// The true value for the side to move, which the user plays.
    #[serde(skip)]
    truth: Option<TrueValue>,
    /// The position that the board shows now.
    #[serde(flatten)]
    pub position: PositionReport,
}

impl Reply for QuizPosition {
    fn text(&self) -> String {
        let value = or_empty(self.truth.map(|truth| truth.to_string()));
        let task = format!(
            "{} to move: {value} plies. `play MOVE` moves, `engine play` lets the tables defend.",
            self.position.side
        );
        lines([self.position.text(), wrap("", &task)])
    }
}

/// The reply of `tables verify`: how many values agree with those of their successors.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// The positions of all tables by outcome, counted from the values in the files.
    #[serde(flatten)]
    pub counts: Counts,
    /// Number of values compared with those of their successors.
    pub checked: u64,
    /// Number of compared values that are wrong.
    pub wrong: u64,
    /// The result for each table.
    pub tables: Vec<VerifiedTable>,
}

/// The result of verifying one table.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedTable {
    /// The subspace: the number of stones of the side to move and of the opponent.
    pub subspace: Subspace,
    /// The positions by outcome for the side to move, counted from the values in the file.
    #[serde(flatten)]
    pub counts: Counts,
    /// Whether the counts in the file's header equal `counts`.
    pub counts_agree: bool,
    /// Number of values compared with those of their successors.
    pub checked: u64,
    /// Number of compared values that are wrong.
    pub wrong: u64,
    /// The first wrong value as a sentence; `None` if no value is wrong.
    pub first: Option<String>,
}

impl Reply for VerifyReport {
    fn text(&self) -> String {
        let table = TextTable::of(&self.tables)
            .left("table", |table| table.subspace)
            .right("checked", |table| count(table.checked))
            .right("wrong", |table| count(table.wrong))
            .left("counts", |table| if table.counts_agree { "agree" } else { "differ" })
            .render();
        let first = self.tables.iter().filter_map(|table| table.first.clone());
        let none = self.tables.is_empty().then_some("there are no tables to verify");
        lines([table, or_empty(none), lines(first)])
    }

    fn fault(&self) -> Option<Fault> {
        let differ = self.tables.iter().find(|table| !table.counts_agree || table.wrong > 0)?;
        let what = format!("the table of {} is wrong", differ.subspace);
        Some(Fault::new(what).hint("remove the file and build the table again"))
    }
}

/// The reply of `tables use`: the tables available to searches.
#[derive(Clone, Debug, Serialize)]
pub struct UseReport {
    /// The path of the folder of the tables.
    pub folder: String,
    /// The names of the available tables, for the rules in force.
    pub tables: Vec<String>,
    none: bool,
    /// Notes on unusable tables, and on side effects such as a dropped search.
    pub notes: Vec<String>,
}

impl Reply for UseReport {
    fn text(&self) -> String {
        let in_use = match self.tables.len() {
            0 if self.none => "no tables in use".to_owned(),
            0 => format!("no tables in use: {} has none for these rules", self.folder),
            _ => format!("in use, from {}: {}", self.folder, layout::some(&self.tables, LISTED)),
        };
        lines([wrap("", &in_use), layout::notes(&self.notes)])
    }
}

/// The reply of `tables list`: the table files of a folder.
#[derive(Clone, Debug, Serialize)]
pub struct ListReport {
    /// The path of the folder.
    pub folder: String,
    /// The table files, in the order of their names.
    pub files: Vec<ListedFile>,
}

/// A table file in a folder.
#[derive(Clone, Debug, Serialize)]
pub struct ListedFile {
    /// The file name without its folder.
    pub file: String,
    /// The subspace, as the stones of the side to move and of the opponent; `None` if the file is unusable.
    pub subspace: Option<Subspace>,
    /// `distance` if the table has plies to the end, `wdl` if outcomes only; `None` if the file is unusable.
    pub kind: Option<String>,
    /// The rules for which the values hold; `None` if the file is unusable.
    pub rules: Option<String>,
    /// The size of the file in bytes; `None` if the file is unusable.
    pub bytes: Option<u64>,
    /// Why the file is unusable; `None` for a usable file.
    pub wrong: Option<String>,
}

impl Reply for ListReport {
    fn text(&self) -> String {
        let table = TextTable::of(self.files.iter().filter(|file| file.wrong.is_none()))
            .left("table", |file| or_empty(file.subspace))
            .left("values", |file| or_empty(file.kind.as_ref()))
            .left("rules", |file| or_empty(file.rules.as_ref()))
            .right("size", |file| or_empty(file.bytes.map(number::bytes)))
            .render();
        let wrong = self.files.iter().filter_map(|file| file.wrong.as_deref());
        let none = self.files.is_empty().then_some("there are no tables");
        lines([
            wrap("folder ", &self.folder),
            table,
            or_empty(none),
            lines(wrong.map(|why| wrap("", why))),
        ])
    }
}
