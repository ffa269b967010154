/* SPDX-License-Identifier: MIT */
/*
 * The variant of a kernel for an ISA
 *
 *      isk_under("avx2", isk_exp_f32)
 *
 * is a pointer to the avx2 variant of isk_exp_f32, and has its type. Use it for calls that should differ from all others:
 * in a comparison, in a benchmark, to get the result of another CPU. It is NULL if there is no such variant, if the variant
 * cannot run here (because it was not built or linked, or for lack of the CPU, the OS state or the permission), or if
 * ISAKERN_MAX_ISA or ISAKERN_DISABLE excludes it. It is not NULL if the variant is only slower here, or if another one is
 * pinned. isk_under() binds and changes nothing, so other calls of the kernel stay as they were.
 *
 * The kernel must be one of libisakern, by its own name. Each isk_under() calls isk_candidates(), which finds the name and
 * looks at all ISAs. That takes a microsecond or two, so keep the pointer. A call through it costs as much as one by name.
 */
#ifndef ISAKERN_UNDER_H
#define ISAKERN_UNDER_H

#include <isakern/library.h>

#include <string.h>

#define isk_under(isa, kernel)                                                 \
	((__typeof__(&kernel))(isk_linked((void (*)(void))(kernel)), isk_variant(isa, #kernel)))

/* Refers to a kernel without calling it, because a static program holds no other kernels. */
static inline void isk_linked(void (*kernel)(void))
{
	__asm__ volatile("" : : "r"(kernel));
}

/*
 * A variant by the name of its symbol; as above. A static program must refer to the kernel elsewhere, as a call of it does;
 * otherwise the result is NULL, because the kernel is not linked.
 */
static inline void (*isk_variant(const char *isa, const char *symbol))(void)
{
	/* The most ISAs that a library can have. */
	struct isk_candidate candidates[32];
	const char prefix[] = "isk_";
	int count;

	if (!isa || !symbol || strncmp(symbol, prefix, sizeof(prefix) - 1) != 0)
		return NULL;
	candidates[0].size = sizeof(candidates[0]);
	count = isk_candidates(symbol + sizeof(prefix) - 1, candidates, 32);
	for (int i = 0; i < count; i++) {
		const enum isk_state state = candidates[i].state;

		if (strcmp(candidates[i].isa, isa) == 0)
			return state == ISK_USABLE || state == ISK_DEMOTED || state == ISK_PINNED ? candidates[i].fn : NULL;
	}
	return NULL;
}

#endif
