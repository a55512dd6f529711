//! Portable Game Notation (PGN) for every game: reading, writing, and comparing the content of two files.
//!
//! Files: `token` splits a text into its parts; `tree` has moves with comments, annotations and variations; `index` finds the
//! games of a large file without loading it.

mod index;
mod token;
mod tree;

use std::fmt::Write as _;

pub use index::{GameIndex, GameSpan, GameSplitter};
pub use token::{Tag, Token, Tokens, nag_of, sign_of};
pub use tree::{GameMove, Notes, VALUE_COMMAND, eval_of};

use super::{Fault, Game, History, Result, Side, TAG_ROSTER};
use crate::text::counted;

/// The tags that give the first position and the rules.
const OF_POSITION: [&str; 4] = ["SetUp", "FEN", "Variant", "Rules"];

/// The greatest depth of nested variations that can be read.
const MOST_NESTED: usize = 100;

/// The greatest length of a line in written files, in bytes.
const LINE: usize = 79;

/// A game with its tags, as in a PGN file.
#[derive(Clone, Debug)]
pub struct TaggedGame<G: Game> {
    /// The position before the first move.
    pub start: G::Position,
    /// The moves of the main line; each variation belongs to the move that it replaces.
    pub moves: Vec<GameMove<G::Move>>,
    /// The tag pairs, such as `White` and a name, in the file's order.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub comments: Vec<String>,
}

impl<G: Game> TaggedGame<G> {
    /// A game without comments, annotations and variations.
    pub fn plain(start: G::Position, moves: &[G::Move], tags: Vec<(String, String)>) -> Self {
        Self {
            start,
            moves: moves.iter().copied().map(GameMove::new).collect(),
            tags,
            comments: Vec::new(),
        }
    }

    /// The moves of the main line, without comments and variations.
    pub fn line(&self) -> Vec<G::Move> {
        self.moves.iter().map(|played| played.mv).collect()
    }

    /// The value of a tag, if the game has the tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Whether another game has the same moves, comments, annotations and variations.
    pub fn has_moves_of(&self, other: &Self) -> bool {
        self.start == other.start && self.moves == other.moves && self.comments == other.comments
    }
}

/// The value of the tag `name`, if `tags` contain it.
pub fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Writes a game: the seven tag roster, the other tags, the first position if it is not the game's start, the moves.
pub fn write<G: Game>(rules: &G, game: &TaggedGame<G>) -> String {
    let result = result_of(rules, game);
    let roster = TAG_ROSTER.map(|name| match (game.tag(name), name) {
        (Some(value), _) => (name, value),
        (None, "Date") => (name, "????.??.??"),
        (None, "Result") => (name, &*result),
        (None, _) => (name, "?"),
    });
    let others = game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let others =
        others.filter(|(name, _)| !TAG_ROSTER.contains(name) && !OF_POSITION.contains(name));
    let mut text = String::new();
    for (name, value) in roster.into_iter().chain(others) {
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
    }
    if let Some(variant) = G::PGN_VARIANT {
        let _ = writeln!(text, "[Variant \"{variant}\"]");
    }
    let changed: Vec<_> = rules_of(rules);
    if !changed.is_empty() {
        let _ = writeln!(text, "[Rules \"{}\"]", changed.join(" "));
    }
    if game.start != rules.start() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", rules.format_position(&game.start));
    }
    text + "\n" + &write_moves(rules, game)
}

/// The rules that are not at their defaults, as `rules set` reads them, except those that other programs play by too.
fn rules_of<G: Game>(rules: &G) -> Vec<String> {
    let usual = rules.with_default_rules().rules();
    let changed = rules.rules().into_iter().filter(|rule| {
        G::PGN_VARIANT.is_some()
            && !usual.iter().any(|it| it.value == rule.value && it.name == rule.name)
    });
    changed.map(|rule| format!("{}={}", rule.name, rule.value)).collect()
}

