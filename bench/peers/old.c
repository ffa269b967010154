/* SPDX-License-Identifier: MIT */
/* A second isakern in this process. */
#include <dlfcn.h>
#include <err.h>
#include <stdio.h>

#include "ours.h"
#include "peer.h"

static struct library old = {.role = OLD, .who = "old"};

const struct library *old_library(void)
{
	return old.bound ? &old : NULL;
}

static void *symbol(void *library, const char *path, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		errx(2, "--old: %s has no %s: it is no libisakern.so", path, name);
	return found;
}

const char *old_open(const char *path)
{
	static char text[256];
	/* In its own namespace, so that the symbols of both libraries never meet. */
	void *library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
	const char *(*version)(void), *(*isa)(void);

	if (!library)
		errx(2, "--old: %s", dlerror());
	*(void **)&old.packed_size = symbol(library, path, "isk_packed_size");
	*(void **)&old.conv_packed_size = symbol(library, path, "isk_conv_packed_size");
	*(void **)&old.conv_transpose_packed_size = dlsym(library, "isk_conv_transpose_packed_size");
	*(void **)&old.packed_groups_size = symbol(library, path, "isk_packed_groups_size");
	*(void **)&version = symbol(library, path, "isk_version");
	*(void **)&isa = symbol(library, path, "isk_isa_current");
	*(void **)&old.bound = symbol(library, path, "isk_bound");
	old.takes_old_post = !old.bound("gemm_f64");
	snprintf(text, sizeof(text), "%s (%s)%s, %s", version(), isa(),
	         old.takes_old_post ? ", called with its struct isk_post" : "", path);
	return text;
}
