/* SPDX-License-Identifier: MIT */
/*
 * oneDNN: its gemm calls, which pack B each time; its inner product, matmul and convolution primitives with
 * weights packed beforehand in the format that they request; its reorder, which transposes. Images are NHWC,
 * and in a second entry in the format that the convolution requests, as within a network that uses only
 * oneDNN. Prototypes are those of its header; functions are found at run time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "peer.h"
#include "problem.h"

#ifdef HAVE_DNNL
#include <dlfcn.h>

#include "library.h"
#include "onednn.h"

#define X(name) __typeof(&name) fn_##name;
#include "onednn.def"
#undef X

dnnl_engine_t onednn_engine;
static dnnl_stream_t stream;

static const char *isa_name(void)
{
	static const struct {
		dnnl_cpu_isa_t isa;
		const char *name;
	} names[] = {
		{dnnl_cpu_isa_avx2, "avx2"},
		{dnnl_cpu_isa_avx2_vnni, "avx2_vnni"},
		{dnnl_cpu_isa_avx512_core, "avx512_core"},
		{dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni"},
		{dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16"},
		{dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].isa == fn_dnnl_get_effective_cpu_isa())
			return names[i].name;
	return "another ISA";
}

static const char *open_onednn(void)
{
	static char text[96];
	void *library = library_open("libdnnl.so.2");
	const dnnl_version_t *version;

	if (!library)
		return NULL;
#define X(name)                                                                \
	*(void **)&fn_##name = dlsym(library, #name);                              \
	if (!fn_##name)                                                            \
		return NULL;
#include "onednn.def"
#undef X
	if (fn_dnnl_engine_create(&onednn_engine, dnnl_cpu, 0) ||
	    fn_dnnl_stream_create(&stream, onednn_engine, dnnl_stream_in_order))
		return NULL;
	version = fn_dnnl_version();
	snprintf(text, sizeof(text), "%d.%d.%d, uses %s here", version->major, version->minor, version->patch, isa_name());
	return text;
}

struct gemm {
	const struct row *row;
	const void *a, *b;
	void *c;
};

static void call_sgemm(void *state)
{
	const struct gemm *s = state;
	const dnnl_dim_t m = (dnnl_dim_t)s->row->m, n = (dnnl_dim_t)s->row->n, k = (dnnl_dim_t)s->row->k;

	fn_dnnl_sgemm('N', 'N', m, n, k, 1, s->a, k, s->b, n, 0, s->c, n);
}

static void call_u8s8s32(void *state)
{
	const struct gemm *s = state;
	const dnnl_dim_t m = (dnnl_dim_t)s->row->m, n = (dnnl_dim_t)s->row->n, k = (dnnl_dim_t)s->row->k;
	const int32_t zero = 0;

	fn_dnnl_gemm_u8s8s32('N', 'N', 'F', m, n, k, 1, s->a, k, 0, s->b, n, 0, 0, s->c, n, &zero);
}

static void call_s8s8s32(void *state)
{
	const struct gemm *s = state;
	const dnnl_dim_t m = (dnnl_dim_t)s->row->m, n = (dnnl_dim_t)s->row->n, k = (dnnl_dim_t)s->row->k;
	const int32_t zero = 0;

	fn_dnnl_gemm_s8s8s32('N', 'N', 'F', m, n, k, 1, s->a, k, 0, s->b, n, 0, 0, s->c, n, &zero);
}

static void enter_gemm(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	struct gemm *s;

	if (row->op != PRODUCT || row->a == BF16 || row->a == F16 || (row->a == F32 && row->b != F32) ||
	    row->c == S8 || row->c == U8)
		return;
	s = allocate(sizeof(*s));
	*s = (struct gemm){row, p->a, p->b, p->c};
	if (row->a == F32)
		field_add(f, PEER, "oneDNN", "dnnl_sgemm", call_sgemm, s);
	else if (row->a == U8)
		field_add(f, PEER, "oneDNN", "dnnl_gemm_u8s8s32", call_u8s8s32, s);
	else
		field_add(f, PEER, "oneDNN", "dnnl_gemm_s8s8s32", call_s8s8s32, s);
}

void call_primitive(void *state)
{
	const struct primitive *s = state;

	fn_dnnl_primitive_execute(s->primitive, stream, s->count, s->arguments);
}

void release_primitive(void *state)
{
	struct primitive *s = state;

	for (int i = 0; i < s->count; i++)
		fn_dnnl_memory_destroy(s->arguments[i].memory);
	if (s->primitive)
		fn_dnnl_primitive_destroy(s->primitive);
	free(s);
}

dnnl_memory_t argument(struct primitive *s, int kind, const dnnl_memory_desc_t *desc, void *memory)
{
	dnnl_memory_t made;

	if (fn_dnnl_memory_create(&made, desc, onednn_engine, memory))
		return NULL;
	s->arguments[s->count++] = (dnnl_exec_arg_t){kind, made};
	return made;
}

struct primitive *make_reorder(const dnnl_memory_desc_t *from_desc, void *from,
                               const dnnl_memory_desc_t *to_desc, void *to, dnnl_primitive_attr_t attr)
{
	struct primitive *s = allocate(sizeof(*s));
	dnnl_primitive_desc_t desc;
	int failed;

	if (fn_dnnl_reorder_primitive_desc_create(&desc, from_desc, onednn_engine, to_desc, onednn_engine,
	                                          attr)) {
		free(s);
		return NULL;
	}
	failed = fn_dnnl_primitive_create(&s->primitive, desc) || !argument(s, DNNL_ARG_FROM, from_desc, from)
	      || !argument(s, DNNL_ARG_TO, to_desc, to);
	fn_dnnl_primitive_desc_destroy(desc);
	if (!failed)
		return s;
	release_primitive(s);
	return NULL;
}

static void *handle(dnnl_memory_t memory)
{
	void *at = NULL;

	fn_dnnl_memory_get_data_handle(memory, &at);
	return at;
}

/* Reorders once. Returns whether that failed. */
static int reorder(const dnnl_memory_desc_t *from_desc, void *from, const dnnl_memory_desc_t *to_desc,
                   dnnl_memory_t to)
{
	struct primitive *s = to ? make_reorder(from_desc, from, to_desc, handle(to), NULL) : NULL;

	if (!s)
		return 1;
	call_primitive(s);
	release_primitive(s);
	return 0;
}

