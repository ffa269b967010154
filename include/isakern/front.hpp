/* SPDX-License-Identifier: MIT */
/* The base of the overloads in isakern.hpp, which are generated from the tables of a library. */
#ifndef ISAKERN_FRONT_HPP
#define ISAKERN_FRONT_HPP

#if __cplusplus < 201703L
#error isakern.hpp needs C++17: -std=c++17 or later
#endif

#include <isakern/library.h>
#include <isakern/types.h>
#include <isakern/types.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

/* A program may contain sources of both kinds, so each kind has functions of its own. */
#if defined(__cpp_exceptions) && !defined(ISAKERN_ERRORS_ARE_VALUES)
#include <stdexcept>
#include <string>
#define ISK_ERRORS throwing
#else
#define ISK_ERRORS values
#endif

namespace isk {

#ifdef __cpp_lib_span
using std::span;
#else
/* The part of std::span that the overloads need. */
template <class T> class span {
	T *data_ = nullptr;
	std::size_t size_ = 0;

public:
	constexpr span() noexcept = default;
	constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
	template <class C, class = std::enable_if_t<
		std::is_convertible_v<std::remove_pointer_t<decltype(std::data(std::declval<C &>()))> (*)[], T (*)[]> &&
		(std::is_lvalue_reference_v<C> || std::is_const_v<T>)>>
	constexpr span(C &&from) noexcept : data_(std::data(from)), size_(std::size(from)) {}

	constexpr T *data() const noexcept { return data_; }
	constexpr std::size_t size() const noexcept { return size_; }
	constexpr bool empty() const noexcept { return size_ == 0; }
};

/* span(x) of a vector, a std::array or a C array; elements of one that is const are const. */
template <class C> span(C &&) -> span<std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>>;
#endif

/* A packed matrix of elements T. */
template <class T> struct packed {
	const void *data;
	explicit constexpr packed(const void *from) noexcept : data(from) {}
};

/* The value that a call returned, or the status with which it failed; isk_strerror() says that in words. */
template <class T> class [[nodiscard]] result {
	isk_status status_ = ISK_OK;
	T value_{};

public:
	constexpr result(T value) noexcept : value_(value) {}
	explicit constexpr result(isk_status status) noexcept : status_(status) {}
	explicit constexpr operator bool() const noexcept { return status_ == ISK_OK; }
	constexpr isk_status status() const noexcept { return status_; }
	constexpr const T &operator*() const noexcept { return value_; }
	constexpr T value_or(T other) const noexcept { return status_ == ISK_OK ? value_ : other; }
};

template <> class [[nodiscard]] result<void> {
	isk_status status_ = ISK_OK;

public:
	explicit constexpr result(isk_status status) noexcept : status_(status) {}
	explicit constexpr operator bool() const noexcept { return status_ == ISK_OK; }
	constexpr isk_status status() const noexcept { return status_; }
};

#ifdef __cpp_exceptions
class error : public std::runtime_error {
	isk_status status_;

public:
	error(isk_status status, const std::string &what) : std::runtime_error(what), status_(status) {}
	isk_status status() const noexcept { return status_; }
};
#endif

inline namespace ISK_ERRORS {
namespace detail {

#if defined(__cpp_exceptions) && !defined(ISAKERN_ERRORS_ARE_VALUES)
template <class T> using answer = T;

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(int status, const char *kernel)
{
	throw error(static_cast<isk_status>(status), std::string(kernel) + ": " + isk_strerror(status));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char *kernel, const char *array, std::size_t size, std::size_t wanted)
{
	throw error(ISK_ERR_SIZE, std::string(kernel) + ": " + array + " has " + std::to_string(size) + " elements, where there should be " +
	            std::to_string(wanted));
}

inline void check(int status, const char *kernel)
{
	if (status != ISK_OK)
		fail(status, kernel);
}

template <class T> [[noreturn]] T mismatch(const char *kernel, const char *array, std::size_t size, std::size_t wanted)
{
	fail(kernel, array, size, wanted);
}

inline void done() noexcept {}
#else
template <class T> using answer = result<T>;

constexpr result<void> check(int status, const char *) noexcept
{
	return result<void>(static_cast<isk_status>(status));
}

template <class T> constexpr result<T> mismatch(const char *, const char *, std::size_t, std::size_t) noexcept
{
	return result<T>(ISK_ERR_SIZE);
}

constexpr result<void> done() noexcept
{
	return result<void>(ISK_OK);
}
#endif

/* Whether elements of type T may be moved as `bytes` bytes each. */
template <class T, std::size_t bytes> constexpr bool is_bits = sizeof(T) == bytes && std::is_trivially_copyable_v<T>;

template <class T, std::size_t bytes> using if_bits = std::enable_if_t<is_bits<T, bytes>, int>;

template <class C> using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>>;

/* The element type of a container with data() and size(), if its elements have `bytes` bytes. */
template <class C, std::size_t bytes> using element = std::enable_if_t<is_bits<element_of<C>, bytes>, element_of<C>>;

/* The product of sizes; SIZE_MAX, which no span has as size, if it overflows. */
constexpr std::size_t product(std::initializer_list<std::size_t> sizes) noexcept
{
	std::size_t all = 1;

	for (const std::size_t size : sizes)
		if (__builtin_mul_overflow(all, size, &all))
			return SIZE_MAX;
	return all;
}

struct extent {
	std::size_t size, step;
};

/* The elements from the first one to the last one inclusive; SIZE_MAX if that overflows. */
constexpr std::size_t elements(std::initializer_list<extent> extents) noexcept
{
	std::size_t last = 0, all = 0;
	bool overflows = false;

	for (const extent e : extents) {
		if (e.size == 0)
			return 0;
		overflows |= __builtin_mul_overflow(e.size - 1, e.step, &all) || __builtin_add_overflow(last, all, &last);
	}
	return overflows || last == SIZE_MAX ? SIZE_MAX : last + 1;
}

template <class T> constexpr T *or_null(span<T> array) noexcept
{
	return array.empty() ? nullptr : array.data();
}

}
}
}

#endif
