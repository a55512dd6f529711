use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, KeyScheme, Keyed, Side},
    reply::KeyReport,
};

/// A key the user gave.
#[derive(Clone, Debug)]
pub(super) struct Wanted<G: Game> {
    /// The key itself.
    pub(super) key: G::Key,
    /// The depth, where one was given.
    pub(super) depth: Option<u8>,
    /// The position, where that was given in place of a key.
    pub(super) position: Option<G::Position>,
}

/// A position that has a name.
pub(super) struct Spot<G: Game> {
    pub(super) position: G::Position,
    pub(super) history: G::History,
    /// Its remaining depth, where it is a frame's.
    pub(super) depth: Option<u8>,
}

impl<G: Game> Desk<G> {
    /// The position that a name stands for, if it is one: `root` is the game's, `frame` that of the selected frame or the
    /// node at hand, and `here` is `frame` where a frame is selected, `root` otherwise.
    pub(super) fn spot(&self, name: &str) -> Answer<Option<Spot<G>>> {
        match name {
            "root" => Ok(Some(self.root_spot())),
            "frame" => self.frame_spot().map(Some),
            "here" => self.here().map(Some),
            _ => Ok(None),
        }
    }

    /// The selected frame, or the game's position where none is selected.
    pub(super) fn here(&self) -> Answer<Spot<G>> {
        let running = self.run.running.as_ref();
        match running.and_then(|running| running.selected) {
            Some(_) => self.frame_spot(),
            None => Ok(self.root_spot()),
        }
    }

    fn root_spot(&self) -> Spot<G> {
        Spot { position: self.now.position.clone(), history: self.now.history.clone(), depth: None }
    }

    fn frame_spot(&self) -> Answer<Spot<G>> {
        let running = self.run.under_way()?;
        let height = running.search.ply() as usize;
        let ply = running.selected.unwrap_or(height).min(height);
        let frame = &running.search.frames()[ply];
        Ok(Spot {
            position: frame.position.clone(),
            history: running.search.history_at(ply),
            depth: Some(frame.depth),
        })
    }

    /// A position by its name, or in the game's notation.
    pub(super) fn position_called(&self, text: &str) -> Answer<G::Position> {
        match self.spot(text)? {
            Some(spot) => Ok(spot.position),
            None => self.read_position(text),
        }
    }

    /// A key with its depth as the policy in force writes it.
    pub(super) fn keyed_text(&self, at: Keyed<G::Key>) -> String {
        self.scribe().name(at)
    }

    /// The key under which a search looks for a position.
    pub(super) fn key_text(&self, position: &G::Position, scheme: KeyScheme, depth: u8) -> String {
        self.keyed_text(Keyed { key: self.run.searcher.game.key(position, scheme), depth })
    }

    /// Reads `KEY`, `here`, `frame`, `root` or a position, with `:DEPTH` after it or not.
    pub(super) fn wanted(&self, text: &str) -> Answer<Wanted<G>> {
        let text = text.trim();
        let (body, depth) = match text.rsplit_once(':') {
            Some((body, depth)) => (body.trim_end(), Some(depth_of(depth, body.len() + 1)?)),
            None => (text, None),
        };
        let scheme = self.run.searcher.settings.mode().scheme;
        let spot = match self.spot(body)? {
            Some(spot) => Some(spot),
            None if body.contains(['/', '(']) => Some(Spot {
                position: self.read_position(body)?,
                history: G::History::default(),
                depth: None,
            }),
            None => None,
        };
        let depth = depth.or(spot.as_ref().and_then(|spot| spot.depth));
        let key = match &spot {
            Some(Spot { position, history, .. }) => {
                self.run.searcher.game.node_key(position, history, scheme, depth.unwrap_or(0))
            }
            None => {
                self.run.searcher.game.parse_key(body).map_err(|fault| self.explain_keys(fault))?
            }
        };
        let position = spot.map(|spot| spot.position);
        Ok(Wanted { key, depth, position })
    }

    fn explain_keys(&self, fault: Fault) -> Fault {
        let before = fault.hint.as_ref().map_or(String::new(), |hint| format!("{hint}; "));
        let hint = format!(
            "{before}a key looks like `{}`, `here:3` is the position at hand, `frame` the selected frame",
            self.sample_key()
        );
        Fault { hint: Some(hint), ..fault }
    }

    /// Whether an entry that was asked for by its position is stored with the sign turned (defect D2).
    pub(super) fn is_turned(&self, wanted: &Wanted<G>) -> bool {
        let black = |position| self.run.searcher.game.side(position) == Side::Black;
        self.run.searcher.settings.mode().negate_black
            && wanted.position.as_ref().is_some_and(black)
    }

    fn sample_key(&self) -> String {
        self.key_text(&self.now.position, KeyScheme::Colour, 3)
    }

    /// Where an entry for a key stands: under the very key, or under the one that searches use for its position.
    pub(super) fn place(&self, key: G::Key, depth: u8) -> Keyed<G::Key> {
        let exact = Keyed { key, depth };
        let known = |at: &Keyed<G::Key>| self.run.searcher.memo.entries().get(*at).is_some();
        if known(&exact) {
            return exact;
        }
        let searched = self.searched_key(key).map(|key| Keyed { key, depth });
        searched.filter(known).unwrap_or(exact)
    }

    /// The key under which searches look for a key's position, if it is another one.
    pub(super) fn searched_key(&self, key: G::Key) -> Option<G::Key> {
        let scheme = self.run.searcher.settings.mode().scheme;
        let here = &self.now.position;
        let searched = if self.run.searcher.game.key(here, KeyScheme::Colour) == key {
            self.run.searcher.game.key(here, scheme)
        } else if scheme == KeyScheme::Canonical {
            self.run.searcher.game.key(&self.run.searcher.game.decode(key)?, scheme)
        } else {
            return None;
        };
        (searched != key).then_some(searched)
    }

    pub(super) fn report_key(&self, text: Option<&str>) -> Answer<KeyReport> {
        let key = match text {
            Some(text) => self.wanted(text)?.key,
            None => self.run.searcher.game.key(&self.here()?.position, KeyScheme::Colour),
        };
        let position = self.run.searcher.game.decode(key);
        let canonical = position
            .as_ref()
            .map_or(key, |position| self.run.searcher.game.key(position, KeyScheme::Canonical));
        Ok(KeyReport {
            key: self.run.searcher.game.format_key(key),
            canonical: self.run.searcher.game.format_key(canonical),
            state: position
                .as_ref()
                .map(|position| self.run.searcher.game.format_position(position)),
            board: position.as_ref().map(|position| self.run.searcher.game.draw(position, false)),
            board_ascii: position
                .as_ref()
                .map(|position| self.run.searcher.game.draw(position, true)),
        })
    }
}

pub(super) fn depth_of(text: &str, at: usize) -> Answer<u8> {
    text.trim().parse().map_err(|_| {
        Fault::new(format!("`{text}` is not a depth"))
            .hint("the depth after `:` is a whole number from 0 to 255")
            .at(at..at + text.len())
    })
}
