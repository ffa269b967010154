/* SPDX-License-Identifier: MIT */
/*
 * Accumulators: fixed_point.h in a public struct. The elements of a call are added by accumulate.c at the highest ISA;
 * everything else is done here, one accumulator after another.
 */
#include <string.h>

#include "fixed_point.h"
#include "formats.h"
#include "isas.h"
#include "names.h"
#include "parts.h"
#include "resolve.h"

#define VERSION 1
/* Words of the squares of sums, times counts. */
#define MOST_WORDS (ISK_ACC_F64_WORDS + 2)

/* Both public structs begin like this. */
struct acc {
	uint32_t magic, flags;
	uint64_t count, word[];
} __attribute__((may_alias));

/* A type of accumulator. Results have `digits` bits and are multiples of 2^least. */
struct kind {
	enum isk_type type;
	int words, lowest, digits, least;
	size_t bytes;
};
static const struct kind of_f32 = {ISK_F32, ISK_ACC_F32_WORDS, ISK_LOWEST_F32, 24, -149, sizeof(struct isk_acc_f32)};
static const struct kind of_f64 = {ISK_F64, ISK_ACC_F64_WORDS, ISK_LOWEST_F64, 53, -1074, sizeof(struct isk_acc_f64)};

_Static_assert(sizeof(struct isk_acc_f32) == ISK_ACC_F32_BYTES - 8, "a saved accumulator is the struct and a check");
_Static_assert(sizeof(struct isk_acc_f64) == ISK_ACC_F64_BYTES - 8, "a saved accumulator is the struct and a check");

/* The letters "ac", the version and the type. */
static uint32_t magic_of(const struct kind *k, unsigned version)
{
	return 'a' | 'c' << 8 | version << 16 | (uint32_t)k->type << 24;
}

/* Accumulator i. */
static struct acc *at(const struct kind *k, const void *accs, size_t i)
{
	return (struct acc *)((uintptr_t)accs + i * k->bytes);
}

/* Whether n accumulators are of this kind. */
static int check(const struct kind *k, const void *accs, size_t n)
{
	if (n && !accs)
		return ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++)
		if (at(k, accs, i)->magic != magic_of(k, VERSION) || at(k, accs, i)->flags > 7)
			return ISK_ERR_PACKED;
	return ISK_OK;
}

static int clear(const struct kind *k, void *accs, size_t n)
{
	if (n && !accs)
		return ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++) {
		memset(at(k, accs, i), 0, k->bytes);
		at(k, accs, i)->magic = magic_of(k, VERSION);
	}
	return ISK_OK;
}

/* The function of an ISA and a type. ISAs without a variant of their own have that of a lower one. */
#define ACCUMULATE(type, isa) ISK_PASTE4(ISK_PREFIX, _accumulate_##type, __, ISK_PASTE2(ISK_PART_accumulate_, isa))
#define X(isa, ...)                                                            \
	extern __attribute__((visibility("hidden"))) isk_accumulate_fn ACCUMULATE(f32, isa), ACCUMULATE(f64, isa);
ISK_ISAS(X)
#undef X

static isk_accumulate_fn *accumulate_of(enum isk_isa isa, enum isk_type type)
{
	switch (isa) {
#define X(isa, ...)                                                            \
	case ISK_ISA_##isa:                                                        \
		return type == ISK_F32 ? ACCUMULATE(f32, isa) : ACCUMULATE(f64, isa);
		ISK_ISAS(X)
#undef X
	default:
		return NULL;
	}
}

/* Adds n elements, or products. */
static int add(const struct kind *k, void *accs, const void *a, const void *b, int has_two, size_t n)
{
	struct acc *const acc = accs;
	const int status = acc ? check(k, acc, 1) : ISK_ERR_NULL;

	if (status)
		return status;
	if (n && (!a || (has_two && !b)))
		return ISK_ERR_NULL;
	if (n > UINT64_MAX - acc->count)
		return ISK_ERR_SIZE;
	if (n)
		accumulate_of(isk_level(), k->type)(acc->word, &acc->flags, a, b, n);
	acc->count += n;
	return ISK_OK;
}

