/* SPDX-License-Identifier: MIT */
/* Eigen's array expressions, in a module for each instruction set. */
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

#include "vectors.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

namespace
{

template <typename T> using Array = Eigen::Array<T, Eigen::Dynamic, 1>;
template <typename T> using In = Eigen::Map<const Array<T>>;
template <typename T> using Out = Eigen::Map<Array<T>>;
using Index = Eigen::Index;

struct operands {
	In<float> a, b;
	In<uint8_t> mask;
	Out<float> y;
};

operands whole(const vectors *v)
{
	const Index n = static_cast<Index>(v->cols);

	return {{static_cast<const float *>(v->a), n},
	        {static_cast<const float *>(v->b), n},
	        {v->mask, n},
	        {static_cast<float *>(v->y), n}};
}

/* Ways that give elements, one number, or a mask. */
#define ELEMENTS(name, value)                                                                                \
	void name(void *vectors_)                                                                                \
	{                                                                                                        \
		operands o = whole(static_cast<const vectors *>(vectors_));                                          \
		const In<float> &x = o.a, &b = o.b;                                                                  \
                                                                                                             \
		(void)b;                                                                                             \
		o.y = value;                                                                                         \
	}

#define NUMBER(name, type, value)                                                                            \
	void name(void *vectors_)                                                                                \
	{                                                                                                        \
		const vectors *v = static_cast<const vectors *>(vectors_);                                           \
		const operands o = whole(v);                                                                         \
		const In<float> &a = o.a, &b = o.b;                                                                  \
                                                                                                             \
		(void)b;                                                                                             \
		*static_cast<type *>(v->y) = value;                                                                  \
	}

#define COMPARISON(name, value)                                                                              \
	void name(void *vectors_)                                                                                \
	{                                                                                                        \
		const vectors *v = static_cast<const vectors *>(vectors_);                                           \
		const operands o = whole(v);                                                                         \
		const In<float> &a = o.a, &b = o.b;                                                                  \
                                                                                                             \
		Out<bool>(static_cast<bool *>(v->y), a.size()) = value;                                              \
	}

/* A way that gives one row at a time, by a function of a row. */
using Row = void(Out<float> y, const In<float> &x, const In<float> &weight, const In<float> &bias);

template <Row row> void by_rows(void *vectors_)
{
	const vectors *v = static_cast<const vectors *>(vectors_);
	const Index n = static_cast<Index>(v->cols);
	const In<float> weight(v->weight, n), bias(v->bias, n);

	for (size_t r = 0; r < v->rows; r++)
		row(Out<float>(static_cast<float *>(v->y) + r * v->cols, n),
		    In<float>(static_cast<const float *>(v->a) + r * v->cols, n), weight, bias);
}

/* A conversion from one type to another. */
#define CONVERSION(name, from, to, value)                                                                    \
	void name(void *vectors_)                                                                                \
	{                                                                                                        \
		const vectors *v = static_cast<const vectors *>(vectors_);                                           \
		const Index n = static_cast<Index>(v->cols);                                                         \
		const In<from> x(static_cast<const from *>(v->a), n);                                                \
		Out<to> y(static_cast<to *>(v->y), n);                                                               \
                                                                                                             \
		y = value;                                                                                           \
	}

Index place_of_largest(const In<float> &a)
{
	Index at;

	a.maxCoeff(&at);
	return at;
}

ELEMENTS(run_exp, x.exp())
ELEMENTS(run_log, x.log())
ELEMENTS(run_tanh, x.tanh())
ELEMENTS(run_sin, x.sin())
ELEMENTS(run_cos, x.cos())
ELEMENTS(run_sigmoid, x.logistic())
ELEMENTS(run_silu, x.logistic() * x)
ELEMENTS(run_gelu, x * 0.5f * (1.0f + (x * 0.70710678f).erf()))
ELEMENTS(run_gelu_tanh, x * 0.5f * (1.0f + (0.79788456f * (x + 0.044715f * x.cube())).tanh()))
ELEMENTS(run_relu, x.max(0.0f))
ELEMENTS(run_add, x + b)
ELEMENTS(run_mul, (x * b))
ELEMENTS(run_copy, x)
ELEMENTS(run_select, (o.mask != uint8_t(0)).select(x, b))
NUMBER(run_sum, float, a.sum())
NUMBER(run_max, float, a.maxCoeff())
NUMBER(run_dot, float, a.matrix().dot(b.matrix()))
NUMBER(run_l2sq, float, (a - b).square().sum())
NUMBER(run_cosine, float, a.matrix().dot(b.matrix()) / std::sqrt(a.square().sum() * b.square().sum()))
NUMBER(run_argmax, double, static_cast<double>(place_of_largest(a)))
COMPARISON(run_lt, a < b)
void run_sum_cols(void *vectors_)
{
	using Matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

	const vectors *v = static_cast<const vectors *>(vectors_);
	const Eigen::Map<const Matrix> x(static_cast<const float *>(v->a), static_cast<Index>(v->rows),
	                                 static_cast<Index>(v->cols));

	whole(v).y = x.colwise().sum().transpose();
}

void softmax(Out<float> y, const In<float> &x, const In<float> &, const In<float> &)
{
	y = (x - x.maxCoeff()).exp();
	y *= 1.0f / y.sum();
}

void layernorm(Out<float> y, const In<float> &x, const In<float> &weight, const In<float> &bias)
{
	const float mean = x.mean();

	y = (x - mean) * (1.0f / std::sqrt((x - mean).square().mean() + NORM_EPSILON)) * weight + bias;
}

void rmsnorm(Out<float> y, const In<float> &x, const In<float> &weight, const In<float> &)
{
	y = x * (1.0f / std::sqrt(x.square().mean() + NORM_EPSILON)) * weight;
}

CONVERSION(run_to_bf16, float, Eigen::bfloat16, x.cast<Eigen::bfloat16>())
CONVERSION(run_from_bf16, Eigen::bfloat16, float, x.cast<float>())
CONVERSION(run_to_f16, float, Eigen::half, x.cast<Eigen::half>())
CONVERSION(run_from_f16, Eigen::half, float, x.cast<float>())
CONVERSION(run_from_s8, int8_t, float, x.cast<float>() * QUANTIZE_SCALE)
CONVERSION(run_from_u8, uint8_t, float, (x.cast<float>() - QUANTIZE_ZERO_U8) * QUANTIZE_SCALE)

} // namespace

