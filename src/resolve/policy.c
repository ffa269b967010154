/* SPDX-License-Identifier: MIT */
/*
 * The ISAKERN_ variables. Reading and warning are separate, because the settings
 * are published first, and only the thread that published them warns. So each
 * mistake is told once.
 */
#include "policy.h"

#include "kernels.h"
#include "names.h"
#include "say.h"
#include "variables.h"

static const char max_isa[] = "ISAKERN_MAX_ISA";
static const char disable[] = "ISAKERN_DISABLE";
static const char bind[] = ISK_BIND_VARIABLE;
static const char verbose[] = "ISAKERN_VERBOSE";

/* An item of a list: the text up to the next comma or to the end. */
struct token {
	char text[64]; /* longer than any name; a longer item is cut off, and then matches no name */
	size_t length;
};

/* Reads one token; 0 at the end of the value. Skips empty ones. */
static int next_token(struct isk_reader *r, struct token *t)
{
	char c;

	do {
		t->length = 0;
		while ((c = isk_reader_next(r)) && c != ',') {
			if (t->length < sizeof(t->text) - 1)
				t->text[t->length++] = c;
		}
		t->text[t->length] = 0;
	} while (c && !t->length);
	return t->length != 0;
}

static int isa_of(const char *name)
{
	for (int i = 0; i < ISK_ISA_COUNT; i++)
		if (isk_compare(name, isk_isa_names[i]) == 0)
			return i;
	return -1;
}

/* "KERNEL=ISA", taken apart. */
struct pin {
	const char *isa;           /* the text after '='; NULL: the item has another form */
	int number;                /* the number of the kernel, or -1 */
	int wanted;                /* the ISA, or -1 */
	const struct isk_row *row; /* the kernel's row; NULL also in a static program that does not use the kernel */
};

static struct pin parse_pin(struct token *t)
{
	struct pin pin = {NULL, -1, -1, NULL};

	for (size_t i = 0; i < t->length && !pin.isa; i++)
		if (t->text[i] == '=') {
			t->text[i] = 0;
			pin.isa = t->text + i + 1;
		}
	if (!pin.isa)
		return pin;
	pin.number = isk_kernel_number(t->text);
	pin.wanted = isa_of(pin.isa);
	if (pin.number >= 0)
		pin.row = isk_row_of((size_t)pin.number);
	return pin;
}

static int possible(const struct pin *pin, uint32_t allowed)
{
	return pin->row && pin->wanted >= 0 && pin->row->built & allowed & 1u << pin->wanted;
}

void isk_policy_read(struct isk_policy *policy, const struct isk_environ *e)
{
	struct isk_reader r;
	struct token t;

	policy->cap = ISK_ISA_COUNT - 1;
	policy->disabled = 0;
	policy->verbose = 0;
	if (e->value[ISK_MAX_ISA]) {
		isk_reader_open(&r, e->value[ISK_MAX_ISA], e->file);
		if (next_token(&r, &t) && isa_of(t.text) >= 0)
			policy->cap = (unsigned int)isa_of(t.text);
		isk_reader_close(&r);
	}
	if (e->value[ISK_DISABLE]) {
		isk_reader_open(&r, e->value[ISK_DISABLE], e->file);
		while (next_token(&r, &t))
			if (isa_of(t.text) >= 0)
				policy->disabled |= 1u << isa_of(t.text);
		policy->disabled &= ~ISK_LOWEST_ISA;
		isk_reader_close(&r);
	}
	if (e->value[ISK_VERBOSE]) {
		isk_reader_open(&r, e->value[ISK_VERBOSE], e->file);
		policy->verbose = next_token(&r, &t) && isk_compare(t.text, "1") == 0;
		isk_reader_close(&r);
	}
}

void isk_policy_pin(uint8_t pins[], const struct isk_environ *e, uint32_t allowed)
{
	struct isk_reader r;
	struct token t;

	isk_reader_open(&r, e->value[ISK_BIND], e->file);
	while (next_token(&r, &t)) {
		const struct pin pin = parse_pin(&t);

		/* The last possible one of several pins counts. */
		if (possible(&pin, allowed))
			pins[pin.number] = (uint8_t)(pin.wanted + 1);
	}
	isk_reader_close(&r);
}

