/* A search that tells what it does. */
public final class Sample {
    static final Plytrace trace = new Plytrace("trace.jsonl", "\"program\":\"sample\"");

    static double search(long p, double a, double b, int d, String m) {
        trace.also("s", d % 2 == 1 ? "b" : "w").also("late", d);
        trace.enter(a, b, d - 2, m, Long.toString(p), null);
        if (d == 0) {
            double value = (p * 2654435761L) % 1000 - 500;
            trace.eval(value);
            trace.leave(value, null);
            return value;
        }
        trace.miss();
        double best = Double.NEGATIVE_INFINITY;
        trace.window(a, b, "the same");
        trace.skip("\"late\"", "3");
        for (int i = 0; i < 3; i++) {
            String move = Integer.toString(i);
            if (d == 6) trace.extend(move, 0, "root");
            double value = -search(p * 3 + 1 + i, -b, -a, d - 1, move);
            best = Math.max(best, value);
            a = Math.max(a, value);
            if (best >= b) {
                trace.cut(move, value);
                break;
            }
        }
        trace.leave(best, null);
        return best;
    }

    public static void main(String[] words) {
        switch (words[0]) {
            case "key" -> trace.belowKey = "1";
            case "line" -> trace.line = new String[] {"0", "1"};
            case "depth" -> trace.minDepth = 1;
            case "nodes" -> trace.fromNode = 50;
            case "ring" -> trace.ring = 100;
            default -> { }
        }
        trace.open();
        trace.root("start");
        trace.iteration(6);
        search(0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 6, null);
        trace.pv("0 1");
        trace.dump();
        trace.close();
    }
}
