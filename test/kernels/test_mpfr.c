/* SPDX-License-Identifier: MIT */
/*
 * Maps of one array of bf16 or f16 that are exact: all 65,536 inputs against MPFR, every variant that can run
 * here and the reference. Our own oracles, in double and in long double, cannot hold terms that the kernels
 * lose too.
 *
 *     test_mpfr [PATTERN]     "test_mpfr silu*"
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "../candidates.h"
#include "args.h"
#include "elements.h"
#include "isakern.h"

enum { INPUTS = 65536, MOST_PRECISION = 8192 };

/* Either MPFR's own function, which rounds once, or steps, of which each rounds to the precision of y. */
typedef int function(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding);

static int keep(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_set(y, x, rounding);
}

/* x, and +0 for either zero. */
static int plus(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	const int ternary = mpfr_set(y, x, rounding);

	return mpfr_zero_p(y) ? mpfr_set_zero(y, 1), 0 : ternary;
}

static int relu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	if (mpfr_cmp_ui(x, 0) > 0)
		return mpfr_set(y, x, rounding);
	mpfr_set_zero(y, 1);
	return 0;
}

static int relu6(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_cmp_ui(x, 6) > 0 ? mpfr_set_ui(y, 6, rounding) : relu(y, x, rounding);
}

static int sign(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_zero_p(x) ? plus(y, x, rounding) : mpfr_set_si(y, mpfr_sgn(x), rounding);
}

/* Sums and products of 16-bit floats have far fewer digits than this, the quotient rounds once. */
static int ramp(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr factor, mpfr_rnd_t rounding)
{
	mpfr_t product;
	int ternary;

	mpfr_init2(product, MOST_PRECISION);
	mpfr_add_ui(product, x, 3, MPFR_RNDN);
	if (factor)
		mpfr_mul(product, product, factor, MPFR_RNDN);
	ternary = mpfr_div_ui(y, product, 6, rounding);
	mpfr_clear(product);
	return ternary;
}

static int hardsigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_cmp_si(x, -3) <= 0  ? mpfr_set_zero(y, 1), 0
	       : mpfr_cmp_ui(x, 3) >= 0 ? mpfr_set_ui(y, 1, rounding)
	                                : ramp(y, x, NULL, rounding);
}

static int hardswish(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_cmp_si(x, -3) <= 0  ? mpfr_set_zero(y, -1), 0
	       : mpfr_cmp_ui(x, 3) >= 0 ? mpfr_set(y, x, rounding)
	                                : ramp(y, x, x, rounding);
}

static int recip(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_ui_div(y, 1, x, rounding);
}

/* MPFR's own gives +Inf of -0. */
static int rsqrt(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	return mpfr_zero_p(x) ? mpfr_ui_div(y, 1, x, rounding) : mpfr_rec_sqrt(y, x, rounding);
}

static int lgamma_(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	int unused;

	return mpfr_lgamma(y, &unused, x, rounding);
}

/* From here on functions are steps. x / (1 + e^-v), of -Inf -0. */
static void gate(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr v)
{
	mpfr_neg(y, v, MPFR_RNDN);
	mpfr_exp(y, y, MPFR_RNDN);
	mpfr_add_ui(y, y, 1, MPFR_RNDN);
	mpfr_div(y, x, y, MPFR_RNDN);
}

static int is_minus_infinity(mpfr_srcptr x)
{
	return mpfr_inf_p(x) && mpfr_sgn(x) < 0;
}

static int sigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	mpfr_t one;

	mpfr_init_set_ui(one, 1, rounding);
	gate(y, one, x);
	mpfr_clear(one);
	return 0;
}

static int silu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	(void)rounding;
	if (is_minus_infinity(x))
		mpfr_set_zero(y, -1);
	else
		gate(y, x, x);
	return 0;
}

