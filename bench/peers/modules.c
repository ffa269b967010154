/* SPDX-License-Identifier: MIT */
/*
 * Peers whose code is compiled into modules beside this program, for AVX2 and for AVX-512: a header-only
 * library, and functions of one vector with a loop around them.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "cpu.h"
#include "field.h"
#include "library.h"
#include "peer.h"
#include "problem.h"

struct module {
	const char *name; /* part of the file's name, libpeers-NAME-ISA.so */
	const char *who;
	const struct way *ways[2];
};

static const char *open_module(struct module *m)
{
	static const char *const isas[] = {"avx2", "avx512"};
	const int usable[] = {__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
	                      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
	                          !capped()};
	const char *version = NULL;

	for (int i = 0; i < 2; i++) {
		const char *(*describe)(void);
		char file[64];
		void *library;

		snprintf(file, sizeof(file), "libpeers-%s-%s.so", m->name, isas[i]);
		library = usable[i] ? library_beside(file) : NULL;
		if (!library)
			continue;
		*(void **)&describe = dlsym(library, "module_version");
		m->ways[i] = dlsym(library, "module_ways");
		version = describe();
	}
	return version;
}

static void enter_module(struct field *f, const struct problem *p, const struct module *m)
{
	(void)p;
	for (int i = 0; i < 2; i++)
		if (m->ways[i])
			field_add_ways(f, m->who, m->ways[i]);
}

#define MODULE(id, title, packages)                                                                          \
	static struct module module_##id = {.name = #id, .who = title};                                          \
	static const char *open_##id(void)                                                                       \
	{                                                                                                        \
		return open_module(&module_##id);                                                                    \
	}                                                                                                        \
	static void enter_##id(struct field *f, const struct problem *p)                                         \
	{                                                                                                        \
		enter_module(f, p, &module_##id);                                                                    \
	}                                                                                                        \
	const struct peer id = {title, packages ", when isakern is built, and ninja peers", 0, open_##id, enter_##id};

MODULE(eigen, "Eigen", "libeigen3-dev")
MODULE(sleef_u10, "SLEEF u10", "libsleef-dev")
MODULE(sleef_u35, "SLEEF u35", "libsleef-dev")
MODULE(glibc, "glibc", "libc6-dev")
