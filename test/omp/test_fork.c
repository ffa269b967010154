/* SPDX-License-Identifier: MIT */
/*
 * isk_parallel_* in a child of fork(), whose parent has called it: GNU's run-time
 * library would wait for threads that the child does not have.
 *
 *      test_fork           in TAP
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isakern_omp.h"

/* 2^24 multiply-adds: enough for four threads. */
enum { SIZE = 256, SECONDS = 60 };

static float a[SIZE * SIZE], b[SIZE * SIZE], one[SIZE * SIZE], many[SIZE * SIZE];

static int is_right(void)
{
	memset(many, 0, sizeof(many));
	return isk_parallel_matmul_f32(many, a, b, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, 0, NULL) == ISK_OK
	       && memcmp(many, one, sizeof(one)) == 0;
}

/* The exit status of a child that computes, after `generations` further forks; SIGALRM ends a child that waits. */
static int status_of_child(int generations)
{
	const pid_t child = fork();
	int status = -1;

	if (child == 0) {
		alarm(SECONDS);
		_exit(generations ? status_of_child(generations - 1) : !is_right());
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check(int holds, const char *what)
{
	static int count;

	printf("%sok %d - %s\n", holds ? "" : "not ", ++count, what);
	fflush(stdout);
}

int main(void)
{
	isk_normal_f32(a, SIZE * SIZE, 1, 0);
	isk_normal_f32(b, SIZE * SIZE, 2, 0);
	if (isk_matmul_f32(one, a, b, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, 0, NULL) != ISK_OK)
		return 1;
	omp_set_num_threads(4);
	puts("1..4");
	check(is_right(), "a product on four threads");
	check(status_of_child(0) == 0, "the same in a child");
	check(status_of_child(1) == 0, "the same in a child of a child");
	check(is_right(), "the same in the parent again");
	return 0;
}
