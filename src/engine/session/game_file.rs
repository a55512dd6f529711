//! Files of games: opening one of many, listing them, and saving them with their changes.
//!
//! Only the byte ranges of a file's games are kept in memory. Unchanged games are written back byte for byte.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read, Write},
    path::Path,
    sync::Arc,
};

use serde::Serialize;

use super::{
    PlayedPosition, Session,
    game_head::GameHead,
    game_source::{GameFile, GamesSource, encoded, text_of},
    game_tags::{GameTagCommands, players_and_result},
    position::PositionReport,
    reply::Reply,
};
use crate::{
    engine::{
        arena::{CurrentGames, read_log},
        files,
        game::{
            Fault, Game, GameMove, History, KeyScheme, Result, TaggedGame,
            pgn::{self, GameSplitter, Tag, Token, Tokens, VALUE_COMMAND, eval_of},
        },
        progress::Unit,
    },
    text::{TextTable, layout, lines, number, or_empty},
};

/// How many bytes of a file are read at a time. A file is refused if none of the games in its first piece can be read.
const PIECE: usize = 1 << 20;

/// The greatest length of one game in bytes.
const LONGEST_GAME: u64 = 16 << 20;

/// The greatest length in bytes of an existing file that is compared with its replacement before it is overwritten.
const MOST_COMPARED: u64 = 64 << 20;

/// The file of games that was opened last, and the texts of its changed games by their index, from 0.
#[derive(Clone, Debug)]
pub struct OpenGames {
    pub(super) file: Arc<GameFile>,
    changed: BTreeMap<usize, String>,
}

/// Conditions for listing games; all of them must hold, and `None` is no condition.
#[derive(Clone, Debug, Default)]
pub struct GameFilter<'a> {
    /// A part of White's or Black's name, ignoring case.
    pub player: Option<&'a str>,
    /// The result, as in PGN, such as `1-0`.
    pub result: Option<&'a str>,
    /// The first moves of the game, in the game's notation.
    pub moves: Option<&'a str>,
    /// A position that occurs in the game, in the game's notation.
    pub position: Option<&'a str>,
    /// Some `[%eval …]` of the game, for White, must be at least this value if positive, at most this if negative.
    pub value: Option<f64>,
    /// The number of the first game to look at, from 1.
    pub from: usize,
    /// The most games to list; further matches are counted.
    pub limit: usize,
}

/// Commands that load, list and save game files.
pub trait GameFileCommands {
    /// Saves the current game with variations, comments and tags; unless `alone`, together with the other games of the file it
    /// was loaded from. Returns its number of moves in plies. `dated` as in [`GameTagCommands::tags`]. Fails rather than
    /// overwrite another file that holds more.
    fn save_game(&mut self, path: &Path, alone: bool, dated: bool) -> Result<usize>;
    /// Opens a game file and loads its first readable game. The board shows the first position; `redo` plays the moves. Returns
    /// that position and the number of moves in plies.
    fn load_game(&mut self, path: &Path) -> Result<(PositionReport, usize)>;
    /// A title for the current game: players, result, number of plies, and its number in the file.
    fn game_title(&self, moves: usize) -> String;
    /// Lists the games of the open file that match a filter. Fails if no file is open.
    fn list_games(&self, filter: &GameFilter<'_>) -> Result<ListedGames>;
    /// Loads a game of the open file by its number, from 1, and plays its first `ply` moves.
    fn open_listed(&mut self, number: usize, ply: usize) -> Result<(PositionReport, usize)>;
}

impl<G: Game> GameFileCommands for Session<G> {
    fn save_game(&mut self, path: &Path, alone: bool, dated: bool) -> Result<usize> {
        let game = self.current_game(dated);
        let count = game.moves.len();
        let source = self.line_of_play()[0].head.file.clone().filter(|_| !alone);
        let Some((file, number)) = source else {
            let text = self.current_game_text(&game)?;
            self.write_game_file(path, text.as_bytes())?;
            return Ok(count);
        };
        self.keep_changes(&game)?;
        let changed = self.games.as_ref().filter(|open| Arc::ptr_eq(&open.file, &file));
        let mut changed = changed.map_or_else(BTreeMap::new, |open| open.changed.clone());
        if changed.is_empty() || !changed.contains_key(&number) {
            changed.extend(self.changed_text(&game, &file, number)?.map(|text| (number, text)));
        }
        let is_own = matches!(&file.source, GamesSource::File(own) if is_same(own, path));
        if !is_own && !files::is_output(path) && path.exists() {
            let (_, length) = files::open(path)?;
            if length > MOST_COMPARED || file.length > MOST_COMPARED {
                return Err(Fault::word(path.display(), "already exists").hint("give another name"));
            }
            let mut new = Vec::new();
            self.write_all_games(&file, &changed, &mut new)?;
            self.write_game_file(path, &new)?;
            return Ok(count);
        }
        files::write_atomically(path, |out| Ok(self.write_all_games(&file, &changed, out)?))?;
        if is_own {
            self.reopen(path, number)?;
        }
        Ok(count)
    }

