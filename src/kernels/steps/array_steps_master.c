/* SPDX-License-Identifier: MIT */
/*
 * The kernels of array_steps.c with weights and state wider than the gradient. The weights are stored a second time, as
 * narrow ones.
 */
#include "array_steps_master_kernels.h"
#include "of_type.h"
#include "adagrad_step.h"
#include "adam_step.h"
#include "sgd_step.h"

void KERNEL(sgd_master)(elem *w, lane *p, lane *velocity, const elem *g, size_t n, lane rate, lane decay, lane momentum,
                        lane dampening, unsigned nesterov)
{
	sgd(w, p, velocity, g, n, (struct sgd){rate, decay, momentum, dampening, nesterov & 1});
}

void KERNEL(adam_master)(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, size_t n, lane rate, lane beta1,
                         lane beta2, lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	adam(w, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, 0);
}

void KERNEL(adamw_master)(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, size_t n, lane rate, lane beta1,
                          lane beta2, lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	adam(w, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, 1);
}

void KERNEL(adagrad_master)(elem *w, lane *p, lane *sum, const elem *g, size_t n, lane rate, lane decay, lane epsilon)
{
	adagrad(w, p, sum, g, n, (struct adagrad){rate, decay, epsilon});
}
