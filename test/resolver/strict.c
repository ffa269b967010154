/* SPDX-License-Identifier: MIT */
/* Calls a kernel for the first time after the process has given up all system calls but read, write and exit. */
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <isakern.h>

int main(void)
{
	float x[3] = {-1, 0, 2};

	/* The environment then ends in one NULL more, behind which the answer about rights is. */
	unsetenv("PATH");
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 77;
	isk_relu_f32(x, x, 3);
	/* exit() would be exit_group, which is not allowed. */
	syscall(SYS_exit, x[0] == 0 && x[2] == 2 ? 0 : 1);
}
