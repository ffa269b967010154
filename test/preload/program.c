/* SPDX-License-Identifier: MIT */
/*
 * Programs to put libraries in front of: program MODE
 *
 *     calls     a few kernels, in place, with NULL, with structs, one refused; the results as bits
 *     every     each kernel once, as isk_call() does
 *     before    a kernel before main()
 *     threads   four of them, 10000 calls each
 *     fork      two calls here, three in a child, whose exit status is printed
 *     state     kernels under this program's own rounding mode, exceptions and errno, and whether these are kept
 *     nan       the exponentials of two numbers and a NaN
 *     errno     the roots of a number and of a negative one, and errno after each call, which was ENOENT before
 *     conv      a convolution whose pixels are farther apart than their channels
 *     lookup    kernels by dlsym(), of this program and of the library
 *     overhead  calls of 16 elements: nanoseconds each
 */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "every.h"

static float x[512], y[512];

static void print_bits(const char *what, const float *z, size_t n)
{
	uint32_t sum = 0, bits;

	for (size_t i = 0; i < n; i++) {
		memcpy(&bits, &z[i], sizeof(bits));
		sum = sum * 31 + bits;
	}
	printf("%s %08x\n", what, (unsigned)sum);
}

static int calls(void)
{
	static unsigned char packed[4096];
	struct isk_post post = {.size = sizeof(post), .binary = ISK_BINARY_ADD, .ldother = 8};
	int statuses[3];

	for (int i = 0; i < 3; i++)
		isk_exp_f32(y, x, 100);
	print_bits("exp", y, 100);
	isk_exp_f32(y, y, 7);
	print_bits("in place", y, 7);
	isk_softmax_f32(y, y, 10, 20, 24, 24);
	print_bits("softmax", y, 24);
	isk_layernorm_f32(y, x, NULL, NULL, 4, 16, 16, 16, 1e-5f);
	print_bits("layernorm", y, 64);
	isk_axpy_f32(y, x, 64, 0.5f);
	print_bits("axpy", y, 64);
	statuses[0] = isk_gemm_pack_f32(packed, x, sizeof(packed), 8, 8, 8, 0);
	post.other = y;
	statuses[1] = isk_gemm_f32(y, x + 64, packed, 8, 8, 8, 8, 8, &post);
	print_bits("gemm", y, 64);
	statuses[2] = isk_gemm_f32(y, x, packed, 8, 8, 9, 8, 9, NULL);
	printf("statuses %d %d %d, dot %.9g\n", statuses[0], statuses[1], statuses[2], (double)isk_dot_f32(x, y, 64));
	return 0;
}

/* A call before main() may come before or after the preloaded library was initialised; it must be seen in both cases. */
static int early;

__attribute__((constructor)) static void before_main(void)
{
	for (int i = 0; i < 512; i++)
		x[i] = (float)(i % 37) / 16 - 1;
	isk_tanh_f32(y, x, 5);
	early = 1;
}

static void *in_a_thread(void *unused)
{
	float z[64];

	for (int i = 0; i < 10000; i++)
		isk_add_f32(z, x, x, (size_t)(i % 64));
	return unused;
}

static int threads(void)
{
	pthread_t all[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&all[i], NULL, in_a_thread, NULL))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	return 0;
}

static int forks(void)
{
	pid_t child;
	int status;

	isk_sin_f32(y, x, 10);
	isk_sin_f32(y, x, 10);
	dlsym(RTLD_DEFAULT, "isk_cos_f32");
	fflush(stdout);
	child = fork();
	if (!child) {
		for (int i = 0; i < 3; i++)
			isk_exp_f32(y, x, 10);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	printf("child %d\n", WEXITSTATUS(status));
	return 0;
}

/*
 * The kernels round to nearest in whatever mode, being told so in their instructions; nearbyint(), of an oracle, follows the
 * mode. The oracle of log sets errno.
 */
static int state(void)
{
	const float halves[4] = {0.5f, 1.5f, 2.5f, -0.5f}, below[2] = {-1, 0};

	fesetround(FE_UPWARD);
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_DIVBYZERO);
	errno = 4242;
	isk_round_f32(y, halves, 4);
	printf("%d", fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
	isk_log_f32(y + 4, below, 2);
	printf(" %d %d\n", fegetround() == FE_UPWARD, errno == 4242);
	fesetround(FE_TONEAREST);
	return 0;
}

static int not_a_number(void)
{
	const float in[3] = {1, 2, NAN};

	isk_exp_f32(y, in, 3);
	return 0;
}

static int roots(void)
{
	const float in[2] = {4, -4};

	for (int i = 0; i < 2; i++) {
		errno = ENOENT;
		isk_sqrt_f32(y, in + i, 1);
		printf("%s%s", i ? " " : "", errno == ENOENT ? "kept" : errno == EDOM ? "EDOM" : "other");
	}
	puts("");
	return 0;
}

static int conv(void)
{
	static unsigned char packed[4096];
	const struct isk_conv conv = {
		.size = sizeof(conv), .images = 1, .height = 4, .width = 4, .channels = 2, .out_channels = 3, .kernel_h = 2,
		.kernel_w = 2, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, .groups = 1, .ldx = 5, .ldy = 7,
	};

	return isk_conv_pack_f32(packed, x, sizeof(packed), &conv) || isk_conv_f32(y, x, packed, &conv, NULL);
}

static int lookup(void)
{
	void *const library = dlopen("libisakern.so.0", RTLD_NOW);
	void (*fn)(float *, const float *, size_t);

	*(void **)&fn = dlsym(RTLD_DEFAULT, "isk_erf_f32");
	fn(y, x, 10);
	*(void **)&fn = dlsym(library, "isk_cos_f32");
	fn(y, x, 10);
	/*
	 * The reference is not a kernel, although libisakern-ref.so has it under a kernel's name. Nor is a name
	 * that does not exist.
	 */
	*(void **)&fn = *(void **)&(isk_function){isk_reference("log_f32")};
	fn(y, x, 10);
	printf("%d %d %d\n", dlsym(RTLD_DEFAULT, "isk_nag_f32") == NULL, dlsym(library, "isk_version") != NULL,
	       dlsym(RTLD_DEFAULT, "isk_cos_f32") == dlsym(library, "isk_cos_f32"));
	return 0;
}

static int overhead(void)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < 1000000; i++)
		isk_add_f32(y, x, x, 16);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.1f ns\n", (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {
		{"calls", calls}, {"every", every}, {"threads", threads}, {"fork", forks}, {"state", state},
		{"nan", not_a_number}, {"errno", roots}, {"conv", conv}, {"lookup", lookup}, {"overhead", overhead},
	};

	if (argc == 2 && strcmp(argv[1], "before") == 0)
		return !early;
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run();
	fputs("usage: program MODE\n", stderr);
	return 2;
}
