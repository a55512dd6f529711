/* A search that tells what it does. */
#define PLYTRACE_BODY
#include "plytrace.h"
#include <stdio.h>
#include <string.h>

static double search(unsigned long p, double a, double b, int d, const char *m) {
    static char texts[16][24];
    double best = -1e9;
    int i;
    sprintf(texts[d], "%lu", p);
    pt_also_text("s", d % 2 ? "b" : "w");
    pt_in(a, b, d - 2, m, texts[d], NULL);
    if (d == 0) {
        best = (double)((p * 2654435761UL) % 1000) - 500;
        pt_eval(best);
        pt_out(best, NULL);
        return best;
    }
    pt_miss();
    pt_window(a, b, "the same");
    for (i = 0; i < 4; i++) {
        char move[4];
        double v;
        sprintf(move, "%d", i);
        if (i == 3) {
            pt_skip(move, "\"late\"");
            continue;
        }
        if (d == 6) pt_extend(move, 0, "root");
        pt_also("late", i);
        v = -search(p * 3 + 1 + (unsigned long)i, -b, -a, d - 1, move);
        if (v > best) best = v;
        if (v > a) a = v;
        if (best >= b) {
            pt_cut(move, v);
            break;
        }
    }
    pt_out(best, NULL);
    return best;
}

int main(int count, char **words) {
    const char *trigger = count > 1 ? words[1] : "all";
#ifdef PLYTRACE
    if (!strcmp(trigger, "key")) pt.key = "1";
    if (!strcmp(trigger, "line")) pt.line = "0 1";
    if (!strcmp(trigger, "depth")) pt.min_depth = 1;
    if (!strcmp(trigger, "nodes")) pt.from_node = 50;
    if (!strcmp(trigger, "ring")) pt.ring = 100;
    pt.binary = count > 2;
#endif
    pt_open("trace.jsonl", "\"program\":\"sample\"");
    pt_root("start");
    pt_iter(6);
    search(0, -1e9, 1e9, 6, NULL);
    pt_pv("0 1");
    if (!strcmp(trigger, "ring")) pt_dump();
    pt_close();
    return 0;
}
