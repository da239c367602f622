# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for perf: what there is comes from perf itself ("perf --complete WORD...", made of its option tables).
# Installed as share/bash-completion/completions/perf, or source it.

# The words before the cursor as they are separated by blanks: bash's own are cut at = and :, too.
__perf_words () {
	local line=${COMP_LINE:0:COMP_POINT}
	read -ra __perf_line <<<"$line"
	case $line in *[[:space:]]) __perf_line+=("") ;; esac
}

# A command after "perf record" and the like, from the word after "perf" with this number on.
__perf_workload () {
	if declare -F _command_offset >/dev/null; then
		_command_offset $(($1 + 1))
	elif [ $(($1 + 2)) = ${#__perf_line[@]} ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$2")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
	fi
}

_perf () {
	local -a __perf_line
	local cur=${COMP_WORDS[COMP_CWORD]} typed skip word files= dirs=
	COMPREPLY=()
	__perf_words
	typed=${__perf_line[-1]}
	case $cur in =|:) cur= ;; esac
	skip=$((${#typed} - ${#cur}))
	while IFS= read -r word; do
		word=${word%%$'\t'*}
		case $word in
		@file) files=1 ;;
		@dir) dirs=1 ;;
		@command\ *) __perf_workload "${word#* }" "$cur"; return ;;
		*) COMPREPLY+=("${word:skip}") ;;
		esac
	done < <("${__perf_line[0]}" --complete "${__perf_line[@]:1}" 2>/dev/null)
	[ -z "$dirs" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$cur")
	[ -z "$files" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
	[ -z "$files$dirs" ] || compopt -o filenames 2>/dev/null
	case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac
}

complete -F _perf perf
