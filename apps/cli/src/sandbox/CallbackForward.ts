/** Forwards a request unchanged, byte for byte, to the merchant's own program, and returns its answer. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { request as httpsRequest } from "node:https"

export interface Arrived {
  readonly method: string
  /** Path and query as they were received. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** Names and values alternately, as they were received. */
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Buffer
}

export type Answer =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly rawHeaders: ReadonlyArray<string>
      readonly body: Buffer
    }
  | { readonly _tag: "Failed"; readonly problem: string }

/** Headers that belong to one connection and not to the message. `host` names the server that is called. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const pairs = (raw: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []))

/** Returns the headers that belong to the message and not to the connection. */
export const messageHeaders = (raw: ReadonlyArray<string>, without: ReadonlyArray<string> = []): Array<string> =>
  pairs(raw).flatMap(([name, value]) =>
    ofConnection.has(name.toLowerCase()) || without.includes(name.toLowerCase()) ? [] : [name, value]
  )

/**
 * Returns the address to which a request is forwarded: the path of `forward`, or that of the request if `forward` has none, and
 * the unchanged query of the request.
 */
const addressOf = (forward: URL, target: string): URL => {
  const at = target.indexOf("?")
  const [path, query] = at === -1 ? [target, ""] : [target.slice(0, at), target.slice(at)]
  return new URL(`${forward.origin}${forward.pathname === "/" ? path : forward.pathname}${query}`)
}

const timeoutMs = 30_000
const mostBytes = 1_000_000

export const forward = (to: URL, { body, headers: incoming, method, rawHeaders, target }: Arrived): Promise<Answer> =>
  new Promise((resolve) => {
    const url = addressOf(to, target)
    const send = url.protocol === "https:" ? httpsRequest : httpRequest
    const fail = (problem: string) => resolve({ _tag: "Failed", problem })
    // A body that was received in chunks is forwarded in one piece.
    const length = body.length > 0 && incoming["content-length"] === undefined
    const own = length ? ["Content-Length", String(body.length)] : []
    const headers = ["Host", url.host, ...messageHeaders(rawHeaders, ["host"]), ...own]
    const sent = send(url, { method, headers, timeout: timeoutMs, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > mostBytes) sent.destroy(new Error("its answer is longer than 1 MB"))
        else chunks.push(chunk)
      })
      response.on("error", (error) => fail(error.message))
      response.on("end", () =>
        resolve({
          _tag: "Answered",
          status: response.statusCode ?? 502,
          rawHeaders: messageHeaders(response.rawHeaders),
          body: Buffer.concat(chunks)
        })
      )
    })
    sent.on("timeout", () => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
    sent.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    sent.end(body)
  })
