/* SPDX-License-Identifier: MIT */
/*
 * What all drivers stand on: memory between two guard pages, random numbers
 * that can be had again, and a call that must leave the machine as it was.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * Memory. A slot is one array of a call, with an inaccessible page before and
 * after the room for it. Arrays are put at an offset in bytes from either page;
 * what lies around them is poisoned, for inputs with NaNs so that a read there
 * is seen in the result too. slots_check() demands after the call that nothing
 * has changed but the rows that slot_expect_rows() named.
 */
enum slot { SLOT_Y, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_E, SLOT_F, SLOT_G, SLOT_H, SLOT_I, SLOTS };
enum edge { LOW, HIGH };

#define SLOT_BYTES ((size_t)9 << 20)

/* An array of this many bytes, a copy of data; poison if data is NULL. */
void *slot_put(enum slot slot, enum edge edge, size_t offset, const void *data, size_t bytes);
/* What messages call it, from now on. */
void slot_name(enum slot slot, const char *name);
/* The call may write rows of this array: rows of row_bytes each, stride bytes apart. */
void slot_expect_rows(enum slot slot, size_t rows, size_t row_bytes, size_t stride);
/* Fails if anything else was written; forgets all arrays. */
void slots_check(void);
/* Whether these are the bits of an element of an output that nobody has written to. */
int is_unwritten(uint64_t bits, size_t bytes);

/* Random numbers: the seed is ISK_TEST_SEED, or drawn, and then printed once. */
uint64_t test_seed(void);
void random_start(const char *name);
uint64_t random_bits(void);
/* 0 <= random_below(n) < n */
size_t random_below(size_t n);
/* Uniform in [low, high). */
double random_in(double low, double high);

/*
 * The call. What the contract lets no kernel change: the control bits of MXCSR
 * and x87, the direction flag, an empty x87 stack, errno.
 */
void machine_enter(void);
void machine_leave(void);

/*
 * The stack that calls take. stack_watch() paints what lies below its caller;
 * stack_taken() is how far below the deepest call of machine_enter() since then
 * the paint is gone, be it a kernel or the driver that was there.
 */
#define STACK_MOST ((size_t)64 << 10)
/* What is promised is what optimised code takes. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define STACK_PROMISED 1
#else
#define STACK_PROMISED 0
#endif

void stack_watch(void);
size_t stack_taken(void);

/* Memory that a process shares with its children, cleared. */
void *shared_memory(size_t bytes);

/*
 * What is being tried and what was found to be wrong. A parent sees what its child said last, however that
 * ended: a test runs in a process of its own.
 */
void trying(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *tried(void);
void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *found(void);
/* That, and the end of the process. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Begin anew: forget both, and all arrays. */
void tried_all(void);
/* Within so many seconds of work must_end(0) is called, or the process dies: for what would take years. */
void must_end(time_t seconds);

#endif
