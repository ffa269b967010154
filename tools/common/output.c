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

	/* The number of the error is lost, so another write is tried, which likely fails in the same way. */
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

	/*
	 * Closed standard streams are opened so that writing to them fails; otherwise the next file would take
	 * their numbers.
	 */
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
