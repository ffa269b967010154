/* SPDX-License-Identifier: MIT */
/*
 * Prints, as one line of key=value words, what this object's references to two kernels are bound to. It reads
 * the slots that the dynamic linker fills, and compares them with the library's own answers. Compiled as a
 * program, or with -DPROBE_LIBRARY as a shared object that others load.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"

#ifdef PROBE_ADDRESS
/* An address in data, bound at load even if calls are lazy. */
static void (*const volatile address)(float *, const float *, size_t) = isk_relu_f32;
#endif

#ifdef PROBE_ENVIRON
extern char **environ;
#endif

static const char *isa_or_unbound(const char *kernel, const void *fn)
{
	const char *isa = isa_of(kernel, fn);

	return isa ? isa : "unbound";
}

/* The contents of this object's slot for a symbol; NULL if it has none. */
static void *slot_of(const char *symbol)
{
#ifndef PROBE_STATIC
	struct link_map *map;
	Dl_info info;
	const ElfW(Sym) *symbols = NULL;
	const char *strings = NULL;
	struct {
		ElfW(Addr) at, size;
	} table[2] = {{0, 0}, {0, 0}};

	if (!dladdr1((void *)(uintptr_t)slot_of, &info, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB: symbols = (const void *)d->d_un.d_ptr; break;
		case DT_STRTAB: strings = (const void *)d->d_un.d_ptr; break;
		case DT_JMPREL: table[0].at = d->d_un.d_ptr; break;
		case DT_PLTRELSZ: table[0].size = d->d_un.d_val; break;
		case DT_RELA: table[1].at = d->d_un.d_ptr; break;
		case DT_RELASZ: table[1].size = d->d_un.d_val; break;
		}
	}
	for (int t = 0; t < 2; t++) {
		const ElfW(Rela) *r = (const void *)table[t].at;

		for (size_t i = 0; i < table[t].size / sizeof(*r); i++)
			if (ELF64_R_SYM(r[i].r_info)
			    && strcmp(strings + symbols[ELF64_R_SYM(r[i].r_info)].st_name, symbol) == 0)
				return *(void **)(map->l_addr + r[i].r_offset);
	}
#endif
	(void)symbol;
	return NULL;
}

static const char *slot_isa(const char *kernel)
{
	char symbol[64];
	void *slot;

	snprintf(symbol, sizeof(symbol), "isk_%s", kernel);
	slot = slot_of(symbol);
	return slot ? isa_or_unbound(kernel, slot) : "none";
}

#ifdef PROBE_LIBRARY
__attribute__((visibility("default"))) void probe(void);
#else
static
#endif
void probe(void)
{
	float x[5] = {-1, 2, -3, 4, 5};
	/* Before any kernel is called; in a lazily bound program, before any resolver runs. */
	const char *current = isk_isa_current();
	const char *before = slot_isa("get_vec_length");
	size_t lanes;

	lanes = isk_get_vec_length();
	isk_relu_f32(x, x, 5);
#ifdef PROBE_ENVIRON
	if (!environ)
		abort();
#endif
	printf("early=%s current=%s cpu=%s binary=%s before=%s lanes=%zu length=%s relu=%s "
	       "bound_length=%s bound_relu=%s right=%d",
	       current, isk_isa_current(), isk_isa_cpu(), isk_isa_binary(), before, lanes,
	       slot_isa("get_vec_length"), slot_isa("relu_f32"),
	       isa_or_unbound("get_vec_length", (const void *)(uintptr_t)isk_bound("get_vec_length")),
	       isa_or_unbound("relu_f32", (const void *)(uintptr_t)isk_bound("relu_f32")),
	       x[0] == 0 && x[1] == 2 && x[2] == 0 && x[3] == 4 && x[4] == 5);
#ifdef PROBE_ADDRESS
	x[0] = -1;
	address(x, x, 1);
	printf(" address=%s", isa_or_unbound("relu_f32", (const void *)(uintptr_t)address));
#endif
	printf("\n");
	fflush(stdout);
}

#ifndef PROBE_LIBRARY
int main(void)
{
	probe();
	return 0;
}
#endif
