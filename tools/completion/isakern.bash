# SPDX-License-Identifier: MIT
# Completion of isakern and isakern-cc in bash; their command `complete` has the words.
_isakern() {
	local i lines word words=() prefix=

	# Bash makes three words of --family=rope, which is one.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if ((${#words[@]})) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; then
			words[-1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	word=${words[-1]}
	[[ $word == --*=* ]] && prefix=${word%%=*}=
	mapfile -t lines < <("${1/#\~/$HOME}" complete "${words[@]}" 2>/dev/null)
	if [[ ${lines[0]-} == FILE ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t lines < <(compgen -f -- "${word#"$prefix"}")
		lines=("${lines[@]/#/$prefix}")
	fi
	COMPREPLY=("${lines[@]%%$'\t'*}")
	# Where = separates words, it and the option before it stay.
	[[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
	if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _isakern isakern isakern-cc
