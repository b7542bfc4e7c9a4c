/** A sandbox gateway behind a proxy that answers some requests with a fault. */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

/** An answer of the gateway, or of a fault. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request with the gateway's answer to it. */
export interface Exchange {
  /** The path without the endpoint: `/api/v2/sale`. */
  readonly operation: string
  readonly accept: string
  readonly answer: Answer
  /** The address of the proxy. */
  readonly own: string
}

/** Returns another answer, or takes the connection of the request. */
export type Fault = (exchange: Exchange) => Answer | ((socket: Socket) => void)

const forward = async (baseUrl: string, request: IncomingMessage): Promise<Answer> => {
  const { accept = "", authorization, "content-type": contentType = "" } = request.headers
  const body = await text(request)
  const answer = await fetch(`${baseUrl}${request.url}`, {
    method: request.method ?? "POST",
    headers: { accept, "content-type": contentType, ...(authorization !== undefined && { authorization }) },
    ...(request.method !== "GET" && { body })
  })
  const {
    "content-length": _,
    "transfer-encoding": __,
    connection: ___,
    ...headers
  } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

/** Starts the proxy before the gateway at this address. Returns the proxy's address. */
export const before = Effect.fnUntraced(function* (baseUrl: string, fault: Fault) {
  let own = ""
  const port = yield* serve((request, response) => {
    void forward(baseUrl, request).then(
      (answer) => {
        const operation = (request.url ?? "").replace(/\/\d+$/, "")
        const changed = fault({ operation, accept: request.headers.accept ?? "", answer, own })
        if (typeof changed === "function") changed(request.socket)
        else response.writeHead(changed.status, changed.headers).end(changed.body)
      },
      () => request.socket.destroy()
    )
  })
  own = `http://127.0.0.1:${port}`
  return own
})

/** A fault of the answers of one operation. */
export const at =
  (operation: string, change: (answer: Answer, exchange: Exchange) => ReturnType<Fault>): Fault =>
  (exchange) =>
    exchange.operation === `/api/v2/${operation}` ? change(exchange.answer, exchange) : exchange.answer

/** An answer instead of the gateway's. */
export const replaced = (answer: Partial<Answer>): ReturnType<Fault> => ({
  status: 200,
  headers: {},
  body: "",
  ...answer
})
