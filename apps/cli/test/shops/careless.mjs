// A shop that takes a new order number for each attempt. It says that it listens, so that a test sees it start again.
import { createHash, randomUUID } from "node:crypto"
import { createServer } from "node:http"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PAY_LOGIN, PORT } = process.env
const orders = new Map()

const call = async (operation, fields, ...signed) => {
  const control = createHash("sha1")
    .update([...signed, PAY_CONTROL_KEY].join(""))
    .digest("hex")
  const response = await fetch(`${PAY_BASE_URL}/api/v2/${operation}/${PAY_ENDPOINT_ID}`, {
    method: "POST",
    headers: { accept: "application/vnd.pay+json" },
    body: new URLSearchParams({ ...fields, control })
  })
  return response.json()
}

const customer = {
  currency: "USD",
  order_desc: "Two tickets",
  card_printed_name: "ADA LOVELACE",
  expire_month: "12",
  expire_year: "2040",
  email: "ada@example.com",
  address1: "1 Main Street",
  city: "London",
  zip_code: "N1",
  country: "GB",
  ipaddress: "203.0.113.7"
}

const attempt = async ({ amount, card, cvv2 }) => {
  const client_orderid = randomUUID()
  const fields = { ...customer, client_orderid, amount, credit_card_number: card, cvv2 }
  const minor = amount.replace(".", "")
  await call("sale", fields, PAY_ENDPOINT_ID, client_orderid, minor, customer.email)
  for (;;) {
    const query = { login: PAY_LOGIN, client_orderid }
    const { status } = await call("status", query, PAY_LOGIN, client_orderid)
    if (status !== "processing") return status === "approved" ? "paid" : "failed"
  }
}

const buy = (order) => attempt(order).catch(() => attempt(order).catch(() => "open"))

const server = createServer(async (request, response) => {
  const name = request.url.split("/").at(-1)
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method === "POST") orders.set(name, await buy(JSON.parse(Buffer.concat(chunks).toString())))
  response.end(JSON.stringify({ state: orders.get(name) ?? "new" }))
})

server.listen(Number(PORT), "127.0.0.1")
