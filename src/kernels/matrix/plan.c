/* SPDX-License-Identifier: MIT */
/* Plans of products: which ISA and which way, by demand, by the profile, or by the rules of the kernel. */
#include "plan.h"

#include <string.h>

#include "ifunc.h"
#include "isas.h"
#include "names.h"
#include "parts.h"

extern const struct isk_row ISK_NAME(row__matmul_f32) __attribute__((visibility("hidden")));

static const struct {
	char name[8], reason[64];
} ways[ISK_WAYS] = {
	[ISK_WAY_TILE] = {"tile", "C is one tile, A and B are read in place"},
	[ISK_WAY_TILES] = {"tiles", "C is cut into tiles, A and B are read in place"},
	[ISK_WAY_BLOCKS] = {"blocks", "C is cut into tiles, A and B are read in place, post at the end"},
	[ISK_WAY_COPIED] = {"copied", "C is cut into tiles, and B is copied part by part"},
	[ISK_WAY_COLUMNS] = {"columns", "there are few columns, so vectors hold rows"},
};

ISK_API const char *isk_matmul_way(size_t i)
{
	return i < ISK_WAYS - 1 ? ways[i + 1].name : NULL;
}

enum isk_way isk_way_named(const char *name)
{
	int way = ISK_WAYS - 1;

	while (way && strcmp(ways[way].name, name))
		way--;
	return (enum isk_way)way;
}

/* The function of an ISA's source; ISAs without a variant of their own have that of a lower one. */
#define PLANNER(type, isa) ISK_PASTE4(ISK_PREFIX, _plan_matmul_##type, __, ISK_PASTE2(ISK_PART_matmul_, isa))
#define X(isa, ...)        extern isk_planner PLANNER(f32, isa), PLANNER(f64, isa) __attribute__((visibility("hidden")));
ISK_ISAS(X)
#undef X

static int is_f32(const struct isk_matmul_plan *plan)
{
	return !strcmp(plan->kernel, "matmul_f32");
}

/* NULL: a static program that does not use this kernel. One that makes plans has matmul_f32 anyway. */
static const struct isk_row *row_of(const struct isk_matmul_plan *plan)
{
	const int number = isk_kernel_number(plan->kernel);

	return is_f32(plan) ? &ISK_NAME(row__matmul_f32) : number < 0 ? NULL : isk_row_of((size_t)number);
}

static int plan_at(enum isk_isa isa, struct isk_matmul_plan *plan, enum isk_way *way)
{
	switch (isa) {
#define X(isa, ...)                                                            \
	case ISK_ISA_##isa:                                                        \
		return (is_f32(plan) ? PLANNER(f32, isa) : PLANNER(f64, isa))(plan, way);
		ISK_ISAS(X)
#undef X
	default:
		return ISK_ERR_STRUCT;
	}
}

int isk_isa_named(const char *name)
{
	int isa = ISK_ISA_COUNT - 1;

	while (isa >= 0 && strcmp(isk_isa_names[isa], name))
		isa--;
	return isa;
}

/* The same if a variant of the kernel has that ISA and may be called. */
static int callable_isa(const struct isk_row *row, const char *name)
{
	const int isa = isk_isa_named(name);

	return isa >= 0 && (row->built & ISK_WORD_ALLOWED(isk_look())) >> isa & 1 ? isa : -1;
}

/* Plans by the ISA and the way with these names; NULL leaves a choice to the library. */
static int choose(struct isk_matmul_plan *plan, const char *isa_name, const char *way_name, const char *source)
{
	const struct isk_row *row = row_of(plan);
	const int isa = isa_name ? callable_isa(row, isa_name) : (int)isk_choose(row).isa;
	enum isk_way way = way_name ? isk_way_named(way_name) : ISK_WAY_ANY;
	int status;

	if (isa < 0 || (way_name && !way))
		return ISK_ERR_STRUCT;
	status = plan_at((enum isk_isa)isa, plan, &way);
	if (status)
		return status;
	plan->isa = isk_isa_names[isa];
	plan->way = ways[way].name;
	strcpy(plan->reason, ways[way].reason);
	strcat(plan->reason, source);
	return ISK_OK;
}

ISK_API int isk_matmul_plan(struct isk_matmul_plan *plan)
{
	struct isk_profiled profiled = {"", ""};

	if (!plan)
		return ISK_ERR_NULL;
	if (plan->size != sizeof(*plan))
		return ISK_ERR_STRUCT;
	if (!plan->kernel || (strcmp(plan->kernel, "matmul_f32") && strcmp(plan->kernel, "matmul_f64")) || !row_of(plan))
		return ISK_ERR_KERNEL;
	if (plan->isa || plan->way)
		return choose(plan, plan->isa, plan->way, "; demanded");
	if (!plan->transposed && !plan->post)
		isk_profile_read(&profiled, plan->kernel, plan->m, plan->n, plan->k);
	if (*profiled.isa && choose(plan, profiled.isa, profiled.way, "; measured, in the profile") == ISK_OK)
		return ISK_OK;
	return choose(plan, NULL, NULL, "");
}