/* v = sqrt(8 / pi) x (1 + 0.044715 x^2) */
static int gelu_tanh(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	mpfr_t v, by;

	if (is_minus_infinity(x)) {
		mpfr_set_zero(y, -1);
		return 0;
	}
	mpfr_inits2(mpfr_get_prec(y), v, by, (mpfr_ptr)0);
	mpfr_set_str(by, "0.044715", 10, rounding);
	mpfr_sqr(v, x, rounding);
	mpfr_mul(v, v, by, rounding);
	mpfr_add_ui(v, v, 1, rounding);
	mpfr_mul(v, v, x, rounding);
	mpfr_const_pi(by, rounding);
	mpfr_ui_div(by, 8, by, rounding);
	mpfr_sqrt(by, by, rounding);
	mpfr_mul(v, v, by, rounding);
	gate(y, x, v);
	mpfr_clears(v, by, (mpfr_ptr)0);
	return 0;
}

/* x / 2 erfc(-x / sqrt(2)) */
static int gelu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	if (is_minus_infinity(x)) {
		mpfr_set_zero(y, -1);
		return 0;
	}
	mpfr_sqrt_ui(y, 2, rounding);
	mpfr_div(y, x, y, rounding);
	mpfr_neg(y, y, rounding);
	mpfr_erfc(y, y, rounding);
	mpfr_mul(y, y, x, rounding);
	return mpfr_div_ui(y, y, 2, rounding);
}

/* log(1 + e^x): above 0 x + log(1 + e^-x), since e^x may be infinite. */
static int softplus(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	if (mpfr_sgn(x) <= 0) {
		mpfr_exp(y, x, rounding);
		return mpfr_log1p(y, y, rounding);
	}
	mpfr_neg(y, x, rounding);
	mpfr_exp(y, y, rounding);
	mpfr_log1p(y, y, rounding);
	return mpfr_add(y, y, x, rounding);
}

static int logsigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	mpfr_t minus_x;

	mpfr_init2(minus_x, mpfr_get_prec(x));
	mpfr_neg(minus_x, x, rounding);
	softplus(y, minus_x, rounding);
	mpfr_clear(minus_x);
	return mpfr_neg(y, y, rounding);
}

static int mish(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	if (is_minus_infinity(x)) {
		mpfr_set_zero(y, -1);
		return 0;
	}
	softplus(y, x, rounding);
	mpfr_tanh(y, y, rounding);
	return mpfr_mul(y, y, x, rounding);
}

static int selu(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	mpfr_t by;

	mpfr_init2(by, mpfr_get_prec(y));
	if (mpfr_sgn(x) > 0) {
		mpfr_set(y, x, rounding);
	} else {
		mpfr_set_str(by, "1.6732632423543772848170429916717", 10, rounding);
		mpfr_expm1(y, x, rounding);
		mpfr_mul(y, y, by, rounding);
	}
	mpfr_set_str(by, "1.0507009873554804934193349852946", 10, rounding);
	mpfr_mul(y, y, by, rounding);
	mpfr_clear(by);
	return 0;
}

/* By Newton's steps, of which each has twice the digits: y - (erf(y) - x) sqrt(pi) / 2 e^(y^2). */
static int erfinv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)
{
	const double size = fabs(mpfr_get_d(x, MPFR_RNDN)), log_of = log1p(-size * size), half = 4.33 + log_of / 2;
	mpfr_t half_root_pi, step, power;

	if (mpfr_zero_p(x) || size > 1)
		return size > 1 ? mpfr_set_nan(y), 0 : mpfr_set(y, x, rounding);
	if (size == 1) {
		mpfr_set_inf(y, mpfr_sgn(x));
		return 0;
	}
	mpfr_inits2(mpfr_get_prec(y), half_root_pi, step, power, (mpfr_ptr)0);
	mpfr_const_pi(half_root_pi, rounding);
	mpfr_sqrt(half_root_pi, half_root_pi, rounding);
	mpfr_div_ui(half_root_pi, half_root_pi, 2, rounding);
	/* Winitzki's approximation, within 0.4 %; a small x is nearly proportional. */
	if (size < 0x1p-10)
		mpfr_mul(y, x, half_root_pi, rounding);
	else
		mpfr_set_d(y, copysign(sqrt(sqrt(half * half - log_of / 0.147) - half), mpfr_get_d(x, MPFR_RNDN)), rounding);
	for (mpfr_prec_t digits = 4; digits < 2 * mpfr_get_prec(y); digits *= 2) {
		mpfr_erf(step, y, rounding);
		mpfr_sub(step, step, x, rounding);
		mpfr_sqr(power, y, rounding);
		mpfr_exp(power, power, rounding);
		mpfr_mul(step, step, power, rounding);
		mpfr_mul(step, step, half_root_pi, rounding);
		mpfr_sub(y, y, step, rounding);
	}
	mpfr_clears(half_root_pi, step, power, (mpfr_ptr)0);
	return 0;
}

