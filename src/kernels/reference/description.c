/* SPDX-License-Identifier: MIT */
#include "description.h"

#include "kernels.h"
#include "paste.h"
#include "prefix.h"
#include "variables.h"

__attribute__((visibility("default"))) const struct isk_description isakern_description = {
	.size = sizeof(isakern_description),
	.version = ISK_TEXT(ISK_VERSION_MAJOR) "." ISK_TEXT(ISK_VERSION_MINOR) "." ISK_TEXT(ISK_VERSION_PATCH),
	.prefix = ISK_TEXT(ISK_PREFIX),
	.own = ISK_TEXT(ISK_OWN),
	.bind = ISK_BIND_VARIABLE,
	.count = ISK_KERNEL_COUNT,
	.kernels = isk_kernels,
	.forms = isk_forms,
};
