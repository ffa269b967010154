/* SPDX-License-Identifier: MIT */
/*
 * The oracles of cells, which propagate errors: each number is a value and an error in eps, to which every operation
 * adds the least number of the type. A result is `lost` if an intermediate number may not exist in the type, because
 * it is too large, or because it may be 0 there and is multiplied by infinity; then nothing is known of its value.
 */
#undef LEAST
#undef MOST
#undef NOTHING
#undef ERROR
#if ISK_WIDE
#define LEAST   0x1p-1021L /* the least number, in eps */
#define MOST    0x1p1023L
#define NOTHING 0x1p-1065L
#define ERROR   0x1p-50L /* the largest error for each unit of e: eight eps, for a bound of 5 and products of errors */
#else
#define LEAST   0x1p-125
#define MOST    0x1p127
#define NOTHING 0x1p-140
#define ERROR   0x1p-21
#endif

struct R(cell_number) {
	REAL v, e;
	int lost;
};

static struct R(cell_number) R(cell_made)(REAL v, REAL e, int lost)
{
	return (struct R(cell_number)){v, isfinite(v) ? e + (REAL)LEAST : 0, lost || (isfinite(v) && fabs(v) > (REAL)MOST)};
}

static struct R(cell_number) R(cell_element)(const void *x, enum isk_type type, size_t i)
{
	const struct isk_array a = {x, type, 1};

	return R(cell_made)(AT(a, i), 0, 0);
}

static struct R(cell_number) R(cell_times)(struct R(cell_number) a, struct R(cell_number) b)
{
	const REAL v = a.v * b.v;
	/* Whether either factor may be 0 in the type */
	const int lost = isinf(v) && fmin(fabs(a.v) - (REAL)ERROR * a.e, fabs(b.v) - (REAL)ERROR * b.e) < (REAL)NOTHING;

	return R(cell_made)(v, fabs(v) + fabs(a.v) * b.e + fabs(b.v) * a.e + (REAL)ERROR * a.e * b.e, a.lost || b.lost || lost);
}

static struct R(cell_number) R(cell_plus)(struct R(cell_number) a, struct R(cell_number) b)
{
	const REAL v = a.v + b.v;

	return R(cell_made)(v, fabs(a.v) + fabs(b.v) + a.e + b.e, a.lost || b.lost);
}

static struct R(cell_number) R(cell_acted)(struct R(cell_number) x, unsigned kind)
{
	REAL v = x.v, slope = 1;

	if (kind == 0) {
		v = 1 / (1 + exp(-x.v));
		/* The largest slope between x and the numbers that its error allows */
		slope = fmin(1 / (1 + exp(-x.v - (REAL)ERROR * x.e)), (REAL)0.25);
	} else if (kind == 1) {
		v = isnan(x.v) || x.v > 0 ? x.v : 0;
	} else if (kind == 2) {
		v = tanh(x.v);
	}
	return R(cell_made)(v, isfinite(x.v) ? fabs(v) + slope * x.e : 0, x.lost);
}

/* x + w c */
static struct R(cell_number) R(cell_peephole)(struct R(cell_number) x, const void *w, enum isk_type type, size_t i, struct R(cell_number) c)
{
	return w ? R(cell_plus)(x, R(cell_times)(R(cell_element)(w, type, i), c)) : x;
}

#define CELL(op) ISK_UNUSED static void R(oracle_##op)(void) {}

CELL(lstm_ctht)
CELL(lstm_c1h1)
CELL(gru_h1)
CELL(gru_ht_part1)
CELL(gru_ht_part2)
CELL(crf_decoding)

static void R(give_number)(struct isk_sink *s, void *y, size_t i, enum isk_type type, struct R(cell_number) x)
{
	s->put(s, y, i, type, (long double)x.v, x.lost ? (long double)HUGE_VAL : (long double)x.e, 2);
}

static int R(cell_status)(struct isk_sink *s, void *result, unsigned acts)
{
	const int status = acts < 64 ? ISK_OK : ISK_ERR_POST;

	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	return status;
}

ISK_SHARED static void R(lstm)(struct isk_sink *s, enum isk_type type, const struct isk_args_lstm_ctht *a)
{
	const unsigned gate = a->acts % 4, candidate = a->acts / 4 % 4, cell = a->acts / 16;

	for (size_t i = 0; i < a->d; i++) {
		struct R(cell_number) in = R(cell_element)(a->input, type, i), out = R(cell_element)(a->output, type, i), c;

		c = R(cell_acted)(R(cell_element)(a->candidate, type, i), candidate);
		if (a->c_old) {
			const struct R(cell_number) old = R(cell_element)(a->c_old, type, i), forget = R(cell_element)(a->forget, type, i);

			in = R(cell_acted)(R(cell_peephole)(in, a->w_ic, type, i, old), gate);
			c = R(cell_plus)(R(cell_times)(old, R(cell_acted)(R(cell_peephole)(forget, a->w_fc, type, i, old), gate)), R(cell_times)(c, in));
		} else {
			c = R(cell_times)(c, R(cell_acted)(in, gate));
		}
		R(give_number)(s, a->c, i, type, c);
		out = R(cell_acted)(R(cell_peephole)(out, a->w_oc, type, i, c), gate);
		R(give_number)(s, a->h, i, type, R(cell_times)(R(cell_acted)(c, cell), out));
	}
}