    fn load_game(&mut self, path: &Path) -> Result<(PositionReport, usize)> {
        let file = Arc::new(self.index(path)?);
        let mut skipped: Vec<Fault> = Vec::new();
        for number in 0..file.spans.len() {
            let text = file.text(number)?;
            match pgn::read(self.game(), &text) {
                Ok(Some(game)) => {
                    let (notes, count) = (notes_on(&file, &skipped), game.moves.len());
                    let dropped = self.make_current(game, &file, number, 0);
                    let notes = dropped.into_iter().chain(notes);
                    return Ok((self.report_position(notes), count));
                }
                Ok(None) => {}
                Err(fault) => skipped.push(file.located(number, &text, fault)),
            }
        }
        Err(skipped.into_iter().next().unwrap_or_else(|| no_game().within(path.display())))
    }

    fn game_title(&self, moves: usize) -> String {
        let tags = self.tags(false);
        let players =
            players_and_result(&tags.tags).map(|parts| parts.join(" ").trim_end().to_owned());
        let players = or_empty(players.map(|players| format!("{players}, ")));
        let place = self.line_of_play()[0].head.file.as_ref();
        let place = place.map(|(file, at)| format!("; game {} of {}", at + 1, file.spans.len()));
        let moves = number::counted(moves as u64, "ply", "plies");
        format!("{players}{moves}{}", or_empty(place))
    }

    fn list_games(&self, filter: &GameFilter<'_>) -> Result<ListedGames> {
        let open = self.open_games()?;
        let file = &open.file;
        let wanted = ParsedFilter::new(self, filter)?;
        let mut listed = Vec::new();
        let (mut matching, total) = (0, file.spans.len());
        self.watching("searching", Unit::Games, 0, |watch| {
            let mut source = file.open()?;
            for (number, span) in file.spans.iter().enumerate().skip(filter.from.saturating_sub(1))
            {
                watch.tick(number as u64, total as u64)?;
                let read = || Ok(text_of(&file.bytes(&mut *source, *span)?));
                let text = open.changed.get(&number).cloned().map_or_else(read, Ok)?;
                let tags = tags_of(&text);
                if wanted.fits(self.game(), &tags, &text) {
                    matching += 1;
                    if listed.len() < filter.limit {
                        listed.push(self.listed_game(file, number, &tags, &text));
                    }
                }
            }
            Ok::<_, Fault>(())
        })?;
        let more = matching - listed.len();
        Ok(ListedGames { file: file.name.clone(), total, games: listed, more })
    }

