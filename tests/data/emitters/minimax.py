"""Minimax with a branch for each side: values and windows are those of crosses at every node. Four in a row on 4 × 4 points,
from 50 random positions. `python3 minimax.py DEFECT` plants a defect; `none` is correct."""
import random
import sys

from plytrace import Plytrace

LINES = [[4 * row + i for i in range(4)] for row in range(4)] + [[4 * i + column for i in range(4)] for column in range(4)]
LINES += [[0, 5, 10, 15], [3, 6, 9, 12]]
WIN, MATE = 1000, 900
defect = sys.argv[1]
trace = Plytrace("trace.jsonl", program="minimax", view="first", mate=MATE, mates="root", shape=[4, 4])


def won(board, sign):
    return any(all(board[at] == sign for at in line) for line in LINES)


def evaluate(board):
    value = 0
    for line in LINES:
        signs = [board[at] for at in line]
        if "o" not in signs:
            value += signs.count("X") ** 2
        if "X" not in signs:
            value -= signs.count("o") ** 2
    return value


def moved(value, plies):
    """A mate counted from the node for the table (plies > 0), or from the root for the search (plies < 0)."""
    if abs(value) < MATE or defect == "mate":
        return value
    return value + plies if value > 0 else value - plies


def search(table, board, side, alpha, beta, depth, ply, move=None):
    key = board + side if defect != "key" else board.replace("o", ".") + side
    trace.enter(alpha, beta, depth, move=move, key=key, position=board + side, side="w" if side == "X" else "b")
    value, best = inner(table, board, side, alpha, beta, depth, ply, key)
    trace.leave(value, best)
    return value


def inner(table, board, side, alpha, beta, depth, ply, key):
    if won(board, "o" if side == "X" else "X"):
        return (ply - WIN if side == "X" else WIN - ply), None
    if "." not in board:
        return 0, None
    if key in table:
        value, bound, stored = table[key]
        value = moved(value, -ply)
        fits = bound == "exact" or value >= beta and bound == "lower" or value <= alpha and bound == "upper"
        used = (stored >= depth or defect == "depth") and (fits or defect == "bound")
        trace.hit(table[key][0] if defect != "sign" else -table[key][0], bound, stored, used)
        if used:
            return value, None
    else:
        trace.miss()
    if depth == 0:
        value = evaluate(board)
        if defect == "eval" and side == "o" and random.random() < 0.1:
            value += 1
        trace.eval(value)
        return value, None
    maximizes = side == "X"
    low, high, best, best_move = alpha, beta, -WIN * 2 if maximizes else WIN * 2, None
    for at in range(16):
        if board[at] != ".":
            continue
        after = board[:at] + side + board[at + 1:]
        value = search(table, after, "o" if maximizes else "X", low, high, depth - 1, ply + 1, str(at))
        if (value > best) if maximizes or defect == "side" else (value < best):
            best, best_move = value, str(at)
        if maximizes:
            low = max(low, best)
        else:
            high = min(high, best)
        cuts = best >= beta if maximizes else best <= alpha
        if defect == "cut" and not maximizes:
            cuts = best <= alpha + 3
        if cuts:
            trace.cut(str(at), best)
            break
    if defect == "turned" and not maximizes:
        alpha, beta = -beta, -alpha
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    if defect == "turned" and not maximizes:
        bound = {"lower": "upper", "upper": "lower"}.get(bound, bound)
    table[key] = (moved(best, ply), bound, depth)
    trace.put(moved(best, ply), bound, depth)
    return best, best_move


random.seed(35)
positions = 0
while positions < 50:
    board, side, plies = "." * 16, "X", random.randrange(4, 10)
    for _ in range(plies):
        at = random.choice([at for at in range(16) if board[at] == "."])
        board, side = board[:at] + side + board[at + 1:], "o" if side == "X" else "X"
    table = {}
    # The table lives on when a move is played, so that entries are read at another ply.
    for last in [(3, 2 * WIN), (3, 1)], [(3, 1), (3, 2 * WIN)]:
        if won(board, "X") or won(board, "o"):
            break
        positions += 1
        trace.root(board + side)
        value = 0
        for depth, window in [(1, 2 * WIN), (2, 2 * WIN), *last]:
            trace.iteration(depth)
            value = search(table, board, side, value - window, value + window, depth, 0)
        board = board.replace(".", side, 1)
        side = "o" if side == "X" else "X"
trace.close()