static int add_each(const struct kind *k, void *accs, const void *x, size_t n)
{
	const int status = check(k, accs, n);

	if (status || (n && !x))
		return status ? status : ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++)
		if (at(k, accs, i)->count == UINT64_MAX)
			return ISK_ERR_SIZE;
	for (size_t i = 0; i < n; i++) {
		struct acc *const acc = at(k, accs, i);

		isk_fixed_add_number(acc->word, k->words, k->lowest, &acc->flags,
		                     k->type == ISK_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i]);
		acc->count++;
	}
	return ISK_OK;
}

/* y += x, where both are integers of `words` words. */
static void add_words(uint64_t *y, const uint64_t *x, int words)
{
	uint64_t carry = 0;

	for (int i = 0; i < words; i++) {
		const unsigned __int128 now = (unsigned __int128)y[i] + x[i] + carry;

		y[i] = (uint64_t)now;
		carry = (uint64_t)(now >> 64);
	}
}

static int merge(const struct kind *k, void *accs, const void *from, size_t n)
{
	int status = check(k, accs, n);

	status = status ? status : check(k, from, n);
	for (size_t i = 0; i < n && !status; i++)
		if (at(k, from, i)->count > UINT64_MAX - at(k, accs, i)->count)
			status = ISK_ERR_SIZE;
	for (size_t i = 0; i < n && !status; i++) {
		struct acc *const y = at(k, accs, i);
		const struct acc *const x = at(k, from, i);

		add_words(y->word, x->word, k->words);
		y->flags |= x->flags;
		y->count += x->count;
	}
	return status;
}

static double rounded(const struct kind *k, const struct acc *acc, int digits, int least)
{
	return acc->flags ? isk_special(acc->flags) : isk_fixed_rounded(acc->word, k->words, k->lowest, digits, least);
}

static int to_f32(const struct kind *k, float *y, const void *accs, size_t n)
{
	const int status = check(k, accs, n);

	if (status || (n && !y))
		return status ? status : ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++)
		y[i] = (float)rounded(k, at(k, accs, i), of_f32.digits, of_f32.least);
	return ISK_OK;
}

static int to_f64(const struct kind *k, double *y, const void *accs, size_t n)
{
	const int status = check(k, accs, n);

	if (status || (n && !y))
		return status ? status : ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++)
		y[i] = rounded(k, at(k, accs, i), of_f64.digits, of_f64.least);
	return ISK_OK;
}

/* A long division, bit by bit. */
struct division {
	unsigned __int128 rest, divisor;
};

/* The next bit of the quotient. */
static unsigned next(struct division *d, int bit)
{
	d->rest = 2 * d->rest + (unsigned)bit;
	if (d->rest < d->divisor)
		return 0;
	d->rest -= d->divisor;
	return 1;
}

/*
 * The nearest number of this kind to word * 2^lowest / divisor, where divisor is from 1 to 2^126. Bits of the quotient are made
 * from the top; the first one that is 1 tells how many are kept. least is at least lowest + 1.
 */
static double quotient(const struct kind *k, const uint64_t *word, int words, unsigned __int128 divisor)
{
	const struct isk_size size = isk_size_of(word, words);
	struct division d = {0, divisor};
	int last = k->least - k->lowest, is_half;
	uint64_t kept = 0;
	double result;

	if (size.first == words)
		return 0;
	for (int i = 64 * isk_size_top(&size) + 63; i >= last; i--) {
		const unsigned bit = next(&d, isk_size_bit(&size, i));

		if (bit && !kept && i - (k->digits - 1) > last)
			last = i - (k->digits - 1);
		kept = 2 * kept + bit;
	}
	is_half = (int)next(&d, isk_size_bit(&size, last - 1));
	if (is_half && ((kept & 1) || d.rest || 64 * size.first + __builtin_ctzll(word[size.first]) < last - 1))
		kept++;
	result = isk_scaled(kept, last + k->lowest);
	return size.is_negative ? -result : result;
}

static void put(const struct kind *k, void *y, size_t i, double value)
{
	if (k->type == ISK_F32)
		((float *)y)[i] = (float)value;
	else
		((double *)y)[i] = value;
}

