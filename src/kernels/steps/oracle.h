/* SPDX-License-Identifier: MIT */
/*
 * Steps of one weight. As in the contract, every operation is rounded to the type of
 * the weights, so that the result has no error. The operations are computed in double,
 * because an operation on floats, rounded to double and again to float, gives the same
 * result as in float.
 */
#if !ISK_WIDE

/* A weight and its state. */
struct step_weight {
	double p, state[3];
	int has[3]; /* whether the optimizer keeps state[k] */
};

struct step_hyper {
	enum isk_type type; /* the type of weights */
	double rate, decay, momentum, dampening, beta1, beta2, epsilon, m_scale, v_scale;
	int nesterov;
};

#endif

ISK_UNUSED static double R(step_rounded)(enum isk_type type, double x)
{
	return type == ISK_F64 ? x : (double)(float)x;
}

#define ROUND(x) R(step_rounded)(h->type, x)
#define STEP(op) ISK_UNUSED static void R(oracle_##op)(struct step_weight *w, double g, const struct step_hyper *h)

STEP(sgd)
{
	double change = g;

	if (fpclassify(h->decay) != FP_ZERO)
		change = ROUND(g + ROUND(h->decay * w->p));
	if (w->has[0]) {
		const double keep = ROUND(1 - h->dampening);

		w->state[0] = ROUND(ROUND(h->momentum * w->state[0]) + ROUND(keep * change));
		if (h->nesterov)
			change = ROUND(change + ROUND(h->momentum * w->state[0]));
		else
			change = w->state[0];
	}
	w->p = ROUND(w->p - ROUND(h->rate * change));
}

ISK_UNUSED static void R(step_moments)(struct step_weight *w, double g, const struct step_hyper *h)
{
	const double keep1 = ROUND(1 - h->beta1), keep2 = ROUND(1 - h->beta2), rate = ROUND(h->rate * h->m_scale);
	double root;

	w->state[0] = ROUND(ROUND(h->beta1 * w->state[0]) + ROUND(keep1 * g));
	w->state[1] = ROUND(ROUND(h->beta2 * w->state[1]) + ROUND(keep2 * ROUND(g * g)));
	root = w->state[1];
	if (w->has[2]) {
		if (!(w->state[2] > root))
			w->state[2] = root;
		root = w->state[2];
	}
	root = ROUND(ROUND(sqrt(ROUND(root * h->v_scale))) + h->epsilon);
	w->p = ROUND(w->p - ROUND(ROUND(rate * w->state[0]) / root));
}

STEP(adam)
{
	R(step_moments)(w, fpclassify(h->decay) != FP_ZERO ? ROUND(g + ROUND(h->decay * w->p)) : g, h);
}

STEP(adamw)
{
	const double both = ROUND(h->rate * h->decay);

	if (fpclassify(h->decay) != FP_ZERO)
		w->p = ROUND(w->p - ROUND(both * w->p));
	R(step_moments)(w, g, h);
}

STEP(adagrad)
{
	if (fpclassify(h->decay) != FP_ZERO)
		g = ROUND(g + ROUND(h->decay * w->p));
	w->state[0] = ROUND(w->state[0] + ROUND(g * g));
	w->p = ROUND(w->p - ROUND(ROUND(h->rate * g) / ROUND(ROUND(sqrt(w->state[0])) + h->epsilon)));
}

STEP(sgd_master)
{
	R(oracle_sgd)(w, g, h);
}

STEP(adam_master)
{
	R(oracle_adam)(w, g, h);
}

STEP(adamw_master)
{
	R(oracle_adamw)(w, g, h);
}

STEP(adagrad_master)
{
	R(oracle_adagrad)(w, g, h);
}

