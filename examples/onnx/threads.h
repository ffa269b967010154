/* SPDX-License-Identifier: MIT */
/* The option --threads of programs that run models. */
#ifndef THREADS_H
#define THREADS_H

#include <argp.h>
#include <stdlib.h>

#define THREADS_OPTION                                                                                                 \
	{                                                                                                                  \
		"threads", 't', "N", 0, "threads, from 1 to 1024. Default: 1", 0                                               \
	}

/* The number in the option's text; anything else ends the program. */
static inline size_t threads_of(const char *text, const struct argp_state *state)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n < 1 || n > 1024)
		argp_error(state, "--threads wants a number from 1 to 1024, not '%s'", text);
	return n;
}

#endif