static int mean(const struct kind *k, void *y, const void *accs, size_t n)
{
	const int status = check(k, accs, n);

	if (status || (n && !y))
		return status ? status : ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++) {
		const struct acc *const acc = at(k, accs, i);

		put(k, y, i,
		    acc->flags    ? isk_special(acc->flags)
		    : !acc->count ? (double)__builtin_nanf("")
		                  : quotient(k, acc->word, k->words, acc->count));
	}
	return ISK_OK;
}

/* to += a * factor, or -= if sign is -1, from word `from` on. */
static void add_multiple(uint64_t *to, int words, const uint64_t *a, int count, uint64_t factor, int from, int sign)
{
	uint64_t high = 0, borrow = 0;

	for (int i = from; i < words; i++) {
		const unsigned __int128 product = (unsigned __int128)(i - from < count ? a[i - from] : 0) * factor + high;
		const uint64_t low = (uint64_t)product, sum = sign < 0 ? to[i] - low : to[i] + low;
		const uint64_t first = sign < 0 ? sum > to[i] : sum < low;

		to[i] = sign < 0 ? sum - borrow : sum + borrow;
		borrow = first + (sign < 0 ? to[i] > sum : to[i] < sum);
		high = (uint64_t)(product >> 64);
	}
}

/*
 * count * squares - sum^2, the sum of all squared distances times count, in units of squares. A sum of elements is a multiple of
 * 2^least, the root of the unit. Returns 0 if it is not, or if the difference is negative, which no elements have.
 */
static int distances(const struct kind *k, uint64_t word[MOST_WORDS], const struct acc *sum, const struct acc *squares)
{
	const struct isk_size size = isk_size_of(sum->word, k->words);
	const int shift = k->least - k->lowest, words = k->words + 2;
	uint64_t root[ISK_ACC_F64_WORDS];

	memset(word, 0, sizeof(*word) * MOST_WORDS);
	if (squares->word[k->words - 1] >> 63
	    || (size.first < k->words && 64 * size.first + __builtin_ctzll(sum->word[size.first]) < shift))
		return 0;
	add_multiple(word, words, squares->word, k->words, sum->count, 0, 1);
	for (int i = 0; i < k->words; i++) {
		const int first = i + shift / 64;

		root[i] = isk_size_word(&size, first) >> shift % 64 | isk_size_word(&size, first + 1) << (64 - shift % 64);
	}
	for (int i = 0; i < k->words; i++)
		add_multiple(word, words, root, k->words, root[i], i, -1);
	return !(word[words - 1] >> 63);
}

static int variance(const struct kind *k, void *y, const void *sums, const void *squares, size_t n, uint64_t less)
{
	uint64_t word[MOST_WORDS];
	int status = check(k, sums, n);

	status = status ? status : check(k, squares, n);
	if (status || (n && !y))
		return status ? status : ISK_ERR_NULL;
	for (size_t i = 0; i < n; i++) {
		const struct acc *const sum = at(k, sums, i), *const square = at(k, squares, i);

		if (sum->count != square->count || sum->count >> 63)
			return ISK_ERR_SIZE;
		if (!sum->flags && !square->flags && !distances(k, word, sum, square))
			return ISK_ERR_PACKED;
	}
	for (size_t i = 0; i < n; i++) {
		const struct acc *const sum = at(k, sums, i), *const square = at(k, squares, i);
		double value = __builtin_nan("");

		if (!sum->flags && !square->flags && sum->count > less) {
			distances(k, word, sum, square);
			value = quotient(k, word, k->words + 2, (unsigned __int128)sum->count * (sum->count - less));
		}
		put(k, y, i, value);
	}
	return ISK_OK;
}

/* Writes a number of some bytes, the lowest first, and reads one. */
static void put_bytes(unsigned char *to, uint64_t x, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = (unsigned char)(x >> 8 * i);
}

static uint64_t get_bytes(const unsigned char *from, int bytes)
{
	uint64_t x = 0;

	for (int i = 0; i < bytes; i++)
		x |= (uint64_t)from[i] << 8 * i;
	return x;
}

/* A step is one to one for a given word, and for a given sum. So no change of a single word leaves the check as it was. */
static uint64_t check_of(const unsigned char *bytes, size_t count)
{
	uint64_t sum = count;

	for (size_t i = 0; i < count; i += 8) {
		sum = (sum ^ get_bytes(bytes + i, 8)) * 0x9e3779b97f4a7c15;
		sum ^= sum >> 32;
	}
	return sum;
}