dnnl_memory_desc_t matrix(dnnl_data_type_t type, size_t rows, size_t cols, size_t row_stride,
                          size_t col_stride)
{
	const dnnl_dims_t dims = {(dnnl_dim_t)rows, (dnnl_dim_t)cols};
	const dnnl_dims_t strides = {(dnnl_dim_t)row_stride, (dnnl_dim_t)col_stride};
	dnnl_memory_desc_t desc;

	fn_dnnl_memory_desc_init_by_strides(&desc, 2, dims, type, strides);
	return desc;
}

/* The scale of an 8-bit result; or gelu, then the residual, in the order of the row. */
static dnnl_primitive_attr_t post_operations(const struct problem *p, const dnnl_memory_desc_t *residual)
{
	const float scale = 1.0f / OUT_SCALE;
	dnnl_primitive_attr_t attr;
	dnnl_post_ops_t operations;

	fn_dnnl_primitive_attr_create(&attr);
	if (p->row->c == S8 || p->row->c == U8)
		fn_dnnl_primitive_attr_set_output_scales(attr, 1, 0, &scale);
	if (p->row->op != LINEAR)
		return attr;
	fn_dnnl_post_ops_create(&operations);
	fn_dnnl_post_ops_append_eltwise(operations, 1, dnnl_eltwise_gelu_erf, 0, 0);
	fn_dnnl_post_ops_append_binary(operations, dnnl_binary_add, residual);
	fn_dnnl_primitive_attr_set_post_ops(attr, operations);
	fn_dnnl_post_ops_destroy(operations);
	return attr;
}

