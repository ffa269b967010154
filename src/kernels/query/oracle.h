/* SPDX-License-Identifier: MIT */
/* What the plain form of a kernel is: one lane wide. */
QUERY(get_vec_length, 1)
