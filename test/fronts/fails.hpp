/* SPDX-License-Identifier: MIT */
/* A call that must fail with ISK_ERR_SIZE, by an exception or by its status. */
#ifdef __cpp_exceptions
#define FAILS(call) do { try { static_cast<void>(call); wrong++; puts(#call " succeeds"); } \
	catch (const isk::error &e) { wrong += e.status() != ISK_ERR_SIZE; } } while (0)
#else
#define FAILS(call) do { if ((call).status() != ISK_ERR_SIZE) { wrong++; puts(#call " succeeds"); } } while (0)
#endif
