//! Rote training (seed 001): self-play over one table of learned values.
//!
//! Each move is decided by alpha-beta to a fixed depth, without deepening, with the table's values in place of the
//! heuristic at the leaves. The root's value is then written, for the whole orbit where symmetry is on, and a best move is
//! played.
//!
//! What happens in a game depends on the spec, the game's number and the table alone, so a training that was stopped after
//! any game and resumed leads to the table it would have led to, bit for bit.
//!
//! The file `trained.ron` has the document, and the table [below](cachefile::Document) it: one file, replaced whole. Where the
//! game has seed 001's keys the table is in `trained.rote` too, in its format.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{
    arena::{Bout, DrawRules, Opening, choose, play},
    cachefile::{self, CacheHeader, Document, Format, LoadOptions, unmonitored},
    files,
    game::{Fault, Game, Keyed, Score, Side, Weights},
    random,
    searcher::Searcher,
    settings::{Budget, Keys, Settings},
    table::{AnyTable, Entry, Policy, Rote, ZeroIsMissing},
};

/// What a training depends on: the same spec leads to the same table, on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// The game's name.
    pub game: String,
    /// Its rules, by name.
    pub rules: Vec<(String, String)>,
    /// The heuristic's weights.
    pub weights: Weights,
    /// How positions are searched: with the policy `rote`, to a fixed depth.
    pub settings: Settings,
    /// When games are drawn.
    pub draws: DrawRules,
    /// Games over all shards.
    pub games: u64,
    /// Games between two saves, and in a block of the statistics.
    pub save_interval: u64,
    /// What random choices start from.
    pub seed: u64,
    /// Which of the games are played here.
    pub shard: Shard,
}

/// The `part`-th of `of` parts, from 1: the games whose number, from 0, leaves `part` − 1 when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    const fn is_sound(self) -> bool {
        self.part >= 1 && self.part <= self.of
    }
}

impl FromStr for Shard {
    type Err = Fault;

    /// Reads `I/N`, the first part being 1.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers.filter(|shard| shard.is_sound()).ok_or_else(|| {
            Fault::new(format!("`{text}` is no part of a training"))
                .about_word(text)
                .hint("write I/N, such as 1/4 to 4/4")
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl TrainingSpec {
    /// Settings for a training: those given, with a table of learned values and a fixed depth in plies from the root. In
    /// `seed` fidelity keys are those of seed 001, always as white to move.
    #[must_use]
    pub fn settings(settings: &Settings, depth: u8) -> Settings {
        Settings {
            memo: Some(Policy::Rote),
            keys: Keys::Colour,
            depth: Some(depth),
            deepening: false,
            time_ms: None,
            ..settings.clone()
        }
    }

    /// The player that learns: the table bounded by nothing, the search by its depth alone.
    fn searcher<G: Game>(&self, game: &G) -> Result<Searcher<G>, Fault> {
        let wrong = |what: String| Fault::new(what).hint("give a document that `train run` wrote");
        if self.game != G::NAME {
            let what =
                format!("the training is of {}, and the game here is {}", self.game, G::NAME);
            return Err(Fault::new(what).hint(format!("`game {}` changes the game", self.game)));
        }
        if self.save_interval == 0 || !self.shard.is_sound() || self.settings.depth.is_none() {
            return Err(wrong("the training's games, shard or depth are impossible".to_owned()));
        }
        if self.settings.memo() != Policy::Rote {
            let table = self.settings.memo();
            return Err(wrong(format!("the memo of a training is rote, not {table}")));
        }
        self.draws.check::<G>()?;
        let mut game = game.with_default_rules();
        for (name, value) in &self.rules {
            game.set_rule(name, value)?;
        }
        let settings = Settings { budget: Budget::Off, time_ms: None, ..self.settings.clone() };
        let mut searcher = Searcher::new(&game, &settings, &self.weights)?;
        searcher.table = AnyTable::Rote(Rote::with(self.zero()));
        Ok(searcher)
    }

    /// Whether a learned 0 counts as unknown.
    fn zero(&self) -> ZeroIsMissing {
        ZeroIsMissing(self.settings.as_seed(self.settings.switches.zero))
    }
}

/// What happened in some games of a training, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainingBlock {
    /// Games played.
    pub games: u64,
    /// Of them won by White.
    pub white: u64,
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// Moves made, each after a search.
    pub plies: u64,
    /// States visited.
    pub nodes: u64,
    /// Values in the table after the block.
    pub entries: u64,
}

