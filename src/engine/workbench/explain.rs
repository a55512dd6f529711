//! Explanations: why a value, why not a move, what an entry is good for.

use super::{Answer, Desk, Explaining, Running};
use crate::engine::{
    audit::{Claim, Effort, Halted, Plain, Remaining, Verdict, judge},
    explain::{Account, Tried},
    game::{Fault, Game, History, Keyed, Side, Window},
    memo::{Bound, Entry, Policy, Probe, Reuse, Slot},
    reply::{
        CutoffExplained, EndExplained, EntryExplained, MoveChoice, MoveExplained, PlyExplained,
        ProbeExplained, Reasons, Rival, Score, ValueExplained,
    },
    search::{Context, EventKind, Frame, Iteration, RootMove},
};

/// A node on the way along a line.
struct Walker<G: Game> {
    position: G::Position,
    history: G::History,
    remaining: Remaining,
    window: Window,
    ply: u32,
}

impl<G: Game> Desk<G> {
    /// A search with an iteration to explain.
    fn explainable(&self) -> Answer<(&Running<G>, &Iteration<G>)> {
        let running = self.run.under_way()?;
        let complete = running.search.complete().ok_or_else(|| {
            Fault::new("the search has not completed an iteration: there is no value to explain")
                .hint("`until iteration` or `continue` goes on")
        })?;
        Ok((running, complete))
    }

