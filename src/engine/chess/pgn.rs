//! Portable game notation: what was played, and a game to walk through.

use std::fmt::Write as _;

use super::{Chess, Move, PlayedLine, Position, notation};
use crate::engine::game::{Fault, History, Imported, LineOfPlay, RESULTS, Rules, Side};

/// Columns that no line of moves exceeds.
const WIDTH: usize = 80;

/// Writes a game: the seven tags that every game has, the starting position where it is not the usual one, the moves.
pub(super) fn write(chess: Chess, record: &LineOfPlay<'_, Chess>) -> String {
    let mut line = PlayedLine::default();
    let mut position = record.start.clone();
    let mut words = Vec::new();
    for &mv in record.moves {
        if let Some(number) = number_before(&position, words.is_empty()) {
            words.push(number);
        }
        words.push(notation::write_san(&position, mv));
        line.push(&position);
        position = position.after(mv);
    }
    let result = match record.tags.iter().find(|(name, _)| *name == "Result") {
        Some((_, given)) => given.as_str(),
        None => result(chess, &position, &line),
    };
    words.push(result.to_owned());
    let mut text = String::new();
    let roster = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", result),
    ];
    let tag = |text: &mut String, name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, unknown) in roster {
        let known = record.tags.iter().find(|(given, _)| *given == name);
        tag(&mut text, name, known.map_or(unknown, |(_, value)| value));
    }
    for (name, value) in record.tags {
        if roster.iter().all(|(known, _)| known != name) {
            tag(&mut text, name, value);
        }
    }
    if *record.start != chess.start() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", record.start);
    }
    text.push('\n');
    text.push_str(&wrapped(&words));
    text
}

/// `3.` before white's move, `3...` before black's where the game begins with it.
fn number_before(position: &Position, first: bool) -> Option<String> {
    let number = position.board().fullmove_number();
    match position.side() {
        Side::White => Some(format!("{number}.")),
        Side::Black if first => Some(format!("{number}...")),
        Side::Black => None,
    }
}

fn result(chess: Chess, position: &Position, line: &PlayedLine) -> &'static str {
    let situation = chess.describe(position, line);
    match (situation.finished, situation.winner) {
        (false, _) => "*",
        (true, None) => "1/2-1/2",
        (true, Some(Side::White)) => "1-0",
        (true, Some(Side::Black)) => "0-1",
    }
}

fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && column + 1 + word.len() >= WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

/// Reads so many games at most: comments, variations, annotations and move numbers are passed over.
pub(super) fn read(text: &str, most: usize) -> Result<Vec<Imported<Chess>>, Fault> {
    let mut reader = PgnReader::new(text);
    let mut games = Vec::new();
    while games.len() < most {
        let Some(entry) = reader.entry()? else { break };
        let (start, moves) = entry.play()?;
        let own = |&(name, value, _): &Tag<'_>| (name.to_owned(), value.to_owned());
        games.push(Imported { start, moves, tags: entry.tags.iter().map(own).collect() });
    }
    if games.is_empty() && most > 0 {
        return Err(Fault::new("there is no game in the file")
            .hint("a game is its tags, such as [White \"?\"], and its moves"));
    }
    Ok(games)
}

