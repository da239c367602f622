#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rights-table.sh	runs every cell of Documentation/RIGHTS.md and writes its tables anew; root. Sets and restores
# kernel.perf_event_paranoid: nothing else should measure meanwhile. RIGHTS_KEEP=FILE keeps the lines of rights.py.

top=$(cd "$(dirname "$0")/.." && pwd)
doc=$top/Documentation/RIGHTS.md
. "$top/tests/t/lib.sh"
. "$top/tests/t/rights.sh"
trap 'status=$?; rights_restore; (exit $status); test_at_exit' EXIT
rights_prepare || { echo "rights-table.sh: the programs cannot be compiled" >&2; exit 1; }
for level in $rights_levels; do
	rights_run $level "$rights_places" "$rights_list" lines || { echo "rights-table.sh: level $level failed" >&2; exit 1; }
	echo "level $level: $(wc -l <lines) cells" >&2
done
[ -z "${RIGHTS_KEEP:-}" ] || cp lines "$RIGHTS_KEEP"
python3 "$top/tests/t/rights.py" check lines >&2
{ sed '/^## /,$d' "$doc"; python3 "$top/tests/t/rights.py" table lines; } >new && cp new "$doc"
test_finished=1
