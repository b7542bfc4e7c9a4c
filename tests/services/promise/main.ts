/** A shop on Promises that survives `kill -9`: a queue posts sales and refunds until they are acknowledged. */
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { CallbackRefusedError, type FlowInputs, type Order, type OrderRef, type Result } from "@pay/client"
import * as Durable from "@pay/client/durable"

const { PAY_BASE_URL = "", PAY_CONTROL_KEY = "", PAY_ENDPOINT_ID = "", PAY_LOGIN = "" } = process.env
const { PORT, SHOP_FLOWS_KEY = "", SHOP_SECRET = "", SHOP_URL = "" } = process.env
const serverCallbackUrl = `${SHOP_URL}/callback`

const database = new DatabaseSync("shop.db")
database.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, orderId TEXT, minor INTEGER, outcome TEXT)`)
const insert = database.prepare("INSERT INTO bookings VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
const select = database.prepare("SELECT * FROM bookings WHERE id = ?")

const pay = await Durable.open({
  ...{ baseUrl: PAY_BASE_URL, login: PAY_LOGIN, controlKey: PAY_CONTROL_KEY, endpointId: PAY_ENDPOINT_ID },
  ...{ path: "flows.db", encryptionKey: SHOP_FLOWS_KEY }
})
const ended = (id: string) => (select.get(id) === undefined ? undefined : `/order/${id}`)
const web = pay.web({ url: `${SHOP_URL}/pay`, secret: SHOP_SECRET, ended })

/** Books an outcome once, and returns the HTTP status with which the queue sends the order again, or does not. */
const book = (id: string, cents: number, result: Result<{ readonly order: Order }>) => {
  if (!result.ok) console.log(result.error.code, id, result.error.message)
  if (result.ok) insert.run(id, result.order.orderId, cents, "done")
  else if (result.error.retryable) return 503
  else insert.run(id, "", 0, result.error.code)
  return 200
}

const sell = async (clientOrderId: string, fields: Omit<FlowInputs["cardSale"], "clientOrderId">) => {
  const order = { ...fields, clientOrderId, serverCallbackUrl, redirectUrl: web.backUrl(clientOrderId) }
  return book(clientOrderId, Math.round(Number(fields.amount) * 100), await pay.cardSale(order))
}

const refund = async (name: string, { amount, ...order }: OrderRef & { readonly amount: string }) =>
  book(name, -Math.round(Number(amount) * 100), await pay.refund(order, { name, amount }))

createServer(async (request, response) => {
  const [, path, id = ""] = (request.url ?? "").split(/[/?]/)
  const body = await text(request)
  if (path === "sales") response.writeHead(await sell(id, JSON.parse(body))).end()
  else if (path === "refunds") response.writeHead(await refund(id, JSON.parse(body))).end()
  else if (path === "go") response.writeHead(303, { location: web.goUrl(id) }).end()
  else if (path === "order") response.end(JSON.stringify(select.get(id) ?? { id, outcome: "open" }))
  else if (path === "open") response.end(JSON.stringify(await pay.waiting()))
  else if (path === "callback") {
    try {
      pay.callbacks.verify(request)
      response.end()
    } catch (error) {
      response.writeHead(error instanceof CallbackRefusedError ? 403 : 500).end()
    }
  } else {
    const answer = await web.handle({ method: request.method, url: request.url, headers: request.headers, body })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log("listening"))
