//! The lines that engines print, read as results.

/// Lines of play by first move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The moves, in the order of the engine.
    pub moves: Vec<(String, u64)>,
}

impl Counts {
    /// Reads a line such as `e2e4: 20`; `true` at the last line, such as `Nodes searched: 400`.
    pub fn read(&mut self, line: &str) -> bool {
        let Some((name, count)) = line.split_once(':') else {
            return false;
        };
        let Ok(count) = count.trim().parse() else { return false };
        match name.trim() {
            name if name.to_lowercase().contains("nodes") => return true,
            name if !name.contains(' ') => self.moves.push((name.to_owned(), count)),
            _ => {}
        }
        false
    }

    /// The lines of play that begin with a move; `None`: the engine does not have the move.
    pub fn of(&self, mv: &str) -> Option<u64> {
        self.moves.iter().find(|(name, _)| name == mv).map(|(_, count)| *count)
    }
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: String,
    /// The value for the side to move.
    pub score: Option<GuestScore>,
    /// Depth in plies.
    pub depth: u8,
    /// Nodes.
    pub nodes: u64,
    /// The line of the last depth.
    pub line: Vec<String>,
}

/// A value in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuestScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to a mate; negative: the side to move is mated.
    Mate(i32),
}

impl Found {
    /// Reads a line; `true` at `bestmove`.
    pub fn read(&mut self, line: &str) -> bool {
        // With MultiPV, only the first line counts.
        if !line.contains(" multipv ") || line.contains(" multipv 1 ") {
            self.read_info(line);
        }
        let Some(best) = best_move(line) else { return false };
        best.clone_into(&mut self.best);
        true
    }

    /// Reads the data of an `info` line about a line of play.
    pub fn read_info(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        while let Some(word) = words.next() {
            match word {
                "depth" => self.depth = number(words.next()).unwrap_or(self.depth),
                "nodes" => self.nodes = number(words.next()).unwrap_or(self.nodes),
                "score" => {
                    self.score = match (words.next(), number(words.next())) {
                        (Some("cp"), Some(value)) => Some(GuestScore::Centipawns(value)),
                        (Some("mate"), Some(moves)) => Some(GuestScore::Mate(moves)),
                        _ => self.score,
                    }
                }
                "string" => return,
                "pv" => {
                    self.line = words.map(str::to_owned).collect();
                    return;
                }
                _ => {}
            }
        }
    }
}

/// The move that ends a search. Sanmill writes it behind the data of its last depth.
pub(super) fn best_move(line: &str) -> Option<&str> {
    let (info, best) = line.split_once("bestmove")?;
    let is_info = info.starts_with("info ") && !info.starts_with("info string");
    (info.is_empty() || is_info).then(|| best.split_whitespace().next().unwrap_or_default())
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}
