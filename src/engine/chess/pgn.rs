//! Portable Game Notation: writing, reading, and comparing what two files hold.

use std::fmt::Write as _;

use super::{Chess, Move, PlayedLine, Position, notation};
use crate::{
    engine::game::{
        Fault, Game, History, RESULTS, Result, Rules, Side, TAG_ROSTER, TaggedGame, move_in,
    },
    text::{counted, wrap},
};

/// The tags of a first position.
const OF_POSITION: [&str; 2] = ["SetUp", "FEN"];

/// Writes a game: the seven tag roster, other tags, the first position if it is not the usual one, the moves.
pub(super) fn write(chess: Chess, game: &TaggedGame<Chess>) -> String {
    let mut line = PlayedLine::default();
    let mut position = game.start.clone();
    let mut words = Vec::new();
    for &mv in &game.moves {
        let number = position.board().fullmove_number();
        match position.side() {
            Side::White => words.push(format!("{number}.")),
            Side::Black if words.is_empty() => words.push(format!("{number}...")),
            Side::Black => {}
        }
        words.push(notation::write_san(&position, mv));
        line.push(&position);
        position = position.after(mv);
    }
    let given = |name: &str| game.tags.iter().find(|(given, _)| given == name);
    let played = || chess.status(&position, &line).result();
    let result = given("Result").map_or_else(played, |tag| &tag.1);
    words.push(result.to_owned());
    let roster = TAG_ROSTER.map(|name| match (given(name), name) {
        (Some((_, value)), _) => (name, value.as_str()),
        (None, "Date") => (name, "????.??.??"),
        (None, "Result") => (name, result),
        (None, _) => (name, "?"),
    });
    let others = game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let others =
        others.filter(|(name, _)| !TAG_ROSTER.contains(name) && !OF_POSITION.contains(name));
    let mut text = String::new();
    for (name, value) in roster.into_iter().chain(others) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    if game.start != chess.start() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", game.start);
    }
    text + "\n" + &wrap("", &words.join(" ")) + "\n"
}

/// Reads up to `most` games, without comments, variations and annotations.
pub(super) fn read(text: &str, most: usize) -> Result<Vec<TaggedGame<Chess>>> {
    let mut reader = PgnReader::new(text);
    let mut games = Vec::new();
    while games.len() < most {
        let Some(game) = reader.next_game()? else { break };
        let (start, moves) = game.play()?;
        let own = |&(name, value, _): &Tag<'_>| (name.to_owned(), unescaped(value));
        games.push(TaggedGame { start, moves, tags: game.tags.iter().map(own).collect() });
    }
    if games.is_empty() && most > 0 {
        return Err(Fault::new("there is no game in the file")
            .hint("a game is its tags, such as [White \"?\"], and its moves"));
    }
    Ok(games)
}

/// The parts of an old file that a new one lacks: games, moves, comments, variations, annotations, tags.
pub(super) fn lost_content(old: &str, new: &str) -> Vec<String> {
    let (mut old, mut new) = (PgnReader::new(old), PgnReader::new(new));
    let mut tags = Vec::new();
    let (mut games, mut moves, mut unread) = (0, 0, false);
    loop {
        match (old.next_game(), new.next_game()) {
            (Ok(None), _) => break,
            (Err(_), _) => {
                unread = true;
                break;
            }
            (Ok(Some(game)), Ok(Some(kept))) => {
                moves += usize::from(!kept.extends(&game));
                tags.extend(game.tags_not_in(&kept));
            }
            (Ok(Some(_)), _) => games += 1,
        }
    }
    let counts = [
        (games, "further game", "further games"),
        (moves, "game's moves", "games' moves"),
        (old.comments, "comment", "comments"),
        (old.variations, "variation", "variations"),
        (old.annotations, "annotation", "annotations"),
    ];
    let counts = counts.into_iter().filter(|(number, ..)| *number > 0);
    let mut lost: Vec<_> =
        counts.map(|(number, one, several)| counted(number as u64, one, several)).collect();
    tags.sort_unstable();
    tags.dedup();
    if !tags.is_empty() {
        lost.push(format!("the tags {}", tags.join(" ")));
    }
    if unread {
        lost.push("text that cannot be read".to_owned());
    }
    lost
}

/// A tag's name and value, and the byte at which the value begins.
type Tag<'a> = (&'a str, &'a str, usize);

/// A game split into tags and the words of its moves, each with its first byte.
#[derive(Default)]
struct PgnGame<'a> {
    tags: Vec<Tag<'a>>,
    moves: Vec<(&'a str, usize)>,
}

