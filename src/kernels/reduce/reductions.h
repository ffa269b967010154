/* SPDX-License-Identifier: MIT */
/* The reductions that blocks.h computes. */
#ifndef ISK_REDUCTIONS_H
#define ISK_REDUCTIONS_H

/*
 * Reductions of one array, which take elements a and b in pairs 4 lines apart: SUM a + b; SIZE |a| + |b|; NONZERO, the
 * number of elements that are not 0; PRODUCT; LEAST; MOST. Reductions of one array without pairs: SCALED (a * centre)^2
 * and, for f64, DEVIATION, two sums: a - centre and its square. Reductions of two arrays: DOT, L2SQ and COSINE as in
 * sum_tree.h; L1 |a - b|; FARTHEST, the greatest |a - b|.
 */
enum part {
	P_SUM, P_SIZE, P_NONZERO, P_PRODUCT, P_LEAST, P_MOST, P_SCALED, P_DEVIATION, P_DOT, P_L2SQ, P_COSINE, P_L1,
	P_FARTHEST
};

#endif
