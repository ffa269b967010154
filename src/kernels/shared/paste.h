/* SPDX-License-Identifier: MIT */
/* Joins names, which may be macros, to one. */
#ifndef ISK_PASTE_H
#define ISK_PASTE_H

#define ISK_PASTE4_(a, b, c, d) a##b##c##d
#define ISK_PASTE4(a, b, c, d)  ISK_PASTE4_(a, b, c, d)
#define ISK_PASTE2_(a, b)       a##b
#define ISK_PASTE2(a, b)        ISK_PASTE2_(a, b)
#define ISK_TEXT_(a)            #a
#define ISK_TEXT(a)             ISK_TEXT_(a)

#endif
