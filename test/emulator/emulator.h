/* SPDX-License-Identifier: MIT */
#ifndef EMULATOR_H
#define EMULATOR_H

/*
 * From now on instructions of AMX and AVX512-FP16 that this machine refuses run emulated, in every thread. Any other
 * SIGILL goes to the previous handler. Call it again after setting another handler, as cmocka does for each test.
 * Returns NULL, or why emulation is not possible here.
 */
const char *emulator_install(void);

/* A description of the current work, for the message of a fault; NULL by default. */
extern const char *(*emulator_context)(void);

/* Instructions emulated so far by this thread. */
unsigned long emulator_count(void);

/* Whether this thread has configured tiles and not released them. */
int amx_emulator_configured(void);

#endif
