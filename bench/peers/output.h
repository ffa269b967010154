/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <cjson/cJSON.h>

#include "peers.h"

void table_header(const char *const *peers, size_t count);
/* A row that was timed, and one that could not be; printed or only remembered for table_json(). */
void table_row(struct field *f, int print);
void table_absent(const struct row *row, const char *reason, int print);
cJSON *table_json(void);

/* Rows with all goals met, and rows that missed one. */
extern size_t rows_met, rows_missed;

#endif
