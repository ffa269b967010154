/* SPDX-License-Identifier: MIT */
/* Why a variant is used or not, in the same words on stderr and in the API. */
#include "explain.h"

#include "names.h"
#include "variables.h"

enum isk_state isk_state_of(const struct isk_row *row, enum isk_isa isa, struct isk_choice choice)
{
	const isk_word word = isk_look();
	struct isk_features features;

	if (!(row->built >> isa & 1))
		return ISK_NOT_BUILT;
	isk_detect(&features);
	if (!(isk_isa_set(&features.cpu) >> isa & 1))
		return ISK_NO_CPU;
	if (!(isk_isa_set(&features.active) >> isa & 1))
		return ISK_NO_OS;
	if (isa > ISK_WORD_CAP(word))
		return ISK_CAPPED;
	if (!(ISK_WORD_ALLOWED(word) >> isa & 1))
		return ISK_DISABLED;
	if (ISK_ASKED >> isa & 1 && isk_ask() & ISK_WORD_REFUSED)
		return ISK_NO_PERMISSION;
	if (isa == choice.isa)
		return ISK_USABLE;
	if (choice.pinned)
		return ISK_PINNED;
	return isk_demotion(row, isa) ? ISK_DEMOTED : ISK_USABLE;
}

void isk_explain(struct isk_line *line, const struct isk_row *row, enum isk_isa isa,
                 enum isk_state state)
{
	struct isk_features features;

	isk_detect(&features);
	switch (state) {
	case ISK_USABLE:
		isk_line_add(line, "usable");
		break;
	case ISK_NOT_BUILT:
		isk_line_add(line, "not built");
		break;
	case ISK_NOT_LINKED:
		isk_line_add(line, "not linked into this program");
		break;
	case ISK_NO_CPU:
		isk_line_add(line, ISK_LACKS);
		isk_line_add(line, isk_isa_lacks(&features.cpu, isa));
		break;
	case ISK_NO_OS:
		isk_line_add(line, "OS or GLIBC_TUNABLES disables ");
		isk_line_add(line, isk_isa_lacks(&features.active, isa));
		break;
	case ISK_NO_PERMISSION:
		isk_line_add(line, "the OS refused the use of AMX");
		break;
	case ISK_CAPPED:
		isk_line_add(line, "capped by ISAKERN_MAX_ISA=");
		isk_line_add(line, isk_isa_names[ISK_WORD_CAP(isk_look())]);
		break;
	case ISK_DISABLED:
		isk_line_add(line, "disabled by ISAKERN_DISABLE");
		break;
	case ISK_DEMOTED:
		isk_line_add(line, "slower on this CPU: ");
		isk_line_add(line, isk_demotion(row, isa)->reason);
		break;
	case ISK_PINNED:
		isk_line_add(line, ISK_BIND_VARIABLE " chose another one");
		break;
	}
}

void isk_explain_choice(struct isk_line *line, const struct isk_row *row, struct isk_choice choice)
{
	if (choice.pinned) {
		isk_line_add(line, "pinned by " ISK_BIND_VARIABLE);
		return;
	}
	for (unsigned int i = choice.isa + 1; i < ISK_ISA_COUNT; i++) {
		if (!(row->listed >> i & 1))
			continue;
		isk_line_add(line, isk_isa_names[i]);
		isk_line_add(line, ": ");
		isk_explain(line, row, (enum isk_isa)i, isk_state_of(row, (enum isk_isa)i, choice));
		return;
	}
	isk_line_add(line, "the highest it has");
}
