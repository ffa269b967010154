/* SPDX-License-Identifier: MIT */
#ifndef ISK_BLAS_ROOM_H
#define ISK_BLAS_ROOM_H

#include <stddef.h>

/* `bytes` bytes, aligned to a cache line, from blocks that give() keeps; NULL without memory. Any thread may give what one took. */
void *blas_take_room(size_t bytes);
void blas_give_room(void *room);

#endif
