#!/bin/sh
# SPDX-License-Identifier: MIT
# ldconfig.sh LIBDIR: after an installation, tells the loader of the libraries in LIBDIR, or the user how to.
PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" -ne 0 ] || ldconfig
ldconfig -p | grep -qF "=> $1/libisakern.so.0" ||
	echo "The loader does not know $1 yet: run ldconfig as root, after adding $1 to" \
		"/etc/ld.so.conf.d if need be, or set LD_LIBRARY_PATH=$1."
