/* SPDX-License-Identifier: MIT */
/*
 * Sizes and strides that do not fit the arrays, for every kernel: no call by name reads or writes past an
 * array whose length it was given. Each array ends where an inaccessible page begins.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "values.h"

static const int64_t odd[] = {0, 1, 2, 7, 13, 64, 1 << 20, INT64_MAX, (int64_t)1 << 62};

/* Room for each array, with an inaccessible page after it. */
static unsigned char *room[SAMPLE_ARGUMENTS];

static void make_rooms(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (int i = 0; i < SAMPLE_ARGUMENTS; i++) {
		room[i] = mmap(NULL, SAMPLE_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (room[i] == MAP_FAILED || mprotect(room[i] + SAMPLE_BYTES, page, PROT_NONE))
			abort();
	}
}

/*
 * Moves an array to the end of its room. If the shape counts its elements, it has that length; one that a
 * struct measures keeps the whole room.
 */
static void move(const struct isk_kernel *k, struct sample *s, int i, struct isk_value *v)
{
	const struct isk_argument *a = &k->shape->arguments[i];

	if (!a->packed && !a->measured)
		v->bytes = isk_bytes_of(isk_argument_type(k, a), isk_argument_span(k, &s->args, a, 0));
	v->pointer = memcpy(room[i] + SAMPLE_BYTES - v->bytes, v->pointer, v->bytes);
}

static void one(const struct isk_kernel *k, struct sample *s, int argument, int64_t size, size_t *accepted)
{
	struct isk_value values[SAMPLE_ARGUMENTS];
	size_t count;

	sample_make(k, s);
	count = sample_values(k, s, values);
	for (int i = 0; i < k->shape->count; i++)
		if ((k->shape->arguments[i].role == ISK_OUT || k->shape->arguments[i].role == ISK_IN) && values[i].pointer)
			move(k, s, i, &values[i]);
	values[argument].integer = size;
	*accepted += isk_call(k->name, values, count, NULL) == ISK_OK;
}

int main(void)
{
	struct sample *s = aligned_alloc(64, sizeof(*s));
	size_t calls = 0, accepted = 0;

	make_rooms();
	/* An endless call fails as well. */
	alarm(120);
	for (size_t k = 0; s && k < isk_kernels_count; k++)
		for (int i = 0; i < isk_kernels[k].shape->count; i++)
			if (isk_kernels[k].shape->arguments[i].role == ISK_SIZE
			    || isk_kernels[k].shape->arguments[i].role == ISK_STRIDE)
				one(&isk_kernels[k], s, i, odd[calls++ % (sizeof(odd) / sizeof(odd[0]))], &accepted);
	printf("# %zu calls, %zu of them accepted\n", calls, accepted);
	printf("%sok 1 - no call by name goes beyond its arrays, be sizes what they may\n1..1\n",
	       calls > isk_kernels_count && accepted && accepted < calls ? "" : "not ");
	free(s);
	return 0;
}
