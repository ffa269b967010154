/* SPDX-License-Identifier: MIT */
/*
 * Steps of one weight, in f32 as the contract has them: every operation of C on
 * floats is rounded, so the result has no error.
 */
#if !ISK_WIDE

/* A weight and what an optimizer keeps of it; has: what there is of it. */
struct step_weight {
	float p, state[3];
	int has[3];
};

struct step_hyper {
	float rate, decay, momentum, dampening, beta1, beta2, epsilon, m_scale, v_scale;
	int nesterov;
};

#endif

#define STEP(op) ISK_UNUSED static void R(oracle_##op)(struct step_weight *w, float g, const struct step_hyper *h)

STEP(sgd)
{
	const float keep = 1 - h->dampening;
	float change = g;

	if (fpclassify(h->decay) != FP_ZERO)
		change = g + h->decay * w->p;
	if (w->has[0]) {
		const float a = h->momentum * w->state[0], b = keep * change;

		w->state[0] = a + b;
		if (h->nesterov)
			change = change + h->momentum * w->state[0];
		else
			change = w->state[0];
	}
	w->p = w->p - h->rate * change;
}

ISK_UNUSED static void R(step_moments)(struct step_weight *w, float g, const struct step_hyper *h)
{
	const float keep1 = 1 - h->beta1, keep2 = 1 - h->beta2, rate = h->rate * h->m_scale, square = g * g;
	float root;

	w->state[0] = h->beta1 * w->state[0] + keep1 * g;
	w->state[1] = h->beta2 * w->state[1] + keep2 * square;
	root = w->state[1];
	if (w->has[2]) {
		if (!(w->state[2] > root))
			w->state[2] = root;
		root = w->state[2];
	}
	root = sqrtf(root * h->v_scale) + h->epsilon;
	w->p = w->p - rate * w->state[0] / root;
}

STEP(adam)
{
	R(step_moments)(w, fpclassify(h->decay) != FP_ZERO ? g + h->decay * w->p : g, h);
}

STEP(adamw)
{
	const float both = h->rate * h->decay;

	if (fpclassify(h->decay) != FP_ZERO)
		w->p = w->p - both * w->p;
	R(step_moments)(w, g, h);
}

STEP(adagrad)
{
	if (fpclassify(h->decay) != FP_ZERO)
		g = g + h->decay * w->p;
	w->state[0] = w->state[0] + g * g;
	w->p = w->p - h->rate * g / (sqrtf(w->state[0]) + h->epsilon);
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

/* Of rows as of arrays. */
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
#undef STEP_ROWS

typedef void R(step)(struct step_weight *w, float g, const struct step_hyper *h);

/* Element i of p, w (or NULL) and the arrays of a state (or NULL). */
static struct step_weight R(step_weight)(float *p, float *const state[3], size_t i)
{
	struct step_weight one = {.p = p[i]};

	for (int k = 0; k < 3; k++)
		if (state[k]) {
			one.has[k] = 1;
			one.state[k] = state[k][i];
		}
	return one;
}

ISK_SHARED static void R(step_give)(struct isk_sink *s, enum isk_type type, void *w, float *p, float *const state[3], size_t i,
                               const struct step_weight *one)
{
	s->put(s, p, i, ISK_F32, (long double)one->p, ISK_ULP, 0);
	for (int k = 0; k < 3; k++)
		if (state[k])
			s->put(s, state[k], i, ISK_F32, (long double)one->state[k], ISK_ULP, 0);
	if (w)
		s->put(s, w, i, type, (long double)one->p, ISK_ULP, 0);
}

ISK_SHARED static void R(steps)(struct isk_sink *s, enum isk_type type, void *w, float *p, float *const state[3],
                                const void *g, size_t n, const struct step_hyper *h, R(step) *oracle)
{
	const struct isk_array gradient = {g, type, 1};

	for (size_t i = 0; i < n; i++) {
		struct step_weight one = R(step_weight)(p, state, i);

		oracle(&one, (float)AT(gradient, i), h);
		R(step_give)(s, type, w, p, state, i, &one);
	}
}

/* The hyperparameters of a call. */
#define ISK_STEP_HYPER_sgd(a)                                                  \
	{                                                                          \
		.rate = (float)(a)->rate, .decay = (float)(a)->decay, .momentum = (float)(a)->momentum, \
		.dampening = (float)(a)->dampening, .nesterov = (a)->nesterov & 1      \
	}
#define ISK_STEP_HYPER_adam(a)                                                 \
	{                                                                          \
		.rate = (float)(a)->rate, .decay = (float)(a)->decay, .beta1 = (float)(a)->beta1, .beta2 = (float)(a)->beta2, \
		.epsilon = (float)(a)->epsilon, .m_scale = (float)(a)->m_scale, .v_scale = (float)(a)->v_scale \
	}
#define ISK_STEP_HYPER_adagrad(a)                                              \
	{                                                                          \
		.rate = (float)(a)->rate, .decay = (float)(a)->decay, .epsilon = (float)(a)->epsilon \
	}

ISK_SHARED static void R(form_sgd_master)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_master *a,
                                          R(step) *oracle)
{
	const struct step_hyper h = ISK_STEP_HYPER_sgd(a);

	R(steps)(s, types[0], a->w, a->p, (float *[]){a->velocity, NULL, NULL}, a->g, a->n, &h, oracle);
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

	R(steps)(s, types[0], a->w, a->p, (float *[]){a->m, a->v, a->most}, a->g, a->n, &h, oracle);
}

