/* SPDX-License-Identifier: MIT */
/*
 * The twelve instructions of AMX-TILE, AMX-INT8 and AMX-BF16. They follow the operations and exception classes
 * (AMX-E1 to E6) of Intel's Software Developer's Manual for palette 1: 8 tiles of 16 rows of 64 bytes.
 *
 * tdpbf16ps increases each element of C by the sum of two chains of fused multiply-adds, which start at +0
 * and run in the order of k, one over the even elements of the pairs and one over the odd ones. So there are
 * two further additions. All round to nearest even; denormals are 0 on input and output; MXCSR is ignored.
 *
 * One difference from the CPU: a signal handler sees the tiles of the code that it interrupts, while the
 * kernel would give it fresh ones and restore the others afterwards.
 */
#include "emulator.h"
#include "instructions.h"

#include <immintrin.h>
#include <string.h>

#define TILES 8
#define ROWS  16
#define BYTES 64

struct config {
	uint8_t palette, start_row, reserved[14];
	uint16_t colsb[TILES];
	uint8_t reserved2[16];
	uint8_t rows[TILES], reserved3[8];
};

_Static_assert(sizeof(struct config) == 64, "as ldtilecfg reads it");

union tile {
	uint8_t bytes[ROWS][BYTES];
	int32_t s32[ROWS][BYTES / 4];
	uint32_t u32[ROWS][BYTES / 4];
	float f32[ROWS][BYTES / 4];
};

/*
 * The state of a thread; palette 0: tiles are not configured. initial-exec, because a signal handler must not
 * allocate TLS.
 */
static __thread struct state {
	struct config config;
	union tile tile[TILES];
} state __attribute__((tls_model("initial-exec"), aligned(64)));

struct instruction {
	const char *name;
	const uint8_t *at;
	int reg, rm, vvvv; /* tiles: destination, first and second source */
	struct operand operand;
	uint64_t address, stride;
};

#define FAULT_IF(condition, kind, why)                                                                       \
	do {                                                                                                     \
		if (condition)                                                                                       \
			emulator_fault(kind, i->name, i->at, why);                                                       \
	} while (0)
#define UD_IF(condition, why) FAULT_IF(condition, "#UD", why)
#define GP_IF(condition, why) FAULT_IF(condition, "#GP", why)

static void valid(const struct instruction *i, int tile)
{
	UD_IF(!state.config.palette, "tiles are not configured");
	UD_IF(tile >= TILES, "there are tiles 0 to 7");
	UD_IF(!state.config.rows[tile], "the tile is not configured");
	UD_IF(state.config.colsb[tile] % 4, "bytes of a row are no multiple of 4");
}

/* Clears all tiles. The bytes beyond a tile's shape, and tiles that are not configured, therefore stay 0. */
static void ldtilecfg(const struct instruction *i)
{
	struct config c;

	memcpy(&c, (const void *)(uintptr_t)i->address, sizeof(c));
	GP_IF(c.palette > 1, "no such palette");
	if (c.palette == 0) {
		memset(&state.config, 0, sizeof(state.config));
		return;
	}
	for (int n = 0; n < 14; n++)
		GP_IF(c.reserved[n], "bytes 2 to 15 of the configuration are not 0");
	for (int n = 0; n < 16; n++)
		GP_IF(c.reserved2[n], "bytes 32 to 47 of the configuration are not 0");
	for (int n = 0; n < 8; n++)
		GP_IF(c.reserved3[n], "bytes 56 to 63 of the configuration are not 0");
	for (int n = 0; n < TILES; n++) {
		GP_IF(c.rows[n] > ROWS, "more than 16 rows");
		GP_IF(c.colsb[n] > BYTES, "more than 64 bytes in a row");
		GP_IF(!c.rows[n] != !c.colsb[n], "a tile with rows and no columns, or columns and no rows");
	}
	state.config = c;
	memset(state.tile, 0, sizeof(state.tile));
}

static void sttilecfg(const struct instruction *i)
{
	memcpy((void *)(uintptr_t)i->address, &state.config, sizeof(state.config));
}

static void tilerelease(const struct instruction *i)
{
	(void)i;
	memset(&state.config, 0, sizeof(state.config));
}

