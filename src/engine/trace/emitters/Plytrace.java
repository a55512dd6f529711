/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.
 *
 *   Plytrace trace = new Plytrace("search.jsonl", "\"game\":\"chess\"");     other fields of the header as JSON, or ""
 *   trace.enter(alpha, beta, depth, "e2e4", key, null);   ...   trace.leave(value, best);      texts may be null
 *   trace.also("s", "w").also("lmp", 3).eval(20);               further fields of the next event: the format's or your own
 *
 * `java -Dplytrace=true` switches tracing on; without it, every call returns at once and is removed by the JIT compiler.
 * The file "-" is standard output, with "info string ply " before each line, for `trace diff --uci`. Another thread gets
 * trace.thread(1); write its keys with put, before the entry is written.
 *
 * Triggers limit the trace to the subtrees they select: belowKey, line ("e2e4 e7e5"), fromNode. With minDepth, nodes of
 * smaller depth are written without what happens inside them. With ring = 5000, the last events are kept in memory until
 * dump(), for example when an assertion fails. A part begins with its root and open nodes. Set them before open(). */
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;

public final class Plytrace {
    public static final boolean ON = Boolean.getBoolean("plytrace");
    public String belowKey;
    public String[] line;
    public double minDepth = Double.NEGATIVE_INFINITY;
    public long fromNode;
    public int ring;
    private final String path, header;
    private final ArrayDeque<String> kept = new ArrayDeque<>();
    private final ArrayList<String> open = new ArrayList<>(), base = new ArrayList<>();
    private final StringBuilder more = new StringBuilder();
    private String root = "{\"e\":\"root\"}", oldRoot = root;
    private PrintWriter file;
    private int ply, matched, begun = -1, hidden = -1;
    private long nodes;
    private int thread;

    public Plytrace(String path, String header) {
        this.path = path;
        this.header = header;
    }

    public Plytrace open() {
        if (ON && ring == 0) create();
        return this;
    }

    /** The trace of another thread, in the same file. */
    public Plytrace thread(int number) {
        Plytrace other = new Plytrace(path, header);
        other.belowKey = belowKey;
        other.line = line;
        other.minDepth = minDepth;
        other.fromNode = fromNode;
        other.root = root;
        other.ring = ring;
        other.file = file;
        other.thread = number;
        if (ring > 0) other.write(root);
        return other;
    }

    private void create() {
        boolean part = belowKey != null || line != null || fromNode > 0 || ring > 0;
        String table = minDepth > Double.NEGATIVE_INFINITY ? ",\"table\":\"part\"" : part ? ",\"table\":\"warm\"" : "";
        try {
            OutputStream out = path.equals("-") ? System.out : new FileOutputStream(path);
            file = new PrintWriter(new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 18));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        print("{\"plytrace\":1" + (header.isEmpty() ? "" : ",") + header + table + "}");
    }

    private void print(String event) {
        boolean uci = path.equals("-");
        file.print((uci ? "info string ply " : "") + event + "\n");
        if (uci) file.flush();
    }

    private static String text(String name, String text) {
        if (text == null) return "";
        StringBuilder out = new StringBuilder(",\"" + name + "\":\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\');
            if (c >= ' ') out.append(c);
        }
        return out.append('"').toString();
    }

