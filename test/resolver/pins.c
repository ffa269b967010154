/* SPDX-License-Identifier: MIT */
/*
 * Binds two kernels while the environment changes, and prints what they are bound to. Link with -z lazy, so
 * that the first call is the first look at the environment.
 *
 *     pins unmapped VALUE         the memory of ISAKERN_BIND=VALUE is gone before the second kernel is bound
 *     pins full VALUE             no memory is available at the first look
 *     pins race ENVIRONMENT...    eight threads look first, while a ninth swaps the environments
 *     pins signal FIRST SECOND    in the middle of the first look, at FIRST, a signal handler looks, at SECOND
 *
 * An environment is a list of variables, separated by blanks. Those of race and signal take long to read, and
 * different times, because each value is preceded by commas, which mean nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "../candidates.h"

enum { THREADS = 8, MOST = 4, RACE_COMMAS = 100000, SIGNAL_COMMAS = 1 << 26 };

extern char **environ;

struct bound {
	size_t lanes;
	void *relu;
};

/* dlsym() runs a resolver, like a first call; without indirect functions it finds an entry. */
static void *bind_relu(void)
{
#ifdef POINTER
	return (void *)(uintptr_t)isk_bound("relu_f32");
#else
	return dlsym(RTLD_DEFAULT, "isk_relu_f32");
#endif
}

static struct bound bind(void)
{
	const size_t lanes = isk_get_vec_length();

	/* Waits until all have looked. */
	usleep(2000);
	return (struct bound){lanes, bind_relu()};
}

static void print(struct bound b)
{
	const char *relu = isa_of("relu_f32", b.relu);

	printf("%zu %s %s\n", b.lanes, relu ? relu : "unknown", isk_isa_current());
}

static int unmapped(const char *value)
{
	const size_t size = sizeof("ISAKERN_BIND=") + strlen(value);
	char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	float x[3] = {-1, 0, 1};
	struct bound b;

	if (page == MAP_FAILED)
		return 1;
	snprintf(page, size, "ISAKERN_BIND=%s", value);
	putenv(page);
	b.lanes = isk_get_vec_length();
	unsetenv("ISAKERN_BIND");
	munmap(page, size);
	isk_relu_f32(x, x, 3);
	b.relu = bind_relu();
	print(b);
	return 0;
}

static int full(char *value)
{
	const struct rlimit none = {0, RLIM_INFINITY};
	struct bound b;

	setenv("ISAKERN_BIND", value, 1);
	if (setrlimit(RLIMIT_AS, &none))
		return 1;
	b = bind();
	if (setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}))
		return 1;
	print(b);
	return 0;
}

static char *environments[MOST][MOST];
static int count;

static void add_environment(char *text, size_t commas)
{
	int i = 0;

	for (char *word = strtok(text, " "); word && i < MOST - 1; word = strtok(NULL, " ")) {
		const size_t name = strcspn(word, "=") + 1, length = strlen(word);
		char *variable = malloc(length + commas + 1);

		if (!variable)
			abort();
		memcpy(variable, word, name);
		memset(variable + name, ',', commas);
		memcpy(variable + name + commas, word + name, length - name + 1);
		environments[count][i++] = variable;
	}
	count++;
}

static pthread_barrier_t start;
static int stop;

static void *look(void *b)
{
	pthread_barrier_wait(&start);
	*(struct bound *)b = bind();
	return NULL;
}

static void *swap(void *unused)
{
	pthread_barrier_wait(&start);
	for (int i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i = (i + 1) % count)
		__atomic_store_n(&environ, environments[i], __ATOMIC_RELAXED);
	return unused;
}

static int race(void)
{
	struct bound b[THREADS];
	pthread_t thread[THREADS], swapper;

	environ = environments[0];
	pthread_barrier_init(&start, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, look, &b[i]))
			return 1;
	if (pthread_create(&swapper, NULL, swap, NULL))
		return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(swapper, NULL);
	for (int i = 0; i < THREADS; i++)
		print(b[i]);
	return 0;
}

static struct bound in_handler;
static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	environ = environments[1];
	in_handler.lanes = isk_get_vec_length();
	handled = 1;
}

static int interrupted(void)
{
	const struct itimerval soon = {.it_value.tv_usec = 5000};
	struct bound b;

	environ = environments[0];
	signal(SIGALRM, handler);
	if (setitimer(ITIMER_REAL, &soon, NULL))
		return 1;
	b.lanes = isk_get_vec_length();
	if (!handled) {
		printf("the signal came too late\n");
		return 1;
	}
	b.relu = in_handler.relu = bind_relu();
	print(b);
	print(in_handler);
	return 0;
}

int main(int argc, char **argv)
{
	const int racing = argc > 2 && strcmp(argv[1], "race") == 0;

	if (argc == 3 && strcmp(argv[1], "unmapped") == 0)
		return unmapped(argv[2]);
	if (argc == 3 && strcmp(argv[1], "full") == 0)
		return full(argv[2]);
	if (argc < 4 || argc > 2 + MOST || (!racing && strcmp(argv[1], "signal") != 0))
		return 2;
	for (int i = 2; i < argc; i++)
		add_environment(argv[i], racing ? (size_t)i * RACE_COMMAS : i == 2 ? SIGNAL_COMMAS : 0);
	return racing ? race() : interrupted();
}
