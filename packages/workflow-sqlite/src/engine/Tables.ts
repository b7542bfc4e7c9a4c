/** The tables of the workflow engine: a database of its own, which holds nothing else. */
import type { Migration } from "@pay/sqlite/Migration"

/**
 * `ready` orders what is to be run; it stays set while an execution runs, so that whatever was running when the process
 * ended is found again. `wakes` counts events: a run that ends on a smaller count than it finds is run once more.
 * A finished execution keeps its outcome and the fingerprint of its payload; the rest of it is erased.
 */
const workflows = `
CREATE TABLE execution (
  id TEXT PRIMARY KEY,
  workflow TEXT NOT NULL,
  payload ANY,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'waiting', 'stuck', 'finished')),
  ready INTEGER,
  wakes INTEGER NOT NULL DEFAULT 0,
  interrupt INTEGER NOT NULL DEFAULT 0,
  outcome ANY,
  started_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX execution_ready ON execution (workflow, ready) WHERE ready IS NOT NULL;
CREATE INDEX execution_open ON execution (state, changed_at_ms, id) WHERE state <> 'finished';

CREATE TABLE journal (
  execution TEXT NOT NULL,
  entry TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (execution, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock (
  execution TEXT NOT NULL,
  deferred TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL,
  PRIMARY KEY (execution, deferred)
) STRICT, WITHOUT ROWID;
CREATE INDEX clock_due ON clock (due_at_ms);

CREATE TABLE waiter (
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;

CREATE TABLE listener (
  execution TEXT NOT NULL,
  deferred TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (execution, deferred)
) STRICT, WITHOUT ROWID;
CREATE INDEX listener_key ON listener (key);

CREATE TABLE signal (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  value ANY NOT NULL
) STRICT;
`

/**
 * The order in which things happened, in which a replay tells them: a record's `place` is the number of those before it, and
 * `asked` that number when its wait began; so is the `place` of a clock.
 */
const order = `
ALTER TABLE journal ADD COLUMN place INTEGER;
ALTER TABLE journal ADD COLUMN asked INTEGER;
ALTER TABLE clock ADD COLUMN place INTEGER;
`

export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "workflows", sql: workflows },
  { id: 2, name: "order", sql: order }
]
