/* SPDX-License-Identifier: MIT */
/* The environment variables that isakern and its libraries read, as docs/environment.md and docs/preload.md explain them. */
#ifndef SETTINGS_H
#define SETTINGS_H

struct setting {
	const char *name, *effect;
};

/* Ends with a row of NULL. */
extern const struct setting settings[];

#endif
