/**
 * Adds many orders to a store quickly. Each is a copy of an order that the gateway has processed, with its own names, card and
 * times. The tables and columns come from the entities and the rows of those orders.
 */
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Entities from "@pay/gateway/Entities"
import { Balance, Card, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import * as OrderTemplate from "../../../tests/growth/OrderTemplate.ts"

const rowsOf = <C extends Entity.Columns>(database: DatabaseSync, entity: Entity.Entity<C>) =>
  database
    .prepare(`SELECT * FROM ${entity.name}`)
    .all()
    .map((row) => StoreRow.ofStored(entity, row))

/** SQL for the identifiers of the copies. The gateway's identifiers rise; the merchant's names and the cards are scattered. */
const made = (count: number, templates: number, firstId: bigint): string => `
  CREATE TEMP TABLE made AS
    WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1}),
      drawn AS (SELECT n, (n * 2654435761) & 0xffffffff AS scattered, (n * 40503) % ${OrderTemplate.cards} AS card FROM numbers)
    SELECT
      n % ${templates} AS template,
      CAST(${firstId} + n * ${BigInt(Math.floor(OrderTemplate.spanMs / count)) << 22n} AS TEXT) AS orderId,
      CAST(${firstId} + n * ${BigInt(Math.floor(OrderTemplate.spanMs / count)) << 22n} + 1 AS TEXT) AS request0,
      CAST(${firstId} + n * ${BigInt(Math.floor(OrderTemplate.spanMs / count)) << 22n} + 2 AS TEXT) AS request1,
      printf('order-%08x', scattered) AS clientOrderId,
      printf('v1.%08x%035d', (card * 2654435761) & 0xffffffff, card) AS panHash,
      printf('%04d', card % 10000) AS lastFour,
      n * ${Math.floor(OrderTemplate.spanMs / count)} - ${OrderTemplate.spanMs} AS shiftMs
    FROM drawn`

/** Returns the SQL expression for one column of the copied rows. */
const expression = (
  column: string,
  { kind }: Entity.Column<Entity.Value>,
  values: ReadonlyArray<Entity.Value>
): string => {
  if (kind === "integer" && column.endsWith("Ms")) return `iif("${column}" > 0, "${column}" + shiftMs, "${column}")`
  const holes = OrderTemplate.placeholders(values)
  const [only] = holes
  if (only !== undefined && values.every((value) => value === only)) return `made.${only.slice(1, -1)}`
  return [...holes].reduce(
    (inner, hole) => `replace(${inner}, '${hole}', made.${hole.slice(1, -1)})`,
    `was."${column}"`
  )
}

const multiply = (database: DatabaseSync, entity: Entity.Entity, names: OrderTemplate.Names): void => {
  const columns = Object.keys(entity.columns)
  const rows = OrderTemplate.rowsOf(entity, rowsOf(database, entity), names)
  if (rows.length === 0) return
  const quoted = columns.map((column) => `"${column}"`).join(", ")
  database.exec(`CREATE TEMP TABLE was (template, ${quoted}); CREATE INDEX temp.templates ON was (template)`)
  const insert = database.prepare(`INSERT INTO was VALUES (?, ${columns.map(() => "?").join(", ")})`)
  for (const { template, values } of rows) insert.run(template, ...values)
  const selected = Object.entries(entity.columns).map(([column, { kind, nullable }], n) =>
    expression(
      column,
      { kind, nullable },
      rows.map(({ values }) => values[n] ?? null)
    )
  )
  database.exec(`
    INSERT INTO main.${entity.name} (${quoted})
      SELECT ${selected.join(", ")} FROM made CROSS JOIN was ON was.template = made.template;
    DROP TABLE was`)
}

/** Adds `count` copies of the orders in the file, in the same proportions, and recomputes the balances from the ledger. */
export const fill = (path: string, count: number): void => {
  // The marks and the witness of the gateway do not match these rows. Without them, the file counts as one that no process has taken over.
  rmSync(join(dirname(path), "store.witness"))
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = MEMORY;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -1048576;
    BEGIN`)
  const names = OrderTemplate.namesOf({
    orders: rowsOf(database, Order),
    requests: rowsOf(database, OrderRequest),
    cards: rowsOf(database, Card)
  })
  database.exec(made(count, names.length, OrderTemplate.firstId(names)))
  for (const entity of Entities.all) multiply(database, entity, names)
  database.exec(`
    DROP TABLE storeMark;
    INSERT INTO ${Balance.name} (account, minor) SELECT account, sum(minor) FROM ${LedgerEntry.name} GROUP BY account
      ON CONFLICT (account) DO UPDATE SET minor = excluded.minor;
    COMMIT`)
  database.close()
  const file = openSync(path, "r+")
  fsyncSync(file)
  closeSync(file)
}