static const struct operation {
	const char *op;
	function *once, *steps;
} operations[] = {
	{.op = "relu", .once = relu},
	{.op = "relu6", .once = relu6},
	{.op = "hardsigmoid", .once = hardsigmoid},
	{.op = "hardswish", .once = hardswish},
	{.op = "abs", .once = mpfr_abs},
	{.op = "neg", .once = mpfr_neg},
	{.op = "sign", .once = sign},
	{.op = "floor", .once = mpfr_rint_floor},
	{.op = "ceil", .once = mpfr_rint_ceil},
	{.op = "round", .once = mpfr_rint_roundeven},
	{.op = "trunc", .once = mpfr_rint_trunc},
	{.op = "square", .once = mpfr_sqr},
	{.op = "recip", .once = recip},
	{.op = "sqrt", .once = mpfr_sqrt},
	{.op = "rsqrt", .once = rsqrt},
	{.op = "cbrt", .once = mpfr_cbrt},
	{.op = "exp", .once = mpfr_exp},
	{.op = "exp2", .once = mpfr_exp2},
	{.op = "exp10", .once = mpfr_exp10},
	{.op = "expm1", .once = mpfr_expm1},
	{.op = "log", .once = mpfr_log},
	{.op = "log2", .once = mpfr_log2},
	{.op = "log10", .once = mpfr_log10},
	{.op = "log1p", .once = mpfr_log1p},
	{.op = "sinh", .once = mpfr_sinh},
	{.op = "cosh", .once = mpfr_cosh},
	{.op = "tanh", .once = mpfr_tanh},
	{.op = "asinh", .once = mpfr_asinh},
	{.op = "acosh", .once = mpfr_acosh},
	{.op = "atanh", .once = mpfr_atanh},
	{.op = "sin", .once = mpfr_sin},
	{.op = "cos", .once = mpfr_cos},
	{.op = "tan", .once = mpfr_tan},
	{.op = "asin", .once = mpfr_asin},
	{.op = "acos", .once = mpfr_acos},
	{.op = "atan", .once = mpfr_atan},
	{.op = "sinpi", .once = mpfr_sinpi},
	{.op = "cospi", .once = mpfr_cospi},
	{.op = "erf", .once = mpfr_erf},
	{.op = "erfc", .once = mpfr_erfc},
	{.op = "lgamma", .once = lgamma_},
	{.op = "sigmoid", .steps = sigmoid},
	{.op = "silu", .steps = silu},
	{.op = "gelu", .steps = gelu},
	{.op = "gelu_tanh", .steps = gelu_tanh},
	{.op = "softplus", .steps = softplus},
	{.op = "logsigmoid", .steps = logsigmoid},
	{.op = "mish", .steps = mish},
	{.op = "selu", .steps = selu},
	{.op = "erfinv", .steps = erfinv},
};

static const struct operation *operation_of(const char *op)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strcmp(operations[i].op, op) == 0)
			return &operations[i];
	return NULL;
}

/* The exponents of MPFR's numbers from 1/2 to 1 are those of the type, whose denormals have fewer digits. */
static void use_range_of(enum isk_type type)
{
	const struct isk_format f = isk_format_of(type);

	mpfr_set_emin(2 - f.bias - f.fraction);
	mpfr_set_emax(f.bias + 1);
}

static void use_any_range(void)
{
	mpfr_set_emin(mpfr_get_emin_min());
	mpfr_set_emax(mpfr_get_emax_max());
}

static double rounded_once(function *f, enum isk_type type, mpfr_srcptr x)
{
	mpfr_t y;
	int ternary;
	double value;

	mpfr_init2(y, isk_format_of(type).fraction + 1);
	use_range_of(type);
	ternary = f(y, x, MPFR_RNDN);
	mpfr_subnormalize(y, mpfr_check_range(y, ternary, MPFR_RNDN), MPFR_RNDN);
	value = mpfr_get_d(y, MPFR_RNDN);
	use_any_range();
	mpfr_clear(y);
	return value;
}

