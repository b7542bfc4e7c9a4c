/**
 * A careful shop on Express with its own card form, subscriptions and payouts. `@pay/client` signs, asks after lost answers, and verifies
 * callbacks.
 */
import { CallbackRefusedError, Pay } from "@pay/client"
import express from "express"
import * as orders from "../orders.mjs"

const { PORT, SHOP_URL } = process.env
const pay = Pay.fromEnv()
const serverCallbackUrl = `${SHOP_URL}/callback`
const currency = "USD"

const customer = {
  ...{ email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles", zipCode: "90001" },
  ...{ country: "US", state: "CA" }
}

/** Whether no money has moved and none will. After every other error the outcome is open. */
const isFinal = ({ code, retryable }) =>
  !retryable && ["Declined", "Filtered", "Failed", "InvalidInput", "Refused"].includes(code)

const record = (name, { error, ok, order }) => {
  if (ok) orders.markPaid(order.orderId, name)
  else if (isFinal(error)) orders.markFailed(name)
}

const orderOf = ({ amount, name }) => ({ clientOrderId: name, amount, currency, serverCallbackUrl })
const shortly = { timeoutMs: orders.timeoutMs }

/** What is sent for an order whose card is there. Each repeats under the same name, which the gateway does once. */
const sending = {
  orders: (order) => pay.cardSale(order, shortly),
  subscriptions: (order) => pay.subscribe({ ...order, period: "monthly", interval: 1 }, shortly)
}

const payOut = async ({ account, state, ...order }) => {
  if (state !== "open") return
  record(order.name, await pay.payOut({ ...orderOf(order), accountNumber: account }, shortly))
}

const refund = async ({ gatewayId, name, refund }) => {
  if (refund !== "asked") return
  const order = { clientOrderId: name, orderId: gatewayId, currency }
  // The same name is the same refund, however often it is called.
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

const app = express()
app.use(express.json())
app.get("/orders/:name", ({ params }, response) => response.json(orders.shown(params.name)))
for (const [path, send] of Object.entries(sending)) {
  app.post(`/${path}/:name`, async ({ body, ip: ipAddress, params: { name } }, response) => {
    // The order is stored before anything is sent, under the name that the gateway gets, too.
    orders.add(name, body.amount)
    const [expireMonth, expireYear] = body.expires.split("/")
    const card = { holder: "ADA LOVELACE", number: body.card, cvv: body.cvv2, expireMonth, expireYear }
    await orders.alone(name, async (order) => {
      if (order.state !== "open") return
      orders.willSend(name)
      record(name, await send({ ...orderOf(order), card, customer: { ...customer, ipAddress } }))
    })
    response.json(orders.shown(name))
  })
}
app.post("/payouts/:name", async ({ body, params: { name } }, response) => {
  orders.add(name, body.amount, body.account)
  await orders.alone(name, payOut)
  response.json(orders.shown(name))
})
app.post("/orders/:name/refund", async ({ params: { name } }, response) => {
  orders.askRefund(name)
  await orders.alone(name, refund)
  response.json(orders.shown(name))
})
app.get("/callback", async (request, response) => {
  try {
    const { clientOrderId } = pay.callbacks.verify(request)
    const order = orders.find(clientOrderId)
    // After any answer but 200 the gateway calls again.
    response.sendStatus(order === undefined ? 404 : (await refresh(order)).ok ? 200 : 503)
  } catch (error) {
    if (!(error instanceof CallbackRefusedError)) throw error
    response.sendStatus(403)
  }
})
app.listen(Number(PORT), "127.0.0.1")

await orders.continueAlways(async (order) => {
  if (order.refund === "asked") return refund(order)
  // The same payout, as often as it takes: the account is stored, unlike a card.
  if (order.account !== null) return payOut(order)
  const { error } = await refresh(order)
  // It never arrived, and nobody tries any more. A later callback would still make it paid.
  if (error?.errorCode === 54 && orders.isOld(order)) orders.markFailed(order.name)
})
