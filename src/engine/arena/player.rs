//! Players: settings and weights under a name, written as in `search set` and `weights set`.

use std::{fmt::Write as _, path::PathBuf};

use crate::engine::{
    engines::{BLANK, one_word},
    game::{Fault, Game, Weights},
    searcher::Searcher,
    settings::{SETTINGS, Setting, Settings},
    suggest::{self, check_name},
};

/// A player: a name, search settings, weights of the heuristic, and a cache file; or an external engine.
///
/// As text, a player is `NAME: key=value …`. The keys are search settings, weights, `cache_file` and `engine`; others are at
/// their defaults. A key that is both a setting and a weight (`queen` in chess) is the weight if its value is a number. Blanks
/// separate words, so paths cannot contain any.
///
/// ```
/// use plyscope::engine::{arena::Player, morris::Morris};
/// let game = Morris::default();
/// let player = Player::read(&game, "careful: budget=50000 mills=3")?;
/// assert_eq!(player.name, "careful");
/// assert_eq!(player.weights.get("mills"), 3.0);
/// assert_eq!(player.line(&game), "careful: budget=50000 mills=3");
/// let fault = Player::read(&game, "odd: depth=deep mils=3").unwrap_err();
/// assert!(fault.message.starts_with("2 faults: "), "{fault}");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The name: letters, digits and `-_.+`, so that it can be part of a file name.
    pub name: String,
    /// The search settings; an external engine uses only the limits.
    pub settings: Settings,
    /// The weights of the heuristic.
    pub weights: Weights,
    /// The file with the entries that the cache has at the beginning of every game; without one, the cache is empty.
    pub cache_file: Option<PathBuf>,
    /// The command that starts an external engine; `None`: our own search plays.
    pub engine: Option<String>,
}

const SHAPE: &str = "a player is NAME: key=value …, such as deep: budget=50000 mills=3";

impl Player {
    /// A player with default settings and weights.
    pub fn named<G: Game>(game: &G, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            settings: Settings::default(),
            weights: game.default_weights(),
            cache_file: None,
            engine: None,
        }
    }

    /// Reads a player from text.
    /// Errors: one fault that lists all errors.
    pub fn read<G: Game>(game: &G, text: &str) -> Result<Self, Fault> {
        Self::read_with_faults(game, text).map_err(as_one)
    }

    /// Like [`Self::read`], but with a fault for each error.
    pub fn read_with_faults<G: Game>(game: &G, text: &str) -> Result<Self, Vec<Fault>> {
        let Some((name, rest)) = text.split_once(':') else {
            let fault = Fault::word(text, "is not a player: it has no name");
            return Err(vec![fault.hint(SHAPE)]);
        };
        let words = rest.split_whitespace().map(|word| word.split_once('=').ok_or(word));
        Self::changed(game, name.trim(), words)
    }

    /// A player named `name`, with these settings and weights; all others are at their defaults.
    /// Errors: one fault that lists all errors; if there is only one, it names the key.
    pub fn define<G: Game>(game: &G, name: &str, pairs: &[(&str, &str)]) -> Result<Self, Fault> {
        Self::changed(game, name, pairs.iter().copied().map(Ok)).map_err(as_one)
    }

    /// Applies `changes` to the defaults: pairs of key and value; an `Err` is a word that is not a pair.
    fn changed<'a, G: Game>(
        game: &G,
        name: &str,
        changes: impl Iterator<Item = Result<(&'a str, &'a str), &'a str>>,
    ) -> Result<Self, Vec<Fault>> {
        let mut player = Self::named(game, name);
        let mut faults: Vec<_> = check_name("player", name).err().into_iter().collect();
        for change in changes {
            let taken = match change {
                Ok((key, value)) => player.set(game, key, value).map_err(|fault| fault.about(key)),
                Err(word) => Err(Fault::word(word, "is not key=value").hint(SHAPE)),
            };
            faults.extend(taken.err());
        }
        faults.extend(player.check(game).err());
        if faults.is_empty() { Ok(player) } else { Err(faults) }
    }

    fn set<G: Game>(&mut self, game: &G, key: &str, value: &str) -> Result<(), Fault> {
        let is_weight = game.default_weights().iter().any(|(name, _)| name == key);
        let is_setting = Setting::by_name(key).is_some();
        let number = value.parse::<f64>();
        match (key, value) {
            ("cache", _) => {
                let what = "a player's cache starts empty, or is loaded with cache_file=FILE";
                let hint = format!("leave cache={value} out, or give cache_file=FILE");
                return Err(Fault::new(what).hint(hint));
            }
            ("cache_file", "") => {
                return Err(
                    Fault::new("cache_file is empty").hint("cache_file=FILE names a cache file")
                );
            }
            ("cache_file", _) => self.cache_file = Some(value.into()),
            ("engine", "") => {
                return Err(Fault::new("engine is empty").hint("engine=stockfish names an engine"));
            }
            // Words are separated by blanks, so a blank within the command is written as [`BLANK`].
            ("engine", _) => self.engine = Some(value.replace(BLANK, " ")),
            ("movetime", _) => self.settings.set("time_ms", value)?,
            _ if is_weight && (number.is_ok() || !is_setting) => {
                let number = number.map_err(|_| {
                    Fault::new(format!("weight {key}=`{value}` is not a number"))
                        .about_word(value)
                        .hint("give a number such as 4 or 0.5")
                })?;
                self.weights.set(key, number)?;
            }
            _ if is_setting => self.settings.set(key, value)?,
            _ => return Err(unknown(game, key)),
        }
        Ok(())
    }

    /// Checks the settings and weights together, for this game.
    fn check<G: Game>(&self, game: &G) -> Result<(), Fault> {
        self.settings.check_for::<G>()?;
        game.evaluator(&self.weights, &game.start()).map(drop)
    }

    /// The player as text, without defaults: [`Self::read`] reads it back.
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
        if let Some(command) = &self.engine {
            let _ = write!(line, " engine={}", one_word(command));
        }
        if let Some(file) = &self.cache_file {
            let _ = write!(line, " cache_file={}", file.display());
        }
        line
    }

    /// A searcher with the player's settings and weights, and an empty table.
    /// Errors: settings or weights that do not suit the game.
    pub fn searcher<G: Game>(&self, game: &G) -> Result<Searcher<G>, Fault> {
        Searcher::new(game, &self.settings, &self.weights)
    }
}

fn as_one(faults: Vec<Fault>) -> Fault {
    Fault::merge(faults).unwrap_or_else(|| Fault::new(SHAPE))
}

fn unknown<G: Game>(game: &G, key: &str) -> Fault {
    let weights = game.default_weights();
    let names: Vec<_> = SETTINGS
        .iter()
        .map(|setting| setting.name)
        .chain(weights.iter().map(|(name, _)| name))
        .chain(["cache_file", "engine"])
        .collect();
    let fault = Fault::new(format!("a player has no `{key}`")).about_word(key);
    let hint = suggest::did_you_mean(key, names.iter().copied());
    fault.hint(hint.unwrap_or_else(|| format!("the settings and weights are {}", names.join(", "))))
}
