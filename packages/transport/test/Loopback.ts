/** Gateways of these tests on the loopback interface: the test decides what each answers. */
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import * as Net from "node:net"
import { Effect } from "effect"
import { listen } from "../../schema/test/Loopback.ts"

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A `node:http` server; `answer` runs once the request has been read to its end. */
export const http = Effect.fnUntraced(function* (
  answer: (received: Received, response: ServerResponse) => void,
  options: ServerOptions = {}
) {
  const server = createServer(options, (request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () =>
      answer({ method: request.method, path: request.url, headers: request.headers, body }, response)
    )
  })
  return { server, url: `http://127.0.0.1:${yield* listen(server)}` }
})

/** A `node:https` server that answers everything with one text. */
export const https = (identity: { readonly cert: string; readonly key: string }, answer: string) =>
  Effect.map(
    listen(createSecureServer(identity, (_request, response) => response.end(answer))),
    (port) => `https://127.0.0.1:${port}/`
  )

/** A bare TCP server: the test decides about every byte. */
export const tcp = (onSocket: (socket: Net.Socket) => void) => listen(Net.createServer(onSocket))
