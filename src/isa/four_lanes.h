/* SPDX-License-Identifier: MIT */
/* Functions of vec.h for 4 lanes: a vector is the 128 bits that lane_masks.h moves in pieces, and 16 lanes are 4 vectors. */
#ifndef ISK_FOUR_LANES_H
#define ISK_FOUR_LANES_H

ISK_INLINE vf vf_load_n(const float *p, size_t n)
{
	return (vf)isk_load_bytes(p, 4 * n);
}

ISK_INLINE void vf_store_n(float *p, vf v, size_t n)
{
	isk_store_bytes(p, (isk_b16)v, 4 * n);
}

ISK_INLINE vi vi_load_n(const int32_t *p, size_t n)
{
	return (vi)isk_load_bytes(p, 4 * n);
}

ISK_INLINE void vi_store_n(int32_t *p, vi v, size_t n)
{
	isk_store_bytes(p, (isk_b16)v, 4 * n);
}

ISK_INLINE vi vi_load_bytes(const void *p, size_t n)
{
	return (vi)isk_load_bytes(p, n < 16 ? n : 16);
}

ISK_INLINE void vi_store_bytes(void *p, vi v, size_t n)
{
	isk_store_bytes(p, (isk_b16)v, n < 16 ? n : 16);
}

ISK_INLINE vd vd_load_n(const double *p, size_t n)
{
	return (vd)isk_load_bytes(p, 8 * n);
}

ISK_INLINE void vd_store_n(double *p, vd v, size_t n)
{
	isk_store_bytes(p, (isk_b16)v, 8 * n);
}

ISK_INLINE void vi_exchange_lanes(vi v[1])
{
	(void)v;
}

ISK_INLINE void vi_load_exchanged(vi v[1], const void *p, size_t step)
{
	(void)step;
	v[0] = vi_load(p);
}

ISK_INLINE float vf_fold_add(const vf v[4])
{
	return isk_fold_add4((v[0] + v[2]) + (v[1] + v[3]));
}

ISK_INLINE float vf_fold_max(const vf v[4])
{
	return isk_fold_max4(vf_max(vf_max(v[0], v[2]), vf_max(v[1], v[3])));
}

ISK_INLINE double vd_fold_add(const vd v[4])
{
	return isk_fold_add2((v[0] + v[2]) + (v[1] + v[3]));
}

ISK_INLINE double vd_fold_max(const vd v[4])
{
	return isk_fold_max2(vd_max(vd_max(v[0], v[2]), vd_max(v[1], v[3])));
}

#endif