/*
 * Steps at more and more digits, until a relative error of 2^20 last places to either side changes nothing.
 * More than MOST_PRECISION digits are never needed, unless the result is a tie or f has a value that the
 * steps give exactly.
 */
static double rounded_by_steps(function *f, enum isk_type type, mpfr_srcptr x)
{
	double low = 0, high = 1;

	for (mpfr_prec_t precision = 96; precision <= MOST_PRECISION; precision *= 2) {
		mpfr_t y, less, more;

		mpfr_inits2(precision, y, less, more, (mpfr_ptr)0);
		f(y, x, MPFR_RNDN);
		mpfr_set_ui_2exp(less, 1, 20 - precision, MPFR_RNDN);
		mpfr_add_ui(more, less, 1, MPFR_RNDN);
		mpfr_ui_sub(less, 1, less, MPFR_RNDN);
		mpfr_mul(less, less, y, MPFR_RNDN);
		mpfr_mul(more, more, y, MPFR_RNDN);
		low = rounded_once(keep, type, less);
		high = rounded_once(keep, type, more);
		mpfr_clears(y, less, more, (mpfr_ptr)0);
		if (low == high || isnan(low))
			return low;
	}
	return high;
}

static uint16_t wanted[INPUTS], inputs[INPUTS], outputs[INPUTS];

static void compute(const struct operation *o, enum isk_type type)
{
	mpfr_t x;

	mpfr_init2(x, 53);
	for (size_t i = 0; i < INPUTS; i++) {
		double value = isk_element_value(type, i);

		mpfr_set_d(x, value, MPFR_RNDN);
		if (!isnan(value))
			value = o->once ? rounded_once(o->once, type, x) : rounded_by_steps(o->steps, type, x);
		wanted[i] = (uint16_t)isk_element_round(type, (long double)value);
		inputs[i] = (uint16_t)i;
	}
	mpfr_clear(x);
}

static int tests, failed;

static void check(const void *to, const char *isa, isk_function fn)
{
	const struct isk_kernel *k = to;
	union isk_args args = {.map = {.y = outputs, .x = inputs, .n = INPUTS}};
	const enum isk_type type = k->types[0];
	size_t wrong = 0;

	k->call(fn, &args);
	for (size_t i = 0; i < INPUTS; i++)
		if (outputs[i] != wanted[i]
		    && !(isnan(isk_element_value(type, outputs[i])) && isnan(isk_element_value(type, wanted[i]))) && wrong++ == 0)
			printf("# %s/%s: at %a (%#zx): got %a, exact and rounded once it is %a\n", k->name, isa,
			       isk_element_value(type, i), i, isk_element_value(type, outputs[i]), isk_element_value(type, wanted[i]));
	failed += wrong != 0;
	printf("%sok %d - %s/%s: %d inputs, %zu wrong\n", wrong ? "not " : "", ++tests, k->name, isa, INPUTS, wrong);
}

static int is_exact(const struct isk_kernel *k)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	const int number = isk_kernel_find(k->name);

	return number >= 0 && isk_kernel_info((size_t)number, &info) == ISK_OK && strcmp(info.error, "exact") == 0
	       && strcmp(k->shape->name, "map") == 0 && (k->types[0] == ISK_BF16 || k->types[0] == ISK_F16);
}

static void check_all(const struct isk_kernel *k)
{
	const struct operation *o = operation_of(k->op);

	if (!o) {
		failed++;
		printf("not ok %d - %s: operations[] has no line for %s\n", ++tests, k->name, k->op);
		return;
	}
	compute(o, k->types[0]);
	each_variant(k->name, &tests, check, k);
}

int main(int argc, char **argv)
{
	use_any_range();
	for (size_t i = 0; i < isk_kernels_count; i++)
		if (is_exact(&isk_kernels[i]) && (argc < 2 || fnmatch(argv[1], isk_kernels[i].name, 0) == 0))
			check_all(&isk_kernels[i]);
	printf("1..%d\n", tests);
	return failed || !tests;
}
