/* SPDX-License-Identifier: MIT */
/* The epilogue into bf16, in a file of its own, because it is also compiled for ISAs that convert by one instruction. */
#include "epilogue.h"

epilogue_fn ISK_FN(epilogue_bf16);

void ISK_FN(epilogue_bf16)(const struct epilogue *e)
{
	put_sums(e, ISK_BF16);
}
