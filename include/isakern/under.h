/* SPDX-License-Identifier: MIT */
/*
 * The variant of a kernel for an ISA
 *
 *      isk_under("avx2", isk_exp_f32)
 *
 * is a pointer of the type of isk_exp_f32 to what that is at avx2, for calls that are to differ from all others: a
 * comparison, a benchmark, a result to be had as another CPU has it. It is NULL where there is no such variant, where it
 * cannot run here (not built or linked, no such CPU, OS state or permission), and where ISAKERN_MAX_ISA or
 * ISAKERN_DISABLE take it away; a variant that is only slower here, or not the one that is pinned, is given. It binds and
 * changes nothing: other calls of the kernel go on as they did.
 *
 * The kernel is one of libisakern, by its own name. Each isk_under() asks isk_candidates(), which finds the name and looks
 * at all ISAs: a microsecond or two, so keep the pointer. A call by it costs what one by the name does.
 */
#ifndef ISAKERN_UNDER_H
#define ISAKERN_UNDER_H

#include <isakern/library.h>

#include <string.h>

#define isk_under(isa, kernel)                                                 \
	((__typeof__(&kernel))(isk_linked((void (*)(void))(kernel)), isk_variant(isa, #kernel)))

/* Does nothing with a kernel, but the program then refers to it: a static program has no other kernels. */
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
	/* As many as there may be ISAs. */
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
