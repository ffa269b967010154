/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

struct file file_map(const char *path)
{
	struct file file;
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p;

	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s", path);
	if (!S_ISREG(st.st_mode))
		errx(1, "%s: not a file", path);
	if (st.st_size == 0)
		errx(1, "%s: empty", path);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		err(1, "%s", path);
	close(fd);
	file.data = p;
	file.bytes = (size_t)st.st_size;
	return file;
}

void file_unmap(const struct file *file)
{
	munmap((void *)(uintptr_t)file->data, file->bytes);
}
