/* SPDX-License-Identifier: MIT */
/*
 * A crew: threads of one parallel region that wait for the shares of one call after the other. GNU's run-time library wakes
 * threads by a system call at both ends of a region, which takes 2.3 us (two cores of Zen 5 in a virtual machine), even if
 * they still spin; a crew that spins sees a call after .1 us.
 *
 * The leader opens a call, and takes shares like the others, so a thread that comes late only leaves it more of them.
 * Once the leader finds no share, it closes the call and waits until nobody is busy. Whoever becomes busy later finds the call
 * closed, or the next one; hence the leader may write the fields of the next call while nobody is busy.
 */
#include "crew.h"

#include "isakern_omp.h"

#include <float.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/*
 * A thread that waits spins SPINS times, some 100 us, since the next call of a model mostly comes sooner, and then sleeps. It
 * never yields: the scheduler would count that as a turn, and the thread come late for its next share.
 */
enum { SPINS = 3000 };

/* Values of `next` from here on mean that no call is open. */
#define CLOSED (SIZE_MAX / 2)

struct crew {
	_Alignas(64) _Atomic size_t calls; /* calls opened so far, and one more at the end of the crew */
	_Atomic size_t asleep;             /* threads that wait for `opened` */
	_Atomic int over, leader_asleep;   /* the leader waits for `idle` */
	_Alignas(64) _Atomic size_t next;  /* the next share of the open call */
	_Alignas(64) _Atomic size_t busy;  /* threads that may read the fields of a call */
	_Alignas(64) share_fn *one;        /* the fields of a call */
	const void *data;
	size_t count;
	_Atomic int status;
	size_t threads;
	int spins; /* 0 with OMP_WAIT_POLICY=passive */
	pthread_mutex_t lock;
	pthread_cond_t opened, idle;
};

/* The crew that this thread leads. The model spares a call for each access; its 8 bytes fit where the library is loaded late. */
static _Thread_local struct crew *led __attribute__((tls_model("initial-exec")));

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void take_shares(struct crew *c, size_t i)
{
	for (; i < c->count; i = atomic_fetch_add(&c->next, 1)) {
		const int s = c->one(c->data, i);
		int least = atomic_load(&c->status);

		while (s < least && !atomic_compare_exchange_weak(&c->status, &least, s))
			;
	}
}

static void help(struct crew *c)
{
	size_t i;

	atomic_fetch_add(&c->busy, 1);
	i = atomic_fetch_add(&c->next, 1);
	if (i < CLOSED)
		take_shares(c, i);
	if (atomic_fetch_sub(&c->busy, 1) > 1 || !atomic_load(&c->leader_asleep))
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_signal(&c->idle);
	pthread_mutex_unlock(&c->lock);
}

/* Waits until a call is opened after the first `seen`, or the crew is over; returns the count then. */
static size_t await_call(struct crew *c, size_t seen)
{
	size_t now;

	for (int i = 0; i < c->spins; i++) {
		now = atomic_load(&c->calls);
		if (now != seen)
			return now;
		relax();
	}
	pthread_mutex_lock(&c->lock);
	atomic_fetch_add(&c->asleep, 1);
	while ((now = atomic_load(&c->calls)) == seen)
		pthread_cond_wait(&c->opened, &c->lock);
	atomic_fetch_sub(&c->asleep, 1);
	pthread_mutex_unlock(&c->lock);
	return now;
}

/* Takes shares of one call after the other, until the crew is over. All threads but the leader run it. */
static void follow(struct crew *c)
{
	size_t seen = 0;

	for (;;) {
		/* Whoever reads `over` too early waits with this count, which is not that of the end: the end sets `over`, then counts. */
		seen = await_call(c, seen);
		if (atomic_load(&c->over))
			return;
		help(c);
	}
}

/* Counts a call, or the end, and wakes those who sleep. */
static void announce(struct crew *c)
{
	atomic_fetch_add(&c->calls, 1);
	if (!atomic_load(&c->asleep))
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->opened);
	pthread_mutex_unlock(&c->lock);
}

