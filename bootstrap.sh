#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh Debian machine to a built, tested and demonstrated isakern.
set -eu
cd "$(dirname "$0")"

usage() {
	cat <<-END
	Usage: ./bootstrap.sh COMMAND

	  build   install the packages that a build needs, then build into build/
	  test    build, run the fast test suite, and count the tests at the end
	          --cross aarch64 [CPU...]: build for AArch64 and run the tests that can run here, on these CPUs of QEMU, by default on
	          all CPUs of the list in this file; ISK_TEST_ONE_OF and ISK_TEST_SECONDS set the sample of kernels and a limit of
	          time, ISK_TEST_ISAS the ISAs to compile for beside the lowest, by default all
	          --musl: build for musl and run the tests that can run there
	  demo    build, fetch a small language model, search the shipped corpus by meaning
	  vad     build, fetch a small network and a speech, find where somebody speaks in it, or in a WAV file
	  mnist   build, fetch handwritten digits, train a network to read them; with --conv a convolutional one
	  ocr     build, fetch three networks, read the text of a PNG picture, or of a page that it makes, and draw boxes around its
	          lines in build/boxes.png
	  listen  build, fetch the networks of Whisper tiny, write down what is said in a WAV file, or in a speech that it fetches
	  deps    install the packages that all commands above need, and no others
	  apt-search
	          build, fetch the model of the demo, search all Debian packages by meaning, on workers with different ISAs
	  site    build, make the site of the documentation
	  deb     make the Debian packages in build-deb/, and run lintian on them
	          --cross arm64: those for arm64, without running them

	Missing Debian packages are installed with apt-get, as root or through sudo.
	Arguments after demo, vad, mnist, ocr, listen and apt-search go to their programs: ./bootstrap.sh demo --query 'a cure for thirst'
	END
}

die() {
	echo "bootstrap.sh: $*" >&2
	exit 1
}

build_packages='gcc libc6-dev meson ninja-build pkg-config python3 libsleef-dev libcjson-dev libelf-dev'
test_packages="$build_packages libcmocka-dev binutils make g++ qemu-user libcap2-bin musl-tools curl ca-certificates openssl valgrind
	libonnx-testdata libonnx-dev protobuf-c-compiler libprotobuf-c-dev libblas-test libblas3 cmake python3-numpy
	python3-dev python3-venv libmpfr-dev liblapack3 libpng-dev"
demo_packages="$build_packages curl ca-certificates"
cross_packages='meson ninja-build pkg-config python3 make gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user protobuf-c-compiler
	libonnx-testdata libonnx-dev libc6-dev-arm64-cross libstdc++6:arm64 libgomp1:arm64
	libcmocka-dev:arm64 libcjson-dev:arm64 libelf-dev:arm64 libsleef-dev:arm64 libprotobuf-c-dev:arm64'
cross_cpus='cortex-a53 cortex-a72 cortex-a76 neoverse-n1 a64fx max,sve128=on max,sve256=on max,sve512=on'
site_packages="$build_packages python3-sphinx python3-myst-parser furo python3-matplotlib"
apt_search_packages="$demo_packages python3-distributed python3-numpy libopenblas0-pthread"
# The one list of these packages is in debian/control.
deb_packages() {
	echo build-essential lintian
	sed -n '/^Build-Depends/,/^[^B ]/s/^ \([a-z0-9-]*\).*/\1/p' debian/control | sed '/^dh-sequence-/d; s/-compat$//'
}
vad_packages="$demo_packages protobuf-c-compiler libprotobuf-c-dev libonnx-dev"

ocr_packages="$vad_packages libpng-dev"
page_packages='python3-pil fonts-dejavu-core fonts-wqy-microhei'

say() { echo "bootstrap.sh: $*" >&2; }

# Copies standard input to standard error. Lines like "[3/8] a step" are shown as one changing line on a terminal, and
# elsewhere as one line every ten seconds; all other lines are copied. Fails if a line is the word that a failed command
# leaves.
failed='bootstrap.sh: failed'
show_progress() {
	status=0 last=$(date +%s)
	while IFS= read -r line; do
		case $line in
		"$failed") status=1 ;;
		'['*[0-9%]']'*)
			if [ -t 2 ]; then
				printf '\r\033[K%.79s' "$line" >&2
			elif [ $(($(date +%s) - last)) -ge 10 ]; then
				last=$(date +%s)
				echo "$line" >&2
			fi
			;;
		*)
			[ ! -t 2 ] || printf '\r\033[K' >&2
			printf '%s\n' "$line" >&2
			;;
		esac
	done
	[ ! -t 2 ] || printf '\r\033[K' >&2
	return $status
}