/// The result in the tag `Result`, or else by the rules of the game.
fn result_of<G: Game>(rules: &G, game: &TaggedGame<G>) -> String {
    game.tag("Result").map_or_else(
        || {
            let (mut position, mut history) = (game.start.clone(), G::History::default());
            for played in &game.moves {
                history.push(&position);
                position = rules.apply(&position, played.mv);
            }
            rules.status(&position, &history).result().to_owned()
        },
        str::to_owned,
    )
}

/// Writes the moves of a game and its result, broken into lines.
pub fn write_moves<G: Game>(rules: &G, game: &TaggedGame<G>) -> String {
    let mut words: Vec<String> = game.comments.iter().map(|text| comment(text)).collect();
    let first = Numbering { number: rules.move_number(&game.start).unwrap_or(1), needed: true };
    write_line(rules, &game.start, &game.moves, first, &mut words);
    words.push(result_of(rules, game));
    broken(&words) + "\n"
}

/// Writes moves with their comments, annotations and variations in one line.
pub fn moves_text<G: Game>(
    rules: &G,
    start: &G::Position,
    moves: &[GameMove<G::Move>],
    number: usize,
) -> String {
    let mut words = Vec::new();
    write_line(rules, start, moves, Numbering { number, needed: true }, &mut words);
    words.join(" ")
}

/// The number of the next move, and whether the number is also written before a move of Black's.
#[derive(Clone, Copy)]
struct Numbering {
    number: usize,
    needed: bool,
}

fn write_line<G: Game>(
    rules: &G,
    start: &G::Position,
    moves: &[GameMove<G::Move>],
    mut at: Numbering,
    words: &mut Vec<String>,
) {
    let mut position = start.clone();
    for played in moves {
        at.needed |= !played.notes.before.is_empty();
        words.extend(played.notes.before.iter().map(|text| comment(text)));
        let side = rules.side(&position);
        match side {
            Side::White => words.push(format!("{}.", at.number)),
            Side::Black if at.needed => words.push(format!("{}...", at.number)),
            Side::Black => {}
        }
        let text = rules.move_text(&position, played.mv);
        words.push(text.san().unwrap_or(text.plain()).to_owned());
        words.extend(played.notes.nags.iter().map(|nag| format!("${nag}")));
        words.extend(played.notes.after.iter().map(|text| comment(text)));
        for line in &played.others {
            let mut variation = Vec::new();
            write_line(rules, &position, line, Numbering { needed: true, ..at }, &mut variation);
            if let (Some(first), Some(_)) = (variation.first_mut(), line.first()) {
                first.insert(0, '(');
            }
            if let Some(last) = variation.last_mut() {
                last.push(')');
            }
            words.extend(variation);
        }
        position = rules.apply(&position, played.mv);
        at.needed = !played.notes.after.is_empty() || !played.others.is_empty();
        at.number += usize::from(side == Side::Black);
    }
}

/// A comment as written to the file. Comments in braces cannot contain a closing brace.
fn comment(text: &str) -> String {
    if text.contains('}') {
        format!(";{}\n", text.replace('\n', " "))
    } else {
        format!("{{{text}}}")
    }
}