impl TrainingBlock {
    /// What happened in some blocks, one after the other.
    pub fn sum<'a>(blocks: impl IntoIterator<Item = &'a Self>) -> Self {
        blocks.into_iter().fold(Self::default(), |mut sum, block| {
            sum.add(block);
            sum
        })
    }

    fn add(&mut self, later: &Self) {
        self.games += later.games;
        self.white += later.white;
        self.black += later.black;
        self.draws += later.draws;
        self.plies += later.plies;
        self.nodes += later.nodes;
        self.entries = later.entries;
    }
}

/// A training under way.
#[derive(Clone, Debug)]
pub struct Training<G: Game> {
    /// What it is and how far it has come, as its file has it.
    pub document: TrainingDocument,
    /// Who learns: its table has the learned values.
    pub searcher: Searcher<G>,
}

impl<G: Game> Training<G> {
    /// A training that has not begun.
    /// Errors: a spec that the game cannot do with.
    pub fn new(game: &G, spec: TrainingSpec) -> Result<Self, Fault> {
        let searcher = spec.searcher(game)?;
        let (blocks, table) = (Vec::new(), IgnoredAny);
        let document =
            TrainingDocument { version: VERSION, spec, played: 0, blocks, merged: 1, table };
        Ok(Self { document, searcher })
    }

    /// The table of learned values.
    pub fn table(&self) -> &AnyTable<G::Key> {
        &self.searcher.table
    }

    /// Games that it has to play in all.
    pub fn games(&self) -> u64 {
        let TrainingSpec { games, shard: Shard { part, of }, .. } = self.document.spec;
        (games + of).saturating_sub(part) / of
    }

    /// Whether every game is played.
    pub fn is_done(&self) -> bool {
        self.document.played >= self.games()
    }

    /// Plays the next game; whether it was played to its end. A game that `interrupt` cuts short is not counted and what was
    /// learned in it is taken back, so that the training goes on as if it had never begun.
    /// Errors: what keeps a position from being searched.
    pub fn play_one(&mut self, interrupt: &AtomicBool) -> Result<bool, Fault> {
        self.searcher.table.entries_mut().record(true);
        let played = self.play_next(interrupt);
        let entries = self.searcher.table.entries_mut();
        if !matches!(played, Ok(true)) {
            entries.rewind(0);
        }
        entries.record(false);
        played
    }

    fn play_next(&mut self, interrupt: &AtomicBool) -> Result<bool, Fault> {
        let game = self.searcher.game.clone();
        let TrainingDocument { spec, played: before, blocks, .. } = &mut self.document;
        let number = *before * spec.shard.of + spec.shard.part - 1;
        let bout = Bout {
            game: &game,
            rules: spec.draws,
            opening: &Opening::of(&game),
            seed: random::splitmix_all(&[spec.seed, number]),
        };
        let searcher = &mut self.searcher;
        let played = play(&bout, |_, root, number| choose(searcher, root, number, interrupt))?;
        let Some(played) = played else {
            return Ok(false);
        };
        let winner = played.outcome.winner;
        if before.is_multiple_of(spec.save_interval) || blocks.is_empty() {
            blocks.push(TrainingBlock::default());
        }
        if let Some(block) = blocks.last_mut() {
            block.add(&TrainingBlock {
                games: 1,
                white: u64::from(winner == Some(Side::White)),
                black: u64::from(winner == Some(Side::Black)),
                draws: u64::from(winner.is_none()),
                plies: played.moves.len() as u64,
                nodes: played.cost.iter().map(|cost| cost.nodes).sum(),
                entries: searcher.table.entries().len() as u64,
            });
        }
        *before += 1;
        Ok(true)
    }

