/* SPDX-License-Identifier: MIT */
/* The page: a template that draws, with the measurements put into it. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "report_html.h"

#define MARK "@MEASUREMENTS@"

void report_write(const char *path, const cJSON *report)
{
	char *text = cJSON_PrintUnformatted(report);
	const char *mark = strstr(report_html, MARK);
	FILE *file;

	if (!text || !mark)
		errx(FAILED, "no page: %s", text ? "its template has no place for data" : "out of memory");
	file = fopen(path, "we");
	if (!file)
		err(FAILED, "%s", path);
	fwrite(report_html, 1, (size_t)(mark - report_html), file);
	for (const char *p = text; *p; p++)
		/* "</script" must not end the data. */
		fputs(*p == '<' ? "\\u003c" : (char[]){*p, '\0'}, file);
	fputs(mark + strlen(MARK), file);
	if (fclose(file))
		err(FAILED, "%s", path);
	free(text);
}
