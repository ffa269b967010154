/* SPDX-License-Identifier: MIT */
/*
 * Cells of LSTMs. Worst errors found: 1.50 (c) and 1.42 (h), relative to the error that the
 * contract allows for a bound of 1.
 */
#include "lstm_kernels.h"
#include "acts.h"

/* The arrays of a cell; NULL for arrays that it does not have. */
struct lstm {
	void *c, *h;
	const void *candidate, *input, *forget, *output, *c_old, *w_ic, *w_fc, *w_oc;
};

/* The acts of most networks, which are inlined. */
#define COMMON ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH)

#define LANES vf
#define TYPE  ISK_F32
#include "lstm_units.h"

#define LANES vd
#define TYPE  ISK_F64
#include "lstm_units.h"

#define LSTM(T) ISK_PASTE2(lstm_, ISK_VECTOR(T))

#define LSTM_CTHT(kernel, T, ...)                                              \
	int ISK_FN(kernel)(ISK_C_##T *c, ISK_C_##T *h, const ISK_C_##T *candidate, const ISK_C_##T *input, \
	                   const ISK_C_##T *forget, const ISK_C_##T *output, const ISK_C_##T *c_old, \
	                   const ISK_C_##T *w_ic, const ISK_C_##T *w_fc, const ISK_C_##T *w_oc, size_t d, unsigned acts) \
	{                                                                          \
		return LSTM(T)(&(struct lstm){c, h, candidate, input, forget, output, c_old, w_ic, w_fc, w_oc}, d, acts); \
	}
ISK_EACH_lstm_ctht(LSTM_CTHT)

#define LSTM_C1H1(kernel, T, ...)                                              \
	int ISK_FN(kernel)(ISK_C_##T *c, ISK_C_##T *h, const ISK_C_##T *candidate, const ISK_C_##T *input, \
	                   const ISK_C_##T *output, const ISK_C_##T *w_oc, size_t d, unsigned acts) \
	{                                                                          \
		return LSTM(T)(&(struct lstm){c, h, candidate, input, NULL, output, NULL, NULL, NULL, w_oc}, d, acts); \
	}
ISK_EACH_lstm_c1h1(LSTM_C1H1)
