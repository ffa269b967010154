/* SPDX-License-Identifier: MIT */
/* The functions of libm. */
ZIP(pow, pow(a, b))
ZIP(atan2, atan2(a, b))
ZIP(hypot, hypot(a, b))
ZIP(fmod, fmod(a, b))
ZIP(remainder, remainder(a, b))

#if !ISK_WIDE

/* nextafter: by libm for f32 and f64, by a step of the bits for 16-bit types. */
static uint64_t next_bits(uint64_t a, uint64_t b, enum isk_type type)
{
	const double x = isk_element_value(type, a), y = isk_element_value(type, b);

	if (isnan(x) || isnan(y))
		return isk_infinity_bits(type) | (uint64_t)1 << (isk_format_of(type).fraction - 1);
	if (type == ISK_F32)
		return isk_element_round(type, (long double)nextafterf((float)x, (float)y));
	if (type == ISK_F64)
		return isk_element_round(type, (long double)nextafter(x, y));
	if (x == y)
		return b;
	if (x == 0)
		return 1 | (b & isk_sign_bit(type));
	return (x < y) == (x > 0) ? a + 1 : a - 1;
}

INTEGERS(zip, nextafter, next_bits((uint64_t)a, (uint64_t)b, type))

#endif
