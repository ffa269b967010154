/* SPDX-License-Identifier: MIT */
/* The activations of cells. */
#ifndef ISAKERN_CELLS_TYPES_H
#define ISAKERN_CELLS_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

enum isk_cell_act {
	ISK_CELL_SIGMOID = 0,
	ISK_CELL_RELU = 1,
	ISK_CELL_TANH = 2,
	ISK_CELL_IDENTITY = 3,
};

/* The acts of a cell: an enum isk_cell_act each for its gates, its candidate (for a GRU, its state) and its h. */
#define ISK_CELL_ACTS(gate, candidate, cell) ((unsigned)(gate) | (unsigned)(candidate) << 2 | (unsigned)(cell) << 4)

#ifdef __cplusplus
}
#endif

#endif
