//! Results read from the lines that engines print.

/// The result of `go perft`: leaf nodes by first move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The moves in the engine's order, each with its number of leaf nodes.
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

    /// The number of leaf nodes below a move; `None` if the engine does not list the move.
    pub fn of(&self, mv: &str) -> Option<u64> {
        self.moves.iter().find(|(name, _)| name == mv).map(|(_, count)| *count)
    }
}

/// The result of an external engine's search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best move, as the engine writes it.
    pub best: String,
    /// The value for the side to move; `None` if the engine printed none.
    pub score: Option<GuestScore>,
    /// The depth of the last iteration in plies.
    pub depth: u8,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The principal variation of the last iteration.
    pub line: Vec<String>,
}

/// A value in a UCI `info` line, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuestScore {
    /// The value in centipawns.
    Centipawns(i32),
    /// The number of moves to mate; negative: the side to move is mated.
    Mate(i32),
}

impl Found {
    /// Reads a line of output; returns `true` at `bestmove`.
    pub fn read(&mut self, line: &str) -> bool {
        // In `MultiPV` mode, only the best line counts.
        if !line.contains(" multipv ") || line.contains(" multipv 1 ") {
            self.read_info(line);
        }
        let Some(best) = best_move(line) else { return false };
        best.clone_into(&mut self.best);
        true
    }

    /// Reads an `info` line: value, depth, nodes and line of play.
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

/// The move that ends a search. Sanmill writes `bestmove` behind the `info` data of the last depth.
pub(super) fn best_move(line: &str) -> Option<&str> {
    let (info, best) = line.split_once("bestmove")?;
    let is_info = info.starts_with("info ") && !info.starts_with("info string");
    (info.is_empty() || is_info).then(|| best.split_whitespace().next().unwrap_or_default())
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}
