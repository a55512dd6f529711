/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain. C# 6.
 *
 *   var trace = new Plytrace("search.jsonl", "\"game\":\"chess\"");        other fields of the header as JSON, or ""
 *   trace.Open();                                                           without it, every call returns at once
 *   trace.Enter(alpha, beta, depth, "e2e4", key, null);   ...   trace.Leave(value, best);      texts may be null
 *   trace.Also("s", "w").Also("lmp", 3).Eval(20);               further fields of the next event: the format's or your own
 *
 * The file "-" is standard output, with "info string ply " before each line, for `trace diff --uci`. Another thread gets
 * trace.Thread(1); write its keys with Put, before the entry is written.
 *
 * Triggers limit the trace to the subtrees they select: BelowKey, Line ({"e2e4", "e7e5"}), FromNode. With MinDepth, nodes of
 * smaller depth are written without what happens inside them. With Ring = 5000, the last events are kept in memory until
 * Dump(), for example when an assertion fails. A part begins with its root and open nodes. Set them before Open(). */
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

public sealed class Plytrace {
    public string BelowKey;
    public string[] Line;
    public double MinDepth = double.NegativeInfinity;
    public long FromNode;
    public int Ring;
    sealed class Output { public TextWriter Writer; public bool On; }
    readonly string path, header;
    readonly Queue<string> kept = new Queue<string>();
    readonly List<string> open = new List<string>(), based = new List<string>();
    readonly StringBuilder more = new StringBuilder();
    Output file = new Output();
    string root = "{\"e\":\"root\"}", oldRoot = "{\"e\":\"root\"}";
    int thread, ply, matched, begun = -1, hidden = -1;
    long nodes;

    public Plytrace(string path, string header) {
        this.path = path;
        this.header = header;
    }

    public Plytrace Open() {
        file.On = true;
        if (Ring == 0) Create();
        return this;
    }

    /// <summary>The trace of another thread, in the same file.</summary>
    public Plytrace Thread(int number) {
        var other = new Plytrace(path, header) {
            BelowKey = BelowKey, Line = Line, MinDepth = MinDepth, FromNode = FromNode, Ring = Ring, root = root, file = file, thread = number,
        };
        if (Ring > 0) other.Write(root);
        return other;
    }

    void Create() {
        bool part = BelowKey != null || Line != null || FromNode > 0 || Ring > 0;
        string table = MinDepth > double.NegativeInfinity ? ",\"table\":\"part\"" : part ? ",\"table\":\"warm\"" : "";
        file.Writer = path == "-" ? Console.Out : new StreamWriter(path, false, new UTF8Encoding(false), 1 << 18);
        Print("{\"plytrace\":1" + (header == "" ? "" : ",") + header + table + "}");
    }

    void Print(string line) {
        lock (file) {
            if (file.Writer == null) return;
            file.Writer.Write((path == "-" ? "info string ply " : "") + line + "\n");
            if (path == "-") file.Writer.Flush();
        }
    }

    static string Text(string name, string text) {
        if (text == null) return "";
        var to = new StringBuilder(",\"" + name + "\":\"");
        foreach (char sign in text) {
            if (sign == '"' || sign == '\\') to.Append('\\');
            if (sign >= ' ') to.Append(sign);
        }
        return to.Append('"').ToString();
    }

    static string Number(string name, double value) {
        if (double.IsNaN(value)) return "";
        double v = Math.Max(-1e300, Math.Min(1e300, value));
        bool whole = Math.Abs(v) < 1e15 && v == Math.Floor(v);
        return ",\"" + name + "\":" + (whole ? ((long)v).ToString(CultureInfo.InvariantCulture) : v.ToString("R", CultureInfo.InvariantCulture));
    }

    static string Flag(string name, bool value) { return ",\"" + name + "\":" + (value ? "true" : "false"); }

    /// <summary>Adds a field to the next event.</summary>
    public Plytrace Also(string name, string value) { if (file.On) more.Append(Text(name, value)); return this; }
    public Plytrace Also(string name, double value) { if (file.On) more.Append(Number(name, value)); return this; }
    public Plytrace Also(string name, bool value) { if (file.On) more.Append(Flag(name, value)); return this; }

    string Event(string e, string fields) {
        string number = thread > 0 && e != "root" ? Number("th", thread) : "";
        string line = "{\"e\":\"" + e + "\"" + fields + more + number + "}";
        more.Length = 0;
        return line;
    }

    void Emit(string e, string fields) {
        string line = Event(e, fields);
        if (begun >= 0 && hidden < 0) Write(line);
    }

