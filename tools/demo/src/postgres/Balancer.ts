/**
 * A load balancer: one address in front of several gateways, which receive requests in turn while they report that they are
 * ready. A request is sent to a second gateway only if it certainly did not reach the first.
 */
import { type IncomingMessage, request as open, type ServerResponse } from "node:http"
import { Effect, Schedule } from "effect"
import * as LoopbackServer from "../LoopbackServer.ts"

export interface Balancer {
  readonly url: string
  /** Adds a gateway. It receives requests once it is ready. */
  readonly add: (gateway: string) => void
  readonly remove: (gateway: string) => void
}

const refused = new Set(["ECONNREFUSED", "ECONNRESET"])

const isReady = (gateway: string) =>
  Effect.tryPromise(() => fetch(`${gateway}/readyz`, { signal: AbortSignal.timeout(1000) })).pipe(
    Effect.map(({ ok }) => ok),
    Effect.orElseSucceed(() => false)
  )

/** Opens the load balancer. Port 0 selects a free port. */
export const make = Effect.fnUntraced(function* (port: number) {
  const ready = new Map<string, boolean>()
  let turn = 0

  const inTurn = (): ReadonlyArray<string> => {
    const gateways = [...ready].filter(([, isReady]) => isReady).map(([gateway]) => gateway)
    turn += 1
    return [...gateways.slice(turn % gateways.length), ...gateways.slice(0, turn % gateways.length)]
  }

  const forward = (
    gateways: ReadonlyArray<string>,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse
  ) => {
    const [gateway, ...others] = gateways
    if (gateway === undefined) {
      response.writeHead(503, { "retry-after": "1" }).end()
      return
    }
    let connected = false
    const passed = open(`${gateway}${request.url}`, { method: request.method, headers: request.headers, agent: false })
    passed.on("socket", (socket) => socket.once("connect", () => (connected = true)))
    passed.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on("error", (error) => {
      const code = "code" in error ? String(error.code) : ""
      if (!connected && refused.has(code)) ready.set(gateway, false)
      if (!connected) forward(others, request, body, response)
      else if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
    passed.end(body)
  }

  const url = yield* LoopbackServer.serve(port, (request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part) => parts.push(part))
    request.on("end", () => forward(inTurn(), request, Buffer.concat(parts), response))
  })

  const watch = Effect.suspend(() =>
    Effect.forEach([...ready.keys()], (gateway) =>
      Effect.map(isReady(gateway), (is) => (ready.has(gateway) ? ready.set(gateway, is) : ready))
    )
  )
  yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced("200 millis")))
  const balancer: Balancer = {
    url,
    add: (gateway) => void ready.set(gateway, true),
    remove: (gateway) => void ready.delete(gateway)
  }
  return balancer
})
