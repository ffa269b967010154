/* SPDX-License-Identifier: MIT */
/*
 * semsearch: finds the sentences of a text that mean the same as a question. All arithmetic is done by
 * isakern kernels; see --help.
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "../cache.h"
#include "alloc.h"
#include "compare.h"
#include "corpus.h"
#include "isakern.h"
#include "ladder.h"
#include "model.h"
#include "tokenizer.h"

static const char help[] =
	"Usage: semsearch [OPTION]...\n"
	"\n"
	"Finds the sentences of a text that are nearest in meaning to a question. Reads a\n"
	"text of one sentence a line, turns each into a vector with the neural network\n"
	"all-MiniLM-L6-v2, and answers with those whose vectors have the largest cosine\n"
	"with that of the question. The words need not be the same.\n"
	"\n"
	"  -c, --corpus=FILE   the text: UTF-8, one sentence a line, blank lines are passed\n"
	"                      over; - is standard input. Default: the corpus.txt that\n"
	"                      comes with the example\n"
	"  -m, --model=DIR     the folder with model.fp16.safetensors and tokenizer.json.\n"
	"                      Default: where examples/semsearch/fetch.sh puts them,\n"
	"                      $XDG_CACHE_HOME/isakern/all-MiniLM-L6-v2, where\n"
	"                      XDG_CACHE_HOME is ~/.cache if not set\n"
	"  -q, --query=TEXT    a question; may be given again. Without any, questions are\n"
	"                      read from standard input, one a line\n"
	"  -w, --weights=TYPE  f32, f16, bf16 or int8. Fewer bits are faster and less exact,\n"
	"                      but for f16, the type of the model's file, which gives the\n"
	"                      same bits as f32. Default: bf16\n"
	"  -k N                how many answers to show, 1 to 1000. Default: 5\n"
	"  -j, --threads=N     threads that embed, 1 to 1024. Default: one a CPU. The\n"
	"                      answers are the same bits for any number\n"
	"      --json          write one JSON object instead of text: ISA, speed, a checksum\n"
	"                      of all vectors (bits), and for each --query the checksum\n"
	"                      of its vector and its answers. Reads no questions\n"
	"      --embed         write the vectors instead of searching: for each sentence a\n"
	"                      line with a JSON array of 384 numbers that read back exactly\n"
	"      --isa-ladder    embed the text again under each ISA that this CPU can run\n"
	"                      and draw their speeds; equal bits mean that every vector is\n"
	"                      the same to the last bit\n"
	"      --compare-weights\n"
	"                      embed the text with each type of weights, and print its\n"
	"                      speed and how near its vectors are to those of f32\n"
	"  -h, --help          this text\n"
	"\n"
	"A sentence of more than 256 tokens is cut there, with a warning: the model\n"
	"takes no more. A line that is not UTF-8 ends the program.\n"
	"\n"
	"Environment:\n"
	"  ISAKERN_MAX_ISA     the highest ISA to use: baseline, avx2, avx512, ... The first\n"
	"                      line of the output names the one in use\n"
	"\n"
	"Exit status: 0, or 1 if a file is missing, damaged or empty, or 2 for a mistake\n"
	"in the command line. The reason is one line on standard error.\n"
	"\n"
	"Examples:\n"
	"  semsearch --query 'why do leaves turn red' -k 3\n"
	"  semsearch --corpus notes.txt\n"
	"  man gcc | col -b | semsearch --corpus - --query 'make the program smaller'\n"
	"  semsearch --isa-ladder\n";

struct options {
	const char *corpus;
	const char *model;
	const char **query;
	size_t queries;
	size_t answers;
	size_t threads;
	enum weights weights;
	int json, embed, ladder, compare;
};

struct run {
	const struct options *options;
	struct tokenizer *tokenizer;
	struct model *model;
	struct corpus corpus;
	float *vectors;
	double seconds, cpu_seconds; /* for tokenizing and embedding the corpus; of all threads */
};

static __attribute__((noreturn, format(printf, 1, 2))) void usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "semsearch: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "; see semsearch --help\n");
	va_end(args);
	exit(2);
}

static size_t number(const char *option, const char *text, size_t most)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || text[0] < '0' || text[0] > '9' || n < 1 || n > most)
		usage("%s wants a number from 1 to %zu, not '%s'", option, most, text);
	return n;
}

