/* SPDX-License-Identifier: MIT */
#ifndef RUN_H
#define RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct variant;

/* The test of this variant; of one that cannot run here, a skipped one. */
struct CMUnitTest variant_test(struct variant *v);

#endif
