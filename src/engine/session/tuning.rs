//! Commands for rules, weights and settings.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Pair, Session, position::Eval, reply::Reply};

use crate::{
    engine::{
        game::{Fault, Game, GameOptions, KeyScheme, Result, Rule, TableUse, Weights},
        recording::{Edit, Running},
        settings::{SETTINGS, Setting, Settings},
        suggest::check_name,
        table::{Policy, Reuse},
    },
    text::{TextTable, flow, layout, lines, number, or_empty, width},
};

const DEFAULT: &str = "default";
const PLAY: &str = "play";

impl<G: Game> Session<G> {
    /// Describes weights by `name`; without a name, by that of a named set with the same values.
    fn report_weights(&self, weights: &Weights, name: Option<&str>) -> WeightsReport {
        let equal = || self.sets.iter().find(|(_, set)| *set == weights);
        let evaluator = self.game().evaluator(weights, &self.now.position);
        WeightsReport {
            divisor: evaluator.map_or(1.0, |evaluator| self.game().divisor(&evaluator)),
            weights: weights.clone(),
            name: name.map(str::to_owned).or_else(|| equal().map(|(name, _)| name.clone())),
            notes: Vec::new(),
        }
    }

    /// The weights called `name`: a set of the user's, or else `default`, `play` (the engine's) or `current` (those in force).
    pub(crate) fn weights_named(&self, name: &str) -> Result<Weights> {
        match (name, self.sets.get(name)) {
            (_, Some(weights)) => Ok(weights.clone()),
            (DEFAULT, None) => Ok(self.game().default_weights()),
            (PLAY, None) => Ok(self.game().weights_for_play()),
            ("current", None) => Ok(self.run.searcher.weights.clone()),
            (_, None) => {
                let own = self.sets.keys().map(String::as_str);
                let known: Vec<_> = [DEFAULT, PLAY, "current"].into_iter().chain(own).collect();
                Err(Fault::new(format!("no weight set `{name}`")).about_word(name).hint(format!(
                    "the weight sets are {}; `weights define NAME …` makes one",
                    known.join(", ")
                )))
            }
        }
    }

