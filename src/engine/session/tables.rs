//! Endgame tables: building, probing, statistics and verification.

use std::{
    cmp::Ordering,
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
            self, AtHand, BuildOptions, Census, Counts, FoundFile, Longest, MoveValue, Plan,
            Solved, Store, Subspace, TableHeader, Written, Zugzwang,
        },
    },
    text::{TextTable, count, counted, flow, layout, lines, number, or_dash, or_empty, took, wrap},
};

/// The folder given last, and its tables for the rules that were in force at the last use.
#[derive(Debug, Default)]
pub(crate) struct TablesInUse {
    folder: Option<PathBuf>,
    store: Option<Arc<Store>>,
    at_hand: Option<&'static AtHand>,
}

impl TablesInUse {
    /// Sets the folder that a saved session names.
    pub(super) fn set_folder(&mut self, folder: Option<String>) {
        self.folder = folder.map(PathBuf::from);
    }

    pub(super) fn folder(&self) -> Option<String> {
        self.folder.as_ref().map(|folder| folder.display().to_string())
    }
}

impl<G: Game> Session<G> {
    /// The tables of the folder for the rules in force.
    pub(super) fn store(&mut self) -> Result<Arc<Store>> {
        let folder = self.tables.folder.clone().map_or_else(data_folder, Ok)?;
        let new = Store::new(self.game(), folder)?;
        let is_same = |old: &Arc<Store>| old.folder() == new.folder() && old.rules == new.rules;
        let known = self.tables.store.take().filter(is_same);
        Ok(Arc::clone(self.tables.store.insert(known.unwrap_or_else(|| Arc::new(new)))))
    }

