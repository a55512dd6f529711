/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.
 *
 *   const { Plytrace } = require("./plytrace.js");
 *   const trace = new Plytrace("search.jsonl", { game: "chess", root: fen });      // or new Plytrace(null): no trace
 *   trace.enter(alpha, beta, depth, { m: "e2e4", k: "1f" });   ...   trace.leave(value, { m: best });   trace.close();
 *
 * The last argument of a call has the event's other fields, under their names in the format, or fields of your own.
 *
 * Triggers, in a third argument of `new Plytrace`, limit the trace to the subtrees they select: { belowKey: "1f",
 * line: "e2e4 e7e5", minDepth: 3, fromNode: 100000 }. With { ring: 5000 }, the last events are kept in memory until
 * dump(), for example when an assertion fails. In a browser, set `trace.file` to an object with `write(text)` and `end()`. */
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
    this.begun = this.hidden = null;
    const part = Object.values(triggers).some((value) => value !== undefined);
    // Entries stored outside the selected subtrees are not in the trace.
    this.header = { plytrace: 1, ...header, ...(part ? { table: "warm" } : {}) };
    if (!ring) this.open();
  }

  open() {
    if (typeof require === "function") {
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
    if (this.kept.length === this.ring) this.kept.shift();
    this.kept.push([event.e, text]);
  }

  emit(e, fields, more) {
    if (this.on && this.begun !== null && this.hidden === null) this.write({ e, ...fields, ...more });
  }

  root(p) { if (this.on) this.write({ e: "root", p }); }
  iteration(d) { if (this.on) this.write({ e: "iter", d }); }
  stop(r) { if (this.on) this.write({ e: "stop", r }); }

  enter(a, b, d, more = {}) {
    if (!this.on) return;
    const { ply, line } = this;
    if (line && ply > 0 && this.matched === ply - 1 && ply <= line.length && line[ply - 1] === more.m) this.matched = ply;
    const onLine = !line || (this.matched === ply && ply === line.length);
    const atKey = this.belowKey === undefined || this.belowKey === more.k;
    if (this.begun === null && onLine && atKey && this.nodes >= (this.fromNode ?? 0)) this.begun = ply;
    if (this.hidden === null && d < (this.minDepth ?? -Infinity)) this.hidden = ply;
    this.emit("in", { a, b, d }, more);
    this.ply++;
    this.nodes++;
  }

  leave(v, more) {
    if (!this.on) return;
    this.emit("out", { v }, more);
    this.ply--;
    if (this.hidden === this.ply) this.hidden = null;
    if (this.begun === this.ply) this.begun = null;
    if (this.ply > 0 && this.matched >= this.ply) this.matched = this.ply - 1;
  }

  hit(v, t, d, u, more) { this.emit("hit", { v, t, d, u }, more); }
  miss(more) { this.emit("miss", {}, more); }
  eval(v) { this.emit("eval", { v }); }
  skip(r, m) { this.emit("skip", { r, m }); }
  put(v, t, d, more) { this.emit("put", { v, t, d }, more); }
  drop(k) { this.emit("drop", { k }); }
  cut(m, v) { this.emit("cut", { m, v }); }
  note(fields) { this.emit("note", fields); }

  /* Writes the events in the ring, from the first `in` on. */
  dump() {
    if (!this.on || !this.ring) return;
    this.open();
    let depth = 0;
    for (const [e, text] of this.kept) {
      if (depth > 0 || e === "in" || e === "root" || e === "iter" || e === "stop") this.file.write(text + "\n");
      depth += e === "in" ? 1 : e === "out" && depth > 0 ? -1 : 0;
    }
    this.file.write('{"e":"stop","r":"dump"}\n');
    this.close();
  }

  close() {
    if (this.on && this.file) this.file.end();
    this.file = null;
  }
}

if (typeof module !== "undefined") module.exports = { Plytrace };