const dnnl_data_type_t onednn_types[] = {
	[F32] = dnnl_f32, [BF16] = dnnl_bf16, [F16] = dnnl_f16, [U8] = dnnl_u8, [S8] = dnnl_s8, [S32] = dnnl_s32};

static void enter_primitive(struct field *f, const struct problem *p, int inner_product)
{
	const struct row *row = p->row;
	const size_t m = row->m, n = row->n, k = row->k;
	const dnnl_dims_t weight_dims = {(dnnl_dim_t)(inner_product ? n : k), (dnnl_dim_t)(inner_product ? k : n)};
	const dnnl_dims_t bias_dims = {(dnnl_dim_t)(inner_product ? n : 1), (dnnl_dim_t)n};
	dnnl_memory_desc_t a = matrix(onednn_types[row->a], m, k, k, 1),
					   c = matrix(onednn_types[row->c], m, n, n, 1);
	dnnl_memory_desc_t plain = matrix(onednn_types[row->b], (size_t)weight_dims[0], (size_t)weight_dims[1],
	                                  inner_product ? 1 : n, inner_product ? n : 1);
	dnnl_memory_desc_t residual = matrix(dnnl_f32, m, n, n, 1), any, bias;
	const int has_bias = row->op == LINEAR;
	dnnl_primitive_attr_t attr = post_operations(p, &residual);
	dnnl_inner_product_desc_t as_inner_product;
	dnnl_matmul_desc_t as_matmul;
	dnnl_primitive_desc_t desc;
	const dnnl_memory_desc_t *packed;
	struct primitive *s;
	struct entry *e;
	int failed;

	fn_dnnl_memory_desc_init_by_tag(&any, 2, weight_dims, onednn_types[row->b], dnnl_format_tag_any);
	fn_dnnl_memory_desc_init_by_tag(&bias, inner_product ? 1 : 2, bias_dims, dnnl_f32,
	                                inner_product ? dnnl_a : dnnl_ab);
	if (inner_product)
		failed = fn_dnnl_inner_product_forward_desc_init(&as_inner_product, dnnl_forward_inference, &a, &any,
		                                                 has_bias ? &bias : NULL, &c) ||
		         fn_dnnl_primitive_desc_create(&desc, &as_inner_product, attr, onednn_engine, NULL);
	else
		failed = fn_dnnl_matmul_desc_init(&as_matmul, &a, &any, has_bias ? &bias : NULL, &c) ||
		         fn_dnnl_primitive_desc_create(&desc, &as_matmul, attr, onednn_engine, NULL);
	fn_dnnl_primitive_attr_destroy(attr);
	if (failed)
		return;
	s = allocate(sizeof(*s));
	packed = fn_dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0);
	failed = fn_dnnl_primitive_create(&s->primitive, desc)
	      || reorder(&plain, p->b, packed, argument(s, DNNL_ARG_WEIGHTS, packed, DNNL_MEMORY_ALLOCATE));
	if (!failed) {
		e = field_add(f, PEER, "oneDNN", inner_product ? "inner product, packed" : "matmul, packed", call_primitive, s);
		e->release = release_primitive;
		argument(s, DNNL_ARG_SRC, &a, p->a);
		argument(s, DNNL_ARG_DST, &c, p->c);
		if (has_bias) {
			argument(s, DNNL_ARG_BIAS, &bias, p->bias);
			argument(s, DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, &residual, p->residual);
		}
	} else {
		release_primitive(s);
	}
	fn_dnnl_primitive_desc_destroy(desc);
}

struct convolution {
	struct primitive base; /* first, for call_primitive() */
	struct primitive *fetch;
};

static void fetch_convolution(void *state)
{
	call_primitive(((struct convolution *)state)->fetch);
}

static void release_convolution(void *state)
{
	struct convolution *s = state;

	if (s->fetch)
		release_primitive(s->fetch);
	release_primitive(s);
}

static dnnl_memory_desc_t images(dnnl_data_type_t type, size_t channels, size_t height, size_t width,
                                 dnnl_format_tag_t tag)
{
	const dnnl_dims_t dims = {1, (dnnl_dim_t)channels, (dnnl_dim_t)height, (dnnl_dim_t)width};
	dnnl_memory_desc_t desc;

	fn_dnnl_memory_desc_init_by_tag(&desc, 4, dims, type, tag);
	return desc;
}

