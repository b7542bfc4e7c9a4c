/** A `CallbackStore` in a SQLite file. When a method that writes succeeds, its commit is on the disk. */
import type { Database, Statements } from "@pay/sqlite/Database"
import type { GroupCommit } from "@pay/sqlite/GroupCommit"
import { Effect, Schema } from "effect"
import {
  type Awaited,
  type Bounds,
  bounds,
  type CallbackStore,
  CallbackStoreError,
  type EarlyCallback
} from "../CallbackStore.ts"

export type { Bounds } from "../CallbackStore.ts"

/** The tables of callbacks. `awaited.ended` is a counter: the order with the smallest value became final first. */
export const sql = `
CREATE TABLE delivery (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE parked (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  client_order_id TEXT NOT NULL UNIQUE,
  order_id TEXT NOT NULL,
  webhook_id TEXT
) STRICT;

CREATE TABLE awaited (
  client_order_id TEXT PRIMARY KEY,
  endpoint_id TEXT,
  order_id TEXT,
  asks INTEGER NOT NULL DEFAULT 0,
  ask_at_ms INTEGER NOT NULL,
  ended INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX awaited_due ON awaited (ask_at_ms) WHERE ended IS NULL;
CREATE INDEX awaited_ended ON awaited (ended) WHERE ended IS NOT NULL;
`

const columns = "client_order_id, endpoint_id, asks, ask_at_ms"

const Text = Schema.NullOr(Schema.String)
const AwaitedRow = Schema.Struct({
  client_order_id: Schema.String,
  endpoint_id: Text,
  asks: Schema.Int,
  ask_at_ms: Schema.Int
})
const readAwaited = Schema.decodeUnknownSync(Schema.Array(AwaitedRow))
const readEarly = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ client_order_id: Schema.String, order_id: Schema.String, webhook_id: Text }))
)

const earlyOf = (row: ReturnType<typeof readEarly>[number]): EarlyCallback => ({
  clientOrderId: row.client_order_id,
  orderId: row.order_id,
  webhookId: row.webhook_id ?? undefined
})

const awaitedOf = (row: typeof AwaitedRow.Type): Awaited => ({
  clientOrderId: row.client_order_id,
  endpointId: row.endpoint_id ?? undefined,
  statusRequests: row.asks,
  nextStatusAtMs: row.ask_at_ms
})

const findIn = (db: Statements, clientOrderId: string): Awaited | undefined =>
  readAwaited(db.prepare(`SELECT ${columns} FROM awaited WHERE client_order_id = ?`).all(clientOrderId)).map(
    awaitedOf
  )[0]

const recordDeliveryIn = (db: Statements, webhookId: string | undefined, most: number): void => {
  if (webhookId === undefined) return
  db.prepare("INSERT INTO delivery (webhook_id) VALUES (?) ON CONFLICT DO NOTHING").run(webhookId)
  db.prepare("DELETE FROM delivery WHERE place <= (SELECT max(place) FROM delivery) - ?").run(most)
}

/** Removes the early callback of the order, and records its delivery as handled. */
const takeEarlyIn = (db: Statements, clientOrderId: string, most: number): EarlyCallback | undefined => {
  const [early] = readEarly(
    db
      .prepare("DELETE FROM parked WHERE client_order_id = ? RETURNING client_order_id, order_id, webhook_id")
      .all(clientOrderId)
  ).map(earlyOf)
  recordDeliveryIn(db, early?.webhookId, most)
  return early
}

const endIn = (db: Statements, clientOrderId: string, most: number): void => {
  db.prepare(
    `UPDATE awaited SET ended = (SELECT coalesce(max(ended), 0) + 1 FROM awaited WHERE ended IS NOT NULL)
     WHERE client_order_id = ? AND ended IS NULL`
  ).run(clientOrderId)
  db.prepare("DELETE FROM awaited WHERE ended <= (SELECT max(ended) FROM awaited WHERE ended IS NOT NULL) - ?").run(
    most
  )
}

const failed = (cause: unknown) => new CallbackStoreError({ cause })

export const make = (database: Database, writer: GroupCommit, most: Bounds = bounds): CallbackStore => {
  const read = <A>(ask: (db: Statements) => A) => Effect.mapError(database.read(ask), failed)
  const write = <A>(job: (db: Statements) => A) =>
    Effect.mapError(writer.submit({ check: () => undefined, write: job }), failed)

  return {
    isHandled: (webhookId) =>
      read((db) => db.prepare("SELECT 1 FROM delivery WHERE webhook_id = ?").get(webhookId) !== undefined),
    addEarly: ({ clientOrderId, orderId, webhookId }) =>
      write((db) => {
        db.prepare("INSERT OR REPLACE INTO parked (client_order_id, order_id, webhook_id) VALUES (?, ?, ?)").run(
          clientOrderId,
          orderId,
          webhookId ?? null
        )
        db.prepare(
          "DELETE FROM parked WHERE place IN (SELECT place FROM parked ORDER BY place DESC LIMIT -1 OFFSET ?)"
        ).run(most.earlyCallbacks)
      }),
    earlyCallbacks: read((db) =>
      readEarly(db.prepare("SELECT client_order_id, order_id, webhook_id FROM parked ORDER BY place").all()).map(
        earlyOf
      )
    ),
    find: (clientOrderId) => read((db) => findIn(db, clientOrderId)),
    expect: ({ clientOrderId, endpointId }, nowMs, statusAtMs) =>
      write((db) => {
        const early = takeEarlyIn(db, clientOrderId, most.deliveries)
        db.prepare(
          `INSERT INTO awaited (client_order_id, endpoint_id, order_id, ask_at_ms) VALUES (?, ?, ?, ?)
           ON CONFLICT (client_order_id) DO UPDATE SET
             endpoint_id = coalesce(excluded.endpoint_id, endpoint_id),
             order_id = coalesce(excluded.order_id, order_id),
             ask_at_ms = iif(ended IS NULL AND excluded.order_id IS NULL, ask_at_ms, excluded.ask_at_ms),
             asks = iif(ended IS NULL, asks, 0),
             ended = NULL`
        ).run(clientOrderId, endpointId ?? null, early?.orderId ?? null, early === undefined ? statusAtMs : nowMs)
        return findIn(db, clientOrderId) ?? { clientOrderId, statusRequests: 0, nextStatusAtMs: statusAtMs }
      }),
    due: (nowMs, limit) =>
      read((db) =>
        readAwaited(
          db
            .prepare(`SELECT ${columns} FROM awaited WHERE ended IS NULL AND ask_at_ms <= ? ORDER BY ask_at_ms LIMIT ?`)
            .all(nowMs, limit)
        ).map(awaitedOf)
      ),
    recordNext: (clientOrderId, next, webhookId) =>
      write((db) => {
        takeEarlyIn(db, clientOrderId, most.deliveries)
        recordDeliveryIn(db, webhookId, most.deliveries)
        if (next === "ended") endIn(db, clientOrderId, most.ended)
        else recordNextIn(db, clientOrderId, next)
      }),
    postpone: (clientOrderId, next) => write((db) => recordNextIn(db, clientOrderId, next))
  }
}

const recordNextIn = (
  db: Statements,
  clientOrderId: string,
  { nextStatusAtMs, statusRequests }: Pick<Awaited, "statusRequests" | "nextStatusAtMs">
): void => {
  db.prepare("UPDATE awaited SET asks = ?, ask_at_ms = ? WHERE client_order_id = ?").run(
    statusRequests,
    nextStatusAtMs,
    clientOrderId
  )
}
