/* SPDX-License-Identifier: MIT */
/* all-MiniLM-L6-v2: token ids in, one vector of length 1 out for each sentence. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "dense.h"

#define MODEL_DIM 384
/*
 * Tokens of a sentence, [CLS] and [SEP] included: the model's own limit, that
 * of its card and of its other implementations. (tokenizer.json says 128, the
 * length of the sentences it was trained on; there are positions up to 512.)
 */
#define MODEL_MAX_TOKENS 256
#define MODEL_VOCABULARY 30522

struct model;

/* Maps, checks and packs the weights. Exits with a message if the file has other weights. */
struct model *model_open(const char *path, enum weights weights);
void model_close(struct model *m);

/* The memory of one thread, for up to max tokens at a time. */
struct workspace *workspace_new(size_t max);
void workspace_free(struct workspace *w);

/*
 * Embeds count sentences at once. Sentence i is ids[start[i]] to ids[start[i + 1]] exclusive, at most
 * MODEL_MAX_TOKENS; its vector goes to out[i * MODEL_DIM]. A sentence's vector does not depend on the others.
 */
void model_embed(const struct model *m, struct workspace *w, float *out, const uint32_t *ids,
				 const size_t *start, size_t count);

#endif
