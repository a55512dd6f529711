"""A search that tells what it does."""
import sys

from plytrace import Plytrace

TRIGGERS = {
    "all": {}, "key": {"below_key": "1"}, "line": {"line": "0 1"},
    "depth": {"min_depth": 1}, "nodes": {"from_node": 50}, "ring": {"ring": 100},
}
trace = Plytrace("trace.jsonl", program="sample", **TRIGGERS[sys.argv[1]])


def search(p, a, b, d, move=None):
    trace.enter(a, b, d - 2, move=move, key=str(p), side="wb"[d % 2], late=move)
    if d == 0:
        value = p * 2654435761 % 1000 - 500
        trace.eval(value)
        trace.leave(value)
        return value
    trace.miss()
    best = -float("inf")
    trace.window(a, b, "the same")
    trace.skip('"late"', "3")
    for i in range(3):
        if d == 6:
            trace.extend(str(i), 0, "root")
        value = -search(p * 3 + 1 + i, -b, -a, d - 1, str(i))
        best, a = max(best, value), max(a, value)
        if best >= b:
            trace.cut(str(i), value)
            break
    trace.leave(best)
    return best


trace.root("start")
trace.iteration(6)
search(0, -float("inf"), float("inf"), 6)
trace.pv(["0", "1"])
trace.dump()
trace.close()
