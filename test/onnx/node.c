/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "element_types.h"
#include "isakern.h"
#include "node.h"

#define FN(of) .kernel = #of, .fn = (void (*)(void))isk_##of
/* A node that is a whole graph, with an input of this type. */
#define OF(op, T) FN(op##_##T), .type = ISK_ENUM_##T

const struct op ops[] = {
	{.name = "Constant", .run = run_constant},
	{.name = "Transpose", .run = run_transpose},
	{.name = "MatMul", .run = run_matmul_packed, FN(gemm_f32)},
	{.name = "MatMul", .run = run_matmul, FN(matmul_f32)},
	{.name = "MatMul", .run = run_matmul_batch, FN(matmul_batch_f32)},
	{.name = "Gemm", .run = run_gemm_packed, FN(gemm_f32)},
	{.name = "Gemm", .run = run_gemm, FN(matmul_f32)},
	{.name = "MatMulInteger", .run = run_matmul_integer, FN(gemm_u8s8_s32), .c = C_S32},
	{.name = "MatMulInteger", .run = run_matmul_integer, FN(gemm_s8s8_s32), .a_signed = 1, .c = C_S32},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_u8s8_u8), .c = C_U8},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_u8s8_s8), .c = C_S8},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_u8s8_f32), .c = C_F32},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_s8s8_u8), .a_signed = 1, .c = C_U8},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_s8s8_s8), .a_signed = 1, .c = C_S8},
	{.name = "QLinearMatMul", .run = run_qlinear_matmul, FN(gemm_s8s8_f32), .a_signed = 1, .c = C_F32},
	{.name = "Conv", .run = run_conv, FN(conv_f32)},
	{.name = "ConvInteger", .run = run_conv_integer, FN(conv_u8s8_s32), .c = C_S32},
	{.name = "ConvInteger", .run = run_conv_integer, FN(conv_s8s8_s32), .a_signed = 1, .c = C_S32},
	{.name = "QLinearConv", .run = run_qlinear_conv, FN(conv_u8s8_u8), .c = C_U8},
	{.name = "QLinearConv", .run = run_qlinear_conv, FN(conv_u8s8_f32), .c = C_F32},
	{.name = "QLinearConv", .run = run_qlinear_conv, FN(conv_s8s8_s8), .a_signed = 1, .c = C_S8},
	{.name = "QLinearConv", .run = run_qlinear_conv, FN(conv_s8s8_f32), .a_signed = 1, .c = C_F32},
	{.name = "Abs", .run = run_map, OF(abs, f32)},
	{.name = "Acos", .run = run_map, OF(acos, f32)},
	{.name = "Acosh", .run = run_map, OF(acosh, f32)},
	{.name = "Asin", .run = run_map, OF(asin, f32)},
	{.name = "Asinh", .run = run_map, OF(asinh, f32)},
	{.name = "Atan", .run = run_map, OF(atan, f32)},
	{.name = "Atanh", .run = run_map, OF(atanh, f32)},
	{.name = "Ceil", .run = run_map, OF(ceil, f32)},
	{.name = "Cos", .run = run_map, OF(cos, f32)},
	{.name = "Cosh", .run = run_map, OF(cosh, f32)},
	{.name = "Erf", .run = run_map, OF(erf, f32)},
	{.name = "Exp", .run = run_map, OF(exp, f32)},
	{.name = "Floor", .run = run_map, OF(floor, f32)},
	{.name = "HardSwish", .run = run_map, OF(hardswish, f32)},
	{.name = "Log", .run = run_map, OF(log, f32)},
	{.name = "Neg", .run = run_map, OF(neg, f32)},
	{.name = "Reciprocal", .run = run_map, OF(recip, f32)},
	{.name = "Relu", .run = run_map, OF(relu, f32)},
	{.name = "Round", .run = run_map, OF(round, f32)},
	{.name = "Sigmoid", .run = run_map, OF(sigmoid, f32)},
	{.name = "Sign", .run = run_map, OF(sign, f32)},
	{.name = "Sin", .run = run_map, OF(sin, f32)},
	{.name = "Sinh", .run = run_map, OF(sinh, f32)},
	{.name = "Softplus", .run = run_map, OF(softplus, f32)},
	{.name = "Sqrt", .run = run_map, OF(sqrt, f32)},
	{.name = "Tan", .run = run_map, OF(tan, f32)},
	{.name = "Tanh", .run = run_map, OF(tanh, f32)},
	{.name = "IsNaN", .run = run_map, OF(isnan, f32), .c = C_MASK},
	{.name = "Not", .run = run_map, FN(mask_not), .type = ISK_U8, .c = C_MASK},
	{.name = "Celu", .run = run_map_scalar, OF(celu, f32), .value = {{"alpha", 1}}},
	{.name = "Elu", .run = run_map_scalar, OF(elu, f32), .value = {{"alpha", 1}}},
	{.name = "LeakyRelu", .run = run_map_scalar, OF(leaky_relu, f32), .value = {{"alpha", 0.01f}}},
	{.name = "And", .run = run_zip, FN(mask_and), .type = ISK_U8, .c = C_MASK},
	{.name = "Or", .run = run_zip, FN(mask_or), .type = ISK_U8, .c = C_MASK},
	{.name = "Xor", .run = run_zip, FN(mask_xor), .type = ISK_U8, .c = C_MASK},
	{.name = "Equal", .run = run_zip, OF(eq, s32), .c = C_MASK},
	{.name = "Greater", .run = run_zip, OF(gt, f32), .c = C_MASK},
	{.name = "GreaterOrEqual", .run = run_zip, OF(ge, f32), .c = C_MASK},
	{.name = "Less", .run = run_zip, OF(lt, f32), .c = C_MASK},
	{.name = "LessOrEqual", .run = run_zip, OF(le, f32), .c = C_MASK},
	{.name = "Add", .run = run_zip, OF(add, f32)},
	{.name = "Div", .run = run_zip, OF(div, f32)},
	{.name = "Max", .run = run_zip, OF(maximum, f32)},
	{.name = "Max", .run = run_zip, OF(maximum, f64)},
	{.name = "Max", .run = run_zip, OF(maximum, f16)},
	{.name = "Min", .run = run_zip, OF(minimum, f32)},
	{.name = "Min", .run = run_zip, OF(minimum, f64)},
	{.name = "Min", .run = run_zip, OF(minimum, f16)},
	{.name = "Max", .run = run_zip, OF(maximum, s32)},
	{.name = "Max", .run = run_zip, OF(maximum, s64)},
	{.name = "Min", .run = run_zip, OF(minimum, s32)},
	{.name = "Min", .run = run_zip, OF(minimum, s64)},
	{.name = "Mul", .run = run_zip, OF(mul, f32)},
	{.name = "Pow", .run = run_zip, OF(pow, f32)},
	{.name = "Sub", .run = run_zip, OF(sub, f32)},
	{.name = "ReduceL1", .run = run_reduce, OF(asum, f32)},
	{.name = "ReduceL2", .run = run_reduce, OF(nrm2, f32)},
	{.name = "ReduceMax", .run = run_reduce, OF(max, f32)},
	{.name = "ReduceMean", .run = run_reduce, OF(mean, f32)},
	{.name = "ReduceMin", .run = run_reduce, OF(min, f32)},
	{.name = "ReduceProd", .run = run_reduce, OF(prod, f32)},
	{.name = "ReduceSum", .run = run_reduce, OF(sum, f32)},
	{.name = "ReduceSumSquare", .run = run_reduce, OF(sumsq, f32)},
	{.name = "ArgMax", .run = run_arg, OF(argmax, f32)},
	{.name = "ArgMin", .run = run_arg, OF(argmin, f32)},
	{.name = "LogSoftmax", .run = run_softmax, OF(log_softmax, f32)},
	{.name = "Softmax", .run = run_softmax, OF(softmax, f32)},
	{.name = "LayerNormalization", .run = run_norm, OF(layernorm, f32)},
};
const size_t op_count = sizeof(ops) / sizeof(*ops);

