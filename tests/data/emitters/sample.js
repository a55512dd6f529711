// A search that tells what it does.
const { Plytrace } = require("./plytrace.js");

const TRIGGERS = {
  all: {}, key: { belowKey: "1" }, line: { line: "0 1" },
  depth: { minDepth: 3 }, nodes: { fromNode: 50 }, ring: { ring: 100 },
};
const trace = new Plytrace("trace.jsonl", { program: "sample" }, TRIGGERS[process.argv[2]]);

function search(p, a, b, d, m) {
  trace.enter(a, b, d, { m, k: String(p) });
  if (d === 0) {
    const value = ((p * 7919) % 1000) - 500;
    trace.eval(value);
    trace.leave(value);
    return value;
  }
  trace.miss();
  trace.window(a, b, "the same");
  trace.skip('"late"', "3");
  let best = -Infinity;
  for (let i = 0; i < 3; i++) {
    if (d === 6) trace.extend(String(i), 0, "root");
    const value = -search(p * 3 + 1 + i, -b, -a, d - 1, String(i));
    best = Math.max(best, value);
    a = Math.max(a, value);
    if (best >= b) {
      trace.cut(String(i), value);
      break;
    }
  }
  trace.leave(best);
  return best;
}

trace.root("start");
trace.iteration(6);
search(0, -Infinity, Infinity, 6);
trace.pv("0 1");
trace.dump();
trace.close();
