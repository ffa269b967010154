/* SPDX-License-Identifier: MIT */
/* prefix.h replaces the names of the API by those of the library for which this is compiled, and meson.build those of call.c. */
#include "prefix.h"

#include "library.h"

extern const struct library ISK_OWN_NAME(node_library);

const struct library ISK_OWN_NAME(node_library) = {
	.call = isk_call,
	.message = isk_call_message,
	.signature = isk_signature,
	.parameter = isk_parameter,
	.candidates = isk_candidates,
	.count = isk_kernel_count,
};
