/* SPDX-License-Identifier: MIT */
/* As in libm. */
ZIP(pow, pow(a, b))
ZIP(atan2, atan2(a, b))
ZIP(hypot, hypot(a, b))
ZIP(fmod, fmod(a, b))
ZIP(remainder, remainder(a, b))
