/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain.
 *
 *   Plytrace trace = new Plytrace("search.jsonl", "\"game\":\"chess\"");     other fields of the header as JSON, or ""
 *   trace.enter(alpha, beta, depth, "e2e4", key, null);   ...   trace.leave(value, best);      texts may be null
 *
 * `java -Dplytrace=true` switches tracing on; without it, every call returns at once and is removed by the JIT compiler.
 * Triggers limit the trace to the subtrees they select: belowKey, line ("e2e4 e7e5"), minDepth, fromNode. With ring = 5000,
 * the last events are kept in memory until dump(), for example when an assertion fails. Set them before open(). */
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

public final class Plytrace {
    public static final boolean ON = Boolean.getBoolean("plytrace");
    public String belowKey;
    public String[] line;
    public double minDepth = Double.NEGATIVE_INFINITY;
    public long fromNode;
    public int ring;
    private final String path, header;
    private final ArrayDeque<String> kept = new ArrayDeque<>();
    private PrintWriter file;
    private int ply, matched, begun = -1, hidden = -1;
    private long nodes;

    public Plytrace(String path, String header) {
        this.path = path;
        this.header = header;
    }

    public Plytrace open() {
        if (ON && ring == 0) create();
        return this;
    }

    private void create() {
        boolean part = belowKey != null || line != null || minDepth > Double.NEGATIVE_INFINITY || fromNode > 0 || ring > 0;
        try {
            file = new PrintWriter(new BufferedWriter(new OutputStreamWriter(new FileOutputStream(path), StandardCharsets.UTF_8)));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        file.print("{\"plytrace\":1" + (header.isEmpty() ? "" : ",") + header + (part ? ",\"table\":\"warm\"" : "") + "}\n");
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

    private void write(boolean always, String event) {
        if (!always && (begun < 0 || hidden >= 0)) return;
        if (ring > 0) {
            if (kept.size() == ring) kept.removeFirst();
            kept.addLast(event);
        } else if (file != null) {
            file.print("{\"e\":" + event + "}\n");
        }
    }

    public void root(String p) { if (ON) write(true, "\"root\"" + text("p", p)); }
    public void iteration(int d) { if (ON) write(true, "\"iter\",\"d\":" + d); }
    public void hit(double v, String t, int d, boolean used) { if (ON) write(false, "\"hit\",\"v\":" + v + ",\"d\":" + d + ",\"u\":" + used + text("t", t)); }
    public void miss() { if (ON) write(false, "\"miss\""); }
    public void eval(double v) { if (ON) write(false, "\"eval\",\"v\":" + v); }
    public void skip(String r, String m) { if (ON) write(false, "\"skip\"" + text("r", r) + text("m", m)); }
    public void put(double v, String t, int d, String k) { if (ON) write(false, "\"put\",\"v\":" + v + ",\"d\":" + d + text("t", t) + text("k", k)); }
    public void drop(String k) { if (ON) write(false, "\"drop\"" + text("k", k)); }
    public void cut(String m, double v) { if (ON) write(false, "\"cut\",\"v\":" + v + text("m", m)); }
    public void stop(String r) { if (ON) write(true, "\"stop\"" + text("r", r)); }
    public void note(String r) { if (ON) write(false, "\"note\"" + text("r", r)); }

    public void enter(double a, double b, double d, String m, String k, String t) {
        if (!ON) return;
        if (line != null && ply > 0 && matched == ply - 1 && ply <= line.length && line[ply - 1].equals(m)) matched = ply;
        boolean onLine = line == null || matched == ply && ply == line.length;
        if (begun < 0 && onLine && (belowKey == null || belowKey.equals(k)) && nodes >= fromNode) begun = ply;
        if (hidden < 0 && d < minDepth) hidden = ply;
        write(false, "\"in\",\"a\":" + Math.max(a, -1e300) + ",\"b\":" + Math.min(b, 1e300) + ",\"d\":" + d
            + text("m", m) + text("k", k) + text("t", t));
        ply++;
        nodes++;
    }

    public void leave(double v, String m) {
        if (!ON) return;
        write(false, "\"out\",\"v\":" + v + text("m", m));
        ply--;
        if (hidden == ply) hidden = -1;
        if (begun == ply) begun = -1;
        if (ply > 0 && matched >= ply) matched = ply - 1;
    }

    /** Writes the events in the ring, from the first `in` on. */
    public void dump() {
        if (!ON || ring == 0) return;
        create();
        int depth = 0;
        for (String event : kept) {
            boolean enters = event.startsWith("\"in\"");
            if (depth > 0 || enters || event.startsWith("\"root") || event.startsWith("\"iter")) file.print("{\"e\":" + event + "}\n");
            depth += enters ? 1 : event.startsWith("\"out\"") && depth > 0 ? -1 : 0;
        }
        file.print("{\"e\":\"stop\",\"r\":\"dump\"}\n");
        close();
    }

    public void close() {
        if (file != null) file.close();
    }
}
