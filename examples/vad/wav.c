/* SPDX-License-Identifier: MIT */
#include "wav.h"

#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"

enum { PCM = 1, FLOAT = 3, EXTENSIBLE = 0xfffe };

/* Numbers in a file have the low byte first. */
static uint32_t number(const unsigned char *p, int bytes)
{
	uint32_t value = 0;

	while (bytes--)
		value = value << 8 | p[bytes];
	return value;
}

/* Reads all bytes of a file, and counts them. */
static unsigned char *read_all(FILE *f, const char *name, size_t *bytes)
{
	unsigned char *data = NULL;
	size_t space = 0, got;

	*bytes = 0;
	do {
		if (*bytes == space && !(data = realloc(data, space = 2 * space + (1 << 16))))
			errx(1, "%s: out of memory", name);
		got = fread(data + *bytes, 1, space - *bytes, f);
		*bytes += got;
	} while (got);
	if (ferror(f))
		err(1, "%s", name);
	return data;
}

struct format {
	unsigned kind, channels, rate, bits;
};

static struct format format_of(const unsigned char *chunk, size_t bytes, const char *name)
{
	struct format format;

	if (bytes < 16)
		errx(1, "%s: its format takes %zu bytes, at least 16 are needed", name, bytes);
	format = (struct format){number(chunk, 2), number(chunk + 2, 2), number(chunk + 4, 4), number(chunk + 14, 2)};
	/* The real kind is then a later field. */
	if (format.kind == EXTENSIBLE && bytes >= 26)
		format.kind = number(chunk + 24, 2);
	if (!((format.kind == PCM && format.bits == 16) || (format.kind == FLOAT && format.bits == 32)))
		errx(1, "%s: %u bits of kind %u; PCM of 16 bits (1) and floats of 32 (3) can be read", name, format.bits, format.kind);
	if (format.rate != RATE)
		errx(1, "%s: %u samples a second; it must be %d: sox IN -r %d OUT makes it so", name, format.rate, RATE, RATE);
	if (format.channels < 1 || format.channels > 64)
		errx(1, "%s: %u channels; from 1 to 64 can be read", name, format.channels);
	return format;
}

static float sample_of(const unsigned char *p, const struct format *format, const char *name)
{
	const uint32_t bits = number(p, (int)format->bits / 8);
	float value;

	if (format->kind == PCM)
		return (float)(int16_t)bits / 32768;
	memcpy(&value, &bits, sizeof(value));
	if (!(fabsf(value) <= 65536))
		errx(1, "%s: a sample is %g: no sound", name, (double)value);
	return value;
}

static struct sound sound_of(const unsigned char *data, size_t bytes, const struct format *format, const char *name)
{
	const size_t width = format->bits / 8, frame = width * format->channels;
	struct sound sound = {malloc(bytes / frame * sizeof(float) + 1), bytes / frame};

	if (!sound.samples)
		errx(1, "%s: out of memory", name);
	for (size_t i = 0; i < sound.count; i++) {
		float sum = 0;

		for (size_t channel = 0; channel < format->channels; channel++)
			sum += sample_of(data + i * frame + channel * width, format, name);
		sound.samples[i] = sum / (float)format->channels;
	}
	return sound;
}

static struct sound wav_read(FILE *f, const char *name)
{
	size_t bytes, at = 12;
	unsigned char *data = read_all(f, name, &bytes);
	struct format format = {0};
	struct sound sound = {NULL, 0};

	if (bytes < at || memcmp(data, "RIFF", 4) != 0 || memcmp(data + 8, "WAVE", 4) != 0)
		errx(1, "%s: not a WAV file", name);
	while (!sound.samples && bytes - at >= 8) {
		const unsigned char *chunk = data + at + 8;
		const size_t left = bytes - at - 8, told = number(data + at + 4, 4), length = told < left ? told : left;

		if (memcmp(data + at, "fmt ", 4) == 0)
			format = format_of(chunk, length, name);
		if (memcmp(data + at, "data", 4) == 0) {
			if (!format.kind)
				errx(1, "%s: its samples come before their format", name);
			/*
			 * A program that writes to a pipe cannot go back to store the length, which is then 0 or the
			 * largest number.
			 */
			if (told > left && told < 0x7fff0000)
				errx(1, "%s: cut short: %zu bytes of %zu are there", name, left, told);
			sound = sound_of(chunk, told ? length : left, &format, name);
		}
		at += 8 + length + (length & 1 && length < left);
	}
	if (!sound.samples)
		errx(1, "%s: a WAV file without samples", name);
	if (!sound.count)
		errx(1, "%s: no sample in it", name);
	free(data);
	return sound;
}

struct sound wav_open(const char *name)
{
	FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
	struct sound sound;

	if (!f)
		err(1, "%s", name);
	sound = wav_read(f, f == stdin ? "standard input" : name);
	fclose(f);
	return sound;
}
