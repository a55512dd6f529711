//! Rote training (seed 001): self-play with one table of learned values.
//!
//! Each position of a game is searched by alpha-beta to a fixed depth, without iterative deepening; at the leaves, learned
//! values replace the heuristic. Then the value of the root is stored for all positions equal to the root by symmetry, and a
//! best move is played.
//!
//! A game depends only on the spec, its number and the table. So a training that is stopped after any game and resumed gives
//! the same table, bit for bit, as one that is not.
//!
//! The file `trained.ron` contains the document and [below it](cachefile::Document) the table; both are replaced together. For
//! games with seed 001's keys, the table is also written to `trained.rote`, in seed 001's format.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};

use super::{
    arena::{DrawRules, GameSetup, Opening, choose, play},
    cachefile::{self, CacheHeader, Document, Format, unmonitored},
    files,
    game::{Fault, Game, Keyed, Score, Side, Weights},
    random,
    searcher::Searcher,
    settings::{Budget, Keys, Settings},
    table::{AnyTable, Entry, Policy, Rote, ZeroIsMissing},
};

/// The parameters of a training. The same spec gives the same table on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// The name of the game, such as `morris`.
    pub game: String,
    /// All rules of the game, as pairs of name and choice.
    pub rules: Vec<(String, String)>,
    /// The weights of the evaluation.
    pub weights: Weights,
    /// The search settings, with the memo policy `rote` and a fixed depth.
    pub settings: Settings,
    /// The draw rules of the games, beside the game's own.
    pub draws: DrawRules,
    /// The number of games, summed over all shards.
    pub games: u64,
    /// The number of games between two saves, and in each block of statistics.
    pub save_interval: u64,
    /// The random seed for choices among equal moves.
    pub seed: u64,
    /// The part of the games that this run plays.
    pub shard: Shard,
}

/// A part of the games of a training: those whose number, from 0, leaves the remainder `part` − 1 when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The number of the part, from 1.
    pub part: u64,
    /// The total number of parts.
    pub of: u64,
}

impl Shard {
    /// A single part that contains all games.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    const fn is_valid(self) -> bool {
        self.part >= 1 && self.part <= self.of
    }
}

impl FromStr for Shard {
    type Err = Fault;

    /// Reads `I/N`, where I is from 1 to N.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers.filter(|shard| shard.is_valid()).ok_or_else(|| {
            Fault::word(text, "is not a shard of a training").hint("write I/N, such as 1/4 to 4/4")
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl TrainingSpec {
    /// Settings for a training: those given, but with the memo policy `rote` and a fixed depth in plies. With fidelity `seed`,
    /// the keys are those of seed 001, in which White is always to move.
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

    /// The searcher that learns: its table is unlimited, its only limit is the depth.
    fn searcher<G: Game>(&self, game: &G) -> Result<Searcher<G>, Fault> {
        let wrong = |what: String| Fault::new(what).hint("give a document that `train run` wrote");
        if self.game != G::NAME {
            let what =
                format!("the training is of {}, and the current game is {}", self.game, G::NAME);
            return Err(Fault::new(what).hint(format!("`game {}` changes the game", self.game)));
        }
        if self.save_interval == 0 || !self.shard.is_valid() || self.settings.depth.is_none() {
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
        searcher.table = AnyTable::Rote(Rote::with(self.zero_is_missing()));
        Ok(searcher)
    }

    /// Whether a learned value of 0 counts as unknown, as in seed 001.
    fn zero_is_missing(&self) -> ZeroIsMissing {
        ZeroIsMissing(self.settings.as_seed(self.settings.switches.zero))
    }
}

/// The statistics of consecutive games of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingBlock {
    /// The number of games played.
    pub games: u64,
    /// The number of games that White won.
    pub white: u64,
    /// The number of games that Black won.
    pub black: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of moves played, each after a search.
    pub plies: u64,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of values in the table after the last game.
    pub entries: u64,
}

impl TrainingBlock {
    /// The statistics of consecutive blocks, added up.
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

/// A training and its progress.
#[derive(Clone, Debug)]
pub struct Training<G: Game> {
    /// The spec and the progress, as saved.
    pub document: TrainingDocument,
    /// The searcher; its table has the learned values.
    pub searcher: Searcher<G>,
}

impl<G: Game> Training<G> {
    /// A training of which no game has been played.
    /// Errors: a spec that does not suit the game.
    pub fn new(game: &G, spec: TrainingSpec) -> Result<Self, Fault> {
        let searcher = spec.searcher(game)?;
        let blocks = Vec::new();
        let document = TrainingDocument { version: VERSION, spec, played: 0, blocks, merged: 1 };
        Ok(Self { document, searcher })
    }

