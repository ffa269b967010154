/* SPDX-License-Identifier: MIT */
/*
 * Instructions for machines without them. A handler of SIGILL decodes and executes those of amx.c and fp16.c, so that
 * compiled code runs unchanged. If the CPU would raise #GP or #UD, the process ends after one line with the reason. A
 * memory fault remains a SIGSEGV at its address.
 */
#include "emulator.h"
#include "instructions.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* initial-exec, because a signal handler must not allocate TLS. */
static __thread unsigned long count __attribute__((tls_model("initial-exec")));

const char *(*emulator_context)(void);

void emulator_fault(const char *kind, const char *name, const void *at, const char *why)
{
	const char *during = emulator_context ? emulator_context() : "";
	char line[768];
	int length = snprintf(line, sizeof(line), "emulator: %s of %s at %p: %s%s%s\n", kind, name, at, why,
	                      *during ? "; during " : "", during);

	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		_exit(98);
	signal(SIGABRT, SIG_DFL);
	abort();
}

static uint64_t reg_value(const ucontext_t *u, int number)
{
	static const int where[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

	return (uint64_t)u->uc_mcontext.gregs[where[number]];
}

static uint64_t displacement(const uint8_t *p, int bytes, int unit)
{
	int32_t d;

	if (bytes == 0)
		return 0;
	if (bytes == 1)
		return (uint64_t)((int8_t)*p * unit);
	memcpy(&d, p, sizeof(d));
	return (uint64_t)d;
}

struct operand operand_at(const ucontext_t *u, const uint8_t *modrm, int x, int b, int unit, int immediate)
{
	const int mod = *modrm >> 6, rm = *modrm & 7;
	const uint8_t *p = modrm + 1;
	int bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	struct operand o = {.is_memory = mod != 3, .has_sib = mod != 3 && rm == 4};

	if (o.has_sib) {
		const int index = (*p >> 3 & 7) | x << 3, base = *p & 7, scale = *p >> 6;

		o.index = index == 4 ? 0 : reg_value(u, index) << scale;
		if (mod == 0 && base == 5)
			bytes = 4;
		else
			o.base = reg_value(u, base | b << 3);
		p++;
	} else if (o.is_memory && mod == 0 && rm == 5) {
		bytes = 4;
		o.base = (uint64_t)(uintptr_t)(p + bytes + immediate);
	} else if (o.is_memory) {
		o.base = reg_value(u, rm | b << 3);
	}
	o.base += displacement(p, bytes, unit);
	o.next = p + bytes + immediate;
	return o;
}

static struct sigaction before;

static void handle(int number, siginfo_t *info, void *context)
{
	if (amx_execute(context) || fp16_execute(context))
		count++;
	else if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(number);
	else
		sigaction(SIGILL, &before, NULL); /* it traps again, and then ends the process */
}

const char *emulator_install(void)
{
	/*
	 * No signal is blocked during the handler, because code that jumps out of a memory fault expects so. A
	 * handler that restores the tiles it found does no harm within an instruction.
	 */
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;

	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
		return "the emulator needs AVX2 and FMA";
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGILL, &action, &old))
		return "sigaction(SIGILL) is refused";
	if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != handle)
		before = old;
	return NULL;
}

unsigned long emulator_count(void)
{
	return count;
}

#ifdef EMULATOR_PRELOAD
static __attribute__((constructor)) void install(void)
{
	const char *why = emulator_install();

	if (why)
		fprintf(stderr, "emulator: %s\n", why);
}

static __attribute__((destructor)) void say(void)
{
	if (count)
		fprintf(stderr, "emulator: %lu instructions\n", count);
}
#endif