    /// A copy of `weights` with the changes in `pairs`. Fails if the evaluation cannot use the result.
    pub(crate) fn changed(&self, weights: &Weights, pairs: &[Pair<'_>]) -> Result<Weights> {
        let mut changed = weights.clone();
        for (name, text) in pairs {
            let number = text.parse().map_err(|_| {
                Fault::new(format!("weight {name}=`{text}` is not a number")).about_word(text)
            });
            number.and_then(|value| changed.set(name, value)).map_err(|fault| fault.about(name))?;
        }
        self.game().evaluator(&changed, &self.now.position)?;
        Ok(changed)
    }

    pub(super) fn put_in_force(&mut self, weights: Weights) -> WeightsReport {
        let mut notes = Vec::from_iter(self.leave_play());
        if weights != self.run.searcher.weights {
            notes.extend(self.change_weights_under_way(&weights));
            if !self.settings().as_seed(self.settings().switches.stale) {
                notes.extend(self.discard_cache("its values were computed with other weights"));
            }
        }
        self.run.searcher.weights = weights;
        WeightsReport { notes, ..self.weights() }
    }

    /// A recorded search continues with the new weights on a new timeline; a search that is not recorded is dropped.
    fn change_weights_under_way(&mut self, weights: &Weights) -> Option<String> {
        let same_window = |running: &Running<G>| {
            let evaluator = self.game().evaluator(weights, running.search.root());
            let full = evaluator.map(|evaluator| self.game().full_window(&evaluator));
            !running.search.is_over() && full == Ok(running.search.full_window())
        };
        if !self.run.running.as_ref().is_some_and(same_window) || self.run.now.is_none() {
            return self.discard_search("the weights changed");
        }
        self.run.edit_search(Edit::Weights(weights.clone()))
    }

    /// Puts settings in force. Drops the search or the cache if the change makes them invalid. Returns notes.
    pub(crate) fn apply_settings(&mut self, settings: Settings) -> Vec<String> {
        let mut notes = Vec::new();
        let before = std::mem::replace(&mut self.run.searcher.settings, settings);
        // Settings that affect the events of a search; `budget` does not, and can change during a search.
        let decisive = |s: &Settings| {
            let zero = s.as_seed(s.switches.zero);
            ((s.mode(), s.memo(), s.limits(), s.reuse()), (zero, s.capacity(), s.configure()))
        };
        let invalid = decisive(&before) != decisive(self.settings());
        // The search is dropped before the cache changes, because its timeline must still save the cache it began with.
        let dropped = invalid.then(|| self.discard_search("the settings changed"));
        if before.memo() != self.settings().memo() {
            notes.extend(self.discard_cache("the memo policy changed"));
            self.run.searcher.table = self.settings().new_table();
        } else if !same_entries(&before, self.settings()) {
            notes.extend(
                self.discard_cache("its entries mean something else with the new settings"),
            );
        }
        let evicted = self.configure_table();
        if evicted > 0 {
            let most = self.settings().max_size;
            notes.push(format!("{evicted} entries gave way: the cache takes {most} at most now"));
        }
        let budget = self.settings().budget();
        let running = self.run.running.as_ref();
        match dropped {
            Some(note) => notes.extend(note),
            None if running.is_some_and(|running| running.search.budget != budget) => {
                notes.extend(self.run.edit_search(Edit::Budget(budget)));
            }
            None => {}
        }
        if before.record && !self.settings().record {
            self.run.leave_timeline();
        }
        if self.settings().record && !before.record && self.run.record_from_here() {
            notes.push("the search is recorded from here on".to_owned());
        }
        notes
    }

    /// Opens endgame tables if the settings need them. Returns notes.
    /// Fails if there are no tables, or if weights allow evaluations above the value of a win.
    fn check_tables(&mut self, settings: &Settings) -> Result<Vec<String>> {
        if settings.tables == TableUse::Off {
            return Ok(Vec::new());
        }
        let mut game = self.game().clone();
        game.configure(settings.configure());
        game.evaluator(&self.run.searcher.weights, &self.now.position)?;
        if self.game().tables_digest().is_some() {
            return Ok(Vec::new());
        }
        let notes = self.refresh_tables();
        if self.game().tables_digest().is_none() {
            let fault = Fault::new("there are no endgame tables for the rules in force");
            let hint =
                "`tables build 3-3` makes some, `tables use --dir FOLDER` names their folder";
            return Err(fault.hint(hint).about("tables"));
        }
        Ok(notes)
    }

    /// Configures game and cache according to the settings. Returns the number of entries evicted.
    pub(crate) fn configure_table(&mut self) -> usize {
        let searcher = &mut self.run.searcher;
        searcher.game.configure(searcher.settings.configure());
        searcher.settings.set_up(&mut searcher.table)
    }

    /// Changes the memo policy to that of a file to be loaded. Returns notes.
    /// Fails if the cache has entries of another policy.
    pub(crate) fn adopt_policy(&mut self, policy: Policy) -> Result<Vec<String>> {
        let (current, held) = (self.settings().memo(), self.entries().len());
        if current == policy {
            return Ok(Vec::new());
        }
        if held > 0 {
            return Err(Fault::new(format!("the entries are for the memo policy `{policy}`, and the cache holds {held} of `{current}`"))
                .hint(format!("`cache save` keeps these, then `search set memo={policy}`")));
        }
        let mut notes =
            self.apply_settings(Settings { memo: Some(policy), ..self.settings().clone() });
        notes.push(format!("the memo policy is now `{policy}`"));
        Ok(notes)
    }

    /// Describes the settings: all of them in JSON; in the text those that `shown` selects, with their meanings.
    fn report_settings(&self, shown: impl Fn(&Setting) -> bool) -> SettingsReport {
        let settings = self.settings();
        let list = settings.list();
        let each = || SETTINGS.iter().zip(&list);
        let shown = each().filter(|(setting, _)| shown(setting));
        let shown =
            shown.map(|(setting, (name, value))| [*name, value, setting.help].map(str::to_owned));
        let odd = each().filter_map(|(setting, (name, value))| {
            Some(format!("{name}={value} ({})", setting.switched_defect::<G>(settings)?))
        });
        let for_play = self.play_settings().map(|play| play.differences(&self.usual().settings));
        SettingsReport {
            for_play: for_play.into_iter().flatten().collect(),
            shown: shown.collect(),
            odd_defects: odd.collect(),
            settings: list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            notes: Vec::new(),
        }
    }
}

/// Whether entries stored with the settings `before` are valid with the settings `now`.
pub(super) fn same_entries(before: &Settings, now: &Settings) -> bool {
    let meaning = |s: &Settings| {
        let mode = s.mode();
        let values = (
            s.memo(),
            s.algorithm().has_windows(),
            (s.quiescence && !s.as_seed(s.switches.quiet), s.see),
            mode.leaf_before_end,
            mode.negate_black,
            mode.selective,
            GameOptions { quiescence_depth: 0, ..s.configure() },
        );
        // In sound fidelity, entries under canonical keys are valid for the position itself too, so symmetry may be turned off.
        let scheme =
            if mode.scheme == KeyScheme::Plain { KeyScheme::Plain } else { KeyScheme::Colour };
        (values, scheme, s.fidelity)
    };
    // With `reuse=deeper`, a stored value may differ from that of a search to the stored depth (defects D13 and D14).
    let deeper = |s: &Settings| s.memo() == Policy::Bound && s.reuse() == Reuse::Deeper;
    meaning(before) == meaning(now) && (deeper(now) || !deeper(before))
}

/// Commands for rules, weights and settings.
pub trait TuningCommands {
    /// The rules in force, with their choices.
    fn rules(&self) -> RulesReport;
    /// Changes the rules named in `rules`. Fails without any change if a name or value is invalid.
    fn set_rules(&mut self, rules: &[Pair<'_>]) -> Result<RulesReport>;
    /// The weights in force, and the name of the set that they equal.
    fn weights(&self) -> WeightsReport;
    /// Changes the weights named in `weights`. Fails without any change if a name or value is invalid.
    fn set_weights(&mut self, weights: &[Pair<'_>]) -> Result<WeightsReport>;
    /// Evaluates a position statically, by terms (default: the selected frame's position, otherwise the current one).
    fn eval(&self, state: Option<&str>) -> Result<Eval>;
    /// Lists the named weight sets, the built-in ones first.
    fn weight_sets(&self) -> WeightSets;
    /// Defines a named set: the weights in force with the changes in `weights`.
    fn define_weights(&mut self, name: &str, weights: &[Pair<'_>]) -> Result<WeightsReport>;
    /// Puts the weights of a named set in force.
    fn use_weights(&mut self, name: &str) -> Result<WeightsReport>;
    /// Removes a named set. Fails for built-in sets.
    fn remove_weights(&mut self, name: &str) -> Result<()>;
    /// The settings in force; the text shows the common ones, or with `all` every setting.
    fn settings(&self, all: bool) -> SettingsReport;
    /// Changes the settings named in `settings`. Fails without any change if a name or value is invalid.
    fn set_settings(&mut self, settings: &[Pair<'_>]) -> Result<SettingsReport>;
}

impl<G: Game> TuningCommands for Session<G> {
    fn rules(&self) -> RulesReport {
        RulesReport { game: G::NAME.into(), rules: self.game().rules(), notes: Vec::new() }
    }

    fn set_rules(&mut self, rules: &[Pair<'_>]) -> Result<RulesReport> {
        let mut game = self.usual().game.clone();
        for (name, value) in rules {
            game.set_rule(name, value).map_err(|fault| fault.about(name))?;
        }
        let mut notes = Vec::from_iter(self.leave_play());
        if game.rules() != self.game().rules() {
            notes.extend(self.discard_search("the rules changed"));
            notes.extend(self.discard_cache("its values were computed under other rules"));
        }
        let has_tables = self.game().tables_digest().is_some();
        self.run.searcher.game = game;
        if has_tables {
            notes.extend(self.refresh_tables());
        }
        Ok(RulesReport { notes, ..self.rules() })
    }

    fn weights(&self) -> WeightsReport {
        self.report_weights(&self.run.searcher.weights, None)
    }

    fn set_weights(&mut self, weights: &[Pair<'_>]) -> Result<WeightsReport> {
        let changed = self.changed(&self.run.searcher.weights, weights)?;
        Ok(self.put_in_force(changed))
    }

    fn eval(&self, state: Option<&str>) -> Result<Eval> {
        let position = match state {
            Some(text) => &self.read_position(text)?,
            None => &self.position_named("here")?,
        };
        let (game, evaluator) = (self.game(), self.evaluator()?);
        Ok(Eval {
            value: game.evaluate(&evaluator, position),
            divisor: game.divisor(&evaluator),
            terms: game.terms(&self.run.searcher.weights, position),
            for_play: self.plays(),
            side: game.side(position),
            state: game.format_position(position),
        })
    }

    fn weight_sets(&self) -> WeightSets {
        let (default, play) = (self.game().default_weights(), self.game().weights_for_play());
        let built_in = [(DEFAULT, &default), (PLAY, &play)].into_iter();
        let built_in = built_in.filter(|(name, weights)| {
            !self.sets.contains_key(*name) && (*name == DEFAULT || **weights != default)
        });
        let own = self.sets.iter().map(|(name, weights)| (name.as_str(), weights));
        let report = |(name, weights)| self.report_weights(weights, Some(name));
        let sets: Vec<_> = built_in.into_iter().chain(own).map(report).collect();
        let plays = self.play_weights();
        let play = sets.iter().find(|set| set.weights == plays);
        WeightSets { play: play.and_then(|set| set.name.clone()), sets }
    }

    fn define_weights(&mut self, name: &str, weights: &[Pair<'_>]) -> Result<WeightsReport> {
        if matches!(name, DEFAULT | PLAY | "current") {
            return Err(Fault::word(name, "is a reserved name").hint("choose another name"));
        }
        check_name("weight set", name)?;
        let weights = self.changed(&self.run.searcher.weights, weights)?;
        let report = self.report_weights(&weights, Some(name));
        self.sets.insert(name.to_owned(), weights);
        Ok(report)
    }

    fn use_weights(&mut self, name: &str) -> Result<WeightsReport> {
        let weights = self.weights_named(name)?;
        self.game().evaluator(&weights, &self.now.position)?;
        Ok(self.put_in_force(weights))
    }

    fn remove_weights(&mut self, name: &str) -> Result<()> {
        if self.sets.remove(name).is_some() {
            return Ok(());
        }
        self.weights_named(name)?;
        Err(Fault::new(format!("the weight set `{name}` is built in")).about_word(name))
    }

    fn settings(&self, all: bool) -> SettingsReport {
        self.report_settings(|setting| all || setting.is_shown::<G>(self.settings()))
    }

    fn set_settings(&mut self, settings: &[Pair<'_>]) -> Result<SettingsReport> {
        let changed = self.usual().settings.clone().changed(settings)?;
        changed.check_for::<G>()?;
        let mut notes = Vec::from_iter(self.leave_play());
        notes.extend(self.check_tables(&changed)?);
        notes.extend(self.apply_settings(changed));
        let given: Vec<_> =
            settings.iter().filter_map(|(name, _)| Some(Setting::by_name(name)?.name)).collect();
        let mut report = self.report_settings(|setting| given.contains(&setting.name));
        // Only `search show` prints the meanings of the settings.
        report.shown.iter_mut().for_each(|[_, _, help]| help.clear());
        Ok(SettingsReport { notes, ..report })
    }
}

/// The reply of `rules show` and `rules set`.
#[derive(Clone, Debug, Serialize)]
pub struct RulesReport {
    pub(crate) game: String,
    /// The rules in force; in JSON names and values only.
    #[serde(serialize_with = "rules_by_name")]
    pub rules: Vec<Rule>,
    /// Notes on side effects, such as a dropped search.
    pub notes: Vec<String>,
}

impl Reply for RulesReport {
    fn text(&self) -> String {
        if self.rules.is_empty() {
            return format!("{} has no rules to choose", self.game);
        }
        let table = TextTable::of(&self.rules)
            .left("rule", |rule| &rule.name)
            .left("value", |rule| &rule.value)
            .left("choices", |rule| rule.choices.join(", "));
        let help =
            self.rules.iter().map(|rule| layout::wrap(&format!("{}: ", rule.name), &rule.help));
        lines([table.render(), lines(help), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let rules = self.rules.iter().map(|rule| format!("{}={}", rule.name, rule.value));
        layout::noted(rules.collect::<Vec<_>>().join(" "), &self.notes)
    }
}

pub(super) fn by_name<S: serde::Serializer>(
    weights: &Weights,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(weights.iter())
}

fn rules_by_name<S: serde::Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rules.iter().map(|rule| (&rule.name, &rule.value)))
}

/// The reply of `weights show` and of commands that change the weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightsReport {
    /// The weights in force, or those of a named set.
    #[serde(serialize_with = "by_name")]
    pub weights: Weights,
    /// The number by which the game divides the sum of the weighted terms.
    #[serde(skip)]
    pub(crate) divisor: f64,
    /// The name of the set with the same weights; `None` if there is none.
    pub(crate) name: Option<String>,
    /// Notes on side effects, such as a dropped search.
    pub notes: Vec<String>,
}

impl Reply for WeightsReport {
    fn text(&self) -> String {
        let mut pieces = vec![pairs(&self.weights)];
        pieces.extend(self.name.as_ref().map(|name| format!("({name})")));
        lines([flow("weights ", pieces), layout::notes(&self.notes)])
    }
}

/// The reply of `weights list`: the named weight sets.
#[derive(Clone, Debug, Serialize)]
pub struct WeightSets {
    pub(crate) sets: Vec<WeightsReport>,
    /// The name of the set with which the engine plays; `None` if those weights have no name.
    pub(crate) play: Option<String>,
}

impl Reply for WeightSets {
    fn text(&self) -> String {
        sets(self.sets.iter().map(|set| (set.name.as_deref().unwrap_or_default(), &set.weights)))
    }

    fn line(&self) -> String {
        let names = self.sets.iter().filter_map(|set| set.name.as_deref());
        format!("weight sets {}", names.collect::<Vec<_>>().join(", "))
    }
}

/// The reply of `search show` and `search set`.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsReport {
    /// All settings with their values, as names and text; numbers in JSON.
    #[serde(flatten, serialize_with = "by_type")]
    pub settings: Vec<(String, String)>,
    /// Name, value and meaning of each setting, for the text of the reply.
    #[serde(skip)]
    pub(crate) shown: Vec<[String; 3]>,
    /// Switches of defects that differ from what the fidelity implies, each as `name=value (defect)`.
    #[serde(skip)]
    pub(crate) odd_defects: Vec<String>,
    /// Settings with which the engine plays, if they differ from the session's own.
    pub for_play: BTreeMap<&'static str, String>,
    /// Notes on side effects, such as a dropped search.
    pub notes: Vec<String>,
}

impl Reply for SettingsReport {
    fn text(&self) -> String {
        let rows = if self.shown.iter().all(|[_, _, help]| help.is_empty()) {
            flow("", self.pairs())
        } else {
            let widest = self.shown.iter().map(|[name, ..]| width(name)).max().unwrap_or(0);
            let row = |[name, value, help]: &[String; 3]| {
                (format!("{name:widest$}  {value}"), help.clone())
            };
            let play = self.for_play.iter().map(|(name, value)| format!("{name}={value}"));
            let play = flow("for play, in `engine play` and `hint`: ", play);
            lines([layout::named("", self.shown.iter().map(row)), play])
        };
        let odd = match self.odd_defects.as_slice() {
            [] => String::new(),
            odd => format!("defects switched: {}", odd.join(", ")),
        };
        lines([rows, odd, layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let pairs = self.pairs().collect::<Vec<_>>().join(" ");
        self.notes.iter().cloned().chain([pairs]).collect::<Vec<_>>().join("; ")
    }
}

impl SettingsReport {
    fn pairs(&self) -> impl Iterator<Item = String> {
        self.shown.iter().map(|[name, value, _]| format!("{name}={value}"))
    }
}

/// Serialises numbers as numbers, limits that are `off` as null, and other values as text.
fn by_type<S: serde::Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let value = |name: &str, text: &str| match (name, text.parse::<u64>()) {
        (_, Ok(number)) => serde_json::Value::from(number),
        ("depth" | "budget" | "time_ms", Err(_)) => serde_json::Value::Null,
        (_, Err(_)) => serde_json::Value::from(text),
    };
    // The setting `random` has the alias `seed`, under which JSON repeats the value.
    let renamed = settings.iter().filter(|(name, _)| name == "random");
    let named = settings.iter().map(|(name, text)| (name.as_str(), text));
    let named = named.chain(renamed.map(|(_, text)| ("seed", text)));
    serializer.collect_map(named.map(|(name, text)| (name, value(name, text))))
}

fn pairs(weights: &Weights) -> String {
    let pairs = weights.iter().map(|(name, value)| format!("{name}={}", number::digits(value)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Sets of weights as one table; if that would be too wide, as a paragraph each.
pub(super) fn sets<'a>(sets: impl Iterator<Item = (&'a str, &'a Weights)> + Clone) -> String {
    let Some((_, first)) = sets.clone().next() else { return "no weight sets".to_owned() };
    let mut table = TextTable::of(sets.clone()).left("set", |(name, _)| (*name).to_owned());
    for (place, (name, _)) in first.iter().enumerate() {
        table = table.point(name, |(_, weights)| {
            or_empty(weights.iter().nth(place).map(|(_, weight)| number::digits(weight)))
        });
    }
    if table.fits() {
        return table.render();
    }
    lines(sets.map(|(name, weights)| layout::wrap("", &format!("{name}: {}", pairs(weights)))))
}
