/* SPDX-License-Identifier: MIT */
/*
 * The network, on 16,000 samples a second:
 *
 *     the last 64 samples of the previous chunk, the chunk, and its end once more, mirrored
 *     4 short-time spectra of 256 samples, 128 apart: 129 magnitudes each
 *     4 convolutions over time, of 3 taps, with ReLU, down to one vector of 128
 *     an LSTM cell of 128, which remembers earlier chunks
 *     ReLU, a dot product, sigmoid
 *
 * Weights are packed once. All arithmetic is done by isakern's kernels.
 */
#include "network.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"
#include "weights.h"

enum {
	CONTEXT = 64, WINDOW = 256, STEP = 128, FRAMES = (CONTEXT + CHUNK + CONTEXT - WINDOW) / STEP + 1, BINS = WINDOW / 2 + 1,
	HIDDEN = 128, GATES = 4 * HIDDEN, SPECTRUM = 0, LAYERS = 5,
};

static const char basis[] = "stft.forward_basis_buffer";

/* The spectrum is a convolution as well, with sines and cosines. */
static const struct layer {
	const char *weights, *bias;
	size_t in, out, taps, stride, pad;
} layers[LAYERS] = {
	[SPECTRUM] = {basis, NULL, 1, 2 * BINS, WINDOW, STEP, 0},
	{"encoder.0.reparam_conv.weight", "encoder.0.reparam_conv.bias", BINS, 128, 3, 1, 1},
	{"encoder.1.reparam_conv.weight", "encoder.1.reparam_conv.bias", 128, 64, 3, 2, 1},
	{"encoder.2.reparam_conv.weight", "encoder.2.reparam_conv.bias", 64, 64, 3, 2, 1},
	{"encoder.3.reparam_conv.weight", "encoder.3.reparam_conv.bias", 64, HIDDEN, 3, 1, 1},
};

struct network {
	struct weights *weights;
	struct isk_conv conv[LAYERS];
	void *kernel[LAYERS]; /* packed */
	const float *bias[LAYERS];
	void *cell; /* packed, of input and state side by side */
	float cell_bias[GATES];
	const float *out;
	float out_bias;
	/* The memory of the network: samples, and the state of the cell, after room for its input. */
	float context[CONTEXT];
	float input_and_h[2 * HIDDEN], c[HIDDEN];
};

static void *alloc(size_t bytes)
{
	void *p;

	if (!bytes || posix_memalign(&p, 64, bytes) != 0)
		errx(1, "out of memory");
	return p;
}

/* isakern's statuses report errors of the program, not of its user. */
static void must(int status)
{
	if (status)
		errx(3, "isakern: %s", isk_strerror(status));
}

static void layers_open(struct network *n)
{
	size_t width = CONTEXT + CHUNK + CONTEXT;

	for (int i = 0; i < LAYERS; i++) {
		const struct layer *l = &layers[i];
		size_t height, bytes;

		n->conv[i] = (struct isk_conv){.size = sizeof(n->conv[i]), .images = 1, .height = 1, .width = width,
		                               .channels = l->in, .out_channels = l->out, .kernel_h = 1, .kernel_w = l->taps,
		                               .stride_h = 1, .stride_w = l->stride, .dilation_h = 1, .dilation_w = 1,
		                               .pad_left = l->pad, .pad_right = l->pad, .groups = 1};
		must(isk_conv_output(&n->conv[i], &height, &width));
		bytes = isk_conv_packed_size(ISK_F32, &n->conv[i]);
		n->kernel[i] = alloc(bytes);
		must(isk_conv_pack_f32(n->kernel[i], weights_find(n->weights, l->weights, l->in * l->out * l->taps), bytes,
		                       &n->conv[i]));
		n->bias[i] = l->bias ? weights_find(n->weights, l->bias, l->out) : NULL;
	}
}

/*
 * The input and the state of the cell are multiplied in one product: their weights lie side by side, and
 * their biases are added.
 */
