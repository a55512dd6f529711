// Traces a search of Garbochess-JS: node garbochess.js FOLDER/js/garbochess.js DEPTH "FEN"
// Writes garbochess.jsonl. Needs plytrace.js (`plyscope -c 'trace emitter javascript'`) in the current folder.
// The program stays as it is: its functions are wrapped from outside.
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { Plytrace } = require(path.resolve("plytrace.js"));

const [program, depth, fen] = process.argv.slice(2);
globalThis.self = globalThis;
vm.runInThisContext(fs.readFileSync(program, "utf8"), { filename: program });
ResetGame();
InitializeFromFen(fen);
g_timeout = Infinity;

const trace = new Plytrace("garbochess.jsonl", { game: "chess", root: GetFen(), mate: maxMateBuffer });
const key = () => [g_hashKeyHigh, g_hashKeyLow].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
const BOUNDS = { [hashflagAlpha]: "upper", [hashflagBeta]: "lower", [hashflagExact]: "exact" };
const moves = [];
let entered = 0; // moves made when the current node was entered

function traced(search, alpha, beta, depth, t, replaces = () => false) {
  const m = moves.length > entered ? FormatMove(moves.at(-1)) : undefined;
  const outer = entered;
  entered = moves.length;
  trace.enter(alpha, beta, depth, { m, t, k: key(), p: GetFen() });
  const entry = t !== "qs" && depth > 0 ? g_hashTable[g_hashKeyLow & g_hashMask] : null;
  if (entry && entry.lock === g_hashKeyHigh) {
    trace.hit(entry.value, BOUNDS[entry.flags], entry.hashDepth, replaces(entry), { a: alpha, b: beta });
  }
  const value = search();
  trace.leave(value);
  entered = outer;
  return value;
}

const original = { AlphaBeta, AllCutNode, QSearch, Evaluate, StoreHash, MakeMove, UnmakeMove };
AlphaBeta = (ply, depth, alpha, beta) =>
  traced(() => original.AlphaBeta(ply, depth, alpha, beta), alpha, beta, ply, "pv");
AllCutNode = (ply, depth, beta, allowNull) =>
  traced(() => original.AllCutNode(ply, depth, beta, allowNull), beta - 1, beta, ply, allowNull ? "zero" : "null",
    ({ hashDepth, flags, value }) => hashDepth >= ply && !IsRepDraw() &&
      (flags === hashflagExact || (flags === hashflagAlpha) === (value < beta)));
QSearch = (alpha, beta, ply) => traced(() => original.QSearch(alpha, beta, ply), alpha, beta, ply, "qs");
Evaluate = () => {
  const value = original.Evaluate();
  trace.eval(value);
  return value;
};
StoreHash = (value, flags, ply, move, depth) => {
  original.StoreHash(value, flags, ply, move, depth);
  const m = move ? FormatMove(move) : undefined;
  trace.put(g_hashTable[g_hashKeyLow & g_hashMask].value, BOUNDS[flags], ply, { m });
  if (flags === hashflagBeta) trace.cut(m, value);
};
MakeMove = (move) => {
  const legal = original.MakeMove(move);
  if (legal) moves.push(move);
  return legal;
};
UnmakeMove = (move) => {
  moves.pop();
  original.UnmakeMove(move);
};

Search((move, value, _, plies) => {
  console.log(`depth ${plies}  value ${value}  best ${FormatMove(move)}  nodes ${g_nodeCount + g_qNodeCount}`);
}, Number(depth), null);
trace.close();
