//! The PGN tags of the current game: players, date and result.

use serde::{Serialize, Serializer};

use super::{Pair, Session, game_head::GameHead, reply::Reply};
use crate::{
    engine::game::{Fault, Game, Result, Side, TAG_ROSTER, TaggedGame},
    text::{TextTable, flow},
};

/// Tags that cannot be set, because they follow from the first position and the moves.
const FROM_MOVES: [&str; 4] = ["SetUp", "FEN", "Result", "Termination"];

/// The value that removes a tag set by hand, so that it follows from the moves again.
pub const AUTOMATIC: &str = "auto";

/// Commands that read and set the PGN tags of the current game.
pub trait GameTagCommands {
    /// The tags of the game, including those that follow from its main line; with `dated` also the date of a game played now.
    fn tags(&self, dated: bool) -> GameTags;
    /// Sets tags, or removes those whose value is [`AUTOMATIC`]. Fails for tags that follow from the moves.
    fn set_tags(&mut self, tags: &[Pair<'_>]) -> Result<()>;
}

impl<G: Game> GameTagCommands for Session<G> {
    fn tags(&self, dated: bool) -> GameTags {
        let GameHead { tags, date, .. } = &self.line_of_play()[0].head;
        let game = self.whole_game();
        let is_played = game.moves.iter().any(|played| played.by.is_some());
        let is_whole = !is_played && self.now.end.is_none();
        let (position, history) = self.end_of(&game);
        let status = match &self.now.end {
            Some(_) => self.status_of(&self.now),
            None => self.game().status(&position, &history),
        };
        // The result tag of a file counts only as long as no move was added to the game.
        let holds = |name: &str| is_whole || !FROM_MOVES.contains(&name);
        let given = || tags.iter().filter(|(name, _)| holds(name)).cloned();
        let own = |name: &str| match name {
            "Event" => is_played.then(|| "Casual game".to_owned()),
            "Date" => date.clone().filter(|_| dated && is_played),
            "White" => self.player_of(Side::White, &game),
            "Black" => self.player_of(Side::Black, &game),
            "Result" => Some(status.result().to_owned()),
            _ => None,
        };
        let roster = TAG_ROSTER.into_iter().filter_map(|name| {
            let given = given().find(|(known, _)| known == name);
            given.or_else(|| Some((name.to_owned(), own(name)?)))
        });
        let others = given().filter(|(name, _)| !TAG_ROSTER.contains(&&**name));
        GameTags { tags: roster.chain(others).collect() }
    }

    fn set_tags(&mut self, tags: &[Pair<'_>]) -> Result<()> {
        for (name, _) in tags {
            let fits = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
            let fault = if FROM_MOVES.contains(name) {
                Fault::new(format!("the tag {name} follows from the moves"))
            } else if !name.chars().all(fits) {
                Fault::new(format!("`{name}` cannot be a tag"))
                    .hint("a tag has letters, digits and _")
            } else {
                continue;
            };
            return Err(fault.about(name));
        }
        let past = self.past.iter_mut().rev();
        let mut line = std::iter::once(&mut self.now).chain(past);
        let Some(first) = line.find(|played| played.mv.is_none()) else { return Ok(()) };
        for (name, value) in tags {
            let known = &mut first.head.tags;
            known.retain(|(known, _)| known != name);
            if *value != AUTOMATIC {
                known.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        Ok(())
    }
}

impl<G: Game> Session<G> {
    /// The names of all players who chose moves of a side, joined by `and`; `None` if unknown.
    fn player_of(&self, side: Side, game: &TaggedGame<G>) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        let mut position = game.start.clone();
        for played in &game.moves {
            let name = played.by.as_deref().filter(|_| self.game().side(&position) == side);
            names.extend(name.filter(|name| !names.contains(name)));
            position = self.game().apply(&position, played.mv);
        }
        (!names.is_empty()).then(|| names.join(" and "))
    }
}

/// The reply of `game tags`: the PGN tags of the current game.
#[derive(Clone, Debug, Serialize)]
pub struct GameTags {
    /// Names and values, the seven tag roster first; a JSON object.
    #[serde(serialize_with = "as_object")]
    pub tags: Vec<(String, String)>,
}

impl GameTags {
    /// Players and result on one line; `None` if no player is known.
    pub(super) fn line(&self) -> Option<String> {
        Some(flow("game ", players_and_result(&self.tags)?))
    }
}

/// The players as `White - Black`, and the result or an empty text; `None` if no player is known.
pub(super) fn players_and_result(tags: &[(String, String)]) -> Option<[String; 2]> {
    let tag = |name: &str| {
        let found = tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.contains(['?', '*']))
    };
    let [white, black] = ["White", "Black"].map(tag);
    white.or(black)?;
    let players = [white, black].map(|name| name.unwrap_or("?")).join(" - ");
    Some([players, tag("Result").unwrap_or_default().to_owned()])
}

fn as_object<S: Serializer>(tags: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter().map(|(name, value)| (name, value)))
}

impl Reply for GameTags {
    fn text(&self) -> String {
        TextTable::of(&self.tags)
            .left("tag", |(name, _)| name.clone())
            .left("value", |(_, value)| value.clone())
            .render()
    }
}
