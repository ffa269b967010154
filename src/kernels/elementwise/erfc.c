/* SPDX-License-Identifier: MIT */
/*
 * erfc(a) = exp(-a^2) h(a) for a = |x|, and erfc(x) = 2 - erfc(a) for x < 0; h is eight polynomials in t = a - c. The
 * exponent and the first bit of 3/4 + 1.11 a choose the piece, so that pieces grow with a. Each c is near the middle of
 * its piece and such that h(c) is next to an f32. a^2 is computed to twice the precision, since its error becomes a
 * relative one. Constants: derive/erfc.sollya. Worst errors over all inputs from 2^-13 on: 2.2936 ulp at
 * 0x1.abcd9cp+2 from avx2 up, 2.6966 at 0x1.953b18p+1 at baseline; of one in three below 2^-13, 0.9512.
 */
#include "erfc_kernels.h"
#include "loops.h"
#include "vmath.h"

/* Indexed by the lowest three bits of the piece's exponent and first bit; the first piece has index 5. */
static const float centre[8] = {
	0x1.939b72p0f, 0x1.3d1edep1f, 0x1.ea185ap1f, 0x1.685caap2f,
	0x1.0aae5ep3f, 0x1.cd4316p-4f, 0x1.cd4328p-2f, 0x1.cd42e6p-1f,
};

/* The highest power of t first. */
static const float pieces[8][8] = {
	{-0x1.22f472p-11f, -0x1.09b5e8p-14f, -0x1.4e0bcp-18f, -0x1.7694p-22f,
	 -0x1.6187dp-26f, 0x1.c19368p-5f, -0x1.07521cp-6f, -0x1.da64fp-9f},
	{0x1.ad0a6ap-10f, 0x1.dc4782p-13f, 0x1.87eefp-16f, 0x1.284d5p-19f,
	 0x1.852ad2p-23f, 0x1.c4849cp-4f, 0x1.2ca982p-5f, 0x1.323992p-7f},
	{-0x1.1d6c8ap-8f, -0x1.8fcff2p-11f, -0x1.a159b2p-14f, -0x1.b8b4fap-17f,
	 -0x1.86c8b8p-20f, -0x1.af6adap-3f, -0x1.2ec98p-4f, -0x1.5f82eep-6f},
	{0x1.7a9cd4p-7f, 0x1.4e49c6p-9f, 0x1.d3b8f4p-12f, 0x1.50c0ecp-14f,
	 0x1.a7cd86p-17f, 0x1.6f0a1p-2f, 0x1.2127f4p-3f, 0x1.80a4cep-5f},
	{-0x1.dd123ap-6f, -0x1.0d97cp-7f, -0x1.00e40ep-9f, -0x1.fcb4e8p-12f,
	 -0x1.c9bbdap-14f, -0x1.1f2866p-1f, -0x1.fc734ap-3f, -0x1.88d082p-4f},
	{0x1.1ac2bep-4f, 0x1.a18e54p-6f, 0x1.132f2cp-7f, 0x1.7b1a6cp-9f,
	 0x1.ea1b12p-11f, 0x1.8f5972p-1f, 0x1.93b80cp-2f, 0x1.71478ap-3f},
	{-0x1.385972p-3f, -0x1.352c3p-4f, -0x1.1f7dcp-5f, -0x1.16bf5p-6f,
	 -0x1.04a324p-7f, -0x1.dbb878p-1f, -0x1.199924p-1f, -0x1.39a5eep-2f},
	{0x1.3ce9d8p-2f, 0x1.b32ec6p-3f, 0x1.2463eap-3f, 0x1.943acp-4f,
	 0x1.13573cp-4f, 0x1.c4ebf4p-1f, 0x1.48b4a8p-1f, 0x1.d334a6p-2f},
};

ISK_INLINE vf h_of(vf a)
{
	const vi piece = vf_bits(vf_fma(a, vf_set1(0x1.1c28f6p+0f), vf_set1(0.75f))) >> 22;
	const vf t = a - vf_lookup8(centre, piece);
	vf h = vf_lookup8(pieces[0], piece);

#pragma GCC unroll 7
	for (int i = 1; i < 8; i++)
		h = vf_fma(h, t, vf_lookup8(pieces[i], piece));
	return h;
}

/* From 10.125 on the tail is 0. No factor of the tail but the last one can make the product denormal. */
ISK_INLINE vf erfc_of(vf x)
{
	const vf a = vf_min(vf_set1(10.125f), vf_abs(x)), h = h_of(a), square = a * a;
	vf sum, tail;
	const vf n = isk_exp_n(-square, 127 + 64, &sum);
	const vf e = isk_expm1_small(isk_exp_r_low(-square, -vf_mul_low(a, a, square), n));

	tail = vf_fma(h, e, h) * vi_float(vf_bits(sum) << 23) * (1 / LIFT);
	return vf_sel(vf_lt(x, vf_set1(0)), 2 - tail, tail);
}

MAP(erfc, erfc_of(x))
