/* SPDX-License-Identifier: MIT */
/* What a mask leaves of an array, to scale: 0 is where nothing is left, whatever was there. */
#include "dropout_kernels.h"
#include "loops.h"

/* All bits of a lane where its byte of the mask is not 0. */
#define KEPT_f(i, m) (vi_widen_u8(mask + (i), (m) < VL ? (m) : VL, 4) != 0)
#define KEPT_d(i, m) ((vl)vi_widen_u8(mask + (i), (m) < VD ? (m) : VD, 8) != 0)
#define KEPT(T, i, m) (vi) ISK_PASTE2(KEPT_, ISK_LANE_##T)(i, m)

#define DROPOUT_STEP(m, T, factor)                                             \
	{                                                                          \
		const vi product = (vi)(ISK_LOAD(T, x, i, m) * factor);                \
                                                                               \
		ISK_STORE(T, y, i, (ISK_VECTOR(T))(product & KEPT(T, i, m)), m);       \
	}
#define DROPOUT(kernel, T, ...)                                                \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const uint8_t *mask, size_t n, ISK_SCALAR_##T alpha) \
	{                                                                          \
		ISK_LOOP(T, DROPOUT_STEP, alpha)                                       \
	}
ISK_EACH_dropout(DROPOUT)