static void add_isas(struct isk_line *line, uint32_t isas)
{
	const char *comma = "";

	for (int i = 0; i < ISK_ISA_COUNT; i++)
		if (isas >> i & 1) {
			isk_line_add(line, comma);
			isk_line_add(line, isk_isa_names[i]);
			comma = ", ";
		}
}

static void begin(struct isk_line *line, const char *variable, const char *word)
{
	isk_line_begin(line);
	isk_line_add(line, variable);
	isk_line_add(line, ": '");
	isk_line_add(line, word);
}

static void warn_isa(const char *variable, const char *word, uint32_t isas)
{
	struct isk_line line;

	begin(&line, variable, word);
	isk_line_add(&line, "' ignored; allowed: ");
	add_isas(&line, isas);
	isk_line_end(&line);
}

static void warn(const char *variable, const char *word, const char *why)
{
	struct isk_line line;

	begin(&line, variable, word);
	isk_line_add(&line, "' ignored; ");
	isk_line_add(&line, why);
	isk_line_end(&line);
}

static void warn_pin(struct token *t, uint32_t cpu, uint32_t allowed)
{
	const struct pin pin = parse_pin(t);
	struct isk_line line;

	if (!pin.isa) {
		warn(bind, t->text, "a pin is written KERNEL=ISA");
	} else if (pin.number < 0) {
		warn(bind, t->text, "no such kernel; `isakern kernels` lists those of isakern");
	} else if (pin.row && !possible(&pin, allowed)) {
		begin(&line, bind, t->text);
		isk_line_add(&line, "=");
		isk_line_add(&line, pin.isa);
		isk_line_add(&line, "' ignored; ");
		if (pin.wanted < 0)
			isk_line_add(&line, "no such ISA");
		else if (!(pin.row->built >> pin.wanted & 1))
			isk_line_add(&line, "no such variant");
		else if (!(cpu >> pin.wanted & 1))
			isk_line_add(&line, "this CPU and OS cannot run it");
		else
			isk_line_add(&line, "capped or disabled");
		isk_line_add(&line, "; allowed: ");
		add_isas(&line, pin.row->built & allowed);
		isk_line_end(&line);
	}
}

void isk_policy_warn(const struct isk_environ *e, uint32_t cpu, uint32_t allowed, int room)
{
	struct isk_reader r;
	struct token t;

	if (e->value[ISK_MAX_ISA]) {
		isk_reader_open(&r, e->value[ISK_MAX_ISA], e->file);
		/* A cap is one name, so any text after a comma is as unknown as a wrong name. */
		for (int first = 1; next_token(&r, &t); first = 0)
			if (!first || isa_of(t.text) < 0)
				warn_isa(max_isa, t.text, ISK_EVERY_ISA);
		isk_reader_close(&r);
	}
	if (e->value[ISK_DISABLE]) {
		isk_reader_open(&r, e->value[ISK_DISABLE], e->file);
		while (next_token(&r, &t))
			if (isa_of(t.text) <= 0)
				warn_isa(disable, t.text, ISK_EVERY_ISA & ~ISK_LOWEST_ISA);
		isk_reader_close(&r);
	}
	if (e->value[ISK_BIND]) {
		isk_reader_open(&r, e->value[ISK_BIND], e->file);
		while (next_token(&r, &t))
			if (room)
				warn_pin(&t, cpu, allowed);
			else
				warn(bind, t.text, "no memory for pins");
		isk_reader_close(&r);
	}
	if (e->value[ISK_VERBOSE]) {
		isk_reader_open(&r, e->value[ISK_VERBOSE], e->file);
		if (next_token(&r, &t) && isk_compare(t.text, "1") && isk_compare(t.text, "0"))
			warn(verbose, t.text, "allowed: 0, 1");
		isk_reader_close(&r);
	}
}