/* The weights of the row as they lie in memory or, if any is not 0, as oneDNN chooses. Deconvolutions swap input and output channels. */
static dnnl_memory_desc_t weights(const struct row *row, int any)
{
	const struct isk_conv *v = &row->conv;
	const int swapped = row->op == CONV_TRANSPOSE;
	const dnnl_data_type_t type = onednn_types[row->b];
	const dnnl_dim_t groups = (dnnl_dim_t)v->groups, h = (dnnl_dim_t)v->kernel_h, w = (dnnl_dim_t)v->kernel_w;
	const dnnl_dim_t out = (dnnl_dim_t)(swapped ? v->channels : v->out_channels);
	const dnnl_dim_t in = (dnnl_dim_t)(swapped ? v->out_channels : v->channels);
	const dnnl_dims_t dims = {out, in, h, w}, grouped = {groups, out / groups, in / groups, h, w};
	const dnnl_format_tag_t tag = swapped ? dnnl_iohw : dnnl_oihw, grouped_tag = swapped ? dnnl_giohw : dnnl_goihw;
	dnnl_memory_desc_t desc;

	if (groups > 1)
		fn_dnnl_memory_desc_init_by_tag(&desc, 5, grouped, type, any ? dnnl_format_tag_any : grouped_tag);
	else
		fn_dnnl_memory_desc_init_by_tag(&desc, 4, dims, type, any ? dnnl_format_tag_any : tag);
	return desc;
}

/* The operands of a row in the order of `tag`. */
static dnnl_memory_desc_t source(const struct row *row, dnnl_format_tag_t tag)
{
	const struct isk_conv *v = &row->conv;

	return row->op == CONV ? images(onednn_types[row->a], v->channels, v->height, v->width, tag)
	                       : images(onednn_types[row->a], v->out_channels, conv_out_height(v), conv_out_width(v), tag);
}

static dnnl_memory_desc_t destination(const struct row *row, dnnl_format_tag_t tag)
{
	const struct isk_conv *v = &row->conv;

	return row->op == CONV ? images(onednn_types[row->c], v->out_channels, conv_out_height(v), conv_out_width(v), tag)
	                       : images(onednn_types[row->c], v->channels, v->height, v->width, tag);
}

static int fill_convolution(struct convolution *s, const struct problem *p, dnnl_primitive_desc_t desc, void *c)
{
	const struct row *row = p->row;
	const dnnl_memory_desc_t *src = fn_dnnl_primitive_desc_query_md(desc, dnnl_query_src_md, 0);
	const dnnl_memory_desc_t *dst = fn_dnnl_primitive_desc_query_md(desc, dnnl_query_dst_md, 0);
	const dnnl_memory_desc_t *w = fn_dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0);
	const dnnl_memory_desc_t x = source(row, dnnl_nhwc), y = destination(row, dnnl_nhwc), plain = weights(row, 0);
	dnnl_memory_t made;

	if (fn_dnnl_primitive_create(&s->base.primitive, desc)
	    || reorder(&plain, p->b, w, argument(&s->base, DNNL_ARG_WEIGHTS, w, DNNL_MEMORY_ALLOCATE))
	    || reorder(&x, p->a, src, argument(&s->base, DNNL_ARG_SRC, src, DNNL_MEMORY_ALLOCATE)))
		return 0;
	made = argument(&s->base, DNNL_ARG_DST, dst, DNNL_MEMORY_ALLOCATE);
	s->fetch = made ? make_reorder(dst, handle(made), &y, c, NULL) : NULL;
	return s->fetch != NULL;
}

