/* SPDX-License-Identifier: MIT */
/*
 * cpuidsim [OPTIONS] MODEL PROGRAM [ARGUMENT...]
 *
 * Runs a program with its real dynamic linker and the real library as if on another CPU. MODEL is a row of
 * cpus.tbl, by (part of) its name or as @LINE. It needs no CPUID faulting: as soon as the program, ld.so or
 * libisakern is mapped, every cpuid and xgetbv in it is overwritten with an undefined instruction, and the
 * supervisor answers in its place. objdump gives the positions, so that only whole instructions are touched.
 *
 * No instruction is forbidden, so the program must not run code that this machine lacks. If glibc itself
 * would do so (its memcpy), cpuidsim ends with status 77.
 *
 *     --table FILE    instead of the cpus.tbl it was built with
 *     --xcr0 HEX      the OS enables no more than these bits
 *     --amx ANSWER    to arch_prctl(ARCH_REQ_XCOMP_PERM): grant, refuse, or
 *                     pass, which lets this machine's kernel answer
 *     --sites FILE    remembers what objdump found
 *     --report FILE   writes how often cpuid and the AMX permission were asked
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

enum { EXIT_USAGE = 2, EXIT_CANNOT = 77 };

static void die(const char *what, const char *which)
{
	fprintf(stderr, "cpuidsim: %s%s%s%s%s\n", what, *which ? " " : "", which, errno ? ": " : "",
	        errno ? strerror(errno) : "");
	exit(EXIT_USAGE);
}

/* The model: one row of the table. */
static struct {
	char name[128];
	uint32_t max, eax1, ecx1, edx1, ebx7, ecx7, edx7, eax7_1, edx7_1, xcr0, ecx80000001;
} model;

static int parse_row(const char *line)
{
	size_t length = strlen(line);
	int columns = 0;

	/* The name may contain blanks, so the eleven columns after it are counted from the end. */
	while (length && columns < 11) {
		while (length && strchr(" \t\n", line[length - 1]))
			length--;
		while (length && !strchr(" \t\n", line[length - 1]))
			length--;
		columns++;
	}
	if (!length || sscanf(line + length, "%x %x %x %x %x %x %x %x %x %x %x", &model.max, &model.eax1,
	                      &model.ecx1, &model.edx1, &model.ebx7, &model.ecx7, &model.edx7, &model.eax7_1,
	                      &model.edx7_1, &model.xcr0, &model.ecx80000001) != 11)
		return 0;
	while (length && strchr(" \t", line[length - 1]))
		length--;
	snprintf(model.name, sizeof(model.name), "%.*s", (int)length, line);
	return 1;
}

static void find_model(const char *table, const char *name)
{
	FILE *f = fopen(table, "r");
	char line[1024];
	int number = 0;

	if (!f)
		die("cannot read", table);
	while (fgets(line, sizeof(line), f)) {
		number++;
		if (line[0] == '#')
			continue;
		if ((name[0] == '@' ? atoi(name + 1) == number : strstr(line, name) != NULL) && parse_row(line)) {
			fclose(f);
			return;
		}
	}
	errno = 0;
	die("no such model:", name);
}

struct registers {
	uint32_t eax, ebx, ecx, edx;
};

static struct registers host(uint32_t leaf, uint32_t subleaf)
{
	struct registers r = {0, 0, 0, 0};

	if (leaf <= (uint32_t)__get_cpuid_max(leaf & 0x80000000, NULL))
		__cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
	return r;
}

static int is_amd(void)
{
	return strncmp(model.name, "AuthenticAMD", 12) == 0 || strncmp(model.name, "HygonGenuine", 12) == 0;
}

/* Deterministic cache parameters of a plain desktop CPU: type, level, ways, sets. */
static struct registers cache(uint32_t i)
{
	static const uint32_t caches[][4] = {{1, 1, 8, 64}, {2, 1, 8, 64}, {3, 2, 16, 1024}, {3, 3, 16, 16384}};
	struct registers r = {0, 0, 0, 0};

	if (i < sizeof(caches) / sizeof(caches[0])) {
		r.eax = caches[i][0] | caches[i][1] << 5;
		r.ebx = 63 | (caches[i][2] - 1) << 22;
		r.ecx = caches[i][3] - 1;
	}
	return r;
}

static struct registers answer(uint32_t leaf, uint32_t subleaf)
{
	/*
	 * HLE and RTM, shadow stacks, indirect branch tracking: glibc uses them if it sees them, while isakern
	 * does not ask. They keep this machine's values.
	 */
	const uint32_t tsx = 1u << 4 | 1u << 11, shstk = 1u << 7, ibt = 1u << 20;
	struct registers r = {0, 0, 0, 0};

