/**
 * The listener of a run. It stores the callbacks that arrive, by the name in their address, and answers them as a check has set.
 */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { Data, Effect } from "effect"

/** A callback that arrived. Its signature is not verified. */
export interface Arrival {
  /** The raw query, without its question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** The callbacks of one run. */
export interface Inbox {
  /** Returns the address for callbacks under this name. */
  readonly address: (name: string) => string
  /** The address to which browsers come back. */
  readonly returnAddress: string
  readonly arrived: (name: string) => ReadonlyArray<Arrival>
  /**
   * Sets the statuses with which the next callbacks under this name are answered, one after another. Later ones are answered with
   * 200.
   */
  readonly answer: (name: string, statuses: ReadonlyArray<number>) => void
}

/** The listener's address cannot be used. */
export class NotListening extends Data.TaggedError("NotListening")<{ readonly code: string }> {
  override get message(): string {
    return `the address of "listen" cannot be listened on (${this.code})`
  }
}

/** The address on which the listener receives callbacks. `url` is the address by which the gateway reaches it, if it differs. */
interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly url?: string
}

/** Starts the listener, which stops when the scope closes. */
export const make = Effect.fnUntraced(function* ({ host, port, url }: ListenAddress) {
  const arrivals = new Map<string, Array<Arrival>>()
  const answers = new Map<string, Array<number>>()
  const server = createServer((request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?")
    const name = path.split("/").at(-1) ?? ""
    const all = arrivals.get(name) ?? []
    all.push({ query, headers: request.headers })
    arrivals.set(name, all)
    request.resume()
    response.writeHead(answers.get(name)?.shift() ?? 200).end()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, NotListening>((resume) => {
      server.on("error", ({ code = "" }: NodeJS.ErrnoException) => resume(Effect.fail(new NotListening({ code }))))
      server.listen(port, host, () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const own = typeof address === "object" && address !== null ? address.port : port
  const base = (url ?? `http://${host.includes(":") ? `[${host}]` : host}:${own}`).replace(/\/$/, "")
  const inbox: Inbox = {
    address: (name) => `${base}/callback/${name}?own=1`,
    returnAddress: `${base}/return`,
    arrived: (name) => arrivals.get(name) ?? [],
    answer: (name, statuses) => answers.set(name, [...statuses])
  }
  return inbox
})