    void Begin(string e, string fields) {
        ply = matched = 0;
        begun = hidden = -1;
        open.Clear();
        string line = Event(e, fields);
        if (e == "root") root = line;
        Write(line);
    }

    static bool Is(string line, string e) { return line.StartsWith("{\"e\":\"" + e + "\"", StringComparison.Ordinal); }

    void Write(string line) {
        if (Ring == 0) {
            Print(line);
            return;
        }
        kept.Enqueue(line);
        if (kept.Count <= Ring) return;
        string old = kept.Dequeue();
        // What is left of the ring begins after this event.
        if (Is(old, "root") || Is(old, "iter")) based.Clear();
        if (Is(old, "root")) oldRoot = old;
        if (Is(old, "in")) based.Add(old);
        if (Is(old, "out") && based.Count > 0) based.RemoveAt(based.Count - 1);
    }

    public void Root(string p) { if (file.On) Begin("root", Text("p", p)); }
    public void Iteration(int d) { if (file.On) Begin("iter", Number("d", d)); }
    public void Hit(double v, string t, double d, bool used) { if (file.On) Emit("hit", Number("v", v) + Text("t", t) + Number("d", d) + Flag("u", used)); }
    public void Miss() { if (file.On) Emit("miss", ""); }
    public void Eval(double v) { if (file.On) Emit("eval", Number("v", v)); }
    public void Skip(string r, string m) { if (file.On) Emit("skip", Text("r", r) + Text("m", m)); }
    public void Reduce(string m, double n, string r) { if (file.On) Emit("reduce", Text("m", m) + Number("n", n) + Text("r", r)); }
    public void Extend(string m, double n, string r) { if (file.On) Emit("extend", Text("m", m) + Number("n", n) + Text("r", r)); }
    public void Window(double a, double b, string r) { if (file.On) Emit("window", Number("a", a) + Number("b", b) + Text("r", r)); }
    public void Put(double v, string t, double d, string k) { if (file.On) Emit("put", Number("v", v) + Text("t", t) + Number("d", d) + Text("k", k)); }
    public void Drop(string k) { if (file.On) Emit("drop", Text("k", k)); }
    public void Cut(string m, double v) { if (file.On) Emit("cut", Text("m", m) + Number("v", v)); }
    public void Pv(string moves) { if (file.On) Write(Event("pv", Text("m", moves))); }
    public void Stop(string r) { if (file.On) Write(Event("stop", Text("r", r))); }
    public void Note(string r) { if (file.On) Emit("note", Text("r", r)); }

    public void Enter(double a, double b, double d, string m, string k, string t) {
        if (!file.On) return;
        if (Line != null && ply > 0 && matched == ply - 1 && ply <= Line.Length && Line[ply - 1] == m) matched = ply;
        bool onLine = Line == null || matched == ply && ply == Line.Length;
        string line = Event("in", Number("a", a) + Number("b", b) + Number("d", d) + Text("m", m) + Text("k", k) + Text("t", t));
        if (begun < 0 && onLine && (BelowKey == null || BelowKey == k) && nodes >= FromNode) {
            begun = ply;
            if (ply > 0) Write(root);
            foreach (string above in open) Write(Opened(above));
        }
        if (begun < 0) open.Add(line);
        else if (hidden < 0) Write(line);
        if (hidden < 0 && d < MinDepth) {
            Emit("skip", Text("r", "min_depth"));
            hidden = ply;
        }
        ply++;
        nodes++;
    }

    static string Opened(string line) {
        return line.Contains(",\"open\":") ? line : line.Substring(0, line.Length - 1) + ",\"open\":true}";
    }

    public void Leave(double v, string m) {
        if (!file.On) return;
        ply = Math.Max(ply - 1, 0);
        if (hidden == ply) hidden = -1;
        if (begun < 0 && open.Count > 0) open.RemoveAt(open.Count - 1);
        Emit("out", Number("v", v) + Text("m", m));
        if (begun == ply) begun = -1;
        if (ply > 0 && matched >= ply) matched = ply - 1;
    }

    /// <summary>Writes the events in the ring, after the root and the nodes that were open at its first event.</summary>
    public void Dump() {
        if (!file.On || Ring == 0) return;
        Create();
        if (based.Count > 0) Print(oldRoot);
        foreach (string line in based) Print(Opened(line));
        foreach (string line in kept) Print(line);
        Print(Event("stop", Text("r", "dump")));
        Close();
    }

    public void Close() {
        if (file.Writer != null && path != "-") file.Writer.Dispose();
        file.Writer = null;
        file.On = false;
    }
}
