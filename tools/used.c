/* SPDX-License-Identifier: MIT */
/*
 * isakern used: the kernels that programs, libraries, objects and archives import, and those that
 * libisakern-trace counted, in the form of -Dkernels=@FILE.
 */
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asked.h"
#include "command.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (((struct common *)state->input)->selection.count == 0)
		argp_error(state, "which program or directory?");
	return 0;
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "FILE|DIRECTORY...",
	.doc = "Lists the kernels that ELF files import: programs, shared libraries, objects and archives, and all of "
	       "these below a directory. A build with -Dkernels=@FILE has exactly the kernels of such a list. Kernels "
	       "looked up by dlsym() are not imports: FILE.json, a report of libisakern-trace "
	       "(ISAKERN_TRACE=FILE.json), adds the kernels that a program looked up or called.",
};

/* The kernels found so far, each once, in order; with --json also those of the current file. */
static struct {
	char **names;
	size_t count;
	cJSON *files, *file;
} found;

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add(const char *kernel)
{
	char *copy;

	for (int i = 0; found.file && i < cJSON_GetArraySize(found.file); i++)
		if (strcmp(cJSON_GetArrayItem(found.file, i)->valuestring, kernel) == 0)
			return;
	if (found.file)
		cJSON_AddItemToArray(found.file, cJSON_CreateString(kernel));
	if (found.count && bsearch(&kernel, found.names, found.count, sizeof(*found.names), compare))
		return;
	copy = strdup(kernel);
	found.names = realloc(found.names, (found.count + 1) * sizeof(*found.names));
	if (!copy || !found.names)
		errx(FAILED, "out of memory");
	found.names[found.count++] = copy;
	qsort(found.names, found.count, sizeof(*found.names), compare);
}

/* Whether it is a kernel of the library in use, or of isakern-sleef, if that is installed. */
static int is_kernel(const char *name)
{
	static int (*find_in_sleef)(const char *);
	static int looked;

	if (!looked++) {
		void *sleef = dlopen("libisakern-sleef.so.0", RTLD_LAZY);

		if (sleef)
			*(void **)&find_in_sleef = dlsym(sleef, "isk_sleef_kernel_find");
	}
	return asked.kernel_find(name) >= 0 || (find_in_sleef && find_in_sleef(name) >= 0);
}

/* A parallel form of libisakern-omp calls the kernel. */
static void add_import(const char *symbol)
{
	static const char *const forms[] = {"", "parallel_"};
	const size_t length = strlen(asked.described->prefix);

	if (strncmp(symbol, asked.described->prefix, length) != 0 || symbol[length] != '_')
		return;
	symbol += length + 1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strncmp(symbol, forms[i], strlen(forms[i])) == 0 && is_kernel(symbol + strlen(forms[i])))
			add(symbol + strlen(forms[i]));
}

/* Symbols that the dynamic linker looks up are in .dynsym; objects only have .symtab. */
static void read_symbols(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;

	while (gelf_getehdr(elf, &header) && (section = elf_nextscn(elf, section))) {
		const GElf_Word wanted = header.e_type == ET_REL ? SHT_SYMTAB : SHT_DYNSYM;
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Shdr about;
		GElf_Sym symbol;

		if (!data || !gelf_getshdr(section, &about) || about.sh_type != wanted)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, about.sh_link, symbol.st_name);

			if (name && symbol.st_shndx == SHN_UNDEF)
				add_import(name);
		}
	}
}

/* Reads an ELF file or an archive. Returns 0 if it is something else. */
static int read_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	const Elf_Kind kind = elf ? elf_kind(elf) : ELF_K_NONE;
	Elf_Cmd command = ELF_C_READ;
	Elf *member;

	if (fd < 0)
		err(FAILED, "%s", path);
	if (kind == ELF_K_ELF)
		read_symbols(elf);
	while (kind == ELF_K_AR && (member = elf_begin(fd, command, elf))) {
		if (elf_kind(member) == ELF_K_ELF)
			read_symbols(member);
		command = elf_next(member);
		elf_end(member);
	}
	elf_end(elf);
	close(fd);
	return kind == ELF_K_ELF || kind == ELF_K_AR;
}

static void add_reported(const cJSON *name, const char *path, size_t line)
{
	if (!cJSON_IsString(name) || !is_kernel(name->valuestring))
		errx(FAILED, "%s:%zu: '%s' is no kernel", path, line, cJSON_IsString(name) ? name->valuestring : "");
	add(name->valuestring);
}

/* One line for each process, as src/preload/trace.c writes them. */
static void read_report(const char *path)
{
	FILE *const f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		err(FAILED, "%s", path);
	for (size_t line = 1; getline(&text, &size, f) > 0; line++) {
		cJSON *const report = cJSON_Parse(text);
		const cJSON *const called = cJSON_GetObjectItemCaseSensitive(report, "kernels"), *one;
		const cJSON *const looked_up = cJSON_GetObjectItemCaseSensitive(report, "looked_up");

		if (!cJSON_IsArray(called) || !cJSON_IsArray(looked_up))
			errx(FAILED, "%s:%zu: no report of libisakern-trace", path, line);
		cJSON_ArrayForEach(one, called)
			add_reported(cJSON_GetObjectItemCaseSensitive(one, "kernel"), path, line);
		cJSON_ArrayForEach(one, looked_up)
			add_reported(one, path, line);
		cJSON_Delete(report);
	}
	free(text);
	fclose(f);
}

static int is_report(const char *path)
{
	const size_t length = strlen(path);

	return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* Other files in a directory are passed over, while a file that is named must be an ELF file or a report. */
static int visit(const char *path, const struct stat *status, int type, struct FTW *at)
{
	if (type == FTW_NS || type == FTW_DNR)
		errx(FAILED, "%s: %s", path, type == FTW_NS ? "cannot be examined" : "cannot be read");
	if (type != FTW_F || (!S_ISREG(status->st_mode) && at->level))
		return 0;
	found.file = found.files ? cJSON_CreateArray() : NULL;
	if (at->level == 0 && is_report(path))
		read_report(path);
	else if (!read_file(path) && at->level == 0)
		errx(FAILED, "%s: no program, shared library, object or archive", path);
	if (found.file && cJSON_GetArraySize(found.file))
		cJSON_AddItemToObject(found.files, path, found.file);
	else
		cJSON_Delete(found.file);
	return 0;
}

static int command_run(int argc, char **argv)
{
	struct common common = {0};

	options_parse(&argp, argc, argv, &common);
	elf_version(EV_CURRENT);
	if (common.json)
		found.files = cJSON_CreateObject();
	for (size_t i = 0; i < common.selection.count; i++)
		if (nftw(common.selection.patterns[i], visit, 16, 0))
			err(FAILED, "%s", common.selection.patterns[i]);
	if (!found.count)
		errx(FAILED, "no kernel is used there");
	if (common.json)
		json_print(found.files);
	else
		for (size_t i = 0; i < found.count; i++)
			puts(found.names[i]);
	return DONE;
}

const struct command command_used = {"used", "the kernels that programs import, for -Dkernels", &argp, command_run};
