/** A server that answers as a test configures it, and records the requests. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"

export interface ReceivedRequest {
  readonly path: string
  /** `POST /path`. */
  readonly line: string
  readonly rawHeaders: ReadonlyArray<string>
  /** The bytes, as text in Latin-1. */
  readonly body: string
  readonly accept: string | undefined
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  readonly form: URLSearchParams
}

export interface StubGateway {
  readonly url: string
  readonly requests: ReadonlyArray<ReceivedRequest>
  readonly close: () => Promise<void>
}

export type Reply = (response: ServerResponse, ask: ReceivedRequest) => void

/** An answer with a body of the protocol. */
export const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/vnd.pay+json; charset=utf-8", ...headers })
    response.end(JSON.stringify(body))
  }

export const start = async (reply: Reply): Promise<StubGateway> => {
  const requests: Array<ReceivedRequest> = []
  const server = createServer(async (request, response) => {
    const call = read(request, await buffer(request))
    requests.push(call)
    reply(response, call)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await promisify(server.close.bind(server))()
    }
  }
}

const read = ({ headers, method, rawHeaders, url = "" }: IncomingMessage, body: Buffer): ReceivedRequest => ({
  ...{ path: url, line: `${method} ${url}`, rawHeaders, body: body.toString("latin1") },
  accept: headers.accept,
  authorization: headers.authorization,
  idempotencyKey: headers["idempotency-key"]?.toString(),
  form: new URLSearchParams(body.toString())
})
