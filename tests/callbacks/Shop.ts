/** A merchant's server on the loopback: keeps every request exactly as it came, and answers as a test wants. */
import { createServer } from "node:http"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as CallbackSenderUndici from "@pay/gateway/CallbackSenderUndici"
import { CallbackEvent } from "@pay/gateway/entities/CallbackEvent"
import { NameResolver } from "@pay/gateway/NameResolver"
import { Store } from "@pay/gateway/Store"
import { Clock, Effect, Layer } from "effect"
import * as World from "../faults/World.ts"

/** A status, nothing at all, or the end of the connection. */
export type Answer = number | "silence" | "hangUp"

export interface ReceivedRequest {
  /** Path and query, as they came. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Business time. */
  readonly atMs: number
}

export interface Shop {
  readonly port: number
  readonly url: (path?: string) => string
  readonly requests: ReadonlyArray<ReceivedRequest>
}

export interface Options {
  /** 0 takes a free one. */
  readonly port?: number
  /** Answers in their order; those that follow are 200. */
  readonly says?: ReadonlyArray<Answer>
  /** Instead of `says`. */
  readonly judge?: (request: ReceivedRequest) => Answer
  /** The address to which an answer of 3xx leads. */
  readonly location?: string
}

/** Open until the scope closes. */
export const open = Effect.fnUntraced(function* ({ judge, location, port = 0, says = [] }: Options = {}) {
  const clock = yield* Clock.Clock
  const requests: Array<ReceivedRequest> = []
  const left = [...says]
  const server = createServer(({ headers, method = "", socket, url = "" }, response) => {
    const request = { target: url, method, headers, atMs: clock.currentTimeMillisUnsafe() }
    requests.push(request)
    const answer = judge?.(request) ?? left.shift() ?? 200
    if (answer === "hangUp") socket.destroy()
    else if (answer !== "silence") response.writeHead(answer, location === undefined ? {} : { location }).end()
  })
  yield* Effect.callback<void>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
  )
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  return {
    port: taken,
    url: (path = "/callback") => `http://127.0.0.1:${taken}${path}`,
    requests
  } satisfies Shop
})

/** A port on which nobody listens. */
export const closedPort = Effect.map(Effect.scoped(open()), ({ port }) => port)

/** A gateway in this process whose callbacks go over real sockets; its business time moves by `World.pass` alone. */
export const world = (
  sender: Partial<CallbackSenderUndici.Options> = {},
  names: Layer.Layer<NameResolver> = NameResolver.layer
) =>
  World.layer({
    callbacks: CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback, ...sender }).pipe(Layer.provide(names))
  })

/** What the gateway has noted of the order's n-th event. */
export const event = Effect.fnUntraced(function* ({ orderid }: { readonly orderid: string }, sequence = 1) {
  const store = yield* Store
  return yield* store.load(CallbackEvent, [`${orderid}-${sequence}`])
})

/** The parameters of a request, in their order. */
export const parameters = ({ target }: ReceivedRequest): ReadonlyArray<readonly [name: string, value: string]> => [
  ...new URLSearchParams(target.slice(target.indexOf("?")))
]

/** `type status` of each request. */
export const report = ({ requests: ask }: Shop): ReadonlyArray<string> =>
  ask.map((request) => {
    const { status, type } = Object.fromEntries(parameters(request))
    return `${type} ${status}`
  })
