/* SPDX-License-Identifier: MIT */
/* alpha * x where the mask is not 0, else +0, even for an infinity or a NaN. */
#include "dropout_kernels.h"
#include "loops_streamed.h"

/* All bits of a lane if its byte of the mask is not 0 */
#define KEPT_f(i, m) (vi_widen_u8(mask + (i), (m) < VL ? (m) : VL, 4) != 0)
#define KEPT_d(i, m) ((vl)vi_widen_u8(mask + (i), (m) < VD ? (m) : VD, 8) != 0)
#define KEPT(T, i, m) (vi) ISK_PASTE2(KEPT_, ISK_LANE_##T)(i, m)

#define DROPPED(T, m) (ISK_VECTOR(T)) ((vi)(ISK_LOAD(T, x, i, m) * alpha) & KEPT(T, i, m))

#define DROPOUT_STEP(m, T, y)          ISK_STORE(T, y, i, DROPPED(T, m), m);
#define FAR_STEP(m, kernel, T)         ISK_STREAM(T, out, i, DROPPED(T, m));
#define FAR_CALL(from, m, kernel, ...) ISK_FN(kernel)(out + (from), x + (from), mask + (from), m, alpha)
#define DROPOUT(kernel, T, ...)                                                \
	ISK_FAR_FUNCTION far_##kernel(ISK_C_##T *out, const ISK_C_##T *x, const uint8_t *mask, size_t n, \
	                              ISK_SCALAR_##T alpha)                        \
	{                                                                          \
		ISK_FAR_LOOP(x == out, ISK_COUNT(T), FAR_CALL, FAR_STEP, kernel, T)    \
	}                                                                          \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const uint8_t *mask, size_t n, ISK_SCALAR_##T alpha) \
	{                                                                          \
		ISK_IF_FAR(kernel, sizeof(*y), y, x, mask, n, alpha)                   \
		ISK_LOOP(T, DROPOUT_STEP, y)                                           \
	}
ISK_EACH_dropout(DROPOUT)
