/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *paint(enum paint p)
{
	static const char *const codes[] = {
		[PLAIN] = "\033[0m", [BOLD] = "\033[1m", [DIM] = "\033[2m",
		[GOOD] = "\033[32m", [BAD] = "\033[1;31m", [NOTE] = "\033[36m",
	};
	static int colour = -1;

	if (colour < 0) {
		const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

		colour = isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
	}
	return colour ? codes[p] : "";
}

size_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width = 0;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (width == 0 && columns)
		width = strtol(columns, NULL, 10);
	if (width > 0)
		return (size_t)width;
	return isatty(STDOUT_FILENO) ? 80 : SIZE_MAX;
}

const char *glyph(const char *utf8, const char *ascii)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? utf8 : ascii;
}

size_t print_bar(double fraction, size_t width)
{
	static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const double clamped = fraction > 0 ? fraction < 1 ? fraction : 1 : 0;
	const size_t eighths = (size_t)(clamped * (double)width * 8 + 0.5);

	for (size_t i = 0; i < eighths / 8; i++)
		fputs(glyph("█", "#"), stdout);
	fputs(glyph(parts[eighths % 8], ""), stdout);
	return eighths / 8 + (*glyph(parts[eighths % 8], "") != '\0');
}

/* The columns of a UTF-8 text without wide characters. */
static size_t columns_of(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

size_t print_cut(const char *text, size_t width, enum paint p)
{
	const size_t columns = columns_of(text);
	size_t left = columns > width ? width - 1 : columns;

	fputs(p == PLAIN ? "" : paint(p), stdout);
	for (; *text && (left || ((unsigned char)*text & 0xc0) == 0x80); text++) {
		left -= ((unsigned char)*text & 0xc0) != 0x80;
		putchar(*text);
	}
	if (columns > width)
		fputs(glyph("…", "~"), stdout);
	fputs(p == PLAIN ? "" : paint(PLAIN), stdout);
	return columns > width ? width : columns;
}

void print_field(const char *text, size_t width, enum paint p)
{
	const size_t used = print_cut(text, width, p);

	printf("%*s", (int)(width - used), "");
}

void print_rest(const char *text, size_t used, enum paint p)
{
	enum { LEAST = 8 };

	if (used + LEAST < terminal_width())
		print_cut(text, terminal_width() - used, p);
}

void widen(size_t *width, const char *text)
{
	if (*width < strlen(text))
		*width = strlen(text);
}

static int shown;

void progress(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	shown = 1;
}

void progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = 0;
}
