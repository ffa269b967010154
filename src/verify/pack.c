/* SPDX-License-Identifier: MIT */
/* The drivers of pack and pack_groups. A packed matrix must be byte for byte that of the packing oracle, at every ISA. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"
#include "packed.h"
#include "products.h"

/* A call; groups are used if the shape has some. */
struct packing {
	struct isk_args_pack to;
	struct isk_groups groups;
	const struct isk_groups *given; /* NULL: shape pack, or no groups passed */
};

static int has_groups(const struct isk_kernel *k)
{
	return strcmp(k->shape->name, "pack_groups") == 0;
}

/* Any values, now and then only small ones, or only zeros. */
static void fill_bits(enum isk_type type, unsigned char *x, size_t n)
{
	const uint64_t mask = random_below(8) ? ~(uint64_t)0 : random_below(4) ? 0x8087808780878087 : 0;

	for (size_t i = 0; i < n; i++)
		isk_element_set_bits(type, x, i, random_bits() & mask);
}

static int pack_with(struct variant *v, isk_function fn, const struct packing *p)
{
	union isk_args args = {.pack = p->to};

	if (has_groups(v->kernel))
		args.pack_groups = (struct isk_args_pack_groups){
			.packed = p->to.packed, .b = p->to.b, .bytes = p->to.bytes, .k = p->to.k, .n = p->to.n, .ldb = p->to.ldb,
			.transposed = p->to.transposed, .groups = p->given,
		};
	v->checks++;
	variant_call(v, fn, &args);
	return args.result.status;
}

static int pack(struct variant *v, const struct packing *p)
{
	return pack_with(v, v->fn, p);
}

/* Whether the oracle, which is the reference as well, packs the same. */
static int right(const struct variant *v, const struct packing *p)
{
	return isk_oracle_pack(v->kernel->types[0], &p->to, p->given);
}

static size_t bytes_of(const struct variant *v, const struct packing *p)
{
	return p->given ? isk_packed_groups_size(v->kernel->types[0], p->to.k, p->to.n, p->given)
	                : isk_packed_size(v->kernel->types[0], p->to.k, p->to.n);
}

/* A problem whose rows have no gaps, with its scales. */
static struct packing packing_of(const struct variant *v, size_t k, size_t n, int transposed)
{
	static float scales[1 << 20];
	struct packing p = {.to = {.k = k, .n = n, .ldb = transposed ? k : n, .transposed = transposed}};

	p.groups = (struct isk_groups){sizeof(p.groups), (size_t)32 << random_below(3), scales, n + random_below(4)};
	for (size_t i = 0; has_groups(v->kernel) && i < span((k + 31) / 32, n, p.groups.ldscale); i++)
		scales[i] = (float)random_in(-2, 2);
	return p;
}

/* Passes the groups as an argument, which points into *p. */
static void give_groups(const struct variant *v, struct packing *p)
{
	p->given = has_groups(v->kernel) ? &p->groups : NULL;
}

static void one(struct variant *v, struct packing *p, enum edge edge, size_t from, size_t to)
{
	static unsigned char *b, *want;
	const enum isk_type type = v->kernel->types[0];
	const size_t rows = p->to.transposed ? p->to.n : p->to.k, cols = p->to.transposed ? p->to.k : p->to.n;
	const size_t source = span(rows, cols, p->to.ldb), more = random_below(2) * 100;
	const float *scales = p->groups.scale;
	size_t bytes;
	unsigned char *packed;
	int status;

	give_groups(v, p);
	bytes = bytes_of(v, p);
	trying("k %zu, n %zu, ldb %zu%s, groups of %zu, ldscale %zu, offsets b %zu, packed %zu from the %s edge", p->to.k,
	       p->to.n, p->to.ldb, p->to.transposed ? ", transposed" : "", p->groups.group, p->groups.ldscale, from, to,
	       edge == LOW ? "lower" : "upper");
	fill_bits(type, room(&b), source);
	p->to.b = slot_put(SLOT_A, edge, from, b, source * isk_element_bytes(type));
	p->to.packed = packed = slot_put(SLOT_Y, edge, to, NULL, bytes + more);
	p->to.bytes = bytes + more;
	if (p->given)
		p->groups.scale = slot_put(SLOT_B, edge, 0, scales,
		                           span((p->to.k + p->groups.group - 1) / p->groups.group, p->to.n, p->groups.ldscale)
		                               * sizeof(float));
	slot_expect_rows(SLOT_Y, 1, bytes, bytes);
	status = pack(v, p);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	memset(room(&want), 0x77, bytes);
	p->to.packed = want;
	status = right(v, p);
	for (size_t i = 0; i < bytes; i++)
		if (packed[i] != want[i])
			wrong("byte %zu of %zu: got %#x, wanted %#x", i, bytes, packed[i], want[i]);
	status = status ? status : isk_packed_check(packed, bytes, type);
	if (status)
		wrong("isk_packed_check() gives %d (%s)", status, isk_strerror(status));
}