    /// The arbiter for the search at hand.
    fn with_plain<T>(
        &self,
        running: Option<&Running<G>>,
        nodes: Option<u64>,
        work: impl FnOnce(&mut Plain<'_, G>) -> T,
    ) -> Answer<T> {
        let evaluator = match running {
            Some(running) => running.evaluator.clone(),
            None => self.evaluator()?,
        };
        let context = Context {
            game: &self.run.searcher.game,
            evaluator: &evaluator,
            mode: self.run.searcher.settings.mode(),
        };
        let effort = Effort { interrupt: &self.run.interrupt, nodes };
        Ok(work(&mut Plain::new(&context, &self.run.searcher.memo, effort)))
    }

    fn explain_value_of(&self, nodes: u64) -> Answer<ValueExplained> {
        let (running, complete) = self.explainable()?;
        let root = running.search.root();
        let best = running.search.best_moves();
        let (Some(value), Some(first)) = (running.search.value(), best.first()) else {
            return Err(Fault::new("the search has found no value to explain"));
        };
        let mut moves: Vec<_> = complete.moves.iter().collect();
        let worth = |root: &RootMove<G>| root.value.unwrap_or(Score::NEG_INFINITY);
        moves.sort_by(|a, b| worth(b).order(worth(a)));
        let full = running.search.full_window();
        Ok(ValueExplained {
            state: self.run.searcher.game.format_position(root),
            side: self.run.searcher.game.side(root),
            depth: complete.depth,
            value,
            best: self.names(root, &best),
            moves: moves.iter().map(|mv| self.root_move_explained(root, mv, full)).collect(),
            reasons: self.reasons(running, (first, complete.depth), nodes)?,
        })
    }

    fn names(&self, root: &G::Position, moves: &[&RootMove<G>]) -> Vec<String> {
        let name =
            |root_move: &&RootMove<G>| self.run.searcher.game.format_move(root, root_move.mv);
        moves.iter().map(name).collect()
    }

    fn root_move_explained(
        &self,
        root: &G::Position,
        root_move: &RootMove<G>,
        full: Window,
    ) -> MoveExplained {
        let value = root_move.value.unwrap_or(full.alpha);
        MoveExplained {
            mv: self.run.searcher.game.format_move(root, root_move.mv),
            value,
            bound: Bound::Exact.name(),
            alpha: full.alpha,
            beta: full.beta,
            reply: self.line(root, &root_move.line).into_iter().nth(1),
            raised: false,
        }
    }

    fn explain_choice(&self, text: &str, nodes: u64) -> Answer<MoveChoice> {
        let (running, complete) = self.explainable()?;
        let root = running.search.root();
        let wanted = self.run.searcher.game.parse_move(root, &self.now.history, text)?;
        let found = complete.moves.iter().find(|root| root.mv == wanted);
        let (Some(found), Some(best_value)) = (found, running.search.value()) else {
            return Err(Fault::new(format!("the search has not looked at {text}")));
        };
        let best = running.search.best_moves();
        Ok(MoveChoice {
            state: self.run.searcher.game.format_position(root),
            side: self.run.searcher.game.side(root),
            depth: complete.depth,
            mv: self.run.searcher.game.format_move(root, wanted),
            value: found.value.unwrap_or(running.search.full_window().alpha),
            is_best: best.iter().any(|root| root.mv == wanted),
            best: self.names(root, &best),
            best_value,
            reasons: self.reasons(running, (found, complete.depth), nodes)?,
        })
    }

    /// The plain search's reasons for a root move's value.
    fn reasons(
        &self,
        running: &Running<G>,
        (first, depth): (&RootMove<G>, u8),
        nodes: u64,
    ) -> Answer<Reasons> {
        self.with_plain(Some(running), Some(nodes), |plain| {
            let mut reasons = Reasons {
                line: Vec::new(),
                plies: Vec::new(),
                end: None,
                plain_value: None,
                nodes: 0,
                notes: Vec::new(),
            };
            let walked = self.walk(plain, running, (first, depth), &mut reasons);
            reasons.nodes = plain.nodes();
            reasons.notes.extend(walked.err().map(|halted| match halted {
                Halted::Interrupted => "interrupted".to_owned(),
                Halted::Effort => format!(
                    "the rest would take more than {nodes} states: --nodes allows for more"
                ),
            }));
            if reasons
                .plain_value
                .is_some_and(|plain| Some(plain) != first.value)
            {
                reasons.notes.push(
                    "the search and the plain search do not agree on this move: `audit run` finds where they part"
                        .to_owned(),
                );
            }
            reasons
        })
    }

    fn walk(
        &self,
        plain: &mut Plain<'_, G>,
        running: &Running<G>,
        (first, depth): (&RootMove<G>, u8),
        reasons: &mut Reasons,
    ) -> Result<(), Halted> {
        let root = running.search.root();
        let full = running.search.full_window();
        let inside = first.value.is_some_and(|value| full.holds(value));
        let mut walker = Walker {
            position: root.clone(),
            history: self.now.history.clone(),
            remaining: Remaining::within(depth),
            // At the full window's edges no move exceeds the lower bound, and there would be no line.
            window: if inside { full } else { Window::INFINITE },
            ply: 0,
        };
        let mut next = Some((first.mv, walker.window));
        while let Some((mv, window)) = next {
            let name = self.run.searcher.game.format_move(&walker.position, mv);
            walker.make(&self.run.searcher.game, mv, window);
            reasons.line.push(name.clone());
            let here = (&walker.position, &walker.history);
            let over = self.run.searcher.game.terminal(here.0, here.1).is_some();
            if over || !plain.goes_on(walker.remaining) {
                self.conclude(plain, &walker, reasons);
                return Ok(());
            }
            let account = Account::of(plain, here, walker.remaining, walker.window)?;
            reasons
                .plain_value
                .get_or_insert(walker.at_root(&self.run.searcher.game, account.claim.value));
            next = account.best().map(|best| (best.mv, best.window));
            let beyond = walker.remaining.depth == 0;
            if !beyond || !account.tried.is_empty() {
                let ply = self.ply_explained(plain, &walker, &name, &account);
                reasons.plies.push(ply);
            }
            if beyond && next.is_none() {
                self.conclude(plain, &walker, reasons);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The line ends here, by the rules, the horizon or a static value that is kept.
    fn conclude(&self, plain: &Plain<'_, G>, walker: &Walker<G>, reasons: &mut Reasons) {
        let end = self.end(plain, walker);
        reasons.plain_value.get_or_insert(end.root_value);
        reasons.end = Some(end);
    }

    fn ply_explained(
        &self,
        plain: &Plain<'_, G>,
        walker: &Walker<G>,
        after: &str,
        account: &Account<G>,
    ) -> PlyExplained {
        let position = &walker.position;
        let name = |mv: G::Move| self.run.searcher.game.format_move(position, mv);
        let tried = |tried: &Tried<G>| {
            let next = self.run.searcher.game.apply(position, tried.mv);
            MoveExplained {
                mv: name(tried.mv),
                value: tried.claim.value,
                bound: tried.claim.bound.name(),
                alpha: tried.window.alpha,
                beta: tried.window.beta,
                reply: tried.reply.map(|mv| self.run.searcher.game.format_move(&next, mv)),
                raised: tried.raised,
            }
        };
        PlyExplained {
            ply: walker.ply,
            after: after.to_owned(),
            state: self.run.searcher.game.format_position(position),
            side: self.run.searcher.game.side(position),
            depth: walker.remaining.depth,
            stand_pat: (walker.remaining.depth == 0).then(|| plain.leaf(position, &walker.history)),
            alpha: walker.window.alpha,
            beta: walker.window.beta,
            value: account.claim.value,
            bound: account.claim.bound.name(),
            best: account.best().map(|best| name(best.mv)),
            moves: account.tried.iter().map(tried).collect(),
            spared: account.spared.iter().map(|&mv| name(mv)).collect(),
        }
    }

    fn end(&self, plain: &Plain<'_, G>, walker: &Walker<G>) -> EndExplained {
        let Walker { position, history, .. } = walker;
        let over = self.run.searcher.game.terminal(position, history).is_some();
        let by = match plain.learned(position, history) {
            _ if over => "over",
            Some(_) => "learned",
            None if plain.goes_on(walker.remaining) => "stand-pat",
            None => "heuristic",
        };
        let value = plain.leaf(position, history);
        EndExplained {
            ply: walker.ply,
            state: self.run.searcher.game.format_position(position),
            side: self.run.searcher.game.side(position),
            value,
            root_value: walker.at_root(&self.run.searcher.game, value),
            by,
            words: self.run.searcher.game.situation(position, history).words,
            terms: if matches!(by, "heuristic" | "stand-pat") {
                self.run.searcher.game.terms(&self.run.searcher.weights, position)
            } else {
                Vec::new()
            },
        }
    }

    fn explain_cutoff_here(&self) -> Answer<CutoffExplained> {
        let running = self.run.under_way()?;
        let machine = &running.search;
        let height = machine.ply() as usize;
        let ply = running.selected.unwrap_or(height).min(height);
        let frame = &machine.frames()[ply];
        if frame.whole {
            return Err(Fault::new("the root of a search for the best moves is never cut off: every move gets the full window")
                .hint("`catch cutoff` and `continue` lead to a cutoff, `frame N` selects a node below the root"));
        }
        let at_hand = ply == height;
        let by = match machine.describe().kind {
            EventKind::Hit if at_hand => "entry",
            EventKind::StandPat if at_hand => "stand-pat",
            _ => "move",
        };
        let found = (at_hand && by != "move").then(|| machine.found());
        let value = found.or(frame.choice().map(|_| frame.best));
        let cut = running.mode.algorithm.has_windows()
            && value.is_some_and(|value| frame.window.fails_high(value));
        let name = |mv: G::Move| self.run.searcher.game.format_move(&frame.position, mv);
        let left = &machine.moves_of(frame)[frame.entered()..];
        Ok(CutoffExplained {
            ply: ply as u32,
            state: self.run.searcher.game.format_position(&frame.position),
            side: self.run.searcher.game.side(&frame.position),
            cut,
            by: cut.then_some(by),
            mv: frame.choice().map(name),
            value,
            beta: frame.window.beta,
            spared: left.iter().map(|&mv| name(mv)).collect(),
            rival: self.rival(machine.frames(), ply),
        })
    }

    /// β is the best that the side above has so far, at the nearest of its nodes where a move has raised it.
    fn rival(&self, frames: &[Frame<G>], ply: usize) -> Option<Rival> {
        let above = (0..ply).rev().step_by(2);
        let (at, frame, mv) = above
            .map(|at| (at, &frames[at]))
            .filter(|(_, frame)| !frame.whole)
            .find_map(|(at, frame)| Some((at, frame, frame.choice()?)))?;
        Some(Rival {
            ply: at as u32,
            side: self.run.searcher.game.side(&frame.position),
            mv: self.run.searcher.game.format_move(&frame.position, mv),
            value: frame.best,
        })
    }

    fn explain_stored(&self, text: &str, nodes: u64) -> Answer<EntryExplained> {
        let place = self.placed(text)?;
        let at = place.at;
        let Some(entry) = self.run.searcher.memo.entries().get(at) else {
            let fault = Fault::new(format!("no entry {}", self.keyed_text(at)));
            return Err(match place.others.as_slice() {
                [] => fault.hint("`cache list` shows what there is"),
                others => fault.hint(format!("stored are {}", others.join(", "))),
            });
        };
        let (verdict, nodes) = self.with_plain(None, Some(nodes), |plain| {
            let verdict = judge(plain, &self.run.searcher.memo, (at, entry));
            (verdict, plain.nodes())
        })?;
        let mut explained = EntryExplained {
            key: self.keyed_text(at),
            entry: self.report_entry((at, entry)),
            verdict: "right",
            reason: None,
            read_by: None,
            read_value: None,
            true_value: None,
            cause: None,
            writer: None,
            serves: self.serves(),
            probe: self.probe_explained(at, &entry),
            nodes,
            notes: Vec::new(),
        };
        explained.take(verdict, entry.depth);
        Ok(explained)
    }

    fn serves(&self) -> &'static str {
        match (self.run.searcher.settings.memo, self.run.searcher.settings.reuse()) {
            (Policy::Rote, _) => "leaf",
            (Policy::Bound, Reuse::Deeper) => "deeper",
            _ => "equal",
        }
    }

    /// What the selected frame's window would make of an entry; the full window where no search is under way.
    fn probe_explained(&self, at: Keyed<G::Key>, entry: &Entry) -> Option<ProbeExplained> {
        let mode = self.run.searcher.settings.mode();
        let own = self.position_of(at).map(|position| self.run.searcher.game.side(&position));
        let stack = super::Searching::stack(self).ok();
        let frame = stack.as_ref().and_then(|stack| stack.frames.get(stack.selected));
        let (ply, depth, window, side) = if let Some(frame) = frame {
            let side = Side::ALL.into_iter().find(|side| frame.side == side.letter().to_string());
            let window = Window { alpha: frame.alpha, beta: frame.beta };
            (Some(frame.ply), frame.depth, window, side)
        } else {
            let full = self.run.searcher.game.full_window(&self.evaluator().ok()?);
            (None, entry.depth.unwrap_or(0), full, own)
        };
        let slot = Slot { key: at.key, negated: mode.negate_black && side == Some(Side::Black) };
        let probe = self.run.searcher.memo.probe(slot, depth, window);
        let (outcome, value, searched) = match probe {
            None => ("unasked", None, None),
            Some(Probe::Answer(value)) => ("answer", Some(value), None),
            Some(Probe::Search { window, found: true }) => {
                ("search", None, Some([window.alpha, window.beta]))
            }
            Some(Probe::Search { .. }) => ("miss", None, None),
        };
        Some(ProbeExplained {
            ply,
            same_key: frame
                .is_none_or(|frame| frame.key == self.keyed_text(Keyed { key: at.key, depth })),
            depth,
            alpha: window.alpha,
            beta: window.beta,
            outcome,
            value,
            window: searched,
        })
    }
}

impl<G: Game> Walker<G> {
    /// Makes a move that was tried under a window.
    fn make(&mut self, game: &G, mv: G::Move, window: Window) {
        self.history.push(&self.position);
        self.position = game.apply(&self.position, mv);
        self.window = window.child(game);
        self.remaining = self.remaining.child();
        self.ply += 1;
    }

    /// A value of the side to move here, for the side to move at the root.
    fn at_root(&self, game: &G, value: Score) -> Score {
        (0..self.ply).fold(value, |value, _| value.parent(game))
    }
}

impl EntryExplained {
    fn take(&mut self, verdict: Result<Verdict, Halted>, depth: Option<u8>) {
        match verdict {
            Ok(Verdict::Right) => {}
            Ok(Verdict::Ignored) => self.verdict = "ignored",
            Ok(Verdict::Unchecked(why)) => {
                self.verdict = "unchecked";
                self.reason = Some(why.words());
            }
            Ok(Verdict::Wrong(flaw)) => {
                let Claim { value, .. } = flaw.claim;
                self.verdict = "wrong";
                self.read_by = Some(flaw.reader);
                self.read_value = Some(value);
                self.true_value = Some(flaw.truth);
                self.cause = flaw.cause(depth);
            }
            Err(halted) => {
                self.verdict = "unchecked";
                self.reason = Some(match halted {
                    Halted::Interrupted => "the search for its true value was interrupted",
                    Halted::Effort => "its true value takes more states than --nodes allows",
                });
            }
        }
    }
}

impl<G: Game> Explaining for Desk<G> {
    fn explain_value(&self, nodes: u64) -> Answer<ValueExplained> {
        self.explain_value_of(nodes)
    }

    fn explain_move(&self, text: &str, nodes: u64) -> Answer<MoveChoice> {
        self.explain_choice(text, nodes)
    }

    fn explain_cutoff(&self) -> Answer<CutoffExplained> {
        self.explain_cutoff_here()
    }

    fn explain_entry(&mut self, key: &str, nodes: u64) -> Answer<EntryExplained> {
        let mut explained = self.explain_stored(key, nodes)?;
        let at = self.placed(key)?.at;
        // Without a recorded search nobody knows who wrote it.
        explained.writer = self.writer_of(at).ok().flatten();
        Ok(explained)
    }
}
