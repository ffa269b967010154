/* SPDX-License-Identifier: MIT */
/* A convolution of stride 2 by patches, its gradients by its weights and its image, and thus a transposed convolution. */
#include <isakern.h>
#include <stdio.h>

enum { SIZE = 4, CHANNELS = 2, OUT = 2, SMALL = 2, TAPS = 3, K = TAPS * TAPS * CHANNELS, PLACES = SMALL * SMALL };

static void show(const char *name, const float *x, size_t n)
{
	printf("%s", name);
	for (size_t i = 0; i < n; i++)
		printf(" %g", (double)x[i]);
	puts("");
}

int main(void)
{
	float image[SIZE * SIZE * CHANNELS], w[K * OUT], patches[PLACES * K], y[PLACES * OUT];
	float dw[K * OUT], dpatches[PLACES * K], dimage[SIZE * SIZE * CHANNELS];

	for (int i = 0; i < SIZE * SIZE * CHANNELS; i++)
		image[i] = (float)(i % 5);
	for (int i = 0; i < K * OUT; i++)
		w[i] = (float)(i % 3) - 1;

	/* Forwards: patches by weights, of which each row is a tap and a channel. */
	isk_unfold_b32(patches, image, 1, CHANNELS, SMALL, SMALL, SIZE, SIZE, TAPS, TAPS, 2, 2, 1, 1, 1, 1);
	isk_matmul_f32(y, patches, w, PLACES, OUT, K, OUT, K, OUT, 0, NULL);
	show("y", y, PLACES * OUT);

	/* Backwards from a gradient, here y itself: by the weights, then by the image. */
	isk_matmul_f32(dw, patches, y, K, OUT, PLACES, OUT, K, OUT, ISK_TRANSPOSED_A, NULL);
	show("dw", dw, 6);
	isk_matmul_f32(dpatches, y, w, PLACES, K, OUT, K, OUT, OUT, ISK_TRANSPOSED_B, NULL);
	isk_fold_f32(dimage, dpatches, 1, CHANNELS, SMALL, SMALL, SIZE, SIZE, TAPS, TAPS, 2, 2, 1, 1, 1, 1);
	show("dimage", dimage, 6);
	return 0;
}

/*
 * prints
 *
 *     y -3 5 4 -1 -2 11 1 -4
 *     dw 0 0 1 -4 -4 25
 *     dimage 5 3 -12 10 -1 -4
 */
