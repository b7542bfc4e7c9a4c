/** A tiny server on this machine: shows the browser the page it has to post, and hears it come back. */
import { createServer, type IncomingMessage } from "node:http"
import { Effect, Option } from "effect"

export interface ReturnListener {
  /** For `redirect_url`. */
  readonly backUrl: string
  /** Where the page that was last shown stands. */
  readonly pageUrl: string
  readonly show: (html: string) => void
  /** Told the fields that the browser brings. */
  readonly onBack: (hear: (fields: Readonly<Record<string, string>>) => void) => void
}

const mostBytes = 200_000

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

/** On this port, 0 takes a free one; nothing where it is taken. */
export const listen = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Option.Option<ReturnListener & { readonly close: () => void }>>((resume) => {
      let page = nothing
      let hear: (fields: Readonly<Record<string, string>>) => void = () => undefined
      const server = createServer(async (request, response) => {
        const url = new URL(request.url ?? "/", "http://127.0.0.1")
        const isBack = url.pathname === "/back"
        const body = await read(request).catch(() => "")
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
        response.end(isBack ? over : url.pathname === "/" ? page : nothing)
        if (isBack) hear(Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]))
      })
      server.on("error", () => resume(Effect.succeedNone))
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`
        const listener = {
          backUrl: `${base}/back`,
          pageUrl: `${base}/`,
          show: (html: string) => {
            page = html
          },
          onBack: (listening: typeof hear) => {
            hear = listening
          },
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        }
        resume(Effect.succeedSome(listener))
      })
    }),
    (listener) => Effect.sync(() => Option.map(listener, ({ close }) => close()))
  )
