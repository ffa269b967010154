/* SPDX-License-Identifier: MIT */
#include "../clock.h"
#include "progress.h"

#include <stdio.h>
#include <unistd.h>


void progress_tell(const struct plan *p, size_t done)
{
	static double next; /* when the next line is due */
	static int is_shown;
	const int is_terminal = isatty(STDERR_FILENO);
	const double time = clock_seconds();

	if (done <= 1)
		next = time + (is_terminal ? 1 : 10);
	if (done < p->steps && time >= next) {
		fprintf(stderr, is_terminal ? "\r\033[K[%zu/%zu] %.60s" : "[%zu/%zu] %.60s\n", done, p->steps,
		        p->step[done].node->name);
		is_shown = is_terminal;
		next = time + (is_terminal ? .1 : 10);
	}
	if (done == p->steps && is_shown) {
		fputs("\r\033[K", stderr);
		is_shown = 0;
	}
}
