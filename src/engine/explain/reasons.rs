//! Why a move has its value: the plain search of the nodes along its line, move by move.

use serde::Serialize;

use super::{Branch, NodeOutcome, TreeBuilder};
use crate::engine::{
    audit::{BoundedValue, Halted, Plain, PlainResult, Remaining},
    game::{Game, History, MoveText, Rules, Score, Side, Term, TrueValue, Weights, Window},
    search::{Algorithm, Mode, RootMove},
    searcher::Root,
    table::Bound,
};
use crate::text::{count, number};

/// The plain search along a line of moves.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reasons {
    /// The root position, in the game's notation.
    pub(crate) state: String,
    /// The side to move at the root.
    pub(crate) side: Side,
    /// The depth of the plain search, in plies from the root.
    pub(crate) depth: u8,
    /// The line of moves from the root.
    pub line: Vec<MoveText>,
    /// The nodes of the line, without the root.
    pub plies: Vec<PlyExplained>,
    /// The position at the end of the line, and its value; `None` if the explanation stops earlier.
    pub end: Option<EndExplained>,
    /// The plain search's value of the first move, for the side to move at the root.
    pub plain_value: Option<Score>,
    /// If the plain search contradicts the search's value: the plain search's value and the causes of the difference, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) contradiction: Option<String>,
    /// The number of nodes that the plain search visited.
    pub(crate) nodes: u64,
    /// Notes for the user, such as which move of the line gives up the true value.
    pub notes: Vec<String>,
}

/// A node of the line, with its moves as the plain search values them.
#[derive(Clone, Debug, Serialize)]
pub struct PlyExplained {
    pub(crate) ply: u32,
    /// The move that led to the node.
    pub(crate) after: MoveText,
    /// The position of the node, in the game's notation.
    pub state: String,
    pub(crate) side: Side,
    /// Remaining depth at the node, in plies.
    pub depth: u8,
    /// In quiescence: the static value, which the side to move may take instead of a forcing move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_pat: Option<Score>,
    #[serde(flatten)]
    pub(crate) window: Window,
    /// The value of the node and its bound, for the side to move.
    #[serde(flatten)]
    pub claim: BoundedValue,
    /// The best move; `None` if no move raised α.
    pub best: Option<MoveText>,
    /// The searched moves, in search order.
    pub moves: Vec<MoveExplained>,
    /// The moves that a cutoff saved.
    pub(crate) spared: Vec<MoveText>,
}

/// A move of a node. Values are for the side that makes the move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveExplained {
    /// The move, in the game's notation.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The value of the move and its bound.
    #[serde(flatten)]
    pub claim: BoundedValue,
    /// The window with which the move was searched.
    #[serde(flatten)]
    pub(crate) window: Window,
    /// The refutation of the move, or the best reply to it.
    pub(crate) reply: Option<MoveText>,
    /// Whether the value of the move raised α.
    pub(crate) raised: bool,
}

/// The position at the end of a line, and its value.
#[derive(Clone, Debug, Serialize)]
pub struct EndExplained {
    pub(crate) ply: u32,
    pub(crate) state: String,
    pub(crate) side: Side,
    /// The value for the side to move.
    pub(crate) value: Score,
    /// The value for the side to move at the root; mate distances count from the root.
    pub root_value: Score,
    /// Where the value comes from: `over`, `tables`, `learned`, `heuristic` or `stand-pat`.
    pub by: &'static str,
    pub(crate) words: String,
    /// The terms of the evaluation, where the value is static.
    pub(crate) terms: Vec<Term>,
    /// The number by which the game divides the sum of the terms.
    #[serde(skip)]
    pub(crate) divisor: f64,
}

