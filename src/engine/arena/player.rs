//! Players: who plays, in the words of `search set` and `weights set`.

use std::{fmt::Write as _, ops::Range, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::{
    game::{Fault, Game, Weights},
    searcher::Searcher,
    settings::{SETTINGS, Setting, Settings},
    suggest,
};

/// What a player remembers from one game to the next.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CachePolicy {
    /// Nothing: every game begins with an empty cache, which is kept through the game.
    #[default]
    Fresh,
    /// Everything: the games of one pairing share the cache, which the first of them finds empty.
    Kept,
    /// Every game begins with the entries of a cache file.
    Loaded(PathBuf),
}

/// A player: a name, how it searches, and what it takes a position to be worth.
///
/// As text it is `NAME: key=value …`. The keys are the settings of searches, the weights of the game's heuristic, `cache`
/// (`fresh`, `kept`) and `cache_file`; what is not named is at its default. A name that is both a setting and a weight
/// (`queen` in chess) means the weight where its value is a number. Blanks part words, so paths have none.
///
/// ```
/// use plyscope::engine::{arena::Player, morris::Morris};
/// let game = Morris::default();
/// let player = Player::read(&game, "careful: budget=50000 mills=3 cache=kept")?;
/// assert_eq!(player.name, "careful");
/// assert_eq!(player.weights.get("mills"), 3.0);
/// assert_eq!(player.line(&game), "careful: budget=50000 mills=3 cache=kept");
/// let fault = Player::read(&game, "odd: depth=deep mils=3").unwrap_err();
/// assert!(fault.message.starts_with("2 faults: "), "{fault}");
/// assert_eq!(fault.at, Some(11..15));
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Its name: letters, digits and `-_.+`, so that it stands in file names and tables.
    pub name: String,
    /// How it searches.
    pub settings: Settings,
    /// Its weights.
    pub weights: Weights,
    /// What it remembers.
    pub cache: CachePolicy,
}

const SHAPE: &str = "a player is NAME: key=value …, such as deep: budget=50000 mills=3";

/// A word and where it stands.
type PlayerWord<'a> = (&'a str, Range<usize>);