/* The steps for rows are those for arrays. */
#define STEP_ROWS(op)                                                          \
	STEP(op##_rows)                                                            \
	{                                                                          \
		R(oracle_##op)(w, g, h);                                               \
	}
STEP_ROWS(sgd)
STEP_ROWS(sgd_master)
STEP_ROWS(adam)
STEP_ROWS(adam_master)
STEP_ROWS(adamw)
STEP_ROWS(adamw_master)
STEP_ROWS(adagrad)
STEP_ROWS(adagrad_master)
#undef STEP_ROWS

typedef void R(step)(struct step_weight *w, double g, const struct step_hyper *h);

/* Element i of p and of the arrays of its state, some of which may be NULL. */
static struct step_weight R(step_weight)(enum isk_type type, const void *p, const void *const state[3], size_t i)
{
	struct step_weight one = {.p = isk_element_value(type, isk_element_bits(type, p, i))};

	for (int k = 0; k < 3; k++)
		if (state[k]) {
			one.has[k] = 1;
			one.state[k] = isk_element_value(type, isk_element_bits(type, state[k], i));
		}
	return one;
}

/* Weights and state are f64 if type, which is that of g, is f64, else f32. w, which may be NULL, has the type of g. */
ISK_SHARED static void R(steps)(struct isk_sink *s, enum isk_type type, void *w, void *p, void *const state[3],
                                const void *g, size_t n, struct step_hyper h, R(step) *oracle)
{
	h.type = type == ISK_F64 ? ISK_F64 : ISK_F32;
	for (size_t i = 0; i < n; i++) {
		struct step_weight one = R(step_weight)(h.type, p, (const void *const *)state, i);

		oracle(&one, isk_element_value(type, isk_element_bits(type, g, i)), &h);
		s->put(s, p, i, h.type, (long double)one.p, ISK_ULP, 0);
		for (int k = 0; k < 3; k++)
			if (state[k])
				s->put(s, state[k], i, h.type, (long double)one.state[k], ISK_ULP, 0);
		if (w)
			s->put(s, w, i, type, (long double)one.p, ISK_ULP, 0);
	}
}

/* The hyperparameters of a call. */
#define ISK_STEP_HYPER_sgd(a)                                                  \
	{                                                                          \
		.rate = (double)(a)->rate, .decay = (double)(a)->decay, .momentum = (double)(a)->momentum, \
		.dampening = (double)(a)->dampening, .nesterov = (a)->nesterov & 1      \
	}
#define ISK_STEP_HYPER_adam(a)                                                 \
	{                                                                          \
		.rate = (double)(a)->rate, .decay = (double)(a)->decay, .beta1 = (double)(a)->beta1, .beta2 = (double)(a)->beta2, \
		.epsilon = (double)(a)->epsilon, .m_scale = (double)(a)->m_scale, .v_scale = (double)(a)->v_scale \
	}
#define ISK_STEP_HYPER_adagrad(a)                                              \
	{                                                                          \
		.rate = (double)(a)->rate, .decay = (double)(a)->decay, .epsilon = (double)(a)->epsilon \
	}

ISK_SHARED static void R(form_sgd_master)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_master *a,
                                          R(step) *oracle)
{
	const struct step_hyper h = ISK_STEP_HYPER_sgd(a);

	R(steps)(s, types[0], a->w, a->p, (void *[]){a->velocity, NULL, NULL}, a->g, a->n, h, oracle);
}

ISK_SHARED static void R(form_sgd)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd *a, R(step) *oracle)
{
	struct isk_args_sgd_master master = {.p = a->p, .velocity = a->velocity, .g = a->g, .n = a->n, .rate = a->rate,
	                                     .decay = a->decay, .momentum = a->momentum, .dampening = a->dampening,
	                                     .nesterov = a->nesterov};

	R(form_sgd_master)(s, types, &master, oracle);
}

ISK_SHARED static void R(form_adam_master)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adam_master *a,
                                           R(step) *oracle)
{
	const struct step_hyper h = ISK_STEP_HYPER_adam(a);

	R(steps)(s, types[0], a->w, a->p, (void *[]){a->m, a->v, a->most}, a->g, a->n, h, oracle);
}

ISK_SHARED static void R(form_adam)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adam *a, R(step) *oracle)
{
	struct isk_args_adam_master master = {.p = a->p, .m = a->m, .v = a->v, .most = a->most, .g = a->g, .n = a->n,
	                                      .rate = a->rate, .beta1 = a->beta1, .beta2 = a->beta2, .epsilon = a->epsilon,
	                                      .decay = a->decay, .m_scale = a->m_scale, .v_scale = a->v_scale};

	R(form_adam_master)(s, types, &master, oracle);
}

ISK_SHARED static void R(form_adagrad_master)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_adagrad_master *a, R(step) *oracle)
{
	const struct step_hyper h = ISK_STEP_HYPER_adagrad(a);

	R(steps)(s, types[0], a->w, a->p, (void *[]){a->sum, NULL, NULL}, a->g, a->n, h, oracle);
}

