/**
 * What the planner is told of tables that have just been made. Without it, the plans of the first minutes are chosen by chance among
 * the indexes, and kept while the tables grow: rows like later ones are added, looked at by ANALYZE, and removed again.
 */
import type * as Entity from "@pay/gateway/Entity"
import { list } from "../Ddl.ts"
import { tableOf } from "./Ddl.ts"

const rows = 300
/** How many values a text column has that names no row. */
const values = 10

/** Columns by which one row is told from others that agree in all else. */
const telling = (entity: Entity.Entity): ReadonlySet<string> =>
  new Set([entity.key, ...Object.values(entity.unique)].flatMap((columns) => columns.slice(-1)))

const sample = (entity: Entity.Entity, name: string, kind: Entity.Column<Entity.Value>["kind"]): string => {
  if (kind === "blob") return "'\\x00'::bytea"
  if (kind === "integer") return "n"
  return telling(entity).has(name) ? `'value ' || n` : `'value ' || n % ${values}`
}

/** One transaction of these leaves the table empty, and known. */
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

/** The table has no row, and nobody has looked at it yet. Parameters: schema, table. */
export const isUnknown = "SELECT count(*)::int FROM pg_stats WHERE schemaname = $1 AND tablename = $2"