/*
 * If other programs use the CPUs, a thread may lose its own for milliseconds in the middle of a share. Then the leader does the
 * next `alone` calls without threads: after the first time LEAST_ALONE, after others twice as many, up to MOST_ALONE. A call
 * in time makes it one less. For all crews, since a crew may last for one run of a small model.
 */
enum { LEAST_ALONE = 32, MOST_ALONE = 1024 };

static _Atomic int alone, next_alone = LEAST_ALONE;

/* Whether the next call does without threads. */
static int goes_alone(void)
{
	const int left = atomic_load_explicit(&alone, memory_order_relaxed);

	if (left > 0)
		atomic_store_explicit(&alone, left - 1, memory_order_relaxed);
	return left > 0;
}

static void note_late(int is_late)
{
	const int next = atomic_load_explicit(&next_alone, memory_order_relaxed);

	if (is_late) {
		atomic_store_explicit(&alone, next, memory_order_relaxed);
		atomic_store_explicit(&next_alone, next < MOST_ALONE ? 2 * next : next, memory_order_relaxed);
	} else if (next > LEAST_ALONE) {
		atomic_store_explicit(&next_alone, next - 1, memory_order_relaxed);
	}
}

/* Waits until nobody is busy. Returns whether the leader had to sleep. */
static int await_all(struct crew *c)
{
	for (int i = 0; i < c->spins; i++) {
		if (!atomic_load(&c->busy))
			return 0;
		relax();
	}
	pthread_mutex_lock(&c->lock);
	atomic_store(&c->leader_asleep, 1);
	while (atomic_load(&c->busy))
		pthread_cond_wait(&c->idle, &c->lock);
	atomic_store(&c->leader_asleep, 0);
	pthread_mutex_unlock(&c->lock);
	return 1;
}

static int lead(struct crew *c, size_t count, share_fn *one, const void *data)
{
	const double begun = omp_get_wtime();
	double done;

	c->one = one;
	c->data = data;
	c->count = count;
	atomic_store(&c->status, 0);
	atomic_store(&c->next, 0);
	announce(c);
	take_shares(c, atomic_fetch_add(&c->next, 1));
	atomic_store(&c->next, CLOSED);
	done = omp_get_wtime();
	/* A share may well take as long as those of the leader. */
	note_late(await_all(c) && !isk_is_fixed() && omp_get_wtime() - done > done - begun);
	return atomic_load(&c->status);
}

/* NULL in a child of fork() too, where nobody would answer. */
static struct crew *crew_of_this_thread(void)
{
	return led && !isk_is_forked() ? led : NULL;
}

size_t isk_shares_for(double work, double least)
{
	const struct crew *c = crew_of_this_thread();
	const double few = least / ISK_CREW_GAIN;

	if (!c)
		return isk_threads_for(work, least);
	return work < 2 * few || goes_alone() ? 1 : work < (double)c->threads * few ? (size_t)(work / few) : c->threads;
}

int isk_share_out(size_t count, size_t threads, share_fn *one, const void *data)
{
	struct crew *c = crew_of_this_thread();
	int status = 0;

	if (c)
		return lead(c, count, one, data);
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 1) reduction(min : status)
	for (size_t i = 0; i < count; i++) {
		const int s = one(data, i);

		status = s < status ? s : status;
	}
	return status;
}

void isk_with_threads(void (*body)(void *data), void *data)
{
	const size_t threads = led ? 1 : isk_threads_for(DBL_MAX, 1);
	struct crew c = {.next = CLOSED, .spins = isk_is_passive() ? 0 : SPINS,
	                 .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER,
	                 .idle = PTHREAD_COND_INITIALIZER};

	if (threads < 2) {
		body(data);
		return;
	}
#pragma omp parallel num_threads((int)threads)
	if (omp_get_thread_num() == 0) {
		c.threads = (size_t)omp_get_num_threads();
		led = &c;
		body(data);
		led = NULL;
		atomic_store(&c.over, 1);
		announce(&c);
	} else {
		follow(&c);
	}
}