ISK_SHARED static void R(form_lstm_ctht)(struct isk_sink *s, const enum isk_type *types, struct isk_args_lstm_ctht *a,
                                         void (*oracle)(void))
{
	(void)oracle;
	if (!R(cell_status)(s, &a->result, a->acts))
		R(lstm)(s, types[0], a);
}

ISK_SHARED static void R(form_lstm_c1h1)(struct isk_sink *s, const enum isk_type *types, struct isk_args_lstm_c1h1 *a,
                                         void (*oracle)(void))
{
	const struct isk_args_lstm_ctht all = {.c = a->c, .h = a->h, .candidate = a->candidate, .input = a->input,
	                                       .output = a->output, .w_oc = a->w_oc, .d = a->d, .acts = a->acts};

	(void)oracle;
	if (!R(cell_status)(s, &a->result, a->acts))
		R(lstm)(s, types[0], &all);
}

ISK_SHARED static void R(form_gru_h1)(struct isk_sink *s, const enum isk_type *types, struct isk_args_gru_h1 *a,
                                      void (*oracle)(void))
{
	(void)oracle;
	if (!R(cell_status)(s, &a->result, a->acts))
		for (size_t i = 0; i < a->d; i++)
			R(give_number)(s, a->h, i, types[0],
			               R(cell_times)(R(cell_acted)(R(cell_element)(a->update, types[0], i), a->acts % 4),
			                        R(cell_acted)(R(cell_element)(a->state, types[0], i), a->acts / 4 % 4)));
}

ISK_SHARED static void R(form_gru_ht_part1)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_gru_ht_part1 *a, void (*oracle)(void))
{
	(void)oracle;
	if (!R(cell_status)(s, &a->result, a->acts))
		for (size_t i = 0; i < a->d; i++)
			R(give_number)(s, a->h, i, types[0],
			               R(cell_times)(R(cell_acted)(R(cell_element)(a->reset, types[0], i), a->acts % 4),
			                        R(cell_element)(a->h_old, types[0], i)));
}

ISK_SHARED static void R(form_gru_ht_part2)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_gru_ht_part2 *a, void (*oracle)(void))
{
	(void)oracle;
	if (R(cell_status)(s, &a->result, a->acts))
		return;
	for (size_t i = 0; i < a->d; i++) {
		const struct R(cell_number) u = R(cell_acted)(R(cell_element)(a->update, types[0], i), a->acts % 4);
		const struct R(cell_number) state = R(cell_acted)(R(cell_element)(a->state, types[0], i), a->acts / 4 % 4);
		const struct R(cell_number) rest = R(cell_made)(1 - u.v, 1 + fabs(u.v) + u.e, u.lost);

		R(give_number)(s, a->h, i, types[0], R(cell_plus)(R(cell_times)(u, state), R(cell_times)(rest, R(cell_element)(a->h_old, types[0], i))));
	}
}

/*
 * A sum rounded to the type. The sum of two floats is exact in double, or its rounding in double does not change the
 * rounding to float.
 */
ISK_UNUSED static double R(score)(enum isk_type type, double a, double b)
{
	return type == ISK_F64 ? a + b : (double)(float)(a + b);
}

ISK_SHARED static void R(form_crf_decoding)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_crf_decoding *a, void (*oracle)(void))
{
	const enum isk_type type = types[0];
	const size_t n = a->n;
	double *rows = a->length && n ? malloc(2 * n * sizeof(double)) : NULL;

	(void)oracle;
#define OF(array, i) isk_element_value(type, isk_element_bits(type, a->array, i))
	for (size_t k = 0; rows && k < a->length; k++) {
		double *now = rows + k % 2 * n;
		const double *before = rows + (k + 1) % 2 * n;

		for (size_t i = 0; i < n; i++) {
			double best = k ? R(score)(type, before[0], OF(transition, i)) : OF(start, i);
			size_t from = 0;

			for (size_t j = 1; k && j < n; j++) {
				const double score = R(score)(type, before[j], OF(transition, j * n + i));

				if (score > best) {
					best = score;
					from = j;
				}
			}
			now[i] = R(score)(type, best, OF(x, k * n + i));
			s->put(s, a->alpha, k * n + i, type, (long double)now[i], ISK_ULP, 0);
			s->put_bits(s, a->track, k * n + i, ISK_S32, from);
		}
	}
#undef OF
	free(rows);
}
