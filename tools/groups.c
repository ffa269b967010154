/* SPDX-License-Identifier: MIT */
#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "formats.h"
#include "problem.h"

static void add(struct groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->count; i++)
		if (strcmp(groups->names[i], name) == 0)
			return;
	if (groups->count < MOST_GROUPS)
		groups->names[groups->count++] = name;
}

struct groups families(void)
{
	struct groups groups = {.count = 0};
	struct isk_kernel_info info;

	for (size_t i = 0; kernel_info(i, &info); i++)
		add(&groups, info.family);
	return groups;
}

static int has_type(const struct isk_kernel *kernel, enum isk_type type)
{
	for (int i = 0; kernel && i < kernel->shape->types; i++)
		if (kernel->types[i] == type)
			return 1;
	return 0;
}

static int is_used(enum isk_type type)
{
	struct isk_kernel_info info;

	for (size_t i = 0; kernel_info(i, &info); i++)
		if (has_type(kernel_described(info.name), type))
			return 1;
	return 0;
}

struct groups element_types(void)
{
	struct groups groups = {.count = 0};

#define X(name, ...)           \
	if (is_used(ISK_ENUM_##name)) \
		add(&groups, #name);
	ISK_ELEMENT_TYPES(X)
#undef X
	return groups;
}

int kernel_has_type(const char *kernel, const char *type)
{
	enum isk_type wanted = 0;

#define X(name, ...)               \
	if (strcmp(type, #name) == 0) \
		wanted = ISK_ENUM_##name;
	ISK_ELEMENT_TYPES(X)
#undef X
	return has_type(kernel_described(kernel), wanted);
}

void group_check(const char *option, const char *name, const struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (strcmp(groups->names[i], name) == 0)
			return;
	fprintf(stderr, "isakern: --%s: '%s' is not one of", option, name);
	for (size_t i = 0; i < groups->count; i++)
		fprintf(stderr, "%s %s", i ? "," : "", groups->names[i]);
	fputc('\n', stderr);
	exit(USAGE);
}
