/* SPDX-License-Identifier: MIT */
/* The resolver behind every indirect function: from a kernel's row to the address of the chosen variant. */
#include "resolve.h"

#include "explain.h"
#include "names.h"
#include "say.h"

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