static void cell_open(struct network *n)
{
	const float *of_input = weights_find(n->weights, "decoder.rnn.weight_ih", GATES * HIDDEN);
	const float *of_h = weights_find(n->weights, "decoder.rnn.weight_hh", GATES * HIDDEN);
	const size_t bytes = isk_packed_size(ISK_F32, 2 * HIDDEN, GATES);
	float *both = alloc(sizeof(*both) * GATES * 2 * HIDDEN);

	for (size_t gate = 0; gate < GATES; gate++) {
		memcpy(both + gate * 2 * HIDDEN, of_input + gate * HIDDEN, HIDDEN * sizeof(*both));
		memcpy(both + gate * 2 * HIDDEN + HIDDEN, of_h + gate * HIDDEN, HIDDEN * sizeof(*both));
	}
	n->cell = alloc(bytes);
	must(isk_gemm_pack_f32(n->cell, both, bytes, 2 * HIDDEN, GATES, 2 * HIDDEN, 1));
	free(both);
	isk_add_f32(n->cell_bias, weights_find(n->weights, "decoder.rnn.bias_ih", GATES),
	            weights_find(n->weights, "decoder.rnn.bias_hh", GATES), GATES);
}

struct network *network_open(const char *path)
{
	struct network *n = calloc(1, sizeof(*n));

	if (!n)
		errx(1, "out of memory");
	n->weights = weights_open(path, basis, (const size_t[]){2 * BINS, 1, WINDOW});
	layers_open(n);
	cell_open(n);
	n->out = weights_find(n->weights, "decoder.decoder.2.weight", HIDDEN);
	n->out_bias = *weights_find(n->weights, "decoder.decoder.2.bias", 1);
	return n;
}

void network_close(struct network *n)
{
	for (int i = 0; i < LAYERS; i++)
		free(n->kernel[i]);
	free(n->cell);
	weights_close(n->weights);
	free(n);
}

/* FRAMES rows of BINS magnitudes. */
static void spectra(struct network *n, float *magnitude, const float samples[CHUNK])
{
	float padded[CONTEXT + CHUNK + CONTEXT], parts[FRAMES * 2 * BINS];

	memcpy(padded, n->context, sizeof(n->context));
	memcpy(padded + CONTEXT, samples, CHUNK * sizeof(*padded));
	/* Mirrored at the last sample, which is not repeated. */
	for (size_t i = 0; i < CONTEXT; i++)
		padded[CONTEXT + CHUNK + i] = padded[CONTEXT + CHUNK - 2 - i];
	memcpy(n->context, samples + CHUNK - CONTEXT, sizeof(n->context));
	must(isk_conv_f32(parts, padded, n->kernel[SPECTRUM], &n->conv[SPECTRUM], NULL));
	for (size_t f = 0; f < FRAMES; f++) {
		float *y = magnitude + f * BINS;
		const float *real = parts + f * 2 * BINS, *imaginary = real + BINS;

		isk_square_f32(y, real, BINS);
		isk_fma_f32(y, imaginary, imaginary, y, BINS);
		isk_sqrt_f32(y, y, BINS);
	}
}

/* The cell takes its input and its state from input_and_h, and leaves the new state there. */
static void cell_next(struct network *n)
{
	const struct isk_post post = {.size = sizeof(post), .bias = n->cell_bias};
	float gates[GATES], *input = gates, *forget = gates + HIDDEN, *candidate = gates + 2 * HIDDEN, *output = gates + 3 * HIDDEN;
	float *h = n->input_and_h + HIDDEN;

	must(isk_gemm_f32(gates, n->input_and_h, n->cell, 1, GATES, 2 * HIDDEN, GATES, 2 * HIDDEN, &post));
	isk_sigmoid_f32(input, input, 2 * HIDDEN); /* and the forget gate after it */
	isk_tanh_f32(candidate, candidate, HIDDEN);
	isk_sigmoid_f32(output, output, HIDDEN);
	isk_mul_f32(n->c, n->c, forget, HIDDEN);
	isk_fma_f32(n->c, input, candidate, n->c, HIDDEN);
	isk_tanh_f32(h, n->c, HIDDEN);
	isk_mul_f32(h, h, output, HIDDEN);
}

float network_next(struct network *n, const float samples[CHUNK])
{
	float a[FRAMES * BINS], b[FRAMES * BINS], *x = a, *y = b;
	float probability;

	spectra(n, x, samples);
	for (int i = SPECTRUM + 1; i < LAYERS; i++) {
		const struct isk_post post = {.size = sizeof(post), .bias = n->bias[i], .act = ISK_ACT_RELU};
		float *const last = x;

		must(isk_conv_f32(y, x, n->kernel[i], &n->conv[i], &post));
		x = y;
		y = last;
	}
	memcpy(n->input_and_h, x, HIDDEN * sizeof(*x));
	cell_next(n);
	isk_relu_f32(x, n->input_and_h + HIDDEN, HIDDEN);
	probability = isk_dot_f32(x, n->out, HIDDEN) + n->out_bias;
	isk_sigmoid_f32(&probability, &probability, 1);
	return probability;
}
