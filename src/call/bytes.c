/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <string.h>

#include "args.h"
#include "elements.h"
#include "isakern/conv_types.h"
#include "packed.h"

const void *isk_struct_of(const struct isk_kernel *k, union isk_args *args, const char *structure)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_STRUCT && strcmp(a->structure, structure) == 0)
			return isk_pointer_of(args, a);
	}
	return NULL;
}

/* a * b, or 0 if the product overflows, because the kernel refuses such a call. */
static size_t times(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

/* The elements of `count` pixels of `channels` channels, whose pixels are ld elements apart. */
static size_t pixels(size_t count, size_t channels, size_t ld)
{
	return count && channels ? times(count - 1, ld ? ld : channels) + channels : 0;
}

/* The elements of an array whose length an isk_conv determines; `what` is the column `measured` of its argument. */
static size_t measured(const struct isk_conv *conv, const char *what)
{
	size_t height, width;

	if (!conv || conv->size != sizeof(*conv) || isk_conv_output(conv, &height, &width))
		return 0;
	if (strcmp(what, "image") == 0)
		return pixels(times(conv->images, times(conv->height, conv->width)), conv->channels, conv->ldx);
	if (strcmp(what, "output") == 0)
		return pixels(times(conv->images, times(height, width)), conv->out_channels, conv->ldy);
	return times(times(conv->kernel_h, conv->kernel_w), times(conv->channels / conv->groups, conv->out_channels));
}

/* A packed matrix holds its own length. If its header is invalid, the kernel reads no more than the header. */
static size_t packed(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const enum isk_type type = isk_argument_type(k, a);
	const struct isk_conv *conv = isk_struct_of(k, args, "isk_conv");
	const struct isk_groups *groups = isk_struct_of(k, args, "isk_groups");
	const void *p = isk_pointer_of(args, a);
	struct isk_packed header;
	size_t size[2];

	if (a->measured && (!conv || conv->size != sizeof(*conv)))
		return 0;
	if (a->measured)
		return strcmp(a->measured, "transposed") == 0 ? isk_conv_transpose_packed_size(type, conv)
		                                              : isk_conv_packed_size(type, conv);
	if (a->role == ISK_IN) {
		if (p)
			memcpy(&header, p, sizeof(header));
		return p && isk_packed_check_header(&header, type) == ISK_OK ? header.bytes : sizeof(header);
	}
	for (int i = 0; i < 2; i++)
		size[i] = *(const size_t *)isk_argument_at(args, &k->shape->arguments[a->extent[i].size]);
	return groups ? isk_packed_groups_size(type, size[0], size[1], groups) : isk_packed_size(type, size[0], size[1]);
}

size_t isk_array_bytes(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const enum isk_type type = isk_argument_type(k, a);
	size_t elements, bytes;

	if (a->packed)
		return packed(k, args, a);
	elements = a->measured ? measured(isk_struct_of(k, args, "isk_conv"), a->measured)
	                       : isk_argument_span(k, args, a, 0);
	if (isk_shares_byte(type))
		return elements == SIZE_MAX ? SIZE_MAX : isk_bytes_of(type, elements);
	return __builtin_mul_overflow(elements, isk_element_bytes(type), &bytes) ? SIZE_MAX : bytes;
}
