/**
 * What every transaction that writes makes sure of by itself. A reload, a role, a database or a pooler can change the settings of a
 * session at any time after it was checked.
 */
import { named, schema } from "./Ddl.ts"

const lossy = "acknowledged commits could be lost"

/** Settings without which a session must not write: their value, and why or what to do. Only ASCII: the server may have any encoding. */
const needed: ReadonlyArray<readonly [setting: string, value: string, why: string]> = [
  [
    "server_encoding",
    "UTF8",
    "not every name can be stored in it. Make another database with CREATE DATABASE NAME ENCODING ''UTF8'' LOCALE ''C'' TEMPLATE template0, and move the data there with pg_dump"
  ],
  ["client_encoding", "UTF8", "remove the setting of the role, the database or the pooler"],
  [
    "transaction_isolation",
    "read committed",
    "remove default_transaction_isolation of the role, the database or the pooler"
  ],
  ["fsync", "on", lossy],
  ["full_page_writes", "on", lossy]
]

/** The function that reads a setting, whatever the names of the session mean. */
const now = "pg_catalog.current_setting"

/** An expression: the first of the settings with which the current session must not write, with what to do; null if there is none. */
export const unfit = [
  "CASE",
  ...needed.map(
    ([setting, value, why]) =>
      `WHEN ${now}('${setting}') <> '${value}' THEN 'its ${setting} is ' || ${now}('${setting}') || ' and must be ${value}: ${why}'`
  ),
  "END"
].join(" ")

/** An expression that raises a setting to a value for the current transaction, if it has one of those that are too low. */
const raised = (setting: string, tooLow: string, value: string): string =>
  `pg_catalog.set_config('${setting}', CASE WHEN ${now}('${setting}') IN (${tooLow}) THEN '${value}' ELSE ${now}('${setting}') END, true)`

/**
 * An expression that makes the commit of the current transaction wait for the disk, and for the standby that the server waits for. What
 * waits for more is left as it is.
 */
export const waits = raised("synchronous_commit", "'off', 'local'", "on")

/** The SQLSTATE with which a session refuses to write. */
const refused = "PY003"

/**
 * A function that every statement that writes calls. It refuses a session that must not write. A cancelled wait for the standby is only
 * a warning, which a session may have been told not to send.
 */
const durably = named("durably", (name) =>
  [
    `CREATE FUNCTION ${schema}.${name}() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$`,
    `DECLARE why text := ${unfit};`,
    "BEGIN",
    `  IF why IS NOT NULL THEN RAISE EXCEPTION 'this database must not be written: %', why USING ERRCODE = '${refused}'; END IF;`,
    `  PERFORM ${waits}, ${raised("client_min_messages", "'error'", "warning")};`,
    "END $$"
  ].join("\n")
)

export const { name, text } = durably

/** A call of the function, as a statement of a function or as a table of a statement. */
export const call = `${schema}.${name}()`
