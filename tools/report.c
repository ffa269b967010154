/* SPDX-License-Identifier: MIT */
/* The HTML page: a template that draws, with the measurements inserted. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "output.h"
#include "report_html.h"

#define MARK "@MEASUREMENTS@"

/*
 * A page is written beside its final place, and then renamed. A path that is not a plain file, such as
 * /dev/stdout, is written to directly.
 */
struct page {
	FILE *stream;
	char *made; /* NULL if the path is not a plain file */
	char *place;
};

/* The mode for a file from mkstemp(): that of the replaced file, or of any new one. */
static mode_t mode_of(const struct stat *old)
{
	const mode_t mask = umask(0);

	umask(mask);
	return old ? old->st_mode & 07777 : 0666 & ~mask;
}

static struct page page_open(const char *path)
{
	struct page page = {.place = realpath(path, NULL)};
	struct stat old;
	const int exists = stat(path, &old) == 0;
	int fd;

	if (exists && !S_ISREG(old.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		if (asprintf(&page.made, "%s.XXXXXX", page.place ? page.place : path) < 0)
			errx(FAILED, "out of memory");
		/* A file without write permission may not be replaced either. */
		fd = exists && access(path, W_OK) ? -1 : mkostemp(page.made, O_CLOEXEC);
	}
	/* Some file systems have no modes. */
	if (fd >= 0 && page.made)
		fchmod(fd, mode_of(exists ? &old : NULL));
	if (fd >= 0)
		page.stream = fdopen(fd, "w");
	if (!page.stream)
		err(FAILED, "--html: '%s'", path);
	return page;
}

/* Moves a complete page to its place, or removes an incomplete one. Returns 0 or the error. */
static int page_close(struct page *page, const char *path, int whole)
{
	int failed = output_close(page->stream);

	if (page->made && whole && !failed && rename(page->made, page->place ? page->place : path))
		failed = errno;
	if (page->made && (failed || !whole))
		unlink(page->made);
	free(page->made);
	free(page->place);
	return failed;
}

void report_check(const char *path)
{
	struct stat there;
	struct page page;

	/* A reader of a pipe would take the end of this check for the end of the page. */
	if (stat(path, &there) == 0 && S_ISFIFO(there.st_mode))
		return;
	page = page_open(path);
	page_close(&page, path, 0);
}

void report_write(const char *path, const cJSON *report)
{
	char *text = cJSON_PrintUnformatted(report);
	const char *mark = strstr(report_html, MARK);
	struct page page;

	if (!text || !mark)
		errx(FAILED, "no page: %s", text ? "its template has no place for data" : "out of memory");
	page = page_open(path);
	fwrite(report_html, 1, (size_t)(mark - report_html), page.stream);
	for (const char *p = text; *p; p++)
		/* "</script" must not end the data. */
		fputs(*p == '<' ? "\\u003c" : (char[]){*p, '\0'}, page.stream);
	fputs(mark + strlen(MARK), page.stream);
	free(text);
	errno = page_close(&page, path, 1);
	if (errno)
		err(FAILED, "--html: '%s'", path);
}
