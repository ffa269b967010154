/* SPDX-License-Identifier: MIT */
/*
 * Logarithms in f64 without a quotient, for ISAs with tables of 16 numbers in two registers:
 * d = 2^e m, and log(m) = log(1 + r) - log(c) with r = c m - 1 and a c near 1 / m
 * whose logarithm is next to an f64. From 63/64 to 33/32, c is 1, so that nothing cancels.
 * log2 of 4096 elements takes .6 times the time of logarithm.h, log and log1p .75 times
 * (Zen 4). Constants: derive/log_table.py, derive/log.sollya.
 */
#ifndef ISK_LOG_BY_TABLE_H
#define ISK_LOG_BY_TABLE_H

#include "logarithm.h"

static const double inverse_of_ln[16] = {
	0x1.51628p+0, 0x1.4a04p+0, 0x1.3d258p+0, 0x1.2fef8p+0,
	0x1.26f78p+0, 0x1.18218p+0, 0x1.0defp+0, 0x1.0b0dp+0,
	0x1p+0, 0x1.e111p-1, 0x1.c8f48p-1, 0x1.afddp-1,
	0x1.99b9p-1, 0x1.894d8p-1, 0x1.72978p-1, 0x1.63a28p-1,
};
static const double log_of_ln[16] = {
	-0x1.1aabf3e196a9fp-2, -0x1.040ec2b8d1d24p-2, -0x1.b6a75109220c5p-3, -0x1.5f83db9a51f1fp-3,
	-0x1.222bee1c86894p-3, -0x1.70f71a00b7216p-4, -0x1.b229fbeca7782p-5, -0x1.5a348dcd50afp-5,
	0, 0x1.fe850e80cb144p-5, 0x1.d1e08c4a79b1dp-4, 0x1.5c99fa77d2aefp-3,
	0x1.c862827deaeafp-3, 0x1.0e132ae1ba344p-2, 0x1.4afb164a02b6cp-2, 0x1.752a9c6224b7bp-2,
};

static const double inverse_of_log2[16] = {
	0x1.543fp+0, 0x1.4904p+0, 0x1.381b8p+0, 0x1.2ddc8p+0,
	0x1.26838p+0, 0x1.1d208p+0, 0x1.0e288p+0, 0x1.097c8p+0,
	0x1p+0, 0x1.e179p-1, 0x1.c6b38p-1, 0x1.af2f8p-1,
	0x1.9b798p-1, 0x1.85c48p-1, 0x1.72ae8p-1, 0x1.60fcp-1,
};
static const double log_of_log2[16] = {
	-0x1.a44904671b4b7p-2, -0x1.72b3597ac4dacp-2, -0x1.24c2ab58f1869p-2, -0x1.e6e558e9dba14p-3,
	-0x1.9e1635872c37ep-3, -0x1.3e622261df1cp-3, -0x1.3e191fad9806p-4, -0x1.ae07637ffe82fp-5,
	0, 0x1.6b46255aa0a7ap-4, 0x1.5eab424877f62p-3, 0x1.fb90e93e0d7c5p-3,
	0x1.42e8980aeb5f9p-2, 0x1.92f974938d444p-2, 0x1.dd257188c05f3p-2, 0x1.12b54db9bacb4p-1,
};

static const double inverse_of_log10[16] = {
	0x1.5328p+0, 0x1.4aad8p+0, 0x1.3c6ep+0, 0x1.312b8p+0,
	0x1.22bf8p+0, 0x1.19cb8p+0, 0x1.11ffp+0, 0x1.07d4p+0,
	0x1p+0, 0x1.e20d8p-1, 0x1.c5d6p-1, 0x1.ae318p-1,
	0x1.98e5p-1, 0x1.8549p-1, 0x1.74cbp-1, 0x1.65258p-1,
};
static const double log_of_log10[16] = {
	-0x1.f45de58e9ec6ep-4, -0x1.c754f045d01b6p-4, -0x1.78fc0f0efc348p-4, -0x1.3888320f4f403p-4,
	-0x1.c4d3efdf62c86p-5, -0x1.558cf8d74fe31p-5, -0x1.e36672b553e4fp-6, -0x1.aca46f7c69828p-7,
	0, 0x1.acdba0cc443cep-6, 0x1.ad061c655b462p-5, 0x1.35aee88efc022p-4,
	0x1.9002869e7a1e8p-4, 0x1.e76ec3861d506p-4, 0x1.1a3810b3290d6p-3, 0x1.405b01b8336a6p-3,
};

