/* SPDX-License-Identifier: MIT */
/* Reductions of columns in lanes of f32 and of f64, in stripes of WIDTH vectors: column.h. */
#ifndef ISK_COLUMNS_H
#define ISK_COLUMNS_H

#include "trees.h"

enum column { SUM_OF, SQUARES_OF, LEAST_OF, MOST_OF };

#define TREE vf
#include "column.h"
#define TREE vd
#include "column.h"

#endif
