#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the headers of Node-API (17 kB, MIT), with which the npm package isakern is compiled:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/node-api-headers
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has them already.
set -eu
. "$(dirname "$0")/../../examples/fetch.sh"
folder node-api-headers "$@"
way_out='give Meson -Dnode_headers=FOLDER, with node_api.h from elsewhere'
fetch node-api-headers@1.9.0 6cbfac49542194ae2c8f1dee5fa2dc00d66bec9cbf3b59e3a4e5f16d14eb0d19 0.02 2 \
	'2d4560831e525b47b060ec8a0864ab73993df9e20215ce9f0fe7b24cd31af32a  node_api.h
a25356630d3058f0a0c8937d9f297e9471e037fda58c2696d8a505c2bd99cb00  node_api_types.h
0953395662ea63697cd7a77a9320d94aa2829f9c9569abf3a74272b7a2923ce8  js_native_api.h
e785c16a9ce200e801242275cfd59090b029b5dae309a1a258f48d1570bf35ab  js_native_api_types.h' package/include
echo "$dir"
