/* SPDX-License-Identifier: MIT */
/* The epilogue into bf16, in a file of its own, because it is also compiled for ISAs that convert by one instruction. */
#include "epilogue.h"

epilogue_fn ISK_FN(epilogue_bf16);

DEFINE_EPILOGUE(epilogue_bf16, ISK_BF16)