    fn open_listed(&mut self, number: usize, ply: usize) -> Result<(PositionReport, usize)> {
        let open = self.open_games()?;
        let file = Arc::clone(&open.file);
        let place = number.checked_sub(1).filter(|place| *place < file.spans.len());
        let place = place.ok_or_else(|| file.no_such(number).about("GAME"))?;
        self.keep_changes(&self.current_game(true))?;
        let changed = self.open_games()?.changed.get(&place).cloned();
        let text = changed.map_or_else(|| file.text(place), Ok)?;
        let read = pgn::read(self.game(), &text);
        let game = read.map_err(|fault| file.located(place, &text, fault))?.ok_or_else(no_game)?;
        let count = game.moves.len();
        if ply > count {
            return Err(Fault::new(format!("game {number} ends before ply {ply}"))
                .about("MOVE")
                .hint(format!("give a number from 0 to {count}")));
        }
        let note = self.make_current(game, &file, place, ply);
        Ok((self.report_position(note), count))
    }
}

fn no_game() -> Fault {
    Fault::new("there is no game in the file")
        .hint("a game is its tags, such as [White \"?\"], and its moves")
}

/// Whether two paths lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}

/// Notes for a file just opened: its number of games, and the games that cannot be read.
fn notes_on(file: &GameFile, skipped: &[Fault]) -> Vec<String> {
    let skipped = skipped.iter().map(|fault| format!("left out: {}", fault.message));
    let count = file.spans.len() as u64;
    let games = (count > 1).then(|| {
        let count = number::counted(count, "game", "games");
        format!("the file has {count}: `games` lists them, `games open N` opens one")
    });
    games.into_iter().chain(skipped).collect()
}

/// The tags at the beginning of a game's text, as far as they can be parsed.
fn tags_of(text: &str) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    for token in Tokens::new(text) {
        match token {
            Ok((Token::Tag(Tag { name, value }), _)) => {
                tags.push((name.to_owned(), value.replace("\\\"", "\"")));
            }
            Ok((Token::Comment(_) | Token::Escape, _)) => {}
            _ => break,
        }
    }
    tags
}

/// A game filter, parsed once for many games.
struct ParsedFilter<'a, G: Game> {
    filter: &'a GameFilter<'a>,
    player: Option<String>,
    moves: Vec<GameMove<G::Move>>,
    key: Option<G::Key>,
}

impl<'a, G: Game> ParsedFilter<'a, G> {
    fn new(session: &Session<G>, filter: &'a GameFilter<'a>) -> Result<Self> {
        let game = session.game();
        let start = (&game.start(), &G::History::default());
        let moves = filter.moves.map(|text| pgn::read_moves(game, start, text)).transpose();
        let position = filter.position.map(|text| session.read_position(text)).transpose();
        let position = position.map_err(|fault| fault.about("position"))?;
        Ok(Self {
            filter,
            player: filter.player.map(str::to_lowercase),
            moves: moves.map_err(|fault| fault.about("moves"))?.unwrap_or_default(),
            key: position.map(|position| game.key(&position, KeyScheme::Plain)),
        })
    }

    fn fits(&self, game: &G, tags: &[(String, String)], text: &str) -> bool {
        let tag = |name: &str| pgn::tag(tags, name).unwrap_or("?");
        let named = |player: &String| {
            ["White", "Black"].iter().any(|name| tag(name).to_lowercase().contains(player.as_str()))
        };
        self.player.as_ref().is_none_or(named)
            && self.filter.result.is_none_or(|result| tag("Result") == result)
            && self.filter.value.is_none_or(|value| reaches_value(text, value))
            && (self.moves.is_empty() || tag("FEN") == "?")
            && self.fits_moves(game, text)
    }

    fn fits_moves(&self, game: &G, text: &str) -> bool {
        if !self.begins(game, text) {
            return false;
        }
        let Some(key) = self.key else { return true };
        let Ok(Some(read)) = pgn::read(game, text) else { return false };
        let mut position = read.start.clone();
        let mut line = read.moves.iter();
        loop {
            if game.key(&position, KeyScheme::Plain) == key {
                return true;
            }
            let Some(played) = line.next() else { return false };
            position = game.apply(&position, played.mv);
        }
    }

