// Traces CachedAlphaBetaSearch of Nine-Mens-Morris-AI, to the given depth after some given moves: see sessions/bugs.md.
// The program stays as it is: its search is wrapped from outside.
import java.util.*;
import node.*;
import search.*;
import state.*;

public class TracedMorris extends CachedAlphaBetaSearch {
    private static final double INF = Double.POSITIVE_INFINITY;
    private final Plytrace trace = new Plytrace("morris.jsonl", "\"view\":\"first\"").open();
    private final Map<IState, Integer> numbers = new HashMap<>();
    private final Map<Object, String> bounds = new HashMap<>();
    private final ArrayDeque<double[]> windows = new ArrayDeque<>();
    private Map<IState, Double>[] tables;
    private final int maxDepth;
    private double best = -INF;

    TracedMorris(int maxDepth) { this.maxDepth = maxDepth; }

    /** The program has a table for each depth: the part of the key after the `@`. */
    private String key(Object state, int depth) {
        return numbers.computeIfAbsent((IState) state, each -> numbers.size()) + "@" + depth;
    }

    private double traced(Node node, double alpha, double beta, int depth, boolean max) {
        trace.enter(alpha, beta, maxDepth - depth, String.valueOf(node.getGeneratingMove()), key(node.getState(), depth), null);
        windows.push(new double[] { alpha, beta, max ? 1 : 0, depth });
        double value = max ? super.maxValue(node, alpha, beta, depth) : super.minValue(node, alpha, beta, depth);
        windows.pop();
        trace.leave(value, null);
        return value;
    }

    @Override
    public double maxValue(Node node, double alpha, double beta, int depth) { return traced(node, alpha, beta, depth, true); }

    @Override
    public double minValue(Node node, double alpha, double beta, int depth) {
        if (tables == null) replaceTables();
        double value = traced(node, alpha, beta, depth, false);
        if (depth == 1) best = Math.max(best, value);
        return value;
    }

    /** The program's tables hold values without bounds. `bounds` holds what each value really is, given the window. */
    private class TracedTable extends HashMap<IState, Double> {
        private final int depth;

        TracedTable(int depth) { this.depth = depth; }

        @Override
        public Double put(IState state, Double value) {
            double[] window = windows.peek();
            String bound = depth == maxDepth ? "exact" : value <= window[0] ? "upper" : value >= window[1] ? "lower" : "exact";
            bounds.put(key(state, depth), bound);
            trace.put(value, bound, maxDepth - depth, key(state, depth));
            return super.put(state, value);
        }

        @Override
        public Double get(Object state) {
            Double value = super.get(state);
            double[] window = windows.peek();
            boolean used = depth == maxDepth || (window[2] == 1 ? value >= window[1] : value <= window[0]);
            trace.hit(value, bounds.get(key(state, depth)), maxDepth - depth, used);
            return value;
        }
    }

    @SuppressWarnings("unchecked")
    private void replaceTables() {
        try {
            var field = CachedAlphaBetaSearch.class.getDeclaredField("alreadyExpanded");
            field.setAccessible(true);
            tables = (Map<IState, Double>[]) field.get(this);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
        for (int depth = 1; depth < tables.length; depth++) tables[depth] = new TracedTable(depth);
    }

    /** The same search without a table. */
    private static class Plain extends AlphaBetaSearch {
        private double best = -INF;

        @Override
        public double minValue(Node node, double alpha, double beta, int depth) {
            double value = super.minValue(node, alpha, beta, depth);
            if (depth == 1) best = Math.max(best, value);
            return value;
        }
    }

    /** Arguments: the depth, the 24 points of the program's board (`.`, `w` or `b`), the stones in both hands. White moves. */
    public static void main(String[] args) {
        int depth = Integer.parseInt(args[0]);
        MillsBoard.color[] board = new MillsBoard.color[24];
        for (int point = 0; point < 24; point++) board[point] = MillsBoard.color.values()[".wb".indexOf(args[1].charAt(point))];
        Node root = new SimpleNode(new MillsState(true, Integer.parseInt(args[2]), board, null));
        Plain plain = new Plain();
        IAction move = plain.getNextMove(root, depth);
        System.out.println("without the table: value " + plain.best + ", " + move);
        TracedMorris traced = new TracedMorris(depth);
        traced.trace.enter(-INF, INF, depth, null, null, null);
        move = traced.getNextMove(root, depth);
        traced.trace.leave(traced.best, null);
        traced.trace.close();
        System.out.println("with the table:    value " + traced.best + ", " + move);
    }
}
