//! Reviews of games: the value after every move, better lines, and the moves that lose winning chances.

use std::{ops::RangeInclusive, path::Path, sync::atomic::Ordering};

use serde::Serialize;

use super::{
    AnySession as _, Pair, Session, game_file::GameFileCommands as _, position::MOVED, reply::Reply,
};
use crate::{
    engine::{
        cachefile::Monitor,
        game::{
            Fault, Game, GameMove, History, MoveText, Result, Score, Side, TableUse, TaggedGame,
            TrueValue,
            pgn::{self, VALUE_COMMAND, sign_of},
            review::{Judgement, game_accuracy},
        },
        progress::Unit,
        searcher::Searcher,
        settings::{Budget, Settings},
    },
    text::{TextTable, layout, lines, number, or_empty, style::Scale, words, wrap},
};

pub use crate::engine::game::review::{for_white, shown_percent, win_percent};

/// The most moves to write of a better line or a refutation.
const MOST_MOVES: usize = 6;

/// The most forced moves in a row that a review plays before it searches.
// A bound, because forced moves can repeat positions without end.
const MOST_FORCED: usize = 8;

/// The PGN numbers (NAG) of the six move signs, from `!` to `?!`.
const MOVE_SIGNS: RangeInclusive<u8> = 1..=6;

/// The PGN tag that marks a game as reviewed by this program.
const ANNOTATOR: (&str, &str) = ("Annotator", "plyscope");

