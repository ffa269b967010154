/* SPDX-License-Identifier: MIT */
/* Functions with which a program asks about convolutions. */
#include "transpose.h"

#include "resolve.h"

ISK_API int isk_conv_output(const struct isk_conv *conv, size_t *height, size_t *width)
{
	struct isk_conv_sizes sizes;
	int status;

	if (!height || !width)
		return ISK_ERR_NULL;
	status = isk_conv_measure(conv, 1, 1, &sizes);
	if (status == ISK_OK) {
		*height = sizes.down.places;
		*width = sizes.along.places;
	}
	return status;
}

ISK_API size_t isk_conv_packed_size(enum isk_type type, const struct isk_conv *conv)
{
	struct isk_conv_sizes sizes;

	return isk_conv_measure(conv, 1, 1, &sizes) ? 0 : isk_conv_packed_bytes(type, &sizes);
}

ISK_API size_t isk_conv_transpose_packed_size(enum isk_type type, const struct isk_conv *conv)
{
	struct isk_transpose t;

	return isk_transpose_measure(conv, 1, 1, &t) ? 0 : isk_conv_packed_bytes(type, &t.s);
}
