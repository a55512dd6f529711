/* plytrace: writes the events of a game-tree search for Plyscope. One file, no dependencies, public domain. C99 and C++.
 *
 * Compile with -DPLYTRACE to trace; without it, every call compiles to nothing. In one source file, write
 * #define PLYTRACE_BODY before #include "plytrace.h". Before pt_open and after pt_close, a call costs one comparison.
 *
 *   pt_open("search.jsonl", "\"game\":\"chess\"");         other fields of the header as JSON, or ""
 *   pt_in(alpha, beta, depth, "e2e4", pt_hex(key), NULL);   ... pt_out(value, "e7e5");   texts may be NULL
 *   pt_also("lmp", count); pt_also_text("s", "w");          further fields of the next event: the format's or your own
 *
 * With pt.binary = 1, the file is binary: faster and a third of the size. The file "-" is standard output, with
 * "info string ply " before each line, for `trace diff --uci`.
 *
 * Triggers limit the trace to the subtrees they select: pt.key, pt.line ("e2e4 e7e5"), pt.from_node. With pt.min_depth, nodes
 * of smaller depth are written without what happens inside them. With pt.ring = 5000, the last events are kept in memory
 * until pt_dump(), for example when an assertion fails. A part begins with its root and open nodes. Set them before pt_open.
 *
 * Threads, with -DPLYTRACE_THREADS (GCC, Clang): the first one calls pt_open and pt_close, each other one pt_thread(number)
 * at its beginning, with a number that no other running thread has. Each has its own `pt`, its own ring, and a buffer that it
 * fills without a lock; a common counter numbers the events, and the file has them in this order. Write the key with each
 * pt_put_at, and before the entry is written. A program that is killed loses what the buffers hold; exit() writes it. */
#ifndef PLYTRACE_H
#define PLYTRACE_H
#ifdef PLYTRACE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef PLYTRACE_THREADS
#include <sched.h>
#define PT_LOCAL __thread
#else
#define PT_LOCAL
#endif
enum { PT_LINE = 4096, PT_PLIES = 1024, PT_OUT = 1 << 16, PT_ROOM = 6 * PT_LINE }; /* PT_ROOM: bytes of a line at most */
enum { PT_ROOT = 1, PT_ITER, PT_IN, PT_HIT, PT_MISS, PT_EVAL, PT_SKIP, PT_REDUCE, PT_EXTEND, PT_WINDOW, PT_PV, PT_PUT, PT_DROP, PT_CUT,
       PT_LEAVE, PT_STOP, PT_NOTE };
