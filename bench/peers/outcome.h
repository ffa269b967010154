/* SPDX-License-Identifier: MIT */
/* What a timed row says, and the three places that say it: the table, its end, and JSON. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <cjson/cJSON.h>

#include "peers.h"

struct outcome {
	const struct entry *us, *old;
	const struct entry *best;           /* of the peers that count */
	const struct entry *inexact;        /* where none counts, the best of the others */
	double of_best, of_inexact, of_old; /* how many times as fast isakern is */
	struct share share;
	struct judged goals[MOST_GOALS];
};

struct outcome outcome_of(struct field *f);
/* What rate_of() counts. */
const char *unit_of(const struct row *row);
double rate_of(const struct field *f, const struct entry *e);

void table_header(void);
void table_row(struct field *f, const struct outcome *o);
/* A row that could not be timed. */
void table_absent(const struct row *row, const char *reason);
/* What is still to be said of the last rows. */
void table_end(void);

void summary_add(const struct row *row, const struct outcome *o);
void summary_add_absent(void);
void summary_print(void);
cJSON *summary_json(void);

cJSON *json_row(struct field *f, const struct outcome *o);
cJSON *json_absent(const struct row *row, const char *reason);

#endif
