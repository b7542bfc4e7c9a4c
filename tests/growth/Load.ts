/**
 * Many orders in a PostgreSQL store, quickly: each is one of the orders that stand there, carried through a gateway before, with
 * names, card and times of its own. Which columns there are, and which rows an order has, is read from the entities and from those rows.
 */
import * as Entities from "@pay/gateway/Entities"
import { Balance, Card, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as Session from "../postgres/Session.ts"
import * as OrderTemplate from "./OrderTemplate.ts"

const quote = (name: string): string => `"${name}"`
const tableOf = ({ name }: Entity.Entity): string => `pay.${quote(name)}`
const types = { text: 'text COLLATE "C"', integer: "bigint", sum: "bigint", blob: "bytea" } as const

const rowsOf = <C extends Entity.Columns>({ query }: Session.Session, entity: Entity.Entity<C>) =>
  Effect.map(query(`SELECT * FROM ${tableOf(entity)}`), (rows) =>
    rows.map((row) =>
      StoreRow.typed(
        entity,
        Object.fromEntries(
          Object.entries(entity.columns).map(([name, { kind }]) => {
            const value = row[name]
            if (kind === "sum") return [name, BigInt(`${value}`)]
            return [name, kind === "integer" && value !== null ? Number(value) : value]
          })
        )
      )
    )
  )

const namesOf = Effect.fnUntraced(function* (session: Session.Session) {
  const [orders, requests, cards] = [
    yield* rowsOf(session, Order),
    yield* rowsOf(session, OrderRequest),
    yield* rowsOf(session, Card)
  ]
  return OrderTemplate.namesOf({ orders, requests, cards })
})

const mostRequests = 4

/** Rising numbers as the gateway's are; a merchant's own name and a card fall anywhere. */
const made = (count: number, templates: number, firstId: bigint): string => {
  const apart = BigInt(Math.floor(OrderTemplate.spanMs / count)) << 22n
  const id = (more: number) => `(${firstId} + n * ${apart} + ${more})::text`
  return `
    CREATE TEMP TABLE made ON COMMIT DROP AS SELECT n % ${templates} AS template, ${id(0)} AS "orderId",
      ${Array.from({ length: mostRequests }, (_, at) => `${id(at + 1)} AS request${at}`).join(", ")},
      'order-' || lpad(to_hex((n * 2654435761) & 4294967295), 8, '0') AS "clientOrderId",
      'v1.' || lpad(to_hex((card * 2654435761) & 4294967295), 8, '0') || lpad(card::text, 35, '0') AS "panHash",
      lpad((card % 10000)::text, 4, '0') AS "lastFour",
      n * ${Math.floor(OrderTemplate.spanMs / count)} - ${OrderTemplate.spanMs} AS "shiftMs"
    FROM (SELECT n, (n * 40503) % ${OrderTemplate.cards} AS card FROM generate_series(0::bigint, ${count - 1}) n) d`
}

/** What stands in a column of the rows that are made. */
const expression = (
  column: string,
  { kind }: Entity.Column<Entity.Value>,
  values: ReadonlyArray<Entity.Value>
): string => {
  const was = `was.${quote(column)}`
  if (kind === "integer" && column.endsWith("Ms")) return `CASE WHEN ${was} > 0 THEN ${was} + "shiftMs" ELSE ${was} END`
  const holes = OrderTemplate.placeholders(values)
  return [...holes].reduce((inner, hole) => `replace(${inner}, '${hole}', made.${quote(hole.slice(1, -1))})`, was)
}

const multiply = Effect.fnUntraced(function* (
  session: Session.Session,
  entity: Entity.Entity,
  names: OrderTemplate.Names
) {
  const columns = Object.entries(entity.columns)
  const rows = OrderTemplate.rowsOf(entity, yield* rowsOf(session, entity), names)
  if (rows.length === 0) return
  const list = columns.map(([column]) => quote(column)).join(", ")
  const typed = columns.map(([column, { kind }]) => `${quote(column)} ${types[kind]}`).join(", ")
  yield* session.query(`CREATE TEMP TABLE was (template int, ${typed}) ON COMMIT DROP`)
  const places = columns.map((_, at) => `$${at + 2}`).join(", ")
  for (const { template, values } of rows)
    yield* session.query(`INSERT INTO was VALUES ($1, ${places})`, [template, ...values])
  const selected = columns.map(([column, type], at) =>
    expression(
      column,
      type,
      rows.map(({ values }) => values[at] ?? null)
    )
  )
  yield* session.query(
    `INSERT INTO ${tableOf(entity)} (${list}) SELECT ${selected.join(", ")} FROM made JOIN was USING (template)`
  )
  yield* session.query("DROP TABLE was")
})

const secondary = `
  SELECT format('%I.%I', schemaname, indexname) AS name, indexdef AS sql FROM pg_indexes i
  WHERE schemaname = 'pay' AND NOT EXISTS (
    SELECT FROM pg_constraint c WHERE c.conindid = format('%I.%I', schemaname, indexname)::regclass)
`

const sums = `
  INSERT INTO ${tableOf(Balance)} (account, minor) SELECT account, sum(minor) FROM ${tableOf(LedgerEntry)} GROUP BY account
  ON CONFLICT (account) DO UPDATE SET minor = excluded.minor
`

/** Adds `count` orders like those that the database has, in the same shares; balances follow the books. Needs the role that owns it. */
export const orders = Effect.fnUntraced(function* (url: string, count: number) {
  const session = yield* Session.open({ connectionString: url })
  yield* session.query("SET synchronous_commit = off")
  yield* session.query("SET maintenance_work_mem = '512MB'")
  yield* session.query("BEGIN")
  const indexes = yield* session.query(secondary)
  for (const { name } of indexes) yield* session.query(`DROP INDEX ${name}`)
  const names = yield* namesOf(session)
  yield* session.query(made(count, names.length, OrderTemplate.firstId(names)))
  yield* session.query("ANALYZE made")
  for (const entity of Entities.all) yield* multiply(session, entity, names)
  yield* session.query(sums)
  for (const { sql } of indexes) yield* session.query(`${sql}`)
  yield* session.query("COMMIT")
  for (const entity of Entities.all) yield* session.query(`VACUUM ANALYZE ${tableOf(entity)}`)
}, Effect.scoped)

/** Columns by which one row is told from others. */
const telling = ({ key, unique }: Entity.Entity): ReadonlySet<string> =>
  new Set([key, ...Object.values(unique)].flatMap((columns) => columns.slice(-1)))

/** Fills every table that has fewer rows than this with rows that mean nothing: no gateway may start on the database afterwards. */
export const anything = Effect.fnUntraced(function* (url: string, count: number) {
  const session = yield* Session.open({ connectionString: url })
  for (const entity of Entities.all) {
    const columns = Object.entries(entity.columns)
    const values = columns.map(([name, { kind }]) => {
      if (kind === "blob") return "'\\x00'::bytea"
      if (kind === "integer" || kind === "sum") return "n"
      return telling(entity).has(name) ? "'value ' || n" : "'value ' || n % 100"
    })
    const list = columns.map(([name]) => quote(name)).join(", ")
    yield* session.query(
      `INSERT INTO ${tableOf(entity)} (${list}) SELECT ${values.join(", ")} FROM generate_series(1, ${count}) n
       WHERE (SELECT count(*) FROM ${tableOf(entity)}) < ${count} ON CONFLICT DO NOTHING`
    )
    yield* session.query(`VACUUM ANALYZE ${tableOf(entity)}`)
  }
}, Effect.scoped)