static enum weights weights(const char *text)
{
	for (enum weights w = 0; w < WEIGHTS_TYPES; w++)
		if (strcmp(text, weights_names[w].name) == 0)
			return w;
	usage("--weights wants f32, f16, bf16 or int8, not '%s'", text);
}

static size_t cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static void read_options(struct options *o, int argc, char **argv)
{
	enum { JSON = 256, EMBED, LADDER, COMPARE };
	static const struct option options[] = {
		{"corpus", required_argument, NULL, 'c'},
		{"model", required_argument, NULL, 'm'},
		{"query", required_argument, NULL, 'q'},
		{"threads", required_argument, NULL, 'j'},
		{"weights", required_argument, NULL, 'w'},
		{"json", no_argument, NULL, JSON},
		{"embed", no_argument, NULL, EMBED},
		{"isa-ladder", no_argument, NULL, LADDER},
		{"compare-weights", no_argument, NULL, COMPARE},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	size_t space = 0;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":c:m:q:k:j:w:h", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			o->corpus = optarg;
			break;
		case 'm':
			o->model = optarg;
			break;
		case 'q':
			o->query = grow(o->query, &space, o->queries + 1, sizeof(*o->query));
			o->query[o->queries++] = optarg;
			break;
		case 'k':
			o->answers = number("-k", optarg, 1000);
			break;
		case 'j':
			o->threads = number("--threads", optarg, 1024);
			break;
		case 'w':
			o->weights = weights(optarg);
			break;
		case JSON:
			o->json = 1;
			break;
		case EMBED:
			o->embed = 1;
			break;
		case LADDER:
			o->ladder = 1;
			break;
		case COMPARE:
			o->compare = 1;
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		case ':':
			usage("%s wants a value", argv[optind - 1]);
		default:
			if (optopt && optopt < 256)
				usage("unknown option -%c", optopt);
			usage("no such option, or no value for it: %s", argv[optind - 1]);
		}
	}
	if (optind < argc)
		usage("what is '%s'? Questions go after --query, files after --corpus", argv[optind]);
	if (o->json + o->embed + o->ladder + o->compare > 1)
		usage("--json, --embed, --isa-ladder and --compare-weights exclude each other");
	if (o->queries && (o->embed || o->ladder || o->compare))
		usage("%s takes no --query", o->embed ? "--embed" : o->ladder ? "--isa-ladder" : "--compare-weights");
	if (strcmp(o->corpus, "-") == 0 && o->ladder)
		usage("--isa-ladder reads the corpus several times: it cannot be -");
	if (strcmp(o->corpus, "-") == 0 && !o->queries && !o->json && !o->embed && !o->compare)
		usage("with --corpus - standard input is the text: ask by --query");
}

static __attribute__((format(printf, 1, 2))) char *print(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		errx(1, "out of memory");
	va_end(args);
	return text;
}

/* Opens the tokenizer in the folder. Returns the path of the weights, to be freed. */
static char *open_folder(struct run *r, const char *folder)
{
	char *weights = print("%s/model.fp16.safetensors", folder);
	char *tokens = print("%s/tokenizer.json", folder);

	if (access(weights, R_OK) != 0 || access(tokens, R_OK) != 0)
		errx(1, "no model in %s: %s; examples/semsearch/fetch.sh gets it, --model DIR names another folder",
			 folder, strerror(errno));
	r->tokenizer = tokenizer_open(tokens);
	if (tokenizer_size(r->tokenizer) != MODEL_VOCABULARY)
		errx(1, "%s: %zu tokens, the model knows %d", tokens, tokenizer_size(r->tokenizer), MODEL_VOCABULARY);
	free(tokens);
	return weights;
}

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void embed_corpus(struct run *r)
{
	const double begin = now(CLOCK_MONOTONIC), cpu_begin = now(CLOCK_PROCESS_CPUTIME_ID);

	corpus_tokenize(&r->corpus, r->tokenizer);
	r->vectors = corpus_embed(&r->corpus, r->model, r->options->threads, isatty(STDERR_FILENO));
	r->seconds = now(CLOCK_MONOTONIC) - begin;
	r->cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
}

/* The kernel that does nearly all the work, and the ISA of its variant. */
static const char *gemm(const struct run *r)
{
	return weights_names[r->options->weights].kernel;
}

static const char *gemm_isa(const struct run *r)
{
	const char *isa = "?";
	size_t count;
	struct isk_candidate *candidate = candidates_of(gemm(r), &count);

	for (size_t i = 0; i < count; i++)
		if (candidate[i].bound)
			isa = candidate[i].isa;
	free(candidate);
	return isa;
}