/* The description of the primitive for a row; 0 if there is none. */
static int describe_convolution(dnnl_primitive_desc_t *desc, const struct row *row, dnnl_format_tag_t tag)
{
	const struct isk_conv *v = &row->conv;
	const dnnl_memory_desc_t src = source(row, tag), dst = destination(row, tag), any = weights(row, 1);
	const dnnl_dims_t strides = {(dnnl_dim_t)v->stride_h, (dnnl_dim_t)v->stride_w};
	const dnnl_dims_t before = {(dnnl_dim_t)v->pad_top, (dnnl_dim_t)v->pad_left};
	const dnnl_dims_t after = {(dnnl_dim_t)v->pad_bottom, (dnnl_dim_t)v->pad_right};
	dnnl_convolution_desc_t forward;
	dnnl_deconvolution_desc_t transposed;

	if (row->op == CONV)
		return fn_dnnl_convolution_forward_desc_init(&forward, dnnl_forward_inference, dnnl_convolution_direct, &src, &any,
		                                             NULL, &dst, strides, before, after) == dnnl_success &&
		       fn_dnnl_primitive_desc_create(desc, &forward, NULL, onednn_engine, NULL) == dnnl_success;
	return fn_dnnl_deconvolution_forward_desc_init(&transposed, dnnl_forward_inference, dnnl_deconvolution_direct, &src, &any,
	                                               NULL, &dst, strides, before, after) == dnnl_success &&
	       fn_dnnl_primitive_desc_create(desc, &transposed, NULL, onednn_engine, NULL) == dnnl_success;
}

static void enter_convolution(struct field *f, const struct problem *p, dnnl_format_tag_t tag)
{
	const int is_nhwc_tag = tag == dnnl_nhwc;
	dnnl_primitive_desc_t desc;
	struct convolution *s;
	struct entry *e;

	if (!describe_convolution(&desc, p->row, tag))
		return;
	s = allocate(sizeof(*s));
	e = field_add(f, PEER, "oneDNN",
	              p->row->op == CONV ? (is_nhwc_tag ? "convolution, NHWC" : "convolution, its own format")
	                                 : (is_nhwc_tag ? "deconvolution, NHWC" : "deconvolution, its own format"),
	              call_primitive, s);
	e->release = release_convolution;
	e->fetch = fetch_convolution;
	if (!fill_convolution(s, p, desc, p->c))
		field_drop_last(f);
	fn_dnnl_primitive_desc_destroy(desc);
}

static void enter_transpose(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	/*
	 * A reorder moves bits, whatever they mean. For 16 bits oneDNN's reorders are plain loops, and for 64
	 * bits it has none.
	 */
	const dnnl_data_type_t type = type_bytes(row->a) == 1 ? dnnl_s8 : dnnl_f32;
	const dnnl_memory_desc_t from = matrix(type, row->m, row->n, row->n, 1), to = matrix(type, row->m, row->n, 1, row->m);
	struct primitive *s;

	if (type_bytes(row->a) != 1 && type_bytes(row->a) != 4)
		return;
	s = make_reorder(&from, p->a, &to, p->c, NULL);
	if (s)
		field_add(f, PEER, "oneDNN", "reorder", call_primitive, s)->release = release_primitive;
}

static void enter(struct field *f, const struct problem *p)
{
	/* It has no products of f64 on CPUs. */
	if (p->row->op == PRODUCT && p->row->a == F64)
		return;
	if (is_vectors(p->row->op)) {
		enter_vectors(f, p);
	} else if (is_convolution(p->row)) {
		enter_convolution(f, p, dnnl_nhwc);
		enter_convolution(f, p, dnnl_format_tag_any);
	} else if (p->row->op == TRANSPOSE) {
		enter_transpose(f, p);
	} else if (p->row->op != GROUPED) {
		enter_gemm(f, p);
		/* An inner product of these types gives f32 or 8 bits; matmul also gives s32. */
		enter_primitive(f, p, 1);
		enter_primitive(f, p, 0);
	}
}
#else
static const char *open_onednn(void)
{
	return NULL;
}

static void enter(struct field *f, const struct problem *p)
{
	(void)f;
	(void)p;
}
#endif

const struct peer onednn = {"oneDNN", "libdnnl-dev, when isakern is built", 0, open_onednn, enter};
