/* SPDX-License-Identifier: MIT */
/*
 * Profiles: measured choices for plans, one a line, behind a line with the CPU on which they were measured.
 *
 *     cpu 26 2
 *     matmul_f32 24x24x24 avx512_bf16 tiles
 *
 * The file is read again for each plan, so there is nothing to allocate, to lock or to free.
 */
#define _GNU_SOURCE /* secure_getenv() */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan.h"
#include "resolve.h"
#include "say.h"

enum { LINE = 160 };

struct file {
	const char *path;
	int fd, tells; /* tells: complains about wrong lines */
	unsigned line;
	size_t at, length;
	char window[512];
};

/* Writes "isakern: PATH:LINE: COMPLAINT" if this reading tells. */
static void complain(const struct file *f, const char *complaint)
{
	struct isk_line line;
	char number[16];

	if (!f->tells)
		return;
	isk_line_begin(&line);
	isk_line_add(&line, f->path);
	snprintf(number, sizeof(number), f->line ? ":%u: " : ": ", f->line);
	isk_line_add(&line, number);
	isk_line_add(&line, complaint);
	isk_line_end(&line);
}

/* The next character, or -1 at the end of the file or after an error. */
static int next(struct file *f)
{
	if (f->at == f->length) {
		const ssize_t got = read(f->fd, f->window, sizeof(f->window));

		f->at = 0;
		f->length = got > 0 ? (size_t)got : 0;
		if (!f->length)
			return -1;
	}
	return (unsigned char)f->window[f->at++];
}

/* Reads a line without its comment. Returns whether there was one. A line that is too long becomes "?". */
static int next_line(struct file *f, char line[LINE])
{
	size_t length = 0;
	int c = next(f), comment = 0;

	if (c < 0)
		return 0;
	f->line++;
	for (; c >= 0 && c != '\n'; c = next(f)) {
		comment |= c == '#';
		if (!comment && c && length < LINE)
			line[length++] = (char)c;
	}
	if (length == LINE) {
		line[0] = '?';
		length = 1;
	}
	line[length] = 0;
	return 1;
}

/* Whether the profile is of this CPU. A CPU without a signature has no profiles. */
static int is_here(const struct file *f, const char *line)
{
	struct isk_features features;
	uint32_t family, model;
	unsigned at_family, at_model;
	char end, complaint[96];

	isk_detect(&features);
	isk_family_model(features.cpu.signature, &family, &model);
	if (sscanf(line, " cpu %u %u %c", &at_family, &at_model, &end) != 2) {
		complain(f, "the first line of a profile is 'cpu FAMILY MODEL'; the profile is ignored");
		return 0;
	}
	if (features.cpu.signature && at_family == family && at_model == model)
		return 1;
	snprintf(complaint, sizeof(complaint), "measured on another CPU than this one, which is 'cpu %u %u'; the profile is ignored",
	         (unsigned)family, (unsigned)model);
	complain(f, complaint);
	return 0;
}

/* A line about a product. */
struct choice {
	char kernel[48];
	size_t m, n, k;
	struct isk_profiled profiled;
};

/* Returns whether the line is a choice; complains if not. */
static int understand(const struct file *f, const char *line, struct choice *c)
{
	const char *complaint = NULL;
	char end;

	if (sscanf(line, "%47s %zux%zux%zu %15s %15s %c", c->kernel, &c->m, &c->n, &c->k, c->profiled.isa, c->profiled.way,
	           &end) != 6)
		complaint = "a line of a profile is 'KERNEL MxNxK ISA WAY'";
	else if (isk_kernel_number(c->kernel) < 0)
		complaint = "no such kernel; there are matmul_f32 and matmul_f64";
	else if (isk_isa_named(c->profiled.isa) < 0)
		complaint = "no such ISA; 'isakern info' lists all";
	else if (!isk_way_named(c->profiled.way))
		complaint = "no such way; there are tile, tiles, blocks, copied and columns";
	if (complaint)
		complain(f, complaint);
	return !complaint;
}

void isk_profile_read(struct isk_profiled *p, const char *kernel, size_t m, size_t n, size_t k)
{
	static int told;
	struct file f = {.path = secure_getenv("ISAKERN_PROFILE")};
	int found = 0, is_ours = 0;
	struct choice c;
	char line[LINE + 1];

	if (!f.path || !*f.path)
		return;
	f.tells = !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED);
	f.fd = open(f.path, O_RDONLY | O_CLOEXEC);
	if (f.fd < 0) {
		complain(&f, "ISAKERN_PROFILE names a file that cannot be read");
		return;
	}
	while ((f.tells || !found) && next_line(&f, line)) {
		if (!line[strspn(line, " \t\r")])
			continue;
		if (!is_ours) {
			is_ours = is_here(&f, line);
			if (!is_ours)
				break;
		} else if (understand(&f, line, &c) && !found && c.m == m && c.n == n && c.k == k && !strcmp(c.kernel, kernel)) {
			*p = c.profiled;
			found = 1;
		}
	}
	close(f.fd);
}