	if (leaf < 0x40000000 && leaf > model.max)
		return r;
	switch (leaf) {
	case 0:
		r.eax = model.max;
		memcpy(&r.ebx, model.name, 4);
		memcpy(&r.edx, model.name + 4, 4);
		memcpy(&r.ecx, model.name + 8, 4);
		break;
	case 1:
		r = (struct registers){model.eax1, host(1, 0).ebx, model.ecx1, model.edx1};
		break;
	case 2:
		if (!is_amd())
			r.eax = 0xff01; /* one call; the caches are in leaf 4 */
		break;
	case 4:
		if (!is_amd())
			r = cache(subleaf);
		break;
	case 7:
		if (subleaf == 0) {
			const struct registers h = host(7, 0);

			r.eax = model.eax7_1 || model.edx7_1;
			r.ebx = (model.ebx7 & ~tsx) | (model.ebx7 & h.ebx & tsx);
			r.ecx = (model.ecx7 & ~shstk) | (model.ecx7 & h.ecx & shstk);
			r.edx = (model.edx7 & ~ibt) | (model.edx7 & h.edx & ibt);
		} else if (subleaf == 1) {
			r.eax = model.eax7_1;
			r.edx = model.edx7_1;
		}
		break;
	case 0xd:
		/* Sizes are this machine's, because ld.so saves this machine's registers. */
		r = host(leaf, subleaf);
		if (subleaf == 0) {
			r.eax = model.xcr0;
			r.edx = 0;
		}
		break;
	case 0x80000000:
		r = host(leaf, 0);
		if (!is_amd() || r.eax < 0x80000008)
			r.eax = 0x80000008;
		break;
	case 0x80000001:
		r.ecx = model.ecx80000001;
		r.edx = 1u << 11 | 1u << 20 | 1u << 27 | 1u << 29; /* syscall, NX, rdtscp, long mode */
		break;
	default:
		if (leaf >= 0x80000000 && leaf <= answer(0x80000000, 0).eax)
			r = host(leaf, subleaf);
	}
	return r;
}

/* The feature that glibc's own functions would use on the model and this machine lacks; NULL if there is none. */
static const char *host_lacks(void)
{
	const struct registers one = host(1, 0), seven = host(7, 0), ext = host(0x80000001, 0);

	if (model.ecx1 & ~one.ecx & (1u << 28 | 1u << 22 | 1u << 26))
		return "AVX, MOVBE or XSAVE";
	if (model.ebx7 & ~seven.ebx & (1u << 5 | 1u << 3 | 1u << 8))
		return "AVX2, BMI1 or BMI2";
	if (model.ebx7 & ~seven.ebx & (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31))
		return "AVX-512";
	if (model.ecx80000001 & ~ext.ecx & 1u << 5)
		return "LZCNT";
	return NULL;
}

/* The places of the instructions in a file. */
struct site {
	uint64_t offset;
	int length; /* 2: cpuid, 3: xgetbv */
};

static struct file {
	char path[512];
	struct site site[512];
	int sites;
	unsigned long asked; /* how often its cpuids ran */
} files[8];
static int file_count;
static const char *sites_path;

static void scan(struct file *f)
{
	char command[640], line[512];
	Elf64_Phdr segments[16];
	Elf64_Ehdr header;
	const int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	FILE *out;

	if (fd < 0 || pread(fd, &header, sizeof(header), 0) != sizeof(header) || header.e_phnum > 16
	    || pread(fd, segments, header.e_phnum * sizeof(segments[0]), (off_t)header.e_phoff)
	           != (ssize_t)(header.e_phnum * sizeof(segments[0])))
		die("cannot read", f->path);
	close(fd);
	snprintf(command, sizeof(command), "LC_ALL=C objdump -d -w --no-show-raw-insn '%s'", f->path);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out)) {
		const int length = strstr(line, ":\tcpuid") ? 2 : strstr(line, ":\txgetbv") ? 3 : 0;
		const uint64_t address = length ? strtoull(line, NULL, 16) : 0;

		for (int i = 0; length && i < header.e_phnum; i++)
			if (segments[i].p_type == PT_LOAD && address - segments[i].p_vaddr < segments[i].p_filesz) {
				if (f->sites == (int)(sizeof(f->site) / sizeof(f->site[0])))
					die("too many instructions in", f->path);
				f->site[f->sites].offset = address - segments[i].p_vaddr + segments[i].p_offset;
				f->site[f->sites++].length = length;
			}
	}
	if (!out || pclose(out) != 0)
		die("objdump failed on", f->path);
}