struct answer {
	size_t sentence;
	float score;
};

static int by_score(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->sentence < y->sentence ? -1 : x->sentence > y->sentence;
}

/* FNV-1a of vectors: two runs with the same checksum agree in every bit. */
static uint64_t checksum(const float *x, size_t n)
{
	uint64_t h = 0xCBF29CE484222325;

	for (size_t i = 0; i < n; i++) {
		uint32_t bits;

		memcpy(&bits, &x[i], sizeof(bits));
		h = (h ^ bits) * 0x100000001B3;
	}
	return h;
}

/*
 * All sentences, the best first; NULL if the query is not UTF-8. Vectors have length 1, so the dot product is
 * the cosine. *sum becomes the checksum of the query's vector; sum may be NULL.
 */
static struct answer *search(const struct run *r, const char *query, size_t bytes, size_t line, uint64_t *sum)
{
	struct corpus c = {.name = line ? "standard input" : "--query"};
	struct answer *answer;
	float *q;

	if (!corpus_add(&c, query, bytes, line ? line : 1))
		return NULL;
	corpus_tokenize(&c, r->tokenizer);
	q = corpus_embed(&c, r->model, 1, 0);
	if (sum)
		*sum = checksum(q, MODEL_DIM);
	answer = alloc(r->corpus.count, sizeof(*answer));
	for (size_t i = 0; i < r->corpus.count; i++)
		answer[i] = (struct answer){i, isk_dot_f32(q, r->vectors + i * MODEL_DIM, MODEL_DIM)};
	qsort(answer, r->corpus.count, sizeof(*answer), by_score);
	free(q);
	corpus_free(&c);
	return answer;
}

static size_t answers(const struct run *r)
{
	return r->options->answers < r->corpus.count ? r->options->answers : r->corpus.count;
}

static void print_answers(const struct run *r, const struct answer *answer)
{
	for (size_t i = 0; i < answers(r); i++)
		printf("  %6.3f  %s\n", (double)answer[i].score, r->corpus.sentence[answer[i].sentence].text);
	fflush(stdout);
}

static void ask_again_and_again(const struct run *r)
{
	const int tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	char *line = NULL;
	size_t space = 0, number_of_line = 0;
	ssize_t n;

	for (;;) {
		struct answer *answer;

		if (tty)
			fputs("\nquestion> ", stdout);
		fflush(stdout);
		n = getline(&line, &space, stdin);
		if (n < 0)
			break;
		number_of_line++;
		while (n && strchr("\r\n \t", line[n - 1]))
			line[--n] = '\0';
		if (!n)
			continue;
		answer = search(r, line, (size_t)n, number_of_line, NULL);
		if (answer && !tty)
			printf("\n? %s\n", line);
		if (answer)
			print_answers(r, answer);
		free(answer);
	}
	if (tty)
		putchar('\n');
	free(line);
}

static void write_text(const struct run *r)
{
	const struct corpus *c = &r->corpus;

	printf("ISA %s (%s is bound to %s), %zu thread%s\n", isk_isa_current(), gemm(r), gemm_isa(r),
		   r->options->threads, r->options->threads == 1 ? "" : "s");
	printf("%s: %zu sentences, %zu tokens, embedded in %.2f s: %.0f sentences/s\n", c->name, c->count,
		   c->start[c->count], r->seconds, (double)c->count / r->seconds);
	for (size_t i = 0; i < r->options->queries; i++) {
		const char *query = r->options->query[i];
		struct answer *answer = search(r, query, strlen(query), 0, NULL);

		if (!answer)
			exit(2);
		printf("\n? %s\n", query);
		print_answers(r, answer);
		free(answer);
	}
	if (!r->options->queries)
		ask_again_and_again(r);
}

static void add_rounded(cJSON *object, const char *name, double value, int digits)
{
	char *text = print("%.*f", digits, value);

	cJSON_AddRawToObject(object, name, text);
	free(text);
}

static void add_checksum(cJSON *object, uint64_t sum)
{
	char *text = print("%016llx", (unsigned long long)sum);

	cJSON_AddStringToObject(object, "bits", text);
	free(text);
}

