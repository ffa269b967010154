/* SPDX-License-Identifier: MIT */
#include "vocabulary.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

struct vocabulary {
	cJSON *json;
	const char *piece[TOKEN_END]; /* in the file's letters */
};

static cJSON *read_json(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t space = 0;
	cJSON *json;

	if (!f || getdelim(&text, &space, 0, f) < 0)
		err(1, "%s", path);
	fclose(f);
	json = cJSON_Parse(text);
	free(text);
	return json;
}

struct vocabulary *vocabulary_open(const char *path)
{
	struct vocabulary *v = calloc(1, sizeof(*v));
	const cJSON *item;
	size_t count = 0;

	if (!v)
		errx(1, "out of memory");
	v->json = read_json(path);
	cJSON_ArrayForEach(item, v->json)
	{
		/* Marks are in the file as well. */
		if (!cJSON_IsNumber(item) || item->valueint < 0 || item->valueint >= TOKEN_END)
			continue;
		count += !v->piece[item->valueint];
		v->piece[item->valueint] = item->string;
	}
	if (count != TOKEN_END)
		errx(1, "%s: not Whisper's vocabulary of %d pieces of text", path, TOKEN_END);
	return v;
}

void vocabulary_close(struct vocabulary *v)
{
	cJSON_Delete(v->json);
	free(v);
}

/*
 * Letters of the file stand for bytes. Printable bytes of Latin-1 stand for themselves; the others, in their order, are
 * the letters from 256 on. All have one or two bytes of UTF-8.
 */
static int is_itself(int byte)
{
	return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

static int byte_of(int letter)
{
	int others = 256;

	if (letter < 256)
		return letter;
	for (int byte = 0; byte < 256; byte++)
		if (!is_itself(byte) && others++ == letter)
			return byte;
	return '?';
}

void vocabulary_write(const struct vocabulary *v, size_t token, FILE *to)
{
	const unsigned char *p = (const unsigned char *)v->piece[token];

	for (; *p; p++) {
		int letter = *p;

		if (letter >= 0xc0 && p[1])
			letter = (letter & 0x1f) << 6 | (*++p & 0x3f);
		putc(byte_of(letter), to);
	}
}