static void tilezero(const struct instruction *i)
{
	valid(i, i->reg);
	memset(&state.tile[i->reg], 0, sizeof(state.tile[0]));
	state.config.start_row = 0;
}

/* Loads and stores begin at start_row, where an interrupted one stopped. */
static void move_checked(const struct instruction *i)
{
	UD_IF(!i->operand.has_sib, "the address has no SIB byte");
	valid(i, i->reg);
	UD_IF(state.config.start_row >= state.config.rows[i->reg], "start_row is beyond the tile");
}

static void tileloadd(const struct instruction *i)
{
	union tile *t = &state.tile[i->reg], loaded = *t;

	move_checked(i);
	for (unsigned r = state.config.start_row; r < state.config.rows[i->reg]; r++)
		memcpy(loaded.bytes[r], (const void *)(uintptr_t)(i->address + r * i->stride),
		       state.config.colsb[i->reg]);
	*t = loaded;
	state.config.start_row = 0;
}

static void tilestored(const struct instruction *i)
{
	move_checked(i);
	for (unsigned r = state.config.start_row; r < state.config.rows[i->reg]; r++)
		memcpy((void *)(uintptr_t)(i->address + r * i->stride), state.tile[i->reg].bytes[r],
		       state.config.colsb[i->reg]);
	state.config.start_row = 0;
}

/* C (reg) is m by n, A (rm) m by k, B (vvvv) k by n, all in units of 4 bytes. */
static void product_checked(const struct instruction *i)
{
	const struct config *c = &state.config;

	UD_IF(i->reg == i->rm || i->reg == i->vvvv || i->rm == i->vvvv, "the same tile twice");
	valid(i, i->reg);
	valid(i, i->rm);
	valid(i, i->vvvv);
	UD_IF(c->rows[i->reg] != c->rows[i->rm], "the rows of C and A differ");
	UD_IF(c->colsb[i->reg] != c->colsb[i->vvvv], "the columns of C and B differ");
	UD_IF(c->colsb[i->rm] / 4 != c->rows[i->vvvv], "the columns of A and the rows of B differ");
}

/* Whole tiles: A is 0 in rows beyond the shape of C, and B in columns beyond it, so C stays 0 there. */
static void product_s32(const struct instruction *i, int a_signed, int b_signed)
{
	const union tile *a = &state.tile[i->rm], *b = &state.tile[i->vvvv];
	union tile *c = &state.tile[i->reg];

	product_checked(i);
	for (int m = 0; m < state.config.rows[i->reg]; m++)
		for (int k = 0; k < state.config.rows[i->vvvv]; k++)
			for (int q = 0; q < 4; q++) {
				const uint8_t byte = a->bytes[m][4 * k + q];
				const int32_t x = a_signed ? (int8_t)byte : byte;

				for (int n = 0; n < BYTES / 4; n++) {
					const uint8_t y = (uint8_t)(b->u32[k][n] >> 8 * q);

					c->u32[m][n] += (uint32_t)(x * (b_signed ? (int8_t)y : y));
				}
			}
	state.config.start_row = 0;
}

static void tdpbssd(const struct instruction *i)
{
	product_s32(i, 1, 1);
}

static void tdpbsud(const struct instruction *i)
{
	product_s32(i, 1, 0);
}

static void tdpbusd(const struct instruction *i)
{
	product_s32(i, 0, 1);
}

static void tdpbuud(const struct instruction *i)
{
	product_s32(i, 0, 0);
}

static float f32_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* MXCSR while tdpbf16ps runs: flush-to-zero, denormals-are-zero, to nearest, nothing raised. */
#define FLUSHING 0x9fc0

