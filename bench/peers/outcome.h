/* SPDX-License-Identifier: MIT */
/* The results of a timed row, and the three places that print them: the table, its end, and JSON. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <cjson/cJSON.h>

#include "field.h"

struct outcome {
	const struct entry *us, *old;
	const struct entry *best;           /* of the peers that count */
	const struct entry *inexact;        /* if none counts, the best of the others */
	double of_best, of_inexact, of_old; /* how many times as fast isakern is */
	struct share share;
	struct judged goals[MOST_GOALS];
};

struct outcome outcome_of(struct field *f);
/* The unit of rate_of(). */
const char *unit_of(const struct row *row);
double rate_of(const struct field *f, const struct entry *e);

void table_header(void);
void table_row(struct field *f, const struct outcome *o);
/* A row that could not be timed. */
void table_absent(const struct row *row, const char *reason);
/* Prints the pending notes about the last rows. */
void table_end(void);

void summary_add(const struct row *row, const struct outcome *o);
void summary_add_absent(void);
void summary_print(void);
cJSON *summary_json(void);

cJSON *json_row(struct field *f, const struct outcome *o);
cJSON *json_absent(const struct row *row, const char *reason);

#endif
