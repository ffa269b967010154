/* SPDX-License-Identifier: MIT */
/*
 * Steps of one weight, every operation rounded to the type of the weights, as the
 * contract has it, so that the result has no error. They are computed in double: of
 * floats it gives, rounded again, what float gives.
 */
#if !ISK_WIDE

/* A weight and what an optimizer keeps of it; has: what there is of it. */
struct step_weight {
	double p, state[3];
	int has[3];
};

struct step_hyper {
	enum isk_type type; /* of weights */
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

STEP(sgd_rows)
{
	R(oracle_sgd)(w, g, h);
}

STEP(adagrad_rows)
{
	R(oracle_adagrad)(w, g, h);
}

typedef void R(step)(struct step_weight *w, double g, const struct step_hyper *h);

/* Element i of p and of the arrays of a state (or NULL). */
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

/* Weights of f64 have its type, others f32; w (or NULL) has that of g. */
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

ISK_SHARED static void R(form_sgd_master)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_master *a,
                                          R(step) *oracle)
{
	const struct step_hyper h = {.rate = (double)a->rate,
	                        .decay = (double)a->decay,
	                        .momentum = (double)a->momentum,
	                        .dampening = (double)a->dampening,
	                        .nesterov = a->nesterov & 1};

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
	const struct step_hyper h = {.rate = (double)a->rate,
	                        .decay = (double)a->decay,
	                        .beta1 = (double)a->beta1,
	                        .beta2 = (double)a->beta2,
	                        .epsilon = (double)a->epsilon,
	                        .m_scale = (double)a->m_scale,
	                        .v_scale = (double)a->v_scale};

	R(steps)(s, types[0], a->w, a->p, (void *[]){a->m, a->v, a->most}, a->g, a->n, h, oracle);
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
	const struct step_hyper h = {.rate = (double)a->rate, .decay = (double)a->decay, .epsilon = (double)a->epsilon};

	R(steps)(s, types[0], NULL, a->p, (void *[]){a->sum, NULL, NULL}, a->g, a->n, h, oracle);
}

/*
 * Each element of p takes the steps of its row in order, whatever the order of rows. Returns ISK_OK, or
 * ISK_ERR_INDEX with nothing given.
 */
ISK_SHARED static int R(step_rows)(struct isk_sink *s, const enum isk_type *types, const struct isk_args_adagrad_rows *a,
                                   R(step) *oracle)
{
	const struct step_hyper h = {.type = types[0], .rate = (double)a->rate, .epsilon = (double)a->epsilon};
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; a->cols && i < a->count; i++) {
		const double x = a->rows ? isk_element_value(types[1], isk_element_bits(types[1], a->index, i)) : 0;

		if (!(x >= 0 && x < (double)a->rows))
			return ISK_ERR_INDEX;
	}
	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++) {
			const char *p = (const char *)a->p + r * a->ldp * bytes;
			const void *state[3] = {a->sum ? (const char *)a->sum + r * a->ldsum * bytes : NULL, NULL, NULL};
			struct step_weight one = R(step_weight)(types[0], p, state, c);

			for (size_t i = 0; i < a->count; i++)
				if (isk_element_bits(types[1], a->index, i) == r)
					oracle(&one, isk_element_value(types[0], isk_element_bits(types[0], a->g, i * a->ldg + c)), &h);
			s->put(s, a->p, r * a->ldp + c, types[0], (long double)one.p, ISK_ULP, 0);
			if (a->sum)
				s->put(s, a->sum, r * a->ldsum + c, types[0], (long double)one.state[0], ISK_ULP, 0);
		}
	return ISK_OK;
}

ISK_SHARED static void R(form_adagrad_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_adagrad_rows *a,
                                            R(step) *oracle)
{
	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(step_rows)(s, types, a, oracle));
}

ISK_SHARED static void R(form_sgd_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_sgd_rows *a,
                                        R(step) *oracle)
{
	const struct isk_args_adagrad_rows rows = {.p = a->p, .g = a->g, .index = a->index, .rows = a->rows,
	                                           .count = a->count, .cols = a->cols, .ldp = a->ldp, .ldg = a->ldg,
	                                           .rate = a->rate};

	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(step_rows)(s, types, &rows, oracle));
}
