/* SPDX-License-Identifier: MIT */
/*
 * A row's result depends neither on its batch nor on threads, on the division of work, on the CPU or on the
 * architecture. Rows go through a small network, twice in f32 and once in 8 bits, and their bits are
 * compared.
 */
#include <isakern.h>
#include <isakern_omp.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 45, IN = 77, HIDDEN = 200, OUT = 50 };

/*
 * The checksum of all results, from avx2 up and on AArch64. It changes only if a kernel of the network is
 * meant to change its bits.
 */
#define RECORDED UINT64_C(0x59b7eb25636b3f4f)

static struct {
	void *first, *second;
	float bias[HIDDEN], weight[HIDDEN], shift[HIDDEN];
} net;

static void check(int ok, const char *what)
{
	static int number;

	printf("%sok %d - %s\n", ok ? "" : "not ", ++number, what);
}

static void must(int status)
{
	if (status == ISK_OK)
		return;
	printf("Bail out! %s\n", isk_strerror(status));
	exit(1);
}

/* From -1 to 1 in steps of 2^-23, by a linear congruence (Knuth's MMIX), which is exact everywhere. */
static float next(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (float)(int32_t)(state >> 40) * 0x1p-23f - 1;
}

static void *packed(enum isk_type type, size_t k, size_t n)
{
	const size_t bytes = (isk_packed_size(type, k, n) + 63) / 64 * 64;
	void *room = aligned_alloc(64, bytes);

	if (!room)
		exit(99);
	return memset(room, 0, bytes);
}

static void make_network(void)
{
	static float w[IN * HIDDEN];
	static int8_t v[HIDDEN * OUT];

	for (size_t i = 0; i < IN * HIDDEN; i++)
		w[i] = next();
	for (size_t i = 0; i < HIDDEN * OUT; i++)
		v[i] = (int8_t)(next() * 127);
	for (size_t i = 0; i < HIDDEN; i++) {
		net.bias[i] = next();
		net.weight[i] = 1 + next() / 4;
		net.shift[i] = next() / 8;
	}
	net.first = packed(ISK_F32, IN, HIDDEN);
	net.second = packed(ISK_S8, HIDDEN, OUT);
	must(isk_gemm_pack_f32(net.first, w, isk_packed_size(ISK_F32, IN, HIDDEN), IN, HIDDEN, HIDDEN, 0));
	must(isk_gemm_pack_s8(net.second, v, isk_packed_size(ISK_S8, HIDDEN, OUT), HIDDEN, OUT, OUT, 0));
}

/* A product with GELU, a norm, a product of bytes to which each row is quantized, a softmax; all of it by row. */
static void run(float *y, const float *x, size_t rows, int threads)
{
	static float h[ROWS * HIDDEN], scale[ROWS];
	static uint8_t q[ROWS * HIDDEN];
	static int32_t zero[ROWS];
	const float one = 0x1p-7f;
	const struct isk_post gelu = {.size = sizeof(gelu), .bias = net.bias, .act = ISK_ACT_GELU};
	const struct isk_post scaled = {.size = sizeof(scaled), .scale = &one, .scales = 1, .row_scale = scale, .row_zero = zero};

	omp_set_num_threads(threads ? threads : 1);
	must((threads ? isk_parallel_gemm_f32 : isk_gemm_f32)(h, x, net.first, rows, HIDDEN, IN, HIDDEN, IN, &gelu));
	isk_layernorm_f32(h, h, net.weight, net.shift, rows, HIDDEN, HIDDEN, HIDDEN, 1e-5f);
	isk_quantize_rows_f32_u8(q, scale, zero, h, rows, HIDDEN, HIDDEN, HIDDEN);
	must((threads ? isk_parallel_gemm_u8s8_f32 : isk_gemm_u8s8_f32)(y, q, net.second, rows, OUT, HIDDEN, OUT, HIDDEN, &scaled));
	isk_softmax_f32(y, y, rows, OUT, OUT, OUT);
}

/* FNV-1a over the results, lowest byte first. */
static uint64_t checksum(const float *y)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < ROWS * OUT; i++) {
		uint32_t bits;

		memcpy(&bits, &y[i], sizeof(bits));
		for (int byte = 0; byte < 4; byte++)
			sum = (sum ^ (bits >> 8 * byte & 255)) * 0x100000001b3;
	}
	return sum;
}

int main(void)
{
	static float x[ROWS * IN], y[ROWS * OUT], z[ROWS * OUT];
	const int fused = strcmp(isk_isa_current(), "baseline") != 0;
	int same = 1;

	for (size_t i = 0; i < ROWS * IN; i++)
		x[i] = next();
	make_network();
	run(y, x, ROWS, 0);

	for (size_t i = 0; i < ROWS; i++)
		run(z + i * OUT, x + i * IN, 1, 0);
	check(memcmp(y, z, sizeof(y)) == 0, "batch: rows one by one");
	for (size_t rows = 2; rows < 20; rows++) {
		for (size_t i = 0; i < ROWS; i += rows)
			run(z + i * OUT, x + i * IN, ROWS - i < rows ? ROWS - i : rows, 0);
		same &= memcmp(y, z, sizeof(y)) == 0;
	}
	check(same, "cut: parts of 2 to 19 rows");
	same = 1;
	for (int threads = 1; threads < 8; threads++) {
		memset(z, 0, sizeof(z));
		run(z, x, ROWS, threads);
		same &= memcmp(y, z, sizeof(y)) == 0;
	}
	check(same, "threads: 1 to 7");
	printf("# at %s: %#llx\n", isk_isa_current(), (unsigned long long)checksum(y));
	check(!fused || checksum(y) == RECORDED, fused ? "CPU and architecture: the recorded bits"
	                                               : "CPU and architecture # SKIP baseline has no fused multiply-add: its bits are others");
	/* A difference in one input must show. */
	x[IN * (ROWS - 1)] += 0.25f;
	run(z, x, ROWS, 0);
	check(memcmp(y, z, sizeof(y)) != 0 && memcmp(y, z, sizeof(*y) * OUT * (ROWS - 1)) == 0, "another row is another result, of that row alone");
	printf("1..5\n");
	free(net.first);
	free(net.second);
	return 0;
}