impl Reasons {
    /// The plain search's reasons for the value of a root move, searched `depth` plies from the root.
    pub(crate) fn of<G: Game>(
        plain: &mut Plain<'_, G>,
        weights: &Weights,
        (root, history): Root<'_, G>,
        first: &RootMove<G>,
        depth: u8,
        full: Window,
    ) -> Self {
        let game = plain.context.game;
        let inside = first.value.is_some_and(|value| full.holds(value));
        let node = LineNode {
            game,
            weights,
            position: root.clone(),
            history: history.clone(),
            remaining: Remaining::within(depth),
            // With a value at the edge of the full window no move raises α, and there would be no line.
            window: if inside { full } else { Window::INFINITE },
            ply: 0,
        };
        let (state, side) = (game.format_position(root), game.side(root));
        let mut reasons = Self { state, side, depth, ..Self::default() };
        let halted = reasons.follow(plain, node, first.mv).err();
        reasons.nodes = plain.nodes();
        reasons.notes.extend(halted.map(|halted| match (halted, plain.effort.nodes) {
            (Halted::Effort, Some(nodes)) => {
                let nodes = count(nodes);
                format!("the rest would take more than {nodes} nodes: --budget allows for more")
            }
            _ => "interrupted".to_owned(),
        }));
        let claim = first.value.map(|value| BoundedValue { bound: first.bound, value });
        let parted = reasons.plain_value.zip(claim).filter(|(plain, claim)| !claim.allows(*plain));
        reasons.contradiction = parted.map(|(plain, claim)| {
            let [_, plain] = number::distinct([claim.value, plain]);
            format!("A plain search, whose line and reasons follow, finds {plain}: cache entries or pruning make the difference, and `audit run` finds where.")
        });
        reasons
    }

    /// Notes the first move of the line that changes the true outcome of the game, such as a win into a draw.
    fn note_truth(&mut self, mv: &MoveText, truth: Option<(TrueValue, TrueValue)>) {
        const LEAVES: &str = "the line leaves the true path";
        let Some((before, after)) = truth.filter(|(before, after)| before.sign() != after.sign())
        else {
            return;
        };
        if !self.notes.iter().any(|note| note.starts_with(LEAVES)) {
            let side = "for the side that moves";
            self.notes
                .push(format!("{LEAVES} with {mv}: a {before} before, a {after} after it, {side}"));
        }
    }

    fn follow<G: Game>(
        &mut self,
        plain: &mut Plain<'_, G>,
        mut node: LineNode<'_, G>,
        first: G::Move,
    ) -> PlainResult<()> {
        let mut next = Some((first, node.window));
        while let Some((mv, window)) = next {
            let name = node.game.move_text(&node.position, mv);
            let before = node.game.truth(&node.position);
            node.make(mv, window, &plain.context.mode);
            self.line.push(name.clone());
            let after = node.game.truth(&node.position).map(TrueValue::parent);
            self.note_truth(&name, before.zip(after));
            let over = node.game.terminal(&node.position, &node.history).is_some()
                || plain.known(&node.position).is_some();
            if !over && plain.has_moves(node.remaining) {
                let (ply, best) = node.explain(plain, name)?;
                self.plain_value.get_or_insert(node.at_root(ply.claim.value));
                next = best;
                let in_quiescence = node.remaining.depth == 0;
                if !in_quiescence || !ply.moves.is_empty() {
                    self.plies.push(ply);
                }
                if !in_quiescence || next.is_some() {
                    continue;
                }
            }
            // The line ends here: by the rules, at the horizon, or by standing pat.
            let end = node.end(plain);
            self.plain_value.get_or_insert(end.root_value);
            self.end = Some(end);
            return Ok(());
        }
        Ok(())
    }
}

/// The current node while the line is followed.
struct LineNode<'a, G: Game> {
    game: &'a G,
    weights: &'a Weights,
    position: G::Position,
    history: G::History,
    remaining: Remaining,
    window: Window,
    ply: u32,
}

/// A move and the window that it was searched with.
type SearchedMove<G> = (<G as Rules>::Move, Window);