    /// Everything that happened so far.
    pub fn total(&self) -> TrainingBlock {
        let entries = self.table().entries().len() as u64;
        TrainingBlock { entries, ..TrainingBlock::sum(&self.document.blocks) }
    }

    /// The learned value under a key, as it is stored.
    pub fn learned(&self, key: G::Key) -> Option<Score> {
        let at = Keyed { key, depth: 0 };
        self.table().entries().get(at).map(|entry| entry.value)
    }

    /// Puts the tables of all shards of a training together: a position has the mean of the values that it has in the tables
    /// that know it. Values are summed and positions stand in the order of the shards, so that the order in which the shards
    /// are given does not matter. What happened in them is one block.
    /// Errors: shards of different trainings, a shard that is missing, given twice or not yet done.
    pub fn merged(mut shards: Vec<Self>) -> Result<Self, Fault> {
        shards.sort_by_key(|training| training.document.spec.shard.part);
        check_shards(&shards)?;
        let Some(first) = shards.first() else {
            return Err(Fault::new("there are no shards to merge"));
        };
        let spec = TrainingSpec { shard: Shard::WHOLE, ..first.document.spec.clone() };
        let mut whole = Self::new(&first.searcher.game, spec)?;
        for (at, own) in shards.iter().flat_map(|shard| shard.table().entries().iter()) {
            if whole.learned(at.key).is_some() {
                continue;
            }
            let values = shards.iter().filter_map(|shard| shard.learned(at.key));
            let values: Vec<f64> = values.map(Score::get).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let entry = Entry {
                // A lone value stays as it is, -0.0 included.
                value: if values.len() == 1 { own.value } else { Score::from_finite(mean) },
                ..own
            };
            whole.searcher.table.entries_mut().set(at, entry)?;
        }
        let entries = whole.table().entries().len() as u64;
        let happened = shards.iter().flat_map(|shard| &shard.document.blocks);
        let block = TrainingBlock { entries, ..TrainingBlock::sum(happened) };
        whole.document.played = block.games;
        whole.document.merged = shards.len() as u64;
        whole.document.blocks = vec![block];
        Ok(whole)
    }
}

/// Checks that these, in order, are all the shards of one training, and done.
fn check_shards<G: Game>(shards: &[Training<G>]) -> Result<(), Fault> {
    let Some(first) = shards.first().map(|training| &training.document.spec) else {
        return Ok(());
    };
    let of = first.shard.of;
    let all = format!("give each of 1/{of} to {of}/{of} once, begun with the same options");
    for (training, part) in shards.iter().zip(1..) {
        let TrainingDocument { spec, played, .. } = &training.document;
        let like_first = TrainingSpec { shard: first.shard, ..spec.clone() };
        if like_first != *first || spec.shard != (Shard { part, of }) {
            let other = spec.shard;
            let what = format!("shard {part}/{of} is missing: shard {other} stands in its place");
            return Err(Fault::new(what).hint(all));
        }
        if !training.is_done() {
            let what = format!("shard {part}/{of} has played {played} of {}", training.games());
            return Err(Fault::new(what + " games").hint("`train resume` plays the rest"));
        }
    }
    if (shards.len() as u64) < of {
        return Err(Fault::new(format!("shard {}/{of} is missing", shards.len() + 1)).hint(all));
    }
    Ok(())
}

/// The version of the documents this program writes, and the newest it reads.
const VERSION: u32 = 2;

/// A training and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingDocument {
    version: u32,
    /// What it is.
    pub spec: TrainingSpec,
    /// Games played, of those that this shard has.
    pub played: u64,
    /// What happened in them, a block for the games between two saves.
    pub blocks: Vec<TrainingBlock>,
    /// How many tables it was merged from; 1 where it was not.
    pub merged: u64,
    /// What version 1 said of the table's file.
    #[serde(default, skip_serializing)]
    table: IgnoredAny,
}

