/** Stands in front of a server and passes requests on, until one is the moment to kill a shop. */
import * as Http from "node:http"
import { buffer } from "node:stream/consumers"
import { Effect } from "effect"
import { listen } from "../../packages/schema/test/Loopback.ts"

/** What happens to the next request whose method and path match: the shop is killed before or after it, or the gateway seems to be too busy. */
export interface Order {
  readonly path: RegExp
  readonly what: "before" | "after" | "busy"
  /** Runs before anything else happens to the request. */
  readonly reached: () => void
}

export interface Gate {
  readonly url: string
  /** Gives or takes back the order. */
  readonly order: (order?: Order) => void
}

/** Longer than the flows wait: they end as refused, and may be executed again. */
const busy = { "retry-after": "7200", "content-type": "application/json" }
const busyBody = JSON.stringify({
  type: "validation-error",
  "serial-number": "busy",
  "error-code": "83",
  "error-message": "Too many requests"
})

export const make = Effect.fnUntraced(function* (target: number) {
  let current: Order | undefined
  const agent = new Http.Agent({ keepAlive: true })
  /** Takes the order if it is about this. */
  const take = (name: string, what: Order["what"]): boolean => {
    if (current?.what !== what || !current.path.test(name)) return false
    const { reached } = current
    current = undefined
    reached()
    return true
  }

  const pass = async (request: Http.IncomingMessage, response: Http.ServerResponse) => {
    const { headers, method, url: path = "" } = request
    const name = `${method} ${path}`
    const body = await buffer(request)
    if (take(name, "before")) return void response.destroy()
    if (take(name, "busy")) return void response.writeHead(429, busy).end(busyBody)
    const onward = Http.request({ host: "127.0.0.1", port: target, method, path, headers, agent })
    onward.on("response", async (answer) => {
      const content = await buffer(answer)
      if (take(name, "after")) return void response.destroy()
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(content)
    })
    onward.on("error", () => response.destroy())
    onward.end(body)
  }

  const server = Http.createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const port = yield* listen(server)
  const gate: Gate = {
    url: `http://127.0.0.1:${port}`,
    order: (order) => {
      current = order
    }
  }
  return gate
})
