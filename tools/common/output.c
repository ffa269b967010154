/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int output_close(FILE *stream)
{
	const int failed = ferror(stream);

	/* What went wrong is forgotten, and likely to go wrong again. */
	if (failed)
		putc('\n', stream);
	errno = EIO;
	return fclose(stream) || failed ? errno : 0;
}

static void close_stdout(void)
{
	errno = output_close(stdout);
	if (errno) {
		warn("standard output");
		_exit(EXIT_FAILURE);
	}
}

void output_start(void)
{
	int fd;

	/* What is closed is opened such that writing to it fails: the next file would take its number. */
	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	if (atexit(close_stdout))
		err(EXIT_FAILURE, "standard output");
}

void output_flush(void)
{
	if (fflush(stdout) || ferror(stdout))
		exit(EXIT_FAILURE);
}