struct reduced {
	vd e, r, t; /* t is -log(c) */
};

ISK_INLINE struct reduced reduced(vd d, const double inverse[16], const double log_of[16])
{
	/* The bits of d minus those of 47/64: e in the upper 12 bits, then the number of the part. */
	const vl from = (vl)((vul)d - 0x3fe7800000000000);
	const vd m = (vd)((vul)d - ((vul)from & 0xfff0000000000000)), e = vl_to_vd(from >> 52);
	const vd c = vd_lookup16(inverse, from >> 48);

	return (struct reduced){e, vd_fma(m, c, vd_set1(-1)), vd_lookup16(log_of, from >> 48)};
}

/* The logarithm of a reduced number; lost is added to its r. */
ISK_INLINE vd ln_of_reduced(struct reduced l, vd lost)
{
	vd p = vd_set1(0x1.c83a1c3c501fcp-4);

	p = vd_fma(p, l.r, vd_set1(-0x1.0084fef109e2ep-3));
	p = vd_fma(p, l.r, vd_set1(0x1.249221e3ee7d7p-3));
	p = vd_fma(p, l.r, vd_set1(-0x1.5555379b50fabp-3));
	p = vd_fma(p, l.r, vd_set1(0x1.9999999e1dd47p-3));
	p = vd_fma(p, l.r, vd_set1(-0x1.000000014eb45p-2));
	p = vd_fma(p, l.r, vd_set1(0x1.55555555553e6p-2));
	p = vd_fma(p, l.r, vd_set1(-0x1.fffffffffff6ep-2));
	return vd_fma(l.e, vd_set1(LN_2), l.t) + vd_fma(p, l.r * l.r, vd_fma(l.e, vd_set1(LN_2_LOW), l.r + lost));
}

ISK_INLINE vd ln_by_table(vd d)
{
	return ln_of_reduced(reduced(d, inverse_of_ln, log_of_ln), vd_set1(-0.0));
}

/* Like log1p_of(). */
ISK_INLINE vd log1p_by_table(vd d)
{
	const vd u = d + 1, c = d - (u - 1);

	return ln_of_reduced(reduced(u, inverse_of_ln, log_of_ln), c * vd_max(vd_set1(0), 1 - d));
}

ISK_INLINE vd log2_by_table(vd d)
{
	const struct reduced l = reduced(d, inverse_of_log2, log_of_log2);
	vd p = vd_set1(0x1.488db481d0129p-3);

	p = vd_fma(p, l.r, vd_set1(-0x1.7214abe3adf84p-3));
	p = vd_fma(p, l.r, vd_set1(0x1.a61783f1542dp-3));
	p = vd_fma(p, l.r, vd_set1(-0x1.ec7072b0c502ap-3));
	p = vd_fma(p, l.r, vd_set1(0x1.2776c50845ee5p-2));
	p = vd_fma(p, l.r, vd_set1(-0x1.715476549f3c7p-2));
	p = vd_fma(p, l.r, vd_set1(0x1.ec709dc3a0fbep-2));
	p = vd_fma(p, l.r, vd_set1(-0x1.71547652b8293p-1));
	p = vd_fma(p, l.r, vd_set1(0x1.71547652b82fep+0));
	return vd_fma(p, l.r, l.e + l.t);
}

ISK_INLINE vd log10_by_table(vd d)
{
	const struct reduced l = reduced(d, inverse_of_log10, log_of_log10);
	vd p = vd_set1(0x1.8b21d116e969cp-5);

	p = vd_fma(p, l.r, vd_set1(-0x1.bd9f2f6f9d4e9p-5));
	p = vd_fma(p, l.r, vd_set1(0x1.fc401ee9bffebp-5));
	p = vd_fma(p, l.r, vd_set1(-0x1.287a5c44a314fp-4));
	p = vd_fma(p, l.r, vd_set1(0x1.63c62764096fdp-4));
	p = vd_fma(p, l.r, vd_set1(-0x1.bcb7b154b960cp-4));
	p = vd_fma(p, l.r, vd_set1(0x1.287a7636f50d3p-3));
	p = vd_fma(p, l.r, vd_set1(-0x1.bcb7b1526e48dp-3));
	p = vd_fma(p, l.r, vd_set1(0x1.bcb7b1526e50ep-2));
	return vd_fma(l.e, vd_set1(0x1.34413509f8p-2), l.t) + vd_fma(p, l.r, l.e * -0x1.80433b83b532ap-44);
}

#endif
