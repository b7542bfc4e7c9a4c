/** A careful shop on Fastify with its own card form, and requests that it signs itself. */
import { setTimeout as sleep } from "node:timers/promises"
import fastify from "fastify"
import * as orders from "../orders.mjs"
import * as gateway from "./gateway.mjs"

/** Asks for the status, which alone decides, and records it. */
const refresh = async (order) => {
  const { gatewayId, isRefunded, status } = await gateway.status(order)
  if (status === "approved") orders.markPaid(gatewayId, order.name)
  if (isRefunded) orders.markRefund("done", order.name)
  if (["declined", "filtered", "error"].includes(status)) orders.markFailed(order.name)
  return status
}

/** Sends a request, which was recorded before, until the status shows its outcome: for two seconds. The loop does the rest. */
const pursue = async ({ name }, isOpen, send) => {
  for (let ms = 50, order = orders.find(name); ms < 1000 && isOpen(order); ms *= 2, order = orders.find(name)) {
    await send(order)
    await sleep(ms)
    await refresh(order)
  }
}

const isOpen = ({ state }) => state === "open"
const isAsked = ({ refund }) => refund === "asked"

const buy = (order, card) =>
  pursue(order, isOpen, async () => {
    if ((await refresh(order)) !== "missing") return
    orders.willSend(order.name)
    // A request with a mistake, such as a wrong digit in the card number, fails. After every other answer the status decides.
    const isRefused = !(await gateway.sale(order, card))
    if (isRefused && (await refresh(order)) === "missing") orders.markFailed(order.name)
  })

const refund = (order) => pursue(order, isAsked, gateway.refund)

const app = fastify()
app.get("/orders/:name", ({ params: { name } }) => orders.shown(name))
app.post("/orders/:name", async ({ body, ip, params: { name } }) => {
  // The order is stored before anything is sent, under the name that the gateway gets, too.
  orders.add(name, body.amount)
  const [expire_month, expire_year] = body.expires.split("/")
  const card = { credit_card_number: body.card, cvv2: body.cvv2, expire_month, expire_year, ipaddress: ip }
  await orders.alone(name, (order) => buy(order, card))
  return orders.shown(name)
})
app.post("/orders/:name/refund", async ({ params: { name } }) => {
  orders.askRefund(name)
  await orders.alone(name, refund)
  return orders.shown(name)
})
app.get("/callback", async ({ query }, reply) => {
  if (!gateway.isGenuine(query)) return reply.code(403).send()
  const order = orders.find(query.client_orderid)
  if (order === undefined) return reply.code(404).send()
  // After any answer but 200 the gateway calls again.
  return reply.code((await refresh(order)) === "unknown" ? 503 : 200).send()
})
await app.listen({ port: Number(process.env.PORT) })

await orders.continueAlways(async (order) => {
  if (isAsked(order)) return refund(order)
  const isMissing = (await refresh(order)) === "missing" && (await refresh(order)) === "missing"
  // It never arrived, and nobody tries any more. A later callback would still make it paid.
  if (isMissing && orders.isOld(order)) orders.markFailed(order.name)
})
