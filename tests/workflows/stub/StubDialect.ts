/**
 * How the stub gateway speaks over the wire. `json` is the specification's way. `pairs` is the older dialect under the path that
 * deployed modules write into their programs: status 200 always, pairs but for version 4, a page instead of an address while
 * 3-D Secure waits. It shares no code with the client.
 */
import type { Reply, StubGateway } from "./StubGateway.ts"

export type Dialect = "json" | "pairs"

interface Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const mediaType = "application/vnd.pay+json"
const prefix = "/paynet"

const nothing: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "<html>Not found</html>" }
const refused = { type: "validation-error", "error-message": "Not acceptable", "error-code": "1", "serial-number": "0" }

const inJson = (status: number, body: object): Answer => ({
  status,
  headers: { "content-type": mediaType },
  body: JSON.stringify(body)
})

/** A page that sends the browser to its next address. */
export const page = (url: string): string =>
  `<!doctype html><form action="${url}"></form><script>document.forms[0].submit()</script>`

/** Reads from such a page the next address of the browser. */
export const addressOn = (html: string): string => /action="([^"]*)"/.exec(html)?.[1] ?? ""

const older = ({ body, status }: Reply): Readonly<Record<string, unknown>> => {
  const { "redirect-to": redirectTo, ...fields }: Record<string, unknown> = { ...body }
  const html = typeof redirectTo === "string" ? { html: page(redirectTo) } : {}
  return status === 200 ? { status: "processing", ...fields, ...html } : { ...refused, ...fields }
}

const encoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1)

const inPairs = (fields: Readonly<Record<string, unknown>>): Answer => ({
  status: 200,
  headers: { "content-type": "text/html;charset=utf-8" },
  body: Object.entries(fields)
    .map(([name, value]) => `${name}=${encoded(String(value))}\n`)
    .join("&")
})

/** One request, as it arrives at the stub. */
export const receive = (
  { receive }: Pick<StubGateway, "receive">,
  dialect: Dialect,
  { body, headers, url }: Request
): Answer => {
  const { pathname } = new URL(url)
  if (dialect === "json") {
    if (!pathname.startsWith("/api/")) return nothing
    if (headers.accept !== mediaType) return inJson(400, refused)
    const reply = receive(pathname, body)
    return inJson(reply.status, reply.body)
  }
  if (!pathname.startsWith(`${prefix}/api/`)) return nothing
  const fields = older(receive(pathname.slice(prefix.length).replace("/group/", "/"), body))
  return pathname.includes("/v4/") ? inJson(200, fields) : inPairs(fields)
}