    /// Whether a game begins with the wanted moves. Later moves are not parsed, because a file can have millions of games.
    fn begins(&self, game: &G, text: &str) -> bool {
        let words = Tokens::new(text).map_while(Result::ok);
        let mut nested = 0_usize;
        let mut words = words.filter_map(|(token, _)| match token {
            Token::Open => {
                nested += 1;
                None
            }
            Token::Close => {
                nested = nested.saturating_sub(1);
                None
            }
            Token::Move(word) if nested == 0 => Some(word),
            _ => None,
        });
        let (mut position, mut history) = (game.start(), G::History::default());
        self.moves.iter().all(|wanted| {
            let mv = words.next().and_then(|word| game.parse_move(&position, &history, word).ok());
            history.push(&position);
            position = game.apply(&position, wanted.mv);
            mv == Some(wanted.mv)
        })
    }
}

fn reaches_value(text: &str, wanted: f64) -> bool {
    let commands = text.split(VALUE_COMMAND).skip(1);
    let mut values = commands.filter_map(|rest| eval_of(rest.split(']').next()?));
    values.any(|value| if wanted < 0.0 { value <= wanted } else { value >= wanted })
}

impl<G: Game> Session<G> {
    fn open_games(&self) -> Result<&OpenGames> {
        self.games.as_ref().ok_or_else(|| {
            Fault::new("no file of games is open").hint(
                "`pgn load FILE` opens one; `match show` lists the games of a match or tournament",
            )
        })
    }

    /// Finds the byte ranges of the games in a file.
    fn index(&self, path: &Path) -> Result<GameFile> {
        let name = path.display().to_string();
        if files::is_input(path) {
            return self.index_memory(name, files::read(path)?);
        }
        let (mut file, length) = files::open(path)?;
        let mut head = vec![0; PIECE.min(length as usize)];
        let unread = |error: std::io::Error| Fault::new(format!("cannot read `{name}`: {error}"));
        file.read_exact(&mut head).map_err(unread)?;
        if is_log(&head) {
            return self.index_memory(name, files::read(path)?);
        }
        let mut splitter = GameSplitter::default();
        splitter.feed(&head);
        self.refuse_garbage(&name, &splitter, &head, length)?;
        self.feed_rest(&mut splitter, &mut file, length, &name)?;
        let spans = splitter.finish().spans;
        Ok(GameFile { source: GamesSource::File(path.to_owned()), name, length, spans })
    }

    fn index_memory(&self, name: String, mut bytes: Vec<u8>) -> Result<GameFile> {
        if is_log(&bytes) {
            let text = text_of(&bytes);
            let log = read_log(self.game(), &text)
                .map_err(|fault| files::in_file(Path::new(&name), &text, fault))?;
            bytes = CurrentGames::of_log(log).export(self.game())?.into_bytes();
        }
        let mut splitter = GameSplitter::default();
        splitter.feed(&bytes);
        let spans = splitter.finish().spans;
        Ok(GameFile { length: bytes.len() as u64, source: GamesSource::Memory(bytes), name, spans })
    }

    fn feed_rest(
        &self,
        splitter: &mut GameSplitter,
        file: &mut File,
        total: u64,
        name: &str,
    ) -> Result<()> {
        let mut piece = vec![0; PIECE];
        self.watching("loading", Unit::Bytes, 0, |watch| {
            loop {
                let count = file
                    .read(&mut piece)
                    .map_err(|error| Fault::new(format!("cannot read `{name}`: {error}")))?;
                if count == 0 {
                    return Ok(());
                }
                splitter.feed(&piece[..count]);
                let current = splitter.current();
                if current.end - current.start > LONGEST_GAME {
                    let most = LONGEST_GAME >> 20;
                    let what = format!(
                        "{name}:{}: no game ends in the {most} MiB from here",
                        current.line
                    );
                    return Err(Fault::new(what).hint("check that the file is PGN"));
                }
                watch.tick(current.end, total)?;
            }
        })
    }

