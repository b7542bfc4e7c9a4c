/** A server that answers as a test configures it, and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedRequest {
  readonly path: string
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

export const start = (reply: Reply): Promise<StubGateway> =>
  new Promise((resolve) => {
    const requests: Array<ReceivedRequest> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const call = read(request, Buffer.concat(chunks).toString())
        requests.push(call)
        reply(response, call)
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = isInet(address) ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${port}`,
        requests,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          })
      })
    })
  })

const read = ({ headers, url = "" }: IncomingMessage, body: string): ReceivedRequest => ({
  path: url,
  accept: headers.accept,
  authorization: headers.authorization,
  idempotencyKey: headers["idempotency-key"]?.toString(),
  form: new URLSearchParams(body)
})

const isInet = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null
