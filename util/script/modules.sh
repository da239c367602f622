#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# modules.sh FINDER MODULE...	FINDER with the texts of all modules in front of it, as initializers of a C string
set -e
finder=$1
shift
{
	echo 'SOURCES = {}'
	for m; do
		name=${m##*/}
		printf "SOURCES['%s'] = r'''" "${name%.py}"
		cat "$m"
		printf "'''\n"
	done
	cat "$finder"
} | od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g'
echo 0
