"""plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.

    trace = Plytrace("search.jsonl", game="chess", root=fen)      # or Plytrace(None): no trace
    trace.enter(alpha, beta, depth, move="e2e4", key="1f")        # ... trace.leave(value, move)
    trace.eval(35, phase=12, corrected=True)                      # every call takes further fields: the format's or your own

The file "-" is standard output, with "info string ply " before each line, for `trace diff --uci`. Another thread gets
trace.thread(1); write its keys with put, before the entry is written.

Triggers are arguments of Plytrace() that limit the trace to the subtrees they select: below_key="1f", line="e2e4 e7e5",
from_node=100000. With min_depth=3, nodes of smaller depth are written without what happens inside them. With ring=5000,
the last events are kept in memory until dump(), for example when an assertion fails. A part begins with its root and the
open nodes.
"""
import collections
import copy
import json
import sys
import threading


class Plytrace:
    def __init__(self, path, below_key=None, line=None, min_depth=None, from_node=None, ring=None, **header):
        self.on = path is not None
        if not self.on:
            return
        self.path, self.key, self.depth, self.node = path, below_key, min_depth, from_node
        self.line = line.split() if line is not None else None
        self.ring = collections.deque() if ring else None
        self.size = ring
        self.ply = self.nodes = self.matched = 0
        self.begun = self.hidden = self.begin = self.old_begin = None
        self.open, self.base = [], []
        if (below_key, line, from_node, ring) != (None,) * 4:
            header["table"] = "warm"  # entries stored before a part are not in the trace
        if min_depth is not None:
            header["table"] = "part"  # nor are those stored inside hidden nodes
        self.header = dict(plytrace=1, **header)
        self.number, self.lock = 0, threading.Lock()
        self.file = None if ring else self._open()

    def _open(self):
        self.file = sys.stdout if self.path == "-" else open(self.path, "w", encoding="utf-8")
        self._print(self.header)
        return self.file

    def _print(self, event):
        line = ("info string ply " if self.path == "-" else "") + json.dumps(event) + "\n"
        with self.lock:
            self.file.write(line)
            if self.path == "-":
                self.file.flush()

    def thread(self, number):
        """The trace of another thread, in the same file."""
        other = copy.copy(self)
        if self.on:
            other.number, other.open, other.ply, other.nodes, other.matched = number, [], 0, 0, 0
            other.begun = other.hidden = None
            if self.ring is not None:
                other.ring, other.base = collections.deque([self.begin or {"e": "root"}]), []
        return other

    def _event(self, e, fields):
        event = {"e": e}
        if self.number and e != "root":
            event["th"] = self.number
        for name, value in fields.items():
            if isinstance(value, float):
                if value != value:
                    continue
                value = max(-1e300, min(1e300, value))
            if value is not None:
                event[name] = value
        return event

    def _write(self, event):
        if self.ring is None:
            self._print(event)
            return
        self.ring.append(event)
        if len(self.ring) > self.size:  # what is left of the ring begins after this event
            old = self.ring.popleft()
            if old["e"] in ("root", "iter"):
                self.base = []
                self.old_begin = old if old["e"] == "root" else self.old_begin
            elif old["e"] == "in":
                self.base.append(old)
            elif old["e"] == "out" and self.base:
                self.base.pop()

    def _emit(self, e, **fields):
        if self.on and self.begun is not None and self.hidden is None:
            self._write(self._event(e, fields))

    def _always(self, e, **fields):
        if self.on:
            event = self._event(e, fields)
            if e in ("root", "iter"):
                self.ply = self.matched = 0
                self.begun = self.hidden = None
                self.open = []
                self.begin = event if e == "root" else self.begin
            self._write(event)

    def root(self, position=None, **more):
        self._always("root", p=position, **more)

    def iteration(self, depth, **more):
        self._always("iter", d=depth, **more)

    def enter(self, alpha, beta, depth, move=None, key=None, kind=None, position=None, side=None, **more):
        if not self.on:
            return
        if self.line is not None and self.ply and self.matched == self.ply - 1 < len(self.line):
            self.matched += self.line[self.ply - 1] == move
        if self.begun is None and self._selected(key):
            self.begun = self.ply
            if self.ply:
                self._write(self.begin or {"e": "root"})
            for event in self.open:
                self._write(dict(event, open=True))
        event = self._event("in", dict(a=alpha, b=beta, d=depth, m=move, k=key, t=kind, p=position, s=side, **more))
        if self.begun is None:
            self.open.append(event)
        elif self.hidden is None:
            self._write(event)
        if self.hidden is None and self.depth is not None and depth < self.depth:
            self._emit("skip", r="min_depth")
            self.hidden = self.ply
        self.ply += 1
        self.nodes += 1

    def _selected(self, key):
        return ((self.key is None or key == self.key)
                and (self.line is None or self.matched == self.ply == len(self.line))
                and (self.node is None or self.nodes >= self.node))

    def leave(self, value, move=None, **more):
        if not self.on:
            return
        self.ply = max(self.ply - 1, 0)
        if self.hidden == self.ply:
            self.hidden = None
        if self.begun is None and self.open:
            self.open.pop()
        self._emit("out", v=value, m=move, **more)
        if self.begun == self.ply:
            self.begun = None
        if self.matched >= self.ply > 0:
            self.matched = self.ply - 1
        if self.ply == 0 and self.file:
            self.file.flush()

    def hit(self, value, bound, depth, used, key=None, move=None, **more):
        self._emit("hit", v=value, t=bound, d=depth, u=used, k=key, m=move, **more)

    def miss(self, key=None, **more):
        self._emit("miss", k=key, **more)

    def eval(self, value, **more):
        self._emit("eval", v=value, **more)

    def skip(self, reason, move=None, **more):
        self._emit("skip", r=reason, m=move, **more)

    def reduce(self, move, plies, reason=None, **more):
        self._emit("reduce", m=move, n=plies, r=reason, **more)

    def extend(self, move, plies, reason=None, **more):
        self._emit("extend", m=move, n=plies, r=reason, **more)

    def window(self, alpha, beta, reason=None, **more):
        self._emit("window", a=alpha, b=beta, r=reason, **more)

    def put(self, value, bound, depth, key=None, move=None, **more):
        self._emit("put", v=value, t=bound, d=depth, k=key, m=move, **more)

    def drop(self, key, **more):
        self._emit("drop", k=key, **more)

    def cut(self, move=None, value=None, **more):
        self._emit("cut", m=move, v=value, **more)

    def pv(self, moves, **more):
        self._always("pv", m=moves, **more)

    def stop(self, reason=None, **more):
        self._always("stop", r=reason, **more)

    def note(self, **fields):
        self._emit("note", **fields)

    def dump(self):
        """Writes the events in the ring, after the root and the nodes that were open at its first event."""
        if not self.on or self.ring is None:
            return
        begin = [self.old_begin or {"e": "root"}] if self.base else []
        nodes = [dict(event, open=True) for event in self.base]
        self._open()
        for event in begin + nodes + list(self.ring) + [self._event("stop", {"r": "dump"})]:
            self._print(event)
        self.close()

    def close(self):
        if self.on and self.file and self.path != "-":
            self.file.close()
