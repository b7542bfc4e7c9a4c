/** A `CallbackStore` in a SQLite file. When a method that writes succeeds, its commit is on the disk. */
import type { Database, Statements } from "@pay/sqlite/Database"
import type { GroupCommit } from "@pay/sqlite/GroupCommit"
import { Effect, Schema } from "effect"
import {
  type Bounds,
  bounds,
  type CallbackStore,
  CallbackStoreError,
  type EarlyCallback,
  type ExpectedOrder
} from "../callbacks/CallbackStore.ts"

export type { Bounds } from "../callbacks/CallbackStore.ts"

/** The tables of callbacks. `expected_order.ended` is a counter: the order with the smallest value became final first. */
export const sql = `
CREATE TABLE delivery (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE early_callback (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  client_order_id TEXT NOT NULL UNIQUE,
  webhook_id TEXT
) STRICT;

CREATE TABLE expected_order (
  client_order_id TEXT PRIMARY KEY,
  endpoint_id TEXT,
  status_requests INTEGER NOT NULL DEFAULT 0,
  next_status_at_ms INTEGER NOT NULL,
  ended INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX expected_order_due ON expected_order (next_status_at_ms) WHERE ended IS NULL;
CREATE INDEX expected_order_ended ON expected_order (ended) WHERE ended IS NOT NULL;
`

const columns = "client_order_id, endpoint_id, status_requests, next_status_at_ms"

const Text = Schema.NullOr(Schema.String)
const OrderRow = Schema.Struct({
  client_order_id: Schema.String,
  endpoint_id: Text,
  status_requests: Schema.Int,
  next_status_at_ms: Schema.Int
})
const readOrders = Schema.decodeUnknownSync(Schema.Array(OrderRow))
const readEarly = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ client_order_id: Schema.String, webhook_id: Text }))
)

const earlyOf = (row: ReturnType<typeof readEarly>[number]): EarlyCallback => ({
  clientOrderId: row.client_order_id,
  webhookId: row.webhook_id ?? undefined
})

const orderOf = (row: typeof OrderRow.Type): ExpectedOrder => ({
  clientOrderId: row.client_order_id,
  endpointId: row.endpoint_id ?? undefined,
  statusRequests: row.status_requests,
  nextStatusAtMs: row.next_status_at_ms
})

const findIn = (db: Statements, clientOrderId: string): ExpectedOrder | undefined =>
  readOrders(db.prepare(`SELECT ${columns} FROM expected_order WHERE client_order_id = ?`).all(clientOrderId)).map(
    orderOf
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
      .prepare("DELETE FROM early_callback WHERE client_order_id = ? RETURNING client_order_id, webhook_id")
      .all(clientOrderId)
  ).map(earlyOf)
  recordDeliveryIn(db, early?.webhookId, most)
  return early
}

const endIn = (db: Statements, clientOrderId: string, most: number): void => {
  db.prepare(
    `UPDATE expected_order SET ended = (SELECT coalesce(max(ended), 0) + 1 FROM expected_order WHERE ended IS NOT NULL)
     WHERE client_order_id = ? AND ended IS NULL`
  ).run(clientOrderId)
  db.prepare(
    "DELETE FROM expected_order WHERE ended <= (SELECT max(ended) FROM expected_order WHERE ended IS NOT NULL) - ?"
  ).run(most)
}

const failed = (cause: unknown) => new CallbackStoreError({ cause })

export const make = (database: Database, writer: GroupCommit, most: Bounds = bounds): CallbackStore => {
  const read = <A>(ask: (db: Statements) => A) => Effect.mapError(database.read(ask), failed)
  const write = <A>(job: (db: Statements) => A) =>
    Effect.mapError(writer.submit({ check: () => undefined, write: job }), failed)

  return {
    isDurable: true,
    isHandled: (webhookId) =>
      read((db) => db.prepare("SELECT 1 FROM delivery WHERE webhook_id = ?").get(webhookId) !== undefined),
    addEarly: ({ clientOrderId, webhookId }) =>
      write((db) => {
        db.prepare("INSERT OR REPLACE INTO early_callback (client_order_id, webhook_id) VALUES (?, ?)").run(
          clientOrderId,
          webhookId ?? null
        )
        db.prepare(
          "DELETE FROM early_callback WHERE place IN (SELECT place FROM early_callback ORDER BY place DESC LIMIT -1 OFFSET ?)"
        ).run(most.earlyCallbacks)
      }),
    earlyCallbacks: read((db) =>
      readEarly(db.prepare("SELECT client_order_id, webhook_id FROM early_callback ORDER BY place").all()).map(earlyOf)
    ),
    find: (clientOrderId) => read((db) => findIn(db, clientOrderId)),
    expect: ({ clientOrderId, endpointId }, nowMs, statusAtMs) =>
      write((db) => {
        const isEarly = takeEarlyIn(db, clientOrderId, most.deliveries) !== undefined
        db.prepare(
          `INSERT INTO expected_order (client_order_id, endpoint_id, next_status_at_ms) VALUES (?, ?, ?)
           ON CONFLICT (client_order_id) DO UPDATE SET
             endpoint_id = coalesce(excluded.endpoint_id, endpoint_id),
             next_status_at_ms = iif(ended IS NULL AND ?, next_status_at_ms, excluded.next_status_at_ms),
             status_requests = iif(ended IS NULL, status_requests, 0),
             ended = NULL`
        ).run(clientOrderId, endpointId ?? null, isEarly ? nowMs : statusAtMs, isEarly ? 0 : 1)
        return findIn(db, clientOrderId) ?? { clientOrderId, statusRequests: 0, nextStatusAtMs: statusAtMs }
      }),
    due: (nowMs, limit) =>
      read((db) =>
        readOrders(
          db
            .prepare(
              `SELECT ${columns} FROM expected_order WHERE ended IS NULL AND next_status_at_ms <= ? ORDER BY next_status_at_ms LIMIT ?`
            )
            .all(nowMs, limit)
        ).map(orderOf)
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
  { nextStatusAtMs, statusRequests }: Pick<ExpectedOrder, "statusRequests" | "nextStatusAtMs">
): void => {
  db.prepare("UPDATE expected_order SET status_requests = ?, next_status_at_ms = ? WHERE client_order_id = ?").run(
    statusRequests,
    nextStatusAtMs,
    clientOrderId
  )
}
