/* SPDX-License-Identifier: MIT */
/* A second isakern in this process. */
#include <dlfcn.h>
#include <err.h>
#include <stdio.h>

#include "ours.h"

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

/* Structs begin with their size, and a library refuses a size that it does not know. */
static void choose_layouts(int (*conv_output)(const void *conv, size_t *height, size_t *width))
{
	const struct isk_conv conv = {.size = sizeof(conv),
	                              .images = 1,
	                              .height = 1,
	                              .width = 1,
	                              .channels = 1,
	                              .out_channels = 1,
	                              .kernel_h = 1,
	                              .kernel_w = 1,
	                              .stride_h = 1,
	                              .stride_w = 1,
	                              .dilation_h = 1,
	                              .dilation_w = 1,
	                              .groups = 1};
	const struct isk_post post = {.size = sizeof(post)};
	matmul_fn *matmul = (matmul_fn *)old.bound("matmul_f32");
	const float one = 1;
	size_t height, width;
	float c;

	old.old_conv = conv_output(&conv, &height, &width) != ISK_OK;
	old.old_post = !matmul || matmul(&c, &one, &one, 1, 1, 1, 1, 1, 1, 0, &post) != ISK_OK;
}

const char *old_open(const char *path)
{
	static char text[256];
	/* A namespace of its own: symbols of the two never meet. */
	void *library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
	const char *(*version)(void), *(*isa)(void);
	int (*conv_output)(const void *, size_t *, size_t *);

	if (!library)
		errx(2, "--old: %s", dlerror());
	*(void **)&old.packed_size = symbol(library, path, "isk_packed_size");
	*(void **)&old.conv_packed_size = symbol(library, path, "isk_conv_packed_size");
	*(void **)&conv_output = symbol(library, path, "isk_conv_output");
	*(void **)&version = symbol(library, path, "isk_version");
	*(void **)&isa = symbol(library, path, "isk_isa_current");
	*(void **)&old.bound = symbol(library, path, "isk_bound");
	choose_layouts(conv_output);
	snprintf(text, sizeof(text), "%s (%s)%s, %s", version(), isa(),
	         old.old_post || old.old_conv ? ", called with the structs of 5bd6e3e" : "", path);
	return text;
}
