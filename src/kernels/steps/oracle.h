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

STEP(sgd_rows)
{
	R(oracle_sgd)(w, g, h);
}

STEP(adagrad_rows)
{
	R(oracle_adagrad)(w, g, h);
}

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

ISK_SHARED static void R(form_sgd_master)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_master *a,
                                          R(step) *oracle)
{
	const struct step_hyper h = {.rate = (float)a->rate,
	                        .decay = (float)a->decay,
	                        .momentum = (float)a->momentum,
	                        .dampening = (float)a->dampening,
	                        .nesterov = a->nesterov & 1};

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
	const struct step_hyper h = {.rate = (float)a->rate,
	                        .decay = (float)a->decay,
	                        .beta1 = (float)a->beta1,
	                        .beta2 = (float)a->beta2,
	                        .epsilon = (float)a->epsilon,
	                        .m_scale = (float)a->m_scale,
	                        .v_scale = (float)a->v_scale};

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
	const struct step_hyper h = {.rate = (float)a->rate, .decay = (float)a->decay, .epsilon = (float)a->epsilon};

	R(steps)(s, types[0], NULL, a->p, (float *[]){a->sum, NULL, NULL}, a->g, a->n, &h, oracle);
}

/*
 * Each element of p takes the steps of its row in order, whatever the order of rows. Returns ISK_OK, or
 * ISK_ERR_INDEX with nothing given.
 */
ISK_SHARED static int R(step_rows)(struct isk_sink *s, enum isk_type type, const struct isk_args_adagrad_rows *a,
                              R(step) *oracle)
{
	const struct step_hyper h = {.rate = (float)a->rate, .epsilon = (float)a->epsilon};

	for (size_t i = 0; a->cols && i < a->count; i++) {
		const double x = a->rows ? isk_element_value(type, isk_element_bits(type, a->index, i)) : 0;

		if (!(x >= 0 && x < (double)a->rows))
			return ISK_ERR_INDEX;
	}
	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++) {
			float *state[3] = {a->sum ? (float *)a->sum + r * a->ldsum : NULL, NULL, NULL};
			struct step_weight one = R(step_weight)((float *)a->p + r * a->ldp, state, c);

			for (size_t i = 0; i < a->count; i++)
				if (isk_element_bits(type, a->index, i) == r)
					oracle(&one, ((const float *)a->g)[i * a->ldg + c], &h);
			s->put(s, a->p, r * a->ldp + c, ISK_F32, (long double)one.p, ISK_ULP, 0);
			if (a->sum)
				s->put(s, a->sum, r * a->ldsum + c, ISK_F32, (long double)one.state[0], ISK_ULP, 0);
		}
	return ISK_OK;
}

ISK_SHARED static void R(form_adagrad_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adagrad_rows *a,
                                            R(step) *oracle)
{
	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(step_rows)(s, types[1], a, oracle));
}

ISK_SHARED static void R(form_sgd_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_rows *a,
                                        R(step) *oracle)
{
	const struct isk_args_adagrad_rows rows = {.p = a->p, .g = a->g, .index = a->index, .rows = a->rows,
	                                           .count = a->count, .cols = a->cols, .ldp = a->ldp, .ldg = a->ldg,
	                                           .rate = a->rate};

	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(step_rows)(s, types[1], &rows, oracle));
}
