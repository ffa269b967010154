/* SPDX-License-Identifier: MIT */
/*
 * isakern in C++17, without a library of its own.
 *
 *      std::vector<float> x(n), y(n);
 *      isk::exp(y, x);                                         isk_exp_f32()
 *      isk::exp(y.data(), x.data(), n);                        the same
 *      isk::gemm(c, a, isk::packed<float>(w), m, n, k, n, k, isk::post().bias(b).act(ISK_ACT_RELU));
 *
 * Each kernel isk_OPERATION_TYPES has two overloads of isk::OPERATION, inline functions that call it and nothing else:
 *
 * - One takes the arguments of C. Elements of types that C lacks have types of their own: isk::bf16, isk::f16, one for each
 *   smaller float, and isk::s4 (a byte, which holds two elements). b8 to b64 stand for any trivially copyable type of that
 *   size. A packed matrix that is read is an isk::packed<T>, where T is the type of the matrix that was packed.
 * - The other takes spans, except for s4: std::span if the library has it, else isk::span. Vectors, std::array and C arrays
 *   convert to spans by themselves, but a C array beside pointers or sizes is taken for a pointer. If all arrays have one
 *   dimension, the sizes of arrays are left out, and spans that should be equally long must be. Else sizes and strides are
 *   arguments, and each span must be at least as long as they say. An empty span is NULL if the kernel allows that.
 *
 * A call that fails (by a status of the kernel, or with ISK_ERR_SIZE because a span has another size) writes nothing and
 * throws isk::error, which knows its status. If ISAKERN_ERRORS_ARE_VALUES is defined before this header is included, or if
 * exceptions are disabled, a call that may fail returns an isk::result<T> instead. It is true if the call succeeded, and
 * *result is then the value; otherwise status() is the reason. One program may use both forms.
 *
 * The contract of isakern.h holds for every call. Include isakern/sleef.hpp too for the f64 functions of libisakern-sleef.
 */
#ifndef ISAKERN_HPP
#define ISAKERN_HPP

#include <isakern.h>

#include <isakern/front.hpp>
#include <isakern/under.h>

namespace isk {

/* A convolution with strides, dilations and groups of 1. All other fields are 0. */
inline isk_conv convolution() noexcept
{
	isk_conv conv{};

	conv.size = sizeof(conv);
	conv.stride_h = conv.stride_w = conv.dilation_h = conv.dilation_w = conv.groups = 1;
	return conv;
}

/*
 * A struct isk_post, one call for each operation that it asks for. It points to the arrays that it is given, so they must
 * live as long as it does. It does not know how long bias, row_scale and row_zero must be: bias has a value for each column
 * of C, the others have one for each row. Real is the type of scale, bias and row_scale: post is for kernels whose C is
 * not f64, and post_f64 for those whose C is.
 */
template <class Real> class basic_post {
	isk_post post_{};
	/* Set only by the calls that make post_ point to them, because initial values would cost one instruction more. */
	Real scale_;
	std::int32_t b_zero_;

	basic_post &binary(isk_binary what, const void *other, std::size_t ldother) noexcept
	{
		post_.binary = what;
		post_.other = other;
		post_.ldother = ldother;
		return *this;
	}

public:
	basic_post() noexcept { post_.size = sizeof(post_); }
	/* Not copied, because post_ may point to scale_ and b_zero_ of its own object. */
	basic_post(const basic_post &) = delete;
	basic_post &operator=(const basic_post &) = delete;
	operator const isk_post *() const noexcept { return &post_; }

	basic_post &first_column(std::size_t column) noexcept { return post_.first_column = column, *this; }
	basic_post &a_zero(std::int32_t zero) noexcept { return post_.a_zero = zero, *this; }
	basic_post &b_zero(std::int32_t zero) noexcept { return b_zero_ = zero, post_.b_zero = &b_zero_, post_.b_zeros = 1, *this; }
	basic_post &b_zero(span<const std::int32_t> by_column) noexcept
	{
		return post_.b_zero = by_column.data(), post_.b_zeros = by_column.size(), *this;
	}
	basic_post &scale(Real by) noexcept { return scale_ = by, post_.scale = &scale_, post_.scales = 1, *this; }
	basic_post &scale(span<const Real> by_column) noexcept
	{
		return post_.scale = by_column.data(), post_.scales = by_column.size(), *this;
	}
	basic_post &bias(span<const Real> by_column) noexcept { return post_.bias = by_column.data(), *this; }
	basic_post &row_scale(span<const Real> by_row) noexcept { return post_.row_scale = by_row.data(), *this; }
	basic_post &row_zero(span<const std::int32_t> by_row) noexcept { return post_.row_zero = by_row.data(), *this; }
	basic_post &act(isk_activation what, Real a = 0, Real b = 0) noexcept
	{
		return post_.act = what, post_.act_a = a, post_.act_b = b, *this;
	}
	basic_post &add(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_ADD, other, ldother); }
	basic_post &sub(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_SUB, other, ldother); }
	basic_post &mul(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_MUL, other, ldother); }
	basic_post &axpy(Real by, const void *other, std::size_t ldother) noexcept
	{
		post_.other_scale = by;
		return binary(ISK_BINARY_AXPY, other, ldother);
	}
	basic_post &quantize(float scale, std::int32_t zero) noexcept { return post_.out_scale = scale, post_.out_zero = zero, *this; }
};

using post = basic_post<float>;
using post_f64 = basic_post<double>;

inline namespace ISK_ERRORS {
namespace detail {

/* The numbers of elements in the arrays of a convolution. They may be 0 for an invalid one, which the kernel refuses. */
inline std::size_t pixels_of(std::size_t images, std::size_t height, std::size_t width, std::size_t channels, std::size_t ld) noexcept
{
	return elements({{product({images, height, width}), ld ? ld : channels}, {channels, 1}});
}

inline std::size_t image_of(const isk_conv *conv) noexcept
{
	return conv ? pixels_of(conv->images, conv->height, conv->width, conv->channels, conv->ldx) : 0;
}

inline std::size_t output_of(const isk_conv *conv) noexcept
{
	std::size_t height = 0, width = 0;

	return conv && isk_conv_output(conv, &height, &width) == ISK_OK ?
		pixels_of(conv->images, height, width, conv->out_channels, conv->ldy) : 0;
}

inline std::size_t weights_of(const isk_conv *conv) noexcept
{
	return conv && conv->groups ? product({conv->out_channels, conv->channels / conv->groups, conv->kernel_h, conv->kernel_w}) : 0;
}

}
}
}

#include <isakern/overloads.hpp>

#endif