ISK_SHARED static void R(form_adam)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adam *a, R(step) *oracle)
{
	struct isk_args_adam_master master = {.p = a->p, .m = a->m, .v = a->v, .most = a->most, .g = a->g, .n = a->n,
	                                      .rate = a->rate, .beta1 = a->beta1, .beta2 = a->beta2, .epsilon = a->epsilon,
	                                      .decay = a->decay, .m_scale = a->m_scale, .v_scale = a->v_scale};

	R(form_adam_master)(s, types, &master, oracle);
}

ISK_SHARED static void R(form_adagrad)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adagrad *a,
                                       R(step) *oracle)
{
	const struct step_hyper h = ISK_STEP_HYPER_adagrad(a);

	R(steps)(s, types[0], NULL, a->p, (float *[]){a->sum, NULL, NULL}, a->g, a->n, &h, oracle);
}

#if !ISK_WIDE

/* Arrays of rows: w and some of state may be NULL. */
struct step_arrays {
	void *w, *p, *state[3];
	const void *g, *index;
	size_t rows, count, cols, ldw, ldp, ldstate, ldg;
};

#endif

/*
 * Each element of p takes the steps of its row in order, whatever the order of rows. Gives the status too; where it is
 * not ISK_OK, nothing else.
 */
ISK_SHARED static void R(step_rows)(struct isk_sink *s, const enum isk_type *types, union isk_result *result,
                                    const struct step_arrays *a, const struct step_hyper *h, R(step) *oracle)
{
	const struct isk_array g = {a->g, types[0], 1};
	int status = ISK_OK;

	for (size_t i = 0; !status && a->cols && i < a->count; i++) {
		const double x = a->rows ? isk_element_value(types[1], isk_element_bits(types[1], a->index, i)) : -1;

		if (!(x >= 0 && x < (double)a->rows))
			status = ISK_ERR_INDEX;
	}
	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	for (size_t r = 0; !status && a->cols && r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++) {
			const size_t at = r * a->ldstate + c;
			struct step_weight one = {.p = ((const float *)a->p)[r * a->ldp + c]};
			int steps = 0;

			for (int k = 0; k < 3; k++)
				if ((one.has[k] = a->state[k] != NULL))
					one.state[k] = ((const float *)a->state[k])[at];
			for (size_t i = 0; i < a->count; i++)
				if (isk_element_bits(types[1], a->index, i) == r) {
					oracle(&one, (float)AT(g, i * a->ldg + c), h);
					steps++;
				}
			s->put(s, a->p, r * a->ldp + c, ISK_F32, (long double)one.p, ISK_ULP, 0);
			for (int k = 0; k < 3; k++)
				if (a->state[k])
					s->put(s, a->state[k], at, ISK_F32, (long double)one.state[k], ISK_ULP, 0);
			if (a->w && steps)
				s->put(s, a->w, r * a->ldw + c, types[0], (long double)one.p, ISK_ULP, 0);
			else if (a->w)
				s->put_bits(s, a->w, r * a->ldw + c, types[0], isk_element_bits(types[0], a->w, r * a->ldw + c));
		}
}

/* The forms, with the arrays of their state, whose rows are all one stride apart. */
#define ISK_FORM_OF_STEP_ROWS(shape, hyper, w_, ldw_, ldstate_, ...)           \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *a, \
	                                       R(step) *oracle)                    \
	{                                                                          \
		const struct step_hyper h = ISK_STEP_HYPER_##hyper(a);                 \
		const struct step_arrays arrays = {.w = w_, .p = a->p, .state = {__VA_ARGS__}, .g = a->g, .index = a->index, \
		                                   .rows = a->rows, .count = a->count, .cols = a->cols, .ldw = ldw_, .ldp = a->ldp, \
		                                   .ldstate = a->ldstate_, .ldg = a->ldg}; \
                                                                               \
		R(step_rows)(s, types, &a->result, &arrays, &h, oracle);               \
	}
ISK_FORM_OF_STEP_ROWS(sgd_rows, sgd, NULL, 0, ldv, a->velocity)
ISK_FORM_OF_STEP_ROWS(sgd_row_master, sgd, a->w, a->ldw, ldv, a->velocity)
ISK_FORM_OF_STEP_ROWS(adam_rows, adam, NULL, 0, ldm, a->m, a->v, a->most)
ISK_FORM_OF_STEP_ROWS(adam_row_master, adam, a->w, a->ldw, ldm, a->m, a->v, a->most)
ISK_FORM_OF_STEP_ROWS(adagrad_rows, adagrad, NULL, 0, ldsum, a->sum)
