/* SPDX-License-Identifier: MIT */
/* listen: writes down what is said in a sound, with the neural network Whisper on isakern; see --help. */
#include <argp.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cache.h"
#include "../clock.h"
#include "../vad/wav.h"
#include "isakern.h"
#include "session.h"
#include "threads.h"
#include "whisper.h"

enum { RATE = 16000, SAMPLES_PER_TIME = RATE / 50 };

struct options {
	const char *models, *sound;
	size_t threads;
};

static const struct argp_option choices[] = {
	{"models", 'm', "DIR", 0,
     "the networks. Default: where examples/listen/fetch.sh puts them, "
     "$XDG_CACHE_HOME/isakern/whisper-tiny, where XDG_CACHE_HOME is ~/.cache if not set",
     0},
	THREADS_OPTION,
	{0},
};

static error_t choose(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'm':
		o->models = arg;
		break;
	case 't':
		o->threads = threads_of(arg, state);
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
	.doc =
		"Writes down what is said in a sound: a WAV file of 16 kHz, or - for standard input. The network, Whisper tiny "
		"of 8 bits, knows 99 languages, and some of them well.\v"
		"Each line is the begin and end in seconds, and the text. The last line, on standard error, tells the time, "
		"the ISA, and a checksum of all logits, which is the same on every CPU from AVX2 up. Exit status: 0, or 1 if a "
		"file is missing or is no such sound, 2 for a mistake in the command line; the reason is one line on standard "
		"error.",
};

/*
 * Writes the texts heard in a window that begins at a sample. Returns the samples of the window that are done: up to
 * the begin of a text that the window cuts, if one before it is whole, else all.
 */
static size_t show(const struct vocabulary *v, const struct heard *h, size_t start, size_t window)
{
	size_t done = window, end;

	for (size_t i = 0; i < h->count; i = end) {
		const size_t begin = (size_t)(h->token[i] - TOKEN_TIME);

		for (end = i + 1; end < h->count && h->token[end] < TOKEN_TIME; end++)
			;
		if (end == h->count && i > 0) {
			done = begin * SAMPLES_PER_TIME;
			break;
		}
		printf("%7.2f ", (double)start / RATE + (double)begin / 50);
		if (end < h->count)
			printf("%7.2f ", (double)start / RATE + (double)(h->token[end] - TOKEN_TIME) / 50);
		else
			printf("%7.2f ", (double)(start + window) / RATE);
		for (size_t j = i + 1; j < end; j++)
			vocabulary_write(v, (size_t)h->token[j], stdout);
		printf("\n");
		/* The end of this text is the begin of the next one, or stands beside it. */
		if (end + 1 < h->count && h->token[end + 1] >= TOKEN_TIME)
			end++;
		else if (end + 1 >= h->count)
			break;
	}
	fflush(stdout);
	return done;
}

int main(int argc, char **argv)
{
	struct options o = {.threads = 1};
	float *bands = malloc(MEL_BANDS * MEL_FRAMES * sizeof(*bands));
	struct vocabulary *vocabulary;
	char *folder, *words;
	struct whisper *whisper;
	struct sound sound;
	struct mel *mel;
	double began, ended;

	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	session_threads(o.threads);
	sound = wav_open(o.sound);
	folder = o.models ? strdup(o.models) : cached("whisper-tiny");
	if (!folder || !bands || asprintf(&words, "%s/vocab.json", folder) < 0)
		errx(1, "out of memory");
	vocabulary = vocabulary_open(words);
	whisper = whisper_open(folder);
	mel = mel_new();
	began = clock_seconds();
	for (size_t at = 0, done; at < sound.count; at += done) {
		const size_t left = sound.count - at, window = left < MEL_SAMPLES ? left : MEL_SAMPLES;
		struct heard heard;

		mel_bands(mel, bands, sound.samples + at, window);
		heard = whisper_listen(whisper, bands);
		done = show(vocabulary, &heard, at, window);
		done = done && window == MEL_SAMPLES ? done : window;
	}
	ended = clock_seconds();
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	fprintf(stderr, "%.1f s of sound in %.0f ms, at ISA %s; checksum of the logits %016llx\n",
	        (double)sound.count / RATE, 1e3 * (ended - began), isk_isa_current(),
	        (unsigned long long)whisper_checksum(whisper));
	mel_free(mel);
	whisper_close(whisper);
	vocabulary_close(vocabulary);
	free(words);
	free(folder);
	free(sound.samples);
	free(bands);
	return 0;
}
