/* SPDX-License-Identifier: MIT */
/* The references have one lane. */
QUERY(get_vec_length, 1)
