/* SPDX-License-Identifier: MIT */
#include "mel.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isakern_omp.h"

enum { RATE = 16000, WINDOW = 400, HOP = 160, BINS = WINDOW / 2 + 1 };

struct mel {
	void *transform; /* packed: windowed cosines and sines, WINDOW by 2 * BINS */
	void *filters;   /* packed: BINS by MEL_BANDS */
	float *padded;   /* the sound, and half a window on each side */
	float *windows;  /* MEL_FRAMES rows */
	float *spectrum; /* MEL_FRAMES rows of 2 * BINS */
	float *power;    /* MEL_FRAMES rows of BINS */
	float *bands;    /* MEL_FRAMES rows of MEL_BANDS */
};

static void *alloc(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (!p)
		errx(1, "out of memory");
	return p;
}

static void *packed(const float *b, size_t k, size_t n)
{
	const size_t bytes = isk_packed_size(ISK_F32, k, n);
	void *p = alloc(bytes);

	if (isk_gemm_pack_f32(p, b, bytes, k, n, n, 0) != 0)
		errx(1, "isk_gemm_pack_f32() refuses %zu x %zu", k, n);
	return p;
}

/* The discrete Fourier transform of windowed samples as a product of matrices. */
static void *transform(void)
{
	float *b = alloc(WINDOW * 2 * BINS * sizeof(*b));
	void *p;

	for (size_t i = 0; i < WINDOW; i++)
		for (size_t j = 0; j < BINS; j++) {
			const double angle = 2 * M_PI * (double)(i * j % WINDOW) / WINDOW,
						 hann = .5 - .5 * cos(2 * M_PI * (double)i / WINDOW);

			b[i * 2 * BINS + j] = (float)(hann * cos(angle));
			b[i * 2 * BINS + BINS + j] = (float)(hann * sin(angle));
		}
	p = packed(b, WINDOW, 2 * BINS);
	free(b);
	return p;
}

/* Slaney's scale: linear up to 1 kHz, 15 mel, and above it 27 mel for each factor of 6.4. */
static double hertz(double mel)
{
	return mel < 15 ? mel * 200 / 3 : 1000 * exp(log(6.4) * (mel - 15) / 27);
}

/* Triangles between neighbours of MEL_BANDS + 2 points that are even in mel up to 8 kHz, each of area 1. */
static void *filters(void)
{
	const double most = 15 + 27 * log(RATE / 2000.0) / log(6.4);
	float *b = alloc(BINS * MEL_BANDS * sizeof(*b));
	void *p;

	for (size_t band = 0; band < MEL_BANDS; band++) {
		const double low = hertz(most * (double)band / (MEL_BANDS + 1)),
					 peak = hertz(most * (double)(band + 1) / (MEL_BANDS + 1)),
					 high = hertz(most * (double)(band + 2) / (MEL_BANDS + 1));

		for (size_t j = 0; j < BINS; j++) {
			const double f = (double)j * RATE / WINDOW,
						 side = fmin((f - low) / (peak - low), (high - f) / (high - peak));

			b[j * MEL_BANDS + band] = (float)(fmax(side, 0) * 2 / (high - low));
		}
	}
	p = packed(b, BINS, MEL_BANDS);
	free(b);
	return p;
}

struct mel *mel_new(void)
{
	struct mel *m = alloc(sizeof(*m));

	m->transform = transform();
	m->filters = filters();
	m->padded = alloc((MEL_SAMPLES + WINDOW) * sizeof(float));
	m->windows = alloc(MEL_FRAMES * WINDOW * sizeof(float));
	m->spectrum = alloc(MEL_FRAMES * 2 * BINS * sizeof(float));
	m->power = alloc(MEL_FRAMES * BINS * sizeof(float));
	m->bands = alloc(MEL_FRAMES * MEL_BANDS * sizeof(float));
	return m;
}

void mel_free(struct mel *m)
{
	free(m->transform);
	free(m->filters);
	free(m->padded);
	free(m->windows);
	free(m->spectrum);
	free(m->power);
	free(m->bands);
	free(m);
}

static void multiply(float *c, const float *a, const void *b, size_t n, size_t k)
{
	const struct isk_post post = {.size = sizeof(post)};

	if (isk_parallel_gemm_f32(c, a, b, MEL_FRAMES, n, k, n, k, &post) != 0)
		errx(1, "isk_gemm_f32() refuses %zu x %zu", k, n);
}

void mel_bands(struct mel *m, float *bands, const float *samples, size_t count)
{
	enum { HALF = WINDOW / 2, ALL = MEL_FRAMES * MEL_BANDS };
	float least;

	memset(m->padded, 0, (MEL_SAMPLES + WINDOW) * sizeof(*m->padded));
	memcpy(m->padded + HALF, samples, count * sizeof(*samples));
	/* Before the beginning the sound is mirrored. The end is silent, or its last frame is not used. */
	for (size_t i = 1; i <= HALF; i++)
		m->padded[HALF - i] = m->padded[HALF + i];
	for (size_t i = 0; i < MEL_FRAMES; i++)
		memcpy(m->windows + i * WINDOW, m->padded + i * HOP, WINDOW * sizeof(*m->windows));
	multiply(m->spectrum, m->windows, m->transform, 2 * BINS, WINDOW);
	for (size_t i = 0; i < MEL_FRAMES; i++)
		for (size_t j = 0; j < BINS; j++) {
			const float re = m->spectrum[i * 2 * BINS + j], im = m->spectrum[i * 2 * BINS + BINS + j];

			m->power[i * BINS + j] = re * re + im * im;
		}
	multiply(m->bands, m->power, m->filters, MEL_BANDS, BINS);
	for (size_t i = 0; i < ALL; i++)
		m->bands[i] = fmaxf(m->bands[i], 1e-10f);
	isk_log10_f32(m->bands, m->bands, ALL);
	least = isk_max_f32(m->bands, ALL) - 8;
	for (size_t i = 0; i < ALL; i++)
		m->bands[i] = (fmaxf(m->bands[i], least) + 4) / 4;
	isk_transpose_b32(bands, m->bands, MEL_FRAMES, MEL_BANDS, MEL_FRAMES, MEL_BANDS);
}
