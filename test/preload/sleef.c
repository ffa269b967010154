/* SPDX-License-Identifier: MIT */
/* Each kernel of libisakern-sleef once. */
#include "every.h"
#include "isakern/sleef.h"

int main(void)
{
	return isk_sleef_kernel_count() != isk_kernels_count || every();
}
