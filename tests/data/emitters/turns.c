/* Two threads that take turns, so that the order of the events is known: their notes count up. The first word chooses the form
 * of the trace, the second how the program ends. */
#define PLYTRACE_BODY
#include "plytrace.h"
#include <pthread.h>
#include <signal.h>

enum { NOTES = 30000 };
static int turn;

static void take_turns(int thread) {
    int note;
    pt_iter(1);
    pt_in(-1, 1, 1, NULL, NULL, NULL);
    do {
        while ((note = __atomic_load_n(&turn, __ATOMIC_RELAXED)) % 2 != thread) sched_yield();
        pt_also("count", note);
        pt_note("a text that fills the buffer soon, so that it is written many times before the program ends");
        __atomic_store_n(&turn, note + 1, __ATOMIC_RELAXED);
    } while (note < NOTES - 2);
}

static void *run(void *unused) {
    (void)unused;
    pt_thread(1);
    take_turns(1);
    pt_out(0, NULL);
    return NULL;
}

int main(int count, char **words) {
    pthread_t other;
    (void)count;
    pt.binary = !strcmp(words[1], "binary");
    pt.ring = !strcmp(words[2], "dump") ? 100 : 0;
    pt_open("trace.jsonl", "\"threads\":2");
    pt_root("start");
    pthread_create(&other, NULL, run, NULL);
    take_turns(0);
    if (!strcmp(words[2], "kill")) raise(SIGKILL);
    pthread_join(other, NULL);
    pt_out(0, NULL);
    if (!strcmp(words[2], "dump")) pt_dump();
    if (!strcmp(words[2], "close")) pt_close();
    return 0;
}
