/* SPDX-License-Identifier: MIT */
/* An LD_AUDIT module. With -DAUDIT_PROBE it uses isakern itself, in its own namespace. */
#define _GNU_SOURCE
#include <link.h>

#ifdef AUDIT_PROBE
void probe(void);
#endif

unsigned int la_version(unsigned int version)
{
#ifdef AUDIT_PROBE
	probe();
#endif
	return version;
}

unsigned int la_objopen(struct link_map *map, Lmid_t id, uintptr_t *cookie)
{
	(void)map;
	(void)id;
	(void)cookie;
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to,
                       unsigned int *flags, const char *name)
{
	(void)index;
	(void)from;
	(void)to;
	(void)flags;
	(void)name;
	return symbol->st_value;
}
