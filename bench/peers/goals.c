/* SPDX-License-Identifier: MIT */
/* The machine, the goals that hold on it, and whether they are met. */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "field.h"

/* CPUID's signature, because nothing else distinguishes microarchitectures. */
static const struct {
	enum machine machine;
	const char *name;
	unsigned vendor_ebx, family, first_model, last_model;
} machines[] = {
	{EMERALD_RAPIDS, "Emerald Rapids", signature_INTEL_ebx, 6, 207, 207},
	{ZEN4, "Zen 4", signature_AMD_ebx, 25, 16, 31},
	{ZEN4, "Zen 4", signature_AMD_ebx, 25, 96, 175},
	{ZEN3, "Zen 3", signature_AMD_ebx, 25, 0, 15},
	{ZEN3, "Zen 3", signature_AMD_ebx, 25, 32, 95},
};

enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static enum machine find_machine(void)
{
	unsigned eax, vendor, signature, ecx, edx, family, model;

	if (capped() || !__get_cpuid(0, &eax, &vendor, &ecx, &edx) ||
	    !__get_cpuid(1, &signature, &eax, &ecx, &edx))
		return ANY_MACHINE;
	family = signature >> 8 & 15;
	model = (signature >> 4 & 15) | (signature >> 12 & 240);
	if (family == 15)
		family += signature >> 20 & 255;
	for (int i = 0; i < MACHINES; i++)
		if (machines[i].vendor_ebx == vendor && machines[i].family == family &&
		    machines[i].first_model <= model && model <= machines[i].last_model)
			return machines[i].machine;
	return ANY_MACHINE;
}

/* Asked once: CPUID traps in virtual machines, and each row needs the answer. */
enum machine machine_here(void)
{
	static enum machine found;
	static int known;

	if (!known)
		found = find_machine();
	known = 1;
	return found;
}

const char *machine_text(enum machine machine)
{
	for (int i = 0; i < MACHINES; i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "any";
}

static void add(struct goal *here, const struct goal *goal)
{
	int i = 0;

	for (; here[i].against; i++)
		if (strcmp(here[i].against, goal->against) == 0)
			return;
	here[i] = *goal;
}

void goals_here(const struct goal *stated, struct goal *here)
{
	static const struct goal level = {"best", 1.00, ANY_MACHINE, "every row"};
	const enum machine order[] = {machine_here(), capped() ? ANY_MACHINE : WHOLE_CPU, ANY_MACHINE};

	memset(here, 0, MOST_GOALS * sizeof(*here));
	for (size_t m = 0; m < sizeof(order) / sizeof(order[0]); m++)
		for (int i = 0; i < MOST_GOALS && stated[i].against; i++)
			if (stated[i].machine == order[m])
				add(here, &stated[i]);
	add(here, &level);
}

struct judged goal_judge(struct field *f, const struct entry *us, const struct goal *goal)
{
	const struct entry *other;
	struct judged j = {0};

	if (strcmp(goal->against, "peak") == 0) {
		j.known = us->of_peak > 0;
		j.ratio = us->of_peak;
	} else {
		other = strcmp(goal->against, "best") == 0 ? field_best_peer(f) : field_find(f, goal->against);
		j.known = other != NULL;
		j.ratio = other ? field_ratio(f, us, other) : 0;
	}
	j.met = j.known && j.ratio >= goal->ratio;
	return j;
}

struct share share_of(struct field *f, const struct entry *e)
{
	struct share nearest = {e->of_peak > 0 ? "peak" : NULL, e->of_peak};

	for (size_t i = 0; i < f->count; i++) {
		/* The fastest way to a limit is the limit. */
		const struct entry *limit = f->entries[i].role == LIMIT ? field_find(f, f->entries[i].who) : NULL;

		if (limit && field_ratio(f, e, limit) > nearest.share)
			nearest = (struct share){limit->who, field_ratio(f, e, limit)};
	}
	return nearest;
}
