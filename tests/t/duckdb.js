// SPDX-License-Identifier: GPL-2.0-or-later
// duckdb.js MODULES QUERY...	the rows of each query, as DuckDB (@duckdb/node-api) answers it: columns between |, null is empty. A ^ in
// a query stands for '.
'use strict';
const path = require('path');
const { DuckDBInstance } = require(path.join(process.argv[2], '@duckdb/node-api'));

async function main() {
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	for (const query of process.argv.slice(3))
		for (const row of (await connection.runAndReadAll(query.replaceAll('^', "'"))).getRows())
			console.log(row.map(v => v === null ? '' : String(v)).join('|'));
}
main().catch(e => { console.error(String(e)); process.exit(1); });