/* Reads one line of the sites file: path, size, time, then offset/length of each instruction. */
static int recall(struct file *f, const struct stat *st)
{
	FILE *memory = sites_path ? fopen(sites_path, "r") : NULL;
	char *line = NULL;
	size_t space = 0;
	int found = 0;

	while (memory && !found && getline(&line, &space, memory) > 0) {
		char head[640];
		const int length =
		    snprintf(head, sizeof(head), "%s\t%lld\t%lld.%09ld\t", f->path, (long long)st->st_size,
		             (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);

		if (strncmp(line, head, (size_t)length))
			continue;
		found = 1;
		for (char *at = line + length; *at && *at != '\n';) {
			f->site[f->sites].offset = strtoull(at, &at, 16);
			f->site[f->sites++].length = *at == '/' ? (int)strtol(at + 1, &at, 10) : 0;
			at += *at == ' ';
		}
	}
	free(line);
	if (memory)
		fclose(memory);
	return found;
}

static void remember(const struct file *f, const struct stat *st)
{
	FILE *memory = sites_path ? fopen(sites_path, "a") : NULL;

	if (!memory)
		return;
	fprintf(memory, "%s\t%lld\t%lld.%09ld\t", f->path, (long long)st->st_size, (long long)st->st_mtim.tv_sec,
	        st->st_mtim.tv_nsec);
	for (int i = 0; i < f->sites; i++)
		fprintf(memory, "%llx/%d ", (unsigned long long)f->site[i].offset, f->site[i].length);
	fprintf(memory, "\n");
	fclose(memory);
}

static struct file *file_of(const char *path)
{
	struct file *f;
	struct stat st;

	for (int i = 0; i < file_count; i++)
		if (strcmp(files[i].path, path) == 0)
			return &files[i];
	if (file_count == (int)(sizeof(files) / sizeof(files[0])) || stat(path, &st))
		die("cannot take in", path);
	f = &files[file_count++];
	snprintf(f->path, sizeof(f->path), "%s", path);
	if (!recall(f, &st)) {
		scan(f);
		remember(f, &st);
	}
	return f;
}

/* The overwritten instructions of the running program. */
static struct {
	uint64_t address;
	int length;
	struct file *file;
} patched[1024];
static int patches;

static char executable[512];

static int wanted(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return strcmp(path, executable) == 0 || strncmp(name, "ld-linux", 8) == 0
	    || strncmp(name, "libisakern", 10) == 0;
}

static void patch(pid_t pid)
{
	static const unsigned char before[2][3] = {{0x0f, 0xa2}, {0x0f, 0x01, 0xd0}};
	static const unsigned char after[2][3] = {{0x0f, 0x0b}, {0x0f, 0x0b, 0x90}};
	char name[64], line[1024], path[512];
	unsigned long long start, end, offset;
	FILE *maps;
	int memory;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "r");
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	memory = open(name, O_RDWR | O_CLOEXEC);
	if (!maps || memory < 0)
		die("cannot reach", name);
	while (fgets(line, sizeof(line), maps)) {
		char rights[8];
		struct file *f;

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511s", &start, &end, rights, &offset, path) != 5
		    || rights[2] != 'x' || path[0] != '/' || !wanted(path))
			continue;
		f = file_of(path);
		for (int i = 0; i < f->sites; i++) {
			const struct site *s = &f->site[i];
			const uint64_t address = start + s->offset - offset;
			unsigned char now[3];

			if (s->offset < offset || address >= end)
				continue;
			if (pread(memory, now, (size_t)s->length, (off_t)address) != s->length)
				die("cannot read the memory of", path);
			if (memcmp(now, after[s->length - 2], (size_t)s->length) == 0)
				continue;
			if (memcmp(now, before[s->length - 2], (size_t)s->length))
				die("objdump and the memory differ in", path);
			if (patches == (int)(sizeof(patched) / sizeof(patched[0]))
			    || pwrite(memory, after[s->length - 2], (size_t)s->length, (off_t)address) != s->length)
				die("cannot write the memory of", path);
			patched[patches].address = address;
			patched[patches].length = s->length;
			patched[patches++].file = f;
		}
	}
	fclose(maps);
	close(memory);
}

static void begin_program(pid_t pid)
{
	char name[64];
	ssize_t length;

	patches = 0;
	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	length = readlink(name, executable, sizeof(executable) - 1);
	executable[length > 0 ? length : 0] = 0;
	patch(pid);
}

/*
 * Executes the instruction at which a thread stopped, in place of the CPU. Returns 0 if it is not one of the
 * overwritten ones.
 */
