/* SPDX-License-Identifier: MIT */
#ifndef REACHED_H
#define REACHED_H

/*
 * The object that a call reaches, found in the way of the dynamic linker. It differs from the library if a
 * library such as libisakern-ref.so is preloaded. NULL: it is the library itself, so a call reaches the
 * variant that the library names, by an indirect function or by an entry.
 */
const char *reached_elsewhere(const char *kernel);

#endif
