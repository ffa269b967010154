/* SPDX-License-Identifier: MIT */
/* The results of a bag: the sum, mean or maximum of its terms. */
enum R(bag_of) { R(BAG_SUM), R(BAG_MEAN), R(BAG_MAX) };

#define BAG(op, what)                                                          \
	ISK_UNUSED static enum R(bag_of) R(oracle_##op)(void)                      \
	{                                                                          \
		return R(what);                                                        \
	}
BAG(bag_sum, BAG_SUM)
BAG(bag_mean, BAG_MEAN)
BAG(bag_max, BAG_MAX)
BAG(bag_scaled, BAG_SUM)
BAG(bag_scaled_mean, BAG_MEAN)
BAG(bag_scaled_max, BAG_MAX)

static int64_t R(bag_index)(enum isk_type type, const void *index, size_t k)
{
	const uint64_t bits = isk_element_bits(type, index, k);

	return type == ISK_S32 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

static int R(bag_status)(enum isk_type type, const struct isk_args_bag_scaled *a)
{
	const int64_t *ends = a->ends;

	if (!ends && a->count % a->bags)
		return ISK_ERR_INDEX;
	for (size_t b = 0; ends && b < a->bags; b++)
		if (ends[b] < 0 || (uint64_t)ends[b] > a->count || (b && ends[b] < ends[b - 1]))
			return ISK_ERR_INDEX;
	for (size_t k = 0; k < a->count; k++) {
		const int64_t row = a->rows ? R(bag_index)(type, a->index, k) : -1;

		if (row < 0 || (uint64_t)row >= a->rows)
			return ISK_ERR_INDEX;
	}
	return ISK_OK;
}

/* Returns the status; if it is 0, gives the sink all elements. */
ISK_SHARED static int R(bags)(struct isk_sink *s, const enum isk_type *types, const struct isk_args_bag_scaled *a,
                              enum R(bag_of) what)
{
	const struct isk_array x = {a->x, types[0], 1}, weight = {a->weight, ISK_F32, 1};
	const struct isk_array scales = {a->scale, ISK_F32, 1}, biases = {a->bias, ISK_F32, 1};
	const int is_moved = what == R(BAG_MAX) && !a->scale;
	const int64_t *ends = a->ends;
	size_t first = 0;

	if (!a->bags || !a->cols)
		return ISK_OK;
	if (R(bag_status)(types[2], a))
		return ISK_ERR_INDEX;
	for (size_t b = 0; b < a->bags; b++) {
		const size_t end = ends ? (size_t)ends[b] : (b + 1) * (a->count / a->bags), n = end - first;

		for (size_t c = 0; c < a->cols; c++) {
			long double sum = 0, size = 0, largest = 0, most = n ? -(long double)INFINITY : 0;
			int overflows = 0;

			for (size_t k = first; k < end; k++) {
				const size_t row = (size_t)R(bag_index)(types[2], a->index, k);
				const long double scale = a->scale ? (long double)AT(scales, row) : 1;
				const long double bias = a->bias ? (long double)AT(biases, row) : 0;
				const long double w = a->weight ? (long double)AT(weight, k) : 1;
				const long double element = (long double)AT(x, row * a->ldx + c), term = w * (scale * element + bias);
				const long double inner = fabsl(scale * element) + fabsl(bias), part = fabsl(w) * inner;

				sum += term;
				size += isfinite(part) ? part : 0;
				largest = fmaxl(largest, isfinite(part) ? part : 0);
				overflows |= isfinite(inner) && inner > 0x1p126L;
				most = isnan(term) || term > most ? term : most;
			}
			size = what == R(BAG_MAX) ? 2 * largest : size * ((long double)n + (a->scale ? 3 : 2));
			/* The contract promises nothing if a sum may overflow. */
			if (overflows || size > 0x1p126L)
				size = (long double)HUGE_VAL;
			if (what == R(BAG_MEAN) && n) {
				sum /= (long double)n;
				size /= (long double)n;
			}
			if (what == R(BAG_MAX))
				s->put(s, a->y, b * a->ldy + c, types[1], most, is_moved ? 0 : size, is_moved ? 0 : 2);
			else
				s->put(s, a->y, b * a->ldy + c, types[1], sum, size, 2 * n + 2);
		}
		first = end;
	}
	return ISK_OK;
}

ISK_SHARED static void R(form_bag_scaled)(struct isk_sink *s, const enum isk_type *types, struct isk_args_bag_scaled *a,
                                          enum R(bag_of) (*oracle)(void))
{
	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(bags)(s, types, a, oracle()));
}

ISK_SHARED static void R(form_bag)(struct isk_sink *s, const enum isk_type *types, struct isk_args_bag *a,
                                   enum R(bag_of) (*oracle)(void))
{
	const struct isk_args_bag_scaled all = {.y = a->y, .x = a->x, .index = a->index, .ends = a->ends, .weight = a->weight,
	                                        .rows = a->rows, .bags = a->bags, .count = a->count, .cols = a->cols,
	                                        .ldy = a->ldy, .ldx = a->ldx};

	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(bags)(s, types, &all, oracle()));
}