    private static String number(String name, double value) {
        if (value != value) return "";
        double v = Math.max(-1e300, Math.min(1e300, value));
        return ",\"" + name + "\":" + (v == (long) v && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v));
    }

    /** Adds a field to the next event. */
    public Plytrace also(String name, String value) { if (ON) more.append(text(name, value)); return this; }
    public Plytrace also(String name, double value) { if (ON) more.append(number(name, value)); return this; }
    public Plytrace also(String name, boolean value) { if (ON) more.append(",\"" + name + "\":" + value); return this; }

    private String event(String e, String fields) {
        String number = thread > 0 && !e.equals("root") ? number("th", thread) : "";
        String event = "{\"e\":\"" + e + "\"" + fields + more + number + "}";
        more.setLength(0);
        return event;
    }

    private void emit(String e, String fields) {
        String event = event(e, fields);
        if (begun >= 0 && hidden < 0) write(event);
    }

    private void begin(String e, String fields) {
        ply = matched = 0;
        begun = hidden = -1;
        open.clear();
        String event = event(e, fields);
        if (e.equals("root")) root = event;
        write(event);
    }

    private void write(String event) {
        if (ring == 0) {
            if (file != null) print(event);
            return;
        }
        kept.addLast(event);
        if (kept.size() <= ring) return;
        String old = kept.removeFirst();
        // What is left of the ring begins after this event.
        if (old.startsWith("{\"e\":\"root\"") || old.startsWith("{\"e\":\"iter\"")) {
            base.clear();
            if (old.startsWith("{\"e\":\"root\"")) oldRoot = old;
        } else if (old.startsWith("{\"e\":\"in\"")) {
            base.add(old);
        } else if (old.startsWith("{\"e\":\"out\"") && !base.isEmpty()) {
            base.remove(base.size() - 1);
        }
    }

    public void root(String p) { if (ON) begin("root", text("p", p)); }
    public void iteration(int d) { if (ON) begin("iter", number("d", d)); }
    public void hit(double v, String t, int d, boolean used) { if (ON) emit("hit", number("v", v) + number("d", d) + ",\"u\":" + used + text("t", t)); }
    public void miss() { if (ON) emit("miss", ""); }
    public void eval(double v) { if (ON) emit("eval", number("v", v)); }
    public void skip(String r, String m) { if (ON) emit("skip", text("r", r) + text("m", m)); }
    public void reduce(String m, int n, String r) { if (ON) emit("reduce", text("m", m) + number("n", n) + text("r", r)); }
    public void extend(String m, int n, String r) { if (ON) emit("extend", text("m", m) + number("n", n) + text("r", r)); }
    public void window(double a, double b, String r) { if (ON) emit("window", number("a", a) + number("b", b) + text("r", r)); }
    public void put(double v, String t, int d, String k) { if (ON) emit("put", number("v", v) + number("d", d) + text("t", t) + text("k", k)); }
    public void drop(String k) { if (ON) emit("drop", text("k", k)); }
    public void cut(String m, double v) { if (ON) emit("cut", number("v", v) + text("m", m)); }
    public void pv(String moves) { if (ON) write(event("pv", text("m", moves))); }
    public void stop(String r) { if (ON) write(event("stop", text("r", r))); }
    public void note(String r) { if (ON) emit("note", text("r", r)); }

    public void enter(double a, double b, double d, String m, String k, String t) {
        if (!ON) return;
        if (line != null && ply > 0 && matched == ply - 1 && ply <= line.length && line[ply - 1].equals(m)) matched = ply;
        boolean onLine = line == null || matched == ply && ply == line.length;
        String event = event("in", number("a", a) + number("b", b) + number("d", d) + text("m", m) + text("k", k) + text("t", t));
        if (begun < 0 && onLine && (belowKey == null || belowKey.equals(k)) && nodes >= fromNode) {
            begun = ply;
            if (ply > 0) write(root);
            for (String above : open) write(opened(above));
        }
        if (begun < 0) open.add(event);
        else if (hidden < 0) write(event);
        if (hidden < 0 && d < minDepth) {
            emit("skip", text("r", "min_depth"));
            hidden = ply;
        }
        ply++;
        nodes++;
    }

    private static String opened(String event) {
        return event.contains(",\"open\":") ? event : event.substring(0, event.length() - 1) + ",\"open\":true}";
    }

    public void leave(double v, String m) {
        if (!ON) return;
        ply = Math.max(ply - 1, 0);
        if (hidden == ply) hidden = -1;
        if (begun < 0 && !open.isEmpty()) open.remove(open.size() - 1);
        emit("out", number("v", v) + text("m", m));
        if (begun == ply) begun = -1;
        if (ply > 0 && matched >= ply) matched = ply - 1;
        if (ply == 0 && file != null) file.flush();
    }

    /** Writes the events in the ring, after the root and the nodes that were open at its first event. */
    public void dump() {
        if (!ON || ring == 0) return;
        create();
        if (!base.isEmpty()) print(oldRoot);
        for (String event : base) print(opened(event));
        for (String event : kept) print(event);
        print(event("stop", text("r", "dump")));
        close();
    }

    public void close() {
        if (file != null) file.close();
    }
}
