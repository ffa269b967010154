/* SPDX-License-Identifier: MIT */
/* What a program asks about packed matrices and convolutions, and the sentence for each status. */
#include "packed.h"

#include <string.h>

#include "conv.h"
#include "packed_check.h"
#include "resolve.h"

/* One array, not an array of pointers: those would need relocation. */
static const char sentences[][64] = {
	[-ISK_OK] = "success",
	[-ISK_ERR_NULL] = "a pointer is NULL that must not be",
	[-ISK_ERR_SIZE] = "the product of the sizes overflows",
	[-ISK_ERR_STRIDE] = "a stride is smaller than its row",
	[-ISK_ERR_SPACE] = "the buffer for the packed matrix is too small",
	[-ISK_ERR_PACKED] = "not a packed matrix, or truncated or damaged",
	[-ISK_ERR_VERSION] = "the matrix was packed by a newer isakern",
	[-ISK_ERR_TYPE] = "the matrix was packed for another element type",
	[-ISK_ERR_SHAPE] = "the packed matrix has another k or too few columns",
	[-ISK_ERR_POST] = "a post-operation does not exist or does not apply",
	[-ISK_ERR_KERNEL] = "no kernel of that name",
	[-ISK_ERR_CONV] = "no such convolution: a size that is 0, or groups",
};

ISK_API const char *isk_strerror(int status)
{
	const int count = sizeof(sentences) / sizeof(sentences[0]);

	return status <= 0 && status > -count ? sentences[-status] : "unknown status";
}

ISK_API size_t isk_packed_size(enum isk_type type, size_t k, size_t n)
{
	return isk_packed_bytes(type, k, n);
}

ISK_API int isk_packed_check(const void *packed, size_t bytes, enum isk_type type)
{
	struct isk_packed header;
	int status;

	if (!packed)
		return ISK_ERR_NULL;
	if (bytes < sizeof(header))
		return ISK_ERR_PACKED;
	memcpy(&header, packed, sizeof(header));
	status = isk_packed_check_header(&header, type);
	if (status)
		return status;
	if (header.bytes > bytes)
		return ISK_ERR_PACKED;
	return header.payload_check == isk_packed_payload_check(packed, header.bytes) ? ISK_OK : ISK_ERR_PACKED;
}

ISK_API int isk_conv_output(const struct isk_conv *conv, size_t *height, size_t *width)
{
	struct isk_conv_sizes sizes;
	int status;

	if (!height || !width)
		return ISK_ERR_NULL;
	status = isk_conv_measure(conv, 1, 1, &sizes);
	if (status == ISK_OK) {
		*height = sizes.out_height;
		*width = sizes.out_width;
	}
	return status;
}

ISK_API size_t isk_conv_packed_size(enum isk_type type, const struct isk_conv *conv)
{
	struct isk_conv_sizes sizes;

	return isk_conv_measure(conv, 1, 1, &sizes) ? 0 : isk_conv_packed_bytes(type, &sizes);
}
