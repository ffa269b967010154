/* SPDX-License-Identifier: MIT */
/*
 * The base of all drivers: memory between two guard pages, random numbers that can be repeated, and calls
 * that must leave the machine's state unchanged.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Memory. A slot is the room for one array of a call, with an inaccessible page before and after it. Arrays
 * are put at an offset in bytes from either page, and the bytes around them are poisoned; around inputs the
 * poison is NaN, so that the result shows if it is read. After the call slots_check() demands that only rows
 * named by slot_expect_rows() have changed.
 */
enum slot { SLOT_Y, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_E, SLOT_F, SLOT_G, SLOT_H, SLOT_I, SLOTS };
enum edge { LOW, HIGH };

#define SLOT_BYTES ((size_t)9 << 20)

/* Puts an array of this many bytes: a copy of data, or poison if data is NULL. */
void *slot_put(enum slot slot, enum edge edge, size_t offset, const void *data, size_t bytes);
/* Sets the name that messages use for the slot from now on. */
void slot_name(enum slot slot, const char *name);
/* The call may write rows of this array: rows of row_bytes each, stride bytes apart. */
void slot_expect_rows(enum slot slot, size_t rows, size_t row_bytes, size_t stride);
/* Fails if bytes outside these rows were written; then forgets all arrays. */
void slots_check(void);
/* Fills an output with the poison of outputs. */
void mark_unwritten(void *y, size_t bytes);
/* Whether these bits are the poison of an output, so that nobody has written the element. */
int is_unwritten(uint64_t bits, size_t bytes);

/* Random numbers. The seed is ISK_TEST_SEED; if that is not set, it is drawn and printed once. */
uint64_t test_seed(void);
void random_start(const char *name);
/* Numbers from a seed of one's own, such as one that was drawn. */
void random_begin(uint64_t seed);
uint64_t random_bits(void);
/* 0 <= random_below(n) < n */
size_t random_below(size_t n);
/* The next random bits, which random_bits() will return again. */
uint64_t random_peek(void);
/* Uniform in [low, high). */
double random_in(double low, double high);

/* The call. No kernel may change the control bits of MXCSR and x87, the direction flag, the empty x87 stack or errno. */
void machine_enter(void);
void machine_leave(void);

/*
 * The stack that calls take. stack_watch() paints the memory below its caller. stack_taken() says how far
 * below the deepest machine_enter() since then paint has been overwritten, by a kernel or by the driver.
 */
#define STACK_MOST ((size_t)64 << 10)
/* The promise holds for optimised code. */
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
 * The current trial, and a description of the fault. Each test runs in a process of its own, and the parent
 * sees the last text of its child, however the child ended.
 */
void trying(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *tried(void);
void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *found(void);
/* A finding that ends the process. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Forgets both texts and all arrays. */
void tried_all(void);

#endif