    /// The table of learned values.
    pub fn table(&self) -> &AnyTable<G::Key> {
        &self.searcher.table
    }

    /// The number of games of this shard, whether played or not.
    pub fn games(&self) -> u64 {
        let TrainingSpec { games, shard: Shard { part, of }, .. } = self.document.spec;
        (games + of).saturating_sub(part) / of
    }

    /// Whether all games of this shard are played.
    pub fn is_done(&self) -> bool {
        self.document.played >= self.games()
    }

    /// Plays the next game; `false` after an interrupt. An interrupted game does not count, and the values learned in it are
    /// removed.
    /// Errors: those of the searches.
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
        let setup = GameSetup {
            game: &game,
            rules: spec.draws,
            opening: &Opening::of(&game),
            seed: random::splitmix_all(&[spec.seed, number]),
        };
        let searcher = &mut self.searcher;
        let played = play(&setup, |_, root, number| choose(searcher, root, number, interrupt))?;
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

    /// The statistics of all games played so far.
    pub fn total(&self) -> TrainingBlock {
        let entries = self.table().entries().len() as u64;
        TrainingBlock { entries, ..TrainingBlock::sum(&self.document.blocks) }
    }

    /// The learned value of a key, as stored; `None` if there is none.
    pub fn learned(&self, key: G::Key) -> Option<Score> {
        let at = Keyed { key, depth: 0 };
        self.table().entries().get(at).map(|entry| entry.value)
    }