    /// Makes the tables of a folder available (`None`: no tables). Returns notes on tables that cannot be used, and on what
    /// was dropped because the search uses tables.
    pub(super) fn put_at_hand(&mut self, store: Option<&Store>) -> Vec<String> {
        let (tables, faults) = store.map(AtHand::open).unwrap_or_default();
        let mut notes: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
        if tables.map(AtHand::digest) == self.game().tables_digest() {
            return notes;
        }
        notes.extend(self.forget_by_tables());
        self.tables.at_hand = tables;
        self.run.searcher.game.use_tables(tables.map(|tables| tables as &'static dyn TrueValues));
        notes
    }

    /// Makes the tables for the rules in force available, after a change of the rules or of the setting `tables`.
    pub(super) fn refresh_tables(&mut self) -> Vec<String> {
        self.tables_use(None, false).map_or_else(|_| Vec::new(), |used| used.notes)
    }

    /// Makes the published tables of a folder available (default: the folder given last), or none.
    fn use_published(&mut self, folder: Option<&Path>, none: bool) -> Result<UseReport> {
        let folder = folder.map(Path::to_owned).or_else(|| self.tables.folder.clone());
        if folder.is_none() && !none {
            let fault = Fault::new("no folder of endgame tables was named");
            return Err(fault.hint("name the one with the .rtbw and .rtbz files: --dir FOLDER"));
        }
        let mut game = self.usual().game.clone();
        let names = game.use_published_tables(folder.as_deref().filter(|_| !none))?;
        let mut notes = Vec::new();
        if game.tables_digest() != self.game().tables_digest() {
            notes = self.forget_by_tables();
            self.run.searcher.game = game;
        }
        self.tables.folder = folder;
        let folder = self.tables.folder().unwrap_or_default();
        Ok(UseReport { folder, tables: names, none, notes })
    }

    /// The values of a position and its moves by published tables. Moves with the same outcome are ordered by progress (DTZ).
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
        let mut moves = Vec::new();
        game.expand(&position, &G::History::default(), &mut moves);
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

    /// Drops everything that depends on the tables in use, before they are replaced. Returns notes.
    fn forget_by_tables(&mut self) -> Vec<String> {
        let mut notes = Vec::from_iter(self.leave_play());
        if self.settings().tables != TableUse::Off {
            notes.extend(self.discard_search("other endgame tables are in use"));
            notes.extend(self.discard_cache("its values depend on endgame tables"));
        }
        self.tree = None;
        notes
    }

    /// A note if a probe has failed since the last call: the file of a table turned out to be damaged.
    pub(super) fn table_fault(&self) -> Option<String> {
        let own = self.tables.at_hand.and_then(AtHand::take_fault);
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

    /// The moves of the longest win, or else of the longest loss.
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

/// The number of random positions that a quiz of an endgame chooses from.
const TRIED: usize = 64;

/// The most tables in use that are listed; JSON has all.
const LISTED: usize = 60;

/// The folder of tables among the user's data.
fn data_folder() -> Result<PathBuf> {
    let base = etcetera::base_strategy::Xdg::new().map_err(|_| {
        Fault::new("there is no home folder for the tables").hint("name a folder: --dir FOLDER")
    })?;
    Ok(base.data_dir().join("plyscope").join("tables"))
}

/// Endgame tables.
pub trait TableCommands {
    /// Sets the folder with the endgame tables.
    /// Errors: the game is not one whose endgames this program solves.
    fn set_tables_folder(&mut self, folder: &Path) -> Result<()>;
    /// The steps that lead to a subspace, with memory, disk and time.
    fn tables_plan(&mut self, subspace: Subspace, options: BuildOptions) -> Result<PlanReport>;
    /// Builds the tables of a subspace and of all that it leads to. An interrupt keeps those that are complete.
    fn tables_build(&mut self, subspace: Subspace, options: BuildOptions) -> Result<BuildReport>;
    /// The tables that [`TableCommands::tables_solve`] would build, with memory, disk and time.
    fn tables_solve_plan(
        &mut self,
        state: Option<&str>,
        options: BuildOptions,
    ) -> Result<PlanReport>;
    /// Solves a position with stones in hand (default: the selected frame's or the current one), after building the tables that
    /// it leads to. An interrupt keeps what is proved.
    fn tables_solve(&mut self, state: Option<&str>, options: BuildOptions) -> Result<SolveReport>;
    /// The true value of a position (default: the selected frame's or the current one), and of every move.
    fn tables_probe(&mut self, state: Option<&str>, folder: Option<&Path>) -> Result<ProbeReport>;
    /// Statistics of one table, or of all. For one: its longest win, its distances and `listed` of its mutual zugzwangs.
    fn tables_stats(&mut self, subspace: Option<Subspace>, listed: usize) -> Result<StatsReport>;
    /// Sets up a random won position, of one subspace or of any, won in `least` plies or more. From now on, tables choose the
    /// engine's moves.
    fn tables_quiz(&mut self, subspace: Option<Subspace>, least: u32) -> Result<QuizPosition>;
    /// Compares the values of one table, or of all, with those of the successors; of `sample` positions each, or of all.
    fn tables_verify(
        &mut self,
        subspace: Option<Subspace>,
        sample: Option<u64>,
    ) -> Result<VerifyReport>;
    /// Makes the tables of a folder available, or none.
    fn tables_use(&mut self, folder: Option<&Path>, none: bool) -> Result<UseReport>;
    /// The files of a folder.
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
        let notes = self.put_at_hand(Some(&store));
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
        // If some moves have no distance, the distances of moves that end the game would look like the only known ones.
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
        let line = match &headers[..] {
            [header] => self.longest_line(&store, header)?,
            _ => Vec::new(),
        };
        let line = line.iter().map(|mv| mv.plain().to_owned()).collect();
        let distances = match &headers[..] {
            [header] => Some(self.report_distances(&store, header.subspace, listed)?),
            _ => None,
        };
        let counts = sum(tables.iter().map(|table| table.counts));
        Ok(StatsReport { counts, tables, line, distances })
    }

    fn tables_quiz(&mut self, subspace: Option<Subspace>, least: u32) -> Result<QuizPosition> {
        let store = self.store()?;
        let mut notes = self.put_at_hand(Some(&store));
        self.needs_tables()?;
        let all = store.wanted(subspace);
        let seed = self.settings().seed;
        // The random number chooses which subspace comes first.
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
                "`tables stats` shows the longest wins; another number `random` looks elsewhere",
            )
        })?;
        let state = self.game().format_position(&position);
        let truth = self.game().truth(&position);
        self.leave_play();
        notes.extend(
            self.apply_settings(Settings { tables: TableUse::Root, ..self.settings().clone() }),
        );
        let shown = self.set_position(&state)?;
        Ok(QuizPosition { truth, notes, position: shown })
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
        let notes = self.put_at_hand((!none).then_some(&*store));
        let tables = self.tables.at_hand;
        Ok(UseReport {
            folder: store.folder().display().to_string(),
            tables: tables.map_or_else(Vec::new, |tables| {
                tables.subspaces().map(|subspace| subspace.to_string()).collect()
            }),
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

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |mut sum, counts| {
        sum += counts;
        sum
    })
}

fn outcome_text(outcome: Outcome, plies: Option<u32>) -> String {
    TrueValue { outcome, plies }.to_string()
}

/// The steps of a build, with its costs.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    /// The subspace to build.
    pub subspace: Subspace,
    /// The folder of the tables.
    pub folder: String,
    pub(crate) rules: String,
    /// The tables to build, the smallest first.
    pub missing: Vec<Subspace>,
    /// The values to compute: positions that differ by more than symmetry, some of them twice.
    pub values: u64,
    /// The most memory at a time, in bytes.
    pub memory: u64,
    /// The most that the files can take on the disk, in bytes.
    pub disk: u64,
    /// The estimated time in milliseconds.
    pub estimated_ms: f64,
}

impl PlanReport {
    fn new(store: &Store, subspace: Subspace, plan: &Plan) -> Self {
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

/// Statistics of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    /// The stones of the side to move and of the opponent.
    pub subspace: Subspace,
    /// `distance` or `wdl`.
    pub kind: String,
    /// All positions.
    pub positions: u64,
    /// The positions by outcome for the side to move.
    #[serde(flatten)]
    pub counts: Counts,
    /// The positions by outcome, counting those equal by symmetry once.
    pub classes: Counts,
    /// The longest win; `None` without distances.
    pub longest_win: Option<LongestReport>,
    /// The longest loss; `None` without distances.
    pub longest_loss: Option<LongestReport>,
}

/// One of the longest wins or losses of a table.
#[derive(Clone, Debug, Serialize)]
pub struct LongestReport {
    /// The plies to the end.
    pub plies: u32,
    /// A position with this number of plies to the end.
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

/// The tables that a build wrote.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// The steps that were left before the build, and their costs.
    #[serde(flatten)]
    pub plan: PlanReport,
    /// The tables written, the smallest first.
    pub built: Vec<BuiltTable>,
    /// Whether the user stopped the build.
    pub interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// Notes on other changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A table that was written.
#[derive(Clone, Debug, Serialize)]
pub struct BuiltTable {
    /// The table.
    #[serde(flatten)]
    pub table: TableReport,
    /// The length of the table's file.
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
                took(self.ms, None),
                layout::notes(&self.notes),
            ]),
        ])
    }

    fn times(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The outcome of a position with stones in hand.
#[derive(Clone, Debug, Serialize)]
pub struct SolveReport {
    /// The position.
    pub state: String,
    /// The outcome for the side to move; `None` after an interrupt.
    pub value: Option<Outcome>,
    /// The least outcome that is still possible.
    pub at_least: Outcome,
    /// The greatest outcome that is still possible.
    pub at_most: Outcome,
    /// Moves that keep the outcome, as far as the outcome is proved.
    pub line: Vec<MoveText>,
    /// The tables that were written before.
    pub built: Vec<BuiltTable>,
    /// The nodes searched after building the tables, not counting earlier runs.
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
            took(self.ms, None),
        ])
    }

    fn forget_times(&mut self) {
        // With several threads the nodes differ from run to run.
        (self.ms, self.nodes) = (None, 0);
        self.line.clear();
    }

    fn times(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The true value of a position and its moves.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeReport {
    /// The position.
    pub state: String,
    /// The value for the side to move; `None` if no table covers the position.
    pub value: Option<Outcome>,
    /// The plies to the end; `None` for a draw or without distances.
    pub plies: Option<u32>,
    /// In published tables: plies to the next capture or pawn move, with the sign of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<i32>,
    /// The legal moves, the best first.
    pub moves: Vec<ProbedMove>,
    /// Why there is no value.
    pub note: Option<String>,
}

/// A move with its true value.
#[derive(Clone, Debug, Serialize)]
pub struct ProbedMove {
    /// The move.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The value for the side that moves.
    pub value: Option<Outcome>,
    /// The plies to the end, this move included.
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

/// Statistics of one or more tables.
#[derive(Clone, Debug, Serialize)]
pub struct StatsReport {
    /// All tables added up.
    #[serde(flatten)]
    pub counts: Counts,
    /// Each table.
    pub tables: Vec<TableReport>,
    /// For a single table: the moves of its longest win or loss.
    pub line: Vec<String>,
    /// For a single table: its distances and zugzwangs.
    #[serde(flatten)]
    pub distances: Option<DistancesReport>,
}

/// The distances and mutual zugzwangs of a table.
#[derive(Clone, Debug, Serialize)]
pub struct DistancesReport {
    /// Wins and losses by their plies; empty without distances.
    pub by_plies: Vec<PlyCounts>,
    /// Positions in which each side has a better value if the other one moves.
    pub zugzwangs: u64,
    /// Zugzwangs in which whoever moves loses.
    pub both_lose: u64,
    /// Zugzwangs that differ by more than symmetry, up to the number asked for.
    #[serde(rename = "zugzwang_list")]
    pub listed: Vec<ZugzwangReport>,
}

/// Positions that are decided in a number of plies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlyCounts {
    /// The number of plies.
    pub plies: u32,
    /// Wins of the side to move.
    pub wins: u64,
    /// Losses of the side to move.
    pub losses: u64,
}

/// A mutual zugzwang.
#[derive(Clone, Debug, Serialize)]
pub struct ZugzwangReport {
    /// The position.
    pub state: String,
    /// The value for the side to move.
    pub moving: TrueValue,
    /// The value for that side in the same position with the opponent to move.
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
                .with("wins", point(|counts| counts.wins))
                .with("losses", point(|counts| counts.losses))
        };
        distances.map(chart).collect()
    }
}

