/* SPDX-License-Identifier: MIT */
/* Arithmetic modulo 2^n, and bits. */
#include "integer_kernels.h"
#include "integers.h"

#define SIGNED(v) _Generic((v), vu: (vi)(v), vul: (vl)(v))

/* m ? a : b in each lane; m sets all bits of a lane, or none. */
#define EITHER(m, a, b) (((__typeof(a))(m) & (a)) | (~(__typeof(a))(m) & (b)))

INTEGERS_2(add, a + b)
INTEGERS_2(sub, a - b)
INTEGERS_2(mul, a * b)
INTEGERS_2(minimum, EITHER(SIGNED(a) < SIGNED(b), a, b))
INTEGERS_2(maximum, EITHER(SIGNED(a) < SIGNED(b), b, a))
INTEGERS_2(bit_and, a & b)
INTEGERS_2(bit_or, a | b)
INTEGERS_2(bit_xor, a ^ b)
INTEGERS_1(bit_not, ~x)
INTEGERS_1(copy, x)