impl<G: Game> LineNode<'_, G> {
    fn make(&mut self, mv: G::Move, window: Window, mode: &Mode) {
        self.history.push(&self.position);
        self.position = self.game.apply(&self.position, mv);
        self.window = window.child(self.game);
        self.remaining = self.remaining.child(mode);
        self.ply += 1;
    }

    /// Converts a value for this node's side to move to one for the root's side to move.
    fn at_root(&self, value: Score) -> Score {
        (0..self.ply).fold(value, |value, _| value.parent(self.game))
    }

    /// Searches this inner node. Returns its moves with their values, and the best move (`None` if no move raised α).
    fn explain(
        &self,
        plain: &mut Plain<'_, G>,
        after: MoveText,
    ) -> PlainResult<(PlyExplained, Option<SearchedMove<G>>)> {
        let Self { game, position, history, remaining, window, .. } = self;
        // Two plies: the moves, and their replies.
        let mut builder = TreeBuilder::new((*game).clone(), Algorithm::AlphaBeta, 2, usize::MAX);
        let value = plain.watched((position, history), *remaining, *window, &mut builder)?;
        let name = |mv: &G::Move| game.move_text(position, *mv);
        let stand_pat = (remaining.depth == 0).then(|| plain.leaf(position, history));
        let mut ply = PlyExplained {
            ply: self.ply,
            after,
            state: game.format_position(position),
            side: game.side(position),
            depth: remaining.depth,
            stand_pat,
            window: *window,
            claim: BoundedValue::of(value, *window),
            best: None,
            moves: Vec::new(),
            spared: Vec::new(),
        };
        let floor = stand_pat.map_or(window.alpha, |pat| window.alpha.max(pat));
        let best =
            self.explain_moves(&mut ply, Window { alpha: floor, ..*window }, &builder.branches);
        ply.best = best.as_ref().map(|(mv, _)| name(mv));
        Ok((ply, best))
    }

    /// Adds the moves of the root of a tree, which was searched with the window `open`. Returns the best move.
    fn explain_moves(
        &self,
        ply: &mut PlyExplained,
        mut open: Window,
        branches: &[Branch<G>],
    ) -> Option<SearchedMove<G>> {
        let Self { game, position, .. } = self;
        let name = |mv: &G::Move| game.move_text(position, *mv);
        let mut best = None;
        let tried = |child: &&Branch<G>| child.node.parent == Some(0);
        for child in branches.iter().filter(tried) {
            let (Some(mv), Some(claim)) = (child.moves.first(), child.claim) else {
                ply.spared = child.moves.iter().map(name).collect();
                continue;
            };
            let value = claim.value.parent(*game);
            let exact = matches!(
                child.node.kind,
                NodeOutcome::Leaf | NodeOutcome::Terminal | NodeOutcome::Tables
            );
            let bound = if exact { Bound::Exact } else { Bound::of(value, open) };
            let raised = value > open.alpha;
            ply.moves.push(MoveExplained {
                mv: name(mv),
                claim: BoundedValue { bound, value },
                window: open,
                reply: child.explained(game, branches).reply,
                raised,
            });
            if raised {
                best = Some((*mv, open));
                open.alpha = value;
            }
        }
        best
    }

    fn end(&self, plain: &Plain<'_, G>) -> EndExplained {
        let Self { game, position, history, .. } = self;
        let over = game.terminal(position, history).is_some();
        let by = match plain.learned(position, history) {
            _ if over => "over",
            _ if plain.known(position).is_some() => "tables",
            Some(_) => "learned",
            None if plain.has_moves(self.remaining) => "stand-pat",
            None => "heuristic",
        };
        let value = plain.leaf(position, history);
        let terms = match by {
            "heuristic" | "stand-pat" => game.terms(self.weights, position),
            _ => Vec::new(),
        };
        EndExplained {
            ply: self.ply,
            state: game.format_position(position),
            side: game.side(position),
            value,
            root_value: self.at_root(value),
            by,
            words: game.status(position, history).description,
            terms,
            divisor: game.divisor(plain.context.evaluator),
        }
    }
}
