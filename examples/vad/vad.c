/* SPDX-License-Identifier: MIT */
/* vad: finds where somebody speaks in a sound, with the neural network Silero VAD on isakern; see --help. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cache.h"
#include "network.h"
#include "show.h"
#include "wav.h"

struct options {
	const char *model, *sound;
	double threshold;
	void (*show)(const struct found *found);
};

static const struct argp_option choices[] = {
	{"model", 'm', "FILE", 0, "silero_vad_v5.onnx. Default: where examples/vad/fetch.sh puts it, "
	                          "$XDG_CACHE_HOME/isakern/silero-vad, where XDG_CACHE_HOME is ~/.cache if not set", 0},
	{"threshold", 't', "P", 0, "the probability from which on a chunk is speech, from 0.01 to 0.99. Default: 0.5", 0},
	{"probabilities", 'p', NULL, 0, "write a line for each chunk of 32 ms: its time and probability", 0},
	{"json", 'j', NULL, 0, "write one JSON object instead of text", 0},
	{0},
};

static error_t choose(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	char *end;

	switch (key) {
	case 'm':
		o->model = arg;
		break;
	case 't':
		o->threshold = strtod(arg, &end);
		if (!*arg || *end || !(o->threshold >= 0.01 && o->threshold <= 0.99))
			argp_error(state, "--threshold wants a number from 0.01 to 0.99, not '%s'", arg);
		break;
	case 'p':
		o->show = show_probabilities;
		break;
	case 'j':
		o->show = show_json;
		break;
	case ARGP_KEY_ARG:
		if (o->sound)
			argp_error(state, "one sound at a time, not '%s' as well", arg);
		o->sound = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which sound? A WAV file, or - for standard input");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = choices,
	.parser = choose,
	.args_doc = "FILE",
	.doc = "Finds where somebody speaks in a sound: a WAV file of 16 kHz, or - for standard input.\v"
	       "Everything is computed by kernels of isakern, and is the same to the last bit on every CPU from AVX2 up. Exit "
	       "status: 0, or 1 if a file is missing or is no such sound, 2 for a mistake in the command line; the reason is "
	       "one line on standard error.",
};

static struct network *open_network(const char *model)
{
	char *path = model ? strdup(model) : cached("silero-vad/silero_vad_v5.onnx");
	struct network *n;
	FILE *f;

	if (!path)
		errx(1, "out of memory");
	f = fopen(path, "rb");
	if (!f)
		errx(1, "no model at %s: %s; examples/vad/fetch.sh gets it, --model FILE names another", path, strerror(errno));
	fclose(f);
	n = network_open(path);
	free(path);
	return n;
}

int main(int argc, char **argv)
{
	struct options o = {.threshold = 0.5, .show = show_text};
	struct segment *segments;
	struct network *network;
	struct sound sound;
	struct found found;
	float *probability;
	size_t chunks;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	sound = wav_open(o.sound);
	network = open_network(o.model);
	chunks = (sound.count + CHUNK - 1) / CHUNK;
	probability = malloc(chunks * sizeof(*probability));
	if (!probability)
		errx(1, "out of memory");
	for (size_t i = 0; i < chunks; i++) {
		const size_t left = sound.count - i * CHUNK;
		/* The last chunk is filled up with silence. */
		float chunk[CHUNK] = {0};

		memcpy(chunk, sound.samples + i * CHUNK, (left < CHUNK ? left : CHUNK) * sizeof(*chunk));
		probability[i] = network_next(network, chunk);
	}
	found = (struct found){.name = o.sound, .seconds = (double)sound.count / RATE, .threshold = o.threshold,
	                       .probability = probability, .chunks = chunks};
	found.count = segments_of(probability, chunks, o.threshold, found.seconds, &segments);
	found.segments = segments;
	o.show(&found);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	free(segments);
	free(probability);
	free(sound.samples);
	network_close(network);
	return 0;
}
