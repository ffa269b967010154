/* SPDX-License-Identifier: MIT */
/* Reductions of columns in lanes of f32 and of f64, in stripes of WIDTH vectors: column.h. */
#ifndef ISK_COLUMNS_H
#define ISK_COLUMNS_H

#include "trees.h"

#include "exp_lanes.h"

/* The sum, that of squares, of sizes |e|; the least, the most, the most in size; the product; with a centre c the sums of
 * (e - c)^2, of (e c)^2 and of e^(e - c). */
enum column {
	SUM_OF, SQUARES_OF, SIZES_OF, LEAST_OF, MOST_OF, FARTHEST_OF, PRODUCT_OF, DEVIATIONS_OF, SCALED_OF,
	POWERS_OF
};

#define TREE vf
#include "column.h"
#define TREE vd
#include "column.h"

#endif
