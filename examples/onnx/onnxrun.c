/* SPDX-License-Identifier: MIT */
/* Options, inputs and outputs. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../clock.h"
#include "checksum.h"
#include "explain.h"
#include "npy.h"
#include "ops.h"
#include "progress.h"
#include "store.h"

enum { MOST_RUNS = 1000000 };

struct settings {
	const char *model, *out_dir, *save_packed, *packed;
	char *input[MOST_INPUTS], *output[MOST_INPUTS], *shape[MOST_INPUTS]; /* NAME=... */
	size_t inputs, outputs, shapes;
	uint64_t seed;
	size_t bench, profile;
	int is_random, explain, checksum, plain, takes_bf16;
};

enum { PLAIN = 256, OPERATORS, OUT, SHAPE, CHECKSUM, SAVE_PACKED, PACKED, WEIGHTS };

static const struct argp_option options[] = {
	{"input", 'i', "NAME=FILE.npy", 0, "an input; the name may be left out if the model has one input", 0},
	{"random", 'r', "SEED", 0, "the inputs not given: numbers from 0 to 1, integers from 0 to 9", 0},
	{"shape", SHAPE, "NAME=1x3x48x320", 0, "the shape of a random input, if the model leaves it open", 0},
	{"output", 'o', "NAME=FILE.npy", 0, "writes this output", 1},
	{"out", OUT, "DIR", 0, "writes all outputs, as DIR/0.npy, DIR/1.npy ...", 1},
	{"checksum", CHECKSUM, NULL, 0, "prints a checksum of each output: from AVX2 up, the same on every CPU", 1},
	{"threads", 't', "N", 0, "threads; 1 if not given", 2},
	{"bench", 'b', "N", 0, "runs N times and prints the median time", 2},
	{"profile", 'p', "N", 0,
     "runs N times and prints for each step its time, its share, and the share of the peak of products a second", 2},
	{"explain", 'e', NULL, 0, "prints the nodes of the file and what became of each, and the kernels that compute the model", 2},
	{"save-packed", SAVE_PACKED, "FILE", 0, "writes the folded and packed weights; they serve on every machine", 2},
	{"packed", PACKED, "FILE", 0, "maps weights that --save-packed has written; those of another model do not matter",
     2},
	{"weights", WEIGHTS, "TYPE", 0,
     "f32, or bf16: products and convolutions take constant weights and their input as bf16, which halves the memory of "
     "weights and is faster on CPUs that multiply bf16", 2},
	{"plain", PLAIN, NULL, 0, "makes no kernel of several nodes", 2},
	{"operators", OPERATORS, NULL, 0, "lists the operators that are supported", 3},
	{NULL, 0, NULL, 0, NULL, 0},
};

static size_t number(const char *text, size_t low, size_t high, const char *what)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || n < low || n > high)
		errx(1, "%s '%s': allowed are %zu to %zu", what, text, low, high);
	return (size_t)n;
}

static void keep(char **list, size_t *count, char *text)
{
	if (*count == MOST_INPUTS)
		errx(1, "more than %d inputs or outputs", MOST_INPUTS);
	list[(*count)++] = text;
}

