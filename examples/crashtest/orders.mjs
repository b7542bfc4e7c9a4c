/** The orders of the shops on Node, in SQLite. Each function commits before it returns. */
import { flushCompileCache } from "node:module"
import { DatabaseSync } from "node:sqlite"

/** What Node has compiled is kept where `NODE_COMPILE_CACHE` says: the next process starts faster, also after kill -9. */
flushCompileCache()

const db = new DatabaseSync(process.env.SHOP_DATABASE ?? "shop.db", { timeout: 10_000 })
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY, amount TEXT NOT NULL, sentMs INTEGER NOT NULL, account TEXT,
    state TEXT NOT NULL DEFAULT 'open', gatewayId TEXT, shipped INTEGER NOT NULL DEFAULT 0, refund TEXT) STRICT`)

const statement = (text) => {
  const prepared = db.prepare(text)
  return (...values) => prepared.all(...values)
}

const insert = statement("INSERT OR IGNORE INTO orders (name, amount, sentMs, account) VALUES (?, ?, ?, ?)")
const select = statement("SELECT * FROM orders WHERE name = ?")

/**
 * Adds the order, if there is none with this name: a second press of the button is the same order. A payout has the account to which
 * it goes.
 */
export const add = (name, amount, account = null) => insert(name, Number(amount).toFixed(2), Date.now(), account)
export const find = (name) => select(name)[0]

const setSent = statement("UPDATE orders SET sentMs = ? WHERE name = ?")
/** Notes that a sale will be sent. It may arrive later, also after the shop has stopped to wait for its answer. */
export const willSend = (name) => setSent(Date.now(), name)
/** Up to a hundred orders, others each time: those that nobody can finish, such as declined refunds, must not keep out the rest. */
export const unfinished = statement(
  "SELECT * FROM orders WHERE state = 'open' OR refund = 'asked' ORDER BY random() LIMIT 100"
)
export const markPaid = statement("UPDATE orders SET state = 'paid', shipped = 1, gatewayId = ? WHERE name = ?")
export const markFailed = statement("UPDATE orders SET state = 'failed' WHERE name = ? AND state = 'open'")
export const askRefund = statement(
  "UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL"
)
export const markRefund = statement("UPDATE orders SET refund = ? WHERE name = ?")

/** Whether its latest sale was sent so long ago that it is not on its way any more. */
export const isOld = ({ sentMs }) => Date.now() - sentMs > Number(process.env.SHOP_GIVE_UP_SECONDS ?? 900) * 1000

/** What the shop says of an order. */
export const shown = (name) => {
  const { refund, shipped, state } = find(name) ?? { state: "new", shipped: 0, refund: null }
  return { state, shipped: shipped === 1, refund }
}

/** How long a request to the gateway may take, in milliseconds. */
export const timeoutMs = Number(process.env.SHOP_TIMEOUT_SECONDS ?? 5) * 1000

/** Global, because Next.js loads this file once for each route. */
globalThis.ordersAtWork ??= new Map()
const working = globalThis.ordersAtWork

/** Does one work on an order at a time: a second press of the button waits for the first. */
export const alone = async (name, work) => {
  while (working.has(name)) await working.get(name)
  const order = find(name)
  if (order === undefined) return
  const done = work(order).finally(() => working.delete(name))
  working.set(name, done)
  await done
}

/** Works again and again on what is not finished and nobody works on, also on what the process before has begun. */
export const continueAlways = async (work) => {
  const free = unfinished().filter(({ name }) => !working.has(name))
  await Promise.all(free.map(({ name }) => alone(name, work)))
  setTimeout(continueAlways, Number(process.env.SHOP_POLL_SECONDS ?? 60) * 1000, work)
}