    /// Merges the tables of all shards of a training: the value of a position is the mean over the tables that have the
    /// position. The result does not depend on the order of `shards`, which are sorted first. The statistics of all shards
    /// become one block. Errors: shards of different trainings, and a shard that is missing, given twice or unfinished.
    pub fn merged(mut shards: Vec<Self>) -> Result<Self, Fault> {
        shards.sort_by_key(|training| training.document.spec.shard.part);
        check_shards(&shards)?;
        let Some(first) = shards.first() else {
            return Err(Fault::new("there are no shards to merge"));
        };
        let spec = TrainingSpec { shard: Shard::WHOLE, ..first.document.spec.clone() };
        let mut merged = Self::new(&first.searcher.game, spec)?;
        for (at, own) in shards.iter().flat_map(|shard| shard.table().entries().iter()) {
            if merged.learned(at.key).is_some() {
                continue;
            }
            let values = shards.iter().filter_map(|shard| shard.learned(at.key));
            let values: Vec<f64> = values.map(Score::get).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let entry = Entry {
                // A single value is copied, because computing the mean would turn -0.0 into 0.0.
                value: if values.len() == 1 { own.value } else { Score::from_finite(mean) },
                ..own
            };
            merged.searcher.table.entries_mut().set(at, entry)?;
        }
        let entries = merged.table().entries().len() as u64;
        let blocks = shards.iter().flat_map(|shard| &shard.document.blocks);
        let block = TrainingBlock { entries, ..TrainingBlock::sum(blocks) };
        merged.document.played = block.games;
        merged.document.merged = shards.len() as u64;
        merged.document.blocks = vec![block];
        Ok(merged)
    }
}

/// Checks that the sorted shards are all shards of one training, and that each is finished.
fn check_shards<G: Game>(shards: &[Training<G>]) -> Result<(), Fault> {
    let Some(first) = shards.first().map(|training| &training.document.spec) else {
        return Ok(());
    };
    let of = first.shard.of;
    let all = format!("give each of 1/{of} to {of}/{of} once, begun with the same options");
    for (training, part) in shards.iter().zip(1..) {
        let TrainingDocument { spec, played, .. } = &training.document;
        let same_shard = TrainingSpec { shard: first.shard, ..spec.clone() };
        if same_shard != *first || spec.shard != (Shard { part, of }) {
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

/// The version of the document's format.
const VERSION: u32 = 1;

/// A training without its table, as saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingDocument {
    version: u32,
    /// The parameters of the training.
    pub spec: TrainingSpec,
    /// The number of games of this shard played so far.
    pub played: u64,
    /// The statistics of the games played, in blocks of `save_interval` games.
    pub blocks: Vec<TrainingBlock>,
    /// The number of shards that were merged; 1 for a training that was not merged.
    pub merged: u64,
}

/// Checks the file name of a new training.
/// Errors: a name that does not end in `.ron`, and a file that exists.
pub fn check_new(file: &Path) -> Result<(), Fault> {
    let name = file.display();
    if file.extension().is_none_or(|ending| ending != "ron") {
        return Err(Fault::word(&name, "is not the name of a training")
            .hint(format!("give a name that ends in .ron, such as {name}.ron")));
    }
    for path in [file, &rote_file(file)] {
        if path.exists() {
            return Err(Fault::word(path.display(), "exists").hint(
                "`train resume` resumes a training; to begin one, remove the file or give another name",
            ));
        }
    }
    Ok(())
}

fn rote_file(file: &Path) -> PathBuf {
    file.with_extension("rote")
}

impl<G: Game> Training<G> {
    /// Saves the training with its table, and for games with seed 001's keys the table in seed 001's format.
    /// Errors: those of writing; after an error the training's file is unchanged.
    pub fn save(&self, file: &Path) -> Result<(), Fault> {
        let (game, entries) = (&self.searcher.game, self.table().entries());
        let header = CacheHeader::of(&self.searcher);
        let text = files::to_ron(&self.document)?;
        unmonitored(|watch| {
            cachefile::write_document(file, &text, Some((game, entries, &header)), watch)?;
            if let Some(rote) = self.rote_file(file) {
                cachefile::save(game, entries, &rote, Format::SeedRote, &header, watch)?;
            }
            Ok(())
        })
    }

    /// The path of the table in seed 001's format; `None` for games without seed 001's keys.
    pub fn rote_file(&self, file: &Path) -> Option<PathBuf> {
        self.searcher.game.seed_files().map(|_| rote_file(file))
    }

    /// Reads a saved training.
    /// Errors: a file that cannot be read or is not a training, by line and column; a table that is missing or of another
    /// training; a training of another game.
    pub fn read(game: &G, file: &Path) -> Result<Self, Fault> {
        Self::read_parts(game, file).map_err(|fault| fault.within(file.display()))
    }

    fn read_parts(game: &G, file: &Path) -> Result<Self, Fault> {
        let Document { text, cache } = Document::read(file)?;
        let document = TrainingDocument::from_ron(&text)?;
        let mut searcher = document.spec.searcher(game)?;
        let remedy = "use a copy of the file as it was saved, or begin a new training";
        let wrong = |what: String| Err(Fault::new(what).hint(remedy));
        let Some(cache) = cache else {
            return wrong("the table is missing".to_owned());
        };
        let loaded =
            unmonitored(|watch| cachefile::load_embedded::<G>(&cache, "the table", remedy, watch))?;
        let expected = CacheHeader::of(&searcher);
        let differences = loaded.header.map(|header| header.differences(&expected));
        if let Some(difference) = differences.unwrap_or_default().first() {
            return wrong(format!("the table is of another training: {difference}"));
        }
        let AnyTable::Rote(mut table) = loaded.table else {
            return wrong("the table is not one of learned values".to_owned());
        };
        table.reuse = document.spec.zero_is_missing();
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
        if version != VERSION {
            let fault = Fault::new(format!("the training has version {version}"));
            return Err(fault.hint(format!("this program reads version {VERSION}")));
        }
        files::from_ron(text)
    }
}
