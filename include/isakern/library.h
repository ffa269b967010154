/* SPDX-License-Identifier: MIT */
/*
 * Asking the library
 *
 * ISA names are those of `isakern info`, lowest first. All these functions may be
 * called before any kernel is. They bind nothing, and their answers always agree
 * with the variant that a call reaches. Strings are static.
 *
 * If a struct begins with a field size, the caller sets it to the sizeof of that
 * struct before the call. A newer library, whose struct is longer, then writes only
 * the fields that the caller has room for.
 */
#ifndef ISAKERN_LIBRARY_H
#define ISAKERN_LIBRARY_H

#include <isakern/types.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *isk_version(void);

/* One English sentence for a status; never NULL. */
const char *isk_strerror(int status);

/* The highest ISA that kernels are bound to. This CPU and OS can run it, the library
 * holds it, and the environment neither caps nor disables it. Asks the OS for
 * permission to use AMX if amx would be that ISA. */
const char *isk_isa_current(void);
/* The highest ISA that this CPU and OS can run, even if this binary lacks it. */
const char *isk_isa_cpu(void);
/* The highest ISA this binary holds. */
const char *isk_isa_binary(void);

size_t isk_isa_count(void);
/* The name of ISA i, lowest first; NULL if i >= isk_isa_count(). */
const char *isk_isa_name(size_t i);

/* Why a variant is not used, or ISK_USABLE. */
enum isk_state {
	ISK_USABLE,
	ISK_NOT_BUILT,  /* left out when the library was configured */
	ISK_NOT_LINKED, /* the kernel is not in this statically linked program */
	ISK_NO_CPU,     /* the CPU lacks an instruction set */
	ISK_NO_OS,      /* the CPU has it, but the OS (or GLIBC_TUNABLES) does not enable it */
	ISK_NO_PERMISSION, /* the kernel refused the use of AMX */
	ISK_CAPPED,     /* above ISAKERN_MAX_ISA */
	ISK_DISABLED,   /* in ISAKERN_DISABLE */
	ISK_DEMOTED,    /* measured to be slower than another one on this CPU */
	ISK_PINNED,     /* ISAKERN_BIND chose another one */
};

struct isk_candidate {
	size_t size;          /* sizeof(struct isk_candidate) */
	const char *isa;
	void (*fn)(void);     /* the variant, to be cast to the kernel's type; NULL if this binary lacks it */
	enum isk_state state; /* ISK_USABLE, or why it is not used. fn may be called if this is ISK_USABLE or
	                         ISK_CAPPED or higher, except for an AMX variant that is capped or disabled */
	int bound;            /* 1: a call of the kernel reaches this variant; else 0 */
	char reason[112];     /* one line for people, e.g. "CPU lacks avx512_fp16" */
};

struct isk_kernel_info {
	size_t size;         /* sizeof(struct isk_kernel_info) */
	const char *name;    /* "exp_f32": the symbol without isk_ */
	const char *shape;   /* the form of its arguments: "map" */
	const char *family;  /* "elementwise": the header isakern/elementwise.h has the contract */
	const char *since;   /* the version of isakern that first had the kernel: "0.1" */
	const char *bits;    /* "same", "same-amx" (the same at all ISAs but amx) or "bound" */
	const char *error;   /* the error bound in the unit of the shape: "0.51", "exact" */
	const char *error_baseline; /* the error bound at baseline, in the same unit */
	const char *summary; /* what the kernel computes, in one line */
};

/* Kernel i of isk_kernel_count(), in the order of the tables. */
size_t isk_kernel_count(void);
#ifdef __cplusplus
/* g++ -Wshadow warns because the function has the name of the struct. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
int isk_kernel_info(size_t i, struct isk_kernel_info *info);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

/* The number of the kernel with this name, or ISK_ERR_KERNEL. */
int isk_kernel_find(const char *kernel);

/*
 * The candidates of a kernel, lowest ISA first. Fills at most max of them and
 * returns how many there are, or a negative isk_status. out[0].size is the size of
 * each struct in out. If the kernel has an AMX variant that is neither capped nor
 * disabled, this asks the OS for permission to use AMX.
 */
int isk_candidates(const char *kernel, struct isk_candidate *out, size_t max);

/* The function that a call of the kernel reaches; NULL for an unknown or unlinked kernel. */
void (*isk_bound(const char *kernel))(void);

/* The reference of the kernel: plain scalar code that computes in wider precision.
 * NULL for an unknown or unlinked kernel. A shared library of isakern holds no
 * references itself. It loads libisakern-ref.so from its own folder and returns the
 * one there, or NULL if that file is missing. */
void (*isk_reference(const char *kernel))(void);

#ifdef __cplusplus
}
#endif

#endif