const struct way module_ways[] = {
	{"exp_f32", "exp", run_exp},
	{"log_f32", "log", run_log},
	{"tanh_f32", "tanh", run_tanh},
	{"sin_f32", "sin", run_sin},
	{"cos_f32", "cos", run_cos},
	{"sigmoid_f32", "logistic", run_sigmoid},
	{"silu_f32", "by logistic", run_silu},
	{"gelu_f32", "by erf", run_gelu},
	{"gelu_tanh_f32", "by tanh", run_gelu_tanh},
	{"relu_f32", "max", run_relu},
	{"add_f32", "+", run_add},
	{"mul_f32", "*", run_mul},
	{"copy_b32", "=", run_copy},
	{"lt_f32", "<", run_lt},
	{"select_b32", "select", run_select},
	{"sum_cols_f32", "colwise sum", run_sum_cols},
	{"sum_f32", "sum", run_sum},
	{"max_f32", "maxCoeff", run_max},
	{"dot_f32", "dot", run_dot},
	{"l2sq_f32", "square, sum", run_l2sq},
	{"cosine_f32", "dot, square, sum", run_cosine},
	{"argmax_f32", "maxCoeff", run_argmax},
	{"softmax_f32", "by rows", by_rows<softmax>},
	{"layernorm_f32", "by rows", by_rows<layernorm>},
	{"rmsnorm_f32", "by rows", by_rows<rmsnorm>},
	{"cvt_f32_bf16", "cast", run_to_bf16},
	{"cvt_bf16_f32", "cast", run_from_bf16},
	{"cvt_f32_f16", "cast", run_to_f16},
	{"cvt_f16_f32", "cast", run_from_f16},
	{"dequantize_s8_f32", "cast, *", run_from_s8},
	{"dequantize_u8_f32", "cast, -, *", run_from_u8},
	{nullptr, nullptr, nullptr},
};

const char *module_version(void)
{
	return TEXT(EIGEN_WORLD_VERSION) "." TEXT(EIGEN_MAJOR_VERSION) "." TEXT(EIGEN_MINOR_VERSION);
}
