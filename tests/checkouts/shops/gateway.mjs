/** The gateway's interface for shops with other habits: it says how each request ended, and names orders as the shop wants. */
import { createHash } from "node:crypto"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PAY_LOGIN, SHOP_URL } = process.env
const currency = "USD"
const server_callback_url = `${SHOP_URL}/callback`

const buyer = {
  ...{ order_desc: "Two tickets", email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles" },
  ...{ zip_code: "90001", country: "US", state: "CA", card_printed_name: "ADA LOVELACE", currency },
  ...{ ipaddress: "203.0.113.7", server_callback_url }
}

const signature = (...values) =>
  createHash("sha1")
    .update(values.join("") + PAY_CONTROL_KEY)
    .digest("hex")

/** Returns the fields of the answer. Throws if there is no answer in JSON. */
export const post = async (operation, fields, headers = {}) => {
  const response = await fetch(`${PAY_BASE_URL}/api/v2/${operation}/${PAY_ENDPOINT_ID}`, {
    method: "POST",
    headers: { accept: "application/vnd.pay+json", ...headers },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(5000)
  })
  const answer = await response.json()
  if (response.status >= 500 || response.status === 429) throw new Error(`${operation}: ${response.status}`)
  return answer
}

const cents = (amount) => amount.replace(".", "")

/** Sends a sale, or a `preauth`. */
export const sale = (id, amount, card, operation = "sale") => {
  const control = signature(PAY_ENDPOINT_ID, id, cents(amount), buyer.email)
  return post(operation, { ...buyer, ...card, client_orderid: id, amount, control })
}

export const capture = ({ amount, gatewayId, id }) => {
  const control = signature(PAY_LOGIN, id, gatewayId, cents(amount), currency)
  const order = { login: PAY_LOGIN, client_orderid: id, orderid: gatewayId, amount, currency }
  return post("capture", { ...order, server_callback_url, control })
}

export const refund = ({ amount, gatewayId, id }, key) => {
  const control = signature(PAY_LOGIN, id, gatewayId, cents(amount), currency)
  const order = { login: PAY_LOGIN, client_orderid: id, orderid: gatewayId, amount, currency }
  return post("return", { ...order, server_callback_url, control }, { "idempotency-key": key })
}

/** Returns the status of an order, "missing" if the gateway does not have it, "unknown" if nobody knows. */
export const status = async (id, isOwn = (answer) => answer["merchant-order-id"] === id) => {
  const fields = { login: PAY_LOGIN, client_orderid: id, control: signature(PAY_LOGIN, id) }
  const answer = await post("status", fields).catch(() => ({}))
  if (answer["error-code"] === "54") return { status: "missing" }
  if (answer.status === undefined || !isOwn(answer)) return { status: "unknown" }
  return {
    status: answer.status,
    type: answer["transaction-type"],
    gatewayId: answer["paynet-order-id"],
    returned: answer["returned-amount"] ?? "0.00",
    captured: answer["captured-amount"] ?? "0.00"
  }
}

/** Whether a callback is the gateway's. Nobody else has the key. */
export const isGenuine = ({ client_orderid, control, orderid, status }) =>
  control === signature(status, orderid, client_orderid)
