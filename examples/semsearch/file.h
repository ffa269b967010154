/* SPDX-License-Identifier: MIT */
/* A whole file in memory, read only. */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>

struct file {
	const char *data;
	size_t bytes;
};

/* Exits with a message if the file cannot be mapped. */
struct file file_map(const char *path);
void file_unmap(const struct file *file);

#endif