ISK_SHARED static void R(form_bag_max)(struct isk_sink *s, const enum isk_type *types, struct isk_args_bag_max *a,
                                       enum R(bag_of) (*oracle)(void))
{
	const struct isk_args_bag_scaled all = {.y = a->y, .x = a->x, .index = a->index, .ends = a->ends, .rows = a->rows,
	                                        .bags = a->bags, .count = a->count, .cols = a->cols, .ldy = a->ldy,
	                                        .ldx = a->ldx};

	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(bags)(s, types, &all, oracle()));
}

ISK_SHARED static void R(form_bag_scaled_max)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_bag_scaled_max *a, enum R(bag_of) (*oracle)(void))
{
	const struct isk_args_bag_scaled all = {.y = a->y, .x = a->x, .scale = a->scale, .bias = a->bias, .index = a->index,
	                                        .ends = a->ends, .rows = a->rows, .bags = a->bags, .count = a->count,
	                                        .cols = a->cols, .ldy = a->ldy, .ldx = a->ldx};

	s->put_bits(s, &a->result, 0, ISK_S32, (uint32_t)R(bags)(s, types, &all, oracle()));
}

BAG(bag_sum_backward, BAG_SUM)
BAG(bag_mean_backward, BAG_MEAN)

/* A column of dx: the values before, and a term for each entry of a bag. */
ISK_UNUSED static void R(put_gradients)(struct isk_sink *s, const enum isk_type *types, const struct isk_args_bag_gradient *a,
                                        size_t c, int is_mean)
{
	const struct isk_array dx = {a->dx, types[0], 1}, dy = {a->dy, types[0], 1}, weight = {a->weight, ISK_F32, 1};
	const int64_t *ends = a->ends;
	struct sum {
		long double value, size;
		size_t terms;
	} *sums = calloc(a->rows + 1, sizeof(*sums));
	size_t first = 0;

	if (!sums)
		abort();
	for (size_t b = 0; b < a->bags; b++) {
		const size_t end = ends ? (size_t)ends[b] : (b + 1) * (a->count / a->bags);

		for (size_t k = first; k < end; k++) {
			struct sum *sum = &sums[R(bag_index)(types[1], a->index, k)];
			const long double w = a->weight ? (long double)AT(weight, k) : 1, g = (long double)AT(dy, b * a->lddy + c);
			const long double term = w * g / (is_mean ? (long double)(end - first) : 1);

			sum->value += term;
			sum->size += fabsl(term);
			sum->terms++;
		}
		first = end;
	}
	for (size_t r = 0; r < a->rows; r++) {
		const size_t at = r * a->lddx + c, terms = sums[r].terms;
		const long double before = (long double)AT(dx, at), size = fabsl(before) + sums[r].size;

		if (!terms)
			s->put_bits(s, a->dx, at, types[0], isk_element_bits(types[0], a->dx, at));
		else
			s->put(s, a->dx, at, types[0], before + sums[r].value,
			       size > 0x1p126L ? (long double)HUGE_VAL : size * ((long double)terms + 3), 1000 * terms);
	}
	free(sums);
}

ISK_SHARED static void R(form_bag_gradient)(struct isk_sink *s, const enum isk_type *types, struct isk_args_bag_gradient *a,
                                            enum R(bag_of) (*oracle)(void))
{
	const struct isk_args_bag_scaled all = {.index = a->index, .ends = a->ends, .rows = a->rows, .bags = a->bags,
	                                        .count = a->count, .cols = a->cols};
	const int refused = a->bags && a->cols && R(bag_status)(types[1], &all);

	s->put_bits(s, &a->result, 0, ISK_S32, refused ? (uint32_t)ISK_ERR_INDEX : 0);
	for (size_t c = 0; !refused && a->rows && c < a->cols; c++)
		R(put_gradients)(s, types, a, c, oracle() == R(BAG_MEAN));
}
