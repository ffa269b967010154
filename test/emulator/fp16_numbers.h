/* SPDX-License-Identifier: MIT */
#ifndef FP16_NUMBERS_H
#define FP16_NUMBERS_H

#include <stdint.h>

/*
 * Operations of AVX512-FP16 on the bits of one element. Those of one operand have it in b, as their encoding has. Only
 * fp16_rndscale() reads the immediate: its lowest two bits are the direction.
 */
uint16_t fp16_add(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_sub(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_mul(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_div(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_max(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_sqrt(uint16_t a, uint16_t b, int immediate);
uint16_t fp16_rndscale(uint16_t a, uint16_t b, int immediate);

#endif
