/* SPDX-License-Identifier: MIT */
/* Steps of optimizers for arrays of weights. */
#include "array_steps_kernels.h"
#include "of_type.h"
#include "adagrad_step.h"
#include "adam_step.h"
#include "sgd_step.h"

void KERNEL(sgd)(elem *p, elem *velocity, const elem *g, size_t n, lane rate, lane decay, lane momentum, lane dampening,
                 unsigned nesterov)
{
	sgd(NULL, p, velocity, g, n, (struct sgd){rate, decay, momentum, dampening, nesterov & 1});
}

void KERNEL(adam)(elem *p, elem *m, elem *v, elem *most, const elem *g, size_t n, lane rate, lane beta1, lane beta2,
                  lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	adam(NULL, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, 0);
}

void KERNEL(adamw)(elem *p, elem *m, elem *v, elem *most, const elem *g, size_t n, lane rate, lane beta1, lane beta2,
                   lane epsilon, lane decay, lane m_scale, lane v_scale)
{
	adam(NULL, p, m, v, most, g, n, (struct adam){rate, beta1, beta2, epsilon, decay, m_scale, v_scale}, 1);
}

void KERNEL(adagrad)(elem *p, elem *sum, const elem *g, size_t n, lane rate, lane decay, lane epsilon)
{
	adagrad(NULL, p, sum, g, n, (struct adagrad){rate, decay, epsilon});
}
