/**
 * A plain careful shop on `node:http` whose parts other habits replace. Its order has an identifier at the gateway beside its name,
 * so that a shop can give an order another one.
 */
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import * as gateway from "./gateway.mjs"

export { gateway }

const db = new DatabaseSync(process.env.SHOP_DATABASE ?? "shop.db", { timeout: 10_000 })
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY, id TEXT NOT NULL, former TEXT, amount TEXT NOT NULL,
    createdMs INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'open', gatewayId TEXT, shipped INTEGER NOT NULL DEFAULT 0,
    refund TEXT, presses INTEGER NOT NULL DEFAULT 0) STRICT`)

const statement = (sql) => {
  const prepared = db.prepare(sql)
  return (...values) => prepared.all(...values)
}

const insert = statement("INSERT OR IGNORE INTO orders (name, id, amount, createdMs) VALUES (?, ?, ?, ?)")
const select = statement("SELECT * FROM orders WHERE name = ?")
const byId = statement("SELECT * FROM orders WHERE id = ?1 OR former = ?1")
const setFormer = statement("UPDATE orders SET former = ? WHERE name = ?")
const setId = statement("UPDATE orders SET id = ? WHERE name = ?")

export const orders = {
  add: (name, amount) => insert(name, name, Number(amount).toFixed(2), Date.now()),
  find: (name) => select(name)[0],
  named: (id) => byId(id)[0],
  rename: (name, id) => {
    setId(id, name)
    return select(name)[0]
  },
  press: statement("UPDATE orders SET presses = presses + 1 WHERE name = ?"),
  remember: (name, id) => setFormer(id, name),
  forget: statement("UPDATE orders SET former = NULL WHERE name = ?"),
  unfinished: statement(
    "SELECT * FROM orders WHERE state = 'open' OR refund = 'asked' OR former IS NOT NULL OR (state = 'paid' AND shipped = 0)"
  ),
  markPaid: statement("UPDATE orders SET state = 'paid', gatewayId = ? WHERE name = ?"),
  ship: statement("UPDATE orders SET shipped = 1 WHERE name = ?"),
  markFailed: statement("UPDATE orders SET state = 'failed' WHERE name = ? AND state = 'open'"),
  askRefund: statement("UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL"),
  markRefund: statement("UPDATE orders SET refund = ? WHERE name = ?")
}

const failures = ["declined", "filtered", "error", "failed"]
export const isFinal = ({ state }) => state === "paid" || state === "approved" || failures.includes(state)

/** How long a customer waits, and a request can be on its way. */
const oldMs = 3000

const working = new Map()

/** Does one work on an order at a time. */
const alone = async (name, work) => {
  while (working.has(name)) await working.get(name)
  const done = work(orders.find(name)).finally(() => working.delete(name))
  working.set(name, done)
  return done
}

const plain = {
  alone,
  pollMs: 1000,
  ask: (order) => gateway.status(order.id),
  isRefunded: ({ returned }, { amount }) => returned === amount,
  shipsAt: ({ status }) => status === "approved",
  sell: async (order, card, { refresh }) => {
    await gateway.sale(order.id, order.amount, card).catch(() => undefined)
    for (let ms = 50; ms < 1000 && !isFinal(orders.find(order.name)); ms *= 2) {
      await refresh(order)
      await sleep(ms)
    }
  },
  onPress: async (order, sell) => {
    if (order === undefined || !isFinal(order)) return sell()
  },
  refundOnce: (order) => gateway.refund(order, order.id).catch(() => undefined),
  refund: async (order, { refresh, refundOnce }) => {
    for (let ms = 50; ms < 1000 && orders.find(order.name).refund === "asked"; ms *= 2) {
      await refundOnce(order)
      await sleep(ms)
      await refresh(order)
    }
  },
  onCallback: async ({ client_orderid: id }, { refresh }) => {
    const order = orders.named(id)
    if (order === undefined) return 404
    return (await refresh(order)).status === "unknown" ? 503 : 200
  },
  goOn: async (order, { goOn, refresh }) => goOn(order, await refresh(order)),
  statusOfPress: () => 200,
  onStart: () => undefined
}

/** Opens the shop on PORT, with some parts replaced. */
export const open = (parts) => {
  const shop = { ...plain, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) }

  const refresh = async (order) => {
    const current = orders.find(order.name) ?? order
    const now = await shop.ask(current)
    if (now.status === "approved") orders.markPaid(now.gatewayId, order.name)
    if (now.status === "approved" && shop.shipsAt(now, current)) orders.ship(order.name)
    if (failures.includes(now.status)) orders.markFailed(order.name)
    if (current.refund === "asked" && shop.isRefunded(now, current)) orders.markRefund("done", order.name)
    return now
  }
  /** The next step of an order that is not finished, after its status was asked. */
  const goOn = async (order, { status }) => {
    const now = orders.find(order.name)
    if (now.refund === "asked") return shop.refundOnce(now)
    if (status === "missing" && Date.now() - order.createdMs > oldMs && (await refresh(order)).status === "missing")
      orders.markFailed(order.name)
  }
  const helpers = { goOn, refresh, refundOnce: shop.refundOnce }

  const believe = ({ client_orderid: id, orderid, status, type }) => {
    const order = orders.named(id)
    if (order === undefined) return
    if (type === "reversal") return orders.markRefund("done", order.name)
    if (status !== "approved") return orders.markFailed(order.name)
    orders.markPaid(orderid, order.name)
    orders.ship(order.name)
  }

  const press = async (name, body) => {
    const { amount, card, cvv2, expires } = JSON.parse(body)
    const [expire_month, expire_year] = expires.split("/")
    const fields = { credit_card_number: card, cvv2, expire_month, expire_year }
    if (shop.isStoredLater) {
      const order = orders.find(name)
      return order !== undefined && isFinal(order) ? undefined : shop.sell({ name, amount }, fields, helpers)
    }
    orders.add(name, amount)
    orders.press(name)
    return shop.alone(name, (order) => shop.onPress(order, () => shop.sell(order, fields, helpers)))
  }

  const refund = (name) => {
    orders.askRefund(name)
    return shop.alone(name, (order) => (order.refund === "asked" ? shop.refund(order, helpers) : undefined))
  }

  const shown = (name) => {
    const { refund: refunded, shipped, state } = orders.find(name) ?? { state: "new", shipped: 0, refund: null }
    return { state, shipped: shipped === 1, refund: refunded }
  }

  shop.onStart()
  createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://shop")
    const [, place, name, action] = pathname.split("/")
    try {
      if (place === "callback") {
        const query = Object.fromEntries(searchParams)
        if (!gateway.isGenuine(query)) return response.writeHead(403).end()
        if (shop.believes) believe(query)
        return response.writeHead(shop.believes ? 200 : await shop.onCallback(query, helpers)).end()
      }
      const isPress = request.method === "POST"
      const said = isPress ? await (action === "refund" ? refund(name) : press(name, await text(request))) : undefined
      const answer = shown(name)
      const status = isPress && action === undefined ? shop.statusOfPress(answer) : 200
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify({ ...answer, ...(typeof said === "string" ? { [action ?? "state"]: said } : {}) }))
    } catch {
      response.writeHead(500).end()
    }
  }).listen(Number(process.env.PORT), "127.0.0.1")

  const poll = async () => {
    for (const { name } of orders.unfinished())
      if (!working.has(name)) await shop.alone(name, (order) => shop.goOn(order, helpers)).catch(() => undefined)
    setTimeout(poll, shop.pollMs)
  }
  return poll()
}
