/* SPDX-License-Identifier: MIT */
/* Logarithms, correctly rounded. */
#include "cr_log_kernels.h"
#include "half.h"
#include "log_pairs.h"
#include "logarithm.h"

#if VL == 16

#include "log_by_table.h"

#define LN_OF    ln_by_table
#define LOG2_OF  log2_by_table
#define LOG10_OF log10_by_table
#define LOG1P_OF log1p_by_table

#else

#define LN_OF    ln_of
#define LOG2_OF  log2_of
#define LOG10_OF log10_of
#define LOG1P_OF log1p_of

/* The logarithm in another base: l times unit + unit_low, except its e */
ISK_INLINE struct logarithm in_units_of(struct logarithm l, const double unit, const double unit_low)
{
	const vd high = l.high * unit;

	return (struct logarithm){l.e, high,
	                          vd_mul_low(l.high, vd_set1(unit), high) + vd_fma(l.high, vd_set1(unit_low), l.low * unit)};
}

ISK_INLINE vd log2_of(vd d)
{
	return log_sum(in_units_of(log_of(d), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56), 1, 0);
}

ISK_INLINE vd log10_of(vd d)
{
	return log_sum(in_units_of(log_of(d), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57), 0x1.34413509f8p-2,
	           -0x1.80433b83b532ap-44);
}

#endif

/* y for zero < x < infinity, -Inf at zero, NaN below; zero is the x at which the argument of the logarithm is 0. */
ISK_INLINE vf where_defined(vf x, float zero, vf y)
{
	const vf inf = vf_set1(INFINITY), z = vf_set1(zero);

	y = vf_sel(vf_lt(x, inf), y, x);
	return vf_sel(vf_lt(z, x), y, vf_sel(vf_eq(x, z), -inf, vf_set1(NAN)));
}

/* Whether x is not both positive and finite: whether the bits less 1 are not below those of infinity. */
ISK_INLINE vm is_special(vf x)
{
	return vi_gt((vi)((vu)vf_bits(x) - 1 + 0x80000000), vi_set1(0x7f800000 - 2 + INT32_MIN));
}

/* where_defined(x, 0, y), in one step if all x are positive and finite. */
ISK_INLINE vf if_positive(vf x, vf y)
{
	return __builtin_expect(vm_any(is_special(x)), 0) ? where_defined(x, 0, y) : y;
}

static const struct hard hard_log[] = {{0x3c413d3a, -0x1.1c2b1ep+2f}, {0x41178feb, 0x1.1fcbcep+1f},
	{0x4c5d65a5, 0x1.1e0696p+4f}, {0x65d890d3, 0x1.a9a3f2p+5f}, {0x6f31a8ec, 0x1.08b512p+6f}};
static const struct hard hard_log10[] = {{0x0efeee7a, -0x1.d33a46p+4f}};
static const struct hard hard_log1p[] = {{0x35400003, 0x1.7ffffep-21f}, {0x3710001b, 0x1.1fffe6p-17f},
	{0x3efd81ad, 0x1.9bddc2p-2f}, {0x41078feb, 0x1.1fcbcep+1f}, {0x65d890d3, 0x1.a9a3f2p+5f}, {0x6f31a8ec, 0x1.08b512p+6f},
	{0xb53ffffd, -0x1.800002p-21f}, {0xb70fffe5, -0x1.20001ap-17f}, {0xbb0ec8c4, -0x1.1de14ap-9f}};

static const struct hard hard_half_log1p[] = {{0x3bc06000, 0x1.7fcp-8f}, {0xbbbfa000, -0x1.804p-8f}};

#define LOG(WIDE, x)   where_defined(x, 0, WIDE(LN_OF, x))
#define LOG2(WIDE, x)  where_defined(x, 0, WIDE(LOG2_OF, x))
#define LOG10(WIDE, x) where_defined(x, 0, WIDE(LOG10_OF, x))
#define LOG1P(WIDE, x) where_defined(x, -1, vf_copysign(WIDE(LOG1P_OF, x), x))

static __attribute__((noinline)) vf log_in_f64(vf x)
{
	return BUT_FOR(hard_log, x, LOG(WIDE, x));
}

MAP(cr_log, ISK_FMA ? log_by_pairs(x, log_in_f64) : log_in_f64(x))
MAP_16(log, if_positive(x, half_ln(x)), LOG(WIDE_TO_ODD, x))
MAP(cr_log2, LOG2(WIDE, x))
MAP_16(log2, if_positive(x, half_log2(x)), LOG2(WIDE_TO_ODD, x))
MAP(cr_log10, BUT_FOR(hard_log10, x, LOG10(WIDE, x)))
MAP_16(log10, if_positive(x, half_log10(x)), LOG10(WIDE_TO_ODD, x))
MAP(cr_log1p, BUT_FOR(hard_log1p, x, LOG1P(WIDE, x)))
MAP_16(log1p, where_defined(x, -1, vf_copysign(BUT_FOR(hard_half_log1p, x, vf_ln_1p(x)), x)),
       LOG1P(WIDE_TO_ODD, x))
