/* SPDX-License-Identifier: MIT */
/*
 * WordPiece: a word becomes the longest piece of the vocabulary that begins it, then the longest that
 * continues it, marked by ##, and so on. A word that cannot be cut like this, or is too long, becomes [UNK].
 * Special tokens that a text spells out, such as [MASK], are taken as such, as the tokenizer's authors do.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "alloc.h"
#include "file.h"
#include "normalize.h"
#include "tokenizer.h"
#include "utf8.h"

struct piece {
	const char *text; /* NULL: a free slot */
	size_t bytes;
	uint32_t id;
};

struct tokenizer {
	cJSON *json;		 /* owns the text of the pieces */
	struct piece *slots; /* open addressing, at most half full */
	size_t mask;		 /* slots - 1 */
	size_t size;
	size_t max_chars;	/* of a word */
	const char *prefix; /* ## */
	size_t prefix_bytes;
	size_t max_piece; /* bytes of the longest piece */
	uint32_t cls, sep, unk;
	struct piece *special;
	size_t specials;
};

static struct piece *slot(const struct tokenizer *t, const char *text, size_t bytes)
{
	uint64_t h = 0xCBF29CE484222325; /* FNV-1a */
	size_t i;

	for (i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001B3;
	for (i = h & t->mask; t->slots[i].text; i = (i + 1) & t->mask)
		if (t->slots[i].bytes == bytes && memcmp(t->slots[i].text, text, bytes) == 0)
			break;
	return &t->slots[i];
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int says(const cJSON *object, const char *name, const char *value)
{
	const char *s = cJSON_GetStringValue(member(object, name));

	return s && strcmp(s, value) == 0;
}

static uint32_t id_of(const struct tokenizer *t, const char *path, const char *text)
{
	const struct piece *p = slot(t, text, strlen(text));

	if (!p->text)
		errx(1, "%s: the vocabulary has no %s", path, text);
	return p->id;
}

static void read_vocabulary(struct tokenizer *t, const char *path, const cJSON *vocabulary)
{
	const cJSON *entry;
	size_t slots = 2;

	cJSON_ArrayForEach(entry, vocabulary) t->size++;
	if (!t->size)
		errx(1, "%s: no vocabulary (model.vocab)", path);
	while (slots < 2 * t->size)
		slots *= 2;
	t->mask = slots - 1;
	t->slots = alloc(slots, sizeof(t->slots[0]));
	memset(t->slots, 0, slots * sizeof(t->slots[0]));
	cJSON_ArrayForEach(entry, vocabulary)
	{
		const size_t bytes = strlen(entry->string);
		const double id = cJSON_IsNumber(entry) ? entry->valuedouble : -1;

		if (!(id >= 0 && id < (double)t->size) || id != (double)(uint32_t)id)
			errx(1, "%s: the id of '%s' is not a number from 0 to %zu", path, entry->string, t->size - 1);
		*slot(t, entry->string, bytes) = (struct piece){entry->string, bytes, (uint32_t)id};
		if (bytes > t->max_piece)
			t->max_piece = bytes;
	}
}

static void read_special(struct tokenizer *t, const char *path, const cJSON *added)
{
	const cJSON *token;

	t->special = alloc((size_t)cJSON_GetArraySize(added), sizeof(t->special[0]));
	cJSON_ArrayForEach(token, added)
	{
		const char *text = cJSON_GetStringValue(member(token, "content"));

		if (!text || !*text)
			errx(1, "%s: an added token without content", path);
		t->special[t->specials++] = (struct piece){text, strlen(text), id_of(t, path, text)};
	}
}

struct tokenizer *tokenizer_open(const char *path)
{
	struct tokenizer *t = alloc(1, sizeof(*t));
	const struct file file = file_map(path);
	const cJSON *model, *normalizer, *limit;

	memset(t, 0, sizeof(*t));
	t->json = cJSON_ParseWithLength(file.data, file.bytes);
	file_unmap(&file);
	if (!t->json)
		errx(1, "%s: not JSON, or cut short", path);
	model = member(t->json, "model");
	normalizer = member(t->json, "normalizer");
	if (!says(model, "type", "WordPiece") || !says(normalizer, "type", "BertNormalizer") ||
		!cJSON_IsTrue(member(normalizer, "lowercase")) || !cJSON_IsTrue(member(normalizer, "clean_text")) ||
		!cJSON_IsTrue(member(normalizer, "handle_chinese_chars")) ||
		cJSON_IsFalse(member(normalizer, "strip_accents")) ||
		!says(member(t->json, "pre_tokenizer"), "type", "BertPreTokenizer"))
		errx(1, "%s: not the WordPiece tokenizer of an uncased BERT model", path);
	limit = member(model, "max_input_chars_per_word");
	t->max_chars = cJSON_IsNumber(limit) && limit->valuedouble >= 1 ? (size_t)limit->valueint : 100;
	t->prefix = cJSON_GetStringValue(member(model, "continuing_subword_prefix"));
	if (!t->prefix)
		t->prefix = "##";
	t->prefix_bytes = strlen(t->prefix);
	t->max_piece = t->prefix_bytes + 1;
	read_vocabulary(t, path, member(model, "vocab"));
	read_special(t, path, member(t->json, "added_tokens"));
	t->cls = id_of(t, path, "[CLS]");
	t->sep = id_of(t, path, "[SEP]");
	t->unk = id_of(t, path, "[UNK]");
	return t;
}

void tokenizer_close(struct tokenizer *t)
{
	cJSON_Delete(t->json);
	free(t->slots);
	free(t->special);
	free(t);
}

size_t tokenizer_size(const struct tokenizer *t)
{
	return t->size;
}

struct output {
	uint32_t *ids;
	size_t count, max;
};

static void add(struct output *out, uint32_t id)
{
	if (out->count < out->max)
		out->ids[out->count] = id;
	out->count++;
}

/* Cuts one word into pieces; if that fails, leaves out->count unchanged. */
static int cut(const struct tokenizer *t, const char *word, size_t bytes, char *key, struct output *out)
{
	const size_t before = out->count;
	size_t start = 0;

	while (start < bytes) {
		const size_t skip = start ? t->prefix_bytes : 0;
		const struct piece *p = NULL;
		size_t n = bytes - start < t->max_piece - skip ? bytes - start : t->max_piece - skip;

		memcpy(key, t->prefix, skip);
		memcpy(key + skip, word + start, n);
		for (; n; n--) {
			p = slot(t, key, skip + n);
			if (p->text)
				break;
		}
		if (!n) {
			out->count = before;
			return 0;
		}
		add(out, p->id);
		start += n;
	}
	return 1;
}

static size_t chars(const char *s, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)s[i] & 0xC0) != 0x80;
	return n;
}

