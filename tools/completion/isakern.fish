# SPDX-License-Identifier: MIT
# Completion of isakern and isakern-cc in fish; their command `complete` has the words.
function __isakern_words
	set -l before (commandline -opc)
	set -l word (commandline -ct)
	set -l program (string replace -r '^~' $HOME -- $before[1])
	set -l lines ($program complete $before[2..] "$word" 2>/dev/null)
	if test "$lines[1]" = FILE
		set -l option (string match -r -- '^--[^=]*=' $word)
		for path in (__fish_complete_path (string replace -- "$option" '' $word))
			echo "$option$path"
		end
	else
		string join \n -- $lines
	end
end
complete -c isakern -f -a '(__isakern_words)'
complete -c isakern-cc -f -a '(__isakern_words)'
