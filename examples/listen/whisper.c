/* SPDX-License-Identifier: MIT */
#include "whisper.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "rules.h"
#include "session.h"
#include "store.h"

enum { LAYERS = 4, HEADS = 6, HEAD = 64, HEARD = MEL_FRAMES / 2, WIDTH = HEADS * HEAD };
/* If the mark of silence is likelier than this, nobody speaks. */
static const float SURE = .6f;

struct whisper {
	char *path[2];
	Onnx__ModelProto *encoder, *decoder;
	struct store *store; /* the decoder's weights, because each step is a graph of its own */
	struct session hearing;
	uint64_t checksum;
};

/* The sessions of a decoder: the first one has the keys and values of the sound, the last one those of the tokens. */
struct decoder {
	struct session *first, *last;
	size_t past; /* tokens */
};

static int wants_state(const char *output)
{
	return strcmp(output, "last_hidden_state") == 0;
}

static int wants_logits(const char *output)
{
	return strcmp(output, "logits") == 0 || strncmp(output, "present.", 8) == 0;
}

struct whisper *whisper_open(const char *folder)
{
	struct whisper *w = calloc(1, sizeof(*w));

	if (!w)
		errx(1, "out of memory");
	if (asprintf(&w->path[0], "%s/onnx/encoder_model_quantized.onnx", folder) < 0 ||
	    asprintf(&w->path[1], "%s/onnx/decoder_model_merged_quantized.onnx", folder) < 0)
		errx(1, "out of memory");
	w->encoder = model_read(w->path[0]);
	w->decoder = model_read(w->path[1]);
	w->store = store_new();
	w->checksum = CHECKSUM_OF_NOTHING;
	return w;
}

void whisper_close(struct whisper *w)
{
	session_close(&w->hearing);
	store_free(w->store);
	onnx__model_proto__free_unpacked(w->encoder, NULL);
	onnx__model_proto__free_unpacked(w->decoder, NULL);
	free(w->path[0]);
	free(w->path[1]);
	free(w);
}

uint64_t whisper_checksum(const struct whisper *w)
{
	return w->checksum;
}

/* The encoder's picture of the sound, [HEARD][WIDTH]. */
static void *hear(struct whisper *w, const float *bands)
{
	struct session *s = &w->hearing;

	if (!s->inputs) {
		s->graph.path = w->path[0];
		s->graph.wants = wants_state;
		session_input(s, "input_features", F32, 3, (size_t[]){1, MEL_BANDS, MEL_FRAMES}, NULL);
		session_plan(s, w->encoder, 0);
	}
	memcpy(value_data(s->input[0]), bands, MEL_BANDS * MEL_FRAMES * sizeof(*bands));
	session_run(s);
	return value_data(session_output(s, "last_hidden_state"));
}

static void close_session(struct session *s)
{
	if (s)
		session_close(s);
	free(s);
}

/* The keys and values of each layer: of the tokens from the last session, of the sound from the first one. */
static void past_inputs(struct session *s, const struct decoder *d)
{
	static const char *const kinds[] = {"decoder.key", "decoder.value", "encoder.key", "encoder.value"};

	for (size_t i = 0; i < (size_t)LAYERS * 4; i++) {
		const int of_sound = i % 4 >= 2;
		const struct session *from = of_sound ? d->first : d->last;
		const size_t dim[] = {1, HEADS, !from ? 0 : of_sound ? HEARD : d->past, HEAD};
		char output[40], *input = graph_alloc(&s->graph, 40, 1);
		void *data = NULL;

		snprintf(input, 40, "past_key_values.%zu.%s", i / 4, kinds[i % 4]);
		snprintf(output, sizeof(output), "present.%zu.%s", i / 4, kinds[i % 4]);
		if (from) {
			const struct value *v = session_output(from, output);

			if (v->type != F32 || v->rank != 4 || memcmp(v->dim, dim, sizeof(dim)) != 0)
				errx(1, "%s: another network: output '%s' has other dimensions", from->graph.path, output);
			data = value_data(v);
		}
		session_input(s, input, F32, 4, dim, data);
	}
}

/* Runs the decoder for further tokens; returns the logits behind the last of them, TOKENS numbers. */
static float *step(struct whisper *w, struct decoder *d, void *state, const int64_t *tokens, size_t count)
{
	struct session *s = calloc(1, sizeof(*s));
	const struct value *logits;
	struct value *branch;

	if (!s)
		errx(1, "out of memory");
	s->graph.path = w->path[1];
	s->graph.wants = wants_logits;
	s->graph.store = w->store;
	memcpy(value_data(session_input(s, "input_ids", S64, 2, (size_t[]){1, count}, NULL)), tokens,
	       count * sizeof(*tokens));
	session_input(s, "encoder_hidden_states", F32, 3, (size_t[]){1, HEARD, WIDTH}, state);
	past_inputs(s, d);
	branch = session_input(s, "use_cache_branch", BOOL, 1, (size_t[]){1}, NULL);
	value_set_int(branch, 0, d->first != NULL);
	session_plan(s, w->decoder, 0);
	session_run(s);
	if (d->last != d->first)
		close_session(d->last);
	if (!d->first)
		d->first = s;
	d->last = s;
	d->past += count;
	logits = session_output(s, "logits");
	if (logits->type != F32 || value_count(logits) != count * TOKENS)
		errx(1, "%s: another network: its output does not have %d numbers for each token", w->path[1], TOKENS);
	w->checksum = checksum_of(w->checksum, value_data(logits), value_bytes(logits));
	return (float *)value_data(logits) + (count - 1) * TOKENS;
}

static void close_decoder(struct decoder *d)
{
	if (d->last != d->first)
		close_session(d->last);
	close_session(d->first);
	*d = (struct decoder){NULL, NULL, 0};
}

struct heard whisper_listen(struct whisper *w, const float bands[MEL_BANDS * MEL_FRAMES])
{
	enum { MOST = sizeof(((struct heard *)0)->token) / sizeof(int64_t) };
	void *state = hear(w, bands);
	int64_t begin[] = {TOKEN_START, 0, TOKEN_TRANSCRIBE};
	struct decoder d = {NULL, NULL, 0};
	struct heard h = {.count = 0};
	float *logits = step(w, &d, state, begin, 1);
	const float silence = logits[TOKEN_SILENCE] - isk_logsumexp_f32(logits, TOKENS);

	h.language = begin[1] = TOKEN_FIRST_LANGUAGE + (int64_t)isk_argmax_f32(logits + TOKEN_FIRST_LANGUAGE,
	                                                                       TOKEN_TRANSLATE - TOKEN_FIRST_LANGUAGE);
	close_decoder(&d);
	if (silence > logf(SURE))
		return h;
	logits = step(w, &d, state, begin, 3);
	while (h.count < MOST) {
		const int64_t next = rules_next(&h, logits);

		if (next == TOKEN_END)
			break;
		h.token[h.count++] = next;
		logits = step(w, &d, state, &next, 1);
	}
	close_decoder(&d);
	return h;
}
