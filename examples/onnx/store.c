/* SPDX-License-Identifier: MIT */
#include "store.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct kept {
	uint64_t key, bytes;
	char *data;
	int is_mapped;
};

struct tensor {
	const Onnx__TensorProto *proto;
	uint64_t key;
};

struct store {
	void *entries, *tensors; /* trees, by tsearch() */
	struct mapping {
		struct mapping *next;
		void *start;
		size_t bytes;
	} * mappings;
};

enum { ALIGNMENT = 64 };
#define HASH_OF_NOTHING 0x9e3779b97f4a7c15u

/* A file: this, `count` places, and the data. */
struct head {
	char magic[16];
	uint64_t count, hash; /* of all bytes behind the head */
	char pad[32];
};

struct span {
	uint64_t key, bytes, at;
};

static const char magic[16] = "isakern store 1";

static void *alloc(size_t bytes)
{
	void *p;

	if (posix_memalign(&p, ALIGNMENT, bytes + 1) != 0)
		errx(1, "out of memory: %zu bytes more", bytes);
	memset(p, 0, bytes);
	return p;
}

/* Eight bytes at a time, because whole models are hashed. */
uint64_t store_hash(uint64_t h, const void *bytes, size_t count)
{
	const char *at = bytes;
	uint64_t word = count;

	for (size_t left = count;; left -= 8, at += 8) {
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
		if (!left)
			return h;
		word = 0;
		if (left < 8) {
			memcpy(&word, at, left);
			h = (h ^ word) * 0xbf58476d1ce4e5b9u;
			return h ^ h >> 32;
		}
		memcpy(&word, at, 8);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int by_proto(const void *a, const void *b)
{
	const struct tensor *x = a, *y = b;

	return (x->proto > y->proto) - (x->proto < y->proto);
}

struct store *store_new(void)
{
	return alloc(sizeof(struct store));
}

static void free_entry(void *entry)
{
	struct kept *e = entry;

	if (!e->is_mapped)
		free(e->data);
	free(e);
}

void store_free(struct store *s)
{
	tdestroy(s->entries, free_entry);
	tdestroy(s->tensors, free);
	while (s->mappings) {
		struct mapping *m = s->mappings;

		s->mappings = m->next;
		munmap(m->start, m->bytes);
		free(m);
	}
	free(s);
}

/* The one in the tree that equals this, a copy of which is added if there is none. */
static void *found_or_added(void **tree, const void *item, size_t bytes, int (*compare)(const void *, const void *))
{
	void *const *at = tfind(item, tree, compare);
	void *copy;

	if (at)
		return *at;
	copy = alloc(bytes);
	memcpy(copy, item, bytes);
	if (!tsearch(copy, tree, compare))
		errx(1, "out of memory");
	return copy;
}

uint64_t store_key(const struct graph *g, const struct value *v)
{
	const size_t shape[2 + RANK] = {(size_t)v->type, v->rank,   v->dim[0], v->dim[1], v->dim[2],
	                                v->dim[3],       v->dim[4], v->dim[5], v->dim[6], v->dim[7]};
	const uint64_t h = store_hash(HASH_OF_NOTHING, shape, (2 + v->rank) * sizeof(*shape));

	if (!g->store)
		return 0;
	/* Constants lie dense, but may be parts of others. */
	if (v->storage->key && v->offset == 0 && v->storage->bytes == value_bytes(v))
		return store_hash(h, &v->storage->key, sizeof(v->storage->key));
	return store_hash(h, value_data(v), value_bytes(v));
}

uint64_t store_tensor_key(struct store *s, const Onnx__TensorProto *t, const struct value *v)
{
	struct tensor *tensor = found_or_added(&s->tensors, &(struct tensor){t, 0}, sizeof(*tensor), by_proto);

	if (!tensor->key)
		tensor->key = store_hash(HASH_OF_NOTHING, value_data(v), value_bytes(v));
	return tensor->key;
}

void *store_keep(struct graph *g, uint64_t key, size_t bytes, int *is_made)
{
	struct kept *e;

	*is_made = 0;
	if (!g->store)
		return graph_alloc(g, bytes + 1, 1);
	e = found_or_added(&g->store->entries, &(struct kept){key, bytes, NULL, 0}, sizeof(*e), by_key);
	*is_made = e->data != NULL;
	if (!e->data)
		e->data = alloc(bytes);
	return e->data;
}

/* For twalk_r(). */
struct listing {
	const struct kept **entry;
	size_t count;
};

static void list_entry(const void *node, VISIT visit, void *context)
{
	struct listing *l = context;

	if (visit == postorder || visit == leaf)
		l->entry[l->count++] = *(const struct kept *const *)node;
}

static void count_entry(const void *node, VISIT visit, void *context)
{
	(void)node;
	*(size_t *)context += visit == postorder || visit == leaf;
}

static size_t aligned(size_t at)
{
	return (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Writes a file whole: beside its place, unless that is no plain file, and then moves it there. Returns 0 or the error. */
static int write_file(const char *path, const void *body, size_t bytes)
{
	struct stat old;
	const int beside = stat(path, &old) != 0 || S_ISREG(old.st_mode);
	char *place = realpath(path, NULL), *made = NULL;
	int failed = 0;
	FILE *f;

	if (beside && asprintf(&made, "%s.part", place ? place : path) < 0)
		errx(1, "out of memory");
	f = fopen(beside ? made : path, "wb");
	if (!f || fwrite(body, 1, bytes, f) != bytes)
		failed = errno;
	if (f && fclose(f) != 0)
		failed = errno;
	if (beside && !failed && rename(made, place ? place : path) != 0)
		failed = errno;
	if (beside && f && failed)
		unlink(made);
	free(made);
	free(place);
	return failed;
}

void store_save(const struct store *s, const char *path)
{
	struct listing l = {NULL, 0};
	struct head head = {.count = 0};
	size_t at, count = 0;
	struct span *place;
	char *body;

	twalk_r(s->entries, count_entry, &count);
	l.entry = alloc(count * sizeof(*l.entry));
	twalk_r(s->entries, list_entry, &l);
	place = alloc(count * sizeof(*place));
	at = aligned(sizeof(head) + count * sizeof(*place));
	for (size_t i = 0; i < count; i++) {
		place[i] = (struct span){l.entry[i]->key, l.entry[i]->bytes, at};
		at = aligned(at + l.entry[i]->bytes);
	}
	body = alloc(at);
	memcpy(body + sizeof(head), place, count * sizeof(*place));
	for (size_t i = 0; i < count; i++)
		memcpy(body + place[i].at, l.entry[i]->data, place[i].bytes);
	memcpy(head.magic, magic, sizeof(magic));
	head.count = count;
	head.hash = store_hash(HASH_OF_NOTHING, body + sizeof(head), at - sizeof(head));
	memcpy(body, &head, sizeof(head));
	errno = write_file(path, body, at);
	if (errno)
		err(1, "%s", path);
	free(body);
	free(place);
	free(l.entry);
}

void store_map(struct store *s, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct span *place;
	const struct head *head;
	struct mapping *m;
	struct stat st;
	size_t bytes;
	char *body;

	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s", path);
	bytes = (size_t)st.st_size;
	if (!S_ISREG(st.st_mode) || bytes < sizeof(*head))
		errx(1, "%s: not a file that --save-packed has written", path);
	body = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (body == MAP_FAILED)
		err(1, "%s", path);
	m = alloc(sizeof(*m));
	*m = (struct mapping){s->mappings, body, bytes};
	s->mappings = m;
	head = (const struct head *)(void *)body;
	place = (const struct span *)(const void *)(head + 1);
	if (memcmp(head->magic, magic, sizeof(magic)) != 0)
		errx(1, "%s: not a file that --save-packed has written", path);
	if (head->count > bytes / sizeof(*place) ||
	    head->hash != store_hash(HASH_OF_NOTHING, body + sizeof(*head), bytes - sizeof(*head)))
		errx(1, "%s: damaged, because its checksum differs", path);
	for (size_t i = 0; i < head->count; i++) {
		struct kept *e;

		if (place[i].at > bytes || place[i].bytes > bytes - place[i].at || place[i].at % ALIGNMENT)
			errx(1, "%s: damaged: an entry lies outside the file", path);
		e = found_or_added(&s->entries, &(struct kept){place[i].key, place[i].bytes, NULL, 1}, sizeof(*e), by_key);
		if (!e->data)
			e->data = body + place[i].at;
	}
}
