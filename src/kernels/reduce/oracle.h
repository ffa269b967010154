/* SPDX-License-Identifier: MIT */
/* What the operations compute, a line or a short function each. */
REDUCE(sum, AT(x, i))
REDUCE2(dot, AT(a, i) * AT(b, i))
REDUCE2(l2sq, (AT(a, i) - AT(b, i)) * (AT(a, i) - AT(b, i)))

REDUCE_AS(max)
{
	REAL max = -(REAL)INFINITY;

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return AT(x, i);
		else if (AT(x, i) > max)
			max = AT(x, i);
	return max;
}

REDUCE2_AS(cosine)
{
	/* A square of something beyond these is out of the range of the lanes, of f64 or of f32. */
	const REAL least = ISK_WIDE ? 0x1p-960L : 0x1p-100L, most = ISK_WIDE ? 0x1p1023L : 0x1p127L;
	REAL ab_size, unused;
	const REAL ab = R(oracle_dot)(a, b, n, &ab_size);
	const REAL aa = R(oracle_dot)(a, a, n, &unused), bb = R(oracle_dot)(b, b, n, &unused);

	*scale = !isnan(aa + bb) && fmin(aa, bb) > 0 && (fmin(aa, bb) < least || fmax(aa, bb) > most) ? (REAL)INFINITY : 0;
	if (aa == 0 || bb == 0 || *scale > 0)
		return 0;
	*scale = (ab_size + fabs(ab) * R(depth)(n)) / sqrt(aa * bb);
	return ab / sqrt(aa * bb);
}

INDEX(argmax)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return i;
		else if (AT(x, i) > AT(x, best))
			best = i;
	return best;
}
