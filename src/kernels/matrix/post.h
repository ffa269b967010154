/* SPDX-License-Identifier: MIT */
/* The operations of struct isk_post on a vector of sums, for epilogues and for convolutions that need no epilogue. */
#ifndef ISK_POST_H
#define ISK_POST_H

#include "multiply.h"
#include "vmath.h"

/*
 * A clamp is min(high, max(low, x) + zero). zero is -0, which changes nothing, or +0 for
 * relu and relu6, which turns -0 into +0. No activation is a clamp from -Inf to Inf.
 */
struct bounds {
	float low, high, zero;
};

struct clamp {
	vf low, high, zero;
};

/* Whether the activation is a clamp, which then has the bounds *b. */
ISK_INLINE int bounds_of(const struct isk_post *post, struct bounds *b)
{
	const float all = __builtin_inff();

	*b = (struct bounds){-all, all, -0.0f};
	switch (post->act) {
	case ISK_ACT_NONE:
		break;
	case ISK_ACT_RELU:
		*b = (struct bounds){0, all, 0};
		break;
	case ISK_ACT_RELU6:
		*b = (struct bounds){0, 6, 0};
		break;
	case ISK_ACT_HARDTANH:
		*b = (struct bounds){(float)post->act_a, (float)post->act_b, -0.0f};
		break;
	default:
		return 0;
	}
	return 1;
}

ISK_INLINE struct clamp clamp_between(struct bounds b)
{
	return (struct clamp){vf_set1(b.low), vf_set1(b.high), vf_set1(b.zero)};
}

/* Whether the activation is a clamp, which then is *c. */
ISK_INLINE int clamp_of(const struct isk_post *post, struct clamp *c)
{
	struct bounds b;
	const int is_clamp = bounds_of(post, &b);

	*c = clamp_between(b);
	return is_clamp;
}

ISK_INLINE vf clamp(vf x, struct clamp c)
{
	return vf_min(c.high, vf_max(c.low, x) + c.zero);
}

/* The scale and the bias of n <= VL columns from col on. Without them, 1 and -0 change no bit. */
struct linear {
	vf scale, bias;
};

ISK_INLINE struct linear linear_of(const struct isk_post *post, size_t col, size_t n)
{
	return (struct linear){post->scales == 0   ? vf_set1(1)
	                       : post->scales == 1 ? vf_set1(*(const float *)post->scale)
	                                           : vf_load_as(post->scale, col, n, ISK_F32),
	                       post->bias ? vf_load_as(post->bias, col, n, ISK_F32) : vf_set1(-0.0f)};
}

/* The scale of those columns in a row of C. */
ISK_INLINE vf scale_of(const struct isk_post *post, struct linear l, size_t row)
{
	return post->row_scale ? l.scale * ((const float *)post->row_scale)[row] : l.scale;
}

ISK_INLINE vf combine(vf x, enum isk_binary binary, vf other, vf scale)
{
	switch (binary) {
	case ISK_BINARY_ADD:
		return x + other;
	case ISK_BINARY_SUB:
		return x - other;
	case ISK_BINARY_MUL:
		return x * other;
	case ISK_BINARY_AXPY:
		return vf_fma(scale, other, x);
	default:
		return x;
	}
}

#endif