impl<'a> PgnGame<'a> {
    fn tag(&self, name: &str) -> Option<&Tag<'a>> {
        self.tags.iter().find(|tag| tag.0 == name)
    }

    /// Reads the first position and the moves.
    fn play(&self) -> Result<(Position, Vec<Move>)> {
        let start = match self.tag("FEN") {
            None => Chess::default().start(),
            Some((_, value, at)) => value.parse().map_err(|fault: Fault| Fault {
                at: fault.at.map(|place| at + place.start..at + place.end),
                message: format!("the tag FEN: {}", fault.message),
                ..fault
            })?,
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (word, at) in &self.moves {
            let mv = notation::parse(&position, word).map_err(|fault| Fault {
                message: format!("move {}: {}", position.board().fullmove_number(), fault.message),
                at: Some(*at..at + word.len()),
                ..fault
            })?;
            moves.push(mv);
            position = position.after(mv);
        }
        Ok((start, moves))
    }

    /// Whether this game begins with all moves of another.
    fn extends(&self, other: &Self) -> bool {
        let both = self.play().ok().zip(other.play().ok());
        both.is_some_and(|(own, other)| own.0 == other.0 && own.1.starts_with(&other.1))
    }

    /// The names of the tags with a value that another game lacks.
    fn tags_not_in(&self, other: &Self) -> impl Iterator<Item = &'a str> {
        let unknown = |value: &str| value.chars().all(|sign| "?.* ".contains(sign));
        let lacking = move |(name, value, _): &&Tag<'a>| {
            !unknown(value)
                && !OF_POSITION.contains(name)
                && other.tag(name).is_none_or(|known| !known.1.starts_with(value))
        };
        self.tags.iter().filter(lacking).map(|tag| tag.0)
    }
}

/// Splits a text into games, and counts the parts that it skips.
struct PgnReader<'a> {
    text: &'a str,
    at: usize,
    comments: usize,
    variations: usize,
    annotations: usize,
}

impl<'a> PgnReader<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, at: 0, comments: 0, variations: 0, annotations: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next game: up to its result, or to a tag after moves.
    fn next_game(&mut self) -> Result<Option<PgnGame<'a>>> {
        let mut game = PgnGame::default();
        while let Some(first) = self.next_char() {
            match first {
                '{' => {
                    self.skip_comment()?;
                    self.comments += 1;
                }
                ';' => self.skip_line(),
                '%' if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
                '(' => self.skip_variation()?,
                '$' => {
                    self.at += 1 + digits(&self.rest()[1..]);
                    self.annotations += 1;
                }
                '[' if !game.moves.is_empty() => break,
                '[' => game.tags.push(self.tag()?),
                _ => {
                    if let Some(result) = self.word(&mut game.moves) {
                        if game.tag("Result").is_none() {
                            game.tags.push(("Result", result, self.at));
                        }
                        return Ok(Some(game));
                    }
                }
            }
        }
        let any = !game.tags.is_empty() || !game.moves.is_empty();
        Ok(any.then_some(game))
    }

    /// The first character after white space.
    fn next_char(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Reads a word: appends it to `moves` or, if it is a result, returns it. Move numbers and annotations are skipped.
    fn word(&mut self, moves: &mut Vec<(&'a str, usize)>) -> Option<&'a str> {
        let rest = self.rest();
        let ends = |letter: char| letter.is_whitespace() || "{();[$".contains(letter);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len()).max(1)];
        self.at += word.len();
        if RESULTS.contains(&word) {
            return Some(word);
        }
        self.annotations += usize::from(word.ends_with(['!', '?']));
        if let Some(mv) = move_in(word).filter(|mv| digits(mv) < mv.len()) {
            moves.push((mv, self.at - mv.len()));
        }
        None
    }

    fn unclosed(&self, what: &str, sign: char) -> Fault {
        Fault::new(format!("the {what} is not closed"))
            .at(self.at..self.at + 1)
            .hint(format!("`{sign}` closes it"))
    }

    fn skip_comment(&mut self) -> Result<()> {
        self.at += self.rest().find('}').ok_or_else(|| self.unclosed("comment", '}'))? + 1;
        Ok(())
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.comments += 1;
    }

    /// Skips a variation with nested variations and comments.
    fn skip_variation(&mut self) -> Result<()> {
        let begin = self.at;
        let mut open = 0_u32;
        while let Some(first) = self.rest().chars().next() {
            match first {
                '{' => {
                    self.skip_comment()?;
                    continue;
                }
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            self.at += first.len_utf8();
            if open == 0 {
                self.variations += 1;
                return Ok(());
            }
        }
        self.at = begin;
        Err(self.unclosed("variation", ')'))
    }

    fn tag(&mut self) -> Result<Tag<'a>> {
        let begin = self.at;
        let tag = || {
            let (head, tail) = self.rest().split_once('"')?;
            let end = closing_quote(tail)?;
            let close = tail[end + 1..].find(']')?;
            let name = head.trim_start_matches('[').trim();
            let fits = !name.contains(']') && tail[end + 1..][..close].trim().is_empty();
            let place = begin + head.len() + 1;
            fits.then_some(((name, &tail[..end], place), place + end + 1 + close + 1))
        };
        let (tag, after) = tag().ok_or_else(|| {
            let fault = Fault::new("this tag cannot be read").at(begin..begin + 1);
            fault.hint("a tag is [Name \"value\"]")
        })?;
        self.at = after;
        Ok(tag)
    }
}

/// A tag's value without its backslashes.
fn unescaped(value: &str) -> String {
    let mut escaped = false;
    let sign = |sign: char| {
        escaped = sign == '\\' && !escaped;
        (!escaped).then_some(sign)
    };
    value.chars().filter_map(sign).collect()
}

/// The end of a tag's value: the first quote not escaped by a backslash.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len()
}
