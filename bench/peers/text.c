/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 79 };

void print_wrapped(const char *text, size_t at, size_t indent, enum paint p)
{
	int first = 1;

	fputs(paint(p), stdout);
	while (*text) {
		const size_t word = strcspn(text, " ");

		if (!first && at + 1 + word > WIDTH) {
			printf("\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			putchar(' ');
			at++;
		}
		printf("%.*s", (int)word, text);
		first = 0;
		at += word;
		text += word + strspn(text + word, " ");
	}
	printf("%s\n", paint(PLAIN));
}
