/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.
 *
 *   const { Plytrace } = require("./plytrace.js");
 *   const trace = new Plytrace("search.jsonl", { game: "chess", root: fen });      // or new Plytrace(null): no trace
 *   trace.enter(alpha, beta, depth, { m: "e2e4", k: "1f" });   ...   trace.leave(value, { m: best });   trace.close();
 *
 * The last argument of a call has the event's other fields, under their names in the format, or fields of your own.
 *
 * The file "-" is standard output, with "info string ply " before each line, for `trace diff --uci`.
 *
 * Triggers, in a third argument of `new Plytrace`, limit the trace to the subtrees they select: { belowKey: "1f",
 * line: "e2e4 e7e5", minDepth: 3, fromNode: 100000 }. With { ring: 5000 }, the last events are kept in memory until
 * dump(), for example when an assertion fails. A part begins with its root and open nodes. In a browser, set `trace.file` to an object with `write(text)` and `end()`. */
"use strict";

class Plytrace {
  constructor(path, header = {}, triggers = {}) {
    this.on = path !== null;
    if (!this.on) return;
    const { belowKey, line, minDepth, fromNode, ring } = triggers;
    this.path = path;
    this.belowKey = belowKey;
    this.line = line === undefined ? undefined : line.split(" ").filter((move) => move !== "");
    this.minDepth = minDepth;
    this.fromNode = fromNode;
    this.ring = ring;
    this.kept = [];
    this.ply = this.nodes = this.matched = 0;
    this.begun = this.hidden = this.begin = this.oldBegin = null;
    this.open = [];
    this.base = [];
    // Entries stored before a part, or inside hidden nodes, are not in the trace.
    const part = [belowKey, line, fromNode, ring].some((value) => value !== undefined);
    const table = minDepth !== undefined ? { table: "part" } : part ? { table: "warm" } : {};
    this.header = { plytrace: 1, ...header, ...table };
    if (!ring) this.create();
  }

  create() {
    if (this.path === "-") {
      this.file = { write(text) { console.log("info string ply " + text.trimEnd()); }, end() {} };
    } else if (typeof require === "function") {
      const fs = require("fs");
      const handle = fs.openSync(this.path, "w");
      let text = "";
      const flush = () => { fs.writeSync(handle, text); text = ""; };
      this.file = {
        write(more) { if ((text += more).length > 1 << 20) flush(); },
        end() { flush(); fs.closeSync(handle); },
      };
    } else {
      let text = "";
      this.file = { write(more) { text += more; }, end() { console.log(text); } };
    }
    this.file.write(JSON.stringify(this.header) + "\n");
  }

  write(event) {
    // JSON has no infinity: JSON.stringify would write null.
    const text = JSON.stringify(event, (_, value) =>
      value === Infinity ? 1e300 : value === -Infinity ? -1e300 : value);
    if (!this.ring) return this.file.write(text + "\n");
    this.kept.push([event, text]);
    if (this.kept.length <= this.ring) return;
    const [old] = this.kept.shift(); // what is left of the ring begins after this event
    if (old.e === "root" || old.e === "iter") this.base = [];
    if (old.e === "root") this.oldBegin = old;
    if (old.e === "in") this.base.push(old);
    if (old.e === "out") this.base.pop();
  }

  emit(e, fields, more) {
    if (this.on && this.begun !== null && this.hidden === null) this.write({ e, ...fields, ...more });
  }

  always(e, fields, more) {
    if (!this.on) return;
    const event = { e, ...fields, ...more };
    if (e === "root" || e === "iter") {
      this.ply = this.matched = 0;
      this.begun = this.hidden = null;
      this.open = [];
      if (e === "root") this.begin = event;
    }
    this.write(event);
  }

  root(p, more) { this.always("root", { p }, more); }
  iteration(d, more) { this.always("iter", { d }, more); }
  pv(m, more) { this.always("pv", { m }, more); }
  stop(r, more) { this.always("stop", { r }, more); }

  enter(a, b, d, more = {}) {
    if (!this.on) return;
    const { ply, line } = this;
    if (line && ply > 0 && this.matched === ply - 1 && ply <= line.length && line[ply - 1] === more.m) this.matched = ply;
    const onLine = !line || (this.matched === ply && ply === line.length);
    const atKey = this.belowKey === undefined || this.belowKey === more.k;
    if (this.begun === null && onLine && atKey && this.nodes >= (this.fromNode ?? 0)) {
      this.begun = ply;
      if (ply > 0) this.write(this.begin ?? { e: "root" });
      for (const event of this.open) this.write({ ...event, open: true });
    }
    if (this.begun === null) this.open.push({ e: "in", a, b, d, ...more });
    else this.emit("in", { a, b, d }, more);
    if (this.hidden === null && d < (this.minDepth ?? -Infinity)) {
      this.emit("skip", { r: "min_depth" });
      this.hidden = ply;
    }
    this.ply++;
    this.nodes++;
  }

  leave(v, more) {
    if (!this.on) return;
    this.ply = Math.max(this.ply - 1, 0);
    if (this.hidden === this.ply) this.hidden = null;
    if (this.begun === null) this.open.pop();
    this.emit("out", { v }, more);
    if (this.begun === this.ply) this.begun = null;
    if (this.ply > 0 && this.matched >= this.ply) this.matched = this.ply - 1;
  }

  hit(v, t, d, u, more) { this.emit("hit", { v, t, d, u }, more); }
  miss(more) { this.emit("miss", {}, more); }
  eval(v, more) { this.emit("eval", { v }, more); }
  skip(r, m, more) { this.emit("skip", { r, m }, more); }
  reduce(m, n, r, more) { this.emit("reduce", { m, n, r }, more); }
  extend(m, n, r, more) { this.emit("extend", { m, n, r }, more); }
  window(a, b, r, more) { this.emit("window", { a, b, r }, more); }
  put(v, t, d, more) { this.emit("put", { v, t, d }, more); }
  drop(k, more) { this.emit("drop", { k }, more); }
  cut(m, v, more) { this.emit("cut", { m, v }, more); }
  note(fields) { this.emit("note", fields); }

  /* Writes the events in the ring, after the root and the nodes that were open at its first event. */
  dump() {
    if (!this.on || !this.ring) return;
    this.create();
    this.ring = 0;
    if (this.base.length > 0) this.write(this.oldBegin ?? { e: "root" });
    for (const event of this.base) this.write({ ...event, open: true });
    for (const [, text] of this.kept) this.file.write(text + "\n");
    this.write({ e: "stop", r: "dump" });
    this.close();
  }

  close() {
    if (this.on && this.file) this.file.end();
    this.file = null;
  }
}

if (typeof module !== "undefined") module.exports = { Plytrace };