static int emulate(pid_t pid)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return 0;
	for (int i = 0; i < patches; i++) {
		if (patched[i].address != regs.rip)
			continue;
		if (patched[i].length == 2) {
			const struct registers r = answer((uint32_t)regs.rax, (uint32_t)regs.rcx);

			regs.rax = r.eax;
			regs.rbx = r.ebx;
			regs.rcx = r.ecx;
			regs.rdx = r.edx;
			patched[i].file->asked++;
		} else {
			regs.rax = (uint32_t)regs.rcx == 0 ? model.xcr0 : 0;
			regs.rdx = 0;
		}
		regs.rip += (unsigned long long)patched[i].length;
		ptrace(PTRACE_SETREGS, pid, NULL, &regs);
		return 1;
	}
	return 0;
}

static enum { GRANT, REFUSE, PASS } amx = GRANT;
static int amx_asked;
static long amx_answer;

static void at_syscall(pid_t pid)
{
	static pid_t asking;
	struct user_regs_struct regs;
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0
	    || ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == SYS_arch_prctl
	    && info.entry.args[0] == 0x1023) {
		amx_asked++;
		asking = pid;
		if (amx != PASS) {
			regs.orig_rax = (unsigned long long)-1;
			ptrace(PTRACE_SETREGS, pid, NULL, &regs);
		}
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && asking == pid) {
		asking = 0;
		if (amx != PASS) {
			/* Linux's answer if a thread's signal stack is too small. */
			regs.rax = amx == GRANT ? 0 : (unsigned long long)-ENOSPC;
			ptrace(PTRACE_SETREGS, pid, NULL, &regs);
		}
		amx_answer = (long)regs.rax;
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && regs.orig_rax == SYS_mmap && regs.rdx & PROT_EXEC) {
		patch(pid);
	}
}

static int supervise(pid_t first)
{
	int status, result = 0;

	while (1) {
		const pid_t pid = waitpid(-1, &status, __WALL);
		long deliver = 0;

		if (pid < 0)
			return result;
		if (!WIFSTOPPED(status)) {
			if (pid == first)
				result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			at_syscall(pid);
		else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			begin_program(pid);
		else if (WSTOPSIG(status) == SIGILL && emulate(pid))
			deliver = 0;
		else if (WSTOPSIG(status) != SIGSTOP && status >> 16 == 0)
			deliver = WSTOPSIG(status);
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)deliver);
	}
}

int main(int argc, char **argv)
{
	const char *table = CPUS_TABLE, *report = NULL;
	uint32_t xcr0 = UINT32_MAX;
	int i = 1, status;
	pid_t child;

	for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
		const char *value = argv[i + 1];

		if (strcmp(argv[i], "--table") == 0)
			table = value;
		else if (strcmp(argv[i], "--xcr0") == 0)
			xcr0 = (uint32_t)strtoul(value, NULL, 16);
		else if (strcmp(argv[i], "--sites") == 0)
			sites_path = value;
		else if (strcmp(argv[i], "--report") == 0)
			report = value;
		else if (strcmp(argv[i], "--amx") == 0)
			amx = strcmp(value, "pass") == 0 ? PASS : strcmp(value, "refuse") == 0 ? REFUSE : GRANT;
		else
			die("no such option:", argv[i]);
	}
	if (argc - i < 2) {
		fprintf(stderr, "Usage: cpuidsim [--table FILE] [--xcr0 HEX] [--amx grant|refuse|pass] [--sites FILE]"
		                " [--report FILE] MODEL PROGRAM [ARGUMENT...]\n");
		return EXIT_USAGE;
	}
	find_model(table, argv[i]);
	model.xcr0 &= xcr0;
	if (host_lacks()) {
		fprintf(stderr, "cpuidsim: glibc would use %s on %s, and this CPU lacks it\n", host_lacks(),
		        model.name);
		return EXIT_CANNOT;
	}
	child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(EXIT_USAGE);
		raise(SIGSTOP);
		execvp(argv[i + 1], argv + i + 1);
		die("cannot run", argv[i + 1]);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		die("cannot trace", argv[i + 1]);
	if (ptrace(PTRACE_SETOPTIONS, child, NULL,
	           (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK
	                    | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL)))
		die("ptrace", "");
	ptrace(PTRACE_SYSCALL, child, NULL, NULL);
	status = supervise(child);
	if (report) {
		FILE *f = fopen(report, "w");
		unsigned long library = 0, other = 0;

		for (int n = 0; n < file_count; n++)
			*(strstr(files[n].path, "libisakern") ? &library : &other) += files[n].asked;
		if (!f
		    || fprintf(f, "cpuid_library=%lu cpuid_other=%lu amx_asked=%d amx_answer=%ld\n", library, other,
		               amx_asked, amx_answer) < 0
		    || fclose(f))
			die("cannot write", report);
	}
	return status;
}
