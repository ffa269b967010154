/* SPDX-License-Identifier: MIT */
/* Packs B of the matrix kernels into the layout of packed.h. */
#include "gemm_pack_kernels.h"
#include "pack_b.h"

#define PACK(kernel, T, ...)                                                   \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *b, size_t bytes, size_t k, size_t n, size_t ldb, \
	                   int transposed)                                         \
	{                                                                          \
		const struct packing p = {                                             \
			.packed = packed, .b = (const unsigned char *)b, .bytes = bytes, .k = k, .n = n, .ldb = ldb, \
			.transposed = transposed,                                          \
		};                                                                     \
                                                                               \
		return pack_b(&p, ISK_ENUM_##T, NULL);                                    \
	}

ISK_EACH_gemm_pack(PACK, )

/* The status of packing elements of this type with scales for these groups. */
static int check_groups(const struct isk_groups *groups, const enum isk_type type)
{
	if (!groups)
		return ISK_ERR_NULL;
	return groups->size != sizeof(*groups) || !isk_packed_scalable(type, groups->group) ? ISK_ERR_STRUCT : ISK_OK;
}

#define PACK_GROUPS(kernel, T, ...)                                            \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *b, size_t bytes, size_t k, size_t n, size_t ldb, \
	                   int transposed, const struct isk_groups *groups)        \
	{                                                                          \
		const struct packing p = {                                             \
			.packed = packed, .b = (const unsigned char *)b, .bytes = bytes, .k = k, .n = n, .ldb = ldb, \
			.transposed = transposed, .groups = groups,                        \
		};                                                                     \
		const int status = check_groups(groups, ISK_ENUM_##T);                 \
                                                                               \
		return status ? status : pack_b(&p, ISK_ENUM_##T, NULL);                  \
	}

ISK_EACH_gemm_pack_groups(PACK_GROUPS, )
