#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh Debian machine to a built, tested and demonstrated isakern.
set -eu
cd "$(dirname "$0")"

usage() {
	cat <<-END
	Usage: ./bootstrap.sh COMMAND

	  build   install what building needs, then build into build/
	  test    build, run the fast test suite, end with its counts
	  demo    build, fetch a small language model, search the shipped corpus by meaning
	  deps    install what all of the above need, and no more

	Missing Debian packages are installed with apt-get, as root or through sudo.
	Arguments after demo go to the search: ./bootstrap.sh demo --query 'a cure for thirst'
	END
}

die() {
	echo "bootstrap.sh: $*" >&2
	exit 1
}

build_packages='gcc libc6-dev meson ninja-build pkg-config python3 libsleef-dev libcjson-dev'
test_packages="$build_packages libcmocka-dev binutils g++ qemu-user libcap2-bin musl-tools npm valgrind
	libonnx-testdata libonnx-dev protobuf-c-compiler libprotobuf-c-dev libblas-test"
demo_packages="$build_packages npm curl ca-certificates"

# Installs those of the given packages that are not there.
need() {
	missing=
	command -v dpkg-query >/dev/null || {
		echo "bootstrap.sh: not a Debian system; make sure of these yourself: $*" >&2
		return 0
	}
	for package in "$@"; do
		# A tool that came another way, as Node.js often does, will do.
		[ "$package" = npm ] && command -v npm >/dev/null && continue
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
			missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -eq 0 ]; then
		as_root=
	elif command -v sudo >/dev/null; then
		as_root=sudo
	else
		die "these packages are missing, and only root can install them:$missing"
	fi
	echo "Installing:$missing"
	$as_root apt-get update -qq || die "apt-get update failed; is the network there?"
	# shellcheck disable=SC2086
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
		>/dev/null || die "apt-get could not install:$missing"
}

build() {
	# What was installed just now changes what an earlier configuration found.
	if [ ! -f build/build.ninja ] || [ -n "$missing" ]; then
		meson setup build ${CI:+-Dwerror=true} $([ -f build/build.ninja ] && echo --reconfigure) >.build.log 2>&1 || {
			grep -v '^Compiler for C supports' .build.log >&2
			rm -f .build.log
			[ -f build/build.ninja ] || rm -rf build
			die "the configure step failed"
		}
		rm -f .build.log
	fi
	ninja -C build --quiet || die "the build failed"
}

[ $# -ge 1 ] || { usage >&2; exit 2; }
command=$1
shift
case $command in
build)
	need $build_packages
	build
	;;
deps)
	need $test_packages $demo_packages
	;;
test)
	need $test_packages
	build
	examples/semsearch/fetch.sh >/dev/null || echo 'bootstrap.sh: tests of semsearch that need its model are skipped' >&2
	status=0
	meson test -C build --no-suite slow --print-errorlogs || status=$?
	python3 test/counts.py build/meson-logs/testlog.json
	exit $status
	;;
demo)
	need $demo_packages
	build
	[ $# -gt 0 ] || set -- -k 3 --query 'How do birds find their way home?' --query 'My pasta sticks together.' \
		--query 'Is it dangerous to mix cleaning products?'
	model=
	for argument in "$@"; do
		case $argument in
		--model | --model=* | -m*) model=given ;;
		esac
	done
	[ -n "$model" ] || { model=$(examples/semsearch/fetch.sh) && set -- --model "$model" "$@"; } || exit 1
	exec build/examples/semsearch/semsearch "$@"
	;;
-h | --help | help)
	usage
	;;
*)
	echo "bootstrap.sh: no command '$command'" >&2
	usage >&2
	exit 2
	;;
esac
