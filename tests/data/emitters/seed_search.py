"""The search of the seeds in small, on noughts and crosses: values are kept as White would see them.

With the word `defect` a value stored for Black is read without turning its sign again, as the first seed does.
"""
import sys

from plytrace import Plytrace

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
trace = Plytrace("trace.jsonl", program="seed search")
defect = "defect" in sys.argv
table = {}


def won(board):
    return any(board[a] == board[b] == board[c] == -1 for a, b, c in LINES)


def value(board):
    """What lines that are still open are worth to the side to move."""
    def open_to(side):
        return sum(all(board[i] in (0, side) for i in line) for line in LINES)
    return (open_to(1) - open_to(-1)) / 10


def search(board, side, limit, a, b, move=None):
    """`board` has 1 for the stones of the side to move."""
    key = "".join("_xo"[stone] for stone in board) + str(limit)
    trace.enter(a, b, limit, move=move, key=key, side="w" if side > 0 else "b")
    alpha, known = a, table.get(key)
    if known:
        stored, bound = known
        found = stored if defect else stored * side
        answers = bound == "exact" or bound == "lower" and found >= b or bound == "upper" and found <= a
        trace.hit(found, bound, limit, answers)
        if answers:
            trace.leave(found)
            return found
    else:
        trace.miss()
    free = [i for i in range(9) if not board[i]]
    if won(board) or not free or limit == 0:
        best = -1.0 if won(board) else 0.0 if not free else value(board)
        trace.eval(best)
    else:
        best = -2.0
        for i in free:
            after = [-stone for stone in board]
            after[i] = -1
            found = -search(after, -side, limit - 1, -b, -a, str(i))
            best, a = max(best, found), max(a, found)
            if best >= b:
                trace.cut(str(i), best)
                break
    bound = "upper" if best <= alpha else "lower" if best >= b else "exact"
    table[key] = best * side, bound
    trace.put(best, bound, limit)
    trace.leave(best)
    return best


trace.root()
for limit in range(1, 6):
    trace.iteration(limit)
    print(search([0] * 9, 1, limit, -2.0, 2.0))
trace.close()
