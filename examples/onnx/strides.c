/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "strides.h"

void strides_by_order(struct value *v, const size_t *order)
{
	size_t stride = 1;

	for (size_t i = v->rank; i-- > 0;) {
		v->stride[order[i]] = stride;
		stride *= v->dim[order[i]];
	}
	v->offset = 0;
}

static void insert(size_t *order, size_t count, size_t at, size_t axis)
{
	memmove(order + at + 1, order + at, (count - at) * sizeof(*order));
	order[at] = axis;
}

/* The axes from the largest stride to the least; one of size 1, whose stride says nothing, stands behind the axis
 * before it. */
static void order_of(const struct value *v, size_t *order)
{
	size_t count = 0;

	for (size_t i = 0; i < v->rank; i++) {
		size_t at = count;

		if (v->dim[i] == 1)
			continue;
		while (at > 0 && v->stride[order[at - 1]] < v->stride[i])
			at--;
		insert(order, count++, at, i);
	}
	for (size_t i = 0; i < v->rank; i++) {
		size_t at = 0;

		if (v->dim[i] != 1)
			continue;
		while (i > 0 && order[at++] != i - 1)
			;
		insert(order, count++, at, i);
	}
}

void strides_like(struct value *v, const struct value *like)
{
	size_t order[RANK];

	order_of(like, order);
	strides_by_order(v, order);
}

void strides_channels_last(struct value *v)
{
	size_t order[RANK];

	for (size_t i = 0; i < v->rank; i++)
		order[i] = v->rank < 3 || i == 0 ? i : i == v->rank - 1 ? 1 : i + 1;
	strides_by_order(v, order);
}

static int has_strides_of(const struct value *v, const struct value *model)
{
	for (size_t i = 0; i < v->rank; i++)
		if (v->dim[i] != 1 && v->stride[i] != model->stride[i])
			return 0;
	return 1;
}

int strides_are_dense(const struct value *v)
{
	struct value dense = *v;
	size_t order[RANK];

	for (size_t i = 0; i < v->rank; i++)
		order[i] = i;
	strides_by_order(&dense, order);
	return has_strides_of(v, &dense);
}

int strides_are_channels_last(const struct value *v)
{
	struct value last = *v;

	strides_channels_last(&last);
	return has_strides_of(v, &last);
}

int strides_fill(const struct value *v)
{
	struct value dense = *v;

	strides_like(&dense, v);
	return has_strides_of(v, &dense);
}

int strides_merge(const struct value *v, size_t first, size_t last, size_t *dim, size_t *stride)
{
	size_t d = 1, s = 1;

	for (size_t i = last; i-- > first;) {
		if (v->dim[i] == 1)
			continue;
		if (d == 1)
			s = v->stride[i];
		else if (v->stride[i] != s * d)
			return 0;
		d *= v->dim[i];
	}
	*dim = d;
	*stride = s;
	return 1;
}

int strides_reshaped(const struct value *v, size_t rank, const size_t *dim, size_t *stride)
{
	size_t i = 0, j = 0;

	if (value_count(v) == 0)
		return 0;
	/* The fewest axes of both with the same number of elements, again and again. */
	while (i < v->rank || j < rank) {
		const size_t i0 = i, j0 = j;
		size_t here = i < v->rank ? v->dim[i++] : 1, there = j < rank ? dim[j++] : 1, whole, s;

		while (here != there)
			if (here < there)
				here *= v->dim[i++];
			else
				there *= dim[j++];
		if (!strides_merge(v, i0, i, &whole, &s))
			return 0;
		for (size_t k = j; k-- > j0;) {
			stride[k] = s;
			s *= dim[k];
		}
	}
	return 1;
}

/* Removes axis i. */
static void drop(struct loops *l, size_t i)
{
	l->rank--;
	for (size_t j = i; j < l->rank; j++) {
		l->dim[j] = l->dim[j + 1];
		for (size_t k = 0; k < l->values; k++)
			l->stride[k][j] = l->stride[k][j + 1];
	}
}

static int merges(const struct loops *l, size_t i)
{
	for (size_t k = 0; k < l->values; k++)
		if (l->stride[k][i] != l->stride[k][i + 1] * l->dim[i + 1])
			return 0;
	return 1;
}

void loops_of(struct loops *l, const struct value *const *v, size_t values)
{
	size_t order[RANK];

	*l = (struct loops){.rank = v[0]->rank, .values = values};
	order_of(v[0], order);
	for (size_t i = 0; i < l->rank; i++) {
		l->dim[i] = v[0]->dim[order[i]];
		for (size_t k = 0; k < values; k++) {
			const size_t missing = v[0]->rank - v[k]->rank;

			l->stride[k][i] =
				order[i] < missing || v[k]->dim[order[i] - missing] == 1 ? 0 : v[k]->stride[order[i] - missing];
		}
	}
	for (size_t i = l->rank; i-- > 0;)
		if (l->dim[i] == 1)
			drop(l, i);
	for (size_t i = l->rank; i-- > 1;)
		if (merges(l, i - 1)) {
			for (size_t k = 0; k < values; k++)
				l->stride[k][i - 1] = l->stride[k][i];
			l->dim[i - 1] *= l->dim[i];
			drop(l, i);
		}
	if (l->rank == 0) {
		l->rank = 1;
		l->dim[0] = 1;
		for (size_t k = 0; k < values; k++)
			l->stride[k][0] = k == 0 || value_count(v[k]) != 1 ? 1 : 0;
	}
}

void loops_each(const struct loops *l, size_t inner, void (*f)(void *context, const size_t *at), void *context)
{
	const size_t outer = l->rank > inner ? l->rank - inner : 0;
	size_t index[RANK] = {0}, at[LOOP_VALUES] = {0};

	for (size_t i = 0; i < l->rank; i++)
		if (l->dim[i] == 0)
			return;
	for (;;) {
		size_t i = outer;

		f(context, at);
		while (i > 0) {
			i--;
			for (size_t k = 0; k < l->values; k++)
				at[k] += l->stride[k][i];
			if (++index[i] < l->dim[i])
				break;
			for (size_t k = 0; k < l->values; k++)
				at[k] -= l->stride[k][i] * l->dim[i];
			index[i] = 0;
			if (i == 0)
				return;
		}
		if (outer == 0)
			return;
	}
}

size_t strides_of_pixels(const struct value *v)
{
	size_t pixels, stride;
	struct value seen = *v;

	if (v->dim[1] != 1 && v->stride[1] != 1)
		return 0;
	/* Without the axis of channels. */
	for (size_t i = 1; i + 1 < v->rank; i++) {
		seen.dim[i] = v->dim[i + 1];
		seen.stride[i] = v->stride[i + 1];
	}
	if (!strides_merge(&seen, 0, v->rank - 1, &pixels, &stride))
		return 0;
	return pixels == 1 ? v->dim[1] : stride >= v->dim[1] ? stride : 0;
}
