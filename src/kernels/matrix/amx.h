/* SPDX-License-Identifier: MIT */
/*
 * The AMX instructions, with the number of a tile as a literal. They replace the compiler's
 * intrinsics because gcc 12 declares less memory than these read and write, and drops the
 * stores that prepare a configuration or a tile. HAS_AMX is 1 if the file is compiled for
 * AMX; otherwise the instructions expand to nothing, for branches that are never taken.
 *
 * A tile is up to 16 rows of up to 64 bytes. A product takes C (16 by 16 words), A (16 rows
 * of k) and B (16 panel lines of packed.h).
 */
#ifndef ISK_AMX_H
#define ISK_AMX_H

#include <stddef.h>
#include <stdint.h>

#define ISK_AMX_TILES 8
#define ISK_AMX_ROWS  16

/* The configuration that tile_config() loads. palette is 1; unused tiles are all 0. */
struct isk_amx_config {
	uint8_t palette, start_row, zero[14];
	uint16_t bytes[ISK_AMX_TILES]; /* bytes of a row of each tile */
	uint8_t zero2[16];
	uint8_t rows[ISK_AMX_TILES], zero3[8];
};

_Static_assert(sizeof(struct isk_amx_config) == 64, "as ldtilecfg reads it");

#if defined(__AMX_TILE__) || defined(__AMXTILE__) /* gcc, clang */
#define HAS_AMX 1

#define tile_config(from)     __asm__ volatile("ldtilecfg %0" : : "m"(*(const struct isk_amx_config *)(from)))
#define tile_config_store(to) __asm__ volatile("sttilecfg %0" : "=m"(*(struct isk_amx_config *)(to)))
#define tile_release()        __asm__ volatile("tilerelease" : : : "memory")
#define tile_zero(t)          __asm__ volatile("tilezero %%tmm" #t : :)
#define TILE_MEMORY_(operation, address, stride)                                                             \
	__asm__ volatile(operation : : "r"((const void *)(address)), "r"((size_t)(stride)) : "memory")
#define tile_load(t, from, stride) TILE_MEMORY_("tileloadd (%0,%1,1), %%tmm" #t, from, stride)
/* For memory that is read once. */
#define tile_load_once(t, from, stride) TILE_MEMORY_("tileloaddt1 (%0,%1,1), %%tmm" #t, from, stride)
#define tile_store(to, stride, t)       TILE_MEMORY_("tilestored %%tmm" #t ", (%0,%1,1)", to, stride)
#define TILE_PRODUCT_(operation, c, a, b)                                                                    \
	__asm__ volatile(operation " %%tmm" #b ", %%tmm" #a ", %%tmm" #c : :)
/* C += A * B. The two letters say whether A and B are signed, A first. */
#define tile_dpb_ss(c, a, b) TILE_PRODUCT_("tdpbssd", c, a, b)
#define tile_dpb_su(c, a, b) TILE_PRODUCT_("tdpbsud", c, a, b)
#define tile_dpb_us(c, a, b) TILE_PRODUCT_("tdpbusd", c, a, b)
#define tile_dpb_uu(c, a, b) TILE_PRODUCT_("tdpbuud", c, a, b)
#define tile_dpbf16(c, a, b) TILE_PRODUCT_("tdpbf16ps", c, a, b)

#else
#define HAS_AMX 0

#define tile_config(from)               ((void)(from))
#define tile_release()                  ((void)0)
#define tile_zero(t)                    ((void)0)
#define tile_load(t, from, stride)      ((void)(from), (void)(stride))
#define tile_load_once(t, from, stride) ((void)(from), (void)(stride))
#define tile_store(to, stride, t)       ((void)(to), (void)(stride))
#define tile_dpb_ss(c, a, b)            ((void)0)
#define tile_dpb_su(c, a, b)            ((void)0)
#define tile_dpb_us(c, a, b)            ((void)0)
#define tile_dpb_uu(c, a, b)            ((void)0)
#define tile_dpbf16(c, a, b)            ((void)0)
#endif

#endif
