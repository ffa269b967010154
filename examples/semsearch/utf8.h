/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 to code points, strictly: overlong forms, surrogates and anything above
 * U+10FFFF are errors.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The code point at *p, which moves past it. If there is none, returns -1 and *p stays. */
static inline int32_t utf8_next(const char **p, const char *end)
{
	static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)*p;
	const int more = s[0] < 0x80   ? 0
					 : s[0] < 0xC2 ? -1
					 : s[0] < 0xE0 ? 1
					 : s[0] < 0xF0 ? 2
					 : s[0] < 0xF5 ? 3
								   : -1;
	int32_t c = more > 0 ? s[0] & (0x3F >> more) : s[0];

	if (more < 0 || end - *p <= more)
		return -1;
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return -1;
		c = c << 6 | (s[i] & 0x3F);
	}
	if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return -1;
	*p += more + 1;
	return c;
}

/* Writes c at s and returns the bytes it took, 4 at most. */
static inline size_t utf8_put(char *s, uint32_t c)
{
	if (c < 0x80) {
		s[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		s[0] = (char)(0xC0 | c >> 6);
		s[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		s[0] = (char)(0xE0 | c >> 12);
		s[1] = (char)(0x80 | (c >> 6 & 0x3F));
		s[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	s[0] = (char)(0xF0 | c >> 18);
	s[1] = (char)(0x80 | (c >> 12 & 0x3F));
	s[2] = (char)(0x80 | (c >> 6 & 0x3F));
	s[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

#endif