/// Checks the name of a training that is to begin.
/// Errors: a name that does not end in `.ron`, and a file that is there already.
pub fn check_new(file: &Path) -> Result<(), Fault> {
    let name = file.display();
    if file.extension().is_none_or(|ending| ending != "ron") {
        return Err(Fault::new(format!("`{name}` is no name of a training"))
            .about_word(&name)
            .hint(format!("name a file that ends in .ron, such as {name}.ron")));
    }
    for path in [file, &rote_file(file)] {
        if path.exists() {
            return Err(Fault::new(format!("`{}` exists", path.display())).about_word(path.display()).hint(
                "`train resume` goes on with a training; remove the file or give another name to begin one",
            ));
        }
    }
    Ok(())
}

/// Where the table of a training is in seed 001's format.
fn rote_file(file: &Path) -> PathBuf {
    file.with_extension("rote")
}

impl<G: Game> Training<G> {
    /// Saves the training with its table below it, and the table in seed 001's format where the game has keys for that.
    /// Errors: what the system refuses; then the training's file is as it was.
    pub fn save(&self, file: &Path) -> Result<(), Fault> {
        let (game, entries) = (&self.searcher.game, self.table().entries());
        let header = CacheHeader::of(&self.searcher);
        let document = TrainingDocument { version: VERSION, ..self.document.clone() };
        let text = files::to_ron(&document)?;
        unmonitored(|watch| {
            cachefile::write_document(file, &text, Some((game, entries, &header)), watch)?;
            match self.rote_file(file) {
                Some(rote) => {
                    cachefile::save(game, entries, &rote, Format::SeedRote, &header, watch)
                        .map(drop)
                }
                None => Ok(()),
            }
        })
    }

    /// The file with the table in seed 001's format, where there is one for the game.
    pub fn rote_file(&self, file: &Path) -> Option<PathBuf> {
        self.searcher.game.seed_files().map(|_| rote_file(file))
    }

    /// Reads a training.
    /// Errors: files that cannot be read or are no training, by line and column; a table that is missing or another one; a
    /// training of another game.
    pub fn read(game: &G, file: &Path) -> Result<Self, Fault> {
        Self::read_parts(game, file).map_err(|fault| fault.within(file.display()))
    }

    fn read_parts(game: &G, file: &Path) -> Result<Self, Fault> {
        let Document { text, cache } = Document::read(file)?;
        let document = TrainingDocument::from_ron(&text)?;
        let mut searcher = document.spec.searcher(game)?;
        let remedy = "put the file together again as it was saved, or begin a new training";
        let loaded = unmonitored(|watch| {
            if let Some(cache) = cache {
                return cachefile::load_embedded::<G>(&cache, ("the table", remedy), watch);
            }
            // Version 1 had the table in a file beside it.
            let path = file.with_extension("plycache");
            cachefile::load(&searcher.game, &path, LoadOptions::default(), watch)
        })?;
        let wrong = |what: String| Err(Fault::new(what).hint(remedy));
        let here = CacheHeader::of(&searcher);
        let differences = loaded.header.map(|header| header.differences(&here));
        if let Some(difference) = differences.unwrap_or_default().first() {
            return wrong(format!("the table is of another training: {difference}"));
        }
        let AnyTable::Rote(mut table) = loaded.table else {
            return wrong("its table is none of learned values".to_owned());
        };
        table.reuse = document.spec.zero();
        searcher.table = AnyTable::Rote(table);
        let entries = searcher.table.entries().len() as u64;
        let saved = document.blocks.last().map_or(0, |block| block.entries);
        if entries != saved {
            return wrong(format!("the table has {entries} values, and was saved with {saved}"));
        }
        Ok(Self { document, searcher })
    }
}

impl TrainingDocument {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct TrainingPreamble {
            version: u32,
        }
        let TrainingPreamble { version } = files::from_ron(text)?;
        if !(1..=VERSION).contains(&version) {
            let what = format!("training version {version} is unknown");
            let fault = Fault::new(format!("{what}: this program reads versions 1 to {VERSION}"));
            return Err(fault.hint("use the program that wrote it"));
        }
        files::from_ron(text)
    }
}