static void finish_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct settings *s = state->input;

	switch (key) {
	case 'i':
		keep(s->input, &s->inputs, arg);
		break;
	case 'o':
		keep(s->output, &s->outputs, arg);
		break;
	case SHAPE:
		keep(s->shape, &s->shapes, arg);
		break;
	case OUT:
		s->out_dir = arg;
		break;
	case 'r':
		s->seed = number(arg, 0, SIZE_MAX, "--random");
		s->is_random = 1;
		break;
	case 't':
		session_threads(number(arg, 1, 1024, "--threads"));
		break;
	case 'b':
		s->bench = number(arg, 1, MOST_RUNS, "--bench");
		break;
	case 'p':
		s->profile = number(arg, 1, MOST_RUNS, "--profile");
		break;
	case 'e':
		s->explain = 1;
		break;
	case CHECKSUM:
		s->checksum = 1;
		break;
	case SAVE_PACKED:
		s->save_packed = arg;
		break;
	case PACKED:
		s->packed = arg;
		break;
	case WEIGHTS:
		if (strcmp(arg, "f32") != 0 && strcmp(arg, "bf16") != 0)
			errx(1, "--weights '%s': allowed are f32 and bf16", arg);
		s->takes_bf16 = strcmp(arg, "bf16") == 0;
		break;
	case PLAIN:
		s->plain = 1;
		break;
	case OPERATORS:
		ops_print();
		finish_output();
		exit(0);
	case ARGP_KEY_ARG:
		if (s->model)
			argp_error(state, "more than one model: %s and %s", s->model, arg);
		s->model = arg;
		break;
	case ARGP_KEY_END:
		if (!s->model)
			argp_error(state, "no model");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* The text behind NAME= in the list; NULL if the name is missing. With one input, NAME= may be left out. */
static const char *given(char *const *list, size_t count, const char *name, int is_alone)
{
	for (size_t i = 0; i < count; i++) {
		const size_t length = strlen(name);

		if (strncmp(list[i], name, length) == 0 && list[i][length] == '=')
			return list[i] + length + 1;
		if (is_alone && !strchr(list[i], '='))
			return list[i];
	}
	return NULL;
}

/* The names in the list must be those of the model. */
static void check_names(char *const *list, size_t count, const char *const *names, size_t have, const char *what)
{
	for (size_t i = 0; i < count; i++) {
		size_t j = 0;

		while (j < have && !given(list + i, 1, names[j], have == 1))
			j++;
		if (j == have)
			refuse(NULL, "%s '%s': the model has no such %s; the first is '%s'", what, list[i], what,
			       have ? names[0] : "");
	}
}

static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void fill(struct value *v, uint64_t *seed)
{
	for (size_t i = 0; i < value_count(v); i++)
		if (v->type == F32)
			((float *)value_data(v))[i] = (float)(next(seed) >> 40) * 0x1p-24f;
		else if (v->type != F16 && v->type != F64)
			value_set_int(v, i, v->type == BOOL ? (int64_t)(next(seed) & 1) : (int64_t)(next(seed) % 10));
}

/* A size that the model fixes; 0 if it is open. */
static size_t fixed_size(const Onnx__TensorShapeProto__Dimension *d)
{
	return d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE && d->dim_value > 0
	           ? (size_t)d->dim_value
	           : 0;
}

static struct value *random_input(struct session *session, const struct settings *s, const Onnx__ValueInfoProto *info,
                                  int is_alone, uint64_t *seed)
{
	const Onnx__TypeProto__Tensor *t = tensor_type(info);
	const char *text = given(s->shape, s->shapes, info->name, is_alone);
	size_t dim[RANK], rank = 0;
	struct value *v;

	if (!t)
		refuse(NULL, "%s: input '%s' is no tensor", s->model, info->name);
	if (text)
		while (*text && rank < RANK) {
			char *end;

			dim[rank++] = strtoull(text, &end, 10);
			if (end == text || (*end && *end != 'x'))
				errx(1, "--shape '%s': a shape is as in 1x3x48x320", text);
			text = *end ? end + 1 : end;
		}
	else
		for (size_t i = 0; t->shape && i < t->shape->n_dim; i++) {
			if (rank == RANK || !fixed_size(t->shape->dim[i]))
				refuse(NULL, "%s: the shape of input '%s' is open; --shape %s=... sets it", s->model, info->name,
				       info->name);
			dim[rank++] = fixed_size(t->shape->dim[i]);
		}
	v = session_input(session, info->name, t->elem_type, rank, dim, NULL);
	fill(v, seed);
	return v;
}

static void check_input(const struct settings *s, const struct value *v, const Onnx__ValueInfoProto *info)
{
	const Onnx__TypeProto__Tensor *t = tensor_type(info);
	char text[200];

	if (!t)
		return;
	if (v->type != t->elem_type)
		refuse(NULL, "%s: input '%s' has type %s, the file type %s", s->model, v->name, type_name(t->elem_type),
		       type_name(v->type));
	if (!t->shape)
		return;
	if (t->shape->n_dim != v->rank)
		refuse(NULL, "%s: input '%s' has %zu dimensions, the file %zu", s->model, v->name, t->shape->n_dim, v->rank);
	for (size_t i = 0; i < v->rank; i++)
		if (fixed_size(t->shape->dim[i]) && fixed_size(t->shape->dim[i]) != v->dim[i])
			refuse(NULL, "%s: input '%s' has size %zu in dimension %zu, the file %s", s->model, v->name,
			       fixed_size(t->shape->dim[i]), i, value_dims(v, text));
}

static int is_initializer(const Onnx__GraphProto *proto, const char *name)
{
	for (size_t i = 0; i < proto->n_initializer; i++)
		if (strcmp(proto->initializer[i]->name, name) == 0)
			return 1;
	return 0;
}

/* All inputs but those that have a value in the file. */
static void read_inputs(struct session *session, const struct settings *s, const Onnx__GraphProto *proto)
{
	const char *names[MOST_INPUTS] = {NULL};
	const Onnx__ValueInfoProto *info[MOST_INPUTS];
	uint64_t seed = s->seed;
	size_t count = 0;

	for (size_t i = 0; i < proto->n_input; i++) {
		if (is_initializer(proto, proto->input[i]->name))
			continue;
		if (count == MOST_INPUTS)
			errx(1, "%s: more than %d inputs", s->model, MOST_INPUTS);
		info[count] = proto->input[i];
		names[count++] = proto->input[i]->name;
	}
	check_names(s->input, s->inputs, names, count, "input");
	check_names(s->shape, s->shapes, names, count, "input");
	for (size_t i = 0; i < count; i++) {
		const char *path = given(s->input, s->inputs, names[i], count == 1);

		if (!path && !s->is_random)
			refuse(NULL, "%s: input '%s' is not given; --input %s=FILE.npy sets it, --random SEED makes one", s->model,
			       names[i], names[i]);
		check_input(s, path ? npy_read(session, names[i], path) : random_input(session, s, info[i], count == 1, &seed),
		            info[i]);
	}
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Linux tells it, without the memory that a parent had before it started this program, as getrusage() does not; 0: it
 * does not. */
static double peak_megabytes(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	double kilobytes = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
			break;
	if (f)
		fclose(f);
	return kilobytes * 1024 / 1e6;
}

static void bench(struct plan *p, size_t runs)
{
	double *ms = calloc(runs, sizeof(*ms));

	if (!ms)
		errx(1, "out of memory");
	for (size_t i = 0; i < runs; i++) {
		const double start = clock_seconds();

		plan_run(p);
		ms[i] = 1e3 * (clock_seconds() - start);
	}
	qsort(ms, runs, sizeof(*ms), ascending);
	printf("median %.4f ms, least %.4f, most %.4f, of %zu runs at ISA %s; peak memory %.1f MB\n", ms[runs / 2], ms[0],
	       ms[runs - 1], runs, isk_isa_current(), peak_megabytes());
	free(ms);
}

static void write_outputs(const struct graph *g, const struct settings *s)
{
	char text[200];

	for (size_t i = 0; i < g->outputs; i++) {
		const char *path = given(s->output, s->outputs, g->output_name[i], g->outputs == 1);

		if (path)
			npy_write(g->output[i], path);
		if (s->out_dir) {
			char *file;

			if (asprintf(&file, "%s/%zu.npy", s->out_dir, i) < 0)
				errx(1, "out of memory");
			npy_write(g->output[i], file);
			free(file);
		}
		if (s->checksum)
			printf("%016llx  %s %s\n",
			       (unsigned long long)checksum_of(CHECKSUM_OF_NOTHING, value_data(g->output[i]),
			                                       value_bytes(g->output[i])),
			       g->output_name[i], value_dims(g->output[i], text));
	}
}

/* The runs of a session that are asked for. */
struct work {
	struct session *session;
	const struct settings *settings;
};

static void run_all(void *data)
{
	const struct work *w = data;
	struct plan *p = &w->session->plan;

	p->watch = progress_tell;
	plan_run(p);
	p->watch = NULL; /* it takes time, which is measured from now on */
	if (w->settings->bench)
		bench(p, w->settings->bench);
	if (w->settings->profile)
		profile(p, w->settings->profile);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {options, parse, "MODEL.onnx", "Runs a model of ONNX on isakern.",
	                                 NULL,    NULL,  NULL};
	struct settings s = {0};
	struct session session = {0};
	const struct graph *g = &session.graph;
	Onnx__ModelProto *model;

	argp_parse(&argp, argc, argv, 0, NULL, &s);
	session.graph.path = s.model;
	session.graph.consumes = 1;
	session.graph.takes_bf16 = s.takes_bf16;
	if (s.packed || s.save_packed)
		session.graph.store = store_new();
	if (s.packed)
		store_map(session.graph.store, s.packed);
	model = model_read(s.model);
	read_inputs(&session, &s, model->graph);
	session_plan(&session, model, s.plain);
	if (s.takes_bf16 && !g->in_bf16)
		refuse(NULL, "%s: --weights bf16: the model has no product or convolution of a FLOAT input by constant weights", s.model);
	check_names(s.output, s.outputs, g->output_name, g->outputs, "output");
	if (s.out_dir && mkdir(s.out_dir, 0777) != 0 && errno != EEXIST)
		err(1, "%s", s.out_dir);
	if (s.save_packed)
		store_save(session.graph.store, s.save_packed);
	if (s.explain)
		explain(&session.plan);
	session_on_threads(run_all, &(struct work){&session, &s});
	write_outputs(g, &s);
	if (session.graph.store)
		store_free(session.graph.store);
	session_close(&session);
	onnx__model_proto__free_unpacked(model, NULL);
	finish_output();
	return 0;
}
