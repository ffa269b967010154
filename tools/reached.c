/* SPDX-License-Identifier: MIT */
#include "reached.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "asked.h"

const char *reached_elsewhere(const char *kernel)
{
	char symbol[96];
	Dl_info called, bound;
	void *function;

	snprintf(symbol, sizeof(symbol), "%s_%s", asked.described->prefix, kernel);
	function = dlsym(RTLD_DEFAULT, symbol);
	if (!function || !dladdr(function, &called) || !called.dli_fname)
		return "nowhere";
	if (dladdr((void *)(uintptr_t)asked.bound(kernel), &bound) && bound.dli_fbase == called.dli_fbase)
		return NULL;
	return called.dli_fname;
}
