/* SPDX-License-Identifier: MIT */
/*
 * Asking the library
 *
 * ISA names are those of `isakern info`, lowest first. All these answers may be
 * had before any kernel is called; they do not bind anything, and never disagree
 * with what a call does. Strings are static.
 *
 * A struct that begins with size is handed over with its size filled in, as the
 * caller was compiled with it: a newer library then writes only what the caller
 * has room for.
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
	size_t size;          /* sizeof(struct isk_candidate) */
	const char *isa;
	void (*fn)(void);     /* cast to the type of the kernel; NULL if not there */
	enum isk_state state; /* from ISK_CAPPED on, fn may be called all the same (AMX
	                         excepted where it is capped or disabled) */
	int bound;            /* 1: a call reaches this one */
	char reason[112];     /* one line for people, e.g. "CPU lacks avx512_fp16" */
};

struct isk_kernel_info {
	size_t size;         /* sizeof(struct isk_kernel_info) */
	const char *name;    /* "exp_f32": the symbol without isk_ */
	const char *shape;   /* "map" */
	const char *family;  /* "elementwise": its header, isakern/elementwise.h, has its contract */
	const char *since;   /* the version of isakern that first had it: "0.1" */
	const char *bits;    /* "same", "same-amx" (of all but amx) or "bound" */
	const char *error;   /* the error bound in the unit of the shape: "0.51", "exact" */
	const char *error_baseline; /* likewise, at baseline */
	const char *summary; /* one line */
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

/* The number of a kernel by its name, or ISK_ERR_KERNEL. */
int isk_kernel_find(const char *kernel);

/*
 * The candidates of a kernel, lowest ISA first: fills at most max of them and
 * returns how many there are, or a negative isk_status. out[0].size holds for all
 * of out. Where a kernel has an AMX variant that is not capped or disabled this
 * asks the OS for the use of AMX.
 */
int isk_candidates(const char *kernel, struct isk_candidate *out, size_t max);

/* What a call of the kernel reaches; NULL for an unknown or unlinked kernel. */
void (*isk_bound(const char *kernel))(void);

/* The plain scalar form of the kernel, in wider precision inside; NULL likewise.
 * Shared libraries of isakern have none themselves: it is that of libisakern-ref.so,
 * which is loaded from the same folder; NULL where it is not there. */
void (*isk_reference(const char *kernel))(void);

#ifdef __cplusplus
}
#endif

#endif