static void tdpbf16ps(const struct instruction *i)
{
	const union tile *a = &state.tile[i->rm], *b = &state.tile[i->vvvv];
	union tile *c = &state.tile[i->reg];
	const unsigned mxcsr = _mm_getcsr();

	product_checked(i);
	__asm__ volatile("ldmxcsr %0" : : "m"((const unsigned){FLUSHING}) : "memory");
	for (int m = 0; m < state.config.rows[i->reg]; m++) {
		float even[BYTES / 4] = {0}, odd[BYTES / 4] = {0};

		for (int k = 0; k < state.config.rows[i->vvvv]; k++) {
			const float x0 = f32_of(a->u32[m][k] << 16), x1 = f32_of(a->u32[m][k] & 0xffff0000);

			for (int n = 0; n < BYTES / 4; n++) {
				even[n] = __builtin_fmaf(x0, f32_of(b->u32[k][n] << 16), even[n]);
				odd[n] = __builtin_fmaf(x1, f32_of(b->u32[k][n] & 0xffff0000), odd[n]);
			}
		}
		for (int n = 0; n < state.config.colsb[i->reg] / 4; n++)
			c->f32[m][n] += even[n] + odd[n];
	}
	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
	state.config.start_row = 0;
}

/*
 * All are VEX.128.0F38.W0. The table has the prefix, the opcode, whether ModRM is a memory operand, and its
 * fixed fields.
 */
enum { NP, P66, PF3, PF2, ANY = -1 };

static const struct {
	const char *name;
	int prefix, opcode, memory, reg, rm, uses_vvvv;
	void (*run)(const struct instruction *i);
} instructions[] = {
	{"ldtilecfg", NP, 0x49, 1, 0, ANY, 0, ldtilecfg},
	{"sttilecfg", P66, 0x49, 1, 0, ANY, 0, sttilecfg},
	{"tilerelease", NP, 0x49, 0, 0, 0, 0, tilerelease},
	{"tilezero", PF2, 0x49, 0, ANY, 0, 0, tilezero},
	{"tileloadd", PF2, 0x4b, 1, ANY, ANY, 0, tileloadd},
	{"tileloaddt1", P66, 0x4b, 1, ANY, ANY, 0, tileloadd},
	{"tilestored", PF3, 0x4b, 1, ANY, ANY, 0, tilestored},
	{"tdpbssd", PF2, 0x5e, 0, ANY, ANY, 1, tdpbssd},
	{"tdpbsud", PF3, 0x5e, 0, ANY, ANY, 1, tdpbsud},
	{"tdpbusd", P66, 0x5e, 0, ANY, ANY, 1, tdpbusd},
	{"tdpbuud", NP, 0x5e, 0, ANY, ANY, 1, tdpbuud},
	{"tdpbf16ps", PF3, 0x5c, 0, ANY, ANY, 1, tdpbf16ps},
};

int amx_execute(ucontext_t *u)
{
	const uint8_t *p = (const uint8_t *)(uintptr_t)u->uc_mcontext.gregs[REG_RIP];
	struct instruction i = {.at = p};
	int prefix;

	/* C4, map 0F38, W 0, L 0 */
	if (p[0] != 0xc4 || (p[1] & 0x1f) != 2 || (p[2] & 0x84))
		return 0;
	prefix = p[2] & 3;
	i.operand = operand_at(u, p + 4, !(p[1] & 0x40), !(p[1] & 0x20), 1, 0);
	i.reg = (p[4] >> 3 & 7) | !(p[1] & 0x80) << 3;
	i.rm = (p[4] & 7) | !(p[1] & 0x20) << 3;
	i.vvvv = ~p[2] >> 3 & 15;
	/* Without an index the stride is 0, so all rows of a tile are the same memory. */
	i.address = i.operand.base;
	i.stride = i.operand.index;
	for (size_t n = 0; n < sizeof(instructions) / sizeof(instructions[0]); n++) {
		if (instructions[n].prefix != prefix || instructions[n].opcode != p[3] ||
		    instructions[n].memory != i.operand.is_memory ||
		    (instructions[n].reg != ANY && instructions[n].reg != i.reg) ||
		    (instructions[n].rm != ANY && instructions[n].rm != i.rm))
			continue;
		i.name = instructions[n].name;
		if (!instructions[n].uses_vvvv && i.vvvv)
			emulator_fault("#UD", i.name, i.at, "VEX.vvvv is not 1111");
		/* ldtilecfg and sttilecfg have no stride, so the index belongs to the address. */
		if (p[3] == 0x49)
			i.address += i.stride;
		instructions[n].run(&i);
		u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)i.operand.next;
		return 1;
	}
	return 0;
}

int amx_emulator_configured(void)
{
	return state.config.palette != 0;
}
