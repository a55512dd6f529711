//! Rote training (seed 001): self-play over one table of learned values.
//!
//! Each move is decided by alpha-beta to a fixed depth, without deepening, with the table's values in place of the heuristic
//! at the leaves. The root's value is then written into the table, for the whole orbit where symmetry is on, and one of the
//! best moves is played.
//!
//! What happens in a game depends on the spec, the game's number and the table alone, so a training that was stopped after
//! any game and resumed leads to the table it would have led to, bit for bit.
//!
//! The file `trained.ron` has the document, and the table [below](cachefile::Divided) it: one file, replaced whole. Where the
//! game has seed 001's keys the table is in `trained.rote` too, in its format.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};

use super::{
    arena::{Bout, DrawRules, Opening, choose, play},
    cachefile::{self, CacheHeader, Divided, Format, quietly},
    files,
    game::{Fault, Game, KeyScheme, Side, Weights},
    memo::{AnyMemo, Policy, Rote, ZeroIsMissing},
    random,
    searcher::Searcher,
    settings::{Budget, Keys, Settings},
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
    /// Games.
    pub games: u64,
    /// Games between two saves, and in a block of the statistics.
    pub save_interval: u64,
    /// What random choices start from.
    pub seed: u64,
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
        if self.game != G::NAME {
            let what =
                format!("the training is of {}, and the game here is {}", self.game, G::NAME);
            return Err(Fault::new(what).hint(format!("`game {}` changes the game", self.game)));
        }
        let learns = self.settings.memo() == Policy::Rote && self.settings.depth.is_some();
        if self.save_interval == 0 || !learns {
            return Err(Fault::new("the training's games, memo or depth are impossible")
                .hint("give a document that `train run` wrote"));
        }
        self.draws.check::<G>()?;
        let mut game = game.original();
        for (name, value) in &self.rules {
            game.set_rule(name, value)?;
        }
        let settings = Settings { budget: Budget::Off, time_ms: None, ..self.settings.clone() };
        let mut searcher = Searcher::new(&game, &settings, &self.weights)?;
        searcher.memo = AnyMemo::Rote(Rote::with(self.zero()));
        Ok(searcher)
    }

    /// Whether a learned 0 counts as unknown.
    fn zero(&self) -> ZeroIsMissing {
        ZeroIsMissing(self.settings.as_seed(self.settings.switches.zero))
    }
}

/// What happened in some games of a training, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        let mut sum = Self::default();
        for block in blocks {
            sum.add(block);
        }
        sum
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
    pub fn new(game: &G, spec: TrainingSpec) -> Result<Self, Fault> {
        let searcher = spec.searcher(game)?;
        let document = TrainingDocument { version: VERSION, spec, played: 0, blocks: Vec::new() };
        Ok(Self { document, searcher })
    }

    /// The table of learned values.
    pub fn table(&self) -> &AnyMemo<G::Key> {
        &self.searcher.memo
    }

    /// Whether every game is played.
    pub fn is_done(&self) -> bool {
        self.document.played >= self.document.spec.games
    }

    /// Plays the next game, to its end: what is learned in it is not taken back.
    pub fn play_one(&mut self) -> Result<(), Fault> {
        let game = self.searcher.game.clone();
        let TrainingDocument { spec, played: before, blocks, .. } = &mut self.document;
        let bout = Bout {
            game: &game,
            rules: spec.draws,
            opening: &Opening::of(&game),
            seed: random::mixed(&[spec.seed, *before]),
        };
        let on = AtomicBool::new(false);
        let searcher = &mut self.searcher;
        let played = play(&bout, |_, root, number| choose(searcher, root, number, &on))?
            .ok_or_else(|| Fault::new("a game of the training was cut short"))?;
        let winner = played.outcome.winner;
        if before.is_multiple_of(spec.save_interval) {
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
                entries: searcher.memo.entries().len() as u64,
            });
        }
        *before += 1;
        Ok(())
    }

    /// Everything that happened so far.
    pub fn total(&self) -> TrainingBlock {
        TrainingBlock::sum(&self.document.blocks)
    }
}

/// The version of the documents that this program writes and reads.
const VERSION: u32 = 3;

/// A training and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingDocument {
    /// [`VERSION`].
    version: u32,
    /// What it is.
    pub spec: TrainingSpec,
    /// Games played.
    pub played: u64,
    /// What happened in them, a block for the games between two saves.
    pub blocks: Vec<TrainingBlock>,
}

/// Checks the name of a training that is to begin.
pub fn check_new(file: &Path) -> Result<(), Fault> {
    let name = file.display();
    if file.extension().is_none_or(|ending| ending != "ron") {
        return Err(Fault::new(format!("`{name}` is no name of a training"))
            .hint(format!("name a file that ends in .ron, such as {name}.ron")));
    }
    for path in [file, &rote_file(file)] {
        if path.exists() {
            return Err(Fault::new(format!("`{}` exists", path.display())).hint(
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
    pub fn save(&self, file: &Path) -> Result<(), Fault> {
        let (game, entries) = (&self.searcher.game, self.table().entries());
        let header = CacheHeader::of(&self.searcher);
        let text = files::to_ron(&self.document)?;
        quietly(|watch| {
            cachefile::write_below(file, &text, Some((game, entries, &header)), watch)?;
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
        let game = &self.searcher.game;
        let key = game.seed_key(game.key(&game.start(), KeyScheme::Colour));
        key.map(|_| rote_file(file))
    }

    /// Reads a training.
    pub fn read(game: &G, file: &Path) -> Result<Self, Fault> {
        Self::read_parts(game, file).map_err(|fault| fault.within(file.display()))
    }

    fn read_parts(game: &G, file: &Path) -> Result<Self, Fault> {
        let Divided { text, cache } = Divided::read(file)?;
        let document = TrainingDocument::from_ron(&text)?;
        let mut searcher = document.spec.searcher(game)?;
        let remedy = "put the file together again as it was saved, or begin a new training";
        let wrong = |what: String| Fault::new(what).hint(remedy);
        let cache = cache.ok_or_else(|| wrong("the table is missing".to_owned()))?;
        let part = ("the table", remedy);
        let loaded = quietly(|watch| cachefile::load_part::<G>(&cache, part, watch))?;
        let here = CacheHeader::of(&searcher);
        let differences = loaded.header.map(|header| header.differences(&here));
        if let Some(difference) = differences.unwrap_or_default().first() {
            return Err(wrong(format!("the table is of another training: {difference}")));
        }
        let AnyMemo::Rote(mut table) = loaded.memo else {
            return Err(wrong("its table is none of learned values".to_owned()));
        };
        table.reuse = document.spec.zero();
        searcher.memo = AnyMemo::Rote(table);
        let entries = searcher.memo.entries().len() as u64;
        let saved = document.blocks.last().map_or(0, |block| block.entries);
        if entries != saved {
            let what = format!("the table has {entries} values, and was saved with {saved}");
            return Err(wrong(what));
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
        let preamble: TrainingPreamble = files::from_ron(text)?;
        if preamble.version != VERSION {
            let what = format!("this program reads trainings of version {VERSION}");
            return Err(Fault::new(format!("{what}, not of version {}", preamble.version))
                .hint("use the program that wrote it"));
        }
        files::from_ron(text)
    }
}
