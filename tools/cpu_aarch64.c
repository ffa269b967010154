/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "cpu.h"

static const struct {
	char name[20];
	unsigned long word;
	int bit;
} features[] = {
#define F(name, word, bit) {name, word, bit},
#include "cpu_aarch64.def"
#undef F
};

const char *cpu_feature(unsigned i, enum cpu_has *has)
{
	if (i >= sizeof(features) / sizeof(features[0]))
		return NULL;
	/* Linux shows only features whose registers it saves. */
	*has = getauxval(features[i].word) >> features[i].bit & 1 ? CPU_HAS : CPU_LACKS;
	return features[i].name;
}

const char *cpu_state(char text[CPU_STATE])
{
	enum { LENGTH = 0xffff };
	const int vectors = prctl(PR_SVE_GET_VL);

	snprintf(text, CPU_STATE, "%d", vectors < 0 ? 0 : vectors & LENGTH);
	return "sve_bytes";
}
