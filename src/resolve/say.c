/* SPDX-License-Identifier: MIT */
/* One line on stderr, without libc. */
#include "say.h"

#include <unistd.h>

#include "resolve.h"
#include "syscall.h"

static void flush(struct isk_line *line)
{
	isk_syscall(SYS_write, STDERR_FILENO, (long)line->text, (long)line->length, 0, 0);
	line->length = 0;
}

void isk_line_begin(struct isk_line *line)
{
	line->length = 0;
	isk_line_add(line, "isakern: ");
}

void isk_line_add(struct isk_line *line, const char *text)
{
	for (; *text; text++) {
		if (line->length == sizeof(line->text))
			flush(line);
		line->text[line->length++] = *text;
	}
}

void isk_line_end(struct isk_line *line)
{
	isk_line_add(line, "\n");
	flush(line);
}
