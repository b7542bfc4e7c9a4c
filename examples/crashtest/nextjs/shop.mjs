/** The shop behind the routes. `@pay/client` signs, asks after lost answers, and verifies callbacks. */
import { CallbackRefusedError, Pay } from "@pay/client"
import * as orders from "../orders.mjs"

/** Made at the first request: `next build` loads this file, too, and there the shop has no keys. */
let client
const pay = () => {
  client ??= Pay.fromEnv()
  return client
}
const serverCallbackUrl = `${process.env.SHOP_URL}/callback`
const currency = "USD"
const shortly = { timeoutMs: orders.timeoutMs }

const customer = {
  ...{ email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles", zipCode: "90001" },
  ...{ country: "US", state: "CA", ipAddress: "203.0.113.7" }
}

/** Whether no money has moved and none will. After every other error the outcome is open. */
const isFinal = ({ code, retryable }) =>
  !retryable && ["Declined", "Filtered", "Failed", "InvalidInput", "Refused"].includes(code)

const charge = async ({ amount, name, state }, card) => {
  if (state !== "open") return
  const order = { clientOrderId: name, amount, currency, card, customer, serverCallbackUrl }
  orders.willSend(name)
  const sale = await pay().cardSale(order, shortly)
  if (sale.ok) orders.markPaid(sale.order.orderId, name)
  else if (isFinal(sale.error)) orders.markFailed(name)
}

const giveBack = async ({ gatewayId, name, refund }) => {
  if (refund !== "asked") return
  const order = { clientOrderId: name, orderId: gatewayId, currency }
  // The same name is the same refund, however often it is called.
  const result = await pay().refund(order, { name: `refund-${name}`, serverCallbackUrl }, shortly)
  if (result.ok) orders.markRefund("done", name)
  else if (isFinal(result.error)) orders.markRefund("refused", name)
}

/** Asks for the status, and records it. */
const refresh = async ({ name }) => {
  const status = await pay().status(name, shortly)
  if (status.order?.status === "approved") orders.markPaid(status.order.orderId, name)
  if (["declined", "filtered", "error"].includes(status.order?.status)) orders.markFailed(name)
  return status
}

export const show = orders.shown

export const buy = async (name, { amount, card, cvv2, expires }) => {
  // The order is stored before anything is sent, under the name that the gateway gets, too.
  orders.add(name, amount)
  const [expireMonth, expireYear] = expires.split("/")
  const typed = { holder: "ADA LOVELACE", number: card, cvv: cvv2, expireMonth, expireYear }
  await orders.alone(name, (order) => charge(order, typed))
  return orders.shown(name)
}

export const refund = async (name) => {
  orders.askRefund(name)
  await orders.alone(name, giveBack)
  return orders.shown(name)
}

/** Returns the HTTP status of the answer. After any status but 200 the gateway calls again. */
export const onCallback = async (request) => {
  try {
    const { clientOrderId } = pay().callbacks.verify(request)
    const order = orders.find(clientOrderId)
    return order === undefined ? 404 : (await refresh(order)).ok ? 200 : 503
  } catch (error) {
    if (error instanceof CallbackRefusedError) return 403
    throw error
  }
}

export const continueOrders = () =>
  orders.continueAlways(async (order) => {
    if (order.refund === "asked") return giveBack(order)
    const { error } = await refresh(order)
    // It never arrived, and nobody tries any more. A later callback would still make it paid.
    if (error?.errorCode === 54 && orders.isOld(order)) orders.markFailed(order.name)
  })
