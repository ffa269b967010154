/* SPDX-License-Identifier: MIT */
/*
 * erf and erfc, correctly rounded: erf(x) = x P(w) / Q(w) with w = x^2, and erfc(x)
 * is twice the tail of the normal distribution at sqrt(2) x. Constants: derive/erf.py.
 */
#include "cr_erf_kernels.h"
#include "normal_tail.h"

/* erf(d) for d up to 3.96. All coefficients are positive, so that no digit is lost. */
ISK_INLINE vd erf_of(vd d)
{
	const vd w = d * d;
	vd p = vd_set1(0x1.fae0908a8802fp-50), q = vd_set1(0x1.0581be9ce9be8p-44);

	p = vd_fma(p, w, vd_set1(0x1.cf122ff0eec24p-41));
	p = vd_fma(p, w, vd_set1(0x1.d0045c8e309c5p-35));
	p = vd_fma(p, w, vd_set1(0x1.a0fbf85c2da56p-29));
	p = vd_fma(p, w, vd_set1(0x1.60e7d8e83c648p-24));
	p = vd_fma(p, w, vd_set1(0x1.4b7ad02f11936p-19));
	p = vd_fma(p, w, vd_set1(0x1.3059b240c281cp-15));
	p = vd_fma(p, w, vd_set1(0x1.62c3feefaadbcp-11));
	p = vd_fma(p, w, vd_set1(0x1.5a20e455d5978p-8));
	p = vd_fma(p, w, vd_set1(0x1.efcc9e2487c24p-5));
	p = vd_fma(p, w, vd_set1(0x1.8c2e4a01f98abp-3));
	p = vd_fma(p, w, vd_set1(0x1.20dd750429b6dp+0));
	q = vd_fma(q, w, vd_set1(0x1.f375535b07be0p-38));
	q = vd_fma(q, w, vd_set1(0x1.d2bf4f5d738d1p-32));
	q = vd_fma(q, w, vd_set1(0x1.1c6cdd1b852a0p-26));
	q = vd_fma(q, w, vd_set1(0x1.f4fcf44628c34p-22));
	q = vd_fma(q, w, vd_set1(0x1.4d1d954b1cd87p-17));
	q = vd_fma(q, w, vd_set1(0x1.53849e2f8cdebp-13));
	q = vd_fma(q, w, vd_set1(0x1.07f35033680cfp-9));
	q = vd_fma(q, w, vd_set1(0x1.31778f74820c8p-6));
	q = vd_fma(q, w, vd_set1(0x1.f346f5d49929bp-4));
	q = vd_fma(q, w, vd_set1(0x1.0271752062823p-1));
	q = vd_fma(q, w, vd_set1(1));
	return d * p / q;
}

/* erfc(-x) = 2 - erfc(x) */
ISK_INLINE vd erfc_of(vd d)
{
	const vd a = vd_abs(d), e = vd_pow2(split_long(-(d * d)));
	const vd tail = normal_tail(e + e, a * 0x1.6a09e667f3bcdp+0);

	return vd_sel(vd_lt(d, vd_set1(0)), 2 - tail, tail);
}

/* Beyond these bounds, erf is 1, and erfc is 2 or 0. */
#define ERF(WIDE, x)  WIDE(erf_of, vf_min(vf_set1(3.96f), vf_abs(x)))
#define ERFC(WIDE, x) WIDE(erfc_of, vf_min(vf_set1(10.25f), vf_max(vf_set1(-10.25f), x)))

static const struct hard hard_erf[] = {{0x3940ead6, 0x1.b35e28p-13f}};
static const struct hard hard_erfc[] = {{0xb76c9f62, 0x1.00010ap+0f}};

MAP(cr_erf, vf_copysign(BUT_FOR(hard_erf, vf_abs(x), ERF(WIDE, x)), x))
MAP(erf, vf_copysign(ERF(WIDE_TO_ODD, x), x))
MAP(cr_erfc, BUT_FOR(hard_erfc, x, ERFC(WIDE, x)))
MAP(erfc, ERFC(WIDE_TO_ODD, x))
