/* SPDX-License-Identifier: MIT */
/*
 * Constants that take time to make, kept for other graphs of the same model: folded and packed weights. In a file they
 * serve other processes and other machines, because packed weights are the same on all. An entry is found by a hash of
 * all that it is made from, so that a store has nothing to say about another model.
 */
#ifndef STORE_H
#define STORE_H

#include "graph.h"

struct store *store_new(void);
void store_free(struct store *s);
/* Adds the entries of a file, which is mapped; exits with a message if it cannot be read or is damaged. */
void store_map(struct store *s, const char *path);
void store_save(const struct store *s, const char *path);

/* The hash of a value: of its type, dims and elements, which are constant. */
uint64_t store_key(const struct graph *g, const struct value *v);
/* The hash of a tensor in the file, whose elements are those of the constant v; computed once. */
uint64_t store_tensor_key(struct store *s, const Onnx__TensorProto *t, const struct value *v);
/* The hash of bytes in front of which others have the hash h; for names of what is made. */
uint64_t store_hash(uint64_t h, const void *bytes, size_t count);

/*
 * Memory for what is made from values, by their keys: the graph's own, or the store's if the graph has one. *is_made is
 * set to whether it was made before, with as many bytes; else the caller makes it.
 */
void *store_keep(struct graph *g, uint64_t key, size_t bytes, int *is_made);

#endif