/// A position to practise.
#[derive(Clone, Debug, Serialize)]
pub struct QuizPosition {
    /// The true value for the side to move, which is the user's.
    #[serde(skip)]
    truth: Option<TrueValue>,
    notes: Vec<String>,
    /// The position.
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
        lines([self.position.text(), wrap("", &task), layout::notes(&self.notes)])
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// All tables added up, counted anew.
    #[serde(flatten)]
    pub counts: Counts,
    /// Values compared with those of the successors.
    pub checked: u64,
    /// Wrong values among those compared.
    pub wrong: u64,
    /// Each table.
    pub tables: Vec<VerifiedTable>,
}

/// The result of the verification of a table.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedTable {
    /// The stones of the side to move and of the opponent.
    pub subspace: Subspace,
    /// The positions by outcome, counted anew.
    #[serde(flatten)]
    pub counts: Counts,
    /// Whether the file's header has the same numbers.
    pub counts_agree: bool,
    /// Values compared.
    pub checked: u64,
    /// Wrong values among those compared.
    pub wrong: u64,
    /// The first wrong value, in words.
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

/// The tables in use.
#[derive(Clone, Debug, Serialize)]
pub struct UseReport {
    /// The folder.
    pub folder: String,
    /// The tables for the rules in force.
    pub tables: Vec<String>,
    none: bool,
    /// Notes on tables that cannot be used, and on other changes.
    pub notes: Vec<String>,
}

impl Reply for UseReport {
    fn text(&self) -> String {
        let at_hand = match self.tables.len() {
            0 if self.none => "no tables in use".to_owned(),
            0 => format!("no tables in use: {} has none for these rules", self.folder),
            _ => format!("in use, from {}: {}", self.folder, layout::some(&self.tables, LISTED)),
        };
        lines([wrap("", &at_hand), layout::notes(&self.notes)])
    }
}

/// The files of a folder.
#[derive(Clone, Debug, Serialize)]
pub struct ListReport {
    /// The folder.
    pub folder: String,
    /// The tables in the folder, by name.
    pub files: Vec<ListedFile>,
}

/// The file of a table, as listed.
#[derive(Clone, Debug, Serialize)]
pub struct ListedFile {
    /// The name.
    pub file: String,
    /// The stones of the side to move and of the opponent.
    pub subspace: Option<Subspace>,
    /// `distance` or `wdl`.
    pub kind: Option<String>,
    /// The rules for which the values hold.
    pub rules: Option<String>,
    /// The length of the file.
    pub bytes: Option<u64>,
    /// Why the file cannot be used.
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
