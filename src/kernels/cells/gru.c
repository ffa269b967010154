/* SPDX-License-Identifier: MIT */
/* Cells of GRUs. Worst error found: 1.97 (f64), relative to the error that the contract allows for a bound of 1. */
#include "gru_kernels.h"
#include "acts.h"

/* The body of a cell. STEP(m, T, a) computes m units from i on with the activations a. */
#define CELL(T, STEP)                                                          \
	{                                                                          \
		const struct acts a = acts_of(acts);                                   \
                                                                               \
		if (acts_are_wrong(acts))                                              \
			return ISK_ERR_POST;                                               \
		ISK_LOOP(T, STEP, a)                                                   \
		return ISK_OK;                                                         \
	}

#define FIRST(m, T, a)                                                         \
	ISK_STORE(T, h, i, ACT(T, ISK_LOAD(T, update, i, m), a.gate) * ACT(T, ISK_LOAD(T, state, i, m), a.candidate), m);

#define GRU_H1(kernel, T, ...)                                                 \
	int ISK_FN(kernel)(ISK_C_##T *h, const ISK_C_##T *update, const ISK_C_##T *state, size_t n, unsigned acts) \
		CELL(T, FIRST)
ISK_EACH_gru_h1(GRU_H1)

#define RESET(m, T, a) ISK_STORE(T, h, i, ACT(T, ISK_LOAD(T, reset, i, m), a.gate) * ISK_LOAD(T, h_old, i, m), m);

#define GRU_HT_PART1(kernel, T, ...)                                           \
	int ISK_FN(kernel)(ISK_C_##T *h, const ISK_C_##T *reset, const ISK_C_##T *h_old, size_t n, unsigned acts) \
		CELL(T, RESET)
ISK_EACH_gru_ht_part1(GRU_HT_PART1)

#define UPDATE(m, T, a)                                                        \
	{                                                                          \
		const ISK_VECTOR(T) u = ACT(T, ISK_LOAD(T, update, i, m), a.gate);     \
		const ISK_VECTOR(T) s = ACT(T, ISK_LOAD(T, state, i, m), a.candidate); \
                                                                               \
		ISK_STORE(T, h, i, ISK_PASTE2(ISK_VECTOR(T), _fma)(u, s, (1 - u) * ISK_LOAD(T, h_old, i, m)), m); \
	}

#define GRU_HT_PART2(kernel, T, ...)                                           \
	int ISK_FN(kernel)(ISK_C_##T *h, const ISK_C_##T *update, const ISK_C_##T *state, const ISK_C_##T *h_old, \
	                   size_t n, unsigned acts)                                \
		CELL(T, UPDATE)
ISK_EACH_gru_ht_part2(GRU_HT_PART2)
