/* SPDX-License-Identifier: MIT */
/* The emulator of AMX on an architecture without it: no variant asks for it. */
#include <stddef.h>

#include "emulator.h"

const char *(*amx_emulator_context)(void);

const char *amx_emulator_install(void)
{
	return "AMX is of x86-64";
}

unsigned long amx_emulator_count(void)
{
	return 0;
}

int amx_emulator_configured(void)
{
	return 0;
}