    /// Fails if no game in the first piece of a file can be read.
    fn refuse_garbage(
        &self,
        name: &str,
        splitter: &GameSplitter,
        head: &[u8],
        length: u64,
    ) -> Result<()> {
        let whole = head.len() as u64 == length;
        let mut first: Option<Fault> = None;
        let complete = splitter.spans().iter().copied();
        for span in complete.chain(std::iter::once(splitter.current())) {
            let bytes = head.get(span.start as usize..span.end as usize).unwrap_or_default();
            let text = text_of(bytes);
            match pgn::read(self.game(), &text) {
                Ok(Some(_)) => return Ok(()),
                Ok(None) => {}
                Err(fault) => {
                    let file = GameFile {
                        source: GamesSource::Memory(Vec::new()),
                        name: name.to_owned(),
                        length: 0,
                        spans: vec![span],
                    };
                    first.get_or_insert_with(|| file.located(0, &text, fault));
                }
            }
        }
        // The first game may be longer than the piece that was read, so tags alone identify a file of games.
        let is_one = splitter.spans().is_empty() && tags_of(&text_of(head)).len() > 1;
        if whole || is_one {
            return Ok(());
        }
        Err(first.unwrap_or_else(|| no_game().within(name)))
    }

    /// Makes a game of a file the current one, with its first `ply` moves played. Returns a note if a search is dropped.
    fn make_current(
        &mut self,
        game: TaggedGame<G>,
        file: &Arc<GameFile>,
        number: usize,
        ply: usize,
    ) -> Option<String> {
        let is_open = self.games.as_ref().is_some_and(|open| Arc::ptr_eq(&open.file, file));
        if !is_open {
            self.games = Some(OpenGames { file: Arc::clone(file), changed: BTreeMap::new() });
        }
        let note = self.set_up_game(game, 0);
        self.now.head.file = Some((Arc::clone(file), number));
        self.retrace(false, ply);
        note
    }

    pub(super) fn current_game(&self, dated: bool) -> TaggedGame<G> {
        TaggedGame { tags: self.tags(dated).tags, ..self.whole_game() }
    }

    /// The text of the current game; if it was not changed, the text in its file.
    fn current_game_text(&self, game: &TaggedGame<G>) -> Result<String> {
        let Some((file, number)) = &self.line_of_play()[0].head.file else {
            return Ok(pgn::write(self.game(), game));
        };
        let changed = self.changed_text(game, file, *number)?;
        changed.map_or_else(|| Ok(file.text(*number)?.trim_end().to_owned() + "\n"), Ok)
    }

    /// The new text of a changed game; `None` if it equals the text in the file. Unchanged tags keep their spelling.
    fn changed_text(
        &self,
        game: &TaggedGame<G>,
        file: &GameFile,
        number: usize,
    ) -> Result<Option<String>> {
        let old = file.text(number)?;
        let head: &GameHead = &self.line_of_play()[0].head;
        let Ok(Some(read)) = pgn::read(self.game(), &old) else {
            return Ok(Some(pgn::write(self.game(), game)));
        };
        let same_tags = head.tags == read.tags;
        if same_tags && game.has_moves_of(&read) && self.now.end.is_none() {
            return Ok(None);
        }
        let same_result = game.tag("Result") == read.tag("Result");
        if !(same_tags && same_result) {
            return Ok(Some(pgn::write(self.game(), game)));
        }
        let tags = Tokens::new(&old).map_while(Result::ok).take_while(|(token, _)| {
            matches!(token, Token::Tag(_) | Token::Comment(_) | Token::Escape)
        });
        let last = tags.filter(|(token, _)| matches!(token, Token::Tag(_))).last();
        let end = last.and_then(|(_, at)| Some(at + old[at..].find('\n')? + 1)).unwrap_or(0);
        Ok(Some(format!("{}\n{}", &old[..end], pgn::write_moves(self.game(), game))))
    }