ISK_SHARED static void R(form_adagrad)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adagrad *a,
                                       R(step) *oracle)
{
	struct isk_args_adagrad_master master = {.p = a->p, .sum = a->sum, .g = a->g, .n = a->n, .rate = a->rate,
	                                         .decay = a->decay, .epsilon = a->epsilon};

	R(form_adagrad_master)(s, types, &master, oracle);
}

#if !ISK_WIDE

/* Arrays of rows: w and some of state may be NULL. */
struct step_arrays {
	void *w, *p, *state[3];
	const void *g, *index;
	size_t rows, count, cols, ldw, ldp, ldstate, ldg;
};

#endif

/* Element i of an array, or of NULL, after its steps. Without steps it keeps its bits, even those of a NaN. */
ISK_UNUSED static void R(put_step)(struct isk_sink *s, void *array, size_t i, enum isk_type type, double value, int steps)
{
	if (array && steps)
		s->put(s, array, i, type, (long double)value, ISK_ULP, 0);
	else if (array)
		s->put_bits(s, array, i, type, isk_element_bits(type, array, i));
}

/*
 * Puts the status and, if it is ISK_OK, each element of p after the steps of its row, in order; the order of rows does
 * not matter, because rows do not depend on each other.
 */
ISK_SHARED static void R(step_rows)(struct isk_sink *s, const enum isk_type *types, union isk_result *result,
                                    const struct step_arrays *a, struct step_hyper h, R(step) *oracle)
{
	int status = ISK_OK;

	h.type = types[0] == ISK_F64 ? ISK_F64 : ISK_F32;
	for (size_t i = 0; !status && a->cols && i < a->count; i++) {
		const double x = a->rows ? isk_element_value(types[1], isk_element_bits(types[1], a->index, i)) : -1;

		if (!(x >= 0 && x < (double)a->rows))
			status = ISK_ERR_INDEX;
	}
	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	for (size_t r = 0; !status && a->cols && r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++) {
			const size_t at = r * a->ldstate + c;
			struct step_weight one = {.p = isk_element_value(h.type, isk_element_bits(h.type, a->p, r * a->ldp + c))};
			int steps = 0;

			for (int k = 0; k < 3; k++)
				if ((one.has[k] = a->state[k] != NULL))
					one.state[k] = isk_element_value(h.type, isk_element_bits(h.type, a->state[k], at));
			for (size_t i = 0; i < a->count; i++)
				if (isk_element_bits(types[1], a->index, i) == r) {
					oracle(&one, isk_element_value(types[0], isk_element_bits(types[0], a->g, i * a->ldg + c)), &h);
					steps++;
				}
			R(put_step)(s, a->p, r * a->ldp + c, h.type, one.p, steps);
			for (int k = 0; k < 3; k++)
				R(put_step)(s, a->state[k], at, h.type, one.state[k], steps);
			R(put_step)(s, a->w, r * a->ldw + c, types[0], one.p, steps);
		}
}

/* The forms, with the arrays of their state, whose rows all have the stride ldstate_. */
#define ISK_FORM_OF_STEP_ROWS(shape, hyper, w_, ldw_, ldstate_, ...)           \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *a, \
	                                       R(step) *oracle)                    \
	{                                                                          \
		const struct step_hyper h = ISK_STEP_HYPER_##hyper(a);                 \
		const struct step_arrays arrays = {.w = w_, .p = a->p, .state = {__VA_ARGS__}, .g = a->g, .index = a->index, \
		                                   .rows = a->rows, .count = a->count, .cols = a->cols, .ldw = ldw_, .ldp = a->ldp, \
		                                   .ldstate = a->ldstate_, .ldg = a->ldg}; \
                                                                               \
		R(step_rows)(s, types, &a->result, &arrays, h, oracle);                \
	}
ISK_FORM_OF_STEP_ROWS(sgd_rows, sgd, NULL, 0, ldv, a->velocity)
ISK_FORM_OF_STEP_ROWS(sgd_row_master, sgd, a->w, a->ldw, ldv, a->velocity)
ISK_FORM_OF_STEP_ROWS(adam_rows, adam, NULL, 0, ldm, a->m, a->v, a->most)
ISK_FORM_OF_STEP_ROWS(adam_row_master, adam, a->w, a->ldw, ldm, a->m, a->v, a->most)
ISK_FORM_OF_STEP_ROWS(adagrad_rows, adagrad, NULL, 0, ldsum, a->sum)
ISK_FORM_OF_STEP_ROWS(ada_row_master, adagrad, a->w, a->ldw, ldsum, a->sum)
