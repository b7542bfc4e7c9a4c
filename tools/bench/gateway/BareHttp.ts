/**
 * `node:http` without a gateway, for baselines: parses the form, compares the control in constant time, and returns JSON. It prints
 * its port on stdout.
 */
import { hash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { parse } from "node:querystring"

/** A request: its fields by name, the endpoint at the end of its path, and a running number. */
export interface Request {
  readonly field: (name: string) => string
  readonly endpointId: string
  readonly turn: number
}

/** Whether the control of the request is the SHA-1 of this text. */
export const isGenuine = ({ field }: Request, signed: string): boolean =>
  timingSafeEqual(Buffer.from(hash("sha1", signed)), Buffer.from(field("control")))

/** Serves requests with a function that calls `respond` with the JSON, or with `undefined` for a refusal. */
export const serve = (answer: (request: Request, respond: (json: string | undefined) => void) => void): void => {
  let turn = 0
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("latin1")
    request.on("data", (chunk: string) => {
      body += chunk
    })
    request.on("end", () => {
      const fields = parse(body)
      const field = (name: string): string => {
        const value = fields[name]
        return typeof value === "string" ? value : ""
      }
      const url = request.url ?? ""
      answer({ field, endpointId: url.slice(url.lastIndexOf("/") + 1), turn: turn++ }, (json) => {
        if (json === undefined) return response.writeHead(400).end()
        response.writeHead(200, {
          "content-type": "application/vnd.pay+json; charset=utf-8",
          "cache-control": "no-store",
          "content-length": Buffer.byteLength(json)
        })
        return response.end(json)
      })
    })
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (typeof address === "object") console.log(`port ${address?.port}`)
  })
}
