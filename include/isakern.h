/* SPDX-License-Identifier: MIT */
/*
 * isakern: numerical kernels that bind themselves to the CPU they run on.
 *
 * Every kernel declared in isakern_kernels.h is a GNU indirect function. The
 * dynamic linker binds it, once, to the variant that is best for this CPU and
 * this operating system; a call then goes straight to that variant. There is
 * nothing to initialise and nothing to free, and every function here may be
 * called from any number of threads at once.
 *
 * This header is the contract. What holds for a whole shape of kernels is said
 * here, once; what differs from kernel to kernel (what it computes and how
 * exactly) stands beside its prototype in isakern_kernels.h.
 */
#ifndef ISAKERN_H
#define ISAKERN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ISK_VERSION_MAJOR 0
#define ISK_VERSION_MINOR 1
#define ISK_VERSION_PATCH 0

/* A bfloat16 and an IEEE 754 binary16 travel as their bits. */
typedef uint16_t isk_bf16;
typedef uint16_t isk_f16;

/*
 * What holds for every kernel
 *
 * Sizes and strides count elements, not bytes. Pointers need the alignment of
 * their element type and no more. A size of 0 is allowed: nothing is read or
 * written, and pointers may then be NULL. An output may be the very array that
 * is an input of the same element type (in place), where its shape does not say
 * otherwise; any other overlap of an output with an input is not allowed.
 *
 * Kernels do not allocate, lock, print or set errno. They expect the default
 * floating-point environment (round to nearest, exceptions masked, no
 * flush-to-zero) and do not change it, the exception flags apart. They take at
 * most 64 KiB of stack.
 *
 * Errors are bounded, and the bounds are tested: see each kernel. From avx2 up
 * a kernel marked "same bits" gives bit-identical results at every ISA, for
 * every alignment. Not promised: the payload and sign of a NaN a kernel returns
 * (conversions excepted), exception flags, and equal bits at baseline, which
 * has no fused multiply-add.
 *
 * eps below is 2^-24, half the distance from 1 to the next f32, and depth(n) the
 * smaller of n + 2 and 32 + log2(n): how often a term of a sum is rounded.
 * Bounds on sums hold where no term or sum of theirs, a square of an input for
 * instance, overflows or falls below 2^-126.
 *
 * map        y[i] = f(x[i]). Error in ulp of the exact result.
 * zip        y[i] = f(a[i], b[i]). Error in ulp.
 * cvt        y[i] = x[i] in another type, rounded to nearest, ties to even. A
 *            NaN stays a NaN, becomes quiet, and keeps its sign and the upper
 *            bits of its payload. Denormals are kept in both directions.
 * quantize   y[i] = saturate(round(x[i] / scale) + zero), ties to even; the
 *            division is by the f32 scale, correctly rounded. NaN gives zero,
 *            infinities saturate. scale must be positive and finite, zero a
 *            value of the 8-bit type.
 * dequantize y[i] = (x[i] - zero) * scale, rounded once.
 * reduce     One number from x[0..n). Sums are added in a fixed tree of lanes
 *            that depends on n alone; their error is a multiple of
 *            eps * depth(n) * sum |terms|. The sum of nothing is 0, the maximum
 *            of nothing -Inf; the maximum is NaN when any element is.
 * reduce2    One number from two arrays; as reduce. The terms of the cosine are
 *            those of the dot product, and the result itself, over both norms.
 * index      The first position of the answer; the position of the first NaN
 *            if there is one; 0 when n is 0.
 * softmax    y[r][i] = exp(x[r][i] - max) / sum over row r, for rows of cols
 *            elements, ldx and ldy elements apart. Error in multiples of
 *            eps * y * (depth(cols) + max - x[r][i]), and 2^-148 where y is
 *            below 2^-126. A row with a NaN or +Inf is all NaN; a row of -Inf
 *            alone too.
 * norm       Rows as in softmax, each normalised over its columns, then
 *            multiplied by weight[i] and increased by bias[i]; weight and bias
 *            may be NULL (1 and 0). Error in multiples of
 *            eps * depth(cols) * (|y| + |bias| + |weight|) * (1 + amplification),
 *            where amplification is max |x| / sqrt(variance + epsilon) for
 *            layernorm and 0 for rmsnorm.
 * pool       y[i] = f over r of x[r][i]: rows of cols elements, ldx apart.
 *            Error in multiples of eps * depth(rows) * mean |terms|. y has cols
 *            elements. No rows give NaN.
 * pack, gemm, matmul, matmul_batch See below.
 * conv_pack, conv See below.
 * transpose  y[j][i] = x[i][j], for x of rows by cols elements, rows ldx elements
 *            apart, and y of cols by rows, ldy apart. Elements are bits, 8 to 64
 *            as the name says: whatever is that wide. Not in place.
 * images     From images of channels planes of pixels (NCHW) to images of pixels
 *            that are channels elements side by side (NHWC), or back, without
 *            gaps: for each image a transpose. Not in place.
 * query      A property of the bound variant.
 */

