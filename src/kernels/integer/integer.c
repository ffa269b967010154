/* SPDX-License-Identifier: MIT */
/* Arithmetic modulo 2^n, and bits. */
#include "integer_kernels.h"
#include "integers.h"

#define ADD(T, a, b)     (a + b)
#define SUB(T, a, b)     (a - b)
#define MUL(T, a, b)     (a * b)
#define LESS(T, a, b)    ((UNSIGNED(T))(SIGNED(T, a) < SIGNED(T, b)))
#define CHOSEN(m, a, b)  (((m)&a) | (~(m)&b))
#define MINIMUM(T, a, b) CHOSEN(LESS(T, a, b), a, b)
#define MAXIMUM(T, a, b) CHOSEN(LESS(T, a, b), b, a)
#define AND(T, a, b)     (a & b)
#define OR(T, a, b)      (a | b)
#define XOR(T, a, b)     (a ^ b)
#define NOT(T, x)        (~x)
#define THE_SAME(T, x)   (x)

INTEGERS_2(add, ADD)
INTEGERS_2(sub, SUB)
INTEGERS_2(mul, MUL)
INTEGERS_2(minimum, MINIMUM)
INTEGERS_2(maximum, MAXIMUM)
INTEGERS_2(bit_and, AND)
INTEGERS_2(bit_or, OR)
INTEGERS_2(bit_xor, XOR)
INTEGERS_1(bit_not, NOT)
INTEGERS_1(copy, THE_SAME)
