/* SPDX-License-Identifier: MIT */
/*
 * isakern in C++17, without a library of its own.
 *
 *      std::vector<float> x(n), y(n);
 *      isk::exp(y, x);                                         isk_exp_f32()
 *      isk::exp(y.data(), x.data(), n);                        the same
 *      isk::gemm(c, a, isk::packed<float>(w), m, n, k, n, k, isk::post().bias(b).act(ISK_ACT_RELU));
 *
 * Each kernel isk_OPERATION_TYPES is isk::OPERATION twice, and these are inline functions that call it and nothing else:
 *
 * - With the arguments of C. Elements of a type that C has no own type for are of isk::bf16, f16, e4m3, e5m2 and s4 (a byte,
 *   which is two elements); b8 to b64 are any trivially copyable type of that many bits; a packed matrix that is read is
 *   isk::packed<T>, T being what it was packed from.
 * - With spans (std::span where there is one, else isk::span; vectors, std::array and C arrays become such by themselves, but
 *   C arrays beside pointers or sizes are taken for pointers), though not of s4. Where all arrays are of one dimension, sizes
 *   that are sizes of arrays are left out, and spans that should be equally long must be. Else sizes and strides are
 *   arguments, and spans must be as long as they say, at least. An empty span is NULL where that is allowed.
 *
 * What fails (a status of the kernel, or a span of another size: ISK_ERR_SIZE) throws isk::error, which knows its status, and
 * nothing was written. Where ISAKERN_ERRORS_ARE_VALUES is defined before this header is included, and where there are no
 * exceptions, a call that may fail returns isk::result<T> instead: true if all is well, then *result is the value; else
 * status() says why not. Both may be in one program.
 *
 * What isakern.h says holds for every call. isakern/sleef.hpp, included too, adds the functions of f64 of
 * libisakern-sleef.
 */
#ifndef ISAKERN_HPP
#define ISAKERN_HPP

#include <isakern.h>

#include <isakern/front.hpp>
#include <isakern/under.h>

namespace isk {

/* A convolution with strides, dilations and groups of 1, and all else 0. */
inline isk_conv convolution() noexcept
{
	isk_conv conv{};

	conv.size = sizeof(conv);
	conv.stride_h = conv.stride_w = conv.dilation_h = conv.dilation_w = conv.groups = 1;
	return conv;
}

/*
 * A struct isk_post, one call for each thing that happens. It points to what it is given, which must live as long. How many
 * values bias, row_scale and row_zero have is not known to it: as many as C has columns, or rows.
 */
class post {
	isk_post post_{};
	/* Written where post_ points to them: before, it would be one instruction more than a struct of C takes. */
	float scale_;
	std::int32_t b_zero_;

	post &binary(isk_binary what, const void *other, std::size_t ldother) noexcept
	{
		post_.binary = what;
		post_.other = other;
		post_.ldother = ldother;
		return *this;
	}

public:
	post() noexcept { post_.size = sizeof(post_); }
	/* It may point to itself. */
	post(const post &) = delete;
	post &operator=(const post &) = delete;
	operator const isk_post *() const noexcept { return &post_; }

	post &first_column(std::size_t column) noexcept { return post_.first_column = column, *this; }
	post &a_zero(std::int32_t zero) noexcept { return post_.a_zero = zero, *this; }
	post &b_zero(std::int32_t zero) noexcept { return b_zero_ = zero, post_.b_zero = &b_zero_, post_.b_zeros = 1, *this; }
	post &b_zero(span<const std::int32_t> by_column) noexcept
	{
		return post_.b_zero = by_column.data(), post_.b_zeros = by_column.size(), *this;
	}
	post &scale(float by) noexcept { return scale_ = by, post_.scale = &scale_, post_.scales = 1, *this; }
	post &scale(span<const float> by_column) noexcept
	{
		return post_.scale = by_column.data(), post_.scales = by_column.size(), *this;
	}
	post &bias(span<const float> by_column) noexcept { return post_.bias = by_column.data(), *this; }
	post &row_scale(span<const float> by_row) noexcept { return post_.row_scale = by_row.data(), *this; }
	post &row_zero(span<const std::int32_t> by_row) noexcept { return post_.row_zero = by_row.data(), *this; }
	post &act(isk_activation what, float a = 0, float b = 0) noexcept
	{
		return post_.act = what, post_.act_a = a, post_.act_b = b, *this;
	}
	post &add(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_ADD, other, ldother); }
	post &sub(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_SUB, other, ldother); }
	post &mul(const void *other, std::size_t ldother) noexcept { return binary(ISK_BINARY_MUL, other, ldother); }
	post &axpy(float by, const void *other, std::size_t ldother) noexcept
	{
		post_.other_scale = by;
		return binary(ISK_BINARY_AXPY, other, ldother);
	}
	post &quantize(float scale, std::int32_t zero) noexcept { return post_.out_scale = scale, post_.out_zero = zero, *this; }
};

inline namespace ISK_ERRORS {
namespace detail {

/* Elements of the arrays of a convolution. One that is none the kernel refuses. */
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
