/* SPDX-License-Identifier: MIT */
MAP(neg, -x)
ZIP(sub, a - b)
