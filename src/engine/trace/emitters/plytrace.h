/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain. C99 and C++.
 *
 * Compile with -DPLYTRACE to trace; without it, every call compiles to nothing. In one source file, write
 * #define PLYTRACE_BODY before #include "plytrace.h".
 *
 *   pt_open("search.jsonl", "\"game\":\"chess\"");         other fields of the header as JSON, or ""
 *   pt_in(alpha, beta, depth, "e2e4", key_text, NULL);      ... pt_out(value, "e7e5");   texts may be NULL
 *
 * Triggers limit the trace to the subtrees they select: pt.key, pt.line ("e2e4 e7e5"), pt.min_depth, pt.from_node. With
 * pt.ring = 5000, the last events are kept in memory until pt_dump(), for example when an assertion fails. Set them before
 * pt_open. */
#ifndef PLYTRACE_H
#define PLYTRACE_H
#ifdef PLYTRACE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { PT_LINE = 512 };
struct plytrace {
    const char *path, *header, *key, *line;
    int min_depth, ring;
    long from_node, nodes, ring_next;
    int ply, begun, hidden, matched, closed; /* begun, hidden: ply + 1, or 0 */
    FILE *file;
    char (*kept)[PT_LINE];
};
extern struct plytrace pt;
void pt_write(int always, const char *format, ...);
void pt_enter(double a, double b, double d, const char *m, const char *k, const char *t, const char *p);
void pt_leave(double v, const char *m);
void pt_start(const char *path, const char *header);
void pt_dump(void);
const char *pt_text(const char *name, const char *text);
#define pt_open(path, header) pt_start(path, header)
#define pt_root(p) pt_write(1, "\"root\"%s", pt_text("p", p))
#define pt_iter(d) pt_write(1, "\"iter\",\"d\":%d", (int)(d))
#define pt_in(a, b, d, m, k, t) pt_enter(a, b, d, m, k, t, NULL)
#define pt_in_at(a, b, d, m, k, t, p) pt_enter(a, b, d, m, k, t, p)
#define pt_hit(v, t, d, used) pt_write(0, "\"hit\",\"v\":%.17g,\"d\":%d,\"u\":%s%s", (double)(v), (int)(d), (used) ? "true" : "false", pt_text("t", t))
#define pt_miss() pt_write(0, "\"miss\"")
#define pt_eval(v) pt_write(0, "\"eval\",\"v\":%.17g", (double)(v))
#define pt_skip(m, r) (pt_write(0, "\"skip\"%s%s", pt_text("m", m), pt_text("r", r)))
#define pt_put(v, t, d) pt_write(0, "\"put\",\"v\":%.17g,\"d\":%d%s", (double)(v), (int)(d), pt_text("t", t))
#define pt_put_at(k, v, t, d) pt_write(0, "\"put\",\"v\":%.17g,\"d\":%d%s%s", (double)(v), (int)(d), pt_text("t", t), pt_text("k", k))
#define pt_drop(k) pt_write(0, "\"drop\"%s", pt_text("k", k))
#define pt_cut(m, v) pt_write(0, "\"cut\",\"v\":%.17g%s", (double)(v), pt_text("m", m))
#define pt_out(v, m) pt_leave(v, m)
#define pt_stop(r) pt_write(1, "\"stop\"%s", pt_text("r", r))
#define pt_note(r) pt_write(0, "\"note\"%s", pt_text("r", r))
#define pt_close() (pt.file ? (void)fclose(pt.file) : (void)0, pt.file = NULL)
#ifdef PLYTRACE_BODY
struct plytrace pt;
const char *pt_text(const char *name, const char *text) { /* ,"name":"text"; four results are valid at a time */
    static char held[4][PT_LINE / 4];
    static int next;
    char *out = held[next++ % 4], *end = out + sizeof held[0] - 8;
    int at;
    if (!text) return "";
    at = sprintf(out, ",\"%s\":\"", name);
    for (out += at; *text && out < end; text++) {
        if (*text == '"' || *text == '\\') *out++ = '\\';
        if ((unsigned char)*text >= ' ') *out++ = *text;
    }
    strcpy(out, "\"");
    return held[(next - 1) % 4];
}
void pt_start(const char *path, const char *header) {
    int part = pt.key || pt.line || pt.min_depth || pt.from_node || pt.ring;
    pt.path = path, pt.header = header;
    if (pt.ring && !pt.kept) { pt.kept = (char (*)[PT_LINE])calloc((size_t)pt.ring, PT_LINE); return; }
    if (!(pt.file = fopen(path, "w"))) { perror(path); exit(1); }
    fprintf(pt.file, "{\"plytrace\":1%s%s%s}\n", *header ? "," : "", header, part ? ",\"table\":\"warm\"" : "");
}
void pt_write(int always, const char *format, ...) {
    char *kept = pt.kept ? pt.kept[pt.ring_next++ % pt.ring] : NULL;
    va_list fields;
    if (!always && (!pt.begun || pt.hidden)) { if (kept) pt.ring_next--; return; }
    va_start(fields, format);
    if (kept) vsnprintf(kept, PT_LINE, format, fields);
    else if (pt.file) { fputs("{\"e\":", pt.file); vfprintf(pt.file, format, fields); fputs("}\n", pt.file); }
    va_end(fields);
}
static int pt_matches(const char *m) { /* whether m is the move of pt.line at this ply */
    const char *word = pt.line;
    int ply;
    for (ply = 1; word && ply < pt.ply; ply++) if ((word = strchr(word, ' '))) word++;
    return word && m && !strncmp(word, m, strlen(m)) && (word[strlen(m)] == ' ' || !word[strlen(m)]);
}
static int pt_length(void) { const char *at; int words = *pt.line != 0; for (at = pt.line; *at; at++) words += *at == ' '; return words; }
void pt_enter(double a, double b, double d, const char *m, const char *k, const char *t, const char *p) {
    if (pt.line && pt.ply && pt.matched == pt.ply - 1 && pt_matches(m)) pt.matched = pt.ply;
    if (!pt.begun && (!pt.key || (k && !strcmp(k, pt.key))) && pt.nodes >= pt.from_node
        && (!pt.line || (pt.matched == pt.ply && pt.ply == pt_length()))) pt.begun = pt.ply + 1;
    if (!pt.hidden && d < pt.min_depth) pt.hidden = pt.ply + 1;
    pt_write(0, "\"in\",\"a\":%.17g,\"b\":%.17g,\"d\":%g%s%s%s%s", a < -1e300 ? -1e300 : a, b > 1e300 ? 1e300 : b, d,
             pt_text("m", m), pt_text("k", k), pt_text("t", t), pt_text("p", p));
    pt.ply++, pt.nodes++;
}
void pt_leave(double v, const char *m) {
    pt_write(0, "\"out\",\"v\":%.17g%s", v, pt_text("m", m));
    pt.ply--;
    if (pt.hidden == pt.ply + 1) pt.hidden = 0;
    if (pt.begun == pt.ply + 1) pt.begun = 0;
    if (pt.ply > 0 && pt.matched >= pt.ply) pt.matched = pt.ply - 1;
}
void pt_dump(void) { /* writes the events in the ring, from the first "in" on */
    long at = pt.ring_next > pt.ring ? pt.ring_next - pt.ring : 0, depth = 0;
    if (!pt.kept) return;
    pt_start(pt.path, pt.header);
    for (; at < pt.ring_next; at++) {
        const char *event = pt.kept[at % pt.ring];
        int in = !strncmp(event, "\"in\"", 4), out = !strncmp(event, "\"out\"", 5);
        if (depth > 0 || in || !strncmp(event, "\"root\"", 6) || !strncmp(event, "\"iter\"", 6)) fprintf(pt.file, "{\"e\":%s}\n", event);
        depth += in - (out && depth > 0);
    }
    fputs("{\"e\":\"stop\",\"r\":\"dump\"}\n", pt.file);
    pt_close();
}
#endif
#else
#define pt_open(path, header) ((void)0)
#define pt_root(p) ((void)0)
#define pt_iter(d) ((void)0)
#define pt_in(a, b, d, m, k, t) ((void)0)
#define pt_in_at(a, b, d, m, k, t, p) ((void)0)
#define pt_hit(v, t, d, used) ((void)0)
#define pt_miss() ((void)0)
#define pt_eval(v) ((void)0)
#define pt_skip(m, r) ((void)0)
#define pt_put(v, t, d) ((void)0)
#define pt_put_at(k, v, t, d) ((void)0)
#define pt_drop(k) ((void)0)
#define pt_cut(m, v) ((void)0)
#define pt_out(v, m) ((void)0)
#define pt_stop(r) ((void)0)
#define pt_note(r) ((void)0)
#define pt_dump() ((void)0)
#define pt_close() ((void)0)
#endif
#endif
