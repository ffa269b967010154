/* SPDX-License-Identifier: MIT */
/*
 * Three processes add shares of an array, split at random, and send their accumulators through pipes. One of them is killed while
 * it sends; the part that arrived is refused, and another process does its share again. The sum of all has the bits of a single
 * accumulator of the whole array.
 */
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isakern.h"

enum { N = 40000, PROCESSES = 3, PIECES = 12, ROUNDS = 20 };

static float x[N];
static uint64_t state = 1;

static uint32_t random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 32) * n >> 32);
}

/* A share: some pieces of the array. */
struct share {
	size_t from[PIECES], length[PIECES];
	int count;
};

static void split(struct share shares[PROCESSES])
{
	size_t from = 0;

	memset(shares, 0, sizeof(*shares) * PROCESSES);
	for (int i = 0; i < PIECES; i++) {
		struct share *const s = &shares[random_below(PROCESSES)];

		s->from[s->count] = from;
		s->length[s->count] = i + 1 < PIECES ? random_below((uint32_t)(N - from) / 2) : N - from;
		from += s->length[s->count++];
	}
}

/* The end of a pipe at which the accumulator of a share arrives, or half of it, after which the process waits to be killed. */
static int start(const struct share *share, int is_victim, pid_t *process)
{
	int ends[2];

	if (pipe(ends))
		exit(1);
	*process = fork();
	if (*process == 0) {
		unsigned char bytes[ISK_ACC_F32_BYTES];
		struct isk_acc_f32 acc;
		const size_t sent = is_victim ? sizeof(bytes) / 2 : sizeof(bytes);

		isk_acc_f32_clear(&acc, 1);
		for (int i = share->count - 1; i >= 0; i--)
			isk_acc_f32_add(&acc, x + share->from[i], share->length[i]);
		isk_acc_f32_save(bytes, &acc);
		if (write(ends[1], bytes, sent) != (ssize_t)sent)
			_exit(1);
		if (is_victim)
			pause();
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

/* Reads an accumulator. A victim is killed as soon as its half is there. Returns the status of isk_acc_f32_load(). */
static int receive(struct isk_acc_f32 *acc, int from, int is_victim, pid_t process)
{
	unsigned char bytes[ISK_ACC_F32_BYTES];
	size_t count = 0;
	ssize_t now;

	while ((now = read(from, bytes + count, sizeof(bytes) - count)) > 0) {
		count += (size_t)now;
		if (is_victim && count == sizeof(bytes) / 2)
			kill(process, SIGKILL);
	}
	close(from);
	waitpid(process, NULL, 0);
	return isk_acc_f32_load(acc, bytes, count);
}

int main(void)
{
	struct isk_acc_f32 whole, sum, part;
	int refused = 0, wrong = 0;

	for (size_t i = 0; i < N; i++)
		x[i] = ldexpf((float)random_below(1 << 24) - (1 << 23), (int)random_below(200) - 120);
	isk_acc_f32_clear(&whole, 1);
	isk_acc_f32_add(&whole, x, N);
	for (int round = 0; round < ROUNDS; round++) {
		struct share shares[PROCESSES];
		pid_t processes[PROCESSES];
		int ends[PROCESSES];
		int victim = (int)random_below(PROCESSES);

		split(shares);
		isk_acc_f32_clear(&sum, 1);
		for (int i = 0; i < PROCESSES; i++)
			ends[i] = start(&shares[i], i == victim, &processes[i]);
		for (int i = 0, k = (int)random_below(PROCESSES); i < PROCESSES; i++, k = (k + 1) % PROCESSES) {
			while (receive(&part, ends[k], k == victim, processes[k]) != ISK_OK) {
				refused++;
				victim = -1;
				ends[k] = start(&shares[k], 0, &processes[k]);
			}
			isk_acc_f32_merge(&sum, &part, 1);
		}
		wrong += memcmp(&sum, &whole, sizeof(sum)) != 0;
	}
	printf("%sok 1 - what a killed process sent is refused\n", refused == ROUNDS ? "" : "not ");
	printf("%sok 2 - three processes have the sum of one\n1..2\n", wrong ? "not " : "");
	return refused != ROUNDS || wrong;
}
