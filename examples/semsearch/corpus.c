/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "corpus.h"
#include "utf8.h"

/* The index of the first byte that is not UTF-8; `bytes` if there is none. */
static size_t valid_bytes(const char *text, size_t bytes)
{
	const char *p = text;

	while (p < text + bytes)
		if (utf8_next(&p, text + bytes) < 0)
			break;
	return (size_t)(p - text);
}

static int is_blank(const char *text, size_t bytes)
{
	return strspn(text, " \t\r\n\v\f") == bytes;
}

int corpus_add(struct corpus *c, const char *text, size_t bytes, size_t line)
{
	const size_t valid = valid_bytes(text, bytes);
	struct sentence *s;

	if (valid < bytes) {
		warnx("%s:%zu: not UTF-8: byte 0x%02X at column %zu", c->name, line, (unsigned char)text[valid],
			  valid + 1);
		return 0;
	}
	c->sentence = grow(c->sentence, &c->space, c->count + 1, sizeof(*c->sentence));
	s = &c->sentence[c->count++];
	s->text = alloc(bytes + 1, 1);
	memcpy(s->text, text, bytes);
	s->text[bytes] = '\0';
	s->bytes = bytes;
	s->line = line;
	return 1;
}

void corpus_read(struct corpus *c, const char *path)
{
	const int is_stdin = strcmp(path, "-") == 0;
	FILE *f = is_stdin ? stdin : fopen(path, "re");
	char *line = NULL;
	size_t space = 0, number = 0;
	ssize_t n;

	c->name = is_stdin ? "standard input" : path;
	if (!f)
		err(1, "corpus %s", path);
	while ((n = getline(&line, &space, f)) >= 0) {
		number++;
		while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
			line[--n] = '\0';
		if (!is_blank(line, (size_t)n) && !corpus_add(c, line, (size_t)n, number))
			exit(1);
	}
	if (ferror(f))
		err(1, "corpus %s", c->name);
	free(line);
	if (!is_stdin)
		fclose(f);
	if (!c->count)
		errx(1, "%s: an empty corpus: it wants one sentence a line", c->name);
}

void corpus_tokenize(struct corpus *c, const struct tokenizer *t)
{
	size_t used = 0;

	c->start = grow(c->start, &c->start_space, c->count + 1, sizeof(*c->start));
	for (size_t i = 0; i < c->count; i++) {
		const struct sentence *s = &c->sentence[i];
		size_t n;

		c->ids = grow(c->ids, &c->ids_space, used + MODEL_MAX_TOKENS, sizeof(*c->ids));
		n = tokenize(t, s->text, s->bytes, c->ids + used, MODEL_MAX_TOKENS);
		if (n > MODEL_MAX_TOKENS) {
			warnx("%s:%zu: %zu tokens, the model takes %d: the end of the sentence is not looked at", c->name,
				  s->line, n, MODEL_MAX_TOKENS);
			n = MODEL_MAX_TOKENS;
		}
		c->start[i] = used;
		used += n;
	}
	c->start[c->count] = used;
}

void corpus_free(struct corpus *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->sentence[i].text);
	free(c->sentence);
	free(c->ids);
	free(c->start);
}
