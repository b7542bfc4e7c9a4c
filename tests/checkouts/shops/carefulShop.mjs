/**
 * A careful shop on `node:http`, whose parts a planted fault replaces: each of the other files of this folder is this shop with one
 * fault. It shares orders and gateway with the examples.
 */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import * as gateway from "../../../examples/crashtest/fastify/gateway.mjs"
import * as orders from "../../../examples/crashtest/orders.mjs"

export { gateway, orders }

/** Records what the gateway says of an order. */
const record = (order, { gatewayId, isRefunded, status }) => {
  if (status === "approved") orders.markPaid(gatewayId, order.name)
  if (isRefunded) orders.markRefund("done", order.name)
  if (["declined", "filtered", "error"].includes(status)) orders.markFailed(order.name)
}

/** The parts of a careful shop. */
const careful = {
  record,
  ask: gateway.status,
  sell: gateway.sale,
  alone: orders.alone,
  /** Returns the HTTP status of the answer to a genuine callback. */
  onCallback: async ({ client_orderid: name }, { refresh }) => {
    const order = orders.find(name)
    if (order === undefined) return 404
    return (await refresh(order)) === "unknown" ? 503 : 200
  },
  /** Works on an order that is not finished. */
  goOn: async (order, { refresh, refund }) => {
    if (order.refund === "asked") return refund(order)
    const isMissing = (await refresh(order)) === "missing" && (await refresh(order)) === "missing"
    if (isMissing && orders.isOld(order)) orders.markFailed(order.name)
  }
}

/** Opens the shop on PORT, with some parts replaced. */
export const open = (parts = {}) => {
  const shop = { ...careful, ...parts }
  const refresh = async (order) => {
    const answer = await shop.ask(order)
    shop.record(order, answer)
    return answer.status
  }
  const pursue = async ({ name }, isOpen, send) => {
    for (let ms = 50, order = orders.find(name); ms < 1000 && isOpen(order); ms *= 2, order = orders.find(name)) {
      await send(order)
      await sleep(ms)
      await refresh(order)
    }
  }
  const buy = (order, card) =>
    pursue(
      order,
      ({ state }) => state === "open",
      async () => {
        if ((await refresh(order)) !== "missing") return
        const isRefused = !(await shop.sell(order, card))
        if (isRefused && (await refresh(order)) === "missing") orders.markFailed(order.name)
      }
    )
  const refund = (order) => pursue(order, (now) => now.refund === "asked", gateway.refund)
  const helpers = { refresh, refund }

  const actOn = async (name, action, body) => {
    if (action === "refund") {
      orders.askRefund(name)
      return shop.alone(name, refund)
    }
    const { amount, card, cvv2, expires } = JSON.parse(body)
    const [expire_month, expire_year] = expires.split("/")
    const fields = { credit_card_number: card, cvv2, expire_month, expire_year, ipaddress: "203.0.113.7" }
    orders.add(name, amount)
    return shop.alone(name, (order) => buy(order, fields))
  }

  createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://shop")
    const [, place, name, action] = pathname.split("/")
    try {
      if (place === "callback") {
        const query = Object.fromEntries(searchParams)
        return response.writeHead(gateway.isGenuine(query) ? await shop.onCallback(query, helpers) : 403).end()
      }
      if (request.method === "POST") await actOn(name, action, await text(request))
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(orders.shown(name)))
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  }).listen(Number(process.env.PORT), "127.0.0.1")
  return orders.continueAlways((order) => shop.goOn(order, helpers))
}
