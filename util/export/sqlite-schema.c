// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/sqlite-schema.h"

#include <stddef.h>

const char *const sqlite_tables[] = {
	"CREATE TABLE meta (key TEXT PRIMARY KEY, value)",
	"CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT, "
	"type INTEGER, config INTEGER, frequency INTEGER, period INTEGER)",
	"CREATE TABLE comms (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
	"CREATE TABLE dsos (id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT)",
	/* name NULL: no function is known there */
	"CREATE TABLE frames (id INTEGER PRIMARY KEY, name TEXT, "
	"dso_id INTEGER REFERENCES dsos, address INTEGER, function_address INTEGER, file TEXT, "
	"line INTEGER, inlined INTEGER NOT NULL, mode TEXT NOT NULL)",
	/* parent_id NULL: the outermost frame */
	"CREATE TABLE stacks (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES stacks, "
	"frame_id INTEGER NOT NULL REFERENCES frames, depth INTEGER NOT NULL)",
	"CREATE TABLE samples (id INTEGER PRIMARY KEY, time_ns INTEGER, "
	"event_id INTEGER NOT NULL REFERENCES events, comm_id INTEGER REFERENCES comms, "
	"pid INTEGER, tid INTEGER, cpu INTEGER, period INTEGER NOT NULL, address INTEGER, "
	"stack_id INTEGER NOT NULL REFERENCES stacks)",
	"CREATE TABLE fields (sample_id INTEGER NOT NULL REFERENCES samples, "
	"name TEXT NOT NULL, value)",
	"CREATE VIEW sample_list AS SELECT s.id, s.time_ns, e.name AS event, c.name AS comm, "
	"s.pid, s.tid, s.cpu, s.period, f.name AS function, d.path AS dso, f.file, f.line, "
	"s.stack_id FROM samples s JOIN events e ON e.id = s.event_id "
	"LEFT JOIN comms c ON c.id = s.comm_id JOIN stacks k ON k.id = s.stack_id "
	"JOIN frames f ON f.id = k.frame_id LEFT JOIN dsos d ON d.id = f.dso_id",
	"CREATE VIEW functions_self AS SELECT event, function, dso, count(*) AS samples, "
	"sum(period) AS period FROM sample_list GROUP BY event, function, dso",
	/* level 0: innermost */
	"CREATE VIEW stack_frames AS WITH RECURSIVE up(stack_id, at, level) AS ("
	"SELECT id, id, 0 FROM stacks UNION ALL SELECT up.stack_id, k.parent_id, up.level + 1 "
	"FROM up JOIN stacks k ON k.id = up.at WHERE k.parent_id IS NOT NULL) "
	"SELECT up.stack_id, up.level, f.name AS function, d.path AS dso, f.file, f.line, "
	"f.inlined, f.mode FROM up JOIN stacks k ON k.id = up.at "
	"JOIN frames f ON f.id = k.frame_id LEFT JOIN dsos d ON d.id = f.dso_id",
	/* with callees, each sample once */
	"CREATE VIEW functions_total AS WITH RECURSIVE "
	"sums(stack_id, event_id, n, period) AS (SELECT stack_id, event_id, count(*), sum(period) "
	"FROM samples GROUP BY stack_id, event_id), "
	"up(stack_id, at) AS (SELECT DISTINCT stack_id, stack_id FROM sums UNION ALL "
	"SELECT up.stack_id, k.parent_id FROM up JOIN stacks k ON k.id = up.at "
	"WHERE k.parent_id IS NOT NULL), "
	"has(stack_id, name, dso_id) AS (SELECT DISTINCT up.stack_id, f.name, f.dso_id FROM up "
	"JOIN stacks k ON k.id = up.at JOIN frames f ON f.id = k.frame_id) "
	"SELECT e.name AS event, has.name AS function, d.path AS dso, sum(sums.n) AS samples, "
	"sum(sums.period) AS period FROM has JOIN sums ON sums.stack_id = has.stack_id "
	"JOIN events e ON e.id = sums.event_id LEFT JOIN dsos d ON d.id = has.dso_id "
	"GROUP BY e.name, has.name, d.path",
	NULL
};

const char *const sqlite_indexes[] = {
	"CREATE INDEX samples_time ON samples (time_ns)",
	"CREATE INDEX samples_task ON samples (pid, tid)",
	"CREATE INDEX samples_stack ON samples (stack_id)",
	"CREATE INDEX stacks_frame ON stacks (frame_id)",
	"CREATE INDEX stacks_parent ON stacks (parent_id)",
	"CREATE INDEX frames_name ON frames (name)",
	"CREATE INDEX fields_sample ON fields (sample_id)",
	"CREATE INDEX fields_name ON fields (name, value)",
	NULL
};
