/** The gateway's interface, signed by hand as its documentation describes it. */
import { createHash } from "node:crypto"
import { timeoutMs } from "../orders.mjs"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PAY_LOGIN, SHOP_URL } = process.env
const currency = "USD"
const server_callback_url = `${SHOP_URL}/callback`

const buyer = {
  ...{ order_desc: "Two tickets", email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles" },
  ...{ zip_code: "90001", country: "US", state: "CA", card_printed_name: "ADA LOVELACE", currency }
}

const signature = (...values) =>
  createHash("sha1")
    .update(values.join("") + PAY_CONTROL_KEY)
    .digest("hex")

/** Returns the gateway's answer, or nothing: then the outcome is unknown, which is not a failure. */
const post = async (operation, fields, headers = {}) => {
  try {
    const response = await fetch(`${PAY_BASE_URL}/api/v2/${operation}/${PAY_ENDPOINT_ID}`, {
      method: "POST",
      headers: { accept: "application/vnd.pay+json", ...headers },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(timeoutMs)
    })
    return (await response.json()) ?? {}
  } catch {
    return {}
  }
}

const cents = (amount) => amount.replace(".", "")

/** Returns whether the gateway has understood the request. If not, it has made no order of it. */
export const sale = async ({ amount, name }, card) => {
  const control = signature(PAY_ENDPOINT_ID, name, cents(amount), buyer.email)
  const answer = await post("sale", { ...buyer, ...card, client_orderid: name, amount, server_callback_url, control })
  return answer.errors === undefined || answer["merchant-order-id"] !== name
}

/** Refunds the whole order. A repeat under the same key is the same refund. */
export const refund = ({ amount, gatewayId, name }) => {
  const control = signature(PAY_LOGIN, name, gatewayId, cents(amount), currency)
  const order = { login: PAY_LOGIN, client_orderid: name, orderid: gatewayId, amount, currency }
  return post("return", { ...order, server_callback_url, control }, { "idempotency-key": `refund-${name}` })
}

/** Returns the status of an order, "missing" if the gateway does not have it, "unknown" if nobody knows. */
export const status = async ({ amount, name }) => {
  const control = signature(PAY_LOGIN, name)
  const answer = await post("status", { login: PAY_LOGIN, client_orderid: name, control })
  if (answer["error-code"] === "54") return { status: "missing" }
  // An answer about another order says nothing about this one.
  if (answer["merchant-order-id"] !== name || answer.amount !== amount) return { status: "unknown" }
  const isRefunded = answer["returned-amount"] === amount
  return { status: answer.status, gatewayId: answer["paynet-order-id"], isRefunded }
}

/** Whether a callback is the gateway's. Nobody else has the key. */
export const isGenuine = ({ client_orderid, control, orderid, status }) =>
  control === signature(status, orderid, client_orderid)
