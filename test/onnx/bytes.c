/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static int is_signed(const struct tensor *t)
{
	return t->type == ONNX__TENSOR_PROTO__DATA_TYPE__INT8;
}

/* The number to add to a value of t so that it has the wanted signedness. */
static int move(const struct tensor *t, int wanted)
{
	return is_signed(t) == wanted ? 0 : wanted ? -128 : 128;
}

static void copy_bytes(uint8_t *to, const uint8_t *from, size_t n, int moved)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint8_t)(from[i] + moved);
}

struct bytes bytes_of(const struct tensor *t, const struct tensor *zero, int wanted)
{
	const int moved = move(t, wanted);
	struct bytes b = {.data = must_alloc(t->count), .zeros = zero ? zero->count : 1};

	copy_bytes(b.data, t->data, t->count, moved);
	b.zero = must_alloc(b.zeros * sizeof(*b.zero));
	for (size_t i = 0; i < b.zeros; i++)
		b.zero[i] = (zero ? tensor_int(zero, i) : 0) + moved;
	return b;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	free(b->zero);
}

const char *requantize_begin(struct requantize *r, const struct op *op, const struct tensor *a_scale,
                             const struct tensor *b_scale, const struct tensor *y_scale,
                             const struct tensor *y_zero, size_t columns, size_t count)
{
	const size_t scales = b_scale->count;

	*r = (struct requantize){.count = count, .y_scale = y_scale, .y_zero = y_zero};
	if (a_scale->count != 1 || y_scale->count != 1 || y_zero->count != 1)
		return "isakern has one scale for all of A and one for all of C";
	if (scales != 1 && scales != columns)
		return "isakern has scales by column of B alone";
	r->scale = must_alloc(scales * sizeof(*r->scale));
	for (size_t i = 0; i < scales; i++)
		r->scale[i] = *(const float *)a_scale->data * ((const float *)b_scale->data)[i];
	r->c = must_alloc(count * sizeof(float));
	r->post = (struct isk_post){.size = sizeof(r->post), .scale = r->scale, .scales = scales};
	if (op->c != C_F32) {
		r->post.out_scale = *(const float *)y_scale->data;
		r->post.out_zero = tensor_int(y_zero, 0) + move(y_zero, op->c == C_S8);
	}
	return NULL;
}

/* Quantizes an f32 output by a separate call, which must give the same result. */
void requantize_end(const struct requantize *r, const struct op *op, struct tensor *y)
{
	const float scale = *(const float *)r->y_scale->data;
	const int zero = tensor_int(r->y_zero, 0);

	if (op->c != C_F32)
		copy_bytes(y->data, r->c, r->count, -move(y, op->c == C_S8));
	else if (is_signed(y))
		isk_quantize_f32_s8(y->data, r->c, r->count, scale, zero);
	else
		isk_quantize_f32_u8(y->data, r->c, r->count, scale, zero);
}

void requantize_free(struct requantize *r)
{
	free(r->scale);
	free(r->c);
}