static cJSON *answers_json(const struct run *r, const char *query)
{
	uint64_t sum;
	struct answer *answer = search(r, query, strlen(query), 0, &sum);
	cJSON *json = cJSON_CreateObject();
	cJSON *list = cJSON_CreateArray();

	if (!answer)
		exit(2);
	cJSON_AddStringToObject(json, "query", query);
	add_checksum(json, sum);
	for (size_t i = 0; i < answers(r); i++) {
		const struct sentence *s = &r->corpus.sentence[answer[i].sentence];
		cJSON *one = cJSON_CreateObject();

		cJSON_AddNumberToObject(one, "line", (double)s->line);
		add_rounded(one, "score", (double)answer[i].score, 6);
		cJSON_AddStringToObject(one, "text", s->text);
		cJSON_AddItemToArray(list, one);
	}
	cJSON_AddItemToObject(json, "answers", list);
	free(answer);
	return json;
}

static void write_json(const struct run *r)
{
	const struct corpus *c = &r->corpus;
	cJSON *json = cJSON_CreateObject();
	cJSON *queries = cJSON_CreateArray();
	char *text;

	cJSON_AddStringToObject(json, "isakern", isk_version());
	cJSON_AddStringToObject(json, "isa", isk_isa_current());
	cJSON_AddStringToObject(json, "weights", weights_names[r->options->weights].name);
	cJSON_AddStringToObject(json, "gemm", gemm(r));
	cJSON_AddStringToObject(json, "gemm_isa", gemm_isa(r));
	cJSON_AddNumberToObject(json, "threads", (double)r->options->threads);
	cJSON_AddStringToObject(json, "corpus", c->name);
	cJSON_AddNumberToObject(json, "sentences", (double)c->count);
	cJSON_AddNumberToObject(json, "tokens", (double)c->start[c->count]);
	add_rounded(json, "seconds", r->seconds, 6);
	add_rounded(json, "cpu_seconds", r->cpu_seconds, 6);
	add_rounded(json, "sentences_per_second", (double)c->count / r->seconds, 3);
	add_checksum(json, checksum(r->vectors, c->count * MODEL_DIM));
	for (size_t i = 0; i < r->options->queries; i++)
		cJSON_AddItemToArray(queries, answers_json(r, r->options->query[i]));
	cJSON_AddItemToObject(json, "queries", queries);
	text = cJSON_Print(json);
	puts(text);
	free(text);
	cJSON_Delete(json);
}

static void write_vectors(const struct run *r)
{
	for (size_t i = 0; i < r->corpus.count; i++)
		for (size_t j = 0; j < MODEL_DIM; j++)
			printf("%c%.9g%s", j ? ',' : '[', (double)r->vectors[i * MODEL_DIM + j],
				   j + 1 == MODEL_DIM ? "]\n" : "");
}

static void climb(const struct options *o)
{
	char *threads = print("%zu", o->threads);
	const char *argv[] = {
		"semsearch", "--corpus", o->corpus, "--model", o->model, "--threads", threads,
		"--weights", weights_names[o->weights].name, "--json", NULL,
	};

	ladder((char **)(uintptr_t)argv);
	free(threads);
}

static void compare(struct run *r, const char *path)
{
	corpus_tokenize(&r->corpus, r->tokenizer);
	printf("ISA %s, %zu thread%s, %zu sentences\n", isk_isa_current(), r->options->threads,
		   r->options->threads == 1 ? "" : "s", r->corpus.count);
	compare_weights(&r->corpus, path, r->options->threads);
}

static void embed(struct run *r, const char *path)
{
	r->model = model_open(path, r->options->weights);
	embed_corpus(r);
	if (r->options->json)
		write_json(r);
	else if (r->options->embed)
		write_vectors(r);
	else
		write_text(r);
	model_close(r->model);
	free(r->vectors);
}

int main(int argc, char **argv)
{
	char *model = cached("all-MiniLM-L6-v2");
	struct options o = {
		.corpus = SEMSEARCH_CORPUS,
		.model = model,
		.answers = 5,
		.threads = cpus(),
		.weights = WEIGHTS_BF16,
	};
	struct run r = {.options = &o};

	setlocale(LC_CTYPE, "");
	read_options(&o, argc, argv);
	if (o.ladder) {
		climb(&o);
	} else {
		char *path;

		corpus_read(&r.corpus, o.corpus);
		path = open_folder(&r, o.model);
		if (o.compare)
			compare(&r, path);
		else
			embed(&r, path);
		free(path);
		tokenizer_close(r.tokenizer);
		corpus_free(&r.corpus);
	}
	free(o.query);
	free(model);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	return 0;
}
