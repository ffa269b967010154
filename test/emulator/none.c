/* SPDX-License-Identifier: MIT */
/* The emulator on an architecture without AMX and AVX512-FP16: no variant asks for it. */
#include <stddef.h>

#include "emulator.h"

const char *(*emulator_context)(void);

const char *emulator_install(void)
{
	return "AMX and AVX512-FP16 are of x86-64";
}

unsigned long emulator_count(void)
{
	return 0;
}

int amx_emulator_configured(void)
{
	return 0;
}
