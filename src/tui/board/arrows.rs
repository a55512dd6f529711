//! Where an arrow key leads.

use super::BoardKey;
use crate::{engine::reply::Board, picture::View};

/// The next point along a line in the direction of an arrow as the board is seen, or else the nearest one that way.
pub(super) fn next(board: &Board, view: View, cursor: usize, key: BoardKey) -> Option<usize> {
    let place = |point: usize| {
        let at = board.points.get(point)?;
        Some(view.place(board, (at.x, at.y)))
    };
    let (x0, y0) = place(cursor)?;
    // How far along the arrow and how far beside it a point lies.
    let ahead = |point: usize| {
        let (x, y) = place(point)?;
        let (along, beside) = match key {
            BoardKey::Left => (x0.checked_sub(x)?, y.abs_diff(y0)),
            BoardKey::Right => (x.checked_sub(x0)?, y.abs_diff(y0)),
            BoardKey::Up => (y0.checked_sub(y)?, x.abs_diff(x0)),
            BoardKey::Down => (y.checked_sub(y0)?, x.abs_diff(x0)),
            _ => return None,
        };
        (along > 0).then_some((along, beside))
    };
    let on_line = neighbours(board, cursor).find(|&point| matches!(ahead(point), Some((_, 0))));
    on_line.or_else(|| {
        (0..board.points.len())
            .filter_map(|point| {
                ahead(point).map(|(along, beside)| (along.pow(2) + 4 * beside.pow(2), point))
            })
            .min()
            .map(|(_, point)| point)
    })
}

fn neighbours(board: &Board, point: usize) -> impl Iterator<Item = usize> {
    let steps = board.lines.iter().flat_map(|line| line.windows(2));
    steps.filter_map(move |step| match *step {
        [from, to] if from == point => Some(to),
        [from, to] if to == point => Some(from),
        _ => None,
    })
}