    /// Keeps the changed text of the current game until its file is saved.
    fn keep_changes(&mut self, game: &TaggedGame<G>) -> Result<()> {
        let Some((file, number)) = self.line_of_play()[0].head.file.clone() else { return Ok(()) };
        let text = self.changed_text(game, &file, number)?;
        if let Some(open) = self.games.as_mut().filter(|open| Arc::ptr_eq(&open.file, &file)) {
            match text {
                Some(text) => open.changed.insert(number, text),
                None => open.changed.remove(&number),
            };
        }
        Ok(())
    }

    fn write_all_games(
        &self,
        file: &GameFile,
        changed: &BTreeMap<usize, String>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut source = file.open()?;
        self.watching("saving", Unit::Games, 0, |watch| {
            for (number, span) in file.spans.iter().enumerate() {
                (watch.progress)(number as u64, file.spans.len() as u64);
                let mut bytes = file.bytes(&mut *source, *span)?;
                if let Some(text) = changed.get(&number) {
                    let is_last = number + 1 == file.spans.len();
                    let end = if is_last { "" } else { "\n" };
                    bytes = encoded(&format!("{text}{end}"), &bytes);
                }
                out.write_all(&bytes)
                    .map_err(|error| Fault::new(format!("cannot write the games: {error}")))?;
            }
            Ok(())
        })
    }

    pub(super) fn games_in_file(&self) -> usize {
        self.games.as_ref().map_or(0, |open| open.file.spans.len())
    }

    /// A game of the open file by its number, from 0, as the file has it; `None` if there is no game in that byte range.
    /// Fails if the game cannot be read; the fault has the line in the file.
    pub(super) fn game_in_file(&self, number: usize) -> Result<Option<TaggedGame<G>>> {
        let file = &self.open_games()?.file;
        let text = file.text(number)?;
        pgn::read(self.game(), &text).map_err(|fault| file.located(number, &text, fault))
    }

    /// Replaces the texts of games of the open file, by number from 0. The file itself changes when it is saved.
    pub(super) fn change_games(&mut self, texts: Vec<(usize, String)>) {
        if let Some(open) = &mut self.games {
            open.changed.extend(texts);
        }
    }

    /// Reloads the current game with the text from [`Self::change_games`].
    pub(super) fn show_changed(&mut self) -> Result<()> {
        let Some((file, number)) = self.line_of_play()[0].head.file.clone() else { return Ok(()) };
        let text = self.games.as_ref().and_then(|open| open.changed.get(&number));
        if let Some(game) = text.map(|text| pgn::read(self.game(), text)).transpose()?.flatten() {
            self.make_current(game, &file, number, 0);
        }
        Ok(())
    }

    /// Writes the open file to a path, with the changed games.
    pub(super) fn save_open_games(&self, path: &Path) -> Result<()> {
        let OpenGames { file, changed } = self.open_games()?;
        files::write_atomically(path, |out| Ok(self.write_all_games(file, changed, out)?))
    }

    /// Reads a file again after it was saved, because the byte ranges of its games have changed.
    fn reopen(&mut self, path: &Path, number: usize) -> Result<()> {
        let file = Arc::new(self.index(path)?);
        let read = pgn::read(self.game(), &file.text(number)?);
        let tags = read.ok().flatten().map(|game| game.tags);
        let past = self.past.iter_mut().rev();
        let root = std::iter::once(&mut self.now).chain(past).find(|played| played.mv.is_none());
        if let Some(PlayedPosition { head, .. }) = root {
            head.file = Some((Arc::clone(&file), number));
            head.tags = tags.unwrap_or_default();
        }
        self.games = Some(OpenGames { file, changed: BTreeMap::new() });
        Ok(())
    }

