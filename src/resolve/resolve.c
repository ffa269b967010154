/* SPDX-License-Identifier: MIT */
/*
 * The resolver behind every indirect function: one look at CPU, OS and
 * environment, kept in one word; then, for each kernel, the highest ISA that
 * is left.
 */
#include "resolve.h"

#include "explain.h"
#include "names.h"
#include "policy.h"
#include "say.h"
#include "syscall.h"

/* In .bss, not in RELRO: importers are relocated after this library was protected. */
static isk_word published;

isk_word isk_look(void)
{
	isk_word word = __atomic_load_n(&published, __ATOMIC_RELAXED);
	isk_word nothing = 0;
	struct isk_features features;
	struct isk_environ environment;
	struct isk_policy policy;
	uint32_t cpu, allowed;

	if (word)
		return word;
	isk_detect(&features);
	isk_environ_find(&environment);
	isk_policy_read(&policy, &environment);
	cpu = isk_isa_set(&features.active) & ISK_BUILT;
	allowed = cpu & ((2u << policy.cap) - 1) & ~policy.disabled;
	word = allowed | policy.cap << 8 | ISK_WORD_LOOKED;
	if (policy.verbose)
		word |= ISK_WORD_VERBOSE;
	if (environment.value[ISK_BIND])
		word |= environment.value[ISK_BIND] << 16 | (environment.file ? ISK_WORD_FILE : 0);
	if (!__atomic_compare_exchange_n(&published, &nothing, word, 0, __ATOMIC_RELAXED,
	                                 __ATOMIC_RELAXED))
		return nothing;
	isk_policy_warn(&environment, cpu, allowed);
	return word;
}

isk_word isk_ask_amx(void)
{
	enum { ASK = 0x1023 /* ARCH_REQ_XCOMP_PERM, Linux 5.16 */, TILE_DATA = 18 };
	const isk_word word = isk_look();
	isk_word answer;

	if (word & (ISK_WORD_AMX_YES | ISK_WORD_AMX_NO))
		return word;
	/* Any refusal counts: no such call, seccomp, or a thread whose signal stack
	 * is too small for the tiles. */
	answer = isk_syscall(SYS_arch_prctl, ASK, TILE_DATA, 0, 0, 0) == 0 ? ISK_WORD_AMX_YES
	                                                                   : ISK_WORD_AMX_NO;
	return __atomic_or_fetch(&published, answer, __ATOMIC_RELAXED);
}

const struct isk_tuning *isk_tuning(const struct isk_row *row, enum isk_isa isa, uint32_t signature)
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
	return isk_tuning(row, isa, features.cpu.signature);
}

/* The highest of some ISAs that is not demoted; baseline if need be. */
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
	const int pin = isk_policy_pin(word, row);
	struct isk_choice choice;

	choice.pinned = pin >= 0;
	choice.isa = pin >= 0 ? (enum isk_isa)pin : highest(row, able);
	/* Asked only when it matters: being granted AMX forbids small signal stacks
	 * to the whole process. */
	if (choice.isa == ISK_ISA_amx && isk_ask_amx() & ISK_WORD_AMX_NO) {
		choice.isa = highest(row, able & ~ISK_BIT(amx));
		choice.pinned = 0;
	}
	return choice;
}

static void say(const struct isk_row *row, struct isk_choice choice)
{
	struct isk_line line;

	isk_line_begin(&line);
	isk_line_add(&line, isk_at(row, row->name));
	isk_line_add(&line, " -> ");
	isk_line_add(&line, isk_isa_names[choice.isa]);
	isk_line_add(&line, " (");
	isk_explain_choice(&line, row, choice);
	isk_line_add(&line, ")");
	isk_line_end(&line);
}

void *isk_resolve(const struct isk_row *row)
{
	const struct isk_choice choice = isk_choose(row);

	if (isk_look() & ISK_WORD_VERBOSE)
		say(row, choice);
	return (void *)(uintptr_t)isk_at(row, row->variant[choice.isa]);
}
