/* SPDX-License-Identifier: MIT */
/* The bits of C if the contract leaves no choice, and the distance of a result from the exact one. */
#ifndef ORDER_H
#define ORDER_H

#include "kernels.h"
#include "products.h"

/* A row of A or a column of B; for B also the scales of groups of k. */
struct terms {
	enum isk_type type;
	const void *x;
	size_t step;
	size_t scale_k; /* rows that share a scale; 0: no scales */
	const float *scale;
	size_t ldscale;
};

/* An element of a product, in the results of each of the linked variants that take part. */
struct element {
	size_t count, index; /* results of a variant; the element's number among them */
	struct at at;
};

/* Computes a product by fn; its results, as rows without gaps, go to out. */
typedef void compute_product(struct variant *v, isk_function fn, const void *problem, unsigned char *out);

/*
 * Has each of the linked variants that take part compute a product of `count` results in rows of `cols`, from results_room()
 * on, and compares its bits with those of `same`, or, if `same` is NULL, of the twin.
 */
void compute_each(struct variant *v, compute_product *compute, const void *problem, size_t count, size_t cols, isk_function same);
unsigned char *results_room(void);

/*
 * Checks the element of each variant: that it is named, if the variant promises bits; and that its error is within the bound.
 * NULL: the contract names no bits, or no bound holds.
 */
void check_element(struct variant *v, const struct element *e, const uint64_t *named, const struct isk_value *exact,
                   const struct isk_post *post, double slack);

/*
 * Whether one of the linked variants promises bits, and the contract leaves no choice of those of an element of C: if nothing
 * follows the sum, or only operations that name their result, such as relu. Sets *bits.
 */
int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t row, size_t col,
               const struct isk_post *post, uint64_t *bits);
/* The type of the arrays of an isk_post for this kernel: that of its sums. */
enum isk_type type_post(const struct isk_kernel *k);
/* An activation, or none in place of one that the kernel does not have. */
enum isk_activation activation_for(const struct isk_kernel *k, enum isk_activation act);

/* Sets the scalars of a post of n columns. `scales` is 0 or 1, or 2 for one a column; act becomes one that the kernel has. */
void set_post(const struct isk_kernel *k, struct isk_post *post, size_t n, size_t scales, enum isk_activation act,
              enum isk_binary binary);

/* The same at random, in half of the cases with one of the first activations, and in half of them with a second operand. */
void draw_simple_post(const struct isk_kernel *k, struct isk_post *post, size_t n);
/*
 * The distance of the exact value from the interval of values that round to this result, because C is a value
 * within the bound, rounded to its type. Quantizing divides by the output scale first and rounds the
 * quotient.
 */
double distance(const struct variant *v, uint64_t bits, long double exact, const struct isk_post *post);

#endif
