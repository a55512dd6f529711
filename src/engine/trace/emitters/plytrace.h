/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain. C99 and C++.
 *
 * Compile with -DPLYTRACE to trace; without it, every call compiles to nothing. In one source file, write
 * #define PLYTRACE_BODY before #include "plytrace.h". Before pt_open and after pt_close, a call costs one comparison.
 *
 *   pt_open("search.jsonl", "\"game\":\"chess\"");         other fields of the header as JSON, or ""
 *   pt_in(alpha, beta, depth, "e2e4", pt_hex(key), NULL);   ... pt_out(value, "e7e5");   texts may be NULL
 *   pt_also("lmp", count); pt_also_text("s", "w");          further fields of the next event: the format's or your own
 *
 * Triggers limit the trace to the subtrees they select: pt.key, pt.line ("e2e4 e7e5"), pt.from_node. With pt.min_depth, nodes
 * of smaller depth are written without what happens inside them. With pt.ring = 5000, the last events are kept in memory
 * until pt_dump(), for example when an assertion fails. A part begins with its root and open nodes. Set them before pt_open. */
#ifndef PLYTRACE_H
#define PLYTRACE_H
#ifdef PLYTRACE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { PT_LINE = 4096, PT_PLIES = 1024 };
struct pt_text { char text[PT_LINE]; int at; };
struct plytrace {
    int min_depth, ring;
    long from_node;
    const char *key, *line;
    int on, parts, ply, begun, hidden, matched, bases; /* begun, hidden: ply + 1, or 0 */
    long nodes, ring_next;
    const char *path, *header;
    FILE *file;
    char **kept, *root, *old_root, *open[PT_PLIES], *base[PT_PLIES];
    struct pt_text now, more;
};
extern struct plytrace pt;
void pt_start(const char *path, const char *header), pt_finish(void), pt_dump(void);
void pt_begin(const char *e), pt_end(int always), pt_number(struct pt_text *to, const char *name, double v);
void pt_words(struct pt_text *to, const char *name, const char *text), pt_flag(const char *name, int flag);
void pt_enter(double a, double b, double d, const char *m, const char *k, const char *t), pt_leave(double v, const char *m);
const char *pt_hex(unsigned long long key);
#define PT_N(name, v) pt_number(&pt.now, name, (double)(v))
#define PT_S(name, text) pt_words(&pt.now, name, text)
#define PT_EVENT(e, always, fields) (pt.on ? (pt_begin(e), fields, pt_end(always)) : (void)0)
#define pt_open(path, header) pt_start(path, header)
#define pt_root(p) PT_EVENT("root", 2, PT_S("p", p))
#define pt_iter(d) PT_EVENT("iter", 2, PT_N("d", d))
#define pt_in(a, b, d, m, k, t) (pt.on ? pt_enter(a, b, d, m, k, t) : (void)0)
#define pt_hit(v, t, d, used) PT_EVENT("hit", 0, (PT_N("v", v), PT_S("t", t), PT_N("d", d), pt_flag("u", used)))
#define pt_miss() PT_EVENT("miss", 0, (void)0)
#define pt_eval(v) PT_EVENT("eval", 0, PT_N("v", v))
#define pt_skip(m, r) PT_EVENT("skip", 0, (PT_S("m", m), PT_S("r", r)))
#define pt_reduce(m, n, r) PT_EVENT("reduce", 0, (PT_S("m", m), PT_N("n", n), PT_S("r", r)))
#define pt_extend(m, n, r) PT_EVENT("extend", 0, (PT_S("m", m), PT_N("n", n), PT_S("r", r)))
#define pt_window(a, b, r) PT_EVENT("window", 0, (PT_N("a", a), PT_N("b", b), PT_S("r", r)))
#define pt_put(v, t, d) PT_EVENT("put", 0, (PT_N("v", v), PT_S("t", t), PT_N("d", d)))
#define pt_put_at(k, v, t, d) PT_EVENT("put", 0, (PT_S("k", k), PT_N("v", v), PT_S("t", t), PT_N("d", d)))
#define pt_drop(k) PT_EVENT("drop", 0, PT_S("k", k))
#define pt_cut(m, v) PT_EVENT("cut", 0, (PT_S("m", m), PT_N("v", v)))
#define pt_out(v, m) (pt.on ? pt_leave(v, m) : (void)0)
#define pt_pv(moves) PT_EVENT("pv", 1, PT_S("m", moves))
#define pt_stop(r) PT_EVENT("stop", 1, PT_S("r", r))
#define pt_note(r) PT_EVENT("note", 0, PT_S("r", r))
#define pt_also(name, v) (pt.on ? pt_number(&pt.more, name, (double)(v)) : (void)0)
#define pt_also_text(name, text) (pt.on ? pt_words(&pt.more, name, text) : (void)0)
#define pt_close() pt_finish()
#ifdef PLYTRACE_BODY
struct plytrace pt = {INT_MIN, 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, {NULL}, {NULL}, {"", 0}, {"", 0}};
const char *pt_hex(unsigned long long key) { /* four results are valid at a time */
    static char held[4][17];
    static int next;
    char *out = held[next++ & 3] + 16;
    int digit;
    for (digit = 0; digit < 16; digit++, key >>= 4) *--out = "0123456789abcdef"[key & 15];
    return out;
}
void pt_number(struct pt_text *to, const char *name, double v) {
    char digits[32], *digit = digits + 31;
    long whole = v > -1e15 && v < 1e15 ? (long)v : 0;
    unsigned long rest = (unsigned long)(whole < 0 ? -whole : whole);
    if (v != v || to->at + strlen(name) + 40 > PT_LINE - 64) return;
    *digit = 0;
    if ((double)whole == v) {
        do *--digit = (char)('0' + rest % 10); while (rest /= 10);
        if (whole < 0) *--digit = '-';
    } else snprintf(digit = digits, 32, "%.17g", v > 1e300 ? 1e300 : v < -1e300 ? -1e300 : v);
    to->text[to->at++] = ',', to->text[to->at++] = '"';
    while (*name) to->text[to->at++] = *name++;
    to->text[to->at++] = '"', to->text[to->at++] = ':';
    while (*digit) to->text[to->at++] = *digit++;
}
void pt_words(struct pt_text *to, const char *name, const char *text) {
    if (!text || to->at + strlen(name) + 2 * strlen(text) + 8 > PT_LINE - 64) return;
    to->text[to->at++] = ',', to->text[to->at++] = '"';
    while (*name) to->text[to->at++] = *name++;
    to->text[to->at++] = '"', to->text[to->at++] = ':', to->text[to->at++] = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') to->text[to->at++] = '\\';
        if ((unsigned char)*text >= ' ') to->text[to->at++] = *text;
    }
    to->text[to->at++] = '"';
}
void pt_flag(const char *name, int flag) { pt.now.at += sprintf(pt.now.text + pt.now.at, ",\"%s\":%s", name, flag ? "true" : "false"); }
static char *pt_copy(char *old, const char *text) { return strcpy((char *)realloc(old, strlen(text) + 1), text); }
void pt_start(const char *path, const char *header) {
    pt.parts = pt.key || pt.line || pt.from_node || pt.ring, pt.path = path, pt.header = header, pt.on = 1;
    if (pt.ring && !pt.kept) { pt.kept = (char **)calloc((size_t)pt.ring, sizeof *pt.kept); return; }
    if (!(pt.file = fopen(path, "w"))) { perror(path); exit(1); }
    setvbuf(pt.file, NULL, _IOFBF, 1 << 18);
    fprintf(pt.file, "{\"plytrace\":1%s%s%s}\n", *header ? "," : "", header,
            pt.min_depth > INT_MIN ? ",\"table\":\"part\"" : pt.parts ? ",\"table\":\"warm\"" : "");
}
void pt_finish(void) { if (pt.file) fclose(pt.file); pt.file = NULL, pt.on = 0; }
static void pt_opened(const char *line) { if (strstr(line, ",\"open\":")) fprintf(pt.file, "%s\n", line); else fprintf(pt.file, "%.*s,\"open\":true}\n", (int)strlen(line) - 1, line); }
static void pt_forget(const char *line) { /* an event leaves the ring: the part begins after it */
    if (!strncmp(line, "{\"e\":\"root\"", 11)) pt.bases = 0, pt.old_root = pt_copy(pt.old_root, line);
    else if (!strncmp(line, "{\"e\":\"iter\"", 11)) pt.bases = 0;
    else if (!strncmp(line, "{\"e\":\"in\"", 9)) { if (pt.bases < PT_PLIES) pt.base[pt.bases] = pt_copy(pt.base[pt.bases], line); pt.bases++; }
    else if (!strncmp(line, "{\"e\":\"out\"", 10) && pt.bases) pt.bases--;
}
static void pt_line(const char *line) {
    if (pt.kept) {
        char **slot = pt.kept + pt.ring_next++ % pt.ring;
        if (*slot) pt_forget(*slot);
        *slot = pt_copy(*slot, line);
    } else if (pt.file) { fputs(line, pt.file); putc('\n', pt.file); }
}
void pt_begin(const char *e) { pt.now.at = sprintf(pt.now.text, "{\"e\":\"%s\"", e); }
void pt_end(int always) { /* always 2: nodes that were abandoned are closed */
    if (pt.now.at + pt.more.at < PT_LINE - 64) memcpy(pt.now.text + pt.now.at, pt.more.text, (size_t)pt.more.at), pt.now.at += pt.more.at;
    pt.more.at = 0, strcpy(pt.now.text + pt.now.at, "}");
    if (always == 2) pt.ply = pt.begun = pt.hidden = pt.matched = 0;
    if (pt.parts && !strncmp(pt.now.text, "{\"e\":\"root\"", 11)) pt.root = pt_copy(pt.root, pt.now.text);
    if (always || (pt.begun && !pt.hidden)) pt_line(pt.now.text);
}
static int pt_matches(const char *m) { /* whether m is the move of pt.line at this ply */
    const char *word = pt.line;
    int ply;
    for (ply = 1; word && ply < pt.ply; ply++) if ((word = strchr(word, ' '))) word++;
    return word && m && !strncmp(word, m, strlen(m)) && (word[strlen(m)] == ' ' || !word[strlen(m)]);
}
static int pt_length(void) { const char *at; int words = *pt.line != 0; for (at = pt.line; *at; at++) words += *at == ' '; return words; }
void pt_enter(double a, double b, double d, const char *m, const char *k, const char *t) {
    int ply;
    if (pt.line && pt.ply && pt.matched == pt.ply - 1 && pt_matches(m)) pt.matched = pt.ply;
    if (!pt.begun && (!pt.key || (k && !strcmp(k, pt.key))) && pt.nodes >= pt.from_node
        && (!pt.line || (pt.matched == pt.ply && pt.ply == pt_length()))) {
        pt.begun = pt.ply + 1;
        if (pt.ply) pt_line(pt.root ? pt.root : "{\"e\":\"root\"}");
        for (ply = 0; ply < pt.ply && ply < PT_PLIES && pt.open[ply]; ply++) {
            sprintf(pt.now.text, "%.*s,\"open\":true}", (int)strlen(pt.open[ply]) - 1, pt.open[ply]);
            pt_line(pt.now.text);
        }
    }
    pt_begin("in"), PT_N("a", a), PT_N("b", b), PT_N("d", d), PT_S("m", m), PT_S("k", k), PT_S("t", t), pt_end(0);
    if (pt.parts && !pt.begun && pt.ply < PT_PLIES) pt.open[pt.ply] = pt_copy(pt.open[pt.ply], pt.now.text);
    pt.ply++, pt.nodes++;
    if (!pt.hidden && d < pt.min_depth) { PT_EVENT("skip", 0, PT_S("r", "min_depth")); pt.hidden = pt.ply; }
}
void pt_leave(double v, const char *m) {
    if (pt.hidden == pt.ply) pt.hidden = 0;
    pt_begin("out"), PT_N("v", v), PT_S("m", m), pt_end(0);
    if (pt.ply > 0) pt.ply--;
    if (pt.begun == pt.ply + 1) pt.begun = 0;
    if (pt.ply > 0 && pt.matched >= pt.ply) pt.matched = pt.ply - 1;
    if (pt.ply == 0 && pt.file) fflush(pt.file);
}
void pt_dump(void) { /* writes the events in the ring after the root and the nodes that were open at its first event */
    long at = pt.ring_next > pt.ring ? pt.ring_next - pt.ring : 0;
    char **kept = pt.kept;
    int base;
    if (!kept) return;
    pt_start(pt.path, pt.header);
    if (pt.bases) fprintf(pt.file, "%s\n", pt.old_root ? pt.old_root : "{\"e\":\"root\"}");
    for (base = 0; base < pt.bases && base < PT_PLIES; base++) pt_opened(pt.base[base]);
    for (; at < pt.ring_next; at++) fprintf(pt.file, "%s\n", kept[at % pt.ring]);
    fputs("{\"e\":\"stop\",\"r\":\"dump\"}\n", pt.file);
    pt_finish();
}
#endif
#else
#define pt_open(path, header) ((void)0)
#define pt_root(p) ((void)0)
#define pt_iter(d) ((void)0)
#define pt_in(a, b, d, m, k, t) ((void)0)
#define pt_hit(v, t, d, used) ((void)0)
#define pt_miss() ((void)0)
#define pt_eval(v) ((void)0)
#define pt_skip(m, r) ((void)0)
#define pt_reduce(m, n, r) ((void)0)
#define pt_extend(m, n, r) ((void)0)
#define pt_window(a, b, r) ((void)0)
#define pt_put(v, t, d) ((void)0)
#define pt_put_at(k, v, t, d) ((void)0)
#define pt_drop(k) ((void)0)
#define pt_cut(m, v) ((void)0)
#define pt_out(v, m) ((void)0)
#define pt_pv(moves) ((void)0)
#define pt_stop(r) ((void)0)
#define pt_note(r) ((void)0)
#define pt_also(name, v) ((void)0)
#define pt_also_text(name, text) ((void)0)
#define pt_dump() ((void)0)
#define pt_close() ((void)0)
#endif
#endif
