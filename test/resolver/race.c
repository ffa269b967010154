/* SPDX-License-Identifier: MIT */
/* Eight threads call the same two kernels for the first time at once. Prints the results of each. */
#include <pthread.h>
#include <stdio.h>

#include "isakern.h"

enum { THREADS = 8 };

static pthread_barrier_t start;

static void *first_call(void *lanes)
{
	float x[3] = {-1, 0, 1};

	pthread_barrier_wait(&start);
	*(size_t *)lanes = isk_get_vec_length();
	isk_relu_f32(x, x, 3);
	if (x[0] != 0 || x[1] != 0 || x[2] != 1)
		*(size_t *)lanes = 0;
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	size_t lanes[THREADS];

	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, first_call, &lanes[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("lanes=");
	for (int i = 0; i < THREADS; i++)
		printf("%zu,", lanes[i]);
	printf(" current=%s\n", isk_isa_current());
	return 0;
}