/// Commands that review games.
pub trait ReviewCommands {
    /// Reviews the main line of the current game, each position searched with [`Settings::for_play`] within `limits`, and
    /// writes values, annotations and better lines into the game. After an interrupt, the moves reviewed so far stay annotated.
    fn review_game(&mut self, limits: &[Pair<'_>]) -> Result<GameReview>;
    /// Reviews all games of a file, except those reviewed before. The result is saved to `out`, which may be the same file;
    /// without `out` the games are changed in memory only. After an interrupt, the games reviewed so far are kept.
    fn review_file(
        &mut self,
        path: &Path,
        out: Option<&Path>,
        limits: &[Pair<'_>],
    ) -> Result<FileReview>;
    /// Explains the next move of the game, which its annotations call a mistake, by the review stored in the game.
    fn explain_mistake(&self) -> Result<MistakeExplained>;
}

/// The result of searching one position of the game.
struct SearchedPosition<G: Game> {
    /// The root's value, for White.
    value: Score,
    best: Option<G::Move>,
    line: Vec<G::Move>,
    /// The true value for the side to move; `None` if unknown.
    truth: Option<TrueValue>,
}

impl<G: Game> SearchedPosition<G> {
    /// White's winning chances in percent, by the true value if known, otherwise by the search and `percent`.
    fn chances(&self, percent: fn(Scale, Score) -> f64, scale: Scale, side: Side) -> f64 {
        self.truth
            .map_or_else(|| percent(scale, self.value), |truth| for_side(side, certain(truth)))
    }
}

/// The winning chances in percent for a true value: 100, 50 or 0.
fn certain(truth: TrueValue) -> f64 {
    50.0 + 50.0 * truth.sign()
}

/// Converts White's winning chances in percent into those of a side, and back.
fn for_side(side: Side, chance: f64) -> f64 {
    if side == Side::White { chance } else { 100.0 - chance }
}

impl<G: Game> ReviewCommands for Session<G> {
    fn review_game(&mut self, limits: &[Pair<'_>]) -> Result<GameReview> {
        let mut searcher = self.reviewer(limits)?;
        let mut game = self.whole_game();
        if game.moves.is_empty() {
            return Err(
                Fault::new("the game has no move to review").hint("play one, or `pgn load` a game")
            );
        }
        let total = game.moves.len() as u64 + 1;
        let review = self.watching("reviewing", Unit::Positions, 0, |watch| {
            self.review(&mut game, &mut searcher, watch, &|done| (done, total))
        })?;
        self.replace_game(game);
        Ok(review)
    }

    fn review_file(
        &mut self,
        path: &Path,
        out: Option<&Path>,
        limits: &[Pair<'_>],
    ) -> Result<FileReview> {
        let searcher = self.reviewer(limits)?;
        if let Some(out) = out.filter(|out| out.exists() && *out != path) {
            let name = out.display();
            return Err(Fault::word(&name, "already exists")
                .hint(format!("`review {name} --save {name}` continues that review")));
        }
        self.load_game(path)?;
        let mut report = FileReview {
            file: path.display().to_string(),
            saved: out.map(|out| out.display().to_string()),
            total: self.games_in_file(),
            before: 0,
            games: Vec::new(),
            skipped: Vec::new(),
            interrupted: false,
        };
        let texts = self.watching("reviewing", Unit::Games, 0, |watch| {
            self.review_games(&searcher, watch, &mut report)
        })?;
        // The interrupt ended the review; it must not also stop the saving of its results.
        self.run.interrupt.store(false, Ordering::Relaxed);
        self.change_games(texts);
        if let Some(out) = out {
            self.save_open_games(out)?;
            self.load_game(out)?;
        } else {
            self.show_changed()?;
        }
        Ok(report)
    }

    fn explain_mistake(&self) -> Result<MistakeExplained> {
        let next = self.future.last().zip(self.mark_after(1).filter(|mark| mark.is_mistake));
        let found = next.and_then(|(next, mark)| Some((next, next.mv?, mark.value?)));
        let (next, mv, value) = found.ok_or_else(|| {
            Fault::new("no review calls the next move of the game a mistake").hint(
                "`review` finds the mistakes of the game, `undo` goes to the position before one",
            )
        })?;
        let (game, before, scale) = (self.game(), &self.now.position, self.scale());
        let (side, mv) = (game.side(before), game.move_text(before, mv));
        let chances = |value| for_side(side, shown_percent(scale, value));
        let words = next.notes.words();
        let lines = next.others.iter().map(|line| {
            let moves: Vec<_> = line.iter().take(MOST_MOVES).map(|next| next.mv).collect();
            self.format_line(before, &moves)
        });
        let is_best = |line: &&Vec<MoveText>| {
            line.first().is_some_and(|best| words.contains(&better_words(best)))
        };
        let lines: Vec<_> = lines.collect();
        let better = lines.iter().find(is_best).or(lines.first()).cloned().unwrap_or_default();
        let reply = self.mark_after(2).and_then(|mark| mark.value).and_then(|value| {
            let reply = self.future.iter().rev().nth(1)?.mv?;
            Some(GameReply { mv: game.move_text(&next.position, reply), chances: chances(value) })
        });
        let words = if words.is_empty() {
            format!("After {mv}, {side}'s winning chances are {:.0} %.", chances(value))
        } else {
            words
        };
        Ok(MistakeExplained { mv, side, words, better, reply })
    }
}

/// The sentence that names the better move.
fn better_words(best: &MoveText) -> String {
    format!("Better was {best}.")
}

/// The limits of a search in words: depth in plies, nodes, and milliseconds.
pub(super) fn limits_text(depth: Option<u8>, nodes: Option<u64>, ms: Option<u64>) -> String {
    let depth = depth.map(|depth| format!("depth {depth}"));
    let nodes = nodes.map(|nodes| number::counted(nodes, "node", "nodes"));
    let time = ms.map(|ms| number::time(ms as f64));
    [depth, nodes, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A value for White in the form of `[%eval …]`: pawns in chess, otherwise the game's unit.
fn eval_text(scale: Scale, value: Score) -> String {
    match (scale, scale.end(value.get())) {
        (Scale::Centipawns { .. }, Some(mate)) => mate,
        (Scale::Centipawns { .. }, None) => format!("{:.2}", value.get() / 100.0),
        _ => format!("{:.3}", value.get()),
    }
}

impl<G: Game> Session<G> {
    /// A searcher with the settings for play, with the default budget unless limited, and with the endgame tables in use.
    fn reviewer(&self, limits: &[Pair<'_>]) -> Result<Searcher<G>> {
        let has_tables = self.game().tables_digest().is_some();
        let tables = if has_tables { TableUse::Root } else { TableUse::Off };
        let play = Settings { budget: Budget::Auto, tables, ..Settings::for_play::<G>() };
        Searcher::new(self.game(), &play.changed(limits)?, &self.play_weights())
    }

    /// Reviews the games of the open file. Returns the changed texts with the games' numbers, from 0.
    fn review_games(
        &self,
        searcher: &Searcher<G>,
        watch: &mut Monitor<'_>,
        report: &mut FileReview,
    ) -> Result<Vec<(usize, String)>> {
        let (mut texts, total) = (Vec::new(), report.total as u64);
        for number in 0..report.total {
            let mut game = match self.game_in_file(number) {
                Ok(Some(game)) => game,
                Ok(None) => continue,
                Err(fault) => {
                    report.skipped.push(fault.message);
                    continue;
                }
            };
            // A game is reviewed if this program annotated it and every move of its main line has a value.
            let mut values = game.moves.iter().map(|played| played.notes.command(VALUE_COMMAND));
            if game.tag(ANNOTATOR.0) == Some(ANNOTATOR.1) && values.all(|value| value.is_some()) {
                report.before += 1;
                continue;
            }
            let place = (number as u64, total);
            let review = self.review(&mut game, &mut searcher.clone(), watch, &|_| place)?;
            report.interrupted = review.interrupted;
            if !review.interrupted {
                game.tags.retain(|(name, _)| name != ANNOTATOR.0);
                game.tags.push((ANNOTATOR.0.to_owned(), ANNOTATOR.1.to_owned()));
            }
            if !review.moves.is_empty() || !review.interrupted {
                texts.push((number, pgn::write(self.game(), &game)));
            }
            report.games.push(GameReview { game: Some(number + 1), ..review }.named(&game));
            if report.interrupted {
                break;
            }
        }
        Ok(texts)
    }

    /// Reviews the main line of a game and annotates it. `progress` converts positions done into work done and total.
    fn review(
        &self,
        game: &mut TaggedGame<G>,
        searcher: &mut Searcher<G>,
        watch: &mut Monitor<'_>,
        progress: &dyn Fn(u64) -> (u64, u64),
    ) -> Result<GameReview> {
        let (mut positions, mut histories) =
            (vec![game.start.clone()], vec![G::History::default()]);
        for (at, played) in game.moves.iter().enumerate() {
            let mut history = histories[at].clone();
            history.push(&positions[at]);
            histories.push(history);
            positions.push(self.game().apply(&positions[at], played.mv));
        }
        let mut found: Vec<SearchedPosition<G>> = Vec::new();
        for place in positions.iter().zip(&histories) {
            let (done, total) = progress(found.len() as u64);
            (watch.progress)(done, total);
            let Some(result) = self.search_position(searcher, place, 0, watch)? else { break };
            found.push(result);
        }
        let (scale, interrupted) = (self.scale(), found.len() < positions.len());
        let begun = self.game().side(&game.start);
        let number = self.game().move_number(&game.start).unwrap_or(1);
        let mut moves = Vec::new();
        for (ply, played) in (1..found.len()).zip(&mut game.moves) {
            let (positions, pair) = (&positions[ply - 1..=ply], &mut found[ply - 1..=ply]);
            self.reconcile(pair, positions, played.mv);
            let mut reviewed = self.judge(positions, played.mv, pair);
            reviewed.ply = ply;
            reviewed.number = number + usize::midpoint(ply - 1, usize::from(begun == Side::Black));
            self.annotate(played, &reviewed, &pair[0].line);
            moves.push(reviewed);
        }
        let sides = positions.iter().map(|position| self.game().side(position));
        let chances: Vec<_> = found
            .iter()
            .zip(sides)
            .map(|(found, side)| found.chances(win_percent, scale, side))
            .collect();
        let losses: Vec<_> = moves.iter().map(|reviewed: &ReviewedMove| reviewed.loss).collect();
        let accuracy = game_accuracy(begun, &chances, &losses);
        let settings = &searcher.settings;
        let search = limits_text(settings.depth, settings.budget(), settings.time_ms);
        Ok(GameReview { search, accuracy, moves, interrupted, ..GameReview::default() })
    }

    /// Makes the values before and after a move agree: a position is worth at least what the played move leads to. A proven win
    /// or loss still holds after the best move, even if the search there has not found it. Does not depend on later moves.
    fn reconcile(&self, pair: &mut [SearchedPosition<G>], positions: &[G::Position], mv: G::Move) {
        let (game, scale) = (self.game(), self.scale());
        let is_proven = |value: Score| scale.end(value.get()).is_some();
        let sides = [0, 1].map(|at| game.side(&positions[at]));
        let [value, after] = [0, 1].map(|at| for_white(sides[at], pair[at].value));
        if pair[0].best == Some(mv) && is_proven(value) && !is_proven(after) {
            pair[1].value = for_white(sides[1], value.child(game));
        } else if after.parent(game) > value {
            pair[0].value = for_white(sides[0], after.parent(game));
        }
    }

    /// Searches a position with an empty cache, so that a move has the same verdict however the game goes on. Where only one move
    /// is legal, the position after it is searched; `forced`: the number of such moves before. `None` on an interrupt.
    fn search_position(
        &self,
        searcher: &mut Searcher<G>,
        (position, history): (&G::Position, &G::History),
        forced: usize,
        watch: &Monitor<'_>,
    ) -> Result<Option<SearchedPosition<G>>> {
        let game = self.game();
        let side = game.side(position);
        // `terminal` includes draws by repetition or move count, after which the recorded game may have gone on.
        if let Some(value) = game.terminal(position, history) {
            let (value, truth) = (for_white(side, value), Some(TrueValue::finished(value)));
            return Ok(Some(SearchedPosition { value, best: None, line: Vec::new(), truth }));
        }
        if let [only] = game.legal_moves(position, history)[..]
            && forced < MOST_FORCED
        {
            let (next, mut after) = (game.apply(position, only), history.clone());
            after.push(position);
            let found = self.search_position(searcher, (&next, &after), forced + 1, watch)?;
            return Ok(found.map(|found| {
                let value = for_white(game.side(&next), found.value).parent(game);
                let (value, truth) = (for_white(side, value), game.truth(position));
                let line = [vec![only], found.line].concat();
                SearchedPosition { value, best: Some(only), line, truth }
            }));
        }
        searcher.reset(None);
        let Some(decision) = searcher.choose((position, history), 0, watch.interrupt)? else {
            return Ok(None);
        };
        let known = decision.moves.iter().find(|known| known.mv == decision.mv);
        let line = known.map_or_else(|| vec![decision.mv], |known| known.line.clone());
        let value = decision.value.unwrap_or(Score::ZERO);
        let (value, truth) = (for_white(side, value), game.truth(position));
        Ok(Some(SearchedPosition { value, best: Some(decision.mv), line, truth }))
    }

    /// Judges a move by the positions and search results before and after it.
    fn judge(
        &self,
        positions: &[G::Position],
        mv: G::Move,
        pair: &[SearchedPosition<G>],
    ) -> ReviewedMove {
        let (before, after, position, next) = (&pair[0], &pair[1], &positions[0], &positions[1]);
        let (side, scale) = (self.game().side(position), self.scale());
        let chances = |percent: fn(Scale, Score) -> f64| {
            let of = |at: usize| pair[at].chances(percent, scale, self.game().side(&positions[at]));
            [0, 1].map(|at| for_side(side, of(at)))
        };
        let [was, is] = chances(win_percent);
        let loss = if before.best == Some(mv) { 0.0 } else { (was - is).max(0.0) };
        let judgement = Judgement::of(loss);
        let truth = before.truth.zip(after.truth).map(|(before, after)| [before, after.parent()]);
        let better = judgement.map_or_else(Vec::new, |_| self.format_line(position, &before.line));
        let refutation = self.format_line(next, &after.line[..after.line.len().min(MOST_MOVES)]);
        let played = self.game().move_text(position, mv);
        let words = judgement.map(|_| {
            let reply = match refutation.as_slice() {
                [] => self.game().describe_position(next, &G::History::default()),
                [reply] => format!("the reply is {reply}"),
                [reply, rest @ ..] => format!("the reply is {reply}, then {}", words(rest)),
            };
            let best = or_empty(better.first().map(|best| format!(" {}", better_words(best))));
            let [was, is] = chances(shown_percent);
            let does = truth.map_or_else(
                || format!("lets {side}'s winning chances fall from {was:.0} % to {is:.0} %"),
                |[before, after]| format!("makes a {after} of a {before}"),
            );
            format!("{played} {does}: {reply}.{best}")
        });
        ReviewedMove {
            ply: 0,
            number: 0,
            side,
            mv: played,
            value: after.value,
            before: before.value,
            chances: is,
            loss,
            best: before.best.map(|best| self.game().move_text(position, best)),
            judgement,
            truth,
            better: better.into_iter().take(MOST_MOVES).collect(),
            refutation: judgement.map_or_else(Vec::new, |_| refutation),
            words,
        }
    }

    /// Annotates a move of the game: value, sign, words, and the better line as a variation.
    fn annotate(&self, played: &mut GameMove<G::Move>, reviewed: &ReviewedMove, line: &[G::Move]) {
        played.notes.set_command(VALUE_COMMAND, &eval_text(self.scale(), reviewed.value));
        let Some(judgement) = reviewed.judgement else { return };
        // A sign given by an annotator is kept, and no second sign is added.
        if !played.notes.nags.iter().any(|nag| MOVE_SIGNS.contains(nag)) {
            played.notes.nags.insert(0, judgement.nag());
        }
        let words = reviewed.words.as_ref();
        if let Some(words) = words.filter(|words| !played.notes.words().contains(*words)) {
            let words = [played.notes.words(), words.clone()].join(" ");
            let before = std::mem::take(&mut played.notes.before);
            played.notes.set_words(words.trim());
            played.notes.before = before;
        }
        let legal: Vec<_> = line.iter().take(MOST_MOVES).copied().collect();
        let is_known = |line: &Vec<GameMove<G::Move>>| {
            line.first().map(|first| first.mv) == legal.first().copied()
        };
        if !legal.is_empty() && !played.others.iter().any(is_known) {
            played.others.push(legal.into_iter().map(GameMove::new).collect());
        }
    }

    /// Replaces the current game by the annotated one, which has the same moves. A position of the main line stays current.
    fn replace_game(&mut self, game: TaggedGame<G>) {
        let plies = self.line_of_play().len() - 1;
        let is_main = !self.in_variation();
        if !is_main {
            self.discard_search(MOVED);
        }
        self.retrace(true, plies);
        let known: Vec<_> =
            self.future.iter().map(|next| (next.by.clone(), next.end.clone())).collect();
        self.continue_with_game(game.moves);
        if is_main {
            // The annotated game has the same moves as the old one, so the players' names and how they ended the game are kept.
            for (next, (by, end)) in self.future.iter_mut().rev().zip(known.into_iter().rev()) {
                (next.by, next.end) = (by, end);
            }
        }
        self.retrace(false, if is_main { plies } else { 0 });
    }
}

/// The review of one move.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedMove {
    /// The number of the move in plies, from 1.
    pub ply: usize,
    /// The number of the move on a score sheet, which White and Black share.
    pub number: usize,
    /// The side that made the move.
    pub side: Side,
    /// The move, in the game's notation and SAN.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The value of the position after the move, for White.
    pub value: Score,
    /// The value of the position before the move, for White.
    pub before: Score,
    /// Winning chances after the move, in percent, for the side that moved.
    pub chances: f64,
    /// Winning chances lost by the move, in percentage points; never negative, and 0 for the best move.
    pub loss: f64,
    /// The best move; `None` if the game was over before the move.
    pub best: Option<MoveText>,
    /// Inaccuracy, mistake or blunder; `None` if the move loses little or is the best one.
    #[serde(rename = "mark")]
    pub judgement: Option<Judgement>,
    /// The true values before and after the move, for the side that moved; `None` unless both are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<[TrueValue; 2]>,
    /// The better line; empty if the move has no judgement.
    pub better: Vec<MoveText>,
    /// The line that refutes the move; empty if the move has no judgement.
    pub refutation: Vec<MoveText>,
    /// Why the move has its judgement, in a sentence or two; `None` if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// The reply of `review` for one game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GameReview {
    /// The number of the game in its file, from 1; `None` for the current game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    /// The limits of the search of each position, in words.
    search: String,
    /// Accuracy of White and of Black in percent; `None` for a side without moves.
    pub accuracy: [Option<f64>; 2],
    /// The moves of the main line that were reviewed.
    pub moves: Vec<ReviewedMove>,
    /// Whether an interrupt ended the review before the end of the game.
    pub interrupted: bool,
}

impl GameReview {
    fn named<G: Game>(self, game: &TaggedGame<G>) -> Self {
        let [white, black] = ["White", "Black"].map(|name| game.tag(name).map(str::to_owned));
        Self { white, black, ..self }
    }

    /// The numbers of inaccuracies, mistakes and blunders of a side.
    fn counts(&self, side: Side) -> [usize; 3] {
        Judgement::ALL.map(|judgement| {
            let is_it = |mv: &&ReviewedMove| mv.side == side && mv.judgement == Some(judgement);
            self.moves.iter().filter(is_it).count()
        })
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "—".to_owned(), |share| format!("{share:.1} %"))
}

impl Reply for GameReview {
    fn text(&self) -> String {
        let with = format!("with {}", self.search);
        let sides = TextTable::of(Side::ALL)
            .left(&with, ToString::to_string)
            .right("accuracy", |side| percent(self.accuracy[side.index()]))
            .right("?!", |side| self.counts(*side)[0])
            .right("?", |side| self.counts(*side)[1])
            .right("??", |side| self.counts(*side)[2]);
        let judged: Vec<_> = self.moves.iter().filter(|mv| mv.judgement.is_some()).collect();
        let truth = |mv: &ReviewedMove| {
            let [before, after] = mv.truth?;
            Some(format!("{before} → {after}"))
        };
        let begin = |line: &[MoveText], most: usize| words(&line[..line.len().min(most)]);
        let number = |mv: &ReviewedMove| {
            format!("{}{}", mv.number, if mv.side == Side::White { "." } else { "..." })
        };
        let table = |better: usize, refutation: usize| {
            TextTable::of(&judged)
                .left("move", |mv| {
                    let sign = or_empty(mv.judgement.map(|it| sign_of(it.nag())));
                    format!("{} {}{sign}", number(mv), mv.mv)
                })
                .point("before", |mv| number::score(mv.before))
                .point("after", |mv| number::score(mv.value))
                .left("truth", |mv| or_empty(truth(mv)))
                .left("better", |mv| begin(&mv.better, better))
                .left("refuted by", |mv| begin(&mv.refutation, refutation))
        };
        // On a narrow page, the lines of moves are shorter, or the sentences alone have the refutations.
        let tables = [(2, 2), (1, 1), (2, 0), (1, 0)].map(|(better, reply)| table(better, reply));
        let table = tables.iter().find(|table| table.fits()).unwrap_or(&tables[3]);
        let blunders = judged.iter().filter(|mv| mv.judgement == Some(Judgement::Blunder));
        let why = blunders.filter_map(|mv| {
            Some(wrap("", &format!("Blunder: {} {}", number(mv), mv.words.as_ref()?)))
        });
        let stopped = self.interrupted.then(|| {
            let done = number::counted(self.moves.len() as u64, "move was", "moves were");
            format!("stopped: {done} reviewed; `review` begins again")
        });
        let legend = "?! inaccuracy, ? mistake, ?? blunder; values are for White";
        let legend = or_empty((!judged.is_empty()).then(|| wrap("", legend)));
        let tables = [lines([sides.render(), legend]), table.render()];
        layout::parts(tables.into_iter().chain(why).chain(stopped))
    }

    fn line(&self) -> String {
        let [white, black] = self.accuracy.map(percent);
        format!("accuracy: White {white}, Black {black}")
    }
}

/// The reply of `explain mistake`.
#[derive(Clone, Debug, Serialize)]
pub struct MistakeExplained {
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    mv: MoveText,
    /// The side that made the move.
    side: Side,
    /// The comment on the move: what it loses and the reply that refutes it.
    words: String,
    /// The better line; empty if the game has none.
    better: Vec<MoveText>,
    /// The move with which the game went on; `None` if it has no value.
    reply: Option<GameReply>,
}

/// The reply to a mistake in the game.
#[derive(Clone, Debug, Serialize)]
struct GameReply {
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    mv: MoveText,
    /// Winning chances after the reply, in percent, for the side that made the mistake.
    chances: f64,
}

impl Reply for MistakeExplained {
    fn text(&self) -> String {
        let MistakeExplained { mv, side, .. } = self;
        let better =
            (!self.better.is_empty()).then(|| layout::wrap("better line ", &words(&self.better)));
        let reply = self.reply.as_ref().map(|GameReply { mv, chances }| {
            let other = side.other();
            wrap("", &format!("In the game, {other} replied {mv}: {side}'s winning chances were then {chances:.0} %."))
        });
        let more = format!("`hint; explain move {mv}` explains {mv} by a search of this position");
        let parts = [Some(wrap("", &self.words)), better, reply, Some(wrap("", &more))];
        lines(parts.into_iter().flatten())
    }
}

/// The reply of `review` for a file of games.
#[derive(Clone, Debug, Serialize)]
pub struct FileReview {
    file: String,
    /// The path to which the games were saved; `None` if they were changed in memory only.
    saved: Option<String>,
    /// Number of games in the file.
    total: usize,
    /// Number of games that were skipped because they had been reviewed before.
    before: usize,
    /// The games that were reviewed, in the order of the file.
    pub games: Vec<GameReview>,
    /// Why games could not be read, a sentence for each.
    skipped: Vec<String>,
    /// Whether an interrupt ended the review early.
    pub interrupted: bool,
}

impl Reply for FileReview {
    fn text(&self) -> String {
        let count = number::counted(self.games.len() as u64, "game", "games");
        let before = number::count(self.before as u64);
        let before = (self.before > 0).then(|| format!(", {before} before"));
        let saved = self.saved.as_ref().map_or_else(
            || "`pgn save FILE` writes them".to_owned(),
            |saved| format!("saved to {saved}"),
        );
        let title = format!("{}: {count} reviewed{}; {saved}", self.file, or_empty(before));
        let counts =
            |game: &GameReview, side| game.counts(side).map(|count| count.to_string()).join(" ");
        let table = TextTable::of(&self.games)
            .right("game", |game| game.game.unwrap_or(0))
            .left("white", |game| game.white.clone().unwrap_or_default())
            .left("black", |game| game.black.clone().unwrap_or_default())
            .right("accuracy", |game| percent(game.accuracy[0]))
            .left("?! ? ??", |game| counts(game, Side::White))
            .right("accuracy", |game| percent(game.accuracy[1]))
            .left("?! ? ??", |game| counts(game, Side::Black));
        let skipped: Vec<_> = self.skipped.iter().map(|why| format!("left out: {why}")).collect();
        let stopped = self.interrupted.then(|| "stopped: the same command goes on".to_owned());
        let notes: Vec<_> = skipped.into_iter().chain(stopped).collect();
        lines([title, table.render(), layout::notes(&notes)])
    }
}