# The interesting part of apt-get's output: the amount of work, and its progress.
apt_progress() {
	while IFS= read -r line; do
		case $line in
		dlstatus:* | pmstatus:*)
			line=${line#*:*:}
			echo "[${line%%[.:]*}%] ${line#*:}"
			;;
		*' newly installed, '* | 'Need to get '* | 'After this operation, '* | "$failed") echo "$line" ;;
		esac
	done
}

# Installs the given packages that are missing.
need() {
	missing=
	command -v dpkg-query >/dev/null || {
		echo "bootstrap.sh: not a Debian system; make sure of these yourself: $*" >&2
		return 0
	}
	for package in "$@"; do
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
	say "installing$missing"
	case $missing in
	*:arm64*) $as_root dpkg --add-architecture arm64 ;;
	esac
	$as_root apt-get update -qq || die "apt-get update failed; is the network there?"
	# A shell, because sudo closes what a command may be given open.
	# shellcheck disable=SC2086
	{ $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c 'apt-get install -y --no-install-recommends \
		-o Dpkg::Use-Pty=0 -o APT::Status-Fd=4 "$@" 4>&1 2>&1' sh $missing || echo "$failed"; } |
		tee .apt.log | apt_progress | show_progress || {
		grep -v '^[dp][lm]status:' .apt.log | tail -n 20 >&2
		die "apt-get could not install:$missing"
	}
	rm .apt.log
}

# Configures $folder with $options.
folder=build
options=
configure() {
	# New packages change the findings of an earlier configuration.
	if [ ! -f $folder/build.ninja ] || [ -n "$missing" ]; then
		! command -v node >/dev/null || src/node/fetch.sh >/dev/null || say 'the npm package is not built'
		say 'looking at the compiler and libraries'
		# shellcheck disable=SC2086
		meson setup $folder $options ${CI:+-Dwerror=true} \
			$([ -f $folder/build.ninja ] && echo --reconfigure) >.build.log 2>&1 || {
			grep -v '^Compiler for C supports' .build.log >&2
			rm -f .build.log
			[ -f $folder/build.ninja ] || rm -rf $folder
			die "the configure step failed"
		}
		rm -f .build.log
	fi
}

# Compiles the given targets, or everything, in $folder.
compile() {
	say 'building'
	{ (cd $folder && NINJA_STATUS='[%f/%t] ' ninja "$@") 2>&1 || echo "$failed"; } | show_progress ||
		die "the build failed"
}

build() {
	configure
	compile "$@"
}