/*
 * Matrix multiplication
 *
 *      C[i][j] = post(sum over k of A[i][k] * B[k][j])
 *
 * A (m by k) and C (m by n) are row-major with strides lda >= k and ldc >= n. B
 * (k by n) is packed beforehand, once, with isk_gemm_pack_*, into one portable
 * layout: it is the same on every CPU and at every ISA, and can be stored,
 * mapped and moved. The name tells the types: gemm_u8s8_f32 multiplies u8 by s8
 * into f32; in gemm_f32bf16 B alone is bf16, and C is f32 like A; in gemm_bf16
 * all three are bf16.
 *
 * Sums of floats are f32, one chain of fused multiply-adds in the order of k,
 * from +0, for whatever m, n, blocking or split of the work among threads
 * (m by rows, n by first_column): from avx2 up the bits never differ. Where B is
 * bf16 the order is that of vdpbf16ps, 2i + 1 before 2i. Where B has 16 or 8
 * bits, k is filled up with zeros to a multiple of 2 or 4, which makes +0 of a
 * sum of -0. Denormals count in every type; no variant takes them for 0. amx
 * alone, where a kernel has it, adds bf16 in another order, of k alone as well,
 * takes denormals for 0, and keeps the bound, of what is left then, but not the
 * bits. Error in multiples of eps * k * sum |terms|, before the post-operations.
 * A bf16 or f16 C is rounded once more, to nearest even.
 *
 * Sums of 8-bit integers are exact modulo 2^32, at every ISA. Zero points are
 * subtracted from the elements of A and B: sum (A - a_zero) * (B - b_zero). An s32
 * C takes zero points and no other post-operation. For an f32, s8 or u8 C the
 * sum, as a signed number, is rounded to f32, then scaled and biased by one fused
 * multiply-add. An s8 or u8 C is quantized at the end as by the quantize kernels:
 * it needs a post, whose out_scale is positive and finite and whose out_zero is a
 * value of C, and other is then taken for integers as they are.
 *
 * gemm_f32s8 has f32 A and s8 weights. Scales belong to columns (scale), or to
 * groups of 32, 64 or 128 k of a column (group_scale): then each group is a
 * chain of its own, which is multiplied by its scale and added by one more
 * fused multiply-add, in the order of k. Its bound is one of k + 1 then.
 *
 * C must not overlap A or B, nor anything that post points to but other, the
 * second operand of the binary post-operation: that may be C itself, with ldother
 * = ldc. k = 0 gives post(0), of which group_scale is no part. packed is looked at
 * whatever the sizes, and needs no alignment.
 *
 * matmul takes B as it is, row-major with a stride ldb >= n, for small products
 * and for a B that is used once. Either matrix may be stored transposed: A then
 * is k by m with lda >= m, B n by k with ldb >= k. first_column must be 0. The
 * bits are those of gemm. matmul_batch is that for matrices stride_c, stride_a
 * and stride_b elements apart; stride_a and stride_b may be 0, for one matrix
 * in all products. Those of C follow one another or lie side by side in rows of
 * one stride; as other operands they are stride_c apart too, and ldother.
 *
 * All of these return 0, or a negative isk_status with nothing written.
 */
enum isk_transposed {
	ISK_TRANSPOSED_A = 1,
	ISK_TRANSPOSED_B = 2,
};

enum isk_status {
	ISK_OK = 0,
	ISK_ERR_NULL = -1,    /* a pointer is NULL that must not be */
	ISK_ERR_SIZE = -2,    /* sizes whose product overflows size_t */
	ISK_ERR_STRIDE = -3,  /* a stride below the row length */
	ISK_ERR_SPACE = -4,   /* the buffer for the packed matrix is too small */
	ISK_ERR_PACKED = -5,  /* not a packed matrix, truncated or damaged */
	ISK_ERR_VERSION = -6, /* packed by a newer isakern */
	ISK_ERR_TYPE = -7,    /* packed for another element type */
	ISK_ERR_SHAPE = -8,   /* packed with another k, or with too few columns */
	ISK_ERR_POST = -9,    /* a post-operation that does not exist or does not apply */
	ISK_ERR_KERNEL = -10, /* no kernel of that name */
	ISK_ERR_CONV = -11,   /* a convolution that does not exist: see struct isk_conv */
};

/* One English sentence for a status; never NULL. */
const char *isk_strerror(int status);

