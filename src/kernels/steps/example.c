/* SPDX-License-Identifier: MIT */
/* A step of each optimizer, one after another. */
#include <isakern.h>
#include <stdio.h>

static void show(const char *name, const float *p)
{
	printf("%-19s %.4f %.4f\n", name, (double)p[0], (double)p[1]);
}

int main(void)
{
	const float g[2] = {0.5f, -2};
	const isk_bf16 narrow[2] = {0x3f00, 0xc000}; /* 0.5 and -2 as bf16 */
	const int32_t index[1] = {0};
	float p[2] = {1, 2}, velocity[2] = {0}, m[2] = {0}, v[2] = {0}, sum[2] = {0};
	isk_bf16 w[2];

	isk_sgd_f32(p, velocity, g, 2, 0.1f, 0, 0.9f, 0, 1);
	show("sgd", p);
	isk_sgd_master_bf16(w, p, NULL, narrow, 2, 0.1f, 0, 0, 0, 0);
	show("sgd_master", p);
	isk_adam_f32(p, m, v, NULL, g, 2, 0.1f, 0.9f, 0.999f, 1e-8f, 0, 10, 1000);
	show("adam", p);
	isk_adam_master_bf16(w, p, m, v, NULL, narrow, 2, 0.1f, 0.9f, 0.999f, 1e-8f, 0, 1 / 0.19f, 1 / 0.001999f);
	show("adam_master", p);
	isk_adagrad_f32(p, sum, g, 2, 0.1f, 0, 1e-10f);
	show("adagrad", p);
	isk_sgd_rows_f32_s32(p, NULL, g, index, 1, 1, 2, 2, 2, 2, 0.1f, 0, 0, 0, 0);
	show("sgd_rows", p);
	isk_sgd_master_rows_bf16_s32(w, p, NULL, narrow, index, 1, 1, 2, 2, 2, 2, 2, 0.1f, 0, 0, 0, 0);
	show("sgd_master_rows", p);
	isk_adam_rows_f32_s32(p, m, v, NULL, g, index, 1, 1, 2, 2, 2, 2, 0.1f, 0.9f, 0.999f, 1e-8f, 0, 1, 1);
	show("adam_rows", p);
	isk_adam_master_rows_bf16_s32(w, p, m, v, NULL, narrow, index, 1, 1, 2, 2, 2, 2, 2, 0.1f, 0.9f, 0.999f, 1e-8f, 0, 1, 1);
	show("adam_master_rows", p);
	isk_adagrad_rows_f32_s32(p, sum, g, index, 1, 1, 2, 2, 2, 2, 0.1f, 0, 1e-10f);
	show("adagrad_rows", p);
	isk_adagrad_master_bf16(w, p, sum, narrow, 2, 0.1f, 0, 1e-10f);
	show("adagrad_master", p);
	isk_adagrad_master_rows_bf16_s32(w, p, sum, narrow, index, 1, 1, 2, 2, 2, 2, 2, 0.1f, 0, 1e-10f);
	show("adagrad_master_rows", p);
	return 0;
}

/*
 * prints
 *
 *     sgd                 0.9050 2.3800
 *     sgd_master          0.8550 2.5800
 *     adam                0.7550 2.6800
 *     adam_master         0.6550 2.7800
 *     adagrad             0.5550 2.8800
 *     sgd_rows            0.5050 3.0800
 *     sgd_master_rows     0.4550 3.2800
 *     adam_rows           -0.0400 3.7750
 *     adam_master_rows    -0.5842 4.3192
 *     adagrad_rows        -0.6549 4.3899
 *     adagrad_master      -0.7126 4.4476
 *     adagrad_master_rows -0.7626 4.4976
 */
