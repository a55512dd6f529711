"""plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.

    trace = Plytrace("search.jsonl", game="chess", root=fen)      # or Plytrace(None): no trace
    trace.enter(alpha, beta, depth, move="e2e4", key="1f")        # ... trace.leave(value, move)

Triggers are arguments of Plytrace() that limit the trace to the subtrees they select: below_key="1f", line="e2e4 e7e5",
min_depth=3, from_node=100000. With ring=5000, the last events are kept in memory until dump(), for example when an
assertion fails.
"""
import collections
import json


class Plytrace:
    def __init__(self, path, below_key=None, line=None, min_depth=None, from_node=None, ring=None, **header):
        self.on = path is not None
        if not self.on:
            return
        self.path, self.key, self.depth, self.node = path, below_key, min_depth, from_node
        self.line = line.split() if line is not None else None
        self.ring = collections.deque(maxlen=ring) if ring else None
        self.ply = self.nodes = self.matched = 0
        self.begun = self.hidden = None
        if (below_key, line, min_depth, from_node, ring) != (None,) * 5:
            header["table"] = "warm"  # entries stored outside the subtrees are not in the trace
        self.header = dict(plytrace=1, **header)
        self.file = None if ring else self._open()

    def _open(self):
        file = open(self.path, "w", encoding="utf-8")
        file.write(json.dumps(self.header) + "\n")
        return file

    def _write(self, e, fields):
        event = {"e": e}
        for name, value in fields.items():
            if isinstance(value, float) and abs(value) == float("inf"):
                value = 1e300 if value > 0 else -1e300
            if value is not None:
                event[name] = value
        if self.ring is not None:
            self.ring.append(event)
        else:
            self.file.write(json.dumps(event) + "\n")

    def _emit(self, e, **fields):
        if self.on and self.begun is not None and self.hidden is None:
            self._write(e, fields)

    def root(self, position=None):
        if self.on:
            self._write("root", dict(p=position))

    def iteration(self, depth):
        if self.on:
            self._write("iter", dict(d=depth))

    def enter(self, alpha, beta, depth, move=None, key=None, kind=None, position=None, side=None, **more):
        if not self.on:
            return
        if self.line is not None and self.ply and self.matched == self.ply - 1 < len(self.line):
            self.matched += self.line[self.ply - 1] == move
        if self.begun is None and self._selected(key):
            self.begun = self.ply
        if self.hidden is None and self.depth is not None and depth < self.depth:
            self.hidden = self.ply
        self._emit("in", a=alpha, b=beta, d=depth, m=move, k=key, t=kind, p=position, s=side, **more)
        self.ply += 1
        self.nodes += 1

    def _selected(self, key):
        return ((self.key is None or key == self.key)
                and (self.line is None or self.matched == self.ply == len(self.line))
                and (self.node is None or self.nodes >= self.node))

    def leave(self, value, move=None, **more):
        if not self.on:
            return
        self._emit("out", v=value, m=move, **more)
        self.ply -= 1
        if self.hidden == self.ply:
            self.hidden = None
        if self.begun == self.ply:
            self.begun = None
        if self.matched >= self.ply > 0:
            self.matched = self.ply - 1

    def hit(self, value, bound, depth, used, key=None, move=None, **more):
        self._emit("hit", v=value, t=bound, d=depth, u=used, k=key, m=move, **more)

    def miss(self, key=None):
        self._emit("miss", k=key)

    def eval(self, value):
        self._emit("eval", v=value)

    def skip(self, reason, move=None):
        self._emit("skip", r=reason, m=move)

    def put(self, value, bound, depth, key=None, move=None, **more):
        self._emit("put", v=value, t=bound, d=depth, k=key, m=move, **more)

    def drop(self, key):
        self._emit("drop", k=key)

    def cut(self, move=None, value=None):
        self._emit("cut", m=move, v=value)

    def stop(self, reason=None):
        if self.on:
            self._write("stop", dict(r=reason))

    def note(self, **fields):
        self._emit("note", **fields)

    def dump(self):
        """Writes the events in the ring, from the first `in` on."""
        if not self.on or self.ring is None:
            return
        depth = 0
        with self._open() as file:
            for event in list(self.ring) + [{"e": "stop", "r": "dump"}]:
                inside = depth > 0 or event["e"] in ("in", "root", "iter", "stop")
                if inside:
                    file.write(json.dumps(event) + "\n")
                depth += (event["e"] == "in") - (event["e"] == "out" and depth > 0)

    def close(self):
        if self.on and self.file:
            self.file.close()