enum isk_type {
	ISK_F32 = 1,
	ISK_BF16 = 2,
	ISK_F16 = 3,
	ISK_S8 = 4,
};

/*
 * Bytes that a packed k by n matrix takes, or 0 if that overflows size_t.
 * The buffer may begin anywhere. Panels start 64 bytes into it: align it to 64
 * for speed.
 */
size_t isk_packed_size(enum isk_type type, size_t k, size_t n);

/*
 * Reads a packed matrix through, as after loading it from a file: header,
 * length and checksum. The kernels check the header alone, on each call.
 */
int isk_packed_check(const void *packed, size_t bytes, enum isk_type type);

enum isk_activation {
	ISK_ACT_NONE,
	ISK_ACT_RELU,        /* max(x, 0) */
	ISK_ACT_RELU6,       /* min(max(x, 0), 6) */
	ISK_ACT_LEAKY_RELU,  /* x < 0 ? act_a * x : x */
	ISK_ACT_SIGMOID,     /* 1 / (1 + exp(-x)) */
	ISK_ACT_HARDSIGMOID, /* min(max(x / 6 + 0.5, 0), 1) */
	ISK_ACT_TANH,        /* tanh(x) */
	ISK_ACT_HARDTANH,    /* min(max(x, act_a), act_b) */
	ISK_ACT_HARDSWISH,   /* x * hardsigmoid(x) */
	ISK_ACT_GELU,        /* x / 2 * (1 + erf(x / sqrt(2))) */
	ISK_ACT_GELU_TANH,   /* x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) */
	ISK_ACT_SILU,        /* x * sigmoid(x) */
};

enum isk_binary {
	ISK_BINARY_NONE,
	ISK_BINARY_ADD,  /* v + other */
	ISK_BINARY_SUB,  /* v - other */
	ISK_BINARY_MUL,  /* v * other */
	ISK_BINARY_AXPY, /* v + other_scale * other: the beta of BLAS */
};

/*
 * What happens to an element of C between its sum and its store, in this
 * order: zero points, scale, bias, activation, binary operation, output scale
 * and zero point. All zero but for size means: nothing. Kernels take NULL for
 * that as well. Per-column arrays are indexed from the first column that the
 * call computes.
 */
struct isk_post {
	size_t size;            /* sizeof(struct isk_post), so that fields can be added */
	size_t first_column;    /* of packed B, a multiple of 16; C[i][0] is that column */
	int32_t a_zero;         /* 8-bit A: the value that stands for 0 */
	const int32_t *b_zero;  /* 8-bit B: likewise, b_zeros values */
	size_t b_zeros;         /* 0: none, 1: one for all columns, n: one a column */
	const float *scale;     /* the sum is multiplied by it */
	size_t scales;          /* 0: none, 1: one for all columns (alpha), n: one a column */
	const float *bias;      /* n values, or NULL */
	enum isk_activation act;
	float act_a, act_b;
	enum isk_binary binary;
	const void *other;      /* m by n, of the type of C */
	size_t ldother;
	float other_scale;
	float out_scale;        /* 8-bit C: quantized as by the quantize kernels */
	int32_t out_zero;
	const float *group_scale; /* gemm_f32s8: ceil(k / group) rows, ldgroup apart, of n values */
	size_t group;           /* 0: none; 32, 64 or 128 */
	size_t ldgroup;
};

/*
 * Convolution
 *
 *      y[i][r][c][o] = post(sum over tap row u, tap column v and channel of
 *              x[i][r * stride_h + u * dilation_h - pad_top]
 *                  [c * stride_w + v * dilation_w - pad_left][channel] * w[o][channel][u][v])
 *
 * Images are NHWC: the channels of a pixel side by side, pixels ldx (of y: ldy)
 * elements apart, rows of pixels and images without gaps. A 1-D convolution has
 * height and kernel_h 1. x is surrounded by pixels of 0, or of a_zero where it
 * is u8; they take part in the sum like any other, so that 0 times an infinite
 * weight is NaN; only a conv_f32 that is not depthwise leaves them out. Output o
 * of group g sees the channels of group g alone; where channels equals groups,
 * and groups is above 1, the convolution is depthwise. Where CPUs multiply small
 * types in groups, the image is read in place, which is faster, if x is aligned to
 * 4 bytes and so are its pixels and the channels of a group: bf16 in pairs, u8 in
 * fours, the latter without zero points.
 *
 * w (out_channels by channels / groups by kernel_h by kernel_w: OIHW) is packed
 * beforehand with isk_conv_pack_*, into one packed matrix for each group, one
 * after the other, of k = kernel_h * kernel_w * channels / groups by
 * out_channels / groups; a depthwise convolution has one, of kernel_h * kernel_w
 * by out_channels. isk_packed_check() reads one of them. The order of k is tap
 * row, tap column, channel.
 *
 * Sums, types, post-operations, errors and statuses are those of the matrix
 * product of the same types of output pixels by k and k by out_channels, on amx
 * that of amx; only a depthwise sum of bf16 is in the order of k, with denormals,
 * at every ISA. first_column must be 0, group too, and the strides of other are
 * from pixel to pixel. y must not overlap x, nor anything that post points to but
 * other, which may be y itself, with ldother = ldy. Work can be split by images,
 * or by rows of y with the padding that falls to each part: the bits do not change.
 */