enum { PT_a = 1, PT_b, PT_d, PT_v, PT_n, PT_th, PT_t, PT_m, PT_k, PT_p, PT_s, PT_r, PT_u, PT_open, PT_own }; /* names of fields */
struct pt_bytes { unsigned char bytes[PT_LINE]; int at; }; /* an event: its kind, fields, and a byte 0 at the end */
struct pt_copy { unsigned char *bytes; int length, open; };
struct plytrace {
    int min_depth, ring, binary;
    long from_node;
    const char *key, *line;
    int on, parts, thread, ply, begun, hidden, matched, bases; /* begun, hidden: ply + 1, or 0 */
    long nodes, ring_next;
    const char *path, *header;
    struct pt_queue *queue;
    struct pt_copy *kept, root, old_root, open[PT_PLIES], base[PT_PLIES];
    struct pt_bytes now, more;
};
extern PT_LOCAL struct plytrace pt;
void pt_start(const char *path, const char *header), pt_finish(void), pt_dump(void), pt_thread(int number);
void pt_end(int always), pt_number(struct pt_bytes *to, int name, double v), pt_words(struct pt_bytes *to, int name, const char *text);
void pt_flag(int name, int flag), pt_more_number(const char *name, double v), pt_more_text(const char *name, const char *text);
void pt_enter(double a, double b, double d, const char *m, const char *k, const char *t), pt_leave(double v, const char *m);
const char *pt_hex(unsigned long long key); /* four results are valid at a time */
#define PT_NUMBER(name, v) pt_number(&pt.now, name, (double)(v))
#define PT_TEXT(name, text) pt_words(&pt.now, name, text)
#define PT_EVENT(e, always, fields) (pt.on ? ((void)(pt.now.bytes[0] = (e), pt.now.at = 1), fields, pt_end(always)) : (void)0)
#define pt_open(path, header) pt_start(path, header)
#define pt_root(p) PT_EVENT(PT_ROOT, 2, PT_TEXT(PT_p, p))
#define pt_iter(d) PT_EVENT(PT_ITER, 2, PT_NUMBER(PT_d, d))
#define pt_in(a, b, d, m, k, t) (pt.on ? pt_enter(a, b, d, m, k, t) : (void)0)
#define pt_hit(v, t, d, used) PT_EVENT(PT_HIT, 0, (PT_NUMBER(PT_v, v), PT_TEXT(PT_t, t), PT_NUMBER(PT_d, d), pt_flag(PT_u, used)))
#define pt_miss() PT_EVENT(PT_MISS, 0, (void)0)
#define pt_eval(v) PT_EVENT(PT_EVAL, 0, PT_NUMBER(PT_v, v))
#define pt_skip(m, r) PT_EVENT(PT_SKIP, 0, (PT_TEXT(PT_m, m), PT_TEXT(PT_r, r)))
#define pt_reduce(m, n, r) PT_EVENT(PT_REDUCE, 0, (PT_TEXT(PT_m, m), PT_NUMBER(PT_n, n), PT_TEXT(PT_r, r)))
#define pt_extend(m, n, r) PT_EVENT(PT_EXTEND, 0, (PT_TEXT(PT_m, m), PT_NUMBER(PT_n, n), PT_TEXT(PT_r, r)))
#define pt_window(a, b, r) PT_EVENT(PT_WINDOW, 0, (PT_NUMBER(PT_a, a), PT_NUMBER(PT_b, b), PT_TEXT(PT_r, r)))
#define pt_put(v, t, d) PT_EVENT(PT_PUT, 0, (PT_NUMBER(PT_v, v), PT_TEXT(PT_t, t), PT_NUMBER(PT_d, d)))
#define pt_put_at(k, v, t, d) PT_EVENT(PT_PUT, 0, (PT_TEXT(PT_k, k), PT_NUMBER(PT_v, v), PT_TEXT(PT_t, t), PT_NUMBER(PT_d, d)))
#define pt_drop(k) PT_EVENT(PT_DROP, 0, PT_TEXT(PT_k, k))
#define pt_cut(m, v) PT_EVENT(PT_CUT, 0, (PT_TEXT(PT_m, m), PT_NUMBER(PT_v, v)))
#define pt_out(v, m) (pt.on ? pt_leave(v, m) : (void)0)
#define pt_pv(moves) PT_EVENT(PT_PV, 1, PT_TEXT(PT_m, moves))
#define pt_stop(r) PT_EVENT(PT_STOP, 1, PT_TEXT(PT_r, r))
#define pt_note(r) PT_EVENT(PT_NOTE, 0, PT_TEXT(PT_r, r))
#define pt_also(name, v) (pt.on ? pt_more_number(name, (double)(v)) : (void)0)
#define pt_also_text(name, text) (pt.on ? pt_more_text(name, text) : (void)0)
#define pt_close() pt_finish()
#ifdef PLYTRACE_BODY
PT_LOCAL struct plytrace pt = {INT_MIN, 0, 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, {NULL, 0, 0}, {NULL, 0, 0}, {{NULL, 0, 0}}, {{NULL, 0, 0}}, {"", 0}, {"", 0}};
static PT_LOCAL struct { char text[24]; unsigned long long key; } pt_keys[4];
static PT_LOCAL int pt_next_key;
static const char *const pt_kinds[] = {"", "root", "iter", "in", "hit", "miss", "eval", "skip", "reduce", "extend", "window", "pv", "put", "drop", "cut", "out", "stop", "note"};
static const char *const pt_fields[] = {"e", "a", "b", "d", "v", "n", "th", "t", "m", "k", "p", "s", "r", "u", "open"};
static void pt_line(const unsigned char *bytes, int length, int open);
static struct plytrace *pt_first; /* that of the thread which called pt_open */
static FILE *pt_file;
static int pt_binary;
static unsigned char pt_buffer[PT_OUT]; /* bytes that go to the file next */
static size_t pt_used;
const char *pt_hex(unsigned long long key) { /* the key is kept beside the text: a binary trace has it as a number */
    char *text = pt_keys[pt_next_key = (pt_next_key + 1) & 3].text;
    int digit;
    pt_keys[pt_next_key].key = key;
    for (digit = 15; digit >= 0; digit--, key >>= 4) text[digit] = "0123456789abcdef"[key & 15];
    return text;
}
static int pt_place(const char *text) { int at = 3; while (at >= 0 && text != pt_keys[at].text) at--; return at; }
static void pt_bits(struct pt_bytes *to, int tag, unsigned long long bits, int length) {
    unsigned char *at = to->bytes + to->at;
    *at++ = (unsigned char)tag;
    to->at += length + 1;
    for (; length; length--, bits >>= 8) *at++ = (unsigned char)bits;
}
void pt_number(struct pt_bytes *to, int name, double v) {
    int whole = v > -2e9 && v < 2e9 ? (int)v : 0;
    unsigned long long bits = (unsigned long long)(long long)whole;
    if (v != v || to->at > PT_LINE - 128) return;
    if ((double)whole != v) {
        v = v > 1e300 ? 1e300 : v < -1e300 ? -1e300 : v;
        memcpy(&bits, &v, 8), pt_bits(to, 8 * name + 4, bits, 8);
    } else if (whole == (signed char)whole) pt_bits(to, 8 * name + 1, bits, 1);
    else if (whole == (short)whole) pt_bits(to, 8 * name + 2, bits, 2);
    else pt_bits(to, 8 * name + 3, bits, 4);
}
static void pt_chunks(struct pt_bytes *to, const char *text) { /* a length in a byte, and the text; after 255 bytes the next */
    size_t rest = strlen(text), part;
    do {
        part = rest < 255 ? rest : 255, to->bytes[to->at++] = (unsigned char)part;
        memcpy(to->bytes + to->at, text, part), to->at += (int)part, text += part, rest -= part;
    } while (part == 255);
}
void pt_words(struct pt_bytes *to, int name, const char *text) {
    int key;
    if (!text) return;
    if ((key = pt_place(text)) >= 0) { if (to->at < PT_LINE - 128) pt_bits(to, 8 * name + 6, pt_keys[key].key, 8); return; }
    if ((size_t)to->at + strlen(text) + strlen(text) / 255 > PT_LINE - 128) return;
    to->bytes[to->at++] = (unsigned char)(8 * name + 5), pt_chunks(to, text);
}
void pt_flag(int name, int flag) { pt.now.bytes[pt.now.at++] = (unsigned char)(8 * name + (flag ? 0 : 7)); }
static int pt_name(const char *name) { int place = 1; while (place < PT_own && strcmp(name, pt_fields[place])) place++; return place; }
static void pt_add(const char *name, struct pt_bytes *value) { /* the name of an own field stands between its tag and its value */
    if (!value->at || pt.more.at + value->at + (int)strlen(name) > PT_LINE - 256 || strlen(name) > 250) return;
    pt.more.bytes[pt.more.at++] = value->bytes[0];
    if (value->bytes[0] >> 3 == PT_own) pt_chunks(&pt.more, name);
    memcpy(pt.more.bytes + pt.more.at, value->bytes + 1, (size_t)value->at - 1), pt.more.at += value->at - 1;
}
void pt_more_number(const char *name, double v) { struct pt_bytes to; to.at = 0, pt_number(&to, pt_name(name), v), pt_add(name, &to); }
void pt_more_text(const char *name, const char *text) { struct pt_bytes to; to.at = 0, pt_words(&to, pt_name(name), text), pt_add(name, &to); }
static PT_LOCAL char *pt_to; /* the end of the line that is printed */
static void pt_put_word(const char *word) { while (*word) *pt_to++ = *word++; }
static const unsigned char *pt_quote(const unsigned char *at) {
    int length, rest;
    *pt_to++ = '"';
    do {
        for (rest = length = *at++; rest; rest--, at++) {
            if (*at == '"' || *at == '\\') *pt_to++ = '\\';
            if (*at >= ' ') *pt_to++ = (char)*at;
        }
    } while (length == 255);
    *pt_to++ = '"';
    return at;
}
static void pt_integer(int value) {
    char digits[12], *digit = digits + 11;
    unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    *digit = 0;
    do *--digit = (char)('0' + rest % 10); while (rest /= 10);
    if (value < 0) *--digit = '-';
    pt_put_word(digit);
}
static size_t pt_print(unsigned char *line, const unsigned char *at) { /* prints an event as a line; its length */
    pt_to = (char *)line;
    if (pt_file == stdout) pt_put_word("info string ply ");
    pt_put_word("{\"e\":\""), pt_put_word(pt_kinds[*at++]), pt_put_word("\"");
    while (*at) {
        int name = *at >> 3, form = *at++ & 7, length = form == 1 ? 1 : form == 2 ? 2 : form == 3 ? 4 : 8, byte;
        unsigned long long bits = 0;
        double v;
        *pt_to++ = ',';
        if (name == PT_own) at = pt_quote(at); else *pt_to++ = '"', pt_put_word(pt_fields[name]), *pt_to++ = '"';
        *pt_to++ = ':';
        if (form == 5) { at = pt_quote(at); continue; }
        if (form == 0 || form == 7) { pt_put_word(form ? "false" : "true"); continue; }
        for (byte = length; byte--;) bits = bits << 8 | at[byte];
        at += length, memcpy(&v, &bits, 8);
        if (form == 6) for (*pt_to++ = '"', byte = 60; byte >= -4; byte -= 4) *pt_to++ = byte < 0 ? '"' : "0123456789abcdef"[bits >> byte & 15];
        else if (form == 4) pt_to += sprintf(pt_to, v > -1e15 && v < 1e15 && v == (double)(long long)v ? "%.0f" : "%.17g", v);
        else pt_integer(form == 1 ? (signed char)bits : form == 2 ? (short)bits : (int)bits);
    }
    pt_put_word("}\n");
    return (size_t)(pt_to - (char *)line);
}
static void pt_flush(void) {
    if (pt_file && pt_used) fwrite(pt_buffer, 1, pt_used, pt_file), fflush(pt_file);
    pt_used = 0;
}
static void pt_keep(struct pt_copy *to, const unsigned char *bytes, int length, int open) {
    to->bytes = (unsigned char *)realloc(to->bytes, (size_t)length), to->length = length, to->open = open;
    memcpy(to->bytes, bytes, (size_t)length);
}
#ifdef PLYTRACE_THREADS
struct pt_queue { /* the buffer of a thread: events, each after 48 bits with its number and 16 with its length */
    unsigned char bytes[PT_OUT];
    size_t used, done, seen; /* bytes written by the thread; moved to pt_buffer; `used` when the merging thread read it last */
    int thread;
    struct pt_copy *kept; /* the ring */
    struct pt_queue *next;
};
static struct { char before[64]; unsigned long long count; char after[64]; } pt_drawn; /* numbers that events have drawn */
static unsigned long long pt_written; /* events before this number are in pt_buffer or in the file */
static struct pt_queue *pt_queues;
static char pt_locked; /* whether a thread uses the two above, pt_buffer or the file */
static int pt_wait(long *patience) { sched_yield(); return !*patience || --*patience; } /* patience 0: as long as it takes */
static int pt_lock(long patience) {
    while (__atomic_test_and_set(&pt_locked, __ATOMIC_ACQUIRE)) if (!pt_wait(&patience)) return 0;
    return 1;
}
static void pt_unlock(void) { __atomic_clear(&pt_locked, __ATOMIC_RELEASE); }
static int pt_take(struct pt_queue *from) { /* moves the events that are next to pt_buffer; whether there are any */
    size_t begin = from->done, done = begin, used = pt_used;
    unsigned long long head, next = pt_written;
    if (done == from->seen) from->seen = __atomic_load_n(&from->used, __ATOMIC_ACQUIRE);
    for (; done < from->seen; next++, done += 8 + (size_t)(head & 65535), used += (size_t)(head & 65535)) {
        memcpy(&head, from->bytes + done, 8);
        if (head >> 16 != next) break;
        if (used + (head & 65535) > PT_OUT) pt_used = used, pt_flush(), used = 0;
        memcpy(pt_buffer + used, from->bytes + done + 8, head & 65535);
    }
    from->done = done, pt_used = used, pt_written = next;
    return done > begin;
}
static int pt_merge(long patience) { /* locks, and moves all events with a number to pt_buffer; waits for those not yet in their queue */
    unsigned long long end = __atomic_load_n(&pt_drawn.count, __ATOMIC_ACQUIRE);
    if (!pt_lock(patience)) return 0;
    while (pt_written < end) {
        struct pt_queue *queue;
        int moved = 0;
        for (queue = pt_queues; queue; queue = queue->next) moved |= pt_take(queue);
        if (!moved && !pt_wait(&patience)) break;
    }
    if (pt.queue && pt.queue->done == pt.queue->used) pt.queue->done = pt.queue->seen = pt.queue->used = 0;
    return 1;
}
static struct pt_queue *pt_queue_of(int thread) {
    struct pt_queue *queue;
    pt_lock(0);
    for (queue = pt_queues; queue && queue->thread != thread; ) queue = queue->next;
    if (!queue) {
        if (!(queue = (struct pt_queue *)calloc(1, sizeof *queue))) perror("plytrace"), exit(1);
        queue->thread = thread, queue->next = pt_queues, pt_queues = queue;
    }
    pt_unlock();
    return queue;
}
static void pt_write(const unsigned char *bytes, int length) {
    struct pt_queue *to = pt.queue;
    unsigned char *place;
    unsigned long long head = (unsigned long long)length;
    if (to->used + 8 + PT_ROOM > PT_OUT) pt_merge(0), pt_unlock();
    place = to->bytes + to->used + 8;
    if (pt_binary) memcpy(place, bytes, head); else head = pt_print(place, bytes);
    place += head, head |= __atomic_fetch_add(&pt_drawn.count, 1, __ATOMIC_ACQ_REL) << 16;
    memcpy(to->bytes + to->used, &head, 8);
    __atomic_store_n(&to->used, (size_t)(place - to->bytes), __ATOMIC_RELEASE);
    if (pt_file == stdout) pt_merge(0), pt_flush(), pt_unlock();
}
void pt_thread(int number) { /* another thread begins */
    long slot;
    if (!pt_first || pt_first == &pt) return;
    pt.min_depth = pt_first->min_depth, pt.from_node = pt_first->from_node, pt.key = pt_first->key, pt.line = pt_first->line;
    pt.ring = pt_first->ring, pt.binary = pt_first->binary, pt.path = pt_first->path, pt.header = pt_first->header;
    pt.thread = number, pt.parts = pt_first->parts, pt.on = pt_first->on, pt.queue = pt_queue_of(number);
    pt.ply = pt.begun = pt.hidden = pt.matched = pt.bases = 0, pt.nodes = pt.ring_next = 0;
    if (pt_first->root.bytes) pt_keep(&pt.root, pt_first->root.bytes, pt_first->root.length, 0);
    if (pt.ring && !pt.queue->kept) pt.queue->kept = (struct pt_copy *)calloc((size_t)pt.ring, sizeof *pt.kept);
    pt.kept = pt.ring ? pt.queue->kept : NULL;
    for (slot = 0; pt.kept && slot < pt.ring; slot++) free(pt.kept[slot].bytes), pt.kept[slot].bytes = NULL;
    if (pt.kept && pt.root.bytes) pt_line(pt.root.bytes, pt.root.length, 0);
}
#else
static int pt_merge(long patience) { (void)patience; return 1; }
static void pt_unlock(void) {}
static struct pt_queue *pt_queue_of(int thread) { (void)thread; return NULL; }
void pt_thread(int number) { (void)number; }
static void pt_write(const unsigned char *bytes, int length) {
    if (pt_used + PT_ROOM > PT_OUT) pt_flush();
    if (pt_binary) memcpy(pt_buffer + pt_used, bytes, (size_t)length), pt_used += (size_t)length;
    else pt_used += pt_print(pt_buffer + pt_used, bytes);
    if (pt_file == stdout) pt_flush();
}
#endif
static void pt_send(long patience) { if (pt_merge(patience)) pt_flush(), pt_unlock(); }
static void pt_exit(void) { pt_send(1 << 20); } /* does not wait for ever: the handler of a signal may have called exit() within an event */
void pt_start(const char *path, const char *header) {
    static int again;
    const char *table = pt.min_depth > INT_MIN ? ",\"table\":\"part\"" : pt.key || pt.line || pt.from_node || pt.ring ? ",\"table\":\"warm\"" : "";
    const char *out = strcmp(path, "-") ? "" : "info string ply ";
    if (*out) pt.binary = 0;
    pt.parts = pt.key || pt.line || pt.from_node || pt.ring, pt.path = path, pt.header = header, pt.on = 1, pt_first = &pt;
    if (pt.ring && !pt.kept) { pt.kept = (struct pt_copy *)calloc((size_t)pt.ring, sizeof *pt.kept); return; }
    pt.queue = pt_queue_of(pt.thread), pt_merge(0), pt_flush(), pt_binary = pt.binary;
    if (!(pt_file = *out ? stdout : fopen(path, "wb"))) { perror(path); exit(1); }
    if (!*out) setvbuf(pt_file, NULL, _IONBF, 0);
    fprintf(pt_file, "%s%s{\"plytrace\":1%s%s%s}\n", pt.binary ? "PLYB" : "", out, *header ? "," : "", header, table);
    pt_unlock();
    if (!again++) atexit(pt_exit);
}
void pt_finish(void) {
    pt_merge(0), pt_flush();
    if (pt_file && pt_file != stdout) fclose(pt_file);
    pt_file = NULL, pt.on = 0;
    pt_unlock();
}
static void pt_forget(const struct pt_copy *old) { /* an event leaves the ring: the part begins after it */
    if (*old->bytes == PT_ROOT || *old->bytes == PT_ITER) pt.bases = 0;
    if (*old->bytes == PT_ROOT) pt_keep(&pt.old_root, old->bytes, old->length, 0);
    if (*old->bytes == PT_LEAVE && pt.bases) pt.bases--;
    if (*old->bytes == PT_IN && pt.bases++ < PT_PLIES) pt_keep(&pt.base[pt.bases - 1], old->bytes, old->length, old->open);
}
static void pt_line(const unsigned char *bytes, int length, int open) {
    struct pt_copy *slot = pt.kept ? pt.kept + pt.ring_next++ % pt.ring : NULL;
    if (slot && slot->bytes) pt_forget(slot);
    if (slot) pt_keep(slot, bytes, length, open); else pt_write(bytes, length);
}
static void pt_line_open(const struct pt_copy *node) { /* an open node, before a part of the search */
    struct pt_bytes now;
    memcpy(now.bytes, node->bytes, (size_t)node->length), now.at = node->length;
    if (!node->open) now.bytes[now.at - 1] = 8 * PT_open, now.bytes[now.at++] = 0;
    pt_line(now.bytes, now.at, 1);
}
static void pt_line_root(const struct pt_copy *root) { static const unsigned char none[] = {PT_ROOT, 0}; pt_line(root->bytes ? root->bytes : none, root->bytes ? root->length : 2, 0); }
void pt_end(int always) { /* always 2: nodes that were abandoned are closed */
    if (pt.now.at + pt.more.at < PT_LINE - 64) memcpy(pt.now.bytes + pt.now.at, pt.more.bytes, (size_t)pt.more.at), pt.now.at += pt.more.at;
    pt.more.at = 0;
    if (pt.thread && pt.now.bytes[0] != PT_ROOT) pt_number(&pt.now, PT_th, pt.thread);
    pt.now.bytes[pt.now.at++] = 0;
    if (always == 2) pt.ply = pt.begun = pt.hidden = pt.matched = 0;
    if (pt.parts && pt.now.bytes[0] == PT_ROOT) pt_keep(&pt.root, pt.now.bytes, pt.now.at, 0);
    if (always || (pt.begun && !pt.hidden)) pt_line(pt.now.bytes, pt.now.at, 0);
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
    if (!pt.begun && (!pt.key || (k && !strcmp(k, pt.key))) && pt.nodes >= pt.from_node && (!pt.line || (pt.matched == pt.ply && pt.ply == pt_length()))) {
        pt.begun = pt.ply + 1;
        if (pt.ply) pt_line_root(&pt.root);
        for (ply = 0; ply < pt.ply && ply < PT_PLIES && pt.open[ply].bytes; ply++) pt_line_open(&pt.open[ply]);
    }
    pt.now.bytes[0] = PT_IN, pt.now.at = 1;
    PT_NUMBER(PT_a, a), PT_NUMBER(PT_b, b), PT_NUMBER(PT_d, d), PT_TEXT(PT_m, m), PT_TEXT(PT_k, k), PT_TEXT(PT_t, t), pt_end(0);
    if (pt.parts && !pt.begun && pt.ply < PT_PLIES) pt_keep(&pt.open[pt.ply], pt.now.bytes, pt.now.at, 0);
    pt.ply++, pt.nodes++;
    if (!pt.hidden && d < pt.min_depth) { PT_EVENT(PT_SKIP, 0, PT_TEXT(PT_r, "min_depth")); pt.hidden = pt.ply; }
}
void pt_leave(double v, const char *m) {
    if (pt.hidden == pt.ply) pt.hidden = 0;
    pt.now.bytes[0] = PT_LEAVE, pt.now.at = 1, PT_NUMBER(PT_v, v), PT_TEXT(PT_m, m), pt_end(0);
    if (pt.ply > 0) pt.ply--;
    if (pt.begun == pt.ply + 1) pt.begun = 0;
    if (pt.ply > 0 && pt.matched >= pt.ply) pt.matched = pt.ply - 1;
    if (pt.ply == 0 && pt_file && !pt_binary) pt_send(0);
}
void pt_dump(void) { /* writes the events in the ring after the root and the nodes that were open at its first event */
    long at = pt.ring_next > pt.ring ? pt.ring_next - pt.ring : 0;
    struct pt_copy *kept = pt.kept;
    int base;
    if (!kept) return;
    pt_start(pt.path, pt.header), pt.kept = NULL;
    if (pt.bases) pt_line_root(&pt.old_root);
    for (base = 0; base < pt.bases && base < PT_PLIES; base++) pt_line_open(&pt.base[base]);
    for (; at < pt.ring_next; at++) pt_line(kept[at % pt.ring].bytes, kept[at % pt.ring].length, 0);
    pt_stop("dump");
    pt.kept = kept, pt_finish();
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
#define pt_thread(number) ((void)0)
#define pt_dump() ((void)0)
#define pt_close() ((void)0)
#endif
#endif
