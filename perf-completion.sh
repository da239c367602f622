# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for perf; all words come from perf itself. Installed as share/bash-completion/completions/perf, or source it.

# The words of what "perf list" knows, without its columns.
__perf_events () {
	perf list --raw-dump 2>/dev/null
}

_perf () {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= i sub=
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--buildid-dir|--debugfs-dir|--config|--debug) ((i++)) ;;
		-*) ;;
		*) cmd=${COMP_WORDS[i]}; break ;;
		esac
	done
	if [ -z "$cmd" ]; then
		case $cur in
		-*) COMPREPLY=($(compgen -W "$(perf --list-opts 2>/dev/null)" -- "$cur")) ;;
		*) COMPREPLY=($(compgen -W "$(perf --list-cmds 2>/dev/null)" -- "$cur")) ;;
		esac
		return
	fi
	case $prev in
	-e|--event)
		local head= word=$cur
		case $cur in *,*) head=${cur%,*},; word=${cur##*,} ;; esac
		COMPREPLY=($(compgen -P "$head" -W "$(__perf_events)" -- "$word"))
		type __ltrim_colon_completions >/dev/null 2>&1 && __ltrim_colon_completions "$cur"
		return ;;
	esac
	case $cmd in help) COMPREPLY=($(compgen -W "$(perf --list-cmds 2>/dev/null)" -- "$cur")); return ;; esac
	# "perf sched timehist --x": the sub-command's own options
	if [ $((i + 1)) -lt "$COMP_CWORD" ] && perf "$cmd" --list-opts 2>/dev/null | tr ' ' '\n' | grep -qxF -e "${COMP_WORDS[i+1]}"; then
		case ${COMP_WORDS[i+1]} in -*) ;; *) sub=${COMP_WORDS[i+1]} ;; esac
	fi
	case $cur in
	-*) COMPREPLY=($(compgen -W "$(perf "$cmd" $sub --list-opts 2>/dev/null | tr ' ' '\n' | grep '^-')" -- "$cur")) ;;
	*)
		[ $((i + 1)) != "$COMP_CWORD" ] ||
			COMPREPLY=($(compgen -W "$(perf "$cmd" --list-opts 2>/dev/null | tr ' ' '\n' | grep -v '^-')" -- "$cur"))
		[ ${#COMPREPLY[@]} != 0 ] || COMPREPLY=($(compgen -f -- "$cur")) ;;
	esac
}

complete -o filenames -F _perf perf
