/* SPDX-License-Identifier: MIT */
MAP(opposite, -x)
ZIP(difference, a - b)