# Emulation takes 30 to 60 times as long. A failure on one CPU does not keep the next one from being tested. The examples have
# no test here, and deb-crossed of the slow suite compiles them. With ISK_TEST_ISAS only what the tests run is built.
test_crossed() {
	[ $# -gt 0 ] || set -- $cross_cpus
	need $cross_packages
	for cpu in "$@"; do
		qemu-aarch64 -cpu help | grep -qx " *${cpu%%,*}" ||
			die "test --cross: '$cpu' is no CPU of QEMU; 'qemu-aarch64 -cpu help' lists them"
	done
	folder=build-aarch64
	isas=-Disa=${ISK_TEST_ISAS:-all}
	options="--cross-file test/cross/aarch64.ini -Dpython=disabled -Ddocs=false -Dexamples=disabled $isas"
	[ ! -f $folder/build.ninja ] || meson configure $folder "$isas"
	configure
	targets='all meson-test-prereq'
	[ -z "${ISK_TEST_ISAS-}" ] || targets=$(python3 test/needed.py $folder)
	# shellcheck disable=SC2086
	compile $targets
	status=0
	for cpu in "$@"; do
		say "testing on $cpu"
		QEMU_CPU=$cpu ISK_TEST_ONE_OF=${ISK_TEST_ONE_OF:-20} ISK_TEST_SECONDS=${ISK_TEST_SECONDS:-2} \
			meson test -C $folder --no-rebuild --no-suite slow --print-errorlogs --timeout-multiplier 8 \
			--logbase "testlog-$cpu" || status=$?
		echo "$cpu: $(python3 test/counts.py "$folder/meson-logs/testlog-$cpu.json" | tail -n 1)"
	done
	exit $status
}

# The limits are several times those of an idle machine, because this one may be slow or busy.
run_tests() {
	status=0
	meson test -C $folder --no-rebuild --no-suite slow --print-errorlogs --timeout-multiplier 4 || status=$?
	python3 test/counts.py $folder/meson-logs/testlog.json
	exit $status
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
	need $test_packages $ocr_packages
	;;
test)
	if [ "${1-}" = --cross ]; then
		[ "${2-}" = aarch64 ] || die "test --cross: '${2-}' is no other architecture; there is aarch64"
		shift 2
		test_crossed "$@"
	elif [ "${1-}" = --musl ]; then
		[ $# -eq 1 ] || die "test --musl: '$2' is too much"
		need $test_packages
		folder=build-musl
		options='-Dpython=disabled -Dbenchmarks=disabled -Ddocs=false'
		CC=musl-gcc build all meson-test-prereq
		run_tests
	fi
	[ $# -eq 0 ] || die "test: '$1' is no option; there are --cross and --musl"
	need $test_packages
	build all meson-test-prereq
	examples/semsearch/fetch.sh >/dev/null || say 'tests of semsearch that need its model are skipped'
	for example in vad mnist; do
		examples/$example/fetch.sh >/dev/null || say "tests of $example that need its files are skipped"
	done
	run_tests
	;;
demo)
	need $demo_packages
	build examples/semsearch/semsearch
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
vad)
	need $vad_packages
	build examples/vad/vad
	folder=$(examples/vad/fetch.sh) || exit 1
	[ $# -gt 0 ] || set -- "$folder/jfk.wav"
	exec build/examples/vad/vad --model "$folder/silero_vad_v5.onnx" "$@"
	;;
mnist)
	need $demo_packages
	build examples/mnist/mnist
	folder=$(examples/mnist/fetch.sh) || exit 1
	exec build/examples/mnist/mnist --data "$folder" "$@"
	;;
ocr)
	[ $# -gt 0 ] && need $ocr_packages || need $ocr_packages $page_packages
	build examples/ocr/ocr
	folder=$(examples/ocr/fetch.sh) || exit 1
	[ $# -gt 0 ] || { /usr/bin/python3 examples/ocr/page.py build/page.png && set -- build/page.png; } || exit 1
	exec build/examples/ocr/ocr --models "$folder" --output build/boxes.png "$@"
	;;
listen)
	need $vad_packages
	build examples/listen/listen
	folder=$(examples/listen/fetch.sh) || exit 1
	[ $# -gt 0 ] || { speech=$(examples/vad/fetch.sh) && set -- "$speech/jfk.wav"; } || exit 1
	exec build/examples/listen/listen --models "$folder" "$@"
	;;
apt-search)
	need $apt_search_packages
	build examples/semsearch/semsearch
	model=$(examples/semsearch/fetch.sh) || exit 1
	exec /usr/bin/python3 examples/apt-search/apt_search.py --model "$model" "$@"
	;;
site)
	need $site_packages
	build
	exec ninja -C build --quiet site
	;;
deb)
	how=
	if [ "${1-}" = --cross ]; then
		[ "${2-}" = arm64 ] || die "deb --cross: '${2-}' is no other architecture; there is arm64"
		how='-aarm64 -B -Pcross,nocheck'
		need crossbuild-essential-arm64 pkg-config:arm64 $(deb_packages | sed '/^lib/s/$/:arm64/')
	else
		[ $# -eq 0 ] || die "deb: '$1' is no option; there is --cross"
		need $(deb_packages)
	fi
	version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
	tree=isakern-$version
	rm -rf build-deb
	mkdir -p build-deb/$tree
	tar -c --exclude-vcs --exclude='./build*' --exclude=./.deps --exclude='./.*.log' --exclude=__pycache__ . |
		tar -x -C build-deb/$tree
	tar -C build-deb --exclude=$tree/debian -cJf "build-deb/isakern_$version.orig.tar.xz" $tree
	say 'building the packages; build-deb/log has the whole output'
	# shellcheck disable=SC2086
	{ (cd build-deb/$tree && dpkg-buildpackage -us -uc $how) 2>&1 || echo "$failed"; } | tee build-deb/log |
		sed -un "s/^\(\[[0-9]*\/[0-9]*\]\) .* /\1 /p; s/^   \(dh_[a-z_]*\).*/\1/p; /^$failed/p" | show_progress || {
		tail -n 20 build-deb/log >&2
		die 'dpkg-buildpackage failed'
	}
	say 'running lintian'
	lintian --info --display-info --pedantic --fail-on error,warning,info,pedantic build-deb/*.changes ||
		die 'lintian complains'
	ls build-deb/*.deb
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
