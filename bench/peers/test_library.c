/* SPDX-License-Identifier: MIT */
/* Each copy of a library is a new one, which reads its environment for itself. */
#include <dlfcn.h>
#include <stdio.h>

#include "library.h"

int main(void)
{
	void *copies[3] = {library_open("libcjson.so.1"), library_copy("libcjson.so.1", "COPY", "1"),
	                   library_copy("libcjson.so.1", "COPY", "2")};
	int failed = 0;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < i; j++)
			if (!copies[i] || dlsym(copies[i], "cJSON_Version") == dlsym(copies[j], "cJSON_Version")) {
				printf("copy %d of libcjson is %s\n", i, copies[i] ? "an earlier one" : "not there");
				failed = 1;
			}
	return failed;
}
