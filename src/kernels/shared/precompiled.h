/* SPDX-License-Identifier: MIT */
/*
 * Compiled once for each ISA and put before each of its sources, because the compiler takes half a second to read its
 * intrinsics: longer than it takes to compile most kernels. Sources include kernel.h themselves as well, since a build
 * with -Db_pch=false puts nothing before them.
 */
#include "kernel.h"
