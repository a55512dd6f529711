/* Threads that search the same position with a common table, without locks. An entry is one word, so that none is torn. */
#define PLYTRACE_BODY
#include "plytrace.h"
#include <pthread.h>
#include <sched.h>

typedef unsigned long long word;
static word table[1 << 12];
static const char *const bounds[] = {"exact", "lower", "upper"};

static word hash(word p) {
    p *= 0x9e3779b97f4a7c15ULL, p ^= p >> 29, p *= 0xbf58476d1ce4e5b9ULL;
    return p ^ p >> 32;
}

static int search(unsigned p, int a, int b, int d, int first, const char *m) {
    word key = hash(2 * p + (unsigned)d % 2), entry = __atomic_load_n(&table[key & 4095], __ATOMIC_RELAXED);
    int best = -1000, low = a, i, bound;
    if (key % 8 == 0) sched_yield();
    pt_in(a, b, d, m, pt_hex(key), NULL);
    if (d == 0) {
        best = (int)(hash(p) % 1000) - 500;
        pt_eval(best);
        pt_out(best, NULL);
        return best;
    }
    if (entry && entry >> 32 == key >> 32) {
        int value = (short)(entry >> 16), depth = (int)(entry >> 2 & 15), kind = (int)(entry & 3);
        int used = depth >= d && (kind == 0 || (kind == 1 ? value >= b : value <= a));
        pt_hit(value, bounds[kind], depth, used);
        if (used) {
            pt_out(value, NULL);
            return value;
        }
    } else pt_miss();
    for (i = 0; i < 3; i++) {
        char move[2] = {(char)('0' + (i + first) % 3), 0};
        int value = -search((p * 3 + (unsigned)(move[0] - '0') + 1) % 200000, -b, -low, d - 1, first, move);
        if (value > best) best = value;
        if (value > low) low = value;
        if (best >= b) {
            pt_cut(move, best);
            break;
        }
    }
    bound = best >= b ? 1 : best <= a ? 2 : 0;
    pt_put_at(pt_hex(key), best, bounds[bound], d);
    entry = key >> 32 << 32 | (word)(unsigned short)best << 16 | (word)d << 2 | (word)bound;
    __atomic_store_n(&table[key & 4095], entry, __ATOMIC_RELAXED);
    pt_out(best, NULL);
    return best;
}

static void *run(void *number) {
    int d;
    if (number) pt_thread((int)(size_t)number);
    for (d = 1; d <= 10; d++) {
        pt_iter(d);
        search(1, -1000, 1000, d, (int)(size_t)number, NULL);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[4];
    size_t number;
    (void)words;
    pt.binary = count > 1;
    pt_open("trace.jsonl", "\"program\":\"threads\",\"threads\":4");
    pt_root("start");
    for (number = 1; number < 4; number++) pthread_create(&threads[number], NULL, run, (void *)number);
    run(NULL);
    for (number = 1; number < 4; number++) pthread_join(threads[number], NULL);
    pt_close();
    return 0;
}