/// What a file holds that another one does not.
pub(super) fn lost(file: &str, other: &str) -> Vec<String> {
    let (mut old, mut new) = (PgnReader::new(file), PgnReader::new(other));
    let mut lost = Vec::new();
    let mut tags = Vec::new();
    let (mut games, mut moves, mut unread) = (0, 0, false);
    loop {
        match (old.entry(), new.entry()) {
            (Ok(None), _) => break,
            (Err(_), _) => {
                unread = true;
                break;
            }
            (Ok(Some(entry)), Ok(Some(kept))) => {
                moves += usize::from(!kept.goes_on(&entry));
                tags.extend(entry.tags_beyond(&kept));
            }
            (Ok(Some(_)), _) => games += 1,
        }
    }
    let mut count = |number: usize, one: &str, many: &str| match number {
        0 => {}
        1 => lost.push(format!("1 {one}")),
        _ => lost.push(format!("{number} {many}")),
    };
    count(games, "further game", "further games");
    count(moves, "game's moves", "games' moves");
    count(old.comments, "comment", "comments");
    count(old.variations, "variation", "variations");
    count(old.annotations, "annotation", "annotations");
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

/// A tag's name and value, and where the value stands.
type Tag<'a> = (&'a str, &'a str, usize);

/// A game as it stands in the text, its moves unread: each with its place.
#[derive(Default)]
struct PgnGame<'a> {
    tags: Vec<Tag<'a>>,
    moves: Vec<(&'a str, usize)>,
}

impl<'a> PgnGame<'a> {
    fn tag(&self, name: &str) -> Option<&Tag<'a>> {
        self.tags.iter().find(|tag| tag.0 == name)
    }

    fn start(&self) -> Result<Position, Fault> {
        let Some((_, value, at)) = self.tag("FEN") else {
            return Ok(Chess::default().start());
        };
        value.parse().map_err(|fault: Fault| Fault {
            at: fault.at.map(|place| at + place.start..at + place.end),
            message: format!("the tag FEN: {}", fault.message),
            ..fault
        })
    }

    /// The first position and the moves.
    fn play(&self) -> Result<(Position, Vec<Move>), Fault> {
        let start = self.start()?;
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

    /// Whether this game has all the moves of another and perhaps more.
    fn goes_on(&self, other: &Self) -> bool {
        match (self.play(), other.play()) {
            (Ok((start, moves)), Ok((other_start, others))) => {
                start == other_start && moves.starts_with(&others)
            }
            _ => false,
        }
    }

    /// The names of the tags that say something which those of another game do not.
    fn tags_beyond(&self, other: &Self) -> impl Iterator<Item = &'a str> {
        let unknown = |value: &str| value.chars().all(|sign| "?.* ".contains(sign));
        let position = |name: &str| name == "FEN" || name == "SetUp";
        let said = move |(name, value, _): &&Tag<'a>| {
            !unknown(value)
                && !position(name)
                && other.tag(name).is_none_or(|known| known.1 != *value)
        };
        self.tags.iter().filter(said).map(|tag| tag.0)
    }
}

