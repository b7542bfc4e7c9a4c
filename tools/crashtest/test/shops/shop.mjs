// A shop without a gateway: what its name of the order says, happens.
import { createServer } from "node:http"

const [port = process.env.PORT] = process.argv.slice(2)
const states = new Map()
const presses = new Map()

const answers = {
  declined: () => ({ status: 200, body: { state: "declined" } }),
  broken: () => ({ status: 500, body: { error: "broken" } }),
  pending: () => ({ status: 202, body: { state: "new" } }),
  hangs: () => undefined,
  second: (count) => (count < 2 ? { status: 503, body: {} } : { status: 200, body: { state: "paid" } }),
  busy: (count) => (count < 2 ? { status: 409, body: { state: "new" } } : { status: 200, body: { state: "paid" } }),
  already: () => ({ status: 422, body: { state: "paid" } }),
  refused: () => ({ status: 422, body: { state: "declined" } }),
  reset: () => "reset"
}

const pathOf = ({ url }) => new URL(url, "http://shop").pathname.split("/").filter((part) => part !== "")

createServer(async (request, response) => {
  const [what, order = ""] = pathOf(request)
  let body = ""
  for await (const piece of request) body += piece
  const reply = (status, value) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(value))
  }
  if (what === "env") return reply(200, { ...process.env, argv: process.argv.slice(2) })
  if (what === "echo") return reply(200, { method: request.method, url: request.url, headers: request.headers, body })
  if (what === "pid") return reply(200, { pid: process.pid })
  if (what === "away") {
    response.writeHead(302, { location: order === "else" ? "http://192.0.2.1/pay" : `/away/${order}` })
    return response.end()
  }
  if (what === "endless") {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65536)));
      if (!response.destroyed) response.once("drain", more)
    }
    return more()
  }
  if (what === "print") {
    process.stdout.write(`${body}\n`)
    return setImmediate(() => reply(200, {}))
  }
  if (what !== "orders") return reply(what === undefined ? 200 : 404, {})
  if (request.method === "GET")
    return reply(states.has(order) ? 200 : 404, { state: states.get(order), shipped: order === "shipped" })
  const count = (presses.get(order) ?? 0) + 1
  presses.set(order, count)
  const kind = /^[a-z]+/.exec(order)?.[0] ?? ""
  const answer = answers[kind]?.(count) ?? (kind in answers ? undefined : { status: 200, body: { state: "paid" } })
  if (answer === undefined) return
  if (answer === "reset") return request.socket.resetAndDestroy()
  states.set(order, answer.body.state)
  reply(answer.status, { ...answer.body, count })
}).listen(Number(port), "127.0.0.1")
