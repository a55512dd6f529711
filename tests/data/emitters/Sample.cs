/* A search that tells what it does. */
using System;

public static class Sample {
    static readonly Plytrace trace = new Plytrace("trace.jsonl", "\"program\":\"sample\"");

    static double Search(long p, double a, double b, int d, string m) {
        trace.Also("s", d % 2 == 1 ? "b" : "w").Also("late", d);
        trace.Enter(a, b, d - 2, m, p.ToString(), null);
        if (d == 0) {
            double value = (p * 2654435761L) % 1000 - 500;
            trace.Eval(value);
            trace.Leave(value, null);
            return value;
        }
        trace.Miss();
        double best = double.NegativeInfinity;
        trace.Window(a, b, "the same");
        trace.Skip("\"late\"", "3");
        for (int i = 0; i < 3; i++) {
            string move = i.ToString();
            if (d == 6) trace.Extend(move, 0, "root");
            double value = -Search(p * 3 + 1 + i, -b, -a, d - 1, move);
            best = Math.Max(best, value);
            a = Math.Max(a, value);
            if (best >= b) {
                trace.Cut(move, value);
                break;
            }
        }
        trace.Leave(best, null);
        return best;
    }

    public static void Main(string[] words) {
        switch (words[0]) {
            case "key": trace.BelowKey = "1"; break;
            case "line": trace.Line = new[] {"0", "1"}; break;
            case "depth": trace.MinDepth = 1; break;
            case "nodes": trace.FromNode = 50; break;
            case "ring": trace.Ring = 100; break;
        }
        trace.Open();
        trace.Root("start");
        trace.Iteration(6);
        Search(0, double.NegativeInfinity, double.PositiveInfinity, 6, null);
        trace.Pv("0 1");
        trace.Dump();
        trace.Close();
    }
}
