/* SPDX-License-Identifier: MIT */
/* Errors as values, in a program whose other file has them as exceptions. */
#define ISAKERN_ERRORS_ARE_VALUES
#include <isakern.hpp>

#include <vector>

bool values_too();

bool values_too()
{
	const std::vector<float> x{1, 2, 3}, two{1, 2};
	std::vector<float> y(3, 7);
	const isk::result<float> dot = isk::dot(x, x), wrong = isk::dot(x, two);
	const isk::result<void> copied = isk::copy(y, x), refused = isk::copy(y, two);
	const std::int64_t outside[3] = {0, 1, 3};
	std::vector<unsigned char> nothing(64);

	return dot && *dot == 14 && dot.status() == ISK_OK && dot.value_or(5) == 14 &&
	       !wrong && wrong.status() == ISK_ERR_SIZE && wrong.value_or(5) == 5 &&
	       copied && copied.status() == ISK_OK && !refused && refused.status() == ISK_ERR_SIZE && y == x &&
	       isk::gather(y, x, outside).status() == ISK_ERR_INDEX && y == x &&
	       isk::gemm(y.data(), x.data(), isk::packed<float>(nothing.data()), 1, 1, 1, 1, 1, nullptr).status() == ISK_ERR_PACKED &&
	       isk::sum(x) == 6;
}
