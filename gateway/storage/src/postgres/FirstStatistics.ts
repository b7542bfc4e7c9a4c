/**
 * Gives the planner statistics of new tables: adds rows that resemble later ones, runs ANALYZE, and removes the rows again. Without
 * statistics, the plans of the first minutes choose an index by chance, and remain in use while the tables grow.
 */
import type * as Entity from "@pay/gateway/Entity"
import { list } from "../Ddl.ts"
import { tableOf } from "./Ddl.ts"

const rows = 300
/** Number of different values of a text column that identifies no row. */
const values = 10

/** Columns whose values differ in rows that are equal otherwise. */
const distinguishing = (entity: Entity.Entity): ReadonlySet<string> =>
  new Set([entity.key, ...Object.values(entity.unique)].flatMap((columns) => columns.slice(-1)))

const sample = (entity: Entity.Entity, name: string, kind: Entity.Column<Entity.Value>["kind"]): string => {
  if (kind === "blob") return "decode('00', 'hex')"
  if (kind === "integer" || kind === "sum") return "n"
  return distinguishing(entity).has(name) ? `'value ' || n` : `'value ' || n % ${values}`
}

/** Returns the statements of one transaction, after which the table is empty and has statistics. */
export const statements = (entity: Entity.Entity): ReadonlyArray<string> => {
  const table = tableOf(entity)
  const columns = Object.entries(entity.columns)
  const samples = columns.map(([name, { kind }]) => sample(entity, name, kind))
  return [
    `ALTER TABLE ${table} DISABLE TRIGGER USER`,
    `INSERT INTO ${table} (${list(Object.keys(entity.columns))}) SELECT ${samples.join(", ")} FROM generate_series(1, ${rows}) n`,
    `ANALYZE ${table}`,
    `DELETE FROM ${table}`,
    `ALTER TABLE ${table} ENABLE TRIGGER USER`
  ]
}

/** Selects whether the table is empty and was never analyzed. Parameters: schema, table. */
export const isUnknown = "SELECT count(*)::int FROM pg_stats WHERE schemaname = $1 AND tablename = $2"