/// Breaks words into lines of at most [`LINE`] bytes. Comments are not broken; they keep their own line ends.
fn broken(words: &[String]) -> String {
    let (mut text, mut columns) = (String::new(), 0);
    for word in words {
        let first = word.split('\n').next().map_or(0, str::len);
        if columns > 0 && columns + 1 + first > LINE {
            text.push('\n');
            columns = 0;
        } else if columns > 0 {
            text.push(' ');
            columns += 1;
        }
        text.push_str(word);
        match word.rsplit_once('\n') {
            Some((_, last)) => columns = last.len(),
            None => columns += word.len(),
        }
    }
    text
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Reads the first game of a text; `None` if the text has no game.
/// Errors: an illegal move, or a comment, tag or variation that is not closed; each with its place.
pub fn read<G: Game>(rules: &G, text: &str) -> Result<Option<TaggedGame<G>>> {
    let mut reader = Reader::new(rules, text)?;
    let mut game: TaggedGame<G> = TaggedGame {
        start: rules.start(),
        moves: Vec::new(),
        tags: Vec::new(),
        comments: Vec::new(),
    };
    let mut any = false;
    while let Some((token, at)) = reader.peeked {
        match token {
            Token::Tag(Tag { name, value }) => {
                if name == "FEN" {
                    game.start = read_start(rules, value, at + name.len() + 3)?;
                }
                game.tags.push((name.to_owned(), token::unescaped(value)));
                any = true;
            }
            Token::Comment(text) => game.comments.push(text.to_owned()),
            Token::Escape => {}
            _ => break,
        }
        reader.next()?;
    }
    check_rules(rules, &game.tags)?;
    let number = rules.move_number(&game.start).unwrap_or(1);
    let mut place =
        LinePlace { position: game.start.clone(), history: G::History::default(), number };
    let of_chess =
        G::PGN_VARIANT.is_some() && !game.tags.is_empty() && game.tag("Variant").is_none();
    let moves = reader.line(&mut place, 0);
    let hint = "a game without the tag Variant is chess: choose chess first with `game chess`";
    game.moves = moves.map_err(|fault| if of_chess { fault.hint(hint) } else { fault })?;
    if let Some((Token::Result(result), _)) = reader.peeked {
        any = true;
        if game.tag("Result").is_none() {
            game.tags.push(("Result".to_owned(), result.to_owned()));
        }
        reader.next()?;
        // A comment after the result belongs to the game, as it does in [`GameIndex`].
        while let Some((Token::Comment(text), _)) = reader.peeked {
            let last = game.moves.last_mut().map(|played| &mut played.notes.after);
            last.unwrap_or(&mut game.comments).push(text.to_owned());
            reader.next()?;
        }
    }
    Ok((any || !game.moves.is_empty()).then_some(game))
}

/// Refuses a game of another variant, or by other rules than those in force.
fn check_rules<G: Game>(rules: &G, tags: &[(String, String)]) -> Result<()> {
    let own = G::PGN_VARIANT.unwrap_or("standard");
    let is_own = |variant: &str| {
        let usual = G::PGN_VARIANT.is_none()
            && ["chess", "from position"].iter().any(|it| variant.eq_ignore_ascii_case(it));
        usual || [own, G::NAME].iter().any(|it| variant.eq_ignore_ascii_case(it))
    };
    if let Some(variant) = tag(tags, "Variant").filter(|variant| !is_own(variant)) {
        return Err(Fault::new(format!("this is a game of {variant}, not of {}", G::NAME))
            .hint("`open FILE` chooses the game of the file"));
    }
    let in_force = rules.rules();
    let given = tag(tags, "Rules").unwrap_or_default().split_whitespace();
    let given: Vec<_> = given.filter_map(|pair| pair.split_once('=')).collect();
    let usual = rules.with_default_rules().rules();
    let other = in_force.iter().zip(&usual).filter(|_| G::PGN_VARIANT.is_some());
    let other = other.filter_map(|(now, usual)| {
        let given = given.iter().find(|(name, _)| *name == now.name);
        let wanted = given.map_or(usual.value.as_str(), |(_, value)| *value);
        (wanted != now.value).then(|| format!("{}={wanted}", now.name))
    });
    let other: Vec<_> = other.collect();
    if other.is_empty() || tag(tags, "Variant").is_none() {
        return Ok(());
    }
    let other = other.join(" ");
    Err(Fault::new(format!("this game was played by other rules: {other}"))
        .hint(format!("set the rules first: `rules set {other}`")))
}

/// Reads the value of the tag FEN; `at` is the byte at which the value begins.
fn read_start<G: Game>(rules: &G, value: &str, at: usize) -> Result<G::Position> {
    rules.parse_position(value).map_err(|fault| Fault {
        at: fault.at.map(|place| at + place.start..at + place.end),
        message: format!("the tag FEN: {}", fault.message),
        ..fault
    })
}

/// Reads a text of moves from a position, with comments, annotations and variations. Tags and a result are skipped.
/// Errors: those of [`read`].
pub fn read_moves<G: Game>(
    rules: &G,
    start: (&G::Position, &G::History),
    text: &str,
) -> Result<Vec<GameMove<G::Move>>> {
    let mut reader = Reader::new(rules, text)?;
    while let Some((Token::Tag(_), _)) = reader.peeked {
        reader.next()?;
    }
    let number = rules.move_number(start.0).unwrap_or(1);
    reader.line(&mut LinePlace { position: start.0.clone(), history: start.1.clone(), number }, 0)
}

/// Reads all games of a text. Games that cannot be read are left out; their faults are returned with places in the text. For
/// large files, use [`GameIndex`].
pub fn read_all<G: Game>(rules: &G, text: &str) -> (Vec<TaggedGame<G>>, Vec<Fault>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for span in GameIndex::of(text.as_bytes()).spans {
        let (from, to) = (span.start as usize, span.end as usize);
        match text.get(from..to).map(|text| read(rules, text)) {
            Some(Ok(game)) => games.extend(game),
            Some(Err(fault)) => faults
                .push(Fault { at: fault.at.map(|at| from + at.start..from + at.end), ..fault }),
            None => {}
        }
    }
    (games, faults)
}

/// The position, history and move number up to which a line of moves has been read.
struct LinePlace<G: Game> {
    position: G::Position,
    history: G::History,
    number: usize,
}

struct Reader<'a, 'g, G: Game> {
    rules: &'g G,
    text: &'a str,
    tokens: Tokens<'a>,
    /// Whether words of digits are moves that name points by numbers.
    numbers: bool,
    peeked: Option<(Token<'a>, usize)>,
}

impl<'a, 'g, G: Game> Reader<'a, 'g, G> {
    fn new(rules: &'g G, text: &'a str) -> Result<Self> {
        let numbers = G::POINTS_HAVE_NUMBERS && token::has_numbers_alone(text);
        let mut reader = Self { rules, text, tokens: Tokens::new(text), numbers, peeked: None };
        reader.next()?;
        Ok(reader)
    }

    fn next(&mut self) -> Result<()> {
        self.peeked = self.tokens.next().transpose()?;
        Ok(())
    }

    /// Reads moves up to the end of a variation or of the game.
    fn line(&mut self, place: &mut LinePlace<G>, nested: usize) -> Result<Vec<GameMove<G::Move>>> {
        let mut moves: Vec<GameMove<G::Move>> = Vec::new();
        let mut before = Vec::new();
        let mut last = place.position.clone();
        while let Some((token, at)) = self.peeked {
            match (token, moves.last_mut()) {
                (Token::Comment(text), Some(played)) => played.notes.after.push(text.to_owned()),
                (Token::Comment(text), None) => before.push(text.to_owned()),
                (Token::Nag(nag), Some(played)) => played.notes.nags.push(nag),
                (Token::Open, played) => {
                    match (self.variation(place, &last, at, nested)?, played) {
                        (Ok(line), Some(played)) if !line.is_empty() => played.others.push(line),
                        (Err(text), Some(played)) => played.notes.after.push(text),
                        _ => {}
                    }
                    continue;
                }
                (Token::Close, _) if nested == 0 => {
                    let fault = Fault::new("`)` closes no variation").at(at..at + 1);
                    return Err(fault.hint("remove the `)`, or open the variation with `(`"));
                }
                (Token::Result(_), _) if nested == 0 => break,
                (Token::Tag(_) | Token::Close, _) => break,
                (Token::Move(word), _) => moves.push(self.mv(place, &mut last, word, at)?),
                (Token::Number(word), _) if self.numbers && !word.contains('.') => {
                    moves.push(self.mv(place, &mut last, word, at)?);
                }
                _ => {}
            }
            self.next()?;
        }
        if let Some(first) = moves.first_mut() {
            first.notes.before = before;
        }
        Ok(moves)
    }

    fn mv(
        &self,
        place: &mut LinePlace<G>,
        last: &mut G::Position,
        word: &str,
        at: usize,
    ) -> Result<GameMove<G::Move>> {
        let mv = self.rules.parse_move(&place.position, &place.history, word);
        let mv = mv.map_err(|fault| Fault {
            message: format!("move {}: {}", place.number, fault.message),
            at: Some(at..at + word.len()),
            ..fault
        })?;
        place.history.push(&place.position);
        place.number += usize::from(self.rules.side(&place.position) == Side::Black);
        let next = self.rules.apply(&place.position, mv);
        *last = std::mem::replace(&mut place.position, next);
        Ok(GameMove::new(mv))
    }

    /// Reads a variation of the last move, which was played from `last`. The inner error is the text of a variation whose moves
    /// cannot be read: analysis contains null moves (`--`, `Z0`).
    fn variation(
        &mut self,
        place: &LinePlace<G>,
        last: &G::Position,
        open: usize,
        nested: usize,
    ) -> Result<Result<Vec<GameMove<G::Move>>, String>> {
        if nested >= MOST_NESTED {
            return Err(Fault::new(format!("variations are nested {MOST_NESTED} deep"))
                .at(open..open + 1)
                .hint("flatten them"));
        }
        let mut history = place.history.clone();
        history.pop();
        let is_black = self.rules.side(last) == Side::Black;
        let number = place.number.saturating_sub(usize::from(is_black));
        let mut start = LinePlace { position: last.clone(), history, number };
        self.next()?;
        let read = self.line(&mut start, nested + 1);
        match (read, self.peeked) {
            (Ok(moves), Some((Token::Close, _))) => {
                self.next()?;
                Ok(Ok(moves))
            }
            (Err(_), Some((Token::Move(_) | Token::Number(_), _))) => {
                let end = self.skip_variation(open)?;
                Ok(Err(self.text.get(open..end).unwrap_or_default().to_owned()))
            }
            (Err(fault), _) => Err(fault),
            (Ok(_), _) => Err(unclosed_variation(open)),
        }
    }

    /// Skips the tokens up to the end of the open variation. Returns the byte after the variation.
    fn skip_variation(&mut self, begin: usize) -> Result<usize> {
        let mut open = 1_usize;
        while let Some((token, at)) = self.peeked {
            self.next()?;
            match token {
                Token::Open => open += 1,
                Token::Close if open == 1 => return Ok(at + 1),
                Token::Close => open -= 1,
                _ => {}
            }
        }
        Err(unclosed_variation(begin))
    }
}

fn unclosed_variation(open: usize) -> Fault {
    Fault::new("the variation is not closed").at(open..open + 1).hint("`)` closes it")
}

/// The numbers of comments, variations and the like in the text of one game, counted without reading its moves.
#[derive(Default)]
struct Content {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: Vec<String>,
    /// The number of lines that begin with `%`, which other programs may use.
    escapes: usize,
    variations: usize,
    annotations: usize,
    unread: bool,
}

impl Content {
    fn of(text: &str) -> Self {
        let mut content = Self::default();
        let mut nested = 0_usize;
        for token in Tokens::new(text) {
            match token {
                Ok((Token::Tag(tag), _)) => {
                    content.tags.push((tag.name.to_owned(), token::unescaped(tag.value)));
                }
                Ok((Token::Move(word) | Token::Number(word), _)) => {
                    if nested == 0 && !word.ends_with('.') {
                        content.moves.push(word.to_owned());
                    }
                }
                Ok((Token::Comment(text), _)) => content.comments.push(text.to_owned()),
                Ok((Token::Escape, _)) => content.escapes += 1,
                Ok((Token::Nag(_), _)) => content.annotations += 1,
                Ok((Token::Open, _)) => {
                    nested += 1;
                    content.variations += 1;
                }
                Ok((Token::Close, _)) => nested = nested.saturating_sub(1),
                Ok((Token::Result(result), _)) => {
                    if tag(&content.tags, "Result").is_none() {
                        content.tags.push(("Result".to_owned(), result.to_owned()));
                    }
                }
                Err(_) => {
                    content.unread = true;
                    break;
                }
            }
        }
        content
    }

    /// The number of comments that the other game lacks, even as parts of its longer comments.
    fn comments_not_in(&self, other: &Self) -> usize {
        let (mut own, mut known) = (self.comments.clone(), other.comments.clone());
        // Equal comments are matched first, because a short comment can be part of many long ones.
        let tests: [fn(&str, &str) -> bool; 2] =
            [|known, own| known == own, |known, own| known.contains(own.trim())];
        for is_kept in tests {
            own.retain(|text| {
                let found = known.iter().position(|known| is_kept(known, text));
                found.map(|at| known.swap_remove(at)).is_none()
            });
        }
        own.len() + self.escapes
    }

    /// The names of the tags whose values another game lacks.
    fn tags_not_in<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = String> + 's {
        let unknown = |value: &str| value.chars().all(|sign| "?.* ".contains(sign));
        let lacking = move |(name, value): &&(String, String)| {
            !unknown(value)
                && !OF_POSITION.contains(&name.as_str())
                && tag(&other.tags, name).is_none_or(|known| !known.starts_with(value.as_str()))
        };
        self.tags.iter().filter(lacking).map(|(name, _)| name.clone())
    }
}

/// The games, moves, comments, variations, annotations and tags of an old file that a new one lacks, such as "3 comments".
pub fn lost_content<G: Game>(rules: &G, old: &str, new: &str) -> Vec<String> {
    let [olds, news] = [old, new].map(|text| GameIndex::of(text.as_bytes()).spans);
    let mut tags = Vec::new();
    let (mut games, mut moves, mut unread) = (0, 0, false);
    let (mut comments, mut variations, mut annotations) = (0, 0, 0);
    let text_of = |text: &str, span: &GameSpan| {
        text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
    };
    for (place, span) in olds.iter().enumerate() {
        let old_text = text_of(old, span);
        let held = Content::of(&old_text);
        let is_game = !held.tags.is_empty() || !held.moves.is_empty();
        unread |= held.unread;
        let new_text = news.get(place).map(|span| text_of(new, span));
        let kept = new_text.as_deref().map(Content::of).unwrap_or_default();
        comments += held.comments_not_in(&kept);
        variations += held.variations.saturating_sub(kept.variations);
        annotations += held.annotations.saturating_sub(kept.annotations);
        match new_text {
            _ if !is_game || held.unread => {}
            None => games += 1,
            Some(new_text) => {
                moves += usize::from(!extends(rules, &new_text, &old_text));
                tags.extend(held.tags_not_in(&kept));
            }
        }
    }
    let counts = [
        (games, "further game", "further games"),
        (moves, "game's moves", "games' moves"),
        (comments, "comment", "comments"),
        (variations, "variation", "variations"),
        (annotations, "annotation", "annotations"),
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

/// Whether the first game of `new` begins with all moves of the first game of `old`.
fn extends<G: Game>(rules: &G, new: &str, old: &str) -> bool {
    let both = read(rules, new).ok().flatten().zip(read(rules, old).ok().flatten());
    both.is_some_and(|(new, old)| new.start == old.start && new.line().starts_with(&old.line()))
}
