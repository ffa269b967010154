/* SPDX-License-Identifier: MIT */
#include "segments.h"

#include <err.h>
#include <stdlib.h>

#include "network.h"

/* The defaults of Silero's own program, in seconds. */
static const double least_speech = 0.25, least_silence = 0.1, pad = 0.03, hysteresis = 0.15;

static double time_of(size_t chunk)
{
	return (double)chunk * CHUNK / RATE;
}

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

size_t segments_of(const float *probability, size_t chunks, double threshold, double seconds, struct segment **segments)
{
	struct segment *all = calloc(chunks + 1, sizeof(*all));
	size_t count = 0, begin = 0, silent = 0;
	int speaking = 0;

	if (!all)
		errx(1, "out of memory");
	/* One chunk more, as if silence followed for good. */
	for (size_t i = 0; i <= chunks; i++) {
		const double p = i < chunks ? (double)probability[i] : 0;

		if (p >= threshold) {
			begin = speaking ? begin : i;
			speaking = 1;
			silent = 0;
		} else if (speaking && (silent || p < threshold - hysteresis)) {
			const size_t end = i - silent;

			silent++;
			if (i < chunks && time_of(silent) < least_silence)
				continue;
			if (time_of(end) - time_of(begin) >= least_speech)
				all[count++] = (struct segment){time_of(begin), time_of(end)};
			speaking = 0;
			silent = 0;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const double before = i ? all[i - 1].to : 0, after = i + 1 < count ? (all[i].to + all[i + 1].from) / 2 : seconds;

		all[i].from = clamp(all[i].from - pad, before, seconds);
		all[i].to = clamp(all[i].to + pad, all[i].from, after);
	}
	*segments = all;
	return count;
}
