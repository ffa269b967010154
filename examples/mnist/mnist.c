/* SPDX-License-Identifier: MIT */
/* mnist: trains a small network to read handwritten digits, on isakern; see --help. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cache.h"
#include "../clock.h"
#include "curve.h"
#include "digits.h"
#include "isakern.h"
#include "network.h"

struct options {
	const char *data;
	size_t epochs, batch;
	uint64_t seed;
	size_t threads;
	double rate;
	int json, convolutional;
};

static const struct argp_option choices[] = {
	{"data", 'd', "DIR", 0, "the folder with the four files of MNIST. Default: where examples/mnist/fetch.sh puts them, "
	                        "$XDG_CACHE_HOME/isakern/mnist, where XDG_CACHE_HOME is ~/.cache if not set", 0},
	{"epochs", 'e', "N", 0, "how often to go through all digits, 1 to 100. Default: 3", 0},
	{"batch", 'b', "N", 0, "digits in each step, 1 to 1024. Default: 128", 0},
	{"rate", 'r', "X", 0, "the size of the first step, above 0, at most 1; later ones are smaller, down to nearly 0. "
	                    "Default: 0.002", 0},
	{"seed", 's', "N", 0, "seed of the first weights and of the order of the digits. Default: 1", 0},
	{"conv", 'c', NULL, 0, "train a convolutional network, of two convolutions with batch normalisation. Default: one of two "
	                       "layers", 0},
	{"threads", 't', "N", 0, "threads that compute, 1 to 64. Default: 1", 0},
	{"json", 'j', NULL, 0, "write a line of JSON for each epoch, and nothing else", 0},
	{0},
};

static size_t number(struct argp_state *state, const char *option, const char *text, size_t least, size_t most)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9' || n < least || n > most)
		argp_error(state, "%s wants a number from %zu to %zu, not '%s'", option, least, most, text);
	return (size_t)n;
}

static error_t choose(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	char *end;

	switch (key) {
	case 'd':
		o->data = arg;
		break;
	case 'e':
		o->epochs = number(state, "--epochs", arg, 1, 100);
		break;
	case 'b':
		o->batch = number(state, "--batch", arg, 1, MOST_BATCH);
		break;
	case 'r':
		o->rate = strtod(arg, &end);
		if (!*arg || *end || !(o->rate > 0 && o->rate <= 1))
			argp_error(state, "--rate wants a number above 0, at most 1, not '%s'", arg);
		break;
	case 's':
		o->seed = number(state, "--seed", arg, 0, SIZE_MAX);
		break;
	case 'c':
		o->convolutional = 1;
		break;
	case 't':
		o->threads = number(state, "--threads", arg, 1, 64);
		break;
	case 'j':
		o->json = 1;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option", arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = choices,
	.parser = choose,
	.doc = "Trains a network to read the handwritten digits of MNIST: forwards, backwards and Adam.\v"
	       "Everything is computed by kernels of isakern, so the final weights are the same to the last bit on every "
	       "CPU from AVX2 up and for any number of threads, as their checksum shows. Exit status: 0, or 1 if a file is "
	       "missing or damaged, 2 for a mistake in the command line; the reason is one line on standard error.",
};

/* Shown on a terminal only. */
static void progress(size_t epoch, size_t done, size_t all, double loss)
{
	enum { BAR = 30 };
	static double last;

	if (!isatty(STDERR_FILENO) || (clock_seconds() - last < 0.1 && done < all))
		return;
	last = clock_seconds();
	if (done == all) {
		fputs("\r\033[K", stderr);
		return;
	}
	fprintf(stderr, "\repoch %zu [", epoch);
	for (size_t i = 0; i < BAR; i++)
		fputc(i < done * BAR / all ? '#' : ' ', stderr);
	fprintf(stderr, "] loss %.4f ", loss);
}

/* The shuffle of Fisher and Yates. */
static void shuffle(uint32_t *numbers, size_t count, uint64_t *seed)
{
	for (size_t i = count; i > 1; i--) {
		const size_t other = draw(seed) % i;
		const uint32_t kept = numbers[i - 1];

		numbers[i - 1] = numbers[other];
		numbers[other] = kept;
	}
}

/* Trains for one epoch, and stores the losses of its steps. Returns their mean. */
static double learn(struct network *n, const struct digits *d, uint32_t *numbers, const struct options *o, size_t epoch,
                    uint64_t *seed, double *losses)
{
	double sum = 0;
	size_t steps = 0;

	shuffle(numbers, d->count, seed);
	for (size_t first = 0; first < d->count; first += o->batch, steps++) {
		const size_t count = d->count - first < o->batch ? d->count - first : o->batch;
		const double left = 1 - ((double)(epoch - 1) + (double)first / (double)d->count) / (double)o->epochs;

		losses[steps] = network_learn(n, d, numbers + first, count, (float)(o->rate * left));
		sum += losses[steps];
		progress(epoch, first + count, d->count, losses[steps]);
	}
	return sum / (double)steps;
}

int main(int argc, char **argv)
{
	struct options o = {.epochs = 3, .batch = 128, .seed = 1, .threads = 1, .rate = 0.002};
	char *folder;
	struct digits training, testing;
	struct network network;
	char threads[24];
	uint32_t *numbers;
	uint64_t seed;
	double *losses;
	size_t steps;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	folder = o.data ? strdup(o.data) : cached("mnist");
	training = digits_read(folder, "train");
	testing = digits_read(folder, "t10k");
	steps = (training.count + o.batch - 1) / o.batch;
	numbers = malloc(training.count * sizeof(*numbers));
	losses = malloc(o.epochs * steps * sizeof(*losses));
	if (!numbers || !losses)
		errx(1, "out of memory");
	for (size_t i = 0; i < training.count; i++)
		numbers[i] = (uint32_t)i;
	seed = o.seed;
	many_threads = o.threads > 1;
	snprintf(threads, sizeof(threads), "%zu", o.threads);
	setenv("ISAKERN_NUM_THREADS", threads, 1);
	(o.convolutional ? convolutional_init : dense_init)(&network, seed);
	if (!o.json)
		printf("%zu digits to learn from, %zu to be tested on; computed on %s\n", training.count, testing.count,
		       isk_isa_current());
	for (size_t epoch = 1; epoch <= o.epochs; epoch++) {
		const double began = clock_seconds();
		const double loss = learn(&network, &training, numbers, &o, epoch, &seed, losses + (epoch - 1) * steps);
		const double seconds = clock_seconds() - began, right = (double)network_right(&network, &testing) / (double)testing.count;

		printf(o.json ? "{\"epoch\": %zu, \"loss\": %.6f, \"right\": %.4f, \"seconds\": %.2f, \"checksum\": \"%016" PRIx64
		                "\"}\n"
		              : "epoch %zu: mean loss %.4f, %.4f of the test right, %.2f s, weights %016" PRIx64 "\n",
		       epoch, loss, right, seconds, network_checksum(&network));
	}
	if (!o.json) {
		char below[64];

		snprintf(below, sizeof(below), "1 to %zu steps of %zu digits", o.epochs * steps, o.batch);
		curve_show(losses, o.epochs * steps, "loss", below);
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	network_free(&network);
	digits_free(&training);
	digits_free(&testing);
	free(numbers);
	free(losses);
	free(folder);
	return 0;
}