static void tokenize_text(const struct tokenizer *t, const char *line, size_t bytes, char *key,
						  struct output *out)
{
	struct words words = {0};
	size_t start = 0;

	normalize(&words, line, bytes);
	for (size_t i = 0; i < words.count; start = words.end[i++]) {
		const size_t n = words.end[i] - start;

		if (chars(words.text + start, n) > t->max_chars || !cut(t, words.text + start, n, key, out))
			add(out, t->unk);
	}
	words_free(&words);
}

static const struct piece *special_at(const struct tokenizer *t, const char *s, size_t bytes)
{
	for (size_t i = 0; i < t->specials; i++)
		if (t->special[i].bytes <= bytes && memcmp(s, t->special[i].text, t->special[i].bytes) == 0)
			return &t->special[i];
	return NULL;
}

size_t tokenize(const struct tokenizer *t, const char *line, size_t bytes, uint32_t *ids, size_t max)
{
	struct output out = {ids, 0, max};
	char *key = alloc(t->max_piece + t->prefix_bytes, 1);
	size_t from = 0;

	add(&out, t->cls);
	for (size_t i = 0; i < bytes;) {
		const struct piece *p = special_at(t, line + i, bytes - i);

		if (!p) {
			i++;
			continue;
		}
		tokenize_text(t, line + from, i - from, key, &out);
		add(&out, p->id);
		i += p->bytes;
		from = i;
	}
	tokenize_text(t, line + from, bytes - from, key, &out);
	add(&out, t->sep);
	if (out.count > max)
		ids[max - 1] = t->sep;
	free(key);
	return out.count;
}
