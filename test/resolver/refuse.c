/* SPDX-License-Identifier: MIT */
/*
 * Runs a program under a seccomp filter:
 *
 *     refuse amx PROGRAM...         arch_prctl(ARCH_REQ_XCOMP_PERM) answers EPERM
 *     refuse auxv UID PROGRAM...    prctl(PR_GET_AUXV) answers EINVAL, as before Linux
 *                                   6.4; set by root, who then becomes UID
 */
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const int amx = argc > 2 && strcmp(argv[1], "amx") == 0;
	char **program = argv + (amx ? 2 : 3);
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, amx ? SYS_arch_prctl : SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, amx ? 0x1023 : 0x41555856, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (amx ? EPERM : EINVAL)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog code = {sizeof(filter) / sizeof(filter[0]), filter};

	/* no_new_privs would also switch off set-user-id, and root does not need it. */
	if (argc < 3 || (!amx && argc < 4) || (amx && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	    || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code)) {
		perror("refuse");
		return 77;
	}
	if (!amx) {
		const unsigned int id = (unsigned int)atoi(argv[2]);

		if (setgroups(0, NULL) || setgid(id) || setuid(id)) {
			perror("refuse");
			return 77;
		}
	}
	execv(program[0], program);
	perror(program[0]);
	return 1;
}
