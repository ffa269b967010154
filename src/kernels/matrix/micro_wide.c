/* SPDX-License-Identifier: MIT */
/*
 * micro_f32() of micro_float.c with wide tiles of this ISA, which prefetch less if it is whole (FAST_ROWS_WHOLE). All
 * other tiles are those of micro_float.c, whose 290 KB of code stand in the library once for all ISAs with AVX-512.
 */
#include "gemm.h"
#include "micro.h"

micro_fn ISK_FN(micro_wide_f32);

void ISK_FN(micro_wide_f32)(struct tile *t)
{
	if (!IS_WHOLE || t->panels != WIDE_PANELS || t->rows <= FAST_ROWS) {
		ISK_PART(micro_float, micro_f32)(t);
		return;
	}
	do {
		switch (t->rows) {
			UP_TO_6(MICRO_CASE, FAST_ROWS + 1, wide_rows(WIDE_F32), WIDE_PANELS, WIDE_F32, PACKED)
		}
	} while (step_right(t, WIDE_F32));
}
