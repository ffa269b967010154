/* SPDX-License-Identifier: MIT */
#ifndef ISAKERN_ROLES_H
#define ISAKERN_ROLES_H

#ifdef __cplusplus
extern "C" {
#endif

/* How a kernel uses an argument. */
enum isk_role {
	ISK_OUT,    /* an array that is written */
	ISK_IN,     /* an array that is read */
	ISK_SIZE,   /* a number of elements */
	ISK_STRIDE, /* elements from one row to the next */
	ISK_VALUE,  /* one number */
	ISK_STRUCT, /* a struct that is read */
};

#ifdef __cplusplus
}
#endif

#endif
