/* SPDX-License-Identifier: MIT */
/* What the CPU and the OS allow. */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "census.h"
#include "cpu.h"
#include "examine.h"
#include "machine.h"

/* The lowest ISA above the one in force that something else than the CPU keeps from being bound, else the lowest above it. */
static const struct isa *next_isa(const struct census *census)
{
	const struct isa *next = NULL;
	size_t i = census->count;

	while (i > 0 && strcmp(census->isas[i - 1].name, asked.isa_current()) != 0)
		i--;
	for (; i < census->count; i++) {
		const struct isa *isa = &census->isas[i];

		if (isa->seen && isa->state != ISK_NO_CPU)
			return isa;
		if (isa->seen && !next)
			next = isa;
	}
	return next;
}

/* Whether the environment or the build chose that an ISA is not bound, or the machine. */
static enum need need_of(const struct isa *isa)
{
	switch (isa->state) {
	case ISK_NO_CPU:
		return WELL;
	case ISK_NO_PERMISSION:
		return TO_DO;
	case ISK_NO_OS:
		return getenv("GLIBC_TUNABLES") ? CHOICE : TO_DO;
	default:
		return CHOICE;
	}
}

static const char *remedy(const struct isa *isa)
{
	switch (isa->state) {
	case ISK_NOT_BUILT:
		return "build isakern without -Disa, and with a compiler that knows it, if that ISA is wanted";
	case ISK_NO_OS:
		return need_of(isa) == CHOICE ? "unset GLIBC_TUNABLES if that ISA is wanted" : "see the finding on the OS";
	case ISK_NO_PERMISSION:
		return "look for a seccomp filter or a small signal stack, which keep Linux from granting AMX, or disable amx";
	case ISK_CAPPED:
		return "unset ISAKERN_MAX_ISA if that ISA is wanted";
	case ISK_DISABLED:
		return "take it out of ISAKERN_DISABLE if it is wanted";
	default:
		return NULL;
	}
}

void examine_isas(struct findings *all)
{
	const struct isa *next;
	struct census census;

	census_take(&census);
	next = next_isa(&census);
	if (next)
		found_that(all, "ISA", need_of(next), remedy(next), "kernels are bound up to %s on %s; not to %s: %s", asked.isa_current(),
		           machine_cpu(), next->name, next->reason);
	else
		found_that(all, "ISA", WELL, NULL, "kernels are bound up to %s, the highest there is, on %s", asked.isa_current(),
		           machine_cpu());
	census_free(&census);
}

void examine_os(struct findings *all)
{
	char names[FINDING / 2] = "", state[CPU_STATE];
	const char *const what = cpu_state(state);
	enum cpu_has has;
	const char *name;

	for (unsigned i = 0; (name = cpu_feature(i, &has)); i++)
		if (has == CPU_HAS_NO_OS && strlen(names) + strlen(name) + 2 < sizeof(names)) {
			strcat(names, " ");
			strcat(names, name);
		}
	if (*names)
		found_that(all, "OS", TO_DO, "look for noxsave, clearcpuid or a hypervisor's mask in the configuration of the machine",
		           "it does not enable these features of the CPU (%s %s):%s", what, state, names);
	else
		found_that(all, "OS", WELL, NULL, "it enables all features of the CPU (%s %s)", what, state);
}

/* The most threads that OpenMP starts for libisakern-omp; 0: the library is not installed. */
static int most_threads(void)
{
	void *const library = dlopen("libisakern-omp.so.0", RTLD_LAZY | RTLD_LOCAL);
	int (*most)(void) = NULL;

	if (library)
		*(void **)&most = dlsym(library, "omp_get_max_threads");
	return most ? most() : 0;
}

void examine_threads(struct findings *all)
{
	const int threads = most_threads();
	int cpus;
	cpu_set_t set;
	char to_do[FINDING];

	if (sched_getaffinity(0, sizeof(set), &set))
		CPU_ZERO(&set);
	cpus = CPU_COUNT(&set);
	snprintf(to_do, sizeof(to_do), "set OMP_NUM_THREADS=%d", cpus);
	if (!threads)
		found_that(all, "threads", CHOICE, NULL, "libisakern-omp is not installed");
	else if (cpus && threads > cpus)
		found_that(all, "threads", TO_DO, to_do, "libisakern-omp uses up to %d on %d CPU%s of this process", threads, cpus,
		           cpus == 1 ? "" : "s");
	else if (threads < cpus)
		found_that(all, "threads", CHOICE, getenv("OMP_NUM_THREADS") ? "unset OMP_NUM_THREADS if all CPUs are wanted" : NULL,
		           "libisakern-omp uses up to %d on %d CPUs of this process", threads, cpus);
	else
		found_that(all, "threads", WELL, NULL, "libisakern-omp uses up to %d, as many as this process has CPUs", threads);
}
