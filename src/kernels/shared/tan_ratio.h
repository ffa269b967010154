/* SPDX-License-Identifier: MIT */
/*
 * tan(r) = r (1 + w P(w)) / (1 + w Q(w)) with w = r^2, for |r| up to pi/4, with a relative error of 2^-57. Constants:
 * ../exact/derive/tan.py.
 */
#ifndef ISK_TAN_RATIO_H
#define ISK_TAN_RATIO_H

static const double tan_over[3] = {-0x1.2ba5fadf9c8ebp-16, 0x1.c0e59e019ed52p-9, -0x1.112b0a573d7e1p-3};
static const double tan_under[4] = {
	0x1.0b6ee87e73fb1p-21, -0x1.46f2e1ffc3d83p-12, 0x1.a478b892166a9p-6, -0x1.ddeada80f4146p-2,
};

#endif
