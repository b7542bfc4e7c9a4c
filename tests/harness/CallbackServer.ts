/** A merchant's server on the loopback: keeps every request exactly as it came, and answers as a test wants. */
import { Clock, Effect } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

/** A status, nothing at all, or the end of the connection. */
export type Answer = number | "silence" | "hangUp"

export interface ReceivedRequest {
  /** Path and query, as they came. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Empty for a GET. */
  readonly body: string
  /** Business time. */
  readonly atMs: number
}

export interface CallbackServer {
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
  const taken = yield* serve((incoming, response) => {
    const { headers, method = "", socket, url = "" } = incoming
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const request = { target: url, method, headers, body, atMs: clock.currentTimeMillisUnsafe() }
      requests.push(request)
      const answer = judge?.(request) ?? left.shift() ?? 200
      if (answer === "hangUp") socket.destroy()
      else if (answer !== "silence") response.writeHead(answer, location === undefined ? {} : { location }).end()
    })
  }, port)
  return {
    port: taken,
    url: (path = "/callback") => `http://127.0.0.1:${taken}${path}`,
    requests
  } satisfies CallbackServer
})

/** The parameters of a request, in their order. */
export const parameters = ({ target }: ReceivedRequest): ReadonlyArray<readonly [name: string, value: string]> => [
  ...new URLSearchParams(target.slice(target.indexOf("?")))
]

/** `type status` of each request. */
export const report = ({ requests: ask }: CallbackServer): ReadonlyArray<string> =>
  ask.map((request) => {
    const { status, type } = Object.fromEntries(parameters(request))
    return `${type} ${status}`
  })
