//! Reading moves: UCI, or the notation of books.

use super::{Move, Position, moves, san};
use crate::engine::game::Fault;

/// Reads a legal move in UCI (`e2e4`, `e7e8q`, castling `e1g1`) or SAN (`e4`, `Nbd7`, `exd6`, `O-O`, `e8=Q+`).
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, Fault> {
    let text = text.trim();
    match text.parse::<Move>() {
        Ok(mv) => uci(position, mv, text),
        Err(_) => san::read(position, text),
    }
}

fn uci(position: &Position, mv: Move, text: &str) -> Result<Move, Fault> {
    if position.is_legal(mv) {
        return Ok(mv);
    }
    let mut legal = Vec::new();
    moves::list(position, &mut legal);
    let side = position.side();
    let Some((piece, owner)) = position.at(mv.from) else {
        return Err(
            Fault::new(format!("{text} is not legal: {} is empty", mv.from))
                .hint("`moves` lists the legal moves"),
        );
    };
    if owner != side {
        return Err(
            Fault::new(format!("{text} is not legal: it is {side}'s turn"))
                .hint("`moves` lists the legal moves"),
        );
    }
    let promotes = legal
        .iter()
        .any(|known| known.from == mv.from && known.to == mv.to);
    if promotes && mv.promotion.is_none() {
        return Err(
            Fault::new(format!("{text} does not say what the pawn becomes"))
                .hint(format!("write {text}q, or r, b or n at the end")),
        );
    }
    let name = describe_piece(piece);
    let targets: Vec<_> = legal
        .iter()
        .filter(|known| known.from == mv.from)
        .map(|known| known.to.to_string())
        .collect();
    let hint = match targets.len() {
        0 => format!("the {name} on {} cannot move", mv.from),
        _ => format!(
            "the {name} on {} can go to {}",
            mv.from,
            deduplicated(targets).join(", ")
        ),
    };
    Err(Fault::new(format!("{text} is not legal")).hint(hint))
}

fn deduplicated(mut words: Vec<String>) -> Vec<String> {
    words.dedup();
    words
}

/// The name of a piece in words.
pub(super) const fn describe_piece(piece: cozy_chess::Piece) -> &'static str {
    use cozy_chess::Piece;
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}