const Onnx__AttributeProto *node_attribute(const struct node *node, const char *name)
{
	for (size_t i = 0; i < node->proto->n_attribute; i++)
		if (strcmp(node->proto->attribute[i]->name, name) == 0)
			return node->proto->attribute[i];
	return NULL;
}

int64_t node_int(const struct node *node, const char *name, int64_t absent)
{
	const Onnx__AttributeProto *a = node_attribute(node, name);

	return a ? a->i : absent;
}

float node_float(const struct node *node, const char *name, float absent)
{
	const Onnx__AttributeProto *a = node_attribute(node, name);

	return a ? a->f : absent;
}

void node_ints(const struct node *node, const char *name, size_t count, size_t *list, size_t absent)
{
	const Onnx__AttributeProto *a = node_attribute(node, name);

	if (a && a->n_ints != count)
		errx(1, "attribute %s has %zu numbers, not %zu", name, a->n_ints, count);
	for (size_t i = 0; i < count; i++)
		list[i] = a ? (size_t)a->ints[i] : absent;
}

void *must_alloc(size_t bytes)
{
	void *p = malloc(bytes + 1);

	if (!p)
		err(1, "%zu bytes", bytes);
	return p;
}

void must(int status, const char *kernel)
{
	if (status != ISK_OK)
		errx(1, "%s: %s", kernel, isk_strerror(status));
}

const char *run_constant(struct node *node, const struct op *op)
{
	const Onnx__AttributeProto *a = node_attribute(node, "value");

	(void)op;
	return a && a->t && tensor_unpack(&node->out, a->t) ? NULL : "a constant of a type that no kernel has";
}

const char *run_transpose(struct node *node, const struct op *op)
{
	const struct tensor *x = node->in[0];
	size_t perm[2];

	(void)op;
	if (x->dims != 2 || x->type != ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT)
		return "only f32 matrices are transposed here";
	node_ints(node, "perm", 2, perm, SIZE_MAX);
	if (perm[0] == 0)
		return "a transposition that moves nothing";
	node->out = tensor_new(x->type, 2, (size_t[]){x->dim[1], x->dim[0]});
	isk_transpose_b32(node->out.data, x->data, x->dim[0], x->dim[1], x->dim[0], x->dim[1]);
	return NULL;
}
