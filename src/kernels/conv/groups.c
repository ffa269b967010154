/* SPDX-License-Identifier: MIT */
/*
 * The checks of convolutions, and the products of their groups. One compilation serves every CPU, because others
 * do the work.
 */
#include "conv.h"

check_conv_fn ISK_FN(check_conv);
check_transpose_fn ISK_FN(check_transpose);
take_group_fn ISK_FN(take_group);

/* Checks all but the sizes. `joined` pixels of y are a row of the product. */
static int check_rest(struct product *p, const struct isk_conv_sizes *s, const void *packed, enum isk_type w_type, size_t joined)
{
	const struct isk_post *post = p->post;
	int status;

	p->m = s->images * s->down.places * s->along.places;
	p->n = s->columns * s->matrices;
	p->k = s->k;
	if (post->size != sizeof(*post) || post->first_column || post->row_scale || post->row_zero)
		return ISK_ERR_POST;
	if (!packed || (has_outputs(p) && (!p->c || (s->down.size && s->along.size && p->k && !p->a))))
		return ISK_ERR_NULL;
	if (!isk_conv_packed_bytes(w_type, s))
		return ISK_ERR_SIZE;
	for (size_t g = 0; g < s->matrices; g++) {
		const struct isk_packed *header = packed;

		status = isk_packed_check_header(header, w_type);
		if (status)
			return status;
		if (header->scale_k)
			return ISK_ERR_TYPE;
		if (header->k != s->k || header->n != s->columns)
			return ISK_ERR_SHAPE;
		packed = (const char *)packed + header->bytes;
	}
	/* Apart from k, because gcc 12 would copy both by one load, which waits for the stores of isk_conv_measure(). */
	p->ldc = s->ldy;
	p->a_zero = post->a_zero;
	return check_post(post, p->m * joined, p->n / joined, p->a_type, p->c_type);
}

int ISK_FN(check_conv)(struct product *p, struct isk_conv_sizes *s, const void *packed, const struct isk_conv *conv,
                       enum isk_type w_type)
{
	const int status = isk_conv_measure(conv, isk_element_bytes(p->a_type), isk_element_bytes(p->c_type), s);

	return status ? status : check_rest(p, s, packed, w_type, 1);
}

int ISK_FN(check_transpose)(struct product *p, struct isk_transpose *t, const void *packed, const struct isk_conv *conv,
                            enum isk_type w_type)
{
	const int status = isk_transpose_measure(conv, isk_element_bytes(p->a_type), isk_element_bytes(p->c_type), t);

	return status ? status : check_rest(p, &t->s, packed, w_type, t->joined);
}

const void *ISK_FN(take_group)(struct product *p, struct isk_post *post, const struct product *all, const void *packed,
                               size_t group)
{
	const struct isk_packed *header = packed;
	const size_t y_bytes = isk_element_bytes(all->c_type), x_bytes = isk_element_bytes(all->a_type);
	const size_t post_bytes = all->c_type == ISK_F64 ? sizeof(double) : sizeof(float);
	const size_t columns = sizes_of(all)->columns, col = group * columns;

	if (p != all)
		*p = *all;
	p->n = columns;
	/* The first group begins where all do. */
	if (group) {
		*post = *all->post;
		post->scale = (const unsigned char *)post->scale + (post->scales > 1 ? col * post_bytes : 0);
		post->bias = post->bias ? (const unsigned char *)post->bias + col * post_bytes : NULL;
		post->b_zero += post->b_zeros > 1 ? col : 0;
		post->other = post->binary ? (const unsigned char *)post->other + col * y_bytes : NULL;
		p->c = (unsigned char *)p->c + col * y_bytes;
		p->a = (const unsigned char *)p->a + group * sizes_of(all)->in_group * x_bytes;
		p->post = post;
	}
	find_in_packed(p, packed);
	return (const unsigned char *)packed + header->bytes;
}
