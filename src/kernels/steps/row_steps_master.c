/* SPDX-License-Identifier: MIT */
/* The kernels of row_steps.c with weights and state wider than the gradient, as in array_steps_master.c. */
#include "row_steps_master_kernels.h"
#include "of_type.h"
#include "array_steps_master_kernels.h"
#include "indexed_rows.h"

int KERNEL(sgd_master_rows)(elem *w, lane *p, lane *velocity, const elem *g, const number *index, size_t rows,
                            size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldv, size_t ldg, lane rate,
                            lane decay, lane momentum, lane dampening, unsigned nesterov)
{
	if (cols && !rows_exist(index, count, rows))
		return ISK_ERR_INDEX;
	for (size_t i = 0; cols && i < count; i++) {
		const size_t row = (size_t)index[i];

		ARRAY(sgd_master)(w + row * ldw, p + row * ldp, velocity ? velocity + row * ldv : NULL, g + i * ldg, cols, rate,
		                  decay, momentum, dampening, nesterov);
	}
	return ISK_OK;
}

int KERNEL(adam_master_rows)(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, const number *index,
                             size_t rows, size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldm, size_t ldg,
                             lane rate, lane beta1, lane beta2, lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	if (cols && !rows_exist(index, count, rows))
		return ISK_ERR_INDEX;
	for (size_t i = 0; cols && i < count; i++) {
		const size_t row = (size_t)index[i];

		ARRAY(adam_master)(w + row * ldw, p + row * ldp, m + row * ldm, v + row * ldm, most ? most + row * ldm : NULL,
		                   g + i * ldg, cols, rate, beta1, beta2, epsilon, decay, m_scale, v_scale);
	}
	return ISK_OK;
}

int KERNEL(adamw_master_rows)(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, const number *index,
                              size_t rows, size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldm, size_t ldg,
                              lane rate, lane beta1, lane beta2, lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	if (cols && !rows_exist(index, count, rows))
		return ISK_ERR_INDEX;
	for (size_t i = 0; cols && i < count; i++) {
		const size_t row = (size_t)index[i];

		ARRAY(adamw_master)(w + row * ldw, p + row * ldp, m + row * ldm, v + row * ldm, most ? most + row * ldm : NULL,
		                    g + i * ldg, cols, rate, beta1, beta2, epsilon, decay, m_scale, v_scale);
	}
	return ISK_OK;
}

int KERNEL(adagrad_master_rows)(elem *w, lane *p, lane *sum, const elem *g, const number *index, size_t rows,
                                size_t count, size_t cols, size_t ldw, size_t ldp, size_t ldsum, size_t ldg, lane rate,
                                lane decay, lane epsilon)
{
	if (cols && !rows_exist(index, count, rows))
		return ISK_ERR_INDEX;
	for (size_t i = 0; cols && i < count; i++) {
		const size_t row = (size_t)index[i];

		ARRAY(adagrad_master)(w + row * ldw, p + row * ldp, sum + row * ldsum, g + i * ldg, cols, rate, decay, epsilon);
	}
	return ISK_OK;
}
