/* SPDX-License-Identifier: MIT */
/* The epilogue into bf16: of its own, for ISAs that have an instruction for it. */
#include "epilogue.h"

epilogue_fn ISK_FN(epilogue_bf16);

DEFINE_EPILOGUE(epilogue_bf16, ISK_BF16)
