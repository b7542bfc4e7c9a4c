/** The tables of the workflow engine, in a separate database that contains nothing else. */
import type { Migration } from "@pay/sqlite/Migration"

/**
 * `ready` is the place in the queue of executions to be run. It stays set while an execution runs, so that after a crash of
 * the process the execution runs again. `wakes` counts events: if it has increased during a run, the execution runs once
 * more. A finished execution keeps its outcome and the fingerprint of its payload; its other data is deleted.
 *
 * A replay repeats the order of events. The `place` of a journal entry is the number of journal entries before it. Its
 * `requested_place`, and the `place` of a clock, is the number of entries that the run knew when it requested it.
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
  place INTEGER NOT NULL,
  requested_place INTEGER,
  PRIMARY KEY (execution, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock (
  execution TEXT NOT NULL,
  deferred TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL,
  place INTEGER NOT NULL,
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

CREATE TABLE entry (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
`

export const migrations: ReadonlyArray<Migration> = [{ id: 1, name: "workflows", sql: workflows }]
