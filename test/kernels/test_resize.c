/* SPDX-License-Identifier: MIT */
/* Resized images with the outputs that ONNX's specification gives for its operator Resize. */
#include <math.h>
#include <stdio.h>

#include "isakern.h"

enum { ASYMMETRIC, HALF_PIXEL, PYTORCH_HALF_PIXEL, ALIGN_CORNERS };
enum method { NEAREST, LINEAR, CUBIC };

/* A square image that holds 1, 2, 3 and so on becomes another square one; the first values of that are given. */
static const struct example {
	const char *name;
	enum method method;
	size_t in, out;
	float scale;
	unsigned coordinates, option; /* rounding, or whether the outside is excluded */
	float a;
	float first[9];
	int count;
} examples[] = {
	{"cubic, upwards", CUBIC, 4, 8, 2, HALF_PIXEL, 0, -0.75f,
	 {0.47265625f, 0.76953125f, 1.24609375f, 1.875f, 2.28125f, 2.91015625f, 3.38671875f, 3.68359375f}, 8},
	{"cubic, downwards", CUBIC, 4, 3, 0.8f, HALF_PIXEL, 0, -0.75f,
	 {1.47119141f, 2.78125f, 4.08251953f, 6.71142578f, 8.02148438f, 9.32275391f, 11.91650391f, 13.2265625f, 14.52783203f}, 9},
	{"cubic, without the outside", CUBIC, 4, 3, 0.8f, HALF_PIXEL, 1, -0.5f,
	 {1.36812675f, 2.6695014f, 4.0133367f, 6.57362535f, 7.875f, 9.2188339f, 11.94896657f, 13.25034122f, 14.59417652f}, 9},
	{"linear, aligned corners", LINEAR, 2, 4, 2, ALIGN_CORNERS, 0, 0,
	 {1, 1.33333333f, 1.66666667f, 2, 1.66666667f, 2, 2.33333333f, 2.66666667f}, 8},
	{"linear, half pixels", LINEAR, 2, 4, 2, HALF_PIXEL, 0, 0, {1, 1.25f, 1.75f, 2, 1.5f, 1.75f, 2.25f, 2.5f}, 8},
	{"nearest, down", NEAREST, 2, 6, 3, ASYMMETRIC, 2, 0, {1, 1, 1, 2, 2, 2}, 6},
};

static void resize(float *y, const float *x, const struct example *e)
{
	const size_t out = e->out, in = e->in, y0 = out * out, x0 = in * in;

	if (e->method == CUBIC)
		isk_resize_cubic_f32(y, x, 1, 1, out, out, in, in, y0, out, 1, x0, in, 1, e->scale, e->scale, e->coordinates, e->a, e->option);
	else if (e->method == LINEAR)
		isk_resize_linear_f32(y, x, 1, 1, out, out, in, in, y0, out, 1, x0, in, 1, e->scale, e->scale, e->coordinates);
	else
		isk_resize_nearest_b32(y, x, 1, 1, out, out, in, in, y0, out, 1, x0, in, 1, e->scale, e->scale, e->coordinates, e->option);
}

int main(void)
{
	const int count = (int)(sizeof(examples) / sizeof(*examples));
	int failed = 0;

	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		const struct example *e = &examples[i];
		float x[16], y[64], most = 0;

		for (size_t p = 0; p < e->in * e->in; p++)
			x[p] = (float)(p + 1);
		resize(y, x, e);
		for (int p = 0; p < e->count; p++)
			most = fmaxf(most, fabsf(y[p] - e->first[p]));
		printf("%sok %d - %s: at most %g from ONNX's\n", most < 4e-6f ? "" : "not ", i + 1, e->name, (double)most);
		failed += !(most < 4e-6f);
	}
	return failed != 0;
}