static void pack_one(struct variant *v, size_t k, size_t n, int transposed, enum edge edge, size_t from,
                     size_t to)
{
	struct packing p = packing_of(v, k, n, transposed);

	p.to.ldb += random_below(4);
	one(v, &p, edge, from, to);
}

/* Rows of B a power of two apart, and more than 2^32 elements apart. */
static void strides(struct variant *v)
{
	static const size_t powers[] = {1024, 4096};
	static unsigned char *b, *near, *far;
	const size_t bytes = isk_element_bytes(v->kernel->types[0]);

	for (int i = 0; i < 4; i++) {
		struct packing p = packing_of(v, i % 2 ? 40 : 70, i % 2 ? 70 : 40, i % 2);

		p.to.ldb = powers[i / 2];
		one(v, &p, HIGH, 0, 0);
	}
	for (int transposed = 0; transposed < 2; transposed++) {
		const size_t rows = 37, cols = 23, row = cols * bytes;
		struct packing p = packing_of(v, transposed ? cols : rows, transposed ? rows : cols, transposed);
		unsigned char *apart = far_rows(rows, row, FAR * bytes);
		struct packing q = p;

		if (!apart)
			return;
		give_groups(v, &p);
		give_groups(v, &q);
		trying("k %zu, n %zu, ldb %zu%s", p.to.k, p.to.n, FAR, transposed ? ", transposed" : "");
		fill_bits(v->kernel->types[0], room(&b), rows * cols);
		copy_rows(apart, FAR * bytes, b, row, rows, row);
		p.to.bytes = q.to.bytes = bytes_of(v, &p);
		p.to.packed = room(&near);
		p.to.b = b;
		q.to.packed = memset(room(&far), 0x77, q.to.bytes);
		q.to.b = apart;
		q.to.ldb = FAR;
		if (right(v, &p) || pack(v, &q) || memcmp(near, far, p.to.bytes) != 0)
			wrong("refused, or packed otherwise than rows that are close");
		far_free(apart, rows, row, FAR * bytes);
	}
}

/* Sizes of 0 read nothing and end at once, however large the other size is. */
static void nothing(struct variant *v)
{
	const size_t most = SIZE_MAX;
	struct isk_packed header;

	for (int i = 0; i < 4; i++) {
		const int transposed = i % 2, no_columns = i / 2;
		struct packing p = {.to = {.packed = &header, .bytes = sizeof(header), .k = no_columns ? most : 0,
		                           .n = no_columns ? 0 : most, .transposed = transposed},
		                    .groups = {.size = sizeof(p.groups), .group = 32, .ldscale = no_columns ? 0 : most}};
		int status;

		p.to.ldb = transposed ? p.to.k : p.to.n;
		give_groups(v, &p);
		trying("k %zu, n %zu%s", p.to.k, p.to.n, transposed ? ", transposed" : "");
		status = pack(v, &p);
		/* s8 has a line of sums in each panel. */
		if (status != (v->kernel->types[0] == ISK_S8 && !no_columns ? ISK_ERR_SIZE : ISK_OK))
			wrong("status %d (%s)", status, isk_strerror(status));
		if (status == ISK_OK && isk_packed_check(&header, sizeof(header), v->kernel->types[0]))
			wrong("isk_packed_check() refuses it");
	}
}

