/* SPDX-License-Identifier: MIT */
/*
 * One look at the CPU, the OS and the environment, kept in one word; then, for each kernel, the highest allowed ISA that
 * it has and that is not demoted.
 */
#include "resolve.h"

#include <sys/mman.h>

#include "kernels.h"
#include "names.h"
#include "policy.h"
#include "syscall.h"

/*
 * The result of the first look; 0 before it. It is in .bss, not in RELRO, because importers are relocated after this
 * library was protected.
 *
 * Several threads may look first at the same time, and a signal handler may look while its own thread does; because of a
 * setenv() in between, each may see another environment. Therefore one compare-and-swap publishes the whole result of one
 * look. Without pins, the result is the word. With pins, it is the address of a struct pinned, marked by PINNED, which the
 * looker mapped and filled before and nobody writes to afterwards. So nobody reads a half-written table, and nobody waits
 * for another looker, which may be the very code that was interrupted: the loser of the race unmaps its own table and uses
 * the winner's. One table in .bss would not do, because each looker needs its own. No destructor may run here, so the
 * winner's table stays mapped when the library is unloaded.
 *
 * GRANTED and REFUSED are added later, in the low bits of either form, which are free because a mapping is aligned to a page.
 */
static uint64_t published;

#define PINNED (1u << 3)
#define ANSWER (ISK_WORD_GRANTED | ISK_WORD_REFUSED)

struct pinned {
	isk_word word;
	uint8_t pins[ISK_KERNEL_COUNT]; /* an ISA plus 1; 0: not pinned */
};

static struct pinned *pinned(uint64_t state)
{
	return (struct pinned *)(uintptr_t)(state & ~(uint64_t)(PINNED | ANSWER));
}

static isk_word word_of(uint64_t state)
{
	return state & PINNED ? pinned(state)->word | (state & ANSWER) : state;
}

/* Memory for a table, all zeros; NULL if there is none. */
static struct pinned *map(void)
{
	const long address = isk_syscall6(SYS_mmap, 0, sizeof(struct pinned), PROT_READ | PROT_WRITE,
	                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return address < 0 ? NULL : (struct pinned *)address;
}

static uint64_t first_look(void)
{
	struct isk_features features;
	struct isk_environ environment;
	struct isk_policy policy;
	struct pinned *mine = NULL;
	uint64_t state = 0, found;
	uint32_t cpu, allowed;

	isk_detect(&features);
	isk_environ_find(&environment);
	isk_policy_read(&policy, &environment);
	cpu = isk_isa_set(&features.active) & ISK_BUILT;
	allowed = cpu & ~0u >> (31 - policy.cap) & ~policy.disabled;
	found = (isk_word)allowed << 32 | policy.cap << 4 | (policy.verbose ? ISK_WORD_VERBOSE : 0);
	if (environment.value[ISK_BIND])
		mine = map();
	if (mine) {
		mine->word = found;
		isk_policy_pin(mine->pins, &environment, allowed);
		found = (uintptr_t)mine | PINNED;
	}
	if (!__atomic_compare_exchange_n(&published, &state, found, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		if (mine)
			isk_syscall(SYS_munmap, (long)mine, sizeof(*mine), 0, 0, 0);
		return state;
	}
	isk_policy_warn(&environment, cpu, allowed, mine != NULL);
	return found;
}

static uint64_t look(void)
{
	const uint64_t state = __atomic_load_n(&published, __ATOMIC_ACQUIRE);

	return state ? state : first_look();
}

isk_word isk_look(void)
{
	return word_of(look());
}

/* The ISA that ISAKERN_BIND gives a kernel, or -1. */
static int pin_of(const struct isk_row *row)
{
	const uint64_t state = look();

	return state & PINNED ? pinned(state)->pins[isk_kernel_number(isk_at(row, row->name))] - 1 : -1;
}

isk_word isk_ask(void)
{
	const isk_word word = isk_look();
	const uint64_t answer = word & ANSWER ? 0 : isk_granted() ? ISK_WORD_GRANTED : ISK_WORD_REFUSED;

	return answer ? word_of(__atomic_or_fetch(&published, answer, __ATOMIC_RELAXED)) : word;
}

const struct isk_tuning *isk_tuning_of(const struct isk_row *row, enum isk_isa isa, uint32_t signature)
{
	const struct isk_tuning *t = (const struct isk_tuning *)row->tuning;
	uint32_t family, model;

	isk_family_model(signature, &family, &model);
	while (t->isa < ISK_ISA_COUNT) {
		const char *end = t->reason;

		if (t->isa == isa && t->family == family && t->model_low <= model && model <= t->model_high)
			return t;
		while (*end)
			end++;
		/* Past the zero, to the next even address: see ISK_TUNING. */
		t = (const struct isk_tuning *)(((uintptr_t)end + 2) & ~(uintptr_t)1);
	}
	return NULL;
}

const struct isk_tuning *isk_demotion(const struct isk_row *row, enum isk_isa isa)
{
	struct isk_features features;

	if (((const struct isk_tuning *)row->tuning)->isa >= ISK_ISA_COUNT)
		return NULL;
	isk_detect(&features);
	return isk_tuning_of(row, isa, features.cpu.signature);
}

/* The highest of some ISAs that is not demoted; the lowest one if all are. */
static enum isk_isa highest(const struct isk_row *row, uint32_t isas)
{
	enum isk_isa isa;

	do {
		isa = (enum isk_isa)(31 - __builtin_clz(isas));
		isas &= ~(1u << isa);
	} while (isas && isk_demotion(row, isa));
	return isa;
}

struct isk_choice isk_choose(const struct isk_row *row)
{
	const isk_word word = isk_look();
	const uint32_t able = row->built & ISK_WORD_ALLOWED(word);
	const int pin = pin_of(row);
	struct isk_choice choice;

	choice.pinned = pin >= 0;
	choice.isa = pin >= 0 ? (enum isk_isa)pin : highest(row, able);
	/* Ask only if AMX was chosen, because the grant of AMX forbids small signal
	 * stacks to the whole process. */
	if (ISK_ASKED >> choice.isa & 1 && isk_ask() & ISK_WORD_REFUSED) {
		choice.isa = highest(row, able & ~ISK_ASKED);
		choice.pinned = 0;
	}
	return choice;
}
