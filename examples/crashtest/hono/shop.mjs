/**
 * A careful shop on Hono with its own card form. Its payments are flows of `@pay/client/durable`: each step is in a file before the
 * next one begins, and the next process continues the flows of the one before.
 */
import { serve } from "@hono/node-server"
import { CallbackRefusedError } from "@pay/client"
import * as Durable from "@pay/client/durable"
import { Hono } from "hono"
import * as orders from "../orders.mjs"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PAY_LOGIN, PORT, SHOP_URL } = process.env
const { SHOP_DATABASE = "shop.db", SHOP_FLOWS_KEY, SHOP_QUIET_SECONDS } = process.env
const pay = await Durable.open({
  baseUrl: PAY_BASE_URL,
  login: PAY_LOGIN,
  controlKey: PAY_CONTROL_KEY,
  endpointId: PAY_ENDPOINT_ID,
  path: `${SHOP_DATABASE}-flows`,
  quietPeriodMs: SHOP_QUIET_SECONDS && SHOP_QUIET_SECONDS * 1000,
  encryptionKey: SHOP_FLOWS_KEY
})
const serverCallbackUrl = `${SHOP_URL}/callback`
const currency = "USD"
const shortly = { timeoutMs: orders.timeoutMs }

const customer = {
  ...{ email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles", zipCode: "90001" },
  ...{ country: "US", state: "CA", ipAddress: "203.0.113.7" }
}

/** Whether no money has moved and none will. After every other error the flow continues, or another call begins it again. */
const isFinal = ({ code, retryable }) =>
  !retryable && ["Declined", "Filtered", "Failed", "InvalidInput", "Refused"].includes(code)

const buy = async ({ amount, name, state }, card) => {
  if (state !== "open") return
  const order = { clientOrderId: name, amount, currency, card, customer, serverCallbackUrl }
  orders.willSend(name)
  const sale = await pay.cardSale(order, shortly)
  if (sale.ok) orders.markPaid(sale.order.orderId, name)
  else if (isFinal(sale.error)) orders.markFailed(name)
}

const refund = async ({ gatewayId, name, refund }) => {
  if (refund !== "asked") return
  const order = { clientOrderId: name, orderId: gatewayId, currency }
  const result = await pay.refund(order, { name: `refund-${name}`, serverCallbackUrl }, shortly)
  if (result.ok) orders.markRefund("done", name)
  else if (isFinal(result.error)) orders.markRefund("refused", name)
}

/** Asks for the status, and records it. */
const refresh = async ({ name }) => {
  const status = await pay.status(name, shortly)
  if (status.order?.status === "approved") orders.markPaid(status.order.orderId, name)
  if (["declined", "filtered", "error"].includes(status.order?.status)) orders.markFailed(name)
  return status
}

const app = new Hono()
app.get("/orders/:name", ({ json, req }) => json(orders.shown(req.param("name"))))
app.post("/orders/:name", async ({ json, req }) => {
  const name = req.param("name")
  const { amount, card, cvv2, expires } = await req.json()
  orders.add(name, amount)
  const [expireMonth, expireYear] = expires.split("/")
  const typed = { holder: "ADA LOVELACE", number: card, cvv: cvv2, expireMonth, expireYear }
  await orders.alone(name, (order) => buy(order, typed))
  return json(orders.shown(name))
})
app.post("/orders/:name/refund", async ({ json, req }) => {
  const name = req.param("name")
  orders.askRefund(name)
  await orders.alone(name, refund)
  return json(orders.shown(name))
})
app.get("/callback", async ({ body, req }) => {
  const { clientOrderId } = pay.callbacks.verify(req.raw)
  const order = orders.find(clientOrderId)
  // After any answer but 200 the gateway calls again.
  return body(null, order === undefined ? 404 : (await refresh(order)).ok ? 200 : 503)
})
app.onError((error, { body }) => {
  if (error instanceof CallbackRefusedError) return body(null, 403)
  console.error(error)
  return body(null, 500)
})
serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" })

/** Whether a flow may still send the order: the gateway may not know it yet. */
const isFlowing = async ({ name }) => (await pay.waiting()).some(({ id }) => id.endsWith(`/${name}`))

await orders.continueAlways(async (order) => {
  if (order.refund === "asked") return refund(order)
  // Asked before the status: a flow that ends in between may have sent the order.
  const isOver = orders.isOld(order) && !(await isFlowing(order))
  const { error } = await refresh(order)
  // It never arrived, and nobody tries any more. A later callback would still make it paid.
  if (error?.errorCode === 54 && isOver) orders.markFailed(order.name)
})