impl Player {
    /// A player with everything at its default.
    pub fn named<G: Game>(game: &G, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            settings: Settings::default(),
            weights: game.default_weights(),
            cache: CachePolicy::Fresh,
        }
    }

    /// Reads a player's line for this game.
    ///
    /// # Errors
    /// One fault that lists everything wrong, each with its place and remedy.
    pub fn read<G: Game>(game: &G, text: &str) -> Result<Self, Fault> {
        let merged = |faults| Fault::merge(faults).unwrap_or_else(|| Fault::new(SHAPE));
        Self::read_whole(game, text).map_err(merged)
    }

    /// Reads a player's line for this game, and tells faults one by one.
    ///
    /// # Errors
    /// Everything wrong, each with its place and remedy; at least one fault.
    pub fn read_whole<G: Game>(game: &G, text: &str) -> Result<Self, Vec<Fault>> {
        let Some((name, rest)) = text.split_once(':') else {
            let fault = Fault::new(format!("`{text}` is no player: it has no name"));
            return Err(vec![fault.at(0..text.len()).hint(SHAPE)]);
        };
        let mut faults = Vec::new();
        let mut player = Self::named(game, name.trim());
        faults.extend(name_fault(name.trim()).map(|fault| fault.at(0..name.len())));
        for (word, at) in words(rest, name.len() + 1) {
            if let Err(fault) = player.take(game, word) {
                let key = word.split_once('=').map_or(0, |(key, _)| key.len() + 1);
                let at = if fault.about.is_some() {
                    at.start..at.start + key.saturating_sub(1).max(1)
                } else {
                    at.start + key..at.end
                };
                faults.push(Fault { about: None, ..fault }.at(at));
            }
        }
        faults.extend(player.check(game).err());
        if faults.is_empty() { Ok(player) } else { Err(faults) }
    }

    /// Takes one `key=value`. A fault that is `about` something is about the key.
    fn take<G: Game>(&mut self, game: &G, word: &str) -> Result<(), Fault> {
        let Some((key, value)) = word.split_once('=') else {
            return Err(Fault::new(format!("`{word}` is not key=value")).hint(SHAPE));
        };
        let is_weight = game.default_weights().iter().any(|(name, _)| name == key);
        let is_setting = Setting::called(key).is_some();
        let number = value.parse::<f64>();
        match key {
            "cache" => self.take_policy(value),
            "cache_file" if value.is_empty() => {
                Err(Fault::new("cache_file is empty").hint("cache_file=FILE names a cache file"))
            }
            "cache_file" => {
                self.cache = CachePolicy::Loaded(value.into());
                Ok(())
            }
            _ if is_weight && (number.is_ok() || !is_setting) => {
                let value = number.map_err(|_| {
                    Fault::new(format!("weight {key}=`{value}` is not a number"))
                        .hint("give a number such as 4 or 0.5")
                })?;
                self.weights.set(key, value)
            }
            _ if is_setting => self.settings.set(key, value),
            _ => Err(unknown(game, key)),
        }
    }

    fn take_policy(&mut self, value: &str) -> Result<(), Fault> {
        self.cache = match (value, &self.cache) {
            ("fresh", _) => CachePolicy::Fresh,
            ("kept", _) => CachePolicy::Kept,
            ("loaded", CachePolicy::Loaded(file)) => CachePolicy::Loaded(file.clone()),
            _ => {
                return Err(Fault::new(format!("`{value}` is no cache policy"))
                    .hint("cache=fresh, cache=kept or cache_file=FILE"));
            }
        };
        Ok(())
    }

    /// Checks what no single word can say: that the game can do with the settings and the weights.
    fn check<G: Game>(&self, game: &G) -> Result<(), Fault> {
        self.settings.check_for::<G>()?;
        game.evaluator(&self.weights, &game.start()).map(drop)
    }

    /// The line that reads back as this player, without what is at its default.
    pub fn line<G: Game>(&self, game: &G) -> String {
        let usual = Self::named(game, &self.name);
        let mut line = format!("{}:", self.name);
        for (name, value) in self.settings.differences(&usual.settings) {
            let _ = write!(line, " {name}={value}");
        }
        for ((name, value), (_, usual)) in self.weights.iter().zip(usual.weights.iter()) {
            if value.to_bits() != usual.to_bits() {
                let _ = write!(line, " {name}={value}");
            }
        }
        match &self.cache {
            CachePolicy::Fresh => {}
            CachePolicy::Kept => line.push_str(" cache=kept"),
            CachePolicy::Loaded(file) => {
                let _ = write!(line, " cache_file={}", file.display());
            }
        }
        line
    }

    /// The player at the board, with an empty table.
    ///
    /// # Errors
    /// Settings and weights that the game cannot be searched with.
    pub fn searcher<G: Game>(&self, game: &G) -> Result<Searcher<G>, Fault> {
        Searcher::new(game, &self.settings, &self.weights)
    }

    /// Whether its choices depend on the clock, so that games with it are not repeatable.
    pub fn is_timed(&self) -> bool {
        self.settings.time_ms.is_some()
    }
}

fn name_fault(name: &str) -> Option<Fault> {
    let fits = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    if name.is_empty() {
        return Some(Fault::new("the player has no name").hint(SHAPE));
    }
    let wrong = name.chars().find(|&letter| !fits(letter))?;
    Some(
        Fault::new(format!("the name `{name}` has `{wrong}` in it"))
            .hint("names are letters, digits, and - _ . +"),
    )
}

fn unknown<G: Game>(game: &G, key: &str) -> Fault {
    let weights = game.default_weights();
    let names: Vec<_> = SETTINGS
        .iter()
        .map(|setting| setting.name)
        .chain(weights.iter().map(|(name, _)| name))
        .chain(["cache", "cache_file"])
        .collect();
    let fault = Fault::new(format!("a player has no `{key}`")).about(key);
    match suggest::did_you_mean(key, names.iter().copied()) {
        Some(hint) => fault.hint(hint),
        None => fault.hint(format!("there is {}", names.join(", "))),
    }
}

/// The words of a text that stands at `start` of a longer one.
fn words(text: &str, start: usize) -> impl Iterator<Item = PlayerWord<'_>> {
    text.split_whitespace().map(move |word| {
        // A part of `text`, so that the difference is its place.
        let at = start + (word.as_ptr().addr() - text.as_ptr().addr());
        (word, at..at + word.len())
    })
}