enum PgnToken<'a> {
    Tag(Tag<'a>),
    /// A move, and where it stands.
    Word(&'a str, usize),
    /// The end of the game.
    Result(&'a str),
}

/// Goes through a text, and counts what is no part of a game as we know it.
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
    fn entry(&mut self) -> Result<Option<PgnGame<'a>>, Fault> {
        let mut entry = PgnGame::default();
        loop {
            self.pass_over()?;
            if self.rest().starts_with('[') && !entry.moves.is_empty() {
                break;
            }
            match self.next()? {
                Some(PgnToken::Tag(tag)) => entry.tags.push(tag),
                Some(PgnToken::Word(word, at)) => entry.moves.push((word, at)),
                Some(PgnToken::Result(result)) => {
                    if entry.tag("Result").is_none() {
                        entry.tags.push(("Result", result, self.at));
                    }
                    return Ok(Some(entry));
                }
                None if entry.tags.is_empty() && entry.moves.is_empty() => return Ok(None),
                None => break,
            }
        }
        Ok(Some(entry))
    }

    /// Steps over what is no tag, move or result.
    fn pass_over(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            match rest.chars().next() {
                Some('{') => {
                    self.skip_to('}', "comment")?;
                    self.comments += 1;
                }
                Some(';') => self.skip_line(),
                Some('%') if self.at == 0 || self.text[..self.at].ends_with('\n') => {
                    self.skip_line();
                }
                Some('(') => {
                    self.skip_variation()?;
                    self.variations += 1;
                }
                Some('$') => {
                    self.at += 1 + digits(&rest[1..]);
                    self.annotations += 1;
                }
                _ => return Ok(()),
            }
        }
    }

    fn next(&mut self) -> Result<Option<PgnToken<'a>>, Fault> {
        loop {
            self.pass_over()?;
            let rest = self.rest();
            if rest.is_empty() {
                return Ok(None);
            }
            if rest.starts_with('[') {
                return self.tag().map(Some);
            }
            if let Some(token) = self.word(rest) {
                return Ok(Some(token));
            }
        }
    }

    fn unclosed(&self, what: &str, sign: char) -> Fault {
        Fault::new(format!("the {what} is not closed"))
            .at(self.at..self.at + 1)
            .hint(format!("`{sign}` closes it"))
    }

    fn skip_to(&mut self, end: char, what: &str) -> Result<(), Fault> {
        let length = self.rest().find(end).ok_or_else(|| self.unclosed(what, end))?;
        self.at += length + end.len_utf8();
        Ok(())
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.comments += 1;
    }

    /// A variation, with those and the comments inside it.
    fn skip_variation(&mut self) -> Result<(), Fault> {
        let begun = self.at;
        let mut open = 0_u32;
        while let Some(first) = self.rest().chars().next() {
            match first {
                '{' => {
                    self.skip_to('}', "comment")?;
                    continue;
                }
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            self.at += first.len_utf8();
            if open == 0 {
                return Ok(());
            }
        }
        self.at = begun;
        Err(self.unclosed("variation", ')'))
    }

    fn tag(&mut self) -> Result<PgnToken<'a>, Fault> {
        let begun = self.at;
        let malformed = || {
            Fault::new("this tag cannot be read")
                .at(begun..begun + 1)
                .hint("a tag is [Name \"value\"]")
        };
        let rest = self.rest();
        let (head, tail) = rest.split_once('"').ok_or_else(malformed)?;
        let (value, after) = closing_quote(tail)
            .map(|end| (&tail[..end], &tail[end + 1..]))
            .ok_or_else(malformed)?;
        let close = after.find(']').ok_or_else(malformed)?;
        let name = head.trim_start_matches('[').trim();
        if name.contains(']') || !after[..close].trim().is_empty() {
            return Err(malformed());
        }
        let place = begun + head.len() + 1;
        self.at = place + value.len() + 1 + close + 1;
        Ok(PgnToken::Tag((name, value, place)))
    }

    /// A move, a result, or nothing where it is a move's number only.
    fn word(&mut self, rest: &'a str) -> Option<PgnToken<'a>> {
        let ends = |letter: char| {
            letter.is_whitespace() || matches!(letter, '{' | '(' | ')' | ';' | '[' | '$')
        };
        let length = rest.find(ends).unwrap_or(rest.len()).max(1);
        let word = &rest[..length];
        if RESULTS.contains(&word) {
            self.at += length;
            return Some(PgnToken::Result(word));
        }
        let number = digits(word);
        let dots = word[number..].len() - word[number..].trim_start_matches('.').len();
        if number > 0 && dots > 0 || number == word.len() || dots == word.len() {
            self.at += number + dots;
            if number + dots == length {
                return None;
            }
            return Some(self.take(&word[number + dots..]));
        }
        Some(self.take(word))
    }

    fn take(&mut self, word: &'a str) -> PgnToken<'a> {
        let at = self.at;
        self.at += word.len();
        self.annotations += usize::from(word.ends_with(['!', '?']));
        PgnToken::Word(word, at)
    }
}

/// Where a tag's value ends; a backslash takes the meaning from what follows it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(moves: &[Move]) -> String {
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn first(text: &str) -> (Position, Vec<Move>) {
        let game = read(text, 1).unwrap().remove(0);
        (game.start, game.moves)
    }

    #[test]
    fn games_with_everything_in_them_are_read() {
        let text = "[Event \"A \\ test\"]\n[Result \"1-0\"]\n\n; a line\n1. e4 {best (by) test} e5 2.Nf3!? $6 (2. f4 exf4 (2... d5) {gambit (}) 2... Nc6\n% escape\n3.Bb5 a6 4. O-O 1-0 5. rest";
        let (start, moves) = first(text);
        assert_eq!(start, Chess::default().start());
        assert_eq!(words(&moves), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1");
    }

    #[test]
    fn what_is_written_reads_back() {
        let chess = Chess::default();
        let start: Position = "r3k2r/P7/8/3pP3/8/8/8/R3K2R b KQkq - 4 9".parse().unwrap();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in ["d4", "axb1=Q", "O-O", "b8=N"] {
            let Ok(mv) = notation::parse(&position, text) else {
                continue;
            };
            moves.push(mv);
            position = position.after(mv);
        }
        let record = LineOfPlay {
            start: &start,
            moves: &moves,
            tags: &[("White", "one \\ \"two\"".to_owned()), ("Termination", "rules".to_owned())],
        };
        let text = write(chess, &record);
        assert!(text.contains("[FEN \"r3k2r/P7/8/3pP3/8/8/8/R3K2R b KQkq - 4 9\"]"), "{text}");
        assert!(text.contains("9... d4 10. O-O"), "{text}");
        assert_eq!(first(&text), (start, moves));
    }

    #[test]
    fn long_games_are_wrapped() {
        let words: Vec<String> = (0..60).map(|number| format!("word{number}")).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() < WIDTH));
        assert_eq!(text.split_whitespace().count(), 60);
    }

    #[test]
    fn faults_name_their_place() {
        let place = |text: &str| {
            let fault = read(text, 1).unwrap_err();
            (fault.message, fault.at.unwrap())
        };
        assert_eq!(place("1. e4 e5 2. Ke3").1, 12..15);
        assert!(place("1. e4 {no end").0.contains("comment"));
        assert!(place("1. e4 (1. d4").0.contains("variation"));
        assert!(place("[Event").0.contains("tag"));
        let (message, at) = place("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]");
        assert!(message.contains("White has 0 kings"), "{message}");
        assert_eq!(at, 6..21);
    }
}