    /// Writes a game file. Fails if a file at the path would lose games, comments or tags.
    pub(super) fn write_game_file(&self, path: &Path, contents: &[u8]) -> Result<()> {
        if !files::is_output(path) && path.exists() {
            let (old, new) = (text_of(&files::read(path)?), text_of(contents));
            let lost = pgn::lost_content(self.game(), &old, &new);
            if !lost.is_empty() {
                let name = path.display();
                return Err(Fault::word(name, format!("would lose {}", lost.join(", ")))
                    .hint("give another name"));
            }
        }
        files::write_bytes(path, contents)
    }

    fn listed_game(
        &self,
        file: &GameFile,
        number: usize,
        tags: &[(String, String)],
        text: &str,
    ) -> ListedGame {
        let read = pgn::read(self.game(), text);
        let (plies, damage) = match read {
            Ok(game) => (game.map(|game| game.moves.len()), None),
            Err(fault) => (None, Some(file.located(number, text, fault).message)),
        };
        let tag = |name: &str| pgn::tag(tags, name).unwrap_or("?").to_owned();
        ListedGame {
            game: number + 1,
            line: file.spans.get(number).map_or(0, |span| span.line),
            white: tag("White"),
            black: tag("Black"),
            result: tag("Result"),
            date: tag("Date"),
            event: tag("Event"),
            plies,
            damage,
        }
    }
}

/// Whether the bytes begin a game log of the seed programs, with states as Python tuples.
fn is_log(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&head[..head.len().min(1 << 16)]);
    text.lines().any(|line| line.trim_start_matches(['[', '"', '\'']).starts_with("(("))
}

/// A game of the open file, as `games` lists it.
#[derive(Clone, Debug, Serialize)]
pub struct ListedGame {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line of the file at which the game begins, from 1.
    line: u64,
    white: String,
    black: String,
    result: String,
    date: String,
    event: String,
    /// Length of the main line in plies; `None` if the game cannot be read.
    plies: Option<usize>,
    /// Why the game cannot be read, with the place in the file; `None` for a readable game.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
}

/// The reply of `games`: the games of the open file that match a filter.
#[derive(Clone, Debug, Serialize)]
pub struct ListedGames {
    file: String,
    /// Number of games in the file.
    total: usize,
    /// The matching games, up to the limit.
    pub games: Vec<ListedGame>,
    /// Number of further games that match.
    more: usize,
}

impl Reply for ListedGames {
    fn text(&self) -> String {
        let count = number::counted((self.games.len() + self.more) as u64, "game", "games");
        let of = format!("{}: {count} of {}", self.file, number::count(self.total as u64));
        let table = TextTable::of(&self.games)
            .right("game", |game| game.game)
            .left("white", |game| game.white.clone())
            .left("black", |game| game.black.clone())
            .left("result", |game| game.result.clone())
            .right("plies", |game| or_empty(game.plies))
            .left("date", |game| game.date.clone())
            .left("event", |game| game.event.clone());
        let damage = self.games.iter().filter_map(|game| game.damage.as_ref());
        let damage: Vec<_> = damage.map(|why| format!("left out: {why}")).collect();
        lines([of, table.render(), layout::and_more(self.more), layout::notes(&damage)])
    }
}

/// The reply of `pgn load`, `pgn save` and `games open`.
#[derive(Clone, Debug, Serialize)]
pub struct GameFileReport {
    /// The path of the file, as the user gave it.
    pub file: String,
    /// What the command did with the game: `saved`, `loaded` or `opened`.
    pub action: &'static str,
    /// Length of the game's main line in plies.
    pub moves: usize,
    /// The position that the board shows now.
    #[serde(flatten)]
    pub position: PositionReport,
    /// Players, result, number of moves and number in the file, for a title.
    #[serde(skip)]
    pub title: String,
}

impl Reply for GameFileReport {
    fn text(&self) -> String {
        let Self { file, action, moves, position, .. } = self;
        let done = format!("{action} {file}: {}", number::counted(*moves as u64, "ply", "plies"));
        lines([done, position.text()])
    }

    fn line(&self) -> String {
        self.title.clone()
    }
}
