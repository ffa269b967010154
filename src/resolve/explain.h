/* SPDX-License-Identifier: MIT */
/* Why a variant is used or not, in the same words on stderr and in the API. */
#ifndef ISK_EXPLAIN_H
#define ISK_EXPLAIN_H

#include "resolve.h"
#include "isakern/library.h"
#include "say.h"

/* The reason why a variant is not called, or ISK_USABLE. Asks for AMX if there is no other reason against it. */
enum isk_state isk_state_of(const struct isk_row *row, enum isk_isa isa, struct isk_choice choice);

/* Adds the reason for a state, without a full stop. */
void isk_explain(struct isk_line *line, const struct isk_row *row, enum isk_isa isa,
                 enum isk_state state);

/* Adds the reason why no higher variant was chosen. */
void isk_explain_choice(struct isk_line *line, const struct isk_row *row, struct isk_choice choice);

#endif
