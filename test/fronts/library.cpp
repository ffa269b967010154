/* SPDX-License-Identifier: MIT */
/* Overloads, spans and post-operations with the library itself. */
#include <isakern.hpp>
#ifdef WITH_SLEEF
#include <isakern/sleef.hpp>
#endif

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/* defined in values.cpp */
bool values_too();

static int failed;

static void check(bool right, const char *what)
{
	if (!right) {
		std::printf("wrong: %s\n", what);
		failed = 1;
	}
}

/* Whether a call fails with this status; returns its message. */
template <class F> static std::string failure(F call, isk_status status)
{
	try {
		call();
	} catch (const isk::error &e) {
		check(e.status() == status, e.what());
		return e.what();
	}
	return "nothing";
}

static void values()
{
	const std::vector<float> x{0, 1, 2, 3};
	std::vector<float> y(4), short_one(3);
	std::array<isk::bf16, 4> h;
	std::array<isk::f16, 4> half;
	float z[4] = {};

	isk::exp(y, x);
	check(std::fabs(y[2] - std::exp(2.0f)) < 1e-5f, "exp of vectors");
	isk::cvt(h, x);
	isk::cvt(half, x);
	check(static_cast<std::uint16_t>(h[1]) == 0x3f80 && static_cast<std::uint16_t>(half[1]) == 0x3c00, "bf16 and f16 are two types");
	isk::copy(z, x);
	check(std::memcmp(z, x.data(), sizeof(z)) == 0 && isk::sum(z) == 6 && isk::sum(x) == 6, "C arrays and sums");
	static_assert(std::is_same_v<decltype(isk::span(x).data()), const float *> && std::is_same_v<decltype(isk::span(y).data()), float *> &&
	              std::is_same_v<decltype(isk::span(z).data()), float *> && std::is_same_v<decltype(isk::span(h).data()), isk::bf16 *>,
	              "the elements of a span are those of what it is of");
	isk::abs(isk::span(y), isk::span(x));
	check(isk::sum(isk::span(y)) == 6 && isk::sum(isk::span(z)) == 6 && isk::sum(isk::span(y.data(), 2)) == 1, "spans by deduction");
	isk::layernorm(y, x, {}, {}, 1, 4, 4, 4, 0);
	check(std::fabs(isk::sum(y)) < 1e-5f, "empty spans are NULL");
	check(failure([&] { isk::exp(short_one, x); }, ISK_ERR_SIZE) == "isk_exp_f32: x has 4 elements, where there should be 3",
	      "spans of two sizes");
	check(failure([&] { isk::layernorm(short_one, x, {}, {}, 1, 4, 4, 4, 0); }, ISK_ERR_SIZE) ==
	      "isk_layernorm_f32: y has 3 elements, where there should be 4", "a span that is too short");
	check(failure([&] { isk::softmax(y, x, SIZE_MAX, 4, 4, 4); }, ISK_ERR_SIZE) ==
	      "isk_softmax_f32: y has 4 elements, where there should be " + std::to_string(SIZE_MAX), "sizes that overflow");
	isk::exp(isk::span<float>(), isk::span<const float>());
#ifdef WITH_SLEEF
	double d[2] = {0, 2};
	isk::exp(d, d);
	check(std::fabs(d[1] - std::exp(2)) < 1e-14, "exp of f64");
#endif
}

static void products()
{
	const std::vector<float> a{1, 2, 3, 4}, b{1, -1, 2, 5}, bias{1, 2};
	std::vector<float> c(4), wanted(4), other{1, 1, 1, 1};
	std::vector<unsigned char> packed(isk_packed_size(ISK_F32, 2, 2));

	isk::gemm_pack(packed.data(), b, packed.size(), 2, 2, 2, 0);
	isk::gemm(c, a, isk::packed<float>(packed.data()), 2, 2, 2, 2, 2, isk::post().scale(2).bias(bias).act(ISK_ACT_RELU).add(other.data(), 2));
	const std::vector<double> wide{1, 2, 3, 4}, wide_bias{.5, -.5};
	std::vector<double> wide_c(4);
	isk::matmul(wide_c, wide, wide, 2, 2, 2, 2, 2, 2, 0, isk::post_f64().scale(.5).bias(wide_bias));
	check(wide_c == std::vector<double>{4, 4.5, 8, 10.5}, "a product of f64 with its post");
	isk_post post{};
	const float two = 2;
	post.size = sizeof(post);
	post.scale = &two;
	post.scales = 1;
	post.bias = bias.data();
	post.act = ISK_ACT_RELU;
	post.binary = ISK_BINARY_ADD;
	post.other = other.data();
	post.ldother = 2;
	check(isk_gemm_f32(wanted.data(), a.data(), packed.data(), 2, 2, 2, 2, 2, &post) == 0 && c == wanted && c[0] == 12, "post-operations");
	const std::string said = failure([&] { isk::gemm(c, a, isk::packed<isk::bf16>(packed.data()), 2, 2, 2, 2, 2, nullptr); }, ISK_ERR_TYPE);
	check(said == std::string("isk_gemm_f32bf16: ") + isk_strerror(ISK_ERR_TYPE), said.c_str());
	failure([&] { isk::gemm(c.data(), a.data(), isk::packed<float>(packed.data()), 2, 2, 2, 1, 2, nullptr); }, ISK_ERR_STRIDE);
}

/* Each call of a post fills in its own members. */
static void posts()
{
	const std::int32_t zeros[2] = {3, 4};
	const float scales[3] = {1, 2, 3};
	isk::post all;
	const isk_post *post = all;

	all.first_column(16).a_zero(5).b_zero(zeros).scale(scales).row_scale(scales).row_zero(zeros).act(ISK_ACT_HARDTANH, -1, 2)
		.axpy(0.5f, scales, 7).quantize(0.25f, 9);
	check(post->size == sizeof(*post) && post->first_column == 16 && post->a_zero == 5 && post->b_zero == zeros && post->b_zeros == 2 &&
	      post->scale == scales && post->scales == 3 && post->row_scale == scales && post->row_zero == zeros &&
	      post->act == ISK_ACT_HARDTANH && post->act_a == -1 && post->act_b == 2, "a post");
	check(post->binary == ISK_BINARY_AXPY && post->other_scale == 0.5f && post->other == scales && post->ldother == 7 &&
	      post->out_scale == 0.25f && post->out_zero == 9 && !post->bias, "the end of a post");
	all.b_zero(6).sub(zeros, 8);
	check(post->b_zeros == 1 && *post->b_zero == 6 && post->binary == ISK_BINARY_SUB && post->ldother == 8, "a post, once more");
	all.mul(zeros, 1);
	check(post->binary == ISK_BINARY_MUL, "a post that multiplies");
}

int main()
{
	values();
	products();
	posts();
	check(values_too(), "errors that are values");
	check(isk_under(isk_isa_name(0), isk_exp_f32) != nullptr && !isk_under("avx1024", isk_exp_f32), "isk_under() in C++");
	return failed;
}