struct isk_conv {
	size_t size; /* sizeof(struct isk_conv) */
	size_t images, height, width, channels, out_channels;
	size_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w; /* at least 1 */
	size_t pad_top, pad_left, pad_bottom, pad_right;
	size_t groups; /* at least 1, divides channels and out_channels */
	size_t ldx, ldy; /* 0: channels, out_channels */
};

/* Height and width of y; 0 where the kernel is larger than the padded image. */
int isk_conv_output(const struct isk_conv *conv, size_t *height, size_t *width);

/* Bytes that the packed weights take, or 0 if there is no such convolution. */
size_t isk_conv_packed_size(enum isk_type type, const struct isk_conv *conv);

/*
 * Asking the library
 *
 * ISA names are those of `isakern info`: baseline, avx2, avx2_vnni, avx512,
 * avx512_vnni, avx512_bf16, amx, avx512_fp16, lowest first. All these answers
 * may be had before any kernel is called; they do not bind anything, and never
 * disagree with what a call does. Strings are static.
 */
const char *isk_version(void);

/* The highest ISA kernels are bound to: of this CPU and OS, built, and not
 * capped or disabled by the environment. Asks the OS for the use of AMX if only
 * that is left to find out. */
const char *isk_isa_current(void);
/* The highest ISA this CPU and OS can run, whatever this binary holds. */
const char *isk_isa_cpu(void);
/* The highest ISA this binary holds. */
const char *isk_isa_binary(void);

size_t isk_isa_count(void);
/* The name of ISA i, lowest first; NULL from isk_isa_count() on. */
const char *isk_isa_name(size_t i);

/* Why a variant is not used, or ISK_USABLE. */
enum isk_state {
	ISK_USABLE,
	ISK_NOT_BUILT,  /* left out when the library was configured */
	ISK_NOT_LINKED, /* the kernel is not in this statically linked program */
	ISK_NO_CPU,     /* the CPU lacks an instruction set */
	ISK_NO_OS,      /* the CPU has it, the OS (or GLIBC_TUNABLES) does not enable it */
	ISK_NO_PERMISSION, /* the kernel refused the use of AMX */
	ISK_CAPPED,     /* above ISAKERN_MAX_ISA */
	ISK_DISABLED,   /* in ISAKERN_DISABLE */
	ISK_DEMOTED,    /* measured to be slower than another one on this CPU */
	ISK_PINNED,     /* ISAKERN_BIND chose another one */
};

struct isk_candidate {
	const char *isa;
	void (*fn)(void);     /* cast to the type of the kernel; NULL if not there */
	enum isk_state state; /* from ISK_CAPPED on, fn may be called all the same (AMX
	                         excepted where it is capped or disabled) */
	int bound;            /* 1: a call reaches this one */
	char reason[112];     /* one line for people, e.g. "CPU lacks avx512_fp16" */
};

struct isk_kernel_info {
	const char *name;    /* "exp_f32": the symbol without isk_ */
	const char *shape;   /* "map" */
	const char *bits;    /* "same", "same-amx" (of all but amx) or "bound" */
	const char *error;   /* the error bound in the unit of the shape: "0.51", "exact" */
	const char *error_baseline; /* likewise, at baseline */
	const char *summary; /* one line */
};

/* Kernel i of isk_kernel_count(), in the order of the table. */
size_t isk_kernel_count(void);
int isk_kernel_info(size_t i, struct isk_kernel_info *info);

/*
 * The candidates of a kernel, lowest ISA first: fills at most max of them and
 * returns how many there are, or ISK_ERR_KERNEL. Where a kernel has an AMX
 * variant that is not capped or disabled this asks the OS for the use of AMX.
 */
int isk_candidates(const char *kernel, struct isk_candidate *out, size_t max);

/* What a call of the kernel reaches; NULL for an unknown or unlinked kernel. */
void (*isk_bound(const char *kernel))(void);

/* The plain scalar form of the kernel, in double precision inside; NULL likewise.
 * It calls libm, and so may set errno. */
void (*isk_reference(const char *kernel))(void);

#include "isakern_kernels.h"

#ifdef __cplusplus
}
#endif

#endif
