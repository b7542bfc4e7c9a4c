/** A tiny server on this machine: shows the browser the page it has to post, and hears it come back. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Option, type Scope } from "effect"

export interface ReturnListener {
  /** For `redirect_url`. */
  readonly backUrl: string
  /** The address of the page that was shown last. */
  readonly pageUrl: string
  /** Shows a page; whether a browser that came back waits for it, so that nobody has to open it. */
  readonly show: (html: string) => boolean
  /** Once a browser has come back. */
  readonly back: Promise<void>
  /** Told the fields that the browser brings. */
  readonly onBack: (hear: (fields: Readonly<Record<string, string>>) => void) => void
}

const mostBytes = 200_000

/** So long a browser that came back waits for the next page, or for the end. */
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

/** On this port, 0 takes a free one; nothing where it is taken. */
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
        if (url.pathname !== "/back") return answer(response, url.pathname === "/" ? page : nothing)
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

/** The outcome may be there before the browser is: lets it come back, for a while. */
export const lastVisit = (listener: ReturnListener | undefined): Effect.Effect<void> =>
  listener === undefined
    ? Effect.void
    : Effect.asVoid(
        Effect.timeoutOption(
          Effect.promise(() => listener.back),
          patienceMs
        )
      )