/* A change of any byte, and any missing end, is found when the whole matrix is checked. */
static void damage(struct variant *v)
{
	static unsigned char *b, *packed;
	const enum isk_type type = v->kernel->types[0];
	struct packing p = packing_of(v, 5, 19, 0);
	size_t bytes;

	give_groups(v, &p);
	bytes = bytes_of(v, &p);
	fill_bits(type, room(&b), 5 * 19);
	p.to.b = b;
	p.to.packed = room(&packed);
	p.to.bytes = bytes;
	if (pack(v, &p))
		wrong("cannot pack 5 by 19");
	for (size_t i = 0; i < bytes; i++)
		for (int bit = 0; bit < 8; bit++) {
			trying("bit %d of byte %zu is flipped", bit, i);
			packed[i] ^= (unsigned char)(1 << bit);
			if (isk_packed_check(packed, bytes, type) >= 0)
				wrong("isk_packed_check() takes it");
			packed[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t length = 0; length < bytes; length++) {
		trying("cut to %zu bytes", length);
		if (isk_packed_check(slot_put(SLOT_A, HIGH, 0, packed, length), length, type) != ISK_ERR_PACKED)
			wrong("isk_packed_check() takes it");
		slots_check();
	}
	trying("checks that must pass or fail");
	if (isk_packed_check(packed, bytes + 5, type) || isk_packed_check(NULL, bytes, type) != ISK_ERR_NULL
	    || isk_packed_check(packed, bytes, type == ISK_BF16 ? ISK_F16 : ISK_BF16) != ISK_ERR_TYPE)
		wrong("isk_packed_check() errs");
}

static void refused(struct variant *v, const struct packing *p, int wanted)
{
	const int got = pack(v, p);

	if (got != wanted)
		wrong("got status %d (%s), wanted %d", got, isk_strerror(got), wanted);
	if ((p->given || !has_groups(v->kernel)) && wanted != ISK_ERR_STRUCT && got != right(v, p))
		wrong("the reference gives another status than %d", got);
}

static void refusals(struct variant *v)
{
	static unsigned char *b;
	struct packing good = packing_of(v, 7, 20, 0), p;
	const size_t huge = SIZE_MAX / 8;
	unsigned char *packed;

	give_groups(v, &good);
	good.to.bytes = bytes_of(v, &good);
	packed = slot_put(SLOT_Y, HIGH, 0, NULL, good.to.bytes);
	fill_bits(v->kernel->types[0], room(&b), 7 * 20);
	good.to.packed = packed;
	good.to.b = b;

#define REFUSED(status, change)                                                \
	do {                                                                       \
		p = good;                                                              \
		give_groups(v, &p);                                                    \
		(void)(change);                                                        \
		trying("refusal: %s", #change);                                        \
		refused(v, &p, status);                                                \
	} while (0)

	REFUSED(ISK_ERR_NULL, p.to.packed = NULL);
	REFUSED(ISK_ERR_NULL, p.to.b = NULL);
	REFUSED(ISK_ERR_STRIDE, p.to.ldb--);
	REFUSED(ISK_ERR_STRIDE, (p.to.transposed = 1, p.to.ldb = p.to.k - 1));
	REFUSED(ISK_ERR_SPACE, p.to.bytes--);
	REFUSED(ISK_ERR_SPACE, p.to.bytes = 0);
	REFUSED(ISK_ERR_SIZE, p.to.k = p.to.n = p.to.ldb = p.groups.ldscale = huge);
	REFUSED(ISK_ERR_SIZE, (p.to.bytes = SIZE_MAX, p.to.k = 64, p.to.n = p.to.ldb = p.groups.ldscale = huge));
	REFUSED(ISK_ERR_SIZE, p.to.ldb = v->kernel->types[0] == ISK_S8 ? SIZE_MAX : SIZE_MAX / 4);
	REFUSED(ISK_ERR_SIZE, (p.to.transposed = 1, p.to.ldb = SIZE_MAX));
	if (has_groups(v->kernel)) {
		REFUSED(ISK_ERR_NULL, p.given = NULL);
		REFUSED(ISK_ERR_NULL, p.groups.scale = NULL);
		REFUSED(ISK_ERR_STRUCT, p.groups.size--);
		REFUSED(ISK_ERR_STRUCT, p.groups.size++);
		REFUSED(ISK_ERR_STRUCT, p.groups.group = 0);
		REFUSED(ISK_ERR_STRUCT, p.groups.group = 16);
		REFUSED(ISK_ERR_STRUCT, p.groups.group = 256);
		REFUSED(ISK_ERR_STRUCT, p.groups.group = 48);
		REFUSED(ISK_ERR_STRIDE, p.groups.ldscale = p.to.n - 1);
		REFUSED(ISK_ERR_SIZE, p.groups.ldscale = SIZE_MAX / 3);
	}
	slots_check();
}

void drive_pack(struct variant *v)
{
	for (size_t k = 0; k < 40; k++)
		for (size_t n = 0; n < 40; n++)
			for (int transposed = 0; transposed < 2; transposed++)
				pack_one(v, k, n, transposed, (k + n) % 2 ? LOW : HIGH, 0, 0);
	for (int i = 0; i < 40; i++)
		pack_one(v, random_below(300), random_below(300), i % 2, i / 2 % 2 ? LOW : HIGH, 0, 0);
	for (size_t from = 0; from < 64; from += isk_element_bytes(v->kernel->types[0]))
		for (size_t to = 0; to < 64; to++)
			pack_one(v, 9, 37, (from + to) % 3 == 0, LOW, from, to);
	strides(v);
	nothing(v);
	damage(v);
	refusals(v);
}
