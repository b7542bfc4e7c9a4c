/**
 * The sales of {@link Sale} written by hand: `node:sqlite`, prepared statements with positional parameters, one transaction for
 * all waiting sales, no guards, no isolation of failed sales. Updates name only the columns that change.
 */
import { DatabaseSync } from "node:sqlite"
import { CallbackEvent, Card, Cvv, Job, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { migrations } from "../../../gateway/storage/src/Migrations.ts"
import * as Sale from "./Sale.ts"

type Values = ReadonlyArray<Entity.Value>

export interface Bare {
  readonly accept: (turn: number) => Promise<void>
  readonly end: (turn: number) => Promise<void>
  readonly close: () => void
}

export const open = (path: string): Bare => {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
  for (const { sql } of migrations) database.exec(sql)

  let waiting: Array<{ readonly write: (turn: number) => void; readonly turn: number; readonly done: () => void }> = []
  const commit = () => {
    const batch = waiting
    waiting = []
    database.exec("BEGIN IMMEDIATE")
    for (const { turn, write } of batch) write(turn)
    database.exec("COMMIT")
    for (const { done } of batch) done()
  }
  const grouped = (write: (turn: number) => void) => (turn: number) =>
    new Promise<void>((done) => {
      if (waiting.push({ write, turn, done }) === 1) setImmediate(commit)
    })

  /** Returns a function that inserts the row with different values in the `varying` columns. */
  const inserter = <C extends Entity.Columns>(
    entity: Entity.Entity<C>,
    row: Entity.RowOf<C>,
    ...varying: ReadonlyArray<keyof C & string>
  ) => {
    const columns = Object.keys(entity.columns)
    const places = varying.map((column) => columns.indexOf(column))
    const template: Values = columns.map((column) => row[column] ?? null)
    const insert = database.prepare(
      `INSERT INTO ${entity.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
    )
    return (...values: Values) => {
      const all = template.slice()
      for (let n = 0; n < places.length; n++) all[places[n] ?? 0] = values[n] ?? null
      insert.run(...all)
    }
  }

  const { amountMinor } = Sale.order
  const insertOrder = inserter(Order, Sale.order, "orderId", "requestId", "clientOrderId", "createdAtMs")
  const insertRequest = inserter(OrderRequest, Sale.request, "requestId", "orderId", "acceptedAtMs")
  const insertCard = inserter(Card, Sale.card, "cardId", "createdAtMs")
  const insertCvv = inserter(Cvv, Sale.cvv, "cardId", "createdAtMs")
  const insertJob = inserter(Job, Sale.job, "jobId", "subject", "dueAtMs", "leaseUntilMs")
  const insertEntry = inserter(LedgerEntry, Sale.entry, "entryId", "orderId", "requestId", "account", "minor", "atMs")
  const insertEvent = inserter(CallbackEvent, Sale.event, "eventId", "orderId", "requestId", "createdAtMs")
  const updateOrder = database.prepare(
    `UPDATE orders SET version = ?, state = ?, authorizedMinor = ?, capturedMinor = ?, approvalCode = ?,
     processorTxId = ?, processedAtMs = ?, eventCount = ? WHERE orderId = ?`
  )
  const updateRequest = database.prepare("UPDATE requests SET progress = ?, finishedAtMs = ? WHERE requestId = ?")
  const updateBalance = database.prepare(
    `INSERT INTO balances (account, minor) VALUES (?, ?)
     ON CONFLICT (account) DO UPDATE SET minor = minor + excluded.minor`
  )
  const deleteJob = database.prepare("DELETE FROM jobs WHERE jobId = ?")
  const deleteCvv = database.prepare("DELETE FROM cvvs WHERE cardId = ?")

  return {
    accept: grouped((turn) => {
      const { clientOrderId, nowMs, orderId, requestId } = Sale.names(turn)
      insertOrder(orderId, requestId, clientOrderId, nowMs)
      insertRequest(requestId, orderId, nowMs)
      insertCard(orderId, nowMs)
      insertCvv(orderId, nowMs)
      insertJob(`bank:${requestId}`, requestId, nowMs, nowMs + 60_000)
    }),
    end: grouped((turn) => {
      const { nowMs, orderId, requestId } = Sale.names(turn)
      const eventId = `${orderId}-1`
      updateOrder.run(2, "settled", amountMinor, amountMinor, "A12345", requestId, nowMs + 900, 1, orderId)
      updateRequest.run("approved", nowMs + 900, requestId)
      insertEntry(`${requestId}:sale:acquirer_receivable`, orderId, requestId, Sale.receivable, amountMinor, nowMs)
      updateBalance.run(Sale.receivable, amountMinor)
      insertEntry(`${requestId}:sale:merchant_settlement`, orderId, requestId, Sale.settlement, -amountMinor, nowMs)
      updateBalance.run(Sale.settlement, -amountMinor)
      deleteJob.run(`bank:${requestId}`)
      deleteCvv.run(orderId)
      insertEvent(eventId, orderId, requestId, nowMs)
      insertJob(`callback:${eventId}`, eventId, nowMs, nowMs + 60_000)
    }),
    close: () => database.close()
  }
}
