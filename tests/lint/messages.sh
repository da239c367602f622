#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How messages to users begin and end: in small letters (names and options as they are), without blanks before them or a full stop.
. tests/lint/sources.inc

# FILE:LINE: text, of the calls that take the text of a message; what is in the first string is looked at
messages () {
	awk -v call="$1" '{
			line = line $0
			if (line !~ call) { line = ""; next }
			if (line !~ /\(.*"/) { line = line " "; next }		# the text is on the next line
			sub(".*" call "[^\"]*\"", "", line)
			print FILENAME ":" FNR ": " line
			line = ""
		}' $(c_sources)
}

{
	messages '(cli_errorf|cli_warn|cli_usage_error)\(' | grep -E '^[^ ]+ (([A-Z][a-z]+|[A-Z]) | )'
	messages '(err_set|err_sys|err_hint)\(' | grep -E '^[^ ]+ (([A-Z][a-z]+|[A-Z]) | )|^[^ ]+ [^"]*[^.]\.(\\n)?"[,)]' | grep -vE '"\.\.\.'
	grep -nE '"(\\n)?(hint|Warning|warning|Error|error): ' $(c_sources) | grep -vE '^util/cli/|strstr'
	grep -nE '\\nhint: |" +(Error|Hint|Warning): ' $(c_sources)
} | verdict "messages: small letters first, no full stop, no blanks before them"