static int save(const struct kind *k, void *bytes, const void *accs)
{
	const struct acc *const acc = accs;
	unsigned char *const to = bytes;
	const int status = acc && bytes ? check(k, acc, 1) : ISK_ERR_NULL;

	if (status)
		return status;
	put_bytes(to, acc->magic, 4);
	put_bytes(to + 4, acc->flags, 4);
	put_bytes(to + 8, acc->count, 8);
	for (int i = 0; i < k->words; i++)
		put_bytes(to + 16 + 8 * i, acc->word[i], 8);
	put_bytes(to + k->bytes, check_of(to, k->bytes), 8);
	return ISK_OK;
}

static int load(const struct kind *k, void *accs, const void *bytes, size_t count)
{
	const struct kind *const other = k == &of_f32 ? &of_f64 : &of_f32;
	const unsigned char *const from = bytes;
	struct acc *const acc = accs;
	uint32_t magic;

	if (!acc || !bytes)
		return ISK_ERR_NULL;
	if (count < 8 || from[0] != 'a' || from[1] != 'c')
		return ISK_ERR_PACKED;
	magic = (uint32_t)get_bytes(from, 4);
	if (from[2] > VERSION)
		return ISK_ERR_VERSION;
	if (magic == magic_of(other, VERSION))
		return ISK_ERR_TYPE;
	if (magic != magic_of(k, VERSION) || count < k->bytes + 8 || get_bytes(from + 4, 4) > 7
	    || get_bytes(from + k->bytes, 8) != check_of(from, k->bytes))
		return ISK_ERR_PACKED;
	acc->magic = magic;
	acc->flags = (uint32_t)get_bytes(from + 4, 4);
	acc->count = get_bytes(from + 8, 8);
	for (int i = 0; i < k->words; i++)
		acc->word[i] = get_bytes(from + 16 + 8 * i, 8);
	return ISK_OK;
}

/* The public functions of a type. */
#define FUNCTION(T, op, arguments, ...)                                        \
	ISK_API int isk_acc_##T##_##op arguments                                   \
	{                                                                          \
		return __VA_ARGS__;                                                    \
	}
#define TERMS(T, elem)                                                         \
	FUNCTION(T, clear, (struct isk_acc_##T *acc, size_t n), clear(&of_##T, acc, n)) \
	FUNCTION(T, add, (struct isk_acc_##T *acc, const elem *x, size_t n), add(&of_##T, acc, x, NULL, 0, n)) \
	FUNCTION(T, add_products, (struct isk_acc_##T *acc, const elem *a, const elem *b, size_t n), \
	         add(&of_##T, acc, a, b, 1, n))                                    \
	FUNCTION(T, add_each, (struct isk_acc_##T *acc, const elem *x, size_t n), add_each(&of_##T, acc, x, n)) \
	FUNCTION(T, merge, (struct isk_acc_##T *acc, const struct isk_acc_##T *from, size_t n), merge(&of_##T, acc, from, n)) \
	FUNCTION(T, save, (void *bytes, const struct isk_acc_##T *acc), save(&of_##T, bytes, acc)) \
	FUNCTION(T, load, (struct isk_acc_##T *acc, const void *bytes, size_t count), load(&of_##T, acc, bytes, count))
#define RESULTS(T, elem)                                                       \
	FUNCTION(T, to_f32, (float *y, const struct isk_acc_##T *acc, size_t n), to_f32(&of_##T, y, acc, n)) \
	FUNCTION(T, to_f64, (double *y, const struct isk_acc_##T *acc, size_t n), to_f64(&of_##T, y, acc, n)) \
	FUNCTION(T, mean, (elem *y, const struct isk_acc_##T *acc, size_t n), mean(&of_##T, y, acc, n)) \
	FUNCTION(T, variance, (elem *y, const struct isk_acc_##T *sums, const struct isk_acc_##T *squares, size_t n, uint64_t less), \
	         variance(&of_##T, y, sums, squares, n, less))
TERMS(f32, float)
TERMS(f64, double)
RESULTS(f32, float)
RESULTS(f64, double)
