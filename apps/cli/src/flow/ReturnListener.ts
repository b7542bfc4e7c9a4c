/** A small server on this machine, which shows the browser the page that it has to post, and receives its return. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Option, type Scope } from "effect"

export interface ReturnListener {
  /** The address to which the browser returns, for `redirect_url`. */
  readonly backUrl: string
  /** The address of the page that {@link show} sets. */
  readonly pageUrl: string
  /** Sets the page. Returns whether a returned browser waits and is sent to it, so that the user need not open the address. */
  readonly show: (html: string) => boolean
  /** Completes when a browser has returned. */
  readonly back: Promise<void>
  /** Registers the function that receives the fields of a returning browser. */
  readonly onBack: (hear: (fields: Readonly<Record<string, string>>) => void) => void
}

const mostBytes = 200_000

/** Milliseconds for which a returned browser waits for the next page or for the end. */
const patienceMs = 5000

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= mostBytes) chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

const nothing = "<!doctype html><title>pay</title><p>There is nothing to do here.</p>"
const over = "<!doctype html><title>pay</title><p>Thank you. The terminal tells how it ends.</p>"

const answer = (response: ServerResponse, html: string): void => {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    connection: "close"
  })
  response.end(html)
}

const thank = (response: ServerResponse): Promise<unknown> => {
  const gone = new Promise((resolve) => response.once("finish", resolve).once("close", resolve))
  answer(response, over)
  return gone
}

interface Opened extends ReturnListener {
  readonly close: () => Promise<void>
}

/** Listens on this port; 0 selects a free port. Returns `None` if the port is in use. */
export const listen = (port: number): Effect.Effect<Option.Option<ReturnListener>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Option.Option<Opened>>((resume) => {
      let page = nothing
      let hear: (fields: Readonly<Record<string, string>>) => void = () => undefined
      const waiting = new Set<ServerResponse>()
      const back = Promise.withResolvers<void>()
      const wait = (response: ServerResponse) => {
        const tired = setTimeout(() => answer(response, over), patienceMs)
        response.once("close", () => {
          clearTimeout(tired)
          waiting.delete(response)
        })
        waiting.add(response)
      }
      const server = createServer(async (request, response) => {
        const url = new URL(request.url ?? "/", "http://127.0.0.1")
        const body = await read(request).catch(() => "")
        if (!/^\/back\/?$/.test(url.pathname)) return answer(response, url.pathname === "/" ? page : nothing)
        wait(response)
        back.resolve()
        hear(Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]))
      })
      server.on("error", () => resume(Effect.succeedNone))
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`
        const opened: Opened = {
          backUrl: `${base}/back`,
          pageUrl: `${base}/`,
          show: (html) => {
            page = html
            for (const response of waiting) {
              response.writeHead(303, { location: "/", connection: "close" })
              response.end()
            }
            return waiting.size > 0
          },
          back: back.promise,
          onBack: (listening) => {
            hear = listening
          },
          close: async () => {
            server.close()
            await Promise.all([...waiting].map(thank))
            server.closeAllConnections()
          }
        }
        resume(Effect.succeedSome(opened))
      })
    }),
    (opened) => (Option.isSome(opened) ? Effect.promise(opened.value.close) : Effect.void)
  )

/** Waits until the browser has returned, for at most {@link patienceMs}, because the outcome may arrive before the browser. */
export const lastVisit = (listener: ReturnListener | undefined): Effect.Effect<void> =>
  listener === undefined
    ? Effect.void
    : Effect.asVoid(
        Effect.timeoutOption(
          Effect.promise(() => listener.back),
          patienceMs
        )
      )
